"""How long a verdict on an opening takes, with all reasons, with its texts and `instead`, and what hostile questions cost.

Run it with ``make bench``, or alone::

    python -m pytest -m bench tests/bench/test_referee_speed.py

The questions lie in ``questions/``; :mod:`tests.bench.generator` makes them again. Every round asks all of them in an order of
its own: no question is asked over and over, which would find everything at hand. Times are the processor's and only printed;
what is held to is the answers.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

import pytest

from continental.rules.cards import Laid
from continental.rules.notation import parse_laid
from continental.rules.openings import judge_opening
from continental.rules.parameters import HandRule, RuleSet
from continental.rules.referee import answer
from continental.rules.rulesets import load
from tests.bench.generator import FOLDER

pytestmark = pytest.mark.bench
ROUNDS = 7
Times = dict[str, list[float]]


def questions(name: str) -> Iterator[dict[str, Any]]:
    with (FOLDER / f"{name}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def opening_of(question: dict[str, Any]) -> tuple[list[tuple[Laid, ...]], RuleSet, HandRule]:
    """Give the melds laid, the rule set and the hand of a question about an opening."""
    rules = load(question["rules"])
    return [parse_laid(meld) for meld in question["actions"][0]["melds"]], rules, rules.hand(question["hand"])


def timed(calls: Sequence[Callable[[], Any]]) -> list[tuple[Any, float]]:
    """Give what each call gives and the median of its times over all rounds, in seconds."""
    given: list[Any] = [None] * len(calls)
    times: list[list[float]] = [[] for _ in calls]
    rng = Random("rounds")
    for _ in range(ROUNDS):
        for number in rng.sample(range(len(calls)), len(calls)):
            start = time.process_time()
            given[number] = calls[number]()
            times[number].append(time.process_time() - start)
    return [(result, statistics.median(seconds)) for result, seconds in zip(given, times, strict=True)]


def report(title: str, times: Times, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [f"\n{title}", f"{'':40}{'count':>6}{'median':>12}{'p99':>12}{'most':>12}"]
    for kind, seconds in times.items():
        row = sorted(second * 1e6 for second in seconds)
        lines.append(
            f"{kind:40}{len(row):>6}{statistics.median(row):>9.0f} µs{row[int(len(row) * 0.99)]:>9.0f} µs{row[-1]:>9.0f} µs"
        )
    with capsys.disabled():
        sys.stdout.write("\n".join(lines) + "\n")


def test_a_verdict_comes_with_every_reason_and_a_lay_down_that_is_legal(capsys: pytest.CaptureFixture[str]) -> None:
    times: Times = {kind: [] for kind in ("legal: verdict", "illegal: verdict", "legal: answer", "illegal: answer")}
    asked = list(questions("openings"))
    judged = [partial(judge_opening, *opening_of(question)) for question in asked]
    for opening, seconds in timed(judged):
        times["legal: verdict" if opening.legal else "illegal: verdict"].append(seconds)
    for question, (given, seconds) in zip(asked, timed([partial(answer, question) for question in asked]), strict=True):
        if given["verdict"] in {"legal", "illegal"}:
            times[f"{given['verdict']}: answer"].append(seconds)
        if given["instead"] is not None:
            _, rules, hand = opening_of(question)
            melds = [parse_laid(meld) for meld in given["instead"]["melds"]]
            assert judge_opening(melds, rules, hand).legal, question
    report("Openings of every preset; the answer has its texts and, where illegal, what would be legal instead", times, capsys)


def test_a_hostile_question_is_answered_or_called_too_large(capsys: pytest.CaptureFixture[str]) -> None:
    times: Times = {}
    asked = list(questions("hostile"))
    for question, (given, seconds) in zip(asked, timed([partial(answer, question) for question in asked]), strict=True):
        assert "error" not in given or given["error"].startswith("too large"), (question, given)
        kind = "laying every card" if question["ask"] == "arrange" else "judging an opening"
        times.setdefault(kind, []).append(seconds)
    report("Hostile questions of every preset", times, capsys)
