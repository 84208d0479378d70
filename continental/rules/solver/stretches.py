"""The stretches of a suit on which a run can lie, and where wild cards may stand in it.

Places are bytes of a number, as in :mod:`continental.rules.solver.tally`, from 1 (the low ace) past the king: 14 is the high ace,
and where runs go round the ace, 15 the two beyond it, and so on.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from continental.rules.solver.tally import BYTE, EVERY
from continental.rules.solver.terms import Terms

_ROUND: Final = 13 * BYTE


class Stretch(NamedTuple):
    """A stretch of places: the first and the last, and one card on each."""

    low: int
    high: int
    span: int


class Row(NamedTuple):
    """A run: its stretch, and which of its places hold naturals, natural wild cards as themselves, and wild cards."""

    low: int
    high: int
    naturals: int
    selves: int
    wilds: int


def unfold(faces: int) -> int:
    """Give the places on which the faces of a suit can lie."""
    return faces | faces << _ROUND


def fold(places: int) -> int:
    """Give the faces that lie on places, each as often as it does."""
    return (places & EVERY) + (places >> _ROUND & EVERY)


@lru_cache(maxsize=1 << 12)
def stretches(terms: Terms, size: int, place: int) -> tuple[Stretch, ...]:
    """Give the stretches for a run of at least ``size`` cards that hold a place, by their first place; 0 for all of them."""
    lowest, highest = terms.places[0], terms.places[-1]
    longest = size if terms.exact_runs else min(terms.max_run, 13 if terms.one_ace or terms.wrap else 14)
    found = []
    for low in range(lowest, 14):
        for high in range(low + size - 1, (low + 12 if terms.wrap else min(highest, low + longest - 1)) + 1):
            within = low <= place <= high or (low <= place + 13 <= high and (terms.wrap or place == 1))
            if high - low < longest and (within or not place):
                found.append(Stretch(low, high, sum(1 << at * BYTE for at in range(low, high + 1))))
    return tuple(found)


@lru_cache(maxsize=1 << 10)
def shortest(terms: Terms, size: int) -> tuple[int, ...]:
    """Give the stretches of exactly ``size`` cards, one card on each place."""
    return tuple([stretch.span for stretch in stretches(terms, size, 0) if stretch.high - stretch.low < size])


def rows(stretch: Stretch, naturals: int, selves: int, loose: int, wilds: int, terms: Terms) -> Iterator[Row]:
    """Give every way to lay cards on a stretch, that with fewest wild cards first.

    Args:
        stretch: where the run lies.
        naturals: the places for which there is a natural; selves: those for which there is a natural wild card.
        loose: places on which a wild card may lie although there is another card for them.
        wilds: the wild cards there are.
        terms: the rules.
    """
    low, high, span = stretch
    naturals &= span
    gaps = span ^ naturals
    if gaps.bit_count() > wilds:
        return
    selves &= gaps
    row = Row(low, high, naturals, selves, gaps ^ selves)
    if _right(row, terms):
        yield row
    loose &= naturals | selves
    if not loose:
        return
    most = min(
        wilds - gaps.bit_count() + (loose & selves).bit_count(),
        _most_wilds(high - low + 1, terms) - row.wilds.bit_count(),
    )
    choice = _bits(loose)
    for count in range(1, min(most, len(choice)) + 1):
        for out in combinations(choice, count):
            held = sum(out)
            if held & selves and held == naturals | selves and terms.ratio_opening:
                continue  # laid in its own place the natural wild card would count against the others
            row = Row(low, high, naturals & ~held, selves & ~held, gaps ^ selves | held)
            if (row.selves | row.wilds).bit_count() <= wilds and _right(row, terms):
                yield row


def _most_wilds(size: int, terms: Terms) -> int:
    """Give the most wild cards that the limits can allow a run of so many cards."""
    most = min(size, terms.wild_limit)
    if terms.ratio_opening and not terms.all_wild_run:
        most = min(most, size // 2)
    return most if terms.adjacent_wilds else min(most, (size + 1) // 2)


def _bits(places: int) -> list[int]:
    found = []
    while places:
        bit = places & -places
        found.append(bit)
        places ^= bit
    return found


def _right(row: Row, terms: Terms) -> bool:
    """Hold a run to the limits on wild cards."""
    if not row.wilds:
        return True
    wilds = row.wilds.bit_count()
    naturals = row.high - row.low + 1 - wilds
    return (
        wilds <= terms.wild_limit
        and (naturals > 0 or terms.all_wild_run)
        and (not terms.ratio_opening or not naturals or wilds <= naturals)
        and (terms.adjacent_wilds or not row.wilds & row.wilds >> BYTE)
    )


def touch(one: Row, other: Row, terms: Terms) -> bool:
    """Tell whether one run ends where the other begins."""
    if not terms.wrap:
        return one.high + 1 == other.low or other.high + 1 == one.low
    shared = fold(_span(one)) & fold(_span(other))
    return not shared and ((one.high + 1 - other.low) % 13 == 0 or (other.high + 1 - one.low) % 13 == 0)


def _span(row: Row) -> int:
    return row.naturals | row.selves | row.wilds
