"""Whole games from real packs: every turn is legal, no card is lost or made up, and hands end as the rules say."""

from collections import Counter
from random import Random

import pytest

from continental.rules import simulator
from continental.rules.deals import cards_each, pack
from continental.rules.referee import answer
from continental.rules.rulesets import load
from continental.rules.scores import count_cards
from continental.rules.simulator import SimulatedHand, play_game, play_hand
from continental.rules.solver import TooLarge


@pytest.fixture(scope="module")
def game() -> list[SimulatedHand]:
    return play_game("house", 4, Random(11))


def test_a_game_has_all_its_hands_and_the_deal_goes_round(game: list[SimulatedHand]) -> None:
    assert [hand.number for hand in game] == [1, 2, 3, 4, 5, 6, 7]
    assert [hand.dealer for hand in game] == [0, 1, 2, 3, 0, 1, 2]


def test_every_turn_is_judged_legal_when_it_is_put_to_the_referee_again(game: list[SimulatedHand]) -> None:
    turns = [turn for hand in game for turn in hand.turns]
    assert len(turns) > 100
    for turn in turns:
        assert answer(turn.question) == turn.verdict
        assert turn.verdict["verdict"] == "legal"


def test_no_card_is_lost_or_made_up(game: list[SimulatedHand]) -> None:
    for hand in game:
        held = Counter(card for cards in hand.left for card in cards)
        laid = Counter(token.partition("=")[0] for meld in hand.table for token in meld["cards"].split())
        assert held + laid + Counter(hand.pile) == Counter(pack(load("house"), 4))


def test_a_hand_ends_as_the_rules_say(game: list[SimulatedHand]) -> None:
    for hand in game:
        if hand.ended == "out":
            assert hand.out is not None
            assert hand.left[hand.out] == []
            assert hand.turns[-1].verdict["goes_out"]
        elif hand.ended == "stock":
            assert hand.stock_turned == load("house").stock_turnovers + 1
            assert all(hand.left)
        else:
            assert hand.ended == "twice-around"
            assert len(hand.opened) == 4
            assert hand.twice_around == 8


def test_in_the_last_hand_of_the_house_one_player_goes_down_and_ends_it(game: list[SimulatedHand]) -> None:
    last = game[-1]
    assert len(last.opened) <= 1
    if last.opened:
        assert last.turns[-1].verdict["ends_game"]


def test_the_points_left_are_what_a_count_gives(game: list[SimulatedHand]) -> None:
    rules = load("house")
    for hand in game:
        for left in hand.left:
            asked = answer({"ask": "count", "rules": "house", "cards": " ".join(left), "missing": 0})
            assert asked["points"] == sum(count_cards(rules, [card]).points for card in left)


def test_the_same_seed_plays_the_same_hand() -> None:
    assert play_hand("house", 2, 3, Random(5)) == play_hand("house", 2, 3, Random(5))


@pytest.mark.parametrize("preset", ["contract", "gather", "shanghai", "may-i", "magnus", "liverpool", "spanish", "kalooki"])
@pytest.mark.parametrize("number", [1, 4])
def test_a_hand_of_every_kind_of_game_can_be_played(preset: str, number: int) -> None:
    rules = load(preset)
    hand = play_hand(preset, number, 4, Random(number))
    assert hand.ended in {"out", "stock", "twice-around"}
    assert all(turn.verdict["verdict"] == "legal" for turn in hand.turns)
    held = Counter(card for cards in hand.left for card in cards)
    laid = Counter(token.partition("=")[0] for meld in hand.table for token in meld["cards"].split())
    assert held + laid + Counter(hand.pile) == Counter(pack(rules, 4))
    limit = rules.hand(number).claims
    assert limit is None or all(claims <= limit for claims in hand.claims.values())
    assert cards_each(rules, rules.hand(number), 4) > 0


def test_a_player_whose_cards_are_too_many_to_search_plays_on_without_going_down(monkeypatch: pytest.MonkeyPatch) -> None:
    def give_up(*asked: object) -> None:
        raise TooLarge

    monkeypatch.setattr(simulator, "best_play", give_up)
    hand = play_hand("house", 1, 3, Random(5))
    assert hand.ended == "stock"
    assert hand.opened == []
    assert hand.turns
