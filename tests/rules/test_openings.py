"""Openings judged in parts: what is read once, left out for its size or ruled out is what the whole judgement says."""

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from continental.rules.cards import Laid
from continental.rules.notation import parse_laid
from continental.rules.openings import Opening, ReadMelds, judge_opening, too_few
from continental.rules.parameters import HandRule
from continental.rules.rulesets import load
from continental.rules.solver import CardsToLay, lay_down, open_with_all

from .table_talk import an_opening, rule_sets

RULE_SETS = rule_sets()
WITH_CONTRACTS = [name for name in RULE_SETS if load(RULE_SETS[name]).hands[0].contract is not None]
SAMPLE = 30


def melds_of(rng: Random, name: str) -> tuple[int, list[tuple[Laid, ...]]]:
    question = an_opening(rng, RULE_SETS[name])
    return question["hand"], [parse_laid(meld) for meld in question["actions"][0]["melds"]]


def openings(what: str, name: str) -> Iterator[tuple[Random, int, HandRule, list[tuple[Laid, ...]]]]:
    """Give openings of a preset, each with its hand and the dice for whatever else is drawn."""
    rng, rules = Random(f"{what} {name}"), load(RULE_SETS[name])
    for _ in range(SAMPLE):
        number, melds = melds_of(rng, name)
        yield rng, number, rules.hand(number), melds


def said(opening: Opening) -> tuple[object, ...]:
    return opening.melds, opening.faults, opening.questions, opening.wanted, opening.extra


@pytest.mark.parametrize("name", WITH_CONTRACTS)
def test_melds_read_once_are_judged_as_melds_read_each_time(name: str) -> None:
    rules = load(RULE_SETS[name])
    for rng, number, hand, melds in openings("read once", name):
        laid = [*melds, *melds_of(rng, name)[1][:2]]
        read = ReadMelds(laid, rules, hand)
        for count in (len(laid) - 2, len(laid)):
            for numbers in combinations(range(len(laid)), count):
                chosen = [laid[place] for place in numbers]
                assert said(read.judge(numbers)) == said(judge_opening(chosen, rules, hand)), (number, chosen)


@pytest.mark.parametrize("name", WITH_CONTRACTS)
def test_a_meld_of_too_few_cards_is_in_no_legal_opening(name: str) -> None:
    rules = load(RULE_SETS[name])
    short = 0
    for rng, number, hand, melds in openings("too few", name):
        for place, meld in enumerate(melds):
            fewer = meld[: rng.randint(1, len(meld))]
            if too_few(fewer, rules, hand):
                short += 1
                assert not judge_opening([*melds[:place], fewer, *melds[place + 1 :]], rules, hand).legal, (number, melds)
    assert short


@pytest.mark.parametrize("name", WITH_CONTRACTS)
def test_no_opening_leaves_over_what_it_may_not(name: str) -> None:
    rules = load(RULE_SETS[name])
    told = 0
    for rng, number, hand, melds in openings("may leave", name):
        cards = [item.card for meld in melds for item in meld]
        cards = [*cards, *rng.sample(["4S", "9D", "KC"], rng.randrange(3))]
        if not CardsToLay(cards, rules, hand).may_leave(1):
            told += 1
            for place in range(len(cards)):
                assert open_with_all(cards[:place] + cards[place + 1 :], rules, hand) is None, (number, cards)
    assert told


@pytest.mark.parametrize("name", WITH_CONTRACTS)
def test_every_opening_leaves_over_what_it_must(name: str) -> None:
    rules = load(RULE_SETS[name])
    told = 0
    for rng, number, hand, melds in openings("must leave", name):
        cards = [item.card for meld in [*melds, *melds_of(rng, name)[1]] for item in meld][:14]
        found = lay_down(cards, rules, hand)
        if found is not None:
            to_lay = CardsToLay(cards, rules, hand)
            least = to_lay.must_leave()
            told += least > 0
            assert len(found.left) >= least, (number, cards)
            assert not found.left or to_lay.lay_down(most_out=len(found.left) - 1) is None, (number, cards)
            assert to_lay.lay_down() == found, (number, cards)
    assert told or not all(hand.exact_sets and hand.exact_runs for hand in rules.hands)
