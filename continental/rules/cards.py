"""Cards, written as the two letters players read: ``7H``, ``TD``, ``AS``, and ``JK`` for a joker.

A card is a plain string. Equality is identity of face, so two copies of one card from two packs are equal:
a hand is a multiset of cards, never a set.
"""

from typing import Final, NamedTuple

RANKS: Final = "A23456789TJQK"
SUITS: Final = "SHDC"
JOKER: Final = "JK"

NATURALS: Final[tuple[str, ...]] = tuple(rank + suit for suit in SUITS for rank in RANKS)
"""The 52 faces of one pack, without jokers."""

CARDS: Final[frozenset[str]] = frozenset((*NATURALS, JOKER))
RED_SUITS: Final = frozenset("HD")

LOW_ACE: Final = 1
HIGH_ACE: Final = 14
PLACE_OF_RANK: Final[dict[str, int]] = {rank: place for place, rank in enumerate(RANKS, start=LOW_ACE)}
"""Place of each rank in a run, the ace low (1) to the king (13). A high ace stands on place 14."""
RANK_OF_PLACE: Final[dict[int, str]] = {**{place: rank for rank, place in PLACE_OF_RANK.items()}, HIGH_ACE: "A"}


class Laid(NamedTuple):
    """A card as it lies on the table: its face, and the value its player spoke for it, if any.

    ``Laid("JK", "7H")`` is what ``JK=7H`` says. A spoken value of one letter (``JK=7``) names a rank alone,
    which is all a set needs.
    """

    card: str
    spoken: str | None = None

    def __str__(self) -> str:
        return self.card if self.spoken is None else f"{self.card}={self.spoken}"


def rank_of(card: str) -> str:
    """Give the rank letter of a natural card; ``JK`` for a joker."""
    return JOKER if card == JOKER else card[0]


def suit_of(card: str) -> str | None:
    """Give the suit letter of a natural card; ``None`` for a joker."""
    return None if card == JOKER else card[1]


def is_red(card: str) -> bool:
    """Tell whether a natural card is a heart or a diamond; a joker is not red."""
    return card != JOKER and card[1] in RED_SUITS
