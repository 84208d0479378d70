"""Ratings equal the library's over the whole history, from wherever they are replayed."""

import random
from datetime import date

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openskill.models import BradleyTerryFull

from players import merging
from players.models import League, Player
from scoring import bradley_terry, ratings
from scoring.models import Game, Rating, RatingBook, RatingMark
from scoring.state import Refused
from tests.scoring.recount import folded
from tests.scoring.tables import act, league_of
from tests.scoring.test_tallies import finished_game, step

LIBRARY = BradleyTerryFull()
SKILLS = st.tuples(st.floats(-40, 90), st.floats(0.5, 12))


@given(players=st.lists(st.tuples(SKILLS, st.integers(1, 6)), min_size=2, max_size=10))
def test_a_game_moves_ratings_as_the_library_says(players: list[tuple[tuple[float, float], int]]) -> None:
    skills, places = [skill for skill, _place in players], [place for _skill, place in players]
    said = LIBRARY.rate([[LIBRARY.rating(mu=mu, sigma=sigma)] for mu, sigma in skills], ranks=[float(place) for place in places])
    means, variances = bradley_terry.rate([mu for mu, _sigma in skills], [sigma**2 for _mu, sigma in skills], places)
    assert means == pytest.approx([team[0].mu for team in said], abs=1e-9)
    assert [variance**0.5 for variance in variances] == pytest.approx([team[0].sigma for team in said], abs=1e-9)


def of_the_library(league: League) -> dict[int, tuple[float, float, int]]:
    """Rate everybody with the library, from the events."""
    known: dict[int, tuple[float, float, int]] = {}
    one_for = merging.stands_for(league.pk)
    for _game, state in folded(league):
        assert state.result is not None
        assert state.result.places is not None
        seated = [one_for.get(player, player) for player in state.players]
        was = [known.get(player, (LIBRARY.mu, LIBRARY.sigma, 0)) for player in seated]
        teams = [[LIBRARY.rating(mu=mu, sigma=sigma)] for mu, sigma, _games in was]
        after = LIBRARY.rate(teams, ranks=[float(place) for place in state.result.places])
        for player, (rating,), (_mu, _sigma, games) in zip(seated, after, was, strict=True):
            known[player] = (rating.mu, rating.sigma, games + 1)
    return known


def kept(league: League) -> dict[int, tuple[float, float, int]]:
    rows = Rating.objects.filter(book__league=league).values_list("player", "mu", "sigma", "games")
    return {player: (mu, sigma, games) for player, mu, sigma, games in rows}


def assert_rated(league: League) -> None:
    said, found = of_the_library(league), kept(league)
    assert found.keys() == said.keys()
    for player, rating in said.items():
        assert found[player] == pytest.approx(rating, abs=1e-9)


@pytest.mark.django_db
@given(seed=st.integers(0, 10**9), steps=st.integers(1, 12), every=st.integers(1, 3))
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_ratings_equal_a_replay_of_everything_after_any_history(
    monkeypatch: pytest.MonkeyPatch, seed: int, steps: int, every: int
) -> None:
    monkeypatch.setattr(ratings, "MARK_EVERY", every)
    rng = random.Random(seed)
    league = League.objects.create(name=f"Rated {seed} {steps}", timezone="UTC")
    players = [Player.objects.create(league=league, name=f"P{number}") for number in range(5)]
    ratings.switch(league, on=True)
    games: list[Game] = []
    for _number in range(steps):
        try:
            step(rng, league, players, games)
        except Refused:
            continue
        if rng.random() < 0.6:
            ratings.refresh(league)
            assert_rated(league)
    ratings.refresh(league)
    assert_rated(league)


def evenings(league: League, players: list[Player], count: int) -> list[Game]:
    """Finish a game on each of so many days."""
    days = [date(2026, 1, 1 + number) for number in range(count)]
    return [finished_game(league, players, f"on-{day}", day.day, 20, 30, on=day) for day in days]


@pytest.mark.django_db
def test_games_are_rated_by_their_days_in_whatever_order_they_were_written_down() -> None:
    league, players = league_of("Ana", "Ben", "Cai")
    ratings.switch(league, on=True)
    for number, (day, third) in enumerate([(9, 5), (2, 30), (12, 40), (4, 25), (2, 90)]):
        finished_game(league, players, f"game-{number}", 10, 20, third, on=date(2026, 1, day))
    ratings.refresh(league)
    assert_rated(league)


@pytest.mark.django_db
def test_a_change_is_replayed_from_the_last_mark_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "MARK_EVERY", 2)
    league, players = league_of("Ana", "Ben", "Cai")
    ratings.switch(league, on=True)
    games = evenings(league, players, 7)
    book = ratings.refresh(league)
    assert book is not None
    assert list(book.marks.values_list("day", flat=True)) == [date(2026, 1, 3), date(2026, 1, 5), date(2026, 1, 7)]
    replayed: list[object] = []
    replay = ratings.replay

    def noting(league: League, start: RatingMark | None = None) -> ratings.Replay:
        replayed.append(start and start.day)
        return replay(league, start)

    monkeypatch.setattr(ratings, "replay", noting)
    for game, start in ((games[6], date(2026, 1, 7)), (games[3], date(2026, 1, 3)), (games[0], None)):
        act(game, "count", hand=1, seat=0, kind="points", points="95", reason="misread")
        ratings.refresh(league)
        assert replayed.pop() == start
        assert_rated(league)


@pytest.mark.django_db
def test_of_two_replays_at_once_the_later_one_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    league, players = league_of("Ana", "Ben", "Cai")
    ratings.switch(league, on=True)
    games = evenings(league, players, 3)
    replay = ratings.replay

    def interrupted(league: League, start: object = None) -> ratings.Replay:
        """Let a correction and a second replay come in between the reading and the writing of the first."""
        found = replay(league, None)
        monkeypatch.setattr(ratings, "replay", replay)
        act(games[1], "count", hand=1, seat=0, kind="points", points="95", reason="misread")
        ratings.refresh(league)
        return found

    monkeypatch.setattr(ratings, "replay", interrupted)
    ratings.refresh(league)
    assert_rated(league)
    assert not RatingBook.objects.get(league=league).stale


@pytest.mark.django_db
def test_a_replay_that_fails_leaves_the_ratings_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    league, players = league_of("Ana", "Ben", "Cai")
    ratings.switch(league, on=True)
    evenings(league, players, 2)

    def fails(league: League, start: object = None) -> ratings.Replay:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(ratings, "replay", fails)
        with pytest.raises(RuntimeError):
            ratings.refresh(league)
    assert RatingBook.objects.get(league=league).stale
    ratings.refresh(league)
    assert_rated(league)


@pytest.mark.django_db
def test_what_changes_no_place_leaves_the_ratings_as_they_are() -> None:
    league, players = league_of("Ana", "Ben", "Cai")
    ratings.switch(league, on=True)
    game = evenings(league, players, 1)[0]
    ratings.refresh(league)
    act(game, "count", hand=1, seat=2, kind="points", points="31", reason="misread")
    assert not RatingBook.objects.get(league=league).stale
    assert_rated(league)


@pytest.mark.django_db(transaction=True)
def test_marks_of_before_they_were_packed_are_made_anew_after_the_migration(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "MARK_EVERY", 1)
    league, players = league_of("Ana", "Ben", "Cai")
    book = ratings.switch(league, on=True)
    evenings(league, players, 3)
    try:
        executor = MigrationExecutor(connection)
        executor.migrate([("scoring", "0010_places_of_seats")])
        before = executor.loader.project_state([("scoring", "0010_places_of_seats")]).apps
        before.get_model("scoring", "RatingMark").objects.create(
            book_id=book.pk, day=date(2026, 1, 3), standing=[[1, 25.0, 9.0, 2]]
        )
        before.get_model("scoring", "RatingBook").objects.update(stale=False)
    finally:
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())
    assert not book.marks.exists()
    ratings.refresh(league)
    assert_rated(league)
    assert book.marks.count() == 2
