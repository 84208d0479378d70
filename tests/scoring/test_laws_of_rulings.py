"""Laws of what rulings do, whatever happens at a table: counting anew wipes nothing, and what hung on a thing goes with it."""

from dataclasses import dataclass
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scoring.state import GameState, Refused
from tests.scoring.test_ledger import Log

SEATS = 3
seats = st.integers(0, SEATS - 1)
points = st.integers(1, 20).map(lambda fives: 5 * fives)
RULING = {"kind": "score-error", "facts": {"missing": False, "late_score": False, "mixed": False}}


@dataclass(frozen=True)
class Hung:
    """A penalty as it was recorded: its event, the ruling it hangs on, and the deal it is about (hand, attempt), if any."""

    rev: int
    seat: int
    points: int
    ruling: int
    deal: tuple[int, int] | None


class Table:
    """A game in which things happen; what does not fit does not happen."""

    def __init__(self) -> None:
        self.log = Log(SEATS)
        self.hung: list[Hung] = []

    @property
    def state(self) -> GameState:
        return self.log.state()

    def do(self, action: str, **data: Any) -> int | None:
        """Do something; give its event, or None where the table refuses."""
        self.log(action, **data)
        try:
            self.log.state()
        except Refused:
            self.log.events.pop()
            return None
        return len(self.log.events)

    def play(self, scores: list[int]) -> None:
        number = self.state.hand.number
        for seat, score in enumerate(scores):
            entry: dict[str, Any] = {"kind": "points", "points": str(score)} if seat else {"kind": "out"}
            self.do("count", hand=number, seat=seat, **entry)
        self.do("close", hand=number, on="2026-03-03")

    def penalize(self, seat: int, score: int, *, on_hand: bool) -> None:
        hand = self.state.hand
        deal = (hand.number, hand.attempt) if on_hand else None
        about = {"hand": hand.number, "attempt": hand.attempt} if on_hand else {}
        ruling = self.do("ruling", **RULING, **about, seats=[seat], reason="ruled")
        if ruling is None:
            return
        rev = self.do("penalty", ruling=ruling, seat=seat, points=score, reason="ruled", **about)
        assert rev is not None
        self.hung.append(Hung(rev, seat, score, ruling, deal))

    def recount(self, number: int, seat: int, score: int) -> None:
        self.do("count", hand=number, seat=seat, kind="points", points=str(score), reason="counted again")

    def deal_again(self) -> None:
        self.do("redeal", hand=self.state.hand.number, attempt=self.state.hand.attempt)

    def undo(self, which: int) -> None:
        if len(self.log.events) > 1:
            target = 2 + which % (len(self.log.events) - 1)
            if self.log.events[target - 1].kind != "undo":
                self.do("undo", replaces=target)


steps = st.lists(
    st.one_of(
        st.tuples(st.just("play"), st.lists(points, min_size=SEATS, max_size=SEATS)),
        st.tuples(st.just("penalize"), seats, points, st.booleans()),
        st.tuples(st.just("recount"), st.integers(1, 4), seats, points),
        st.tuples(st.just("deal_again")),
        st.tuples(st.just("undo"), st.integers(0, 40)),
    ),
    max_size=14,
)


def happen(table: Table, step: tuple[Any, ...]) -> None:
    match step:
        case ("play", scores):
            table.play(scores)
        case ("penalize", seat, score, on_hand):
            table.penalize(seat, score, on_hand=on_hand)
        case ("recount", number, seat, score):
            table.recount(number, seat, score)
        case ("deal_again",):
            table.deal_again()
        case ("undo", which):
            table.undo(which)


def undone(table: Table) -> set[int]:
    return {event.replaces for event in table.log.events if event.kind == "undo" and event.replaces}


def must_stand(table: Table) -> set[int]:
    """Give the penalties that nothing took away: neither they nor their ruling were undone, and their deal is still there."""
    deals = {(hand.number, hand.attempt) for hand in table.state.hands}
    taken_back = undone(table)
    return {
        item.rev for item in table.hung if not {item.rev, item.ruling} & taken_back and (item.deal is None or item.deal in deals)
    }


@given(steps)
def test_whatever_happens_a_penalty_stands_until_it_its_ruling_or_its_deal_is_taken_back(happened: list[tuple[Any, ...]]) -> None:
    table = Table()
    for step in happened:
        happen(table, step)
    state = table.state
    assert {penalty.rev for penalty in state.standing_penalties} == must_stand(table)
    for item in table.hung:
        if item.rev not in must_stand(table) | undone(table):
            # What no longer counts says why, unless the deal it was about is merely an older one.
            assert item.rev in state.voided or item.deal is not None
    for seat in state.seats:
        hands = sum(hand.posted[seat].points or 0 for hand in state.hands if hand.closed)
        ruled = sum(item.points for item in table.hung if item.rev in must_stand(table) and item.seat == seat)
        assert state.running(seat) == hands + ruled


@given(steps, st.integers(1, 4), seats, points)
def test_counting_a_hand_again_wipes_no_effect(happened: list[tuple[Any, ...]], number: int, seat: int, score: int) -> None:
    table = Table()
    for step in happened:
        happen(table, step)
    before = table.state
    table.recount(number, seat, score)
    after = table.state
    assert after.penalties == before.penalties
    assert after.rulings == before.rulings
    assert [hand.tasks for hand in after.hands] == [hand.tasks for hand in before.hands]


@given(steps, seats, points)
def test_undoing_the_close_of_a_hand_voids_what_hung_on_the_next_one_and_nothing_else(
    happened: list[tuple[Any, ...]], seat: int, score: int
) -> None:
    table = Table()
    for step in happened:
        happen(table, step)
    number = table.state.hand.number
    table.play([5, 10, 15])
    if table.state.hand.number == number:
        return
    closed = len(table.log.events)
    before = {penalty.rev for penalty in table.state.standing_penalties}
    table.penalize(seat, score, on_hand=True)
    newest = table.hung[-1]
    table.do("undo", replaces=closed)
    state = table.state
    assert {penalty.rev for penalty in state.standing_penalties} == before
    assert newest.ruling not in state.rulings
    assert {newest.rev, newest.ruling} <= set(state.voided)
