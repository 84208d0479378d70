"""Going down and nothing else: with all of the cards, or with as many as possible."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Final

from continental.rules.cards import JOKER
from continental.rules.notation import sort_cards
from continental.rules.parameters import HandRule, RuleSet
from continental.rules.solver.answers import LayDown
from continental.rules.solver.budget import Budget, TooLarge
from continental.rules.solver.cover import Quick, Undecided, cover, quick_of
from continental.rules.solver.fullest import Fullest, can_search, fullest
from continental.rules.solver.laying import lay_out
from continental.rules.solver.plan import Plan
from continental.rules.solver.play import MOST_STEPS as STEPS_OF_TURN
from continental.rules.solver.play import ONES, solve
from continental.rules.solver.scene import Scene, count_cards
from continental.rules.solver.terms import Terms, terms_of

MOST_STEPS: Final = 12_000
"""Steps of a search before a question is given up as too large, after some forty milliseconds. Hands from real packs, dealt or
with an opening in them, took a fifth at most; it takes ten wild cards among twenty of one suit to come near.
"""


_NO_END: Final = 1000
"""Stands for as many melds as one likes: more than there are cards for."""

_FEW_STEPS: Final = 200
"""Steps after which a question is not told quickly."""


def open_with_all(cards: Sequence[str], rules: RuleSet, hand: HandRule, budget: Budget | None = None) -> LayDown | None:
    """Lay every card in one opening, or prove that it cannot be done.

    Args:
        cards: the cards to lay, and no others: where the hand also asks for a discard, that card is not among them.
        rules: the rule set.
        hand: the hand that is played.
        budget: what may be looked at, where several questions share it.

    Returns:
        The opening, or ``None`` if there is none.

    Raises:
        TooLarge: the search met its budget, which no legal hand does.
    """
    terms, quick = _terms_to_open(rules, hand)
    if quick is not None:
        try:
            return cover(quick, cards)
        except Undecided:
            pass
    if can_search(terms):
        scene = _scene(cards, terms)
        found = fullest(scene, 0, 0, budget or Budget(MOST_STEPS))
        return None if found is None else _laid(cards, rules, scene, found)
    plan = solve(terms, cards, ONES, cover=True, budget=budget or _budget_of_sweep(terms))
    return None if plan is None else _laid(cards, rules, *plan)


def lay_down(cards: Sequence[str], rules: RuleSet, hand: HandRule) -> LayDown | None:
    """Give the legal opening that uses as many of the cards as possible; ``None`` if they hold none.

    Raises:
        TooLarge: the search met its budget, which no legal hand does.
    """
    return CardsToLay(cards, rules, hand).lay_down()


class CardsToLay:
    """Cards of which one opening is to use as many as it can; what all searches need to know of them is worked out once."""

    def __init__(self, cards: Sequence[str], rules: RuleSet, hand: HandRule) -> None:
        """Take the cards, and no others, the rule set and the hand that is played."""
        self._cards = cards
        self._rules = rules
        self._terms, self._quick = _terms_to_open(rules, hand)
        self._scene: Scene | None = None
        self._search: Fullest | None = None

    def lay_down(self, least_out: int = 0, most_out: int | None = None, budget: Budget | None = None) -> LayDown | None:
        """Give the legal opening that uses as many of the cards as possible; ``None`` if there is none.

        Args:
            least_out: how many cards are left over at least, as far as the caller knows.
            most_out: what leaves more cards over is not wanted.
            budget: what may be looked at, where several questions share it.

        Raises:
            TooLarge: the search met its budget, which no legal hand does.
        """
        terms, cards = self._terms, self._cards
        if self._quick is not None and not least_out:
            with suppress(Undecided):
                whole = cover(self._quick, cards)
                if whole is not None:
                    return whole
        most_out = len(cards) if most_out is None else most_out
        if can_search(terms):
            scene, search = self._searched()
            plan = search.best(least_out, most_out, budget or Budget(MOST_STEPS))
            return None if plan is None else _laid(cards, self._rules, scene, plan)
        swept = solve(terms, cards, ONES, budget=budget or _budget_of_sweep(terms))
        laid = None if swept is None else _laid(cards, self._rules, *swept)
        return None if laid is None or len(laid.left) > most_out else laid

    def may_leave(self, count: int) -> bool:
        """Tell whether an opening may leave exactly so many of the cards over; ``True`` also where that is not told quickly."""
        if not can_search(self._terms):
            return True
        try:
            return self._searched()[1].best(count, count, Budget(_FEW_STEPS)) is not None
        except TooLarge:
            return True

    def must_leave(self) -> int:
        """Say how many of the cards every opening leaves over at least, as far as sizes and limits on wild cards tell."""
        most, most_wilds = _room(self._terms)
        return max(0, len(self._cards) - most, self._cards.count(JOKER) - most_wilds)

    def _searched(self) -> tuple[Scene, Fullest]:
        if self._scene is None or self._search is None:
            self._scene = _scene(self._cards, self._terms)
            self._search = Fullest(self._scene)
        return self._scene, self._search


@lru_cache(maxsize=512)
def _room(terms: Terms) -> tuple[int, int]:
    """Give how many cards, and how many wild ones, an opening holds at most."""
    longest = terms.max_run if terms.wrap else min(terms.max_run, 13 if terms.one_ace else 14)
    slots = [(run.count, run.size if terms.exact_runs else longest) for run in terms.runs]
    slots += [(item.count, item.size if item.exact else terms.max_set) for item in terms.sets]
    counts = [_NO_END if count is None else count for count, _ in slots]
    return sum([count * size for count, (_, size) in zip(counts, slots, strict=True)]), sum(counts) * terms.wild_limit


def _budget_of_sweep(terms: Terms) -> Budget:
    """Give what the sweep may look at: more where a set asks for different suits, which takes longer even for legal hands."""
    return Budget(MOST_STEPS if terms.repeat_suits else STEPS_OF_TURN)


def _scene(cards: Sequence[str], terms: Terms) -> Scene:
    naturals, natural_wilds, jokers = count_cards(cards, terms.wild)
    return Scene(terms=terms, naturals=naturals, natural_wilds=natural_wilds, jokers=jokers, weights=ONES)


def _laid(cards: Sequence[str], rules: RuleSet, scene: Scene, plan: Plan) -> LayDown | None:
    """Give the cards of a plan their places."""
    laid = lay_out(scene, plan, rules, ())
    if not laid.melds:
        return None
    left = list(cards)
    for card in laid.played:
        left.remove(card)
    return LayDown(laid.melds, tuple(sort_cards(left)))


_PREPARED: Final[dict[tuple[int, int], tuple[RuleSet, HandRule, Terms, Quick | None]]] = {}
_MOST_PREPARED: Final = 512


def _terms_to_open(rules: RuleSet, hand: HandRule) -> tuple[Terms, Quick | None]:
    """Give the terms of the opening alone, without lay-offs. Known rule sets are found by identity: to hash one takes longer
    than to arrange a hand.
    """
    key = id(rules), id(hand)
    known = _PREPARED.get(key)
    if known is None or known[0] is not rules or known[1] is not hand:
        terms = replace(terms_of(rules, hand), own_layoff=False, others_layoff=False)
        if len(_PREPARED) >= _MOST_PREPARED:
            _PREPARED.clear()
        known = _PREPARED[key] = rules, hand, terms, quick_of(terms)
    return known[2], known[3]
