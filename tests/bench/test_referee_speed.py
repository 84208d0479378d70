"""How long a verdict on an opening takes, with all reasons, with its texts and `instead`, and what hostile questions cost.

Run it with ``make bench``, or alone::

    python -m pytest -m bench tests/bench/test_referee_speed.py

The questions lie in ``questions/``; :mod:`tests.bench.generator` makes them again. Times are the processor's and only printed;
what is held to is the answers.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from continental.rules.notation import parse_laid
from continental.rules.openings import judge_opening
from continental.rules.referee import answer
from continental.rules.rulesets import load
from tests.bench.generator import FOLDER

pytestmark = pytest.mark.bench
REPEATS = 5
Times = dict[str, list[float]]


def questions(name: str) -> Iterator[dict[str, Any]]:
    with (FOLDER / f"{name}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """Give what the call gives and the median of its times, in seconds."""
    times = []
    result = None
    for _ in range(REPEATS):
        start = time.process_time()
        result = call()
        times.append(time.process_time() - start)
    return result, statistics.median(times)


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
    for question in questions("openings"):
        rules = load(question["rules"])
        hand = rules.hand(question["hand"])
        laid = [parse_laid(meld) for meld in question["actions"][0]["melds"]]
        opening, seconds = timed(lambda: judge_opening(laid, rules, hand))  # noqa: B023
        times["legal: verdict" if opening.legal else "illegal: verdict"].append(seconds)
        given, seconds = timed(lambda: answer(question))  # noqa: B023
        if given["verdict"] in {"legal", "illegal"}:
            times[f"{given['verdict']}: answer"].append(seconds)
        if given["instead"] is not None:
            melds = [parse_laid(meld) for meld in given["instead"]["melds"]]
            assert judge_opening(melds, rules, hand).legal, question
    report("Openings of every preset; the answer has its texts and, where illegal, what would be legal instead", times, capsys)


def test_a_hostile_question_is_answered_or_called_too_large(capsys: pytest.CaptureFixture[str]) -> None:
    times: Times = {}
    for question in questions("hostile"):
        given, seconds = timed(lambda: answer(question))  # noqa: B023
        assert "error" not in given or given["error"].startswith("too large"), (question, given)
        asked = "laying every card" if question["ask"] == "arrange" else "judging an opening"
        times.setdefault(asked, []).append(seconds)
    report("Hostile questions of every preset", times, capsys)
