"""Sets and pairs: cards of one rank, wild cards for any of them."""

from collections.abc import Sequence

from continental.rules.cards import JOKER, Laid
from continental.rules.contracts import MeldKind
from continental.rules.faults import Fault
from continental.rules.meld_values import UNREAD, Meld, Reading, Wanted, size_faults, wild_faults
from continental.rules.parameters import RuleSet


def read_set(laid: Sequence[Laid], rules: RuleSet, wanted: Wanted, explain: bool = True) -> Reading:
    """Read cards as a set (or a pair): all of one rank, wild cards for any of them (``house.set.definition``).

    Without ``explain`` cards that are no set have one fault that only says so, which is quicker.
    """
    wild = rules.wild
    rank = said = ""
    mixed = against = False
    for card, spoken in laid:
        if card not in wild:
            if not rank:
                rank = card[0]
            elif card[0] != rank:
                mixed = True
            if spoken is not None and spoken != card and spoken != card[0]:
                return Reading(None, (Fault("wild.only", "wild.only", (card,)),))
        elif spoken is not None:
            against = against or (said != "" and spoken[0] != said)
            said = spoken[0]
    if mixed:
        return Reading(None, tuple(_set_mixed(laid, rules, wanted))) if explain else UNREAD
    if against or (said and rank and said != rank):
        return _spoken_against(laid, rules, wanted)
    rank = rank or said
    if not rank:
        return _set_of_wilds(laid, rules, wanted)
    meld = lay_set(laid, rules, rank, wanted.kind)
    faults = set_faults(meld, rules, wanted)
    if rules.all_wild == "sets" and (faults or meld.all_wild) and all(card in wild for card in meld.cards):
        return _set_of_wilds(laid, rules, wanted)
    return Reading(meld, tuple(faults))


def lay_set(laid: Sequence[Laid], rules: RuleSet, rank: str, kind: MeldKind) -> Meld:
    """Lay a set of ``rank``; a natural wild card of that rank is natural unless it was spoken as another (R-90)."""
    wild = rules.wild
    values: list[str] = []
    wilds = 0
    bit = 1
    for card, spoken in laid:
        if card not in wild or (card[0] == rank and card != JOKER and (spoken is None or spoken in (card, rank))):
            values.append(card)
        else:
            values.append(spoken or rank)
            wilds |= bit
        bit <<= 1
    return Meld(kind, tuple([item[0] for item in laid]), tuple(values), wilds, rank)


def _set_of_wilds(laid: Sequence[Laid], rules: RuleSet, wanted: Wanted) -> Reading:
    """Read a set in which every card is wild and no rank was spoken: natural wild cards of one rank first (R-90)."""
    cards = tuple([item.card for item in laid])
    for rank in dict.fromkeys(card[0] for card in cards if card != JOKER):
        meld = lay_set(laid, rules, rank, wanted.kind)
        if not meld.all_wild and not set_faults(meld, rules, wanted):
            return Reading(meld)
    meld = without_rank(cards, wanted.kind)
    faults = tuple(set_faults(meld, rules, wanted))
    if rules.all_wild == "declared" and not faults:
        return Reading(None, (), Fault("wild.all", "ask.set-rank", cards))
    return Reading(meld, faults)


def without_rank(cards: tuple[str, ...], kind: MeldKind) -> Meld:
    """Lay wild cards as a set of wild cards only, which stands for no rank (``continental.wild.trio``)."""
    return Meld(kind, cards, cards, (1 << len(cards)) - 1)


def set_faults(meld: Meld, rules: RuleSet, wanted: Wanted) -> list[Fault]:
    cards = meld.cards
    faults = size_faults(wanted, cards, rules)
    if wanted.opening and not rules.set_repeat_suits and not suits_differ(meld):
        faults.append(Fault("set.suits", "set.suits", cards))
    if meld.wilds or rules.set_naturals:
        faults += wild_faults(meld, rules, wanted.opening)
    return faults


def suits_differ(meld: Meld) -> bool:
    """Tell whether no two naturals of a set are of one suit."""
    suits = [card[1] for place, card in enumerate(meld.cards) if not meld.wilds >> place & 1]
    return len(set(suits)) == len(suits)


def _set_mixed(laid: Sequence[Laid], rules: RuleSet, wanted: Wanted) -> list[Fault]:
    """Say which cards have another rank than most, and whether the meld would be right without them."""
    naturals = [card for card, _ in laid if card not in rules.wild]
    ranks = [card[0] for card in naturals]
    rank = max(ranks, key=ranks.count)
    strange = tuple([card for card in naturals if card[0] != rank])
    if not strange:
        spoken = tuple([str(item) for item in laid if item.spoken and item.card in rules.wild and item.spoken[0] != rank])
        return [Fault("set.definition", "set.spoken", spoken)]
    rest = [item for item in laid if item.card in rules.wild or item.card[0] == rank]
    if len(rest) >= wanted.least and read_set(rest, rules, wanted, explain=False).legal:
        return [Fault("superfluous", "superfluous", strange)]
    return [Fault("set.definition", "set.mixed", strange, {"rank": rank})]


def _spoken_against(laid: Sequence[Laid], rules: RuleSet, wanted: Wanted) -> Reading:
    """A wild card was spoken as a rank that the set has not: ask again if anything it could be would do (R-12)."""
    silent = [Laid(card) if card in rules.wild else Laid(card, spoken) for card, spoken in laid]
    spoken_cards = tuple([str(item) for item in laid if item.card in rules.wild and item.spoken])
    reading = read_set(silent, rules, wanted)
    if reading.legal or reading.question:
        return Reading(reading.meld, (), Fault("joker.spoken", "ask.spoken-again", spoken_cards))
    return Reading(None, (Fault("set.definition", "set.spoken", spoken_cards), *reading.faults))
