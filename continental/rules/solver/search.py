"""The exact search: ranks of sets fixed one after another, the four suits swept and joined, the sets shared out.

Fix the ranks of the new sets. Every natural of another rank can then only lie in a run (or on a set of the table), and
runs of different suits share nothing but wild cards and the cards taken away from sets. So each suit is swept by itself
(:mod:`continental.rules.solver.sweep`), and the ways of the four suits are joined like a small knapsack.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple

from continental.rules.solver.plan import NewSet, Plan
from continental.rules.solver.scene import Scene
from continental.rules.solver.sets import HeldSet, OwnSet, Pick, Share, shares
from continental.rules.solver.sweep import DIGIT, Back, Budget, Growth, Key, Sweep, rebuild, rules_of
from continental.rules.solver.swift import Swift, without_limits
from continental.rules.solver.terms import FACE, SUITED

_MASK = (1 << DIGIT) - 1


class _SetKey(NamedTuple):
    """What a way of filling the sets costs: as in :class:`Key`, and ``used``, the wild cards spent in all."""

    used: int = 0
    core: int = 0
    selves: int = 0
    freed: int = 0
    strain: int = 0
    owners: int = 0


_Chosen = dict[int, tuple[tuple[int, OwnSet], ...]]
"""The ranks of the new sets, and the slots laid in each."""


class _SetWay(NamedTuple):
    worth: int
    chosen: tuple[tuple[int, Share], ...]


_Result = tuple[int, tuple[Back, ...], _SetWay, int]


class Search:
    """One search for the best play of a scene."""

    def __init__(self, scene: Scene, budget: Budget) -> None:
        """Prepare what does not hang on the ranks of the sets."""
        self.scene = scene
        terms = self.terms = scene.terms
        self.wilds = len(scene.pool)
        self.budget = budget
        runs = scene.runs if terms.others_layoff else ((), (), (), ())
        self.held: dict[int, list[tuple[int, HeldSet]]] = {}
        if terms.others_layoff:
            for item in scene.sets:
                held = HeldSet(item.naturals, item.wilds, item.rank == 0)
                self.held.setdefault(item.rank, []).append((item.meld, held))
        self.owner = {item.meld: item.owner for item in scene.sets}
        self.swappable = self._most_freed(runs)
        self.swaps = self.swappable > 0
        self.cap = self.wilds + self.swappable
        self.rules = rules_of(terms, self.swaps, self.cap)
        self.by_rank = [sum(scene.naturals[suit][rank] for suit in range(4)) for rank in range(14)]
        self.selves_by_rank = [
            sum(scene.natural_wilds[suit][rank] for suit in range(4)) if terms.limited else 0 for rank in range(14)
        ]
        weights = scene.weights
        self.even = [
            len({weights[FACE[suit, rank]] for suit in range(4) if scene.naturals[suit][rank]}) < 2 for rank in range(14)
        ]
        tight = (
            scene.unplayable is not None or terms.max_set < 60 or terms.ratio_always or terms.wild_limit < 60 or terms.swap_set
        )
        self.tracked_held = frozenset(self.held if tight else ())
        self.fine = not terms.repeat_suits or not all(self.even)
        digits: dict[tuple[int, int], int] = {}
        shifts: dict[int, int] = {}
        for suit in range(4):
            for rank in range(1, 14):
                if self.selves_by_rank[rank] and scene.natural_wilds[suit][rank]:
                    digits[suit, rank] = shifts.setdefault(rank, DIGIT * len(shifts))
        self.self_shift = shifts
        self.sweeps = [Sweep(scene, suit, self.rules, self.fine, digits, self.budget) for suit in range(4)]
        self.cache: dict[tuple[int, tuple[int, ...], frozenset[int], frozenset[int]], dict[Key, tuple[int, Back]]] = {}
        card = scene.unplayable
        self.closed = SUITED[card][1] if card is not None and card in SUITED else -1
        self.prefix = [0]
        for card in scene.pool:
            self.prefix.append(self.prefix[-1] + weights[card])

    def _most_freed(self, runs: object) -> int:
        """Count the wild cards of the table that cards in hand could free."""
        scene, terms = self.scene, self.terms
        freed = 0
        if terms.others_layoff and terms.swap_run:
            for suit in range(4):
                places: dict[int, int] = {}
                for run in scene.runs[suit]:
                    for place in run.wilds:
                        rank = 1 if place == 14 else place
                        places[rank] = places.get(rank, 0) + 1
                freed += sum(
                    min(count, scene.naturals[suit][rank] + scene.natural_wilds[suit][rank]) for rank, count in places.items()
                )
        if terms.others_layoff and terms.swap_set:
            for item in scene.sets:
                if item.rank:
                    have = sum(scene.naturals[suit][item.rank] + scene.natural_wilds[suit][item.rank] for suit in range(4))
                    freed += min(item.wilds, have)
        return freed

    # -- choosing the ranks of the sets ---------------------------------------------------------------------------------

    def rank_choices(self) -> Iterator[_Chosen]:
        """Give every way to choose the ranks of the new sets: rank → the slots laid in it."""
        terms = self.terms
        ranks = []
        for rank in range(1, 14):
            have = self.by_rank[rank] + self.selves_by_rank[rank]
            if have and any(self.by_rank[rank] + self.wilds >= slot.size for slot in terms.sets):
                ranks.append(rank)
        if terms.all_wild_set and self.wilds:
            ranks.append(0)
        options = []
        for number, slot in enumerate(terms.sets):
            own = OwnSet(slot.size, slot.exact)
            if slot.count is None:
                most = self.scene.size // slot.size
                options.append(
                    [[(rank, number, own) for rank in chosen] for count in range(most + 1) for chosen in self._draw(ranks, count)]
                )
            else:
                options.append([[(rank, number, own) for rank in chosen] for chosen in self._draw(ranks, slot.count)])
        for choice in product(*options):
            self.budget.spend(1)
            by_rank: dict[int, list[tuple[int, OwnSet]]] = {}
            for rank, number, own in (item for part in choice for item in part):
                by_rank.setdefault(rank, []).append((number, own))
            if not terms.same_rank and any(len(items) > 1 for rank, items in by_rank.items() if rank):
                continue
            need = sum(
                max(0, sum(own.size for _, own in items) - (self.by_rank[rank] if rank else 0)) for rank, items in by_rank.items()
            )
            if need <= self.wilds:
                yield {rank: tuple(items) for rank, items in sorted(by_rank.items())}

    def _draw(self, ranks: list[int], count: int) -> Iterator[tuple[int, ...]]:
        if self.terms.same_rank:
            return combinations_with_replacement(ranks, count)
        if 0 in ranks:
            named = [rank for rank in ranks if rank]
            return ((*chosen, *([0] * bare)) for bare in range(count + 1) for chosen in combinations(named, count - bare))
        return combinations(ranks, count)

    # -- the search -----------------------------------------------------------------------------------------------------

    def best(self, least: int | None = None) -> Plan | None:
        """Give the play of most worth; with ``least``, only one that is worth that much."""
        best: tuple[_Chosen, _Result] | None = None
        floor = -(10**9) if least is None else least - 1
        for bound, chosen in self._in_order():
            if bound is not None and bound <= floor:
                break
            result = self._with_ranks(chosen, floor)
            if result is not None:
                floor = result[0]
                best = (chosen, result)
        return None if best is None else self._plan(*best)

    def _in_order(self) -> list[tuple[int | None, _Chosen]]:
        """Line up the ranks of the sets, the most promising first, with what they can be worth at most.

        The quick way gives the bound: what could be played if it did not matter which meld holds a wild card.
        """
        choices = list(self.rank_choices())
        free = without_limits(self.terms)
        if self.scene.cover or free is None or min(self.scene.weights.values()) < 0:
            return [(None, chosen) for chosen in choices]
        swift = Swift(replace(self.scene, terms=free, unplayable=None), {}, self.budget, loose=True)
        order: list[tuple[int | None, _Chosen]] = []
        for chosen in choices:
            bound = swift.bound(tuple([rank for rank, slots in chosen.items() for _ in slots]))
            if bound is not None:
                order.append((bound, chosen))
        order.sort(key=lambda item: -(item[0] or 0))
        return order

    def _with_ranks(self, chosen: _Chosen, floor: int) -> _Result | None:
        """Give the best play with these ranks of sets, if it beats ``floor``."""
        scene = self.scene
        set_ranks = frozenset(rank for rank in chosen if rank)
        free = set_ranks | frozenset(rank for rank in self.held if rank)
        tracked = set_ranks | (self.tracked_held - {0})
        paid = free - tracked
        base = sum(scene.naturals[suit][rank] * scene.weights[FACE[suit, rank]] for rank in paid for suit in range(4))
        joined = self._join_suits(set_ranks, tracked, paid)
        best: _Result | None = None
        set_ways: dict[tuple[int, int], list[tuple[_SetKey, _SetWay]]] = {}
        for key, (value, backs) in joined.items():
            ways = set_ways.get((key.taken, key.selves))
            if ways is None:
                ways = set_ways[key.taken, key.selves] = self._share_sets(chosen, tracked, key)
            for cost, way in ways:
                self.budget.spend(1)
                hand = self._hand_wilds(key, cost)
                if hand is None:
                    continue
                if scene.cover and hand != self.wilds:
                    continue
                worth = base + value + way.worth + self._pool_worth(hand, key.selves + cost.selves)
                if worth > floor:
                    floor = worth
                    best = (worth, backs, way, hand)
        return best

    def _hand_wilds(self, key: Key, cost: _SetKey) -> int | None:
        """Give how many wild cards of the hand a play lays; ``None`` where the wild cards do not come out."""
        total = key.core + key.loose + cost.used
        if not self.swaps:
            return total if total <= self.wilds else None
        freed = key.freed + cost.freed
        down = key.core + cost.core
        loose = total - down
        if total > self.wilds + freed or down > self.wilds or loose < freed or max(key.strain, cost.strain) > loose:
            return None
        owners = key.owners + cost.owners
        while owners:
            if owners & _MASK < owners >> DIGIT & _MASK:
                return None
            owners >>= 2 * DIGIT
        return total - freed

    def _pool_worth(self, count: int, selves: int) -> int:
        """Give the worth of the dearest ``count`` wild cards among which ``selves`` are."""
        if not selves:
            return self.prefix[count]
        fixed = 0
        skip: list[str] = []
        for rank, shift in self.self_shift.items():
            number = selves >> shift & _MASK
            cards = [card for card in self.scene.pool if card != "JK" and card[0] == FACE[0, rank][0]][:number]
            skip += cards
        rest = list(self.scene.pool)
        for card in skip:
            rest.remove(card)
            fixed += self.scene.weights[card]
        return fixed + sum(self.scene.weights[card] for card in rest[: count - len(skip)])

    def _join_suits(
        self, set_ranks: frozenset[int], tracked: frozenset[int], paid: frozenset[int]
    ) -> dict[Key, tuple[int, tuple[Back, ...]]]:
        """Join the ways of the four suits."""
        terms = self.terms
        wanted = tuple(slot.count for slot in terms.runs)
        joined: dict[tuple[tuple[int, ...], Key], tuple[int, tuple[Back, ...]]] = {(tuple(0 for _ in wanted), Key()): (0, ())}
        for suit in range(4):
            later: dict[tuple[tuple[int, ...], Key], tuple[int, tuple[Back, ...]]] = {}
            by_done: dict[tuple[int, ...], list[tuple[Key, int, tuple[Back, ...]]]] = {}
            for (done, key), (value, backs) in joined.items():
                by_done.setdefault(done, []).append((key, value, backs))
            for done, ways in by_done.items():
                ranges = [
                    range(1) if count is None else range(count - have, count - have + 1) if suit == 3 else range(count - have + 1)
                    for count, have in zip(wanted, done, strict=True)
                ]
                for counts in product(*ranges):
                    if not terms.same_suit and sum(counts) > 1:
                        continue
                    now = tuple(a + b for a, b in zip(done, counts, strict=True))
                    for extra, (more, back) in self._ways(suit, counts, set_ranks, tracked, paid).items():
                        for key, value, backs in ways:
                            core, loose = key.core + extra.core, key.loose + extra.loose
                            if core + loose > self.cap:
                                continue
                            self.budget.spend(1)
                            new = Key(
                                core,
                                loose,
                                key.freed + extra.freed,
                                key.owners + extra.owners,
                                max(key.strain, extra.strain),
                                key.selves + extra.selves,
                                key.taken + extra.taken,
                            )
                            old = later.get((now, new))
                            if old is None or old[0] < value + more:
                                later[now, new] = (value + more, (*backs, back))
            joined = later
        return {key: found for (_, key), found in joined.items()}

    def _ways(
        self, suit: int, counts: tuple[int, ...], set_ranks: frozenset[int], tracked: frozenset[int], paid: frozenset[int]
    ) -> dict[Key, tuple[int, Back]]:
        naturals = self.scene.naturals[suit]
        present = frozenset(rank for rank in range(1, 14) if naturals[rank])
        key = (suit, counts, set_ranks & present, tracked & present)
        found = self.cache.get(key)
        if found is None:
            slots = self.terms.runs
            need = sum(slot.size * count for slot, count in zip(slots, counts, strict=True))
            have = sum(naturals) + self.wilds
            if need > have:
                found = {}
            else:
                pending = tuple(
                    count if slot.count is not None else have // slot.size for slot, count in zip(slots, counts, strict=True)
                )
                if not self.terms.same_suit:
                    pending = tuple(min(1, count) for count in pending)
                found = self.sweeps[suit].ways(pending, set_ranks, tracked, paid)
            self.cache[key] = found
        return found

    # -- sets -----------------------------------------------------------------------------------------------------------

    def _left(self, rank: int, taken: int) -> tuple[int, ...]:
        """Give the naturals of a rank that runs have not taken, by suit (as one number where suits do not matter)."""
        if self.fine:
            return tuple(self.scene.naturals[suit][rank] - (taken >> DIGIT * (rank * 4 + suit) & _MASK) for suit in range(4))
        return (self.by_rank[rank] - (taken >> DIGIT * rank & _MASK), 0, 0, 0)

    def _share_sets(self, chosen: _Chosen, tracked: frozenset[int], key: Key) -> list[tuple[_SetKey, _SetWay]]:
        """Give every useful way to share cards among all sets, with what it costs."""
        ways: dict[_SetKey, _SetWay] = {_SetKey(): _SetWay(0, ())}
        for rank in sorted(set(chosen) | set(self.held)):
            own = tuple(item for _, item in chosen.get(rank, ()))
            held = tuple(item for _, item in self.held.get(rank, ()))
            left = self._left(rank, key.taken) if rank in tracked else (0, 0, 0, 0)
            if min(left) < 0:
                return []
            stood = key.selves >> self.self_shift[rank] & _MASK if rank in self.self_shift else 0
            selves = self.selves_by_rank[rank] - stood if rank in tracked else 0
            found = shares(self.terms, own, held, left, selves, self.cap, rank == self.closed)
            later: dict[_SetKey, _SetWay] = {}
            for cost, way in ways.items():
                for share in found:
                    if cost.used + share.used > self.cap:
                        continue
                    if self.scene.cover and share.naturals < sum(left):
                        continue
                    worth = way.worth + self._worth_of(rank, left, share.naturals)
                    new = self._cost(cost, rank, share, len(own))
                    old = later.get(new)
                    if old is None or old.worth < worth:
                        later[new] = _SetWay(worth, (*way.chosen, (rank, share)))
            ways = later
        return list(ways.items())

    def _cost(self, cost: _SetKey, rank: int, share: Share, own: int) -> _SetKey:
        """Add what one rank's sets cost."""
        strain, owners = cost.strain, cost.owners
        if share.freed and self.terms.swap_target in ("another-meld", "own-run"):
            for (meld, _), pick in zip(self.held[rank], share.picks[own:], strict=True):
                freed = pick.core_naturals
                if freed and self.terms.swap_target == "another-meld":
                    strain = max(strain, freed + pick.wilds + pick.selves)
                elif freed:
                    owners += freed << DIGIT * (2 * self.owner[meld] + 1)
        return _SetKey(
            cost.used + share.used,
            cost.core + share.core,
            cost.selves + (share.selves << self.self_shift.get(rank, 0)),
            cost.freed + share.freed,
            strain,
            owners,
        )

    def _worth_of(self, rank: int, left: tuple[int, ...], count: int) -> int:
        """Give the worth of the dearest ``count`` naturals of a rank."""
        if not count:
            return 0
        return sum(self.scene.weights[face] for face in self.dearest(rank, left)[:count])

    def dearest(self, rank: int, left: tuple[int, ...]) -> list[str]:
        """Line up the naturals of a rank that are left, the dearest first."""
        if self.fine:
            faces = [FACE[suit, rank] for suit in range(4) for _ in range(left[suit])]
            return sorted(faces, key=lambda face: -self.scene.weights[face])
        suit = next((suit for suit in range(4) if self.scene.naturals[suit][rank]), 0)
        return [FACE[suit, rank]] * left[0]

    def _plan(self, chosen: _Chosen, result: _Result) -> Plan:
        worth, backs, way, hand = result
        grown: list[tuple[int, Growth]] = []
        swaps: list[tuple[int, int, int, str]] = []
        for back in backs:
            runs, swapped = rebuild(back)
            grown += [(back[0], run) for run in runs]
            swaps += [(back[0], *swap) for swap in swapped]
        new_sets: list[NewSet] = []
        held_sets: list[tuple[int, Pick]] = []
        for rank, share in way.chosen:
            own = chosen.get(rank, ())
            for (slot, _), pick in zip(own, share.picks, strict=False):
                new_sets.append(NewSet(slot, rank, pick))
            for (meld, _), pick in zip(self.held.get(rank, ()), share.picks[len(own) :], strict=True):
                held_sets.append((meld, pick))
        return Plan(worth, grown, swaps, new_sets, held_sets, hand)
