"""The cards of a hand as one number: a byte for each face, so that a hand is counted by one sum and compared by masks.

The bytes of a suit lie side by side, that of place 1 (the ace) to that of place 13 (the king); place 14 is kept free, so that a
mask over the places of a run can also hold the high ace. Above the four suits lie the counts of the ranks and of the wild cards.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from continental.rules.cards import JOKER
from continental.rules.solver.terms import FACE, SUITED

BYTE: Final = 8
COUNT: Final = 255
SUIT_BITS: Final = 15 * BYTE
SUIT: Final = (1 << SUIT_BITS) - 1
ON: Final = tuple([1 << place * BYTE for place in range(15)])
"""One card on a place."""
SHIFT: Final = (*[place * BYTE for place in range(14)], BYTE)
"""Where the count of the card lies that belongs on a place: an ace is counted on place 1, wherever it is laid."""
ACE: Final = ON[1]
HIGH_ACE: Final = ON[14]
NO_ACE: Final = (1 << SUIT_BITS) - 1 - (COUNT << SHIFT[1])
EVERY: Final = sum(ON[1:14])
"""One card of every rank of a suit."""
SEVERAL: Final = 254 * EVERY
"""Bits that are set where a face is there more than once."""
PLACE: Final = tuple([bits // BYTE for bits in range(-1, SUIT_BITS)])
"""The place of the highest card, by the length in bits of a number that holds one card a place."""

_ALL_SUITS: Final = sum(EVERY << suit * SUIT_BITS for suit in range(4))
_BELOW_TOP: Final = 127 * _ALL_SUITS
_TOP: Final = 128 * _ALL_SUITS
_SUIT_BELOW_TOP: Final = 127 * EVERY
_SUIT_TOP: Final = 128 * EVERY
_RANKS_AT: Final = 4 * SUIT_BITS
_RANK_BITS: Final = 12
"""Room for the cards of one rank: more than any question may hold."""
_RANK: Final = (1 << _RANK_BITS) - 1
RANK_SHIFT: Final = tuple([_RANKS_AT + rank * _RANK_BITS for rank in range(14)])
"""Where the count of a rank lies; rank 0 is the wild cards."""
_BARE_AT: Final = _RANKS_AT + 14 * _RANK_BITS
COLUMN: Final = sum(COUNT << suit * SUIT_BITS for suit in range(4))
"""The byte of a place in all four suits."""


@lru_cache(maxsize=256)
def lanes(wild: frozenset[str]) -> Mapping[str, int]:
    """Give what every card adds to the tally."""
    adds = {JOKER: 1 << RANK_SHIFT[0]}
    for face, (suit, rank) in SUITED.items():
        if face in wild:
            adds[face] = 1 << RANK_SHIFT[0] | 1 << _BARE_AT
        else:
            adds[face] = 1 << suit * SUIT_BITS + SHIFT[rank] | 1 << RANK_SHIFT[rank]
    return adds


def faces_in(tally: int) -> tuple[int, int, int, int]:
    """Give one card for every natural face there is, by suit."""
    present = (tally + _BELOW_TOP & _TOP) >> BYTE - 1
    return present & SUIT, present >> SUIT_BITS & SUIT, present >> 2 * SUIT_BITS & SUIT, present >> 3 * SUIT_BITS & SUIT


def faces_of(pack: int) -> int:
    """Give one card for every face of a suit that is there."""
    return (pack + _SUIT_BELOW_TOP & _SUIT_TOP) >> BYTE - 1


def copies_in(tally: int) -> list[int]:
    """Give the naturals by suit, each face as often as it is there."""
    return [tally >> suit * SUIT_BITS & SUIT for suit in (0, 1, 2, 3)]


def rank_count(tally: int, rank: int) -> int:
    """Count the naturals of a rank, or the wild cards (rank 0)."""
    return tally >> RANK_SHIFT[rank] & _RANK


def natural_wilds(tally: int) -> int:
    """Count the wild cards that are no jokers."""
    return tally >> _BARE_AT


@lru_cache(maxsize=1 << 14)
def ranks_of(faces: int) -> tuple[int, ...]:
    """Give the ranks of which there is a card."""
    return tuple([rank for rank in range(1, 14) if faces >> SHIFT[rank] & COUNT])


@lru_cache(maxsize=1 << 14)
def column_cards(rank: int, column: int) -> tuple[str, ...]:
    """Give the cards of one rank from their counts by suit."""
    return tuple([FACE[suit, rank] for suit in range(4) for _ in range(column >> suit * SUIT_BITS & COUNT)])
