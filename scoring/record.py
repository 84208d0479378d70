"""The only writer of the scoring tables.

One action at a time: lock the game, fold its log with the new event on top, and, if the rules of the table allow it, add
the event and bring the projection up to date, all in one transaction. A repeat of an action is answered with what the
first one did; a clash is refused with both values, so that the table decides and nothing is lost.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from continental.rules import deals, rulesets
from continental.rules.audit import AuditQuestion
from players.locks import hold, hold_league
from players.models import League, Player, User
from scoring import (
    acceptance,
    actions,
    audits,
    entries,
    ledger,
    live,
    record_league,
    record_rows,
    record_rulings,
)
from scoring.models import Event, Game, RuleSheet, Signature
from scoring.state import ACCEPTED, DISPUTED, EntryState, GameState, Logged, Refused


@dataclass(frozen=True, slots=True)
class By:
    """Who acts: an account, a device, both or neither (a command).

    ``seat`` is the seat of a player who does not keep the score: what it hands in waits for its neighbour.
    """

    user: User | None = None
    device: str = ""
    phone_at: datetime | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an action led to: the table after it, and whether it had been recorded before or changed nothing."""

    state: GameState
    rev: int
    repeated: bool = False
    unchanged: bool = False


class Read(NamedTuple):
    """A table as somebody has just read it: its log, and the state that this log folds to."""

    log: Sequence[Logged]
    state: GameState


class Asks(Exception):
    """The hand can be closed, but something looks odd: the table is asked before it is (deck audit)."""

    def __init__(self, questions: Sequence[AuditQuestion]) -> None:
        super().__init__(questions)
        self.questions = tuple(questions)


class Clash(Refused):
    """Two devices entered different values for one seat: both are shown, the one on the sheet stands until the table decides."""

    def __init__(self, seat: int, standing: EntryState, offered: EntryState) -> None:
        super().__init__("clash", seat=seat, standing=standing.points, offered=offered.points)
        self.standing, self.offered = standing, offered


# ---------------------------------------------------------------------------------------------------------------------
# Games

_DATED: Final = frozenset({"start", "close", "suspend", "resume", "finish", "strike"})


def today(league: League) -> date:
    """Give today's date where the league plays (R-77)."""
    return timezone.now().astimezone(ZoneInfo(league.timezone)).date()


@transaction.atomic
def start_game(
    league: League,
    sheet: RuleSheet,
    players: Sequence[Player],
    first_dealer: int,
    by: By,
    *,
    client_id: str,
    draw: Sequence[Mapping[str, str]] = (),
    on: date | None = None,
) -> Game:
    """Start a game of ``players``, seated in the order of play.

    Args:
        first_dealer: the seat that deals the first hand, counted from 0.
        draw: the rounds of the draw for deal, each from seat to card, kept as evidence.
        on: the local date; today by default.

    Returns:
        The new game, or the one that the same ``client_id`` started before in this league.

    Raises:
        Refused: a player is listed twice or plays for another league, too few or too many, or the sheet is not ready.
    """
    hold_league(league.pk)
    before = Event.objects.filter(game__league=league, client_id=client_id, kind="start").select_related("game").first()
    if before is not None:
        return before.game
    for player in players:
        if player.league_id != league.pk:
            raise Refused("player-of-another-league", player=str(player))
    on = on or today(league)
    expire_suspended(league)
    data = {
        "players": [player.pk for player in players],
        "first_dealer": first_dealer,
        "on": on.isoformat(),
        "draw": [dict(round_) for round_ in draw],
    }
    state = ledger.fold(sheet.rules, [Logged(1, "start", data)])
    deal = deals.deal(sheet.rules, 1, len(players), first_dealer)
    game = Game.objects.create(
        league=league,
        season=record_league.season_for(league, on, lowest_wins=sheet.rules.lowest_wins),
        sheet=sheet,
        started_on=on,
        decks=deal.decks,
        jokers=deal.jokers,
        rev=1,
    )
    _log(game, Logged(1, "start", data), by, client_id)
    record_rows.project(game, state)
    return game


def apply(
    game_pk: int,
    kind: str,
    data: Mapping[str, Any],
    by: By,
    *,
    client_id: str,
    reason: str = "",
    seen: int | None = None,
    confirmed: bool = False,
    on: date | None = None,
    read: Read | None = None,
) -> Outcome:
    """Record one action of a game.

    Args:
        kind: a key of ``actions.ACTIONS``, or ``undo`` with ``data["target"]``, the revision to take back.
        data: what the action says.
        client_id: made by the client for this action; a second one with the same id is not recorded again.
        reason: why, where an earlier hand is changed.
        seen: for a count, the revision of the entry that the client was looking at (0 for none); ``None`` skips the check.
        confirmed: the table has answered the questions of the deck audit.
        on: the local date of the action; today by default.
        read: the table as the caller has read it. A log only grows, so where nothing was added it is not read again.

    Raises:
        Refused: the action does not fit the table; nothing was written.
        Clash: somebody else entered another value for that seat meanwhile.
        Asks: the audit has questions about the hand to be closed.
    """
    done = _apply(game_pk, kind, data, by, client_id, reason, seen, confirmed=confirmed, on=on, read=read)
    if isinstance(done, Clash):
        raise done
    return done


def _locked(game_pk: int) -> Game:
    games = Game.objects.select_related("league", "sheet", "season").defer("season__snapshot")
    return hold(games).get(pk=game_pk)


@transaction.atomic
def _apply(
    game_pk: int,
    kind: str,
    data: Mapping[str, Any],
    by: By,
    client_id: str,
    reason: str,
    seen: int | None,
    *,
    confirmed: bool,
    on: date | None,
    read: Read | None,
) -> Outcome | Clash:
    """Do what ``apply`` says; a clash is given back and not raised, since the value that came second is written too."""
    game = _locked(game_pk)
    log, before = read if read is not None and read.state.rev == game.rev else _read(game)
    known = _known(game.pk, client_id)
    if known is not None:
        return _again(log[known[0] - 1], before, kind, data)
    data = {name: value for name, value in data.items() if name != "by_seat"}
    if by.seat is not None:
        data["by_seat"] = by.seat
    data = record_rulings.stamp(kind, record_league.by_policy(game, kind, data, before), before)
    if kind in _DATED:
        # A clock that was set back, or another zone for the league, ends no game before the day on which it began.
        data["on"] = max(on or today(game.league), game.started_on).isoformat()
    must_be_kept(data, reason)
    event = Logged(game.rev + 1, kind, data, reason.strip())
    if kind == "undo":
        event = event._replace(data={}, replaces=ledger.undo_target(log, data.get("target")))
    elif kind not in actions.ACTIONS or kind in {"start", "clash"}:
        raise Refused("action-unknown", typed=kind[:40])
    clash = _clash(before, data) if kind == "count" else None
    if clash is None and kind == "count" and _is_settled(before, data, by):
        return Outcome(before, game.rev, unchanged=True)
    if clash is not None and seen is not None and seen != clash.standing.rev:
        event = event._replace(kind="clash")
    else:
        clash = None
    if kind in {"accept", "object"} and acceptance.is_settled(before, event):
        return Outcome(before, game.rev, unchanged=True)
    after = _fold_on_top(game, log, event)
    if kind == "close" and not confirmed:
        questions = audits.questions_about(before)
        if questions:
            raise Asks(questions)
    _log(game, event, by, client_id)
    record_rows.project(game, after, before)
    return clash or Outcome(after, event.rev)


def _again(first: Logged, state: GameState, kind: str, data: Mapping[str, Any]) -> Outcome | Clash:
    """Answer an action whose number is known.

    A form that a browser went back to has the number that it was sent with: filled in otherwise, it is no repeat.

    Raises:
        Refused: the number is that of an action of another kind.
    """
    if first.kind != kind and (first.kind, kind) != ("clash", "count"):
        raise Refused("number-taken")
    differs = first.kind == "clash" or (kind == "count" and not _same_count(state, first.data, data))
    return (differs and _clash(state, data)) or Outcome(state, first.rev, repeated=True)


def _same_count(state: GameState, first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    def said(data: Mapping[str, Any]) -> tuple[int, int, object]:
        number = entries.read_number(data, "hand", 1, 1000)
        return number, actions.read_seat(state, data), entries.read_entry(state.rules, data).value

    return said(first) == said(second)


def _known(game_pk: int, client_id: str) -> tuple[int, str] | None:
    return Event.objects.filter(game=game_pk, client_id=client_id).order_by("rev").values_list("rev", "kind").first()


def rev_of(game_pk: int, client_id: str) -> int | None:
    """Give the revision of what a client did under a number of its own; ``None`` where nothing came of it."""
    known = _known(game_pk, client_id)
    return known and known[0]


def must_be_kept(data: Mapping[str, Any], reason: str) -> None:
    """Refuse a text that no database keeps, or that is longer than anything said at a table: the log is never cut back."""
    listed = [item for value in data.values() if isinstance(value, list) for item in value]
    texts = [(text, _LONGEST_TEXT) for text in (*data.values(), *listed) if isinstance(text, str)]
    for text, most in [*texts, (reason.strip(), LONGEST_REASON)]:
        if len(text) > most or _UNKEPT.search(text):
            raise Refused("text-unreadable", most=most)


_LONGEST_TEXT: Final = 400
LONGEST_REASON: Final = 200
LONGEST_ID: Final = 40
"""Of what a client calls an action: another one of the same beginning is another action."""
_UNKEPT: Final = re.compile("[\x00\ud800-\udfff]")


def _fold_on_top(game: Game, log: Sequence[Logged], event: Logged) -> GameState:
    try:
        return ledger.fold(game.sheet.rules, [*log, event])
    except Refused as refusal:
        if event.kind == "undo":
            raise Refused("undo-leaned-on", because=refusal.code) from refusal
        raise


def _standing(state: GameState, data: Mapping[str, Any]) -> EntryState | None:
    """Give the entry on the sheet for what a count is about."""
    number, seat = entries.read_number(data, "hand", 1, 1000), actions.read_seat(state, data)
    hand = next((hand for hand in state.hands if hand.number == number), None)
    return hand.entries.get(seat) if hand else None


def _clash(state: GameState, data: Mapping[str, Any]) -> Clash | None:
    """Give the clash that a count would be, from a client that did not know of the entry on the sheet."""
    standing = _standing(state, data)
    offered = entries.read_entry(state.rules, data) if standing else None
    if standing is None or offered is None or offered.value == standing.value:
        return None
    return Clash(actions.read_seat(state, data), standing, offered)


def _is_settled(state: GameState, data: Mapping[str, Any], by: By) -> bool:
    """Tell whether a count changes nothing."""
    standing = _standing(state, data)
    if standing is None or entries.read_entry(state.rules, data).value != standing.value:
        return False
    # The same count again settles a dispute: whoever keeps the score accepts by it, and the seat itself offers it anew.
    return standing.state == ACCEPTED or (by.seat is not None and standing.state != DISPUTED)


def _read(game: Game) -> Read:
    log = read_log(game)
    return Read(log, ledger.fold(game.sheet.rules, log))


def read_log(game: Game) -> list[Logged]:
    """Give the events of a game as the fold reads them, oldest first."""
    rows = Event.objects.filter(game=game).order_by("rev").values_list("rev", "kind", "data", "reason", "replaces")
    return [Logged(*row) for row in rows]


def _log(game: Game, event: Logged, by: By, client_id: str) -> None:
    Event.objects.create(
        game=game,
        rev=event.rev,
        client_id=client_id,
        kind=event.kind,
        data=dict(event.data),
        reason=event.reason,
        replaces=event.replaces,
        user=by.user,
        device=by.device,
        phone_at=by.phone_at,
    )
    live.ring_on_commit(game.pk, event.rev)


def expire_suspended(league: League) -> list[int]:
    """Record, of every suspended game that was not resumed in its calendar year, that it is void; give their keys (R-78).

    Pages tell it by the date alone from 1 January on. The event is written at the first write of the league in the new
    year, by ``manage.py expire``, or when somebody takes note of it: looking at a page writes nothing.
    """
    first_of_the_year = today(league).replace(month=1, day=1)
    late = league.games.filter(status=Game.Status.SUSPENDED, started_on__lt=first_of_the_year).order_by("pk")
    expired = list(late.values_list("pk", flat=True))
    for pk in expired:
        apply(pk, "finish", {}, By(), client_id=EXPIRED)
    return expired


EXPIRED: Final = "the-year-is-over"
"""The client id of the event that voids a game at the end of its year: whoever comes second finds it done."""


@transaction.atomic
def rebuild(game_pk: int) -> int:
    """Make all rows of a game again from its events; give the number of rows that were not as the log says."""
    game = _locked(game_pk)
    return record_rows.project(game, ledger.fold(game.sheet.rules, read_log(game)))


# ---------------------------------------------------------------------------------------------------------------------
# Seasons and rule sheets


@transaction.atomic
def add_sheet(
    league: League,
    name: str,
    base: str,
    overrides: Mapping[str, Any],
    by: By,
    notes: Sequence[Mapping[str, Any]] | None = None,
) -> RuleSheet:
    """Add the next version of a league's rule sheet; sheets in use are never changed.

    Args:
        notes: what the league decided for itself, line by line; as the version before has them, if not said.

    Raises:
        continental.rules.errors.BadQuestion: a parameter that is unknown, or a value it cannot have.
    """
    rulesets.load({"base": base, **overrides})
    sheet = RuleSheet(league=league, name=name, base=base, overrides=dict(overrides), created_by=by.user)
    hold_league(league.pk)
    last = league.sheets.filter(name=name).order_by("-version").first()
    sheet.version = last.version + 1 if last else 1
    sheet.notes = list(notes) if notes is not None else last.notes if last else []
    sheet.save()
    return sheet


@transaction.atomic
def sheet_for(league: League, preset: str, by: By) -> RuleSheet:
    """Give the league's newest sheet that is a preset as it is, making it at its first use."""
    hold_league(league.pk)
    standing = league.sheets.filter(base=preset, overrides={}).order_by("-version").first()
    return standing or add_sheet(league, preset, preset, {}, by)


@transaction.atomic
def sign_sheet(sheet: RuleSheet, player: Player, by: By, *, signs: bool = True) -> None:
    """Put a player's name under a rule sheet, or take it back. Doing either twice changes nothing."""
    if not signs:
        Signature.objects.filter(sheet=sheet, player=player).delete()
        return
    Signature.objects.get_or_create(sheet=sheet, player=player, defaults={"user": by.user})
