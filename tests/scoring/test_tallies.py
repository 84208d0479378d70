"""The maintained lines equal a recount from the events, whatever was saved, corrected, undone or struck out."""

import random
from datetime import date
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from players.models import League, Merge, Player
from scoring import record, record_league, record_people, tallies
from scoring.models import Game, PlayerHand, PlayerSeason, RatingBook
from scoring.record import By
from scoring.state import Refused
from tests.scoring.recount import assert_recounted
from tests.scoring.tables import act, game_of, hand, league_of

pytestmark = pytest.mark.django_db

SHORT = {"hands": [{"contract": "2S", "deal": 7}, {"contract": "1S 1R", "deal": 8}]}
"""A sheet of two hands: enough for every case, and quick."""


def short_game(league: League, players: list[Player], key: str, on: date | None = None) -> Game:
    sheet = league.sheets.filter(name="Short").first() or record.add_sheet(league, "Short", "house", SHORT, By())
    return record.start_game(league, sheet, players, 0, By(), client_id=key, on=on)


def finished_game(league: League, players: list[Player], key: str, *scores: int | str | None, on: date | None = None) -> Game:
    game = short_game(league, players, key, on)
    hand(game, 1, *scores)
    hand(game, 2, *scores)
    return game


def test_a_game_counts_from_its_last_hand_on() -> None:
    league, players = league_of("Ana", "Ben", "Cai")
    game = short_game(league, players, "one")
    hand(game, 1, "out", 10, 20)
    assert not PlayerSeason.objects.exists()
    hand(game, 2, 5, "out", 20)
    assert list(PlayerSeason.objects.values_list("player__name", "games", "total", "wins")) == [
        ("Ana", 1, 5, 1),
        ("Ben", 1, 10, 0),
        ("Cai", 1, 40, 0),
    ]
    assert_recounted(league)


def test_a_correction_of_an_old_game_reaches_every_line() -> None:
    league, players = league_of("Ana", "Ben", "Cai")
    games = [finished_game(league, players, f"g{number}", "out", 10, 20) for number in range(3)]
    act(games[0], "count", hand=1, seat=0, kind="points", points="90", reason="misread")
    assert PlayerSeason.objects.get(player=players[0]).total == 90
    assert_recounted(league)


def test_input_51_a_struck_game_leaves_no_trace_in_the_lines_and_comes_back_when_that_is_undone() -> None:
    """Games counted are games listed."""
    league, players = league_of("Ana", "Ben", "Cai")
    finished_game(league, players, "one", "out", 10, 20)
    game = finished_game(league, players, "two", 30, "out", 20)
    act(game, "strike", reason="played with the wrong pack")
    assert set(PlayerSeason.objects.values_list("games", flat=True)) == {1}
    assert_recounted(league)
    act(game, "undo", target=Game.objects.get(pk=game.pk).rev)
    assert set(PlayerSeason.objects.values_list("games", flat=True)) == {2}
    assert_recounted(league)


def test_input_50_a_suspended_game_is_in_no_mean() -> None:
    league, players = league_of("Ana", "Ben", "Cai")
    finished_game(league, players, "one", "out", 10, 20)
    game = short_game(league, players, "two")
    hand(game, 1, 50, 60, "out")
    act(game, "suspend", consent=[0, 1, 2])
    assert set(PlayerSeason.objects.values_list("games", flat=True)) == {1}


def test_input_48_who_is_in_the_league_and_never_played_has_no_line_and_leads_nothing() -> None:
    """No phantom zero."""
    league, players = league_of("Ana", "Ben", "Cai", "Dot")
    finished_game(league, players[:3], "one", 10, 10, "out")
    assert not PlayerSeason.objects.filter(player=players[3]).exists()


def test_input_54_a_substitute_of_one_game_changes_no_other() -> None:
    league, players = league_of("Ana", "Ben", "Cai", "Dot")
    season = record_league.season_on(league, record.today(league))
    season.policies = {"substitutes": "absent"}
    season.save()
    finished_game(league, players[:3], "one", "out", 10, 20)
    second = finished_game(league, players[:3], "two", "out", 10, 20)
    act(second, "role", seat=0, role="substitute", stands_for=players[3].pk)
    assert PlayerSeason.objects.get(player=players[0]).games == 1
    assert PlayerSeason.objects.get(player=players[3]).games == 1
    assert_recounted(league)


def test_an_unranked_guest_has_no_line_and_the_others_keep_their_places() -> None:
    league, players = league_of("Ana", "Ben", "Cai")
    season = record_league.season_on(league, record.today(league))
    season.policies = {"guests": "unranked"}
    season.save()
    game = finished_game(league, players, "one", "out", 10, 20)
    act(game, "role", seat=0, role="guest")
    assert list(PlayerSeason.objects.values_list("player__name", "places")) == [("Ben", 2), ("Cai", 3)]
    assert_recounted(league)


def test_input_42_two_late_joiners_of_one_hand_get_the_same_total() -> None:
    league, players = league_of("Ana", "Ben", "Cai", "Dot", "Eva")
    game = short_game(league, players[:3], "one")
    hand(game, 1, "out", 10, 20)
    act(game, "join", player=players[3].pk)
    act(game, "join", player=players[4].pk)
    hand(game, 2, "out", 10, 20, 30, 5)
    totals = dict(game.seats.values_list("player__name", "total"))
    assert totals["Dot"] == totals["Eva"] == 60
    assert set(game.seats.filter(how="substituted").values_list("player__name", flat=True)) == {"Dot", "Eva"}
    assert_recounted(league)


def test_who_joins_before_the_first_hand_is_counted_is_no_late_joiner() -> None:
    league, players = league_of("Ana", "Ben", "Cai")
    game = short_game(league, players[:2], "one")
    act(game, "join", player=players[2].pk)
    hand(game, 1, "out", 10, 20)
    hand(game, 2, "out", 10, 20)
    assert set(game.seats.values_list("how", flat=True)) == {"complete"}
    assert Game.objects.get(pk=game.pk).decks == 2


def test_nobody_joins_in_the_middle_of_a_hand_or_where_the_season_refuses_it() -> None:
    league, players = league_of("Ana", "Ben", "Cai", "Dot")
    game = short_game(league, players[:3], "one")
    act(game, "opened", hand=1, seat=0)
    with pytest.raises(Refused, match="join-mid-hand"):
        act(game, "join", player=players[3].pk)
    season = game.season
    season.policies = {"late_joiners": "refused"}
    season.save()
    hand(game, 1, "out", 10, 20)
    with pytest.raises(Refused, match="late-refused"):
        act(game, "join", player=players[3].pk)


def test_input_43_a_short_night_counts_where_the_season_said_so_and_is_void_elsewhere() -> None:
    league, players = league_of("Ana", "Ben", "Cai")
    season = record_league.season_on(league, record.today(league))
    season.policies = {"short_nights": "counts", "short_hands": 5}
    season.save()
    for hands, status in ((4, "void"), (5, "finished")):
        game = game_of(league, players)
        for number in range(1, hands + 1):
            hand(game, number, "out", 10, 20)
        act(game, "finish")
        assert Game.objects.get(pk=game.pk).status == status
    assert list(game.seats.values_list("total", flat=True)) == [0, 50, 100]
    assert_recounted(league)


def test_the_table_says_finish_counts_only_by_the_policy_of_the_season() -> None:
    league, players = league_of("Ana", "Ben", "Cai")
    game = game_of(league, players)
    hand(game, 1, "out", 10, 20)
    act(game, "finish", least_hands=1)
    assert Game.objects.get(pk=game.pk).status == "void"


def test_ratings_are_marked_stale_by_a_finished_game_only() -> None:
    league, players = league_of("Ana", "Ben", "Cai")
    book = RatingBook.objects.create(league=league, on=True, stale=False)
    game = short_game(league, players, "one")
    hand(game, 1, "out", 10, 20)
    book.refresh_from_db()
    assert not book.stale
    hand(game, 2, "out", 10, 20)
    book.refresh_from_db()
    assert book.stale


FOUR_HANDS = {"hands": [*SHORT["hands"], {"contract": "2R", "deal": 9}, {"contract": "3S", "deal": 10}]}


def short_night(league: League, players: list[Player], hands: int, rng: random.Random) -> Game:
    """A game of four hands that ends after fewer."""
    sheet = league.sheets.filter(name="Four").first() or record.add_sheet(league, "Four", "house", FOUR_HANDS, By())
    game = record.start_game(league, sheet, players, 0, By(), client_id=f"four-{rng.random()}", on=date(2026, 6, 6))
    for number in range(1, hands + 1):
        hand(game, number, *(rng.randint(0, 40) for _seat in players[1:]), "out")
    act(game, "finish")
    return game


_THINGS = (
    "play", "play", "correct", "correct", "undo", "strike", "role", "stand-in", "leave", "cards", "none", "merge", "part",
    "short",
)  # fmt: skip


def step(rng: random.Random, league: League, players: list[Player], games: list[Game]) -> None:
    """Do one thing that people do; what the table refuses is left undone."""
    what = rng.choice(_THINGS)
    if what == "play" or not games:
        seated = rng.sample(players, rng.randint(2, 4))
        scores = [rng.randint(0, 60) for _seat in seated[1:]]
        on = rng.choice([date(2025, 5, 5), date(2026, 6, 6), None])
        games.append(finished_game(league, seated, f"key-{len(games)}", *scores, "out", on=on))
        return
    game = Game.objects.get(pk=rng.choice(games).pk)
    seats = game.seats.count()
    seat = rng.randrange(seats)
    count: dict[str, Any] = {"hand": rng.randint(1, 2), "seat": seat, "reason": "looked again"}
    match what:
        case "correct":
            act(game, "count", **count, kind="points", points=str(rng.randint(0, 99)))
        case "cards":
            act(game, "count", **count, kind="cards", cards=rng.choice(["JK 7", "JK JK K", "2 3"]))
        case "none":
            act(game, "count", **count, kind="none")
        case "undo":
            act(game, "undo", target=game.rev)
        case "strike":
            act(game, "strike", reason="a wrong pack")
        case "role":
            act(game, "role", seat=seat, role=rng.choice(["guest", "player"]))
        case "stand-in":
            absent = rng.choice(players)
            act(game, "role", seat=seat, role="substitute", stands_for=absent.pk)
        case "merge":
            kept, gone = rng.sample(players, 2)
            record_people.merge_players(Player.objects.get(pk=kept.pk), Player.objects.get(pk=gone.pk), By())
        case "part":
            for merged in Merge.objects.filter(league=league, undone=None).order_by("-pk")[:1]:
                record_people.take_back_merge(merged)
        case "leave":
            other = short_game(league, players[:3], f"key-{rng.random()}")
            hand(other, 1, 5, "out", 7)
            act(other, "leave", seat=1)
            hand(other, 2, "out", "absent", 9)
            games.append(other)
        case "short":
            games.append(short_night(league, rng.sample(players, 3), rng.randint(1, 3), rng))


@given(seed=st.integers(0, 10**9), steps=st.integers(1, 12))
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_the_lines_equal_a_recount_after_any_history(seed: int, steps: int) -> None:
    rng = random.Random(seed)
    league = League.objects.create(name=f"League {seed} {steps}", timezone="UTC")
    players = [Player.objects.create(league=league, name=f"P{number}") for number in range(5)]
    season = record_league.season_on(league, date(2026, 6, 1))
    season.terms = {"method": rng.choice(["mean-total", "best-n", "place-points", "plain-sum"]), "drop_every": 2, "best": 3}
    season.policies = {
        "guests": "unranked",
        "substitutes": rng.choice(["own", "absent"]),
        "short_nights": rng.choice(["void", "counts", "scaled", "scaled"]),
        "short_hands": rng.randint(1, 2),
    }
    season.save()
    games: list[Game] = []
    for _number in range(steps):
        try:
            step(rng, league, players, games)
        except Refused:
            continue
        assert_recounted(league)
    before = list(PlayerSeason.objects.filter(season__league=league).values_list("season", "player", "value_over", "total"))
    tallies.recount_league(league)
    assert sorted(before) == sorted(
        PlayerSeason.objects.filter(season__league=league).values_list("season", "player", "value_over", "total")
    )
    assert_recounted(league)
    assert PlayerHand.objects.filter(season__league=league).exists() or not PlayerSeason.objects.filter(season__league=league)
