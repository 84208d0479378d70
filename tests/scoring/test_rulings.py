"""Rulings and what they do to the scorebook, disputes, and corrections by agreement."""

import re
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from players import people
from players.models import League, Player
from scoring import load, ratings, record, record_league, season
from scoring.models import Entry, Game, Ruling, Season, Seat
from scoring.state import Refused
from tests.cast import Cast
from tests.scoring.tables import act
from tests.scoring.test_ledger import Log
from tests.scoring.test_seasons import game_on

pytestmark = pytest.mark.django_db

ILLEGAL: dict[str, Any] = {"kind": "illegal-draw", "facts": {"discarded": True, "in_hand": True, "excess": 1}}
SCORE: dict[str, Any] = {"kind": "score-error", "facts": {"missing": False, "late_score": False, "mixed": False}}


def ruled(log: Log, **data: Any) -> int:
    """Give a ruling; return its revision."""
    log("ruling", **{**SCORE, "hand": 1, "seats": [], **data})
    return len(log.events)


def test_a_penalty_is_on_the_total_and_in_no_hand() -> None:
    log = Log(4).hand(1, "out", 10, 20, 30)
    rev = ruled(log)
    state = log("penalty", ruling=rev, seat=1, points=50, reason="called names").state()
    assert state.running(1) == 60
    assert [posted.points for posted in state.hands[0].posted] == [0, 10, 20, 30]


def test_input_53_a_recount_leaves_a_penalty_where_it_is() -> None:
    log = Log(4).hand(1, "out", 10, 20, 30)
    log("penalty", ruling=ruled(log), seat=1, points=50, hand=1, attempt=1, reason="called names")
    log("count", hand=1, seat=1, kind="points", points="15", reason="miscounted")
    assert log.state().running(1) == 65
    for number in range(2, 8):
        log.hand(number, "out", 10, 20, 30)
    state = log.state()
    assert state.result is not None
    assert [total.points for total in state.result.totals if total] == [0, 15 + 60 + 50, 140, 210]


def test_input_17_effects_add_up_the_same_in_whatever_order_they_came() -> None:
    def total(first: int, second: int) -> int:
        log = Log(3).hand(1, "out", 10, 20)
        for points in (first, second):
            log("penalty", ruling=ruled(log), seat=0, points=points, reason="ruled")
        return log.state().running(0)

    assert total(-10, 50) == total(50, -10) == 40


def test_taking_a_ruling_back_takes_what_it_did_and_each_effect_goes_alone() -> None:
    log = Log(3).hand(1, "out", 10, 20)
    rev = ruled(log)
    log("penalty", ruling=rev, seat=0, points=30, reason="ruled")("penalty", ruling=rev, seat=1, points=5, reason="ruled")
    assert log.state().rulings[rev].effects == (rev + 1, rev + 2)
    log("undo", replaces=rev + 1)
    assert (log.state().running(0), log.state().running(1)) == (0, 15)
    log("undo", replaces=rev)
    state = log.state()
    assert (state.running(0), state.running(1), state.rulings) == (0, 10, {})
    assert state.voided == {rev + 2: "ruling-gone"}


def test_undoing_a_hand_voids_what_hung_on_it() -> None:
    log = Log(3).hand(1, "out", 10, 20)
    closed = len(log.events)
    log("penalty", seat=2, points=40, hand=2, attempt=1, reason="ruled")
    assert log.state().running(2) == 60
    log("undo", replaces=closed)
    state = log.state()
    assert (state.hand.number, state.running(2)) == (1, 0)
    assert list(state.voided.values()) == ["hand-gone"]


def test_dealing_a_hand_again_takes_its_penalties_with_it() -> None:
    log = Log(3)("penalty", seat=2, points=40, hand=1, attempt=1, reason="ruled")("redeal", hand=1, attempt=1)
    state = log.state()
    assert (state.hand.attempt, state.running(2)) == (2, 0)


def test_an_effect_on_nothing_is_refused_when_it_is_done() -> None:
    assert Log(3)("penalty", seat=0, points=5, hand=4, reason="ruled").refusal() == "hand-gone"
    assert Log(3)("penalty", seat=0, points=5, ruling=99, reason="ruled").refusal() == "ruling-gone"
    assert Log(3)("penalty", seat=0, points=0, reason="ruled").refusal() == "penalty-zero"
    assert Log(3)("penalty", seat=0, points=5).refusal() == "penalty-reason"
    assert Log(3)("skip", hand=1, count=1).refusal() == "no-countdown"
    assert Log(3)("reopen", hand=1, seat=0).refusal() == "not-out"
    assert Log(3)("ruling", kind="score-error", facts={"missing": False}, hand=1).refusal() == "ruling-open"
    assert Log(3)("ruling", kind="score-error", facts={}, hand=1, own=True, words="as we like").refusal() == "own-ruling"
    assert Log(3)("ruling", kind="score-error", facts={"nonsense": 1}, hand=1).refusal() == "ruling-facts"


@pytest.mark.parametrize("first", ["count", "short"])
def test_cards_missing_are_charged_whether_the_hand_is_counted_before_or_after(first: str) -> None:
    log = Log(3)
    for kind in (first, "short" if first == "count" else "count"):
        if kind == "count":
            log("count", hand=1, seat=1, kind="points", points="25")
        else:
            log("short", hand=1, seat=1, count=2)
    entry = log.state().hand.entries[1]
    assert (entry.points, entry.missing) == (45, 2)


def test_lost_turns_are_used_up_in_the_twice_around() -> None:
    log = Log(3)("opened", hand=1, seat=0)("opened", hand=1, seat=1)("opened", hand=1, seat=2)("skip", hand=1, count=2)
    countdown = log.state().countdown
    assert countdown is not None
    assert (countdown.left, countdown.next_seat) == (4, 2)


def test_a_hand_whose_goer_was_short_opens_again_even_after_it_was_closed() -> None:
    log = Log(3).hand(1, "out", 10, 20)("reopen", hand=1, seat=0)
    state = log.state()
    assert (state.hand.number, state.hand.closed, state.hand.entries, len(state.hands)) == (1, False, {}, 1)
    log = Log(3)
    for number in range(1, 8):
        log.hand(number, "out", 10, 20)
    state = log("reopen", hand=7, seat=0).state()
    assert (state.status, state.ended_on, state.result, state.hand.number) == ("playing", None, None, 7)
    log = Log(3).hand(1, "out", 10, 20)("opened", hand=2, seat=0)("reopen", hand=1, seat=0)
    assert log.refusal() == "hand-mixed"


def test_turns_of_correction_are_counted_down_at_the_table() -> None:
    log = Log(3)("task", hand=1, seat=1, what="draw-only", count=2)
    rev = len(log.events)
    assert log("taskdone", hand=1, of=rev, nth=2).state().hand.tasks[0].left == 1
    assert Log(3)("taskdone", hand=1, of=9).refusal() == "task-gone"
    assert log("taskdone", hand=1, of=rev, nth=1).state().hand.tasks == []


# ---------------------------------------------------------------------------------------------------------------------
# Corrections and disputes


def correction(log: Log, **data: Any) -> Log:
    return log("count", **{"hand": 1, "seat": 1, "kind": "points", "points": "15", "reason": "miscounted", **data})


def test_before_the_next_hand_begins_a_recount_needs_a_reason_and_no_agreement() -> None:
    assert correction(Log(3).hand(1, "out", 10, 20), agreed=[]).state().running(1) == 15
    assert correction(Log(3).hand(1, "out", 10, 20), agreed=[], reason="").refusal() == "reason-needed"


def test_once_mixed_a_score_changes_only_if_everybody_agrees() -> None:
    log = Log(3).hand(1, "out", 10, 20)("opened", hand=2, seat=0)
    assert correction(log, agreed=[0, 1]).refusal() == "agreement-needed"
    log.events.pop()
    state = correction(log, agreed=[0, 1, 2]).state()
    assert state.running(1) == 15
    (amendment,) = state.amendments
    assert (amendment.old.points, amendment.new.points, amendment.reason) == (10, 15, "miscounted")


def test_a_suspended_game_has_put_its_cards_away() -> None:
    log = Log(3).hand(1, "out", 10, 20)("suspend", consent=[0, 1, 2], on="2026-03-03")
    assert correction(log, agreed=[0]).refusal() == "agreement-needed"
    log.events.pop()
    log("resume", players=[100, 101, 102], on="2026-03-04")
    assert correction(log, agreed=[0]).refusal() == "agreement-needed"


def test_a_disputed_score_stands_once_the_hand_is_mixed_unless_the_table_rules_otherwise() -> None:
    log = Log(3).hand(1, "out", 10, 20)("dispute", hand=1, seat=1, reason="there was a king")("opened", hand=2, seat=0)
    assert correction(log).refusal() == "disputed-stands"
    log.events.pop()
    decide: dict[str, Any] = {"hand": 1, "seat": 1, "kind": "points", "points": "20", "reason": "we all saw the king"}
    assert log("decide", **decide).refusal() == "disputed-stands"
    log.events.pop()
    state = log("decide", own=True, **decide).state()
    assert (state.running(1), state.hands[0].entries[1].state) == (20, "ruled")
    assert state.amendments[0].own


def test_a_dispute_blocks_its_hand_and_not_the_game_and_a_decision_ends_it() -> None:
    log = Log(3)
    for seat, points in enumerate(("0", "10", "20")):
        log("count", hand=1, seat=seat, kind="points", points=points)
    log("dispute", hand=1, seat=1, reason="there was a king")("close", hand=1, on="2026-03-03")
    assert log.refusal() == "disputed"
    log.events.pop()
    assert log("decide", hand=1, seat=1, stands=True).refusal() == "decision-reason"
    log.events.pop()
    log("decide", hand=1, seat=1, stands=True, reason="no king")
    decided = len(log.events)
    assert log.state().hand.entries[1].state == "ruled"
    log("undo", replaces=decided)
    assert log.state().hand.entries[1].state == "disputed"
    log("decide", hand=1, seat=1, kind="points", points="20", reason="there it was")("close", hand=1, on="2026-03-03")
    assert log.state().running(1) == 20


def test_a_proposal_is_written_when_the_last_player_agrees_and_falls_with_the_first_who_does_not() -> None:
    log = Log(3).hand(1, "out", 10, 20)("opened", hand=2, seat=0)
    log("propose", hand=1, seat=1, kind="points", points="15", reason="miscounted")
    of = len(log.events)
    log("agree", seat=0, of=of)("agree", seat=1, of=of)
    assert log.state().running(1) == 10
    assert log.state().proposals[of].agreed == frozenset({0, 1})
    log("agree", seat=2, of=of)
    assert (log.state().running(1), log.state().proposals) == (15, {})
    log.events.pop()
    log("decline", seat=2, of=of)
    assert (log.state().running(1), log.state().proposals) == (10, {})
    assert log("agree", seat=2, of=of).refusal() == "proposal-gone"


# ---------------------------------------------------------------------------------------------------------------------
# Rows and pages


def text(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


def test_a_ruling_of_the_tables_own_with_a_penalty_is_listed_marked_and_undone(host: Client, game: Game) -> None:
    form = {"do": "ruling", "page": "wrong", "client_id": "own", "own": "1", "kind": "score-error", "f.missing": "no"}
    form |= {"f.late_score": "no", "f.mixed": "no", "hand": "1", "seat": "1"}
    do = reverse("scoring:do", args=[game.pk])
    assert host.post(do, {**form, "words": "", "reason": ""}).status_code == 422
    assert not Ruling.objects.exists()
    sent = {**form, "words": "50 points for Ben", "reason": "third time", "penalty": "50"}
    assert host.post(do, sent).status_code == 303
    assert Seat.objects.get(game=game, number=1).running == 60
    row = Ruling.objects.get()
    assert (row.own, row.words, row.reason, row.path) == (True, "50 points for Ben", "third time", "4.10.a")
    page = text(host.get(reverse("scoring:rulings", args=[game.pk])))
    assert "the table’s own ruling" in page
    assert "The rule book: Count again" in page
    assert "+50" in text(host.get(reverse("scoring:sheet", args=[game.pk])))
    assert record.rebuild(game.pk) == 0
    Ruling.objects.all().delete()
    assert record.rebuild(game.pk) == 1
    assert Ruling.objects.get().words == "50 points for Ben"
    host.post(do, {"do": "undo", "page": "rulings", "client_id": "u", "target": str(row.rev)})
    assert not Ruling.objects.exists()
    assert Seat.objects.get(game=game, number=1).running == 10


def test_a_ruling_whose_effect_does_not_fit_leaves_nothing_behind(host: Client, game: Game) -> None:
    form = {"do": "ruling", "page": "wrong", "client_id": "short", "kind": "incorrect-hand", "f.ended": "yes"}
    form |= {"f.went_out": "no", "f.difference": "-2", "hand": "2", "effect": "missing-cards"}
    assert host.post(reverse("scoring:do", args=[game.pk]), form).status_code == 422
    assert not Ruling.objects.exists()
    assert host.post(reverse("scoring:do", args=[game.pk]), {**form, "seat": "3"}).status_code == 303
    assert load.table(Game.objects.get(pk=game.pk)).state.hand.short == {3: 2}


def test_the_sheet_shows_old_and_new_value_who_and_why(host: Client, game: Game, cast: Cast) -> None:
    act(game, "opened", hand=2, seat=0)
    act(game, "count", hand=1, seat=1, kind="points", points="15", reason="the ten was forgotten", user=cast.owner)
    page = text(host.get(reverse("scoring:sheet", args=[game.pk])))
    assert "<del>10 points</del> → <ins>15 points</ins>. the ten was forgotten" in page
    entry = Entry.objects.get(hand__game=game, hand__number=1, seat__number=1)
    assert (entry.amended, entry.state) == (True, "final")


def test_one_button_records_that_everybody_agrees(host: Client, game: Game) -> None:
    act(game, "opened", hand=2, seat=0)
    page = text(host.get(reverse("scoring:correct", args=[game.pk, 1]) + "?seat=1"))
    assert "Everybody agrees: correct the score" in page
    form = {"do": "count", "page": "correct", "client_id": "c", "hand": "1", "seat": "1", "kind": "points", "points": "15"}
    refused = host.post(reverse("scoring:do", args=[game.pk]), {**form, "reason": "miscounted"})
    assert refused.status_code == 422
    assert "4.10.c" in text(refused)
    agreed = {**form, "client_id": "d", "reason": "miscounted", "agreed": "all"}
    assert host.post(reverse("scoring:do", args=[game.pk]), agreed).status_code == 303


def test_input_38_a_player_posts_nothing_to_a_final_hand(cast: Cast, game: Game) -> None:
    form = {"do": "count", "client_id": "x", "hand": "1", "seat": "1", "kind": "points", "points": "0", "reason": "because"}
    for do in ("count", "decide", "dispute", "propose"):
        cast.expects(reverse("scoring:do", args=[game.pk]), {**form, "do": do, "agreed": "all", "page": "correct"}, **_by(do))


def _by(do: str) -> dict[str, int]:
    allowed = 422 if do == "decide" else 303
    return {"owner": allowed, "scorekeeper": allowed, "member": 403, "viewer": 403}


def test_refusals_of_a_seat_read_as_sentences(game: Game) -> None:
    with pytest.raises(Refused):
        act(game, "agree", seat=0, of=77)


def test_a_correction_agreed_to_in_a_closed_season_is_marked_and_standings_and_ratings_follow(cast: Cast) -> None:
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben")]
    game = game_on(cast.league, players, date(2025, 3, 3), 10, 20)
    act(game, "count", hand=2, seat=1, kind="points", points="5", reason="before it was closed")
    ratings.switch(cast.league, on=True)
    standing = record_league.close_season(game.season, None, date(2026, 1, 1))
    assert _leader(cast.league) == "Ana"
    of = act(game, "propose", hand=1, seat=0, kind="points", points="90", reason="a page was missing").rev
    for seat in (0, 1):
        act(game, "agree", seat=seat, of=of)
    sheet = text(cast.client("viewer").get(reverse("scoring:sheet", args=[game.pk])))
    early, late = re.findall(r"<li>Hand \d.*?</li>", sheet)
    assert "after the season was closed" not in early
    assert "after the season was closed" in late
    kept = season.closed(Season.objects.get(pk=standing.pk))
    assert kept is not None
    assert [(item.player.name, item.was and item.was.rank, item.now and item.now.rank) for item in kept.amended] == [
        ("Ana", 1, 2),
        ("Ben", 2, 1),
    ]
    assert _leader(cast.league) == "Ben"


def _leader(league: League) -> str:
    ratings.refresh(league)
    rated = ratings.replay(league).rated
    best = max(rated, key=lambda pk: rated[pk].mu)
    return Player.objects.get(pk=best).name


def test_input_36_the_end_of_a_hand_undone_gives_the_whole_table_back(game: Game) -> None:
    for seat in (1, 0, 2):
        act(game, "opened", hand=2, seat=seat)
    act(game, "stock", hand=2)
    act(game, "task", hand=2, seat=3, what="draw-only", count=2)
    for seat, kind in enumerate(("cards", "out", "points", "none")):
        act(game, "count", hand=2, seat=seat, kind=kind, cards="7H JK" if seat == 0 else "", points="15" if seat == 2 else "")
    before = load.table(Game.objects.get(pk=game.pk))
    closed = act(game, "close", hand=2).rev
    assert load.table(Game.objects.get(pk=game.pk)).hand.number == 3
    act(game, "undo", target=closed)
    after = load.table(Game.objects.get(pk=game.pk))
    assert after.hand == before.hand
    assert (after.hand.dealer, after.hand.opened, after.hand.out, after.contract_of(2)) == (
        1,
        [1, 0, 2],
        [1],
        before.contract_of(2),
    )
    assert [after.state.running(seat) for seat in after.state.seats] == [0, 10, 20, 30]
    assert record.rebuild(game.pk) == 0


def test_input_39_a_dispute_decided_with_the_score_that_stands_leaves_the_acceptance_of_the_others(game: Game) -> None:
    before = load.table(game).state.hands[0].entries
    act(game, "dispute", hand=1, seat=1, reason="was there a king?")
    act(game, "decide", hand=1, seat=1, stands=True, reason="no king")
    after = load.table(Game.objects.get(pk=game.pk)).state
    assert not after.amendments
    assert {seat: entry.state for seat, entry in after.hands[0].entries.items()} == {
        seat: "ruled" if seat == 1 else entry.state for seat, entry in before.items()
    }
    assert after.hands[0].entries[1].value == before[1].value
