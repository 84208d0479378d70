"""What a late joiner gets for the hands missed, where the players agreed on it beforehand; where they did not, R-74 holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Final, Literal, get_args

CatchUp = Literal["worst", "mean"]
CATCH_UPS: Final[tuple[CatchUp, ...]] = get_args(CatchUp)


@dataclass(frozen=True, slots=True)
class LateJoiner:
    """Somebody who sat down after the first hand, on agreed terms.

    Attributes:
        first: the first hand played, counted from 1.
        how: for every hand before it the ``worst`` score that anybody has in it, or the ``mean`` of all.
    """

    first: int
    how: CatchUp


def catch_up(hands: Sequence[Sequence[int]], joiner: LateJoiner, *, lowest_wins: bool = True) -> int:
    """Give the points for the hands missed: the same for everybody who joins before the same hand.

    Args:
        hands: the points on the sheet of each hand, of those who played it; the first hand first.
    """
    return sum(_of_a_hand(points, joiner.how, lowest_wins=lowest_wins) for points in hands[: joiner.first - 1] if points)


def _of_a_hand(points: Sequence[int], how: CatchUp, *, lowest_wins: bool) -> int:
    if how == "worst":
        return max(points) if lowest_wins else min(points)
    mean = Fraction(sum(points), len(points))
    return ceil(mean) if lowest_wins else floor(mean)
