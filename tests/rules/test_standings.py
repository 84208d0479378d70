from fractions import Fraction
from math import lcm

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continental.rules.rulesets import preset
from continental.rules.scores import ABSENT, score_game
from continental.rules.standing_methods import METHODS, Line, Method, Result, Terms, order, score
from continental.rules.standings import (
    MOST_SCALED,
    ORDER,
    Played,
    Sums,
    as_counted,
    played_lines,
    standings,
    to_full_length,
)

HOUSE = preset("house")


def table(lines: dict[str, list[Played]], minimum_games: int = 1) -> list[tuple[int | None, str]]:
    rows = standings({name: (name, Sums.of(played)) for name, played in lines.items()}, minimum_games=minimum_games)
    return [(row.rank, row.name) for row in rows]


def test_sums_hold_what_the_table_shows() -> None:
    sums = Sums.of([Played(100, 1, 3), Played(250, 3, 1)])
    (row,) = standings({1: ("Ana", sums)})
    assert (row.mean_total, row.mean_place) == (Fraction(175), Fraction(2))
    assert (row.games, row.wins, row.best, row.hands_out) == (2, 1, 100, 4)


def test_the_lowest_mean_leads() -> None:
    assert table({"Ana": [Played(200, 1)], "Ben": [Played(100, 2)]}) == [(1, "Ben"), (2, "Ana")]


def test_the_highest_mean_leads_where_the_highest_wins() -> None:
    rows = standings({"a": ("Ana", Sums.of([Played(200, 1)])), "b": ("Ben", Sums.of([Played(100, 2)]))}, lowest_wins=False)
    assert [row.name for row in rows] == ["Ana", "Ben"]
    assert rows[0].best == 200


def test_equal_fractions_are_equal() -> None:
    three = [Played(41, 2), Played(41, 2), Played(42, 2)]
    six = [*three, *three]
    rows = standings({"a": ("Ana", Sums.of(three)), "b": ("Ben", Sums.of(six))})
    assert rows[0].mean_total == rows[1].mean_total == Fraction(124, 3)
    assert [row.rank for row in rows] == [1, 1]


def test_each_tie_break_decides_only_where_those_before_are_equal() -> None:
    assert ORDER == ("mean-total", "mean-place", "wins", "best", "hands-out")
    by_place = {"Ana": [Played(100, 2)], "Ben": [Played(100, 1)]}
    by_wins = {"Ana": [Played(100, 2), Played(100, 2)], "Ben": [Played(100, 1), Played(100, 3)]}
    by_best = {"Ana": [Played(100, 1), Played(100, 1)], "Ben": [Played(90, 1), Played(110, 1)]}
    by_hands = {"Ana": [Played(100, 1, 2)], "Ben": [Played(100, 1, 3)]}
    for lines in (by_place, by_wins, by_best, by_hands):
        assert table(lines) == [(1, "Ben"), (2, "Ana")]


def test_who_is_equal_in_everything_shares_a_rank_and_stands_by_name() -> None:
    same = [Played(150, 2, 1)]
    lines = {"Cai": same, "ana": same, "Ben": same, "Dot": [Played(100, 1)], "Eve": [Played(180, 4)]}
    assert table(lines) == [(1, "Dot"), (2, "ana"), (2, "Ben"), (2, "Cai"), (5, "Eve")]


def test_a_player_without_a_counted_game_is_not_in_the_table() -> None:
    assert table({"Ana": [Played(100, 1)], "Ben": []}) == [(1, "Ana")]
    assert table({}) == []


def test_too_few_games_stand_below_without_a_rank() -> None:
    lines = {"Ana": [Played(300, 3)] * 3, "Ben": [Played(10, 1)]}
    assert table(lines, minimum_games=3) == [(1, "Ana"), (None, "Ben")]


def test_unfinished_and_void_games_count_nothing() -> None:
    assert played_lines(score_game(HOUSE, [[0, 30]] * 6)) == ()
    assert played_lines(score_game(HOUSE, [*[[0, 30]] * 6, [0, ABSENT]])) == ()


def test_a_finished_game_gives_every_seat_a_line() -> None:
    assert played_lines(score_game(HOUSE, [[0, 30]] * 7)) == (Played(0, 1, 7), Played(210, 2, 0))


# ---------------------------------------------------------------------------------------------------------------------
# Short nights scaled to full length


@pytest.mark.parametrize(
    ("played", "hands", "factor"),
    [(4, 7, Fraction(7, 4)), (1, 15, 15), (6, 7, Fraction(7, 6)), (7, 7, 1), (0, 7, 1), (3, None, 1), (10, MOST_SCALED + 1, 1)],
)
def test_a_short_night_is_scaled_by_the_hands_of_the_sheet_over_those_played(
    played: int, hands: int | None, factor: Fraction | int
) -> None:
    assert to_full_length(played, hands) == factor


def test_120_points_after_4_hands_of_7_are_210() -> None:
    assert as_counted(120, 4, 7) == 210
    assert as_counted(121, 4, 7) == Fraction(847, 4)
    assert isinstance(as_counted(120, 1, 1), int)


@given(totals=st.lists(st.integers(-50, 900), min_size=2, max_size=8), played=st.integers(1, 19), more=st.integers(1, 19))
def test_scaling_changes_no_place_and_keeps_the_sum_of_two_totals_their_sum(totals: list[int], played: int, more: int) -> None:
    hands = min(played + more, MOST_SCALED)
    scaled = [as_counted(total, played, hands) for total in totals]
    places, after = ([sum(other < mine for other in some) for mine in some] for some in (totals, scaled))
    assert places == after
    assert scaled[0] + scaled[1] == as_counted(totals[0] + totals[1], played, hands)


@given(games=st.lists(st.tuples(st.integers(0, 900), st.integers(1, 7)), min_size=1, max_size=30))
def test_sums_of_scaled_games_are_exact_and_whole_in_their_parts(games: list[tuple[int, int]]) -> None:
    sums = Sums.of([Result(as_counted(total, played, 7), 1, 4) for total, played in games])
    assert sums.total == sum(Fraction(7 * total, played) for total, played in games)
    for points in (sums.total, sums.lowest, sums.highest):
        assert points is not None
        assert (points * sums.parts) % 1 == 0
    assert lcm(*range(1, 8)) % sums.parts == 0


@given(
    lines=st.lists(st.lists(st.tuples(st.integers(0, 90), st.integers(1, 7)), min_size=1, max_size=5), min_size=2, max_size=8),
    method=st.sampled_from(METHODS),
    lowest_wins=st.booleans(),
)
def test_a_table_of_scaled_games_is_ordered_as_its_exact_fractions_are(
    lines: list[list[tuple[int, int]]], method: Method, *, lowest_wins: bool
) -> None:
    terms = Terms(method, rising=0, best=1)
    played = {at: [Result(as_counted(total, hands, 7), 1 + total % 3, 4) for total, hands in own] for at, own in enumerate(lines)}
    values = {at: score(terms, own, lowest_wins=lowest_wins).value for at, own in played.items()}
    table = order(
        terms, [Line(at, str(at), Sums.of(own), values[at], len(own)) for at, own in played.items()], 9, lowest_wins=lowest_wins
    )
    sign, points = (1 if terms.less_is_better(lowest_wins=lowest_wins) else -1), (1 if lowest_wins else -1)

    def exact(at: int) -> tuple[Fraction, ...]:
        own = played[at]
        mean = points * Fraction(sum(Fraction(one.total) for one in own), len(own))
        place = Fraction(sum(one.place for one in own), len(own))
        wins = Fraction(-sum(one.place == 1 for one in own))
        best = min(points * Fraction(one.total) for one in own)
        return (sign * values[at], *((mean, wins) if method in {"mean-place", "place-points"} else (place, wins)), best)

    keys = {at: exact(at) for at in played}
    assert [row.rank for row in table] == [1 + sum(other < keys[row.player] for other in keys.values()) for row in table]
    assert [keys[row.player] for row in table] == sorted(keys.values())
