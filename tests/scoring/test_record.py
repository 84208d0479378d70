"""The only writer: what it writes, what it refuses, and that the rows are what the log says."""

import threading
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from continental.rules.errors import BadQuestion
from players.models import League, Player, User
from scoring import ledger, load, record
from scoring.models import Entry, Event, Game, Hand, RuleSheet, Seat
from scoring.record import Asks, By, Clash, Outcome
from scoring.state import Refused

pytestmark = pytest.mark.django_db

_ids = iter(range(10**9))


def new_id() -> str:
    return f"id-{next(_ids)}"


def make_game(players: int = 4, base: str = "house", overrides: dict[str, Any] | None = None, dealer: int = 0) -> Game:
    league = League.objects.create(name="Thursday", timezone="Europe/Madrid")
    names = ["Ana", "Ben", "Cai", "Dot", "Eva", "Fay", "Gus", "Hal"]
    seated = [Player.objects.create(league=league, name=name) for name in names[:players]]
    sheet = record.add_sheet(league, "House", base, overrides or {}, By())
    return record.start_game(league, sheet, seated, dealer, By(), client_id=new_id())


def do(
    game: Game,
    kind: str,
    /,
    *,
    reason: str = "",
    seen: int | None = None,
    confirmed: bool = True,
    client_id: str = "",
    **data: Any,
) -> Outcome:
    if kind == "count" and reason:
        data.setdefault("agreed", list(range(20)))  # everybody at the table, however many
    return record.apply(game.pk, kind, data, By(), client_id=client_id or new_id(), reason=reason, seen=seen, confirmed=confirmed)


def count(game: Game, hand: int, seat: int, score: int | str | None, **options: Any) -> Outcome:
    if isinstance(score, int):
        return do(game, "count", hand=hand, seat=seat, kind="points", points=str(score), **options)
    return do(game, "count", hand=hand, seat=seat, kind="none" if score is None else score, **options)


def play_hand(game: Game, hand: int, *scores: int | str | None) -> None:
    for seat, score in enumerate(scores):
        count(game, hand, seat, score)
    do(game, "close", hand=hand)


def rows(game: Game) -> dict[str, Any]:
    """Everything the projection keeps of a game, without keys and times."""
    fresh = Game.objects.get(pk=game.pk)
    return {
        "game": (fresh.status, fresh.rev, fresh.hand_number, fresh.suspended_on, fresh.ended_on),
        "seats": list(
            Seat.objects.filter(game=game).values_list(
                "number", "player", "away", "running", "total", "how", "place", "hands_out"
            )
        ),
        "hands": list(
            Hand.objects.filter(game=game).values_list("number", "dealer", "attempt", "stock_turned", "opened", "turns", "closed")
        ),
        "entries": list(
            Entry.objects.filter(hand__game=game)
            .order_by("hand__number", "seat__number")
            .values_list(
                "hand__number", "seat__number", "kind", "cards", "parts", "missing", "points", "posted", "how", "rev", "amended"
            )
        ),
    }


def test_a_game_starts_with_its_seats_its_first_hand_and_one_event() -> None:
    game = make_game(5, dealer=2)
    assert (game.status, game.rev, game.decks, game.jokers) == ("playing", 1, 3, 3)
    assert list(game.seats.values_list("player__name", flat=True)) == ["Ana", "Ben", "Cai", "Dot", "Eva"]
    assert game.hands.get().dealer == 2
    assert game.season.name == str(game.started_on.year)


def test_starting_the_same_game_twice_gives_the_first_one() -> None:
    league = League.objects.create(name="Thursday")
    players = [Player.objects.create(league=league, name=name) for name in ("Ana", "Ben", "Cai")]
    sheet = record.sheet_for(league, "house", By())
    first = record.start_game(league, sheet, players, 0, By(), client_id="same")
    assert record.start_game(league, sheet, players, 0, By(), client_id="same") == first
    assert Game.objects.count() == 1


def test_a_player_of_another_league_gets_no_seat() -> None:
    game = make_game(3)
    other = Player.objects.create(league=League.objects.create(name="Friday"), name="Zoe")
    players = [seat.player for seat in game.seats.all()]
    with pytest.raises(Refused) as refused:
        record.start_game(game.league, game.sheet, [*players, other], 0, By(), client_id=new_id())
    assert refused.value.code == "player-of-another-league"


def test_a_whole_game_leaves_totals_places_and_hands_out() -> None:
    game = make_game(3)
    for number in range(1, 8):
        play_hand(game, number, "out", 10, 20)
    seats = list(game.seats.values_list("total", "how", "place", "hands_out"))
    assert seats == [(0, "complete", 1, 7), (70, "complete", 2, 0), (140, "complete", 3, 0)]
    assert Game.objects.get(pk=game.pk).status == "finished"


def test_a_repeat_of_an_action_is_recorded_once_and_answered_again() -> None:
    game = make_game(3)
    first = count(game, 1, 0, 25, client_id="twice")
    second = count(game, 1, 0, 25, client_id="twice")
    assert second.repeated
    assert (first.rev, Event.objects.filter(game=game).count()) == (second.rev, 2)


def test_the_same_value_again_makes_no_new_version() -> None:
    game = make_game(3)
    count(game, 1, 0, 25)
    assert count(game, 1, 0, 25).unchanged
    assert Event.objects.filter(game=game).count() == 2


def test_two_phones_with_two_values_for_one_seat_clash_and_both_are_told() -> None:
    game = make_game(3)
    count(game, 1, 0, 35, seen=0)
    with pytest.raises(Clash) as clash:
        count(game, 1, 0, 45, seen=0)
    assert (clash.value.standing.points, clash.value.offered.points) == (35, 45)
    assert Entry.objects.get(hand__game=game).points == 35
    count(game, 1, 0, 45, seen=clash.value.standing.rev)
    assert Entry.objects.get(hand__game=game).points == 45


def test_two_phones_on_two_seats_are_both_kept() -> None:
    game = make_game(3)
    count(game, 1, 1, 20, seen=0)
    count(game, 1, 0, 35, seen=0)
    assert list(Entry.objects.filter(hand__game=game).order_by("seat__number").values_list("points", flat=True)) == [35, 20]


def test_the_closing_hand_is_questioned_unless_the_table_has_confirmed() -> None:
    game = make_game(3)
    for seat in range(3):
        count(game, 1, seat, 20)
    with pytest.raises(Asks):
        do(game, "close", hand=1, confirmed=False)
    assert not Hand.objects.get(game=game).closed
    do(game, "close", hand=1, confirmed=True)
    assert Hand.objects.get(game=game, number=1).closed


def test_nothing_is_written_by_a_refused_action() -> None:
    game = make_game(3)
    count(game, 1, 0, 25)
    before = rows(game)
    refused: list[tuple[str, dict[str, Any]]] = [
        ("close", {"hand": 1}),
        ("count", {"hand": 9, "seat": 0, "kind": "out"}),
        ("count", {"hand": 1, "seat": 9, "kind": "out"}),
        ("count", {"hand": 1, "seat": 1, "kind": "cards", "cards": "7H 99"}),
        ("turn", {"hand": 1}),
        ("resume", {"players": []}),
        ("start", {}),
        ("fly", {}),
        ("undo", {"target": 1}),
        ("undo", {"target": 77}),
    ]
    for kind, data in refused:
        with pytest.raises(Refused):
            do(game, kind, **data)
    assert rows(game) == before
    assert Event.objects.filter(game=game).count() == before["game"][1]


def test_undo_of_a_closed_hand_brings_everything_back() -> None:
    game = make_game(3)
    do(game, "opened", hand=1, seat=2)
    scores: list[int | str] = ["out", 10, 20]
    for seat, score in enumerate(scores):
        count(game, 1, seat, score)
    before = rows(game)
    outcome = do(game, "close", hand=1)
    do(game, "undo", target=outcome.rev)
    after = rows(game)
    assert {**after, "game": None} == {**before, "game": None}
    assert after["game"][0] == "playing"


def test_undo_of_what_others_lean_on_is_refused() -> None:
    game = make_game(3)
    entered = count(game, 1, 0, 30)
    count(game, 1, 1, "out")
    count(game, 1, 2, 30)
    do(game, "close", hand=1)
    with pytest.raises(Refused) as refused:
        do(game, "undo", target=entered.rev)
    assert refused.value.code == "undo-leaned-on"


def test_events_are_neither_changed_nor_removed() -> None:
    event = Event.objects.get(game=make_game(3))
    with pytest.raises(TypeError):
        event.save()
    with pytest.raises(TypeError):
        event.delete()


def test_a_rule_sheet_never_changes_and_gets_versions() -> None:
    league = League.objects.create(name="Thursday")
    first = record.add_sheet(league, "Ours", "house", {"min_run": 3}, By())
    second = record.add_sheet(league, "Ours", "house", {"min_run": 5}, By())
    assert (first.version, second.version) == (1, 2)
    with pytest.raises(TypeError):
        first.save()
    with pytest.raises(BadQuestion):
        record.add_sheet(league, "Ours", "house", {"min_rum": 3}, By())
    assert RuleSheet.objects.count() == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "out", "points": None},
        {"kind": "out", "points": 5},
        {"kind": "points", "points": None},
        {"kind": "none", "points": 0},
        {"kind": "absent", "points": 0},
        {"kind": "none", "points": None, "how": "substituted", "posted": None},
        {"kind": "absent", "points": None, "how": "absent", "posted": 0},
        {"kind": "points", "points": 5, "how": "", "posted": 5},
    ],
)
def test_the_database_itself_keeps_null_from_being_zero(wrong: dict[str, Any]) -> None:
    game = make_game(3)
    with pytest.raises(IntegrityError), transaction.atomic():
        Entry.objects.create(hand=game.hands.get(), seat=game.seats.all()[0], rev=1, **wrong)


def test_rebuild_mends_rows_that_are_not_as_the_log_says() -> None:
    game = make_game(3)
    play_hand(game, 1, "out", 10, None)
    before = rows(game)
    Seat.objects.filter(game=game).update(running=999)
    Entry.objects.filter(hand__game=game, kind="points").update(points=1, posted=1)
    Hand.objects.filter(game=game, number=2).delete()
    assert record.rebuild(game.pk) > 0
    assert rows(game) == before
    assert record.rebuild(game.pk) == 0


# ---------------------------------------------------------------------------------------------------------------------
# Random histories

_scores = st.one_of(st.integers(0, 120), st.sampled_from(["out", "absent", None]))
_steps = st.lists(
    st.tuples(
        st.sampled_from(
            ["count"] * 6
            + ["fill"] * 3
            + ["close"] * 3
            + [
                "opened",
                "stock",
                "turn",
                "restart",
                "leave",
                "return",
                "suspend",
                "resume",
                "undo",
                "undo",
                "redo",
                "correct",
                "correct",
                "clear",
                "finish",
            ]
        ),
        st.integers(0, 3),
        _scores,
        st.integers(1, 7),
    ),
    max_size=45,
)


def _step(game: Game, kind: str, seat: int, score: int | str | None, number: int) -> None:
    table = load.table(Game.objects.select_related("sheet", "league").get(pk=game.pk))
    state, hand = table.state, table.hand.number
    match kind:
        case "count":
            count(game, hand, seat, score)
        case "fill":
            for other in state.open_seats():
                count(game, hand, other, 10 * other)
        case "correct":
            count(game, number, seat, score, reason="recount")
        case "undo":
            event = ledger.undoable(table.log)
            do(game, "undo", target=event.rev if event else 0)
        case "redo":
            event = ledger.redoable(table.log)
            do(game, "undo", target=event.rev if event else 0)
        case "suspend":
            do(game, "suspend", consent=list(state.present))
        case "resume":
            do(game, "resume", players=[state.players[present] for present in state.present])
        case "opened":
            do(game, "opened", hand=hand, seat=seat, on=number % 2 == 0)
        case "leave" | "return" | "clear":
            do(game, kind, hand=hand, seat=seat)
        case _:
            do(game, kind, hand=hand)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=_steps, players=st.integers(2, 4))
def test_after_any_history_the_rows_are_what_a_rebuild_makes(steps: list[Any], players: int) -> None:
    with transaction.atomic():
        game = make_game(players)
        for kind, seat, score, number in steps:
            try:
                _step(game, kind, seat % players, score, number)
            except Refused:
                continue
        live = rows(game)
        assert record.rebuild(game.pk) == 0
        Entry.objects.filter(hand__game=game).delete()
        Hand.objects.filter(game=game).delete()
        record.rebuild(game.pk)
        assert rows(game) == live
        assert live["game"][1] == Event.objects.filter(game=game).count()
        transaction.set_rollback(True)


@pytest.mark.django_db(transaction=True)
def test_one_action_sent_many_times_at_once_counts_once() -> None:
    game = make_game(3)
    outcomes: list[Outcome | Exception] = []

    def send() -> None:
        try:
            outcomes.append(count(game, 1, 0, 25, client_id="same"))
        except Exception as error:  # noqa: BLE001  (whatever it is, the assertion below shows it)
            outcomes.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=send) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(isinstance(outcome, Outcome) for outcome in outcomes), outcomes
    assert Event.objects.filter(game=game, kind="count").count() == 1
    assert sum(not outcome.repeated for outcome in outcomes if isinstance(outcome, Outcome)) == 1


@pytest.mark.django_db(transaction=True)
def test_different_seats_sent_at_once_are_all_kept() -> None:
    game = make_game(4)
    errors: list[Exception] = []

    def send(seat: int) -> None:
        try:
            count(game, 1, seat, 10 + seat, seen=0)
        except Exception as error:  # noqa: BLE001  (whatever it is, the assertion below shows it)
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=send, args=(seat,)) for seat in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    points = Entry.objects.filter(hand__game=game).order_by("seat__number").values_list("points", flat=True)
    assert list(points) == [10, 11, 12, 13]
    assert record.rebuild(game.pk) == 0


def test_the_account_that_acted_stands_in_the_log() -> None:
    game = make_game(3)
    user = User.objects.create_user(username="Ana")
    record.apply(game.pk, "opened", {"hand": 1, "seat": 0}, By(user=user), client_id=new_id())
    assert Event.objects.get(game=game, rev=2).user == user


# ---------------------------------------------------------------------------------------------------------------------
# What a write reads


def queries_of_a_tap(game: Game, number: int, seat: int, read: record.Read | None = None) -> int:
    with CaptureQueriesContext(connection) as asked:
        record.apply(game.pk, "opened", {"hand": number, "seat": seat}, By(), client_id=new_id(), read=read)
    return len(asked)


def test_a_tap_asks_the_database_as_often_in_the_last_hand_as_in_the_second() -> None:
    game = make_game(8)
    asked = []
    for number in range(1, 7):
        play_hand(game, number, *("out", 10, 20, 30, 40, 50, 60, 70))
        do(game, "opened", hand=number + 1, seat=1)
        asked.append(queries_of_a_tap(game, number + 1, 2))
    assert len(set(asked)) == 1


def test_a_table_that_was_just_read_is_not_read_again() -> None:
    game = make_game()
    asked = queries_of_a_tap(game, 1, 1)
    shown = load.table(Game.objects.get(pk=game.pk))
    assert queries_of_a_tap(game, 1, 2, record.Read(shown.log, shown.state)) == asked - 1
    assert Hand.objects.get(game=game).opened == [1, 2]
    assert record.rebuild(game.pk) == 0


def test_a_table_that_was_read_before_something_happened_is_read_again() -> None:
    game = make_game()
    shown = load.table(game)
    old = record.Read(shown.log, shown.state)
    do(game, "opened", hand=1, seat=1)
    count(game, 1, 3, 40)
    done = record.apply(game.pk, "opened", {"hand": 1, "seat": 2}, By(), client_id=new_id(), read=old)
    assert done.rev == 4
    assert done.state.hand.opened == [1, 2]
    with pytest.raises(Clash):
        record.apply(
            game.pk,
            "count",
            {"hand": 1, "seat": 3, "kind": "points", "points": "41"},
            By(),
            client_id=new_id(),
            seen=0,
            read=old,
        )
    assert record.rebuild(game.pk) == 0


def test_a_form_gone_back_to_and_filled_in_otherwise_is_no_repeat_of_itself() -> None:
    game = make_game()

    def send(points: str) -> Outcome:
        count = {"hand": 1, "seat": 0, "kind": "points", "points": points}
        return record.apply(game.pk, "count", count, By(), client_id="form", seen=0)

    assert not send("15").repeated
    assert send("15").repeated
    with pytest.raises(Clash) as clash:
        send("25")
    assert (clash.value.standing.points, clash.value.offered.points) == (15, 25)
    count(game, 1, 0, 40)
    assert send("15").repeated, "what was sent once stays sent, whatever has been counted since"
    assert send("40").repeated, "and what stands need not be said again"
    assert Event.objects.filter(game=game).count() == 3


def test_the_number_of_one_action_is_none_for_another() -> None:
    game = make_game()
    record.apply(game.pk, "count", {"hand": 1, "seat": 0, "kind": "out"}, By(), client_id="form")
    for kind in ("close", "undo", "finish", "clash"):
        with pytest.raises(Refused, match="number-taken"):
            record.apply(game.pk, kind, {"hand": 1, "target": 2}, By(), client_id="form")
