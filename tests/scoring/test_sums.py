"""Typed points are read on the server just as on the page (the page's own test reads the same file)."""

import json
from pathlib import Path

import pytest

from scoring.entries import read_sum
from scoring.state import Refused

CASES = json.loads((Path(__file__).parents[2] / "fixtures" / "sums.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["typed"].strip() for case in CASES])
def test_the_server_reads_a_sum_as_the_page_does(case: dict[str, str | int | None]) -> None:
    typed = str(case["typed"])
    if case["points"] is None:
        with pytest.raises(Refused):
            read_sum(typed)
    else:
        assert read_sum(typed)[0] == case["points"]
