"""How many wild cards the new sets can take between them, under all limits."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from continental.rules.solver.terms import ENDLESS, SetSlot, Terms


class Window(NamedTuple):
    """What one new set may hold: its naturals, those natural wild cards of its rank that it may take as naturals, and the
    fewest and the most wild cards, these included.
    """

    naturals: int
    selves: int
    least: int
    most: int


def windows(
    rank: int, slots: Sequence[SetSlot], naturals: int, selves: int, wilds: int, terms: Terms
) -> Iterator[tuple[Window, ...]]:
    """Give every way to share the naturals of a rank out among its sets, those that leave none over first.

    Args:
        rank: the rank, 0 for sets of wild cards of no rank.
        slots: the sets to lay.
        naturals: the naturals of the rank; selves: its natural wild cards; wilds: all wild cards that are left.
        terms: the rules.
    """
    first, *others = slots
    most = min(naturals, first.size if first.exact else terms.max_set)
    if not others:
        window = _window(rank, first, most, selves, wilds, terms)
        if window is not None:
            yield (window,)
        return
    for count in range(most, -1, -1):
        for own in range(selves, -1, -1):
            window = _window(rank, first, count, own, wilds, terms)
            if window is not None:
                for rest in windows(rank, others, naturals - count, selves - own, wilds - window.least, terms):
                    yield (window, *rest)


def least_naturals(slot: SetSlot, terms: Terms) -> int:
    """Give the fewest naturals, natural wild cards among them, with which a set of some rank is right."""
    enough = (naturals for naturals in range(1, ENDLESS) if _right(1, naturals, max(0, slot.size - naturals), terms))
    return next(enough, ENDLESS)


def _window(rank: int, slot: SetSlot, naturals: int, selves: int, wilds: int, terms: Terms) -> Window | None:
    """Give how many wild cards a set of so many naturals may take; ``None`` where no number makes it right."""
    room = (slot.size if slot.exact else terms.max_set) - naturals
    fitting = [
        count
        for count in range(max(0, slot.size - naturals), min(room, wilds) + 1)
        if _right(rank, naturals + min(count, selves), max(0, count - selves), terms)
    ]
    return Window(naturals, selves, fitting[0], fitting[-1]) if fitting else None


def _right(rank: int, naturals: int, wilds: int, terms: Terms) -> bool:
    if wilds > terms.wild_limit:
        return False
    if not naturals:
        return terms.all_wild_set and (not rank if terms.bare_set else not terms.set_naturals)
    return naturals >= terms.set_naturals and (not terms.ratio_opening or wilds <= naturals)
