import pytest

from continental.rules.deals import deal, pack
from continental.rules.errors import BadQuestion
from continental.rules.rulesets import load, preset, preset_ids

HOUSE = preset("house")


def test_the_deal_passes_to_the_next_seat_and_the_one_after_plays_first() -> None:
    seats = [(deal(HOUSE, hand, 3, first_dealer=2).dealer, deal(HOUSE, hand, 3, first_dealer=2).first) for hand in range(1, 8)]
    assert seats == [(2, 0), (0, 1), (1, 2), (2, 0), (0, 1), (1, 2), (2, 0)]


def test_seats_are_in_the_order_of_play_also_counter_clockwise() -> None:
    assert deal(preset("spanish"), 2, 4, first_dealer=0).dealer == 1


def test_no_table_size_is_capped() -> None:
    assert [deal(HOUSE, 1, players).decks for players in range(2, 13)] == [1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]


def test_the_winner_of_two_deals_next_in_basic_rummy() -> None:
    basic = preset("basic")
    assert deal(basic, 1, 2).dealer == 0
    assert deal(basic, 2, 2).dealer is None
    assert deal(basic, 2, 2, last_winner=1).dealer == 1
    assert deal(basic, 2, 2, last_winner=1).first == 0
    assert deal(basic, 2, 3).dealer == 1


def test_free_melds_have_no_contract_and_no_minimum() -> None:
    dealt = deal(preset("basic"), 1, 4)
    assert (dealt.contract, dealt.minimum, dealt.cards_each) == (None, None, 7)


def test_a_contract_counts_the_sizes_it_names() -> None:
    assert [deal(preset("shanghai-rum"), hand, 4).minimum for hand in range(1, 11)] == [6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    assert [deal(preset("gather"), hand, 4).minimum for hand in range(1, 8)] == [6, 6, 6, 9, 9, 9, 12]


def test_a_pair_is_two_cards() -> None:
    sheet = load({"base": "fifteen", "hands": [{"contract": "1P 1R", "deal": 10}]})
    assert deal(sheet, 1, 4).minimum == 6


def test_what_the_packs_cannot_deal_is_refused() -> None:
    with pytest.raises(BadQuestion) as refused:
        deal(preset("kalooki"), 9, 8)
    assert refused.value.at == "players"
    with pytest.raises(BadQuestion):
        deal(preset("basic"), 1, 7)


def test_a_seat_that_does_not_exist_cannot_deal() -> None:
    with pytest.raises(BadQuestion) as refused:
        deal(HOUSE, 1, 4, first_dealer=4)
    assert refused.value.at == "first_dealer"


@pytest.mark.parametrize("name", [name for name in preset_ids() if preset(name).hands])
def test_the_pack_holds_what_the_deal_says(name: str) -> None:
    rules = preset(name)
    dealt = deal(rules, 1, 4)
    cards = pack(rules, 4)
    assert cards.count("JK") == dealt.jokers
    assert cards.count("7H") == dealt.decks
    assert len(cards) == dealt.stock + 1 + 4 * dealt.cards_each
