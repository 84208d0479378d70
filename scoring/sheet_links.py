"""A rule sheet in a link: the whole of it, so that another table can take it over without asking this one."""

import base64
import binascii
import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from continental.rules import rulesets
from continental.rules.errors import BadQuestion
from continental.rules.rulesets import RuleSet
from players.names import MAX_NAME, clean_name
from scoring.sheet_words import MOST_LINE, house_line

_MOST_TEXT: Final = 8_000
_MOST_LINES: Final = 100
_MOST_DATA: Final = 40_000


@dataclass(frozen=True)
class SharedSheet:
    """What a link holds: a name, a preset, what differs from it, and the lines that the league added in words."""

    name: str
    base: str
    overrides: dict[str, Any]
    rules: RuleSet
    lines: tuple[str, ...] = ()

    @property
    def notes(self) -> list[dict[str, Any]]:
        """The lines as a sheet keeps them; the rulings they came from stay where they were made."""
        return [{"text": line} for line in self.lines]


def pack(name: str, base: str, overrides: dict[str, Any], lines: Iterable[str] = ()) -> str:
    """Put a sheet into letters that an address can hold; empty where it says more than a link may."""
    said = [line for line in map(house_line, lines) if line]
    held = {"n": name, "b": base, "o": overrides} | ({"l": said} if said else {})
    plain = json.dumps(held, ensure_ascii=False, separators=(",", ":")).encode()
    text = base64.urlsafe_b64encode(zlib.compress(plain, 9)).decode().rstrip("=")
    return text if len(said) <= _MOST_LINES and len(plain) <= _MOST_DATA and len(text) <= _MOST_TEXT else ""


def unpack(text: str) -> SharedSheet:
    """Read a sheet from a link; nothing in it is believed before it is checked.

    Raises:
        BadQuestion: not such a link, cut off, too large, or a sheet that contradicts itself.
    """
    if not text or len(text) > _MOST_TEXT:
        raise BadQuestion("this link holds no rule sheet", "link")
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        reader = zlib.decompressobj()
        plain = reader.decompress(packed, _MOST_DATA)
        if not reader.eof:
            raise BadQuestion("this link holds no whole rule sheet", "link")
        data = json.loads(plain)
    except (binascii.Error, zlib.error, ValueError, RecursionError) as error:
        raise BadQuestion("this link holds no rule sheet, or lost a part of it", "link") from error
    match data:
        case {"n": str(name), "b": str(base), "o": dict(overrides)}:
            rules = rulesets.load({**overrides, "base": base})
            lines = _read_lines(data.get("l", []))
        case _:
            raise BadQuestion("this link holds no rule sheet", "link")
    return SharedSheet(clean_name(name)[:MAX_NAME].strip() or rules.name, base, overrides, rules, lines)


def _read_lines(data: object) -> tuple[str, ...]:
    """Read the lines of the house: all of them, or none of the sheet, since without one it is not the sheet that was agreed."""
    match data:
        case [*texts] if len(texts) <= _MOST_LINES:
            lines = tuple(house_line(text) for text in texts if isinstance(text, str) and len(text) <= MOST_LINE)
            if len(lines) == len(texts) and all(0 < len(line) <= MOST_LINE for line in lines):
                return lines
    raise BadQuestion("the lines of the house in this link cannot be read", "link")
