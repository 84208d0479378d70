import pytest

from continental.rules.errors import BadQuestion
from continental.rules.handsize import expected_cards
from continental.rules.rulesets import preset

HOUSE = preset("house")


def test_a_hand_is_what_was_dealt_until_something_happens() -> None:
    assert [expected_cards(HOUSE, hand, 4) for hand in range(1, 8)] == [10, 10, 10, 10, 12, 12, 12]


def test_a_claim_adds_the_discard_and_the_penalty_of_that_hand() -> None:
    assert expected_cards(HOUSE, 1, 4, claims=3) == 16
    assert expected_cards(preset("shanghai"), 1, 4, claims=2) == 17
    assert [expected_cards(preset("may-i"), hand, 4, claims=1) for hand in (6, 7)] == [14, 15]


def test_cards_laid_leave_the_hand_and_cards_returned_come_back() -> None:
    assert expected_cards(HOUSE, 1, 4, laid=7, returned=2) == 5
    assert expected_cards(HOUSE, 1, 4, laid=10) == 0


@pytest.mark.parametrize(("rules", "hand", "players", "dealt"), [("basic", 1, 2, 10), ("gather", 7, 4, 12), ("magnus", 7, 4, 12)])
def test_who_goes_out_without_a_discard_has_laid_one_more(rules: str, hand: int, players: int, dealt: int) -> None:
    assert expected_cards(preset(rules), hand, players, laid=dealt + 1) == 0
    with pytest.raises(BadQuestion):
        expected_cards(preset(rules), hand, players, laid=dealt + 2)


@pytest.mark.parametrize(("laid", "returned", "at"), [(11, 0, "laid"), (3, 4, "returned")])
def test_what_cannot_be_is_refused(laid: int, returned: int, at: str) -> None:
    with pytest.raises(BadQuestion) as refused:
        expected_cards(HOUSE, 1, 4, laid=laid, returned=returned)
    assert refused.value.at == at
