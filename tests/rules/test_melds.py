from random import Random
from typing import Any

import pytest

from continental.rules.cards import RANKS, SUITS, Laid
from continental.rules.melds import Meld, Wanted, judge_meld
from continental.rules.notation import parse_laid
from continental.rules.rulesets import load

from .table_talk import rule_sets

RUN = Wanted("run", 4, opening=True)
SHORT_RUN = Wanted("run", 3, opening=True)
SET = Wanted("set", 3, opening=True)


def read(text: str, wanted: Wanted, rules: Any = "house") -> Any:
    return judge_meld(parse_laid(text), load(rules), wanted)


def values(text: str, wanted: Wanted = RUN, rules: Any = "house") -> str:
    reading = read(text, wanted, rules)
    assert reading.legal, reading
    assert isinstance(reading.meld, Meld)
    return " ".join(reading.meld.values)


def concepts(text: str, wanted: Wanted = RUN, rules: Any = "house") -> list[str]:
    return [fault.concept for fault in read(text, wanted, rules).faults]


@pytest.mark.parametrize(
    ("laid", "stands_for"),
    [
        ("5H 6H JK 8H", "5H 6H 7H 8H"),
        ("8H JK 6H 5H", "5H 6H 7H 8H"),
        ("JK 6D 7D 8D", "5D 6D 7D 8D"),
        ("5D 6D 7D JK", "5D 6D 7D 8D"),
        ("5D JK JK 8D", "5D 6D 7D 8D"),
        ("7H JK JK JK", "7H 8H 9H TH"),
        ("JK JK 7H JK", "5H 6H 7H 8H"),
        ("JK 2H 3H 4H", "AH 2H 3H 4H"),
        ("AH JK JK JK", "AH 2H 3H 4H"),
        ("JK JK JK AH", "JH QH KH AH"),
        ("JH QH KH AH", "JH QH KH AH"),
        ("6H 4H 7H 5H", "4H 5H 6H 7H"),
        ("QH AH JH KH", "JH QH KH AH"),
        ("KH QH JH TH", "TH JH QH KH"),
        ("AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"),
        ("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"),
    ],
)
def test_the_place_of_a_card_in_a_run_is_its_value(laid: str, stands_for: str) -> None:
    assert values(laid) == stands_for


@pytest.mark.parametrize(
    ("laid", "stands_for"),
    [
        ("5H 6H 7H JK=4H", "4H 5H 6H 7H"),
        ("JK=7H 5H 6H JK", "5H 6H 7H 8H"),
        ("JK=5H JK JK JK", "5H 6H 7H 8H"),
        ("JK=5 6H 7H 8H", "5H 6H 7H 8H"),
        ("JK=4H 3H JK=6H 5H", "3H 4H 5H 6H"),
    ],
)
def test_a_spoken_value_counts_and_moves_the_card(laid: str, stands_for: str) -> None:
    assert values(laid) == stands_for


@pytest.mark.parametrize("laid", ["5H 6H 7H JK=KH", "5H JK=9D 7H 8H", "JK=7H JK=5H JK JK"])
def test_an_impossible_spoken_value_is_asked_again(laid: str) -> None:
    reading = read(laid, RUN)
    assert reading.question.code == "ask.spoken-again"
    assert not reading.legal


@pytest.mark.parametrize(
    ("laid", "concept"),
    [
        ("5H 6H 7D 8H", "run.definition"),
        ("3S 4S 5S 6H", "run.definition"),
        ("3S 5S 9S KS", "run.definition"),
        ("5H 5H JK 7H", "run.definition"),
        ("5H 6H 7H", "run.size"),
        ("3H 5H JK 4H", "joker.implied"),
        ("2S 3S 5S JK", "joker.implied"),
        ("QH KH AH JK", "joker.implied"),
        ("JK AH 2H 3H", "joker.implied"),
        ("QH KH AH 2H", "ace"),
        ("KH AH 2H JK", "ace"),
        ("5H=7H 6H 8H 9H", "wild.only"),
        ("4H 5H 6H 7H 7D", "superfluous"),
        ("4H 5H 6H 7H 9H", "superfluous"),
        ("AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH", "run.max"),
        ("AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH JK", "run.max"),
    ],
)
def test_a_fault_of_a_run_names_what_is_wrong_and_nothing_else(laid: str, concept: str) -> None:
    assert concepts(laid) == [concept]


def test_one_meld_can_have_several_faults() -> None:
    assert concepts("QH KD", RUN) == ["run.definition", "run.size"]
    assert concepts("JK JK 9H", SET, "shanghai") == ["wild.ratio", "wild.limit"]


def test_the_ace_is_high_only_or_low_only_where_the_rules_say_so() -> None:
    assert concepts("AH 2H 3H 4H", RUN, "shanghai") == ["ace"]
    assert concepts("JK 2H 3H 4H", RUN, "shanghai") == ["ace"]
    low = {"base": "house", "ace": "low"}
    assert concepts("JH QH KH AH", RUN, low) == ["ace"]
    assert values("AH 2H 3H 4H", RUN, low) == "AH 2H 3H 4H"


def test_a_run_may_pass_through_the_ace_where_it_wraps() -> None:
    assert values("QH KH AH 2H", RUN, "spanish") == "QH KH AH 2H"
    assert values("2H QH AH KH", RUN, "spanish") == "QH KH AH 2H"
    assert values("QH KH AH JK", RUN, "spanish") == "QH KH AH 2H"
    assert values("QH JK AH JK", RUN, "spanish") == "QH KH AH 2H"


def test_a_wrapping_run_without_a_limit_may_go_round_twice() -> None:
    endless = {"base": "spanish", "max_run": None}
    cards = "QH KH AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"
    assert values(cards, RUN, endless) == cards
    assert concepts(cards, RUN, "spanish") == ["run.max"]


def test_a_long_run_may_hold_two_aces_where_each_is_its_own_card() -> None:
    cards = "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
    assert values(cards, RUN, "magnus") == cards


def test_a_set_is_one_rank_with_any_suits() -> None:
    assert values("7H 7H 7D", SET) == "7H 7H 7D"
    assert values("7H JK JK", SET) == "7H 7 7"
    assert concepts("7H 7D 8S", SET) == ["set.definition"]
    assert concepts("7H 7D", SET) == ["set.size"]
    assert concepts("7H 7D 7S 8C", SET) == ["superfluous"]
    assert concepts("KC KD AD", SET) == ["set.definition"]
    assert concepts("7H 7D 7S 7C", Wanted("set", 3, exact=True), "contract") == ["meld.exact"]
    assert concepts("7H 7D 7S 7C 7C", SET, "basic") == ["set.max"]
    assert concepts("7H 7H 7S", SET, {"base": "house", "set_repeat_suits": False}) == ["set.suits"]
    assert concepts("7H JK JK", SET, "kalooki") == ["set.naturals"]


def test_a_natural_wild_card_is_natural_in_its_own_place_unless_declared() -> None:
    assert read("AH 2H 3H 4H", RUN, "continental").meld.wilds == 0
    assert read("5S 6S AH 8S", RUN, "continental").meld.wilds == 0b0100
    assert read("AH AC AS", SET, "continental").meld.wilds == 0
    assert read("AH=AC AC AS", SET, "continental").meld.wilds == 0b001
    assert read("7H 7D JK AH", SET, "continental").meld.wilds == 0b1100
    assert values("2S 2H JK", SET, "fifteen") == "2S 2H 2"
    assert values("2H 3H 4H AH", RUN, "continental") == "2H 3H 4H 5H"
    assert values("3H AH 2H 4H", RUN, "continental") == "AH 2H 3H 4H"


def test_a_meld_of_wild_cards_alone_is_as_the_sheet_says() -> None:
    assert read("JK JK JK", SET).question.code == "ask.set-rank"
    assert values("JK=9 JK JK", SET) == "9 9 9"
    assert read("JK JK JK JK", RUN).question.code == "ask.run-place"
    assert concepts("JK JK JK", RUN) == ["run.size"]
    assert concepts("JK JK JK", SET, "contract") == ["wild.all-refused"]
    assert concepts("JK JK JK JK", RUN, "continental") == ["wild.all-refused"]
    assert read("JK JK AH", SET, "continental").meld.all_wild
    assert read("JK JK AH", SET, "continental").meld.rank == ""


def test_two_wild_cards_side_by_side_are_a_fault_only_where_forbidden() -> None:
    assert concepts("5D JK JK 8D", RUN, "kalooki") == ["wild.adjacent"]
    assert values("5D JK 7D JK", RUN, "kalooki") == "5D 6D 7D 8D"


def test_a_pair_is_two_of_one_rank() -> None:
    pair = Wanted("pair", 2, exact=True, opening=True)
    assert values("7H 7D", pair, "fifteen") == "7H 7D"
    assert concepts("7H 7D 7S", pair, "fifteen") == ["meld.exact"]
    assert concepts("7H", pair, "fifteen") == ["pair"]


def test_falling_reads_a_second_natural_where_one_is_wild_by_nature() -> None:
    assert values("4H JK 2H", SHORT_RUN, "fifteen") == "2H 3H 4H"


def test_a_spoken_card_leaves_a_place_beyond_the_ladder_for_its_own() -> None:
    assert values("2D JK JK=AD 2D", RUN, "fifteen") == "AD 2D 3D 4D"
    assert values("3H 2H JK JK", RUN, "fifteen") == "3H 4H 5H 6H"


def test_a_run_wrong_as_laid_is_read_with_spoken_cards_moved_or_natural_wild_cards_at_home() -> None:
    assert values("AH 3H JK=2H JK", RUN, "continental") == "AH 2H 3H 4H"
    assert values("JK=2H AH 5H 4H JK=3H", RUN, "continental") == "AH 2H 3H 4H 5H"
    assert concepts("5D JK AD=4D JK=3D", RUN, "continental") == ["wild.ratio"]
    assert concepts("JK=TC JK JK 9C", RUN, "contract") == ["wild.ratio"]


def test_a_value_that_could_only_be_right_where_wild_cards_lie_wrong_is_asked_again() -> None:
    reading = read("JK=KH JH QH JK", RUN, "spanish")
    assert reading.question.code == "ask.spoken-again"
    assert " ".join(reading.meld.values) == "TH JH QH KH"
    assert concepts("JH QH JK JK", RUN, "spanish") == ["wild.adjacent"]


@pytest.mark.parametrize("name", [name for name, sheet in rule_sets().items() if load(sheet).wild])
def test_wild_cards_alone_are_judged_whatever_was_said_of_them(name: str) -> None:
    rng, rules = Random(f"said of wild cards {name}"), load(rule_sets()[name])
    wild = sorted(rules.wild)
    for _ in range(300):
        suit = rng.choice(SUITS)
        said = [rng.choice([None, rng.choice("JQKA23") + suit, rng.choice(RANKS)]) for _ in range(rng.choice([2, 3, 4, 4, 5]))]
        laid = [Laid(rng.choice(wild), value) for value in said]
        for wanted in (RUN, SHORT_RUN, SET):
            reading = judge_meld(laid, rules, wanted)
            assert reading.meld or reading.faults or reading.question, laid


@pytest.mark.parametrize(
    ("laid", "rules", "ace"),
    [
        ("JK=QH JK=KH JK=AH JK=2H", "contract", "AH"),
        ("2S AH KH 3H QH", {"base": "house", "wild": ["JK", "2"]}, "AH"),
        ("KD AD 2D 3D", "house", "AD"),
    ],
)
def test_an_ace_out_of_place_is_named_in_the_suit_of_its_run(laid: str, rules: Any, ace: str) -> None:
    assert [(fault.code, fault.cards) for fault in read(laid, RUN, rules).faults] == [("run.ace", (ace,))]
