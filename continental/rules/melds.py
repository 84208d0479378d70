"""One meld: how the cards typed are read, and whether they make a set, a pair or a run by themselves.

The order typed is the order laid (rulebook P3). Which melds may lie beside each other is a matter of
:mod:`continental.rules.openings`.
"""

from collections.abc import Sequence

from continental.rules.cards import Laid
from continental.rules.meld_values import Meld, Reading, Wanted, fits_size
from continental.rules.parameters import RuleSet
from continental.rules.runs import LADDER, covered, ladder_ends, may_run, places_of, read_run, run_faults
from continental.rules.sets import lay_set, read_set, set_faults, without_rank

__all__ = [
    "LADDER",
    "Meld",
    "Reading",
    "Wanted",
    "covered",
    "fits_size",
    "judge_meld",
    "ladder_ends",
    "lay_set",
    "may_lie_together",
    "places_of",
    "read_run",
    "read_set",
    "run_faults",
    "set_faults",
    "without_rank",
]


def judge_meld(laid: Sequence[Laid], rules: RuleSet, wanted: Wanted, explain: bool = True) -> Reading:
    """Judge cards, in the order laid, as one meld of the kind wanted; ``explain`` says why cards are no such meld."""
    return (read_run if wanted.kind == "run" else read_set)(laid, rules, wanted, explain)


def may_lie_together(naturals: Sequence[str], size: int, rules: RuleSet, wanted: Wanted) -> bool:
    """Tell whether naturals could lie in one meld of so many cards; far quicker than reading it."""
    if wanted.kind == "run":
        return may_run(naturals, size, rules)
    return len({card[0] for card in naturals}) < 2
