"""The worked questions of ``fixtures/cases``, one test each, for every family that the referee answers."""

import json
from pathlib import Path
from typing import Any

import pytest

from continental.rules.referee import ASKS, answer

CASES = Path(__file__).parents[2] / "fixtures" / "cases"


def worked_cases() -> list[Any]:
    return [
        pytest.param(case, id=f"{case['family']}-{case['case']}")
        for chapter in sorted(CASES.glob("*.json"))
        for case in json.loads(chapter.read_text(encoding="utf-8"))
        if case["request"]["ask"] in ASKS
    ]


@pytest.mark.parametrize("case", worked_cases())
def test_the_answer_holds_what_the_case_expects(case: dict[str, Any]) -> None:
    given = answer(case["request"])
    for key, wanted in case["expect"].items():
        match key:
            case "rules" if case["family"] != "ruling":
                cited = [reason["rule"] for reason in given["reasons"]]
                assert not wanted or set(wanted) & set(cited), given
            case "instead_possible":
                assert (given["instead"] is not None) == wanted, given
            case "refused":
                assert ("error" in given) == wanted, given
            case "stands":
                assert given["if_found_later"]["stands"] == wanted, given
            case _:
                assert given[key] == wanted, given


def test_every_family_of_scores_has_worked_cases() -> None:
    families = {case.values[0]["request"]["ask"] for case in worked_cases()}
    assert families >= {"count", "hand", "game", "deal", "size", "resume"}
