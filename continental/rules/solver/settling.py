"""From counts to cards: which run and which set takes what, in a play that the quick search found.

What the search left out of account is looked at here, and refused where the play breaks it.
"""

from typing import TYPE_CHECKING

from continental.rules.solver.counted import rebuild
from continental.rules.solver.cover import Undecided
from continental.rules.solver.graph import Back
from continental.rules.solver.lines import AHEAD, BEYOND, CORE, LEFT, OWN, RIGHT
from continental.rules.solver.plan import NewSet, Plan, choose_cores
from continental.rules.solver.sets import Pick
from continental.rules.solver.sweep import Growth
from continental.rules.solver.terms import ENDLESS

if TYPE_CHECKING:
    from continental.rules.solver.swift import Swift


class Settling:
    """One play being settled."""

    def __init__(self, swift: "Swift", chosen: tuple[int, ...]) -> None:
        """Begin with nothing laid; ``chosen`` are the ranks of the new sets."""
        self.swift = swift
        self.terms, self.limits = swift.terms, swift.limits
        self.chosen = chosen
        self.left = [row[:] for row in swift.scene.naturals]
        self.wilds = 0
        """Wild cards laid so far."""
        self.grown: list[tuple[int, Growth]] = []
        self.swaps: list[tuple[int, int, int, str]] = []
        self.new_sets: list[NewSet] = []
        self.held_sets: list[tuple[int, Pick]] = []

    def plan(self, worth: int, backs: tuple[Back, ...]) -> Plan:
        """Write the play down as the exact search does.

        Raises:
            Undecided: the play breaks what was left out of account.
        """
        self._lay_runs(backs)
        plan = Plan(worth, self.grown, self.swaps, self.new_sets, self.held_sets, self.swift.wilds)
        if self.swift.loose:
            choose_cores(plan, self.terms)
        self._check_runs()
        self._lay_sets()
        self._feed_table_sets()
        down = sum(kind == "w" for _, run in self.grown if run.what == OWN for _, kind, part in run.cards if part == CORE)
        if self.swaps and down + sum(item.pick.core_wilds for item in self.new_sets) > self.swift.wilds:
            raise Undecided
        self._place_spare()
        if not self.terms.own_layoff:
            for run in [run for _, run in self.grown if run.what == OWN]:
                run.cards[:] = [(place, kind, CORE) for place, kind, _ in run.cards]
        return plan

    def _needed(self, rank: int) -> int:
        """Give how many cards the new sets of a rank need."""
        return self.swift.set_size * self.chosen.count(rank)

    def _lay_runs(self, backs: tuple[Back, ...]) -> None:
        """Give the runs their cards; where they took more from the sets than these can spare, they take wild cards instead."""
        surplus = {rank: max(0, self.swift.count[rank] - self._needed(rank)) for rank in {*self.chosen} if rank}
        for suit, back in zip(self.swift.suits, backs, strict=True):
            runs, swapped = rebuild(back, suit)
            for meld, place in swapped:
                self.swaps.append((suit.suit, meld, place, "n"))
                self.left[suit.suit][1 if place == 14 else place] -= 1
            for run in runs:
                for index, (place, kind, part) in enumerate(run.cards):
                    rank = 1 if place == 14 else place
                    if kind == "n" and surplus.get(rank, 1):
                        surplus[rank] = surplus.get(rank, ENDLESS) - 1
                        self.left[suit.suit][rank] -= 1
                    else:
                        run.cards[index] = place, "w", part
                        self.wilds += 1
                self.grown.append((suit.suit, run))

    def _lay_sets(self) -> None:
        """Give the new sets what is left of their ranks, and wild cards for the rest."""
        size = self.swift.set_size
        for number, rank in enumerate(self.chosen):
            if not rank:
                self.new_sets.append(NewSet(0, 0, Pick(0, 0, size, 0, size)))
                self.wilds += size
                continue
            have = sum(row[rank] for row in self.left) - self._in_new_sets(rank)
            more = rank in self.chosen[number + 1 :]
            take = min(have, size) if more or self.swift.closed_sets else have
            short = max(0, size - take)
            self.new_sets.append(NewSet(0, rank, Pick(take, 0, short, min(take, size), short)))
            self.wilds += short
            if not take and not self.terms.all_wild_set:
                raise Undecided

    def _in_new_sets(self, rank: int) -> int:
        return sum(item.pick.naturals for item in self.new_sets if item.rank == rank)

    def _feed_table_sets(self) -> None:
        """Lay off on the sets of the table what new sets do not take."""
        given: set[int] = set()
        for item in self.swift.table_sets:
            take = 0
            if item.rank and item.rank not in given and (item.rank not in self.chosen or self.swift.closed_sets):
                take = sum(row[item.rank] for row in self.left) - self._in_new_sets(item.rank)
                given.add(item.rank)
            self.held_sets.append((item.meld, Pick(take, 0, 0)))

    def _check_runs(self) -> None:
        """Refuse what the sweep left out of account: an ace at both ends, and a new run of wild cards alone where the
        rules ban it.
        """
        terms = self.terms
        ends: dict[int, set[int]] = {}
        for _, run in self.grown:
            places = {place for place, _, _ in run.cards}
            if run.what == OWN:
                core = [kind for _, kind, part in run.cards if part == CORE]
                if terms.exact_runs:
                    core = core[: self.swift.frame.size]
                if not terms.all_wild_run and "n" not in core:
                    raise Undecided
                if terms.one_ace and {1, 14} <= places:
                    raise Undecided
            else:
                ends.setdefault(run.which, set()).update(places)
        for runs in self.swift.frame.table_runs:
            for table_run in runs:
                covered = ends.get(table_run.meld, set()) | {table_run.low, table_run.high}
                if terms.one_ace and {1, 14} <= covered:
                    raise Undecided

    def _place_spare(self) -> None:
        """Lay off the wild cards that no run needs: on a set, or at the ends of runs."""
        spare = self.swift.wilds + len(self.swaps) - self.wilds
        while spare and (self._onto_set() or self._onto_run()):
            spare -= 1
        if spare:
            raise Undecided

    def _onto_set(self) -> bool:
        """Lay a wild card off on a set, if one may take it."""
        limits = self.limits
        for number, (meld, pick) in enumerate(self.held_sets):
            lying = next(item for item in self.swift.table_sets if item.meld == meld)
            naturals, wilds = lying.naturals + pick.naturals, lying.wilds + pick.wilds + 1
            if (
                wilds <= limits.wild_limit
                and naturals + wilds <= limits.max_set
                and (not limits.ratio_always or wilds <= naturals)
            ):
                self.held_sets[number] = meld, pick._replace(wilds=pick.wilds + 1)
                return True
        for number, item in enumerate(() if self.swift.closed_sets else self.new_sets):
            naturals, wilds = item.pick.naturals, item.pick.wilds + 1
            if (
                wilds <= limits.wild_limit
                and naturals + wilds <= limits.max_set
                and (not limits.ratio_always or wilds <= naturals)
            ):
                self.new_sets[number] = item._replace(pick=item.pick._replace(wilds=wilds))
                return True
        return False

    def _onto_run(self) -> bool:
        """Lay a wild card off at the end of a run, a new one first."""
        low, high = self.terms.places[0], self.terms.places[-1]
        for run in [run for _, run in self.grown if run.what == OWN and not self.swift.frame.closed]:
            if not self._takes_wild([kind == "w" for _, kind, _ in run.cards]):
                continue
            first, last = run.cards[0], run.cards[-1]
            if last[0] < high and not (self.terms.one_ace and first[0] == 1 and last[0] == 13) and self._beside(last[1]):
                run.cards.append((last[0] + 1, "w", BEYOND))
                return True
            if first[0] > low and not (self.terms.one_ace and last[0] == 14 and first[0] == 2) and self._beside(first[1]):
                run.cards.insert(0, (first[0] - 1, "w", AHEAD))
                return True
        for suit, runs in enumerate(self.swift.frame.table_runs):
            for lying in runs:
                below = next((run for _, run in self.grown if run.what == LEFT and run.which == lying.meld), None)
                above = next((run for _, run in self.grown if run.what == RIGHT and run.which == lying.meld), None)
                laid = [*(below.cards if below else ()), *(above.cards if above else ())]
                held = [False] * lying.naturals + [True] * len(lying.wilds)
                if not self._takes_wild(held + [kind == "w" for _, kind, _ in laid]):
                    continue
                bottom = below.cards[0][0] if below else lying.low
                top = above.cards[-1][0] if above else lying.high
                after = above.cards[-1][1] if above else "w" if lying.high in lying.wilds else "n"
                if top < high and not (self.terms.one_ace and bottom == 1 and top == 13) and self._beside(after):
                    if above is None:
                        above = Growth(RIGHT, lying.meld, [])
                        self.grown.append((suit, above))
                    above.cards.append((top + 1, "w", CORE))
                    return True
                before = below.cards[0][1] if below else "w" if lying.low in lying.wilds else "n"
                if bottom > low and not (self.terms.one_ace and top == 14 and bottom == 2) and self._beside(before):
                    if below is None:
                        below = Growth(LEFT, lying.meld, [])
                        self.grown.append((suit, below))
                    below.cards.insert(0, (bottom - 1, "w", CORE))
                    return True
        return False

    def _takes_wild(self, wild: list[bool]) -> bool:
        """Tell whether the limits let a run with these cards take one more wild card."""
        limits, wilds = self.limits, sum(wild) + 1
        if wilds > limits.wild_limit or len(wild) >= limits.max_run:
            return False
        return not limits.ratio_always or wilds <= len(wild) + 1 - wilds

    def _beside(self, kind: str) -> bool:
        """Tell whether a wild card may stand beside a card of this kind."""
        return self.limits.adjacent_wilds or kind != "w"
