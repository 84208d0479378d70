"""Reading what a client sent for a seat: cards as keypad keys, points as typed, and the three ways of having none."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any, Final

from continental.rules.errors import BadQuestion
from continental.rules.keypad import count_keys
from continental.rules.rulesets import RuleSet
from scoring.state import EntryState, Refused


def read_sum(text: str) -> tuple[int, str]:
    """Read typed points: a number, or a sum such as ``10+15``.

    Returns:
        The points, and the text with its spaces gone, to be kept as it was meant.

    Raises:
        Refused: nothing that adds up, or more than any hand could hold.
    """
    compact = _DASH.sub("-", re.sub(r"\s+", "", unicodedata.normalize("NFKC", text)))
    # Two numbers side by side are no number: “10 15” is not 1015, and a small raised 2 is not a digit more.
    unclear = re.search(r"[0-9]\s+[0-9]", text) or _SMALL_DIGIT.search(text)
    if unclear or not re.fullmatch(r"[+-]?[0-9]{1,5}(?:[+-][0-9]{1,5})*", compact, re.ASCII) or len(compact) > MOST_PARTS:
        raise Refused("points-unreadable", typed=text[:40])
    points = sum(int(part) for part in re.findall(r"[+-]?[0-9]+", compact))
    if abs(points) > MOST_POINTS:
        raise Refused("points-out-of-range", typed=text[:40], most=MOST_POINTS)
    return points, compact.removeprefix("+")


def split_keys(text: str) -> list[str]:
    """Part a list of keypad keys (``7``, ``A red``, ``7H``, ``JK``) as it was tapped or typed; the inverse joins with spaces.

    Raises:
        Refused: more cards than any hand holds.
    """
    keys = [" ".join(match.split()) for match in _KEY.findall(text)]
    if len(keys) > MOST_CARDS:
        raise Refused("cards-too-many", count=len(keys), most=MOST_CARDS)
    return [_WRITTEN.get(key.upper(), key if " " in key else key.upper().translate(_SUIT_SIGNS)) for key in keys]


_DASH: Final = re.compile("[\u2010-\u2015\u2212]")
_SMALL_DIGIT: Final = re.compile("[\u00b2\u00b3\u00b9\u2070-\u2089\u00bc-\u00be]")
_KEY: Final = re.compile(r"[^\s,;]+\s+(?:red|black)\b|[^\s,;]+")
_WRITTEN: Final = {"JOKER": "JK", "*": "JK", "★": "JK"}
_SUIT_SIGNS: Final = str.maketrans("♠♥♦♣", "SHDC")
MOST_CARDS: Final = 90
MOST_PARTS: Final = 100
MOST_POINTS: Final = 5000
MOST_MISSING: Final = 30


def read_entry(rules: RuleSet, data: Mapping[str, Any]) -> EntryState:
    """Turn what was entered for a seat into an entry with its points under the sheet.

    Raises:
        Refused: cards or points that cannot be read, or that contradict the kind of entry.
    """
    kind = read_text(data, "kind")
    missing = read_number(data, "missing", 0, MOST_MISSING) if data.get("missing") not in (None, "") else 0
    if kind == "cards":
        try:
            keys = split_keys(read_text(data, "cards"))
            points = count_keys(rules, keys, missing).points
        except BadQuestion as error:
            raise Refused("cards-unreadable", detail=error.message) from error
        if not keys and not missing:
            raise Refused("cards-none")
        return EntryState("cards", points, " ".join(keys), "", missing)
    if kind == "points":
        points, parts = read_sum(read_text(data, "points"))
        return EntryState("points", points + missing * rules.missing_card, "", parts, missing)
    if kind in {"out", "none", "absent"}:
        typed = read_text(data, "points").strip() or read_text(data, "cards").strip()
        if typed not in ("", "0"):
            raise Refused(f"{kind}-with-points", typed=typed[:40])
        return EntryState(kind, 0 if kind == "out" else None)
    raise Refused("kind-unknown", typed=kind[:40])


def read_text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key, "")
    return value if isinstance(value, str) else str(value)


def whole_number(text: str, digits: int = 12) -> int | None:
    """Read a number from 0 up that a form or an address holds: the digits 0 to 9 and nothing else; ``None`` for all others.

    Python's own reading takes ``1_0`` for ten, and digits of any script; what was meant by those nobody knows.
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def read_number(data: Mapping[str, Any], key: str, least: int, most: int) -> int:
    """Give a number of an action: written as ``whole_number`` says, and with a sign before it where somebody types one.

    Raises:
        Refused: it is no number, or not one from ``least`` to ``most``.
    """
    value = data.get(key)
    number = value if type(value) is int else None
    if isinstance(value, str):
        text = value.strip()
        size = whole_number(text[1:] if text[:1] in {"+", "-"} else text, 11)
        number = -size if size is not None and text.startswith("-") else size
    if number is None or not least <= number <= most:
        raise Refused("number-unreadable", what=key, typed=str(value)[:40], least=least, most=most)
    return number
