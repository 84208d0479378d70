import pytest

from continental.rules.errors import BadQuestion
from continental.rules.keypad import count_keys, keypad
from continental.rules.rulesets import load, preset, preset_ids


def codes(name: object) -> list[str]:
    return [key.code for key in keypad(load(name))]


def test_ranks_are_enough_where_points_hang_on_ranks() -> None:
    assert codes("house") == [*"23456789TJQKA", "JK"]


def test_colours_and_suits_stand_only_where_points_hang_on_them() -> None:
    assert codes("kalooki") == [*"23456789TJQK", "A red", "A black", "JK"]
    assert codes({"base": "house", "points": {"QS": 100}})[10:15] == ["QS", "QH", "QD", "QC", "K"]


def test_there_is_no_joker_key_without_jokers() -> None:
    assert codes("basic")[-1] == "A"


@pytest.mark.parametrize("name", preset_ids())
def test_each_key_counts_its_own_points(name: str) -> None:
    rules = preset(name)
    for key in keypad(rules):
        if key.points is not None:
            assert count_keys(rules, [key.code]).points == key.points


def test_keys_and_faces_may_be_mixed_and_cards_may_be_short() -> None:
    counted = count_keys(preset("house"), ["7", "10", "AH", "JK"], missing=1)
    assert [part.points for part in counted.parts] == [5, 10, 15, 15, 10]


@pytest.mark.parametrize(("name", "key"), [("kalooki", "A"), ("house", "1"), ("house", ""), ("basic", "JK"), ("fifteen", "7")])
def test_a_key_that_decides_nothing_is_refused(name: str, key: str) -> None:
    with pytest.raises(BadQuestion) as refused:
        count_keys(preset(name), ["3", key] if name != "fifteen" else [key])
    assert refused.value.at == ("cards[1]" if name != "fifteen" else "cards[0]")
