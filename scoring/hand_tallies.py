"""Lines of hands: what each player, and everybody together, has come to in the hands of one number and contract of a season."""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, Self, TypeVar

from django.db.models import Case, Count, F, IntegerField, Max, Min, Q, QuerySet, Sum, When
from django.db.models.functions import Coalesce

from scoring import upserts
from scoring.models import Entry, Game, Hand, PlayerHand, Season, SeasonHand, Seat

Key = TypeVar("Key", bound=Hashable)


class Sums(NamedTuple):
    """What hands come to; the names are the columns of ``league_models.HandSums``."""

    hands: int = 0
    points: int = 0
    out: int = 0
    substituted: int = 0
    opened: int = 0
    opened_known: int = 0
    jokers: int = 0
    jokers_in_play: int = 0
    lowest: int | None = None
    highest: int | None = None

    def plus(self, other: "Sums") -> "Sums":
        """Put other hands to these."""
        return Sums._make([*_counts(self, other, 1), *_extremes(self, other)])

    @classmethod
    def together(cls, parts: Iterable["Sums"]) -> Self:
        """Add up hands of all kinds."""
        *counts, lowest, highest = zip(*parts, strict=True) if (parts := list(parts)) else [()] * len(cls._fields)
        known = [[value for value in values if value is not None] for values in (lowest, highest)]
        return cls._make([*map(sum, counts), min(known[0], default=None), max(known[1], default=None)])


ADDED: Final = Sums._fields[:-2]

HandsOfGame = Mapping[tuple[int, int, str], Sums]
"""By player, number and contract."""


@dataclass(slots=True)
class GameRows:
    """The rows of a game: its seats and hands by number, and its entries by the key of the hand and of the seat."""

    seats: dict[int, Seat]
    hands: dict[int, Hand]
    entries: dict[int, dict[int, Entry]]


def _counts(one: Sums, other: Sums, sign: int) -> list[int]:
    return [mine + sign * theirs for mine, theirs in zip(one[:-2], other[:-2], strict=True)]


def _extremes(one: Sums, other: Sums) -> tuple[int | None, int | None]:
    lowest = [value for value in (one.lowest, other.lowest) if value is not None]
    highest = [value for value in (one.highest, other.highest) if value is not None]
    return min(lowest, default=None), max(highest, default=None)


def of_game(game: Game, rows: GameRows) -> HandsOfGame:
    """Give what the hands of a game come to."""
    players = {seat.pk: seat.player_id for seat in rows.seats.values()}
    return {
        (players[entry.seat_id], hand.number, hand.contract): _of_entry(game.jokers, entry)
        for hand in rows.hands.values()
        if hand.closed
        for entry in rows.entries.get(hand.pk, {}).values()
        if entry.kind != Entry.Kind.ABSENT
    }


def _of_entry(in_play: int, entry: Entry) -> Sums:
    return Sums(
        hands=int(entry.points is not None),
        points=entry.points or 0,
        out=int(entry.kind == Entry.Kind.OUT),
        substituted=int(entry.how == Entry.How.SUBSTITUTED),
        opened=int(entry.opened is True),
        opened_known=int(entry.opened is not None),
        jokers=entry.jokers or 0,
        jokers_in_play=0 if entry.jokers is None else in_play,
        lowest=entry.points,
        highest=entry.points,
    )


def move(season: Season, was: HandsOfGame, now: HandsOfGame) -> None:
    """Bring the lines up to date after a game gave ``was`` and gives ``now``: a game that gave nothing is added unread."""
    if not was:
        _keep_own(season, now, upserts.add)
        _keep_everybody(season, _of_all(now), upserts.add)
        return
    changed = {key for key in was.keys() | now.keys() if was.get(key) != now.get(key)}
    if not changed:
        return
    was = {key: was[key] for key in changed & was.keys()}
    now = {key: now[key] for key in changed & now.keys()}
    players, numbers = {key[0] for key in changed}, {key[1] for key in changed}
    own = PlayerHand.objects.filter(season=season, player__in=players, number__in=numbers)
    known, unknown = moved(_standing_own(own), was, now)
    _keep_own(season, known)
    for player in {key[0] for key in unknown}:
        recount(season, [player], {number for other, number, _contract in unknown if other == player})
    _move_everybody(season, was, now, numbers)


def _move_everybody(season: Season, was: HandsOfGame, now: HandsOfGame, numbers: set[int]) -> None:
    stood = SeasonHand.objects.filter(season=season, number__in=numbers)
    known, unknown = moved(_standing_of_all(stood), _of_all(was), _of_all(now))
    _keep_everybody(season, known)
    if unknown:
        recount_everybody(season, {number for number, _contract in unknown})


def _of_all(hands: HandsOfGame) -> dict[tuple[int, str], Sums]:
    together: dict[tuple[int, str], Sums] = {}
    for (_player, number, contract), sums in hands.items():
        together[number, contract] = together.get((number, contract), Sums()).plus(sums)
    return together


def moved(stood: Mapping[Key, Sums], was: Mapping[Key, Sums], now: Mapping[Key, Sums]) -> tuple[dict[Key, Sums], set[Key]]:
    """Take off what was given and add what is; give also the keys whose lines cannot be known from that alone."""
    known, unknown = {}, set()
    for key in was.keys() | now.keys():
        line = _moved(stood.get(key, Sums()), was.get(key, Sums()), now.get(key, Sums()))
        if line is None:
            unknown.add(key)
        else:
            known[key] = line
    return known, unknown


def _moved(stood: Sums, was: Sums, now: Sums) -> Sums | None:
    counts = Sums._make([*_counts(stood, was, -1), None, None])
    lowest, highest = _extremes(stood, now)
    # What was taken off may have been the extreme, or all that there was; zeros alone don't tell whether any hand is left.
    lost = (was.lowest is not None and was.lowest == lowest != now.lowest) or (
        was.highest is not None and was.highest == highest != now.highest
    )
    if lost or not (counts.hands or now.hands):
        return None
    return Sums._make([*_counts(counts, now, 1), lowest, highest])


def _standing_own(lines: QuerySet[PlayerHand]) -> dict[tuple[int, int, str], Sums]:
    rows = lines.order_by().values_list("player", "number", "contract", *Sums._fields)
    return {(player, number, contract): Sums._make(sums) for player, number, contract, *sums in rows}


def _standing_of_all(lines: QuerySet[SeasonHand]) -> dict[tuple[int, str], Sums]:
    rows = lines.order_by().values_list("number", "contract", *Sums._fields)
    return {(number, contract): Sums._make(sums) for number, contract, *sums in rows}


def _keep_own(season: Season, lines: Mapping[tuple[int, int, str], Sums], write: upserts.Write = upserts.keep) -> None:
    rows = ((season.pk, *key, *sums) for key, sums in sorted(lines.items()))
    write(PlayerHand, ["season", "player", "number", "contract"], _COLUMNS, rows)


def _keep_everybody(season: Season, lines: Mapping[tuple[int, str], Sums], write: upserts.Write = upserts.keep) -> None:
    rows = ((season.pk, *key, *sums) for key, sums in sorted(lines.items()))
    write(SeasonHand, ["season", "number", "contract"], _COLUMNS, rows)


_COLUMNS: Final = {**dict.fromkeys(ADDED, "sum"), "lowest": "least", "highest": "most"}


# ---------------------------------------------------------------------------------------------------------------------
# Counting anew


def recount(season: Season, players: Iterable[int], numbers: Iterable[int]) -> None:
    """Make the lines of these players' hands of these numbers anew."""
    whose, which = list(players), list(numbers)
    PlayerHand.objects.filter(season=season, player__in=whose, number__in=which).delete()
    entries = Entry.objects.filter(seat__player__in=whose, seat__season=season, seat__total__isnull=False)
    _keep_own(season, _count(entries.filter(hand__number__in=which)))


_SCORED: Final = Q(points__isnull=False)
_COUNTED: Final = {
    "n_hands": Count("pk", filter=_SCORED),
    "n_points": Coalesce(Sum("points"), 0),
    "n_out": Count("pk", filter=Q(kind=Entry.Kind.OUT)),
    "n_substituted": Count("pk", filter=Q(how=Entry.How.SUBSTITUTED)),
    "n_opened": Count("pk", filter=Q(opened=True)),
    "n_opened_known": Count("pk", filter=Q(opened__isnull=False)),
    "n_jokers": Coalesce(Sum("jokers"), 0),
    "n_jokers_in_play": Coalesce(
        Sum(Case(When(jokers__isnull=False, then=F("hand__game__jokers")), output_field=IntegerField())), 0
    ),
    "n_lowest": Min("points"),
    "n_highest": Max("points"),
}


def _count(entries: QuerySet[Entry]) -> dict[tuple[int, int, str], Sums]:
    rows = (
        entries.filter(hand__closed=True)
        .exclude(kind=Entry.Kind.ABSENT)
        .order_by()
        .values_list("seat__player", "hand__number", "hand__contract")
        .annotate(**_COUNTED)
    )
    return {(player, number, contract): Sums._make(sums) for player, number, contract, *sums in rows}


def recount_everybody(season: Season, numbers: Iterable[int] | None = None) -> None:
    """Make the lines of everybody together anew, of these numbers or of all, from the players' own."""
    own, stood = PlayerHand.objects.filter(season=season), SeasonHand.objects.filter(season=season)
    if numbers is not None:
        which = list(numbers)
        own, stood = own.filter(number__in=which), stood.filter(number__in=which)
    added = {f"n_{name}": Sum(name) for name in ADDED}
    rows = own.order_by().values_list("number", "contract").annotate(**added, n_lowest=Min("lowest"), n_highest=Max("highest"))
    lines = {(number, contract): Sums._make(sums) for number, contract, *sums in rows}
    stood.delete()
    _keep_everybody(season, lines)


def recount_season(season: Season) -> None:
    """Make all lines of hands of a season anew."""
    PlayerHand.objects.filter(season=season).delete()
    _keep_own(season, _count(Entry.objects.filter(seat__season=season, seat__total__isnull=False)))
    recount_everybody(season)
