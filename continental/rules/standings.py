"""The season's table, from the results of counted games (R-82).

A game counts when it is finished and not void; unfinished, suspended and void games give nothing, not even a zero. Means are
exact fractions: 124/3 and 248/6 are the same mean.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from continental.rules.scores import GameResult

Player = TypeVar("Player", bound=Hashable)

Points: TypeAlias = int | Fraction
"""Points of a game as a table counts them: a fraction only where a short night was scaled (:func:`to_full_length`)."""

MOST_SCALED: Final = 20
"""Hands of the longest game that is scaled: sums of it still fit the columns of a database, whatever lengths were played."""

ORDER: Final = ("mean-total", "mean-place", "wins", "best", "hands-out")
"""What orders the table, the first first: to be printed beside it. Who is equal in all of them shares a rank."""


@dataclass(frozen=True, slots=True)
class Played:
    """One player's line of one counted game.

    Attributes:
        total: points of the game, posted or complete.
        place: 1 for the winner; equals share it.
        hands_out: hands in which the player went out.
    """

    total: int
    place: int
    hands_out: int = 0


class Scored(Protocol):
    """What is added up of one game, whatever else is known of it."""

    @property
    def total(self) -> Points: ...
    @property
    def place(self) -> int: ...
    @property
    def hands_out(self) -> int: ...


class Sums(NamedTuple):
    """What a player has come to in a season: sums only, so that a game can be added without reading the others."""

    games: int = 0
    total: Points = 0
    places: int = 0
    wins: int = 0
    hands_out: int = 0
    lowest: Points | None = None
    highest: Points | None = None

    @classmethod
    def of(cls, played: Iterable[Scored]) -> "Sums":
        """Add up any number of games, in any order."""
        lines = list(played)
        totals = [line.total for line in lines]
        return cls(
            games=len(lines),
            total=sum(totals),
            places=sum(line.place for line in lines),
            wins=sum(line.place == 1 for line in lines),
            hands_out=sum(line.hands_out for line in lines),
            lowest=min(totals, default=None),
            highest=max(totals, default=None),
        )

    @classmethod
    def together(cls, sums: Iterable["Sums"]) -> "Sums":
        """Add up the sums of different games."""
        lines = list(sums)
        return cls(
            games=sum(line.games for line in lines),
            total=sum(line.total for line in lines),
            places=sum(line.places for line in lines),
            wins=sum(line.wins for line in lines),
            hands_out=sum(line.hands_out for line in lines),
            lowest=min((line.lowest for line in lines if line.lowest is not None), default=None),
            highest=max((line.highest for line in lines if line.highest is not None), default=None),
        )

    @property
    def parts(self) -> int:
        """Into how many parts a point is divided for the points here to be whole numbers of them: 1 where nothing was scaled."""
        points = (self.total, self.lowest or 0, self.highest or 0)
        return lcm(*(each.denominator for each in points))


@dataclass(frozen=True, slots=True)
class Row(Generic[Player]):
    """One line of the table.

    Attributes:
        rank: 1 for the first; equals share it (1, 2, 2, 4). ``None`` for a player with too few games.
        player: whatever the caller knows the player by.
        name: the name that orders equals.
        games: counted games.
        mean_total: points a game, exact.
        mean_place: place a game, exact.
        wins: games in the first place, shared wins included.
        best: the best total.
        hands_out: hands gone out.
    """

    rank: int | None
    player: Player
    name: str
    games: int
    mean_total: Fraction
    mean_place: Fraction
    wins: int
    best: Points
    hands_out: int


def to_full_length(played: int, hands: int | None) -> Fraction:
    """Give what the totals of a game that ended after ``played`` hands are multiplied by, to stand beside those of full games.

    Every hand weighs the same, whatever its contract: how much more a late contract costs differs from group to group and from
    sheet to sheet, and any weight would be somebody's guess. A total is taken as it stands, with its bonuses and penalties. One
    factor holds for a whole table, so that no place changes by it, and a substitute stays the sum of the two highest totals.

    Args:
        hands: those of the sheet; ``None`` for a game to a target, which has no full number. Such a game counts as it is, and so
            does one of more than :data:`MOST_SCALED` hands.
    """
    if hands is None or not 0 < played < hands <= MOST_SCALED:
        return Fraction(1)
    return Fraction(hands, played)


def as_counted(total: int, scaled_from: int, scaled_to: int) -> Points:
    """Give a game's total as its season counts it: scaled from the hands played to those of the sheet, or from 1 to 1."""
    return total if scaled_from == scaled_to else Fraction(total * scaled_to, scaled_from)


def played_lines(result: GameResult) -> tuple[Played, ...]:
    """Give every seat's line of a game; empty for a game that does not count."""
    if result.places is None:
        return ()
    totals = [total.points for total in result.totals if total is not None]
    lines = zip(totals, result.places, result.hands_out, strict=True)
    return tuple(Played(total, place, hands) for total, place, hands in lines)


def standings(
    sums: Mapping[Player, tuple[str, Sums]], *, lowest_wins: bool = True, minimum_games: int = 1
) -> tuple[Row[Player], ...]:
    """Order the players of a season.

    Args:
        sums: by player, the name and the sums. A player without a counted game is not in the table.
        lowest_wins: whether the lowest total is the best one.
        minimum_games: who has played fewer stands below the others, without a rank.

    Returns:
        The rows in order. Rows that are equal in everything of :data:`ORDER` share a rank and stand by name.
    """
    rows = [_row(player, name, line, lowest_wins=lowest_wins) for player, (name, line) in sums.items() if line.games]
    sign = 1 if lowest_wins else -1

    def merit(row: Row[Player]) -> tuple[bool, Fraction, Fraction, int, Points, int]:
        return row.games < minimum_games, sign * row.mean_total, row.mean_place, -row.wins, sign * row.best, -row.hands_out

    merits = sorted(merit(row) for row in rows)
    ranks = {value: place for place, value in reversed(list(enumerate(merits, start=1)))}
    ordered = sorted(rows, key=lambda row: (merit(row), row.name.casefold(), row.name, str(row.player)))
    return tuple(
        Row(
            rank=ranks[merit(row)] if row.games >= minimum_games else None,
            player=row.player,
            name=row.name,
            games=row.games,
            mean_total=row.mean_total,
            mean_place=row.mean_place,
            wins=row.wins,
            best=row.best,
            hands_out=row.hands_out,
        )
        for row in ordered
    )


def _row(player: Player, name: str, line: Sums, *, lowest_wins: bool) -> Row[Player]:
    best = line.lowest if lowest_wins else line.highest
    return Row(
        rank=None,
        player=player,
        name=name,
        games=line.games,
        mean_total=Fraction(line.total, line.games),
        mean_place=Fraction(line.places, line.games),
        wins=line.wins,
        best=best or 0,
        hands_out=line.hands_out,
    )
