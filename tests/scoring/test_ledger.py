"""The fold over a game's events: what each action does, and what it refuses."""

from datetime import date
from typing import Any

import pytest

from continental.rules import rulesets
from scoring import entries, ledger
from scoring.state import Countdown, GameState, Logged, Refused

HOUSE = rulesets.preset("house")


class Log:
    """A game's events as a test writes them, one call an action."""

    def __init__(self, players: int = 4, rules: Any = HOUSE, on: str = "2026-03-03", dealer: int = 0) -> None:
        self.rules = rules
        self.events: list[Logged] = []
        self("start", players=[100 + seat for seat in range(players)], first_dealer=dealer, on=on)

    def __call__(self, action: str, /, *, reason: str = "", replaces: int | None = None, **data: Any) -> "Log":
        if action == "count" and reason:
            data.setdefault("agreed", list(range(20)))  # everybody at the table, however many
        self.events.append(Logged(len(self.events) + 1, action, data, reason, replaces))
        return self

    def state(self) -> GameState:
        return ledger.fold(self.rules, self.events)

    def hand(self, number: int, *scores: Any, on: str = "2026-03-03") -> "Log":
        """Count a hand and close it: a number, "out", None (gave no score) or "absent" for each seat."""
        for seat, score in enumerate(scores):
            if score == "gone":
                continue
            if isinstance(score, int):
                self("count", hand=number, seat=seat, kind="points", points=str(score))
            else:
                self("count", hand=number, seat=seat, kind="none" if score is None else score)
        return self("close", hand=number, on=on)

    def refusal(self) -> str:
        with pytest.raises(Refused) as refused:
            self.state()
        return refused.value.code


def test_a_game_of_seven_hands_ends_with_totals_and_places() -> None:
    log = Log(4)
    for number in range(1, 8):
        log.hand(number, "out", 10, 20, 30)
    state = log.state()
    assert state.status == "finished"
    assert state.result is not None
    assert [total.points for total in state.result.totals if total] == [0, 70, 140, 210]
    assert state.result.places == (1, 2, 3, 4)
    assert state.ended_on == date(2026, 3, 3)


def test_zero_not_entered_no_score_and_absent_are_four_different_things() -> None:
    log = Log(4)("count", hand=1, seat=0, kind="points", points="0")("count", hand=1, seat=1, kind="none")
    log("count", hand=1, seat=2, kind="absent")
    entries = log.state().hand.entries
    assert entries[0].points == 0
    assert entries[1].points is None
    assert entries[1].provided is None
    assert entries[2].provided == "absent"
    assert 3 not in entries


def test_a_hand_with_holes_does_not_close() -> None:
    log = Log(3)("count", hand=1, seat=0, kind="out")("close", hand=1, on="2026-03-03")
    assert log.refusal() == "holes"


def test_a_missing_score_gets_the_two_highest_of_the_others() -> None:
    state = Log(4).hand(1, 20, 45, 70, None).state()
    assert [posted.points for posted in state.hands[0].posted] == [20, 45, 70, 115]
    assert state.running(3) == 115


def test_a_hand_with_one_score_given_must_be_played_again() -> None:
    log = Log(3).hand(1, "out", None, None)
    assert log.refusal() == "replay-needed"
    log.events.pop()
    state = log("restart", hand=1).state()
    assert state.hand.number == 1
    assert state.hand.attempt == 2
    assert state.hand.entries == {}
    assert state.hand.dealer == 0


def test_the_deal_passes_left_and_skips_an_empty_seat() -> None:
    log = Log(4, dealer=2)
    dealers = []
    for number in range(1, 4):
        dealers.append(log.state().hand.dealer)
        log.hand(number, "out", 5, 5, 5)
    assert dealers == [2, 3, 0]
    assert log("leave", seat=2).hand(4, "out", 5, "gone", 5).state().hand.dealer == 3


def test_a_card_short_costs_ten_points_besides_the_cards_held() -> None:
    state = Log(3)("count", hand=1, seat=0, kind="cards", cards="5C 9D", missing=1).state()
    assert state.hand.entries[0].points == 25


@pytest.mark.parametrize(
    ("typed", "points", "kept"),
    [
        ("10+15", 25, "10+15"),
        (" 10 + 15 ", 25, "10+15"),
        ("0", 0, "0"),
        ("-10", -10, "-10"),
        ("85", 85, "85"),
        ("１２", 12, "12"),
        ("5−5", 0, "5-5"),
        ("+7", 7, "7"),
    ],
)
def test_typed_points_are_a_number_or_a_sum(typed: str, points: int, kept: str) -> None:
    assert entries.read_sum(typed) == (points, kept)


@pytest.mark.parametrize("typed", ["", "abc", "10++15", "10+", "1e3", "=1+1", "10.5", "0x10", "10*2", "9" * 30, "--5", "٣+"])
def test_typed_points_that_add_up_to_nothing_are_refused(typed: str) -> None:
    with pytest.raises(Refused) as refused:
        entries.read_sum(typed)
    assert refused.value.code == "points-unreadable"


def test_points_beyond_any_hand_are_refused() -> None:
    with pytest.raises(Refused) as refused:
        entries.read_sum("99999")
    assert refused.value.code == "points-out-of-range"


@pytest.mark.parametrize(
    ("kind", "code"), [("out", "out-with-points"), ("none", "none-with-points"), ("absent", "absent-with-points")]
)
def test_a_kind_without_points_takes_none(kind: str, code: str) -> None:
    assert Log(3)("count", hand=1, seat=0, kind=kind, points="25").refusal() == code


def test_went_out_with_nothing_left_is_accepted() -> None:
    assert Log(3)("count", hand=1, seat=0, kind="out", points="0").state().hand.out == [0]


def test_an_earlier_hand_changes_only_with_a_reason_and_leaves_the_later_ones_alone() -> None:
    log = Log(3)
    for number in range(1, 6):
        log.hand(number, "out", 10, 20)
    assert log("count", hand=2, seat=1, kind="points", points="15").refusal() == "reason-needed"
    log.events.pop()
    state = log("count", hand=2, seat=1, kind="points", points="15", reason="miscounted").state()
    assert [posted.points for posted in state.hands[1].posted] == [0, 15, 20]
    assert state.hands[1].entries[1].amended
    for number in (2, 3, 4):
        assert [posted.points for posted in state.hands[number].posted] == [0, 10, 20]
    assert state.running(1) == 55


def test_a_correction_feeds_the_substitute_of_that_hand() -> None:
    state = Log(3).hand(1, 20, 30, None)("count", hand=1, seat=1, kind="points", points="50", reason="recount").state()
    assert state.hands[0].posted[2].points == 70


def test_a_correction_may_not_leave_a_closed_hand_with_one_score() -> None:
    assert Log(3).hand(1, 20, 30, None)("count", hand=1, seat=1, kind="none", reason="lost").refusal() == "replay-closed"


def test_undo_brings_back_dealer_hand_contract_and_marks() -> None:
    log = Log(3)("opened", hand=1, seat=1)("stock", hand=1)
    before = log.hand(1, "out", 10, 20).state()
    assert before.hand.number == 2
    after = log("undo", replaces=log.events[-1].rev).state()
    assert (after.hand.number, after.hand.dealer, after.hand.opened, after.hand.stock_turned) == (1, 0, [1], 1)
    assert after.hand.out == [0]
    assert not after.hand.closed


def test_undo_steps_back_one_action_at_a_time_and_redo_brings_the_last_one_again() -> None:
    log = Log(3)("opened", hand=1, seat=0)("opened", hand=1, seat=1)
    first = ledger.undoable(log.events)
    assert first is not None
    log("undo", replaces=first.rev)
    second = ledger.undoable(log.events)
    assert second is not None
    assert second.data["seat"] == 0
    redo = ledger.redoable(log.events)
    assert redo is not None
    assert log("undo", replaces=redo.rev).state().hand.opened == [0, 1]
    assert ledger.redoable(log.events) is None


def test_the_start_of_a_game_cannot_be_undone() -> None:
    assert ledger.undoable(Log(3).events) is None


def test_twice_around_starts_after_the_last_to_open_and_gives_everyone_two_turns() -> None:
    log = Log(4)("opened", hand=1, seat=2)("opened", hand=1, seat=0)("opened", hand=1, seat=3)
    assert log.state().countdown is None
    countdown = log("opened", hand=1, seat=1).state().countdown
    assert countdown == Countdown(left=8, total=8, next_seat=2, last_seat=1)
    for turn in range(1, 8):
        log("turn", hand=1, nth=turn)
    assert log.state().countdown == Countdown(left=1, total=8, next_seat=1, last_seat=1)
    assert log.state().ended_by == ""
    assert log("turn", hand=1, nth=8).state().ended_by == "twice-around"


def test_twice_around_stops_when_somebody_goes_out() -> None:
    log = Log(3)
    for seat in range(3):
        log("opened", hand=1, seat=seat)
    state = log("turn", hand=1)("count", hand=1, seat=0, kind="out").state()
    assert state.countdown is None
    assert state.ended_by == "out"


def test_twice_around_stops_when_an_opening_proves_wrong() -> None:
    log = Log(3)
    for seat in range(3):
        log("opened", hand=1, seat=seat)
    log("turn", hand=1)("opened", hand=1, seat=1, on=False)
    assert log.state().countdown is None
    assert log("opened", hand=1, seat=1).state().countdown == Countdown(6, 6, 2, 1)


def test_saying_again_who_is_down_gives_no_turn_back() -> None:
    log = Log(3)
    for seat in range(3):
        log("opened", hand=1, seat=seat)
    log("turn", hand=1)("turn", hand=1)("opened", hand=1, seat=1)
    assert log.state().countdown == Countdown(left=4, total=6, next_seat=2, last_seat=2)


def test_a_goer_who_was_short_leaves_the_twice_around_where_it_was() -> None:
    log = Log(3)
    for seat in range(3):
        log("opened", hand=1, seat=seat)
    log("turn", hand=1)("turn", hand=1)("count", hand=1, seat=2, kind="out")("reopen", hand=1, seat=2)
    assert log.state().countdown == Countdown(left=4, total=6, next_seat=2, last_seat=2)


@pytest.mark.parametrize(("leaver", "left", "next_seat", "last_seat"), [(2, 2, 1, 3), (0, 3, 1, 3), (3, 2, 1, 2), (1, 2, 2, 3)])
def test_everybody_else_still_has_two_turns_when_a_player_leaves_the_twice_around(
    leaver: int, left: int, next_seat: int, last_seat: int
) -> None:
    log = Log(4)
    for seat in range(4):
        log("opened", hand=1, seat=seat)
    for _turn in range(5):
        log("turn", hand=1)
    assert log.state().countdown == Countdown(left=3, total=8, next_seat=1, last_seat=3)
    assert log("leave", seat=leaver).state().countdown == Countdown(left, 6, next_seat, last_seat)


def test_twice_around_never_runs_in_the_last_hand_of_the_house() -> None:
    log = Log(2)
    for number in range(1, 7):
        log.hand(number, "out", 10)
    log("opened", hand=7, seat=0)("opened", hand=7, seat=1)
    assert log.state().countdown is None


def test_twice_around_does_not_exist_where_the_sheet_has_none() -> None:
    log = Log(4, rules=rulesets.preset("continental"))
    for seat in range(4):
        log("opened", hand=1, seat=seat)
    assert log.state().countdown is None


def test_the_second_depletion_of_the_stock_ends_the_hand() -> None:
    log = Log(3)("stock", hand=1, nth=1)
    assert log.state().ended_by == ""
    assert log("stock", hand=1, nth=2).state().ended_by == "stock"
    assert log("stock", hand=1, nth=3).refusal() == "hand-ended"


def test_the_same_tap_from_two_phones_counts_once() -> None:
    assert Log(3)("stock", hand=1, nth=1)("stock", hand=1, nth=1).refusal() == "stale"


def test_a_leaver_gets_the_two_highest_complete_totals() -> None:
    log = Log(4)
    for number in range(1, 6):
        log.hand(number, "out", 10, 20, 30)
    log("leave", seat=3)
    for number in (6, 7):
        log.hand(number, "out", 10, 20, "gone")
    state = log.state()
    assert state.result is not None
    assert [total and (total.points, total.how) for total in state.result.totals] == [
        (0, "complete"),
        (70, "complete"),
        (140, "complete"),
        (210, "substituted"),
    ]
    assert state.result.places == (1, 2, 3, 4)


def test_a_game_with_one_complete_total_is_void() -> None:
    log = Log(2)
    for number in range(1, 7):
        log.hand(number, "out", 10)
    log("leave", seat=1).hand(7, "out", "gone")
    assert log.state().status == "void"


def test_suspension_only_between_hands_and_with_everybody() -> None:
    log = Log(3)("opened", hand=1, seat=0)("suspend", consent=[0, 1, 2], on="2026-03-03")
    assert log.refusal() == "suspend-mid-hand"
    assert Log(3)("suspend", consent=[0, 1], on="2026-03-03").refusal() == "suspend-consent"
    assert Log(3)("suspend", consent=[0, 1, 2], on="2026-03-03").state().status == "suspended"


@pytest.mark.parametrize(
    ("players", "on", "outcome"),
    [
        ([102, 100, 101], "2026-06-01", "playing"),
        ([102, 101, 100], "2026-06-01", "resume-reseat"),
        ([100, 101], "2026-06-01", "resume-wait"),
        ([100, 101, 102], "2027-01-01", "resume-void"),
    ],
)
def test_a_game_resumes_with_everybody_in_the_same_order_in_the_same_year(players: list[int], on: str, outcome: str) -> None:
    log = Log(3).hand(1, "out", 10, 20)("suspend", consent=[0, 1, 2], on="2026-03-03")("resume", players=players, on=on)
    if outcome != "playing":
        assert log.refusal() == outcome
        return
    state = log.state()
    assert state.status == "playing"
    assert state.hand.dealer == 1


def test_nothing_is_played_while_the_game_is_suspended() -> None:
    log = Log(3)("suspend", consent=[0, 1, 2], on="2026-03-03")("opened", hand=1, seat=0)
    assert log.refusal() == "game-suspended"


def test_a_game_ended_early_is_void_and_keeps_its_hands() -> None:
    log = Log(3)
    for number in range(1, 6):
        log.hand(number, "out", 10, 20)
    state = log("finish", on="2026-03-03").state()
    assert state.status == "void"
    assert state.ended_early == "early"
    assert sum(hand.closed for hand in state.hands) == 5
    assert [state.running(seat) for seat in state.seats] == [0, 50, 100]


def test_a_suspended_game_of_another_year_ends_void() -> None:
    log = Log(3)("suspend", consent=[0, 1, 2], on="2026-03-03")("finish", on="2027-01-01")
    assert log.state().ended_early == "year"


def test_a_finished_game_takes_corrections_and_nothing_else() -> None:
    log = Log(2)
    for number in range(1, 8):
        log.hand(number, "out", 10)
    state = log("count", hand=3, seat=1, kind="points", points="0", reason="had nothing left")("opened", hand=7, seat=0)
    assert state.refusal() == "game-finished"
    log.events.pop()
    result = log.state().result
    assert result is not None
    assert [total.points for total in result.totals if total] == [0, 60]


def test_ties_share_a_place() -> None:
    log = Log(3)
    for number in range(1, 8):
        log.hand(number, 10, 10, 20)
    result = log.state().result
    assert result is not None
    assert result.places == (1, 1, 3)


def test_a_sheet_that_lacks_what_its_source_lost_starts_no_game() -> None:
    assert Log(4, rules=rulesets.preset("fifteen")).refusal() == "sheet-not-ready"


def test_a_player_sits_on_one_seat_only() -> None:
    events = [Logged(1, "start", {"players": [1, 1, 2], "first_dealer": 0, "on": "2026-03-03"})]
    with pytest.raises(Refused) as refused:
        ledger.fold(HOUSE, events)
    assert refused.value.code == "player-twice"


def test_a_correction_below_the_target_lets_the_game_go_on() -> None:
    log = Log(3, rules=rulesets.load({"base": "basic", "target": 50})).hand(1, "out", 60, 20)
    assert log.state().status == "finished"
    state = log("count", hand=1, seat=1, kind="points", points="40", reason="recount", agreed=[0, 1, 2]).state()
    assert state.status == "playing"
    assert (state.ended_on, state.result, state.hand.number) == (None, None, 2)
    assert log.hand(2, "out", 15, 10).state().status == "finished"
