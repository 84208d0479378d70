"""Swaps that need a second look, against the naive search: out of new melds, by way of other melds, from wild cards alone.

Beside the random questions of each kind stand numbers of some that gave a wrong answer once.
"""

import random
from collections.abc import Callable
from typing import Any

import pytest

from continental.rules.cards import JOKER, RANKS, SUITS
from continental.rules.errors import BadQuestion
from continental.rules.notation import parse_cards
from continental.rules.parameters import RuleSet
from continental.rules.rulesets import load, preset_ids
from continental.rules.solver import BestPlay, Swap, best_play

from .brute import Brute, BruteMeld, Piece
from .small_games import SmallGame, read_meld, small_table, spelt_meld
from .test_overrides import LONG
from .test_solver import small_sheet

Changes = Callable[[random.Random], dict[str, Any]]
BASES = [base for base in preset_ids() if base != "basic"]
EVERYWHERE = {"swap_set": True, "swap_run": True, "jokers": 8}


def swapping_sheet(rng: random.Random, contracts: list[str], changes: Changes) -> tuple[dict[str, Any], RuleSet]:
    """A small sheet under which wild cards may be swapped, with one of these contracts."""
    while True:
        sheet = {**small_sheet(rng, rng.choice(BASES)), **EVERYWHERE, **changes(rng)}
        contract = rng.choice(contracts)
        sheet["hands"] = [
            {**sheet["hands"][0], "contract": contract, "min_run": 3 if "R3" in contract else 4, "all_cards": False}
        ]
        try:
            return sheet, load(sheet)
        except BadQuestion:
            continue


def out_of_new_melds(rng: random.Random) -> dict[str, Any]:
    alone = {"all_wild": "declared", "wild_ratio": "opening", "set_naturals": 0, "adjacent_wilds": True}
    return {
        "wild": rng.choice([["JK"], ["JK"], ["JK", "2"], ["JK", "A red"]]),
        "layoff_opening": rng.choice(["any", "any", "others"]),
        "swap_target": rng.choice(["any", "any", "another-meld", "own-run", "same-run"]),
        **rng.choice([alone, alone, {"set_repeat_suits": False}]),
    }


def own_question(number: int) -> SmallGame:
    """Wild cards in hand that may go down alone, and naturals that may not go down with them but can be swapped in."""
    rng = random.Random(f"own {number}")
    sheet, rules = swapping_sheet(rng, ["1S", "1S", "1R3", "1P", "1R4", "1P 1R3", "2P", "1S2", "1P 1S"], out_of_new_melds)
    table = small_table(rng, rules, Brute(rules, rules.hand(1)), rng.choice([0, 1, 1, 2]))
    first, suits = rng.randrange(13), rng.sample(SUITS, rng.choice([1, 2, 3]))
    wilds = (
        rng.choice([2, 3, 3, 4] if sheet["all_wild"] == "declared" else [1, 1, 2, 3])
        if "all_wild" in sheet
        else rng.choice([1, 2])
    )
    near = [RANKS[(first + step) % 13] for step in range(3)]
    cards = [rng.choice(near) + rng.choice(suits) for _ in range(6 - wilds)]
    cards += [JOKER if rng.random() < 0.7 else rng.choice(sorted(rules.wild)) for _ in range(wilds)]
    return SmallGame(sheet, rules, cards, table)


def to_another_meld(rng: random.Random) -> dict[str, Any]:
    return {
        "swap_set": rng.random() < 0.5,
        "swap_target": "another-meld",
        "layoff_opening": rng.choice(["any", "any", "others"]),
        "max_run": rng.choice([4, 5, 5, 13]),
        "max_set": rng.choice([3, 4]),
    }


def another_meld_question(number: int) -> SmallGame:
    """Wild cards of the table that can be freed, and melds soon full, so that one may have to come back by way of another."""
    rng = random.Random(f"another meld {number}")
    while True:
        sheet, rules = swapping_sheet(rng, ["1S", "1P", "1R3"], to_another_meld)
        brute = Brute(rules, rules.hand(1))
        table = [meld for meld, _ in small_table(rng, rules, brute, 2)]
        stood = [piece.rank + (meld.suit or rng.choice(SUITS)) for meld in table for piece in meld.pieces if piece.wild]
        if stood:
            break
    ends = [meld.rank + rng.choice(SUITS) for meld in table if meld.rank]
    for meld in table:
        places = (meld.low - 1, meld.low + len(meld.pieces)) if meld.kind == "run" else ()
        ends += [rank + meld.suit for place in places if (rank := brute.rank_at(place))]
    rank = rng.choice(RANKS)
    cards = [rng.choice(stood), *rng.choices(ends, k=2), *[rank + rng.choice(SUITS) for _ in range(3)]]
    return SmallGame(sheet, rules, cards, [(meld, read_meld(meld, rules)) for meld in table])


def from_wild_cards_alone(rng: random.Random) -> dict[str, Any]:
    return {
        "all_wild": "declared",
        "wild_ratio": rng.choice(["opening", "always", "always", "free"]),
        "set_naturals": 0,
        "adjacent_wilds": True,
        "layoff_opening": rng.choice(["any", "any", "others"]),
        "swap_target": rng.choice(["any", "any", "another-meld", "own-run", "same-run"]),
        "discard": rng.choice(["any", "any", "not-playable"]),
    }


def alone_question(number: int) -> SmallGame:
    """A meld of jokers alone on the table, and naturals that could be swapped in or laid off on it."""
    rng = random.Random(f"alone {number}")
    while True:
        sheet, rules = swapping_sheet(rng, ["1S", "1P", "1P", "1R3"], from_wild_cards_alone)
        brute = Brute(rules, rules.hand(1))
        meld, near = jokers_alone(rng, brute)
        if brute.may_lie(meld, True):
            break
    table = [*small_table(rng, rules, brute, rng.choice([0, 1])), (meld, read_meld(meld, rules))]
    rank = rng.choice(RANKS)
    cards = [rank + rng.choice(SUITS) for _ in range(rng.choice([2, 3]))] + rng.choices(near, k=rng.choice([2, 3, 4]))
    return SmallGame(sheet, rules, [*cards, *[JOKER] * rng.choice([0, 0, 1])][:7], table)


def jokers_alone(rng: random.Random, brute: Brute) -> tuple[BruteMeld, list[str]]:
    """A pair, a set or a run of jokers, and naturals that bear on it."""
    if rng.random() < 0.5:
        rank, size = rng.choice(RANKS), rng.choice([2, 3, 3])
        meld = BruteMeld("pair" if size == 2 else "set", (Piece(JOKER, rank, True),) * size, rank=rank, owner="A")
        return meld, [rank + suit for suit in SUITS]
    low, suit = rng.randrange(2, 11), rng.choice(SUITS)
    ranks = [brute.rank_at(place) or "" for place in range(low - 1, low + 4)]
    meld = BruteMeld("run", tuple([Piece(JOKER, rank, True) for rank in ranks[1:4]]), suit, low, owner="A")
    return meld, [rank + suit for rank in ranks if rank]


def many(sample: int) -> range:
    return range(1500 if LONG else sample)


def test_wild_cards_are_swapped_out_of_melds_just_laid() -> None:
    found = [own_question(number).check_best() for number in (*many(40), 187, 197, 227, 264, 685, 5178)]
    assert any(found)


def test_a_freed_wild_card_comes_back_by_way_of_another_meld() -> None:
    found = [another_meld_question(number).check_best() for number in (*many(40), 239, 285, 304, 444, 454, 598)]
    assert any(found)


def test_naturals_join_wild_cards_alone_only_if_these_do_not_outnumber_them() -> None:
    found = [alone_question(number).check_best() for number in (*many(40), 96, 542, 712, 6064)]
    assert any(found)


def best_of(sheet: dict[str, Any], cards: str, *melds: str) -> BestPlay:
    """The best play, which is as good as the naive search says and legal."""
    rules = load(sheet)
    game = SmallGame(sheet, rules, parse_cards(cards), [spelt_meld(meld, rules) for meld in melds])
    assert game.check_best()
    return best_play(game.cards, rules, game.hand, game.lying)


def contract(name: str, base: str = "house", **changes: Any) -> dict[str, Any]:
    return {"base": base, "hands": [{"contract": name, "deal": 10, "min_run": 3}], **EVERYWHERE, **changes}


OTHERS: dict[str, Any] = {"layoff_opening": "others"}
ALONE: dict[str, Any] = {**OTHERS, "all_wild": "declared", "wild_ratio": "opening"}


@pytest.mark.parametrize(
    ("name", "changes", "cards", "meld"),
    [
        pytest.param("1S", ALONE, "TC JK JK JK KD", "5H 6H 7H", id="a set of wild cards alone, of which one is freed"),
        pytest.param("1R3", ALONE, "6S JK JK JK KD", "9H TH JH", id="a run of wild cards alone, of which one is freed"),
        pytest.param(
            "1S", {**OTHERS, "set_repeat_suits": False}, "9C 9D 9D JK 2S", "5H 6H 7H", id="a suit that may not go down twice"
        ),
    ],
)
def test_a_natural_takes_the_place_of_a_wild_card_that_just_went_down(
    name: str, changes: dict[str, Any], cards: str, meld: str
) -> None:
    found = best_of(contract(name, **changes), cards, meld)
    assert found.left == ()
    assert [step.meld[0] for step in found.steps if isinstance(step, Swap)] == ["m"]


def test_no_wild_card_is_swapped_out_of_a_new_meld_where_the_rules_have_no_swaps() -> None:
    found = best_of(contract("1S", **ALONE, swap_set=False), "TC JK JK JK KD", "5H 6H 7H")
    assert found.left == ("TC",)


def test_a_freed_wild_card_goes_on_to_where_it_came_from_when_a_natural_takes_its_place_elsewhere() -> None:
    sheet = contract("1S", swap_target="another-meld", max_run=5, max_set=3)
    found = best_of(sheet, "2C 3D 3D 3S 5H TH", "AC JK=2C 3C", "JK=6H 7H 8H 9H")
    swaps = [step for step in found.steps if isinstance(step, Swap)]
    assert [(swap.meld, swap.wild_to) for swap in swaps] == [("t0", "t1"), ("t1", "t0")]
    assert found.left == ()


def test_a_wild_card_leaves_a_meld_before_the_next_one_comes_to_it() -> None:
    sheet = contract("1S", wild_limit=1, swap_target="another-meld")
    found = best_of(sheet, "9C KC KC JK JK 2S", "7C 8C JK=9C TC", "4D 4H 4S")
    assert found.left == ()


@pytest.mark.parametrize(
    "cards", ["AH AH 2H 3H 4H KC", "AH AH 2H JK JK KC", "AH AH 2H 3H JK KC", "AH AH QH KH JH KC", "AH AH QH KH JK KC"]
)
def test_two_aces_go_to_a_new_run_and_below_one_of_the_table(cards: str) -> None:
    sheet = {"base": "magnus", "hands": [{"contract": "1R4", "deal": 10, "min_run": 4}], "layoff_opening": "any"}
    assert best_of(sheet, cards, "2H 3H 4H 5H").left == ()


@pytest.mark.parametrize("base", ["continental", "shanghai-rum"])
def test_wild_cards_laid_off_on_a_run_do_not_outnumber_its_naturals(base: str) -> None:
    sheet = {"base": base, "hands": [{"contract": "1R4", "deal": 10, "min_run": 4}], "wild": ["JK"], "swap_run": False}
    found = best_of(sheet, "4D 5D 6D 7D JK JK JS KC", "5S 6S JK=7S JK=8S")
    assert found.left == ("KC",)
