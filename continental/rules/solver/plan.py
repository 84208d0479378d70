"""What a search finds, before its cards are given places."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import NamedTuple

from continental.rules.solver.cover import Undecided
from continental.rules.solver.lines import AHEAD, BEYOND, CORE, OWN
from continental.rules.solver.serving import SWAPPED_IN
from continental.rules.solver.sets import BySuit, Pick
from continental.rules.solver.sweep import Growth
from continental.rules.solver.terms import Terms


class NewSet(NamedTuple):
    """A new set as the search chose it: slot, rank (0 for wild cards of no rank) and what goes to it."""

    slot: int
    rank: int
    pick: Pick


@dataclass(slots=True)
class Plan:
    """The best play of a scene.

    ``worth`` is the weight of all cards played; ``grown`` are the runs new and old by suit, ``swaps`` the swaps in runs by suit;
    ``new_sets`` and ``held_sets`` what goes to sets, ``in_sets`` the naturals and natural wild cards of a rank that do, by suit,
    where that matters.
    """

    worth: int
    grown: list[tuple[int, Growth]]
    swaps: list[tuple[int, int, int, str]]
    new_sets: list[NewSet]
    held_sets: list[tuple[int, Pick]]
    wilds_from_hand: int
    in_sets: Mapping[int, tuple[BySuit, BySuit]] = field(default_factory=dict)


def choose_cores(plan: Plan, terms: Terms) -> None:
    """Choose which cards of each new run go down, so that no two runs touch and few wild cards are needed.

    Raises:
        Undecided: no choice of cards keeps the runs apart, or some were swapped in for those that went down.
    """
    if not plan.swaps and (terms.touching or sum(slot.count or 0 for slot in terms.runs) < 2):
        return
    for suit in range(4):
        runs = [run for of, run in plan.grown if of == suit and run.what == OWN]
        if not runs or (len(runs) < 2 and not plan.swaps):
            continue
        if any(kind in SWAPPED_IN for run in runs for _, kind, _ in run.cards):
            raise Undecided
        sizes = [terms.runs[run.which].size for run in runs]
        best: tuple[int, tuple[int, ...]] | None = None
        for starts in product(*[range(len(run.cards) - size + 1) for run, size in zip(runs, sizes, strict=True)]):
            ends = [
                (run.cards[start][0], run.cards[start][0] + size) for run, start, size in zip(runs, starts, sizes, strict=True)
            ]
            if not terms.touching and any(one[1] == other[0] or other[1] == one[0] for one, other in combinations(ends, 2)):
                continue
            wilds = sum(
                kind == "w"
                for run, start, size in zip(runs, starts, sizes, strict=True)
                for _, kind, _ in run.cards[start : start + size]
            )
            if best is None or wilds < best[0]:
                best = wilds, starts
        if best is None:
            raise Undecided
        for run, start, size in zip(runs, best[1], sizes, strict=True):
            run.cards[:] = [
                (place, kind, AHEAD if index < start else CORE if index < start + size else BEYOND)
                for index, (place, kind, _) in enumerate(run.cards)
            ]
