"""What a league decided before: rulings found by the question they answer, or by words."""

from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import get_language

from continental.rules.decisions import KINDS, kinds
from continental.rules.irregularities import Ruling as Found
from continental.rules.irregularities import consider
from continental.rules.parameters import RuleSet
from players.models import League
from scoring.models import Ruling
from scoring.record_rulings import plain

MOST_SHOWN = 100


@dataclass(frozen=True)
class Precedent:
    """A ruling in words: what happened, what was decided, and, where the table went its own way, what the rule book says."""

    row: Ruling
    title: str
    facts: tuple[tuple[str, str], ...]
    decision: str
    by_the_book: str


def on_question(league: League, kind: str, path: str, most: int = 3) -> list[Precedent]:
    """Give what the league decided when the same question came up, the newest first: one query."""
    return [in_words(row, row.game.sheet.rules) for row in _rows(league).filter(kind=kind, path=path)[:most]]


def search(league: League, words: str = "", kind: str = "") -> list[Precedent]:
    """Give the league's rulings that have all the words in them, the newest first: one query."""
    rows = _rows(league)
    if kind in KINDS:
        rows = rows.filter(kind=kind)
    for word in plain(words).split()[:8]:
        rows = rows.filter(search__contains=word)
    return [in_words(row, row.game.sheet.rules) for row in rows[:MOST_SHOWN]]


def _rows(league: League) -> QuerySet[Ruling]:
    return Ruling.objects.filter(league=league).select_related("game__sheet")


def in_words(row: Ruling, rules: RuleSet) -> Precedent:
    """Say what was decided, under the rules of its game."""
    language = get_language() or "en"
    kind = kinds()[row.kind]
    found = consider(row.kind, row.known_facts, rules)
    book = found.ruling.say(language, found.values) if isinstance(found, Found) else ""
    facts = []
    for name, value in row.known_facts.items():
        fact = kind.fact(name)
        answer = next((choice.label.say(language) for choice in fact.choices if choice.value == value), str(value))
        facts.append((fact.question.say(language), answer))
    return Precedent(row, kind.title.say(language), tuple(facts), row.words if row.own else book, book if row.own else "")
