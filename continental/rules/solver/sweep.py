"""All ways to lay the cards of one suit in runs, swept from the low ace to the high ace.

At each place every open run either takes a card (a natural, a natural wild card standing as itself, or a wild card) or ends;
new runs begin; runs of the table grow at their ends. What must be remembered is kept as small as the rules allow: a
limit that the rule set has not leaves no trace in the state. The best value is kept for each number of wild cards used and
for each number of cards taken away from the ranks that sets are made of.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from continental.rules.solver.scene import Scene, TableRun
from continental.rules.solver.terms import ENDLESS, FACE, Terms

OWN, LEFT, RIGHT = 0, 1, 2
"""A new run of the player; the growth of a table run below its low end; above its high end."""

AHEAD, CORE, BEYOND = 0, 1, 2
"""Where a card of a new run stands: laid off below what went down, part of what went down, laid off above it."""


class Open(NamedTuple):
    """A run that is being laid: all that its future hangs on.

    ``which`` is the slot of a new run or the meld of a table run. ``core`` counts the cards that went down, no further than
    needed; ``balance`` is naturals less wild cards among them, ``total`` among all; ``naturals`` has bit 1 for a natural that
    went down and bit 2 for any; ``wilds`` counts wild cards, ``length`` cards (or says that the low ace is taken);
    ``after_wild`` says that the last card is wild; ``entered`` that the run came in round the ace.
    """

    what: int
    which: int
    part: int = CORE
    core: int = 0
    balance: int = 0
    naturals: int = 0
    total: int = 0
    wilds: int = 0
    length: int = 0
    after_wild: int = 0
    entered: int = 0


class Key(NamedTuple):
    """What a way of laying a suit costs the others.

    ``core``: wild cards that went down (all of them where the difference does not matter); ``loose``: wild cards laid off;
    ``freed``: wild cards swapped out of table runs; ``owners``: where a freed wild card must go to a run of the same owner,
    the wild
    cards laid off on and freed from the runs of each, as packed digits; ``strain``: the
    least number
    of wild cards that must be laid off for the freed ones to lie where they may; ``selves``: natural wild cards standing as
    themselves and
    ``taken``: cards taken from the ranks of sets, both as packed digits.
    """

    core: int = 0
    loose: int = 0
    freed: int = 0
    owners: int = 0
    strain: int = 0
    selves: int = 0
    taken: int = 0


Back = Any
DIGIT = 5


class TooLarge(Exception):
    """A search met its budget."""


class Budget:
    """What a search may look at before it gives up; shared by all its parts."""

    __slots__ = ("left",)

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self, steps: int) -> None:
        """Count steps.

        Raises:
            TooLarge: the budget is used up.
        """
        self.left -= steps
        if self.left < 0:
            raise TooLarge


class Rules(NamedTuple):
    """Which parts of the state the rules need."""

    phased: bool
    split: bool
    adjacent: bool
    limit: int
    ratio_opening: bool
    ratio_always: bool
    need_natural: bool
    all_wild_run: bool
    max_run: int
    track_length: bool
    one_ace: bool
    exact: bool
    own_layoff: bool
    sizes: tuple[int, ...]
    cap: int


def rules_of(terms: Terms, split: bool, cap: int) -> Rules:
    """Say what the sweep has to remember under these terms."""
    phased = terms.own_layoff and (not terms.touching or terms.ratio_opening or split or (terms.exact_runs and terms.limited))
    return Rules(
        phased=phased,
        split=split,
        adjacent=not terms.adjacent_wilds,
        limit=terms.wild_limit,
        ratio_opening=terms.ratio_opening,
        ratio_always=terms.ratio_always,
        need_natural=not terms.all_wild_run or terms.ratio_opening,
        all_wild_run=terms.all_wild_run,
        max_run=terms.max_run,
        track_length=terms.max_run < (26 if terms.wrap else 13),
        one_ace=terms.one_ace,
        exact=terms.exact_runs and (phased or not terms.own_layoff),
        own_layoff=terms.own_layoff,
        sizes=tuple(slot.size for slot in terms.runs),
        cap=cap,
    )


def _went_down(run: Open, rules: Rules) -> bool:
    """Tell whether the cards that went down make a legal run by themselves."""
    if run.core < rules.sizes[run.which]:
        return False
    if rules.need_natural and not run.naturals & 1:
        return rules.all_wild_run
    return not rules.ratio_opening or run.balance >= 0


def _may_end(run: Open, rules: Rules) -> bool:
    """Tell whether the run may be left as it is."""
    if run.part == AHEAD or (run.part == CORE and not _went_down(run, rules)):
        return False
    return not rules.ratio_always or run.total >= 0 or not run.naturals & 2


def _grow(run: Open, natural: bool, place: int, rules: Rules) -> list[tuple[Open, bool, bool]]:
    """Give what a new run can become with one more card: the run, whether its core ended before, whether its core begins here."""
    if run.after_wild and not natural:
        return []
    wilds = run.wilds
    if not natural and rules.limit < ENDLESS:
        wilds += 1
        if wilds > rules.limit:
            return []
    length = run.length
    if rules.track_length:
        length += 1
        if length > rules.max_run:
            return []
    elif rules.one_ace:
        if place == 1:
            length = 1
        elif place == 14 and length:
            return []
    after = 1 if rules.adjacent and not natural else 0
    step = 1 if natural else -1
    total = max(-rules.cap, min(rules.cap, run.total + step)) if rules.ratio_always else 0
    naturals = run.naturals
    any_natural = (naturals | 2 if natural else naturals) & 2 if rules.ratio_always else 0
    core_natural = 1 if natural and rules.need_natural else 0
    size = rules.sizes[run.which]
    first = Open(
        OWN,
        run.which,
        CORE,
        1,
        step if rules.ratio_opening else 0,
        core_natural | any_natural,
        total,
        wilds,
        length,
        after,
        run.entered,
    )
    if run.part == AHEAD:
        ahead = Open(OWN, run.which, AHEAD, 0, 0, any_natural, total, wilds, length, after, run.entered)
        return [(ahead, False, False), (first, False, True)]
    if run.part == BEYOND:
        return [(Open(OWN, run.which, BEYOND, 0, 0, any_natural, total, wilds, length, after, run.entered), False, False)]
    grown: list[tuple[Open, bool, bool]] = []
    if not (rules.exact and run.core == size):
        balance = max(-rules.cap, min(rules.cap, run.balance + step)) if rules.ratio_opening else 0
        core = min(size, run.core + 1)
        more = Open(
            OWN,
            run.which,
            CORE,
            core,
            balance,
            naturals & 1 | core_natural | any_natural,
            total,
            wilds,
            length,
            after,
            run.entered,
        )
        grown.append((more, False, False))
    if rules.phased and _went_down(run, rules):
        grown.append((Open(OWN, run.which, BEYOND, 0, 0, any_natural, total, wilds, length, after, run.entered), True, False))
    return grown


class _Partial(NamedTuple):
    """One way to serve some of the demands at a place."""

    naturals: int
    selves: int
    moves: tuple[tuple[str, Open | None], ...]
    swaps: tuple[tuple[int, str], ...]
    core: int
    loose: int
    freed: int
    owners: int
    totals: tuple[tuple[int, int, int, int, int], ...]
    pending: tuple[int, ...]
    ended: bool
    began: bool


class Sweep:
    """The sweep of one suit for one search."""

    def __init__(
        self, scene: Scene, suit: int, rules: Rules, fine: bool, track_selves: dict[tuple[int, int], int], budget: Budget
    ) -> None:
        """Prepare the sweep.

        Args:
            scene: the cards and the table.
            suit: 0–3.
            rules: what to remember.
            fine: keep cards taken from the ranks of sets apart by suit.
            budget: what the whole search may still look at.
            track_selves: where the digit of each natural wild card lies among ``Key.selves``.
        """
        self.scene = scene
        self.suit = suit
        self.rules = rules
        self.terms = scene.terms
        self.fine = fine
        self.track_selves = track_selves
        self.budget = budget
        self.tables = scene.runs[suit] if scene.terms.others_layoff else ()
        self.round = scene.terms.wrap
        self.turn = self._best_cut() if self.round else 0
        """Where runs pass through the ace the sweep begins above this place, where the fewest runs are likely to pass."""
        if self.turn:
            self.tables = tuple([self._turned(run) for run in self.tables])
        self.index = {run.meld: number for number, run in enumerate(self.tables)}
        terms = scene.terms
        self.tracks_table = bool(self.tables) and (
            rules.ratio_always
            or rules.limit < ENDLESS
            or rules.track_length
            or rules.one_ace
            or (rules.split and terms.swap_target in ("another-meld", "same-run"))
        )
        self.before = tuple(self._total_of(run) for run in self.tables) if self.tracks_table else ()
        self.by_owner = rules.split and terms.swap_target == "own-run"
        self.forbidden: frozenset[int] = frozenset()
        if scene.unplayable is not None and scene.unplayable != "JK":
            for (face_suit, rank), face in FACE.items():
                if face == scene.unplayable and face_suit == suit:
                    here = (rank - self.turn - 1) % 13 + 1 if terms.wrap else rank
                    self.forbidden = frozenset({rank, 14} if rank == 1 and not terms.wrap else {here})

    def _best_cut(self) -> int:
        """Choose the place above which to begin: with few naturals on either side and few table runs across it."""
        naturals, wilds = self.scene.naturals[self.suit], self.scene.natural_wilds[self.suit]

        def crossed(place: int) -> int:
            above = place % 13 + 1
            score = sum(naturals[rank] + wilds[rank] for rank in (place, above))
            for run in self.tables:
                covered = {(run.low + step - 1) % 13 + 1 for step in range(-1, run.size + 1)}
                score += 3 * (place in covered and above in covered)
            return score

        return min(range(1, 14), key=lambda place: (crossed(place), place)) % 13

    def _turned(self, run: TableRun) -> TableRun:
        """Give a table run with its places counted from the cut."""
        wilds = frozenset((place - self.turn - 1) % 13 + 1 for place in run.wilds)
        low, high = ((place - self.turn - 1) % 13 + 1 for place in (run.low, run.high))
        return replace(run, low=low, high=high, wilds=wilds)

    def _total_of(self, run: TableRun) -> tuple[int, int, int, int, int]:
        """Give of a table run, as far as it matters: naturals less wilds, wilds, length (or whether it holds an ace),
        wilds laid, freed.
        """
        rules = self.rules
        balance = run.naturals - len(run.wilds) if rules.ratio_always else 0
        wilds = len(run.wilds) if rules.limit < ENDLESS else 0
        length = run.size if rules.track_length else 0
        if rules.one_ace and not rules.track_length:
            length = int(run.low == 1 or run.high >= 14)
        return balance, wilds, length, 0, 0

    def ways(
        self, counts: tuple[int, ...], set_ranks: frozenset[int], tracked: frozenset[int], paid: frozenset[int]
    ) -> dict[Key, tuple[int, Back]]:
        """Give the best value for every key.

        Args:
            counts: how many new runs of each slot to lay in this suit.
            set_ranks: ranks of which the player lays sets, so that not every card of them must lie in a run.
            tracked: ranks whose cards taken into runs are counted in the key.
            paid: ranks whose cards are worth nothing here, as all of them find a place in sets anyway.
        """
        found = self._finish(self._run(counts, (), set_ranks, tracked, paid), ())
        if not self.round:
            return found
        crossing: set[tuple[Open, ...]] = set()
        forbidden, self.forbidden = self.forbidden, frozenset()
        for state in self._run(counts, (), set_ranks, tracked, paid, cover=False):
            _sub_multisets(state[1], crossing)
        self.forbidden = forbidden
        rank = self.turn % 13 + 1
        naturals = self.scene.naturals[self.suit][rank] + self.scene.natural_wilds[self.suit][rank]
        for entering in sorted(crossing):
            going = [run for run in entering if run.what != LEFT or self.tables[self.index[run.which]].low != 1]
            if len(going) > naturals + self.rules.cap or sum(run.after_wild for run in going) > naturals:
                continue
            states = self._run(counts, entering, set_ranks, tracked, paid)
            for key, (value, back) in self._finish(states, entering).items():
                if key not in found or found[key][0] < value:
                    found[key] = (value, back)
        return found

    # -- one sweep --------------------------------------------------------------------------------------------------------

    def _run(
        self,
        counts: tuple[int, ...],
        entering: tuple[Open, ...],
        set_ranks: frozenset[int],
        tracked: frozenset[int],
        paid: frozenset[int],
        *,
        cover: bool = True,
    ) -> dict[Any, tuple[int, Back]]:
        cover = cover and self.scene.cover
        scene, terms, rules, suit = self.scene, self.terms, self.rules, self.suit
        totals = self.before
        start = tuple(sorted(run._replace(entered=1) for run in entering))
        states: dict[Any, tuple[int, Back]] = {(counts, start, totals, (0, 0), Key()): (0, None)}
        both_aces = terms.places[0] == 1 and terms.places[-1] == 14
        most_wild = rules.cap
        lacks, fewest = self._gaps()
        for place in terms.places:
            rank = (place + self.turn - 1) % 13 + 1
            have, have_wild = scene.naturals[suit][rank], scene.natural_wilds[suit][rank] if terms.limited else 0
            face = FACE[suit, rank]
            worth = 0 if rank in paid else scene.weights[face]
            shift = DIGIT * (rank * 4 + suit) if self.fine else DIGIT * rank
            self_shift = self.track_selves.get((suit, rank), 0)
            last_ace = place == 14 and both_aces
            later: dict[Any, tuple[int, Back]] = {}
            for state, (value, back) in states.items():
                pending, entries, totals, aces, key = state
                naturals, selves = (have - aces[0], have_wild - aces[1]) if last_ace else (have, have_wild)
                for way in self._at(place, naturals, selves, pending, entries, totals):
                    used, used_self = naturals - way.naturals, selves - way.selves
                    if cover and way.naturals and rank not in set_ranks and not (place == 1 and both_aces):
                        continue
                    if not terms.touching and way.ended and way.began:
                        continue
                    core = key.core + way.core
                    loose = key.loose + way.loose
                    if core + loose + self._still_needed(way, place, lacks, fewest) > most_wild:
                        continue
                    next_key = Key(
                        core,
                        loose,
                        key.freed + way.freed,
                        key.owners + way.owners,
                        key.strain,
                        key.selves + (used_self << self_shift if used_self else 0),
                        key.taken + (used << shift if used and rank in tracked else 0),
                    )
                    if both_aces:
                        mark = (used, used_self) if place == 1 else aces if place < 14 else (0, 0)
                    elif self.round and not terms.touching:
                        mark = (1, 0) if place == 1 and way.began else aces
                    else:
                        mark = (0, 0)
                    new_entries = tuple(sorted(new for _, new in way.moves if new is not None))
                    new_state = (way.pending, new_entries, way.totals, mark, next_key)
                    new_value = value + used * worth
                    old = later.get(new_state)
                    if old is None or old[0] < new_value:
                        later[new_state] = (new_value, (back, place, way.moves, way.swaps))
            states = later
        return states

    def _gaps(self) -> tuple[list[int], list[list[int]]]:
        """Count the places without a natural below each place, and for each slot the fewest gaps of a run begun here or later."""
        scene, suit, last = self.scene, self.suit, self.terms.places[-1]
        lacks = [0] * 20
        for place in range(1, 19):
            rank = (place + self.turn - 1) % 13 + 1
            gap = place <= last and not (scene.naturals[suit][rank] + scene.natural_wilds[suit][rank])
            lacks[place + 1] = lacks[place] + gap
        fewest: list[list[int]] = []
        for size in self.rules.sizes:
            row = [0] * 20
            if not self.round:
                row[last - size + 2 :] = [99] * (20 - (last - size + 2))
                for place in range(last - size + 1, 0, -1):
                    row[place] = min(row[place + 1], lacks[place + size] - lacks[place])
            fewest.append(row)
        return lacks, fewest

    def _still_needed(self, way: _Partial, place: int, lacks: list[int], fewest: list[list[int]]) -> int:
        """Give how many wild cards what is begun or must still begin needs at the least."""
        sizes, last = self.rules.sizes, self.terms.places[-1]
        needed = 0
        for kind, run in way.moves:
            if run is None or kind == "ready":
                continue
            if run.what == OWN:
                if run.part == CORE and run.core < sizes[run.which]:
                    needed += lacks[min(place + sizes[run.which] - run.core, last) + 1] - lacks[place + 1]
            elif run.what == LEFT and not self.round:
                needed += lacks[self.tables[self.index[run.which]].low] - lacks[place + 1]
        for slot, pending, row in zip(self.terms.runs, way.pending, fewest, strict=True):
            if pending and slot.count is not None:
                needed += pending * row[place + 1]
        return needed

    def _at(
        self,
        place: int,
        naturals: int,
        selves: int,
        pending: tuple[int, ...],
        entries: tuple[Open, ...],
        totals: tuple[tuple[int, int, int, int, int], ...],
    ) -> Iterable[_Partial]:
        """Give every way to serve the runs at one place."""
        rules, terms = self.rules, self.terms
        ways = [_Partial(naturals, selves, (), (), 0, 0, 0, 0, totals, pending, False, False)]
        if terms.swap_run:
            for run in self.tables:
                if place in run.wilds:
                    ways = [new for way in ways for new in self._swap(way, run)]
        for entry in entries:
            grown: list[_Partial] = []
            for way in ways:
                self._continue(way, entry, place, grown)
            ways = grown
            self.budget.spend(len(ways))
            if not ways:
                return ways
        for run in self.tables:
            active = any(entry.what == LEFT and entry.which == run.meld for entry in entries)
            if not active and (self.round or place < run.low) and place != run.low:
                below = place - 1 or (13 if self.round else 0)
                started = (
                    [new for way in ways for new in self._grow_table(way, LEFT, run, place, 0)]
                    if below not in self.forbidden
                    else []
                )
                must = self._next(place) == run.low and place in self.forbidden
                ways = started if must else ways + started
        for which, size in enumerate(rules.sizes):
            if pending[which]:
                blank = Open(OWN, which, AHEAD if rules.phased else CORE)
                wave = ways
                for _ in range(pending[which]):
                    wave = [new for way in wave for new in self._begin(way, blank, place, size)]
                    if not wave:
                        break
                    ways = ways + wave
                    self.budget.spend(len(ways))
        for run in self.tables:
            if place == run.high:
                grown = []
                for way in ways:
                    wild = int(rules.adjacent and place in run.wilds and not any(meld == run.meld for meld, _ in way.swaps))
                    entry = Open(RIGHT, run.meld, after_wild=wild)
                    grown.append(way._replace(moves=(*way.moves, ("ready", entry))))
                ways = grown
        return ways

    def _next(self, place: int) -> int:
        return 1 if self.round and place == 13 else place + 1

    def _kinds(self, way: _Partial) -> list[str]:
        kinds = ["w"]
        if way.selves:
            kinds.insert(0, "x")
        if way.naturals:
            kinds.insert(0, "n")
        return kinds

    def _pay(self, way: _Partial, kind: str, move: tuple[str, Open | None], core: bool, owner: int = -1) -> _Partial:
        """Spend a card of a kind on a move."""
        wild = kind != "n"
        in_core = wild and (core or not self.rules.split)
        loose = wild and not in_core
        return way._replace(
            naturals=way.naturals - (kind == "n"),
            selves=way.selves - (kind == "x"),
            moves=(*way.moves, move),
            core=way.core + in_core,
            loose=way.loose + loose,
            owners=way.owners + (1 << 2 * DIGIT * owner if loose and owner >= 0 and self.by_owner else 0),
        )

    def _swap(self, way: _Partial, run: TableRun) -> list[_Partial]:
        """Leave a wild card of a table run, or put the card it stands for in its place."""
        ways = [way]
        if not self.rules.split:
            return ways
        for kind in self._kinds(way):
            if kind == "w":
                continue
            new = way._replace(
                naturals=way.naturals - (kind == "n"),
                selves=way.selves - (kind == "x"),
                loose=way.loose + (kind == "x"),
                freed=way.freed + 1,
                owners=way.owners + (1 << DIGIT * (2 * run.owner + 1) if self.by_owner else 0),
                swaps=(*way.swaps, (run.meld, kind)),
            )
            if self.tracks_table:
                number = self.index[run.meld]
                balance, wilds, length, laid, freed = new.totals[number]
                entry = (
                    balance + 2 if self.rules.ratio_always else 0,
                    wilds - 1 if self.rules.limit < ENDLESS else 0,
                    length,
                    laid,
                    freed + 1 if self.terms.swap_target in ("another-meld", "same-run") else 0,
                )
                new = new._replace(totals=(*new.totals[:number], entry, *new.totals[number + 1 :]))
            ways.append(new)
        return ways

    def _continue(self, way: _Partial, entry: Open, place: int, grown: list[_Partial]) -> None:
        """Go on with an open run, or end it. A run that came in round the ace goes on at least once: else it did not come in."""
        goes_on = entry.entered and place == self.terms.places[0]
        if entry.what == OWN:
            if not goes_on and _may_end(entry, self.rules) and not (place in self.forbidden and self.rules.own_layoff):
                grown.append(way._replace(moves=(*way.moves, ("end", None)), ended=way.ended or entry.part == CORE))
            for kind in self._kinds(way):
                for run, ended, began in _grow(entry, kind != "w", place, self.rules):
                    paid = self._pay(way, kind, (kind, run), run.part == CORE)
                    grown.append(paid._replace(ended=way.ended or ended, began=way.began or began))
            return
        run_on_table = self.tables[self.index[entry.which]]
        if entry.what == LEFT and place == run_on_table.low:
            swapped = any(meld == run_on_table.meld for meld, _ in way.swaps)
            if not (entry.after_wild and place in run_on_table.wilds and not swapped):
                grown.append(way._replace(moves=(*way.moves, ("end", None))))
            return
        if entry.what == RIGHT and not goes_on and place not in self.forbidden:
            grown.append(way._replace(moves=(*way.moves, ("end", None))))
        grown.extend(self._grow_table(way, entry.what, run_on_table, place, entry.after_wild, entry.entered))

    def _grow_table(
        self, way: _Partial, what: int, run: TableRun, place: int, after_wild: int, entered: int = 0
    ) -> list[_Partial]:
        """Lay a card off on a table run."""
        rules = self.rules
        ways: list[_Partial] = []
        for kind in self._kinds(way):
            natural = kind != "w"
            if after_wild and not natural:
                continue
            totals = way.totals
            if self.tracks_table:
                number = self.index[run.meld]
                balance, wilds, length, laid, freed = totals[number]
                if rules.ratio_always:
                    balance = min(rules.cap, balance + 1) if natural else balance - 1
                if not natural and rules.limit < ENDLESS:
                    wilds += 1
                if rules.track_length:
                    length += 1
                    if length > rules.max_run:
                        continue
                elif rules.one_ace and place in (1, 14):
                    if length:
                        continue
                    length = 1
                if rules.split and self.terms.swap_target in ("another-meld", "same-run") and kind != "n":
                    laid += 1
                totals = (*totals[:number], (balance, wilds, length, laid, freed), *totals[number + 1 :])
            entry = Open(what, run.meld, after_wild=int(rules.adjacent and not natural), entered=entered)
            ways.append(self._pay(way, kind, (kind, entry), False, run.owner)._replace(totals=totals))
        return ways

    def _begin(self, way: _Partial, blank: Open, place: int, size: int) -> list[_Partial]:
        """Begin one more new run of a slot."""
        if not way.pending[blank.which] or (not self.round and place + size - 1 > self.terms.places[-1]):
            return []
        below = place - 1 or (13 if self.round else 0)
        if self.rules.own_layoff and below in self.forbidden:
            return []
        pending = tuple(count - (which == blank.which) for which, count in enumerate(way.pending))
        ways: list[_Partial] = []
        for kind in self._kinds(way):
            for run, _, began in _grow(blank, kind != "w", place, self.rules):
                paid = self._pay(way, kind, (kind, run), run.part == CORE)
                ways.append(paid._replace(pending=pending, began=way.began or began or not self.rules.phased))
        return ways

    # -- the end of a sweep -----------------------------------------------------------------------------------------------

    def _finish(self, states: dict[Any, tuple[int, Back]], entering: tuple[Open, ...]) -> dict[Key, tuple[int, Back]]:
        """End every run that is still open, or join it to the run that came in round the ace."""
        found: dict[Key, tuple[int, Back]] = {}
        for (pending, entries, totals, mark, key), (value, back) in states.items():
            if any(count for count, slot in zip(pending, self.terms.runs, strict=True) if slot.count is not None):
                continue
            joined = _match(entries, entering)
            if joined is None:
                continue
            ends = [entry for number, entry in enumerate(entries) if number not in joined]
            beyond = 1 if self.round else self.terms.places[-1] + 1
            if any(not self._may_stop(entry, beyond, mark) for entry in ends):
                continue
            strain = self._strain(totals)
            if strain is None:
                continue
            final = key._replace(strain=strain)
            if final not in found or found[final][0] < value:
                found[final] = (value, (self.suit, back, entering, joined, self.turn))
        return found

    def _may_stop(self, entry: Open, beyond: int, mark: tuple[int, int]) -> bool:
        if entry.what == LEFT:
            return False
        if self.round and beyond in self.forbidden and (entry.what == RIGHT or self.rules.own_layoff):
            return False
        if entry.what == RIGHT:
            return True
        if self.round and not self.terms.touching and mark[0] and entry.part == CORE:
            return False
        return _may_end(entry, self.rules)

    def _strain(self, totals: tuple[tuple[int, int, int, int, int], ...]) -> int | None:
        """Check the table runs as they end; give how many wild cards must be laid off for those freed to go elsewhere."""
        strain = 0
        for number, (balance, wilds, _, laid, freed) in enumerate(totals):
            if totals[number] == self.before[number]:
                continue
            if (self.rules.ratio_always and balance < 0) or wilds > self.rules.limit:
                return None
            if freed and self.terms.swap_target == "same-run" and freed > laid:
                return None
            if freed and self.terms.swap_target == "another-meld":
                strain = max(strain, freed + laid)
        return strain


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
    """Place, kind of card (``n`` natural, ``x`` natural wild card as itself, ``w`` wild) and part of each card in
    rising order.
    """


def rebuild(back: Back) -> tuple[list[Growth], list[tuple[int, int, str]]]:
    """Follow a way of laying a suit back to its runs and its swaps (meld, place, kind of the card put in)."""
    _, steps, entering, joined, turn = back
    path = []
    while steps is not None:
        steps, place, moves, swaps = steps
        path.append(((place + turn - 1) % 13 + 1 if turn else place, moves, swaps))
    came_in = [Growth(run.what, run.which, []) for run in entering]
    order = sorted(range(len(entering)), key=lambda number: entering[number]._replace(entered=1))
    current: list[tuple[Open, Growth]] = [(entering[number]._replace(entered=1), came_in[number]) for number in order]
    grown: list[Growth] = []
    swapped: list[tuple[int, int, str]] = []
    for place, moves, swaps in reversed(path):
        swapped.extend((meld, place, kind) for meld, kind in swaps)
        following: list[tuple[Open, Growth]] = []
        for number, (kind, entry) in enumerate(moves):
            growth = current[number][1] if number < len(current) else None
            if growth is None:
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
