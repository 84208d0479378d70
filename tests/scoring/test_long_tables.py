"""Tables of more lines than a page shows: a page at a time, in the same order, with the same ranks and the same reasons."""

import random
from collections.abc import Callable
from datetime import date
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from continental.rules.standing_methods import METHODS, Line, Result, Standing, Terms, order, score
from continental.rules.standings import Sums, as_counted
from players.models import League, Player
from scoring import ranks, season, sum_columns, tallies, why
from scoring.models import PlayerSeason, PlayerTotal, Season, SeasonSize
from tests.cast import Cast
from tests.scoring.recount import sums_of

pytestmark = pytest.mark.django_db


def table_of(
    league: League, rng: random.Random, size: int, terms: Terms, *, lowest_wins: bool = True, scaled: bool = False
) -> Season:
    """Make the lines of a season as its games would have made them, with many equals, and short nights if they are scaled."""
    made = Season.objects.create(
        league=league,
        name=f"Long {league.seasons.count()}",
        starts=date(2026, 1, 1),
        ends=date(2026, 12, 31),
        terms=terms.data(),
        policies={"short_nights": "scaled" if scaled else "void"},
        lowest_wins=lowest_wins,
    )
    for number in range(size):
        player = Player.objects.create(league=league, name=f"P{number:03} of {made.pk}")
        results = [_result(rng, scaled=scaled) for _game in range(rng.randint(1, 4))]
        value = score(terms, results, lowest_wins=lowest_wins)
        sums = dict(zip(sum_columns.COLUMNS, sum_columns.to_row(Sums.of(results)), strict=True))
        PlayerTotal.objects.create(league=league, player=player, lowest_wins=lowest_wins, **sums)
        PlayerSeason.objects.create(
            season=made,
            player=player,
            value_over=value.value.numerator,
            value_under=value.value.denominator,
            counted=len(value.counted),
            **sums,
        )
    games = rng.choice([1, 9, 25])
    SeasonSize.objects.create(season=made, seats=4, games=games, by_seat=[games] * 4, by_dealer=[games] * 4)
    return made


def _result(rng: random.Random, *, scaled: bool) -> Result:
    total = as_counted(rng.choice([10, 15, 20, 35]), rng.choice([1, 3, 6, 7]) if scaled else 7, 7)
    return Result(total, rng.randint(1, 3), rng.randint(3, 6), 1, rng.randint(0, 1))


def whole(made: Season) -> tuple[Standing[int], ...]:
    """Order the whole table by the rules alone."""
    lines = [
        Line(
            row.player_id,
            row.player.name,
            Sums(*sums_of(row)),
            row.value,
            row.counted,
        )
        for row in PlayerSeason.objects.filter(season=made).select_related("player")
    ]
    return order(Terms.read(made.terms), lines, season.games_of(made), lowest_wins=made.lowest_wins is not False)


TABLES = {"seed": st.integers(0, 10**9), "size": st.integers(1, 14), "lowest_wins": st.booleans(), "scaled": st.booleans()}
IN_ONE_DATABASE = settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@given(method=st.sampled_from(METHODS), **TABLES)
@IN_ONE_DATABASE
def test_a_rank_asked_of_the_database_is_the_rank_of_the_table(
    method: Any, seed: int, size: int, lowest_wins: bool, scaled: bool
) -> None:
    league = League.objects.create(name=f"Ranks {seed} {method} {size}", timezone="UTC")
    terms = Terms(method, rising=9, best=2, drop_every=3)
    made = table_of(league, random.Random(seed), size, terms, lowest_wins=lowest_wins, scaled=scaled)
    games = {made.pk: season.games_of(made)}
    for line in whole(made):
        own = PlayerSeason.objects.select_related("season").get(season=made, player=line.player)
        if line.rank is not None:
            assert 1 + ranks.above([own], games).get(made.pk, 0) == line.rank


@given(**TABLES)
@IN_ONE_DATABASE
def test_the_table_of_all_seasons_is_ordered_as_its_rule_says(seed: int, size: int, lowest_wins: bool, scaled: bool) -> None:
    league = League.objects.create(name=f"All {seed} {size}", timezone="UTC")
    made = table_of(league, random.Random(seed), size, season.ALL_TIME, lowest_wins=lowest_wins, scaled=scaled)
    found = season.all_time(league)
    assert not found.more
    ordered = [(line.rank, line.player, line.value) for line in whole(made)]
    assert [(line.rank, line.player.pk, line.value) for line in found.lines] == ordered
    for first in range(size + 1):  # however a page begins among equals
        page = season.all_time(league, first=first).lines
        assert [(line.rank, line.player.pk, line.value) for line in page] == ordered[first:]


@pytest.mark.parametrize("lowest_wins", [True, False])
def test_a_page_of_the_table_of_all_seasons_is_read_along_an_index(lowest_wins: bool) -> None:
    league = League.objects.create(name="Long", timezone="UTC")
    table_of(league, random.Random(7), 14, season.ALL_TIME, lowest_wins=lowest_wins)
    with CaptureQueriesContext(connection) as asked:
        season.all_time(league)
    (page,) = (query["sql"] for query in asked.captured_queries if "scoring_playertotal" in query["sql"])
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":  # which walks so few rows without one, if it may
            cursor.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off")
        cursor.execute(f"EXPLAIN {'' if connection.vendor == 'postgresql' else 'QUERY PLAN'} {page}")
        plan = " ".join(str(row) for row in cursor.fetchall())
    assert "totals_of_a_league" in plan
    assert "Presorted Key: scoring_playertotal.mean" in plan or "TEMP B-TREE FOR RIGHT PART OF ORDER BY" in plan


def test_the_pages_of_a_table_are_the_table(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    made = table_of(cast.league, random.Random(4), 12, Terms(qualifying=3, rising=0))
    monkeypatch.setattr("scoring.views.seasons.LINES_ON_A_PAGE", 5)
    monkeypatch.setattr(season, "PAGE", 5)
    table = season.standings(made)
    assert table.ranked
    assert table.unranked
    client = cast.client("viewer")
    address = reverse("scoring:season", args=[cast.league.slug, made.pk])
    for path in (address, reverse("scoring:all-time", args=[cast.league.slug])):
        pages = [client.get(path, {"from": first}).content.decode() for first in (0, 5, 10)]
        for player in (line.player for line in table.lines):
            assert sum(f"<bdi>{player.name}</bdi></a></th>" in page for page in pages) == 1
        assert ["Further down" in page for page in pages] == [True, True, False]
        assert ["From the top" in page for page in pages] == [False, True, True]
    for at, line in enumerate(table.lines):
        page = client.get(address, {"from": at // 5 * 5}).content.decode()
        assert line.player.name in page


@pytest.mark.parametrize("asked", ["-1", "x", "9" * 5000, "١", "999999999"])
def test_a_page_that_there_is_not_is_no_error(cast: Cast, asked: str) -> None:
    made = table_of(cast.league, random.Random(4), 3, Terms())
    for name, args in (("season", [made.pk]), ("all-time", [])):
        page = cast.client("viewer").get(
            reverse(f"scoring:{name}", args=[cast.league.slug, *args]), {"from": asked, "why": asked}
        )
        assert page.status_code == 200


@pytest.mark.parametrize("method", METHODS)
def test_a_line_is_told_from_its_neighbours_alone_as_from_the_whole_table(method: Any) -> None:
    league = League.objects.create(name="Long", timezone="UTC")
    made = table_of(league, random.Random(7), 14, Terms(method, qualifying=2, rising=0, best=2))
    ordered, table = season.ordered(made), season.standings(made)
    assert ordered.around(0).lines == ()
    for line in table.lines:
        near = ordered.around(line.player.pk)
        own = next(other for other in near.lines if other.player == line.player)
        assert why.answer(near, own, []).neighbour == why.answer(table, line, []).neighbour


@pytest.mark.parametrize("lowest_wins", [True, False])
@pytest.mark.parametrize("method", METHODS)
def test_a_page_of_a_table_is_that_of_the_whole_table(method: Any, *, lowest_wins: bool) -> None:
    league = League.objects.create(name="Long", timezone="UTC")
    for seed, qualifying in product(range(2), (1, 2, 9)):
        made = table_of(league, random.Random(seed), 14, Terms(method, qualifying=qualifying, rising=0, best=2))
        made.lowest_wins = lowest_wins
        whole = season.ordered(made)
        for first, most in product((0, 1, 5, 13, 15), (1, 6, 15)):
            assert season.page(made, first, most) == whole.page(first, most)


def test_a_closed_season_is_paged_and_tells_what_was_amended_anywhere(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    made = table_of(cast.league, random.Random(3), 8, Terms(rising=0))
    monkeypatch.setattr("scoring.views.seasons.LINES_ON_A_PAGE", 3)
    made.closed_at, made.snapshot = "2027-01-01T00:00Z", season.snapshot_of(made)
    made.save()
    last = season.standings(made).lines[-1]
    PlayerSeason.objects.filter(season=made, player=last.player).update(wins=last.wins + 1)
    page = cast.client("viewer").get(reverse("scoring:season", args=[cast.league.slug, made.pk])).content.decode()
    assert "Amended since it was closed" in page
    assert f"<li><bdi>{last.player.name}</bdi>" in page
    assert f"<bdi>{last.player.name}</bdi></a></th>" not in page


@pytest.mark.parametrize("read", [season.all_time, lambda league: season.ordered(league.seasons.get())])
def test_a_table_is_read_from_its_lines_and_from_no_game(read: Callable[[League], object]) -> None:
    league = League.objects.create(name="Long", timezone="UTC")
    table_of(league, random.Random(7), 5, Terms())
    with CaptureQueriesContext(connection) as asked:
        assert read(league)
    said = " ".join(query["sql"] for query in asked.captured_queries)
    assert "scoring_player" in said
    assert [table for table in ("scoring_game", "scoring_seat", "scoring_hand", "scoring_entry") if f'"{table}"' in said] == []


def test_a_recount_of_a_league_takes_away_lines_that_no_game_gives(cast: Cast) -> None:
    table_of(cast.league, random.Random(3), 3, Terms())
    tallies.recount_league(cast.league)
    for lines in (PlayerTotal, PlayerSeason, SeasonSize):
        assert not lines._default_manager.exists()
