"""The exact search: ranks of sets fixed one after another, the four suits swept and joined, the sets shared out.

Fix the ranks of the new sets. Every natural of another rank can then only lie in a run (or on a set of the table), and
runs of different suits share nothing but wild cards and the cards taken away from sets. So each suit is swept by itself
(:mod:`continental.rules.solver.sweep`), and the ways of the four suits are joined like a small knapsack.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import Any, Final

from continental.rules.cards import JOKER
from continental.rules.solver.binding import frees_runs, frees_sets, most_freed
from continental.rules.solver.budget import Budget
from continental.rules.solver.loosening import without_limits
from continental.rules.solver.plan import NewSet, Plan
from continental.rules.solver.scene import Scene, freeing
from continental.rules.solver.serving import DIGIT, FREED, LOOSE, MASK, REST, Places
from continental.rules.solver.sets import HeldSet, Pick
from continental.rules.solver.sharing import Chosen, RankCounts, SetCost, SetWay, Sharing, rank_choices
from continental.rules.solver.sweep import ALL, Back, Growth, SetRanks, Sweep, Ways, rebuild, spent
from continental.rules.solver.swift import Swift, together
from continental.rules.solver.terms import FACE, SUITED, Terms


def _ranks_of(chosen: Chosen) -> tuple[int, ...]:
    return tuple([rank for rank, slots in chosen.items() for _ in slots])


_Result = tuple[int, tuple[Back, ...], SetWay, int]
_Joined = dict[int, dict[int, tuple[int, tuple[Back, ...]]]]
"""By the wild cards that must be laid off for those freed to go elsewhere: the best value of each packed cost, and its ways."""

Shared = dict[Any, Any]
"""What the searches of one question share: the sweeps of suits in which nothing changed."""

FIRST_GAP: Final = 64
"""Plays are first looked for that miss the bound by no more than one card in so many is worth."""


def bounding(scene: Scene, free: Terms, shared: Shared, budget: Budget) -> Swift:
    """Give the quick search, by terms without limits, that bounds the exact ones. The first helps all those with fewer cards."""
    suits = shared.setdefault(("suits", id(scene.weights)), {})
    first = shared.get(("first", free, id(scene.weights)))
    swift = Swift(replace(scene, terms=free, unplayable=None), suits, budget, loose=True, more=first)
    if first is None:
        shared["first", free, id(scene.weights)] = swift
    return swift


class Search:
    """One search for the best play of a scene."""

    def __init__(self, scene: Scene, budget: Budget, shared: Shared | None = None, *, strict: bool = True) -> None:
        """Prepare what does not hang on the ranks of the sets.

        Args:
            scene: the cards and the table.
            budget: what the whole question may still look at.
            shared: what other searches of the question found out.
            strict: mind where a freed wild card may go, and that it cannot go down. Otherwise this may be broken, and what is
                found is a bound, unless it happens to keep to it.
        """
        self.scene = scene
        self.shared: Shared = {} if shared is None else shared
        terms = self.terms = scene.terms
        self.wilds = len(scene.pool)
        self.budget = budget
        self.held: dict[int, list[tuple[int, HeldSet]]] = {}
        if terms.others_layoff:
            for item in scene.sets:
                held = HeldSet(item.naturals, item.wilds, item.rank == 0)
                self.held.setdefault(item.rank, []).append((item.meld, held))
        self.swappable = most_freed(scene)
        self.frees = frees_sets(scene), frees_runs(scene)
        self.swaps = self.swappable > 0
        self.split = (self.swaps or bool(scene.loose)) and strict
        self.cap = self.wilds + self.swappable
        self.hand = RankCounts(
            [sum(row[rank] for row in scene.naturals) for rank in range(14)],
            [sum(row[rank] for row in scene.natural_wilds) if terms.limited else 0 for rank in range(14)],
        )
        weights = scene.weights
        self.even = [
            len({weights[FACE[suit, rank]] for suit in range(4) if scene.naturals[suit][rank]}) < 2 for rank in range(14)
        ]
        tight = (
            scene.unplayable is not None or terms.max_set < 60 or terms.ratio_always or terms.wild_limit < 60 or terms.swap_set
        )
        self.tracked_held = frozenset(self.held if tight else ())
        self.fine = (
            not terms.repeat_suits or not all(self.even) or (terms.limited and not self._even_wilds()) or bool(scene.loose)
        )
        self.places = self._lay_out_costs()
        self.standing: dict[int, list[str]] = {}
        """Natural wild cards by the place where a cost counts those of them that stand as themselves."""
        for card in scene.pool if terms.limited else ():
            if card != JOKER:
                self.standing.setdefault(self.places.selves[SUITED[card]], []).append(card)
        self.sweeps = [self._sweep(suit) for suit in range(4)]
        self.sharing = Sharing(scene, self.hand, self.held, self.places, self.cap, fine=self.fine, unplayable=scene.unplayable)
        self.prefix = [0]
        for card in scene.pool:
            self.prefix.append(self.prefix[-1] + weights[card])
        self.bounded = min(weights.values()) >= 0
        self.relaxed: Swift | None = None
        """What bounds a play: the search by the same rules without limits."""
        self.price = 0
        """What a wild card is worth elsewhere: so much each way of laying a suit must bring in for those that it takes."""

    def _even_wilds(self) -> bool:
        """Tell whether no two natural wild cards of one rank are worth different points."""
        cards = {card for card in self.scene.pool if card != JOKER}
        return len({(card[0], self.scene.weights[card]) for card in cards}) == len({card[0] for card in cards})

    def _lay_out_costs(self) -> Places:
        """Give each number that a cost may hold its bits: the same for all searches of a question."""
        ranks = sorted({SUITED[card][1] for card in self.terms.wild if card in SUITED}) if self.terms.limited else []
        each = 4 if self.fine else 1
        selves = {
            (suit, rank): REST + DIGIT * (each * number + (suit if self.fine else 0))
            for number, rank in enumerate(ranks)
            for suit in range(4)
        }
        above = REST + DIGIT * each * len(ranks)
        if self.fine:
            taken = {(suit, rank): above + DIGIT * (4 * rank + suit) for suit in range(4) for rank in range(1, 14)}
        else:
            taken = {(suit, rank): above + DIGIT * rank for suit in range(4) for rank in range(1, 14)}
        return Places(selves, taken, above + DIGIT * (56 if self.fine else 14), freeing(self.scene))

    def _sweep(self, suit: int) -> tuple[Sweep, dict[Any, tuple[int, dict[int, Ways]]]]:
        """Give the sweep of a suit with all that is known of it, from an earlier search if nothing of it has changed."""
        scene = self.scene
        card = scene.unplayable
        closed = card if card in self.terms.wild or (card in SUITED and SUITED[card][0] == suit) else None
        key = (
            suit,
            scene.terms,
            id(scene.weights),
            tuple(scene.naturals[suit]),
            tuple(scene.natural_wilds[suit]),
            self.cap,
            self.swaps,
            self.split,
            closed,
            self.fine,
            scene.loose,
            self.frees,
            self.places.freeing,
        )
        if key not in self.shared:
            self.shared[key] = Sweep(scene, suit, self.split, self.swaps, self.cap, self.places, self.budget), {}
        found: tuple[Sweep, dict[Any, tuple[int, dict[int, Ways]]]] = self.shared[key]
        return found

    # -- the search -----------------------------------------------------------------------------------------------------

    @cached_property
    def order(self) -> list[tuple[int, Chosen]]:
        """The ranks that the sets may have, the most promising first, with what a play with them can be worth at most."""
        return self._in_order()

    def is_out_of_reach(self, least: int | None) -> bool:
        """Tell whether no play can be worth so much, as far as the quick way can say."""
        return not self.order or (least is not None and self.order[0][0] < least)

    def best(self, least: int | None = None, most: int = ALL) -> Plan | None:
        """Give the play of most worth; with ``least``, only one that is worth that much; none is worth more than ``most``.

        Plays near to the bound are looked for first, as then little may be left behind and most ways are dropped soon; where
        there are none the search is widened.
        """
        lowest = -ALL if least is None else least - 1
        order = self.order
        if not order:
            return None
        highest = min(order[0][0], most)
        gap = max(1, highest // FIRST_GAP)
        while True:
            near = highest - gap
            whole = self.scene.cover or not self.bounded or near - gap <= max(lowest, 0)
            best = self._above(lowest if whole else near, order)
            if best is not None:
                return self._plan(*best)
            if whole:
                return None
            gap *= 3

    def _above(self, floor: int, order: list[tuple[int, Chosen]]) -> tuple[Chosen, _Result] | None:
        """Give the best play that is worth more than ``floor``."""
        best: tuple[Chosen, _Result] | None = None
        for bound, chosen in order:
            if bound <= floor:
                break
            result = self._with_ranks(chosen, floor)
            if result is not None:
                floor = result[0]
                best = (chosen, result)
        return best

    def _in_order(self) -> list[tuple[int, Chosen]]:
        """Line up the ranks of the sets, the most promising first, with what they can be worth at most.

        The quick way gives the bound: what could be played if it did not matter which meld holds a wild card.
        """
        choices = list(rank_choices(self.scene, self.hand, self.budget))
        free = without_limits(self.terms)
        if self.scene.cover or not self.bounded:
            return [(ALL, chosen) for chosen in choices]
        closed = any(slot.exact for slot in self.terms.sets) and not self.terms.own_layoff
        if free is None or (closed and not all(self.even)):
            order = [(self._bound(chosen), chosen) for chosen in choices]
        else:
            relaxed = self.relaxed = bounding(self.scene, free, self.shared, self.budget)
            order = []
            for chosen in choices:
                bound = relaxed.bound(_ranks_of(chosen))
                if bound is not None:
                    order.append((bound, chosen))
        order.sort(key=lambda item: -item[0])
        if order and self.relaxed is not None:
            self.price = self.relaxed.price(_ranks_of(order[0][1]))
        return order

    def _set_ranks(self, chosen: Chosen) -> SetRanks:
        """Say what the sweeps must know of the sets."""
        own = frozenset(rank for rank in chosen if rank)
        return SetRanks(own, own | frozenset(rank for rank in self.held if rank), own | (self.tracked_held - {0}))

    def _bound(self, chosen: Chosen) -> int:
        """Bound the worth of a play with these ranks of sets."""
        sets = self._set_ranks(chosen)
        return self._base(sets) + sum(max(tops) for tops in self._tops(chosen, sets)) + self.prefix[-1]

    def _room(self, chosen: Chosen) -> int:
        """Give the wild cards that sets of these ranks leave for runs."""
        return self.wilds - self.relaxed.need(_ranks_of(chosen)) if self.relaxed is not None else 0

    def _tops(self, chosen: Chosen, sets: SetRanks) -> list[list[int]]:
        """Bound what the runs of each suit are worth when their wild cards are paid for, by the number of new runs in it."""
        most = sum(0 if slot.count is None else slot.count for slot in self.terms.runs)
        if any(slot.count is None for slot in self.terms.runs):
            most = self.scene.size
        if self.relaxed is not None:
            return self.relaxed.tops(_ranks_of(chosen), self.price)
        return [[sweep.top(count, sets) for count in range(min(2, most) + 1)] for sweep, _ in self.sweeps]

    def _base(self, sets: SetRanks) -> int:
        """Give the worth of all cards that sets could take."""
        naturals, weights = self.scene.naturals, self.scene.weights
        return sum(naturals[suit][rank] * weights[FACE[suit, rank]] for rank in sets.free for suit in range(4))

    def _with_ranks(self, chosen: Chosen, floor: int) -> _Result | None:
        """Give the best play with these ranks of sets, if it beats ``floor``."""
        sets = self._set_ranks(chosen)
        base = self._base(sets)
        tops = self._tops(chosen, sets) if self.bounded else [[ALL]] * 4
        least = floor + 1 - base - self.prefix[-1] - self.price * self._room(chosen) if self.bounded else -ALL
        best: _Result | None = None
        best_freed = 0
        set_ways: dict[int, list[tuple[SetCost, SetWay]]] = {}
        fixed = (1 << self.places.owners) - 1
        for strain, ways in self._join_suits(sets, tops, least).items():
            for cost, (value, backs) in ways.items():
                if base + value + self.prefix[-1] <= floor and self.bounded:
                    continue
                key = (cost & fixed) >> REST
                found = set_ways.get(key)
                if found is None:
                    found = set_ways[key] = self.sharing.share(chosen, sets.tracked, cost)
                for set_cost, way in found:
                    self.budget.spend(1)
                    hand = self._hand_wilds(cost, strain, set_cost)
                    if hand is None or (self.scene.cover and hand != self.wilds):
                        continue
                    worth = base + value + way.worth + self._pool_worth(hand, cost, set_cost)
                    freed = (cost >> FREED & MASK) + set_cost.freed
                    if worth > floor or (best is not None and worth == floor and freed < best_freed):
                        floor, best_freed = worth, freed
                        best = (worth, backs, way, hand)
        return best

    def _hand_wilds(self, cost: int, strain: int, sets: SetCost) -> int | None:
        """Give how many wild cards of the hand a play lays; ``None`` where the wild cards do not come out."""
        total = (cost & MASK) + (cost >> LOOSE & MASK) + sets.used
        if not self.swaps:
            return total if total <= self.wilds else None
        freed = (cost >> FREED & MASK) + sets.freed
        if not self.split:
            return total - freed if freed <= total <= self.wilds + freed else None
        down = (cost & MASK) + sets.core
        loose = total - down
        if total > self.wilds + freed or down > self.wilds or loose < freed or max(strain, sets.strain) > loose:
            return None
        owners = (cost >> self.places.owners) + sets.owners
        while owners:
            if owners & MASK < owners >> DIGIT & MASK:
                return None
            owners >>= 2 * DIGIT
        return total - freed

    def _pool_worth(self, count: int, cost: int, sets: SetCost) -> int:
        """Give the worth of the dearest ``count`` wild cards among which those are that stand as themselves."""
        skip: list[str] = []
        for shift, cards in self.standing.items():
            number = (cost >> shift & MASK) + (sets.selves >> shift & MASK)
            if number:
                skip += cards[:number]
        if not skip:
            return self.prefix[count]
        fixed = 0
        rest = list(self.scene.pool)
        for card in skip:
            rest.remove(card)
            fixed += self.scene.weights[card]
        return fixed + sum(self.scene.weights[card] for card in rest[: count - len(skip)])

    def _join_suits(self, sets: SetRanks, tops: list[list[int]], least: int) -> _Joined:
        """Join the ways of the four suits that are worth ``least`` together when their wild cards are paid for."""
        wanted = tuple(slot.count for slot in self.terms.runs)
        joined: dict[tuple[int, ...], _Joined] = {tuple(0 for _ in wanted): {0: {0: (0, ())}}}
        for suit in range(4):
            others = [row for other, row in enumerate(tops) if other != suit]
            after = tops[suit + 1 :]
            later: dict[tuple[int, ...], _Joined] = {}
            for done, before in joined.items():
                for counts in self._counts(suit, wanted, done):
                    now = tuple(a + b for a, b in zip(done, counts, strict=True))
                    least_here = least - self._highest(others, sum(counts))
                    least_so_far = least - self._highest(after, sum(now))
                    for strain, extra in self._ways(suit, counts, sets, tops[suit], least_here).items():
                        for strain_before, ways in before.items():
                            into = later.setdefault(now, {}).setdefault(max(strain, strain_before), {})
                            self._join(ways, extra, into, least_so_far)
            joined = later
        return next(iter(joined.values()), {})

    def _highest(self, tops: list[list[int]], runs: int) -> int:
        """Bound what some suits are worth when the others have so many of the new runs."""
        if self.relaxed is None:
            return sum(max(row) for row in tops)
        return together(tops, self.relaxed.runs)[self.relaxed.runs - runs]

    def _counts(self, suit: int, wanted: tuple[int | None, ...], done: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Give how many new runs of each slot may lie in a suit when so many are done; the last suit takes all that are left."""
        ranges = [
            range(1) if count is None else range(count - have, count - have + 1) if suit == 3 else range(count - have + 1)
            for count, have in zip(wanted, done, strict=True)
        ]
        for counts in product(*ranges):
            if self.terms.same_suit or sum(counts) <= 1:
                yield counts

    def _join(
        self,
        ways: dict[int, tuple[int, tuple[Back, ...]]],
        extra: Ways,
        into: dict[int, tuple[int, tuple[Back, ...]]],
        least: int,
    ) -> None:
        """Join the ways of some suits with those of one more."""
        cap, price = self.cap, self.price
        self.budget.spend(len(ways) * len(extra) // 16)
        for cost, (value, backs) in ways.items():
            for more, (gain, back) in extra.items():
                new = cost + more
                worth = value + gain
                if worth - price * spent(new) < least or (new & MASK) + (new >> LOOSE & MASK) > cap:
                    continue
                old = into.get(new)
                if old is None or old[0] < worth:
                    into[new] = worth, (*backs, back)

    def _ways(self, suit: int, counts: tuple[int, ...], sets: SetRanks, tops: list[int], least: int) -> dict[int, Ways]:
        """Give the ways of a suit that are worth at least so much when their wild cards are paid for."""
        sweep, known = self.sweeps[suit]
        naturals = self.scene.naturals[suit]
        present = frozenset(rank for rank in range(1, 14) if naturals[rank])
        here = SetRanks(sets.own & present, sets.free & present, sets.tracked & present)
        slots = self.terms.runs
        need = sum(slot.size * count for slot, count in zip(slots, counts, strict=True))
        have = sum(naturals) + self.wilds
        if need > have:
            return {}
        pending = tuple(count if slot.count is not None else have // slot.size for slot, count in zip(slots, counts, strict=True))
        if not self.terms.same_suit:
            pending = tuple(min(1, count) for count in pending)
        if tops[min(sum(pending), len(tops) - 1)] < least:
            return {}
        key = pending, here, self.price
        found = known.get(key)
        if found is None or found[0] > least:
            found = known[key] = least, sweep.ways(pending, here, least, self.price)
        return found[1]

    def _plan(self, chosen: Chosen, result: _Result) -> Plan:
        worth, backs, way, hand = result
        grown: list[tuple[int, Growth]] = []
        swaps: list[tuple[int, int, int, str]] = []
        for back in backs:
            runs, swapped = rebuild(back)
            grown += [(back[0], run) for run in runs]
            swaps += [(back[0], *swap) for swap in swapped]
        new_sets: list[NewSet] = []
        held_sets: list[tuple[int, Pick]] = []
        in_sets = {rank: (share.put, share.stood) for rank, share in way.chosen if share.put and share.stood}
        for rank, share in way.chosen:
            own = chosen.get(rank, ())
            for (slot, _), pick in zip(own, share.picks, strict=False):
                new_sets.append(NewSet(slot, rank, pick))
            for (meld, _), pick in zip(self.held.get(rank, ()), share.picks[len(own) :], strict=True):
                held_sets.append((meld, pick))
        return Plan(worth, grown, swaps, new_sets, held_sets, hand, in_sets)
