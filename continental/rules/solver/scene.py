"""What one search is about: the cards in hand and the melds on the table, as numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from continental.rules.solver.terms import SUITED, Terms


@dataclass(frozen=True, slots=True)
class TableRun:
    """A run on the table: its number among the melds, its first and last place, the places that wild cards hold, its owner."""

    meld: int
    low: int
    high: int
    wilds: frozenset[int]
    naturals: int
    size: int
    owner: int


@dataclass(frozen=True, slots=True)
class TableSet:
    """A set on the table: its number among the melds, its rank (0 for wild cards of no rank), and what it holds."""

    meld: int
    rank: int
    naturals: int
    wilds: int
    owner: int


@dataclass(slots=True)
class Scene:
    """The cards of a search by suit and rank, what each is worth, and what it may be laid off on.

    Attributes:
        naturals: copies of each pure natural card, by suit and rank (1 to 13).
        natural_wilds: copies of each card that is wild and yet has a rank (a red ace, a two), likewise.
        jokers: the jokers.
        weights: what playing a card is worth, by face.
        runs: the table's runs by suit; sets: its sets.
        cover: every card must be laid in the opening.
        unplayable: a card that is to be discarded and that no meld may be able to take afterwards.
    """

    terms: Terms
    naturals: list[list[int]]
    natural_wilds: list[list[int]]
    jokers: int
    weights: Mapping[str, int]
    runs: tuple[tuple[TableRun, ...], ...] = ((), (), (), ())
    sets: tuple[TableSet, ...] = ()
    cover: bool = False
    unplayable: str | None = None
    size: int = field(init=False)
    pool: list[str] = field(init=False)

    def __post_init__(self) -> None:
        """Count the cards, and line up the wild ones, the dearest first."""
        wilds = [face for face, (suit, rank) in SUITED.items() for _ in range(self.natural_wilds[suit][rank])]
        self.pool = sorted(["JK"] * self.jokers + wilds, key=lambda card: (-self.weights[card], card != "JK", card))
        self.size = len(self.pool) + sum(map(sum, self.naturals))


def count_cards(cards: Sequence[str], wild: frozenset[str]) -> tuple[list[list[int]], list[list[int]], int]:
    """Count cards into pure naturals and natural wild cards, by suit and rank, and jokers."""
    naturals = [[0] * 14 for _ in range(4)]
    natural_wilds = [[0] * 14 for _ in range(4)]
    jokers = 0
    for card in cards:
        if card == "JK":
            jokers += 1
            continue
        suit, rank = SUITED[card]
        (natural_wilds if card in wild else naturals)[suit][rank] += 1
    return naturals, natural_wilds, jokers
