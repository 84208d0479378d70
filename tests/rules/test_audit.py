from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continental.rules.audit import Entered, audit_hand, can_be_points, most_cards
from continental.rules.deals import pack
from continental.rules.rulesets import load, preset, preset_ids
from continental.rules.scores import count_cards

HOUSE = preset("house")


def typed(*points: int | None) -> list[Entered]:
    return [Entered(score) for score in points]


def held(*hands: str) -> list[Entered]:
    """Enter counted hands; the points are not what is looked at."""
    return [Entered(5 * len(hand.split()), tuple(hand.replace("A_", "A ").split())) for hand in hands]


def asked(entries: list[Entered], **more: int | bool | None) -> list[str]:
    return [question.code for question in audit_hand(HOUSE, 1, 4, entries, **more)]  # type: ignore[arg-type]


def test_an_ordinary_hand_raises_no_question() -> None:
    assert asked(typed(0, 25, 40, 110)) == []
    assert asked(held("", "7H 7D", "JK", "JK KD KD")) == []


def test_more_jokers_than_the_packs_hold_are_asked_about() -> None:
    (question,) = audit_hand(HOUSE, 1, 4, held("", "JK JK", "JK", "7"))
    assert (question.code, question.seats) == ("audit.jokers", (1, 2))
    assert question.params == {"card": "JK", "count": 3, "most": 2}


def test_more_copies_of_a_face_or_a_rank_than_the_packs_hold_are_asked_about() -> None:
    (face,) = audit_hand(HOUSE, 1, 4, held("", "7H 7H", "7H", "8D"))
    assert face.params == {"card": "7H", "count": 3, "most": 2}
    (rank,) = audit_hand(HOUSE, 1, 4, held("", "7 7 7 7 7", "7 7 7H", "7S"))
    assert rank.params == {"card": "7", "count": 9, "most": 8}


def test_a_rank_of_one_colour_is_counted_apart() -> None:
    entries = [Entered(0, ()), Entered(5, ("A red",) * 5), Entered(15, ("A black",))]
    (question,) = audit_hand(preset("kalooki"), 1, 3, entries)
    assert question.params == {"card": "A red", "count": 5, "most": 4}


def test_more_cards_than_all_packs_hold_are_asked_about() -> None:
    every_card = tuple("A23456789TJQK") * 8
    codes = [
        question.code for question in audit_hand(HOUSE, 1, 4, [Entered(0, ()), Entered(800, every_card), *held("JK JK", "2")])
    ]
    assert "audit.all-cards" in codes


def test_points_that_no_cards_give_are_asked_about() -> None:
    assert asked(typed(0, 7, 40, 25)) == ["audit.points"]
    assert asked(typed(0, 5, 10, -5)) == ["audit.points"]
    assert not can_be_points(HOUSE, 10**9, 50)


def test_points_may_hold_the_charge_for_missing_cards_and_a_bonus() -> None:
    assert can_be_points(preset("contract"), 12, 2)
    assert not can_be_points(preset("contract"), 1, 9)
    assert can_be_points(preset("spanish"), -10, 5)
    assert not can_be_points(preset("spanish"), -20, 5)


def test_points_are_bounded_by_the_cards_a_hand_can_hold() -> None:
    assert can_be_points(HOUSE, 150, 10)
    assert not can_be_points(HOUSE, 155, 10)


def test_negative_cards_can_make_negative_points() -> None:
    sheet = load({"base": "house", "points": {"JK": -20}})
    assert can_be_points(sheet, -40, 2)
    assert not can_be_points(sheet, -60, 2)


def test_a_sheet_with_points_still_open_raises_no_question_about_them() -> None:
    assert can_be_points(preset("fifteen"), 7, 3)


def test_more_cards_than_a_hand_can_hold_are_asked_about() -> None:
    shanghai = preset("shanghai")
    assert most_cards(shanghai, shanghai.hand(1), 4) == 17
    entries = [Entered(0, ()), Entered(90, tuple("234567892345678923")), *typed(5, 5)]
    (question,) = audit_hand(shanghai, 1, 4, entries)
    assert (question.code, question.params) == ("audit.hand-size", {"count": 18, "most": 17})


def test_nobody_out_is_asked_about_once_everybody_has_entered() -> None:
    assert asked(typed(5, 25, 40, 110)) == ["audit.nobody-out"]
    assert asked(typed(5, 25, 40)) == []
    assert asked(typed(5, 25, 40, None)) == []
    assert asked(typed(5, 25, 40, 110), nobody_out=True) == []


def test_two_players_with_nothing_left_are_asked_about() -> None:
    (question,) = audit_hand(HOUSE, 1, 4, typed(0, 25, 0, 110))
    assert (question.code, question.seats) == ("audit.several-out", (0, 2))


def test_who_went_out_has_nothing_left() -> None:
    assert asked(typed(0, 25, 40, 110), out=0) == []
    assert asked(typed(25, 5, 40, 110), out=0) == ["audit.out-with-cards"]
    assert asked(typed(25, 0, 40, 110), out=0) == ["audit.out-with-cards"]


def test_a_goer_short_of_cards_is_asked_about() -> None:
    (question,) = audit_hand(HOUSE, 1, 4, [Entered(10, (), missing=1), *typed(5, 5, 5)])
    assert (question.code, question.seats) == ("audit.out-short", (0,))


@pytest.mark.parametrize("entries", [[], typed(None, None, None, None)])
def test_nothing_entered_is_nothing_to_ask(entries: list[Entered]) -> None:
    assert asked(entries) == []


# ---------------------------------------------------------------------------------------------------------------------
# With what lies on the table


def test_cards_on_the_table_count_with_those_in_hands() -> None:
    (question,) = audit_hand(HOUSE, 1, 4, held("", "9C", "9C", "8D"), laid=["9C", "TC", "JC", "QC"])
    assert (question.code, question.seats) == ("audit.cards-laid", (1, 2))
    assert question.params == {"card": "9C", "count": 3, "laid": 1, "most": 2}


def test_jokers_on_the_table_count_with_those_in_hands() -> None:
    (question,) = audit_hand(HOUSE, 1, 4, held("", "JK", "8D", "8S"), laid=["9C", "9D", "JK", "JK"])
    assert (question.code, question.seats) == ("audit.jokers-laid", (1,))
    assert question.params == {"card": "JK", "count": 3, "laid": 2, "most": 2}


def test_a_hand_counted_by_ranks_alone_is_held_against_the_faces_on_the_table() -> None:
    laid = ["9C", "9C", "9D", "9D", "9H", "9H"]
    assert audit_hand(HOUSE, 1, 4, held("", "9 9", "8D", "8S"), laid=laid) == ()
    (question,) = audit_hand(HOUSE, 1, 4, held("", "9 9", "9", "8S"), laid=laid)
    assert question.params == {"card": "9", "count": 9, "laid": 6, "most": 8}


def test_a_table_that_cannot_be_is_asked_about_whatever_the_hands_hold() -> None:
    (question,) = audit_hand(HOUSE, 1, 4, typed(0, 25, 40, 110), laid=["9C", "9C", "9C"])
    assert (question.code, question.seats) == ("audit.cards-laid", ())


def test_scores_worth_more_than_the_cards_off_the_table_are_asked_about() -> None:
    every_card = list(pack(HOUSE, 4))
    left = ["KS", "QS", "7H"]
    for card in left:
        every_card.remove(card)
    assert audit_hand(HOUSE, 1, 4, typed(0, 10, 10, 5), laid=every_card) == ()
    (question,) = audit_hand(HOUSE, 1, 4, typed(0, 10, 10, 10), laid=every_card)
    assert (question.code, question.params) == ("audit.all-points", {"points": 30, "most": 25})
    charged = [*typed(0, 10, 5), Entered(20, ("KS",), missing=1)]
    assert audit_hand(HOUSE, 1, 4, charged, laid=every_card) == ()


ABOUT_PACKS = {f"audit.{what}{where}" for what in ("jokers", "cards", "all-cards") for where in ("", "-laid")} | {
    "audit.all-points"
}
READY = [name for name in preset_ids() if preset(name).hands]


@given(st.sampled_from(READY), st.integers(2, 6), st.randoms(use_true_random=False))
def test_cards_of_the_packs_raise_no_question_about_them_however_they_are_parted(name: str, players: int, random: Random) -> None:
    rules = preset(name)
    cards = list(pack(rules, players))
    random.shuffle(cards)
    hands = [[cards.pop() for _card in range(random.randint(0, 8))] for _seat in range(players)]
    entries = [Entered(count_cards(rules, hand).points, tuple(hand)) for hand in hands]
    asked = audit_hand(rules, 1, players, entries, laid=cards)
    assert not {question.code for question in asked} & ABOUT_PACKS
    one_more = audit_hand(rules, 1, players, entries, laid=[*cards, random.choice(pack(rules, players))])
    assert {"audit.jokers-laid", "audit.cards-laid"} & {question.code for question in one_more}
    assert "audit.all-cards-laid" in {question.code for question in one_more}
