"""The pages of a game and of a league: who sees them, what they refuse, and what they cost."""

import gzip
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils.formats import date_format
from pytest_django import DjangoAssertNumQueries

from players import people
from players.models import League, Player
from scoring import record, record_league
from scoring.models import Entry, Event, Game, Season
from scoring.record import By
from scoring.templatetags.scores import spoken
from scoring.views import leagues
from tests.cast import Cast
from tests.scoring.tables import LONG_NAMES, act, eight_at_a_table, game_of, hand, league_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(cast: Cast) -> Game:
    """A game of four in the cast's league, in its second hand."""
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben", "Cai", "Dot")]
    made = game_of(cast.league, players)
    hand(made, 1, "out", 10, 20, 30)
    return made


_numbers: Iterator[int] = iter(range(10**9))


def post(client: Client, game: Game, do: str, **fields: Any) -> HttpResponse:
    """Send an action as a form does."""
    data = {"do": do, "client_id": f"form-{next(_numbers)}", "page": "table", **fields}
    answer = client.post(reverse("scoring:do", args=[game.pk]), data)
    assert isinstance(answer, HttpResponse)
    return answer


def text(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


# ---------------------------------------------------------------------------------------------------------------------
# Who may


@pytest.mark.parametrize("name", ["table", "sheet", "history"])
def test_the_league_looks_at_a_game(cast: Cast, game: Game, name: str) -> None:
    cast.expects(reverse(f"scoring:{name}", args=[game.pk]), owner=200, scorekeeper=200, member=200, viewer=200)


@pytest.mark.parametrize("name", ["count", "manage"])
def test_scorekeepers_count(cast: Cast, game: Game, name: str) -> None:
    cast.expects(reverse(f"scoring:{name}", args=[game.pk]), owner=200, scorekeeper=200, member=403, viewer=403)


def test_scorekeepers_correct_a_hand(cast: Cast, game: Game) -> None:
    cast.expects(reverse("scoring:correct", args=[game.pk, 1]), owner=200, scorekeeper=200, member=403, viewer=403)


def test_scorekeepers_write_a_game(cast: Cast, game: Game) -> None:
    action = {"do": "opened", "hand": "2", "seat": "1", "client_id": "x", "page": "table"}
    cast.expects(reverse("scoring:do", args=[game.pk]), action, owner=303, scorekeeper=303, member=403, viewer=403)


def test_scorekeepers_start_a_game(cast: Cast) -> None:
    cast.expects(reverse("scoring:new-game", args=[cast.league.slug]), owner=200, scorekeeper=200, member=403, viewer=403)


@pytest.mark.parametrize("name", ["league", "season"])
def test_the_league_looks_at_itself(cast: Cast, name: str) -> None:
    cast.expects(reverse(f"scoring:{name}", args=[cast.league.slug]), owner=200, scorekeeper=200, member=200, viewer=200)


def test_the_league_looks_at_a_player(cast: Cast, game: Game) -> None:
    player = game.seats.all()[0].player
    path = reverse("scoring:player", args=[cast.league.slug, player.pk])
    cast.expects(path, owner=200, scorekeeper=200, member=200, viewer=200)


def test_a_game_that_does_not_exist_looks_like_one_that_is_not_yours(cast: Cast) -> None:
    cast.expects("/g/99999/", owner=404, scorekeeper=404, member=404, viewer=404)


def test_a_player_or_season_of_another_league_is_not_shown(cast: Cast, host: Client) -> None:
    other, players = league_of("Zoe", slug="Friday")
    season = record_league.season_on(other, record.today(other))
    assert host.get(reverse("scoring:player", args=[cast.league.slug, players[0].pk])).status_code == 404
    assert host.get(reverse("scoring:season", args=[cast.league.slug, season.pk])).status_code == 404


def test_writing_needs_a_post(host: Client, game: Game) -> None:
    assert host.get(reverse("scoring:do", args=[game.pk])).status_code == 405


# ---------------------------------------------------------------------------------------------------------------------
# What is refused, and how


def test_input_20_a_zero_typed_into_an_empty_cell_is_kept(host: Client, game: Game) -> None:
    post(host, game, "count", page="count", hand="2", seat="1", **{"entry-kind": "points", "entry-points": "0"})
    entry = Entry.objects.get(hand__game=game, hand__number=2)
    assert (entry.kind, entry.points) == ("points", 0)
    assert 'value="0"' in text(host.get(reverse("scoring:count", args=[game.pk]) + "?seat=1"))


def test_input_21_a_hand_with_an_untouched_player_does_not_close(host: Client, game: Game) -> None:
    for seat in range(3):
        post(host, game, "count", hand="2", seat=str(seat), kind="points", points="10")
    answer = post(host, game, "close", page="count", hand="2")
    assert answer.status_code == 422
    assert "Hand 2 cannot close: still open for \u2068Dot\u2069." in text(answer)
    assert Game.objects.get(pk=game.pk).hand_number == 2


def test_input_19_a_blank_hand_does_not_shift_the_later_ones(host: Client, game: Game) -> None:
    hand(game, 2, 10, "absent", 20, "out")
    hand(game, 3, "out", 40, 20, 10)
    posted = Entry.objects.filter(hand__game=game, seat__number=1).order_by("hand__number").values_list("posted", flat=True)
    assert list(posted) == [10, None, 40]


@pytest.mark.parametrize("typed", ["-500x", "10 + ", "1e9", "abc", "=1+1", "10.5", "10^9"])
def test_input_24_impossible_points_are_refused_and_stay_on_the_screen(host: Client, game: Game, typed: str) -> None:
    answer = post(host, game, "count", page="count", hand="2", seat="1", **{"entry-kind": "points", "entry-points": typed})
    assert answer.status_code == 422
    assert "is no number of points" in text(answer)
    assert f'value="{typed}"' in text(answer)
    assert not Entry.objects.filter(hand__game=game, hand__number=2).exists()


@pytest.mark.parametrize(("typed", "points"), [("−10", -10), ("１２", 12), ("10+15", 25), ("85", 85)])
def test_inputs_24_and_27_points_as_phones_type_them_are_read(host: Client, game: Game, typed: str, points: int) -> None:
    assert post(host, game, "count", hand="2", seat="1", kind="points", points=typed).status_code == 303
    assert Entry.objects.get(hand__game=game, hand__number=2).points == points


def test_what_is_undone_names_its_cards_as_people_read_them_and_by_name_for_those_who_listen(host: Client, game: Game) -> None:
    post(host, game, "count", hand="2", seat="1", kind="cards", cards="9C TD JK")
    for page in ("table", "history"):
        shown = text(host.get(reverse(f"scoring:{page}", args=[game.pk])))
        assert "(9C" not in shown
        for face, name in (("9♣", "9 of clubs"), ("10♦", "10 of diamonds"), ("★", "joker")):
            assert f'<span aria-hidden="true">{face}</span><span class="visually-hidden">{name}</span>' in shown


def test_a_card_is_read_out_by_its_name_and_nothing_else_is() -> None:
    assert spoken("Ana: 9♣ (K♥ ★)").count("visually-hidden") == 3
    assert spoken("<b>7♣ A9♣ ★★ Q") == "&lt;b&gt;7♣ A9♣ ★★ Q"


def test_the_count_names_who_is_still_open_once_they_are_few_and_leaves_the_keypad_in_reach_before(db: None) -> None:
    owner, game, _finished = eight_at_a_table()
    client = Client()
    client.force_login(owner)
    address = reverse("scoring:count", args=[game.pk])

    def open_line() -> str:
        found = re.search(r'<p class="count-open".*?</p>', text(client.get(address)), re.DOTALL)
        assert found
        return " ".join(re.sub("<[^>]+>", "", found[0]).split())

    said = [open_line()]
    for seat in range(7):
        act(game, "count", hand=5, seat=seat, kind="points", points="5")
        said.append(open_line())
    assert said[:5] == ["Still open: all 8 players", *(f"Still open: {left} seats" for left in (7, 6, 5, 4))]
    assert said[7] == "Still open: &lt;img src=x onerror=alert(1)&gt;"
    assert said[6] == f"Still open: {LONG_NAMES[6]}, &lt;img src=x onerror=alert(1)&gt;"


def test_points_that_no_cards_make_are_asked_about(host: Client, game: Game) -> None:
    for seat, points in enumerate(("0", "7", "10", "500")):
        post(host, game, "count", hand="2", seat=str(seat), kind="points", points=points)
    answer = post(host, game, "close", page="count", hand="2")
    assert answer.status_code == 409
    assert "No cards add up to 7 points under this sheet" in text(answer)
    assert post(host, game, "close", page="count", hand="2", confirmed="1").status_code == 303
    assert Game.objects.get(pk=game.pk).hand_number == 3


def test_more_of_a_rank_or_more_jokers_than_the_packs_hold_are_asked_about(host: Client, game: Game) -> None:
    post(host, game, "count", hand="2", seat="0", kind="out")
    post(host, game, "count", hand="2", seat="1", kind="cards", cards="JK JK 7 7 7 7 7")
    post(host, game, "count", hand="2", seat="2", kind="cards", cards="JK 7 7 7 7")
    post(host, game, "count", hand="2", seat="3", kind="points", points="10")
    answer = text(post(host, game, "close", page="count", hand="2"))
    assert "The hands hold 3 jokers, and the packs only 2" in answer
    assert "The hands hold 7 9 times, and the packs only 8 times" in answer


def test_nobody_out_and_two_out_are_asked_about(host: Client, game: Game) -> None:
    for seat in range(4):
        post(host, game, "count", hand="2", seat=str(seat), kind="points", points="10")
    assert "Nobody has gone out" in text(post(host, game, "close", page="count", hand="2"))
    for seat in range(2):
        post(host, game, "count", hand="2", seat=str(seat), kind="out")
    assert "Only one player can go out" in text(post(host, game, "close", page="count", hand="2"))


def test_unreadable_cards_are_refused_naming_the_card(host: Client, game: Game) -> None:
    answer = post(host, game, "count", page="count", hand="2", seat="1", **{"entry-kind": "cards", "entry-cards": "7 ZZ K"})
    assert answer.status_code == 422
    assert "“ZZ” is no card of this game" in text(answer)
    assert "7 ZZ K" in text(answer)


def test_input_44_went_out_with_points_is_refused_and_without_is_taken(host: Client, game: Game) -> None:
    assert post(host, game, "count", page="count", hand="2", seat="1", kind="out", points="25").status_code == 422
    assert post(host, game, "count", page="count", hand="2", seat="1", kind="out", points="").status_code == 303


def test_input_31_the_same_form_twice_counts_once(host: Client, game: Game) -> None:
    fields = {"hand": "2", "seat": "1", "kind": "points", "points": "25", "client_id": "same"}
    assert post(host, game, "count", **fields).status_code == 303
    assert post(host, game, "count", **fields).status_code == 303
    assert Event.objects.filter(game=game, client_id="same").count() == 1


def test_input_32_a_second_value_for_a_seat_shows_both_and_loses_none(host: Client, game: Game) -> None:
    post(host, game, "count", page="count", hand="2", seat="1", seen="0", kind="points", points="35")
    answer = post(
        host, game, "count", page="count", hand="2", seat="1", seen="0", **{"entry-kind": "points", "entry-points": "45"}
    )
    assert answer.status_code == 409
    assert "35 stands on the sheet, 45 was entered here" in text(answer)
    assert 'value="45"' in text(answer)
    assert Entry.objects.get(hand__game=game, hand__number=2).points == 35
    seen = re.search(r'name="seen" value="(\d+)"', text(answer))
    assert seen is not None
    post(host, game, "count", page="count", hand="2", seat="1", seen=seen[1], kind="points", points="45")
    assert Entry.objects.get(hand__game=game, hand__number=2).points == 45


def test_a_count_made_in_sight_of_ones_own_that_was_not_sent_yet_takes_its_place(host: Client, cast: Cast, game: Game) -> None:
    seat = {"page": "count", "hand": "2", "seat": "1", "seen": "0", "kind": "points"}
    post(host, game, "count", **seat, points="35", client_id="first")
    assert post(host, game, "count", **seat, points="45", client_id="second", after="first").status_code == 303
    assert Entry.objects.get(hand__game=game, hand__number=2).points == 45
    # The one that it follows is no longer on the sheet, or never came to be.
    for after in ("first", "never sent"):
        assert post(cast.client("scorekeeper"), game, "count", **seat, points="20", after=after).status_code == 409
    assert Entry.objects.get(hand__game=game, hand__number=2).points == 45


def test_input_29_two_phones_save_two_seats_and_both_are_kept(host: Client, cast: Cast, game: Game) -> None:
    other = cast.client("scorekeeper")
    post(other, game, "count", hand="2", seat="1", seen="0", kind="points", points="20")
    post(host, game, "count", hand="2", seat="0", seen="0", kind="points", points="35")
    points = Entry.objects.filter(hand__game=game, hand__number=2).order_by("seat__number").values_list("points", flat=True)
    assert list(points) == [35, 20]


def test_input_30_counting_two_of_four_seats_leaves_the_others_as_they_were(host: Client, game: Game) -> None:
    for seat in (2, 3):
        post(host, game, "count", hand="2", seat=str(seat), kind="points", points="20")
    post(host, game, "count", hand="2", seat="0", kind="points", points="10")
    assert Entry.objects.filter(hand__game=game, hand__number=2).count() == 3


def test_input_34_a_closed_hand_opens_for_correction_with_its_numbers(host: Client, game: Game) -> None:
    assert 'value="20"' in text(host.get(reverse("scoring:correct", args=[game.pk, 1]) + "?seat=2"))


def test_input_35_a_correction_leaves_the_later_hands_alone(host: Client, game: Game) -> None:
    for number in range(2, 6):
        hand(game, number, "out", 10, 20, 30)
    entries = Entry.objects.filter(hand__game=game, hand__number__gt=2).order_by("pk").values_list("pk", "posted", "rev")
    later = list(entries)
    answer = post(
        host, game, "count", page="correct", hand="2", seat="1", kind="points", points="15", reason="miscounted", agreed="all"
    )
    assert answer.status_code == 303
    assert (
        list(Entry.objects.filter(hand__game=game, hand__number__gt=2).order_by("pk").values_list("pk", "posted", "rev")) == later
    )


def test_a_correction_without_a_reason_is_refused_and_keeps_what_was_typed(host: Client, game: Game) -> None:
    answer = post(host, game, "count", page="correct", hand="1", seat="1", kind="points", points="15", reason=" ")
    assert answer.status_code == 422
    assert "Hand 1 is closed: say why its score changes." in text(answer)
    assert 'value="15"' in text(answer)


def test_input_39_saving_a_correction_that_changes_nothing_makes_no_version(host: Client, game: Game) -> None:
    before = Event.objects.filter(game=game).count()
    post(host, game, "count", page="correct", hand="1", seat="1", kind="points", points="10", reason="looked again")
    assert Event.objects.filter(game=game).count() == before
    assert not Entry.objects.get(hand__game=game, hand__number=1, seat__number=1).amended


def test_input_36_undo_of_a_closed_hand_says_so_and_restores_the_table(host: Client, game: Game) -> None:
    page = text(host.get(reverse("scoring:table", args=[game.pk])))
    assert "Undo: Hand 1 is closed" in page
    target = re.search(r'name="target" value="(\d+)"', page)
    assert target is not None
    post(host, game, "undo", target=target[1])
    assert Game.objects.get(pk=game.pk).hand_number == 1
    assert "Do again: Hand 1 is closed" in text(host.get(reverse("scoring:table", args=[game.pk])))


def test_input_38_a_finished_game_takes_no_play(host: Client, game: Game) -> None:
    for number in range(2, 8):
        hand(game, number, "out", 10, 20, 30)
    answer = post(host, game, "opened", hand="7", seat="1")
    assert answer.status_code == 409
    assert "The game is finished." in text(answer)


def test_input_28_the_final_sheet_is_what_the_running_totals_were(host: Client, game: Game) -> None:
    for number in range(2, 8):
        hand(game, number, "out", 10, 20, -10)
    running = list(game.seats.values_list("running", flat=True))
    assert list(game.seats.values_list("total", flat=True)) == running == [0, 70, 140, -30]
    page = text(host.get(reverse("scoring:sheet", args=[game.pk])))
    assert "Winner: <bdi>Dot</bdi>" in page


def test_input_41_the_dealer_moves_one_seat_each_hand_whatever_is_reloaded(host: Client, game: Game) -> None:
    dealers = []
    for number in range(2, 6):
        page = text(host.get(reverse("scoring:table", args=[game.pk])))
        found = re.search(r"<dt>Deals</dt><dd><bdi>(\w+)</bdi>", page)
        assert found is not None
        dealers.append(found[1])
        hand(game, number, "out", 10, 20, 30)
    assert dealers == ["Ben", "Cai", "Dot", "Ana"]


def test_input_43_a_game_ended_by_hand_keeps_its_hands_and_says_so(host: Client, game: Game) -> None:
    assert post(host, game, "finish", page="manage").status_code == 303
    page = text(host.get(reverse("scoring:sheet", args=[game.pk])))
    assert "Void: this game counts nowhere." in page
    assert "ended before the last hand" in page
    assert list(Entry.objects.filter(hand__game=game, hand__number=1).order_by("seat").values_list("posted", flat=True)) == [
        0,
        10,
        20,
        30,
    ]


def test_a_stale_page_is_told_that_the_hand_is_over(host: Client, game: Game) -> None:
    answer = post(host, game, "opened", hand="1", seat="1")
    assert answer.status_code == 409
    assert "Hand 1 is over: the table plays hand 2. Nothing was changed." in text(answer)


@pytest.mark.parametrize(
    ("do", "fields"),
    [
        ("", {}),
        ("fly", {}),
        ("start", {}),
        ("opened", {"hand": "x", "seat": "1"}),
        ("opened", {"hand": "2", "seat": "99"}),
        ("opened", {"hand": "2", "seat": "-1"}),
        ("opened", {"hand": "2", "seat": ""}),
        ("opened", {"hand": "9" * 50, "seat": "1"}),
        ("count", {"hand": "2", "seat": "1"}),
        ("count", {"hand": "2", "seat": "1", "kind": "points", "points": "9" * 4000}),
        ("count", {"hand": "2", "seat": "1", "kind": "cards", "cards": "7 " * 5000}),
        ("count", {"hand": "2", "seat": "1", "kind": "cards", "cards": "7", "missing": "-3"}),
        ("count", {"hand": "2", "seat": "1", "kind": "cards", "cards": "7", "missing": "many"}),
        ("count", {"hand": "2", "seat": "²", "kind": "out"}),
        ("undo", {"target": "1"}),
        ("undo", {"target": "x"}),
        ("resume", {"players": "x"}),
        ("suspend", {"consent": "x"}),
        ("leave", {"seat": "x"}),
        ("return", {"seat": "1"}),
        ("turn", {"hand": "2", "nth": "1"}),
        ("stock", {"hand": "2", "nth": "7"}),
    ],
)
def test_nonsense_gets_a_sentence_and_writes_nothing(host: Client, game: Game, do: str, fields: dict[str, str]) -> None:
    before = Event.objects.count()
    answer = post(host, game, do, **fields)
    assert answer.status_code in {409, 422}
    assert 'role="alert"' in text(answer)
    assert Event.objects.count() == before


def test_a_form_without_its_number_is_refused(host: Client, game: Game) -> None:
    assert post(host, game, "opened", hand="2", seat="1", client_id="").status_code == 400


def test_names_are_shown_as_they_are_and_never_run(cast: Cast, host: Client) -> None:
    players = [people.add_player(cast.league, name) for name in LONG_NAMES]
    game = game_of(cast.league, players)
    for path in ("table", "count", "sheet", "history", "manage"):
        page = text(host.get(reverse(f"scoring:{path}", args=[game.pk])))
        assert "<img src=x" not in page
        if path != "history":
            assert "&lt;img src=x onerror=alert(1)&gt;" in page


# ---------------------------------------------------------------------------------------------------------------------
# A new game


def new_game(client: Client, league: League, do: str, players: list[Player], **fields: Any) -> Any:
    data = {"do": do, "players": [player.pk for player in players], "sheet": "house", "client_id": "new", **fields}
    return client.post(reverse("scoring:new-game", args=[league.slug]), data)


@pytest.fixture
def four(cast: Cast) -> list[Player]:
    return [people.add_player(cast.league, name) for name in ("Ana", "Ben", "Cai", "Dot")]


def test_players_are_seated_moved_and_stood_up(cast: Cast, host: Client, four: list[Player]) -> None:
    def order(answer: Any) -> list[str]:
        return re.findall(r'<input type="hidden" name="players" value="(\d+)">', text(answer))

    keys = [str(player.pk) for player in four]
    assert order(new_game(host, cast.league, f"seat:{keys[3]}", four[:3])) == keys
    assert order(new_game(host, cast.league, f"up:{keys[1]}", four)) == [keys[1], keys[0], *keys[2:]]
    assert order(new_game(host, cast.league, f"down:{keys[3]}", four)) == keys
    assert order(new_game(host, cast.league, f"unseat:{keys[0]}", four)) == keys[1:]


def test_two_players_are_warned_what_a_missing_score_and_a_leaver_mean(cast: Cast, host: Client, four: list[Player]) -> None:
    warning = "a player who leaves always voids the game"
    assert warning in text(new_game(host, cast.league, f"seat:{four[1].pk}", four[:1]))
    assert warning not in text(new_game(host, cast.league, f"seat:{four[2].pk}", four[:2]))
    wants_three = new_game(host, cast.league, f"seat:{four[1].pk}", four[:1], sheet="contract")
    assert warning not in text(wants_three)


def test_cards_that_settle_nothing_stand_above_the_seats_as_a_dealer_does(cast: Cast, host: Client, four: list[Player]) -> None:
    def above_the_seats(*drawn: str) -> str:
        cards = {f"card-{player.pk}": card for player, card in zip(four, drawn, strict=True)}
        return text(new_game(host, cast.league, "draw", four, **cards)).partition("At the table, in the order of play")[0]

    assert "Draw again" in above_the_seats("KH", "KD", "7S", "2C")
    assert "Ana</bdi> deals first" in above_the_seats("KH", "QD", "7S", "2C")
    assert "Draw for the deal" not in text(new_game(host, cast.league, "up", four)).partition("At the table, in the")[0]


def test_somebody_new_is_added_and_seated_on_the_spot(cast: Cast, host: Client, four: list[Player]) -> None:
    new_game(host, cast.league, "add", four, name="  Eva  María ")
    assert Player.objects.filter(league=cast.league, name="Eva María").exists()


def test_a_name_that_is_taken_is_refused_and_stays_in_the_field(cast: Cast, host: Client, four: list[Player]) -> None:
    answer = new_game(host, cast.league, "add", four, name="ANA")
    assert answer.status_code == 422
    assert 'value="ANA"' in text(answer)
    assert Player.objects.filter(league=cast.league).count() == 4


def test_the_highest_card_deals_and_a_tie_and_a_joker_are_drawn_again(cast: Cast, host: Client, four: list[Player]) -> None:
    def drawn(*cards: str, **fields: Any) -> Any:
        typed = {f"card-{player.pk}": card for player, card in zip(four, cards, strict=True)}
        return new_game(host, cast.league, "draw", four, **typed, **fields)

    assert '<bdi class="who">Ben</bdi> deals first' in text(drawn("KH", "as", "10♦", "TC"))
    tie = text(drawn("KH", "KS", "2D", "3C"))
    assert "Draw again" in tie
    assert f'id="card-{four[1].pk}"' in tie
    assert f'id="card-{four[2].pk}"' not in tie
    joker = text(drawn("JK", "KS", "2D", "3C"))
    assert f'id="card-{four[0].pk}"' in joker
    assert f'id="card-{four[1].pk}"' not in joker
    assert '<bdi class="who">Ana</bdi> deals first' in text(drawn("AH", "", "", "", round="JK,KS,2D,3C"))
    again = drawn("5H", "9S", "", "", round="KH,KS,2D,3C")
    assert '<bdi class="who">Ben</bdi> deals first' in text(again)


def test_a_card_that_cannot_be_read_names_its_player_and_keeps_the_others(cast: Cast, host: Client, four: list[Player]) -> None:
    typed = {f"card-{player.pk}": card for player, card in zip(four, ("KH", "blue", "2D", "3C"), strict=True)}
    answer = new_game(host, cast.league, "draw", four, **typed)
    assert answer.status_code == 422
    assert "Ben: “blue” is not a card" in text(answer)
    assert 'value="KH"' in text(answer)


@pytest.mark.parametrize("seed", range(8))
def test_the_site_draws_until_somebody_deals(
    cast: Cast, host: Client, four: list[Player], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A pack of jokers and kings, so that every kind of redraw comes up.
    chance = Random(seed)
    monkeypatch.setattr(leagues._RANDOM, "choice", lambda _pack: chance.choice(["JK", "KH", "KS", "AS"]))
    rounds: list[str] = []
    for _round in range(50):
        page = text(new_game(host, cast.league, "site-draw", four, round=rounds))
        rounds = re.findall(r'name="round" value="([^"]*)"', page)
        if "deals first" in page:
            break
    assert "deals first" in page
    assert "<dt>Jokers in all</dt><dd>2</dd>" in page


def test_a_game_starts_once_however_often_the_form_is_sent(cast: Cast, host: Client, four: list[Player]) -> None:
    first = new_game(host, cast.league, "start", four, first_dealer="2")
    second = new_game(host, cast.league, "start", four, first_dealer="2")
    assert first.status_code == second.status_code == 303
    assert first.headers["Location"] == second.headers["Location"]
    game = Game.objects.get()
    assert game.hands.get().dealer == 2


@pytest.mark.parametrize(
    "fields",
    [
        {"sheet": "nonsense"},
        {"sheet": "sheet:99999"},
        {"sheet": "fifteen", "first_dealer": "0"},
        {"first_dealer": "9"},
        {"first_dealer": "x"},
        {"players": ["1", "2", "99999"], "first_dealer": "0"},
        {"players": [], "first_dealer": "0"},
    ],
)
def test_a_game_that_cannot_start_says_why(cast: Cast, host: Client, four: list[Player], fields: dict[str, Any]) -> None:
    form = {"do": "start", "players": [player.pk for player in four], "sheet": "house", "client_id": "new", **fields}
    answer = host.post(reverse("scoring:new-game", args=[cast.league.slug]), form)
    assert answer.status_code == 422
    assert 'role="alert"' in text(answer)
    assert Game.objects.count() == 0


def test_a_player_of_another_league_is_not_seated(cast: Cast, host: Client, four: list[Player]) -> None:
    _league, players = league_of("Zoe", slug="Friday")
    answer = new_game(host, cast.league, "start", [*four, *players], first_dealer="0")
    assert answer.status_code == 422
    assert Game.objects.count() == 0


# ---------------------------------------------------------------------------------------------------------------------
# Season and players


def test_a_suspended_game_tells_both_its_days_in_the_reader_s_notation(cast: Cast, host: Client, four: list[Player]) -> None:
    game = game_of(cast.league, four)
    act(game, "suspend", consent=[0, 1, 2, 3])
    game.refresh_from_db()
    assert game.suspended_on is not None
    year, day = game.started_on.year, date_format(game.suspended_on)
    page = text(host.get(reverse("scoring:table", args=[game.pk])))
    assert f"Since {day}. It can go on until Dec. 31, {year}, with" in page
    host.cookies[settings.LANGUAGE_COOKIE_NAME] = "es"
    assert f"hasta el 31 de diciembre de {year}," in text(host.get(reverse("scoring:table", args=[game.pk])))


def test_a_score_with_cards_short_is_marked_and_explained_on_the_sheet(host: Client, game: Game) -> None:
    assert "short of cards" not in text(host.get(reverse("scoring:sheet", args=[game.pk])))
    act(game, "count", hand=2, seat=0, kind="out")
    act(game, "count", hand=2, seat=1, kind="cards", cards="KS", missing=1)
    act(game, "count", hand=2, seat=2, kind="points", points="20")
    act(game, "count", hand=2, seat=3, kind="points", points="30")
    act(game, "close", hand=2)
    sheet = text(host.get(reverse("scoring:sheet", args=[game.pk])))
    assert '20 <sup class="mark"><abbr title="1 card short">−1</abbr></sup>' in sheet
    assert sheet.count("card short") == 1
    assert "short of cards: the charge for them is in the points" in sheet
    assert reverse("scoring:rule", args=["house.hand.end-too-few"]) in sheet


def test_a_sheet_on_paper_says_whose_it_is(cast: Cast, host: Client, four: list[Player]) -> None:
    page = text(host.get(reverse("scoring:sheet", args=[game_of(cast.league, four).pk])))
    assert f'<span class="print-only"><bdi>{cast.league.name}</bdi> · </span>' in page


def test_the_season_counts_finished_games_and_nothing_else(cast: Cast, host: Client, four: list[Player]) -> None:
    finished = game_of(cast.league, four)
    for number in range(1, 8):
        hand(finished, number, "out", 10, 20, 30)
    running = game_of(cast.league, four)
    hand(running, 1, 30, "out", 10, 20)
    suspended = game_of(cast.league, four)
    act(suspended, "suspend", consent=[0, 1, 2, 3])
    void = game_of(cast.league, four)
    act(void, "finish")
    page = text(host.get(reverse("scoring:season", args=[cast.league.slug])))
    rows = re.findall(
        r"<tr>\s*<td class=\"number\">(\d).*?<bdi>(\w+)</bdi>.*?strong\">([\d.]+)</td>\s*<td class=\"number\">(\d+)<", page
    )
    assert rows == [("1", "Ana", "0.0", "1"), ("2", "Ben", "70.0", "1"), ("3", "Cai", "140.0", "1"), ("4", "Dot", "210.0", "1")]
    assert "First is whoever has the lowest mean total" in page


def test_equal_seasons_share_a_place_in_the_order_of_names(cast: Cast, host: Client, four: list[Player]) -> None:
    game = game_of(cast.league, four[::-1])
    for number in range(1, 8):
        hand(game, number, 10, 10, 10, 10)
    page = text(host.get(reverse("scoring:season", args=[cast.league.slug])))
    assert re.findall(r"<tr>\s*<td class=\"number\">(\d).*?<bdi>(\w+)</bdi>", page) == [
        (("1"), name) for name in ("Ana", "Ben", "Cai", "Dot")
    ]


def test_a_season_without_games_is_a_useful_page(cast: Cast, host: Client) -> None:
    assert "The first one opens the season" in text(host.get(reverse("scoring:season", args=[cast.league.slug])))
    season = Season.objects.create(league=cast.league, name="Spring", starts="2026-03-01", ends="2026-05-31")
    page = host.get(reverse("scoring:season", args=[cast.league.slug, season.pk]))
    assert page.status_code == 200
    assert "No game of this season is finished yet" in text(page)


def test_a_players_page_shows_places_and_void_games(cast: Cast, host: Client, four: list[Player]) -> None:
    game = game_of(cast.league, four)
    for number in range(1, 8):
        hand(game, number, "out", 10, 20, 30)
    act(game_of(cast.league, four), "finish")
    page = text(host.get(reverse("scoring:player", args=[cast.league.slug, four[1].pk])))
    assert "Place 2 of 4" in page
    assert "void" in page


# ---------------------------------------------------------------------------------------------------------------------
# What pages cost


def test_pages_ask_the_database_a_bounded_number_of_times(
    cast: Cast, host: Client, four: list[Player], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _game in range(5):
        game = game_of(cast.league, four)
        for number in range(1, 8):
            hand(game, number, "out", 10, 20, 30)
    running = game_of(cast.league, four)
    hand(running, 1, "out", 10, 20, 30)
    slug = cast.league.slug
    for path, most in [
        (reverse("scoring:table", args=[running.pk]), 8),
        (reverse("scoring:count", args=[running.pk]), 8),
        (reverse("scoring:sheet", args=[running.pk]), 8),
        (reverse("scoring:history", args=[running.pk]), 9),
        (reverse("scoring:league", args=[slug]), 14),
        (reverse("scoring:season", args=[slug]), 14),
        (reverse("scoring:player", args=[slug, four[0].pk]), 22),
        (reverse("scoring:new-game", args=[slug]), 10),
    ]:
        with django_assert_max_num_queries(most):
            assert host.get(path).status_code == 200


def test_a_tap_is_answered_in_under_ten_kilobytes(cast: Cast, host: Client) -> None:
    players = [people.add_player(cast.league, name) for name in LONG_NAMES]
    game = game_of(cast.league, players)
    data = {"do": "opened", "client_id": "x", "page": "table", "hand": "1", "seat": "1"}
    answer = host.post(reverse("scoring:do", args=[game.pk]), data, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert not answer.content.startswith(b"<!doctype")
    assert len(gzip.compress(answer.content)) < 10_000


def test_rebuild_looks_at_every_game(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    Entry.objects.filter(hand__game=game, kind="points").update(points=1, posted=1)
    call_command("rebuild")
    assert "1 games looked at, 1 put right." in capsys.readouterr().out
    call_command("rebuild", str(game.pk))
    assert "0 put right" in capsys.readouterr().out


def test_the_shown_date_is_the_leagues(cast: Cast, four: list[Player]) -> None:
    game = record.start_game(cast.league, record.sheet_for(cast.league, "house", By()), four, 0, By(), client_id="late")
    assert game.started_on == record.today(cast.league)


def test_input_22_the_lowest_total_wins_everywhere(cast: Cast, host: Client, four: list[Player]) -> None:
    game = game_of(cast.league, four[:3])
    for points in ((45, 120, 210), *[(0, 0, 0)] * 6):
        hand(game, game.hands.count(), *points)
    assert list(game.seats.values_list("total", "place")) == [(45, 1), (120, 2), (210, 3)]
    slug = cast.league.slug
    paths = [
        reverse("scoring:sheet", args=[game.pk]),
        reverse("scoring:league", args=[slug]),
        reverse("scoring:season", args=[slug]),
    ]
    for path in paths:
        page = text(host.get(path))
        assert 0 < page.rfind("<bdi>Ana</bdi>") < page.rfind("<bdi>Cai</bdi>"), path
    assert "Winner: <bdi>Ana</bdi>" in text(host.get(reverse("scoring:sheet", args=[game.pk])))


def test_input_23_the_seats_keep_their_order_whatever_is_entered(host: Client, game: Game) -> None:
    def order() -> list[str]:
        page = text(host.get(reverse("scoring:count", args=[game.pk]) + "?seat=0"))
        return re.findall(r"count-seat.*?<bdi>(\w+)</bdi>", page)

    before = order()
    post(host, game, "count", page="count", hand="2", seat="3", kind="points", points="100")
    post(host, game, "count", page="count", hand="2", seat="1", kind="points", points="0")
    assert order() == before == ["Ana", "Ben", "Cai", "Dot"]
