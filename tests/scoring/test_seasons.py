"""Seasons: dates, methods agreed beforehand, tables with their reasons, closing."""

import random
import re
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.urls import reverse
from django.utils import translation

from continental.rules.errors import BadQuestion
from continental.rules.standing_methods import METHODS, Line, Result, Terms, order, place_points, score
from continental.rules.standings import Sums
from players import people
from players.models import League, Player
from scoring import preview, record, record_league, season, why
from scoring.models import Game, Season
from scoring.policies import Policies
from scoring.record import By
from scoring.record_league import SeasonPlan
from scoring.state import Refused
from tests.cast import Cast
from tests.scoring.tables import act, hand, league_of
from tests.scoring.test_tallies import SHORT

pytestmark = pytest.mark.django_db

_keys = iter(range(10**9))


def game_on(league: League, players: list[Player], day: date, *totals: int) -> Game:
    """A finished game of one hand each way, with these totals (the first to have 0 went out in the second hand)."""
    sheet = league.sheets.filter(name="Short").first() or record.add_sheet(league, "Short", "house", SHORT, By())
    game = record.start_game(league, sheet, players, 0, By(), client_id=f"on-{next(_keys)}", on=day)
    hand(game, 1, *totals)
    hand(game, 2, *[0] * len(totals))
    return Game.objects.get(pk=game.pk)


def plan(name: str, starts: date, ends: date, terms: Terms | None = None, policies: Policies | None = None) -> SeasonPlan:
    return SeasonPlan(name, starts, ends, terms or Terms(), policies or Policies())


def results(*totals: int) -> list[Result]:
    return [Result(total, 1, 4) for total in totals]


# ---------------------------------------------------------------------------------------------------------------------
# Methods


def test_the_mean_leaves_out_the_worst_game_for_every_so_many() -> None:
    value = score(Terms("mean-total", drop_every=3), results(10, 90, 20, 30, 40, 80))
    assert (value.value, value.dropped) == (Fraction(100, 4), (1, 5))


def test_the_best_games_are_the_lowest_and_what_was_not_played_is_no_game() -> None:
    assert score(Terms("best-n", best=2), results(50, 10, 30)).value == 40
    lines = [Line("Ana", "Ana", Sums(1, 5, 1, 1, 0, 5, 5), Fraction(5), 1), Line("Ben", "Ben", Sums(2, 90, 4, 0, 0, 40, 50), Fraction(90), 2)]  # fmt: skip  # noqa: E501
    assert [(row.player, row.rank, row.missing) for row in order(Terms("best-n", best=2), lines, 2)] == [
        ("Ben", 1, 0),
        ("Ana", None, 1),
    ]


@pytest.mark.parametrize(
    ("place", "sharing", "seats", "points"),
    [(1, 1, 3, 100), (2, 1, 3, 50), (3, 1, 3, 0), (1, 2, 3, 75), (2, 1, 6, 80), (1, 4, 4, 50), (2, 2, 3, 25)],
)
def test_place_points_run_from_100_to_0_at_every_table(place: int, sharing: int, seats: int, points: int) -> None:
    assert place_points(Result(0, place, seats, sharing)) == points


def test_place_points_of_a_table_always_add_up_to_the_same() -> None:
    rng = random.Random(5)
    for seats in range(2, 9):
        totals = [rng.randint(0, 4) for _seat in range(seats)]
        places = [1 + sum(other < mine for other in totals) for mine in totals]
        assert sum(place_points(Result(0, place, seats, places.count(place))) for place in places) == 50 * seats


def test_the_plain_sum_rewards_staying_at_home_and_says_so() -> None:
    table = season.Standings((), Terms("plain-sum"), 3)
    assert "stays at home" in table.warning
    assert not season.Standings((), Terms("mean-total"), 3).warning


def test_the_qualifying_number_rises_with_the_season() -> None:
    terms = Terms(qualifying=2, rising=10)
    assert [terms.needed(games) for games in (0, 9, 10, 35)] == [2, 2, 3, 5]


def _line(name: str, *totals: int, places: int = 2, wins: int = 1) -> Line[str]:
    sums = Sums(len(totals), sum(totals), places * len(totals), wins, 0, min(totals), max(totals))
    return Line(name, name, sums, Fraction(sum(totals), len(totals)), len(totals))


def test_input_45_equals_share_a_rank_and_the_next_one_is_left_out() -> None:
    """1, 2, 2, 4 everywhere."""
    rows = order(Terms(), [_line("D", 180), _line("C", 150), _line("B", 150), _line("A", 124)], 1)
    assert [(row.name, row.rank) for row in rows] == [("A", 1), ("B", 2), ("C", 2), ("D", 4)]


def test_input_46_who_is_equal_on_everything_shares_a_rank_in_the_order_of_names() -> None:
    lines = [_line(name, 100, 120) for name in ("Zoe", "ana", "Ben")]
    for seed in range(5):
        random.Random(seed).shuffle(lines)
        assert [(row.name, row.rank) for row in order(Terms(), lines, 2)] == [("ana", 1), ("Ben", 1), ("Zoe", 1)]


def test_input_47_equal_fractions_are_equal() -> None:
    """124/3 and 248/6."""
    rows = order(Terms(), [_line("A", 41, 41, 42), _line("B", 41, 41, 42, 41, 41, 42)], 3)
    assert rows[0].value == rows[1].value == Fraction(124, 3)


def test_who_lacks_games_stands_below_and_is_not_hidden() -> None:
    rows = order(Terms(qualifying=2), [_line("A", 10), _line("B", 50, 60)], 2)
    assert [(row.name, row.rank, row.missing) for row in rows] == [("B", 1, 0), ("A", None, 1)]


def test_where_the_highest_wins_the_highest_mean_stands_above() -> None:
    rows = order(Terms(), [_line("A", 10), _line("B", 50)], 1, lowest_wins=False)
    assert [row.name for row in rows] == ["B", "A"]
    assert score(Terms(drop_every=2), results(10, 50), lowest_wins=False).value == 50


def test_a_value_of_no_games_is_refused_and_never_0() -> None:
    with pytest.raises(ValueError, match="at least one game"):
        score(Terms(), [])


@pytest.mark.parametrize("bad", [{"method": "luck"}, {"qualifying": 0}, {"drop_every": -1}, {"best": "many"}, {"fee": 3}, []])
def test_terms_that_cannot_be_are_refused(bad: Any) -> None:
    with pytest.raises(BadQuestion):
        Terms.read(bad)


@pytest.mark.parametrize("method", METHODS)
def test_terms_survive_being_stored(method: Any) -> None:
    terms = Terms(method, 3, 7, 5, 9)
    assert Terms.read(terms.data()) == terms


# ---------------------------------------------------------------------------------------------------------------------
# Dates


def test_dates_that_overlap_are_refused_with_a_sentence(cast: Cast) -> None:
    record_league.add_season(cast.league, plan("Spring", date(2026, 1, 1), date(2026, 5, 31)))
    with pytest.raises(Refused, match="season-overlap"):
        record_league.add_season(cast.league, plan("Summer", date(2026, 5, 31), date(2026, 8, 31)))
    answer = cast.client("owner").post(
        reverse("scoring:new-season", args=[cast.league.slug]), form_of("Summer", "2026-05-31", "2026-08-31")
    )
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "These dates overlap those of the season Spring" in page
    assert 'value="Summer"' in page
    assert Season.objects.count() == 1


def form_of(name: str, starts: str, ends: str, **changes: str) -> dict[str, str]:
    return {
        "name": name,
        "starts": starts,
        "ends": ends,
        "method": "mean-total",
        "qualifying": "1",
        "rising": "10",
        "drop_every": "8",
        "best": "5",
        "substitutes": "own",
        "guests": "ranked",
        "short_nights": "void",
        "short_hands": "5",
        "late_joiners": "non-finisher",
        "do": "keep",
        **changes,
    }


def test_a_season_is_the_calendar_year_where_nothing_was_set_up() -> None:
    league, players = league_of("Ana", "Ben")
    game = game_on(league, players, date(2025, 3, 3), 10, 20)
    assert (game.season.name, game.season.starts, game.season.ends) == ("2025", date(2025, 1, 1), date(2025, 12, 31))


def test_what_named_seasons_leave_of_a_year_becomes_a_season_on_the_same_terms() -> None:
    league, players = league_of("Ana", "Ben")
    spring = record_league.add_season(league, plan("2025", date(2025, 2, 1), date(2025, 5, 31), Terms("best-n", best=3)))
    game = game_on(league, players, date(2025, 8, 8), 10, 20)
    rest = game.season
    assert (rest.name, rest.starts, rest.ends) == ("2025 (2)", date(2025, 6, 1), date(2025, 12, 31))
    assert rest.terms == spring.terms
    early = game_on(league, players, date(2025, 1, 8), 10, 20).season
    assert (early.starts, early.ends) == (date(2025, 1, 1), date(2025, 1, 31))


def test_two_games_on_one_evening_both_count_and_a_player_may_be_in_two_leagues() -> None:
    league, players = league_of("Ana", "Ben")
    other = League.objects.create(name="Friday", timezone="UTC")
    twins = [people.add_player(other, player.name) for player in players]
    for totals in ((10, 20), (30, 5)):
        game_on(league, players, date(2026, 3, 3), *totals)
    game_on(other, twins, date(2026, 3, 3), 90, 1)
    lines = season.standings(league.seasons.get()).lines
    assert [(line.name, line.games, line.value) for line in lines] == [("Ben", 2, Fraction(25, 2)), ("Ana", 2, 20)]


def test_input_60_a_season_of_no_games_is_useful_everywhere(cast: Cast) -> None:
    empty = record_league.add_season(cast.league, plan("Next", date(2031, 1, 1), date(2031, 12, 31)))
    player = people.add_player(cast.league, "Ana")
    client = cast.client("owner")
    for name, args in (
        ("league", []),
        ("season", []),
        ("season", [empty.pk]),
        ("seasons", []),
        ("all-time", []),
        ("statistics", []),
        ("player", [player.pk]),
        ("edit-season", [empty.pk]),
        ("season-csv", [empty.pk]),
        ("games-csv", []),
        ("league-json", []),
        ("new-season", []),
    ):
        assert client.get(reverse(f"scoring:{name}", args=[cast.league.slug, *args])).status_code == 200, name
    assert client.get(reverse("scoring:statistics", args=[cast.league.slug]), {"season": empty.pk}).status_code == 200
    assert client.get(reverse("scoring:player", args=[cast.league.slug, player.pk]), {"season": empty.pk}).status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        {"name": ""},
        {"starts": "yesterday"},
        {"ends": "2024-01-01"},
        {"method": "luck"},
        {"qualifying": "0"},
        {"qualifying": "١"},
        {"drop_every": "1"},
        {"best": "-3"},
        {"guests": "shown the door"},
        {"short_hands": "0"},
    ],
)
def test_a_plan_that_cannot_be_comes_back_with_what_was_typed(cast: Cast, change: dict[str, str]) -> None:
    sent = {**form_of("Spring", "2026-01-01", "2026-05-31"), **change}
    answer = cast.client("owner").post(reverse("scoring:new-season", args=[cast.league.slug]), sent)
    assert answer.status_code == 422
    assert 'value="2026-01-01"' in answer.content.decode() or "starts" in change
    assert not Season.objects.exists()


@pytest.mark.parametrize("field", ["name", "starts", "ends", "qualifying", "rising", "drop_every", "best", "short_hands"])
def test_what_is_wrong_with_a_line_of_the_plan_is_told_at_that_line(cast: Cast, field: str) -> None:
    sent = {**form_of("Spring", "2026-01-01", "2026-05-31"), field: ""}
    page = cast.client("owner").post(reverse("scoring:new-season", args=[cast.league.slug]), sent).content.decode()
    (line,) = re.findall(rf'<input[^>]* id="{field}"[^>]*>', page)
    assert 'aria-invalid="true" autofocus' in line
    assert f'aria-describedby="trouble-{field} ' in line
    assert re.search(rf'id="trouble-{field}">[^<]+<', page)
    assert page.count('aria-invalid="true"') == 1


def test_every_line_of_the_plan_has_its_name_and_none_the_help_of_another(cast: Cast) -> None:
    page = cast.client("owner").get(reverse("scoring:new-season", args=[cast.league.slug])).content.decode()
    names = dict(re.findall(r'<label class="form-label" for="(\w+)">([^<]+)</label>', page))
    assert len(names) == len(set(names.values())) == 8
    assert re.findall(r'<p class="form-text" id="help-(\w+)">', page) == ["rising", "drop_every", "short_hands"]


def test_only_who_manages_seasons_sets_them_up_and_closes_them(cast: Cast) -> None:
    address = reverse("scoring:new-season", args=[cast.league.slug])
    cast.expects(address, form_of("Spring", "2026-01-01", "2026-05-31"), owner=302, scorekeeper=403, member=403, viewer=403)
    standing = record_league.add_season(cast.league, plan("Spring", date(2024, 1, 1), date(2024, 5, 31)))
    close = reverse("scoring:close-season", args=[cast.league.slug, standing.pk])
    cast.expects(close, {}, owner=302, scorekeeper=403, member=403, viewer=403)


def test_the_terms_are_fixed_by_the_first_game_and_the_dates_hold_the_games() -> None:
    league, players = league_of("Ana", "Ben")
    standing = record_league.add_season(league, plan("Spring", date(2026, 1, 1), date(2026, 5, 31)))
    standing = record_league.change_season(standing, plan("Spring", date(2026, 1, 1), date(2026, 6, 30), Terms("best-n")))
    game_on(league, players, date(2026, 2, 2), 10, 20)
    for changed, code in (
        (plan("Spring", date(2026, 1, 1), date(2026, 6, 30)), "season-begun"),
        (plan("Spring", date(2026, 1, 1), date(2026, 6, 30), Terms("best-n"), Policies(guests="unranked")), "season-begun"),
        (plan("Spring", date(2026, 3, 1), date(2026, 6, 30), Terms("best-n")), "season-games-outside"),
    ):
        with pytest.raises(Refused, match=code):
            record_league.change_season(standing, changed)
    renamed = record_league.change_season(standing, plan("Lent", date(2026, 1, 1), date(2026, 4, 30), Terms("best-n")))
    assert (renamed.name, renamed.ends) == ("Lent", date(2026, 4, 30))


# ---------------------------------------------------------------------------------------------------------------------
# Trying a method, reasons, closing


def test_a_method_is_tried_on_games_that_were_played_and_nothing_is_written(cast: Cast) -> None:
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben", "Cai")]
    for totals in ((10, 20, 30), (50, 20, 30), (10, 40, 30)):
        game_on(cast.league, players, date(2026, 3, 3), *totals)
    before = list(Season.objects.values())
    sent = form_of("Next", "2027-01-01", "2027-12-31", method="plain-sum", do="try")
    page = cast.client("owner").post(reverse("scoring:new-season", args=[cast.league.slug]), sent).content.decode()
    assert "What it would have made of" in page
    assert "stays at home" in page
    assert list(Season.objects.values()) == before


@pytest.mark.parametrize("method", METHODS)
def test_a_preview_of_a_season_on_its_own_terms_is_its_table(method: Any) -> None:
    league, players = league_of("Ana", "Ben", "Cai")
    terms = Terms(method, drop_every=2, best=2)
    record_league.add_season(league, plan("Spring", date(2026, 1, 1), date(2026, 12, 31), terms))
    for totals in ((10, 20, 30), (50, 20, 30), (10, 40, 30)):
        game_on(league, players, date(2026, 3, 3), *totals)
    standing = league.seasons.get()
    tried = preview.of(standing, Policies()).by(terms)
    assert tried is not None
    assert tried.lines == season.standings(standing).lines


@pytest.mark.parametrize("method", METHODS)
def test_every_row_says_why_it_stands_there(method: Any) -> None:
    league, players = league_of("Ana", "Ben", "Cai", "Dot")
    record_league.add_season(
        league, plan("Spring", date(2026, 1, 1), date(2026, 12, 31), Terms(method, qualifying=2, drop_every=3, best=2))
    )
    for totals in ((10, 20, 30), (50, 20, 30), (10, 40, 30)):
        game_on(league, players[:3], date(2026, 3, 3), *totals)
    game_on(league, players[1:], date(2026, 3, 4), 10, 20, 30)
    standing = league.seasons.get()
    table = season.standings(standing)
    behind = season.why(standing, [line.player.pk for line in table.lines])
    for line in table.lines:
        answer = why.answer(table, line, behind[line.player.pk])
        assert answer.neighbour
        assert answer.sum
        assert len(answer.games) == line.games
        assert sum(game.counts for game, _value in answer.games) == line.counted
    assert table.unranked[0].name == "Dot"


def test_the_reasons_name_the_tie_break_that_decided() -> None:
    league, players = league_of("Ana", "Ben", "Cai")
    game_on(league, players, date(2026, 3, 3), 10, 20, 15)
    game_on(league, players, date(2026, 3, 4), 20, 10, 30)
    game_on(league, [players[0], players[1]], date(2026, 3, 5), 30, 30)
    standing = league.seasons.get()
    table = season.standings(standing)
    said = [why.answer(table, line, []).neighbour for line in table.ranked]
    assert "by what decides between equals, mean place" in " ".join(said)


def test_an_aunt_with_the_better_places_reads_why_they_do_not_count_in_both_languages() -> None:
    """Second in every game, behind somebody who won one and was last in the others: the mean total decides, not the places."""
    league, players = league_of("Ana", "Ben", "Cai", "Tía Carmen")
    game_on(league, players, date(2026, 3, 3), 100, 90, 80, 85)
    game_on(league, players, date(2026, 3, 4), 10, 400, 300, 200)
    table = season.standings(league.seasons.get())
    aunt = next(line for line in table.ranked if line.name == "Tía Carmen")
    assert (aunt.rank, aunt.mean_place) == (2, Fraction(2))
    said = why.answer(table, aunt, season.why(league.seasons.get(), [aunt.player.pk])[aunt.player.pk])
    assert said.neighbour == (
        "Behind \u2068Ana\u2069: 55.0 against 142.5, and the lower number stands above. "
        "Better than \u2068Ana\u2069 in this, which decides only between equals: mean place."
    )
    assert said.sum == "(85 + 200) ÷ 2 = 142.5"
    with translation.override("es"):
        assert "solo sirve para desempatar: puesto medio" in why.answer(table, aunt, []).neighbour
        assert season.standings(league.seasons.get()).rules[0].startswith("Va primero quien tiene el total medio más bajo")


@pytest.mark.parametrize(
    ("method", "said"),
    [
        ("mean-place", "the lower number stands above"),
        ("place-points", "the higher number stands above"),
        ("best-n", "the lower number stands above"),
    ],
)
def test_a_reason_says_which_number_stands_above(method: Any, said: str) -> None:
    league, players = league_of("Ana", "Ben")
    record_league.add_season(league, plan("One", date(2026, 1, 1), date(2026, 12, 31), Terms(method, best=1)))
    game_on(league, players, date(2026, 3, 3), 10, 20)
    table = season.standings(league.seasons.get())
    assert said in why.answer(table, table.ranked[1], []).neighbour


def test_closing_keeps_the_table_and_closing_again_changes_nothing() -> None:
    league, players = league_of("Ana", "Ben")
    game_on(league, players, date(2025, 3, 3), 10, 20)
    standing = league.seasons.get()
    first = record_league.close_season(standing, None, date(2026, 1, 1))
    assert first.closed_at is not None
    second = record_league.close_season(standing, None, date(2026, 2, 1))
    assert (second.closed_at, second.snapshot) == (first.closed_at, first.snapshot)
    kept = season.closed(second)
    assert kept is not None
    assert kept.standings.lines == season.standings(second).lines
    assert not kept.amended


def test_a_correction_after_the_closing_is_marked_and_the_closed_table_stays(cast: Cast) -> None:
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben")]
    game = game_on(cast.league, players, date(2025, 3, 3), 10, 20)
    standing = record_league.close_season(cast.league.seasons.get(), None, date(2026, 1, 1))
    act(game, "count", hand=1, seat=0, kind="points", points="50", reason="all agreed")
    kept = season.closed(Season.objects.get(pk=standing.pk))
    assert kept is not None
    assert [(line.name, line.value) for line in kept.standings.lines] == [("Ana", Fraction(10)), ("Ben", Fraction(20))]
    assert {item.player.name for item in kept.amended} == {"Ana", "Ben"}
    page = cast.client("viewer").get(reverse("scoring:season", args=[cast.league.slug, standing.pk])).content.decode()
    assert "Amended since it was closed" in page


def test_a_season_is_not_closed_before_its_last_day_is_over_nor_over_a_running_game() -> None:
    league, players = league_of("Ana", "Ben")
    sheet = record.add_sheet(league, "Short", "house", SHORT, By())
    record.start_game(league, sheet, players, 0, By(), client_id="running", on=date(2025, 3, 3))
    standing = league.seasons.get()
    with pytest.raises(Refused, match="season-not-over"):
        record_league.close_season(standing, None, standing.ends)
    with pytest.raises(Refused, match="season-running"):
        record_league.close_season(standing, None, standing.ends + timedelta(days=1))


@pytest.mark.parametrize(("zone", "hour"), [("Europe/Madrid", 22), ("Pacific/Auckland", 10), ("America/Santiago", 2)])
def test_whoever_closes_at_the_party_of_the_last_evening_waits_so_that_its_last_game_is_in_the_table(
    cast: Cast, zone: str, hour: int
) -> None:
    League.objects.filter(pk=cast.league.pk).update(timezone=zone)
    league = League.objects.get(pk=cast.league.pk)
    standing = record_league.add_season(league, plan("Spring", date(2026, 1, 1), date(2026, 5, 31)))
    players = [people.add_player(league, name) for name in ("Ana", "Ben")]
    address = reverse("scoring:season", args=[league.slug, standing.pk])
    close = reverse("scoring:close-season", args=[league.slug, standing.pk])
    owner = cast.client("owner")
    evening = datetime(2026, 5, 31, 23, 55, tzinfo=ZoneInfo(zone))
    with time_machine.travel(evening, tick=False):
        game_on(league, players, record.today(league), 10, 20)
        page = owner.get(address).content.decode()
        assert "can be closed once May 31, 2026 is over" in page
        assert close not in page
        refused = owner.post(close)
        assert refused.status_code == 409
        assert re.search(r'role="alert"[^>]*>[^<]*can be closed from the day after', refused.content.decode())
        last = game_on(league, players, record.today(league), 30, 0)
    with time_machine.travel(evening + timedelta(minutes=10), tick=False):
        assert close in owner.get(address).content.decode()
        assert "is closed: its table stays" in owner.post(close, follow=True).content.decode()
        after = game_on(league, players, record.today(league), 5, 6)
    closed = season.closed(Season.objects.get(pk=standing.pk))
    assert closed is not None
    assert (last.season_id == standing.pk, after.season_id == standing.pk) == (True, False)
    assert [line.games for line in closed.standings.lines] == [2, 2]
    assert not closed.amended


def test_a_closed_season_cannot_be_changed() -> None:
    league, players = league_of("Ana", "Ben")
    game_on(league, players, date(2025, 3, 3), 10, 20)
    standing = record_league.close_season(league.seasons.get(), None, date(2026, 1, 1))
    with pytest.raises(Refused, match="season-closed"):
        record_league.change_season(standing, plan("Other", standing.starts, standing.ends))


def test_the_table_of_all_seasons_adds_them_up() -> None:
    league, players = league_of("Ana", "Ben")
    game_on(league, players, date(2025, 3, 3), 10, 20)
    game_on(league, players, date(2026, 3, 3), 31, 20)
    table = season.all_time(league)
    assert not table.more
    assert [(line.name, line.games, line.value) for line in table.lines] == [("Ben", 2, 20), ("Ana", 2, Fraction(41, 2))]


def test_games_of_the_other_direction_are_not_mixed_into_a_season() -> None:
    league, players = league_of("Ana", "Ben")
    game_on(league, players, date(2026, 3, 3), 10, 20)
    sheet = record.add_sheet(league, "High", "house", {**SHORT, "lowest_wins": False}, By())
    with pytest.raises(Refused, match="season-direction"):
        record.start_game(league, sheet, players, 0, By(), client_id="high", on=date(2026, 4, 4))


def test_input_59_a_rename_reaches_every_game_and_table_old_and_closed(cast: Cast) -> None:
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben")]
    games = [game_on(cast.league, players, date(2025, 3, 3) + timedelta(days=day), 10, 20) for day in range(45)]
    standing = record_league.close_season(cast.league.seasons.get(), None, date(2026, 1, 1))
    client, slug = cast.client("owner"), cast.league.slug
    renamed = client.post(reverse("players:edit-player", args=[slug, players[0].pk]), {"name": "Anita"})
    assert renamed.status_code == 302
    kept = season.closed(Season.objects.get(pk=standing.pk))
    assert kept is not None
    assert [line.player.name for line in kept.standings.lines] == ["Anita", "Ben"]
    addresses = [reverse("scoring:sheet", args=[game.pk]) for game in games[::5]]
    addresses += [reverse(f"scoring:{name}", args=[slug]) for name in ("season", "statistics", "all-time", "games-csv")]
    addresses += [reverse("scoring:player", args=[slug, players[0].pk]), reverse("scoring:season-csv", args=[slug, standing.pk])]
    for address in addresses:
        page = client.get(address).content.decode()
        assert "Anita" in page
        assert not re.search(r"\bAna\b", page)


HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "=1+1",
    "👩‍👩‍👧‍👦🃏",
    "W" * 60,
    "محمد بن عبد الله",
    "@SUM(A1)",
    "-2+3",
    "+1",
    "'; DROP TABLE",
]


def test_input_61_hostile_names_are_shown_as_names_and_run_nowhere(cast: Cast) -> None:
    players = [people.add_player(cast.league, name) for name in HOSTILE[:8]]
    game_on(cast.league, players, date(2026, 3, 3), *range(8))
    game_on(cast.league, players, date(2026, 3, 4), *range(8))
    standing = cast.league.seasons.get()
    client = cast.client("owner")
    for name, args in (
        ("season", [standing.pk]),
        ("statistics", []),
        ("all-time", []),
        ("player", [players[0].pk]),
        ("league", []),
    ):
        page = client.get(reverse(f"scoring:{name}", args=[cast.league.slug, *args])).content.decode()
        assert "<img src=x" not in page
        assert "&lt;img src=x onerror=alert(1)&gt;" in page
    table = client.get(reverse("scoring:season-csv", args=[cast.league.slug, standing.pk])).content.decode("utf-8-sig")
    cells = [line.split(",")[1] for line in table.splitlines()[1:]]
    assert "'=1+1" in cells
    assert not [cell for cell in cells if cell.strip('"').startswith(("=", "+", "-", "@"))]


def test_input_52_a_game_played_outside_the_regular_season_does_not_change_its_table() -> None:
    league, players = league_of("Ana", "Ben")
    record_league.add_season(league, plan("Regular", date(2026, 1, 1), date(2026, 5, 31)))
    record_league.add_season(league, plan("Finals", date(2026, 6, 1), date(2026, 6, 1)))
    game_on(league, players, date(2026, 3, 3), 10, 20)
    regular = league.seasons.get(name="Regular")
    before = season.standings(regular).lines
    game_on(league, players, date(2026, 6, 1), 90, 5)
    assert season.standings(regular).lines == before


def test_a_season_page_asks_the_database_a_bounded_number_of_times(cast: Cast, django_assert_max_num_queries: Any) -> None:
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben", "Cai")]
    for number in range(6):
        game_on(cast.league, players, date(2026, 3, 3) + timedelta(days=number), 10, 20, number)
    client = cast.client("owner")
    for name, args, most in (("season", [], 22), ("statistics", [], 30), ("player", [players[0].pk], 32)):
        with django_assert_max_num_queries(most):
            assert client.get(reverse(f"scoring:{name}", args=[cast.league.slug, *args])).status_code == 200


def test_a_place_that_is_shared_says_so_where_places_make_the_table(cast: Cast) -> None:
    record_league.add_season(cast.league, plan("Year", date(2026, 1, 1), date(2026, 12, 31), Terms("place-points", rising=0)))
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben", "Cai")]
    game_on(cast.league, players, date(2026, 3, 3), 10, 10, 30)
    page = cast.client("viewer").get(reverse("scoring:season", args=[cast.league.slug])).content.decode()
    assert "Equals share what their places are worth." in page
    assert page.count("Place 1 of 3 (shared by 2)") == 2
    assert page.count("75.0") >= 2
    assert "Place 3 of 3 ·" in page


def test_a_season_of_no_games_can_be_closed_and_its_page_stays_useful(cast: Cast) -> None:
    empty = record_league.add_season(cast.league, plan("Old", date(2020, 1, 1), date(2020, 12, 31)))
    client = cast.client("owner")
    closed = client.post(reverse("scoring:close-season", args=[cast.league.slug, empty.pk]), follow=True)
    assert "is closed" in closed.content.decode()
    page = client.get(reverse("scoring:season", args=[cast.league.slug, empty.pk])).content.decode()
    assert "No game of this season is finished" in page
    assert "Amended" not in page


def test_a_suspended_game_that_is_finished_after_its_season_was_closed_is_marked_as_an_amendment(cast: Cast) -> None:
    spring = record_league.add_season(cast.league, plan("Spring", date(2026, 1, 1), date(2026, 5, 31)))
    players = [people.add_player(cast.league, name) for name in ("Ana", "Ben")]
    game_on(cast.league, players, date(2026, 3, 3), 10, 20)
    sheet = cast.league.sheets.get(name="Short")
    game = record.start_game(cast.league, sheet, players, 0, By(), client_id="late", on=date(2026, 5, 30))
    hand(game, 1, 1, 2)
    record.apply(game.pk, "suspend", {"consent": [0, 1]}, By(), client_id="away", on=date(2026, 5, 30))
    closed = record_league.close_season(spring, None, date(2026, 6, 1))
    seated = [player.pk for player in players]
    record.apply(game.pk, "resume", {"players": seated}, By(), client_id="back", on=date(2026, 7, 1))
    hand(game, 2, 30, 0)
    now = season.closed(Season.objects.get(pk=closed.pk))
    assert now is not None
    assert [line.games for line in now.standings.lines] == [1, 1]
    assert {(item.player.name, item.now.games if item.now else 0) for item in now.amended} == {("Ana", 2), ("Ben", 2)}
