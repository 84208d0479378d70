"""Every way to serve the runs of a suit at one place, and what each costs.

At a place every open run either takes a card (a natural, a natural wild card standing as itself, or a wild card) or ends; new
runs begin; runs of the table grow at their ends, and wild cards in them are swapped. What this comes to hangs on the open runs
and the cards at the place alone, so each answer is kept for all sweeps of the suit.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from continental.rules.solver.budget import Budget
from continental.rules.solver.lines import (
    AHEAD,
    BEYOND,
    CIRCLE,
    CORE,
    LEFT,
    OPEN_TO_ALL,
    OPEN_TO_WILD,
    OWN,
    RIGHT,
    START,
    UNTRACKED,
    Open,
    Rules,
    Total,
    Watch,
    grow,
    is_shut,
    may_end,
)
from continental.rules.solver.scene import TableRun
from continental.rules.solver.terms import Terms

DIGIT: Final = 8
"""Bits of one number in a packed cost."""
MASK: Final = (1 << DIGIT) - 1
DOWN, LOOSE, FREED, REST = 0, DIGIT, 2 * DIGIT, 3 * DIGIT
"""Where the numbers of a packed cost lie: wild cards that went down or stand as themselves (all of them where the difference does
not matter); those laid off as wild cards, each of which may be a freed one; wild cards swapped out of table runs; from ``REST``
on what :class:`Places` says.
"""

Move = tuple[str, Open | None]
Swapped = tuple[int, str]
Totals = tuple[Total, ...]


class Places(NamedTuple):
    """Where the further numbers of a packed cost lie.

    ``selves``: natural wild cards standing as themselves, and ``taken``: cards taken from the ranks of sets, both by suit and
    rank (the same for all suits where suits do not matter); ``owners``: where a freed wild card must go to a run of the same
    owner, the wild cards laid off on the runs of each, and above them those freed from them.
    """

    selves: dict[tuple[int, int], int]
    taken: dict[tuple[int, int], int]
    owners: int


class Service(NamedTuple):
    """One way to serve a place.

    ``naturals`` and ``selves`` used, the packed ``cost``, wild cards ``needed`` later at the least, and the state afterwards;
    ``wasteful``: a run ends for which a natural is left that only runs could take; ``moves`` and ``swaps`` to follow it back.
    """

    naturals: int
    selves: int
    cost: int
    needed: int
    pending: tuple[int, ...]
    entries: tuple[Open, ...]
    totals: Totals
    strain: int
    began: bool
    wasteful: bool
    moves: tuple[Move, ...]
    swaps: tuple[Swapped, ...]


class _Way(NamedTuple):
    """A way that has served some of the demands at a place."""

    naturals: int
    selves: int
    moves: tuple[Move, ...]
    swaps: tuple[Swapped, ...]
    cost: int
    totals: Totals
    pending: tuple[int, ...]
    strain: int = 0
    ended: bool = False
    began: bool = False


class Served(NamedTuple):
    """What a suit has to serve: its table runs and what is watched of each, the places that must not be left open, and those
    whose naturals may be laid off only, with the melds that these came from.
    """

    tables: tuple[TableRun, ...]
    watches: tuple[Watch, ...]
    forbidden: frozenset[int]
    gaps: Sequence[bool]
    """By place: whether no card in hand fits there."""
    loose: Mapping[int, frozenset[int]] = MappingProxyType({})


def _swapped(way: _Way, run: TableRun) -> bool:
    """Tell whether the wild card of a table run at this place was swapped out."""
    return any(meld == run.meld for meld, _ in way.swaps)


class Server:
    """Serves the places of one suit."""

    def __init__(self, terms: Terms, rules: Rules, served: Served, budget: Budget, owners: int) -> None:
        """Prepare.

        Args:
            terms: the rules of the hand.
            rules: what to remember of new runs.
            served: the suit.
            budget: what the whole search may still look at.
            owners: where the digits of the owners lie in a packed cost.
        """
        self.terms = terms
        self.rules = rules
        self.tables, self.watches, self.forbidden = served.tables, served.watches, served.forbidden
        self.loose = served.loose
        self.budget = budget
        self.owners = owners
        self.round = terms.wrap
        self.index = {run.meld: number for number, run in enumerate(self.tables)}
        self.start: Totals = tuple([watch.start(run, rules.top) for run, watch in zip(self.tables, self.watches, strict=True)])
        self.by_owner = rules.split and terms.swap_target == "own-run"
        self.shutting = rules.shut_wild or bool(self.forbidden)
        """A card is to be discarded that no run may be able to take in the end."""
        self.bodies = [self._body(run) for run in self.tables]
        self.known: dict[tuple[object, ...], tuple[Service, ...]] = {}
        self._count_gaps(served.gaps)

    def _body(self, run: TableRun) -> frozenset[int]:
        """Give the places that a table run must not grow on to, as it lies there itself, where it may go just once round."""
        if not self.round or self.terms.max_run > CIRCLE:
            return frozenset()
        return frozenset((run.low + step - 1) % 13 + 1 for step in range(run.size))

    def _ends_meet(self, way: _Way) -> bool:
        """Tell whether both ends of a table run take a card here: then it would go round more than once."""
        below = {run.which for kind, run in way.moves if run is not None and run.what == LEFT}
        return any(run is not None and run.what == RIGHT and kind != "ready" and run.which in below for kind, run in way.moves)

    def _count_gaps(self, gaps: Sequence[bool]) -> None:
        """Count the places without a card below each place, and for each slot the fewest gaps of a run begun here or later."""
        last = self.terms.places[-1]
        self.lacks = [0] * 20
        for place in range(1, 19):
            self.lacks[place + 1] = self.lacks[place] + (place <= last and gaps[place])
        self.fewest: list[list[int]] = []
        for size in self.rules.sizes:
            row = [0] * 20
            if not self.round:
                row[last - size + 2 :] = [99] * (20 - (last - size + 2))
                for place in range(last - size + 1, 0, -1):
                    row[place] = min(row[place + 1], self.lacks[place + size] - self.lacks[place])
            self.fewest.append(row)

    def serve(
        self, place: int, naturals: int, selves: int, pending: tuple[int, ...], entries: tuple[Open, ...], totals: Totals
    ) -> tuple[Service, ...]:
        """Give every way to serve the runs at one place with the cards there."""
        key = place, naturals, selves, pending, entries, totals
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = self._serve(place, naturals, selves, pending, entries, totals)
        return found

    def _serve(
        self, place: int, naturals: int, selves: int, pending: tuple[int, ...], entries: tuple[Open, ...], totals: Totals
    ) -> tuple[Service, ...]:
        services: dict[tuple[object, ...], Service] = {}
        for way in self._ways(place, naturals, selves, pending, entries, totals):
            if not self.terms.touching and way.ended and way.began:
                continue
            if self.round and self.terms.max_run <= CIRCLE and self._ends_meet(way):
                continue
            needed = self._still_needed(way, place)
            if (way.cost & MASK) + (way.cost >> LOOSE & MASK) + needed > self.rules.cap:
                continue
            used, used_self = naturals - way.naturals, selves - way.selves
            after = tuple(sorted(new for _, new in way.moves if new is not None))
            wasteful = bool(way.naturals) and self._wastes(way, entries, place)
            service = Service(
                used,
                used_self,
                way.cost,
                needed,
                way.pending,
                after,
                way.totals,
                way.strain,
                way.began,
                wasteful,
                way.moves,
                way.swaps,
            )
            services.setdefault(service[:10], service)
        return tuple(services.values())

    def _wastes(self, way: _Way, entries: tuple[Open, ...], place: int) -> bool:
        """Tell whether a natural is left at a place where a run could have taken it without any loss."""
        rules = self.rules
        if self.shutting:
            return False
        for entry, (kind, _) in zip(entries, way.moves, strict=False):
            if kind != "end" or entry.what == LEFT:
                continue
            if entry.what == RIGHT:
                watch = self.watches[self.index[entry.which]]
                if not watch.length and not (watch.ace and place == 14):
                    return True
            elif (
                (rules.own_layoff or not rules.exact)
                and (self.terms.touching or entry.part == BEYOND)
                and not rules.track_length
                and not (rules.one_ace and place == 14)
            ):
                return True
        reached = {run.which for _, run in way.moves if run is not None and run.what == LEFT}
        return any(
            self._above(place) == run.low and run.meld not in reached and not watch.length and not (watch.ace and place == 1)
            for run, watch in zip(self.tables, self.watches, strict=True)
        )

    def _still_needed(self, way: _Way, place: int) -> int:
        """Give how many wild cards what is begun or must still begin needs at the least."""
        sizes, last, lacks = self.rules.sizes, self.terms.places[-1], self.lacks
        needed = 0
        for kind, run in way.moves:
            if run is None or kind == "ready":
                continue
            if run.what == OWN:
                if run.part == CORE and run.core < sizes[run.which]:
                    needed += lacks[min(place + sizes[run.which] - run.core, last) + 1] - lacks[place + 1]
            elif run.what == LEFT and not self.round:
                needed += lacks[self.tables[self.index[run.which]].low] - lacks[place + 1]
        for slot, pending, row in zip(self.terms.runs, way.pending, self.fewest, strict=True):
            if pending and slot.count is not None:
                needed += pending * row[place + 1]
        return needed

    # -- one place ------------------------------------------------------------------------------------------------------

    def _ways(
        self, place: int, naturals: int, selves: int, pending: tuple[int, ...], entries: tuple[Open, ...], totals: Totals
    ) -> Iterable[_Way]:
        ways = [_Way(naturals, selves, (), (), 0, totals, pending)]
        for run in self.tables if self.rules.swaps else ():
            if place in run.wilds:
                ways = [new for way in ways for new in self._swap(way, run, place)]
        for entry in entries:
            grown: list[_Way] = []
            for way in ways:
                self._continue(way, entry, place, grown)
            ways = grown
            self.budget.spend(len(ways))
            if not ways:
                return ways
        ways = self._reach_up(ways, entries, place)
        ways = self._begin_runs(ways, place)
        for run in self.tables if self.shutting else ():
            if place == run.low and not any(entry.what == LEFT and entry.which == run.meld for entry in entries):
                ways = [self._left_open(way, run, place in run.wilds and not _swapped(way, run)) for way in ways]
        for run in self.tables:
            if place == run.high:
                ways = [self._made_ready(way, run, place) for way in ways]
        return ways

    def _reach_up(self, ways: list[_Way], entries: tuple[Open, ...], place: int) -> list[_Way]:
        """Begin to lay cards below runs of the table."""
        for run in self.tables:
            active = any(entry.what == LEFT and entry.which == run.meld for entry in entries)
            if active or place == run.low or not (self.round or place < run.low):
                continue
            ways = ways + [new for way in ways for new in self._grow_table(way, LEFT, run, place, 0, begins=True)]
        return ways

    def _begin_runs(self, ways: list[_Way], place: int) -> list[_Way]:
        """Begin new runs, as many as are still to come."""
        for which, size in enumerate(self.rules.sizes):
            blank = Open(OWN, which, AHEAD, balance=START) if self.rules.phased else Open(OWN, which)
            wave = ways
            while wave := [new for way in wave for new in self._begin(way, blank, place, size)]:
                ways = ways + wave
                self.budget.spend(len(ways))
        return ways

    def _made_ready(self, way: _Way, run: TableRun, place: int) -> _Way:
        """Let a run of the table grow above its high end from the next place on."""
        wild = int(self.rules.adjacent and place in run.wilds and not _swapped(way, run))
        return way._replace(moves=(*way.moves, ("ready", Open(RIGHT, run.meld, after_wild=wild))))

    # -- the card to be discarded ---------------------------------------------------------------------------------------

    def open_to(self, place: int, after_wild: bool) -> int:
        """Say as what the card to be discarded would fit at a place beside a run, whose end there may be wild."""
        if place in self.forbidden:
            return OPEN_TO_ALL
        on_ladder = self.round or self.terms.places[0] <= place <= self.terms.places[-1]
        return OPEN_TO_WILD if self.rules.shut_wild and on_ladder and not (after_wild and self.rules.adjacent) else 0

    def _left_open(self, way: _Way, run: TableRun, wild: bool) -> _Way:
        """Remember what must keep the card to be discarded from the low end of a table run."""
        return self._owing(way, self.index[run.meld], self.open_to(self._below(run.low), wild))

    @staticmethod
    def _owing(way: _Way, number: int, owes: int) -> _Way:
        total = way.totals[number]
        if owes <= total.owes:
            return way
        return way._replace(totals=(*way.totals[:number], total._replace(owes=owes), *way.totals[number + 1 :]))

    def _is_shut(self, number: int, total: Total) -> bool:
        """Tell whether a table run cannot take the card to be discarded, to which its ends stand open."""
        watch, run = self.watches[number], self.tables[number]
        if not total.owes or (total.length if watch.length else run.size) >= self.rules.max_run:
            return True
        few = watch.limit and total.wilds >= self.terms.wild_limit
        return total.owes == OPEN_TO_WILD and (few or (watch.ratio and run.naturals > 0 and total.balance <= 0))

    def may_be_left(self, meld: int, totals: Totals, owes: int) -> bool:
        """Tell whether a table run may end where its high end stands open to the card to be discarded as ``owes`` says."""
        number = self.index[meld]
        return self._is_shut(number, totals[number]._replace(owes=max(owes, totals[number].owes)))

    def _below(self, place: int) -> int:
        return place - 1 or (13 if self.round else 0)

    def _above(self, place: int) -> int:
        return 1 if self.round and place == 13 else place + 1

    def _kinds(self, way: _Way) -> list[str]:
        kinds = ["w"]
        if way.selves:
            kinds.insert(0, "x")
        if way.naturals:
            kinds.insert(0, "n")
        return kinds

    def _pay(self, way: _Way, kind: str, move: Move, core: bool, owner: int = -1) -> _Way:
        """Spend a card of a kind on a move."""
        cost = way.cost
        if kind != "n":
            if core or kind == "x" or not self.rules.split:
                cost += 1 << DOWN
            else:
                cost += 1 << LOOSE
                if owner >= 0 and self.by_owner:
                    cost += 1 << self.owners + 2 * DIGIT * owner
        return way._replace(
            naturals=way.naturals - (kind == "n"), selves=way.selves - (kind == "x"), moves=(*way.moves, move), cost=cost
        )

    def _swap(self, way: _Way, run: TableRun, place: int) -> list[_Way]:
        """Leave a wild card of a table run, or put the card it stands for in its place."""
        ways = [way]
        number = self.index[run.meld]
        watch, total = self.watches[number], way.totals[number]
        for kind in self._kinds(way):
            if kind == "w" or (kind == "n" and place in self.loose):
                continue
            cost = way.cost + (1 << FREED) + ((1 << DOWN) if kind == "x" else 0)
            if self.by_owner:
                cost += 1 << self.owners + DIGIT * (2 * run.owner + 1)
            after = Total(
                min(self.rules.top, total.balance + 2) if watch.ratio else 0,
                total.wilds - 1 if watch.limit else 0,
                total.length,
                total.laid,
                total.freed + 1 if watch.moved else 0,
                total.owes,
            )
            ways.append(
                way._replace(
                    naturals=way.naturals - (kind == "n"),
                    selves=way.selves - (kind == "x"),
                    cost=cost,
                    swaps=(*way.swaps, (run.meld, kind)),
                    totals=(*way.totals[:number], after, *way.totals[number + 1 :]),
                )
            )
        return ways

    def _continue(self, way: _Way, entry: Open, place: int, grown: list[_Way]) -> None:
        """Go on with an open run, or end it. A run that came in round the ace goes on at least once: else it did not come in."""
        goes_on = entry.entered and place == self.terms.places[0]
        if entry.what == OWN:
            owes = max(entry.owes, self.open_to(place, entry.after_wild > 0)) if self.shutting and self.rules.own_layoff else 0
            if not goes_on and may_end(entry, self.rules) and is_shut(entry, owes, self.rules):
                grown.append(way._replace(moves=(*way.moves, ("end", None)), ended=way.ended or entry.part == CORE))
            for kind in self._kinds(way):
                for run, ended, began in grow(entry, kind != "w", place, self.rules):
                    if kind == "n" and run.part == CORE and place in self.loose:
                        continue
                    paid = self._pay(way, kind, (kind, run), run.part == CORE)
                    grown.append(paid._replace(ended=way.ended or ended, began=way.began or began))
            return
        number = self.index[entry.which]
        table_run = self.tables[number]
        if entry.what == LEFT and place == table_run.low:
            swapped = any(meld == table_run.meld for meld, _ in way.swaps)
            if not (entry.after_wild and place in table_run.wilds and not swapped):
                grown.append(way._replace(moves=(*way.moves, ("end", None))))
            return
        if entry.what == RIGHT and not goes_on:
            as_it_is = way._replace(moves=(*way.moves, ("end", None)))
            if self.shutting:
                as_it_is = self._owing(as_it_is, number, self.open_to(place, entry.after_wild > 0))
            settled = as_it_is if self.round else self._settled(as_it_is, number)
            if settled is not None:
                grown.append(settled)
        grown.extend(self._grow_table(way, entry.what, table_run, place, entry.after_wild, entry.entered))

    def _grow_table(
        self, way: _Way, what: int, run: TableRun, place: int, after_wild: int, entered: int = 0, *, begins: bool = False
    ) -> list[_Way]:
        """Lay a card off on a table run; ``begins`` where it is to be the lowest of all."""
        rules = self.rules
        number = self.index[run.meld]
        watch = self.watches[number]
        ways: list[_Way] = []
        for kind in self._kinds(way) if place not in self.bodies[number] else ():
            natural = kind != "w"
            if (after_wild and not natural) or (kind == "n" and not self._may_take(run, place)):
                continue
            totals = way.totals
            balance, wilds, length, laid, freed, owes = totals[number]
            if begins and self.shutting:
                owes = max(owes, self.open_to(self._below(place), not natural))
            if watch.ratio:
                balance = min(rules.top, balance + 1) if natural else balance - 1
            if watch.limit and not natural:
                wilds += 1
            if watch.length:
                length += 1
                if length > rules.max_run:
                    continue
            elif watch.ace and place in (1, 14):
                if length:
                    continue
                length = 1
            if watch.moved and kind == "w":
                laid += 1
            entry = Open(what, run.meld, after_wild=int(rules.adjacent and not natural), entered=entered)
            paid = self._pay(way, kind, (kind, entry), False, run.owner)
            ways.append(
                paid._replace(totals=(*totals[:number], Total(balance, wilds, length, laid, freed, owes), *totals[number + 1 :]))
            )
        return ways

    def _may_take(self, run: TableRun, place: int) -> bool:
        """Tell whether a natural may be laid off here if it was freed from a meld (``swap.target``)."""
        melds = self.loose.get(place)
        if melds is None:
            return True
        target = self.terms.swap_target
        return target not in ("another-meld", "same-run") or (run.meld in melds if target == "same-run" else melds != {run.meld})

    def _begin(self, way: _Way, blank: Open, place: int, size: int) -> list[_Way]:
        """Begin one more new run of a slot."""
        if not way.pending[blank.which] or (not self.round and place + size - 1 > self.terms.places[-1]):
            return []
        pending = tuple(count - (which == blank.which) for which, count in enumerate(way.pending))
        ways: list[_Way] = []
        for kind in self._kinds(way):
            owes = self.open_to(self._below(place), kind == "w") if self.shutting and self.rules.own_layoff else 0
            for run, _, began in grow(blank._replace(owes=owes) if owes else blank, kind != "w", place, self.rules):
                if kind == "n" and run.part == CORE and place in self.loose:
                    continue
                paid = self._pay(way, kind, (kind, run), run.part == CORE)
                ways.append(paid._replace(pending=pending, began=way.began or began or not self.rules.phased))
        return ways

    # -- table runs as they end -----------------------------------------------------------------------------------------

    def _settled(self, way: _Way, number: int) -> _Way | None:
        """Forget what was remembered of a table run that cannot change any more; ``None`` where it may not lie as it is."""
        strain = self.strain(way.totals, (number,))
        if strain is None:
            return None
        totals = (*way.totals[:number], UNTRACKED, *way.totals[number + 1 :])
        return way._replace(totals=totals, strain=max(way.strain, strain))

    def strain(self, totals: Totals, numbers: Iterable[int]) -> int | None:
        """Check table runs as they end; give how many wild cards must be laid off for those freed to go elsewhere."""
        strain = 0
        for number in numbers:
            total = totals[number]
            if total in (self.start[number], UNTRACKED):
                continue
            watch = self.watches[number]
            if not self._is_shut(number, total):
                return None
            if (watch.ratio and total.balance < 0) or (watch.limit and total.wilds > self.terms.wild_limit):
                return None
            if total.freed and self.terms.swap_target == "same-run" and total.freed > total.laid:
                return None
            if total.freed and self.terms.swap_target == "another-meld":
                strain = max(strain, total.freed + total.laid)
        return strain
