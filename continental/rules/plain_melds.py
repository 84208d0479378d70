"""Melds that are plainly what they are: two naturals or more, nothing spoken, every card in its place, no limit met.

Nearly every meld that players lay is such a one. It is read here in one go over its cards, against limits worked out once for a
rule set. Whatever is not plain, and all that is wrong with it, is the business of :mod:`continental.rules.sets` and
:mod:`continental.rules.runs`, which give the same answer for a plain meld, and take longer.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from continental.rules.cards import HIGH_ACE, JOKER, LOW_ACE, PLACE_OF_RANK, RANKS, SUITS, Laid
from continental.rules.meld_values import Meld, Wanted
from continental.rules.parameters import RuleSet

_LONGEST: Final = 28
"""Cards of the longest meld that is read here."""

_LADDER: Final = {suit: tuple([rank + suit for rank in "-" + RANKS + "A"]) for suit in SUITS}
_NO_PLACE: Final = -1


class Limits(NamedTuple):
    """What a meld must keep to, worked out of a rule set.

    Attributes:
        wanted: what the meld is judged against.
        wild: the cards that are wild.
        least: the fewest cards.
        most: the most cards.
        wilds: the most wild cards, by the number of cards.
        suits_repeat: a set may hold a suit twice.
        beside: two wild cards may stand side by side in a run.
        lowest: the lowest place of a run.
        highest: the highest place of a run; ``_NO_PLACE`` where runs pass through the ace and none is plain.
    """

    wanted: Wanted
    wild: frozenset[str]
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
    wilds = []
    for size in range(_LONGEST + 1):
        allowed = size - (1 if run else max(1, rules.set_naturals))
        if ratio:
            allowed = min(allowed, size // 2)
        wilds.append(allowed if rules.wild_limit is None else min(allowed, rules.wild_limit))
    return Limits(
        wanted=wanted,
        wild=rules.wild,
        least=wanted.least,
        most=min(most, wanted.least) if wanted.exact else most,
        wilds=tuple(wilds),
        suits_repeat=rules.set_repeat_suits or not wanted.opening,
        beside=rules.adjacent_wilds,
        lowest=LOW_ACE + 1 if rules.ace == "high" else LOW_ACE,
        highest=_NO_PLACE if rules.wrap else HIGH_ACE - 1 if rules.ace == "low" else HIGH_ACE,
    )


def plain_meld(laid: Sequence[Laid], as_set: Limits, as_run: Limits) -> Meld | None:
    """Read a meld that is plainly a set or plainly a run; ``None`` for any other."""
    wild = as_set.wild
    cards: list[str] = []
    naturals: list[str] = []
    for card, spoken in laid:
        if spoken is not None:
            return None
        cards.append(card)
        if card not in wild:
            naturals.append(card)
    if len(naturals) < 2:
        return None
    if naturals[0][0] == naturals[1][0]:
        return _plain_set(tuple(cards), naturals, as_set)
    return _plain_run(tuple(cards), naturals, as_run)


def _plain_set(cards: tuple[str, ...], naturals: Sequence[str], limits: Limits) -> Meld | None:
    size = len(cards)
    if not limits.least <= size <= limits.most:
        return None
    rank = naturals[0][0]
    for card in naturals:
        if card[0] != rank:
            return None
    if not limits.suits_repeat:
        suits = {card[1] for card in cards if card[0] == rank and card != JOKER}
        if len(suits) < sum(card[0] == rank and card != JOKER for card in cards):
            return None
    values, wilds = cards, 0
    if len(naturals) < size:
        values, wilds = _stand_for(cards, rank, limits.wild)
    if wilds.bit_count() > limits.wilds[size]:
        return None
    return Meld(limits.wanted.kind, cards, values, wilds, rank)


def _stand_for(cards: tuple[str, ...], rank: str, wild: frozenset[str]) -> tuple[tuple[str, ...], int]:
    """Give what the cards of a set stand for, and a bit for each that serves as a wild card."""
    values: list[str] = []
    wilds = 0
    bit = 1
    for card in cards:
        if card in wild and (card == JOKER or card[0] != rank):
            values.append(rank)
            wilds |= bit
        else:
            values.append(card)
        bit <<= 1
    return tuple(values), wilds


def _plain_run(cards: tuple[str, ...], naturals: Sequence[str], limits: Limits) -> Meld | None:
    size = len(cards)
    if not limits.least <= size <= limits.most:
        return None
    anchor = naturals[0] if naturals[0][0] != "A" else naturals[1]
    index = cards.index(anchor)
    place = PLACE_OF_RANK[anchor[0]]
    low = place - index
    ladder = _LADDER[anchor[1]]
    run = _in_place(cards, ladder, low, limits)
    if run is None:
        low = place + index - size + 1
        cards = cards[::-1]
        run = _in_place(cards, ladder, low, limits)
        if run is None:
            return None
    values, wilds = run
    if wilds and (wilds.bit_count() > limits.wilds[size] or not (limits.beside or not wilds & wilds >> 1)):
        return None
    return Meld("run", cards, values, wilds, "", anchor[1], low)


def _in_place(cards: tuple[str, ...], ladder: tuple[str, ...], low: int, limits: Limits) -> tuple[tuple[str, ...], int] | None:
    """Give what each card stands for in a run that begins at ``low``, and a bit for each that serves as a wild card."""
    high = low + len(cards)
    if low < limits.lowest or high - 1 > limits.highest or high - low > HIGH_ACE - 1:
        return None
    values = ladder[low:high]
    wilds = 0
    if values != cards:
        wild = limits.wild
        bit = 1
        for card, value in zip(cards, values, strict=True):
            if card != value:
                if card not in wild:
                    return None
                wilds |= bit
            bit <<= 1
    return values, wilds
