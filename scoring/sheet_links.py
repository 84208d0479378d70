"""A rule sheet in a link: the whole of it, so that another table can take it over without asking this one."""

import base64
import binascii
import json
import zlib
from dataclasses import dataclass
from typing import Any, Final

from continental.rules import rulesets
from continental.rules.errors import BadQuestion
from continental.rules.rulesets import RuleSet
from players.names import MAX_NAME, clean_name

_MOST_TEXT: Final = 8_000
_MOST_DATA: Final = 40_000


@dataclass(frozen=True)
class SharedSheet:
    """What a link holds: a name, a preset and what differs from it."""

    name: str
    base: str
    overrides: dict[str, Any]
    rules: RuleSet


def pack(name: str, base: str, overrides: dict[str, Any]) -> str:
    """Put a sheet into letters that an address can hold."""
    plain = json.dumps({"n": name, "b": base, "o": overrides}, ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(zlib.compress(plain.encode(), 9)).decode().rstrip("=")


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
        case _:
            raise BadQuestion("this link holds no rule sheet", "link")
    return SharedSheet(clean_name(name)[:MAX_NAME].strip() or rules.name, base, overrides, rules)
