"""How a season makes one table of people who played different numbers of games, at tables of different sizes.

Each method gives every player one exact value from the player's own counted games, so that a change in one game touches the
values of its players alone. Whether a player has a place also hangs on the games of the whole season, which a rising
qualifying number asks for. Adding up penalty points rewards whoever stays at home: the plain sum is here because some
groups want it, and :data:`WARNED` says so.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import lcm
from operator import itemgetter
from typing import Final, Generic, Literal, NamedTuple, TypeVar, get_args

from continental.rules.errors import BadQuestion
from continental.rules.reading import mapping, one_of, whole_number
from continental.rules.standings import Points, Sums

Player = TypeVar("Player", bound=Hashable)

Method = Literal["mean-total", "mean-place", "best-n", "place-points", "plain-sum"]
METHODS: Final[tuple[Method, ...]] = get_args(Method)
WARNED: Final[frozenset[Method]] = frozenset({"plain-sum"})
"""Methods that reward not playing."""

COMPARABLE: Final[frozenset[Method]] = frozenset({"place-points"})
"""Methods in which a game of three and a game of eight weigh the same."""

DROPPING: Final[frozenset[Method]] = frozenset({"mean-total", "mean-place", "place-points"})
"""Methods that can leave out a player's worst games."""

_BY_TOTAL: Final = ("mean-place", "wins", "best", "hands-out")
_BY_PLACE: Final = ("mean-total", "wins", "best", "hands-out")


@dataclass(frozen=True, slots=True)
class Terms:
    """What makes a season's table, agreed before its first game.

    Attributes:
        method: what each player's value is.
        qualifying: games a player needs for a place.
        rising: one game more is needed for every so many games of the season; 0: the number does not rise.
        drop_every: for every so many games of a player the worst one is left out; 0: every game counts.
        best: how many games ``best-n`` adds up; who has fewer has no place.
    """

    method: Method = "mean-total"
    qualifying: int = 1
    rising: int = 10
    drop_every: int = 8
    best: int = 5

    @classmethod
    def read(cls, data: object, at: str = "terms") -> "Terms":
        """Read terms from plain data; what is not said is as by default.

        Raises:
            BadQuestion: an unknown method, or a number out of its range.
        """
        said = mapping(data, at, frozenset(_RANGES) | {"method"})
        numbers = {
            name: whole_number(said.get(name, getattr(_DEFAULT, name)), f"{at}.{name}", least, most)
            for name, (least, most) in _RANGES.items()
        }
        method: Method = one_of(said.get("method", "mean-total"), f"{at}.method", METHODS)  # type: ignore[assignment]
        return cls(method, **numbers)

    def data(self) -> dict[str, str | int]:
        """Give the terms as plain data: ``Terms.read(terms.data()) == terms``."""
        return {"method": self.method, **{name: getattr(self, name) for name in _RANGES}}

    @property
    def drops(self) -> bool:
        """Whether some games may be left out."""
        return self.method in DROPPING and self.drop_every > 0

    @property
    def by_points(self) -> bool:
        """Whether the value is made of points, so that a game with fewer hands weighs less."""
        return self.method in {"mean-total", "best-n", "plain-sum"}

    @property
    def tie_breaks(self) -> tuple[str, ...]:
        """What parts equal values, the first first; who is equal in all of them is equal."""
        return _BY_PLACE if self.method in {"mean-place", "place-points"} else _BY_TOTAL

    def needed(self, season_games: int) -> int:
        """Give the games a player needs for a place once the season has ``season_games`` counted ones."""
        if self.method == "best-n":
            return self.best
        return self.qualifying + (season_games // self.rising if self.rising else 0)

    def less_is_better(self, *, lowest_wins: bool) -> bool:
        """Tell whether the smaller value stands above."""
        if self.method in {"mean-place", "place-points"}:
            return self.method == "mean-place"
        return lowest_wins


_RANGES: Final = {"qualifying": (1, 200), "rising": (0, 200), "drop_every": (0, 200), "best": (1, 200)}
_DEFAULT: Final = Terms()


@dataclass(frozen=True, slots=True)
class Result:
    """One player's result of one counted game.

    Attributes:
        total: points of the game, as the season counts them.
        place: 1 for the first; equals share it (1, 1, 3).
        seats: players at the table.
        sharing: how many share this place, the player included.
        hands_out: hands in which the player went out.
    """

    total: Points
    place: int
    seats: int
    sharing: int = 1
    hands_out: int = 0


@dataclass(frozen=True, slots=True)
class Score:
    """A player's value under a method, and which results make it.

    Attributes:
        value: exact; points, places, or place points.
        counted: positions, in the results given, of those that count.
        dropped: positions of those left out.
    """

    value: Fraction
    counted: tuple[int, ...]
    dropped: tuple[int, ...]


def place_points(result: Result) -> Fraction:
    """Give 100 for the first of a table and 0 for its last, evenly between; equals share what their places are worth.

    A table of one, which no game has, would give 100.
    """
    if result.seats < 2:
        return Fraction(100)
    middle = result.place + Fraction(result.sharing - 1, 2)
    return 100 * (result.seats - middle) / (result.seats - 1)


def score(terms: Terms, results: Sequence[Result], *, lowest_wins: bool = True) -> Score:
    """Work out a player's value.

    Args:
        results: the player's counted games, the oldest first; at least one. Of equal games the oldest are left out first.

    Raises:
        ValueError: no results; who has not played has no value, and certainly not 0.
    """
    if not results:
        raise ValueError("a value takes at least one game")
    less = terms.less_is_better(lowest_wins=lowest_wins)
    values = [value_of(terms.method, result) for result in results]
    worst_first = sorted(range(len(results)), key=lambda at: (-values[at] if less else values[at], at))
    out = 0
    if terms.method == "best-n":
        out = max(0, len(results) - terms.best)
    elif terms.drops:
        out = len(results) // terms.drop_every
    dropped, counted = sorted(worst_first[:out]), sorted(worst_first[out:])
    total = Fraction(sum(values[at] for at in counted))
    value = total if terms.method in {"best-n", "plain-sum"} else total / len(counted)
    return Score(value, tuple(counted), tuple(dropped))


def value_of(method: Method, result: Result) -> Points:
    """Give what one game is worth under a method: its place, its place points, or its points."""
    match method:
        case "mean-place":
            return result.place
        case "place-points":
            return place_points(result)
        case _:
            return result.total


class Line(NamedTuple, Generic[Player]):
    """What the table knows of one player before it is ordered.

    Attributes:
        sums: over all counted games of the season, those left out included.
        value: what :func:`score` gave.
        counted: how many games made the value.
    """

    player: Player
    name: str
    sums: Sums
    value: Fraction
    counted: int


@dataclass(frozen=True, slots=True)
class Standing(Generic[Player]):
    """One line of a season's table.

    Attributes:
        rank: 1 for the first; equals share it (1, 2, 2, 4). ``None`` for who has too few games.
        value: the method's value, exact.
        games: counted games of the season; ``counted`` of them made the value.
        missing: games still needed for a place; 0 for who has one.
        total, places, wins, best, hands_out: over all ``games``; the first two are sums.
    """

    rank: int | None
    player: Player
    name: str
    value: Fraction
    games: int
    counted: int
    missing: int
    total: Points
    places: int
    wins: int
    best: Points
    hands_out: int

    @property
    def mean_total(self) -> Fraction:
        return Fraction(self.total, self.games)

    @property
    def mean_place(self) -> Fraction:
        return Fraction(self.places, self.games)

    @property
    def dropped(self) -> int:
        """Games left out."""
        return self.games - self.counted


def order(
    terms: Terms, lines: Iterable[Line[Player]], season_games: int, *, lowest_wins: bool = True
) -> tuple[Standing[Player], ...]:
    """Order a season's table.

    Args:
        lines: one for each player with a counted game.
        season_games: counted games of the season.

    Returns:
        Those with a place in order, then those without one in the same order among themselves. Rows that are equal in the
        value and in every tie-break share a rank and stand by name.
    """
    needed = terms.needed(season_games)
    rows = ranked(terms, lines, season_games, lowest_wins=lowest_wins)
    return tuple(standing(line, rank, needed, lowest_wins=lowest_wins) for rank, line in rows)


def ranked(
    terms: Terms, lines: Iterable[Line[Player]], season_games: int, *, lowest_wins: bool = True
) -> list[tuple[int, Line[Player]]]:
    """Put lines in order as :func:`order` does, each with its rank, for whoever needs :func:`standing` of a few of them.

    Values are laid on a common denominator, so that tables of thousands are compared in whole numbers and still exactly.
    """
    given, needed = list(lines), terms.needed(season_games)
    sign = 1 if terms.less_is_better(lowest_wins=lowest_wins) else -1
    common = sign * lcm(*{line.value.denominator for line in given})
    worth = [(line.sums.games < needed, line.value.numerator * (common // line.value.denominator)) for line in given]
    found: list[tuple[int, Line[Player]]] = []
    for _worth, group in groupby(sorted(zip(worth, given, strict=True), key=_FIRST), key=_FIRST):
        equals = [line for _worth, line in group]
        found += [(len(found) + at, line) for at, line in _apart(terms, equals, lowest_wins=lowest_wins)]
    return found


_FIRST: Final = itemgetter(0)


def _apart(terms: Terms, lines: Sequence[Line[Player]], *, lowest_wins: bool) -> list[tuple[int, Line[Player]]]:
    """Put lines of one value in order by the tie-breaks, then by name; give each its rank among them."""
    if len(lines) == 1:
        return [(1, lines[0])]
    breaks = [tuple(_merit(line.sums, name, lowest_wins=lowest_wins) for name in terms.tie_breaks) for line in lines]
    ordered = sorted(
        zip(breaks, lines, strict=True),
        key=lambda pair: (pair[0], pair[1].name.casefold(), pair[1].name, str(pair[1].player)),
    )
    found: list[tuple[int, Line[Player]]] = []
    for _breaks, group in groupby(ordered, key=_FIRST):
        rank = len(found) + 1
        found += [(rank, line) for _breaks, line in group]
    return found


def _merit(sums: Sums, name: str, *, lowest_wins: bool) -> Points:
    """Give what a tie-break compares: the smaller stands above."""
    sign = 1 if lowest_wins else -1
    match name:
        case "mean-total":
            return sign * Fraction(sums.total, sums.games)
        case "mean-place":
            return Fraction(sums.places, sums.games)
        case "wins":
            return -sums.wins
        case "best":
            return sign * _best(sums, lowest_wins=lowest_wins)
        case _:
            return -sums.hands_out


def standing(line: Line[Player], rank: int, needed: int, *, lowest_wins: bool) -> Standing[Player]:
    """Give the row of a line in its table.

    Args:
        rank: what :func:`ranked` gave; kept only by who has the ``needed`` games.
    """
    sums = line.sums
    missing = max(0, needed - sums.games)
    return Standing(
        rank=None if missing else rank,
        player=line.player,
        name=line.name,
        value=line.value,
        games=sums.games,
        counted=line.counted,
        missing=missing,
        total=sums.total,
        places=sums.places,
        wins=sums.wins,
        best=_best(sums, lowest_wins=lowest_wins),
        hands_out=sums.hands_out,
    )


def _best(sums: Sums, *, lowest_wins: bool) -> Points:
    best = sums.lowest if lowest_wins else sums.highest
    assert best is not None
    return best


def must_be(terms: Terms) -> None:
    """Refuse terms that contradict themselves.

    Raises:
        BadQuestion: a worst game is dropped before a player has two.
    """
    if terms.drops and terms.drop_every == 1:
        raise BadQuestion("a player who drops a game for every game played has none left", "terms.drop_every")
