"""The best play of a turn.

Ties are settled the same way every time: fewest points left, then fewest cards left, then the first
found when ranks of sets are taken from the ace to the king and suits as spades, hearts, diamonds, clubs.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import product
from math import prod
from typing import Final

from continental.rules.cards import JOKER, Laid
from continental.rules.layoffs import swap_wild
from continental.rules.notation import sort_cards
from continental.rules.parameters import HandRule, RuleSet
from continental.rules.solver.answers import BestPlay, LayOff
from continental.rules.solver.binding import most_freed, only_binding
from continental.rules.solver.budget import Budget, TooLarge
from continental.rules.solver.cover import Quick, Undecided, cover, quick_of
from continental.rules.solver.fullest import can_search, fullest, may_open
from continental.rules.solver.laying import Table, lay_out
from continental.rules.solver.loosening import is_swift, without_limits
from continental.rules.solver.plan import Plan, choose_cores
from continental.rules.solver.scene import Loose, Scene, scene_of
from continental.rules.solver.search import Search, Shared, bounding
from continental.rules.solver.sweep import ALL
from continental.rules.solver.swift import Cache, Swift
from continental.rules.solver.terms import ENDLESS, FACE, Terms, terms_of
from continental.rules.turn import play
from continental.rules.turn_question import Action, Lying, TurnQuestion

MOST_STEPS: Final = 150_000
"""Steps of all searches of a question before it is given up as too large.

Of some seven thousand legal turns that :mod:`tests.bench.generator` dealt, four took more than a fifth of the bound, and none
more than half: red aces and jokers that can be freed from many runs. Of the 56 turns of hardest.jsonl and best.jsonl none took
a fifth.
"""

STEPS_TO_OPEN: Final = 2_000
"""Steps of the search for an opening alone before the exact search looks for one."""

MOST_KEPT: Final = 64
"""Choices of cards to keep for being worth less than nothing, or of swaps: as many as of six that are all different."""

CARD_WORTH = 1
POINT_WORTH = 128
"""Points decide before the number of cards: no hand holds 128 cards."""


def best_play(cards: Sequence[str], rules: RuleSet, hand: HandRule, table: Sequence[Lying] = ()) -> BestPlay:
    """Go down if the cards allow it, lay off what can be laid off, keep a discard where the rules ask for one: leave the
    fewest points.

    Args:
        cards: all cards held after drawing.
        rules: the rule set.
        hand: the hand that is played.
        table: the melds of the other players with their ids.

    Raises:
        TooLarge: the search met its budget, which no legal hand does.
    """
    budget = Budget(MOST_STEPS)
    best = _best_of_all(cards, rules, hand, table, budget)
    keeping = [_keeping(kept, cards, rules, hand, table, budget) for kept in _worth_keeping(cards, rules, hand)]
    return _best_of((best, *keeping)) or best


def _best_of(plays: Iterable[BestPlay]) -> BestPlay | None:
    """Give the first of those that leave the fewest points, and then the fewest cards; ``None`` where nothing can be played."""
    possible = (play for play in plays if play.possible)
    return min(possible, key=lambda play: (play.points or 0, len(play.left)), default=None)


def _best_of_all(cards: Sequence[str], rules: RuleSet, hand: HandRule, table: Sequence[Lying], budget: Budget) -> BestPlay:
    """Find the best play where it never costs to lay a card."""
    best = _freely(cards, rules, hand, table, budget)
    if not rules.play_last_two or best.discard is None or best.left:
        return best
    # Nobody goes out by discarding (``contract.out.two-cards``), so a card stays beside the discard.
    kept = () if hand.all_cards or hand.must_go_out else dict.fromkeys(sort_cards(cards))
    nothing = BestPlay(False, (), (), None, tuple(sort_cards(cards)), points_of(cards, rules))
    return _best_of(_keeping((card,), cards, rules, hand, table, budget) for card in kept) or nothing


def _freely(cards: Sequence[str], rules: RuleSet, hand: HandRule, table: Sequence[Lying], budget: Budget) -> BestPlay:
    """Find the best play, in which wild cards freed by swaps may also be laid off as the naturals they are.

    The search lays freed cards as wild cards. Where it could matter to a limit, it is asked again for each choice of swaps, as if
    they were made already and the freed cards were naturals that must be laid off.
    """
    best = _Best(cards, rules, hand, table, budget).play()
    terms = terms_of(rules, hand)
    if not terms.others_layoff or (best.possible and not best.left) or not _counts_wilds(scene_of(terms, cards, ONES, table)):
        return best
    plays = [best]
    for rest, lying, loose in _freed(cards, terms, table):
        with suppress(Undecided):
            plays.append(_Best(rest, rules, hand, lying, budget, loose, table, best.left if best.possible else None).play())
    return _best_of(plays) or best


def _counts_wilds(scene: Scene) -> bool:
    """Tell whether it can matter to a meld whether a card laid off on it is wild or a natural."""
    terms = only_binding(scene)
    return terms.ratio_always or terms.wild_limit < ENDLESS or not terms.adjacent_wilds


def _freed(
    cards: Sequence[str], terms: Terms, table: Sequence[Lying]
) -> Iterator[tuple[list[str], tuple[Lying, ...], tuple[Loose, ...]]]:
    """Give every choice of swaps that free natural wild cards: the cards left in hand, the table then, and what was freed.

    Raises:
        TooLarge: there are more choices than can be looked at.
    """
    seen: set[tuple[Loose, ...]] = {()}
    waiting: list[tuple[list[str], tuple[Lying, ...], tuple[Loose, ...]]] = [(list(cards), tuple(table), ())]
    while waiting:
        held, lying, loose = waiting.pop()
        for number, item in enumerate(lying):
            meld = item.meld
            if meld is None or not (terms.swap_run if meld.kind == "run" else terms.swap_set):
                continue
            for card in dict.fromkeys(held):
                swapped = swap_wild(meld, card) if card != JOKER else None
                if swapped is None or swapped[1] == JOKER:
                    continue
                more = tuple(sorted((*loose, Loose(number, card, swapped[1]))))
                if more in seen:
                    continue
                if len(seen) > MOST_KEPT:
                    raise TooLarge
                seen.add(more)
                changed = (*lying[:number], item._replace(meld=swapped[0]), *lying[number + 1 :])
                waiting.append((_without(held, [card]), changed, more))
                yield waiting[-1]


def _worth_keeping(cards: Sequence[str], rules: RuleSet, hand: HandRule) -> Iterator[tuple[str, ...]]:
    """Give every choice of cards that are worth less than nothing, as it may be best to be left with just these.

    The search for the best play takes them as worth nothing. Of the choice that the best play keeps, it finds that play or one
    as good: whatever else it keeps of such cards only takes points off.

    Raises:
        TooLarge: there are more choices than can be looked at.
    """
    values = {card: rules.value(card) for card in set(cards)}
    if None in values.values() or hand.all_cards or hand.no_discard or hand.must_go_out:
        return
    worthy = [card for card in sort_cards(values) if (values[card] or 0) < 0]
    if prod(cards.count(card) + 1 for card in worthy) > MOST_KEPT:
        raise TooLarge
    counts = product(*(range(cards.count(card) + 1) for card in worthy))
    for count in counts:
        if any(count):
            yield tuple(card for card, times in zip(worthy, count, strict=True) for _ in range(times))


def _keeping(
    kept: Sequence[str], cards: Sequence[str], rules: RuleSet, hand: HandRule, table: Sequence[Lying], budget: Budget
) -> BestPlay:
    """Find the best play that leaves some cards beside the discard, so that nobody goes out by it."""
    usual, discarding = replace(rules, play_last_two=False), replace(hand, discard_to_go_out=True)
    play = _freely(_without(cards, kept), usual, discarding, table, budget)
    left = tuple(sort_cards((*play.left, *kept)))
    return play._replace(left=left, points=points_of(left, rules))


def points_of(cards: Sequence[str], rules: RuleSet) -> int | None:
    """Count cards; ``None`` where the league has yet to enter the points of one."""
    values = [rules.value(card) for card in cards]
    return None if None in values else sum(value or 0 for value in values)


ONES: Final = dict.fromkeys((*FACE.values(), JOKER), CARD_WORTH)
_NOTHING: Final = dict.fromkeys((*FACE.values(), JOKER), 0)


def solve(
    terms: Terms,
    cards: Sequence[str],
    weights: Mapping[str, int],
    table: Table = (),
    *,
    cover: bool = False,
    least: int | None = None,
    unplayable: str | None = None,
    cache: Cache | None = None,
    judge: Callable[[Scene, Plan, str | None], bool] | None = None,
    budget: Budget | None = None,
    loose: tuple[Loose, ...] = (),
) -> tuple[Scene, Plan] | None:
    """Find the best plan: the quick way where the rules allow it, else by the exact search."""
    budget = Budget(MOST_STEPS) if budget is None else budget
    cache = Cache(0) if cache is None else cache
    if loose:
        scene = scene_of(terms, cards, weights, table, unplayable=unplayable, loose=loose)
        plan = Search(scene, budget, cache.shared).best(least)
        return None if plan is None else (scene, plan)
    scene = scene_of(terms, cards, weights, table, cover=cover, unplayable=unplayable)
    if not is_swift(terms):
        binding = only_binding(scene)
        if binding is not terms:
            terms = binding
            scene = scene_of(terms, cards, weights, table, cover=cover, unplayable=unplayable)
    if not cover and is_swift(terms):
        for lax in (True, False):
            with suppress(Undecided):
                swift = Swift(scene, cache.suits, budget, loose=lax, more=cache.more(lax))
                cache.keep(swift)
                quick = swift.best(least)
                return None if quick is None else (scene, quick)
    elif not cover and judge is not None and (free := without_limits(terms)) is not None and not free.wrap:
        with suppress(Undecided):
            free_scene = replace(scene, terms=free, unplayable=None)
            swift = Swift(free_scene, cache.suits, budget, loose=True, more=cache.more(True), limits=terms)
            cache.keep(swift)
            quick = swift.best(least)
            if quick is None:
                return None
            if judge(free_scene, quick, unplayable):
                return free_scene, quick
    search = Search(scene, budget, cache.shared)
    if not cover and (search.is_out_of_reach(least) or not _may_open(terms, cards, budget, cache.shared)):
        return None
    if cover or judge is None or not most_freed(scene):
        plan = search.best(len(cards) if cover else least)
        return None if plan is None else (scene, plan)
    if not terms.own_layoff and terms.swap_target != "another-meld":
        plan = search.best(least)
        if plan is None or judge(scene, plan, unplayable):
            return None if plan is None else (scene, plan)
    still = replace(scene, terms=replace(terms, swap_run=False, swap_set=False))
    kept = Search(still, budget, cache.shared).best(least)
    better = least if kept is None else kept.worth + 1
    found = _swapping(scene, better, search, lambda plan: judge(scene, plan, unplayable))
    return (scene, found) if found is not None else None if kept is None else (still, kept)


def _swapping(scene: Scene, least: int | None, search: Search, judge: Callable[[Plan], bool]) -> Plan | None:
    """Find the best play that is worth so much, in which wild cards are freed.

    The search minds where a freed wild card may go, but not that each step must be legal when it is made, nor that a wild card
    may go by way of another meld. So the plays that it finds without minding, which bound all others, are tried first.
    """
    terms, budget, shared = scene.terms, search.budget, search.shared
    easy = replace(scene, terms=replace(terms, swap_target="any"))
    bound: int = ALL
    if terms.own_layoff:
        plan = Search(easy, budget, shared, strict=False).best(least)
        if plan is None:
            return None
        with suppress(Undecided):
            choose_cores(plan, terms)
            if judge(plan):
                return plan
        bound = plan.worth
    best = search.best(least, bound)
    if best is not None and not judge(best):
        best = None
    if terms.swap_target == "another-meld" and (best is None or best.worth < bound):
        plan = Search(easy, budget, shared).best(least if best is None else best.worth + 1, bound)
        if plan is not None and judge(plan):
            return plan
    return best


def _may_open(terms: Terms, cards: Sequence[str], budget: Budget, shared: Shared) -> bool:
    """Tell whether the cards hold the opening at all: without the table there is far less to look at."""
    if any(slot.count is None for slot in terms.runs) or any(slot.count is None for slot in terms.sets):
        return True
    alone = replace(terms, own_layoff=False, others_layoff=False, not_playable=False)
    scene = scene_of(alone, cards, _NOTHING, ())
    if can_search(alone):
        with suppress(TooLarge):
            return may_open(scene, Budget(STEPS_TO_OPEN))
    return Search(replace(scene, terms=only_binding(scene)), budget, shared).best() is not None


def _without(cards: Sequence[str], played: Sequence[str]) -> list[str]:
    left = list(cards)
    for card in played:
        left.remove(card)
    return left


class _Best:
    """The search for the best play of one turn: one search for each card that might be discarded, the hopeless ones left out."""

    def __init__(
        self,
        cards: Sequence[str],
        rules: RuleSet,
        hand: HandRule,
        table: Sequence[Lying],
        budget: Budget,
        loose: tuple[Loose, ...] = (),
        before: Sequence[Lying] | None = None,
        left: Sequence[str] | None = None,
    ) -> None:
        """Prepare; ``loose`` are wild cards freed already, which must be laid off, ``before`` is the table before that, and
        ``left`` what is left by a play that is known, so that only better ones are wanted.
        """
        self.loose = loose
        self.known_left = left
        self.before = tuple(table if before is None else before)
        self.cards = sort_cards(cards)
        self.rules = rules
        self.hand = hand
        self.terms = terms_of(rules, hand)
        self.table = tuple(table)
        values = {card: rules.value(card) for card in {*cards, *(item.wild for item in loose)}}
        self.known = None not in values.values()
        self.weights = dict(ONES)
        if self.known:
            self.weights |= {card: max(0, value or 0) * POINT_WORTH + CARD_WORTH for card, value in values.items()}
        self.ones = dict(ONES)
        self.cache = Cache(len(cards))
        self.budget = budget

    def play(self) -> BestPlay:
        """Find the best play."""
        terms = self.terms
        whole = terms.all_cards or terms.no_discard or terms.must_go_out
        found = self._go_out() if whole else self._leave_least()
        nothing = BestPlay(False, (), (), None, tuple(self.cards), self._points(self.cards))
        if found is None:
            return nothing
        scene, plan, discard = found
        if self.loose and not self._judge(scene, plan, discard):
            return nothing
        laid = lay_out(scene, plan, self.rules, self.table, self.before)
        if not laid.played:
            return nothing
        left = _without(self.cards, laid.played)
        if discard is not None:
            left.remove(discard)
        return BestPlay(True, laid.melds, laid.steps, discard, tuple(left), self._points(left))

    def _judge(self, scene: Scene, plan: Plan, discard: str | None) -> bool:
        """Tell whether a play found without regard to the limits keeps to them all the same: the referee plays the turn, with the
        discard where it may break a rule.
        """
        try:
            laid = lay_out(scene, plan, self.rules, self.table, self.before)
        except Undecided:
            return False
        actions = [Action(0, "open", tuple([meld.cards for meld in laid.melds]))] if laid.melds else []
        for number, step in enumerate(laid.steps, start=1):
            if isinstance(step, LayOff):
                actions.append(Action(number, "layoff", (step.cards,), step.meld, "", step.end or None))
            else:
                actions.append(Action(number, "swap", ((Laid(step.card),),), step.meld, step.wild_to, step.end or None))
        if discard is not None:
            actions.append(Action(len(actions), "discard", ((Laid(discard),),)))
        asked = TurnQuestion(
            rules=self.rules,
            players=2,
            hand=self.hand,
            last_hand=False,
            table=self.before,
            player="\0",
            opened=frozenset(),
            held=None,
            drawn_from=None,
            drawn=None,
            claimed=False,
            actions=tuple(actions),
        )
        return play(asked).verdict == "legal"

    def _points(self, cards: Sequence[str]) -> int | None:
        return points_of(cards, self.rules) if self.known else None

    def _go_out(self) -> tuple[Scene, Plan, str | None] | None:
        """Lay the whole hand but for the discard that the rules may ask for."""
        terms = self.terms
        discards: list[str | None] = []
        if terms.no_discard or not (terms.discard_to_go_out or terms.all_cards):
            discards.append(None)
        if not terms.no_discard:
            discards += self._by_worth()
        for discard in discards:
            if discard is not None and not self._may_discard(discard):
                continue
            rest = self.cards if discard is None else _without(self.cards, [discard])
            if terms.all_cards and not self._may_all_go_down(rest):
                continue
            solved = solve(
                terms,
                rest,
                self.ones,
                self.table,
                cover=terms.all_cards,
                least=len(rest) + len(self.loose),
                unplayable=discard if terms.not_playable else None,
                cache=Cache(0, self.cache.suits, shared=self.cache.shared),
                judge=self._judge,
                budget=self.budget,
                loose=self.loose,
            )
            if solved is not None and not self._may_still_be_laid(*solved, discard):
                return *solved, discard
        return None

    @cached_property
    def _quick(self) -> Quick | None:
        return quick_of(self.terms)

    def _may_all_go_down(self, cards: Sequence[str]) -> bool:
        """Tell whether one opening may take all cards, as far as that is told quickly."""
        if self._quick is not None:
            with suppress(Undecided):
                return cover(self._quick, cards) is not None
        if can_search(self.terms):
            with suppress(TooLarge):
                return fullest(scene_of(self.terms, cards, ONES, ()), 0, 0, Budget(STEPS_TO_OPEN)) is not None
        return True

    def _by_worth(self) -> list[str]:
        return sorted(dict.fromkeys(self.cards), key=lambda card: -self.weights[card])

    def _always_playable(self) -> frozenset[str]:
        """Give cards that can be laid off whatever else is played: to keep one for the discard gains nothing if one is left."""
        terms = self.terms
        if not terms.others_layoff or terms.not_playable or terms.max_set < ENDLESS:
            return frozenset()
        sets = [lying.meld for lying in self.table if lying.meld and lying.meld.kind != "run"]
        ranks = {meld.rank for meld in sets if not (terms.ratio_always and meld.all_wild)}
        free = bool(ranks) and not terms.ratio_always and terms.wild_limit >= ENDLESS
        return frozenset(card for card in self.cards if (free if card in terms.wild else card[0] in ranks))

    def _may_discard(self, card: str) -> bool:
        """Tell whether the card may be discarded as far as that hangs on the table as it lies
        (``contract.discard.not-playable``).
        """
        terms = self.terms
        if not terms.not_playable or not terms.others_layoff:
            return True
        melds = [lying.meld for lying in self.table if lying.meld is not None]
        if card not in terms.wild:
            open_to = [meld for meld in melds if meld.rank == card[0] and not (terms.ratio_always and meld.all_wild)]
            return terms.max_set < ENDLESS or not open_to
        if terms.wild_limit < ENDLESS or terms.ratio_always or not terms.adjacent_wilds:
            return True
        if terms.own_layoff and terms.max_set >= ENDLESS and any(slot.count for slot in terms.sets):
            return False
        most_run = min(terms.max_run, 13 if terms.one_ace else 14)
        more = len(self.cards) - 1
        return all(len(meld.cards) + more >= (most_run if meld.kind == "run" else terms.max_set) for meld in melds)

    def _may_still_be_laid(self, scene: Scene, plan: Plan, discard: str | None) -> bool:
        """Tell whether some meld could take the wild card that is discarded after all. The search sees to it that none can, but
        that a wild card in a set of its own rank is read as a natural (R-90) leaves more room than it counts on.
        """
        return discard in self.terms.wild and self.terms.not_playable and not self._judge(scene, plan, discard)

    def _may_be_better(self, worth: int, above: int) -> bool:
        """Tell whether a discard worth more than ``above`` may make play and discard worth more than ``worth``: the quick search
        says so of all cards at once, if need be by terms without limits.
        """
        if self.loose:
            return True
        swift = self.cache.more(loose=False)
        if swift is None:
            free = without_limits(self.terms)
            if free is None:
                return True
            swift = bounding(scene_of(free, self.cards, self.weights, self.table), free, self.cache.shared, self.budget)
        return swift.most_keeping(worth, above) > worth

    def _least_to_beat(self, left: Sequence[str], total: int) -> int | None:
        """Give what a play must be worth so that less than ``left`` may be left after the discard; ``None`` where no play is, as
        far as the quick search can say.

        A card that is discarded for a play to be better must be dear enough. The dearest are left out one after another where no
        play with one of them kept could do.
        """
        known = sum(self.weights[card] for card in left)
        dearest = sorted({self.weights[card] for card in self.cards}, reverse=True)
        free = without_limits(self.terms)
        if free is not None:
            scene = scene_of(free, self.cards, self.weights, self.table, loose=self.loose)
            swift = bounding(scene, free, self.cache.shared, self.budget)
            while dearest and swift.most_keeping(total - known, dearest[0] - 1) <= total - known:
                dearest.pop(0)
        if not dearest:
            return None if self.terms.discard_to_go_out else total
        return total - known + 1 - dearest[0]

    def _leave_least(self) -> tuple[Scene, Plan, str | None] | None:
        """Play so that the cards left after the discard are worth the least."""
        terms, weights = self.terms, self.weights
        total = sum(weights[card] for card in (*self.cards, *(item.wild for item in self.loose)))
        least = None
        if self.known_left is not None:
            least = self._least_to_beat(self.known_left, total)
            if least is None:
                return None
        free = solve(
            terms,
            self.cards,
            weights,
            self.table,
            cache=self.cache,
            judge=self._judge,
            budget=self.budget,
            least=least,
            loose=self.loose,
        )
        if free is None:
            return None
        least_left = total - free[1].worth
        best: tuple[Scene, Plan, str | None] | None = None
        best_left: int | None = None
        if not least_left and not terms.discard_to_go_out:
            return *free, None
        if least_left and not terms.not_playable:
            left = _without(self.cards, lay_out(*free, self.rules, self.table, self.before).played)
            discard = max(left, key=lambda card: weights[card])
            best, best_left = (*free, discard), least_left - weights[discard]
        easy = self._always_playable()
        hopeful: bool | None = None
        order = self._by_worth() if least_left else sorted(self._by_worth(), key=lambda card: card not in easy)
        for discard in order:
            if best_left is not None and (best_left <= 0 or least_left - weights[discard] >= best_left):
                break
            if least_left and best_left is not None and discard in easy:
                continue
            if not self._may_discard(discard):
                continue
            if best_left is not None and hopeful is None:
                hopeful = self._may_be_better(total - best_left, least_left - best_left)
            if hopeful is False:
                break
            rest_total = total - weights[discard]
            solved = solve(
                terms,
                _without(self.cards, [discard]),
                weights,
                self.table,
                least=None if best_left is None else rest_total - best_left + 1,
                unplayable=discard if terms.not_playable else None,
                cache=self.cache,
                judge=self._judge,
                budget=self.budget,
                loose=self.loose,
            )
            if solved is not None and not self._may_still_be_laid(*solved, discard):
                best, best_left = (*solved, discard), rest_total - solved[1].worth
        return best
