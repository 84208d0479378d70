"""Questions of every kind with something in them that does not belong there: an answer or a refusal, at once."""

import copy
import json
import os
import time
from collections.abc import Iterator
from random import Random
from typing import Any

from continental.rules.referee import answer, write_json

from .test_cases import worked_cases

LONG = bool(os.environ.get("CONTINENTAL_LONG"))
MOST_SECONDS = 0.1

ODD: list[Any] = [
    *(None, True, False, 0, 1, -1, 2, 13, 10**6, 10**30, -(10**30), 1.5, -0.0, 1e308, float("nan"), float("inf"), 2**63),
    *(
        "",
        " ",
        "x",
        "7H",
        "JK",
        "JK=7H",
        "7H=7H",
        "2S=7H",
        "10H",
        "A♠",
        "♠A",
        "🂡",
        "７Ｈ",
        "٣",
        "²",
        "é",
        "\ud800",
        "\x00",
        "\n7H",
    ),
    *("7H " * 100, "JK " * 40, "T" * 300, "7" * 5000, "2S 1R", "m1", "t1", "open", "2026-02-30", "0000-00-00"),
    *([], {}, [[]], [{}], [None], ["7H"], [1, 2], {"": 1}, {"a": 1}, {"x": {"x": {"x": {}}}}, list(range(2000))),
    *("fifteen", "basic", "kalooki", {"base": "house"}, {"base": "continental", "wild": ["JK", "2", "A", "3", "4"]}),
]
KEYS = [
    "x",
    "",
    "\ud800",
    "ask",
    "rules",
    "facts",
    "table",
    "held",
    "draw",
    "end",
    "as",
    "use",
    "player",
    "claimed",
    "scores",
    "base",
]
SNIPPETS = ["", "J", "K", "=", "7", "H", " ", ",", "\x00", "é", "10", "JK ", "\t", "A"]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a question."""
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from places(item, (*path, key))


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


def spoilt(rng: Random, question: dict[str, Any], others: list[dict[str, Any]]) -> dict[str, Any]:
    """A question with one to three things in it put wrong."""
    question = copy.deepcopy(question)
    for _ in range(rng.choice([1, 1, 2, 3])):
        path = rng.choice([*places(question), ("ask",)])
        if path[0] in question:
            spoil(rng, at(question, path[:-1]), path[-1], others)
    return question


def spoil(rng: Random, parent: Any, key: Any, others: list[dict[str, Any]]) -> None:
    value = parent[key]
    match rng.randrange(8):
        case 0:
            parent.pop(key)
        case 1 if isinstance(parent, dict):
            parent[rng.choice(KEYS)] = copy.deepcopy(rng.choice(ODD))
        case 2 | 3 if isinstance(value, str):
            place = rng.randrange(len(value) + 1)
            parent[key] = value[:place] + rng.choice(SNIPPETS) + value[place + rng.choice([0, 1]) :]
        case 4 if isinstance(value, list):
            parent[key] = value * rng.choice([2, 3, 50])
        case 5:
            other = rng.choice(others)
            parent[key] = copy.deepcopy(at(other, rng.choice(list(places(other)))))
        case 6 if isinstance(value, int):
            parent[key] = value + rng.choice([-1, 1, 7, 100, -100, 10**18])
        case _:
            parent[key] = copy.deepcopy(rng.choice(ODD))


def seconds_for(question: dict[str, Any]) -> float:
    """What an answer costs the processor; the least of a few tries, as other work may come in between."""
    least = MOST_SECONDS
    for _ in range(5):
        start = time.process_time()
        answer(question)
        least = min(least, time.process_time() - start)
        if least < MOST_SECONDS:
            break
    return least


def test_whatever_is_asked_is_answered_or_refused_by_its_place_and_at_once() -> None:
    questions = [case.values[0]["request"] for case in worked_cases()]
    refused = 0
    for number in range(100_000 if LONG else 1500):
        rng = Random(f"hostile {number}")
        question = spoilt(rng, rng.choice(questions), questions)
        before = json.dumps(question)
        given = answer(question)
        assert json.dumps(question) == before
        assert write_json(given).isascii()
        assert seconds_for(question) < MOST_SECONDS, before
        if "error" in given:
            refused += 1
            assert 0 < len(given["error"]) < 400, before
            assert isinstance(given["at"], str), before
            assert len(given["at"]) < 200, before
    assert refused > 100
