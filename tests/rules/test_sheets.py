import json

import pytest

from continental.rules.errors import BadQuestion
from continental.rules.rulesets import load, preset, preset_ids
from continental.rules.sheets import PARAMETERS, Difference, Provenance, differences, parameters, provenance, to_data


@pytest.mark.parametrize("name", preset_ids())
def test_a_sheet_written_out_and_read_again_is_the_same(name: str) -> None:
    assert load(json.loads(json.dumps(to_data(preset(name))))) == preset(name)


def test_a_leagues_sheet_written_out_and_read_again_is_the_same() -> None:
    league = load(
        {
            "base": "fifteen",
            "hands": [{"contract": "1S 1R7 1S", "deal": 10}] * 15,
            "points": {"A red": 1, "A black": 15, "QS": 100},
            "wild": ["JK", "2", "A red", "QS"],
            "decks": {"by_players": {"4": 2, "9": 3}},
            "payouts": [3, -1, -2],
        }
    )
    assert load(to_data(league)) == league


def test_every_parameter_has_a_unit_and_a_meaning() -> None:
    listed = parameters(preset("house"))
    assert tuple(parameter.name for parameter in listed) == PARAMETERS
    assert all(parameter.unit and parameter.about.endswith(".") for parameter in listed)


def test_a_sheet_does_not_differ_from_itself() -> None:
    assert differences(preset("house"), preset("house")) == ()


def test_what_a_league_changes_is_what_differs() -> None:
    league = load({"base": "house", "name": "Tuesday", "points": {"JK": 25}, "twice_around": False})
    found = {item.at: (item.first, item.second) for item in differences(preset("house"), league)}
    assert found == {"points.JK": (15, 25), "twice_around": (True, False)}


def test_hands_differ_one_by_one() -> None:
    found = {item.at: (item.first, item.second) for item in differences(preset("house"), preset("continental"))}
    assert found["hands[0].deal"] == (10, 12)
    assert found["hands[6].all_cards"] == (True, False)
    assert found["wild"] == (["JK"], ["JK", "A red"])
    assert found["decks"] == ({"half_of_players": 1}, {"half_of_players": 2})
    assert "hands[0].contract" not in found


def test_a_game_of_more_hands_says_how_many() -> None:
    first, *_ = [item for item in differences(preset("house"), preset("carioca")) if item.at == "hands"]
    assert isinstance(first, Difference)
    assert (first.first, first.second) == (7, 8)


def test_colours_of_a_rank_differ_apart() -> None:
    found = {item.at: (item.first, item.second) for item in differences(preset("house"), preset("kalooki"))}
    assert found["points.A red"] == (15, 1)
    assert "points.A black" not in found


def test_the_source_of_a_parameter_is_named() -> None:
    assert provenance("house", "decks") == Provenance("source", "house.decks.formula")
    assert provenance("contract", "points") == Provenance("outside")
    assert provenance("contract", "wild_ratio") == Provenance("ruling", "R-85")
    assert provenance("contract", "max_run") == Provenance("default", "c")
    assert provenance("house", "buy_cost") == Provenance("unsaid")


def test_unknown_presets_and_parameters_have_no_source() -> None:
    with pytest.raises(BadQuestion):
        provenance("nonsense", "decks")
    with pytest.raises(BadQuestion):
        provenance("house", "nonsense")
