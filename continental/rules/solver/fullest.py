"""The opening that leaves the fewest cards in hand, under all limits on wild cards: what the quick way cannot decide.

The search asks whether all cards can be laid, then whether all but one can, and so on. With few cards to be left over, a natural
whose rank no set takes must lie in a run, or it is one of these few: so there is never much to try. It chooses the ranks of the
sets, then takes a natural that is not placed yet, tries every run through it, and last of all leaves it over.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, product
from typing import Final, NamedTuple

from continental.rules.solver.budget import Budget
from continental.rules.solver.lines import CORE, OWN
from continental.rules.solver.plan import NewSet, Plan
from continental.rules.solver.scene import Scene
from continental.rules.solver.sets import Pick
from continental.rules.solver.stretches import Row, Stretch, fold, rows, shortest, stretches, touch, unfold
from continental.rules.solver.sweep import Growth
from continental.rules.solver.tally import BYTE, COUNT, EVERY, NO_ACE, PLACE, SHIFT, faces_of
from continental.rules.solver.terms import ENDLESS, SetSlot, Terms
from continental.rules.solver.windows import Window, least_naturals, windows

_ROUND: Final = 13
_ACES: Final = (1 << BYTE, 1 << 14 * BYTE)
_TOP: Final = 128 * EVERY


def can_search(terms: Terms) -> bool:
    """Tell whether the contract says how many melds there are, and the sets may repeat a suit: else the sweep searches."""
    counts = [run.count for run in terms.runs] + [item.count for item in terms.sets]
    return terms.repeat_suits and None not in counts


def fullest(scene: Scene, least_out: int, most_out: int, budget: Budget) -> Plan | None:
    """Give the opening that leaves the fewest cards over, if it leaves no more than ``most_out``.

    Args:
        scene: the cards.
        least_out: how many cards are left over at least, as far as the caller knows.
        most_out: how many may be left over.
        budget: what may be looked at.

    Raises:
        TooLarge: the search met its budget.
    """
    return Fullest(scene).best(least_out, most_out, budget)


def may_open(scene: Scene, budget: Budget) -> bool:
    """Tell whether the cards hold an opening at all.

    Args:
        scene: the cards.
        budget: what may be looked at.

    Raises:
        TooLarge: the search met its budget.
    """
    return Fullest(scene).any_opening(budget) is not None


def _more_than(pack: int, copies: int) -> int:
    """Give one card for every face that is there more often than so."""
    return (pack + (127 - copies) * EVERY & _TOP) >> BYTE - 1


_RunSlot = tuple[int, int]
"""A run to lay: the number of its slot, and its least size."""


class _Stage(NamedTuple):
    """How far a search has come.

    Attributes:
        waiting: how many naturals are neither in a run nor of the rank of a set.
        wilds: how many wild cards are left.
        out: how many cards may still be left over, beside idle jokers.
        slots: the runs still to be laid.
        floor: suit and first place below which no run is laid that no natural calls for: their order does not matter.
    """

    waiting: int
    wilds: int
    out: int
    slots: tuple[_RunSlot, ...]
    floor: tuple[int, int]

    def choices(self) -> Iterator[tuple[_RunSlot, tuple[_RunSlot, ...]]]:
        """Give each kind of run still to be laid, and the runs then left."""
        for which, slot in enumerate(self.slots):
            if not which or slot != self.slots[which - 1]:
                yield slot, self.slots[:which] + self.slots[which + 1 :]


class _Faces(NamedTuple):
    """The places of a suit for which there is a natural that waits, a natural of the rank of a set, a natural wild card."""

    waits: int
    spares: int
    selves: int


class Fullest:
    """The search for the opening that leaves the fewest of some cards over; it may be asked several times."""

    def __init__(self, scene: Scene) -> None:
        """Work out what every search needs to know of the cards."""
        terms = scene.terms
        self.terms = terms
        self.budget = Budget(0)
        self.naturals = [_packed(counts) for counts in scene.naturals]
        self.selves = [_packed(counts) for counts in scene.natural_wilds]
        self.wilds = len(scene.pool)
        self.by_rank = list(map(sum, zip(*scene.naturals, strict=True)))
        self.selves_by_rank = list(map(sum, zip(*scene.natural_wilds, strict=True)))
        self.waiting = sum(self.by_rank)
        self.set_slots = [(number, slot) for number, slot in enumerate(terms.sets) for _ in range(slot.count or 0)]
        self.least = {slot: least_naturals(slot, terms) for slot in terms.sets}
        self.sizes = [(number, slot.size) for number, slot in enumerate(terms.runs) for _ in range(slot.count or 0)]
        self.layers = [self._layers_of(suit) for suit in range(4)]
        """For each suit the faces that are there once, twice, and so on: each run takes one layer at most."""
        self.must = [0, 0, 0, 0]
        self.spare = [0, 0, 0, 0]
        self.rows: list[tuple[int, int, Row]] = []
        """The runs laid: slot, suit, and how the run lies."""
        self.idle = self._idle_jokers(scene.jokers)
        self.limited = terms.limited
        self.cheapest = [self._cheapest_run(suit) for suit in range(4)]
        """The fewest wild cards with which the suit can make the shortest run."""
        self.cheapest_of_all = min(self.cheapest)
        self.reaches: dict[int, list[int]] = {}
        """How many naturals each run of a suit can take at most, by the naturals of the suit that wait."""
        self.hopeless: set[tuple[object, ...]] = set()
        """What was met and led nowhere, with the ranks of the sets that are being tried."""
        self.chosen: dict[int, list[tuple[int, SetSlot]]] = {}

    def _idle_jokers(self, jokers: int) -> int:
        """Say how many jokers are surely left over, whatever else is laid."""
        terms = self.terms
        melds = len(self.sizes) + len(self.set_slots)
        allowed = jokers if terms.wild_limit >= ENDLESS else terms.wild_limit * melds
        if terms.ratio_opening and not terms.all_wild_set and not terms.all_wild_run:
            allowed = min(allowed, self.waiting + sum(self.selves_by_rank))
        return max(0, jokers - allowed)

    def _layers_of(self, suit: int) -> list[int]:
        pack = self.naturals[suit]
        layers: list[int] = []
        while pack and len(layers) < (len(self.sizes) if self.terms.same_suit else 1):
            layers.append(faces_of(pack))
            pack -= layers[-1]
        return layers

    def _cheapest_run(self, suit: int) -> int:
        """Count what the cheapest part of a run of the shortest length costs: a longer run holds such a part."""
        terms = self.terms
        have = unfold(faces_of(self.naturals[suit]))
        selves = unfold(faces_of(self.selves[suit]))
        if not (have or selves or terms.all_wild_run):
            return ENDLESS
        least = ENDLESS
        for span in shortest(terms, self.sizes[-1][1]) if self.sizes else ():
            gaps = span & ~have
            cost = gaps.bit_count()
            if cost < least:
                wilds = gaps & ~selves
                apart = terms.adjacent_wilds or not wilds & wilds >> BYTE
                if apart and wilds.bit_count() <= terms.wild_limit:
                    least = cost
                    if not cost:
                        break
        return least

    def _wilds_for_runs(self, runs: int) -> int:
        """Say how many wild cards so many runs more need at least."""
        if not runs:
            return 0
        if self.terms.same_suit:
            return runs * self.cheapest_of_all
        laid = {suit for _, suit, _ in self.rows}
        costs = sorted(cost for suit, cost in enumerate(self.cheapest) if suit not in laid)
        return sum(costs[:runs]) if runs <= len(costs) else ENDLESS

    def best(self, least_out: int, most_out: int, budget: Budget) -> Plan | None:
        """Find the plan, few cards left over first: see :func:`fullest`."""
        self.budget = budget
        self.rows.clear()
        most_out = min(most_out, self._most_out())
        dearest = sum(sorted(self.by_rank)[14 - len(self.set_slots) :]) if self.set_slots else 0
        first = max(0, least_out - self.idle, self._surely_out(dearest))
        for out in range(first, most_out - self.idle + 1):
            for chosen in self._rank_choices(out):
                self.budget.spend(1)
                plan = self._with_ranks(chosen, out)
                if plan is not None:
                    return plan
        return None

    def any_opening(self, budget: Budget) -> Plan | None:
        """Find some plan, whatever it leaves over."""
        return self.best(self._most_out(), self._most_out(), budget)

    def _most_out(self) -> int:
        """Say how many cards an opening leaves over at most."""
        return self.waiting + self.wilds - sum(slot.size for _, slot in self.set_slots) - sum(size for _, size in self.sizes)

    # -- the ranks of the sets ------------------------------------------------------------------------------------------

    def _surely_out(self, taken: int, mask: int = 0) -> int:
        """Say how many naturals are surely left over when the sets take ``taken`` of them, those of the ranks in ``mask``."""
        covered = sorted([(layer & ~mask).bit_count() for layers in self.layers for layer in layers], reverse=True)
        return self.waiting - taken - sum(covered[: len(self.sizes)])

    def _rank_choices(self, out: int) -> Iterator[tuple[int, ...]]:
        """Give every choice of a rank for each set (0: wild cards of no rank) that may leave no more than ``out`` over."""
        terms = self.terms
        slots = [slot for _, slot in self.set_slots]
        least = min(self.least.values(), default=0)
        ranks = [rank for rank in range(1, 14) if self.by_rank[rank] + self.selves_by_rank[rank] >= least]
        ranks.sort(key=lambda rank: -self.by_rank[rank])
        if terms.all_wild_set and self.wilds:
            ranks.append(0)
        wanted = self._surely_out(0) - out
        """So many naturals the sets must take."""
        top = self.by_rank[ranks[0]] if ranks and len(terms.sets) > 1 else 0

        def further(chosen: tuple[int, ...], first: int, taken: int) -> Iterator[tuple[int, ...]]:
            number = len(chosen)
            if number == len(slots):
                yield chosen
                return
            more = len(slots) - number - 1
            for index in range(first if number and slots[number - 1] is slots[number] else 0, len(ranks)):
                rank = ranks[index]
                count = self.by_rank[rank]
                if taken + count + more * (top or count) < wanted:
                    return
                again = rank in chosen
                if not again or not rank or terms.same_rank:
                    yield from further((*chosen, rank), index, taken if again else taken + count)

        for chosen in further((), 0, 0):
            self.budget.spend(1)
            if self._may_do(chosen, out):
                yield chosen

    def _may_do(self, chosen: tuple[int, ...], out: int) -> bool:
        """Tell whether sets of these ranks may leave no more than ``out`` over, as far as that can be counted."""
        lack = taken = mask = 0
        for rank in set(chosen):
            slots = [slot for which, (_, slot) in zip(chosen, self.set_slots, strict=True) if which == rank]
            if rank and self.by_rank[rank] + self.selves_by_rank[rank] < sum(map(self.least.__getitem__, slots)):
                return False
            lack += max(0, sum(slot.size for slot in slots) - self.by_rank[rank])
            taken += self.by_rank[rank]
            mask |= COUNT << SHIFT[rank]
        return lack + self._wilds_for_runs(len(self.sizes)) <= self.wilds and self._surely_out(taken, mask) <= out

    # -- the runs -------------------------------------------------------------------------------------------------------

    def _with_ranks(self, chosen: tuple[int, ...], out: int) -> Plan | None:
        """Find a plan with sets of these ranks."""
        mask = sum(COUNT << SHIFT[rank] for rank in set(chosen) if rank)
        self.chosen = {}
        for rank, slot in zip(chosen, self.set_slots, strict=True):
            self.chosen.setdefault(rank, []).append(slot)
        self.must = [pack & ~mask for pack in self.naturals]
        self.spare = [pack & mask for pack in self.naturals]
        self.left = [*self.selves]
        self.rows.clear()
        waiting = self.waiting - sum(self.by_rank[rank] for rank in self.chosen)
        self.hopeless.clear()
        return self._place(_Stage(waiting, self.wilds, out, tuple(self.sizes), (0, 0)))

    def _place(self, at: _Stage) -> Plan | None:
        """Place the naturals that are waiting in the runs still to be laid, or leave them over."""
        self.budget.spend(1)
        runs = len(at.slots)
        if self._wilds_for_runs(runs) > at.wilds:
            return None
        if not runs:
            return self._share_out(at.wilds, at.out - at.waiting + self.idle) if at.waiting <= at.out else None
        if at.waiting > at.out and not self._within_reach(at.waiting - at.out, runs):
            return None
        known = (at, *self.must, *self.spare, *self.left, self._in_the_way())
        if known in self.hopeless:
            return None
        plan = self._onwards(at)
        if plan is None:
            self.hopeless.add(known)
        return plan

    def _onwards(self, at: _Stage) -> Plan | None:
        if not at.waiting:
            return self._anywhere(at)
        suit = next(suit for suit in range(4) if self.must[suit])
        pack = self.must[suit]
        pack = pack & NO_ACE or pack
        place = PLACE[(pack & -pack).bit_length()]
        faces = self._faces(suit)
        for slot, rest in at.choices():
            then = at._replace(slots=rest)
            for stretch in self._promising(faces, slot[1], place, at.wilds):
                plan = self._lay(slot[0], suit, stretch, faces, then)
                if plan is not None:
                    return plan
        if not at.out:
            return None
        self.must[suit] -= 1 << SHIFT[place]
        plan = self._place(at._replace(waiting=at.waiting - 1, out=at.out - 1))
        self.must[suit] += 1 << SHIFT[place]
        return plan

    def _in_the_way(self) -> tuple[tuple[int, int, int], ...]:
        """Give the runs laid, as far as they bear on those still to be laid."""
        if self.terms.touching and self.terms.same_suit:
            return ()
        return tuple(sorted([(suit, row.low, row.high) for _, suit, row in self.rows]))

    def _in_way_of(self, stretch: Stretch, suit: int) -> bool:
        """Tell whether a run laid keeps another of its suit from a stretch."""
        beside = [row for _, other, row in self.rows if other == suit]
        if beside and not self.terms.same_suit:
            return True
        row = Row(stretch.low, stretch.high, stretch.span, 0, 0)
        return not self.terms.touching and any(touch(row, other, self.terms) for other in beside)

    def _within_reach(self, wanted: int, runs: int) -> bool:
        """Tell whether so many runs could take so many of the naturals that wait."""
        layers: list[int] = []
        for pack in self.must:
            if pack:
                layers += self.reaches.get(pack) or self._reach_of(pack)
        layers.sort(reverse=True)
        return sum(layers[:runs]) >= wanted

    def _reach_of(self, pack: int) -> list[int]:
        layers = []
        left = pack
        while left:
            faces = faces_of(left)
            layers.append(faces.bit_count())
            left = left - faces if self.terms.same_suit else 0
        self.reaches[pack] = layers
        return layers

    def _anywhere(self, at: _Stage) -> Plan | None:
        """Lay a run for which no natural calls."""
        for slot, rest in at.choices():
            for suit in range(at.floor[0], 4):
                faces = self._faces(suit)
                for stretch in self._promising(faces, slot[1], 0, at.wilds):
                    begins = (suit, stretch.low)
                    if begins >= at.floor:
                        floor = begins if len(self.terms.runs) == 1 else at.floor
                        plan = self._lay(slot[0], suit, stretch, faces, at._replace(slots=rest, floor=floor))
                        if plan is not None:
                            return plan
        return None

    def _faces(self, suit: int) -> _Faces:
        left = self.left[suit]
        return _Faces(
            unfold(faces_of(self.must[suit])), unfold(faces_of(self.spare[suit])), unfold(faces_of(left)) if left else 0
        )

    def _promising(self, faces: _Faces, size: int, place: int, wilds: int) -> list[Stretch]:
        """Give the stretches that there are cards for, those that take most of what waits for fewest wild cards first."""
        must = faces.waits
        have = must | faces.spares
        found = []
        for stretch in stretches(self.terms, size, place):
            span = stretch.span
            gaps = (span & ~have).bit_count()
            if gaps <= wilds:
                found.append((gaps - (span & must).bit_count(), stretch))
        found.sort()
        return [stretch for _, stretch in found]

    def _lay(self, number: int, suit: int, stretch: Stretch, faces: _Faces, at: _Stage) -> Plan | None:
        """Lay a run on a stretch, in every way in which cards can lie there, and go on."""
        self.budget.spend(1)
        terms = self.terms
        if self.rows and not (terms.same_suit and terms.touching) and self._in_way_of(stretch, suit):
            return None
        must, spare, left = self.must[suit], self.spare[suit], self.left[suit]
        waits, spares, selves = faces
        loose = 0
        if self.limited:
            loose = spares | selves
            # a natural may be kept for a later run, unless there is one for each of them
            if at.slots and terms.same_suit:
                loose |= waits ^ unfold(_more_than(must, len(at.slots)))
        naturals = waits | spares
        ways = [rows(stretch, naturals, selves, loose, at.wilds, terms)]
        if stretch.high - stretch.low == _ROUND and (must + spare + left) & COUNT << SHIFT[1] == 1 << SHIFT[1]:
            ways = [rows(stretch, naturals & ~ace, selves & ~ace, loose, at.wilds, terms) for ace in _ACES]
        waiting, wilds, out, slots, floor = at
        for row in chain(*ways):
            taken = row.naturals & waits
            still = waiting - taken.bit_count()
            if still > out and not slots:
                self.budget.spend(1)
                continue
            self.must[suit] = must - fold(taken)
            self.spare[suit] = spare - fold(row.naturals ^ taken)
            self.left[suit] = left - fold(row.selves)
            self.rows.append((number, suit, row))
            used = (row.selves | row.wilds).bit_count()
            plan = self._place(_Stage(still, wilds - used, out, slots, floor))
            if plan is not None:
                return plan
            self.rows.pop()
        self.must[suit], self.spare[suit], self.left[suit] = must, spare, left
        return None

    # -- the sets -------------------------------------------------------------------------------------------------------

    def _share_out(self, wilds: int, out: int) -> Plan | None:
        """Lay the sets with what the runs have left, and see whether no more than ``out`` cards remain."""
        options: list[list[tuple[tuple[Window, ...], int]]] = []
        for rank, slots in self.chosen.items():
            shift = SHIFT[rank]
            naturals = sum(pack >> shift & COUNT for pack in self.spare) if rank else 0
            selves = sum(pack >> shift & COUNT for pack in self.left) if rank else 0
            ways = []
            for way in windows(rank, [slot for _, slot in slots], naturals, selves, wilds, self.terms):
                over = naturals - sum(window.naturals for window in way)
                if over <= out:
                    ways.append((way, over))
            if not ways:
                return None
            options.append(ways)
        for choice in product(*options):
            self.budget.spend(1)
            flat = [window for way, _ in choice for window in way]
            least, most = sum(window.least for window in flat), sum(window.most for window in flat)
            if least <= wilds and sum(over for _, over in choice) + max(0, wilds - most) <= out:
                return self._plan(flat, min(wilds, most) - least)
        return None

    def _plan(self, flat: Sequence[Window], spare: int) -> Plan:
        """Write down what was found; ``spare`` wild cards go to the sets that need none."""
        new_sets = []
        slots = [(rank, number) for rank, slots in self.chosen.items() for number, _ in slots]
        for (rank, number), window in zip(slots, flat, strict=True):
            more = min(spare, window.most - window.least)
            spare -= more
            count = window.least + more
            selves = min(count, window.selves)
            naturals = window.naturals + selves
            new_sets.append(NewSet(number, rank, Pick(window.naturals, selves, count - selves, naturals, count, selves)))
        grown = [(suit, Growth(OWN, number, _cards_of(row))) for number, suit, row in self.rows]
        return Plan(0, grown, [], new_sets, [], 0)


def _packed(counts: Sequence[int]) -> int:
    return sum([count << SHIFT[rank] for rank, count in enumerate(counts) if count]) if any(counts) else 0


def _cards_of(row: Row) -> list[tuple[int, str, int]]:
    """Give place, kind and part of each card of a run, as a plan writes them."""
    kinds = []
    for place in range(row.low, row.high + 1):
        bit = 1 << place * BYTE
        kinds.append((place, "n" if row.naturals & bit else "x" if row.selves & bit else "w", CORE))
    return kinds
