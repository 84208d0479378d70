"""The quick way to the best play, for rules under which it does not matter which meld holds a wild card.

Then the runs over one place of a suit differ only in what they still need, and the sweep may count them instead of telling
them apart: runs growing down from something above (they must go on until they meet it), runs that may end at any place, and
new runs by the number of cards they still lack. Naturals serve whichever run; a place takes as many wild cards as naturals
are short.

Ranks of sets are tried in the order of a bound: what the runs could fetch if sets cost them nothing, and all naturals of
the ranks. Most are never swept. Where the best play found breaks a limit that was left out of account, the exact search
decides.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations, combinations_with_replacement
from typing import Any, Final

from continental.rules.cards import JOKER
from continental.rules.solver.budget import Budget
from continental.rules.solver.cover import Undecided
from continental.rules.solver.lines import AHEAD, BEYOND, CORE, LEFT, OWN, RIGHT
from continental.rules.solver.plan import NewSet, Plan, choose_cores
from continental.rules.solver.scene import Scene, best_cut
from continental.rules.solver.sets import Pick
from continental.rules.solver.sweep import Growth
from continental.rules.solver.terms import ENDLESS, FACE, Terms

_DIGIT: Final = 4
Back = Any
Cost = tuple[int, int, int]
"""Wild cards short (those freed by swaps counted back), of them in what goes down, and cards taken from sets,
as packed digits.
"""
Ways = dict[Cost, tuple[int, Back]]


def is_swift(terms: Terms) -> bool:
    """Tell whether the quick way knows these terms."""
    return (
        _open_ended(terms)
        and not terms.wrap
        and not terms.ratio_opening
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


_State = tuple[int, int, int, int, tuple[int, ...], int, int, int]
"""What the future of a suit hangs on: cards being laid below something that begins further up; how many of these lines hold the
low ace, and as bits above these four the table runs that met one of them; runs that may end anywhere, and how many of these
hold the low ace; for each number of cards laid so far how many
new runs have that many; new runs begun; whether one was just complete; aces used at the low end.
"""
_ONCE: Final = (0,)
_NO_MEETING: Final = ((0, 0),)


def _meetings(rising: int, aged: int, lows: int, closed: int) -> list[tuple[int, int]]:
    """Give how many lines can meet table runs here, and how many of them with the low ace: not on a run that holds
    the high one.
    """
    return [
        (met, met_aged)
        for met in range(min(rising, lows) + 1)
        for met_aged in range(max(0, met - (rising - aged)), min(aged, met, lows - closed) + 1)
    ]


@dataclass(slots=True)
class Cache:
    """What the searches of one question share.

    Attributes:
        size: how many cards the question is about: a search with all of them bounds every search with fewer.
        sweeps: what the quick way swept.
        wider: the quick searches that had all the cards, by whether they were loose.
        shared: what the exact searches found out.
    """

    size: int
    sweeps: dict[Any, dict[int, Ways]] = field(default_factory=dict)
    wider: dict[bool, "Swift"] = field(default_factory=dict)
    shared: dict[Any, Any] = field(default_factory=dict)

    def keep(self, swift: "Swift") -> None:
        """Keep a search that has all the cards."""
        if swift.scene.size == self.size:
            self.wider[swift.loose] = swift

    def more(self, loose: bool) -> "Swift | None":
        """Give the search with all the cards that bounds others best."""
        return self.wider.get(loose) or self.wider.get(True)


class Suit:
    """What a sweep of one suit reads: naturals, table runs, and how many new runs there may be."""

    def __init__(self, swift: "Swift", suit: int) -> None:
        """Gather what does not hang on the ranks of the sets."""
        scene, terms = swift.scene, swift.scene.terms
        self.suit = suit
        self.low_at = [0] * 16
        self.high_at = [0] * 16
        self.wild_at = [0] * 16
        self.round = terms.wrap
        self.turn = best_cut(scene, suit, swift.table_runs[suit]) if self.round else 0
        self.tables = tuple([run.turned(self.turn) for run in swift.table_runs[suit]]) if self.turn else swift.table_runs[suit]
        self.closed = swift.closed_runs
        for run in self.tables:
            self.low_at[run.low] += 1
            self.high_at[run.high] += 1
            if terms.swap_run:
                for place in run.wilds:
                    self.wild_at[place] += 1
        self.last_low = max((run.low for run in self.tables), default=0)
        self.size = swift.size
        self.entering = 0
        """Runs that may come in round the ace: more than enough."""
        if self.round:
            above = self.turn % 13 + 1
            self.entering = min(scene.naturals[suit][above] + swift.cap, swift.runs + 2 * len(self.tables))
        self.key = (tuple(scene.naturals[suit]), swift.cap, swift.runs, swift.size, swift.loose, swift.closed_runs)


class Swift:
    """One search for the best play."""

    def __init__(
        self,
        scene: Scene,
        cache: dict[Any, dict[int, Ways]],
        budget: Budget,
        *,
        loose: bool,
        more: "Swift | None" = None,
        limits: Terms | None = None,
    ) -> None:
        """Prepare a search.

        Args:
            scene: the cards and the table.
            cache: keeps sweeps for further searches with the same table.
            budget: what the whole question may still look at.
            loose: forget at first that runs may not touch and that a freed wild card cannot go down; a play that happens to
                keep to both is the best all the same.
            limits: the terms with their limits on wild cards, where ``scene`` has them taken away: wild cards to spare are laid
                off with these in mind.
            more: a finished search with the same table and these cards and more: what it could not reach is out of reach here.
        """
        self.scene = scene
        self.loose = loose
        self.more = more
        self.limits = limits or scene.terms
        self.reached: dict[tuple[int, ...], dict[int, int]] = {}
        """For ranks of sets looked at: the best value of runs for each number of wild cards spent."""
        terms = self.terms = scene.terms
        self.cache = cache
        self.budget = budget
        self.wilds = len(scene.pool)
        self.runs = (terms.runs[0].count or 0) if terms.runs else 0
        self.size = terms.runs[0].size if terms.runs else 4
        self.sets = (terms.sets[0].count or 0) if terms.sets else 0
        self.set_size = terms.sets[0].size if terms.sets else 3
        self.top = terms.places[-1]
        self.even = True
        """Whether all cards of a rank are worth the same."""
        self.count = [0] * 14
        self.value = [0] * 14
        weights = scene.weights
        for suit in range(4):
            for rank in range(1, 14):
                copies = scene.naturals[suit][rank]
                if copies:
                    self.even = self.even and self.value[rank] == self.count[rank] * weights[FACE[suit, rank]]
                    self.count[rank] += copies
                    self.value[rank] += copies * weights[FACE[suit, rank]]
        self.closed_runs = terms.exact_runs and not terms.own_layoff
        self.closed_sets = bool(terms.sets) and terms.sets[0].exact and not terms.own_layoff
        """Whether new melds have their exact size and take nothing more."""
        self.table_runs = scene.runs if terms.others_layoff else ((), (), (), ())
        self.table_sets = scene.sets if terms.others_layoff else ()
        self.held_ranks = 0
        for item in self.table_sets:
            if item.rank:
                self.held_ranks |= 1 << item.rank
        self.swaps = False
        freed = 0
        for suit in range(4):
            for run in self.table_runs[suit]:
                for place in run.wilds:
                    if terms.swap_run and scene.naturals[suit][1 if place == 14 else place]:
                        self.swaps = True
                        freed += 1
        self.cap = self.wilds + freed
        self.banned = not terms.touching and self.runs > 1
        self.tied = (self.banned or self.swaps) and not loose
        self.absorbs = self.tied and terms.own_layoff
        self.banned = self.banned and not loose
        self.suits = [Suit(self, suit) for suit in range(4)]

    # -- the ranks of the sets ----------------------------------------------------------------------------------------

    def best(self, least: int | None = None) -> Plan | None:
        """Give the play of most worth; with ``least``, only one that is worth that much.

        Raises:
            Undecided: the best play breaks a limit left out of account.
            TooLarge: the search met its budget.
        """
        scene = self.scene
        if self.closed_sets and not self.even:
            raise Undecided
        held = sum(self.value[rank] for rank in range(1, 14) if self.held_ranks >> rank & 1)
        pool = sum(scene.weights[card] for card in scene.pool)
        floor = pool + held - 1 if least is None else least - 1
        reach = self._reach(())
        bounds: list[tuple[int, tuple[int, ...], int]] = []
        for chosen, need in self._set_ranks():
            runs = _within(reach, self.wilds - need)
            if runs >= 0:
                bounds.append((-(runs + self._fed(chosen)), chosen, need))
        bounds.sort()
        best: tuple[tuple[int, ...], tuple[Back, ...], Cost] | None = None
        for bound, chosen, need in bounds:
            if pool + held - bound <= floor:
                break
            if pool + held + self._closer(chosen, need) <= floor:
                continue
            base = pool + held + self._fed(chosen)
            for cost, (value, backs) in self._joined(chosen).items():
                worth = base + value - self._counted_twice(chosen, cost)
                if worth > floor:
                    extra = need + self._borrowed(chosen, cost)
                    if cost[0] + extra <= self.wilds and cost[1] + extra <= self.wilds:
                        floor = worth
                        best = chosen, backs, cost
        return None if best is None else self._plan(floor, *best)

    def bound(self, chosen: tuple[int, ...]) -> int | None:
        """Give what a play with sets of these ranks can be worth at most; ``None`` where there is none."""
        need = sum(max(0, self.set_size * chosen.count(rank) - (self.count[rank] if rank else 0)) for rank in {*chosen})
        runs = _within(self._reach(chosen), self.wilds - need)
        if runs < 0:
            return None
        held = sum(self.value[rank] for rank in range(1, 14) if self.held_ranks >> rank & 1)
        return sum(self.scene.weights[card] for card in self.scene.pool) + held + self._fed(chosen) + runs

    def tops(self, chosen: tuple[int, ...]) -> list[list[int]]:
        """Give what the runs of each suit can be worth beside sets of these ranks, by the number of new runs; -1 where there are
        none.
        """
        taken, tracked = self._set_bits(chosen)
        tops = []
        for suit in self.suits:
            ways = self._ways(suit, taken, tracked)
            tops.append(
                [
                    max((value for value, _ in ways[count].values()), default=-1) if count in ways else -1
                    for count in range(self.runs + 1)
                ]
            )
        return tops

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
            need = sum(max(0, size * chosen.count(rank) - (self.count[rank] if rank else 0)) for rank in {*chosen})
            if need <= self.wilds and chosen not in seen:
                seen.add(chosen)
                yield chosen, need

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
        return max(0, (taken >> _DIGIT * rank & 15) - max(0, self.count[rank] - self.set_size * chosen.count(rank)))

    def _counted_twice(self, chosen: tuple[int, ...], cost: Cost) -> int:
        """Give the worth of cards that runs took from sets of an exact size: those sets and the runs both counted them."""
        if not self.closed_sets or not cost[2]:
            return 0
        return sum(self._each(rank) * self._lent(rank, chosen, cost[2]) for rank in {*chosen} if rank)

    def _closer(self, chosen: tuple[int, ...], need: int) -> int:
        """Bound the worth of ranks by what is known of them, or of one of them alone."""
        room = self.wilds - need
        best = 10**9
        if self.more is not None and chosen in self.more.reached:
            best = _within(self.more.reached[chosen], room) + self._fed(chosen)
        if len({*chosen}) > 1:
            fed = self._fed(chosen)
            for rank in {*chosen}:
                alone = self.more.reached.get((rank,)) if self.more is not None else None
                if alone is None:
                    alone = self._reach((rank,))
                best = min(best, _within(alone, room) + fed)
        return best

    def _reach(self, chosen: tuple[int, ...]) -> dict[int, int]:
        """Give the best value of runs for each number of wild cards spent beside sets of these ranks."""
        if not chosen and self.more is not None and chosen in self.more.reached:
            return self.more.reached[()]
        reach = self.reached.get(chosen)
        if reach is None:
            self._joined(chosen)
            reach = self.reached[chosen]
        return reach

    def _joined(self, chosen: tuple[int, ...]) -> dict[Cost, tuple[int, tuple[Back, ...]]]:
        """Join the suits beside sets of these ranks, and keep what was reached."""
        joined = self._join(chosen)
        reach: dict[int, int] = {}
        for cost, (value, _) in joined.items():
            total = cost[0] + self._borrowed(chosen, cost)
            reach[total] = max(reach.get(total, -1), value - self._counted_twice(chosen, cost))
        self.reached[chosen] = reach
        return joined

    # -- joining the suits --------------------------------------------------------------------------------------------

    def _join(self, chosen: tuple[int, ...]) -> dict[Cost, tuple[int, tuple[Back, ...]]]:
        """Give the best value for every cost when the sets have these ranks."""
        taken, tracked = self._set_bits(chosen)
        joined: dict[int, dict[Cost, tuple[int, tuple[Back, ...]]]] = {0: {(0, 0, 0): (0, ())}}
        for suit in self.suits:
            ways = self._ways(suit, taken, tracked)
            later: dict[int, dict[Cost, tuple[int, tuple[Back, ...]]]] = {}
            for done, before in joined.items():
                for count, found in ways.items():
                    now = done + count
                    if now > self.runs or (suit.suit == 3 and now != self.runs):
                        continue
                    into = later.setdefault(now, {})
                    for (short, core, used), (value, backs) in before.items():
                        for (more_short, more_core, more_used), (more, back) in found.items():
                            total = short + more_short
                            cost = total, core + more_core, used + more_used
                            old = into.get(cost)
                            if old is None or old[0] < value + more:
                                into[cost] = value + more, (*backs, back)
            joined = {now: _undominated(into) for now, into in later.items()}
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

    def _ways(self, suit: Suit, taken: int, tracked: int) -> dict[int, Ways]:
        scene = self.scene
        naturals = scene.naturals[suit.suit]
        here = 0
        for rank in range(1, 14):
            if naturals[rank]:
                here |= 1 << rank
        key = suit.suit, suit.key, taken & here, tracked & here
        found = self.cache.get(key)
        if found is None:
            found = self.cache[key] = self._sweep(suit, taken, tracked)
        return found

    # -- sweeping one suit --------------------------------------------------------------------------------------------

    def _sweep(self, suit: Suit, taken: int, tracked: int) -> dict[int, Ways]:
        scene, size, top, cap = self.scene, self.size, self.top, self.cap
        naturals = scene.naturals[suit.suit]
        have = [0] * 17
        worth = [0] * 17
        digit = [0] * 17
        forced = [True] * 17
        for place in self.terms.places:
            rank = (place + suit.turn - 1) % 13 + 1
            bit = 1 << rank
            if taken & bit:
                forced[place] = False
                if tracked & bit:
                    have[place] = naturals[rank]
                    digit[place] = 1 << _DIGIT * rank
                    worth[place] = self._each(rank) if self.closed_sets else 0
            else:
                have[place] = naturals[rank]
                worth[place] = 0 if self.held_ranks & bit else scene.weights[FACE[suit.suit, rank]]
        far = [99] * 18
        """Places from here to the next natural."""
        lacks = [0] * 20
        """Places without a natural below this one."""
        next_low = [0] * 18
        for place in range(top, 0, -1):
            far[place] = 0 if have[place] else far[place + 1] + 1
            next_low[place] = place if suit.low_at[place] else next_low[place + 1]
        for place in range(1, 20):
            lacks[place] = lacks[place - 1] + (place > 1 and place - 1 <= top and not have[place - 1])
        room = min(self.runs, (sum(naturals) + cap) // size)
        final = top if not suit.round else top + size
        """The last place at which a new run may have all the cards it needs."""
        one_ace = self.terms.one_ace and self.terms.places[0] == 1 and top == 14
        both_aces = self.terms.places[0] == 1 and top == 14
        low_ace_runs = [run.high for run in suit.tables if run.low == 1] if one_ace else []
        closed_at = (
            [sum(run.low == place and run.high == 14 for run in suit.tables) for place in range(15)] if one_ace else [0] * 15
        )
        meeting = [
            sorted((run.high == 14, number) for number, run in enumerate(suit.tables) if run.low == place) for place in range(15)
        ]
        marked_at = [sum(1 << number for number, run in enumerate(suit.tables) if run.high == place) for place in range(15)]
        tied, banned, absorbs, goes_on = self.tied, self.banned, self.absorbs, not suit.closed
        none = (0,) * (size - 1)
        states: dict[_State, Ways] = {(0, 0, suit.entering, 0, none, 0, 0, 0): {(0, 0, 0): (0, None)}}
        for place in self.terms.places:
            later: dict[_State, Ways] = {}
            end = place + size - 1
            may_begin = end <= final and lacks[min(end, top) + 1] - lacks[place] <= cap
            if not (have[place] > 0 or end >= top or banned):
                may_begin = False
            low_at, high_at, wild_at, here = suit.low_at[place], suit.high_at[place], suit.wild_at[place], have[place]
            ahead = bool(next_low[place + 1]) or (absorbs and place < top - size) or (suit.round and bool(suit.tables))
            beyond_open = far[place + 1]
            gap_to_low = lacks[next_low[place + 1]] - lacks[place + 1] if next_low[place + 1] and not absorbs else 0
            to_come = [lacks[min(place + size - length, top) + 1] - lacks[place + 1] for length in range(1, size)]
            is_forced, points, mark = forced[place], worth[place], digit[place]
            new_old = low_ace_runs.count(place)
            for state, ways in states.items():
                rising, lines, opened, old, short, begun, ended, aces = state
                aged, marked = lines & 15, lines >> 4
                fresh_old = new_old + (marked & marked_at[place]).bit_count() if marked else new_old
                avail = here - aces if place == 14 else here
                running = sum(short)
                young = opened - old
                if place == 14 and one_ace:
                    opened, old = young, 0
                most_begin = room - begun if may_begin and not (ended and banned) else 0
                complete = short[-1]
                newly_open = high_at + complete if goes_on else high_at
                for swapped in range(min(wild_at, avail) + 1) if wild_at else _ONCE:
                    rest0 = avail - swapped
                    for met, met_aged in _meetings(rising, aged, low_at, closed_at[place]) if low_at and rising else _NO_MEETING:
                        for begin in range(most_begin + 1) if most_begin else _ONCE:
                            for absorbed in range(min(begin, rising - met) + 1) if absorbs else _ONCE:
                                going = rising - met - absorbed
                                if going and not ahead:
                                    continue
                                must = going + running + begin
                                if must > rest0:
                                    lacking, rest, served = must - rest0, 0, rest0
                                else:
                                    lacking, rest, served = 0, rest0 - must, must
                                core = max(0, running + begin - rest0) if tied else 0
                                still_aged = min(aged - met_aged, going)
                                if one_ace and (marked or met_aged):
                                    here_marked = marked | sum(1 << number for _, number in meeting[place][:met_aged])
                                    still_aged += here_marked << 4
                                for start in range(rest + 1) if rest and ahead else _ONCE:
                                    free = min(opened, rest - start)
                                    least = free if is_forced else 0
                                    most = opened if beyond_open < 99 else free
                                    new_short = (begin, *short[:-1])
                                    waiting = (going + start) * gap_to_low
                                    for length in range(size - 1):
                                        if new_short[length]:
                                            waiting += new_short[length] * to_come[length]
                                    for on in range(least, most + 1):
                                        used = swapped + served + start + min(on, free)
                                        gap = lacking - swapped
                                        limit = cap - waiting
                                        if on > free:
                                            gap += on - free
                                            if waiting < beyond_open:
                                                limit = cap - beyond_open
                                        new = (
                                            going + start,
                                            (start if place == 1 else still_aged) if one_ace else 0,
                                            on + newly_open,
                                            (max(0, on - young) + fresh_old + (complete if place == size and goes_on else 0))
                                            if one_ace
                                            else 0,
                                            new_short,
                                            begun + begin,
                                            1 if banned and complete else 0,
                                            (used if place == 1 else aces if place < 14 else 0) if both_aces else 0,
                                        )
                                        into = later.get(new)
                                        if into is None:
                                            into = {}
                                        gain = used * points
                                        digits = used * mark
                                        move = (place, swapped, met, met_aged, begin, absorbed, start, on, used - swapped)
                                        for (lost, down, taken_digits), (value, back) in ways.items():
                                            total = lost + gap
                                            if total > limit:
                                                continue
                                            cost = (total, down + core, taken_digits + digits)
                                            known = into.get(cost)
                                            if known is None or known[0] < value + gain:
                                                into[cost] = (value + gain, (back, move))
                                        if into:
                                            later[new] = into
            self.budget.spend(4 * len(later))
            states = {state: _undominated(ways) if len(ways) > 1 else ways for state, ways in later.items()}
        found: dict[int, Ways] = {}
        for state, ways in states.items():
            if not suit.round and (state[0] or any(state[4])):
                continue
            into = found.setdefault(state[5], {})
            for cost, (value, back) in ways.items():
                if cost not in into or into[cost][0] < value:
                    into[cost] = value, back
        return {count: _undominated(ways) for count, ways in found.items()}

    # -- from counts to runs ------------------------------------------------------------------------------------------

    def _plan(self, worth: int, chosen: tuple[int, ...], backs: tuple[Back, ...], cost: Cost) -> Plan:
        """Write the play down as the exact search does."""
        scene, terms = self.scene, self.terms
        grown: list[tuple[int, Growth]] = []
        swaps: list[tuple[int, int, int, str]] = []
        left = [row[:] for row in scene.naturals]
        surplus = {rank: max(0, self.count[rank] - self.set_size * chosen.count(rank)) for rank in {*chosen} if rank}
        wilds = 0
        for suit, back in zip(self.suits, backs, strict=True):
            runs, swapped = _rebuild(back, suit)
            for meld, place in swapped:
                swaps.append((suit.suit, meld, place, "n"))
                left[suit.suit][1 if place == 14 else place] -= 1
            for run in runs:
                for index, (place, kind, part) in enumerate(run.cards):
                    rank = 1 if place == 14 else place
                    kind_now = kind
                    if kind == "n" and rank in surplus:
                        if surplus[rank]:
                            surplus[rank] -= 1
                        else:
                            kind_now = "w"
                    run.cards[index] = place, kind_now, part
                    if kind_now == "n":
                        left[suit.suit][rank] -= 1
                    else:
                        wilds += 1
                grown.append((suit.suit, run))
        plan = Plan(worth, grown, swaps, [], [], self.wilds)
        if self.loose:
            choose_cores(plan, terms)
        self._check_runs(grown)
        new_sets: list[NewSet] = []
        for number, rank in enumerate(chosen):
            if not rank:
                new_sets.append(NewSet(0, 0, Pick(0, 0, self.set_size, 0, self.set_size)))
                wilds += self.set_size
                continue
            have = sum(left[suit][rank] for suit in range(4))
            later = chosen[number + 1 :].count(rank)
            earlier = chosen[:number].count(rank)
            if earlier:
                have -= sum(item.pick.naturals for item in new_sets if item.rank == rank)
            take = min(have, self.set_size) if later or self.closed_sets else have
            short = max(0, self.set_size - take)
            core = min(take, self.set_size)
            new_sets.append(NewSet(0, rank, Pick(take, 0, short, core, short)))
            wilds += short
            if not take and not terms.all_wild_set:
                raise Undecided
        held_sets: list[tuple[int, Pick]] = []
        fed = dict.fromkeys(chosen, ENDLESS)
        if self.closed_sets:
            fed = {rank: sum(item.pick.naturals for item in new_sets if item.rank == rank) for rank in chosen}
        given: set[int] = set()
        for item in self.table_sets:
            take = 0
            if item.rank and item.rank not in given:
                take = max(0, sum(left[suit][item.rank] for suit in range(4)) - fed.get(item.rank, 0))
                given.add(item.rank)
            held_sets.append((item.meld, Pick(take, 0, 0)))
        down = sum(kind == "w" for _, run in grown if run.what == OWN for _, kind, part in run.cards if part == CORE)
        if swaps and down + sum(item.pick.core_wilds for item in new_sets) > self.wilds:
            raise Undecided
        spare = self.wilds + len(swaps) - wilds
        self._place_spare(spare, new_sets, held_sets, grown)
        if not terms.own_layoff:
            for run in [run for _, run in grown if run.what == OWN]:
                run.cards[:] = [(place, kind, CORE) for place, kind, _ in run.cards]
        plan.new_sets, plan.held_sets = new_sets, held_sets
        return plan

    def _check_runs(self, grown: list[tuple[int, Growth]]) -> None:
        """Refuse what the sweep left out of account: an ace at both ends, and a new run of wild cards alone where the
        rules ban it.
        """
        terms = self.terms
        ends: dict[int, set[int]] = {}
        for _, run in grown:
            places = {place for place, _, _ in run.cards}
            if run.what == OWN:
                core = [kind for _, kind, part in run.cards if part == CORE]
                if terms.exact_runs:
                    core = core[: self.size]
                if not terms.all_wild_run and "n" not in core:
                    raise Undecided
                if terms.one_ace and {1, 14} <= places:
                    raise Undecided
            else:
                ends.setdefault(run.which, set()).update(places)
        for runs in self.table_runs:
            for table_run in runs:
                covered = ends.get(table_run.meld, set()) | {table_run.low, table_run.high}
                if terms.one_ace and {1, 14} <= covered:
                    raise Undecided

    def _place_spare(
        self, spare: int, new_sets: list[NewSet], held_sets: list[tuple[int, Pick]], grown: list[tuple[int, Growth]]
    ) -> None:
        """Lay off the wild cards that no run needs: on a set, or at the ends of runs."""
        while spare and (self._onto_set(new_sets, held_sets) or self._onto_run(grown)):
            spare -= 1
        if spare:
            raise Undecided

    def _onto_set(self, new_sets: list[NewSet], held_sets: list[tuple[int, Pick]]) -> bool:
        """Lay a wild card off on a set, if one may take it."""
        limits = self.limits
        for number, (meld, pick) in enumerate(held_sets):
            lying = next(item for item in self.table_sets if item.meld == meld)
            naturals, wilds = lying.naturals + pick.naturals, lying.wilds + pick.wilds + 1
            if (
                wilds <= limits.wild_limit
                and naturals + wilds <= limits.max_set
                and (not limits.ratio_always or wilds <= naturals)
            ):
                held_sets[number] = meld, pick._replace(wilds=pick.wilds + 1)
                return True
        for number, item in enumerate(() if self.closed_sets else new_sets):
            naturals, wilds = item.pick.naturals, item.pick.wilds + 1
            if (
                wilds <= limits.wild_limit
                and naturals + wilds <= limits.max_set
                and (not limits.ratio_always or wilds <= naturals)
            ):
                new_sets[number] = item._replace(pick=item.pick._replace(wilds=wilds))
                return True
        return False

    def _onto_run(self, grown: list[tuple[int, Growth]]) -> bool:
        """Lay a wild card off at the end of a run, a new one first."""
        low, high = self.terms.places[0], self.top
        for run in [run for _, run in grown if run.what == OWN and not self.closed_runs]:
            if not self._takes_wild([kind == "w" for _, kind, _ in run.cards]):
                continue
            first, last = run.cards[0], run.cards[-1]
            if last[0] < high and not (self.terms.one_ace and first[0] == 1 and last[0] == 13) and self._beside(last[1]):
                run.cards.append((last[0] + 1, "w", BEYOND))
                return True
            if first[0] > low and not (self.terms.one_ace and last[0] == 14 and first[0] == 2) and self._beside(first[1]):
                run.cards.insert(0, (first[0] - 1, "w", AHEAD))
                return True
        for suit, runs in enumerate(self.table_runs):
            for lying in runs:
                below = next((run for _, run in grown if run.what == LEFT and run.which == lying.meld), None)
                above = next((run for _, run in grown if run.what == RIGHT and run.which == lying.meld), None)
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
                        grown.append((suit, above))
                    above.cards.append((top + 1, "w", CORE))
                    return True
                before = below.cards[0][1] if below else "w" if lying.low in lying.wilds else "n"
                if bottom > low and not (self.terms.one_ace and top == 14 and bottom == 2) and self._beside(before):
                    if below is None:
                        below = Growth(LEFT, lying.meld, [])
                        grown.append((suit, below))
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


def _within(reach: dict[int, int], room: int) -> int:
    """Give the best value that so many wild cards can reach; -1 where none can."""
    return max((value for spent, value in reach.items() if spent <= room), default=-1)


def _undominated(ways: dict[Cost, tuple[int, Any]]) -> dict[Cost, tuple[int, Any]]:
    """Leave out ways that cost no less and are worth no more than another."""
    if len(ways) < 2:
        return ways
    kept: dict[Cost, tuple[int, Any]] = {}
    best: dict[tuple[int, int], int] = {}
    for cost in sorted(ways):
        value = ways[cost][0]
        rest = cost[1], cost[2]
        if rest not in best or best[rest] < value:
            best[rest] = value
            kept[cost] = ways[cost]
    return kept


def _rebuild(back: Back, suit: Suit) -> tuple[list[Growth], list[tuple[int, int]]]:
    """Follow a way of laying a suit back to its runs, and to its swaps (meld and place)."""
    path = []
    while back is not None:
        back, move = back
        path.append(move)
    rising: list[list[tuple[int, str, int]]] = []
    opened: list[Growth] = []
    short: list[Growth] = []
    done: list[Growth] = []
    swaps: list[tuple[int, int]] = []
    low_aces = {run.meld for run in suit.tables if run.low == 1}
    for place, swapped, met, met_aged, begin, absorbed, start, on, naturals in reversed(path):
        swaps += [(run.meld, place) for run in suit.tables if place in run.wilds][:swapped]
        if met:
            lows = sorted((run for run in suit.tables if run.low == place), key=lambda run: run.high == 14)
            with_ace = [line for line in rising if line[0][0] == 1][:met_aged]
            without = [line for line in rising if line[0][0] != 1][: met - met_aged]
            lines = [*with_ace, *without]
            rising = [line for line in rising if not any(line is other for other in lines)]
            done += [Growth(LEFT, run.meld, line) for run, line in zip(lows, lines, strict=False)]
            low_aces |= {run.meld for run, _ in zip(lows, with_ace, strict=False)}
        begun: list[Growth] = []
        for number in range(begin):
            cards = rising.pop(0) if number < absorbed else []
            begun.append(Growth(OWN, 0, cards))
        short += begun
        done += begun
        fresh: list[list[tuple[int, str, int]]] = [[] for _ in range(start)]
        if on < len(opened):
            opened.sort(key=lambda run: run.which in low_aces if run.what == RIGHT else run.cards[0][0] == 1)
            del opened[on:]
        targets = [(run.cards, CORE) for run in short] + [(cards, AHEAD) for cards in (*rising, *fresh)]
        targets += [(run.cards, BEYOND) for run in opened]
        starts = range(len(short) + len(rising), len(short) + len(rising) + start)
        order = [*starts, *[index for index in range(len(targets)) if index not in starts]]
        for number, index in enumerate(order):
            cards, part = targets[index]
            cards.append((place, "n" if number < naturals else "w", part))
        rising += fresh
        still: list[Growth] = []
        for run in short:
            if sum(part == CORE for _, _, part in run.cards) < suit.size:
                still.append(run)
            elif not suit.closed:
                opened.append(run)
        short = still
        for run_on_table in suit.tables:
            if run_on_table.high == place:
                growth = Growth(RIGHT, run_on_table.meld, [])
                opened.append(growth)
                done.append(growth)
    return [growth for growth in done if growth.cards], swaps
