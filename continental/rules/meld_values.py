"""A meld as a value, what came of reading one, what one is judged against, and the limits that sets and runs share."""

from typing import Final, NamedTuple

from continental.rules.contracts import MeldKind
from continental.rules.faults import Fault
from continental.rules.parameters import RuleSet


class Meld(NamedTuple):
    """A meld that can be read, as it lies on the table.

    Attributes:
        kind: ``set``, ``pair`` or ``run``.
        cards: the faces; those of a run from its low end to its high end.
        values: what each card stands for: a face, or in a set the rank alone for a wild card (``7``).
        wilds: a bit for each card that serves as a wild card, the first card the lowest bit.
        rank: the rank of a set or pair; empty for a set of wild cards alone that stands for no rank.
        suit: the suit of a run; empty for sets.
        low: the place of a run's first card (1 is the low ace, 14 the high ace); 0 for sets.
    """

    kind: MeldKind
    cards: tuple[str, ...]
    values: tuple[str, ...]
    wilds: int
    rank: str = ""
    suit: str = ""
    low: int = 0

    @property
    def high(self) -> int:
        """Give the place of a run's last card."""
        return self.low + len(self.cards) - 1

    @property
    def places(self) -> int:
        """Give a run's places as bits."""
        return ((1 << len(self.cards)) - 1) << self.low

    @property
    def wild_count(self) -> int:
        """Count the cards that serve as wild cards."""
        return self.wilds.bit_count()

    @property
    def all_wild(self) -> bool:
        """Tell whether no card of the meld is a natural."""
        return self.wilds.bit_count() == len(self.cards)


class Reading(NamedTuple):
    """What came of reading a meld.

    Attributes:
        meld: the meld as it lies; ``None`` where the cards cannot be read as one of that kind.
        faults: everything wrong with it by itself; empty where it may lie.
        question: what the player must say first; the meld is then what it would be without what was said.
    """

    meld: Meld | None
    faults: tuple[Fault, ...] = ()
    question: Fault | None = None

    @property
    def legal(self) -> bool:
        """Tell whether the meld may lie as it is."""
        return self.meld is not None and not self.faults and self.question is None


UNREAD: Final = Reading(None, (Fault("run.definition", "run.gap"),))
"""What came of reading cards that are no such meld, where nobody asks why."""


class Wanted(NamedTuple):
    """What one meld is judged against.

    Attributes:
        kind: what the cards are read as.
        least: the fewest cards.
        exact: exactly ``least`` cards are wanted.
        opening: the meld is part of going down, so that the limits of the opening hold too.
    """

    kind: MeldKind
    least: int
    exact: bool = False
    opening: bool = False


def fits_size(size: int, wanted: Wanted) -> bool:
    """Tell whether a meld of so many cards has as many as are wanted."""
    return size == wanted.least or (size > wanted.least and not wanted.exact)


def too_small(wanted: Wanted, cards: tuple[str, ...], rules: RuleSet) -> Fault:
    usual = rules.min_run if wanted.kind == "run" else rules.min_set if wanted.kind == "set" else 2
    concept = "open.contract" if wanted.least > usual else "pair" if wanted.kind == "pair" else f"{wanted.kind}.size"
    return Fault(concept, f"{wanted.kind}.short", cards, {"least": wanted.least, "size": len(cards)})


def size_faults(wanted: Wanted, cards: tuple[str, ...], rules: RuleSet) -> list[Fault]:
    """Check how many cards a meld has: enough, exactly as many as asked for, and not more than a meld may ever hold."""
    size = len(cards)
    faults: list[Fault] = []
    if size < wanted.least:
        faults.append(too_small(wanted, cards, rules))
    elif wanted.exact and size > wanted.least:
        faults.append(Fault("meld.exact", "meld.exact", cards, {"least": wanted.least, "size": size}))
    kind, most = ("run", rules.max_run) if wanted.kind == "run" else ("set", rules.max_set)
    if most is not None and size > most:
        faults.append(Fault(f"{kind}.max", f"{kind}.max", cards, {"most": most, "size": size}))
    return faults


def wild_faults(meld: Meld, rules: RuleSet, opening: bool) -> list[Fault]:
    """Check the limits on wild cards in one meld."""
    count = meld.wilds.bit_count()
    naturals = len(meld.cards) - count
    few = meld.kind != "run" and naturals < rules.set_naturals
    outnumbered = count > naturals and (rules.wild_ratio == "always" or (opening and rules.wild_ratio == "opening"))
    over = rules.wild_limit is not None and count > rules.wild_limit
    if naturals and not few and not outnumbered and not over:
        return []
    wild_cards = tuple([card for index, card in enumerate(meld.cards) if meld.wilds >> index & 1])
    faults: list[Fault] = []
    if not naturals:
        if not (rules.all_wild == "declared" or (rules.all_wild == "sets" and meld.kind != "run")):
            faults.append(Fault("wild.all-refused", "wild.all", wild_cards))
    elif outnumbered:
        faults.append(Fault("wild.ratio", "wild.ratio", wild_cards, {"wilds": count, "naturals": naturals}))
    if few and (naturals or rules.all_wild == "declared"):
        faults.append(Fault("set.naturals", "set.naturals", meld.cards, {"least": rules.set_naturals, "naturals": naturals}))
    if over:
        faults.append(Fault("wild.limit", "wild.limit", wild_cards, {"most": rules.wild_limit, "wilds": count}))
    return faults
