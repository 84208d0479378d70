"""What is read in one go is read as the full reading reads it, for every preset, with wild cards, values and order at random."""

from random import Random
from typing import Any

import pytest

from continental.rules.cards import JOKER, RANKS, SUITS, Laid
from continental.rules.melds import Meld, Wanted, judge_meld
from continental.rules.notation import parse_laid
from continental.rules.parameters import RuleSet
from continental.rules.plain_melds import HIDDEN, UNCLEAR, limits_of, plain_meld, read_plain
from continental.rules.rulesets import load

from .table_talk import rule_sets

SHEETS: list[Any] = [
    *rule_sets().values(),
    {"base": "house", "wrap": True},
    {"base": "house", "two_aces": True, "max_run": 14},
    {"base": "house", "wild": [JOKER, "2", "A red"], "ace": "low"},
    {"base": "house", "wild": [JOKER, "2"], "ace": "high", "set_naturals": 2, "wild_ratio": "always"},
    {"base": "house", "max_run": 5, "max_set": 4, "adjacent_wilds": False, "set_repeat_suits": False},
]
WANTED = [Wanted("set", 3, False, True), Wanted("set", 3, True, True), Wanted("pair", 2, True, True), Wanted("set", 4)]
RUNS = [Wanted("run", 4, False, True), Wanted("run", 3, True, True), Wanted("run", 7, False, True), Wanted("run", 3)]
SAMPLE = 400


def a_meld(rng: Random, rules: RuleSet) -> tuple[Laid, ...]:
    """A set or a run, long or short, with wild cards, values spoken, and sometimes out of order or with a card exchanged."""
    size = rng.choice([2, 3, 3, 4, 4, 5, 6, 7, 10, 13, 14])
    if rng.random() < 0.4:
        rank = rng.choice(RANKS)
        faces = [rank + rng.choice(SUITS) for _ in range(size)]
    else:
        low, suit = rng.randrange(13), rng.choice(SUITS)
        faces = [RANKS[(low + step) % 13] + suit for step in range(size)]
    wild = sorted(rules.wild) or [JOKER]
    laid = [Laid(rng.choice([JOKER, rng.choice(wild)]), rng.choice([None, None, face, face[0]])) for face in faces]
    laid = [item if rng.random() < 0.15 else Laid(face) for item, face in zip(laid, faces, strict=True)]
    if rng.random() < 0.3:
        laid.reverse()
    if rng.random() < 0.2:
        rng.shuffle(laid)
    if rng.random() < 0.1:
        laid[0] = Laid(rng.choice(RANKS) + rng.choice(SUITS))
    return tuple(laid)


@pytest.mark.parametrize("sheet", SHEETS, ids=str)
def test_a_plain_meld_is_read_as_the_full_reading_reads_it(sheet: Any) -> None:
    rules = load(sheet)
    rng = Random(f"plain melds {sheet}")
    found = {True: 0, False: 0}
    for _ in range(SAMPLE):
        laid = a_meld(rng, rules)
        as_set, as_run = rng.choice(WANTED), rng.choice(RUNS)
        meld, right = plain_meld(laid, limits_of(rules, as_set), limits_of(rules, as_run))
        if meld is None:
            continue
        found[right] += 1
        wanted, others = (as_run, RUNS) if meld.kind == "run" else (as_set, WANTED)
        assert judge_meld(laid, rules, wanted).legal == right, laid
        for slot in [wanted] if right else [wanted, *others]:
            assert read_plain(meld, rules, slot) == judge_meld(laid, rules, slot), laid
    assert min(found.values()) > SAMPLE // 40


@pytest.mark.parametrize(
    ("laid", "values"),
    [
        ("9H TH JH QH", "9H TH JH QH"),
        ("TH QH 9H JH", "9H TH JH QH"),
        ("JK QH JH TH", "TH JH QH KH"),
        ("5H JK=6H 7H JK", "5H 6H 7H 8H"),
        ("AH KH QH JH", "JH QH KH AH"),
        ("4S JK 4S JK=4", "4S 4 4S 4"),
    ],
)
def test_what_players_lay_is_plain(laid: str, values: str) -> None:
    rules = load("house")
    meld, right = plain_meld(parse_laid(laid), limits_of(rules, WANTED[0]), limits_of(rules, RUNS[0]))
    assert right
    assert isinstance(meld, Meld)
    assert " ".join(meld.values) == values


@pytest.mark.parametrize("laid", ["5H 6H 7D 8H", "QH KH AH 2H", "5H 6H JK=KH 8H", "5H 5H 6H 7H", "4S 4H 5D"])
def test_what_is_no_meld_is_not_plain(laid: str) -> None:
    rules = load("house")
    assert plain_meld(parse_laid(laid), limits_of(rules, WANTED[0]), limits_of(rules, RUNS[0])) is UNCLEAR


@pytest.mark.parametrize("laid", ["5H 6H 7H", "4S 4H", "5H 6H JK"])
def test_a_meld_that_breaks_a_limit_alone_is_plain_and_not_right(laid: str) -> None:
    rules = load("house")
    meld, right = plain_meld(parse_laid(laid), limits_of(rules, WANTED[0]), limits_of(rules, RUNS[0]))
    assert isinstance(meld, Meld)
    assert not right


@pytest.mark.parametrize("laid", ["JK 7H JK", "JK JK JK JK", "7H"])
def test_one_natural_does_not_show_what_a_meld_is(laid: str) -> None:
    rules = load("house")
    assert plain_meld(parse_laid(laid), limits_of(rules, WANTED[0]), limits_of(rules, RUNS[0])) is HIDDEN
