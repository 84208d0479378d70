"""What the sets of one rank can take: the player's new sets and those on the table."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from continental.rules.solver.terms import ENDLESS, Terms

BySuit = tuple[int, int, int, int]

TO_WILD, TO_NATURAL = 1, 2
"""What a card to be discarded would be on a set, and must not find room for in the end."""


class OwnSet(NamedTuple):
    """A new set to lay: its least size, and whether that is also its greatest when going down."""

    size: int
    exact: bool


class HeldSet(NamedTuple):
    """A set on the table: naturals, wild cards, and whether it is one of wild cards only, to which nothing else may be added."""

    naturals: int
    wilds: int
    bare: bool


class Pick(NamedTuple):
    """What goes to one set: naturals, natural wild cards as themselves, wild cards; how many of these belong to the
    opening itself. ``core_naturals`` holds the ``core_selves`` that stand as naturals in it, and ``core_wilds`` counts them too.
    ``freed`` counts the wild cards for which naturals (or natural wild cards as themselves) were swapped in: those of a set of
    the table, or those that went down.
    """

    naturals: int
    selves: int
    wilds: int
    core_naturals: int = 0
    core_wilds: int = 0
    core_selves: int = 0
    freed: int = 0

    @property
    def laid_off(self) -> int:
        """Count the wild cards that were laid off."""
        return self.wilds - self.core_wilds + self.core_selves


class Share(NamedTuple):
    """What goes to all sets of a rank.

    ``naturals``: pure naturals placed; ``used``: wild cards spent, natural wild cards standing as themselves included;
    ``core``: those of them that go down or stand as themselves; ``selves``: natural wild cards as themselves; ``freed``: wild
    cards swapped out of sets; ``put`` and ``stood``: the naturals and the natural wild cards by suit, where suits matter.
    """

    naturals: int
    used: int
    core: int
    selves: int
    freed: int
    picks: tuple[Pick, ...]
    put: BySuit | None = None
    stood: BySuit | None = None


def _goes_down(naturals: int, wilds: int, own: OwnSet, terms: Terms) -> bool:
    """Tell whether the cards make a legal new set."""
    size = naturals + wilds
    if size < own.size or (own.exact and size > own.size) or size > terms.max_set or wilds > terms.wild_limit:
        return False
    if not naturals:
        return terms.all_wild_set and (terms.bare_set or not terms.set_naturals)
    return naturals >= terms.set_naturals and (not terms.ratio_opening or wilds <= naturals)


def _may_lie(naturals: int, wilds: int, terms: Terms) -> bool:
    """Tell whether a set may lie on the table after cards were added to it."""
    if naturals + wilds > terms.max_set or wilds > terms.wild_limit:
        return False
    return not naturals or not terms.ratio_always or wilds <= naturals


@lru_cache(maxsize=20000)
def shares(
    terms: Terms,
    own: tuple[OwnSet, ...],
    held: tuple[HeldSet, ...],
    naturals: BySuit,
    selves: BySuit,
    wilds: int,
    closed: int = 0,
    loose: BySuit = (0, 0, 0, 0),
    frees: bool = False,
    strange: int = ENDLESS,
) -> tuple[Share, ...]:
    """Give every useful way to share cards out among the sets of one rank.

    Args:
        terms: the rules.
        own: the sets to lay; all of them must be laid.
        held: the sets on the table that may be added to.
        naturals: copies of the rank's pure naturals still free, by suit.
        selves: natural wild cards of the rank still free, likewise.
        wilds: wild cards that can be had at most, these included.
        closed: no set that may be added to may be able to take in the end one more wild card (``TO_WILD``), one more natural
            (``TO_NATURAL``), or a card that is both.
        loose: those of the pure naturals that must be laid off, likewise.
        frees: wild cards may be swapped out of the sets to lay.
        strange: wild cards in hand that are not of the rank, and so no naturals in a set of it that goes down (R-90).
    """
    most, most_selves = sum(naturals), sum(selves)
    states: dict[tuple[int, int, int, int, int, tuple[tuple[int, int], ...]], tuple[Pick, ...]] = {(0, 0, 0, 0, 0, ()): ()}
    items: tuple[OwnSet | HeldSet, ...] = (*own, *held)
    for item in items:
        later: dict[tuple[int, int, int, int, int, tuple[tuple[int, int], ...]], tuple[Pick, ...]] = {}
        few = isinstance(item, OwnSet) and terms.ratio_opening and terms.repeat_suits
        alone = isinstance(item, HeldSet) and terms.ratio_always and not (item.naturals or item.bare)
        apart = (not terms.repeat_suits or any(loose)) and isinstance(item, OwnSet)
        for (put, stood, used, core, freed, suited), picks in states.items():
            for more in range(most - put, -1, -1):
                for self_more in range(most_selves - stood + 1):
                    most_wild = wilds - used - self_more
                    if alone and not more + self_more:
                        most_wild = min(most_wild, wilds - most_selves)
                    for wild in range(most_wild + 1):
                        for pick, extra in _choices(item, more, self_more, wild, terms, every=any(loose), frees=frees):
                            if few and not pick.core_naturals and pick.core_wilds > strange:
                                continue
                            if closed and not _is_full(item, more + self_more, wild - extra, terms, closed):
                                continue
                            key = (
                                put + more,
                                stood + self_more,
                                used + self_more + wild,
                                core + pick.core_wilds + self_more - pick.core_selves,
                                freed + extra,
                                (*suited, (pick.core_naturals - pick.core_selves, pick.core_selves)) if apart else suited,
                            )
                            if key not in later:
                                later[key] = (*picks, pick)
        states = later
    best: dict[tuple[object, ...], Share] = {}
    for (put, stood, used, core, freed, suited), picks in states.items():
        down, down_selves = [size for size, _ in suited], [size for _, size in suited]
        if any(loose) and sum(down) + max(0, freed - stood + sum(down_selves)) > put - sum(loose):
            continue
        firm = without(naturals, loose)
        if not terms.repeat_suits and not (_suits_differ(down, firm) and _suits_differ(down_selves, selves)):
            continue
        where = tuple((pick.freed, pick.laid_off) for pick in picks) if freed else ()
        cost = (used, core, stood, freed, where, suited)
        if cost not in best or best[cost].naturals < put:
            best[cost] = Share(put, used, core, stood, freed, picks)
    return tuple(best.values())


def _choices(
    item: OwnSet | HeldSet, naturals: int, selves: int, wilds: int, terms: Terms, *, every: bool, frees: bool
) -> list[tuple[Pick, int]]:
    """Give the ways to give a set these cards: what belongs to the opening, and what is freed; ``every`` way, as it matters which
    naturals go down. ``frees``: wild cards may be swapped out of a set that has just been laid.
    """
    if isinstance(item, HeldSet):
        if item.bare and naturals + selves:
            return []
        changed = naturals + selves + wilds
        if changed and not _may_lie(item.naturals + naturals + selves, item.wilds + wilds, terms):
            pick = None
        else:
            pick = Pick(naturals, selves, wilds)
        found = [(pick, 0)] if pick else []
        if terms.swap_set and terms.swap_target != "same-run" and not item.bare:
            found += [
                (Pick(naturals, selves, wilds, freed=freed), freed)
                for freed in range(1, min(item.wilds, naturals + selves) + 1)
                if _may_lie(item.naturals + naturals + selves, item.wilds + wilds - freed, terms)
                and (item.naturals or not terms.ratio_always or naturals + selves - freed >= item.wilds or item.wilds <= 2)
            ]
        return found
    swapped = _swapped_into(item, naturals, selves, wilds, terms) if frees else []
    return swapped + _laid(item, naturals, selves, wilds, terms, every=every)


def _laid(item: OwnSet, naturals: int, selves: int, wilds: int, terms: Terms, *, every: bool) -> list[tuple[Pick, int]]:
    """Give the ways to lay a new set of these cards in which no wild card is freed."""
    total = naturals + selves
    if not terms.own_layoff:
        if not _goes_down(total, wilds, item, terms):
            return []
        return [(Pick(naturals, selves, wilds, total, wilds + selves, selves), 0)]
    if not _may_lie(total, wilds, terms):
        return []
    found = []
    for core_wilds in range(wilds + 1):
        for core_naturals in range(total, -1, -1):
            if _goes_down(core_naturals, core_wilds, item, terms):
                if not core_naturals and terms.bare_set and total:
                    continue
                fewest = max(0, core_naturals - naturals)
                most = min(selves, core_naturals) if every or not terms.repeat_suits else fewest
                found += [
                    (Pick(naturals, selves, wilds, core_naturals, core_wilds + core_selves, core_selves), 0)
                    for core_selves in range(fewest, most + 1)
                ]
        if found and terms.repeat_suits and not every:
            break
    if terms.repeat_suits and found and not every:
        return [min(found, key=lambda choice: choice[0].core_wilds)]
    return found


def _swapped_into(item: OwnSet, naturals: int, selves: int, wilds: int, terms: Terms) -> list[tuple[Pick, int]]:
    """Give the ways to lay a new set with more wild cards than stay in it, naturals being swapped in for the others at once."""
    total = naturals + selves
    found = []
    for freed in range(1, min(total, wilds) + 1):
        if not _may_lie(total, wilds - freed, terms):
            continue
        for core_wilds in range(freed if terms.own_layoff else wilds, wilds + 1):
            for core_naturals in range(0 if terms.own_layoff else total - freed, total - freed + 1):
                if terms.repeat_suits and core_naturals:
                    break
                if not _goes_down(core_naturals, core_wilds, item, terms) or not (core_naturals or not terms.bare_set):
                    continue
                fewest, most = max(0, core_naturals - naturals), min(selves, core_naturals)
                found += [
                    (Pick(naturals, selves, wilds, core_naturals, core_wilds + core_selves, core_selves, freed), freed)
                    for core_selves in range(fewest, most + 1)
                ]
            if found and terms.repeat_suits and found[-1][1] == freed:
                break
    return found


def _is_full(item: OwnSet | HeldSet, naturals: int, wilds: int, terms: Terms, closed: int) -> bool:
    """Tell whether a set with so many more naturals and wild cards can take no further card of the kinds ``closed`` says."""
    bare = False
    if isinstance(item, HeldSet):
        naturals, wilds, bare = item.naturals + naturals, item.wilds + wilds, item.bare
    elif not terms.own_layoff:
        return True
    else:
        bare = terms.bare_set and not naturals
    if naturals + wilds >= terms.max_set:
        return True
    alone = terms.ratio_always and not naturals and wilds > 1
    if closed & TO_NATURAL and not (bare or alone):
        return False
    outnumbered = terms.ratio_always and 0 < naturals <= wilds
    return not closed & TO_WILD or wilds >= terms.wild_limit or outnumbered


def _suits_differ(sizes: Sequence[int], copies: BySuit) -> bool:
    """Tell whether sets with these numbers of cards can be made so that none holds a suit twice (Gale and Ryser)."""
    ordered = sorted(sizes, reverse=True)
    return all(sum(ordered[:count]) <= sum(min(held, count) for held in copies) for count in range(1, len(ordered) + 1))


def without(copies: BySuit, fewer: BySuit) -> BySuit:
    """Take some copies away."""
    spades, hearts, diamonds, clubs = [held - less for held, less in zip(copies, fewer, strict=True)]
    return spades, hearts, diamonds, clubs


@lru_cache(maxsize=20000)
def by_suit(copies: BySuit, count: int, apart: tuple[int, ...]) -> tuple[BySuit, ...]:
    """Give every way to take ``count`` of the cards so that sets of these sizes can be made of them, none with a suit twice."""
    ways: list[BySuit] = [
        (spades, hearts, diamonds, clubs)
        for spades, hearts, diamonds in product(*[range(min(held, count) + 1) for held in copies[:3]])
        if 0 <= (clubs := count - spades - hearts - diamonds) <= copies[3]
    ]
    return tuple([way for way in ways if _suits_differ(apart, way)])
