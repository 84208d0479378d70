from random import Random

import pytest

from continental.rules.draw import Drawn, draw_cards, judge_draw, judge_rounds
from continental.rules.errors import BadQuestion
from continental.rules.rulesets import preset

HOUSE = preset("house")


def test_the_highest_card_deals_and_the_ace_is_high() -> None:
    assert judge_draw(HOUSE, ["KH", "AS", "2D"]) == Drawn(1)


def test_the_lowest_card_deals_where_the_rules_say_so() -> None:
    assert judge_draw(preset("gather"), ["KH", "AS", "2D"]) == Drawn(2)


def test_suits_part_nobody_and_only_the_tied_draw_again() -> None:
    assert judge_draw(HOUSE, ["KH", "KH", "2D", "KS"]) == Drawn(None, (0, 1, 3))
    assert judge_draw(HOUSE, ["4H", "9D", None, "4S"]) == Drawn(1)


def test_a_joker_draws_again_before_anything_is_decided() -> None:
    assert judge_draw(HOUSE, ["JK", "AH", "AD", "JK"]) == Drawn(None, (0, 3))


def test_somebody_must_draw() -> None:
    with pytest.raises(BadQuestion):
        judge_draw(HOUSE, [None, None])


def test_a_draw_goes_on_round_by_round() -> None:
    rounds = [{0: "KH", 1: "JK", 2: "KD"}, {1: "3S"}, {0: "JK", 2: "5D"}, {0: "4C"}]
    assert [judge_rounds(HOUSE, 3, rounds[:count]) for count in range(5)] == [
        Drawn(None, (0, 1, 2)),
        Drawn(None, (1,)),
        Drawn(None, (0, 2)),
        Drawn(None, (0,)),
        Drawn(2),
    ]


@pytest.mark.parametrize("rounds", [[{0: "KH"}], [{0: "KH", 1: "2D"}, {0: "3H"}], [{0: "KH", 1: "KD"}, {1: "3H"}]])
def test_a_round_is_for_those_who_must_draw(rounds: list[dict[int, str]]) -> None:
    with pytest.raises(BadQuestion, match="round"):
        judge_rounds(HOUSE, 2, rounds)


def test_the_site_can_draw_from_the_whole_pack() -> None:
    drawn = draw_cards(HOUSE, 4, [1, 3], Random(7))
    assert set(drawn) == {1, 3}
    assert drawn == draw_cards(HOUSE, 4, [1, 3], Random(7))
    many = draw_cards(HOUSE, 4, range(5000), Random(1))
    assert set(many.values()) >= {"JK", "AS", "2C"}
