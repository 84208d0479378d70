"""The ways of a suit as a graph: states at each place, and the ways from one place to the next.

Which runs can follow which hangs on the table alone, as long as there are no more cards. So the graph is laid out once, with all
the cards of a hand (:mod:`continental.rules.solver.counted`), and asked again for each choice of ranks for the sets, and for each
card that may be kept for the discard: only the cards at one or two places are fewer. What can be reached below such a place and
what can follow above it are known from the walk with all the cards, so only the places between have to be walked again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from continental.rules.solver.budget import Budget

Back = Any
"""A way followed back: what lies below (the way before it, what happened at a place, the naturals that runs got there), and what
follows above, likewise.
"""
Cost = tuple[int, int, int]
"""Wild cards short (those freed by swaps counted back), of them in what goes down, and cards taken from sets,
as packed digits.
"""
Ways = dict[Cost, tuple[int, Back]]
"""The best value for each cost."""
_Onward = dict[tuple[int, int, int, int], tuple[int, Back]]
"""The same for what follows, with the number of new runs as the last part of the cost."""
Head = tuple[int, int, int, int, int, int, int, int]
"""What happens at a place: the place, wild cards swapped, cards that meet table runs (with the low ace among them), new runs
begun, cards that become the lower part of such a run, cards laid below something further up, and open runs that go on.
"""
Edge = tuple[int, int, int, int, int, Head, int, int]
"""A way from a state to one at the next place, and what it comes to with all the cards.

The number of the next state, what it brings in, the wild cards it takes, of them in what goes down, the naturals that runs get,
what happens; and, as these come to something else where cards are missing, the cards that runs ask for, and how many of them go
down if that matters.
"""
_MANY: Final = 10**6
"""More wild cards than there are."""


@dataclass(frozen=True, slots=True)
class Holding:
    """The cards of a suit for runs, by place: how many, what each is worth there, and the digit that counts them where they are
    taken from sets; and the wild cards that can be had at most.
    """

    have: Sequence[int]
    worth: Sequence[int]
    digit: Sequence[int]
    cap: int

    def at(self, place: int) -> tuple[int, int, int]:
        """Give the cards of a place."""
        return self.have[place], self.worth[place], self.digit[place]


class Layer:
    """The ways over one place.

    Attributes:
        place: the place.
        aces: by state the aces that were used at the low end.
        edges: by state its ways to the states at the next place.
        lacks: by state at the next place the fewest wild cards that it takes from there to the end.
    """

    __slots__ = ("aces", "edges", "lacks", "place")

    def __init__(self, place: int, aces: list[int], edges: list[list[Edge]]) -> None:
        self.place = place
        self.aces = aces
        self.edges = edges
        self.lacks: list[int] = []


class _Known:
    """All ways with all the cards but for some aces: by layer and state what leads there, and what can follow."""

    __slots__ = ("above", "below", "found")

    def __init__(self, below: Sequence[Sequence[Ways | None]], found: dict[int, Ways]) -> None:
        self.below = below
        self.found = found
        self.above: list[list[_Onward]] | None = None


class Graph:
    """Every way of a suit from the lowest place to the last."""

    def __init__(self, layers: list[Layer], begun: list[int], full: Holding, below: list[list[Ways]], budget: Budget) -> None:
        """Join the layers.

        Args:
            layers: the ways over each place.
            begun: by state at the end how many new runs were begun; -1 where something is left unfinished.
            full: the cards that the graph was laid out with; below: what leads to each state with these.
            budget: what the whole question may still look at.
        """
        self.layers = layers
        self.begun = begun
        self.full = full
        self.budget = budget
        end: list[_Onward] = [{(0, 0, 0, count): (0, None)} if count >= 0 else {} for count in begun]
        self.known = {self._aces(full): _Known(below, self._meet(below[-1], end, full.cap))}
        self.end = end
        self.weighed = False

    def _aces(self, holding: Holding) -> tuple[int, int, int]:
        """Give the cards of the first place: the aces, which may lie at both ends, so that little is known without them."""
        return holding.at(1 if self.layers[0].place == 1 else 14)

    def _weigh(self) -> None:
        """Learn how many wild cards it takes at least from each state to the end."""
        if not self.weighed:
            self.weighed = True
            after = [0 if count >= 0 else _MANY for count in self.begun]
            for layer in reversed(self.layers):
                layer.lacks = after
                after = [min([after[edge[0]] + edge[2] for edge in edges], default=_MANY) for edges in layer.edges]

    def ways(self, holding: Holding) -> dict[int, Ways]:
        """Give the best value for every cost, by the number of new runs.

        Args:
            holding: the cards of the graph, or fewer.
        """
        known = self._known(holding)
        changed = [
            number
            for number, layer in enumerate(self.layers)
            if layer.place not in (1, 14) and holding.at(layer.place) != self.full.at(layer.place)
        ]
        if not changed:
            return {count: _within(ways, holding.cap) for count, ways in known.found.items()}
        states = known.below[changed[0]]
        for layer in self.layers[changed[0] : changed[-1] + 1]:
            states = self._over(layer, states, holding)
        if known.above is None:
            known.above = self._from_above(known, holding)
        return self._meet(states, known.above[changed[-1] + 1], holding.cap)

    def _known(self, holding: Holding) -> _Known:
        """Give all ways with all the cards and as many aces as there are."""
        aces = self._aces(holding)
        known = self.known.get(aces)
        if known is None:
            states: Sequence[Ways | None] = [{(0, 0, 0): (0, None)}]
            below = [states]
            ace_holding = self._with_aces(holding)
            for layer in self.layers:
                states = self._over(layer, states, ace_holding)
                below.append(states)
            known = self.known[aces] = _Known(below, self._meet(states, self.end, self.full.cap))
        return known

    def _with_aces(self, holding: Holding) -> Holding:
        """Give all the cards with the aces of a holding."""
        rows = []
        for full, row in zip(
            (self.full.have, self.full.worth, self.full.digit), (holding.have, holding.worth, holding.digit), strict=True
        ):
            rows.append([row[place] if place in (1, 14) else count for place, count in enumerate(full)])
        return Holding(rows[0], rows[1], rows[2], self.full.cap)

    def _is_whole(self, place: int, holding: Holding) -> bool:
        """Tell whether the ways over a place come to the same as with all the cards."""
        return holding.have[place] == self.full.have[place] and holding.worth[place] == self.full.worth[place]

    def _over(self, layer: Layer, states: Sequence[Ways | None], holding: Holding) -> list[Ways | None]:
        """Go over one place from every state."""
        self._weigh()
        mark, cap, lacks = holding.digit[layer.place], holding.cap, layer.lacks
        whole = self._is_whole(layer.place, holding)
        later: list[Ways | None] = [None] * len(lacks)
        live = 0
        for number, ways in enumerate(states):
            if not ways:
                continue
            live += 1
            edges = layer.edges[number] if whole else _fewer(layer, number, holding)
            for target, gain, gap, core, used, head, _, _ in edges:
                room, digits = cap - lacks[target], (used + head[1]) * mark
                into = later[target]
                for (lost, down, taken), (value, back) in ways.items():
                    total, worth = lost + gap, value + gain
                    if total > room:
                        continue
                    if into is None:
                        into = later[target] = {}
                    cost = (total, down + core, taken + digits)
                    old = into.get(cost)
                    if old is None or old[0] < worth:
                        into[cost] = (worth, (back, head, used))
        self.budget.spend(live)
        return [undominated(ways) if ways and len(ways) > 1 else ways for ways in later]

    def _from_above(self, known: _Known, holding: Holding) -> list[list[_Onward]]:
        """Give by layer and state what can follow, with all the cards but for the aces."""
        holding = self._with_aces(holding)
        after = self.end
        rows = [after]
        for index in range(len(self.layers) - 1, -1, -1):
            layer = self.layers[index]
            mark, whole = holding.digit[layer.place], self._is_whole(layer.place, holding)
            here: list[_Onward] = []
            for number, below in enumerate(known.below[index]):
                onward: _Onward = {}
                here.append(onward)
                if not below:
                    continue
                room = holding.cap - min(below)[0]
                edges = layer.edges[number] if whole else _fewer(layer, number, holding)
                for target, gain, gap, core, used, head, _, _ in edges:
                    digits = (used + head[1]) * mark
                    for (lost, down, taken, begun), (value, ahead) in after[target].items():
                        if lost + gap > room:
                            continue
                        cost = (lost + gap, down + core, taken + digits, begun)
                        old = onward.get(cost)
                        if old is None or old[0] < value + gain:
                            onward[cost] = (value + gain, (ahead, head, used))
                if len(onward) > 1:
                    here[-1] = undominated(onward)
            self.budget.spend(len(here))
            rows.append(here)
            after = here
        return rows[::-1]

    def _meet(self, states: Sequence[Ways | None], onward: list[_Onward], cap: int) -> dict[int, Ways]:
        """Join what leads to the states of a place with what can follow."""
        found: dict[int, Ways] = {}
        for ways, following in zip(states, onward, strict=True):
            for (lost, down, taken), (value, back) in ways.items() if ways else ():
                for (more, more_down, more_taken, begun), (gain, ahead) in following.items():
                    if lost + more > cap:
                        continue
                    into = found.setdefault(begun, {})
                    cost = (lost + more, down + more_down, taken + more_taken)
                    old = into.get(cost)
                    if old is None or old[0] < value + gain:
                        into[cost] = (value + gain, (back, ahead))
        return {count: undominated(ways) for count, ways in found.items()}


def _fewer(layer: Layer, number: int, holding: Holding) -> list[Edge]:
    """Say what the ways from a state over a place come to where there are fewer cards."""
    have, worth = max(0, holding.have[layer.place] - layer.aces[number]), holding.worth[layer.place]
    fewer: list[Edge] = []
    for target, _, _, _, _, head, asked, down in layer.edges[number]:
        rest = have - head[1]
        if rest >= 0:
            used = min(asked, rest)
            gain, gap = (used + head[1]) * worth, asked - used - head[1]
            fewer.append((target, gain, gap, max(0, down - rest), used, head, asked, down))
    return fewer


def _within(ways: Ways, cap: int) -> Ways:
    return {cost: way for cost, way in ways.items() if cost[0] <= cap}


_Price = TypeVar("_Price", bound=tuple[int, ...])


def undominated(ways: dict[_Price, tuple[int, Any]]) -> dict[_Price, tuple[int, Any]]:
    """Leave out ways that cost no less and are worth no more than another."""
    if len(ways) < 2:
        return ways
    kept: dict[_Price, tuple[int, Any]] = {}
    best: dict[tuple[int, ...], int] = {}
    for cost in sorted(ways):
        value = ways[cost][0]
        rest = cost[1:]
        if rest not in best or best[rest] < value:
            best[rest] = value
            kept[cost] = ways[cost]
    return kept


def path_of(back: Back) -> list[tuple[Head, int]]:
    """Follow a way from the lowest place to the last: what happens, and the naturals that runs get."""
    below, ahead = back
    path = []
    while below is not None:
        below, head, used = below
        path.append((head, used))
    path.reverse()
    while ahead is not None:
        ahead, head, used = ahead
        path.append((head, used))
    return path
