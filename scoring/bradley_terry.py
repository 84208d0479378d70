"""The Bradley-Terry model with full pairing of openskill, for games in which everybody plays alone, in plain numbers.

The library makes objects of every rating of every game; over a long history that takes many times as long as the model
itself. What is worked out here equals ``BradleyTerryFull.rate``, whose parameters it takes.
"""

from collections.abc import Sequence
from math import exp, sqrt
from typing import Final

from openskill.models import BradleyTerryFull

_MODEL: Final = BradleyTerryFull()
MEAN: Final = _MODEL.mu
VARIANCE: Final = _MODEL.sigma**2
"""Of somebody who has not played yet."""

_CHANCE: Final = 2 * _MODEL.beta**2
"""The variance that luck adds where two meet."""
_DRIFT: Final = _MODEL.tau**2
"""The variance that every game adds, so that nobody's rating ever stands still."""
_LEAST: Final = _MODEL.kappa
"""The least share of the variance that a game leaves."""


def rate(means: Sequence[float], variances: Sequence[float], places: Sequence[int]) -> tuple[list[float], list[float]]:
    """Give the means and variances after one game of players who came in on ``places``; equals share one."""
    spread = [variance + _DRIFT for variance in variances]
    pull = [0.0] * len(means)
    sure = [0.0] * len(means)
    for one in range(1, len(means)):
        mean, place, both = means[one], places[one], spread[one] + _CHANCE
        moved = known = 0.0
        for other in range(one):
            squared = both + spread[other]
            width = sqrt(squared)
            expected = 1 / (1 + exp((means[other] - mean) / width))
            its_place = places[other]
            if place < its_place:
                surprise = (1 - expected) / width
            elif place > its_place:
                surprise = -expected / width
            else:
                surprise = (0.5 - expected) / width
            weight = (expected - expected * expected) / (squared * width)
            moved += surprise
            known += weight
            pull[other] -= surprise
            sure[other] += weight
        pull[one] += moved
        sure[one] += known
    return (
        [mean + variance * moved for mean, variance, moved in zip(means, spread, pull, strict=True)],
        [variance * max(1 - variance * sqrt(variance) * known, _LEAST) for variance, known in zip(spread, sure, strict=True)],
    )
