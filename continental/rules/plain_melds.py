"""Melds that are plainly what they are: two naturals or more, and every card in its place.

Nearly every meld that players lay is such a one. It is read here in one go over its cards, and held against limits worked out
once for a rule set. Whatever is not plain is the business of :mod:`continental.rules.sets` and :mod:`continental.rules.runs`,
which give the same answer for a plain meld, and take longer.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from continental.rules.cards import JOKER, LOW_ACE, PLACE_OF_RANK, RANKS, Laid
from continental.rules.meld_values import Meld, Reading, Wanted
from continental.rules.parameters import RuleSet
from continental.rules.runs import VALUES, ladder_ends, run_faults
from continental.rules.sets import lay_set, set_faults, suits_differ

_LONGEST: Final = 28
"""Cards of the longest meld that is read here."""

_ON_PLACE: Final = {rank: 1 << place for rank, place in PLACE_OF_RANK.items()}
_ACE_BIT: Final = 1 << LOW_ACE
_TO_LOW_ACE: Final = len(RANKS) - 1

Plain = tuple[Meld | None, bool]
"""A meld as it plainly lies, and whether it keeps to every limit; ``HIDDEN`` or ``UNCLEAR`` for any other.

One that breaks a limit can lie in no other way either, whatever is wanted: :func:`read_plain` says what is wrong with it.
"""

HIDDEN: Final[Plain] = (None, True)
"""One natural at most, which may be in a set or in a run."""

UNCLEAR: Final[Plain] = (None, False)
"""Neither plainly a set nor plainly a run."""


class Limits(NamedTuple):
    """What a meld must keep to, worked out of a rule set.

    Attributes:
        rules: the rule set.
        wanted: what the meld is judged against.
        least: the fewest cards.
        most: the most cards.
        wilds: the most wild cards, by the number of cards.
        suits_repeat: a set may hold a suit twice.
        beside: two wild cards may stand side by side in a run.
        lowest: the lowest place of a run.
        highest: the highest place of a run, counted on beyond the high ace where runs may pass through it.
    """

    rules: RuleSet
    wanted: Wanted
    least: int
    most: int
    wilds: tuple[int, ...]
    suits_repeat: bool
    beside: bool
    lowest: int
    highest: int


def limits_of(rules: RuleSet, wanted: Wanted) -> Limits:
    """Work out what a meld must keep to."""
    run = wanted.kind == "run"
    ever = rules.max_run if run else rules.max_set
    most = _LONGEST if ever is None else min(ever, _LONGEST)
    ratio = rules.wild_ratio == "always" or (wanted.opening and rules.wild_ratio == "opening")
    lowest, highest = ladder_ends(rules)
    wilds = []
    for size in range(_LONGEST + 1):
        allowed = size - (1 if run else max(1, rules.set_naturals))
        if ratio:
            allowed = min(allowed, size // 2)
        wilds.append(allowed if rules.wild_limit is None else min(allowed, rules.wild_limit))
    return Limits(
        rules=rules,
        wanted=wanted,
        least=wanted.least,
        most=min(most, wanted.least) if wanted.exact else most,
        wilds=tuple(wilds),
        suits_repeat=rules.set_repeat_suits or not wanted.opening,
        beside=rules.adjacent_wilds,
        lowest=lowest,
        highest=highest,
    )


def plain_meld(laid: Sequence[Laid], as_set: Limits, as_run: Limits) -> Plain:
    """Read a meld that is plainly a set or plainly a run."""
    wild = as_set.rules.wild
    naturals: list[str] = []
    said = False
    for card, spoken in laid:
        if spoken is not None:
            if card not in wild:
                return UNCLEAR
            said = True
        elif card not in wild:
            naturals.append(card)
    if len(naturals) < 2:
        return HIDDEN
    if len(laid) > _LONGEST:
        return UNCLEAR
    if naturals[0][0] == naturals[1][0]:
        return _plain_set(laid, naturals, as_set)
    if len(naturals) == len(laid):
        return _natural_run(naturals, as_run)
    return _plain_run(laid, naturals, said, as_run)


def read_plain(meld: Meld, rules: RuleSet, wanted: Wanted) -> Reading:
    """Give what comes of reading a meld as it plainly lies."""
    if meld.kind == "run":
        return Reading(meld, tuple(run_faults(meld, rules, wanted)))
    meld = meld if meld.kind == wanted.kind else meld._replace(kind=wanted.kind)
    return Reading(meld, tuple(set_faults(meld, rules, wanted)))


def _plain_set(laid: Sequence[Laid], naturals: Sequence[str], limits: Limits) -> Plain:
    size = len(laid)
    rank = naturals[0][0]
    for card in naturals:
        if card[0] != rank:
            return UNCLEAR
    if len(naturals) == size:
        cards = tuple(naturals)
        meld = Meld(limits.wanted.kind, cards, cards, 0, rank)
    else:
        for _, spoken in laid:
            if spoken is not None and spoken[0] != rank:
                return UNCLEAR
        meld = lay_set(laid, limits.rules, rank, limits.wanted.kind)
    few = limits.least <= size <= limits.most and meld.wilds.bit_count() <= limits.wilds[size]
    return meld, few and (limits.suits_repeat or suits_differ(meld))


def _natural_run(naturals: Sequence[str], limits: Limits) -> Plain:
    """Read naturals alone: whether they are a run does not hang on the order in which they were laid."""
    size = len(naturals)
    suit = naturals[0][1]
    places = 0
    for card in naturals:
        if card[1] != suit:
            return UNCLEAR
        places |= _ON_PLACE[card[0]]
    ends = places & ~(places << 1 | places >> _TO_LOW_ACE & _ACE_BIT)
    if places.bit_count() < size or ends.bit_count() != 1:
        return UNCLEAR
    low = ends.bit_length() - 1
    if low < limits.lowest or low + size - 1 > limits.highest:
        return UNCLEAR
    cards = VALUES[suit][low : low + size]
    return Meld("run", cards, cards, 0, "", suit, low), limits.least <= size <= limits.most


def _plain_run(laid: Sequence[Laid], naturals: Sequence[str], said: bool, limits: Limits) -> Plain:
    size = len(laid)
    cards = tuple([card for card, _ in laid])
    anchor = naturals[0] if naturals[0][0] != "A" else naturals[1]
    index = cards.index(anchor)
    place = PLACE_OF_RANK[anchor[0]]
    suit = anchor[1]
    low = _on_ladder(place - index, limits)
    wilds = _wilds_in(cards, suit, low, limits)
    if wilds is None:
        low = _on_ladder(place + index - size + 1, limits)
        cards = cards[::-1]
        laid = laid[::-1]
        wilds = _wilds_in(cards, suit, low, limits)
    if wilds is None:
        return UNCLEAR
    values = VALUES[suit][low : low + size]
    if said:
        for (_, spoken), value in zip(laid, values, strict=True):
            if spoken is not None and spoken != value and spoken != value[0]:
                return UNCLEAR
    kept = limits.least <= size <= limits.most and wilds.bit_count() <= limits.wilds[size]
    if kept and (limits.beside or not wilds & wilds >> 1):
        return Meld("run", cards, values, wilds, "", suit, low), True
    if said or len(naturals) + cards.count(JOKER) < size:
        return UNCLEAR  # the cards may lie otherwise
    return Meld("run", cards, values, wilds, "", suit, low), False


def _on_ladder(low: int, limits: Limits) -> int:
    return (low - 1) % len(RANKS) + 1 if limits.rules.wrap else low


def _wilds_in(cards: Sequence[str], suit: str, low: int, limits: Limits) -> int | None:
    """Give a bit for each card that serves as a wild card in a run that begins at ``low``; ``None`` where it is no run."""
    size = len(cards)
    if low < limits.lowest or low + size - 1 > limits.highest or size > len(RANKS):
        return None
    wild = limits.rules.wild
    wilds = 0
    bit = 1
    for card, value in zip(cards, VALUES[suit][low : low + size], strict=True):
        if card != value:
            if card not in wild:
                return None
            wilds |= bit
        bit <<= 1
    return wilds
