"""Bonuses of the sheet, tapped at the table: they stand beside the hands, and nobody works them into a count."""

import pytest

from players.models import League, Player
from scoring import load, record
from scoring.models import Entry, Event, Game, Seat
from scoring.record import By
from scoring.state import Refused
from tests.cast import Cast
from tests.scoring.recount import assert_recounted
from tests.scoring.tables import act, hand, league_of

pytestmark = pytest.mark.django_db

TWO_HANDS = [{"contract": "2S", "deal": 7}, {"contract": "1S 1R", "deal": 8}]
SHEET = {"hands": TWO_HANDS, "out_in_one_turn": -10, "exact_cut": -50}


def game_with(league: League, players: list[Player], overrides: dict[str, object]) -> Game:
    sheet = record.add_sheet(league, "Bonus", "house", overrides, By())
    return record.start_game(league, sheet, players, 0, By(), client_id=f"bonus-{sheet.version}")


def count_out(game: Game, number: int) -> None:
    act(game, "count", hand=number, seat=0, kind="out")
    for seat in (1, 2):
        act(game, "count", hand=number, seat=seat, kind="points", points=str(10 * seat))


def test_a_player_who_went_down_and_out_in_one_turn_gets_what_the_sheet_says_and_the_hand_stays_zero() -> None:
    league, players = league_of("Ana", "Ben", "Cai")
    game = game_with(league, players, SHEET)
    count_out(game, 1)
    act(game, "bonus", hand=1, seat=0, what="out_in_one_turn")
    act(game, "close", hand=1)
    assert Entry.objects.get(hand__game=game, seat__number=0).posted == 0
    assert list(Seat.objects.filter(game=game).order_by("number").values_list("running", flat=True)) == [-10, 10, 20]
    hand(game, 2, "out", 10, 20)
    assert list(Seat.objects.filter(game=game).order_by("number").values_list("total", "place")) == [(-10, 1), (20, 2), (40, 3)]
    assert record.rebuild(game.pk) == 0
    assert_recounted(league)


def test_input_17_a_bonus_and_a_penalty_come_to_the_same_total_in_either_order() -> None:
    league, players = league_of("Ana", "Ben", "Cai")
    totals = []
    for first in ("bonus", "penalty"):
        game = game_with(league, players, SHEET)
        count_out(game, 1)
        taps = {
            "bonus": lambda game=game: act(game, "bonus", hand=1, seat=0, what="out_in_one_turn"),
            "penalty": lambda game=game: act(game, "penalty", seat=0, points=50, reason="looked at the stock"),
        }
        for kind in sorted(taps, key=lambda kind: kind != first):
            taps[kind]()
        act(game, "close", hand=1)
        totals.append(Seat.objects.get(game=game, number=0).running)
        sheet = load.table(game)
        assert [bonus.points for bonus in sheet.state.bonuses] == [-10]
    assert totals == [40, 40]


def test_nobody_gets_a_bonus_that_the_sheet_does_not_give_or_that_somebody_has_or_without_going_out() -> None:
    league, players = league_of("Ana", "Ben", "Cai")
    plain = game_with(league, players, {"hands": TWO_HANDS})
    game = game_with(league, players, SHEET)
    count_out(game, 1)
    act(game, "bonus", hand=1, seat=2, what="exact_cut")
    for where, seat, what, code in [
        (plain, 0, "exact_cut", "no-bonus"),
        (game, 0, "players_max", "no-bonus"),
        (game, 1, "out_in_one_turn", "not-out"),
        (game, 0, "exact_cut", "bonus-taken"),
    ]:
        with pytest.raises(Refused, match=code):
            act(where, "bonus", hand=1, seat=seat, what=what)
    act(game, "bonus", hand=1, seat=2, what="exact_cut", on=False)
    with pytest.raises(Refused, match="stale"):
        act(game, "bonus", hand=1, seat=2, what="exact_cut", on=False)
    act(game, "close", hand=1)
    assert Seat.objects.get(game=game, number=2).running == 20


def test_a_bonus_goes_with_the_deal_it_was_earned_in_and_with_the_going_out() -> None:
    league, players = league_of("Ana", "Ben", "Cai")
    game = game_with(league, players, SHEET)
    act(game, "bonus", hand=1, seat=1, what="exact_cut")
    act(game, "restart", hand=1)
    count_out(game, 1)
    act(game, "bonus", hand=1, seat=0, what="out_in_one_turn")
    act(game, "count", hand=1, seat=0, kind="points", points="5")
    act(game, "count", hand=1, seat=1, kind="out")
    act(game, "close", hand=1)
    assert list(Seat.objects.filter(game=game).order_by("number").values_list("running", flat=True)) == [5, 0, 20]


def test_the_table_and_the_count_offer_the_taps_where_somebody_can_have_earned_them(cast: Cast) -> None:
    players = [Player.objects.create(league=cast.league, name=name) for name in ("Ana", "Ben", "Cai")]
    game = game_with(cast.league, players, SHEET)
    keeper, viewer = cast.client("scorekeeper"), cast.client("viewer")
    table = keeper.get(f"/g/{game.pk}/").content.decode()
    assert 'id="bonus-exact_cut"' in table
    assert "bonus-out_in_one_turn" not in table
    act(game, "count", hand=1, seat=0, kind="out")
    assert 'id="bonus-out_in_one_turn"' in keeper.get(f"/g/{game.pk}/count/").content.decode()
    assert "bonus-" not in viewer.get(f"/g/{game.pk}/").content.decode()
    tap = {"do": "bonus", "page": "table", "hand": "1", "seat": "0", "what": "out_in_one_turn", "client_id": "tap"}
    assert viewer.post(f"/g/{game.pk}/do/", tap).status_code == 403
    assert keeper.post(f"/g/{game.pk}/do/", tap, follow=True).status_code == 200
    assert Event.objects.filter(game=game, kind="bonus").count() == 1
    for seat in (1, 2):
        act(game, "count", hand=1, seat=seat, kind="points", points="5")
    act(game, "close", hand=1)
    sheet = keeper.get(f"/g/{game.pk}/sheet/").content.decode()
    assert "Hand 1: Down and out in one turn" in sheet
    assert "\u221210" in sheet
    assert "earns a bonus" in keeper.get(f"/g/{game.pk}/history/").content.decode()
