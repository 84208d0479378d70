"""What the solver answers with: melds, lay-offs, swaps and whole turns."""

from typing import NamedTuple

from continental.rules.cards import Laid
from continental.rules.contracts import MeldKind


class LaidMeld(NamedTuple):
    """A meld to lay: its kind, its cards in laid order (values spoken where the place does not say them), what each
    stands for.
    """

    kind: MeldKind
    cards: tuple[Laid, ...]
    values: tuple[str, ...]


class LayOff(NamedTuple):
    """Cards to lay off on a meld, in the order laid; ``end`` is ``low`` or ``high`` on runs, empty on sets."""

    meld: str
    cards: tuple[Laid, ...]
    end: str


class Swap(NamedTuple):
    """A card of the hand that takes the place of a wild card on the table, and where that wild card goes."""

    meld: str
    card: str
    wild: str
    wild_to: str
    end: str


class LayDown(NamedTuple):
    """A legal lay-down: its melds, and the cards that are not in it."""

    melds: tuple[LaidMeld, ...]
    left: tuple[str, ...]


class BestPlay(NamedTuple):
    """The best play of a turn.

    ``points`` counts the cards left after the discard; ``None`` where the league has yet to enter a card's points. ``steps``
    are the
    lay-offs and swaps in an order in which they can be played.
    """

    possible: bool
    melds: tuple[LaidMeld, ...]
    steps: tuple[LayOff | Swap, ...]
    discard: str | None
    left: tuple[str, ...]
    points: int | None
