"""All ways to lay the cards of one suit in runs, swept from the low ace to the high ace.

At each place the open runs are served (:mod:`continental.rules.solver.serving`). Ways with the same future are counted together:
a *shape* says what the future hangs on, and for each shape the best value is kept for every cost. A way that leaves more worth
behind than a play may lose is dropped at once.

Where runs pass through the ace, the circle is cut where few of them are likely to pass; then every set of runs that could come in
round the cut is swept for, and must be met by runs that go out there.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from continental.rules.solver.binding import frees_runs, frees_sets
from continental.rules.solver.budget import Budget
from continental.rules.solver.lines import (
    CORE,
    LEFT,
    RIGHT,
    Holding,
    Open,
    Rules,
    is_shut,
    may_end,
    rules_of,
    strain_of,
    watch_of,
)
from continental.rules.solver.scene import Scene, best_cut
from continental.rules.solver.serving import FREED, LOOSE, MASK, Move, Places, Served, Server, Service, Swapped, Totals
from continental.rules.solver.terms import FACE

Back = Any
"""A way followed back: the way before it, the place, its moves and its swaps."""
ALL: Final = 10**9
"""More than any play is worth."""
Ways = dict[int, tuple[int, Back]]
"""The best value for each packed cost."""


class _Shape(NamedTuple):
    """What the future of a suit hangs on.

    ``mark`` is what was used of the ace at the low end, or round the ace whether a new run began just above the cut.
    """

    pending: tuple[int, ...]
    entries: tuple[Open, ...]
    totals: Totals
    mark: tuple[int, int]
    strain: int


class SetRanks(NamedTuple):
    """What a sweep must know of the sets.

    ``own``: ranks of which the player lays sets, so that not every card of them must lie in a run; ``free``: ranks whose cards
    find a place in sets, so that runs gain nothing by them; ``tracked``: those of them whose cards are counted when runs take
    them.
    """

    own: frozenset[int]
    free: frozenset[int]
    tracked: frozenset[int]


_Served = tuple[Server, Service, int, tuple[int, int], int]
"""A service with its server and its place, and the mark and the strain of the state that it leads to."""
_Gone = tuple[int, int, int, int, int]
"""What going on comes to: the packed cost and the worth, the wild cards that may be spent then, what a way must be worth when
its wild cards are paid for, and what is paid for one.
"""

NO_SETS: Final = SetRanks(frozenset(), frozenset(), frozenset())


class Sweep:
    """The sweep of one suit for one search."""

    def __init__(self, scene: Scene, suit: int, split: bool, swaps: bool, cap: int, places: Places, budget: Budget) -> None:
        """Prepare the sweep.

        Args:
            scene: the cards and the table.
            suit: 0–3.
            split: tell wild cards that go down from those that are laid off, as swaps may free some.
            swaps: wild cards of the table can be freed.
            cap: wild cards that can be had at most, those that swaps free included.
            places: where the numbers of a packed cost lie.
            budget: what the whole search may still look at.
        """
        self.scene = scene
        self.terms = scene.terms
        self.suit = suit
        self.split, self.swaps = split, swaps
        self.cap = cap
        self.places = places
        self.budget = budget
        self.naturals, self.selves = scene.naturals[suit], scene.natural_wilds[suit] if scene.terms.limited else [0] * 14
        self.tables = scene.runs[suit] if scene.terms.others_layoff else ()
        self.round = scene.terms.wrap
        self.turn = best_cut(scene, suit, self.tables) if self.round else 0
        """Where runs pass through the ace the sweep begins above this place."""
        if self.turn:
            self.tables = tuple([run.turned(self.turn) for run in self.tables])
        self.both_aces = self.terms.places[0] == 1 and self.terms.places[-1] == 14
        self.servers: dict[bool, Server] = {}
        self.crossings: dict[tuple[int, ...], list[tuple[Open, ...]]] = {}

    def _rank(self, place: int) -> int:
        return (place + self.turn - 1) % 13 + 1

    # -- what is served -------------------------------------------------------------------------------------------------

    def _server(self, new_runs: int) -> Server:
        """Give what serves the places of this suit when so many new runs may be laid in it."""
        many = new_runs > 1
        server = self.servers.get(many)
        if server is None:
            server = self.servers[many] = self._make_server(new_runs)
        return server

    def _make_server(self, new_runs: int) -> Server:
        terms, cap = self.terms, self.cap
        naturals, wilds = self.scene.naturals[self.suit], self.scene.natural_wilds[self.suit]
        gaps = [place in terms.places and not naturals[self._rank(place)] + wilds[self._rank(place)] for place in range(15)]
        holding = Holding(
            cards=sum(naturals) + sum(wilds) + (naturals[1] + wilds[1] if self.both_aces else 0),
            gaps=sum(gaps),
            cap=cap,
            new_runs=new_runs,
            wild_end=any(place in run.wilds for run in self.tables for place in (run.low, run.high)),
            shut=bool(self._forbidden()),
            shut_wild=self.scene.unplayable in terms.wild,
            loose=bool(self._loose()),
            frees=frees_runs(self.scene),
        )
        rules: Rules = rules_of(terms, self.split, self.swaps, holding)
        empty = [place for place in terms.places if gaps[place]]
        watches = tuple([watch_of(run, terms, self.split, holding, empty) for run in self.tables])
        stock = [naturals[self._rank(place)] if place in terms.places else 0 for place in range(20)]
        player = self.scene.player if holding.frees or frees_sets(self.scene) else -1
        served = Served(self.tables, watches, self._forbidden(), stock, self._ahead(), self._loose(), player)
        return Server(terms, rules, served, self.budget, self.places)

    def _ahead(self) -> list[tuple[int, int]]:
        """Count by place the places above it that have cards, and these cards."""
        ahead = [(0, 0)] * 20
        for place in reversed(range(1, self.terms.places[-1])):
            count = self.naturals[self._rank(place + 1)] + self.selves[self._rank(place + 1)]
            places, cards = ahead[place + 1]
            ahead[place] = places + (count > 0), cards + count
        return ahead

    def _forbidden(self) -> frozenset[int]:
        """Give the places of the card that is to be discarded: no run that may be added to may be able to take it there."""
        card = self.scene.unplayable
        for place in self.terms.places if card is not None else ():
            if FACE[self.suit, self._rank(place)] == card:
                return frozenset({1, 14}) if place == 1 and not self.round else frozenset({place})
        return frozenset()

    def _loose(self) -> dict[int, frozenset[int]]:
        """Give the places of the wild cards that must be laid off as themselves, and the melds that these came from."""
        if not self.scene.loose:
            return {}
        faces = {place: FACE[self.suit, self._rank(place)] for place in self.terms.places}
        came = {place: frozenset(item.meld for item in self.scene.loose if item.wild == face) for place, face in faces.items()}
        return {place: melds for place, melds in came.items() if melds}

    # -- all ways -------------------------------------------------------------------------------------------------------

    def top(self, new_runs: int, sets: SetRanks) -> int:
        """Bound what the runs of this suit can be worth."""
        return sum(max(0, worth) * count for worth, count in self._worths(new_runs, sets).values())

    def _worths(self, new_runs: int, sets: SetRanks) -> dict[int, tuple[int, int]]:
        """Give of each rank that runs alone can take what a card is worth, and how many there are."""
        worths = {}
        for rank in range(1, 14):
            count = self.naturals[rank]
            if count and rank not in sets.free and self._within_reach(rank, new_runs):
                worths[rank] = self.scene.weights[FACE[self.suit, rank]], count
        return worths

    def _within_reach(self, rank: int, new_runs: int) -> bool:
        """Tell whether any run can hold this card, as far as the wild cards go."""
        if self.round or any(run.low <= rank <= run.high or (rank == 1 and run.high == 14) for run in self.tables):
            return True
        server = self._server(new_runs)
        lacks, last, cap = server.lacks, self.terms.places[-1], self.cap
        for place in (rank, 14) if rank == 1 and self.both_aces else (14 if rank == 1 and last == 14 else rank,):
            if any(lacks[max(place, run.low)] - lacks[min(place, run.high) + 1] <= cap for run in self.tables):
                return True
            for size in server.rules.sizes if new_runs else ():
                first = max(self.terms.places[0], place - size + 1)
                if any(lacks[low + size] - lacks[low] <= cap for low in range(first, min(place, last - size + 1) + 1)):
                    return True
        return False

    def ways(self, counts: tuple[int, ...], sets: SetRanks, least: int, price: int) -> dict[int, Ways]:
        """Give the best value for every cost, by the wild cards that must be laid off for those freed to go elsewhere.

        Args:
            counts: how many new runs of each slot to lay in this suit.
            sets: what to know of the sets.
            least: what a way must be worth when its wild cards are paid for.
            price: what is paid for one.
        """
        found: dict[int, Ways] = {}
        self._finish(self._run(counts, (), sets, least, price), (), sum(counts), found)
        if not self.round:
            return found
        for entering in self._crossing(counts):
            self._finish(self._run(counts, entering, sets, least, price), entering, sum(counts), found)
        return found

    def _crossing(self, counts: tuple[int, ...]) -> list[tuple[Open, ...]]:
        """Give every set of runs that could come in round the cut; it does not hang on the sets."""
        found = self.crossings.get(counts)
        if found is None:
            found = self.crossings[counts] = self._find_crossing(counts)
        return found

    def _find_crossing(self, counts: tuple[int, ...]) -> list[tuple[Open, ...]]:
        server = self._server(sum(counts))
        crossing: set[tuple[Open, ...]] = set()
        for shape in self._run(counts, (), NO_SETS, None):
            _sub_multisets(shape.entries, crossing)
        rank = self._rank(1)
        naturals = self.naturals[rank] + self.selves[rank]
        possible = []
        for entering in sorted(crossing):
            going = [run for run in entering if run.what != LEFT or server.tables[server.index[run.which]].low != 1]
            if len(going) <= naturals + self.cap and sum(run.after_wild for run in going) <= naturals:
                possible.append(entering)
        return possible

    def _run(
        self, counts: tuple[int, ...], entering: tuple[Open, ...], sets: SetRanks, least: int | None, price: int = 0
    ) -> dict[_Shape, Ways]:
        """Sweep once; without ``least`` only to see which runs can be open at the end, whatever is left behind."""
        server = self._server(sum(counts))
        cover = least is not None and self.scene.cover
        start = tuple(sorted(run._replace(entered=1) for run in entering))
        states: dict[_Shape, Ways] = {_Shape(counts, start, server.start, (0, 0), 0): {0: (0, None)}}
        worths = self._worths(sum(counts), sets)
        to_come = sum(max(0, worth) * count for worth, count in worths.values())
        eased = server.limited and not entering and least is not None
        """With no more than so many wild cards left much of what was counted does not matter any more."""
        least = -ALL if least is None else least
        for place in self.terms.places:
            rank = self._rank(place)
            worth, count = worths.get(rank, (0, 0))
            if not (rank == 1 and place == 1 and self.both_aces):
                to_come -= max(0, worth) * count
            states = self._step(server, states, place, (sets, cover, worth, least - to_come, price), eased)
        return states

    def _step(
        self, server: Server, states: dict[_Shape, Ways], place: int, asked: tuple[SetRanks, bool, int, int, int], eased: bool
    ) -> dict[_Shape, Ways]:
        """Serve one place in every way."""
        sets, cover, worth, least, price = asked
        saves = worth > 0 and least > -ALL and not (self.both_aces and place in (1, 14))
        rank = self._rank(place)
        have, have_selves = self.naturals[rank], self.selves[rank]
        mark_taken = 1 << self.places.taken[self.suit, rank] if rank in sets.tracked else 0
        mark_self = 1 << self.places.selves[self.suit, rank] if have_selves else 0
        must = cover and rank not in sets.own and not (place == 1 and self.both_aces)
        if place in server.loose and least > -ALL:
            must = rank not in sets.free and not (place == 1 and self.both_aces)
        low_ace, high_ace = self.both_aces and place == 1, self.both_aces and place == 14
        freed = sum([place in run.wilds for run in self.tables]) if server.rules.swaps else 0
        later: dict[_Shape, Ways] = {}
        for (pending, entries, totals, mark, strain), ways in states.items():
            naturals, selves = (have - mark[0], have_selves - mark[1]) if high_ace else (have, have_selves)
            spare, fewest = self._bounds(ways, worth, least - price * freed, price)
            if fewest > naturals:
                continue
            for service in server.serve(place, (naturals, selves, pending, entries, totals), spare, fewest):
                used, used_selves = service.naturals, service.selves
                if (must and used < naturals) or (saves and service.wasteful):
                    continue
                after = mark
                if self.both_aces:
                    after = (used, used_selves) if low_ace else (0, 0) if high_ace else mark
                elif self.round and not self.terms.touching and place == 1 and service.began:
                    after = (1, 0)
                cost_here = service.cost + used * mark_taken + used_selves * mark_self
                gone = cost_here, used * worth, self.cap - service.needed, least, price
                self.budget.spend(1)
                if eased:
                    self._extend_eased(later, ways, (server, service, place, after, max(strain, service.strain)), gone)
                    continue
                shape = _Shape(service.pending, service.entries, service.totals, after, max(strain, service.strain))
                move = place, service.moves, service.swaps
                into = later.get(shape)
                if into is None:
                    into = {}
                _extend(into, ways, gone, move)
                if into:
                    later[shape] = into
        return later

    def _bounds(self, ways: Ways, worth: int, least: int, price: int) -> tuple[int, int]:
        """Say how many wild cards are left at most for a state, and how many naturals worth so much must be used at least."""
        spare = self.cap - min([(cost & MASK) + (cost >> LOOSE & MASK) for cost in ways])
        if worth <= 0:
            return spare, 0
        most = max([value - price * spent(cost) for cost, (value, _) in ways.items()])
        return spare, -((most - least) // worth) if most < least else 0

    def _extend_eased(self, later: dict[_Shape, Ways], ways: Ways, served: _Served, gone: _Gone) -> None:
        """Go on from every way with one service, as ``_extend`` does, but to states that forget what cannot matter with the wild
        cards that are left then.
        """
        server, service, place, mark, strain = served
        cost_here, gain, room, least, price = gone
        targets: dict[int, tuple[Ways, tuple[Any, ...]] | None] = {}
        for cost, (value, back) in ways.items():
            new = cost + cost_here
            worth = value + gain
            wilds = (new & MASK) + (new >> LOOSE & MASK)
            if wilds > room or worth - price * (wilds - (new >> FREED & MASK)) < least:
                continue
            if wilds not in targets:
                eased = server.ease(service, place, self.cap - wilds)
                if eased is None:
                    targets[wilds] = None
                else:
                    shape = _Shape(service.pending, eased.entries, eased.totals, mark, strain)
                    targets[wilds] = later.setdefault(shape, {}), (place, eased.moves, service.swaps)
            target = targets[wilds]
            if target is None:
                continue
            into, move = target
            old = into.get(new)
            if old is None or old[0] < worth:
                into[new] = worth, (back, *move)

    # -- the end of a sweep ---------------------------------------------------------------------------------------------

    def _finish(self, states: dict[_Shape, Ways], entering: tuple[Open, ...], new_runs: int, found: dict[int, Ways]) -> None:
        """End every run that is still open, or join it to the run that came in round the ace."""
        server = self._server(new_runs)
        for shape, ways in states.items():
            if any(count for count, slot in zip(shape.pending, self.terms.runs, strict=True) if slot.count is not None):
                continue
            joined = _match(shape.entries, entering)
            if joined is None:
                continue
            ends = [entry for number, entry in enumerate(shape.entries) if number not in joined]
            if any(not self._may_stop(server, entry, shape) for entry in ends):
                continue
            strains = [strain_of(entry, self.terms.swap_target) for entry in ends if entry.moved]
            strains.append(server.strain(shape.totals, range(len(shape.totals))))
            strain = max([shape.strain, *[ALL if one is None else one for one in strains]])
            if strain == ALL:
                continue
            into = found.setdefault(strain, {})
            for cost, (value, back) in ways.items():
                if cost not in into or into[cost][0] < value:
                    into[cost] = value, (self.suit, back, entering, joined, self.turn)

    def _may_stop(self, server: Server, entry: Open, shape: _Shape) -> bool:
        """Tell whether a run may end above the last place."""
        if entry.what == LEFT:
            return False
        owes = server.open_to(1 if self.round else self.terms.places[-1] + 1, entry.after_wild > 0) if server.shutting else 0
        if entry.what == RIGHT:
            return server.may_be_left(entry.which, shape.totals, owes)
        if self.round and not self.terms.touching and shape.mark[0] and entry.part == CORE:
            return False
        shut = not server.rules.own_layoff or is_shut(entry, max(owes, entry.owes), server.rules)
        return shut and may_end(entry, server.rules)


def spent(cost: int) -> int:
    """Give the wild cards of the hand that a packed cost comes to."""
    return (cost & MASK) + (cost >> LOOSE & MASK) - (cost >> FREED & MASK)


def _extend(into: Ways, ways: Ways, gone: _Gone, move: tuple[Any, ...]) -> None:
    """Go on from every way with one service, but for those that need too many wild cards or are worth too little."""
    cost_here, gain, room, least, price = gone
    for cost, (value, back) in ways.items():
        new = cost + cost_here
        worth = value + gain
        wilds = (new & MASK) + (new >> LOOSE & MASK)
        if wilds > room or worth - price * (wilds - (new >> FREED & MASK)) < least:
            continue
        old = into.get(new)
        if old is None or old[0] < worth:
            into[new] = worth, (back, *move)


def _sub_multisets(entries: tuple[Open, ...], into: set[tuple[Open, ...]]) -> None:
    """Add every non-empty part of the runs still open at the ace."""
    parts: set[tuple[Open, ...]] = {()}
    for entry in entries:
        parts |= {(*part, entry) for part in parts}
    into |= {tuple(sorted(part)) for part in parts if part}


def _match(entries: tuple[Open, ...], entering: tuple[Open, ...]) -> tuple[int, ...] | None:
    """Find the open runs that go on as the runs that came in, by their numbers; ``None`` if they are not all there."""
    joined: list[int] = []
    for wanted in entering:
        number = next((number for number, entry in enumerate(entries) if entry == wanted and number not in joined), None)
        if number is None:
            return None
        joined.append(number)
    return tuple(joined)


class Growth(NamedTuple):
    """Cards laid in one run: for a new run all of them, for a table run those below or above what lay there."""

    what: int
    which: int
    cards: list[tuple[int, str, int]]
    """Place, kind of card (``n`` natural, ``x`` natural wild card as itself, ``w`` wild; ``N`` and ``X`` those swapped in for a
    wild card that went down) and part of each card in rising order.
    """


def rebuild(back: Back) -> tuple[list[Growth], list[tuple[int, int, str]]]:
    """Follow a way of laying a suit back to its runs and its swaps (meld, place, kind of the card put in)."""
    _, steps, entering, joined, turn = back
    came_in = [Growth(run.what, run.which, []) for run in entering]
    order = sorted(range(len(entering)), key=lambda number: entering[number]._replace(entered=1))
    current: list[tuple[Open, Growth]] = [(entering[number]._replace(entered=1), came_in[number]) for number in order]
    grown: list[Growth] = []
    swapped: list[tuple[int, int, str]] = []
    for place, moves, swaps in reversed(list(_path(steps, turn))):
        swapped.extend((meld, place, kind) for meld, kind in swaps)
        following: list[tuple[Open, Growth]] = []
        for number, (kind, entry) in enumerate(moves):
            growth = current[number][1] if number < len(current) else None
            if growth is None:
                assert entry is not None, "what is new is not ended at once"
                growth = Growth(entry.what, entry.which, [])
                grown.append(growth)
            if entry is not None:
                if kind != "ready":
                    growth.cards.append((place, kind, entry.part))
                following.append((entry, growth))
        current = sorted(following, key=lambda pair: pair[0])
    for number, growth in zip(joined, came_in, strict=True):
        current[number][1].cards.extend(growth.cards)
    return [growth for growth in grown if growth.cards], swapped


def _path(steps: Back, turn: int) -> Iterator[tuple[int, tuple[Move, ...], tuple[Swapped, ...]]]:
    """Follow the steps of a sweep from the last to the first, with the places as they are on the table."""
    while steps is not None:
        steps, place, moves, swaps = steps
        yield (place + turn - 1) % 13 + 1 if turn else place, moves, swaps
