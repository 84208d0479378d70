"""The sweep of one suit that counts its runs instead of telling them apart.

The runs over one place differ only in what they still need: runs growing down from something above (they must go on until
they meet it), runs that may end at any place, and new runs by the number of cards they still lack. Naturals serve whichever
run; a place takes as many wild cards as naturals are short. What can follow what is laid out once
(:mod:`continental.rules.solver.graph`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from continental.rules.solver.budget import Budget
from continental.rules.solver.graph import Back, Edge, Graph, Holding, Layer, Ways, path_of, undominated
from continental.rules.solver.lines import AHEAD, BEYOND, CORE, LEFT, OWN, RIGHT
from continental.rules.solver.scene import Scene, TableRun, best_cut
from continental.rules.solver.sweep import Growth
from continental.rules.solver.terms import FACE

RANK_BITS: Final = 4
"""Bits of the count of one rank among the cards taken from sets."""
_FAR: Final = 99
_ONCE: Final = (0,)
_NO_MEETING: Final = ((0, 0),)
_NOTHING: Final = ((0, 0, 0, 0, 0),)


_State = tuple[int, int, int, int, tuple[int, ...], int, int, int]
"""What the future of a suit hangs on.

- cards being laid below something that begins further up
- how many of these lines hold the low ace, and as bits above these four the table runs that met one of them
- runs that may end anywhere
- how many of these hold the low ace
- for each number of cards laid so far how many new runs have that many
- new runs begun
- whether one was just complete, where runs may not touch
- aces used at the low end
"""


@dataclass(frozen=True, slots=True)
class Frame:
    """What the sweeps of all suits of a search have in common.

    Attributes:
        scene: the cards and the table.
        table_runs: the runs of the table that may be added to, by suit.
        cap: wild cards that can be had at most.
        runs: new runs to lay; size: their least length.
        held: ranks of sets on the table as bits: their cards find a place there.
        each: by rank what a card that a run takes from a new set is worth, where that set takes no more than it must.
        closed: a new run has its exact length.
        loose: leave it out of account that runs may not touch and that a freed wild card cannot go down.
        tied: otherwise, and one of the two matters; banned: runs may not touch.
        absorbs: cards may be laid off below a new run.
        budget: what the whole question may still look at.
    """

    scene: Scene
    table_runs: tuple[tuple[TableRun, ...], ...]
    cap: int
    runs: int
    size: int
    held: int
    each: tuple[int, ...]
    closed: bool
    loose: bool
    tied: bool
    banned: bool
    absorbs: bool
    budget: Budget


class _Ladder:
    """The places of a suit: what lies there, and how far it is to the next natural."""

    __slots__ = ("far", "have", "lacks", "next_low")

    def __init__(self, suit: "Suit") -> None:
        places = suit.frame.scene.terms.places
        top = places[-1]
        self.have = suit.full.have
        self.far = [_FAR] * 18
        """Places from here to the next natural."""
        self.lacks = [0] * 20
        """Places without a natural below this one."""
        self.next_low = [0] * 18
        for place in range(top, 0, -1):
            self.far[place] = 0 if self.have[place] else self.far[place + 1] + 1
            self.next_low[place] = place if suit.low_at[place] else self.next_low[place + 1]
        for place in range(1, 20):
            self.lacks[place] = self.lacks[place - 1] + (place > 1 and place - 1 <= top and not self.have[place - 1])


class Suit:
    """One suit: its naturals, its table runs, and how many new runs there may be."""

    def __init__(self, frame: Frame, suit: int) -> None:
        """Gather what does not hang on the ranks of the sets."""
        scene, terms = frame.scene, frame.scene.terms
        self.frame = frame
        self.suit = suit
        self.low_at = [0] * 16
        self.high_at = [0] * 16
        self.wild_at = [0] * 16
        self.round = terms.wrap
        self.tables = frame.table_runs[suit]
        self.turn = best_cut(scene, suit, self.tables) if self.round else 0
        if self.turn:
            self.tables = tuple([run.turned(self.turn) for run in self.tables])
        for run in self.tables:
            self.low_at[run.low] += 1
            self.high_at[run.high] += 1
            for place in run.wilds if terms.swap_run else ():
                self.wild_at[place] += 1
        self.room = min(frame.runs, (sum(scene.naturals[suit]) + frame.cap) // frame.size)
        self.entering = 0
        """Runs that may come in round the ace: more than enough."""
        if self.round:
            above = self.turn % 13 + 1
            self.entering = min(scene.naturals[suit][above] + frame.cap, frame.runs + 2 * len(self.tables))
        self.both_aces = terms.places[0] == 1 and terms.places[-1] == 14
        self.one_ace = terms.one_ace and self.both_aces
        self.low_ace_runs = [run.high for run in self.tables if run.low == 1] if self.one_ace else []
        self.closed_at = [0] * 16
        """By place: table runs that begin there and hold the high ace."""
        for run in self.tables if self.one_ace else ():
            self.closed_at[run.low] += run.high == 14
        self.meeting = [
            sorted((run.high == 14, number) for number, run in enumerate(self.tables) if run.low == place) for place in range(15)
        ]
        self.marked_at = [sum(1 << number for number, run in enumerate(self.tables) if run.high == place) for place in range(15)]
        self.naturals = scene.naturals[suit]
        self.known: dict[tuple[tuple[int, ...], int, int, int], dict[int, Ways]] = {}
        self.full = self.holding(self.naturals, frame.cap, 0, 0)
        self.graph: Graph | None = None

    @staticmethod
    def key(frame: Frame, suit: int) -> tuple[Any, ...]:
        """Give what the graph of a suit hangs on."""
        scene = frame.scene
        return suit, tuple(scene.naturals[suit]), frame.cap, frame.runs, frame.size, frame.loose, frame.closed, scene.terms

    def holding(self, naturals: Sequence[int], cap: int, taken: int, tracked: int) -> Holding:
        """Lay the cards out by place for runs beside sets of some ranks; see ``sweep``."""
        frame = self.frame
        have, worth, digit = [0] * 17, [0] * 17, [0] * 17
        for place in frame.scene.terms.places:
            rank = (place + self.turn - 1) % 13 + 1
            bit = 1 << rank
            if not taken & bit:
                have[place] = naturals[rank]
                worth[place] = 0 if frame.held & bit else frame.scene.weights[FACE[self.suit, rank]]
            elif tracked & bit:
                have[place] = naturals[rank]
                worth[place] = frame.each[rank]
                digit[place] = 1 << RANK_BITS * rank
        return Holding(have, worth, digit, cap)

    def sweep(self, naturals: Sequence[int], cap: int, taken: int, tracked: int) -> dict[int, Ways]:
        """Give the best value for every cost, by the number of new runs.

        Args:
            naturals: the cards by rank: those that the suit was made for, or fewer.
            cap: wild cards that can be had at most, likewise.
            taken: the ranks of the new sets, as bits.
            tracked: those of them that have more cards than the sets need, which runs may take.
        """
        if self.graph is None:
            self.graph = self._lay_out()
        present = sum([1 << rank for rank in range(1, 14) if naturals[rank]])
        key = tuple(naturals), cap, taken & present, tracked & present
        known = self.known.get(key)
        if known is None:
            known = self.known[key] = self.graph.ways(self.holding(naturals, cap, taken, tracked))
        return known

    def _lay_out(self) -> Graph:
        """Lay out all ways of the suit."""
        ladder = _Ladder(self)
        none = (0,) * (self.frame.size - 1)
        states: dict[_State, Ways] = {(0, 0, self.entering, 0, none, 0, 0, 0): {(0, 0, 0): (0, None)}}
        layers, below = [], [list(states.values())]
        for place in self.frame.scene.terms.places:
            layer = Layer(place, [state[7] if place == 14 else 0 for state in states], [])
            states = self._step(place, ladder, states, layer.edges)
            self.frame.budget.spend(4 * len(states))
            layers.append(layer)
            below.append(list(states.values()))
        begun = [-1 if not self.round and (state[0] or any(state[4])) else state[5] for state in states]
        return Graph(layers, begun, self.full, below, self.frame.budget)

    def _may_begin(self, place: int, ladder: _Ladder) -> bool:
        """Tell whether a new run may begin at a place: with a natural, as long as it could as well begin further up."""
        frame, top = self.frame, self.frame.scene.terms.places[-1]
        end = place + frame.size - 1
        last = top + frame.size if self.round else top
        if end > last or ladder.lacks[min(end, top) + 1] - ladder.lacks[place] > frame.cap:
            return False
        return ladder.have[place] > 0 or end >= top or frame.banned

    def _heads(self, state: _State, place: int, avail: int, may_begin: bool) -> Iterator[tuple[int, int, int, int, int]]:
        """Give what can happen at a place before cards are dealt out: wild cards swapped, cards that meet table runs (with the
        low ace among them), new runs begun, and cards that become the lower part of such a run.
        """
        frame = self.frame
        rising, lines, _, _, _, begun, ended, _ = state
        low_at, wild_at = self.low_at[place], self.wild_at[place]
        most_begin = self.room - begun if may_begin and not (ended and frame.banned) else 0
        meetings = _meetings(rising, lines & 15, low_at, self.closed_at[place]) if low_at and rising else _NO_MEETING
        for swapped in range(min(wild_at, avail) + 1) if wild_at else _ONCE:
            for met, met_aged in meetings:
                for begin in range(most_begin + 1) if most_begin else _ONCE:
                    for absorbed in range(min(begin, rising - met) + 1) if frame.absorbs else _ONCE:
                        yield swapped, met, met_aged, begin, absorbed

    def _step(self, place: int, ladder: _Ladder, states: Mapping[_State, Ways], layer: list[list[Edge]]) -> dict[_State, Ways]:
        """Serve one place in every way. Give the states that follow and what each comes to, and put the ways to them into
        ``layer``. It is much of the work, and so in one piece.
        """
        frame = self.frame
        size, cap, top = frame.size, frame.cap, frame.scene.terms.places[-1]
        one_ace, both_aces, tied = self.one_ace, self.both_aces, frame.tied
        lacks, next_low, here = ladder.lacks, ladder.next_low[place + 1], ladder.have[place]
        may_begin = self._may_begin(place, ladder)
        ahead = bool(next_low) or (frame.absorbs and place < top - size) or (self.round and bool(self.tables))
        beyond_open = ladder.far[place + 1]
        gap_to_low = lacks[next_low] - lacks[place + 1] if next_low and not frame.absorbs else 0
        to_come = [lacks[min(place + size - length, top) + 1] - lacks[place + 1] for length in range(1, size)]
        new_old, marked_here, high_at = self.low_ace_runs.count(place), self.marked_at[place], self.high_at[place]
        simple = not (self.wild_at[place] or may_begin or self.low_at[place] or frame.absorbs)
        points = self.full.worth[place]
        later: dict[_State, Ways] = {}
        numbers: dict[_State, int] = {}
        for state, ways in states.items():
            edges: list[Edge] = []
            layer.append(edges)
            rising, lines, opened, old, short, begun, _, aces = state
            aged, marked = lines & 15, lines >> 4
            fresh_old = new_old + (marked & marked_here).bit_count() if marked else new_old
            avail = here - aces if place == 14 else here
            running = sum(short)
            young = opened - old
            if place == 14 and one_ace:
                opened, old = young, 0
            complete = 0 if frame.closed else short[-1]
            newly_open = high_at + complete
            ended = 1 if frame.banned and short[-1] else 0
            for swapped, met, met_aged, begin, absorbed in _NOTHING if simple else self._heads(state, place, avail, may_begin):
                going = rising - met - absorbed
                if going and not ahead:
                    continue
                must, rest = going + running + begin, avail - swapped
                down = running + begin if tied else 0
                still_aged = min(aged - met_aged, going)
                if one_ace and (marked or met_aged):
                    here_marked = marked | sum(1 << number for _, number in self.meeting[place][:met_aged])
                    still_aged += here_marked << 4
                new_short = (begin, *short[:-1])
                waiting = 0
                for length, number in enumerate(new_short):
                    if number:
                        waiting += number * to_come[length]
                for start in range(rest - must + 1) if rest > must and ahead else _ONCE:
                    free = max(0, rest - must - start)
                    needed = waiting + (going + start) * gap_to_low
                    for on in range((opened if beyond_open < _FAR else min(opened, free)) + 1):
                        asked = must + start + on
                        used = min(rest, asked)
                        gap = asked - used - swapped
                        limit = cap - (max(needed, beyond_open) if on > free else needed)
                        new = (
                            going + start,
                            (start if place == 1 else still_aged) if one_ace else 0,
                            on + newly_open,
                            max(0, on - young) + fresh_old + (complete if place == size else 0) if one_ace else 0,
                            new_short,
                            begun + begin,
                            ended,
                            (used + swapped if place == 1 else aces if place < 14 else 0) if both_aces else 0,
                        )
                        core = down - rest if down > rest else 0
                        head = (place, swapped, met, met_aged, begin, absorbed, start, on)
                        gain = (used + swapped) * points
                        into = later.get(new)
                        if into is None:
                            into = {}
                        for (lost, below, taken), (value, back) in ways.items():
                            if lost + gap > limit:
                                continue
                            cost = (lost + gap, below + core, taken)
                            known = into.get(cost)
                            if known is None or known[0] < value + gain:
                                into[cost] = (value + gain, (back, head, used))
                        if into:
                            later[new] = into
                            number = numbers.setdefault(new, len(numbers))
                            edges.append((number, gain, gap, core, used, head, asked, down))
        return {state: undominated(ways) if len(ways) > 1 else ways for state, ways in later.items()}


def _meetings(rising: int, aged: int, lows: int, closed: int) -> list[tuple[int, int]]:
    """Give how many lines can meet table runs here, and how many of them with the low ace: not on a run that holds
    the high one.
    """
    return [
        (met, met_aged)
        for met in range(min(rising, lows) + 1)
        for met_aged in range(max(0, met - (rising - aged)), min(aged, met, lows - closed) + 1)
    ]


def rebuild(back: Back, suit: Suit) -> tuple[list[Growth], list[tuple[int, int]]]:
    """Follow a way of laying a suit back to its runs, and to its swaps (meld and place)."""
    rising: list[list[tuple[int, str, int]]] = []
    opened: list[Growth] = []
    short: list[Growth] = []
    done: list[Growth] = []
    swaps: list[tuple[int, int]] = []
    low_aces = {run.meld for run in suit.tables if run.low == 1}
    for (place, swapped, met, met_aged, begin, absorbed, start, on), naturals in path_of(back):
        swaps += [(run.meld, place) for run in suit.tables if place in run.wilds][:swapped]
        if met:
            lows = sorted((run for run in suit.tables if run.low == place), key=lambda run: run.high == 14)
            with_ace = [line for line in rising if line[0][0] == 1][:met_aged]
            without = [line for line in rising if line[0][0] != 1 or not suit.one_ace][: met - met_aged]
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
            if sum(part == CORE for _, _, part in run.cards) < suit.frame.size:
                still.append(run)
            elif not suit.frame.closed:
                opened.append(run)
        short = still
        for run_on_table in suit.tables:
            if run_on_table.high == place:
                growth = Growth(RIGHT, run_on_table.meld, [])
                opened.append(growth)
                done.append(growth)
    return [growth for growth in done if growth.cards], swaps
