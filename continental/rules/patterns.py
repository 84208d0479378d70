"""Patterns of cards as rule sets and keypads write them: ``JK``, a rank ``7``, a face ``7H``, a rank of one colour ``A red``."""

import re
from functools import lru_cache
from typing import Final

from continental.rules.cards import JOKER, NATURALS, RANKS, is_red

_PATTERN: Final = re.compile(rf"(?:{JOKER}|[{RANKS}](?: red| black|[SHDC])?)")


def read_pattern(text: object) -> str | None:
    """Give the pattern with ``10`` written as ``T``; ``None`` for what is none."""
    if not isinstance(text, str):
        return None
    pattern = "T" + text[2:] if text.startswith("10") else text
    return pattern if _PATTERN.fullmatch(pattern) else None


@lru_cache(maxsize=256)
@lru_cache(maxsize=256)
def faces_of(pattern: str) -> tuple[str, ...]:
    """Give all faces that a pattern covers, in the order of a new pack."""
    return tuple(card for card in (*NATURALS, JOKER) if _covers(pattern, card))


def _covers(pattern: str, card: str) -> bool:
    if JOKER in (card, pattern):
        return card == pattern
    rank, rest = pattern[0], pattern[1:].strip()
    if card[0] != rank:
        return False
    if rest in {"red", "black"}:
        return is_red(card) == (rest == "red")
    return rest in {"", card[1]}
