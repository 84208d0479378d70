"""Tables at the edge of what is played: twenty at one, the highest total winning, a clock that was set back."""

from datetime import UTC, datetime

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from players import people
from players.models import Player
from scoring import record
from scoring.models import Game, RuleSheet
from scoring.record import By
from tests.cast import Cast
from tests.scoring.recount import assert_recounted
from tests.scoring.tables import act, hand

pytestmark = pytest.mark.django_db

SHORT = {"hands": [{"contract": "2S", "deal": 10}]}
OF_A_GAME = ("table", "count", "sheet", "history", "manage", "phones", "board", "wrong", "game-check", "game-sheet")
OF_A_LEAGUE = ("league", "season", "seasons", "all-time", "statistics", "games-csv", "league-json")


def players(cast: Cast, count: int) -> list[Player]:
    return [people.add_player(cast.league, f"Bartholomew the {number}th of Hohenstein") for number in range(count)]


def sheet(cast: Cast, **overrides: object) -> RuleSheet:
    return record.add_sheet(cast.league, "Odd", "house", {**SHORT, **overrides}, By())


def start(client: Client, cast: Cast, of: RuleSheet, seated: list[Player]) -> Game:
    sent = {"do": "start", "sheet": f"sheet:{of.pk}", "first_dealer": len(seated) - 1, "client_id": f"start-{len(seated)}"}
    answer = client.post(
        reverse("scoring:new-game", args=[cast.league.slug]), {**sent, "players": [player.pk for player in seated]}
    )
    assert answer.status_code == 303
    return Game.objects.get()


def assert_all_pages_stand(client: Client, game: Game) -> None:
    for name in OF_A_GAME:
        assert client.get(reverse(f"scoring:{name}", args=[game.pk])).status_code == 200, name
    for name in OF_A_LEAGUE:
        assert client.get(reverse(f"scoring:{name}", args=[game.league.slug])).status_code == 200, name


def test_twenty_sit_at_one_table_and_one_more_joins(cast: Cast) -> None:
    client, everybody = cast.client("owner"), players(cast, 21)
    game = start(client, cast, sheet(cast), everybody[:20])
    act(game, "join", player=everybody[20].pk)
    assert_all_pages_stand(client, game)
    hand(game, 1, "out", None, *range(10, 200, 10))
    assert_all_pages_stand(client, game)
    assert list(game.seats.values_list("total", "place"))[:3] == [(0, 1), (190 + 180, 21), (10, 2)]
    assert_recounted(cast.league)


@pytest.mark.parametrize("direction", ["clockwise", "counter-clockwise"])
def test_the_highest_total_wins_where_the_sheet_says_so(cast: Cast, direction: str) -> None:
    client = cast.client("owner")
    game = start(client, cast, sheet(cast, lowest_wins=False, direction=direction), players(cast, 4))
    hand(game, 1, "out", 10, 30, None)
    assert list(game.seats.values_list("total", "place")) == [(0, 4), (10, 3), (30, 2), (40, 1)]
    assert_all_pages_stand(client, game)
    assert_recounted(cast.league)


def test_a_clock_that_was_set_back_ends_no_game_before_it_began(cast: Cast) -> None:
    with time_machine.travel(datetime(2027, 1, 1, 12, tzinfo=UTC), tick=False):
        game = start(cast.client("owner"), cast, sheet(cast), players(cast, 3))
    with time_machine.travel(datetime(2026, 12, 30, 12, tzinfo=UTC), tick=False):
        act(game, "suspend", consent=[0, 1, 2])
        seated = list(game.seats.values_list("player", flat=True))
        act(game, "resume", players=seated)
        hand(game, 1, "out", 10, 20)
        game.refresh_from_db()
        assert (game.status, game.ended_on, game.season.name) == ("finished", game.started_on, "2027")
        assert_all_pages_stand(cast.client("owner"), game)
