"""Sheets of leagues, with any parameters changed: the referee, the solver and two naive ways to judge agree on all of them."""

import copy
import os
from collections import Counter
from random import Random
from typing import Any

import pytest

from continental.rules.cards import JOKER
from continental.rules.errors import BadQuestion
from continental.rules.notation import parse_laid
from continental.rules.openings import judge_opening
from continental.rules.parameters import RuleSet
from continental.rules.referee import answer
from continental.rules.rulesets import load
from continental.rules.solver import TooLarge

from .brute import Brute
from .random_sheets import PERMISSIONS, random_sheet
from .small_games import SmallGame, planted_hand, small_hand, small_table
from .table_talk import a_later_turn, an_opening
from .test_naive_referee import verdict_on_later_turn, verdict_on_opening
from .test_turn_laws import renamed

LONG = bool(os.environ.get("CONTINENTAL_LONG"))
"""In the long run (``CONTINENTAL_LONG=1``) a hundred times as many questions are asked; it takes an hour."""

NOT_PLAYABLE: dict[str, list[Any]] = {
    "discard": ["not-playable"],
    "max_set": [None, 3, 4, 5],
    "max_run": [4, 5, 6, 13],
    "wild_limit": [None, None, 1, 2],
    "wild_ratio": ["free", "opening", "always"],
    "adjacent_wilds": [True, False],
    "layoff_opening": ["any", "any", "others"],
    "wild": [["JK"], ["JK", "2"], ["JK", "A red"]],
}
NATURAL_WILDS: dict[str, list[Any]] = {
    "wild": [["JK", "2"], ["JK", "A red"], ["JK", "A"], ["JK", "2", "A red"]],
    "set_repeat_suits": [True, False],
    "same_rank_sets": [True, False],
    "all_wild": ["no", "sets", "declared"],
    "wild_ratio": ["free", "opening", "always"],
    "wild_limit": [None, None, 1, 2],
    "set_naturals": [0, 0, 1, 2],
    "points": [{"AH": 1, "AD": 20, "AS": 15, "AC": 16, "2H": 7, "2D": 30, "2S": 1, "2C": 12, "JK": 25}, {"JK": 25}],
}
BELOW_NOTHING: dict[str, list[Any]] = {
    "points": [{"JK": -20}, {"K": -5, "7": 0}, {"AH": -10, "AD": -1, "JK": 15}, {"2 red": -50, "5": -3}, {"QS": -100, "QH": 5}],
    "play_last_two": [False, False, True],
    "discard_to_go_out": [True, False],
    "discard": ["any", "any", "not-playable"],
}


def many(sample: int) -> range:
    return range(sample * 100 if LONG else sample)


def with_changes(rng: Random, changes: dict[str, list[Any]]) -> tuple[dict[str, Any], RuleSet]:
    """A random sheet in which these parameters are changed too."""
    while True:
        sheet, _ = random_sheet(rng)
        chosen = {key: rng.choice(values) for key, values in changes.items()}
        sheet = {**sheet, **chosen, "jokers": 8, "points": {**sheet["points"], **chosen.get("points", {})}}
        try:
            return sheet, load(sheet)
        except BadQuestion:
            continue


def game_of(rng: Random, sheet: dict[str, Any], rules: RuleSet, cards: tuple[str, ...] = ()) -> SmallGame:
    """A small game under a sheet: cards at random, or an opening planted in them, and up to three melds on the table."""
    hand = rules.hand(1)
    if not cards:
        if rng.random() < 0.5 or hand.contract is None:
            cards = small_hand(rng, rules, rng.choice([5, 6, 6, 7]))
        else:
            cards = planted_hand(rng, rules, hand, rng.choice([0, 0, 1, 2]))
    cards = tuple(card for card in cards if card != JOKER or card in rules.wild)
    return SmallGame(sheet, rules, cards, small_table(rng, rules, Brute(rules, hand), rng.choice([0, 0, 1, 2, 3])))


def many_wilds(rng: Random, rules: RuleSet) -> tuple[str, ...]:
    """Cards of two suits and few ranks, of which some are wild cards that are also naturals."""
    first = rng.choice([0, 1, 11, 12])
    ranks = ["A23456789TJQK"[(first + step) % 13] for step in range(rng.choice([2, 3, 4]))]
    cards = [rank + suit for rank in ranks for suit in rng.sample("SHDC", rng.choice([2, 3, 4]))] * 2
    rng.shuffle(cards)
    return (*cards[: rng.choice([4, 5, 5])], *rng.choices(sorted(rules.wild), k=rng.choice([0, 1, 2])))


def check(game: SmallGame) -> None:
    """All that is asked of the solver; where any number of melds may be laid at once, it may be too large a question."""
    for check_it in (game.check_all, game.check_lay_down, game.check_best):
        try:
            check_it()
        except TooLarge:
            assert game.rules.extra_melds_opening, game


def test_the_solver_agrees_with_a_naive_search_on_any_sheet() -> None:
    for number in many(100):
        rng = Random(f"sheets {number}")
        check(game_of(rng, *random_sheet(rng)))


def test_the_discard_is_one_that_no_meld_can_take_whatever_fills_the_melds() -> None:
    for number in many(60):
        rng = Random(f"not playable {number}")
        check(game_of(rng, *with_changes(rng, NOT_PLAYABLE)))


def test_wild_cards_that_are_also_naturals_are_laid_as_either() -> None:
    for number in many(60):
        rng = Random(f"natural wilds {number}")
        sheet, rules = with_changes(rng, NATURAL_WILDS)
        check(game_of(rng, sheet, rules, many_wilds(rng, rules)))


def test_a_card_worth_less_than_nothing_is_kept_where_that_leaves_fewer_points() -> None:
    for number in many(60):
        rng = Random(f"below nothing {number}")
        check(game_of(rng, *with_changes(rng, BELOW_NOTHING)))


def a_question(rng: Random) -> tuple[dict[str, Any], str | None]:
    """A question about an opening or a later turn under a random sheet, and what the naive referee says of it."""
    sheet, rules = random_sheet(rng)
    hand = rules.hand(1)
    if hand.contract is not None and rng.random() < 0.6:
        question = an_opening(rng, sheet)
        return question, verdict_on_opening(question)
    if hand.all_cards or hand.ends_game:
        return {}, None
    question = a_later_turn(rng, sheet)
    return question, verdict_on_later_turn(question)


def test_two_referees_agree_on_any_sheet() -> None:
    seen: Counter[str] = Counter()
    for number in many(250):
        question, expected = a_question(Random(f"referees {number}"))
        if expected is not None:
            assert answer(question).get("verdict") == expected, question
            seen[expected] += 1
    assert min(seen["legal"], seen["illegal"], seen["impossible"]) > 20


def illegal_opening(rng: Random) -> tuple[dict[str, Any], RuleSet, list[str]] | None:
    """An opening of few cards that is illegal as it was laid, with its cards."""
    sheet, rules = random_sheet(rng)
    hand = rules.hand(1)
    if hand.contract is None or hand.all_cards or hand.no_discard or hand.must_go_out:
        return None
    question = an_opening(rng, sheet)
    cards = [item.card for meld in question["actions"][0]["melds"] for item in parse_laid(meld)]
    return (question, rules, cards) if len(cards) <= 8 and answer(question)["verdict"] == "illegal" else None


def test_what_is_proposed_instead_lays_as_many_of_the_cards_as_can_be_laid() -> None:
    proposed = 0
    for number in many(250):
        found = illegal_opening(Random(f"instead {number}"))
        if found is None:
            continue
        question, rules, cards = found
        most = Brute(rules, rules.hand(1)).most_laid(tuple(sorted(cards)))
        instead = answer(question)["instead"]
        assert (instead is not None) == (most > 0), question
        if instead is not None:
            melds = [parse_laid(meld) for meld in instead["melds"]]
            used = Counter(item.card for meld in melds for item in meld)
            assert used + Counter(instead["left"]) == Counter(cards), question
            assert used.total() == most, (question, instead)
            assert judge_opening(melds, rules, rules.hand(1)).legal, (question, instead)
            proposed += 1
    assert proposed > 10


def test_a_permission_more_never_forbids_a_play_on_any_sheet() -> None:
    for number in many(250):
        rng = Random(f"permissions {number}")
        question, expected = a_question(rng)
        if expected != "legal":
            continue
        for permission in rng.sample(PERMISSIONS, 4):
            freer = {**question, "rules": {**question["rules"], **permission}}
            verdict = answer(freer)
            assert verdict.get("verdict") in ("legal", "unclear") or "error" in verdict, (question, permission, verdict)


def test_neither_suits_nor_the_order_of_melds_matter_on_any_sheet() -> None:
    for number in many(150):
        rng = Random(f"names {number}")
        question, expected = a_question(rng)
        if expected is None:
            continue
        verdict = answer(question)["verdict"]
        wild = question["rules"].get("wild", ["JK"])
        if question["rules"]["base"] != "continental" and all(len(pattern) < 3 and pattern != "7S" for pattern in wild):
            suits = dict(zip("SHDC", rng.sample("SHDC", 4), strict=True))
            assert answer(renamed(question, suits))["verdict"] == verdict, question
        if question["actions"][0]["do"] == "open":
            shuffled = copy.deepcopy(question)
            rng.shuffle(shuffled["actions"][0]["melds"])
            assert answer(shuffled)["verdict"] == verdict, question


@pytest.mark.parametrize("permission", PERMISSIONS, ids=lambda permission: next(iter(permission)))
def test_every_permission_can_be_given(permission: dict[str, Any]) -> None:
    assert load({"base": "house", **permission})
