import pytest
from hypothesis import given
from hypothesis import strategies as st

from continental.rules.errors import BadQuestion
from continental.rules.rulesets import load, preset
from continental.rules.scores import score_game
from continental.rules.settlement import kitty_by_seat, settle

FIFTEEN = preset("fifteen")


def test_the_kitty_goes_to_the_seats_in_the_first_places() -> None:
    assert kitty_by_seat(FIFTEEN, 9, [2, 1, 3, 4]) == (3, 6, 0, 0)
    assert kitty_by_seat(FIFTEEN, 10, [2, 1, 3, 4]) == (3, 7, 0, 0)


def test_players_who_share_a_place_share_what_it_gets() -> None:
    assert kitty_by_seat(FIFTEEN, 9, [1, 1, 3]) == (5, 4, 0)
    assert kitty_by_seat(FIFTEEN, 9, [1, 2, 2]) == (6, 2, 1)


def test_the_part_of_a_place_that_nobody_holds_goes_to_the_winner() -> None:
    assert kitty_by_seat(load({"base": "house", "kitty_split": [3, 2, 1]}), 12, [2, 1]) == (4, 8)


def test_without_a_split_nobody_gets_anything() -> None:
    assert kitty_by_seat(preset("house"), 9, [1, 2]) == (0, 0)
    assert settle(preset("house"), [1, 2]) == (0, 0)


def test_places_get_and_pay_what_the_league_entered() -> None:
    sheet = load({"base": "fifteen", "payouts": [5, 1, -2, -4]})
    assert settle(sheet, [3, 1, 4, 2]) == (-2, 5, -4, 1)
    assert settle(sheet, [1, 2, 2, 4]) == (5, 0, -1, -4)
    with pytest.raises(BadQuestion):
        settle(sheet, [1, 2, 3])


totals = st.lists(st.integers(0, 6), min_size=2, max_size=8)


@given(totals, st.integers(0, 500))
def test_no_penny_is_lost_or_made(points: list[int], kitty: int) -> None:
    sheet = load({"base": "house", "kitty_split": [2, 1], "payouts": [len(points) - 1, *[-1] * (len(points) - 1)]})
    places = score_game(sheet, [points] * 7).places
    assert places is not None
    assert sum(kitty_by_seat(sheet, kitty, places)) == kitty
    assert sum(settle(sheet, places)) == 0
