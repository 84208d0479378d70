"""Names as people type them: cleaned for storing and showing, and folded for comparing.

A name is never refused for its script, its emoji or its direction. What goes is only what cannot be seen and does harm:
control characters, marks that turn the direction of the page around a name, and blanks at the ends or in rows.
"""

import re
import unicodedata
from typing import Final

MAX_NAME: Final = 60

_JOINERS: Final = frozenset("\u200c\u200d")
_EMOJI_TAGS: Final = range(0xE0020, 0xE0080)
_BLANKS: Final = re.compile(r"\s+")
_VISIBLE: Final = frozenset("LNPS")
_BLANK_LETTERS: Final = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters and signs, by their category, that are drawn as nothing."""


def _is_harmless(character: str) -> bool:
    """Tell whether the character may stay; joiners hold emoji families and Persian words together."""
    match unicodedata.category(character):
        case "Cc" | "Cs":
            return False
        case "Cf":
            return character in _JOINERS or ord(character) in _EMOJI_TAGS
        case _:
            return True


def clean_name(text: str) -> str:
    """Give the name in NFC, without control and direction characters, with single blanks; perhaps empty.

    A name in which nothing can be seen (joiners or accents alone) is given back as empty, so that callers refuse it as such.
    """
    spaced = _BLANKS.sub(" ", unicodedata.normalize("NFC", text))
    kept = "".join(filter(_is_harmless, spaced))
    name = _BLANKS.sub(" ", kept).strip()
    return name if any(map(_is_seen, name)) else ""


def _is_seen(character: str) -> bool:
    return unicodedata.category(character)[0] in _VISIBLE and character not in _BLANK_LETTERS


def fold_name(text: str) -> str:
    """Give the form by which two names are the same: without case, width and invisible characters."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", clean_name(text)).casefold())
    seen = (character for character in folded if unicodedata.category(character) != "Cf" and character not in "\ufe0e\ufe0f")
    return _BLANKS.sub(" ", "".join(seen)).strip()
