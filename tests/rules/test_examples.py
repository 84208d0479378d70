"""The worked examples of the rule book, each judged by the referee."""

from typing import Any

import pytest

from continental.rules import rulesets
from continental.rules.cards import JOKER
from continental.rules.examples import Example, example
from continental.rules.referee import answer

HANDS = [(preset, number) for preset in rulesets.preset_ids() for number in range(1, len(rulesets.preset(preset).hands) + 1)]


def verdict(rules: str | dict[str, Any], number: int, shown: Example) -> dict[str, Any]:
    melds = [" ".join(meld) for meld in shown.melds]
    sheet = rulesets.load(rules)
    hand = sheet.hand(number)
    discard = shown.discard or (None if hand.no_discard else "8C")
    actions: list[dict[str, Any]] = [{"do": "open", "melds": melds}]
    if discard:
        actions.append({"do": "discard", "card": discard})
    return answer(
        {
            "ask": "turn",
            "rules": rules,
            "players": max(4, sheet.players_min),
            "hand": number,
            "table": [],
            "player": "Ana",
            "opened": [],
            "held": " ".join([*melds, discard or ""]),
            "actions": actions,
        }
    )


@pytest.mark.parametrize(("preset", "number"), HANDS)
def test_the_example_is_legal(preset: str, number: int) -> None:
    shown = example(rulesets.preset(preset), number)
    if rulesets.preset(preset).hand(number).contract is None:
        assert shown is None
        return
    assert shown is not None
    judged = verdict(preset, number, shown)
    assert judged["verdict"] == "legal", judged


def test_the_house_examples_have_the_least_cards_of_the_rule_book() -> None:
    house = rulesets.preset("house")
    shown = [example(house, number) for number in range(1, 8)]
    assert [item.cards for item in shown if item] == [6, 7, 8, 9, 10, 11, 12]


def test_the_final_hand_goes_down_whole() -> None:
    for preset in rulesets.preset_ids():
        rules = rulesets.preset(preset)
        for number, hand in enumerate(rules.hands, start=1):
            shown = example(rules, number)
            if shown and hand.all_cards and hand.deal:
                assert shown.cards + (shown.discard is not None) == hand.deal + 1, (preset, number)


def test_a_joker_is_shown_from_the_second_hand_on() -> None:
    house = rulesets.preset("house")
    jokers = [
        sum(card == JOKER for meld in item.melds for card in meld) for number in range(1, 8) if (item := example(house, number))
    ]
    assert jokers == [0, 1, 1, 1, 1, 1, 1]


@pytest.mark.parametrize("contract", ["8S", "8R", "4S 4R", "1P 2S", "1R13", "2R10", "3R6 1P", "1S5 1R7"])
def test_a_leagues_own_contract_has_a_legal_example(contract: str) -> None:
    rules = {"base": "house", "hands": [{"contract": "2S", "deal": 10}, {"contract": contract, "deal": 10}], "decks": 4}
    shown = example(rulesets.load(rules), 2)
    assert shown is not None
    assert verdict(rules, 2, shown)["verdict"] == "legal"
