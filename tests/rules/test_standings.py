from fractions import Fraction

from continental.rules.rulesets import preset
from continental.rules.scores import ABSENT, score_game
from continental.rules.standings import ORDER, Played, Sums, played_lines, standings

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
