"""Every reason about scores has a sentence and a rule, and no sentence stands unused."""

import re
from pathlib import Path

import pytest

import continental.rules
from continental.rules.citing import cite, concepts
from continental.rules.rulesets import preset_ids
from continental.rules.wording_scores import SCORES

RULE = re.compile(r"(?:house|continental|contract|gather|shanghai|fifteen|basic)(?:\.[a-z0-9-]+)+|R-\d{2,3}")
ROOM = Path(continental.rules.__path__[0])
SOURCES = "".join(path.read_text(encoding="utf-8") for path in ROOM.glob("*.py") if "wording" not in path.name)


@pytest.mark.parametrize("code", SCORES)
def test_every_sentence_has_a_rule_under_every_preset(code: str) -> None:
    for name in preset_ids():
        assert all(RULE.fullmatch(rule) for rule in cite(name, code))


@pytest.mark.parametrize("code", SCORES)
def test_every_sentence_is_said_somewhere(code: str) -> None:
    assert f'"{code}"' in SOURCES


@pytest.mark.parametrize("concept", sorted(concepts()))
def test_every_concept_has_a_line_to_borrow(concept: str) -> None:
    assert "house" in concepts()[concept]
