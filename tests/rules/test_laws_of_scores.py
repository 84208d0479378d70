"""Laws that hold for all scores, whatever the hands."""

import copy
import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from continental.rules.cards import CARDS, Laid
from continental.rules.keypad import keypad
from continental.rules.notation import format_cards, parse_cards, parse_laid, sort_cards
from continental.rules.referee import answer, answer_line
from continental.rules.rulesets import load, preset, preset_ids
from continental.rules.scores import ABSENT, Entry, count_cards, score_game, score_hand
from continental.rules.sheets import to_data
from continental.rules.standings import Played, Sums, standings
from tests.rules.test_cases import worked_cases

HOUSE = preset("house")

points = st.integers(0, 40).map(lambda fives: 5 * fives)
entries: st.SearchStrategy[Entry] = st.one_of(points, points, points, st.none(), st.just(ABSENT))
players = st.integers(2, 8)


@st.composite
def hands_of_scores(draw: st.DrawFn) -> list[list[Entry]]:
    """Seven hands of one table, none of them to be replayed."""
    count = draw(players)
    hand = st.lists(entries, min_size=count, max_size=count).filter(lambda scores: not score_hand(scores).replay)
    return draw(st.lists(hand, min_size=7, max_size=7))


@given(st.lists(entries, min_size=2, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_seats_never_matters_to_a_hand(scores: list[Entry], random: Random) -> None:
    order = list(range(len(scores)))
    random.shuffle(order)
    plain = score_hand(scores)
    shuffled = score_hand([scores[seat] for seat in order])
    assert shuffled.replay == plain.replay
    assert [score.points for score in shuffled.seats] == [plain.seats[seat].points for seat in order]


@given(hands_of_scores(), st.randoms(use_true_random=False))
def test_the_order_of_seats_never_matters_to_a_game(hands: list[list[Entry]], random: Random) -> None:
    order = list(range(len(hands[0])))
    random.shuffle(order)
    plain = score_game(HOUSE, hands)
    shuffled = score_game(HOUSE, [[hand[seat] for seat in order] for hand in hands])
    assert shuffled.void == plain.void
    assert [total and total.points for total in shuffled.totals] == [
        (total := plain.totals[seat]) and total.points for seat in order
    ]
    assert shuffled.places == (plain.places and tuple(plain.places[seat] for seat in order))


@given(hands_of_scores(), st.randoms(use_true_random=False))
def test_the_order_of_hands_never_matters_to_a_game(hands: list[list[Entry]], random: Random) -> None:
    shuffled = copy.copy(hands)
    random.shuffle(shuffled)
    assert score_game(HOUSE, shuffled).totals == score_game(HOUSE, hands).totals


@given(st.lists(entries, min_size=2, max_size=8))
def test_a_substitute_never_feeds_another(scores: list[Entry]) -> None:
    scored = score_hand(scores)
    substitutes = {score.points for score in scored.seats if score.how == "substituted"}
    given_points = sorted((score for score in scores if isinstance(score, int)), reverse=True)
    assert substitutes <= {sum(given_points[:2])}
    assert all(scores[source] is not None for score in scored.seats for source in score.from_seats)


@given(st.lists(entries, min_size=2, max_size=8))
def test_a_given_score_stays_as_it_was_given(scores: list[Entry]) -> None:
    for entry, score in zip(scores, score_hand(scores).seats, strict=True):
        if isinstance(entry, int):
            assert (score.points, score.how) == (entry, "given")
        elif entry == ABSENT:
            assert (score.points, score.how) == (None, "absent")
        else:
            assert score.how in {"substituted", "missing"}


@given(hands_of_scores())
def test_a_lower_complete_total_never_stands_below_a_higher(hands: list[list[Entry]]) -> None:
    result = score_game(HOUSE, hands)
    if result.places is None:
        return
    placed = [(total.points, place, total.how) for total, place in zip(result.totals, result.places, strict=True) if total]
    for total, place, how in placed:
        for other, other_place, other_how in placed:
            if how == other_how and total < other:
                assert place < other_place
            if how == other_how and total == other:
                assert place == other_place
        if place == 1:
            assert how == "complete"
    assert result.winners


@given(hands_of_scores())
def test_a_game_is_void_exactly_when_somebody_did_not_finish_and_two_totals_are_not_complete(hands: list[list[Entry]]) -> None:
    whole = [all(hand[seat] != ABSENT for hand in hands) for seat in range(len(hands[0]))]
    result = score_game(HOUSE, hands)
    assert result.void == (not all(whole) and sum(whole) < 2)
    assert (result.places is None) == result.void


@given(hands_of_scores(), st.integers(0, 6), st.integers(0, 7), st.integers(1, 10))
def test_more_points_never_improve_a_place(hands: list[list[Entry]], hand: int, seat: int, more: int) -> None:
    seat %= len(hands[0])
    entry = hands[hand][seat]
    if not isinstance(entry, int) or any(None in scores or ABSENT in scores for scores in hands):
        return
    worse = copy.deepcopy(hands)
    worse[hand][seat] = entry + 5 * more
    before, after = score_game(HOUSE, hands).places, score_game(HOUSE, worse).places
    assert before is not None
    assert after is not None
    assert after[seat] >= before[seat]


cards = st.lists(st.sampled_from(sorted(CARDS)), max_size=25)


@given(cards, st.randoms(use_true_random=False), st.sampled_from(["house", "continental", "kalooki", "spanish"]))
def test_the_order_of_cards_never_matters_to_a_count(held: list[str], random: Random, name: str) -> None:
    shuffled = copy.copy(held)
    random.shuffle(shuffled)
    assert count_cards(preset(name), held).points == count_cards(preset(name), shuffled).points


@given(cards, cards)
def test_two_hands_together_count_what_they_count_apart(first: list[str], second: list[str]) -> None:
    assert count_cards(HOUSE, first + second).points == count_cards(HOUSE, first).points + count_cards(HOUSE, second).points


@given(cards)
def test_cards_written_and_read_again_are_the_same(held: list[str]) -> None:
    assert list(parse_cards(format_cards(held))) == held
    assert parse_cards(",".join(held).lower()) == tuple(held)
    assert sorted(sort_cards(held)) == sorted(held)
    assert sort_cards(sort_cards(held)) == sort_cards(held[::-1])


values = st.one_of(st.none(), st.sampled_from(sorted(CARDS - {"JK"})), st.sampled_from("A23456789TJQK"))
spoken = st.builds(Laid, st.sampled_from(sorted(CARDS)), values)


@given(st.lists(spoken, max_size=14))
def test_spoken_values_written_and_read_again_are_the_same(laid: list[Laid]) -> None:
    assert list(parse_laid(format_cards(laid))) == laid


sheets = st.fixed_dictionaries(
    {"base": st.sampled_from([name for name in preset_ids() if name != "fifteen"])},
    optional={
        "missing_card": st.integers(0, 50),
        "tie_break": st.sampled_from(["shared", "hands-out"]),
        "twice_around": st.booleans(),
        "claims": st.one_of(st.none(), st.integers(0, 20)),
        "points": st.dictionaries(st.sampled_from(["JK", "A", "A red", "QS", "10", "7"]), st.integers(-50, 100)),
        "decks": st.one_of(st.integers(1, 4), st.just({"half_of_players": 2}), st.just({"by_players": {"4": 2, "8": 3}})),
    },
)


@given(sheets)
def test_a_sheet_written_out_and_read_again_is_the_same(overrides: dict[str, Any]) -> None:
    rules = load(overrides)
    assert load(to_data(rules)) == rules
    assert hash(load(to_data(rules))) == hash(rules)


@given(sheets)
def test_a_keypad_has_one_key_for_every_card(overrides: dict[str, Any]) -> None:
    keys = [key.code for key in keypad(load(overrides))]
    assert len(keys) == len(set(keys))
    assert {key[0] for key in keys} >= set("A23456789TQK")


played = st.builds(Played, st.integers(0, 400), st.integers(1, 8), st.integers(0, 7))


@given(st.dictionaries(st.sampled_from("ABCDEFGH"), st.lists(played, max_size=5)), st.randoms(use_true_random=False))
def test_the_table_never_hangs_on_the_order_of_games_or_players(lines: dict[str, list[Played]], random: Random) -> None:
    shuffled = [(name, copy.copy(games)) for name, games in lines.items()]
    random.shuffle(shuffled)
    for _, games in shuffled:
        random.shuffle(games)
    plain = standings({name: (name, Sums.of(games)) for name, games in lines.items()})
    assert standings({name: (name, Sums.of(games)) for name, games in shuffled}) == plain
    assert len(plain) == sum(bool(games) for games in lines.values())


# The referee and anything at all

WORDS = ["house", "2S", "7H JK", "absent", "JK=7H", "set", "open", "A", "t1", "10", "１２"]
KEYS = ["ask", "rules", "cards", "do", "melds", "x"]
numbers = st.one_of(st.integers(), st.integers(-3, 20), st.floats(), st.just(10**30))
leaves = st.one_of(st.none(), st.booleans(), numbers, st.text(max_size=12), st.sampled_from(WORDS))
anything = st.recursive(
    leaves,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)),
    max_leaves=12,
)

CASES = [case.values[0]["request"] for case in worked_cases()]


@st.composite
def broken_questions(draw: st.DrawFn) -> Any:
    """A worked question in which one thing, at any depth, is replaced, removed or added."""
    question = copy.deepcopy(draw(st.sampled_from(CASES)))
    node, place = question, draw(st.sampled_from(sorted(question)))
    while isinstance(node[place], list | dict) and node[place] and draw(st.booleans()):
        node = node[place]
        place = draw(st.sampled_from(sorted(node) if isinstance(node, dict) else range(len(node))))
    match draw(st.sampled_from(["replace", "remove", "add"])):
        case "replace":
            node[place] = draw(anything)
        case "remove":
            del node[place]
        case "add" if isinstance(node, dict):
            node[draw(st.text(max_size=5))] = draw(anything)
        case _:
            node.insert(place, draw(anything))
    return question


@settings(max_examples=400, deadline=None)
@given(st.one_of(anything, broken_questions()))
def test_every_question_has_an_answer_and_always_the_same(question: Any) -> None:
    before = copy.deepcopy(question)
    first = answer(question)
    assert isinstance(first, dict)
    assert repr(question) == repr(before)
    assert answer(question) == first
    json.dumps(first, allow_nan=False)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_every_line_has_an_answer(line: str) -> None:
    assert isinstance(json.loads(answer_line(line)), dict)


@pytest.mark.parametrize("question", CASES, ids=range(len(CASES)))
def test_a_worked_question_has_the_same_answer_by_line_and_by_function(question: dict[str, Any]) -> None:
    assert json.loads(answer_line(json.dumps(question))) == json.loads(json.dumps(answer(question)))
