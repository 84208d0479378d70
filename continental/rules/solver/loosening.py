"""Which terms the quick search knows, and the terms with their limits on wild cards taken away, which bound every play."""

from dataclasses import replace

from continental.rules.cards import JOKER
from continental.rules.solver.terms import ENDLESS, Terms


def is_swift(terms: Terms) -> bool:
    """Tell whether the quick way knows these terms."""
    return (
        _open_ended(terms)
        and not terms.wrap
        and not (terms.ratio_opening or terms.ratio_always)
        and terms.wild_limit >= ENDLESS
        and not terms.set_naturals
        and terms.adjacent_wilds
        and terms.same_suit
        and ((terms.all_wild_run and terms.all_wild_set) or terms.wild <= {JOKER})
        and terms.max_set >= ENDLESS
        and terms.max_run >= 13
        and terms.repeat_suits
        and not terms.swap_set
        and (not terms.swap_run or terms.swap_target == "any")
        and not terms.not_playable
        and len(terms.runs) <= 1
        and len(terms.sets) <= 1
        and all(slot.count is not None for slot in terms.runs)
        and all(slot.count is not None for slot in terms.sets)
    )


def _open_ended(terms: Terms) -> bool:
    """Tell whether it does not matter which cards of a new run go down: more may be laid off on it, or it has its exact size, or
    all of it goes down and nothing hangs on where it ends.
    """
    few = sum(slot.count or 0 for slot in terms.runs) < 2
    return terms.own_layoff or terms.exact_runs or not ((terms.swap_run and terms.others_layoff) or not (terms.touching or few))


def without_limits(terms: Terms) -> Terms | None:
    """Take away all limits on which meld may hold a wild card; ``None`` where the quick way does not know even these terms.

    Whatever can be played under the terms can be played without the limits, so this bounds what a play can be worth. Where runs
    pass through the ace it is no more than a bound.
    """
    free = replace(
        terms,
        ratio_opening=False,
        ratio_always=False,
        wild_limit=ENDLESS,
        set_naturals=0,
        adjacent_wilds=True,
        all_wild_run=True,
        all_wild_set=True,
        bare_set=False,
        max_set=ENDLESS,
        max_run=max(13, terms.max_run),
        one_ace=False if terms.max_run > 13 else terms.one_ace,
        same_suit=True,
        repeat_suits=True,
        swap_target="any",
        not_playable=False,
    )
    return free if is_swift(replace(free, wrap=False)) else None
