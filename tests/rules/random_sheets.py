"""Random sheets of a league: a preset with any of the parameters changed that bear on melds, lay-offs, swaps and discards."""

from random import Random
from typing import Any

from continental.rules.errors import BadQuestion
from continental.rules.parameters import RuleSet
from continental.rules.rulesets import load, preset_ids

FIFTEEN_POINTS = dict.fromkeys("3456789TJQKA", 5) | {"2": 20, "JK": 25}
CONTRACTS = ("1S", "2S", "3S", "1R3", "1R4", "1R5", "2R3", "1S 1R3", "1S 1R4", "1P 1S", "1P 1R3", "2P", "1S4", "1S2 1S")
UNEVEN: tuple[dict[str, int], ...] = (
    {"A red": 1, "A black": 15},
    {"2 red": 3, "2 black": 30},
    {"AH": 2, "AD": 9, "AS": 15, "AC": 16},
    {"2H": 7, "2D": 30, "2S": 1, "2C": 12},
    {"K red": 1, "7S": 50},
)
WILD: tuple[list[str], ...] = (
    ["JK"],
    ["JK", "2"],
    ["JK", "A red"],
    ["JK", "A"],
    ["JK", "7S"],
    ["JK", "A red", "2 black"],
    ["JK", "K"],
    ["2"],
    [],
)
YES_NO = [True, False]
CHANGES: dict[str, list[Any]] = {
    "ace": ["both", "high", "low"],
    "adjacent_wilds": YES_NO,
    "all_wild": ["no", "sets", "declared"],
    "discard": ["any", "not-playable"],
    "discard_binds_unopened": YES_NO,
    "discard_to_go_out": YES_NO,
    "exact_runs": YES_NO,
    "exact_sets": YES_NO,
    "extra_melds_later": YES_NO,
    "extra_melds_opening": YES_NO,
    "layoff_later": ["any", "others", "none"],
    "layoff_opening": ["any", "others", "none"],
    "max_run": [None, 4, 5, 6, 13, 14],
    "max_set": [None, 3, 4, 5],
    "min_set": [2, 3, 4],
    "play_last_two": YES_NO,
    "same_rank_sets": YES_NO,
    "same_suit_runs": YES_NO,
    "set_naturals": [0, 1, 2, 3],
    "set_repeat_suits": YES_NO,
    "swap_run": YES_NO,
    "swap_set": YES_NO,
    "swap_target": ["any", "another-meld", "own-run", "same-run"],
    "touching_runs": YES_NO,
    "two_aces": YES_NO,
    "wild": list(WILD),
    "wild_limit": [None, 0, 1, 2, 3],
    "wild_ratio": ["free", "opening", "always"],
    "wrap": YES_NO,
}


PERMISSIONS: list[dict[str, Any]] = [
    {"touching_runs": True},
    {"same_rank_sets": True},
    {"same_suit_runs": True},
    {"adjacent_wilds": True},
    {"wild_limit": None},
    {"wild_ratio": "free"},
    {"set_naturals": 0},
    {"set_repeat_suits": True},
    {"exact_sets": False},
    {"exact_runs": False},
    {"max_set": None},
    {"extra_melds_opening": True},
    {"extra_melds_later": True},
    {"layoff_opening": "any"},
    {"layoff_later": "any"},
    {"swap_run": True},
    {"swap_set": True},
    {"swap_target": "any"},
    {"discard": "any"},
    {"discard_to_go_out": False},
    {"play_last_two": False},
]
"""What a sheet may allow beyond another: none of it makes a legal play illegal."""


def random_sheet(rng: Random, hands: list[dict[str, Any]] | None = None) -> tuple[dict[str, Any], RuleSet]:
    """A preset with up to six parameters changed, and points that may differ within a rank; ``hands`` replaces the hands."""
    while True:
        sheet: dict[str, Any] = {"base": rng.choice(preset_ids()), "hands": hands or [random_hand(rng)]}
        points = dict(FIFTEEN_POINTS) if sheet["base"] == "fifteen" else {"JK": 20}
        if rng.random() < 0.25:
            points |= rng.choice(UNEVEN)
        for key in rng.sample(sorted(CHANGES), rng.choice([0, 1, 1, 2, 2, 3, 4, 6])):
            sheet[key] = rng.choice(CHANGES[key])
        sheet["jokers"] = 8 if "JK" in sheet.get("wild", ["JK"]) else 0
        try:
            return {**sheet, "points": points}, load({**sheet, "points": points})
        except BadQuestion:
            continue


def random_hand(rng: Random) -> dict[str, Any]:
    """A hand with a contract that a few cards can meet; now and then one without, or one that must be played out."""
    if rng.random() < 0.05:
        return {"contract": None, "deal": 10, "min_run": 3}
    contract = rng.choice(CONTRACTS)
    hand: dict[str, Any] = {"contract": contract, "deal": 10, "min_run": 3 if "R3" in contract else rng.choice([3, 4, 4])}
    return hand | {flag: True for flag in ("all_cards", "no_discard", "must_go_out") if rng.random() < 0.08}
