"""“Something went wrong”: the way through the decision table as one sees it, kept whole in the address of the page.

Every answer is a link, so the page works without scripts, goes back by the browser's own button and can be sent to somebody
else. What the scorebook knows is taken from it and shown as such; an answer given by a person goes before it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlencode

from continental.rules import catalogue, rulesets
from continental.rules.decisions import KINDS, SHEET, Choice, Fact, FactValue, Kind, kinds
from continental.rules.irregularities import Contradiction, Need, Ruling, consider
from continental.rules.parameters import HandRule, RuleSet

PREFIX: Final = "f."
_KEPT: Final = ("rules", "hand", "seat", "evidence", "photo", "came")
"""What goes along from page to page beside the kind and its facts."""


@dataclass(frozen=True)
class Option:
    """One answer and the address it leads to."""

    label: str
    query: str
    chosen: bool = False


@dataclass(frozen=True)
class Known:
    """A fact that is settled: its question, the answer in words, where it came from, and the way to answer otherwise."""

    name: str
    question: str
    answer: str
    from_table: bool
    change: str


@dataclass(frozen=True)
class Question:
    """What is asked next: answers to tap, or a number to give between ``least`` and ``most``."""

    name: str
    words: str
    options: tuple[Option, ...]
    least: int = 0
    most: int = 0
    value: int | None = None


@dataclass(frozen=True)
class RuleText:
    """A rule with its words in place."""

    id: str
    words: str
    question: str = ""
    reason: str = ""


@dataclass
class Step:
    """One page of the wizard.

    Exactly one of ``kinds``, ``situations``, ``question`` and ``ruling`` is there.

    Attributes:
        hidden: what a form on the page must carry along, as pairs of a query.
        clash: why the last answers cannot all be true, where they cannot.
    """

    kind: Kind | None
    facts: dict[str, FactValue] = field(default_factory=dict)
    kinds: list[tuple[str, str, str]] = field(default_factory=list)
    situations: list[Option] = field(default_factory=list)
    question: Question | None = None
    ruling: Ruling | None = None
    known: list[Known] = field(default_factory=list)
    hidden: list[tuple[str, str]] = field(default_factory=list)
    clash: str = ""
    rules: list[RuleText] = field(default_factory=list)
    then: Option | None = None
    again: Option | None = None


def rules_of(name: str) -> RuleSet:
    """Give the preset that a page without a game asks about: the house rules unless another one is named."""
    return rulesets.preset(name if name in rulesets.preset_ids() else "house")


def read_fact(fact: Fact, text: str) -> FactValue | None:
    """Read a fact as an address holds it; ``None`` where it says nothing the fact can be."""
    match fact.type:
        case "bool":
            return {"yes": True, "no": False}.get(text)
        case "count":
            sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
            if not (digits.isascii() and digits.isdecimal() and len(digits) < 4):
                return None
            number = sign * int(digits)
            return number if fact.least <= number <= fact.most else None
    return text if text in {choice.value for choice in fact.choices} else None


def write_fact(value: FactValue) -> str:
    """Write a fact for an address; ``read_fact`` reads it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def step(
    query: Mapping[str, str],
    rules: RuleSet,
    hand: HandRule | None = None,
    *,
    table: Mapping[str, Mapping[str, FactValue]] | None = None,
    language: str = "en",
) -> Step:
    """Give the page that an address asks for.

    Args:
        query: the address: ``kind``, the facts with their prefix, ``ask`` for the fact to be asked again, and what is kept.
        table: by kind, facts that the scorebook knows.
        language: of the sentences.
    """
    kept = [(name, query[name]) for name in _KEPT if query.get(name)]
    if query.get("kind") not in KINDS:
        return _kinds(kept, language)
    kind = kinds()[query["kind"]]
    own = {
        fact.name: value
        for fact in kind.facts
        if (value := read_fact(fact, query.get(PREFIX + fact.name, ""))) is not None and fact.name != query.get("ask")
    }
    way = _Way(kind, own, kept, language)
    from_table = {
        name: value
        for name, value in (table or {}).get(kind.name, {}).items()
        if name not in own and name != query.get("ask") and query.get("plain") != name
    }
    if not own and kind.situations and "go" not in query and "ask" not in query and query.get("skip") is None:
        return Step(kind, situations=way.situations(from_table), hidden=way.hidden())
    return _ask(way, {**from_table, **own}, set(from_table), rules, hand, query.get("ask", ""))


def _kinds(kept: list[tuple[str, str]], language: str) -> Step:
    listed = [
        (kind.title.say(language), kind.about.say(language), urlencode([("kind", kind.name), *kept])) for kind in kinds().values()
    ]
    return Step(None, kinds=listed, hidden=kept)


@dataclass(frozen=True)
class _Way:
    """The answers given so far, and the addresses of those that may follow."""

    kind: Kind
    own: Mapping[str, FactValue]
    kept: list[tuple[str, str]]
    language: str

    def query(self, facts: Mapping[str, FactValue], *more: tuple[str, str]) -> str:
        return urlencode([*self.pairs(facts), *more])

    def pairs(self, facts: Mapping[str, FactValue]) -> list[tuple[str, str]]:
        return [
            ("kind", self.kind.name),
            *((PREFIX + name, write_fact(value)) for name, value in facts.items()),
            *self.kept,
            ("go", "1"),
        ]

    def hidden(self) -> list[tuple[str, str]]:
        return self.pairs(self.own)

    def situations(self, table: Mapping[str, FactValue]) -> list[Option]:
        """Offer the common ways in that what the scorebook knows leaves open."""
        fitting = [
            item for item in self.kind.situations if all(table.get(key, value) == value for key, value in item.facts.items())
        ]
        options = [Option(item.label.say(self.language), self.query(item.facts)) for item in fitting or self.kind.situations]
        return [*options, Option("", self.query({}))]

    def known(self, facts: Mapping[str, FactValue], from_table: set[str]) -> list[Known]:
        return [
            Known(
                name,
                self.kind.fact(name).question.say(self.language),
                self.answer(self.kind.fact(name), value),
                name in from_table,
                self.query({key: own for key, own in self.own.items() if key != name}, ("ask", name)),
            )
            for name, value in facts.items()
        ]

    def answer(self, fact: Fact, value: FactValue) -> str:
        if fact.type == "count":
            return str(value)
        return next(choice.label.say(self.language) for choice in fact.choices if choice.value == value)

    def question(self, fact: Fact, choices: Iterable[Choice], value: FactValue | None = None) -> Question:
        own = {key: known for key, known in self.own.items() if key != fact.name}
        options = tuple(
            Option(
                choice.label.say(self.language),
                self.query({**own, fact.name: choice.value}),
                chosen=choice.value == value and value is not None,
            )
            for choice in choices
        )
        number = value if isinstance(value, int) and not isinstance(value, bool) else None
        return Question(fact.name, fact.question.say(self.language), options, fact.least, fact.most, number)


def _ask(way: _Way, facts: dict[str, FactValue], from_table: set[str], rules: RuleSet, hand: HandRule | None, ask: str) -> Step:
    """Ask what decides next, ask once more what contradicts itself, or give the ruling."""
    kind, language = way.kind, way.language
    shown = Step(kind, facts, hidden=way.hidden())
    try:
        found = consider(kind.name, facts, rules, hand)
    except Contradiction as clash:
        # The scorebook's word goes, before a person's: it may not have heard everything yet.
        shown.clash = clash.text.say(language)
        fact = kind.fact(clash.fact)
        facts = {name: value for name, value in facts.items() if name != fact.name}
        shown.question = way.question(fact, _offered(fact, rules, hand))
        shown.known = way.known(facts, from_table)
        shown.hidden = [pair for pair in way.hidden() if pair[0] != PREFIX + fact.name]
        return shown
    shown.known = way.known(facts, from_table)
    asked = next((fact for fact in kind.facts if fact.name == ask), None)
    if asked is not None:
        shown.question = way.question(asked, _offered(asked, rules, hand))
        return shown
    if isinstance(found, Need):
        shown.question = way.question(found.fact, found.choices)
        return shown
    shown.ruling = found
    shown.rules = rule_texts(found.rules, language)
    came = [("came", found.path)]
    kept = [pair for pair in way.kept if pair[0] != "came"]
    if found.then is not None:
        follows = kinds()[found.then]
        label = follows.title.say(language)
        shown.then = Option(label, _Way(follows, {}, [*kept, *came], language).query(found.then_facts))
    if found.again is not None:
        shown.again = Option(kind.title.say(language), _Way(kind, {}, [*kept, *came], language).query({**facts, **found.again}))
    return shown


def _offered(fact: Fact, rules: RuleSet, hand: HandRule | None) -> tuple[Choice, ...]:
    return tuple(choice for choice in fact.choices if not (choice.unless and SHEET[choice.unless](rules, hand)))


def rule_texts(ids: Iterable[str], language: str) -> list[RuleText]:
    """Give rules with their words, as far as the rule book has them."""
    book = catalogue.rules()
    return [
        RuleText(
            name,
            rule.text.say(language),
            rule.question.say(language) if rule.question else "",
            rule.reason.say(language) if rule.reason else "",
        )
        for name in ids
        if (rule := book.get(name)) is not None
    ]
