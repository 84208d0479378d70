"""Faults that other products had, each with the small input that showed it. The numbers are those of the public bug log."""

from itertools import permutations

import pytest

from continental.rules.referee import answer

from .turns import RUN, discard, lay_off, lying, opening, rules_of, swap, table, turn

EIGHTS = ["8H 8D 8S", "8C 8H 8D", "4C 5C 6C 7C"]


def points(rules: str, cards: str) -> int:
    return int(answer({"ask": "count", "rules": rules, "players": 4, "cards": cards, "missing": 0})["points"])


def test_1_the_last_card_of_a_run_has_its_suit_checked() -> None:
    assert rules_of(opening("9C 9D 9S", "3S 4S 5S 6H", hand=2)) == ["house.run.definition"]


def test_2_gaps_are_not_bridged_by_nothing() -> None:
    assert rules_of(opening("9C 9D 9S", "3S 5S 9S KS", hand=2)) == ["house.run.definition"]


def test_3_a_joker_does_not_switch_off_the_check_for_duplicates() -> None:
    assert opening("9C 9D 9S", "5H 5H JK 7H", hand=2)["verdict"] == "illegal"
    assert opening("9C 9D JK", "5H 6H JK 8H", hand=2)["verdict"] == "legal"


def test_4_one_joker_is_not_laid_three_times() -> None:
    thrice = [lay_off("JK", end="high"), lay_off("JK", end="high"), lay_off("JK", end="high")]
    assert turn(*thrice, table=table(RUN))["verdict"] == "impossible"
    assert "entry.not-held" in rules_of(turn(*thrice[:2], discard("KD"), table=table(RUN), held="JK KD"))


@pytest.mark.parametrize(
    ("rules", "verdict"),
    [("house", "unclear"), ("contract", "illegal"), ("continental", "legal"), ("shanghai", "illegal"), ("may-i", "unclear")],
)
def test_5_a_set_of_jokers_is_judged_by_the_sheet(rules: str, verdict: str) -> None:
    assert opening("JK JK JK", "9C 9D 9S", rules=rules, players=6)["verdict"] == verdict


def test_6_a_joker_out_of_place_is_shown_where_it_belongs() -> None:
    given = opening("9C 9D 9S", "2S 3S 5S JK", hand=2)
    assert given["instead"]["melds"] == ["9C 9D 9S", "2S 3S JK 5S"]
    assert lying(opening("9C 9D 9S", "3S 4S 5S JK", hand=2), "m2")["as"] == ["3S", "4S", "5S", "6S"]


def test_7_a_joker_left_in_the_hand_counts() -> None:
    assert points("house", "KD JK") == 25
    assert points("continental", "KD JK") == 60


def test_8_an_ace_left_in_the_hand_has_the_points_of_the_sheet() -> None:
    assert [points(rules, "AS 2S") for rules in ("continental", "house")] == [25, 20]


def test_9_a_card_that_fits_two_melds_needs_its_meld_named() -> None:
    laid = table("7C 7D 7H", "4S 5S 6S")
    assert turn({"do": "layoff", "cards": "7S"}, table=laid)["at"] == "actions[0].meld"
    assert turn(lay_off("7S", "t1"), table=laid)["verdict"] == "legal"
    assert turn(lay_off("7S", "t2"), table=laid)["verdict"] == "legal"


def test_10_a_run_that_grew_goes_on_growing() -> None:
    assert turn(lay_off("4D"), lay_off("3D"), table=table("5D 6D 7D 8D"))["verdict"] == "legal"


@pytest.mark.parametrize(
    "rules", ["house", "continental", "contract", "gather", "shanghai", "may-i", "magnus", "liverpool", "carioca"]
)
def test_11_a_high_ace_does_not_join_kings_in_a_set(rules: str) -> None:
    black = "KC KD AC" if rules == "continental" else "KC KD AD"
    assert opening(black, "7H 7D 7S", rules=rules)["verdict"] == "illegal"


@pytest.mark.parametrize("run", ["JK 6D 7D 8D", "5D JK 7D 8D", "5D 6D 7D JK", "5D JK JK 8D"])
def test_12_a_joker_is_known_at_every_place_of_a_run(run: str) -> None:
    assert opening("9C 9D 9S", run, hand=2)["verdict"] == "legal"
    assert opening("QC QD QS", "9C 9D 9S", run, rules="kalooki", hand=2)["verdict"] == (
        "illegal" if run.count("JK") > 1 else "legal"
    )


def test_13_six_of_a_rank_are_two_sets_only_where_the_sheet_says_so() -> None:
    assert rules_of(opening(*EIGHTS, hand=5)) == ["house.sets.distinct-rank"]
    assert opening(*EIGHTS, rules="continental", hand=5)["verdict"] == "legal"


def test_14_a_rule_of_the_opening_does_not_bind_later() -> None:
    sheet = {"base": "house", "set_repeat_suits": False}
    assert turn(lay_off("7S"), table=table("7S 7H 7D"), rules=sheet)["verdict"] == "legal"
    assert opening("7S 7H 7D 7S", "KC KD KH", rules=sheet)["verdict"] == "illegal"


def test_15_naturals_may_be_typed_in_any_order_and_an_old_limit_does_not_stop_a_swap() -> None:
    for order in permutations(["JD", "QD", "KD", "TD"]):
        assert opening("9C 9D 9S", " ".join(order), hand=2)["verdict"] == "legal"
    given = turn(swap("7C", "t2"), table=table("5C 6C JK JK JK", "9C 9D 9S"), rules="contract", players=4)
    assert given["verdict"] == "legal"


def test_16_the_deal_of_every_hand_is_that_of_the_sheet() -> None:
    dealt = [answer({"ask": "deal", "rules": "spanish", "players": 4, "hand": hand})["cards_each"] for hand in range(1, 8)]
    assert dealt == [7, 8, 9, 10, 11, 12, 13]


def test_18_the_order_of_a_hand_does_not_change_its_count() -> None:
    counts = {points("continental", " ".join(order)) for order in permutations(["QS", "5H", "JK", "AC"])}
    assert counts == {85}
