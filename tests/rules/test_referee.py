"""The ways into the referee, and everything that must not get through them."""

import copy
import json
import time
from typing import Any

import pytest

from continental.rules.referee import ASKS, LONGEST_LINE, MOST_QUESTIONS, answer, answer_body, answer_line

COUNT: dict[str, Any] = {"ask": "count", "rules": "house", "cards": "7H JK", "missing": 0}
HAND: dict[str, Any] = {"ask": "hand", "rules": "house", "players": 3, "hand": 3, "scores": [0, 30, None]}
GAME: dict[str, Any] = {"ask": "game", "rules": "house", "players": 2, "hands": [[0, 30]] * 7}
DEAL: dict[str, Any] = {"ask": "deal", "rules": "house", "players": 4, "hand": 5}
SIZE: dict[str, Any] = {
    "ask": "size",
    "rules": "house",
    "players": 4,
    "hand": 3,
    "claims": 1,
    "own_turns": 3,
    "laid": 8,
    "returned": 0,
}
RESUME: dict[str, Any] = {
    "ask": "resume",
    "rules": "house",
    "started": "2024-03-03",
    "on": "2024-06-01",
    "seats": ["Ana", "Ben"],
    "now": ["Ben", "Ana"],
}
QUESTIONS = [COUNT, HAND, GAME, DEAL, SIZE, RESUME]


def cited(question: dict[str, Any]) -> set[str]:
    return {reason["rule"] for reason in answer(question)["reasons"]}


def texts(question: dict[str, Any]) -> list[str]:
    return [reason["text"] for reason in answer(question)["reasons"]]


# Reasons


def test_a_plain_hand_and_a_plain_game_need_no_reason() -> None:
    assert answer(HAND | {"scores": [0, 30, 45]})["reasons"] == []
    assert answer(GAME)["reasons"] == []


def test_a_count_cites_how_hands_are_counted_under_its_own_rules() -> None:
    assert cited(COUNT) == {"house.score.count"}
    assert cited(COUNT | {"missing": 2}) == {"house.score.count", "house.hand.end-too-few", "R-62"}
    assert cited(COUNT | {"rules": "continental"}) == {"continental.score.values"}


def test_a_substitute_cites_only_what_bears_on_it() -> None:
    assert cited(HAND | {"scores": [20, 30, None]}) == {"house.missing.hand", "R-64"}
    assert cited(HAND | {"scores": [0, 30, None]}) == {"house.missing.hand", "R-64", "R-66"}
    assert cited(HAND | {"scores": [30, 30, None]}) == {"house.missing.hand", "R-64", "R-70"}
    assert cited(HAND | {"players": 4, "scores": [20, 30, None, None]}) == {"house.missing.hand", "R-64", "R-65"}
    assert cited(HAND | {"scores": [20, None, "absent"]}) == {"house.missing.replay", "R-68", "R-67"}
    assert cited(HAND | {"rules": "continental", "scores": [20, 30, None]}) == {"continental.missing", "R-64"}


def test_a_reason_is_a_sentence_with_its_numbers() -> None:
    assert "45 and 30" in texts(HAND | {"scores": [30, 45, None]})[0]


def test_a_game_cites_substitutes_voids_and_shared_places() -> None:
    assert cited(GAME | {"hands": [[10, 10]] * 7}) == {"R-71"}
    assert cited(GAME | {"hands": [[10, 20], *[[10, "absent"]] * 6]}) == {"house.nonfinish.void", "R-72"}
    leaver = GAME | {"players": 3, "hands": [[10, 20, 30], *[[10, 20, "absent"]] * 6]}
    assert cited(leaver) == {"house.nonfinish.total", "R-73"}
    substituted = GAME | {"players": 3, "hands": [[10, 20, None], *[[10, 20, 30]] * 6]}
    assert cited(substituted) == {"house.missing.hand", "R-64", "R-69"}


def test_equal_totals_parted_by_hands_gone_out_cite_the_ruling_once() -> None:
    sheet = {"base": "house", "tie_break": "hands-out"}
    parted = GAME | {"rules": sheet, "hands": [[0, 10], [20, 10], *[[5, 5]] * 5]}
    assert answer(parted)["places"] == [1, 2]
    assert cited(parted) == {"R-71"}


def test_resuming_cites_what_stands_in_the_way() -> None:
    assert cited(RESUME) == {"R-80", "R-81"}
    assert cited(RESUME | {"now": ["Ana"]}) == {"house.resume.all-present"}
    assert cited(RESUME | {"on": "2025-01-01"}) == {"house.resume.same-year", "R-77", "R-78"}
    three = RESUME | {"seats": ["Ana", "Ben", "Cai"], "now": ["Ana", "Cai", "Ben"]}
    assert cited(three) == {"house.resume.seats", "R-80"}
    assert "house.suspend.between-hands" in cited(RESUME | {"between_hands": False})


# Questions that cannot be read


@pytest.mark.parametrize(
    ("question", "at"),
    [
        (None, ""),
        ([], ""),
        ("count", ""),
        ({}, "ask"),
        ({"ask": None}, "ask"),
        ({"ask": "judge"}, "ask"),
        ({"ask": ["count"]}, "ask"),
        (COUNT | {"cards": "7H 1X"}, "cards"),
        (COUNT | {"cards": ["7H"]}, "cards"),
        (COUNT | {"cards": "JK=7H"}, "cards"),
        (COUNT | {"cards": "7H " * 10_000}, "cards"),
        (COUNT | {"cards": "7H " * 61}, "cards"),
        (COUNT | {"missing": -1}, "missing"),
        (COUNT | {"missing": True}, "missing"),
        (COUNT | {"missing": 1.0}, "missing"),
        (COUNT | {"missing": float("nan")}, "missing"),
        (COUNT | {"missing": 10**9}, "missing"),
        (COUNT | {"missing": 10**5000}, "missing"),
        (COUNT | {"hand": 0}, "hand"),
        (COUNT | {"players": 1}, "players"),
        (COUNT | {"extra": 1}, "extra"),
        (COUNT | {"rules": "nonsense"}, "rules"),
        (COUNT | {"rules": {"base": "house", "missing_card": -5}}, "rules.missing_card"),
        (COUNT | {"rules": "fifteen"}, "rules.points"),
        (HAND | {"players": 2}, "scores"),
        (HAND | {"hand": 8}, "hand"),
        (HAND | {"rules": "fifteen"}, "hand"),
        (HAND | {"scores": "0 30"}, "scores"),
        (HAND | {"scores": [0, 30, "seven"]}, "scores[2]"),
        (HAND | {"scores": [0, -5, 30]}, "scores[1]"),
        (HAND | {"scores": [0, 5.0, 30]}, "scores[1]"),
        (HAND | {"scores": [0, False, 30]}, "scores[1]"),
        (HAND | {"scores": [0, 10**9, 30]}, "scores[1]"),
        (HAND | {"scores": [0, [5], 30]}, "scores[1]"),
        (HAND | {"scores": [0, "１２", 30]}, "scores[1]"),
        (GAME | {"hands": [[0, 30]] * 8}, "hands[7]"),
        (GAME | {"hands": [[0, 30], [0, 30, 20]]}, "hands[1]"),
        (GAME | {"hands": [[0, 30], [0, None]]}, "hands[1]"),
        (GAME | {"hands": [[0, 30], [0, "9X"]]}, "hands[1][1]"),
        (GAME | {"hands": [[0, 30]] * 1000}, "hands"),
        (GAME | {"left": [2]}, "left[0]"),
        (GAME | {"left": [0, 0]}, "left[1]"),
        (GAME | {"left": 0}, "left"),
        (GAME | {"rules": "fifteen"}, "rules.hands"),
        (GAME | {"rules": "basic", "hands": [[0, 99], [0, 1], [5, 0]]}, "hands[2]"),
        (DEAL | {"hand": 0}, "hand"),
        (DEAL | {"hand": 8}, "hand"),
        (DEAL | {"players": 31}, "players"),
        (DEAL | {"first_dealer": 4}, "first_dealer"),
        (DEAL | {"first_dealer": None}, "first_dealer"),
        (DEAL | {"rules": "basic", "players": 7, "hand": 1}, "players"),
        (SIZE | {"laid": 30}, "laid"),
        (SIZE | {"returned": 9}, "returned"),
        (SIZE | {"claims": "1"}, "claims"),
        (RESUME | {"on": "2024-13-01"}, "on"),
        (RESUME | {"on": "20240601"}, "on"),
        (RESUME | {"on": "2024-W10-1"}, "on"),
        (RESUME | {"on": "2024-02-30"}, "on"),
        (RESUME | {"started": "2024-07-01"}, "on"),
        (RESUME | {"started": 20240303}, "started"),
        (RESUME | {"seats": ["Ana"]}, "seats"),
        (RESUME | {"seats": ["Ana", "Ana"]}, "seats[1]"),
        (RESUME | {"now": ["Ana", 7]}, "now[1]"),
        (RESUME | {"now": ["Ana", ""]}, "now[1]"),
        (RESUME | {"now": "Ana"}, "now"),
        (RESUME | {"between_hands": 1}, "between_hands"),
    ],
)
def test_what_cannot_be_read_is_an_error_that_names_its_place(question: Any, at: str) -> None:
    given = answer(question)
    assert set(given) == {"error", "at"}
    assert given["at"] == at
    assert 0 < len(given["error"]) < 300


@pytest.mark.parametrize("question", QUESTIONS, ids=[str(question["ask"]) for question in QUESTIONS])
def test_every_key_but_the_optional_ones_is_needed(question: dict[str, Any]) -> None:
    assert "error" not in answer(question)
    for key in question:
        rest = {other: value for other, value in question.items() if other != key}
        assert answer(rest)["at"] == key


@pytest.mark.parametrize("question", QUESTIONS, ids=[str(question["ask"]) for question in QUESTIONS])
def test_a_question_is_not_changed_by_its_answer(question: dict[str, Any]) -> None:
    before = copy.deepcopy(question)
    first = answer(question)
    assert question == before
    assert answer(question) == first


def test_an_answer_belongs_to_the_caller_alone() -> None:
    answer(GAME)["totals"].clear()
    answer(COUNT)["reasons"].clear()
    assert len(answer(GAME)["totals"]) == 2
    assert answer(COUNT)["reasons"]


def test_a_common_key_may_come_with_a_question_that_does_not_need_it() -> None:
    assert answer(COUNT | {"players": 4, "hand": 2}) == answer(COUNT)


def test_hostile_questions_are_refused_within_milliseconds() -> None:
    deep: Any = "7H"
    for _ in range(50_000):
        deep = [deep]
    hostile = [
        COUNT | {"cards": "7H," * 1_000_000},
        COUNT | {"rules": {"base": "house", "wild": deep}},
        COUNT | {"rules": {"base": "house", "wild": ["JK"] * 100_000}},
        HAND | {"scores": deep},
        GAME | {"hands": [deep] * 1000},
        GAME | {"hands": [[0] * 100_000]},
        RESUME | {"now": ["x" * 100_000] * 20},
    ]
    started = time.perf_counter()
    assert all("error" in answer(question) for question in hostile)
    assert time.perf_counter() - started < 1


# JSON


def test_a_line_and_a_body_give_the_same_bytes_as_the_function() -> None:
    for question in QUESTIONS:
        text = json.dumps(question)
        assert json.loads(answer_line(text)) == answer(question)
        assert answer_body(text) == answer_line(text)
        assert answer_body(f" [ {text} , {text} ] ") == f"[{answer_line(text)},{answer_line(text)}]"


def test_an_answer_is_one_line_of_ascii() -> None:
    line = answer_line('{"ask": "\\ud800\\n☃"}')
    assert line.isascii()
    assert "\n" not in line


@pytest.mark.parametrize(
    "line",
    [
        "", " ", "{", "[]", "7", "null", "nul", '{"ask": "count"}}', "{'ask': 'count'}", '{"ask": NaN}', '{"missing": Infinity}',
        '{"ask": "count", "ask": "hand"}', "[" * 100_000, '{"a":' * 100_000, "9" * 5000, '{"missing": ' + "9" * 5000 + "}",
        "\x00", "﻿{}", '{"ask": "\x01"}',
    ],
)  # fmt: skip
def test_a_line_that_is_no_question_is_answered_with_an_error(line: str) -> None:
    assert set(json.loads(answer_line(line))) == {"error", "at"}


def test_a_line_is_read_up_to_its_longest() -> None:
    text = json.dumps(COUNT)
    assert "points" in json.loads(answer_line(text + " " * (LONGEST_LINE - len(text))))
    assert "too long" in json.loads(answer_line(text + " " * LONGEST_LINE))["error"]


def test_a_body_holds_no_more_than_its_most_questions() -> None:
    assert len(json.loads(answer_body(json.dumps([COUNT] * MOST_QUESTIONS)))) == MOST_QUESTIONS
    assert set(json.loads(answer_body(json.dumps([COUNT] * (MOST_QUESTIONS + 1))))) == {"error", "at"}
    assert answer_body("[]") == "[]"
    assert "error" in json.loads(answer_body("["))


def test_a_bad_question_leaves_the_others_alone() -> None:
    first, second, third = json.loads(answer_body(json.dumps([COUNT, 7, COUNT])))
    assert first == third == answer(COUNT)
    assert "error" in second


def test_every_family_of_the_protocol_is_answered() -> None:
    assert set(ASKS) == {"turn", "arrange", "count", "hand", "game", "deal", "size", "resume", "ruling"}


def test_a_hand_that_the_packs_cannot_give_is_asked_about_and_scored_all_the_same() -> None:
    found = answer({"ask": "hand", "rules": "house", "players": 3, "hand": 1, "scores": ["", "JK JK", "JK 5H"]})
    assert [score["points"] for score in found["scores"]] == [0, 30, 20]
    assert {(ask["rule"], tuple(ask["seats"]), ask["count"], ask["most"]) for ask in found["asks"]} >= {("R-17", (1, 2), 3, 2)}
    assert "asks" not in answer({"ask": "hand", "rules": "house", "players": 3, "hand": 1, "scores": ["", "JK", "JK 5H"]})
