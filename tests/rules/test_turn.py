from typing import Any

import pytest

from continental.rules.citing import concepts
from continental.rules.referee import answer
from continental.rules.rulesets import load

from .turns import NINES, RUN, discard, lay_off, lying, opening, rules_of, swap, table, turn

# -- Opening ----------------------------------------------------------------------------------------------------------


def test_the_contract_is_laid_in_one_turn() -> None:
    assert rules_of(opening("7H 7D 7S")) == ["house.open.contract"]
    assert rules_of(opening("7H 7D 7S", "4H 5H 6H 7H")) == ["house.open.contract"]


def test_every_fault_is_told_at_once() -> None:
    given = opening("7H 7D 8S", "4H 5H 6D 7H", "KC KD KH", hand=2)
    assert rules_of(given) == ["house.open.no-new-melds", "house.set.definition", "house.run.definition"]
    assert [reason["meld"] for reason in given["reasons"]] == ["m3", "m1", "m2"]
    assert all(reason["text"] for reason in given["reasons"])


def test_a_meld_that_reads_both_ways_is_what_the_contract_lacks() -> None:
    given = opening(NINES, "7H JK JK JK", hand=2, players=8)
    assert given["verdict"] == "legal"
    assert lying(given, "m2")["as"] == ["7H", "8H", "9H", "TH"]


def test_two_melds_that_read_both_ways_are_asked_about() -> None:
    given = opening("7H JK JK JK", "9D JK JK JK", hand=2, players=12)
    assert given["verdict"] == "unclear"
    assert "set or a run" in given["question"]


def test_a_spoken_value_settles_which_of_two_melds_is_the_run() -> None:
    given = opening("7H JK=8H JK JK", "9D JK=9 JK JK", hand=2, players=12)
    assert given["verdict"] == "legal"
    assert [meld["kind"] for meld in given["melds"]] == ["run", "set"]


def test_runs_of_other_lengths_are_matched_to_the_slot_that_asks_for_most() -> None:
    assert opening("3H 4H 5H 6H 7H 8H 9H", NINES, rules="shanghai-rum", hand=5)["verdict"] == "legal"
    assert rules_of(opening("3H 4H 5H 6H", NINES, rules="shanghai-rum", hand=5)) == ["house.open.contract"]


def test_a_wrong_opening_found_later_goes_back_whole() -> None:
    given = opening("7H 7D 8S", "KC KD KH")
    assert given["if_found_later"] == {"return": ["7H", "7D", "8S", "KC", "KD", "KH"], "stands": False}


def test_a_wrong_meld_beside_a_whole_contract_goes_back_alone() -> None:
    given = opening("7H 7D 8S", "KC KD KH", "4C 4D 4S")
    assert given["if_found_later"] == {"return": ["7H", "7D", "8S"], "stands": True}


def test_the_proposal_moves_only_the_joker() -> None:
    given = opening("3H 4H 5H JK", "7H 8H 9H TH", hand=3)
    assert given["instead"]["melds"] == ["JK 3H 4H 5H", "7H 8H 9H TH"]
    assert given["instead"]["left"] == []


def test_the_proposal_may_lay_cards_across_melds() -> None:
    given = opening("7H 7D 8S", "8C 8D 7S")
    assert sorted(map(sorted, (meld.split() for meld in given["instead"]["melds"]))) == [["7D", "7H", "7S"], ["8C", "8D", "8S"]]


def test_the_proposal_uses_as_many_cards_as_can_lie() -> None:
    given = opening("3H 4H 5H 6H 7H", "8H 9H TH JH", hand=3)
    assert given["instead"]["left"] == ["7H"]
    assert given["instead"]["text"] == "At most 8 of the 9 cards laid can lie so."


def test_nothing_is_proposed_where_no_lay_down_is_legal() -> None:
    assert opening("3H 4H 5H 6H", "7H 8H 9H TH", hand=3)["instead"] is None


@pytest.mark.parametrize("suits", [{"set_repeat_suits": True}, {"set_repeat_suits": False}], ids=str)
def test_the_own_layout_is_kept_where_no_other_holds_more_cards(suits: dict[str, Any]) -> None:
    sheet = {"base": "gather", "jokers": 8, "hands": [{"contract": "2S", "deal": 10}, {"contract": "1R5", "deal": 10}], **suits}
    given = opening("7D JK=7 7S", "5H JK=5 5D", "7D JK=7 7S", rules=sheet, players=8)
    assert (given["instead"]["melds"], given["instead"]["left"]) == (["7D JK=7 7S", "5H JK=5 5D"], ["7S", "7D", "JK"])
    given = opening("JK 6H JK 8H 9H", "JK 6H JK 8H 9H", rules=sheet, hand=2, players=8)
    assert given["instead"]["melds"] == ["JK 6H JK 8H 9H"]


@pytest.mark.parametrize(
    ("rules", "hand", "melds"),
    [
        ("magnus", 3, ["TS 9S 8S 7S 6S", "JK JK 5C JK=5D 6D"]),
        ("progressive", 5, ["KH KD KD", "JK 3H 3C", "JK 8C JK=9C TC", "JK 8C JK=9C TC"]),
        ({"base": "fifteen", "hands": [{"contract": "1P 1S 1R", "deal": 12}]}, 1, ["3D 3S", "TS JK JK JK=7H 8H", "9D 9H 9S"]),
    ],
)
def test_a_layout_that_leaves_a_value_open_is_no_proposal(rules: Any, hand: int, melds: list[str]) -> None:
    given = opening(*melds, rules=rules, hand=hand, players=8)
    assert given["verdict"] == "illegal"
    assert opening(*given["instead"]["melds"], rules=rules, hand=hand, players=8)["verdict"] == "legal"


def test_cards_that_are_not_held_have_no_part_in_what_is_proposed() -> None:
    melds = ["JS TS 9S 8S 7S 6S", "2H 3H JK=4H 5H", "KC TC JC 8C JK QC"]
    held = "JS TS 9S 8S 7S 6S 2H 3H JK 5H KC TC JC 8C JK QC"
    opened = {"do": "open", "melds": melds}
    given = turn(opened, lay_off("AD", "m1"), discard("QC"), rules="house", hand=7, players=6, opened=[], held=held)
    assert given["instead"]["left"] == ["AD", "8C"]
    again = {"do": "open", "melds": given["instead"]["melds"]}
    assert turn(again, discard("8C"), rules="house", hand=7, players=6, opened=[], held=held)["verdict"] == "legal"


# -- Before going down, and after --------------------------------------------------------------------------------------


def test_nothing_is_played_before_going_down() -> None:
    given = turn(
        lay_off("7C"),
        swap("5H", "t1", "t2"),
        {"do": "meld", "cards": "4C 4D 4S"},
        opened=["A"],
        table=table("7H 7D 7S", "4H JK 6H 7H"),
    )
    assert rules_of(given) == ["house.open.before-any"] * 3
    assert given["if_found_later"]["stands"] is False


def test_laying_off_follows_the_opening_in_the_same_turn() -> None:
    down = {"do": "open", "melds": ["3H 4H 5H 6H", "8H 9H TH JH"]}
    assert turn(down, lay_off("7H", "m1"), hand=3, opened=[])["verdict"] == "legal"
    assert rules_of(turn(lay_off("8H"), down, hand=3, opened=[], table=table(RUN))) == ["house.open.before-any"]


def test_who_is_down_does_not_go_down_again() -> None:
    assert rules_of(turn({"do": "open", "melds": ["7H 7D 7S", "KC KD KH"]})) == ["house.open.no-new-melds"]


def test_own_melds_are_not_extended_in_the_turn_of_an_exact_opening() -> None:
    down = {"do": "open", "melds": ["7H 7D 7S", "KC KD KH"]}
    shared: dict[str, Any] = {"rules": "contract", "opened": ["A"], "table": table("8D 8H 8S")}
    assert rules_of(turn(down, lay_off("7C", "m1"), **shared)) == ["contract.layoff.others"]
    assert turn(down, lay_off("8C"), **shared)["verdict"] == "legal"


def test_laying_off_waits_for_a_later_turn_where_the_sheet_says_so() -> None:
    down = {"do": "open", "melds": ["7H 7D 7S", "KC KD KH"]}
    given = turn(down, lay_off("8C"), rules="magnus", opened=["A"], table=table("8D 8H 8S"))
    assert len(given["reasons"]) == 1
    assert "later turn" in given["reasons"][0]["text"]
    assert turn(lay_off("8C"), rules="magnus", table=table("8D 8H 8S"))["verdict"] == "legal"


def test_free_melding_needs_no_opening() -> None:
    melds = [{"do": "meld", "cards": "4C 4D 4S"}, {"do": "meld", "cards": "5H 6H 7H"}]
    assert turn(*melds, lay_off("8H", "m2"), discard("KD"), rules="basic", opened=[])["verdict"] == "legal"
    assert rules_of(turn({"do": "meld", "cards": "4C 4D 5S"}, rules="basic", opened=[])) == ["basic.melds"]


def test_a_freed_wild_card_goes_where_cards_may_be_laid_off_in_that_turn() -> None:
    down = {"do": "open", "melds": ["KH KD KS", "QH QD QS"]}
    lying = [*table("9H 9D 9S"), {"id": "t9", "owner": "A", "kind": "run", "cards": "5H JK 7H 8H"}]

    def swapped(rules: str, to: str, *before: dict[str, Any]) -> dict[str, Any]:
        opened = ["A"] if before else ["A", "B"]
        return turn(*before, {"do": "swap", "meld": "t9", "card": "6H", "wild_to": to}, rules=rules, opened=opened, table=lying)

    assert swapped("house", "m1", down)["verdict"] == "legal"
    assert swapped("contract", "t1", down)["verdict"] == "legal"
    assert rules_of(swapped("contract", "m1", down)) == ["contract.layoff.others"]
    assert swapped("magnus", "t1", down)["verdict"] == "illegal"
    assert swapped("magnus", "t1")["verdict"] == "legal"


def test_melds_laid_one_after_the_other_in_going_down_are_judged_as_if_laid_at_once() -> None:
    more = {"base": "house", "extra_melds_opening": True}
    down = {"do": "open", "melds": ["2D 2H 2S", "3H 4H 5H 6H"]}
    touching = turn(down, {"do": "meld", "cards": "7H 8H 9H TH"}, rules=more, hand=2, opened=[])
    assert rules_of(touching) == ["house.runs.contiguous"]
    assert touching["reasons"][0]["action"] == 1
    assert turn(down, {"do": "meld", "cards": "8H 9H TH JH"}, rules=more, hand=2, opened=[])["verdict"] == "legal"
    same = {"base": "basic", "same_rank_sets": False}
    four = [{"do": "meld", "cards": "4C 4D 4S"}, {"do": "meld", "cards": "4H 4C 4D"}]
    assert rules_of(turn(*four, rules=same, opened=[], players=8)) != []
    assert turn(*four, rules={"base": "basic", "decks": 2}, opened=[])["verdict"] == "legal"


def test_the_turn_of_going_down_has_its_own_rule_for_further_melds() -> None:
    down = {"do": "open", "melds": ["7H 7D 7S", "KC KD KH"]}
    third = {"do": "meld", "cards": "4C 4D 4S"}
    assert turn(down, third, rules={"base": "house", "extra_melds_opening": True}, opened=[])["verdict"] == "legal"
    assert turn(down, third, rules={"base": "house", "extra_melds_later": True}, opened=[])["verdict"] == "illegal"
    assert turn(third, rules={"base": "house", "extra_melds_opening": True})["verdict"] == "illegal"


@pytest.mark.parametrize(
    ("sheet", "melds", "verdict"),
    [
        ({"hands": [{"contract": "1P 1S", "deal": 10}], "min_set": 2}, ["8D 8S 8H", "TS TH"], "legal"),
        ({"hands": [{"contract": "1P 1S", "deal": 10}], "min_set": 2}, ["8D 8S 8H", "TS TH TD"], "illegal"),
        ({"hands": [{"contract": "1S2", "deal": 10}], "extra_melds_opening": True}, ["8D 8S 8H", "TS TH"], "legal"),
        ({"hands": [{"contract": "1P", "deal": 10}], "extra_melds_opening": True}, ["8D 8S 8H", "TS TH"], "legal"),
        ({"hands": [{"contract": "1P", "deal": 10}], "extra_melds_opening": True}, ["8D 8S", "TS TH"], "illegal"),
    ],
)
def test_melds_of_many_sizes_find_their_slots_in_whatever_order_they_lie(
    sheet: dict[str, Any], melds: list[str], verdict: str
) -> None:
    for order in (melds, melds[::-1]):
        given = turn({"do": "open", "melds": order}, rules={"base": "house", **sheet}, players=6, opened=[])
        assert given["verdict"] == verdict


def test_a_set_of_wild_cards_alone_has_no_rank_whatever_is_said_of_it() -> None:
    sheet = {"base": "continental", "same_rank_sets": False, "wild_ratio": "free"}
    said = "JK=K JK=K JK=K"
    assert turn({"do": "open", "melds": [said, "KH KD KS"]}, rules=sheet, opened=[])["verdict"] == "legal"
    lying = [{"id": "t1", "owner": "A", "kind": "set", "cards": said}]
    assert rules_of(turn(lay_off("KH"), rules=sheet, table=lying)) == ["continental.wild.trio"]


def test_of_two_sets_of_red_aces_one_is_read_as_wild_cards_where_ranks_must_differ() -> None:
    sheet = {"base": "continental", "same_rank_sets": False}
    given = turn({"do": "open", "melds": ["AH AD JK", "AH AD JK"]}, rules=sheet, opened=[])
    assert given["verdict"] == "legal"
    assert [meld["as"] for meld in given["melds"]] == [["AH", "AD", "A"], ["AH", "AD", "JK"]]
    beside = turn({"do": "open", "melds": ["AH AD JK", "AS AC AH"]}, rules=sheet, opened=[])
    assert [meld["as"] for meld in beside["melds"]] == [["AH", "AD", "JK"], ["AS", "AC", "AH"]]


def test_a_set_that_needs_naturals_is_not_made_of_wild_cards_alone() -> None:
    sheet = {"base": "kalooki", "all_wild": "declared", "hands": [{"contract": "1S", "deal": 9}]}
    assert rules_of(turn({"do": "open", "melds": ["JK=K JK=K JK=K"]}, rules=sheet, opened=[])) == ["house.wild.fill"]
    assert turn({"do": "open", "melds": ["KH KS JK=K"]}, rules=sheet, opened=[])["verdict"] == "legal"


def test_new_melds_are_legal_where_the_sheet_allows_them() -> None:
    sheet = {"base": "house", "extra_melds_later": True}
    assert turn({"do": "meld", "cards": "4C 4D 4S"}, rules=sheet)["verdict"] == "legal"
    assert turn({"do": "meld", "cards": "7H JK JK JK"}, rules=sheet, players=8)["verdict"] == "unclear"


# -- Laying off --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("run", "cards", "end", "verdict"),
    [
        (RUN, "8H", None, "legal"),
        (RUN, "3H", None, "legal"),
        (RUN, "8H 9H", None, "legal"),
        (RUN, "3H 8H", None, "legal"),
        (RUN, "8H 3H 9H", None, "legal"),
        (RUN, "9H", None, "illegal"),
        (RUN, "8D", None, "illegal"),
        (RUN, "7H", None, "illegal"),
        (RUN, "JK", None, "unclear"),
        (RUN, "JK", "high", "legal"),
        (RUN, "8H JK", None, "legal"),
        (RUN, "JK=3H", None, "legal"),
        (RUN, "JK=2H", None, "unclear"),
        (RUN, "JK JK", None, "unclear"),
        (RUN, "JK JK", "low", "legal"),
        (RUN, "JK 9H", None, "legal"),
        ("JH QH KH AH", "JK", None, "legal"),
        ("JH QH KH AH", "JK", "high", "illegal"),
        ("JH QH KH AH", "2H", None, "illegal"),
        ("AH 2H 3H 4H", "KH", None, "illegal"),
        ("AH 2H 3H 4H", "JK", None, "legal"),
        ("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", "AH", None, "unclear"),
        ("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", "AH", "low", "legal"),
        ("AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", "AH", None, "illegal"),
    ],
)
def test_what_fits_on_a_run(run: str, cards: str, end: str | None, verdict: str) -> None:
    assert turn(lay_off(cards, end=end), table=table(run))["verdict"] == verdict


def test_a_card_that_fits_nowhere_is_told_by_what_is_wrong_with_it() -> None:
    assert rules_of(turn(lay_off("9H"), table=table(RUN))) == ["house.run.definition"]
    assert rules_of(turn(lay_off("8C"), table=table(NINES))) == ["house.set.definition"]
    assert rules_of(turn(lay_off("2H"), table=table("JH QH KH AH"))) == ["house.ace.either-end"]
    assert rules_of(turn(lay_off("JK"), table=table("AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"))) == ["house.run.max13"]
    assert rules_of(turn(lay_off("JK", end="high"), table=table("JH QH KH AH"))) == ["house.joker.implied"]


def test_only_the_cards_that_do_not_fit_go_back() -> None:
    given = turn(lay_off("8H TH"), table=table(RUN))
    assert given["if_found_later"] == {"return": ["TH"], "stands": True}


def test_a_value_once_implied_never_changes() -> None:
    given = turn(lay_off("8H"), lay_off("3H"), table=table("4H JK 6H 7H"))
    assert lying(given, "t1")["cards"] == "3H 4H JK 6H 7H 8H"
    assert lying(given, "t1")["as"] == ["3H", "4H", "5H", "6H", "7H", "8H"]


def test_wild_cards_never_outnumber_naturals_after_any_play_where_the_sheet_says_always() -> None:
    laid: dict[str, Any] = {"rules": "continental", "hand": 2}
    assert rules_of(turn(lay_off("JK"), table=table("7C 7D JK JK"), **laid)) == ["continental.wild.not-outnumber"]
    assert turn(lay_off("7S JK"), table=table("7C 7D JK JK"), **laid)["verdict"] == "legal"
    assert turn(lay_off("JK JK"), table=table("8C 8D 8S JK"), rules="contract")["verdict"] == "legal"


def test_a_limit_of_the_opening_does_not_bind_a_later_lay_off() -> None:
    sheet = {"base": "house", "set_repeat_suits": False}
    assert turn(lay_off("7S"), table=table("7S 7H 7D"), rules=sheet)["verdict"] == "legal"
    assert rules_of(opening("7S 7H 7D 7S", "KC KD KH", rules=sheet)) == ["house.open.contract"]


# -- Swapping ----------------------------------------------------------------------------------------------------------


def test_the_freed_wild_card_may_go_back_to_the_same_run() -> None:
    given = turn(swap("5H", "t1", end="high"), table=table("4H JK 6H 7H"))
    assert given["verdict"] == "legal"
    assert lying(given, "t1")["as"] == ["4H", "5H", "6H", "7H", "8H"]
    assert turn(swap("5H", "t1"), table=table("4H JK 6H 7H"))["verdict"] == "unclear"


def test_a_wild_card_of_a_set_is_never_replaced() -> None:
    given = turn(swap("9H", "t2"), table=table("9C 9D JK", RUN))
    assert rules_of(given) == ["house.joker.no-swap-set"]
    assert given["if_found_later"] == {"return": ["9H"], "stands": True}


def test_a_wild_card_of_a_set_is_replaced_where_the_sheet_allows_it() -> None:
    sheet = {"base": "house", "swap_set": True}
    assert turn(swap("9H", "t2", end="low"), table=table("9C 9D JK", RUN), rules=sheet)["verdict"] == "legal"
    assert rules_of(turn(swap("8H", "t2", end="low"), table=table("9C 9D JK", RUN), rules=sheet)) == ["house.joker.no-swap-set"]


def test_no_swap_where_the_game_has_none() -> None:
    sheet = {"base": "fifteen", "hands": [{"contract": "1S 1R", "deal": 10}]}
    assert rules_of(turn(swap("5H", "t2"), table=table("4H JK 6H 7H", NINES), rules=sheet)) == ["fifteen.wild.fixed"]


@pytest.mark.parametrize(
    ("target", "to", "verdict"),
    [
        ("any", "t1", "legal"),
        ("any", "t2", "legal"),
        ("another-meld", "t1", "illegal"),
        ("another-meld", "t2", "legal"),
        ("own-run", "t1", "legal"),
        ("own-run", "t2", "illegal"),
        ("own-run", "t3", "illegal"),
        ("same-run", "t1", "legal"),
        ("same-run", "t3", "illegal"),
    ],
)
def test_where_a_freed_wild_card_may_go(target: str, to: str, verdict: str) -> None:
    laid = [*table("4H JK 6H 7H", NINES), {"id": "t3", "owner": "C", "kind": "run", "cards": "4S 5S 6S 7S"}]
    given = turn(swap("5H", to, end="high"), table=laid, rules={"base": "house", "swap_target": target})
    assert given["verdict"] == verdict


@pytest.mark.parametrize(("ratio", "verdict"), [("free", "legal"), ("opening", "legal"), ("always", "illegal")])
def test_a_natural_swapped_in_among_wild_cards_alone_may_be_outnumbered(ratio: str, verdict: str) -> None:
    alone = {"id": "t1", "owner": "A", "kind": "run", "cards": "JK JK JK", "as": ["5H", "6H", "7H"]}
    laid = [alone, {"id": "t2", "owner": "A", "kind": "set", "cards": NINES}]
    sheet = {"base": "house", "wild_ratio": ratio, "jokers": 8}
    given = turn(swap("5H", "t2"), table=laid, rules=sheet)
    assert given["verdict"] == verdict
    assert [reason["meld"] for reason in given["reasons"]] == ["t1"] * (verdict == "illegal")


def test_a_joker_freed_and_kept_stays_due_when_found_later() -> None:
    given = turn(swap("5H", "hand"), table=table("4H JK 6H 7H"), held="5H KD")
    assert "house.joker.replay" in rules_of(given)
    assert given["held"] == ["KD", "JK"]
    assert given["if_found_later"] == {"return": [], "stands": True}


# -- Taking back -------------------------------------------------------------------------------------------------------


def test_cards_of_this_turn_may_be_taken_back_until_the_discard() -> None:
    back = {"do": "takeback", "cards": "8H", "laid": "this-turn"}
    assert turn(lay_off("8D"), {**back, "cards": "8D"}, table=table(RUN))["verdict"] == "legal"
    given = turn(lay_off("8H"), back, discard("8H"), table=table(RUN), held="8H KD")
    assert given["verdict"] == "legal"
    assert given["held"] == ["KD"]
    assert lying(given, "t1")["cards"] == RUN
    assert rules_of(turn(lay_off("8H"), discard("KD"), back, table=table(RUN))) == ["house.takeback.current-turn"]


def test_cards_of_an_earlier_turn_stay() -> None:
    earlier = {"do": "takeback", "cards": "7H", "laid": "earlier"}
    assert rules_of(turn(earlier, table=table(RUN))) == ["house.takeback.current-turn"]
    assert rules_of(turn({**earlier, "laid": "this-turn"}, table=table(RUN))) == ["house.takeback.current-turn"]


def test_an_opening_taken_back_may_be_laid_otherwise() -> None:
    wrong = {"do": "open", "melds": ["7H 7D 8S", "KC KD KH"]}
    back = {"do": "takeback", "cards": "7H 7D 8S KC KD KH", "laid": "this-turn"}
    right = {"do": "open", "melds": ["7H 7D 7S", "KC KD KH"]}
    given = turn(wrong, back, right, opened=[])
    assert given["verdict"] == "legal"
    assert [meld["id"] for meld in given["melds"]] == ["m1", "m2"]


def test_one_superfluous_card_may_be_taken_back_from_an_opening() -> None:
    laid = {"do": "open", "melds": ["7H 7D 7S 8C", "KC KD KH"]}
    assert turn(laid, {"do": "takeback", "cards": "8C", "laid": "this-turn"}, opened=[])["verdict"] == "legal"


def test_a_meld_taken_back_holds_no_lay_off() -> None:
    laid = {"do": "open", "melds": ["7H 7D 7S", "KC KD KH"]}
    back = {"do": "takeback", "cards": "7H 7D 7S KC KD KH", "laid": "this-turn"}
    given = turn(laid, lay_off("7C", "m1"), back, opened=[])
    assert "house.layoff.existing" in rules_of(given)


# -- Claim, discard, going out -----------------------------------------------------------------------------------------


def test_a_claimer_lays_nothing_and_discards_nothing() -> None:
    given = turn(lay_off("8H"), discard("KD"), table=table(RUN), claimed=True)
    assert rules_of(given) == ["house.claim.no-play", "house.claim.penalty"]
    assert given["if_found_later"] == {"return": ["8H"], "stands": True}


def test_a_turn_with_a_hand_known_ends_with_one_discard() -> None:
    assert rules_of(turn(lay_off("8H"), table=table(RUN), held="8H KD 3C")) == ["house.turn.end-discard"]
    assert rules_of(turn(discard("KD"), discard("3C"), held="KD 3C")) == ["house.turn.end-discard"]
    assert rules_of(turn(discard("KD"), lay_off("8H"), table=table(RUN), held="8H KD")) == ["house.turn.end-discard"]


def test_a_card_that_is_not_held_cannot_be_played() -> None:
    given = turn(lay_off("8H"), discard("KD"), table=table(RUN), held="KD 3C")
    assert rules_of(given) == ["entry.not-held"]
    twice = turn(lay_off("9H", "t2"), lay_off("9H", "t2"), discard("KD"), table=table(RUN, NINES), held="9H KD")
    assert rules_of(twice) == ["entry.not-held"]


def test_the_card_drawn_is_among_those_held() -> None:
    assert rules_of(turn(discard("KD"), held="KD 3C", draw={"from": "discard", "card": "5S"})) == ["entry.not-held"]
    assert turn(discard("KD"), held="KD 3C", draw={"from": "stock"})["verdict"] == "legal"


def test_more_copies_than_the_packs_hold_are_impossible() -> None:
    assert rules_of(turn(lay_off("7H"), lay_off("7H"), table=table("7H 7D 7S"), players=2)) == ["house.decks.formula"]
    assert turn(discard("KD"), held="KD KD KD")["verdict"] == "impossible"
    given = turn(lay_off("JK"), table=table("7H 7D JK JK"), rules="magnus", players=3)
    assert rules_of(given) == ["R-99"]
    assert (given["instead"], given["if_found_later"]) == (None, None)


def test_the_packs_are_spoken_of_by_their_number() -> None:
    def said(cards: str, **more: Any) -> list[str]:
        return [reason["text"] for reason in turn(discard("KD"), held=cards, **more)["reasons"]]

    assert said("KD 2C 2C", players=2) == ["2C appears 2 times, and the one pack holds it once: check the entry."]
    assert said("KD 2C 2C 2C", players=4) == ["2C appears 3 times, and 2 packs hold it 2 times: check the entry."]
    assert said("KD JK JK", players=2) == ["2 jokers appear, and the pack holds one: check the entry."]
    assert said("KD JK JK JK", players=4) == ["3 jokers appear, and the packs hold 2: check the entry."]
    assert said("KD JK", rules="basic") == ["A joker appears, and this game is played without jokers: check the entry."]


def test_a_playable_card_is_not_discarded_by_who_is_down() -> None:
    shared: dict[str, Any] = {"rules": "contract", "table": table("8D 8H 8S")}
    assert turn(discard("8C"), opened=["A"], **shared)["verdict"] == "legal"
    bound = {"base": "contract", "discard_binds_unopened": True}
    assert rules_of(turn(discard("8C"), opened=["A"], rules=bound, table=table("8D 8H 8S"))) == ["contract.discard.not-playable"]
    down = {"do": "open", "melds": ["7H 7D 7S", "KC KD KH"]}
    assert turn(down, discard("7C"), opened=["A"], **shared)["verdict"] == "legal"
    assert rules_of(turn(down, discard("8C"), opened=["A"], **shared)) == ["contract.discard.not-playable"]


def test_the_other_copy_of_a_card_just_taken_may_be_discarded() -> None:
    sheet = {"base": "house", "discard": "not-just-taken"}
    draw = {"from": "discard", "card": "6D"}
    assert turn(discard("6D"), rules=sheet, draw=draw, held="6D 6D 3C")["verdict"] == "legal"
    assert rules_of(turn(discard("6D"), rules=sheet, draw=draw, held="6D 3C")) == ["basic.no-same-discard"]
    assert turn(discard("6D"), rules=sheet, draw={"from": "stock", "card": "6D"}, held="6D 3C")["verdict"] == "legal"


def test_nobody_goes_out_by_discarding_where_the_last_two_must_be_played() -> None:
    sheet = {"base": "contract", "play_last_two": True}
    assert rules_of(turn(discard("3C"), rules=sheet, held="3C")) == ["contract.out.two-cards"]


def test_what_lies_on_a_meld_that_goes_back_goes_back_with_it() -> None:
    down = {"do": "open", "melds": ["7H 7D 7S", "QC QD QS", "5C 5D 5S"]}
    extra = turn(down, lay_off("5H", "m3"), lay_off("7C", "m1"), discard("KD"), opened=["A"])
    assert extra["if_found_later"] == {"return": ["5C", "5D", "5S", "5H"], "stands": True}
    new = turn({"do": "meld", "cards": "9C 9D 9S"}, lay_off("9H", "m1"), lay_off("8H"), discard("KD"), table=table(RUN))
    assert new["if_found_later"] == {"return": ["9C", "9D", "9S", "9H"], "stands": True}


def test_where_the_last_two_must_be_played_they_go_out_together() -> None:
    sheet = {"base": "contract", "play_last_two": True}
    runs = table(RUN, "TC JC QC KC")
    both = turn(lay_off("8H"), lay_off("9C", "t2"), rules=sheet, table=runs, held="8H 9C", opened=["A", "B"])
    assert (both["verdict"], both["goes_out"]) == ("legal", True)
    assert rules_of(turn(lay_off("8H"), rules=sheet, table=runs, held="8H 9C", opened=["A", "B"])) == ["contract.turn"]
    usual = turn(lay_off("8H"), lay_off("9C", "t2"), rules="contract", table=runs, held="8H 9C", opened=["A", "B"])
    assert rules_of(usual) == ["contract.out.discard"]


def test_going_out_needs_every_card_played() -> None:
    given = turn(lay_off("8H"), discard("KD"), table=table(RUN), held="8H KD")
    assert (given["goes_out"], given["ends_game"], given["held"]) == (True, False, [])
    assert turn(lay_off("8H"), discard("KD"), table=table(RUN), held="8H KD 3C")["goes_out"] is False
    assert "goes_out" not in turn(lay_off("8H"), discard("KD"), table=table(RUN))


def test_an_opening_that_needs_every_card_cannot_keep_a_discard() -> None:
    given = opening("7H 7D 7S", "KC KD KH", held="7H 7D 7S KC KD KH")
    assert rules_of(given) == ["house.turn.end-discard"]
    assert given["instead"] is None
    assert given["if_found_later"]["stands"] is False
    longer = opening("7H 7D 7S 7C", "KC KD KH", held="7H 7D 7S 7C KC KD KH")
    assert longer["instead"]["melds"] == ["7H 7D 7S", "KC KD KH"]
    assert longer["if_found_later"] == {"return": ["7C"], "stands": True}


def test_a_swap_follows_the_contract_in_the_turn_of_going_down() -> None:
    down = {"do": "open", "melds": ["8C 8D 8S", "5C 6C 7C 8C"]}
    given = turn(down, swap("5H", "m1"), discard("KD"), hand=2, opened=["A"], table=table("4H JK 6H 7H"))
    assert given["verdict"] == "legal"
    assert lying(given, "m1")["cards"] == "8C 8D 8S JK"


# -- The last hand -----------------------------------------------------------------------------------------------------

THREE_RUNS = ["3H 4H 5H 6H", "8H 9H TH JH", "2S 3S 4S 5S"]


def test_the_all_cards_hand_ends_the_game() -> None:
    down = {"do": "open", "melds": THREE_RUNS}
    given = turn(down, discard("KD"), hand=7, opened=[], held=" ".join([*THREE_RUNS, "KD"]))
    assert (given["verdict"], given["goes_out"], given["ends_game"]) == ("legal", True, True)


def test_the_first_to_go_down_ends_the_game_with_cards_left_where_the_sheet_says_so() -> None:
    sheet = {"base": "house", "hands": [{"contract": "2S", "deal": 10, "ends_game": True}]}
    given = opening("7H 7D 7S", "KC KD KH", rules=sheet, held="7H 7D 7S KC KD KH 2C")
    assert (given["verdict"], given["ends_game"]) == ("illegal", False)
    down = {"do": "open", "melds": ["7H 7D 7S", "KC KD KH"]}
    given = turn(down, discard("2C"), rules=sheet, opened=[], held="7H 7D 7S KC KD KH 2C 9D")
    assert (given["verdict"], given["goes_out"], given["ends_game"]) == ("legal", False, True)


def test_nobody_goes_down_after_the_first_in_the_all_cards_hand() -> None:
    given = turn({"do": "open", "melds": THREE_RUNS}, hand=7, opened=["A"])
    assert rules_of(given) == ["house.final.ends-game"]
    assert given["instead"] is None


def test_a_card_left_over_in_the_all_cards_hand_takes_everything_back() -> None:
    held = " ".join([*THREE_RUNS, "KD 2C"])
    given = turn({"do": "open", "melds": THREE_RUNS}, discard("KD"), hand=7, opened=[], held=held)
    assert rules_of(given) == ["house.final.all-cards"]
    assert given["if_found_later"]["stands"] is False


def test_no_swap_in_the_all_cards_hand() -> None:
    given = turn(swap("5H", "t1", end="high"), hand=7, table=table("4H JK 6H 7H"), opened=[])
    assert "house.final.all-cards" in rules_of(given)


def test_a_hand_melded_whole_has_no_discard() -> None:
    melds = ["3H 4H 5H 6H", "8H 9H TH JH", "2S 3S 4S 5S"]
    shared: dict[str, Any] = {"rules": "gather", "hand": 7, "opened": []}
    given = turn({"do": "open", "melds": melds}, held=" ".join(melds), **shared)
    assert (given["verdict"], given["goes_out"], given["ends_game"]) == ("legal", True, True)
    with_discard = turn({"do": "open", "melds": melds}, discard("KD"), held=" ".join([*melds, "KD"]), **shared)
    assert rules_of(with_discard) == ["R-98"]
    left = turn({"do": "open", "melds": melds}, held=" ".join([*melds, "KD"]), **shared)
    assert rules_of(left) == ["R-98"]
    assert turn(discard("KD"), held="KD 3C", **shared)["verdict"] == "legal"


def test_going_down_that_must_go_out_may_lay_off() -> None:
    sheet = {"base": "carioca", "hands": [{"contract": "1R", "deal": 12, "must_go_out": True}]}
    down = {"do": "open", "melds": ["3H 4H 5H 6H"]}
    shared: dict[str, Any] = {"rules": sheet, "opened": []}
    assert turn(down, lay_off("7H", "m1"), discard("KD"), held="3H 4H 5H 6H 7H KD", **shared)["verdict"] == "legal"
    given = turn(down, discard("KD"), held="3H 4H 5H 6H 7C KD", **shared)
    assert given["verdict"] == "illegal"
    assert given["reasons"][0]["cards"] == ["7C"]


# -- The question itself -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "at"),
    [
        ({"actions": [{"do": "open", "melds": ["7H 7D 7S", "KC KD XX"]}]}, "actions[0].melds[1]"),
        ({"actions": [discard("KD"), lay_off("8H", "t9")]}, "actions[1].meld"),
        ({"actions": [{"do": "layoff", "cards": "7S"}]}, "actions[0].meld"),
        ({"actions": [lay_off("8H", end="middle")]}, "actions[0].end"),
        ({"actions": [{"do": "fly"}]}, "actions[0].do"),
        ({"actions": [{"do": "discard", "card": "KD 3C"}]}, "actions[0].card"),
        ({"actions": [{"do": "discard", "card": "KD", "extra": 1}]}, "actions[0].extra"),
        ({"actions": [{"do": "open", "melds": []}]}, "actions[0].melds"),
        ({"actions": [{"do": "open", "melds": ["7H", ""]}]}, "actions[0].melds[1]"),
        ({"actions": [swap("5H", "nowhere")]}, "actions[0].wild_to"),
        ({"actions": [discard("KD")] * 61}, "actions"),
        ({"actions": "none"}, "actions"),
        ({"table": [{"id": "t1", "owner": "A", "kind": "run", "cards": "4H 5H 7H"}]}, "table[0].cards"),
        ({"table": [{"id": "t1", "owner": "A", "kind": "set", "cards": "JK JK JK"}]}, "table[0].cards"),
        ({"table": [{"id": "t1", "kind": "circle", "cards": "4H"}]}, "table[0].kind"),
        ({"table": [*table(RUN), *table(RUN)]}, "table[1].id"),
        ({"held": ["7H"]}, "held"),
        ({"held": "7H " * 401}, "held"),
        ({"draw": {"from": "sleeve"}}, "draw.from"),
        ({"draw": {"card": "7H"}}, "draw.from"),
        ({"opened": "A"}, "opened"),
        ({"opened": [1]}, "opened[0]"),
        ({"claimed": 1}, "claimed"),
        ({"hand": 8}, "hand"),
        ({"players": True}, "players"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_a_question_that_cannot_be_read_names_its_place(change: dict[str, Any], at: str) -> None:
    question = {"ask": "turn", "rules": "house", "players": 4, "hand": 1, "table": table(RUN), "actions": [discard("KD")]}
    given = answer({**question, **change})
    assert given["at"] == at
    assert set(given) == {"error", "at"}


def test_ten_thousand_cards_are_refused_at_once() -> None:
    given = opening("7H " * 10_000)
    assert given["at"] == "actions[0].melds[0]"


def test_the_table_of_an_answer_is_the_table_of_the_next_question() -> None:
    first = opening("JK=9 JK JK", "KC KD KH", players=6)
    assert first["verdict"] == "legal"
    second = turn(lay_off("9C", "m1"), table=first["melds"], players=6)
    assert second["verdict"] == "legal"
    assert lying(second, "m1")["as"] == ["9", "9", "9", "9C"]


def test_new_melds_take_the_numbers_that_are_free() -> None:
    laid = [{"id": "m1", "owner": "A", "kind": "run", "cards": RUN}]
    given = turn({"do": "open", "melds": ["7H 7D 7S", "KC KD KH"]}, table=laid, opened=["A"])
    assert [meld["id"] for meld in given["melds"]] == ["m1", "m2", "m3"]


def test_every_concept_cites_a_rule_under_every_preset() -> None:
    assert all("house" in lines for lines in concepts().values())
    assert load("house").id == "house"


@pytest.mark.parametrize("cards", ["JK 2S 3S", "2S JK 4S", "JK JK", "JC JK"])
@pytest.mark.parametrize("kind", ["run", "set"])
@pytest.mark.parametrize("rules", ["basic", {"base": "house", "wild": ["2"], "jokers": 0}])
def test_no_joker_lies_on_the_table_of_a_game_without_jokers(cards: str, kind: str, rules: Any) -> None:
    lying_there = [{"id": "t1", "owner": "A", "kind": kind, "cards": cards}]
    given = turn(discard("7H"), rules=rules, table=lying_there)
    assert given["at"] == "table[0].cards"
    assert "joker" in given["error"]
