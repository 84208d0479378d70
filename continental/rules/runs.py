"""Runs: cards of one suit in sequence, in which a wild card means what its place says unless its player spoke."""

from collections.abc import Iterable, Sequence
from typing import Final

from continental.rules.cards import HIGH_ACE, JOKER, LOW_ACE, PLACE_OF_RANK, RANKS, SUITS, Laid
from continental.rules.faults import Fault
from continental.rules.meld_values import UNREAD, Meld, Reading, Wanted, size_faults, too_small, wild_faults
from continental.rules.parameters import RuleSet

LADDER: Final = "-" + RANKS * 6
"""The rank on each place of a run: 1 the low ace, 14 the high ace, and on round the ace where runs may wrap."""

VALUES: Final = {suit: tuple([rank + suit for rank in LADDER]) for suit in SUITS}
"""The card on each place of a run of a suit."""

_ROUND: Final = len(RANKS)
_ACE_BIT: Final = 1 << LOW_ACE
_BOTH_ACES: Final = 1 << LOW_ACE | 1 << HIGH_ACE
_ALL_ROUND: Final = (1 << _ROUND) - 1 << LOW_ACE
_WILD_CONCEPTS: Final = frozenset({"wild.all-refused", "wild.ratio", "wild.limit", "wild.adjacent"})

_Known = tuple[int, str]
"""A card of which the value is known: where it was laid, and the value."""


def read_run(laid: Sequence[Laid], rules: RuleSet, wanted: Wanted, explain: bool = True, ask: bool = True) -> Reading:
    """Read cards as a run: one suit in sequence, rising or falling as laid (``house.run.definition``).

    Without ``explain`` cards that are no run have one fault that only says so, which is far quicker. Without ``ask`` values
    spoken that cannot be are a fault and no question.
    """
    wild = rules.wild
    suit = ""
    mixed = spoke = False
    free = 0
    anchors: list[tuple[int, int]] = []
    places = index = 0
    for card, spoken in laid:
        if spoken is None:
            if card in wild:
                free += 1
                index += 1
                continue
            value = card
        elif card in wild:
            value = spoken
            spoke = spoke or spoken != card
        elif spoken == card:
            value = card
        else:
            return Reading(None, (Fault("wild.only", "wild.only", (card,)),))
        if len(value) == 2:
            if not suit:
                suit = value[1]
            elif value[1] != suit:
                mixed = True
        place = PLACE_OF_RANK[value[0]]
        anchors.append((index, place))
        places |= 1 << place
        index += 1
    if mixed:
        return (_ask_again(laid, rules, wanted) if spoke and ask else None) or _unaligned(laid, rules, wanted, explain)
    if not suit:
        return _run_without_naturals(laid, rules, wanted)
    if not _fits(places, index, rules.ace, rules.wrap) or (places.bit_count() < len(anchors) and index <= _ROUND):
        return (_ask_again(laid, rules, wanted) if spoke and ask else None) or _unaligned(laid, rules, wanted, explain)
    low = _align(anchors, index, rules)
    if low is None or (free and len(anchors) == 1):
        falling = _align([(index - 1 - place, rank) for place, rank in anchors], index, rules)
        if low is None or (falling is not None and low != falling):
            low, laid = _choose_direction(laid, rules, suit, low, falling)
    if low is None and not free:
        laid, low = _sort_run(laid, anchors, rules)
    reading = None if low is None else _lay(laid, rules, suit, low, wanted)
    if reading is not None and (not reading.faults or (spoke and _lies_only_so(laid, rules))):
        return reading
    if free:
        reading = _read_otherwise(laid, rules, suit, wanted, spoke) or reading
    if spoke and ask and (reading is None or reading.faults):
        reading = _ask_again(laid, rules, wanted) or reading
    return reading or _unaligned(laid, rules, wanted, explain)


def _lay(laid: Sequence[Laid], rules: RuleSet, suit: str, low: int, wanted: Wanted) -> Reading:
    meld = _lay_run(laid, rules, suit, low)
    return Reading(meld, tuple(run_faults(meld, rules, wanted)))


def _read_otherwise(laid: Sequence[Laid], rules: RuleSet, suit: str, wanted: Wanted, spoke: bool) -> Reading | None:
    """Read a run that is wrong as laid with its natural wild cards in their own places, or with spoken cards moved (R-12)."""
    wild = rules.wild
    if (JOKER, None) not in laid and not _hopeless(laid, rules, wanted):
        natural = [Laid(card, spoken or (card if card in wild and card[1] == suit else None)) for card, spoken in laid]
        if all(spoken is not None or card not in wild for card, spoken in natural):
            reading = read_run(natural, rules, wanted, explain=False, ask=False)
            if reading.legal:
                return reading
    if not spoke:
        return None
    moved = [_lay(row, rules, suit, low, wanted) for row, low in _move_spoken(laid, rules, suit)]
    legal = {(meld.low, meld.wilds): reading for reading in reversed(moved) if (meld := reading.meld) and not reading.faults}
    fewest = min((wilds.bit_count() for _, wilds in legal), default=0)
    best = [reading for (_, wilds), reading in legal.items() if wilds.bit_count() == fewest]
    if len(best) > 1:
        spoken_cards = tuple([str(item) for item in laid if item.spoken and item.card in wild])
        return Reading(best[0].meld, (), Fault("joker.spoken", "ask.spoken-again", spoken_cards))
    return next(iter(best or moved), None)


def _align(anchors: Sequence[tuple[int, int]], size: int, rules: RuleSet) -> int | None:
    """Give the place of the first card so that every card of known value stands in its place, in rising order.

    A card that stands outside the ladder does not matter here: that is a fault of its own. Where the ace may be at
    either end the place that keeps the run on the ladder is preferred.
    """
    low: int | None = None
    for index, place in anchors:
        if place != LOW_ACE:
            low = place - index
            break
    if rules.wrap:
        index, place = anchors[0]
        low = place - index
        if any((place - index - low) % _ROUND for index, place in anchors):
            return None
        return (low - 1) % _ROUND + 1
    if low is None:
        lows = [LOW_ACE - anchors[0][0], HIGH_ACE - anchors[0][0]]
        if rules.ace != "both":
            lows = lows[:1] if rules.ace == "low" else lows[1:]
        fitting = lows
        if len(anchors) > 1:
            fitting = [low for low in lows if all(_stands(index, place, low, rules.ace) for index, place in anchors)]
        on_ladder = [low for low in fitting if low >= LOW_ACE and low + size - 1 <= HIGH_ACE]
        return next(iter(on_ladder or fitting), None)
    for index, place in anchors:
        if place - index != low and not (place == LOW_ACE and _stands(index, place, low, rules.ace)):
            return None
        if place == LOW_ACE and not _stands(index, place, low, rules.ace):
            return None
    return low


def _stands(index: int, place: int, low: int, ace: str) -> bool:
    """Tell whether a card of known rank stands in its place in a run that begins at ``low``."""
    if place != LOW_ACE:
        return place - index == low
    return (ace != "high" and LOW_ACE - index == low) or (ace != "low" and HIGH_ACE - index == low)


def _choose_direction(
    laid: Sequence[Laid], rules: RuleSet, suit: str, rising: int | None, falling: int | None
) -> tuple[int | None, Sequence[Laid]]:
    """Choose between rising and falling: the direction that fits; if both, more naturals; else rising."""
    back = laid[::-1]
    if falling is None or (rising is not None and not _on_ladder(falling, len(laid), rules)):
        return rising, laid
    if rising is None:
        return falling, back
    if all(card == JOKER for card, _ in laid if card in rules.wild):
        return rising, laid
    naturals = _lay_run(laid, rules, suit, rising).wild_count, _lay_run(back, rules, suit, falling).wild_count
    return (falling, back) if naturals[1] < naturals[0] else (rising, laid)


def _sort_run(laid: Sequence[Laid], anchors: Sequence[tuple[int, int]], rules: RuleSet) -> tuple[Sequence[Laid], int | None]:
    """Put a run in which every value is known into order, whatever the order typed."""
    ordered = sorted(range(len(laid)), key=lambda index: anchors[index][1])
    for turn in range(len(ordered)):
        rotated = ordered[turn:] + ordered[:turn]
        low = _align([(index, anchors[which][1]) for index, which in enumerate(rotated)], len(laid), rules)
        if low is not None and (rules.wrap or (low >= LOW_ACE and low + len(laid) - 1 <= HIGH_ACE)):
            return [laid[which] for which in rotated], low
        if not rules.wrap and turn and anchors[ordered[turn]][1] != LOW_ACE:
            break
    return laid, None


def _move_spoken(laid: Sequence[Laid], rules: RuleSet, suit: str) -> list[tuple[list[Laid], int]]:
    """Give every way to move wild cards to the places spoken for them; the others keep their order in the places left."""
    spoken = [item for item in laid if item.spoken and item.card in rules.wild]
    rest = [item for item in laid if not (item.spoken and item.card in rules.wild)]
    size = len(laid)
    found: list[tuple[list[Laid], int]] = []
    known = [(item.spoken or item.card)[0] for item in laid if item.spoken or item.card not in rules.wild]
    if size <= _ROUND and len(set(known)) < len(known):
        return found
    called_for = places_of(known)
    lowest, highest = ladder_ends(rules)
    for low in range(lowest, min(highest - size + 1, _ROUND) + 1):
        if called_for & ~covered(low, size):
            continue
        by_rank = {LADDER[low + index]: index for index in range(size)}
        places = [by_rank.get(item.spoken[0]) for item in spoken if item.spoken]
        if None in places or len(set(places)) < len(places):
            continue
        for order in (rest, rest[::-1]):
            row: list[Laid | None] = [None] * size
            for item, place in zip(spoken, places, strict=True):
                row[place or 0] = item
            left = iter(order)
            whole = [item or next(left) for item in row]
            naturals = [(index, PLACE_OF_RANK[item.card[0]]) for index, item in enumerate(whole) if item.card not in rules.wild]
            if all(LADDER[low + index] == RANKS[place - 1] for index, place in naturals):
                found.append((whole, low))
    return found


def _on_ladder(low: int, size: int, rules: RuleSet) -> bool:
    lowest, highest = ladder_ends(rules)
    return lowest <= low <= highest - size + 1


def ladder_ends(rules: RuleSet) -> tuple[int, int]:
    """Give the lowest and the highest place a run may reach (R-11); with wrap there is no end."""
    if rules.wrap:
        return LOW_ACE, len(LADDER) - 1
    return (LOW_ACE + 1 if rules.ace == "high" else LOW_ACE), (HIGH_ACE - 1 if rules.ace == "low" else HIGH_ACE)


def _lay_run(laid: Sequence[Laid], rules: RuleSet, suit: str, low: int) -> Meld:
    cards = tuple([item[0] for item in laid])
    high = low + len(cards)
    if low > 0 and high <= len(LADDER):
        values = VALUES[suit][low:high]
    else:
        values = tuple([LADDER[place] + suit if 0 < place < len(LADDER) else "-" + suit for place in range(low, high)])
    wilds = 0
    if cards != values:
        wild = rules.wild
        bit = 1
        for card, value in zip(cards, values, strict=True):
            if card != value and card in wild:
                wilds |= bit
            bit <<= 1
    return Meld("run", cards, values, wilds, "", suit, low)


def _run_without_naturals(laid: Sequence[Laid], rules: RuleSet, wanted: Wanted) -> Reading:
    """Read a run in which no card but wild ones lies and no suit was spoken."""
    cards = tuple([item.card for item in laid])
    found: dict[tuple[str, int], Meld] = {}
    for index, (card, spoken) in enumerate(laid):
        if card != JOKER and spoken is None:
            low = _align([(index, PLACE_OF_RANK[card[0]])], len(laid), rules)
            if low is not None and low >= LOW_ACE and (rules.wrap or low + len(laid) - 1 <= HIGH_ACE):
                meld = _lay_run(laid, rules, card[1], low)
                if not run_faults(meld, rules, wanted):
                    found[meld.suit, low] = meld
    best = min((meld.wild_count for meld in found.values()), default=0)
    melds = [meld for meld in found.values() if meld.wild_count == best]
    if len(melds) == 1:
        return Reading(melds[0])
    faults = run_faults(Meld("run", cards, cards, (1 << len(cards)) - 1, "", "", LOW_ACE + 1), rules, wanted)
    if melds:
        faults = [fault for fault in faults if fault.concept not in _WILD_CONCEPTS]
    return Reading(None, tuple(faults), None if faults else Fault("wild.all", "ask.run-place", cards))


def run_faults(meld: Meld, rules: RuleSet, wanted: Wanted) -> list[Fault]:
    cards = meld.cards
    size = len(cards)
    low = meld.low
    faults = size_faults(wanted, cards, rules)
    if not rules.wrap and (rules.max_run is None or size <= rules.max_run):
        lowest, highest = ladder_ends(rules)
        high = low + size - 1
        if low < lowest or high > highest:
            out = [card for index, card in enumerate(cards) if not lowest <= low + index <= highest]
            concept = "joker.implied" if all(card in rules.wild for card in out) and rules.ace == "both" else "ace"
            faults.append(Fault(concept, "run.off-ladder", tuple(out)))
        elif low == LOW_ACE and high == HIGH_ACE and not rules.two_aces:
            faults.append(Fault("ace", "run.two-aces", (cards[0], cards[-1])))
    if meld.wilds:
        faults += wild_faults(meld, rules, wanted.opening)
        if not rules.adjacent_wilds and meld.wilds & meld.wilds >> 1:
            beside = meld.wilds & (meld.wilds >> 1 | meld.wilds << 1)
            together = tuple([card for index, card in enumerate(cards) if beside >> index & 1])
            faults.append(Fault("wild.adjacent", "wild.adjacent", together))
    return faults


def _ask_again(laid: Sequence[Laid], rules: RuleSet, wanted: Wanted) -> Reading | None:
    """Ask again about values that were spoken, if the cards could lie without them (R-12)."""
    if _hopeless(laid, rules, wanted):
        return None
    silent = [Laid(card) if card in rules.wild else Laid(card, spoken) for card, spoken in laid]
    reading = read_run(silent, rules, wanted, explain=False)
    if not (reading.legal or reading.question):
        return None
    spoken_cards = tuple([str(item) for item in laid if item.card in rules.wild and item.spoken])
    return Reading(reading.meld, (), Fault("joker.spoken", "ask.spoken-again", spoken_cards))


def _lies_only_so(laid: Sequence[Laid], rules: RuleSet) -> bool:
    """Tell whether cards that stand in a row can be no other run: two naturals say where it lies, and a joker is always wild."""
    wild = rules.wild
    naturals = [card for card, _ in laid if card not in wild and card[0] != "A"]
    natural_wilds = [card for card, _ in laid if card in wild and card != JOKER]
    return len(naturals) > 1 and not natural_wilds and len(laid) < _ROUND and not rules.wrap


def _hopeless(laid: Sequence[Laid], rules: RuleSet, wanted: Wanted) -> bool:
    """Tell whether neither another order nor other values make the cards right: it is their number, or that of the jokers."""
    cards = tuple([card for card, _ in laid])
    if size_faults(wanted, cards, rules):
        return True
    wild = rules.wild
    if wild.issuperset(cards):
        return False
    jokers = sum([1 << index for index, card in enumerate(cards) if card == JOKER and card in wild])
    return bool(wild_faults(Meld("run", cards, cards, jokers), rules, wanted.opening))


def _unaligned(laid: Sequence[Laid], rules: RuleSet, wanted: Wanted, explain: bool) -> Reading:
    """The cards do not stand in a row: say what is wrong."""
    return Reading(None, tuple(_explain_run(laid, rules, wanted))) if explain else UNREAD


def _explain_run(laid: Sequence[Laid], rules: RuleSet, wanted: Wanted) -> list[Fault]:
    """Say why cards make no run, in the most particular words."""
    faults: list[Fault] = []
    size = len(laid)
    wild = rules.wild
    known: list[_Known] = [(index, said or card) for index, (card, said) in enumerate(laid) if said or card not in wild]
    suits = [value[1] for _, value in known if len(value) == 2]
    suit = suits[0]
    strange: list[int] = []
    if suits.count(suit) < len(suits):
        suit = max(suits, key=suits.count)
        strange = [index for index, value in known if len(value) == 2 and value[1] != suit]
    ranks = [value[0] for _, value in known if len(value) == 1 or value[1] == suit]
    twice = []
    if len(set(ranks)) < len(ranks):
        twice = [rank for rank in dict.fromkeys(ranks) if ranks.count(rank) > (2 if rank == "A" and rules.two_aces else 1)]
    if strange:
        superfluous = _without(laid, strange, known, rules, wanted)
        concept, code = ("superfluous", "superfluous") if superfluous else ("run.definition", "run.suit")
        faults.append(Fault(concept, code, tuple([laid[index].card for index in strange]), {"suit": suit}))
    if twice:
        extra: list[int] = []
        for rank in twice:
            extra += [index for index, value in known if value[0] == rank and (len(value) == 1 or value[1] == suit)][1:]
        superfluous = not strange and _without(laid, extra, known, rules, wanted)
        concept, code = ("superfluous", "superfluous") if superfluous else ("run.definition", "run.twice")
        if rules.max_run is not None and size > rules.max_run:
            concept, code = "run.max", "run.max"
        faults.append(Fault(concept, code, tuple([laid[index].card for index in extra]), {"most": rules.max_run, "size": size}))
    if size < wanted.least:
        faults.append(too_small(wanted, tuple([item.card for item in laid]), rules))
    if not strange and not twice:
        faults += _explain_order(laid, known, suit, rules, wanted)
    return faults


def _explain_order(laid: Sequence[Laid], known: Sequence[_Known], suit: str, rules: RuleSet, wanted: Wanted) -> list[Fault]:
    """One suit, no card twice, and yet no run: a wild card out of place, the ace, or a gap."""
    size = len(laid)
    wild = rules.wild
    cards = tuple([card for card, _ in laid])
    places = places_of([value for _, value in known])
    wilds = [card for card, said in laid if card in wild and not said]
    if _fits(places, size, rules.ace, rules.wrap):
        return [Fault("joker.implied", "run.wild-misplaced", tuple(wilds))]
    if places & _ACE_BIT and (_fits(places, size, "both", True) or _fits(places, size, "both", False)):
        return [Fault("ace", "run.ace", ("A" + suit,))]
    if wilds and not rules.wrap and _fits(places, size, "both", True):
        return [Fault("ace", "run.ace", tuple(wilds))]
    if size > wanted.least:
        for index, value in reversed(known):  # to leave out a wild card closes no gap
            rest = places & ~(1 << PLACE_OF_RANK[value[0]])
            if _fits(rest, size - 1, rules.ace, rules.wrap) and _without(laid, [index], known, rules, wanted):
                return [Fault("superfluous", "superfluous", (cards[index],))]
    return [Fault("run.definition", "run.gap", cards)]


def places_of(values: Iterable[str]) -> int:
    """Give the places of cards of known rank as bits, aces low."""
    places = 0
    for value in values:
        places |= 1 << PLACE_OF_RANK[value[0]]
    return places


def covered(low: int, size: int) -> int:
    """Give the places of which a run of ``size`` cards from ``low`` on has the ranks, aces low."""
    held = (1 << size) - 1 << low
    return held | held >> _ROUND


def _fits(places: int, size: int, ace: str, wrap: bool) -> bool:
    """Tell whether distinct places fit into a run of ``size`` cards when the other cards may stand anywhere."""
    if wrap:
        free = _ALL_ROUND & ~places
        gaps = free | free << _ROUND
        for _ in range(_ROUND - size - 1):
            gaps &= gaps >> 1  # a bit stays where as many places follow that nothing stands on
        return size >= _ROUND or gaps > 0
    if not places & _ACE_BIT:
        return _span(places) <= size
    return (ace != "high" and _span(places) <= size) or (ace != "low" and _span(places ^ _BOTH_ACES) <= size)


def may_run(naturals: Sequence[str], size: int, rules: RuleSet) -> bool:
    """Tell whether naturals could lie in one run of so many cards: they are of one suit, and their places fit into it."""
    if not naturals:
        return True
    suit = naturals[0][1]
    places = 0
    for card in naturals:
        if card[1] != suit:
            return False
        places |= 1 << PLACE_OF_RANK[card[0]]
    distinct = places.bit_count() == len(naturals) or size > _ROUND
    return distinct and _fits(places, size, rules.ace, rules.wrap)


def _span(places: int) -> int:
    """Count the places from the lowest to the highest."""
    return places.bit_length() - (places & -places).bit_length() + 1


def _without(laid: Sequence[Laid], out: Sequence[int], known: Sequence[_Known], rules: RuleSet, wanted: Wanted) -> bool:
    """Tell whether the meld is a right one without the cards at the places ``out`` (``house.illegal.superfluous``)."""
    size = len(laid) - len(out)
    if size < wanted.least:
        return False
    places = 0
    suited = False
    for index, value in known:
        if index not in out:
            places |= 1 << PLACE_OF_RANK[value[0]]
            suited = suited or len(value) == 2
    if suited and not _fits(places, size, rules.ace, rules.wrap):
        return False
    rest = [item for index, item in enumerate(laid) if index not in out]
    return read_run(rest, rules, wanted, explain=False, ask=False).legal
