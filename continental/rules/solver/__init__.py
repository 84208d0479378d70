"""The solver: can these cards go down at all, and what is the best play? Exact, never a guess."""

from continental.rules.solver.answers import BestPlay, LaidMeld, LayDown, LayOff, Swap
from continental.rules.solver.budget import Budget, TooLarge
from continental.rules.solver.going_down import CardsToLay, lay_down, open_with_all
from continental.rules.solver.play import best_play

__all__ = [
    "BestPlay",
    "Budget",
    "CardsToLay",
    "LaidMeld",
    "LayDown",
    "LayOff",
    "Swap",
    "TooLarge",
    "best_play",
    "lay_down",
    "open_with_all",
]
