"""What a search finds, before its cards are given places."""

from dataclasses import dataclass
from typing import NamedTuple

from continental.rules.solver.sets import Pick
from continental.rules.solver.sweep import Growth


class NewSet(NamedTuple):
    """A new set as the search chose it: slot, rank (0 for wild cards of no rank) and what goes to it."""

    slot: int
    rank: int
    pick: Pick


@dataclass(slots=True)
class Plan:
    """The best play of a scene.

    ``worth`` is the weight of all cards played; ``grown`` are the runs new and old by suit, ``swaps`` the swaps in runs by suit;
    ``new_sets`` and ``held_sets`` what goes to sets; ``taken`` how many cards of each natural face lie in runs.
    """

    worth: int
    grown: list[tuple[int, Growth]]
    swaps: list[tuple[int, int, int, str]]
    new_sets: list[NewSet]
    held_sets: list[tuple[int, Pick]]
    wilds_from_hand: int
