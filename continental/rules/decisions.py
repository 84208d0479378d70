"""The decision table of rulebook section 4, read from ``decision_table/``: one file a kind of irregularity.

A kind lists its facts in the order in which they are asked, and its rows in the order in which they are tried. A row
names what the facts must be (``if``; a list of tables means any of them), what the rule set must be like (``when``),
and what then holds. :mod:`continental.rules.irregularities` walks the table.
"""

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, Literal

from continental.rules.parameters import HandRule, RuleSet
from continental.rules.texts import Counted, Text

KINDS: Final = (
    "play-out-of-turn", "illegal-draw", "premature-discard", "double-discard", "incorrect-hand", "misdeal",
    "illegal-meld", "claim", "end-of-hand", "score-error", "suspension",
)  # fmt: skip
"""The kinds in the order of the rule book, which is the order in which they are offered."""

MOST: Final = 99
"""Greatest count that is believed: more cards than this are in nobody's hand."""

FactValue = bool | int | str
FactType = Literal["bool", "count", "choice"]


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a question, with the words on its button. ``unless``: not offered where the sheet is like this."""

    value: FactValue
    label: Text
    unless: str | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """One question of a kind, a count between ``least`` and ``most``. ``unless``: taken as false where the sheet is like this."""

    name: str
    type: FactType
    question: Text
    choices: tuple[Choice, ...]
    least: int
    most: int
    unless: str | None


@dataclass(frozen=True, slots=True)
class Test:
    """What one fact must be: ``=``, ``<``, ``>``, ``<=`` or ``>=`` a value, or a parameter of the rule set."""

    fact: str
    sign: str
    value: FactValue
    parameter: str | None = None


Alternatives = tuple[tuple[Test, ...], ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One path of the table: when it fits, and what then holds.

    Attributes:
        path: the row's number in the rule book; the section alone where no row fits because nothing went wrong.
        cites: the concept in ``cites/`` that says which rule ids bear on it.
        fits: alternatives, each a set of tests that must all hold.
        when: what the rule set must be like, a name in :data:`SHEET`.
        count: the fact whose size is ``{count}`` in the sentences.
        then: the kind to look at next, with the facts already known.
        again: the facts with which the same kind is to be asked again.
        own_only: the rule set's own parameters decide, so nothing is borrowed from the house rules.
    """

    path: str
    cites: str
    fits: Alternatives
    when: str | None
    ruling: Counted
    consequences: tuple["Consequence", ...]
    effects: tuple[Mapping[str, Any], ...]
    count: str | None
    then: str | None
    then_facts: Mapping[str, FactValue] = field(default_factory=dict)
    again: Mapping[str, FactValue] | None = None
    own_only: bool = False


@dataclass(frozen=True, slots=True)
class Consequence:
    """One sentence on what follows, said only where the sheet is like ``when``."""

    text: Counted
    when: str | None


@dataclass(frozen=True, slots=True)
class Clash:
    """Facts that cannot all be true: which fact is to be asked again, and why."""

    fits: Alternatives
    at: str
    text: Text


@dataclass(frozen=True, slots=True)
class Situation:
    """What happened, in plain words, and the facts that this settles at once: one tap in place of several questions."""

    label: Text
    facts: Mapping[str, FactValue]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of irregularity: its title in plain words, its questions in order, its rows in order.

    ``situations`` are the common ways in for a page that asks; whoever chooses one starts from its facts.
    """

    name: str
    section: str
    title: Text
    about: Text
    situations: tuple[Situation, ...]
    facts: tuple[Fact, ...]
    clashes: tuple[Clash, ...]
    rows: tuple[Row, ...]

    def fact(self, name: str) -> Fact:
        """Give the fact of that name."""
        return next(fact for fact in self.facts if fact.name == name)


@dataclass(frozen=True, slots=True)
class EffectType:
    """Something the scorebook can record. ``offered``: some ruling of the rule book asks for it."""

    name: str
    title: Text
    parameters: tuple[str, ...]
    offered: bool


def _claim_limits(rules: RuleSet, hand: HandRule | None) -> list[int | None]:
    """Give the claim limits that may hold; of hands yet to be entered, what the source says of single ones."""
    if hand is not None:
        return [hand.claims]
    single = [each["claims"] for _, each in rules.hand_defaults if "claims" in each]
    return [each.claims for each in rules.hands] or [rules.claims, *single]


def _penalties(rules: RuleSet, hand: HandRule | None) -> list[int]:
    if hand is not None:
        return [hand.penalty]
    single = [each["penalty"] for _, each in rules.hand_defaults if "penalty" in each]
    return [each.penalty for each in rules.hands] or [rules.claim_penalty, *single]


def _wants_discard(rules: RuleSet, hand: HandRule | None) -> bool:
    if hand is None and not rules.hands:
        return rules.discard_to_go_out and not rules.play_last_two
    return any(rules.needs_discard(each) and not each.no_discard for each in ((hand,) if hand else rules.hands))


def _uses_every_card(hand: HandRule) -> bool:
    """Tell whether going down in this hand plays every card, or every card but the discard."""
    return hand.all_cards or hand.no_discard or hand.must_go_out


SHEET: Final[Mapping[str, Callable[[RuleSet, HandRule | None], bool]]] = MappingProxyType(
    {
        "twice-around": lambda rules, hand: rules.twice_around and not (hand is not None and hand.ends_game),
        "no-twice-around": lambda rules, hand: not rules.twice_around,
        "no-swaps": lambda rules, hand: not (rules.swap_run or rules.swap_set),
        "claims-unlimited": lambda rules, hand: all(limit is None for limit in _claim_limits(rules, hand)),
        "no-claims": lambda rules, hand: all(limit == 0 for limit in _claim_limits(rules, hand)),
        "claims": lambda rules, hand: any(limit != 0 for limit in _claim_limits(rules, hand)),
        "no-penalty": lambda rules, hand: not any(_penalties(rules, hand)),
        "live-pile": lambda rules, hand: not rules.claims_dead_pile,
        "dead-pile": lambda rules, hand: rules.claims_dead_pile,
        "current-buys": lambda rules, hand: rules.claim_priority == "current-then-nearest",
        "first-caller": lambda rules, hand: rules.claim_priority == "first-caller",
        "discarder-may-claim": lambda rules, hand: rules.claim_discarder,
        "discard-to-go-out": _wants_discard,
        "whole-hand-final": lambda rules, hand: any(map(_uses_every_card, (hand,) if hand else rules.hands)),
        "discard-of-whole-hand": lambda rules, hand: any(
            each.all_cards and not each.no_discard for each in ((hand,) if hand else rules.hands)
        ),
        "no-playable-discard": lambda rules, hand: rules.discard == "not-playable" and _wants_discard(rules, hand),
        "wild-cards": lambda rules, hand: bool(rules.wild),
        "no-whole-hand-final": lambda rules, hand: not any(map(_uses_every_card, rules.hands)),
    }
)
"""What a row may ask about a rule set, and about the hand where the question names one."""

_DATA: Final = files("continental.rules")


@lru_cache(maxsize=1)
def kinds() -> Mapping[str, Kind]:
    """Give every kind by its name, in the order of the rule book."""
    return MappingProxyType({name: _read_kind(name) for name in KINDS})


@lru_cache(maxsize=1)
def effect_types() -> Mapping[str, EffectType]:
    """Give every effect a ruling, or a table of its own accord, can have on the scorebook."""
    data = tomllib.loads(_DATA.joinpath("effects.toml").read_text(encoding="utf-8"))
    return MappingProxyType(
        {
            name: EffectType(name, Text.read(item["title"]), tuple(item["parameters"]), item.get("offered", True))
            for name, item in data.items()
        }
    )


def _read_kind(name: str) -> Kind:
    data = tomllib.loads(_DATA.joinpath("decision_table", f"{name}.toml").read_text(encoding="utf-8"))
    return Kind(
        name=name,
        section=data["section"],
        title=Text.read(data["title"]),
        about=Text.read(data["about"]),
        situations=tuple(Situation(Text.read(item), item["facts"]) for item in data.get("situations", ())),
        facts=tuple(map(_read_fact, data["facts"])),
        clashes=tuple(
            Clash(_read_alternatives(item["if"]), item["at"], Text.read(item["text"])) for item in data.get("contradictions", ())
        ),
        rows=tuple(map(_read_row, data["rows"])),
    )


_YES_OR_NO: Final = (Choice(True, Text("Yes", "Sí")), Choice(False, Text("No", "No")))


def _read_fact(data: Mapping[str, Any]) -> Fact:
    return Fact(
        name=data["name"],
        type=data["type"],
        question=Text.read(data["question"]),
        choices=_YES_OR_NO if data["type"] == "bool" else tuple(map(_read_choice, data.get("choices", ()))),
        least=data.get("least", 0),
        most=data.get("most", MOST),
        unless=data.get("unless"),
    )


def _read_choice(data: Mapping[str, Any]) -> Choice:
    return Choice(data["value"], Text.read(data), data.get("unless"))


def _read_row(data: Mapping[str, Any]) -> Row:
    return Row(
        path=data["path"],
        cites=data.get("cites", data["path"]),
        fits=_read_alternatives(data["if"]),
        when=data.get("when"),
        ruling=Counted.read(data["ruling"]),
        consequences=tuple(Consequence(Counted.read(item), item.get("when")) for item in data.get("consequences", ())),
        effects=tuple(data.get("effects", ())),
        count=data.get("count"),
        then=data.get("then"),
        then_facts=data.get("then_facts", {}),
        again=data.get("again"),
        own_only=data.get("own_only", False),
    )


def _read_alternatives(data: Any) -> Alternatives:
    tables = data if isinstance(data, list) else [data]
    return tuple(tuple(_read_test(fact, wanted) for fact, wanted in table.items()) for table in tables)


_SIGNS: Final = frozenset({"=", "<", ">", "<=", ">="})


def _read_test(fact: str, wanted: FactValue) -> Test:
    """Read ``true``, ``"stock"``, ``"> 1"`` or ``"<= stock_turnovers"``."""
    if isinstance(wanted, str):
        sign, space, right = wanted.partition(" ")
        if space and sign in _SIGNS:
            if right.removeprefix("-").isdigit():
                return Test(fact, sign, int(right))
            return Test(fact, sign, 0, parameter=right)
    return Test(fact, "=", wanted)
