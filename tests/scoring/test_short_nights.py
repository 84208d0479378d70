"""Short nights, on the terms that the season agreed on before its first game."""

import json
import uuid
from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from django.urls import reverse

from continental.rules.standing_methods import METHODS, Method, Terms
from players.models import League, Player
from scoring import archive, archive_reading, figures, league_figures, preview, record, record_archive, record_league, season
from scoring.models import Game, PlayerSeason, Season, Seat
from scoring.policies import Policies
from scoring.record import By
from scoring.record_league import SeasonPlan
from scoring.state import Refused
from tests.cast import Cast
from tests.scoring.page_numbers import PageNumbers
from tests.scoring.recount import assert_recounted
from tests.scoring.tables import act, hand

pytestmark = pytest.mark.django_db

FOUR_HANDS = {
    "hands": [
        {"contract": "2S", "deal": 7},
        {"contract": "1S 1R", "deal": 8},
        {"contract": "2R", "deal": 9},
        {"contract": "3S", "deal": 10},
    ]
}
SCALED = Policies(short_nights="scaled", short_hands=2)


def season_with(league: League, policies: Policies, terms: Terms | None = None) -> tuple[Season, list[Player]]:
    """A season on these terms, and the people of its league."""
    made = record_league.add_season(
        league, SeasonPlan("Year", date(2026, 1, 1), date(2026, 12, 31), terms or Terms(drop_every=0), policies)
    )
    return made, [Player.objects.get_or_create(league=league, name=name)[0] for name in ("Ana", "Ben", "Cai")]


def night(league: League, players: list[Player], *hands: tuple[int | str, ...], day: int = 1, **sheet: Any) -> Game:
    """A game of four hands that is ended after these."""
    rules = league.sheets.filter(name="Four", overrides={**FOUR_HANDS, **sheet}).first()
    rules = rules or record.add_sheet(league, "Four", "house", {**FOUR_HANDS, **sheet}, By())
    key = f"night-{league.pk}-{Game.objects.count()}"
    game = record.start_game(league, rules, players, 0, By(), client_id=key, on=date(2026, 3, day))
    for number, scores in enumerate(hands, start=1):
        hand(game, number, *scores)
    if len(hands) < 4:
        act(game, "finish")
    return Game.objects.get(pk=game.pk)


def full_and_short(league: League, players: list[Player]) -> tuple[Game, Game]:
    """A full game of 100, 140 and 180 points, and one of three hands of 60, 80 and 101."""
    full = night(league, players, (25, 35, 45), (25, 35, 45), (25, 35, 45), (25, 35, 45), day=1)
    return full, night(league, players, (20, 30, 41), (20, 25, 30), (20, 25, 30), day=2)


@pytest.mark.parametrize(
    ("policies", "values"),
    [
        (Policies(), [100, 140, 180]),
        (Policies(short_nights="counts", short_hands=2), [80, 110, Fraction(281, 2)]),
        (Policies(short_nights="counts", short_hands=4), [100, 140, 180]),
        (SCALED, [90, Fraction(370, 3), Fraction(472, 3)]),
        (Policies(short_nights="scaled", short_hands=4), [100, 140, 180]),
    ],
)
def test_a_short_night_is_void_or_counts_or_is_scaled_as_was_agreed(
    cast: Cast, policies: Policies, values: list[Fraction]
) -> None:
    made, players = season_with(cast.league, policies)
    _full, short = full_and_short(cast.league, players)
    assert [line.value for line in season.standings(made).lines] == values
    assert short.status == ("finished" if policies.short_hands == 2 else "void")
    assert list(short.seats.values_list("place", flat=True)) == ([1, 2, 3] if policies.short_hands == 2 else [None] * 3)
    assert record.rebuild(short.pk) == 0
    assert_recounted(cast.league)


def test_a_suspended_game_that_its_year_ran_out_on_and_a_struck_one_are_no_short_nights(cast: Cast) -> None:
    made, players = season_with(cast.league, SCALED)
    _full, struck = full_and_short(cast.league, players)
    act(struck, "strike", reason="a pack lacked the nines")
    lapsed = record.start_game(cast.league, struck.sheet, players, 0, By(), client_id="lapsed", on=date(2026, 5, 5))
    for number in (1, 2, 3):
        hand(lapsed, number, 10, 20, 30)
    record.apply(lapsed.pk, "suspend", {"consent": [0, 1, 2]}, By(), client_id="away", on=date(2026, 5, 5))
    record.apply(lapsed.pk, "finish", {}, By(), client_id="late", on=date(2027, 1, 1))
    assert set(Game.objects.exclude(pk=_full.pk).values_list("status", flat=True)) == {"void"}
    assert [line.games for line in season.standings(made).lines] == [1, 1, 1]
    assert_recounted(cast.league)


def test_a_game_to_a_target_has_no_full_number_of_hands_and_counts_as_it_is(cast: Cast) -> None:
    made, players = season_with(cast.league, SCALED)
    night(cast.league, players, (20, 30, 41), (20, 25, 30), target=500)
    assert [line.value for line in season.standings(made).lines] == [40, 55, 71]


def test_corrections_penalties_and_substitutes_of_a_short_night_are_scaled_with_it(cast: Cast) -> None:
    made, players = season_with(cast.league, SCALED)
    _full, short = full_and_short(cast.league, players)
    act(short, "count", hand=1, seat=0, kind="points", points="21", reason="misread")
    assert PlayerSeason.objects.get(season=made, player=players[0]).value == Fraction(100 + Fraction(4 * 61, 3)) / 2
    leaver = record.start_game(cast.league, short.sheet, players, 0, By(), client_id="leaver", on=date(2026, 4, 4))
    hand(leaver, 1, 10, 20, 30)
    act(leaver, "leave", seat=2)
    hand(leaver, 2, 10, 21, "absent")
    act(leaver, "finish")
    assert [seat.points for seat in leaver.seats.order_by("number")] == [40, 82, 122]
    assert_recounted(cast.league)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_orders_scaled_games_and_a_player_page_gives_the_same_place(cast: Cast, method: Method) -> None:
    made, players = season_with(cast.league, SCALED, Terms(method, rising=0, drop_every=2, best=2))
    full_and_short(cast.league, players)
    night(cast.league, players, (33, "out", 20), (3, 40, "out"), day=3)
    night(cast.league, players, ("out", 33, 20), (40, 3, "out"), day=4)
    table = season.standings(made)
    for line in table.lines:
        (_season, own) = season.of_player(line.player)[0]
        assert own == line
    assert preview.of(made, SCALED).by(Terms.read(made.terms)).lines == table.lines
    behind = season.why(made, [player.pk for player in players])
    for line in table.lines:
        assert sum(game.is_scaled for game in behind[line.player.pk]) == 3
    assert_recounted(cast.league)


def test_the_worst_game_that_is_left_out_and_the_best_that_are_kept_are_so_after_scaling(cast: Cast) -> None:
    _made, players = season_with(cast.league, SCALED, Terms("best-n", rising=0, best=1))
    full, short = full_and_short(cast.league, players)
    assert [seat.points for seat in short.seats.order_by("number")] == [80, Fraction(320, 3), Fraction(404, 3)]
    night(cast.league, players, (45, 1, 1), (45, 1, 1), day=3)
    dropping = {item.game.pk: item.counts for item in season.why(_made, [players[0].pk])[players[0].pk]}
    assert dropping == {full.pk: False, short.pk: True, Game.objects.latest("pk").pk: False}


def test_a_policy_is_tried_on_games_that_counted_otherwise_and_nothing_is_written(cast: Cast) -> None:
    made, players = season_with(cast.league, Policies())
    full_and_short(cast.league, players)
    before = list(PlayerSeason.objects.values()), list(Seat.objects.values())
    tried = {
        (policies.short_nights, policies.short_hands): preview.of(made, policies).by(Terms.read(made.terms))
        for policies in (Policies(), SCALED, Policies(short_nights="counts", short_hands=3), Policies(short_nights="scaled"))
    }
    assert [line.value for line in tried["void", 5].lines] == [100, 140, 180]
    assert [line.value for line in tried["scaled", 2].lines] == [90, Fraction(370, 3), Fraction(472, 3)]
    assert [line.value for line in tried["counts", 3].lines] == [80, 110, Fraction(281, 2)]
    assert tried["scaled", 5].lines == tried["void", 5].lines
    assert [table.games for table in tried.values()] == [1, 2, 2, 1]
    assert before == (list(PlayerSeason.objects.values()), list(Seat.objects.values()))


def test_the_form_offers_the_policy_previews_it_and_keeps_it(cast: Cast) -> None:
    _made, players = season_with(cast.league, Policies())
    full_and_short(cast.league, players)
    client, address = cast.client("owner"), reverse("scoring:new-season", args=[cast.league.slug])
    page = client.get(address).content.decode()
    assert 'name="short_nights" value="scaled"' in page
    assert "120 × 7 ÷ 4 = 210" in page
    sent = {
        "name": "Next",
        "starts": "2027-01-01",
        "ends": "2027-12-31",
        "method": "mean-total",
        "drop_every": "0",
        "rising": "0",
        "qualifying": "1",
        "best": "5",
        "substitutes": "own",
        "guests": "ranked",
        "late_joiners": "refused",
        "short_nights": "scaled",
        "short_hands": "2",
    }
    tried = PageNumbers(client.post(address, {**sent, "do": "try"}).content.decode()).rows("preview")
    assert [row[1:4] for row in tried] == [["Ana", "90.0", "2"], ["Ben", "123.3", "2"], ["Cai", "157.3", "2"]]
    assert client.post(address, {**sent, "do": "keep"}).status_code == 302
    kept = cast.league.seasons.get(name="Next")
    assert Policies.read(kept.policies) == Policies(short_nights="scaled", short_hands=2, late_joiners="refused")


def test_the_policy_is_fixed_by_the_first_game(cast: Cast) -> None:
    made, players = season_with(cast.league, SCALED)
    full_and_short(cast.league, players)
    other = SeasonPlan("Year", made.starts, made.ends, Terms.read(made.terms), Policies(short_nights="counts", short_hands=2))
    with pytest.raises(Refused, match="season-begun"):
        record_league.change_season(made, other)


def test_the_season_page_prints_the_policy_and_every_row_the_scaling_of_its_games(cast: Cast) -> None:
    made, players = season_with(cast.league, SCALED)
    full_and_short(cast.league, players)
    page = cast.client("viewer").get(reverse("scoring:season", args=[cast.league.slug, made.pk])).content.decode()
    for words in (
        "divided by the hands played",
        "Enough are 2.",
        "Every hand weighs the same, whatever its contract",
        "3 hands of 4",
        "60 × 4 ÷ 3 = 80",
        "80 × 4 ÷ 3 = 106.7",
        "(140 + 106.7) ÷ 2 = 123.3",
    ):
        assert words in page
    rows = [row for row in PageNumbers(page).rows("") if len(row) > 1]
    assert [row[1:3] + row[-2:-1] for row in rows] == [
        ["Ana", "90.0", "80"],
        ["Ben", "123.3", "106.7"],
        ["Cai", "157.3", "134.7"],
    ]


def test_the_score_sheet_keeps_the_points_of_the_table_and_says_how_the_season_counts_them(cast: Cast) -> None:
    _made, players = season_with(cast.league, SCALED)
    full, short = full_and_short(cast.league, players)
    client = cast.client("viewer")
    assert "× 4 ÷ 3, as of a full game" in client.get(f"/g/{short.pk}/sheet/").content.decode()
    assert "÷" not in client.get(f"/g/{full.pk}/sheet/").content.decode()


@pytest.mark.parametrize(
    ("policies", "hands", "said"),
    [
        (Policies(), 2, "the game is void and counts nowhere"),
        (SCALED, 1, "too few hands were played"),
        (SCALED, 2, "Ended now, it counts so"),
    ],
)
def test_whoever_ends_a_game_early_reads_first_what_it_will_be(cast: Cast, policies: Policies, hands: int, said: str) -> None:
    _made, players = season_with(cast.league, policies)
    sheet = record.add_sheet(cast.league, "Four", "house", FOUR_HANDS, By())
    game = record.start_game(cast.league, sheet, players, 0, By(), client_id="one", on=date(2026, 3, 3))
    for number in range(1, hands + 1):
        hand(game, number, 10, 20, 30)
    page = cast.client("scorekeeper").get(f"/g/{game.pk}/more/").content.decode()
    assert said in page
    assert ("the game is void and counts nowhere" in page) == (said != "Ended now, it counts so")


def test_statistics_speak_of_games_as_their_seasons_count_them(cast: Cast) -> None:
    made, players = season_with(cast.league, SCALED)
    full, short = full_and_short(cast.league, players)
    for of in (made, None):
        league = league_figures.of_league(cast.league, of)
        assert league.lowest_game is not None
        assert league.highest_game is not None
        assert (league.lowest_game.value, league.lowest_game.game) == (80, short)
        assert (league.highest_game.value, league.highest_game.game) == (180, full)
        found = figures.of_player(players[1], of)
        assert found.best_game is not None
        assert found.best_game.total == Fraction(320, 3)
        assert found.mean_total.value == Fraction(370, 3)
        assert found.progress == [140, Fraction(370, 3)]
        assert {met.player.name: met.points for met in found.meetings} == {
            "Ana": -40 - Fraction(80, 3),
            "Cai": 40 + Fraction(4 * 21, 3),
        }
    (progress,) = league_figures.progress_of(made, [players[2]])
    assert progress == [180, Fraction(472, 3)]
    whole = season.all_time(cast.league)
    assert [line.mean_total for line in whole.lines] == [90, Fraction(370, 3), Fraction(472, 3)]
    page = cast.client("viewer").get(reverse("scoring:player", args=[cast.league.slug, players[1].pk])).content.decode()
    numbers = PageNumbers(page)
    assert numbers.terms["Best game"] == "106.7"
    assert [row[-1] for row in numbers.rows("meetings")] == ["-66.7", "68"]


def test_hands_of_a_short_night_count_as_they_were_played(cast: Cast) -> None:
    made, players = season_with(cast.league, SCALED)
    full_and_short(cast.league, players)
    found = figures.of_player(players[0], made)
    assert (found.hands.hands, found.hands.points) == (7, 160)


def test_a_closed_season_keeps_its_scaled_points_and_another_site_reads_the_same(cast: Cast) -> None:
    made, players = season_with(cast.league, SCALED)
    full_and_short(cast.league, players)
    record_league.close_season(made, None, date(2027, 1, 1))
    made.refresh_from_db()
    kept = season.closed(made)
    assert kept is not None
    assert made.snapshot is not None
    assert made.snapshot["policies"] == SCALED.data()
    assert kept.standings.lines == season.standings(made).lines
    assert not kept.amended
    data = json.loads(json.dumps(archive.league_data(cast.league)))
    League.objects.filter(pk=cast.league.pk).update(uid=uuid.uuid4())
    copy = record_archive.read_in(archive_reading.read(json.dumps(data).encode()), cast.owner)
    there = season.closed(copy.seasons.get())
    assert there is not None
    assert there.standings.policies == SCALED
    ours, theirs = ([(line.name, line.value, line.best, line.total) for line in one.standings.lines] for one in (kept, there))
    assert ours == theirs
    assert [line.value for line in season.standings(copy.seasons.get()).lines] == [90, Fraction(370, 3), Fraction(472, 3)]


def test_a_table_taken_away_has_the_scaled_points(cast: Cast) -> None:
    made, players = season_with(cast.league, SCALED)
    full_and_short(cast.league, players)
    address = reverse("scoring:season-csv", args=[cast.league.slug, made.pk])
    lines = cast.client("viewer").get(address).content.decode("utf-8-sig").splitlines()
    assert lines[2] == "2,Ben,123.3333,2,2,123.3333,2,0,106.6667,0"


def test_a_game_that_is_played_to_its_end_after_all_is_scaled_no_more(cast: Cast) -> None:
    made, players = season_with(cast.league, SCALED)
    _full, short = full_and_short(cast.league, players)
    act(short, "undo", target=short.rev)
    hand(short, 4, 1, 2, 3)
    assert [seat.points for seat in short.seats.order_by("number")] == [61, 82, 104]
    assert set(short.seats.values_list("scaled_from", "scaled_to")) == {(1, 1)}
    assert [line.value for line in season.standings(made).lines] == [Fraction(161, 2), 111, 142]
    assert_recounted(cast.league)
