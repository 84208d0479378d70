"""A run that is being laid: what its future hangs on, and what one more card makes of it.

What must be remembered is kept as small as the rules and the cards allow: a limit that the rule set has not, or that these
cards cannot break, leaves no trace.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from continental.rules.solver.scene import TableRun
from continental.rules.solver.terms import ENDLESS, Terms

OWN, LEFT, RIGHT = 0, 1, 2
"""A new run of the player; the growth of a table run below its low end; above its high end."""

AHEAD, CORE, BEYOND = 0, 1, 2
"""Where a card of a new run stands: laid off below what went down, part of what went down, laid off above it."""


class Open(NamedTuple):
    """A run that is being laid: all that its future hangs on.

    ``which`` is the slot of a new run or the meld of a table run. ``core`` counts the cards that went down, no further than
    needed; ``balance`` is naturals less wild cards among them, ``total`` among all; ``naturals`` has bit 1 for a natural that
    went down and bit 2 for any; ``wilds`` counts wild cards, ``length`` cards (or says that the low ace is taken);
    ``after_wild`` says that the last card is wild; ``entered`` that the run came in round the ace; ``owes`` what must keep the
    card to be discarded from its low end (``OPEN_TO_WILD`` and ``OPEN_TO_ALL``); ``moved`` counts the wild cards laid off on it,
    and by ``FREED_HERE`` each of those that went down and were freed.
    """

    what: int
    which: int
    part: int = CORE
    core: int = 0
    balance: int = 0
    naturals: int = 0
    total: int = 0
    wilds: int = 0
    length: int = 0
    after_wild: int = 0
    entered: int = 0
    owes: int = 0
    moved: int = 0


class Total(NamedTuple):
    """What is remembered of a table run: naturals less wild cards, wild cards, length (or whether it holds an ace), wild cards
    laid off on it, wild cards freed from it, and what must keep the card to be discarded from its ends.
    """

    balance: int = 0
    wilds: int = 0
    length: int = 0
    laid: int = 0
    freed: int = 0
    owes: int = 0


OPEN_TO_WILD, OPEN_TO_ALL = 1, 2
"""An end of a run could take the card to be discarded: as a wild card, so that the limits on these can keep it off, or as the
natural that belongs there, so that only the greatest length can.
"""

UNTRACKED: Final = Total()
CIRCLE: Final = 13
"""The cards of a run that goes once round."""
SWAPPED: Final = 4
"""The bit of the ``naturals`` of a run that goes down as wild cards alone, of which some are then swapped for naturals."""
FREED_HERE: Final = 64
"""More wild cards than are laid off on one run."""
ALONE: Final = 100
"""Taken from the balance of a run of the table that holds wild cards alone: these may lie so, but not beside fewer naturals."""
START: Final = 1
"""Stands as the ``balance`` of a run of which nothing went down so far, but the next card may."""


class Rules(NamedTuple):
    """Which parts of the state the rules and the cards of one suit need.

    ``phased``: which cards of a run go down matters; ``greedy``: as many naturals go down as can, so that what is laid off
    above or below them begins with a wild card; ``split``: so does whether a wild card goes down or is laid off; ``swaps``:
    wild cards of the table can be freed;
    ``cap``: wild cards that can be had at most, those that swaps free included; ``top``: so far naturals and wild cards are
    counted against each other; ``shut_wild``: no run that may be added to may be able to take a wild card in the end; ``frees``:
    naturals can be swapped into a run that goes down as wild cards alone; ``moved``: then it matters where its wild cards go.
    """

    phased: bool
    greedy: bool
    split: bool
    swaps: bool
    adjacent: bool
    limit: int
    ratio_opening: bool
    ratio_always: bool
    need_natural: bool
    all_wild_run: bool
    max_run: int
    track_length: bool
    one_ace: bool
    exact: bool
    own_layoff: bool
    sizes: tuple[int, ...]
    cap: int
    top: int
    shut_wild: bool
    frees: bool
    moved: bool

    @property
    def bare(self) -> bool:
        """Tell whether wild cards alone may go down where a few naturals among them may not: these are then laid off."""
        return self.need_natural and self.all_wild_run


class Holding(NamedTuple):
    """What can come into the runs of a suit at most: the cards in hand of the suit, the places without any, wild cards, new
    runs; whether a run of the table ends in a wild card; whether a card is to be discarded that no run of the suit may be
    able to take, as a natural or as a wild card; whether a natural of the suit may be laid off only; and whether wild cards of
    new runs can be freed.
    """

    cards: int
    gaps: int
    cap: int
    new_runs: int
    wild_end: bool
    shut: bool = False
    shut_wild: bool = False
    loose: bool = False
    frees: bool = False


def rules_of(terms: Terms, split: bool, swaps: bool, holding: Holding) -> Rules:
    """Say what the sweep of a suit has to remember of new runs under these terms."""
    cap = holding.cap
    shortest = min((slot.size for slot in terms.runs), default=ENDLESS)
    shut_wild = holding.shut_wild
    even = 2 * cap <= shortest
    """So few wild cards that they cannot outnumber the naturals of any run."""
    touching = terms.touching or holding.new_runs < 2
    whole = terms.ratio_always and not terms.exact_runs and not split and touching
    """The run as it lies in the end could have gone down at once."""
    ratio_opening = terms.ratio_opening and not even and not whole
    need_natural = (not terms.all_wild_run or ratio_opening) and cap >= shortest
    phased = terms.own_layoff and (not touching or ratio_opening or split or (terms.exact_runs and need_natural))
    frees = holding.frees and ratio_opening
    return Rules(
        phased=phased,
        greedy=phased and touching and not terms.exact_runs and not holding.loose,
        split=split,
        swaps=swaps,
        adjacent=not terms.adjacent_wilds and (shut_wild or cap > (0 if holding.wild_end else 1)),
        limit=terms.wild_limit if cap > terms.wild_limit or shut_wild else ENDLESS,
        ratio_opening=ratio_opening,
        ratio_always=terms.ratio_always and (shut_wild or not even),
        need_natural=need_natural,
        all_wild_run=terms.all_wild_run,
        max_run=_longest(terms, holding),
        track_length=_may_be_too_long(terms, holding, 0, holding.gaps),
        one_ace=terms.one_ace and holding.gaps <= cap,
        exact=terms.exact_runs and (phased or not terms.own_layoff),
        own_layoff=terms.own_layoff,
        sizes=tuple(slot.size for slot in terms.runs),
        cap=cap,
        top=cap + shut_wild,
        shut_wild=shut_wild,
        frees=frees,
        moved=frees and split and terms.swap_target in ("another-meld", "same-run"),
    )


def _longest(terms: Terms, holding: Holding) -> int:
    """Give the greatest length of a run; where it matters whether one is full, thirteen fill one that cannot hold both aces."""
    return min(terms.max_run, 13) if (holding.shut or holding.shut_wild) and terms.one_ace else terms.max_run


def _may_be_too_long(terms: Terms, holding: Holding, size: int, gaps: int) -> bool:
    """Tell whether a run that has ``size`` cards, and so many gaps beside it, could outgrow the greatest length. One that goes
    all round the circle must have filled every gap.
    """
    if holding.shut or holding.shut_wild:
        return size + holding.cards + holding.cap >= _longest(terms, holding)
    if terms.max_run >= (26 if terms.wrap else 13) or size + holding.cards + holding.cap <= terms.max_run:
        return False
    return terms.max_run < 13 or gaps <= holding.cap


class Watch(NamedTuple):
    """Which limits the cards in hand can break on one table run."""

    ratio: bool
    limit: bool
    length: bool
    ace: bool
    moved: bool

    def start(self, run: TableRun, cap: int) -> Total:
        """Give what is remembered of the run before anything is laid off on it."""
        balance = min(cap, run.naturals - len(run.wilds)) if run.naturals else -ALONE - len(run.wilds)
        return Total(
            balance if self.ratio else 0,
            len(run.wilds) if self.limit else 0,
            run.size if self.length else int(run.low == 1 or run.high >= 14) if self.ace else 0,
        )


def watch_of(run: TableRun, terms: Terms, split: bool, holding: Holding, gaps: Sequence[int]) -> Watch:
    """Say which limits can be broken on a table run; ``gaps`` are the places without a card in hand. A run that may go just once
    round the circle needs no watching: its ends may not meet.
    """
    cap = holding.cap
    covered = {(run.low + step - 1) % 13 + 1 if terms.wrap else run.low + step for step in range(run.size)}
    outside = sum(place not in covered for place in gaps)
    length = terms.max_run != CIRCLE and _may_be_too_long(terms, holding, run.size, outside)
    return Watch(
        ratio=terms.ratio_always and (run.naturals - len(run.wilds) < cap or holding.shut_wild),
        limit=len(run.wilds) + cap > terms.wild_limit or (holding.shut_wild and terms.wild_limit < ENDLESS),
        length=length,
        ace=not length and terms.one_ace and outside <= cap,
        moved=split and terms.swap_target in ("another-meld", "same-run") and any(place not in gaps for place in run.wilds),
    )


def went_down(run: Open, rules: Rules) -> bool:
    """Tell whether the cards that went down make a legal run by themselves."""
    if run.core < rules.sizes[run.which]:
        return False
    if rules.need_natural and not run.naturals & 1:
        return rules.all_wild_run
    return not rules.ratio_opening or run.balance >= 0


def may_end(run: Open, rules: Rules) -> bool:
    """Tell whether the run may be left as it is."""
    if run.part == AHEAD or (run.part == CORE and not went_down(run, rules)):
        return False
    return not rules.ratio_always or run.total >= 0 or not run.naturals & 2


def is_shut(run: Open, owes: int, rules: Rules) -> bool:
    """Tell whether a new run cannot take the card to be discarded, to which its ends stand open as ``owes`` says."""
    if not owes or (rules.track_length and run.length >= rules.max_run):
        return True
    if rules.ratio_always and not run.naturals & 2 and owes == OPEN_TO_ALL:
        return run.total <= -2
    few = run.wilds >= rules.limit or (rules.ratio_always and run.naturals & 2 > 0 and run.total <= 0)
    return owes == OPEN_TO_WILD and few


def lacks_naturals(run: Open, rules: Rules) -> int:
    """Say how many naturals a new run must still get at the least."""
    lack = 0
    if rules.ratio_always and run.total < 0 and (run.naturals & 2 or not rules.all_wild_run):
        lack = -run.total
    if run.part == BEYOND:
        return lack
    if rules.ratio_opening and run.part == CORE and run.balance < -lack and (run.naturals & 1 or not rules.bare):
        lack = -run.balance
    if not lack and rules.need_natural and not (run.naturals & 1 or rules.all_wild_run):
        lack = 1
    return lack


def ease(run: Open, wilds: int, rules: Rules) -> Open:
    """Forget what of a new run cannot matter any more when it gets no more than so many wild cards."""
    total, balance, count, after = min(run.total, wilds), run.balance, run.wilds, run.after_wild
    if run.part == CORE and balance > wilds:
        balance = wilds
    if rules.limit < ENDLESS and count < rules.limit - wilds:
        count = rules.limit - wilds
    if not wilds:
        after = 0
    if (total, balance, count, after) == (run.total, run.balance, run.wilds, run.after_wild):
        return run
    return run._replace(total=total, balance=balance, wilds=count, after_wild=after)


def grow(run: Open, natural: bool, place: int, rules: Rules) -> list[tuple[Open, bool, bool]]:
    """Give what a new run can become with one more card: the run, whether its core ended before, whether its core begins here."""
    if run.after_wild and not natural:
        return []
    wilds = run.wilds
    if not natural and rules.limit < ENDLESS:
        wilds += 1
        if wilds > rules.limit:
            return []
    length = run.length
    if rules.track_length:
        length += 1
        if length > rules.max_run:
            return []
    elif rules.one_ace:
        if place == 1:
            length = 1
        elif place == 14 and length:
            return []
    after = 1 if rules.adjacent and not natural else 0
    step = 1 if natural else -1
    total = max(-rules.top, min(rules.top, run.total + step)) if rules.ratio_always else 0
    naturals = run.naturals
    any_natural = (naturals | 2 if natural else naturals) & 2 if rules.ratio_always else 0
    core_natural = 1 if natural and rules.need_natural else 0
    size = rules.sizes[run.which]
    bare = Open(OWN, run.which, AHEAD, 0, 0, any_natural, total, wilds, length, after, run.entered, run.owes, run.moved)
    if run.part == AHEAD:
        ahead = bare._replace(balance=START) if rules.greedy and not natural else bare
        if rules.moved and not natural:
            ahead = ahead._replace(moved=run.moved + 1)
        if rules.greedy and run.balance != START and (natural or not rules.bare):
            return [(ahead, False, False)]
        balance = step if rules.ratio_opening else 0
        first = bare._replace(part=CORE, core=1, balance=balance, naturals=core_natural | any_natural)
        return [(ahead, False, False), (first, False, True)]
    laid = run.moved + 1 if rules.moved and not natural else run.moved
    if run.part == BEYOND:
        return [(bare._replace(part=BEYOND, moved=laid), False, False)]
    grown: list[tuple[Open, bool, bool]] = []
    if not (rules.exact and run.core == size) and not (run.naturals & SWAPPED and (natural or _is_laid(run, rules))):
        balance = max(-rules.cap, min(rules.cap, run.balance + step)) if rules.ratio_opening else 0
        core = min(size, run.core + 1)
        kept = naturals & (1 | SWAPPED)
        more = bare._replace(part=CORE, core=core, balance=balance, naturals=kept | core_natural | any_natural)
        grown.append((more, False, False))
    bare_core = rules.bare and not naturals & 1
    if rules.phased and went_down(run, rules) and not (rules.greedy and natural and not bare_core):
        grown.append((bare._replace(part=BEYOND, moved=laid), True, False))
    return grown


def _is_laid(run: Open, rules: Rules) -> bool:
    """Tell whether no more wild cards need go down for some of them to be freed, as all else can be laid off."""
    return rules.own_layoff and run.part == CORE and run.core == rules.sizes[run.which]


def swap_in(run: Open, place: int, rules: Rules) -> list[tuple[Open, bool, bool]]:
    """Give what a new run can become where one more wild card goes down with it and a natural is put in its place; as
    :func:`grow` does.
    """
    if run.part == BEYOND or run.naturals & 1 or _is_laid(run, rules):
        return []
    wilds = run.wilds if rules.own_layoff else run.wilds + (rules.limit < ENDLESS)
    if wilds > rules.limit:
        return []
    moved = run.moved + FREED_HERE if rules.moved else 0
    grown = grow(run._replace(wilds=0, naturals=0), False, place, rules)
    return [
        (new._replace(naturals=SWAPPED, balance=0, wilds=wilds, moved=moved), ended, began)
        for new, ended, began in grown
        if new.part == CORE
    ]


def strain_of(run: Open, target: str) -> int | None:
    """Say how many wild cards must be laid off for those freed from a new run to go where they may; ``None`` if they cannot."""
    freed, laid = divmod(run.moved, FREED_HERE)
    if target == "same-run":
        return 0 if freed <= laid else None
    return freed + laid if freed else 0
