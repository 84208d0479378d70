"""The quick way to the best play, for rules under which it does not matter which meld holds a wild card.

Then each suit may be swept by counting its runs (:mod:`continental.rules.solver.counted`). Ranks of sets are tried in the
order of a bound: what the runs could fetch if sets cost them nothing, and all naturals of the ranks. Most are never swept.
Where the best play found breaks a limit that was left out of account, the exact search decides.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement, pairwise
from typing import Any, Final

from continental.rules.solver.budget import Budget
from continental.rules.solver.counted import RANK_BITS, Frame, Suit
from continental.rules.solver.cover import Undecided
from continental.rules.solver.graph import Back, Cost, Ways, undominated
from continental.rules.solver.plan import Plan
from continental.rules.solver.scene import Scene
from continental.rules.solver.settling import Settling
from continental.rules.solver.terms import FACE, Terms

MOST: Final = 10**9
"""More than any play is worth."""
OUT: Final = -MOST
"""Less than any play is worth."""
Joined = dict[Cost, tuple[int, tuple[Back, ...]]]
"""The best value for each cost of several suits together, and the way of each."""


@dataclass(slots=True)
class Cache:
    """What the searches of one question share.

    Attributes:
        size: how many cards the question is about: a search with all of them bounds every search with fewer.
        suits: what the quick way laid out.
        wider: the quick searches that had all the cards, by whether they were loose.
        shared: what the exact searches found out.
    """

    size: int
    suits: dict[Any, Suit] = field(default_factory=dict)
    wider: dict[bool, "Swift"] = field(default_factory=dict)
    shared: dict[Any, Any] = field(default_factory=dict)

    def keep(self, swift: "Swift") -> None:
        """Keep a search that has all the cards."""
        if swift.scene.size == self.size:
            self.wider[swift.loose] = swift

    def more(self, loose: bool) -> "Swift | None":
        """Give the search with all the cards that bounds others best."""
        return self.wider.get(loose) or self.wider.get(True)


class Swift:
    """One search for the best play."""

    def __init__(
        self,
        scene: Scene,
        cache: dict[Any, Suit],
        budget: Budget,
        *,
        loose: bool,
        more: "Swift | None" = None,
        limits: Terms | None = None,
    ) -> None:
        """Prepare a search.

        Args:
            scene: the cards and the table.
            cache: keeps suits for further searches with the same table.
            budget: what the whole question may still look at.
            loose: forget at first that runs may not touch and that a freed wild card cannot go down; a play that happens to
                keep to both is the best all the same.
            limits: the terms with their limits on wild cards, where ``scene`` has them taken away: wild cards to spare are laid
                off with these in mind.
            more: a finished search with the same table and these cards and more: what it could not reach is out of reach here.
        """
        self.scene = scene
        self.loose = loose
        self.more = more if more is not None and more.has_all_of(scene) else None
        self.limits = limits or scene.terms
        self.order: list[tuple[int, tuple[int, ...]]] = []
        """The ranks of the sets with what a play with them can be worth at most, the most promising first."""
        self.reached: dict[tuple[int, ...], dict[int, int]] = {}
        """For ranks of sets looked at: the best value of runs for each number of wild cards spent."""
        terms = self.terms = scene.terms
        self.cache = cache
        self.wilds = len(scene.pool)
        self.runs = (terms.runs[0].count or 0) if terms.runs else 0
        self.sets = (terms.sets[0].count or 0) if terms.sets else 0
        self.set_size = terms.sets[0].size if terms.sets else 3
        self.even = True
        """Whether all cards of a rank are worth the same."""
        self.count = [0] * 14
        self.value = [0] * 14
        self._count_ranks()
        self.closed_sets = bool(terms.sets) and terms.sets[0].exact and not terms.own_layoff
        """Whether new sets have their exact size and take nothing more."""
        self.table_sets = scene.sets if terms.others_layoff else ()
        self.held_ranks = 0
        for item in self.table_sets:
            if item.rank:
                self.held_ranks |= 1 << item.rank
        self.frame = self._make_frame(budget)
        self.suits = self._find_suits()

    def has_all_of(self, scene: Scene) -> bool:
        """Tell whether all cards of a scene are among those of this search."""
        rows = zip(self.scene.naturals, scene.naturals, strict=True)
        return self.wilds >= len(scene.pool) and all(ours >= theirs for pair in rows for ours, theirs in zip(*pair, strict=True))

    def _find_suits(self) -> list[Suit]:
        """Give the suits as an earlier search laid them out, for these cards or for more."""
        more = self.more
        if more is not None and more.loose == self.loose and more.terms == self.terms:
            return more.suits
        suits = []
        for number in range(4):
            key = Suit.key(self.frame, number)
            if key not in self.cache:
                self.cache[key] = Suit(self.frame, number)
            suits.append(self.cache[key])
        return suits

    def _count_ranks(self) -> None:
        """Count the naturals of each rank, and what they are worth."""
        weights = self.scene.weights
        for suit in range(4):
            for rank, copies in enumerate(self.scene.naturals[suit]):
                if copies:
                    worth = weights[FACE[suit, rank]]
                    self.even = self.even and self.value[rank] == self.count[rank] * worth
                    self.count[rank] += copies
                    self.value[rank] += copies * worth

    def _make_frame(self, budget: Budget) -> Frame:
        """Say what the sweeps of all suits have in common."""
        scene, terms, loose = self.scene, self.terms, self.loose
        table_runs = scene.runs if terms.others_layoff else ((), (), (), ())
        freed = 0
        for suit, runs in enumerate(table_runs if terms.swap_run else ()):
            places = [place for run in runs for place in run.wilds]
            freed += sum(scene.naturals[suit][1 if place == 14 else place] > 0 for place in places)
        banned = not terms.touching and self.runs > 1
        tied = (banned or freed > 0) and not loose
        return Frame(
            scene=scene,
            table_runs=table_runs,
            cap=self.wilds + freed,
            runs=self.runs,
            size=terms.runs[0].size if terms.runs else 4,
            held=self.held_ranks,
            each=tuple([self._each(rank) if self.closed_sets else 0 for rank in range(14)]),
            closed=terms.exact_runs and not terms.own_layoff,
            loose=loose,
            tied=tied,
            banned=banned and not loose,
            absorbs=tied and terms.own_layoff,
            budget=budget,
        )

    # -- the ranks of the sets ----------------------------------------------------------------------------------------

    def best(self, least: int | None = None) -> Plan | None:
        """Give the play of most worth; with ``least``, only one that is worth that much.

        Raises:
            Undecided: the best play breaks a limit left out of account.
            TooLarge: the search met its budget.
        """
        if self.closed_sets and not self.even:
            raise Undecided
        sure = self._sure()
        floor = sure - 1 if least is None else least - 1
        best: tuple[tuple[int, ...], tuple[Back, ...], Cost] | None = None
        self.order = self._in_order()
        for bound, chosen in self.order:
            if bound <= floor:
                break
            if self._closer(chosen) <= floor:
                continue
            base, need = sure + self._fed(chosen), self.need(chosen)
            for cost, (value, backs) in self._joined(chosen).items():
                worth = base + value - self._counted_twice(chosen, cost)
                if worth > floor:
                    extra = need + self._borrowed(chosen, cost)
                    if cost[0] + extra <= self.wilds and cost[1] + extra <= self.wilds:
                        floor = worth
                        best = chosen, backs, cost
        return None if best is None else Settling(self, best[0]).plan(floor, best[1])

    def most_keeping(self, floor: int, above: int) -> int:
        """Bound what a play is worth together with a card that is kept for the discard and is worth more than ``above``; not
        looked into below ``floor``.

        A card of the sets that is kept was counted as played, and so was a wild card; only what runs may take has to be
        looked at anew, for all such cards of a suit together.
        """
        if self.closed_sets or not self.even:
            return MOST
        order = self.order or self._in_order()
        weights, most = self.scene.weights, floor
        kept = [
            [rank for rank in range(1, 14) if row[rank] and weights[FACE[suit, rank]] > above]
            for suit, row in enumerate(self.scene.naturals)
        ]
        wild = any(weights[card] > above for card in self.scene.pool)
        dearest = max([weights[FACE[suit, rank]] for suit, ranks in enumerate(kept) for rank in ranks], default=0)
        reach: dict[int, int] = {}
        for joined in self._joined_keeping((), kept, self.wilds):
            for cost, (value, _) in joined.items():
                reach[cost[0]] = max(reach.get(cost[0], -1), value)
        for bound, chosen in order:
            if bound + dearest <= most:
                break
            closer, need = min(bound, self._closer(chosen)), self.need(chosen)
            if any(self.held_ranks >> rank & 1 or rank in chosen for ranks in kept for rank in ranks):
                most = max(most, closer)
            if wild:
                most = max(most, min(bound, self._closer(chosen, 1)))
            base = self._sure() + self._fed(chosen)
            if min(closer + dearest, base + _within(reach, self.wilds - need)) <= most:
                continue
            dear = [[rank for rank in ranks if closer + weights[FACE[suit, rank]] > most] for suit, ranks in enumerate(kept)]
            for joined in self._joined_keeping(chosen, dear, self.wilds - need):
                for cost, (value, _) in joined.items():
                    if base + value > most and cost[0] + need + self._borrowed(chosen, cost) <= self.wilds:
                        most = base + value
        return most

    def _joined_keeping(self, chosen: tuple[int, ...], kept: list[list[int]], room: int) -> Iterator[Joined]:
        """Join the suits beside sets of these ranks, one suit after another with a card kept of one of its ranks ``kept``."""
        taken, tracked = self._set_bits(chosen)
        usual = [self._ways(suit, taken, tracked) for suit in range(4)]
        for suit in range(4):
            ranks = [rank for rank in kept[suit] if not (taken | self.held_ranks) >> rank & 1]
            if ranks:
                yield self._join([*usual[:suit], self._keeping(suit, ranks, taken, tracked), *usual[suit + 1 :]], room)

    def _keeping(self, suit: int, ranks: list[int], taken: int, tracked: int) -> dict[int, Ways]:
        """Give the ways of a suit with a card of one of these ranks kept, whose worth is counted in."""
        best: dict[int, Ways] = {}
        for rank in ranks:
            naturals = list(self.scene.naturals[suit])
            naturals[rank] -= 1
            worth = self.scene.weights[FACE[suit, rank]]
            for count, ways in self.suits[suit].sweep(naturals, self.frame.cap, taken, tracked).items():
                into = best.setdefault(count, {})
                for cost, (value, back) in ways.items():
                    if cost not in into or into[cost][0] < value + worth:
                        into[cost] = value + worth, back
        return best

    def _sure(self) -> int:
        """Give the worth of what is played in any case: wild cards, and cards for which there are sets on the table."""
        held = sum([self.value[rank] for rank in range(1, 14) if self.held_ranks >> rank & 1])
        return held + sum([self.scene.weights[card] for card in self.scene.pool])

    def _in_order(self) -> list[tuple[int, tuple[int, ...]]]:
        """Line up the ranks of the sets, the most promising first, with what a play with them can be worth at most."""
        reach, sure = self._reach(()), self._sure()
        order = []
        for chosen, need in self._set_ranks():
            runs = _within(reach, self.wilds - need)
            if runs >= 0:
                order.append((sure + runs + self._fed(chosen), chosen))
        order.sort(key=lambda item: (-item[0], item[1]))
        return order

    def bound(self, chosen: tuple[int, ...]) -> int | None:
        """Give what a play with sets of these ranks can be worth at most; ``None`` where there is none."""
        runs = _within(self._reach(chosen), self.wilds - self.need(chosen))
        if runs < 0:
            return None
        return self._sure() + self._fed(chosen) + runs

    def tops(self, chosen: tuple[int, ...], price: int) -> list[list[int]]:
        """Give what the runs of each suit can be worth beside sets of these ranks, by the number of new runs, when the price of
        each wild card is paid; ``OUT`` where there are none.
        """
        taken, tracked = self._set_bits(chosen)
        return [
            [
                max([value - price * cost[0] for cost, (value, _) in ways[count].items()], default=OUT) if count in ways else OUT
                for count in range(self.runs + 1)
            ]
            for ways in [self._ways(suit, taken, tracked) for suit in range(4)]
        ]

    def price(self, chosen: tuple[int, ...]) -> int:
        """Give what must be paid for a wild card so that the suits, each by itself, are worth the least beside these sets. It is
        never less than nothing: a play may leave wild cards over.
        """
        taken, tracked = self._set_bits(chosen)
        prices = {0}
        for suit in range(4):
            for ways in self._ways(suit, taken, tracked).values():
                line = sorted([(cost[0], way[0]) for cost, way in ways.items()])
                prices |= {(more - value) // (spent - less) for (less, value), (spent, more) in pairwise(line) if spent > less}
        room = self.wilds - self.need(chosen)
        fair = sorted(price for price in prices if price >= 0)
        return min(fair, key=lambda price: together(self.tops(chosen, price), self.runs)[-1] + price * room)

    def _set_ranks(self) -> Iterator[tuple[tuple[int, ...], int]]:
        """Give every choice of ranks for the new sets (0 for wild cards alone), and the wild cards it needs."""
        size = self.set_size
        if not self.sets:
            yield (), 0
            return
        options = [rank for rank in range(1, 14) if self.count[rank] and size - self.count[rank] <= self.wilds]
        if self.terms.all_wild_set and self.wilds >= size:
            options.append(0)
        if self.terms.same_rank:
            choices: Iterator[tuple[int, ...]] = combinations_with_replacement(options, self.sets)
        else:
            more = [0] * (min(self.sets, self.wilds // size) - 1) if 0 in options else []
            choices = combinations(options + more, self.sets)
        seen: set[tuple[int, ...]] = set()
        for chosen in choices:
            need = self.need(chosen)
            if need <= self.wilds and chosen not in seen:
                seen.add(chosen)
                yield chosen, need

    def need(self, chosen: tuple[int, ...]) -> int:
        """Give the wild cards that sets of these ranks need at least."""
        return sum([max(0, self.set_size * chosen.count(rank) - (self.count[rank] if rank else 0)) for rank in {*chosen}])

    def _fed(self, chosen: tuple[int, ...]) -> int:
        """Give the worth of the naturals that the sets take, but for those of ranks that sets of the table take anyway."""
        ranks = [rank for rank in {*chosen} if rank and not self.held_ranks >> rank & 1]
        if not self.closed_sets:
            return sum(self.value[rank] for rank in ranks)
        return sum(self._each(rank) * min(self.count[rank], self.set_size * chosen.count(rank)) for rank in ranks)

    def _each(self, rank: int) -> int:
        """Give the worth of one card of a rank, where a table set does not take them all anyway."""
        return 0 if self.held_ranks >> rank & 1 else self.value[rank] // max(1, self.count[rank])

    def _borrowed(self, chosen: tuple[int, ...], cost: Cost) -> int:
        """Give how many wild cards the sets need for the cards that runs took from them beyond what they could spare."""
        return sum(self._lent(rank, chosen, cost[2]) for rank in {*chosen} if rank) if cost[2] else 0

    def _lent(self, rank: int, chosen: tuple[int, ...], taken: int) -> int:
        return max(0, (taken >> RANK_BITS * rank & 15) - max(0, self.count[rank] - self.set_size * chosen.count(rank)))

    def _counted_twice(self, chosen: tuple[int, ...], cost: Cost) -> int:
        """Give the worth of cards that runs took from sets of an exact size: those sets and the runs both counted them."""
        if not self.closed_sets or not cost[2]:
            return 0
        return sum(self._each(rank) * self._lent(rank, chosen, cost[2]) for rank in {*chosen} if rank)

    def _closer(self, chosen: tuple[int, ...], fewer: int = 0) -> int:
        """Bound the worth of a play with sets of these ranks and so many wild cards fewer by what is known of them or of one of
        them alone.
        """
        room = self.wilds - self.need(chosen) - fewer
        known = self.reached if chosen in self.reached else self.more.reached if self.more is not None else {}
        if chosen in known:
            best = _within(known[chosen], room)
        else:
            best = min([_within(self._reach((rank,)), room) for rank in {*chosen}], default=MOST) if len(chosen) > 1 else MOST
        return self._sure() + self._fed(chosen) + best if best >= 0 else -1

    def _reach(self, chosen: tuple[int, ...]) -> dict[int, int]:
        """Give the best value of runs for each number of wild cards spent beside sets of these ranks."""
        if self.more is not None and len(chosen) < self.sets and chosen in self.more.reached:
            return self.more.reached[chosen]
        reach = self.reached.get(chosen)
        if reach is None:
            self._joined(chosen)
            reach = self.reached[chosen]
        return reach

    def _joined(self, chosen: tuple[int, ...]) -> Joined:
        """Join the suits beside sets of these ranks, and keep what was reached."""
        taken, tracked = self._set_bits(chosen)
        joined = self._join([self._ways(suit, taken, tracked) for suit in range(4)], self.wilds - self.need(chosen))
        reach: dict[int, int] = {}
        for cost, (value, _) in joined.items():
            total = cost[0] + self._borrowed(chosen, cost)
            reach[total] = max(reach.get(total, -1), value - self._counted_twice(chosen, cost))
        self.reached[chosen] = reach
        return joined

    # -- joining the suits --------------------------------------------------------------------------------------------

    def _join(self, ways: list[dict[int, Ways]], room: int) -> Joined:
        """Give the best value for every cost of all suits, with no more wild cards short than there is room for."""
        joined: dict[int, Joined] = {0: {(0, 0, 0): (0, ())}}
        left = [min([cost[0] for found in rows.values() for cost in found], default=0) for rows in ways]
        for suit, rows in enumerate(ways):
            room_here = room - sum(left[suit + 1 :])
            later: dict[int, Joined] = {}
            for done, before in joined.items():
                for count, found in rows.items():
                    now = done + count
                    if now > self.runs or (suit == 3 and now != self.runs):
                        continue
                    into = later.setdefault(now, {})
                    for (short, core, used), (value, backs) in before.items():
                        for (more_short, more_core, more_used), (more, back) in found.items():
                            total = short + more_short
                            if total > room_here:
                                continue
                            cost = total, core + more_core, used + more_used
                            old = into.get(cost)
                            if old is None or old[0] < value + more:
                                into[cost] = value + more, (*backs, back)
            joined = {now: undominated(into) for now, into in later.items()}
        return joined.get(self.runs, {})

    def _set_bits(self, chosen: tuple[int, ...]) -> tuple[int, int]:
        """Give the ranks of sets as bits, and those of them that have more cards than the sets need."""
        taken = tracked = 0
        for rank in {*chosen}:
            if rank:
                taken |= 1 << rank
                if self.count[rank] > self.set_size * chosen.count(rank):
                    tracked |= 1 << rank
        return taken, tracked

    def _ways(self, suit: int, taken: int, tracked: int) -> dict[int, Ways]:
        return self.suits[suit].sweep(self.scene.naturals[suit], self.frame.cap, taken, tracked)


def together(tops: list[list[int]], runs: int) -> list[int]:
    """Give what some suits can be worth together by the number of new runs in them."""
    most = [0] + [OUT] * runs
    for row in tops:
        most = [max([most[count - here] + row[here] for here in range(count + 1)]) for count in range(runs + 1)]
    return most


def _within(reach: dict[int, int], room: int) -> int:
    """Give the best value that so many wild cards can reach; -1 where none can."""
    return max((value for spent, value in reach.items() if spent <= room), default=-1)
