"""Strict readers for the parts of a question: each gives the value, or refuses it and names its place.

A yes or no is no number, a float is no number, and nothing is guessed from a text.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from continental.rules.errors import BadQuestion

_SHOWN: Final = 40


def shown(value: object) -> str:
    """Give a value as a refusal quotes it: short whatever was sent."""
    if isinstance(value, str):
        return f"“{value[:_SHOWN]}”"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**18:
        return str(value)
    return {bool: "yes or no", int: "a number that large", float: "a broken number", list: "a list", dict: "an object"}.get(
        type(value), "nothing" if value is None else "a thing of another kind"
    )


def whole_number(value: object, at: str, least: int, most: int) -> int:
    """Read a whole number between ``least`` and ``most``.

    Raises:
        BadQuestion: another type (``true`` and ``2.0`` too), or out of range.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadQuestion(f"a whole number is wanted, not {shown(value)}", at)
    if not least <= value <= most:
        raise BadQuestion(f"{shown(value)} is not between {least} and {most}", at)
    return value


def yes_or_no(value: object, at: str) -> bool:
    """Read ``true`` or ``false``.

    Raises:
        BadQuestion: another type.
    """
    if not isinstance(value, bool):
        raise BadQuestion(f"yes or no (true or false) is wanted, not {shown(value)}", at)
    return value


def text(value: object, at: str, most: int = 200, least: int = 1) -> str:
    """Read a text of ``least`` to ``most`` characters.

    Raises:
        BadQuestion: another type, or too short or too long.
    """
    if not isinstance(value, str):
        raise BadQuestion(f"a text is wanted, not {shown(value)}", at)
    if not least <= len(value) <= most:
        raise BadQuestion(f"a text of {least} to {most} characters is wanted, not one of {len(value)}", at)
    return value


def one_of(value: object, at: str, choices: Sequence[str]) -> str:
    """Read one of a few words.

    Raises:
        BadQuestion: anything else; the refusal lists the words.
    """
    if not isinstance(value, str) or value not in choices:
        raise BadQuestion(f"{shown(value)} is none of: {', '.join(choices)}", at)
    return value


def sequence(value: object, at: str, most: int) -> list[Any]:
    """Read a list of at most ``most`` things.

    Raises:
        BadQuestion: no list, or too long.
    """
    if not isinstance(value, list):
        raise BadQuestion(f"a list is wanted, not {shown(value)}", at)
    if len(value) > most:
        raise BadQuestion(f"the list is too long: {len(value)} things, at most {most} are read", at)
    return value


def mapping(value: object, at: str, keys: frozenset[str] | None = None) -> Mapping[str, Any]:
    """Read an object, with no key outside ``keys`` where these are given.

    Raises:
        BadQuestion: no object, or an unknown key.
    """
    if type(value) is dict and keys is not None and value.keys() <= keys:
        return value
    if not isinstance(value, Mapping):
        raise BadQuestion(f"an object is wanted, not {shown(value)}", at)
    for key in value:
        if not isinstance(key, str):
            raise BadQuestion("the keys of an object are texts", at)
        if keys is not None and key not in keys:
            raise BadQuestion(f"the key {shown(key)} is not known here", f"{at}.{key[:_SHOWN]}" if at else key[:_SHOWN])
    return value


COMMON: Final = ("ask", "rules", "players", "hand")
FEWEST_PLAYERS: Final = 2
MOST_PLAYERS: Final = 30
MOST_HAND: Final = 1000


def question_keys(question: object, needed: tuple[str, ...], optional: tuple[str, ...] = ()) -> Mapping[str, Any]:
    """Give the question, once every key it needs is there and it has none beyond these, the optional and the common ones.

    Raises:
        BadQuestion: a key is missing or unknown; ``at`` is the key.
    """
    asked = mapping(question, "", _keys(needed, optional))
    for key in needed:
        if key not in asked:
            raise BadQuestion(f"the key “{key}” is missing", key)
    return asked


@lru_cache(maxsize=64)
def _keys(needed: tuple[str, ...], optional: tuple[str, ...]) -> frozenset[str]:
    return frozenset((*COMMON, *needed, *optional))


def read_players(question: Mapping[str, Any]) -> int:
    """Read the number of players, 2 to 30: a preset's own range is advice to the table, not a ban."""
    return whole_number(question["players"], "players", FEWEST_PLAYERS, MOST_PLAYERS)


def read_hand_number(question: Mapping[str, Any]) -> int:
    """Read the number of a hand, counted from 1; whether the game has it, the rule set says."""
    return whole_number(question["hand"], "hand", 1, MOST_HAND)
