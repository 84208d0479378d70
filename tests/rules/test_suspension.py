from datetime import date
from itertools import permutations

import pytest

from continental.rules.errors import BadQuestion
from continental.rules.suspension import Resumption, judge_resumption, same_circle

START, LATER, NEXT_YEAR = date(2024, 3, 3), date(2024, 12, 31), date(2025, 1, 1)
SEATS = ["Ana", "Ben", "Cai", "Dot"]


def judge(now: list[str], on: date = LATER) -> Resumption:
    return judge_resumption(START, on, SEATS, now)


def test_the_last_day_of_the_year_is_in_time() -> None:
    assert judge(SEATS).verdict == "resume"
    assert judge(SEATS, NEXT_YEAR).verdict == "void"


def test_the_year_decides_before_anything_else() -> None:
    assert judge(["Ana", "Eve"], NEXT_YEAR).verdict == "void"


def test_everybody_must_be_there() -> None:
    assert judge(["Ana", "Cai"]) == Resumption("wait", absent=("Ben", "Dot"))
    assert judge([]).absent == tuple(SEATS)


def test_a_stranger_takes_nobodys_place() -> None:
    assert judge(["Ana", "Ben", "Cai", "Eve"]) == Resumption("wait", absent=("Dot",), strangers=("Eve",))
    assert judge([*SEATS, "Eve"]) == Resumption("reseat", strangers=("Eve",))


def test_a_rotation_is_the_same_seating_and_every_other_order_is_not() -> None:
    rotations = [(*SEATS[turn:], *SEATS[:turn]) for turn in range(4)]
    for order in permutations(SEATS):
        assert same_circle(SEATS, order) == (order in rotations)
        assert judge(list(order)).verdict == ("resume" if order in rotations else "reseat")


def test_a_game_stopped_in_mid_hand_says_so() -> None:
    assert not judge_resumption(START, LATER, SEATS, SEATS, between_hands=False).between_hands


def test_a_name_cannot_sit_twice() -> None:
    with pytest.raises(BadQuestion) as refused:
        judge(["Ana", "Ben", "Cai", "Ben"])
    assert refused.value.at == "now[3]"
    with pytest.raises(BadQuestion) as refused:
        judge_resumption(START, LATER, ["Ana", "Ana"], SEATS)
    assert refused.value.at == "seats[1]"


def test_a_game_cannot_go_on_before_it_started() -> None:
    with pytest.raises(BadQuestion) as refused:
        judge(SEATS, date(2024, 3, 2))
    assert refused.value.at == "on"
