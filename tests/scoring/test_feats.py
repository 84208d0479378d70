"""Runs of wins, comebacks and the places by the first dealer: as somebody with the score sheets would find them."""

from datetime import date
from fractions import Fraction

import pytest
from django.urls import reverse

from players import people
from players.models import League, Player
from scoring import feats, figures, league_figures, load, record
from scoring import season as season_table
from scoring.models import Game
from scoring.record import By
from tests.cast import Cast
from tests.scoring.tables import act, hand, league_of

pytestmark = pytest.mark.django_db

THREE_HANDS = {"hands": [{"contract": "2S", "deal": 7}, {"contract": "1S 1R", "deal": 8}, {"contract": "2R", "deal": 9}]}


def play(league: League, players: list[Player], day: int, *hands: tuple[int | str | None, ...], dealer: int = 0) -> Game:
    sheet = league.sheets.first() or record.add_sheet(league, "Short", "house", THREE_HANDS, By())
    game = record.start_game(
        league, sheet, players, dealer, By(), client_id=f"game-{league.games.count()}", on=date(2026, 3, day)
    )
    for number, scores in enumerate(hands, start=1):
        hand(game, number, *scores)
    return game


@pytest.fixture
def season() -> tuple[League, list[Player], list[Game]]:
    """Three games: Cai comes back from 40 and from 55 behind, Ana wins from the front."""
    league, players = league_of("Ana", "Ben", "Cai")
    games = [
        play(league, players, 1, ("out", 10, 40), (90, 80, "out"), (20, 30, "out")),
        play(league, players, 2, (5, "out", 40), (10, "out", 15), (90, 95, "out"), dealer=1),
        play(league, players, 3, ("out", 10, 20), ("out", 10, 20), ("out", 10, 20), dealer=2),
    ]
    return league, players, games


def test_the_biggest_comeback_is_how_far_the_later_winner_was_behind_at_the_worst_moment(
    season: tuple[League, list[Player], list[Game]],
) -> None:
    league, players, games = season
    found = feats.of_league(league, None)
    assert found is not None
    assert found.comeback == feats.Comeback(players[2], games[1], 55, 2)
    assert found.run == feats.Run(players[2], 2)
    assert found.most_out is not None
    assert (found.most_out.game, found.most_out.player, found.most_out.hands_out) == (games[2], players[0], 3)
    assert feats.of_player(players[2], games[0].season) == found.comeback
    assert feats.of_player(players[0], None) is None
    assert feats.of_player(players[1], None) is None


def test_who_has_no_score_in_a_hand_is_compared_with_nobody_from_there_on() -> None:
    league, players = league_of("Ana", "Ben", "Cai", "Dot")
    game = play(league, players[:3], 1, (30, 10, 20))
    act(game, "join", player=players[3].pk)
    for number in (2, 3):
        hand(game, number, "out", 60, 60, 60)
    found = feats.of_league(league, None)
    assert found is not None
    # Dot's nothing in the first hand is no lead of 30 over Ana; Ben's 10 was one of 20.
    assert found.comeback is not None
    assert (found.comeback.player, found.comeback.behind, found.comeback.after) == (players[0], 20, 1)


def test_of_equal_comebacks_the_oldest_is_told() -> None:
    league, players = league_of("Ana", "Ben", "Cai")
    first, _second = (play(league, players, day, ("out", 10, 40), (90, 80, "out"), (20, 30, "out")) for day in (1, 2))
    assert feats.of_player(players[2], None) == feats.Comeback(players[2], first, 40, 1)


def test_a_game_struck_out_is_nobodys_feat(season: tuple[League, list[Player], list[Game]]) -> None:
    league, players, games = season
    act(games[1], "strike", reason="a joker was missing")
    found = feats.of_league(league, None)
    assert found is not None
    assert found.comeback == feats.Comeback(players[2], games[0], 40, 1)
    assert found.run is not None
    assert found.run.wins == 1


def test_a_league_of_too_many_games_leaves_its_feats_to_the_pages_of_players(
    season: tuple[League, list[Player], list[Game]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feats, "MOST_GAMES", 2)
    assert feats.of_league(season[0], None) is None


def test_the_places_by_the_first_dealer_are_counted_from_whoever_dealt_the_first_hand(
    season: tuple[League, list[Player], list[Game]],
) -> None:
    _league, players, _games = season
    found = figures.of_player(players[0])
    # Ana sat 0, 2 and 1 seats after the first dealer, and came second, third and first.
    assert [(distance, value.value, value.under) for distance, value in found.by_first_dealer] == [
        (0, Fraction(2), 1),
        (1, Fraction(1), 1),
        (2, Fraction(3), 1),
    ]


def test_games_of_one_day_stand_everywhere_in_the_order_in_which_they_were_begun() -> None:
    league, players = league_of("Ana", "Ben", "Cai")
    ana_wins, ben_wins = (("out", 10, 40), (5, 20, 30), ("out", 10, 10)), ((10, "out", 40), (20, 5, 30), (10, "out", 10))
    games = [play(league, players, day, *hands) for day, hands in ((1, ben_wins), (2, ben_wins), (2, ana_wins), (2, ana_wins))]
    of = games[0].season
    found, own = feats.of_league(league, None), figures.of_player(players[2])
    assert found is not None
    assert found.run == feats.Run(players[0], 2)
    assert figures.of_player(players[1]).streaks.longest_wins == 2
    assert [seat.game for seat in own.seats] == [game.pk for game in games]
    assert own.worst_hand == figures.Dealt(40, 1, games[0].pk, games[0].started_on)
    assert own.best_hand == figures.Dealt(10, 3, games[0].pk, games[0].started_on)
    assert [seat.game for seat in load.games_of(players[2])] == games[::-1]
    assert [why.game for why in season_table.why(of, [players[2].pk])[players[2].pk]] == games
    assert league_figures.progress_of(of, players[:1]) == [[40, 40, Fraction(85, 3), Fraction(90, 4)]]
    assert figures.of_player(players[0]).best_hand == figures.Dealt(0, 1, games[2].pk, games[2].started_on)
    records = league_figures.of_league(league, None)
    assert records.lowest_game == league_figures.Record(players[1], 5, games[0])
    assert records.highest_hand == league_figures.Record(players[2], 40, games[0])


def test_the_pages_name_the_feats_and_lead_to_their_games(cast: Cast) -> None:
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben", "Cai")]
    game = play(cast.league, players, 1, ("out", 10, 40), (90, 80, "out"), (20, 30, "out"))
    client = cast.client("viewer")
    for address in (
        reverse("scoring:statistics", args=[cast.league.slug]),
        reverse("scoring:player", args=[cast.league.slug, players[2].pk]),
    ):
        page = client.get(address).content.decode()
        assert "Biggest comeback" in page
        assert reverse("scoring:sheet", args=[game.pk]) in page
        assert "far behind after hand 1" in page
    assert "Seats after the first dealer" in page
