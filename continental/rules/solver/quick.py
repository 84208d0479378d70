"""What the quick way to lay every card needs to know of the terms."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

from continental.rules.solver.tally import lanes
from continental.rules.solver.terms import ENDLESS, Terms


class Undecided(Exception):
    """The quick way cannot tell."""


@dataclass(frozen=True, slots=True)
class Quick:
    """The terms of one hand, prepared.

    Attributes:
        adds: what a card adds to the tally.
        least: the fewest cards of an opening.
        most_jokers: the most jokers of an opening.
        ratio: no meld may hold more jokers than other cards.
        longest: greatest length of a run; exact_sets: a set has its least size.
        suits: the suits left without a run, for every way to choose where the runs may lie.
        loose: the limits on wild cards and on suits of a set can not be broken.
        bare: the hand holds natural wild cards, which are naturals in their own place: what looks like wild cards alone may
            be legal.
    """

    terms: Terms
    adds: Callable[[str], int]
    least: int
    most_jokers: int
    ratio: bool
    sets: int
    set_size: int
    exact_sets: bool
    runs: int
    run_size: int
    lowest: int
    highest: int
    longest: int
    suits: tuple[tuple[int, ...], ...]
    loose: bool
    bare: bool = False


def quick_of(terms: Terms) -> Quick | None:
    """Prepare the quick way; ``None`` where the contract is too unusual for it."""
    if len(terms.runs) > 1 or len(terms.sets) > 1 or terms.max_set < ENDLESS or terms.wrap:
        return None
    if any(slot.count is None for slot in terms.runs) or any(slot.count is None for slot in terms.sets):
        return None
    runs = terms.runs[0].count or 0 if terms.runs else 0
    sets = terms.sets[0].count or 0 if terms.sets else 0
    run_size = terms.runs[0].size if runs else 0
    set_size = terms.sets[0].size if sets else 0
    return Quick(
        terms=terms,
        adds=lanes(terms.wild).__getitem__,
        least=sets * set_size + runs * run_size,
        most_jokers=terms.wild_limit * (sets + runs),
        ratio=terms.ratio_opening and not (terms.all_wild_set or terms.all_wild_run),
        sets=sets,
        set_size=set_size,
        exact_sets=bool(sets) and terms.sets[0].exact,
        runs=runs,
        run_size=run_size,
        lowest=terms.places[0],
        highest=terms.places[-1],
        longest=run_size if terms.exact_runs else min(terms.max_run, 13 if terms.one_ace else 14),
        suits=tuple(combinations(range(4), max(0, 4 - runs))),
        loose=not terms.limited and terms.repeat_suits,
    )
