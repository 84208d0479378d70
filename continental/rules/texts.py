"""Sentences that are kept as data in both languages of the site, side by side in one file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

LANGUAGES: Final = ("en", "es")


@dataclass(frozen=True, slots=True)
class Text:
    """One sentence in English and in Spanish. Parameters stand in braces: ``{count}``."""

    en: str
    es: str

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Text":
        """Take the ``en`` and ``es`` entries of a table read from TOML."""
        return cls(data["en"], data["es"])

    def say(self, language: str = "en", values: Mapping[str, object] | None = None) -> str:
        """Give the sentence in ``language`` (``es`` and its regions in Spanish, all others in English), parameters filled in."""
        template = self.es if language.partition("-")[0] == "es" else self.en
        return template.format_map(values) if values else template


@dataclass(frozen=True, slots=True)
class Counted:
    """A sentence that reads otherwise for exactly one."""

    one: Text
    many: Text

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Counted":
        """Take either ``one`` and ``many``, or one sentence for every number."""
        if "one" in data:
            return cls(Text.read(data["one"]), Text.read(data["many"]))
        text = Text.read(data)
        return cls(text, text)

    def of(self, count: int | None) -> Text:
        """Give the sentence that fits ``count``."""
        return self.one if count == 1 else self.many
