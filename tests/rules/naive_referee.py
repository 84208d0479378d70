"""A slow second referee for openings, lay-offs and swaps, written from the rulebook's text alone.

It shares no judging code with the product: every way a meld can lie is written out place by place and tried. It gives a verdict
and no reasons.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import NamedTuple

from continental.rules.cards import Laid
from continental.rules.contracts import Slot
from continental.rules.parameters import HandRule, RuleSet

RANKS = "A23456789TJQK"
SUITS = "SHDC"
ROUND = RANKS * 4


class Lie(NamedTuple):
    """One way cards can lie: kind, suit or rank, ranks by place, the cards, which of them are wild, first place."""

    kind: str
    of: str
    ranks: str
    cards: tuple[str, ...]
    wild: tuple[bool, ...]
    low: int


def ladder(rules: RuleSet, size: int) -> Iterator[tuple[int, str]]:
    """Every place a run of ``size`` cards can begin, with the ranks it then has."""
    if rules.max_run is not None and size > rules.max_run:
        return
    if rules.wrap:
        for low in range(1, 14):
            yield low, ROUND[low - 1 : low - 1 + size]
        return
    rows = {"low": ["A23456789TJQK"], "high": ["23456789TJQKA"], "both": ["A23456789TJQK", "23456789TJQKA"]}[rules.ace]
    if rules.two_aces:
        rows = ["A23456789TJQKA"]
    seen = set()
    for row in rows:
        first = 1 if row[0] == "A" else 2
        for start in range(len(row) - size + 1):
            low = first + start
            if low not in seen:
                seen.add(low)
                yield low, row[start : start + size]


def stands(item: Laid, rank: str, suit: str, rules: RuleSet) -> bool | None:
    """Whether a card stands in a place as a natural (False), as a wild card (True), or not at all (None)."""
    own = item.card[0] == rank and item.card[1] == suit and item.card != "JK"
    said = item.spoken is None or item.spoken in (rank, rank + suit)
    if own and said:
        return False
    return True if item.card in rules.wild and said else None


def limits(lie: Lie, rules: RuleSet, opening: bool) -> bool:
    """The limits on wild cards in one meld."""
    wilds = sum(lie.wild)
    naturals = len(lie.wild) - wilds
    if rules.wild_limit is not None and wilds > rules.wild_limit:
        return False
    if lie.kind == "run" and not rules.adjacent_wilds and any(a and b for a, b in zip(lie.wild, lie.wild[1:], strict=False)):
        return False
    if naturals == 0:
        if rules.all_wild == "no" or (rules.all_wild == "sets" and lie.kind == "run"):
            return False
        return rules.all_wild == "sets" or lie.kind == "run" or rules.set_naturals == 0
    if wilds > naturals and (rules.wild_ratio == "always" or (rules.wild_ratio == "opening" and opening)):
        return False
    return lie.kind == "run" or naturals >= rules.set_naturals


def runs(laid: Sequence[Laid], rules: RuleSet, opening: bool) -> list[Lie]:
    """Every legal run these cards can be as laid."""
    known = all(item.card not in rules.wild or item.spoken for item in laid)
    natural_wilds = all(item.card != "JK" or item.spoken for item in laid)
    found: list[tuple[int, Lie]] = []
    for suit in SUITS:
        for low, ranks in ladder(rules, len(laid)):
            for order, cards in orders(laid, suit, ranks, rules, known, natural_wilds):
                marks = [stands(item, rank, suit, rules) for item, rank in zip(cards, ranks, strict=True)]
                if None in marks:
                    continue
                lie = Lie("run", suit, ranks, tuple(item.card for item in cards), tuple(map(bool, marks)), low)
                if limits(lie, rules, opening):
                    found.append((order, lie))
    return prefer(found, laid, rules)


def orders(
    laid: Sequence[Laid], suit: str, ranks: str, rules: RuleSet, known: bool, natural_wilds: bool
) -> Iterator[tuple[int, list[Laid]]]:
    """The orders in which the cards may be read for one row of places: as typed, spoken cards moved, or any order."""
    yield 0, list(laid)
    yield 1, list(laid)[::-1]
    spoken = [item for item in laid if item.card in rules.wild and item.spoken]
    rest = [item for item in laid if item not in spoken]
    if spoken and not known:
        for typed in (rest, rest[::-1]):
            row: list[Laid | None] = [None] * len(laid)
            for item in spoken:
                place = ranks.find((item.spoken or " ")[0])
                if place >= 0 and row[place] is None:
                    row[place] = item
            if sum(item is not None for item in row) == len(spoken):
                left = iter(typed)
                yield 2, [item or next(left) for item in row]
    if known or natural_wilds:
        sorted_cards: list[Laid] = []
        pool = list(laid)
        for rank in ranks:
            face = rank + suit
            match = next((item for item in pool if (item.spoken or item.card) in (face, rank)), None)
            if match is None:
                return
            pool.remove(match)
            sorted_cards.append(match)
        yield 3, sorted_cards


def prefer(found: list[tuple[int, Lie]], laid: Sequence[Laid], rules: RuleSet) -> list[Lie]:
    """As laid before rearranged; more naturals before fewer; rising before falling."""
    if not found:
        return []
    anchors = sum(item.card not in rules.wild or item.spoken is not None for item in laid)
    if anchors <= 1:
        found = [(order, lie) for order, lie in found if order != 1 or lie.wild.count(False) > 1]
    typed = [entry for entry in found if entry[0] < 2]
    if typed:
        found = typed
    fewest = min((sum(lie.wild) for _, lie in found), default=0)
    if anchors <= 1 or len({lie for _, lie in found}) > 1:
        found = [entry for entry in found if sum(entry[1].wild) == fewest]
    first = min((order for order, _ in found), default=0)
    chosen = [lie for order, lie in found if order == first or order > 1]
    return list({(lie.of, lie.low, lie.wild): lie for lie in reversed(chosen)}.values())


def sets(laid: Sequence[Laid], rules: RuleSet, opening: bool, bare: bool = False) -> list[Lie]:
    """Every legal set these cards can be; ``bare`` for the set of wild cards alone where they could also be of a rank."""
    found: list[Lie] = []
    if rules.max_set is not None and len(laid) > rules.max_set:
        return []
    for rank in RANKS:
        marks = []
        for item in laid:
            own = item.card != "JK" and item.card[0] == rank and (item.spoken is None or item.spoken in (item.card, rank))
            wild = item.card in rules.wild and (item.spoken is None or item.spoken[0] == rank)
            marks.append(False if own else True if wild else None)
        if None in marks:
            continue
        lie = Lie("set", rank, "", tuple(item.card for item in laid), tuple(map(bool, marks)), 0)
        suits = [item.card[1] for item, mark in zip(laid, marks, strict=True) if mark is False]
        if opening and not rules.set_repeat_suits and len(set(suits)) < len(suits):
            continue
        if all(lie.wild) and rules.all_wild == "sets":
            continue
        if limits(lie, rules, opening):
            found.append(lie)
    if found:
        fewest = min(sum(lie.wild) for lie in found)
        found = [lie for lie in found if sum(lie.wild) == fewest]
    if (bare or not found) and rules.all_wild == "sets" and all(item.card in rules.wild for item in laid):
        lie = Lie("set", "", "", tuple(item.card for item in laid), (True,) * len(laid), 0)
        found += [lie] if limits(lie, rules, opening) else []
    return found


def touching(one: Lie, other: Lie, rules: RuleSet) -> bool:
    if one.of != other.of or set(one.ranks) & set(other.ranks) - {"A"}:
        return False
    if rules.wrap:
        apart = "A" not in one.ranks or "A" not in other.ranks
        return apart and any((a.low + len(a.ranks) - b.low) % 13 == 0 for a, b in ((one, other), (other, one)))
    return one.low + len(one.ranks) == other.low or other.low + len(other.ranks) == one.low


def beside(lies: Sequence[Lie], rules: RuleSet) -> bool:
    """Whether the melds of one opening may lie beside each other."""
    for place, one in enumerate(lies):
        for other in lies[place + 1 :]:
            if one.kind == other.kind == "run":
                if not rules.same_suit_runs and one.of == other.of:
                    return False
                if not rules.touching_runs and touching(one, other, rules):
                    return False
            elif "run" not in (one.kind, other.kind) and not rules.same_rank_sets and one.of and one.of == other.of:
                return False
    return True


def opening_verdict(melds: Sequence[Sequence[Laid]], rules: RuleSet, hand: HandRule) -> str:
    """Legal, illegal or unclear: an opening that fits the contract in one way, in none, or in several."""
    assert hand.contract is not None
    slots = hand.contract.slots
    extra = len(melds) - len(slots)
    if any(item.spoken and item.card not in rules.wild and item.spoken != item.card for meld in melds for item in meld):
        return "illegal"
    if extra < 0 or (extra and not rules.extra_melds_opening):
        return "illegal"
    ways = opening_ways(melds, rules, hand)
    if ways:
        return "legal" if len(ways) == 1 else "unclear"
    if opening_ways(melds, rules, hand, bare=True):
        return "legal"
    return "unclear" if opening_ways(melds, rules, hand, ask=True) else "illegal"


def opening_ways(
    melds: Sequence[Sequence[Laid]], rules: RuleSet, hand: HandRule, bare: bool = False, ask: bool = False
) -> set[tuple[Lie, ...]]:
    """Every legal way to read an opening; ``bare`` where sets of wild cards may be read without the rank they bear, ``ask``
    where what was said of a meld that cannot be what its slot wants is asked again (R-12).
    """
    assert hand.contract is not None
    ways: set[tuple[Lie, ...]] = set()
    more = product((Slot("set"), Slot("run")), repeat=len(melds) - len(hand.contract.slots))
    for order in {order for extra in more for order in permutations((*hand.contract.slots, *extra))}:
        options: list[list[Lie]] = []
        for meld, slot in zip(melds, order, strict=True):
            if slot.kind == "run":
                least, exact = slot.size or hand.min_run, hand.exact_runs
            elif slot.kind == "pair":
                least, exact = slot.size or 2, True
            else:
                least, exact = slot.size or rules.min_set, hand.exact_sets
            if len(meld) < least or (exact and len(meld) > least):
                break
            run = slot.kind == "run"
            lies = runs(meld, rules, True) if run else sets(meld, rules, True, bare)
            if ask and not lies:
                quiet = [Laid(item.card) if item.card in rules.wild else item for item in meld]
                lies = runs(quiet, rules, True) if run else sets(quiet, rules, True)
            options.append(lies)
        else:
            ways.update(way for way in product(*options) if beside(way, rules))
    return ways


# -- Lay-offs and swaps -----------------------------------------------------------------------------------------------


def layoff_ways(lie: Lie, added: Sequence[Laid], rules: RuleSet, end: str | None) -> list[Lie]:
    """Every way to lay cards off on a meld that is legal, after the player's preferences."""
    if any(item.spoken and item.card not in rules.wild and item.spoken != item.card for item in added):
        return []
    if lie.kind != "run":
        return list(_set_layoff(lie, added, rules))
    found: list[tuple[bool, bool, Lie]] = []
    size = len(lie.cards) + len(added)
    for below in range(len(added) + 1):
        low = lie.low - below
        if rules.wrap:
            low = (low - 1) % 13 + 1
        rows = dict(ladder(rules, size))
        if low not in rows:
            continue
        ranks = rows[low]
        spots = [*range(below), *range(below + len(lie.cards), size)]
        for row in set(permutations(added)):
            marks = [stands(item, ranks[spot], lie.of, rules) for item, spot in zip(row, spots, strict=True)]
            if None in marks:
                continue
            cards = (*[item.card for item in row[:below]], *lie.cards, *[item.card for item in row[below:]])
            wild = (*map(bool, marks[:below]), *lie.wild, *map(bool, marks[below:]))
            grown = Lie("run", lie.of, ranks, cards, wild, low)
            if not _worse(lie, grown, rules):
                whole = below in (0, len(added))
                known = sum(item.card not in rules.wild or item.spoken is not None for item in added)
                typed = whole and known > 0 and (list(row) == list(added) or (known > 1 and list(row) == list(added)[::-1]))
                free = [spot for item, spot, mark in zip(row, spots, marks, strict=True) if mark and item.spoken is None]
                at_end = whole and below == (len(added) if end == "low" else 0)
                wilds_at_end = bool(free) and all((spot < below) == (end == "low") for spot in free)
                found.append((typed if end is None else at_end, wilds_at_end, grown))
    places = {(lie.low, lie.wild) for _, _, lie in found}
    if end is not None:
        return _same([lie for at_end, _, lie in found if at_end] or [lie for _, wilds, lie in found if wilds])
    if len(places) > 1:
        typed_ways = _same([lie for typed, _, lie in found if typed])
        if len(typed_ways) == 1:
            return typed_ways
    fewest = min((sum(lie.wild) for _, _, lie in found), default=0)
    return _same([lie for _, _, lie in found if sum(lie.wild) == fewest])


def _same(lies: Sequence[Lie]) -> list[Lie]:
    """One of the ways that leave the run in the same places: which of two wild cards lies where says nothing."""
    return list({lie.low: lie for lie in sorted(lies, key=lambda lie: -sum(lie.wild))}.values())


def _worse(before: Lie, after: Lie, rules: RuleSet) -> bool:
    """Whether a play breaks a limit that was kept before."""
    return limits(before, rules, False) and not limits(after, rules, False)


def _set_layoff(lie: Lie, added: Sequence[Laid], rules: RuleSet) -> Iterator[Lie]:
    cards = (*lie.cards, *[item.card for item in added])
    if not lie.of:
        if all(item.card in rules.wild for item in added):
            yield lie._replace(cards=cards, wild=(True,) * len(cards))
        return
    if rules.max_set is not None and len(cards) > rules.max_set:
        return
    marks: list[bool] = []
    for item in added:
        if item.card != "JK" and item.card[0] == lie.of and item.spoken in (None, item.card):
            marks.append(False)
        elif item.card in rules.wild and (item.spoken is None or item.spoken[0] == lie.of):
            marks.append(True)
        else:
            return
    grown = lie._replace(cards=cards, wild=(*lie.wild, *marks))
    if not _worse(lie, grown, rules):
        yield grown


def swap_way(lie: Lie, card: str, rules: RuleSet) -> tuple[Lie, str] | None:
    """The meld after a swap and the freed wild card; None where it may not be."""
    if not (rules.swap_run if lie.kind == "run" else rules.swap_set):
        return None
    for place, (lying, wild) in enumerate(zip(lie.cards, lie.wild, strict=True)):
        face = lie.ranks[place] + lie.of if lie.kind == "run" else None
        if wild and (card == face or (face is None and card[0] == lie.of and card != "JK")):
            cards = (*lie.cards[:place], card, *lie.cards[place + 1 :])
            marks = (*lie.wild[:place], False, *lie.wild[place + 1 :])
            swapped = lie._replace(cards=cards, wild=marks)
            return None if _worse(lie, swapped, rules) else (swapped, lying)
    return None


def within_packs(cards: Sequence[str], rules: RuleSet, players: int) -> bool:
    """Whether the packs hold so many copies."""
    decks = rules.deck_count(players)
    return all(count <= (rules.joker_count(players) if card == "JK" else decks) for card, count in Counter(cards).items())
