"""Every rule of the rule book by its id: its words in both languages, where it comes from, and where it lives.

The texts are the TOML files in ``rulebook/``, one a chapter. Source rules keep their number in the rule book; rulings
(``R-nn``) answer a question the sources leave open, with the reason. Each rule has a home: the code that decides it, the
page that reminds people of it at the table, or the text about the game.
"""

import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, Literal

from continental.rules.cards import rank_of
from continental.rules.decisions import SHEET
from continental.rules.parameters import RuleSet
from continental.rules.rulesets import preset, preset_data, preset_ids
from continental.rules.texts import Text

Home = Literal["code", "reminder", "about"]
Status = Literal["own", "changed", "borrowed"]

CHAPTERS: Final = (
    "house-table", "house-deal", "house-turn", "house-melds", "house-end", "house-scores", "house-irregularities",
    "continental", "contract", "gather", "shanghai", "may-i", "fifteen", "magnus", "basic", "about",
    "rulings-deal", "rulings-melds", "rulings-play", "rulings-scores", "rulings-others",
)  # fmt: skip

REMINDER_PLACES: Final = ("deal", "table")
"""The pages that remind people of rules no code decides."""

SOURCES: Final[Mapping[str, Text]] = MappingProxyType(
    {
        "000": Text(
            "House Continental, as a group of players wrote it down",
            "Continental de la casa, como lo escribió un grupo de jugadores",
        ),
        "002": Text("Pieces of several rule pages", "Fragmentos de varias páginas de reglas"),
        "003": Text("Two encyclopedia articles", "Dos artículos de enciclopedia"),
        "ruling": Text("Our ruling where the sources are silent", "Nuestra decisión donde las fuentes callan"),
    }
)

_BORROWED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "stock": ("house.stock.",),
        "missing-scores": ("house.nonfinish.", "house.missing."),
        "suspension": ("house.suspend.", "house.resume."),
        "irregularities": (
            "house.oot.", "house.draw.", "house.discard.", "house.hand.", "house.redeal.", "house.illegal.", "house.error.",
        ),
    }
)  # fmt: skip
"""What a rule set borrows by name (``RuleSet.borrowed``), as the beginnings of the ids of the house rules."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the rule book.

    Attributes:
        id: the rule's id, as verdicts cite it.
        number: its number in the rule book; ``None`` for a ruling.
        chapter: the chapter it stands in, one of :data:`CHAPTERS`.
        source: where it was written down, a key of :data:`SOURCES`.
        text: the rule in words; of a ruling, what we decided.
        question: of a ruling, what the sources leave open.
        reason: of a ruling, why.
        software: of a source rule, what the scorebook does about it.
        setting: a league may decide otherwise.
        home: who keeps the rule: ``code``, a ``reminder`` at the table, or the text ``about`` the game.
        where: the module that decides it, or the page that shows it.
        same: the house rules that say the same, of which this is the twin.
        parameters: the parameters of a sheet that overrule it (``points.A``: those of one rank); empty for those whose
            source it is.
        of: of a ruling, the rule sets it was made for; empty for all that meet ``when`` and ``sheet``.
        when: of a ruling, the parameters a sheet must have for the question to come up.
        sheet: of a ruling, a property of :data:`continental.rules.decisions.SHEET` it must have.
    """

    id: str
    number: int | None
    chapter: str
    source: str
    text: Text
    question: Text | None
    reason: Text | None
    software: str
    setting: bool
    home: Home
    where: str
    same: tuple[str, ...]
    parameters: tuple[str, ...]
    of: tuple[str, ...]
    when: Mapping[str, Any]
    sheet: str | None

    @property
    def is_ruling(self) -> bool:
        """Tell whether this is our ruling and no source says it."""
        return self.source == "ruling"


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of the rule book: its title and its rules in order."""

    name: str
    title: Text
    source: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Holding:
    """A rule under a sheet: the rule set's ``own``, ``changed`` by this sheet, or ``borrowed`` from the house rules."""

    rule: Rule
    status: Status


@lru_cache(maxsize=1)
def chapters() -> tuple[Chapter, ...]:
    """Give all chapters in the order of the rule book."""
    return tuple(map(_read_chapter, CHAPTERS))


@lru_cache(maxsize=1)
def rules() -> Mapping[str, Rule]:
    """Give every rule by its id, in the order of the chapters."""
    return MappingProxyType({rule.id: rule for chapter in chapters() for rule in chapter.rules})


@lru_cache(maxsize=512)
def twins(rule_id: str) -> tuple[Rule, ...]:
    """Give the rules of other rule sets that say the same as this one."""
    same = rules()[rule_id].same
    return tuple(rule for rule in rules().values() if rule.id in same or rule_id in rule.same)


def names(rule_set: str) -> tuple[str, ...]:
    """Give what the game of a preset is called elsewhere."""
    return tuple(_search_words()["names"].get(rule_set, ()))


def holding(sheet: RuleSet) -> tuple[Holding, ...]:
    """Give the rules that bear on a game under ``sheet``, in the order of the rule book.

    A sheet made from a preset has that preset's rules; those whose parameters it overrules are marked ``changed``. Where the
    rule set's source is silent, chapters of the house rules are ``borrowed``.
    """
    changed = _changed(sheet)
    prefixes = tuple(prefix for name in sheet.borrowed for prefix in _BORROWED[name])
    found: list[Holding] = []
    for rule in rules().values():
        if rule.is_ruling:
            if _asks(rule, sheet):
                found.append(Holding(rule, "changed" if rule.id in changed else "own"))
        elif rule.id.startswith(f"{sheet.id}."):
            overruled = not changed.isdisjoint(rule.parameters or (rule.id,))
            found.append(Holding(rule, "changed" if overruled else "own"))
        elif prefixes and rule.id.startswith(prefixes):
            found.append(Holding(rule, "borrowed"))
    return tuple(found)


def presets_of(rule: Rule) -> tuple[str, ...]:
    """Give the presets under which a rule holds, its own and those that borrow it."""
    return tuple(name for name in preset_ids() if any(item.rule is rule for item in holding(preset(name))))


def book(sheet: RuleSet) -> tuple[tuple[Chapter, tuple[Holding, ...]], ...]:
    """Give the chapters that have rules under ``sheet``, each with these rules."""
    held = holding(sheet)
    parted = ((chapter, tuple(item for item in held if item.rule.chapter == chapter.name)) for chapter in chapters())
    return tuple((chapter, items) for chapter, items in parted if items)


def reminders(sheet: RuleSet, place: str) -> tuple[Rule, ...]:
    """Give the rules that the page ``place`` (one of :data:`REMINDER_PLACES`) reminds people of under ``sheet``."""
    return tuple(
        item.rule
        for item in holding(sheet)
        if item.rule.home == "reminder" and item.rule.where == place and item.status != "changed"
    )


def search(words: str, language: str = "en", within: Iterable[Rule] | None = None) -> tuple[Rule, ...]:
    """Find the rules that say all of ``words``, in either case, with or without accents.

    A word also finds what other tables call the same thing, and the names of a game find its rules. The id of a rule finds it.

    Args:
        words: what was typed, parted by spaces; at most 200 characters are read.
        language: the language whose texts are searched. Ids and names are always searched.
        within: the rules to search; all of them by default.
    """
    wanted = [_synonyms(word) for word in _plain(words[:200]).split()]
    everywhere = rules().values() if within is None else within
    if not wanted:
        return ()
    return tuple(
        rule for rule in everywhere if _says_all(_haystack(rule.id, "es" if language.startswith("es") else "en"), wanted)
    )


def _says_all(haystack: str, wanted: list[tuple[str, ...]]) -> bool:
    return all(any(f" {word}" in haystack for word in same) for same in wanted)


@lru_cache(maxsize=1024)
def _haystack(rule_id: str, language: str) -> str:
    """Give everything a search looks through, each word after a space, so that words are found from their beginning."""
    rule = rules()[rule_id]
    texts = [text.say(language) for text in (rule.text, rule.question, rule.reason) if text]
    game = rule_id.partition(".")[0]
    return f" {_plain(' '.join((rule_id, *rule_id.split('.'), *names(game), *texts)))} "


@lru_cache(maxsize=1024)
def _synonyms(word: str) -> tuple[str, ...]:
    groups = [[_plain(each) for each in group] for group in _search_words()["synonyms"]]
    found = {each for group in groups if any(each == word for each in group) for each in group}
    return (word, *sorted(found - {word}))


def _plain(text: str) -> str:
    """Fold case and accents and turn punctuation into spaces, keeping the signs within an id."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    kept = (sign if sign.isalnum() or sign in ".-" else " " for sign in folded if not unicodedata.combining(sign))
    return " ".join(word.strip(".") for word in "".join(kept).split())


@lru_cache(maxsize=1)
def _search_words() -> Mapping[str, Any]:
    return tomllib.loads(_DATA.joinpath("search.toml").read_text(encoding="utf-8"))


# --- which rules a sheet has ---------------------------------------------------------------------------------------


def _asks(ruling: Rule, sheet: RuleSet) -> bool:
    """Tell whether the question of a ruling comes up under ``sheet``."""
    if ruling.of:
        return sheet.id in ruling.of
    if ruling.sheet and not SHEET[ruling.sheet](sheet, None):
        return False
    return all(getattr(sheet, name) == (None if value == "none" else value) for name, value in ruling.when.items())


def _changed(sheet: RuleSet) -> frozenset[str]:
    """Give the parameters that ``sheet`` overrules, and the ids of the rules that are their source in the preset."""
    base = preset(sheet.id)
    overruled = {name for name in _PARAMETERS if getattr(base, name) != getattr(sheet, name)}
    sources = preset_data(sheet.id).get("sources", {})
    ranks = {f"points.{rank_of(card)}" for card, points in sheet.card_values.items() if base.card_values[card] != points}
    return frozenset(overruled | ranks | {sources[name].removeprefix("ruling:") for name in overruled if name in sources})


# --- reading -------------------------------------------------------------------------------------------------------

_DATA: Final = files("continental.rules").joinpath("rulebook")
_PARAMETERS: Final = frozenset(RuleSet.__dataclass_fields__)


def _read_chapter(name: str) -> Chapter:
    data = tomllib.loads(_DATA.joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    source = data["source"]
    return Chapter(
        name=name,
        title=Text.read(data["title"]),
        source=source,
        rules=tuple(_read_rule(rule_id, item, name, source) for rule_id, item in data["rules"].items()),
    )


def _read_rule(rule_id: str, data: Mapping[str, Any], chapter: str, source: str) -> Rule:
    return Rule(
        id=rule_id,
        number=data.get("number"),
        chapter=chapter,
        source=source,
        text=Text.read(data.get("ruling", data)),
        question=Text.read(data["question"]) if "question" in data else None,
        reason=Text.read(data["reason"]) if "reason" in data else None,
        software=data.get("software", ""),
        setting=data.get("setting", False),
        home=data["home"],
        where=data.get("where", "about"),
        same=tuple(data.get("same", ())),
        parameters=tuple(data.get("parameters", ())),
        of=tuple(data.get("of", ())),
        when=MappingProxyType(data.get("when", {})),
        sheet=data.get("sheet"),
    )
