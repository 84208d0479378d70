"""Every preset against the tables of the rule book (sections 2.1 to 2.3), cell by cell."""

from typing import Any

import pytest

from continental.rules.cards import RANKS
from continental.rules.deals import minimum_cards
from continental.rules.parameters import RuleSet
from continental.rules.rulesets import preset, preset_data, preset_ids
from continental.rules.sheets import PARAMETERS, provenance

STANDARD = ["2S", "1S 1R", "2R", "3S", "2S 1R", "1S 2R", "3R"]


def packs(rules: RuleSet, players: range) -> list[tuple[int, int]]:
    return [(rules.deck_count(count), rules.joker_count(count)) for count in players]


def points(rules: RuleSet) -> list[int | None]:
    return [rules.value(rank + "S") for rank in RANKS[1:]] + [rules.value("AS"), rules.value("JK")]


PIP = [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
FIVES_TO_SEVEN = [5] * 6 + [10] * 6
FIVES_TO_NINE = [5] * 8 + [10] * 4

# preset: players, packs and jokers for 3 to 8 players, deal, contracts, points of 2…K, A, JK
TABLE: dict[str, dict[str, Any]] = {
    "house": {
        "players": (2, None),
        "packs": [(2, 2), (2, 2), (3, 3), (3, 3), (4, 4), (4, 4)],
        "deal": [10, 10, 10, 10, 12, 12, 12],
        "contracts": STANDARD,
        "points": [*FIVES_TO_SEVEN, 15, 15],
    },
    "continental": {
        "players": (2, None),
        "packs": [(2, 4), (2, 4), (3, 6), (3, 6), (4, 8), (4, 8)],
        "deal": [12] * 7,
        "contracts": STANDARD,
        "points": [*FIVES_TO_NINE, 20, 50],
    },
    "contract": {
        "players": (3, 8),
        "packs": [(2, 4), (2, 4), (3, 6), (3, 6), (4, 8), (4, 8)],
        "deal": [10, 10, 10, 10, 12, 12, 12],
        "contracts": STANDARD,
        "points": [*PIP, 15, 25],
    },
    "gather": {
        "players": (3, 8),
        "packs": [(2, 1), (2, 1), (3, 2), (3, 2), (3, 2), (3, 2)],
        "deal": [10, 10, 10, 10, 12, 12, 12],
        "contracts": ["2S", "1S 1R3", "2R3", "3S", "2S 1R3", "1S 2R3", "3R4"],
        "points": [*PIP, 15, 15],
    },
    "shanghai": {
        "players": (3, 5),
        "packs": [(2, 4)] * 6,
        "deal": [11] * 7,
        "contracts": STANDARD,
        "points": [*PIP, 15, 15],
    },
    "may-i": {
        "players": (2, None),
        "packs": [(2, 4), (2, 4), (3, 6), (3, 6), (4, 8), (4, 8)],
        "deal": [10, 10, 10, 12, 12, 12, 12],
        "contracts": STANDARD,
        "points": [*PIP, 15, 25],
    },
    "fifteen": {
        "players": (3, 6),
        "packs": [(2, 4)] * 6,
        "deal": [],
        "contracts": [],
        "points": [None] * 14,
    },
    "magnus": {
        "players": (3, 5),
        "packs": [(2, 2), (2, 3), (2, 4), (2, 5), (2, 6), (2, 7)],
        "deal": [10, 10, 10, 12, 12, 12, 12],
        "contracts": STANDARD,
        "points": [*PIP, 15, 15],
    },
    "basic": {
        "players": (2, 6),
        "packs": [(1, 0)] * 6,
        "deal": [None],
        "contracts": ["None"],
        "points": [*PIP, 1, None],
    },
    "liverpool": {
        "players": (3, 8),
        "packs": [(2, 4), (2, 4), (3, 6), (3, 6), (3, 6), (3, 6)],
        "deal": [10, 10, 10, 10, 12, 12, 12],
        "contracts": STANDARD,
        "points": [*PIP, 15, 15],
    },
    "shanghai-rum": {
        "players": (2, 8),
        "packs": [(2, 4), (2, 4), (3, 6), (3, 6), (4, 8), (4, 8)],
        "deal": [11] * 10,
        "contracts": ["2S", "1S 1R4", "2R4", "3S", "1S 1R7", "2S 1R5", "3R4", "1S 1R10", "3S 1R5", "3R5"],
        "points": [*FIVES_TO_NINE, 15, 25],
    },
    "progressive": {
        "players": (3, 8),
        "packs": [(2, 4), (2, 4), (3, 6), (3, 6), (3, 6), (3, 6)],
        "deal": [6, 7, 8, 9, 10, 11, 12],
        "contracts": STANDARD,
        "points": [*PIP, 15, 15],
    },
    "spanish": {
        "players": (2, 4),
        "packs": [(2, 6)] * 6,
        "deal": [7, 8, 9, 10, 11, 12, 13],
        "contracts": STANDARD,
        "points": [*PIP, 20, 50],
    },
    "carioca": {
        "players": (2, 5),
        "packs": [(2, 4)] * 6,
        "deal": [12] * 8,
        "contracts": [*STANDARD, "4S"],
        "points": [*PIP, 20, 30],
    },
    "kalooki": {
        "players": (3, 6),
        "packs": [(2, 4)] * 6,
        "deal": [9, 10, 11, 12, 12, 13, 14, 15, 16],
        "contracts": ["3S", "2S 1R", "1S 2R", "3R", "4S", "3S 1R", "2S 2R", "1S 3R", "4R"],
        "points": [*PIP, 15, 50],
    },
}

# What differs from the plainest game: sets of 3, runs of 4, ace high or low, nothing exact, no wild limits, …
PLAIN: dict[str, Any] = {
    "direction": "clockwise",
    "first_dealer": "high-card",
    "dealer_rule": "left",
    "deal_by_players": (),
    "target": None,
    "min_set": 3,
    "max_set": None,
    "min_run": 4,
    "max_run": 13,
    "exact_sets": False,
    "exact_runs": False,
    "ace": "both",
    "two_aces": False,
    "wrap": False,
    "wild_limit": None,
    "wild_ratio": "free",
    "set_naturals": 0,
    "adjacent_wilds": True,
    "all_wild": "no",
    "touching_runs": True,
    "same_suit_runs": True,
    "same_rank_sets": True,
    "set_repeat_suits": True,
    "extra_melds_opening": False,
    "extra_melds_later": False,
    "layoff_opening": "any",
    "layoff_later": "any",
    "swap_run": False,
    "swap_set": False,
    "claims": None,
    "claim_penalty": 1,
    "claim_priority": "nearest-left",
    "claim_discarder": True,
    "claims_dead_pile": True,
    "claims_after_opening": True,
    "discard": "any",
    "discard_binds_unopened": False,
    "discard_to_go_out": True,
    "play_last_two": False,
    "twice_around": False,
    "stock_turnovers": 1,
    "missing_card": 10,
    "lowest_wins": True,
    "tie_break": "shared",
    "out_in_one_turn": 0,
    "exact_cut": 0,
    "buy_cost": 0,
    "kitty_split": (),
    "payouts": (),
    "progress": "together",
    "teams": False,
    "all_cards": False,
    "must_go_out": False,
    "no_discard": False,
    "ends_game": False,
}

OWN: dict[str, dict[str, Any]] = {
    "house": {"all_wild": "declared", "touching_runs": False, "same_rank_sets": False, "swap_run": True, "twice_around": True},
    "continental": {"wild_ratio": "always", "all_wild": "sets", "swap_run": True, "swap_target": "another-meld"},
    "contract": {
        "exact_sets": True,
        "exact_runs": True,
        "wild_ratio": "opening",
        "layoff_opening": "others",
        "swap_run": True,
        "claim_priority": "first-caller",
        "discard": "not-playable",
    },
    "gather": {"first_dealer": "low-card", "min_run": 3, "exact_sets": True, "exact_runs": True, "touching_runs": False},
    "shanghai": {
        "ace": "high",
        "wild_limit": 1,
        "wild_ratio": "always",
        "touching_runs": False,
        "same_rank_sets": False,
        "claims": 2,
        "claim_penalty": 2,
        "discard": "shanghai-call",
    },
    "may-i": {"all_wild": "declared"},
    "fifteen": {
        "all_wild": "declared",
        "claims": 0,
        "claim_penalty": 0,
        "claim_priority": "current-then-nearest",
        "discard_to_go_out": False,
        "buy_cost": 1,
        "kitty_split": (2, 1),
    },
    "magnus": {
        "exact_sets": True,
        "max_run": 14,
        "two_aces": True,
        "layoff_opening": "none",
        "swap_run": True,
        "claim_priority": "first-caller",
    },
    "basic": {
        "dealer_rule": "winner-of-two",
        "deal_by_players": ((2, 10), (4, 7), (6, 6)),
        "target": 100,
        "max_set": 4,
        "min_run": 3,
        "ace": "low",
        "extra_melds_opening": True,
        "extra_melds_later": True,
        "claims": 0,
        "claim_penalty": 0,
        "discard": "not-just-taken",
        "discard_to_go_out": False,
    },
    "liverpool": {"exact_cut": -50},
    "shanghai-rum": {"wild_ratio": "always", "claims": 3},
    "progressive": {"exact_sets": True, "exact_runs": True},
    "spanish": {
        "direction": "counter-clockwise",
        "wrap": True,
        "adjacent_wilds": False,
        "swap_run": True,
        "swap_target": "own-run",
        "out_in_one_turn": -10,
    },
    "carioca": {"direction": "counter-clockwise", "exact_sets": True, "exact_runs": True},
    "kalooki": {
        "set_naturals": 2,
        "adjacent_wilds": False,
        "same_suit_runs": False,
        "same_rank_sets": False,
        "swap_run": True,
        "swap_target": "same-run",
    },
}

# What one hand says beside its contract and deal, by number.
SINGLE_HANDS: dict[str, dict[int, dict[str, Any]]] = {
    "house": {7: {"all_cards": True, "ends_game": True}},
    "gather": {7: {"min_run": 4, "exact_runs": False, "all_cards": True, "no_discard": True, "discard_to_go_out": False}},
    "shanghai": {7: {"no_discard": True, "discard_to_go_out": False}},
    "may-i": {7: {"penalty": 2}},
    "magnus": {7: {"all_cards": True, "no_discard": True, "discard_to_go_out": False, "ends_game": True}},
    "liverpool": {7: {"no_discard": True, "discard_to_go_out": False}},
    "shanghai-rum": {10: {"claims": 4}},
    "carioca": {8: {"must_go_out": True}},
}

WILD = {"continental": {"JK", "AH", "AD"}, "fifteen": {"JK", "2S", "2H", "2D", "2C"}, "basic": set()}


def test_the_tables_here_cover_every_preset() -> None:
    assert set(TABLE) == set(OWN) == set(preset_ids())


@pytest.mark.parametrize("name", preset_ids())
def test_packs_deals_contracts_and_points_are_those_of_the_rule_book(name: str) -> None:
    rules = preset(name)
    assert {
        "players": (rules.players_min, rules.players_max),
        "packs": packs(rules, range(3, 9)),
        "deal": [hand.deal for hand in rules.hands],
        "contracts": [str(hand.contract) for hand in rules.hands],
        "points": points(rules),
    } == TABLE[name]


@pytest.mark.parametrize("name", preset_ids())
def test_every_other_parameter_is_that_of_the_rule_book(name: str) -> None:
    rules = preset(name)
    wanted = PLAIN | OWN[name]
    assert {parameter: getattr(rules, parameter) for parameter in wanted} == wanted
    assert rules.wild == WILD.get(name, {"JK"})


@pytest.mark.parametrize("name", preset_ids())
def test_single_hands_differ_only_as_the_rule_book_says(name: str) -> None:
    rules = preset(name)
    for number, hand in enumerate(rules.hands, start=1):
        plain = {
            "claims": rules.claims,
            "penalty": rules.claim_penalty,
            "min_run": rules.min_run,
            "exact_sets": rules.exact_sets,
            "exact_runs": rules.exact_runs,
            "discard_to_go_out": rules.discard_to_go_out,
            "all_cards": False,
            "must_go_out": False,
            "no_discard": False,
            "ends_game": False,
        }
        wanted = plain | SINGLE_HANDS.get(name, {}).get(number, {})
        assert {key: getattr(hand, key) for key in wanted} == wanted


def test_every_parameter_is_pinned_by_one_of_the_tables() -> None:
    elsewhere = {"id", "name", "source", "players_min", "players_max", "decks", "jokers", "hands", "points", "wild"}
    listed = {"hand_defaults", "missing_in_source", "borrowed", "swap_target"}
    assert set(PARAMETERS) == set(PLAIN) | elsewhere | listed


def test_the_minimum_to_go_down_rises_from_six_to_twelve() -> None:
    for name in ("house", "continental", "contract", "may-i", "magnus", "spanish"):
        rules = preset(name)
        assert [minimum_cards(rules, hand) for hand in rules.hands] == [6, 7, 8, 9, 10, 11, 12]


def test_red_and_black_aces_differ_in_kalooki_alone() -> None:
    differ = [name for name in preset_ids() if preset(name).value("AH") != preset(name).value("AS")]
    assert differ == ["kalooki"]
    assert preset("kalooki").value("AD") == 1


def test_only_the_sheet_whose_source_is_lost_is_not_ready() -> None:
    assert [name for name in preset_ids() if not preset(name).ready] == ["fifteen"]
    assert preset("fifteen").still_open == ("hands", "points")
    assert preset("fifteen").missing_in_source == ("hands", "points", "payouts")


def test_what_a_source_does_not_have_is_said_to_be_borrowed() -> None:
    whole = [name for name in preset_ids() if not preset(name).borrowed]
    assert whole == ["house", "continental"]


@pytest.mark.parametrize("name", preset_ids())
def test_every_parameter_of_a_preset_file_names_its_source(name: str) -> None:
    data = preset_data(name)
    said = set(data) - {"id", "name", "source", "sources", "missing_in_source"}
    assert said <= set(data["sources"])
    assert set(data["sources"]) <= set(PARAMETERS)


@pytest.mark.parametrize("name", preset_ids())
def test_a_source_is_named_by_a_rule_of_that_source_alone(name: str) -> None:
    for parameter in PARAMETERS:
        origin = provenance(name, parameter)
        match origin.kind:
            case "source":
                assert origin.ref.startswith(f"{name}."), parameter
            case "ruling":
                assert origin.ref.startswith("R-"), parameter
            case "default":
                assert origin.ref in set("abcdefghijklmnop") | {""}, parameter
            case _:
                assert origin.ref == ""


def test_presets_known_from_outside_copies_claim_no_source() -> None:
    for name in preset_ids():
        kinds = {provenance(name, parameter).kind for parameter in PARAMETERS}
        assert ("source" in kinds) == (preset(name).source != "outside" and name != "may-i"), name
