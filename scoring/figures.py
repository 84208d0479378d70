"""Numbers people talk about, each with the number of games or hands that it comes from: means of hands, and a player's.

Only finished games count. A mean is exact; where there is nothing to take it from there is none, never 0.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Any, Final, NamedTuple

from django.db import connection
from django.db.models import Max, Min, QuerySet, Sum

from continental.rules.standings import Points, as_counted
from players.models import Player
from scoring.hand_tallies import ADDED, Sums
from scoring.models import Entry, PlayerHand, Season, SeasonHand, Seat

FEW_GAMES: Final = 5
FEW_HANDS: Final = 10
MOST_MET: Final = 60
"""People that a page of head-to-heads shows, of those met most often."""
NEMESIS_GAMES: Final = 3
"""Shared games below which nobody is called a nemesis."""


@dataclass(frozen=True)
class Mean:
    """A mean or a share with what it comes from."""

    over: Points
    under: int
    few: int = FEW_HANDS

    @property
    def value(self) -> Fraction | None:
        return Fraction(self.over, self.under) if self.under else None

    @property
    def percent(self) -> Fraction | None:
        return 100 * self.value if self.value is not None else None

    @property
    def small(self) -> bool:
        """Whether it comes from too little to mean much."""
        return self.under < self.few


class HandFigures(Sums):
    """What the hands of one kind came to, and the means that makes."""

    __slots__ = ()

    @property
    def mean(self) -> Mean:
        """Penalty points a hand, over the hands for which a score was given."""
        return Mean(self.points, self.hands)

    @property
    def out_share(self) -> Mean:
        return Mean(self.out, self.hands)

    @property
    def opened_share(self) -> Mean:
        """Over the hands of which it is known."""
        return Mean(self.opened, self.opened_known)

    @property
    def joker_share(self) -> Mean:
        """Jokers caught in the hand, of those in the packs, over hands counted by cards."""
        return Mean(self.jokers, self.jokers_in_play, few=FEW_HANDS * 2)


@dataclass(frozen=True)
class ContractFigures:
    """The hands of one number and contract."""

    number: int
    contract: str
    figures: HandFigures


def by_contract(lines: QuerySet[PlayerHand] | QuerySet[SeasonHand]) -> list[ContractFigures]:
    """Give the hands by number and contract: one query over maintained lines."""
    return _by_contract(lines.order_by().values_list("number", "contract", *HandFigures._fields))


def _by_contract(rows: Iterable[tuple[Any, ...]]) -> list[ContractFigures]:
    kinds: dict[tuple[int, str], list[Sums]] = {}
    for number, contract, *sums in rows:
        kinds.setdefault((number, contract), []).append(Sums._make(sums))
    return [ContractFigures(*kind, HandFigures.together(parts)) for kind, parts in sorted(kinds.items())]


def by_player(lines: QuerySet[PlayerHand]) -> dict[int, HandFigures]:
    """Add up the hands of each player: one query over maintained lines."""
    added = {f"of_{name}": Sum(name) for name in ADDED}
    rows = lines.order_by().values_list("player").annotate(**added, of_lowest=Min("lowest"), of_highest=Max("highest"))
    return {player: HandFigures._make(sums) for player, *sums in rows}


def together(parts: Iterable[ContractFigures]) -> HandFigures:
    """Add up hands of all kinds."""
    return HandFigures.together(part.figures for part in parts)


# ---------------------------------------------------------------------------------------------------------------------
# One player


class Met(NamedTuple):
    """A :class:`Meeting`, before the other player is read."""

    player: int
    games: int
    ahead: int
    behind: int
    points: Points


@dataclass(frozen=True)
class Meeting:
    """What two players came to in the games they shared.

    Attributes:
        ahead, behind, level: games by who placed better.
        points: totals of the other less one's own, as their seasons count them, added up: above 0 is good where the lowest wins.
    """

    player: Player
    games: int
    ahead: int
    behind: int
    points: Points

    @property
    def level(self) -> int:
        return self.games - self.ahead - self.behind

    @property
    def small(self) -> bool:
        return self.games < FEW_GAMES


@dataclass
class Streaks:
    """Games in a row: won, and the run that lasts now."""

    longest_wins: int = 0
    current_wins: int = 0
    longest_without: int = 0
    current_without: int = 0


class Played(NamedTuple):
    """A player's result of one counted game: the keys of seat, season and game, the day, and how the seat fared.

    ``number`` is the seat of so many, ``after_dealer`` how far it is after the first dealer's; ``by_dealer`` has points and hands
    by the seats between a hand's dealer and the player.
    """

    pk: int
    season: int
    game: int
    on: date
    number: int
    size: int
    place: int
    after_dealer: int
    posted: int
    scaled_from: int
    scaled_to: int
    by_dealer: list[tuple[int, int]]

    @property
    def total(self) -> Points:
        return as_counted(self.posted, self.scaled_from, self.scaled_to)


class Dealt(NamedTuple):
    """One hand of a player: its points and its number, the key of its game and the day."""

    points: int
    number: int
    game: int
    on: date


@dataclass
class PlayerFigures:
    """Everything a player's page shows.

    Attributes:
        seats: the counted games, the oldest first.
        meetings: the people met at a table, most games first, as many as a page shows.
    """

    seats: list[Played]
    hands: HandFigures
    contracts: list[ContractFigures]
    meetings: list[Meeting]
    nemesis: Meeting | None
    streaks: Streaks
    by_seat: list[tuple[int, Mean]] = field(default_factory=list)
    by_dealer: list[tuple[int, Mean]] = field(default_factory=list)
    by_first_dealer: list[tuple[int, Mean]] = field(default_factory=list)
    best_game: Played | None = None
    worst_game: Played | None = None
    best_hand: Dealt | None = None
    worst_hand: Dealt | None = None
    progress: list[Fraction] = field(default_factory=list)

    @property
    def games(self) -> int:
        return len(self.seats)

    @property
    def wins(self) -> int:
        return sum(seat.place == 1 for seat in self.seats)

    @property
    def mean_total(self) -> Mean:
        return Mean(sum(seat.total for seat in self.seats), self.games, FEW_GAMES)

    @property
    def mean_place(self) -> Mean:
        return Mean(sum(seat.place for seat in self.seats), self.games, FEW_GAMES)

    @property
    def win_share(self) -> Mean:
        return Mean(self.wins, self.games, FEW_GAMES)


def of_player(player: Player, season: Season | None = None, *, lowest_wins: bool = True) -> PlayerFigures:
    """Work out a player's numbers, in one season or in all: a bounded number of queries."""
    seats = _counted_seats(player, season)
    lines = _lines(player, season)
    contracts = _by_contract(sums for _season, sums in lines)
    met = with_scaling(meetings(player, season), player, seats)
    most, feared = met[:MOST_MET], nemesis(met)
    people = Player.objects.in_bulk({one.player for one in (*most, *feared)})
    best, worst = (min, max) if lowest_wins else (max, min)
    hands = together(contracts)
    lowest, highest = extremes(seats, lines, hands)
    return PlayerFigures(
        seats=seats,
        hands=hands,
        contracts=contracts,
        meetings=named(most, people),
        nemesis=next(iter(named(feared, people)), None),
        streaks=streaks([seat.place == 1 for seat in seats]),
        by_seat=_grouped([(seat.number + 1, seat.place) for seat in seats], FEW_GAMES),
        by_first_dealer=_grouped([(seat.after_dealer, seat.place) for seat in seats], FEW_GAMES),
        by_dealer=_by_dealer(seats),
        best_game=best(seats, key=lambda seat: seat.total, default=None),
        worst_game=worst(seats, key=lambda seat: seat.total, default=None),
        best_hand=lowest if lowest_wins else highest,
        worst_hand=highest if lowest_wins else lowest,
        progress=running_means([seat.total for seat in seats]),
    )


def _counted_seats(player: Player, season: Season | None) -> list[Played]:
    seats = Seat.objects.filter(player=player, total__isnull=False)
    if season is not None:
        seats = seats.filter(season=season)
    rows = seats.order_by("game__started_on", "game_id")
    return [Played(*row) for row in rows.values_list(*_PLAYED)]


_PLAYED: Final = (
    "pk",
    "season",
    "game",
    "game__started_on",
    "number",
    "table_size",
    "place",
    "after_dealer",
    "total",
    "scaled_from",
    "scaled_to",
    "by_dealer",
)


def _by_dealer(seats: Iterable[Played]) -> list[tuple[int, Mean]]:
    """Give the points of a hand by the seats between the dealer and the player; 0: the player deals."""
    sums: dict[int, list[int]] = {}
    for seat in seats:
        for distance, (points, hands) in enumerate(seat.by_dealer):
            group = sums.setdefault(distance, [0, 0])
            group[0] += points
            group[1] += hands
    return [(distance, Mean(points, hands, FEW_HANDS)) for distance, (points, hands) in sorted(sums.items()) if hands]


def _lines(player: Player, season: Season | None) -> list[tuple[int, tuple[Any, ...]]]:
    """Read a player's lines of hands, each with the key of its season, the oldest season first."""
    lines = PlayerHand.objects.filter(player=player)
    if season is not None:
        lines = lines.filter(season=season)
    rows = lines.order_by("season__starts", "season_id").values_list("season_id", "number", "contract", *HandFigures._fields)
    return [(within, tuple(sums)) for within, *sums in rows]


def extremes(
    seats: Sequence[Played], lines: Iterable[tuple[int, tuple[Any, ...]]], hands: HandFigures
) -> tuple[Dealt | None, Dealt | None]:
    """Find the oldest hand of a player with the fewest points of all, and the oldest with the most: one query.

    Args:
        seats: the player's counted games, the oldest first.
        lines: their lines of hands, each after its season, the oldest season first.
        hands: what those come to.
    """
    ends = [points for points in (hands.lowest, hands.highest) if points is not None]
    within: dict[int, int] = {}
    for season, (_number, _contract, *_sums, low, high) in lines:
        for points in {low, high}.intersection(ends):
            within.setdefault(points, season)
    near = {seat.pk: seat for seat in seats if seat.season in within.values()}
    entries = Entry.objects.filter(seat__in=near, points__in=within, hand__closed=True)
    found: dict[int, Dealt] = {}
    for key, came_to, number in entries.order_by("hand__number").values_list("seat", "points", "hand__number"):
        assert came_to is not None
        seat, known = near[key], found.get(came_to)
        if seat.season == within[came_to] and (known is None or (seat.on, seat.game) < (known.on, known.game)):
            found[came_to] = Dealt(came_to, number, seat.game, seat.on)
    lowest, highest = (found.get(points) for points in ends) if ends else (None, None)
    return lowest, highest


def _grouped(pairs: Sequence[tuple[int, int]], few: int) -> list[tuple[int, Mean]]:
    sums: dict[int, list[int]] = {}
    for group, value in pairs:
        sums.setdefault(group, []).append(value)
    return [(group, Mean(sum(values), len(values), few)) for group, values in sorted(sums.items())]


def running_means(totals: Sequence[Points]) -> list[Fraction]:
    """Give the mean after each game."""
    means: list[Fraction] = []
    so_far: Points = 0
    for count, total in enumerate(totals, start=1):
        so_far += total
        means.append(Fraction(so_far, count))
    return means


def streaks(won: Sequence[bool]) -> Streaks:
    """Count games in a row, oldest first."""
    found = Streaks()
    for win in won:
        found.current_wins = found.current_wins + 1 if win else 0
        found.current_without = 0 if win else found.current_without + 1
        found.longest_wins = max(found.longest_wins, found.current_wins)
        found.longest_without = max(found.longest_without, found.current_without)
    return found


_MEETINGS: Final = """
    SELECT other.player_id, COUNT(*),
           SUM(CASE WHEN own.place < other.place THEN 1 ELSE 0 END),
           SUM(CASE WHEN own.place > other.place THEN 1 ELSE 0 END),
           SUM(other.total - own.total)
      FROM scoring_seat own
      JOIN scoring_seat other ON other.game_id = own.game_id AND other.player_id <> own.player_id
     WHERE own.player_id = %s AND own.total IS NOT NULL {season}
  GROUP BY other.player_id
"""


def meetings(player: Player, season: Season | None = None) -> list[Met]:
    """Give everybody a player met at a table, most games first: read from two indexes, and kept nowhere."""
    where, parameters = ("AND own.season_id = %s", [player.pk, season.pk]) if season else ("", [player.pk])
    with connection.cursor() as cursor:
        cursor.execute(_MEETINGS.format(season=where), parameters)
        rows = [Met(*map(int, row)) for row in cursor.fetchall()]
    return sorted(rows, key=lambda met: (-met.games, met.player))


def with_scaling(met: Sequence[Met], player: Player, seats: Sequence[Played]) -> list[Met]:
    """Add to the points of a player's meetings what scaling short nights makes of them: no query where no game was one."""
    mine = {seat.game: seat for seat in seats if seat.scaled_from != seat.scaled_to}
    points: dict[int, Fraction] = {}
    others = Seat.objects.filter(game__in=mine).exclude(player=player) if mine else Seat.objects.none()
    for game, other, total in others.values_list("game", "player", "total"):
        assert total is not None
        own = mine[game]
        between = Fraction((total - own.posted) * (own.scaled_to - own.scaled_from), own.scaled_from)
        points[other] = points.get(other, Fraction(0)) + between
    return [one._replace(points=one.points + points[one.player]) if one.player in points else one for one in met]


def named(met: Sequence[Met], people: Mapping[int, Player]) -> list[Meeting]:
    """Put to some meetings the people they are with; among those of as many games they stand by name."""
    found = [Meeting(people[one.player], one.games, one.ahead, one.behind, one.points) for one in met]
    return sorted(found, key=lambda meeting: (-meeting.games, meeting.player.name_key, meeting.player.pk))


def nemesis(met: Sequence[Met]) -> list[Met]:
    """Find who most often finishes ahead: of at least three shared games more than half. Nobody, or one."""
    known = [one for one in met if one.games >= NEMESIS_GAMES and 2 * one.behind > one.games]
    most = max(known, key=lambda one: (Fraction(one.behind, one.games), one.games, -one.player), default=None)
    return [most] if most else []
