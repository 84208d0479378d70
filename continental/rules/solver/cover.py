"""The quick way to lay every card in one opening, or to prove that it cannot be done.

All cards must be laid, so every natural whose rank no set takes must lie in a run. The search asks first which suits could hold
the runs: outside them there may be no more ranks than sets, which refuses nearly every hand at once. With the ranks of the sets
fixed, :mod:`continental.rules.solver.chains` looks for the runs.

Limits on wild cards within one meld are left out of account here. That can only allow too much: "impossible" is final, and an
opening found is checked against the limits; where it breaks one, the exact search decides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, combinations_with_replacement

from continental.rules.solver.answers import LayDown
from continental.rules.solver.chains import Chains, Run
from continental.rules.solver.quick import Quick, Undecided, quick_of
from continental.rules.solver.spread import spread
from continental.rules.solver.tally import COUNT, SHIFT, copies_in, faces_in, natural_wilds, rank_count, ranks_of

__all__ = ["Quick", "Undecided", "cover", "quick_of"]


def cover(quick: Quick, cards: Sequence[str]) -> LayDown | None:
    """Lay all the cards.

    Returns:
        The opening; ``None`` where there is none.

    Raises:
        Undecided: an opening was found that breaks a limit on wild cards, so that the exact search must decide.
    """
    if len(cards) < quick.least:
        return None
    tally = sum(map(quick.adds, cards))
    bare = natural_wilds(tally)
    jokers = rank_count(tally, 0) - bare
    if jokers > quick.most_jokers or (quick.ratio and 2 * jokers > len(cards)):
        return None
    if bare and not quick.bare:
        quick = replace(quick, bare=True)
    found = _find(quick, tally)
    return None if found is None else spread(quick, cards, tally, *found)


def _find(quick: Quick, tally: int) -> tuple[tuple[int, ...], Sequence[Run]] | None:
    """Find the ranks of the sets and the runs."""
    faces = faces_in(tally)
    sets = quick.sets
    seen: set[tuple[int, ...]] = set()
    for outside in quick.suits:
        needed = 0
        for suit in outside:
            needed |= faces[suit]
        fixed = needed.bit_count()
        if fixed > sets:
            continue
        choices: Iterator[tuple[int, ...]] | tuple[tuple[int, ...]]
        if fixed == sets:
            choices = (ranks_of(needed),)
        else:
            choices = _set_ranks(quick, ranks_of(needed), faces[0] | faces[1] | faces[2] | faces[3], tally)
        for chosen in choices:
            if chosen in seen:
                continue
            seen.add(chosen)
            runs = _with_ranks(quick, chosen, tally)
            if runs is not None:
                return chosen, runs
    return None


def _set_ranks(quick: Quick, fixed: tuple[int, ...], inside: int, tally: int) -> Iterator[tuple[int, ...]]:
    """Give every choice of ranks for the sets (0 for a set of wild cards alone) that takes all the ranks that must be taken."""
    size = quick.set_size
    more = quick.sets - len(fixed)
    wilds = spare = rank_count(tally, 0)
    for rank in fixed:
        spare -= max(0, size - rank_count(tally, rank))
    if spare < 0:
        return
    same = quick.terms.same_rank
    options = [rank for rank in ranks_of(inside) if size - rank_count(tally, rank) <= spare and (same or rank not in fixed)]
    bare = (quick.terms.all_wild_set or quick.bare) and wilds >= size
    if same:
        choices: Iterator[tuple[int, ...]] = combinations_with_replacement([*options, 0] if bare else options, more)
    else:
        choices = combinations(options + [0] * (min(more, wilds // size) if bare else 0), more)
    for choice in choices:
        yield tuple(sorted(fixed + choice))


def _with_ranks(quick: Quick, chosen: tuple[int, ...], tally: int) -> Sequence[Run] | None:
    """Find the runs that take every natural of another rank than those chosen."""
    mask = surplus = before = 0
    budget = rank_count(tally, 0)
    size = quick.set_size
    for rank in chosen:
        shift = SHIFT[rank]
        if not rank:
            budget -= size
        elif rank == before:
            have = surplus >> shift & COUNT
            surplus -= min(have, size) << shift
            budget -= max(0, size - have)
        else:
            mask |= COUNT << shift
            spare = rank_count(tally, rank) - size
            if spare > 0:
                surplus += spare << shift
            else:
                budget += spare
        before = rank
    if budget < 0:
        return None
    copies = copies_in(tally)
    must = [pack & ~mask for pack in copies]
    if not quick.runs:
        return None if any(must) or (quick.exact_sets and (surplus or budget)) else ()
    return Chains(quick, [pack & mask for pack in copies]).search(must, surplus, budget)
