"""Reading an archive: from text to parts that are sound, before anything is written.

An archive comes from anywhere. Each part is read strictly, every reference must lead to something in the same file, and
every game is played through again event by event, so that a log that no table could have written is refused, and told where.
"""

import json
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise
from typing import Any, Final

from continental.rules.errors import BadQuestion
from continental.rules.rulesets import RuleSet
from continental.rules.standing_methods import Terms, must_be
from players.models import timezones
from players.names import MAX_NAME, clean_name, fold_name
from scoring import ledger, policies
from scoring.actions import ACTIONS
from scoring.archive import FORMAT, VERSION, Rename, with_players
from scoring.archive_spots import Flaw, Spot
from scoring.models import RuleSheet
from scoring.record import must_be_kept
from scoring.state import Logged, Refused

_MOST: Final = {"players": 20_000, "merges": 20_000, "seasons": 1_000, "sheets": 1_000, "games": 200_000}
_MOST_EVENTS: Final = 5_000
_MOST_SEATS: Final = 30
_LARGEST: Final = 10**9
_LONGEST: Final = {"client_id": 40, "reason": 200}


@dataclass(frozen=True, slots=True)
class EventPart:
    logged: Logged
    client_id: str
    at: datetime
    phone_at: datetime | None


@dataclass(frozen=True, slots=True)
class GamePart:
    season: int
    sheet: int
    started_on: date
    events: tuple[EventPart, ...]


@dataclass(frozen=True, slots=True)
class SheetPart:
    name: str
    version: int
    base: str
    overrides: dict[str, Any]
    notes: list[dict[str, Any]]
    created_at: datetime
    signed: tuple[tuple[int, datetime], ...]
    rules: RuleSet


@dataclass(frozen=True, slots=True)
class SeasonPart:
    name: str
    starts: date
    ends: date
    terms: dict[str, Any]
    policies: dict[str, Any]
    closed_at: datetime | None
    snapshot: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class PlayerPart:
    name: str
    nickname: str
    hidden: bool


@dataclass(frozen=True, slots=True)
class MergePart:
    kept: int
    gone: int
    was_hidden: bool


@dataclass(frozen=True, slots=True)
class Archive:
    """A league as its archive has it. Numbers of players, seasons, sheets and games count from 1, in the order of the tuples.

    Attributes:
        data: the document itself.
    """

    data: dict[str, Any]
    uid: uuid.UUID
    name: str
    timezone: str
    photo_days: int
    ratings: bool
    players: tuple[PlayerPart, ...]
    merges: tuple[MergePart, ...]
    seasons: tuple[SeasonPart, ...]
    sheets: tuple[SheetPart, ...]
    games: tuple[GamePart, ...]


def read(raw: bytes) -> Archive:
    """Read an archive.

    Raises:
        Flaw: it is no archive, of another version, broken off, or something in it cannot be.
    """
    try:
        whole = _parse(raw)
        whole.must_be_kept()
    except RecursionError:
        raise Flaw("", "too-deep") from None
    if whole.object().get("format") != FORMAT:
        raise Flaw("format", "no-archive")
    if whole.value.get("version") != VERSION or isinstance(whole.value.get("version"), bool):
        raise Flaw("version", "version", reads=VERSION)
    parts = whole.fields("format", "version", "league", "players", "merges", "seasons", "sheets", "games")
    league = parts["league"].fields("uid", "name", "timezone", "photo_days", "ratings")
    players = _players(parts["players"])
    seasons = tuple(_season(spot, len(players)) for spot in _counted(parts["seasons"]))
    _must_not_overlap(parts["seasons"], seasons)
    games = sum(1 for _game in _counted(parts["games"]))
    sheets = tuple(_sheet(spot, len(players), games) for spot in _counted(parts["sheets"]))
    _must_differ(parts["sheets"], ((sheet.name, sheet.version) for sheet in sheets))
    return Archive(
        whole.value,
        _uid(league["uid"]),
        _name(league["name"]),
        _zone(league["timezone"]),
        league["photo_days"].whole(1, 3650),
        league["ratings"].flag(),
        players,
        _merges(parts["merges"], players),
        seasons,
        sheets,
        _games(parts["games"], players, seasons, sheets),
    )


def _parse(raw: bytes) -> Spot:
    if not raw.strip():
        raise Flaw("", "empty")
    try:
        return Spot(json.loads(raw.decode("utf-8-sig")))
    except UnicodeDecodeError as error:
        raise Flaw("", "encoding", byte=error.start + 1) from None
    except json.JSONDecodeError as error:
        raise Flaw("", "broken", line=error.lineno, column=error.colno) from None
    except ValueError:
        # A number with more digits than anybody writes.
        raise Flaw("", "unkept") from None


def _counted(part: Spot) -> Iterable[Spot]:
    """Give the members of a list, each of which must have its number."""
    for number, spot in enumerate(part.each(_MOST[part.place]), start=1):
        found = spot.part("id")
        if found.whole(1, _LARGEST) != number:
            raise found.flaw("out-of-order", found=found.value, number=number)
        yield spot


def _must_differ(part: Spot, keys: Iterable[object]) -> None:
    seen = set()
    for at, key in enumerate(keys):
        if key in seen:
            raise Flaw(f"{part.place}[{at}].name", "twice")
        seen.add(key)


def _uid(spot: Spot) -> uuid.UUID:
    try:
        return uuid.UUID(spot.text(36))
    except ValueError:
        raise spot.flaw("no-uid") from None


def _zone(spot: Spot) -> str:
    if spot.text(64) not in timezones():
        raise spot.flaw("no-zone", found=spot.value)
    return spot.text(64)


def _name(spot: Spot) -> str:
    name = clean_name(spot.text(MAX_NAME, 1))
    if not name:
        raise spot.flaw("no-name")
    return name


# ---------------------------------------------------------------------------------------------------------------------
# People


def _players(part: Spot) -> tuple[PlayerPart, ...]:
    read_in = []
    taken: set[str] = set()
    for spot in _counted(part):
        fields = spot.fields("id", "name", "nickname", "hidden")
        player = PlayerPart(_name(fields["name"]), clean_name(fields["nickname"].text(MAX_NAME)), fields["hidden"].flag())
        if not player.hidden and fold_name(player.name) in taken:
            raise fields["name"].flaw("twice")
        if not player.hidden:
            taken.add(fold_name(player.name))
        read_in.append(player)
    return tuple(read_in)


def _player(spot: Spot, players: int) -> int:
    return _known(spot, players, "no-player")


def _known(spot: Spot, count: int, code: str) -> int:
    if isinstance(spot.value, bool) or not isinstance(spot.value, int) or not 1 <= spot.value <= count:
        raise spot.flaw(code, found=str(spot.value)[:40])
    return spot.value


def _merges(part: Spot, players: tuple[PlayerPart, ...]) -> tuple[MergePart, ...]:
    """Read who stands for whom: nobody for two, nobody in a circle, and who is stood for is hidden."""
    into: dict[int, int] = {}
    read_in = []
    for spot in part.each(_MOST["merges"]):
        fields = spot.fields("kept", "gone", "was_hidden")
        merge = MergePart(
            _player(fields["kept"], len(players)), _player(fields["gone"], len(players)), fields["was_hidden"].flag()
        )
        if merge.gone in into or _ends_at(into, merge.kept) == merge.gone or not players[merge.gone - 1].hidden:
            raise spot.flaw("merge")
        into[merge.gone] = merge.kept
        read_in.append(merge)
    return tuple(read_in)


def _ends_at(into: Mapping[int, int], player: int) -> int:
    while player in into:
        player = into[player]
    return player


# ---------------------------------------------------------------------------------------------------------------------
# Seasons and sheets


def _season(spot: Spot, players: int) -> SeasonPart:
    fields = spot.fields("id", "name", "starts", "ends", "terms", "policies", "closed_at", "snapshot")
    season = SeasonPart(
        _name(fields["name"]),
        fields["starts"].day(),
        fields["ends"].day(),
        _terms(fields["terms"]),
        _policies(fields["policies"]),
        fields["closed_at"].moment_or_none(),
        _snapshot(fields["snapshot"], players),
    )
    if season.ends < season.starts:
        raise fields["ends"].flaw("dates")
    if (season.closed_at is None) != (season.snapshot is None):
        raise fields["snapshot"].flaw("snapshot")
    return season


def _must_not_overlap(part: Spot, seasons: tuple[SeasonPart, ...]) -> None:
    _must_differ(part, (season.name for season in seasons))
    for at, (season, after) in enumerate(pairwise(seasons), start=1):
        if after.starts <= season.ends:
            raise Flaw(f"seasons[{at}].starts", "overlap", season=season.name)


def _terms(spot: Spot) -> dict[str, Any]:
    try:
        must_be(Terms.read(spot.object(), spot.place))
    except BadQuestion as error:
        raise Flaw(error.at, "detail", detail=error.message) from None
    return spot.object()


def _policies(spot: Spot) -> dict[str, Any]:
    for name, value in spot.object().items():
        said = spot.part(name)
        if name == "short_hands":
            said.whole(1, 1000)
        elif name not in policies.CHOICES:
            raise spot.flaw("unknown", name=name[:40])
        elif not isinstance(value, str) or value not in policies.CHOICES[name]:
            raise said.flaw("none-of", found=str(value)[:40], known=", ".join(policies.CHOICES[name]))
    return spot.object()


_LINE: Final = ("games", "counted", "missing", "total", "places", "wins", "best", "hands_out")
_POINTS: Final = frozenset({"total", "best"})
"""Of a line: fractions where a short night was scaled."""


def _snapshot(spot: Spot, players: int) -> dict[str, Any] | None:
    if spot.value is None:
        return None
    fields = spot.fields("terms", "lowest_wins", "games", "lines", maybe=("policies",))
    _terms(fields["terms"])
    if "policies" in fields:
        _policies(fields["policies"])
    fields["lowest_wins"].flag()
    fields["games"].whole(0, _LARGEST)
    for line in fields["lines"].each(_MOST["players"]):
        parts = line.fields("player", "rank", "value", *_LINE)
        _player(parts["player"], players)
        parts["rank"].whole_or_none(1, _LARGEST)
        _fraction(parts["value"])
        for name in _LINE:
            if name in _POINTS and isinstance(parts[name].value, list):
                _fraction(parts[name])
            else:
                parts[name].whole(1 if name == "games" else -_LARGEST, _LARGEST)
    return spot.object()


def _fraction(spot: Spot) -> None:
    numbers = list(spot.each(2))
    if len(numbers) != 2:
        raise spot.flaw("no-fraction")
    numbers[0].whole(-(2**62), 2**62)
    numbers[1].whole(1, 2**62)


def _sheet(spot: Spot, players: int, games: int) -> SheetPart:
    fields = spot.fields("id", "name", "version", "base", "overrides", "notes", "created_at", "signed")
    sheet = RuleSheet(base=fields["base"].text(30, 1), overrides=fields["overrides"].object())
    try:
        rules = sheet.rules
    except BadQuestion as error:
        at = error.at.removeprefix("rules").removeprefix(".")
        raise Flaw(f"{spot.place}.overrides" + (f".{at}" if at else ""), "detail", detail=error.message) from None
    signed = [one.fields("player", "at") for one in fields["signed"].each(_MOST["players"])]
    return SheetPart(
        _name(fields["name"]),
        fields["version"].whole(1, 30_000),
        sheet.base,
        sheet.overrides,
        [_note(note, games) for note in fields["notes"].each(500)],
        fields["created_at"].moment(),
        tuple((_player(one["player"], players), one["at"].moment()) for one in signed),
        rules,
    )


def _note(spot: Spot, games: int) -> dict[str, Any]:
    fields = spot.fields("text", "game", "ruling")
    fields["text"].text(400)
    if fields["game"].value is not None:
        _known(fields["game"], games, "no-game")
    fields["ruling"].whole_or_none(0, _LARGEST)
    return spot.object()


# ---------------------------------------------------------------------------------------------------------------------
# Games


def _games(
    part: Spot, players: tuple[PlayerPart, ...], seasons: tuple[SeasonPart, ...], sheets: tuple[SheetPart, ...]
) -> tuple[GamePart, ...]:
    read_in = []
    directions: dict[int, bool] = {}
    for spot in _counted(part):
        fields = spot.fields("id", "season", "sheet", "started_on", "status", "result", "events")
        season = _known(fields["season"], len(seasons), "no-season")
        sheet = _known(fields["sheet"], len(sheets), "no-sheet")
        started_on = fields["started_on"].day()
        if not seasons[season - 1].starts <= started_on <= seasons[season - 1].ends:
            raise fields["started_on"].flaw("outside", season=seasons[season - 1].name)
        rules = sheets[sheet - 1].rules
        if directions.setdefault(season, rules.lowest_wins) != rules.lowest_wins:
            raise Flaw.of(fields["sheet"].place, Refused("season-direction", season=seasons[season - 1].name))
        events = _events(fields["events"], len(players))
        if events[0].logged.data.get("on") != started_on.isoformat():
            raise fields["started_on"].flaw("other-day")
        _play_through(fields["events"], rules, [event.logged for event in events])
        read_in.append(GamePart(season, sheet, started_on, events))
    return tuple(read_in)


def _events(part: Spot, players: int) -> tuple[EventPart, ...]:
    events = [_event(spot, number, players) for number, spot in enumerate(part.each(_MOST_EVENTS), start=1)]
    if not events:
        raise part.flaw("no-events")
    seen = set()
    for at, event in enumerate(events):
        if event.client_id in seen:
            raise Flaw(f"{part.place}[{at}].client_id", "twice")
        seen.add(event.client_id)
    return tuple(events)


def _event(spot: Spot, rev: int, players: int) -> EventPart:
    fields = spot.fields("rev", "client_id", "kind", "data", "reason", "replaces", "at", "phone_at")
    if fields["rev"].whole(1, _LARGEST) != rev:
        raise fields["rev"].flaw("out-of-order", found=fields["rev"].value, number=rev)
    kind, reason = fields["kind"].text(12, 1), fields["reason"].text(_LONGEST["reason"])
    if (kind == "start") != (rev == 1) or (kind not in ACTIONS and kind != "undo"):
        raise Flaw.of(fields["kind"].place, Refused("action-unknown", typed=kind))
    data = fields["data"].object()
    try:
        must_be_kept(data, reason)
    except Refused as refusal:
        raise Flaw.of(fields["data"].place, refusal) from None
    if kind == "evidence":
        _evidence(fields["data"])
    with_players(kind, data, _must_know(fields["data"], players))
    replaces = fields["replaces"].whole_or_none(1, rev - 1)
    if (replaces is None) == (kind == "undo"):
        raise fields["replaces"].flaw("replaces")
    return EventPart(
        Logged(rev, kind, data, reason, replaces),
        fields["client_id"].text(_LONGEST["client_id"], 1),
        fields["at"].moment(),
        fields["phone_at"].moment_or_none(),
    )


def _evidence(spot: Spot) -> None:
    """Read what a page shows of cards without looking at it again: where on the photo they lie, and the rules they broke."""
    for meld in spot.part("melds").each(_MOST_SEATS):
        at = meld.part("spot")
        if at.value is not None and not all(isinstance(one.value, float) for one in at.each(2)):
            raise at.flaw("no-spot")
        if at.value is not None and len(at.value) != 2:
            raise at.flaw("no-spot")
    for reason in spot.part("reasons").each(100):
        reason.text(60)


def _must_know(spot: Spot, players: int) -> Rename:
    """Give a renaming that refuses a player who is not in the file."""

    def known(value: object) -> int | None:
        return None if value is None else _player(Spot(value, spot.place), players)

    return known


def _play_through(part: Spot, rules: RuleSet, log: list[Logged]) -> None:
    """Play a game again: every event must fit the table as it was then."""
    done = 0
    try:
        for done, _state in enumerate(ledger.replay(rules, log), start=1):  # noqa: B007
            pass
    except Refused as refusal:
        raise Flaw.of(f"{part.place}[{done}]", refusal) from None
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        # The actions trust what this site's own pages sent; a file may leave out anything, or write it in any shape.
        raise Flaw(f"{part.place}[{done}].data", "event-unreadable", kind=log[done].kind) from None
