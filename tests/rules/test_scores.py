import pytest

from continental.rules.errors import BadQuestion
from continental.rules.rulesets import load, preset
from continental.rules.scores import (
    ABSENT,
    Adjustment,
    Entry,
    GameResult,
    SeatScore,
    count_cards,
    hands_of_game,
    score_game,
    score_hand,
)

HOUSE = preset("house")


def totals(result: GameResult) -> list[int | None]:
    return [None if total is None else total.points for total in result.totals]


def seven(*hands: list[Entry]) -> list[list[Entry]]:
    """Fill a game up to seven hands with the first one."""
    return [*hands, *[hands[0]] * (7 - len(hands))]


# One player's cards


def test_a_count_says_what_each_card_and_the_charge_gave() -> None:
    counted = count_cards(HOUSE, ["7H", "JK"], missing=2)
    assert counted.points == 40
    assert [(part.card, part.points, part.missing) for part in counted.parts] == [("7H", 5, 0), ("JK", 15, 0), (None, 20, 2)]


def test_no_cards_are_nothing() -> None:
    assert count_cards(HOUSE, []).points == 0


def test_a_joker_has_the_value_of_the_sheet() -> None:
    assert count_cards(preset("spanish"), ["KD", "JK"]).points == 60
    assert count_cards(HOUSE, ["KD", "JK"]).points == 25


def test_an_ace_has_the_value_of_the_sheet_and_of_its_colour() -> None:
    values = {name: count_cards(preset(name), ["AS", "2S"]).points for name in ("spanish", "contract", "basic")}
    assert values == {"spanish": 22, "contract": 17, "basic": 3}
    assert count_cards(preset("kalooki"), ["AH", "AS"]).points == 16


def test_a_card_whose_points_are_lost_is_refused() -> None:
    with pytest.raises(BadQuestion) as refused:
        count_cards(preset("fifteen"), ["7H"])
    assert refused.value.at == "rules.points"


def test_a_joker_is_refused_in_a_game_without_jokers() -> None:
    with pytest.raises(BadQuestion) as refused:
        count_cards(preset("basic"), ["JK"])
    assert refused.value.at == "cards"


# One hand


def test_a_missing_score_is_the_sum_of_the_two_highest_of_the_others() -> None:
    hand = score_hand([20, 45, 70, None])
    assert hand.seats[3] == SeatScore(115, "substituted", (2, 1))


def test_a_zero_feeds_a_substitute_like_any_score() -> None:
    assert score_hand([0, 30, None]).seats[2].points == 30
    assert score_hand([0, 0, None]).seats[2].points == 0


def test_equal_scores_are_two_scores() -> None:
    assert score_hand([70, 70, 10, None]).seats[3].points == 140


def test_a_substitute_never_feeds_another() -> None:
    assert [score.points for score in score_hand([0, 25, 40, None, None]).seats] == [0, 25, 40, 65, 65]


def test_a_hand_with_fewer_than_two_given_scores_is_replayed() -> None:
    assert score_hand([0, None, None]).replay
    assert score_hand([0, None, ABSENT]).replay
    assert score_hand([None, None]).replay
    assert [score.how for score in score_hand([0, None]).seats] == ["given", "missing"]


def test_a_hand_in_which_nobody_misses_a_score_is_never_replayed() -> None:
    assert not score_hand([0, ABSENT, ABSENT]).replay


def test_who_was_absent_neither_gives_nor_misses_a_score() -> None:
    hand = score_hand([0, 25, ABSENT, 40, None])
    assert hand.seats[2] == SeatScore(None, "absent")
    assert hand.seats[4].points == 65


# A game


def test_a_finished_game_has_totals_and_places() -> None:
    result = score_game(HOUSE, [[10, 20, 30]] * 7)
    assert totals(result) == [70, 140, 210]
    assert result.places == (1, 2, 3)
    assert result.winners == (0,)
    assert result.finished
    assert not result.void


def test_an_unfinished_game_places_nobody_but_adds_up() -> None:
    result = score_game(HOUSE, [[20, 30, 40]] * 4)
    assert totals(result) == [None, None, None]
    assert result.places is None
    assert not result.void
    assert result.running == (80, 120, 160)


def test_before_the_first_hand_nobody_has_a_zero() -> None:
    result = score_game(HOUSE, [], players=3)
    assert result.running == (None, None, None)
    assert result.places is None


def test_equal_totals_share_a_place_and_the_next_is_left_out() -> None:
    assert score_game(HOUSE, [[124, 150, 150, 180]] * 7).places == (1, 2, 2, 4)
    assert score_game(HOUSE, [[20, 20, 30]] * 7).winners == (0, 1)


def test_hands_gone_out_part_equal_totals_where_the_sheet_says_so() -> None:
    sheet = load({"base": "house", "tie_break": "hands-out"})
    hands = seven([10, 10, 50], [0, 20, 50], [20, 0, 50], [0, 5, 50], [10, 5, 50])
    assert score_game(HOUSE, hands).places == (1, 1, 3)
    assert score_game(sheet, hands).places == (1, 2, 3)
    assert score_game(sheet, hands, hands_out=[1, 1, 0]).places == (1, 1, 3)


def test_the_highest_total_wins_where_the_sheet_says_so() -> None:
    sheet = load({"base": "house", "lowest_wins": False})
    assert score_game(sheet, [[10, 20, 20]] * 7).places == (3, 1, 1)


def test_a_hand_substitute_makes_a_total_complete_all_the_same() -> None:
    result = score_game(HOUSE, seven([10, 20, 30], [None, 20, 30]))
    assert result.totals[0] is not None
    assert result.totals[0].how == "complete"
    assert totals(result) == [60 + 50, 140, 210]


def test_who_missed_a_hand_gets_the_two_highest_complete_totals() -> None:
    result = score_game(HOUSE, seven([10, 20, 30, 5], [10, 20, 30, ABSENT]), left={3})
    assert totals(result) == [70, 140, 210, 350]
    assert result.totals[3] is not None
    assert result.totals[3].from_seats == (2, 1)
    assert result.places == (1, 2, 3, 4)


def test_a_late_joiner_is_a_non_finisher_whatever_the_hand() -> None:
    early = score_game(HOUSE, [[10, 20, ABSENT, ABSENT], *[[10, 20, 5, 90]] * 6])
    assert totals(early) == [70, 140, 210, 210]
    assert early.places == (1, 2, 3, 3)


def test_a_game_with_one_complete_total_is_void() -> None:
    result = score_game(HOUSE, seven([10, 20, 30], [10, ABSENT, ABSENT]))
    assert result.void
    assert result.places is None
    assert totals(result) == [70, None, None]


def test_a_game_in_which_fewer_than_two_can_still_finish_is_void_at_once() -> None:
    assert score_game(HOUSE, [[10, 20]], left={1}).void
    assert score_game(HOUSE, [[10, 20, 30]], left={0, 1, 2}).void
    assert not score_game(HOUSE, [[10, 20, 30]], left={1}).void


def test_who_left_after_the_last_hand_has_finished() -> None:
    assert score_game(HOUSE, [[10, 20, 30]] * 7, left={0}).places == (1, 2, 3)


def test_a_non_finisher_cannot_win() -> None:
    zeros = score_game(HOUSE, seven([0, 0, 5], [0, 0, ABSENT]))
    assert totals(zeros) == [0, 0, 0]
    assert zeros.places == (1, 1, 3)
    below_zero = score_game(preset("spanish"), [[-10, -10, ABSENT], *[[0, 0, 0]] * 6])
    assert totals(below_zero) == [-10, -10, -20]
    assert below_zero.places == (1, 1, 3)


def test_a_hand_to_be_replayed_keeps_a_game_from_finishing() -> None:
    result = score_game(HOUSE, seven([10, 20, 30], [10, None, None]))
    assert result.replays == (2,)
    assert not result.finished
    assert result.places is None


def test_an_adjustment_counts_in_the_total_and_feeds_no_hand_substitute() -> None:
    hands = seven([10, 20, 30], [10, None, 30])
    plain = score_game(HOUSE, hands)
    ruled = score_game(HOUSE, hands, adjustments=[Adjustment(2, 50, "ruling", hand=2)])
    assert totals(plain) == [70, 160, 210]
    assert totals(ruled) == [70, 160, 260]
    assert ruled.hands == plain.hands


def test_a_bonus_and_a_penalty_give_the_same_total_in_either_order() -> None:
    both = [Adjustment(0, -10, "out in one turn", hand=1), Adjustment(0, 50, "ruling")]
    hands = [[0, 20, 30]] * 7
    assert score_game(HOUSE, hands, adjustments=both) == score_game(HOUSE, hands, adjustments=both[::-1])
    assert totals(score_game(HOUSE, hands, adjustments=both))[0] == 40


def test_a_game_to_a_target_ends_when_somebody_reaches_it() -> None:
    basic = preset("basic")
    hands = [[40, 0], [30, 10], [35, 0]]
    assert hands_of_game(basic, hands[:2]) is None
    assert hands_of_game(basic, hands) == 3
    assert not score_game(basic, hands[:2]).finished
    assert score_game(basic, hands).places == (2, 1)


def test_a_rule_set_without_its_hands_never_finishes() -> None:
    assert not score_game(preset("fifteen"), [[1, 2, 3]]).finished


def test_lists_that_do_not_fit_are_refused() -> None:
    with pytest.raises(BadQuestion) as refused:
        score_game(HOUSE, [[1, 2, 3], [1, 2]])
    assert refused.value.at == "hands[1]"
    with pytest.raises(BadQuestion):
        score_game(HOUSE, [[1, 2, 3]], left={3})
    with pytest.raises(BadQuestion):
        score_game(HOUSE, [[1, 2, 3]], adjustments=[Adjustment(7, 10)])
