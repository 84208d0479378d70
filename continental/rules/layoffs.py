"""Adding to melds on the table, and replacing the wild cards in them."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from continental.rules.cards import JOKER, PLACE_OF_RANK, Laid
from continental.rules.faults import Fault
from continental.rules.melds import LADDER, Meld, Reading, Wanted, ladder_ends, lay_set, run_faults, set_faults
from continental.rules.parameters import RuleSet

_ROUND: Final = 13
_ON_TABLE: Final = {kind: Wanted(kind, 0) for kind in ("set", "pair", "run")}


class _Extension(NamedTuple):
    """One way to put cards on a run: the run then, how many went on its low end, and its faults."""

    meld: Meld
    below: int
    free_below: int
    free: int
    in_order: bool
    faults: tuple[Fault, ...]


def extend(meld: Meld, added: Sequence[Laid], rules: RuleSet, end: str | None = None) -> Reading:
    """Lay cards off on a meld.

    Args:
        meld: the meld on the table; its wild cards never change their values (R-44).
        added: the cards, in the order laid.
        rules: the rule set.
        end: ``low`` or ``high`` where the player said at which end of a run wild cards (or an ace) go.

    Returns:
        The meld with the cards on it; the faults; or what the player must say where more than one way fits.
    """
    return _extend_run(meld, added, rules, end) if meld.kind == "run" else _extend_set(meld, added, rules)


def can_extend(meld: Meld, card: str, rules: RuleSet) -> bool:
    """Tell whether one card from the hand fits on a meld, in whatever way."""
    reading = extend(meld, (Laid(card),), rules)
    return reading.legal or reading.question is not None


# ---------------------------------------------------------------------------------------------------------------------
# Sets


def _extend_set(meld: Meld, added: Sequence[Laid], rules: RuleSet) -> Reading:
    wild = rules.wild
    cards = tuple([item.card for item in added])
    if not meld.rank:
        naturals = tuple([card for card in cards if card not in wild])
        if naturals:
            return Reading(None, (Fault("wild.trio", "wild.trio", naturals),))
        size = len(meld.cards) + len(cards)
        grown = Meld(meld.kind, meld.cards + cards, meld.values + cards, (1 << size) - 1)
        return Reading(grown, new_faults(meld, grown, rules))
    wrong = [item for item in added if item.spoken and item.card not in wild and item.spoken not in (item.card, item.card[0])]
    if wrong:
        return Reading(None, (Fault("wild.only", "wild.only", (wrong[0].card,)),))
    strange = tuple([card for card in cards if card not in wild and card[0] != meld.rank])
    if strange:
        return Reading(None, (Fault("set.definition", "layoff.rank", strange, {"rank": meld.rank}),))
    against = tuple([str(item) for item in added if item.spoken and item.card in wild and item.spoken[0] != meld.rank])
    if against:
        return Reading(None, (), Fault("joker.spoken", "ask.spoken-again", against))
    more = lay_set(added, rules, meld.rank, "set")
    wilds = meld.wilds | more.wilds << len(meld.cards)
    kind = "set" if len(meld.cards) + len(cards) > 2 else meld.kind
    grown = Meld(kind, meld.cards + cards, meld.values + more.values, wilds, meld.rank)
    return Reading(grown, new_faults(meld, grown, rules))


def new_faults(before: Meld, after: Meld, rules: RuleSet) -> tuple[Fault, ...]:
    """Give the faults that a meld has after a lay-off or a swap and had not before it."""
    judge = run_faults if after.kind == "run" else set_faults
    known = {fault.concept for fault in judge(before, rules, _ON_TABLE[before.kind])}
    return tuple([fault for fault in judge(after, rules, _ON_TABLE[after.kind]) if fault.concept not in known])


# ---------------------------------------------------------------------------------------------------------------------
# Runs


def _extend_run(meld: Meld, added: Sequence[Laid], rules: RuleSet, end: str | None) -> Reading:
    wrong = [item for item in added if item.spoken and item.card not in rules.wild and item.spoken != item.card]
    if wrong:
        return Reading(None, (Fault("wild.only", "wild.only", (wrong[0].card,)),))
    ways = [way for below in range(len(added), -1, -1) if (way := _place(meld, added, rules, below))]
    legal = [way for way in ways if not way.faults]
    if end is not None:
        chosen = _at_end(legal, end, len(added))
        if chosen is None and legal:
            return Reading(None, (Fault(*_end_fault(added, rules)),))
    elif len(legal) > 1:
        in_order = [way for way in legal if way.in_order]
        fewest_wilds = min(way.meld.wild_count for way in legal)
        best = in_order if len(in_order) == 1 else [way for way in legal if way.meld.wild_count == fewest_wilds]
        if len(best) > 1:
            return Reading(None, (), _which_end(added))
        chosen = best[0]
    else:
        chosen = legal[0] if legal else None
    if chosen is not None:
        return Reading(chosen.meld)
    if ways:
        easiest = min(ways, key=lambda way: len(way.faults))
        return Reading(easiest.meld, easiest.faults)
    if any(item.spoken and item.card in rules.wild for item in added):
        silent = extend(meld, [Laid(item.card) if item.card in rules.wild else item for item in added], rules, end)
        if silent.legal or silent.question:
            spoken = tuple([str(item) for item in added if item.spoken and item.card in rules.wild])
            return Reading(None, (), Fault("joker.spoken", "ask.spoken-again", spoken))
    return Reading(None, tuple(_explain(meld, added, rules)))


def _place(meld: Meld, added: Sequence[Laid], rules: RuleSet, below: int) -> _Extension | None:
    """Put ``below`` of the cards on the low end and the rest on the high end, if their values allow it."""
    wild = rules.wild
    suit = meld.suit
    low = meld.low - below
    size = len(meld.cards) + len(added)
    if rules.wrap:
        low = (low - 1) % _ROUND + 1
    lowest, highest = ladder_ends(rules)
    if low < lowest or low + size - 1 > highest:
        return None
    indexes = [*range(below), *range(below + len(meld.cards), size)]
    index_of = {LADDER[low + index]: index for index in indexes}
    row: dict[int, Laid] = {}
    free: list[Laid] = []
    fixed = 0
    for item in added:
        value = item.spoken or item.card
        if item.card in wild and item.spoken is None:
            natural = index_of.get(value[0])
            if value[1] == suit and natural is not None and natural not in row and not _fixed_for(added, value, wild):
                row[natural] = item
            else:
                free.append(item)
            continue
        index = index_of.get(value[0])
        if index is None or index in row or (len(value) == 2 and value[1] != suit):
            return None
        row[index] = item
        fixed += 1
    open_indexes = [index for index in indexes if index not in row]
    row.update(zip(open_indexes, free, strict=True))
    before = [row[index] for index in range(below)]
    after = [row[index] for index in indexes[below:]]
    cards = (*[item.card for item in before], *meld.cards, *[item.card for item in after])
    values = tuple([LADDER[low + index] + suit for index in range(size)])
    wilds = meld.wilds << below
    for index, item in row.items():
        if item.card in wild and item.card != values[index]:
            wilds |= 1 << index
    grown = Meld("run", cards, values, wilds, "", suit, low)
    in_order = not (before and after) and fixed > 0 and _as_typed(before or after, added, fixed)
    free_below = sum(index < below for index in open_indexes)
    return _Extension(grown, below, free_below, len(free), in_order, new_faults(meld, grown, rules))


def _fixed_for(added: Sequence[Laid], value: str, wild: frozenset[str]) -> bool:
    """Tell whether another of the cards must stand in the place of ``value``."""
    return any((item.spoken or (item.card if item.card not in wild else "")) == value for item in added)


def _as_typed(row: Sequence[Laid], added: Sequence[Laid], fixed: int) -> bool:
    """Tell whether a block of cards lies as it was typed: rising, or falling where two cards of known value show it."""
    return list(row) == list(added) or (fixed > 1 and list(row) == list(added)[::-1])


def _at_end(legal: Sequence[_Extension], end: str, count: int) -> _Extension | None:
    """Choose the way that the player named: all cards at that end, or else every wild card there."""
    whole = [way for way in legal if way.below == (count if end == "low" else 0)]
    if whole:
        return whole[0]
    wilds = [way for way in legal if way.free and way.free_below == (way.free if end == "low" else 0)]
    return wilds[0] if len(wilds) == 1 else None


def _which_end(added: Sequence[Laid]) -> Fault:
    cards = tuple([item.card for item in added])
    return Fault("ask.end", "ask.end" if len(cards) == 1 else "ask.places", cards)


def _end_fault(added: Sequence[Laid], rules: RuleSet) -> tuple[str, str, tuple[str, ...]]:
    cards = tuple([item.card for item in added])
    wild = all(card in rules.wild for card in cards)
    return ("joker.implied" if wild else "run.definition"), "layoff.end", cards


def _explain(meld: Meld, added: Sequence[Laid], rules: RuleSet) -> list[Fault]:
    """Say why cards do not fit on a run."""
    naturals = [item.spoken or item.card for item in added if item.spoken or item.card not in rules.wild]
    size = len(meld.cards) + len(added)
    strange = tuple([card for card in naturals if len(card) == 2 and card[1] != meld.suit])
    if strange:
        return [Fault("run.definition", "run.suit", strange, {"suit": meld.suit})]
    if rules.max_run is not None and size > rules.max_run:
        return [Fault("run.max", "run.max", tuple([item.card for item in added]), {"most": rules.max_run, "size": size})]
    ranks = [value[0] for value in meld.values]
    twice = tuple([card for card in naturals if card[0] in ranks])
    if twice:
        return [Fault("run.definition", "run.twice", twice)]
    over = tuple([card for card in naturals if _beyond(meld, PLACE_OF_RANK[card[0]], rules)])
    if over:
        return [Fault("ace", "run.ace", over)]
    if not naturals:
        return [Fault("joker.implied", "run.off-ladder", tuple([item.card for item in added]))]
    return [Fault("run.definition", "layoff.gap", tuple(naturals))]


def _beyond(meld: Meld, place: int, rules: RuleSet) -> bool:
    """Tell whether a card would follow if the run might pass through the ace, or if the ace stood at the other end."""
    if rules.wrap:
        return False
    lowest, highest = ladder_ends(rules)
    round_low = (meld.low - 2) % _ROUND + 1
    round_high = meld.high % _ROUND + 1
    below_end = meld.low - 1 < lowest and place == round_low
    above_end = meld.high + 1 > highest and place == round_high
    return below_end or above_end or (place == 1 and (meld.low == 2 or meld.high == _ROUND))


# ---------------------------------------------------------------------------------------------------------------------
# Swapping


def swap_wild(meld: Meld, card: str) -> tuple[Meld, str] | None:
    """Put a natural card in the place of the wild card that stands for it (R-42).

    Returns:
        The meld then, and the wild card that is freed; ``None`` where no wild card of the meld stands for the card.
    """
    wild_places = [index for index in range(len(meld.cards)) if meld.wilds >> index & 1]
    exact = [index for index in wild_places if meld.values[index] == card]
    if not exact and meld.kind != "run" and card != JOKER and meld.rank == card[0]:
        exact = wild_places
    if not exact:
        return None
    index = exact[0]
    cards = (*meld.cards[:index], card, *meld.cards[index + 1 :])
    values = (*meld.values[:index], card, *meld.values[index + 1 :])
    return meld._replace(cards=cards, values=values, wilds=meld.wilds & ~(1 << index)), meld.cards[index]
