"""Lines of games between the rules, where points are exact numbers, and the database, where they are whole numbers of parts."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from continental.rules.standings import Points, Sums

COLUMNS: Final = ("games", "total", "places", "wins", "hands_out", "lowest", "highest", "parts")
"""What ``league_models.GameSums`` keeps of a line."""


def to_row(sums: Sums) -> tuple[int, ...]:
    """Give the values of ``COLUMNS`` for the sums of at least one game."""
    parts = sums.parts
    total, lowest, highest = (int(parts * (each or 0)) for each in (sums.total, sums.lowest, sums.highest))
    return sums.games, total, sums.places, sums.wins, sums.hands_out, lowest, highest, parts


def of_row(row: Sequence[int]) -> Sums:
    """Give the sums that the values of ``COLUMNS`` stand for."""
    games, total, places, wins, hands_out, lowest, highest, parts = row
    return Sums(games, points(total, parts), places, wins, hands_out, points(lowest, parts), points(highest, parts))


def points(number: int, parts: int) -> Points:
    """Give points that are kept as a whole number of parts."""
    return number if parts == 1 else Fraction(number, parts)


def added(rows: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """Add up lines of one player, at least one."""
    return to_row(Sums.together(map(of_row, rows)))
