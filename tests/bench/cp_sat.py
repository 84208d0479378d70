"""The other side of the speed tests: the same questions as constraint models for the CP-SAT solver of OR-tools.

House rules only: sets of three, runs of four, jokers wild, ranks of sets distinct, runs of one suit not touching when laid,
lay-offs anywhere, joker swaps from the runs of the table, and a discard. One worker; building the model is part of the time.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from ortools.sat.python import cp_model

from continental.rules.cards import JOKER, RANKS, SUITS
from continental.rules.parameters import HandRule
from continental.rules.turn_question import Lying

PLACES = range(1, 15)
SET_SIZE, RUN_SIZE = 3, 4
Interval = tuple[str, int, int]


def _face(suit: str, place: int) -> str:
    return RANKS[(place - 1) % 13] + suit


def _solve(model: cp_model.CpModel) -> tuple[bool, cp_model.CpSolver]:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    assert status in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE)
    return status != cp_model.INFEASIBLE, solver


class _Model:
    """What both questions have in common: slots, intervals, sets, and where the naturals go."""

    def __init__(self, cards: Sequence[str], hand: HandRule, *, helped: bool = True) -> None:
        """Start a model; ``helped``: runs with more gaps than there are wild cards are left out of it from the start."""
        self.helped = helped
        assert hand.contract is not None
        self.model = cp_model.CpModel()
        self.copies = Counter(cards)
        self.jokers = self.copies[JOKER]
        kinds = [slot.kind for slot in hand.contract.slots]
        self.set_count, self.run_count = kinds.count("set"), kinds.count("run")
        self.cover: dict[tuple[str, int], list[Any]] = {(suit, place): [] for suit in SUITS for place in PLACES}
        self.natural: dict[tuple[str, int], Any] = {}
        self.chosen_rank: dict[str, Any] = {}
        self.in_sets: dict[str, Any] = {}
        self.set_wilds: dict[str, Any] = {}

    def intervals(self, longest: int = 13, freed: int = 0) -> list[Interval]:
        """Give the intervals that hold at most as many gaps as there are wild cards, ``freed`` ones among them."""
        found = []
        for suit in SUITS:
            for low in PLACES:
                for high in range(low + RUN_SIZE - 1, min(14, low + longest - 1) + 1):
                    missing = sum(not self.copies[_face(suit, place)] for place in range(low, high + 1))
                    if not self.helped or missing <= self.jokers + freed:
                        found.append((suit, low, high))
        return found

    def one_of_each(self, choices: Sequence[Interval]) -> list[dict[Interval, Any]]:
        """Let each run slot choose an interval, in ascending order so that equal solutions are found once."""
        slots = []
        for number in range(self.run_count):
            chosen = {interval: self.model.new_bool_var(f"r{number}{interval}") for interval in choices}
            self.model.add_exactly_one(chosen.values())
            slots.append(chosen)
        for one, other in pairwise(slots):
            order = {interval: place for place, interval in enumerate(choices)}
            self.model.add(
                sum(order[key] * var for key, var in one.items()) <= sum(order[key] * var for key, var in other.items())
            )
        return slots

    def no_touching(self, slots: Sequence[Mapping[Interval, Any]]) -> None:
        for number, one in enumerate(slots):
            for other in slots[:number]:
                for suit in SUITS:
                    for place in range(RUN_SIZE, 14):
                        for first, second in ((one, other), (other, one)):
                            ends = [var for key, var in first.items() if key[0] == suit and key[2] == place]
                            starts = [var for key, var in second.items() if key[0] == suit and key[1] == place + 1]
                            if ends and starts:
                                self.model.add_at_most_one(ends + starts)

    def count_cover(self, slots: Sequence[Mapping[Interval, Any]]) -> None:
        for chosen in slots:
            for (suit, low, high), var in chosen.items():
                for place in range(low, high + 1):
                    self.cover[suit, place].append(var)

    def naturals_in_runs(self) -> None:
        for (suit, place), covering in self.cover.items():
            have = self.copies[_face(suit, place)]
            if covering and have:
                var = self.model.new_int_var(0, have, f"n{suit}{place}")
                self.model.add(var <= sum(covering))
                self.natural[suit, place] = var
        for suit in SUITS:
            aces = [self.natural[suit, place] for place in (1, 14) if (suit, place) in self.natural]
            if len(aces) == 2:
                self.model.add(sum(aces) <= self.copies["A" + suit])

    def sets(self, on_table: Mapping[str, bool]) -> None:
        for rank in RANKS:
            have = sum(self.copies[rank + suit] for suit in SUITS)
            self.chosen_rank[rank] = self.model.new_bool_var(f"s{rank}") if self.set_count else 0
            self.in_sets[rank] = self.model.new_int_var(0, have, f"i{rank}") if have else 0
            self.set_wilds[rank] = self.model.new_int_var(0, 60, f"w{rank}")
            if self.set_count:
                self.model.add(self.in_sets[rank] + self.set_wilds[rank] >= SET_SIZE * self.chosen_rank[rank])
            if not on_table.get(rank):
                self.model.add(self.in_sets[rank] <= have * self.chosen_rank[rank])
                self.model.add(self.set_wilds[rank] <= 60 * self.chosen_rank[rank])
        if self.set_count:
            self.model.add(sum(self.chosen_rank.values()) == self.set_count)

    def used_in_runs(self, rank: str, suit: str) -> Any:
        return sum(var for (of, place), var in self.natural.items() if of == suit and RANKS[(place - 1) % 13] == rank)

    def wilds_in_runs(self) -> Any:
        return sum(sum(covering) for covering in self.cover.values()) - sum(self.natural.values())


def can_open_with_all(cards: Sequence[str], hand: HandRule, *, helped: bool) -> bool:
    """Tell whether every card can be in the opening."""
    asked = _Model(cards, hand, helped=helped)
    slots = asked.one_of_each(asked.intervals())
    asked.no_touching(slots)
    asked.count_cover(slots)
    asked.naturals_in_runs()
    asked.sets({})
    for rank in RANKS:
        for suit in SUITS:
            if asked.copies[rank + suit]:
                asked.model.add(asked.used_in_runs(rank, suit) <= asked.copies[rank + suit])
        have = sum(asked.copies[rank + suit] for suit in SUITS)
        asked.model.add(sum(asked.used_in_runs(rank, suit) for suit in SUITS) + asked.in_sets[rank] == have)
    asked.model.add(asked.wilds_in_runs() + sum(asked.set_wilds.values()) == asked.jokers)
    return _solve(asked.model)[0]


def fewest_points(cards: Sequence[str], hand: HandRule, table: Sequence[Lying], points: Mapping[str, int]) -> int | None:
    """Give the fewest points left after the discard; ``None`` where the cards cannot open."""
    asked = _Model(cards, hand)
    model = asked.model
    cores = asked.one_of_each(asked.intervals(RUN_SIZE))
    asked.no_touching(cores)
    freed = _table_runs(asked, table)
    whole = _grown_runs(asked, cores, len(freed))
    asked.count_cover(whole)
    asked.naturals_in_runs()
    asked.sets({lying.meld.rank: True for lying in table if lying.meld and lying.meld.kind != "run"})
    held_jokers = model.new_int_var(0, asked.jokers, "jokers")
    model.add(asked.wilds_in_runs() + sum(asked.set_wilds.values()) == held_jokers + sum(var for _, var in freed))
    discards = {card: model.new_bool_var(f"d{card}") for card in asked.copies}
    model.add_exactly_one(discards.values())
    cost: list[Any] = [points[JOKER] * (asked.jokers - held_jokers - discards.get(JOKER, 0))]
    model.add(held_jokers + discards.get(JOKER, 0) <= asked.jokers)
    for rank in RANKS:
        placed = []
        for suit in SUITS:
            card = rank + suit
            if not asked.copies[card]:
                continue
            in_set = model.new_int_var(0, asked.copies[card], f"p{card}")
            swapped = sum(var for face, var in freed if face == card)
            used = asked.used_in_runs(rank, suit) + in_set + swapped + discards[card]
            model.add(used <= asked.copies[card])
            cost.append(points[card] * (asked.copies[card] - used))
            placed.append(in_set)
        model.add(sum(placed) == asked.in_sets[rank])
    model.minimize(sum(cost))
    possible, solver = _solve(model)
    return round(solver.objective_value) if possible else None


def _grown_runs(asked: _Model, cores: Sequence[Mapping[Interval, Any]], freed: int) -> list[dict[Interval, Any]]:
    """Let every new run grow by lay-offs: the whole run holds its core."""
    choices = asked.intervals(freed=freed)
    whole = []
    for number, core in enumerate(cores):
        chosen = {interval: asked.model.new_bool_var(f"g{number}{interval}") for interval in choices}
        asked.model.add_exactly_one(chosen.values())
        for (suit, low, high), var in core.items():
            asked.model.add_bool_or(
                [grown for key, grown in chosen.items() if key[0] == suit and key[1] <= low and key[2] >= high] + [var.negated()]
            )
        whole.append(chosen)
    return whole


def _table_runs(asked: _Model, table: Sequence[Lying]) -> list[tuple[str, Any]]:
    """Let the runs of the table grow at both ends; give the swaps (the card wanted, whether it is made)."""
    freed: list[tuple[str, Any]] = []
    for lying in table:
        meld = lying.meld
        if meld is None or meld.kind != "run":
            continue
        chosen: dict[Interval, Any] = {}
        for low in range(1, meld.low + 1):
            for high in range(meld.high, 15):
                if high - low < 13:
                    chosen[meld.suit, low, high] = asked.model.new_bool_var(f"t{lying.id}{low}-{high}")
        asked.model.add_exactly_one(chosen.values())
        for (suit, low, high), var in chosen.items():
            for place in (*range(low, meld.low), *range(meld.high + 1, high + 1)):
                asked.cover[suit, place].append(var)
        for index in range(len(meld.cards)):
            card = meld.values[index]
            if meld.wilds >> index & 1 and asked.copies[card]:
                freed.append((card, asked.model.new_bool_var(f"x{lying.id}{index}")))
    return freed
