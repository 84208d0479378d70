"""Which rule ids a verdict cites: one table from concept and rule set to the ids of the rulebook.

The code judges concepts (``set.definition``); each rule set says the same thing under an id of its own. The tables are
the TOML files in ``cites/``, one a chapter, one section a concept::

    ["set.definition"]
    house = "house.set.definition"
    continental = "continental.set"

A rule set that has no line of its own borrows that of ``house``, the only source whose text is whole (reason *l* of
rulebook section 2.4).
"""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Final

_BORROWED_FROM: Final = "house"


@lru_cache(maxsize=1)
def concepts() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Give every concept with its ids by rule set."""
    table: dict[str, dict[str, tuple[str, ...]]] = {}
    for chapter in sorted(files("continental.rules").joinpath("cites").iterdir(), key=lambda entry: entry.name):
        for concept, lines in tomllib.loads(chapter.read_text(encoding="utf-8")).items():
            assert concept not in table, concept
            table[concept] = {rules: (ids,) if isinstance(ids, str) else tuple(ids) for rules, ids in lines.items()}
    return table


@lru_cache(maxsize=4096)
def cite(rules: str, concept: str) -> tuple[str, ...]:
    """Give the rule ids behind ``concept`` under the rule set with the id ``rules``, the most particular first."""
    lines = concepts()[concept]
    return lines.get(rules) or lines[_BORROWED_FROM]
