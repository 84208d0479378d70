"""How fast the solver is, as ratios against OR-tools' CP-SAT on the same questions in the same run.

Run it with ``make bench`` (it installs the ``bench`` group with OR-tools), or alone::

    python -m pytest -m bench tests/bench/test_solver_speed.py

Both sides work on one core: CP-SAT with one worker, building its model included. Each question is put to both, one right
after the other. For the opening there are two models: the plain one, in which every run of a suit is a choice, and one
that leaves out beforehand the runs with more gaps than there are wild cards, which does half of the work in Python. The
table gives the median time of ours, its 99th percentile, the median of CP-SAT, and the median and least ratio. The
answers must be equal, the times are only printed. The questions lie in ``questions/``; :mod:`tests.bench.generator`
makes them again.
"""

import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from continental.rules.notation import parse_cards
from continental.rules.rulesets import load
from continental.rules.solver import best_play, open_with_all
from continental.rules.turn_question import read_table
from tests.bench.generator import FOLDER

pytestmark = pytest.mark.bench
REPEATS = 5
"""So often our side is timed; the median counts. CP-SAT is timed once: it is never faster the second time."""
ROW = 20
"""Answers that take microseconds are timed in a row of so many: no clock measures a single one."""


class Timed(NamedTuple):
    """One question's times in seconds."""

    group: str
    ours: float
    theirs: float


def questions(name: str) -> Iterator[dict[str, Any]]:
    with (FOLDER / f"{name}.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def timed(call: Callable[[], Any], repeats: int = 1, row: int = 1) -> tuple[Any, float]:
    """Give what the call gives and the processor's time that it takes: the median of the repeats."""
    times = []
    result = None
    for _ in range(repeats):
        start = time.process_time()
        for _ in range(row):
            result = call()
        times.append((time.process_time() - start) / row)
    return result, statistics.median(times)


def report(title: str, rows: list[Timed], capsys: pytest.CaptureFixture[str]) -> None:
    groups = dict.fromkeys(row.group for row in rows)
    lines = [f"\n{title}", f"{'':10}{'count':>6}{'ours':>12}{'p99':>12}{'CP-SAT':>12}{'ratio':>8}{'least':>8}"]
    for group in [*groups, "all"]:
        chosen = [row for row in rows if group in (row.group, "all")]
        ours = sorted(row.ours for row in chosen)
        ratios = [row.theirs / row.ours for row in chosen]
        lines.append(
            f"{group:10}{len(chosen):>6}{statistics.median(ours) * 1e3:>9.3f} ms{ours[int(len(ours) * 0.99)] * 1e3:>9.3f} ms"
            f"{statistics.median(row.theirs for row in chosen) * 1e3:>9.1f} ms"
            f"{statistics.median(ratios):>8.0f}{min(ratios):>8.0f}"
        )
    with capsys.disabled():
        sys.stdout.write("\n".join(lines) + "\n")


@pytest.mark.parametrize("helped", [False, True])
def test_every_card_in_the_opening_is_found_or_refused_as_cp_sat_does(helped: bool, capsys: pytest.CaptureFixture[str]) -> None:
    cp_sat = pytest.importorskip("tests.bench.cp_sat")
    rows = []
    for question in questions("arrange"):
        rules = load(question["rules"])
        hand = rules.hand(question["hand"])
        cards = parse_cards(question["cards"])
        found, ours = timed(lambda: open_with_all(cards, rules, hand), REPEATS, ROW)  # noqa: B023
        possible, theirs = timed(lambda: cp_sat.can_open_with_all(cards, hand, helped=helped))  # noqa: B023
        assert (found is not None) == possible, question
        rows.append(Timed(str(hand.contract), ours, theirs))
    model = "runs with too many gaps left out beforehand" if helped else "every run of a suit a choice"
    report(f"Every card in the opening, 6 to 13 cards, house rules; model with {model}", rows, capsys)


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("best", "Best play, 30 cards and a table of ten melds, house rules, two jokers held"),
        ("stress", "Best play, 30 cards, four packs and six jokers held"),
    ],
)
def test_the_best_play_leaves_as_few_points_as_cp_sat(name: str, title: str, capsys: pytest.CaptureFixture[str]) -> None:
    cp_sat = pytest.importorskip("tests.bench.cp_sat")
    rows = []
    for question in questions(name):
        rules = load(question["rules"])
        hand = rules.hand(question["hand"])
        cards = parse_cards(question["cards"])
        table = read_table(question["table"], rules)
        play, ours = timed(lambda: best_play(cards, rules, hand, table), REPEATS)  # noqa: B023
        fewest, theirs = timed(lambda: cp_sat.fewest_points(cards, hand, table, rules.card_values))  # noqa: B023
        assert (play.points if play.possible else None) == fewest, question
        rows.append(Timed(str(hand.contract), ours, theirs))
    report(title, rows, capsys)


def test_the_hardest_legal_turns_are_answered(capsys: pytest.CaptureFixture[str]) -> None:
    times: dict[str, list[float]] = {}
    for question in questions("hardest"):
        rules = load(question["rules"])
        hand, cards = rules.hand(question["hand"]), parse_cards(question["cards"])
        table = read_table(question["table"], rules)
        _, ours = timed(lambda: best_play(cards, rules, hand, table), 3)  # noqa: B023
        times.setdefault(rules.id, []).append(ours)
    lines = ["\nBest play, the turns that took longest among 150 legal ones of each preset"]
    lines += [f"{name:14}" + "".join(f"{seconds * 1e3:>9.1f} ms" for seconds in row) for name, row in times.items()]
    with capsys.disabled():
        sys.stdout.write("\n".join(lines) + "\n")
