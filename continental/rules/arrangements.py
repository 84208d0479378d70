"""The ways in which the cards of one meld can lie, and how a meld is written so that it is read again as it lies."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from continental.rules.cards import JOKER, RANKS, SUITS, Laid
from continental.rules.melds import LADDER, Meld, Wanted, covered, judge_meld, ladder_ends, may_lie_together, places_of
from continental.rules.parameters import RuleSet

_MOST_TRIED: Final = 4000
"""So many ways to leave cards out of one meld are tried; no meld of a real game comes near."""


def spell(meld: Meld) -> tuple[Laid, ...]:
    """Write a meld so that it is read as it lies: values are spoken where fewer than two naturals show them."""
    clear = len(meld.cards) - meld.wild_count >= 2
    return tuple(
        [
            Laid(card, value if meld.wilds >> index & 1 and not clear and value != card else None)
            for index, (card, value) in enumerate(zip(meld.cards, meld.values, strict=True))
        ]
    )


def arrangements(laid: Sequence[Laid], rules: RuleSet, wanted: Wanted) -> Iterator[Meld]:
    """Give every legal way in which all these cards can lie as the meld wanted, whatever the order and values laid."""
    cards = [item.card for item in laid]
    naturals = [card for card in cards if card not in rules.wild]
    if wanted.kind != "run":
        ranks = sorted({card[0] for card in naturals}) or [*RANKS, ""]
        for rank in ranks[:1] if naturals else ranks:
            silent = [
                Laid(card, rank if rank and card in rules.wild and (card == JOKER or not naturals) else None) for card in cards
            ]
            reading = judge_meld(silent, rules, wanted, explain=False)
            if reading.meld is not None and reading.legal:
                yield reading.meld
        return
    for suit in sorted({card[1] for card in naturals}) or SUITS:
        if any(card[1] != suit for card in naturals):
            return
        yield from _runs(cards, suit, rules, wanted)


def _runs(cards: Sequence[str], suit: str, rules: RuleSet, wanted: Wanted) -> Iterator[Meld]:
    size = len(cards)
    wild = rules.wild
    naturals = [card for card in cards if card not in wild]
    lowest, highest = ladder_ends(rules)
    places = places_of(naturals)
    for low in range(lowest, min(highest - size + 1, 14) + 1):
        if places & ~covered(low, size):
            continue
        faces = [LADDER[low + index] + suit for index in range(size)]
        left = list(cards)
        row: list[Laid | None] = []
        for face in faces:
            if face in left:
                left.remove(face)
                row.append(Laid(face))
            else:
                row.append(None)
        if any(card not in wild for card in left):
            continue
        wilds = iter(sorted(left))
        laid = [item or Laid(next(wilds), face) for item, face in zip(row, faces, strict=True)]
        reading = judge_meld(laid, rules, wanted, explain=False)
        if reading.meld is not None and reading.legal:
            yield reading.meld


def without_superfluous(laid: Sequence[Laid], rules: RuleSet, wanted: Wanted) -> tuple[tuple[Laid, ...], tuple[str, ...]] | None:
    """Leave out as few cards as it takes to make a meld right as it was laid, the last laid first (R-45).

    Returns:
        What stays and what goes back; ``None`` where no part of it is such a meld.
    """
    tried = 0
    wild = rules.wild
    for count in range(len(laid) - wanted.least + 1):
        for out in combinations(range(len(laid) - 1, -1, -1), count):
            tried += 1
            if tried > _MOST_TRIED:
                return None
            rest = tuple([item for index, item in enumerate(laid) if index not in out])
            if not may_lie_together([card for card, _ in rest if card not in wild], len(rest), rules, wanted):
                continue
            reading = judge_meld(rest, rules, wanted, explain=False)
            if not reading.faults:
                return rest, tuple([laid[index].card for index in sorted(out)])
    return None
