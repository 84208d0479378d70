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
    ALONE,
    BEYOND,
    CIRCLE,
    CORE,
    LEFT,
    OPEN_TO_ALL,
    OPEN_TO_WILD,
    OWN,
    RIGHT,
    START,
    SWAPPED,
    UNTRACKED,
    Open,
    Rules,
    Total,
    Watch,
    ease,
    grow,
    is_shut,
    lacks_naturals,
    may_end,
    strain_of,
    swap_in,
)
from continental.rules.solver.scene import TableRun
from continental.rules.solver.terms import ENDLESS, Terms

DIGIT: Final = 8
"""Bits of one number in a packed cost."""
MASK: Final = (1 << DIGIT) - 1
DOWN, LOOSE, FREED, REST = 0, DIGIT, 2 * DIGIT, 3 * DIGIT
"""Where the numbers of a packed cost lie: wild cards that went down or stand as themselves (all of them where the difference does
not matter); those laid off as wild cards, each of which may be a freed one; wild cards swapped out of table runs; from ``REST``
on what :class:`Places` says.
"""

SWAPPED_IN: Final = {"N": "n", "X": "x"}
"""Kinds of cards that take the place of a wild card in a run that has just been laid, and the kind that each is in hand."""

Move = tuple[str, Open | None]
Swapped = tuple[int, str]
Totals = tuple[Total, ...]


_END: Final[Move] = ("end", None)


class Places(NamedTuple):
    """Where the further numbers of a packed cost lie.

    ``selves``: natural wild cards standing as themselves, and ``taken``: cards taken from the ranks of sets, both by suit and
    rank (the same for all suits where suits do not matter); ``owners``: where a freed wild card must go to a run of the same
    owner, the wild cards laid off on the runs of each, and above them those freed from them; ``freeing``: the owners for whom
    they are counted, as cards in hand could free some of theirs.
    """

    selves: dict[tuple[int, int], int]
    taken: dict[tuple[int, int], int]
    owners: int
    freeing: frozenset[int] = frozenset()


Asked = tuple[int, int, tuple[int, ...], tuple[Open, ...], Totals]
"""What a place has to serve: naturals and natural wild cards there, new runs still to begin, open runs, table runs."""


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
    eased: dict[int, "Eased | None"]


class Eased(NamedTuple):
    """The state after a service for those ways that have no more than so many wild cards left: what no longer matters with so few
    is forgotten. ``moves`` lead to it.
    """

    entries: tuple[Open, ...]
    totals: Totals
    moves: tuple[Move, ...]


class _Way(NamedTuple):
    """A way that has served some of the demands at a place; ``wilds`` are the wild cards that it takes."""

    naturals: int
    selves: int
    moves: tuple[Move, ...]
    swaps: tuple[Swapped, ...]
    cost: int
    wilds: int
    totals: Totals
    pending: tuple[int, ...]
    strain: int = 0
    ended: bool = False
    began: bool = False


class _Onward(NamedTuple):
    """What a new run can do at a place: end as it is, with the strain that this puts on others, or take a card of a kind, with
    what each comes to; ``swapped``: a card of either kind is put in the place of a wild card that goes down.
    """

    ends: bool
    strain: int
    natural: tuple["_Step", ...]
    itself: tuple["_Step", ...]
    wild: tuple["_Step", ...]
    swapped: tuple["_Step", ...]


class _Step(NamedTuple):
    """A card that a new run takes: the move, whether it goes down, whether it ends the core before it, whether it begins one."""

    move: Move
    core: bool
    ended: bool
    began: bool


class Served(NamedTuple):
    """What a suit has to serve: its table runs and what is watched of each, the places that must not be left open, and those
    whose naturals may be laid off only, with the melds that these came from.
    """

    tables: tuple[TableRun, ...]
    watches: tuple[Watch, ...]
    forbidden: frozenset[int]
    stock: Sequence[int]
    """By place: the naturals in hand."""
    ahead: Sequence[tuple[int, int]]
    """By place: how many places above it have cards in hand, and how many cards these are."""
    loose: Mapping[int, frozenset[int]] = MappingProxyType({})
    player: int = -1
    """Who lays the new runs, where wild cards may be freed from new melds."""


def _swapped(way: _Way, run: TableRun) -> bool:
    """Tell whether the wild card of a table run at this place was swapped out."""
    return any(meld == run.meld for meld, _ in way.swaps)


def _with_natural(balance: int) -> int:
    """Give the naturals less the wild cards of a run of the table with one more natural."""
    return balance + 1 if balance > -ALONE else balance + ALONE + 1


class Server:
    """Serves the places of one suit."""

    def __init__(self, terms: Terms, rules: Rules, served: Served, budget: Budget, places: Places) -> None:
        """Prepare.

        Args:
            terms: the rules of the hand.
            rules: what to remember of new runs.
            served: the suit.
            budget: what the whole search may still look at.
            places: where the numbers of a packed cost lie.
        """
        self.terms = terms
        self.rules = rules
        self.tables, self.watches, self.forbidden = served.tables, served.watches, served.forbidden
        self.loose, self.player = served.loose, served.player
        self.ahead = served.ahead
        self.budget = budget
        self.owners = places.owners
        self.round = terms.wrap
        self.index = {run.meld: number for number, run in enumerate(self.tables)}
        self.start: Totals = tuple([watch.start(run, rules.top) for run, watch in zip(self.tables, self.watches, strict=True)])
        self.by_owner = rules.split and terms.swap_target == "own-run"
        self.freeing = places.freeing if self.by_owner else frozenset()
        self.shutting = rules.shut_wild or bool(self.forbidden)
        """A card is to be discarded that no run may be able to take in the end."""
        self.bodies = [self._body(run) for run in self.tables]
        watched = any(watch.ratio or watch.limit for watch in self.watches)
        self.limited = rules.ratio_always or rules.ratio_opening or rules.limit < ENDLESS or watched
        """Cards of a run are counted for the sake of some limit."""
        self.known: dict[tuple[int, Asked], tuple[int, int, tuple[Service, ...]]] = {}
        self.onward: dict[tuple[Open, int], _Onward] = {}
        self.beginnings: dict[tuple[int, int], list[_Step]] = {}
        self.spare = rules.cap
        """Wild cards that are left at most for what is being served."""
        self.stock = served.stock
        self._count_gaps()
        self.shifts = self.shifts_wilds()

    def _body(self, run: TableRun) -> frozenset[int]:
        """Give the places that a table run must not grow on to, as it lies there itself, where it may go just once round."""
        if not self.round or self.terms.max_run > CIRCLE:
            return frozenset()
        return frozenset((run.low + step - 1) % 13 + 1 for step in range(run.size))

    def _ends_meet(self, way: _Way) -> bool:
        """Tell whether both ends of a table run take a card here: then it would go round more than once."""
        below = {run.which for kind, run in way.moves if run is not None and run.what == LEFT}
        return any(run is not None and run.what == RIGHT and kind != "ready" and run.which in below for kind, run in way.moves)

    def shifts_wilds(self) -> bool:
        """Tell whether a wild card at one end of a run may as well lie at the other."""
        return not self.shutting and self.terms.touching

    def _to_fill(self, place: int, top: int, *, wild_end: bool = False) -> int:
        """Say how many wild cards it takes at least until no more fit above a run that has come as far as a place: until it has
        come to the ``top``, or where wild cards may not lie side by side, until it ends in one.
        """
        gaps = ENDLESS if self.round else self.lacks[top + 1] - self.lacks[min(place, top) + 1]
        return min(gaps, 1 - wild_end) if self.rules.adjacent else gaps

    def _count_gaps(self) -> None:
        """Count the places without a natural below each place, and for each slot the fewest gaps of a run begun here or later."""
        last = self.terms.places[-1]
        self.lacks = [0] * 20
        for place in range(1, 19):
            self.lacks[place + 1] = self.lacks[place] + (self.terms.places[0] <= place <= last and not self.stock[place])
        gaps = [place for place in self.terms.places if not self.stock[place]]
        self.gaps = len(gaps)
        """The places without a natural, and those beside each table run: with no more wild cards a run may go all round."""
        self.gaps_beside = [sum(not run.covers(place) for place in gaps) for run in self.tables]
        self.fewest: list[list[int]] = []
        for size in self.rules.sizes:
            row = [0] * 20
            if not self.round:
                row[last - size + 2 :] = [99] * (20 - (last - size + 2))
                for place in range(last - size + 1, 0, -1):
                    row[place] = min(row[place + 1], self.lacks[place + size] - self.lacks[place])
            self.fewest.append(row)

    def serve(self, place: int, asked: Asked, spare: int, fewest: int) -> tuple[Service, ...]:
        """Give every way to serve the runs at one place with the cards there, but for those that take more than ``spare`` wild
        cards by the time all is done, or fewer than ``fewest`` naturals.
        """
        key = place, asked
        found = self.known.get(key)
        if found is None or found[0] < spare or found[1] > fewest:
            found = self.known[key] = spare, fewest, self._serve(place, asked, spare, fewest)
        return found[2]

    def _serve(self, place: int, asked: Asked, spare: int, fewest: int) -> tuple[Service, ...]:
        services: dict[tuple[object, ...], Service] = {}
        naturals, selves, _, entries, _ = asked
        self.spare = spare
        for way in self._ways(place, asked):
            if naturals - way.naturals < fewest or (not self.terms.touching and way.ended and way.began):
                continue
            if self.round and self.terms.max_run <= CIRCLE and self._ends_meet(way):
                continue
            needed = self._still_needed(way, place)
            if way.wilds + needed > spare:
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
                {},
            )
            services.setdefault(service[:10], service)
        return tuple(services.values())

    def ease(self, service: Service, place: int, spare: int) -> Eased | None:
        """Forget what cannot matter with ``spare`` wild cards left at most; ``None`` where a limit is broken for good."""
        if spare not in service.eased:
            service.eased[spare] = self._ease(service, place, spare)
        return service.eased[spare]

    def _ease(self, service: Service, place: int, spare: int) -> Eased | None:
        rules = self.rules
        wilds = spare + rules.shut_wild
        for_run = wilds if self.shutting else min(wilds, self.terms.places[-1] - place)
        places, cards = self.ahead[place]
        lacking = 0
        moves: list[Move] = []
        for kind, run in service.moves:
            eased = run
            if run is not None and run.what == OWN:
                lack = lacks_naturals(run, rules)
                if lack > places:
                    return None
                lacking += lack
                eased = ease(run, for_run, rules)
            elif run is not None and run.what == RIGHT and not wilds:
                eased = run._replace(after_wild=0)
            moves.append((kind, eased))
        for total, start in zip(service.totals, self.start, strict=True):
            if -ALONE < total.balance < min(0, start.balance if start.balance > -ALONE else 0):
                lacking += (1 - total.balance) // 2
        if lacking > cards:
            return None
        totals = tuple([self._ease_total(number, total, wilds) for number, total in enumerate(service.totals)])
        return Eased(tuple(sorted([run for _, run in moves if run is not None])), totals, tuple(moves))

    def _ease_total(self, number: int, total: Total, wilds: int) -> Total:
        watch = self.watches[number]
        if watch.ratio and total.balance > wilds:
            total = total._replace(balance=wilds)
        if watch.limit and total.wilds < self.terms.wild_limit - wilds:
            total = total._replace(wilds=self.terms.wild_limit - wilds)
        return total

    def _wastes(self, way: _Way, entries: tuple[Open, ...], place: int) -> bool:
        """Tell whether a natural is left at a place where a run could have taken it without any loss."""
        rules = self.rules
        if self.shutting:
            return False
        if self.shifts and self._spoils(way, place):
            return True
        for entry, (kind, _) in zip(entries, way.moves, strict=False):
            if kind != "end" or entry.what == LEFT:
                continue
            if entry.what == RIGHT:
                number = self.index[entry.which]
                if self._takes_any(number) and not (self.watches[number].ace and place == 14):
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
            self._above(place) == run.low
            and run.meld not in reached
            and self._takes_any(number)
            and not (self.watches[number].ace and place == 1)
            for number, run in enumerate(self.tables)
        )

    def _takes_any(self, number: int) -> bool:
        """Tell whether a natural at an end of a table run can break no limit."""
        watch = self.watches[number]
        return not watch.length and not (watch.ratio and not self.tables[number].naturals)

    def _spoils(self, way: _Way, place: int) -> bool:
        """Tell whether a run takes a wild card where a natural is left: with that natural in its place the wild card could as
        well lie at an end of the run, unless the run fills all places.
        """
        rules, last = self.rules, self.terms.places[-1]
        left = self.spare - way.wilds
        for kind, run in way.moves:
            if kind != "w" or run is None:
                continue
            if run.what == OWN:
                alone = not run.naturals or run.naturals & SWAPPED
                bare = (rules.bare or (rules.ratio_always and rules.all_wild_run)) and alone
                closed = rules.exact and not rules.own_layoff
                if bare or closed or rules.track_length or place in self.loose or (self.round and self.gaps <= rules.cap):
                    continue
                to_fill = self._to_fill(place, last - rules.one_ace)
            else:
                number = self.index[run.which]
                lying, watch = self.tables[number], self.watches[number]
                if watch.length or not lying.naturals or (self.round and self.gaps_beside[number] <= rules.cap):
                    continue
                wild_end = run.what == LEFT and lying.high in lying.wilds
                to_fill = self._to_fill(place if run.what == RIGHT else lying.high, last - watch.ace, wild_end=wild_end)
            if to_fill > left:
                return True
        return False

    def _still_needed(self, way: _Way, place: int) -> int:
        """Give how many wild cards what is begun or must still begin needs at the least."""
        sizes, last, lacks = self.rules.sizes, self.terms.places[-1], self.lacks
        ends: list[int] = []
        for kind, run in way.moves:
            if run is None or kind == "ready":
                continue
            if run.what == OWN:
                more = sizes[run.which] - (run.core if run.part == CORE else 0)
                if more > 0 and run.part != BEYOND:
                    ends.append(min(place + more, last))
            elif run.what == LEFT and not self.round:
                ends.append(self.tables[self.index[run.which]].low - 1)
        needed = 0
        if len(ends) == 1:
            needed = lacks[ends[0] + 1] - lacks[place + 1]
        elif ends:
            stock = self.stock
            ends.sort()
            runs = len(ends)
            at = place + 1
            for end in ends:
                while at <= end:
                    if runs > stock[at]:
                        needed += runs - stock[at]
                    at += 1
                runs -= 1
        for slot, pending, row in zip(self.terms.runs, way.pending, self.fewest, strict=True):
            if pending and slot.count is not None:
                needed += pending * row[place + 1]
        return needed

    # -- one place ------------------------------------------------------------------------------------------------------

    def _ways(self, place: int, asked: Asked) -> Iterable[_Way]:
        naturals, selves, pending, entries, totals = asked
        ways = [_Way(naturals, selves, (), (), 0, 0, totals, pending)]
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
        """Begin to lay cards below runs of the table, with a wild card only where the run can go as far as the last place."""
        lacks, last = self.lacks, self.terms.places[-1]
        for run in self.tables:
            active = any(entry.what == LEFT and entry.which == run.meld for entry in entries)
            if active or place == run.low or not (self.round or place < run.low):
                continue
            above = self._to_fill(run.high, last, wild_end=run.high in run.wilds) if self.shifts else 0
            between = 0 if self.round else lacks[run.low] - lacks[place + 1]
            ways = ways + [
                new
                for way in ways
                if way.wilds + between <= self.spare
                for new in self._grow_table(way, LEFT, run, place, 0, begins=True)
                if new.moves[-1][0] != "w" or new.wilds + above + between <= self.spare
            ]
        return ways

    def _begin_runs(self, ways: list[_Way], place: int) -> list[_Way]:
        """Begin new runs, as many as are still to come."""
        for which, size in enumerate(self.rules.sizes):
            if not self.round and place + size - 1 > self.terms.places[-1]:
                continue
            wave = [(way, 0) for way in ways if way.pending[which]]
            if not wave:
                continue
            steps = self._beginnings(which, place)
            while wave := [new for way, first in wave for new in self._begin(way, steps, first, (which, place))]:
                ways = ways + [way for way, _ in wave]
                self.budget.spend(len(ways))
        return ways

    def _beginnings(self, which: int, place: int) -> list[_Step]:
        """Give every way to begin a new run at a place: with a natural, with a natural wild card as itself, with a wild card."""
        found = self.beginnings.get((which, place))
        if found is None:
            blank = Open(OWN, which, AHEAD, balance=START) if self.rules.phased else Open(OWN, which)
            kinds = []
            for number, wild in enumerate((False, False, True, False)):
                owes = self.open_to(self._below(place), wild) if self.shutting and self.rules.own_layoff else 0
                kinds.append(self._steps(blank._replace(owes=owes) if owes else blank, place)[number])
            whole = not self.rules.phased
            found = self.beginnings[which, place] = [
                _Step(step.move, step.core, False, step.began or whole) for steps in kinds for step in steps
            ]
        return found

    def _begin(self, way: _Way, steps: list[_Step], first: int, what: tuple[int, int]) -> list[tuple[_Way, int]]:
        """Begin one more new run of a slot, in one of the ways from ``first`` on."""
        which, place = what
        if not way.pending[which]:
            return []
        lacks = self.lacks
        size = self.rules.sizes[which]
        pending = tuple([count - (number == which) for number, count in enumerate(way.pending)])
        most = self.spare - way.wilds - (0 if self.round else lacks[place + size] - lacks[place + 1])
        if most < 0:
            return []
        far = self._to_fill(place, self.terms.places[-1]) if self.shifts else 0
        begun = []
        for number in range(first, len(steps)):
            step = steps[number]
            kind = step.move[0]
            if kind == "n":
                if not way.naturals:
                    continue
            elif kind in SWAPPED_IN:
                if not self._may_swap_in(way, kind):
                    continue
            elif not most or (kind == "x" and not way.selves) or (kind == "w" and 1 + way.wilds + far > self.spare):
                continue
            begun.append((self._taking(way, step, pending), number))
        return begun

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
        if watch.ratio and total.owes == OPEN_TO_ALL:
            return total.balance <= -ALONE - 2
        return total.owes == OPEN_TO_WILD and (few or (watch.ratio and -ALONE < total.balance <= 0))

    def may_be_left(self, meld: int, totals: Totals, owes: int) -> bool:
        """Tell whether a table run may end where its high end stands open to the card to be discarded as ``owes`` says."""
        number = self.index[meld]
        return self._is_shut(number, totals[number]._replace(owes=max(owes, totals[number].owes)))

    def _below(self, place: int) -> int:
        return place - 1 or (13 if self.round else 0)

    def _above(self, place: int) -> int:
        return 1 if self.round and place == 13 else place + 1

    def _kinds(self, way: _Way) -> list[str]:
        kinds = []
        if way.naturals:
            kinds.append("n")
        if way.wilds < self.spare:
            if way.selves:
                kinds.append("x")
            kinds.append("w")
        return kinds

    def _price(self, kind: str, core: bool, owner: int = -1) -> int:
        """Give the packed cost of a card of a kind."""
        if kind == "n":
            return 0
        if kind in SWAPPED_IN:
            owed = 1 << self.owners + DIGIT * (2 * owner + 1) if owner >= 0 and self.by_owner else 0
            return (1 << FREED) + (1 + (kind == "X") << DOWN) + owed
        if core or kind == "x" or not self.rules.split:
            return 1 << DOWN
        return 1 << LOOSE | (1 << self.owners + 2 * DIGIT * owner if owner in self.freeing else 0)

    def _swap(self, way: _Way, run: TableRun, place: int) -> list[_Way]:
        """Leave a wild card of a table run, or put the card it stands for in its place."""
        ways = [way]
        number = self.index[run.meld]
        watch, total = self.watches[number], way.totals[number]
        if watch.ratio and not run.naturals and len(run.wilds) > 2:
            return ways  # a single natural among wild cards alone would be outnumbered
        for kind in self._kinds(way):
            if kind == "w" or (kind == "n" and place in self.loose):
                continue
            cost = way.cost + (1 << FREED) + ((1 << DOWN) if kind == "x" else 0)
            if self.by_owner:
                cost += 1 << self.owners + DIGIT * (2 * run.owner + 1)
            after = Total(
                min(self.rules.top, _with_natural(total.balance) + 1) if watch.ratio else 0,
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
                    wilds=way.wilds + (kind == "x"),
                    swaps=(*way.swaps, (run.meld, kind)),
                    totals=(*way.totals[:number], after, *way.totals[number + 1 :]),
                )
            )
        return ways

    def _onward(self, entry: Open, place: int) -> _Onward:
        """Give what a new run can do at a place. One that came in round the ace goes on at least once: else it did not."""
        found = self.onward.get((entry, place))
        if found is None:
            rules = self.rules
            goes_on = entry.entered and place == self.terms.places[0]
            owes = max(entry.owes, self.open_to(place, entry.after_wild > 0)) if self.shutting and rules.own_layoff else 0
            ends = not goes_on and may_end(entry, rules) and is_shut(entry, owes, rules)
            strain = strain_of(entry, self.terms.swap_target)
            found = self.onward[entry, place] = _Onward(ends and strain is not None, strain or 0, *self._steps(entry, place))
        return found

    def _steps(self, run: Open, place: int) -> tuple[tuple[_Step, ...], tuple[_Step, ...], tuple[_Step, ...], tuple[_Step, ...]]:
        """Give what a new run becomes with a natural, with a natural wild card as itself, with a wild card, with a wild card for
        which one of the others is swapped in.
        """
        natural = grow(run, True, place, self.rules)
        wild = grow(run, False, place, self.rules)
        swapped = swap_in(run, place, self.rules) if self.rules.frees else ()
        kinds = ["X"] if place in self.loose else ["N", "X"]
        return (
            tuple(
                _Step(("n", more), more.part == CORE, ended, began)
                for more, ended, began in natural
                if more.part != CORE or place not in self.loose
            ),
            tuple(_Step(("x", more), more.part == CORE, ended, began) for more, ended, began in natural),
            tuple(_Step(("w", more), more.part == CORE, ended, began) for more, ended, began in wild),
            tuple(_Step((kind, more), True, ended, began) for kind in kinds for more, ended, began in swapped),
        )

    def _may_swap_in(self, way: _Way, kind: str) -> bool:
        """Tell whether there are the cards to lay a wild card and put one of a kind in its place."""
        return way.wilds < self.spare and (way.naturals > 0 if kind == "N" else way.selves > 0 and way.wilds + 1 < self.spare)

    def _taking(self, way: _Way, step: _Step, pending: tuple[int, ...]) -> _Way:
        """Let a new run take a card."""
        naturals, selves, moves, swaps, cost, wilds, totals, _, strain, ended, began = way
        kind = step.move[0]
        if kind == "n":
            naturals -= 1
        else:
            if kind == "x":
                selves -= 1
            elif kind in SWAPPED_IN:
                naturals -= kind == "N"
                selves -= kind == "X"
                wilds += kind == "X"
            cost += self._price(kind, step.core, self.player)
            wilds += 1
        return _Way(
            naturals,
            selves,
            (*moves, step.move),
            swaps,
            cost,
            wilds,
            totals,
            pending,
            strain,
            ended or step.ended,
            began or step.began,
        )

    def _continue(self, way: _Way, entry: Open, place: int, grown: list[_Way]) -> None:
        """Go on with an open run, or end it."""
        if entry.what == OWN:
            onward = self._onward(entry, place)
            if onward.ends:
                naturals, selves, moves, swaps, cost, wilds, totals, pending, strain, ended, began = way
                ended = ended or entry.part == CORE
                strain = max(strain, onward.strain)
                grown.append(_Way(naturals, selves, (*moves, _END), swaps, cost, wilds, totals, pending, strain, ended, began))
            if way.naturals:
                grown.extend([self._taking(way, step, way.pending) for step in onward.natural])
            if way.wilds < self.spare:
                if way.selves:
                    grown.extend([self._taking(way, step, way.pending) for step in onward.itself])
                grown.extend([self._taking(way, step, way.pending) for step in onward.wild])
            if onward.swapped:
                may = [step for step in onward.swapped if self._may_swap_in(way, step.move[0])]
                grown.extend([self._taking(way, step, way.pending) for step in may])
            return
        goes_on = entry.entered and place == self.terms.places[0]
        number = self.index[entry.which]
        table_run = self.tables[number]
        if entry.what == LEFT and place == table_run.low:
            swapped = any(meld == table_run.meld for meld, _ in way.swaps)
            if not (entry.after_wild and place in table_run.wilds and not swapped):
                grown.append(way._replace(moves=(*way.moves, _END)))
            return
        if entry.what == RIGHT and not goes_on:
            as_it_is = way._replace(moves=(*way.moves, _END))
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
                balance = min(rules.top, _with_natural(balance)) if natural else balance - 1
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
            ways.append(
                _Way(
                    way.naturals - (kind == "n"),
                    way.selves - (kind == "x"),
                    (*way.moves, (kind, entry)),
                    way.swaps,
                    way.cost + self._price(kind, False, run.owner),
                    way.wilds + (kind != "n"),
                    (*totals[:number], Total(balance, wilds, length, laid, freed, owes), *totals[number + 1 :]),
                    way.pending,
                    way.strain,
                    way.ended,
                    way.began,
                )
            )
        return ways

    def _may_take(self, run: TableRun, place: int) -> bool:
        """Tell whether a natural may be laid off here if it was freed from a meld (``swap.target``)."""
        melds = self.loose.get(place)
        if melds is None:
            return True
        target = self.terms.swap_target
        return target not in ("another-meld", "same-run") or (run.meld in melds if target == "same-run" else melds != {run.meld})

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
            if (watch.ratio and -ALONE < total.balance < 0) or (watch.limit and total.wilds > self.terms.wild_limit):
                return None
            if total.freed and self.terms.swap_target == "same-run" and total.freed > total.laid:
                return None
            if total.freed and self.terms.swap_target == "another-meld":
                strain = max(strain, total.freed + total.laid)
        return strain
