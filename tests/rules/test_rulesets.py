from typing import Any

import pytest

from continental.rules.errors import BadQuestion
from continental.rules.rulesets import load, preset, preset_ids


def refusal(rules: object) -> str:
    with pytest.raises(BadQuestion) as refused:
        load(rules)
    return refused.value.at


def test_a_name_gives_the_preset() -> None:
    assert load("house") == preset("house")
    assert load({"base": "house"}) == preset("house")


def test_a_league_fills_in_what_the_source_lost() -> None:
    rules = load({"base": "fifteen", "hands": [{"contract": "2R", "deal": 10}]})
    assert rules.hands[0].claims == 0
    assert rules.hands[0].min_run == 4
    assert rules.still_open == ("points",)
    filled = load(
        {"base": "fifteen", "hands": [{"contract": "2R", "deal": 10}], "points": dict.fromkeys("A23456789TJQK", 5) | {"JK": 25}}
    )
    assert filled.ready


def test_what_the_source_says_of_single_hands_holds_when_their_contracts_are_entered() -> None:
    rules = load({"base": "fifteen", "hands": [{"contract": "2S", "deal": 10}] * 15})
    buys = {number: (hand.claims, hand.penalty) for number, hand in enumerate(rules.hands, start=1) if hand.claims}
    assert buys == {12: (2, 1), 13: (2, 1), 14: (1, 0)}
    other = load(
        {"base": "fifteen", "hands": [*[{"contract": "2S", "deal": 10}] * 11, {"contract": "2S", "deal": 10, "claims": 5}]}
    )
    assert other.hands[11].claims == 5


def test_points_replace_only_the_lines_they_name() -> None:
    rules = load({"base": "house", "points": {"JK": 25}})
    assert rules.value("JK") == 25
    assert rules.value("AS") == 15
    assert rules.value("7H") == 5


def test_points_for_a_rank_also_replace_the_lines_for_its_colours() -> None:
    assert load({"base": "kalooki", "points": {"A": 20}}).value("AH") == 20
    assert load({"base": "kalooki", "points": {"A red": 2}}).value("AS") == 15
    assert load({"base": "house", "points": {"QS": 100, "Q": 13}}).value("QS") == 100
    assert load({"base": "house", "points": {"10": 7}}).value("TD") == 7


def test_a_length_of_runs_holds_in_every_hand_that_names_none() -> None:
    assert {hand.min_run for hand in load({"base": "house", "min_run": 3}).hands} == {3}
    assert [hand.min_run for hand in preset("gather").hands] == [3] * 6 + [4]


def test_a_hand_melded_whole_needs_no_discard() -> None:
    rules = load({"base": "house", "hands": [{"contract": "3R", "deal": 12, "no_discard": True}]})
    assert not rules.hands[0].discard_to_go_out


def test_wild_cards_are_read_as_ranks_colours_and_faces() -> None:
    rules = load({"base": "house", "wild": ["JK", "2", "A red", "QS", "10 black"]})
    assert rules.wild == {"JK", "2S", "2H", "2D", "2C", "AH", "AD", "QS", "TS", "TC"}


def test_a_sheet_may_be_named_by_its_league() -> None:
    assert load({"base": "house", "name": "Tuesday"}).name == "Tuesday"


@pytest.mark.parametrize(
    ("rules", "at"),
    [
        (None, "rules"),
        (7, "rules"),
        ([], "rules"),
        ("nonsense", "rules"),
        ("", "rules"),
        ("../house", "rules"),
        ({}, "rules.base"),
        ({"base": None}, "rules.base"),
        ({"base": "nonsense"}, "rules.base"),
        ({"base": "house", "base2": 1}, "rules.base2"),
        ({"base": "house", "id": "mine"}, "rules.id"),
        ({"base": "house", "borrowed": []}, "rules.borrowed"),
        ({"base": "house", "min_run": "4"}, "rules.min_run"),
        ({"base": "house", "min_run": 4.0}, "rules.min_run"),
        ({"base": "house", "min_run": True}, "rules.min_run"),
        ({"base": "house", "min_run": None}, "rules.min_run"),
        ({"base": "house", "min_run": 1}, "rules.min_run"),
        ({"base": "house", "min_run": 10**30}, "rules.min_run"),
        ({"base": "house", "min_run": float("nan")}, "rules.min_run"),
        ({"base": "house", "max_run": 3}, "rules.max_run"),
        ({"base": "house", "max_set": 2}, "rules.max_set"),
        ({"base": "house", "wrap": 1}, "rules.wrap"),
        ({"base": "shanghai", "wrap": True}, "rules.wrap"),
        ({"base": "shanghai", "two_aces": True}, "rules.two_aces"),
        ({"base": "house", "ace": "middle"}, "rules.ace"),
        ({"base": "house", "ace": ["both"]}, "rules.ace"),
        ({"base": "house", "set_naturals": 4}, "rules.set_naturals"),
        ({"base": "house", "decks": 0}, "rules.decks"),
        ({"base": "house", "decks": {"per_deck": 1}}, "rules.decks"),
        ({"base": "house", "decks": {"by_players": {}}}, "rules.decks.by_players"),
        ({"base": "house", "decks": {"by_players": {"4": 0}}}, "rules.decks"),
        ({"base": "house", "decks": {"by_players": {"four": 2}}}, "rules.decks.by_players"),
        ({"base": "house", "jokers": {"per_deck": 99}}, "rules.jokers.per_deck"),
        ({"base": "house", "jokers": {"per_deck": 1, "players_less": 1}}, "rules.jokers"),
        ({"base": "house", "wild": []}, "rules.wild"),
        ({"base": "house", "wild": ["JK", "joker"]}, "rules.wild[1]"),
        ({"base": "house", "wild": "JK"}, "rules.wild"),
        ({"base": "house", "points": {"1": 5}}, "rules.points.1"),
        ({"base": "house", "points": {"JK": "25"}}, "rules.points.JK"),
        ({"base": "house", "points": {"JK": 10**9}}, "rules.points.JK"),
        ({"base": "house", "points": 5}, "rules.points"),
        ({"base": "house", "hands": "2S"}, "rules.hands"),
        ({"base": "house", "hands": [{"contract": "2S", "deal": 10}] * 31}, "rules.hands"),
        ({"base": "house", "hands": ["2S"]}, "rules.hands[0]"),
        ({"base": "house", "hands": [{"deal": 10}]}, "rules.hands[0].contract"),
        ({"base": "house", "hands": [{"contract": "2S"}]}, "rules.hands[0].deal"),
        ({"base": "house", "hands": [{"contract": 2, "deal": 10}]}, "rules.hands[0].contract"),
        ({"base": "house", "hands": [{"contract": "2S", "deal": 10}, {"contract": "2Z", "deal": 10}]}, "rules.hands[1].contract"),
        ({"base": "house", "hands": [{"contract": "2S", "deal": 400}]}, "rules.hands[0].deal"),
        ({"base": "house", "hands": [{"contract": "2S", "deal": 10, "wild": ["2"]}]}, "rules.hands[0].wild"),
        ({"base": "house", "hands": [{"contract": "1R14", "deal": 10}]}, "rules.hands[0].contract"),
        (
            {"base": "house", "hands": [{"contract": "3R", "deal": 12, "no_discard": True, "discard_to_go_out": True}]},
            "rules.hands[0].discard_to_go_out",
        ),
        ({"base": "house", "payouts": [3, -1]}, "rules.payouts"),
        ({"base": "house", "kitty_split": [-1, 2]}, "rules.kitty_split"),
        ({"base": "house", "players_min": 9, "players_max": 4}, "rules.players_max"),
        ({"base": "house", "progress": "individual"}, "rules.progress"),
        ({"base": "house", "teams": True}, "rules.teams"),
        ({"base": "house", "name": ""}, "rules.name"),
        ({"base": "house", "name": "x" * 50_000}, "rules"),
        ({"base": "house", "wild": {"JK": {"JK"}}}, "rules"),
    ],
)
def test_nonsense_is_refused_with_its_place(rules: Any, at: str) -> None:
    assert refusal(rules) == at


def test_deep_nesting_and_circles_are_refused() -> None:
    deep: Any = []
    for _ in range(10_000):
        deep = [deep]
    assert refusal({"base": "house", "wild": deep}) == "rules"
    circle: dict[str, Any] = {"base": "house"}
    circle["wild"] = circle
    assert refusal(circle) == "rules"


def test_a_place_starts_where_the_caller_says() -> None:
    with pytest.raises(BadQuestion) as refused:
        load({"base": "house", "min_run": 0}, "sheets[3]")
    assert refused.value.at == "sheets[3].min_run"


def test_a_rule_set_without_its_hands_has_no_first_hand() -> None:
    with pytest.raises(BadQuestion, match="enter them before play"):
        preset("fifteen").hand(1)


@pytest.mark.parametrize(("name", "number"), [("house", 0), ("house", 8), ("house", -1), ("basic", 0)])
def test_a_hand_that_the_game_does_not_have_is_refused(name: str, number: int) -> None:
    with pytest.raises(BadQuestion):
        preset(name).hand(number)


def test_a_game_played_to_a_target_goes_on_with_hands_alike() -> None:
    assert preset("basic").hand(25) == preset("basic").hand(1)


def test_presets_are_equal_only_to_themselves() -> None:
    sheets = [preset(name) for name in preset_ids()]
    assert all((one == other) == (one is other) for one in sheets for other in sheets)
