"""Two players that are one person: the games stay, nothing is doubled, and it can be taken back."""

from typing import Any

import pytest
from django.urls import reverse

from players import people
from players.models import League, Merge, Player
from scoring import record
from scoring.models import Game, PlayerSeason, Seat
from scoring.record import By
from scoring.record_people import merge_players, take_back_merge
from scoring.state import Refused
from tests.cast import Cast
from tests.scoring.tables import act, game_of, hand

pytestmark = pytest.mark.django_db


@pytest.fixture
def players(cast: Cast) -> list[Player]:
    return [people.add_player(cast.league, name) for name in ("Ana", "Ben", "Cai", "Anna")]


def play(league: League, players: list[Player]) -> Game:
    game = game_of(league, players)
    for number in range(1, 8):
        hand(game, number, "out", 10, 20)
    return game


def picture(league: League) -> dict[str, Any]:
    return {
        "seats": list(
            Seat.objects.filter(game__league=league).order_by("pk").values_list("game", "number", "player", "credited")
        ),
        "lines": list(PlayerSeason.objects.order_by("player").values_list("player", "games", "total")),
        "players": list(Player.objects.filter(league=league).order_by("pk").values_list("name", "hidden", "user")),
    }


def test_all_games_of_both_stand_under_one_and_come_apart_again(cast: Cast, players: list[Player]) -> None:
    ana, ben, cai, anna = players
    people.give_account(anna, cast.users["member"])
    games = [play(cast.league, [ana, ben, cai]), play(cast.league, [anna, ben, cai]), game_of(cast.league, [ben, anna])]
    before = picture(cast.league)
    merged = merge_players(ana, anna, By())
    assert not Seat.objects.filter(player=anna).exists()
    assert PlayerSeason.objects.get(player=ana).games == 2
    assert Player.objects.get(pk=ana.pk).user == cast.users["member"]
    assert [record.rebuild(game.pk) for game in games] == [0, 0, 0]
    assert Game.objects.count() == 3
    take_back_merge(merged)
    assert picture(cast.league) == before
    with pytest.raises(Refused):
        take_back_merge(merged)


def test_who_sits_in_one_game_together_is_two_people(cast: Cast, players: list[Player]) -> None:
    play(cast.league, players[:3])
    before = picture(cast.league)
    with pytest.raises(Refused) as refused:
        merge_players(players[0], players[1], By())
    assert refused.value.code == "merge-one-game"
    assert picture(cast.league) == before


def test_nobody_is_merged_with_themselves_twice_or_across_leagues(cast: Cast, players: list[Player]) -> None:
    ana, ben, _cai, anna = players
    other = people.add_player(League.objects.exclude(pk=cast.league.pk).get(), "Zoe")
    merge_players(ana, anna, By())
    for kept, gone in [(ana, ana), (ana, other), (ben, anna), (anna, ben)]:
        with pytest.raises(Refused):
            merge_players(kept, gone, By())


def test_two_accounts_are_not_made_one(cast: Cast, players: list[Player]) -> None:
    people.give_account(players[0], cast.users["member"])
    people.give_account(players[3], cast.users["viewer"])
    with pytest.raises(Refused) as refused:
        merge_players(players[0], players[3], By())
    assert refused.value.code == "merge-two-accounts"


def test_a_name_that_was_given_away_meanwhile_stays_with_its_new_owner(cast: Cast, players: list[Player]) -> None:
    merged = merge_players(players[0], players[3], By())
    Player.objects.create(league=cast.league, name="Anna")
    take_back_merge(merged)
    assert Player.objects.get(pk=players[3].pk).hidden


def test_owners_put_players_together_on_a_page(cast: Cast, players: list[Player]) -> None:
    address = reverse("scoring:same-person", args=[cast.league.slug, players[3].pk])
    cast.expects(address, owner=200, scorekeeper=403, member=403, viewer=403)
    owner = cast.client("owner")
    assert owner.post(address, {"do": "merge", "chosen": players[0].pk}).status_code == 303
    merged = Merge.objects.get()
    assert (merged.kept, merged.gone) == (players[0], players[3])
    assert owner.post(address, {"do": "part", "chosen": merged.pk}).status_code == 303
    assert owner.post(address, {"do": "claim", "chosen": cast.users["member"].pk}).status_code == 303
    assert Player.objects.get(pk=players[3].pk).user == cast.users["member"]
    assert owner.post(address, {"do": "merge", "chosen": "x"}).status_code == 422


def test_the_other_half_of_a_player_gets_no_second_seat(cast: Cast, players: list[Player]) -> None:
    ana, ben, cai, anna = players
    game = game_of(cast.league, [ana, ben, cai])
    merge_players(ana, anna, By())
    with pytest.raises(Refused) as refused:
        act(game, "join", player=anna.pk)
    assert refused.value.code == "player-twice"
    with pytest.raises(Refused):
        game_of(cast.league, [ana, ben, anna])
    assert Seat.objects.filter(game__league=cast.league).count() == 3
