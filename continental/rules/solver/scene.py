"""What one search is about: the cards in hand and the melds on the table, as numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from continental.rules.solver.terms import SUITED, Terms
from continental.rules.turn_question import Lying


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

    def covers(self, place: int) -> bool:
        """Tell whether the run has a card on a place."""
        return (place - self.low) % 13 < self.size

    def turned(self, turn: int) -> "TableRun":
        """Give the run with its places counted round from the one above ``turn``."""
        wilds = frozenset((place - turn - 1) % 13 + 1 for place in self.wilds)
        low, high = ((place - turn - 1) % 13 + 1 for place in (self.low, self.high))
        return replace(self, low=low, high=high, wilds=wilds)


@dataclass(frozen=True, slots=True)
class TableSet:
    """A set on the table: its number among the melds, its rank (0 for wild cards of no rank), and what it holds."""

    meld: int
    rank: int
    naturals: int
    wilds: int
    owner: int


class Loose(NamedTuple):
    """A wild card of the table, freed by a swap, that is to be laid off as the natural it is: the number of the meld it came
    from, the card put in its place, and the wild card.
    """

    meld: int
    card: str
    wild: str


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
        loose: freed wild cards that must be laid off as themselves; ``naturals`` counts them.
        player: the owner of the melds to lay, beside those of the table.
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
    loose: tuple[Loose, ...] = ()
    player: int = 0
    size: int = field(init=False)
    pool: list[str] = field(init=False)

    def is_loose(self, suit: int, rank: int) -> bool:
        """Tell whether the pure naturals of this face are wild cards that must be laid off as themselves."""
        return any(SUITED[item.wild] == (suit, rank) for item in self.loose)

    def __post_init__(self) -> None:
        """Count the cards, and line up the wild ones, the dearest first."""
        wilds: list[str] = []
        if any(map(any, self.natural_wilds)):
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


def scene_of(
    terms: Terms,
    cards: Sequence[str],
    weights: Mapping[str, int],
    table: Sequence[Lying],
    *,
    cover: bool = False,
    unplayable: str | None = None,
    loose: tuple[Loose, ...] = (),
) -> Scene:
    """Put a question into numbers."""
    naturals, natural_wilds, jokers = count_cards(cards, terms.wild)
    for item in loose:
        suit, rank = SUITED[item.wild]
        naturals[suit][rank] += 1
    runs: list[list[TableRun]] = [[], [], [], []]
    sets: list[TableSet] = []
    owners: dict[str, int] = {}
    for number, lying in enumerate(table):
        owner = owners.setdefault(lying.owner, len(owners))
        meld = lying.meld
        if meld is None:
            continue
        naturals_in = len(meld.cards) - meld.wild_count
        if meld.kind != "run":
            sets.append(TableSet(number, SUITED[meld.rank + "S"][1] if meld.rank else 0, naturals_in, meld.wild_count, owner))
            continue
        turn = 13 if terms.wrap else 99
        places = [(meld.low + index - 1) % turn + 1 for index in range(len(meld.cards))]
        wilds = frozenset(place for index, place in enumerate(places) if meld.wilds >> index & 1)
        runs["SHDC".index(meld.suit)].append(TableRun(number, places[0], places[-1], wilds, naturals_in, len(places), owner))
    return Scene(
        terms=terms,
        naturals=naturals,
        natural_wilds=natural_wilds,
        jokers=jokers,
        weights=weights,
        runs=(tuple(runs[0]), tuple(runs[1]), tuple(runs[2]), tuple(runs[3])),
        sets=tuple(sets),
        cover=cover,
        unplayable=unplayable,
        loose=loose,
        player=len(owners),
    )


def freeing(scene: Scene) -> frozenset[int]:
    """Give those of whose melds cards in hand could free a wild card, the player among them, where it matters whose these are."""
    terms = scene.terms
    if terms.swap_target != "own-run":
        return frozenset()
    owners = {scene.player}
    if terms.others_layoff:
        rows = zip(scene.naturals, scene.natural_wilds, strict=True)
        held = [[pure + wild for pure, wild in zip(*row, strict=True)] for row in rows]
        owners |= {item.owner for item in scene.sets if item.wilds and any(row[item.rank] for row in held)}
        for suit, runs in enumerate(scene.runs):
            owners |= {run.owner for run in runs if any(held[suit][1 if place == 14 else place] for place in run.wilds)}
    return frozenset(owners)


def best_cut(scene: Scene, suit: int, tables: Sequence[TableRun]) -> int:
    """Choose the place above which to cut the circle of a suit: with few naturals on either side and few table runs across it."""
    naturals, wilds = scene.naturals[suit], scene.natural_wilds[suit]

    def crossed(place: int) -> int:
        above = place % 13 + 1
        score = sum(naturals[rank] + wilds[rank] for rank in (place, above))
        for run in tables:
            covered = {(run.low + step - 1) % 13 + 1 for step in range(-1, run.size + 1)}
            score += 3 * (place in covered and above in covered)
        return score

    return min(range(1, 14), key=lambda place: (crossed(place), place)) % 13
