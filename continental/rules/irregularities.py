"""Something went wrong at the table: which ruling holds, or which fact still decides (``ask: ruling``).

The table is data (:mod:`continental.rules.decisions`). A fact is asked only while the answer still hangs on it: rows are
tried in order with what is known, and the first unknown fact, in the order of the questions, is the one asked next.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import eq, ge, gt, le, lt
from typing import Any, Final

from continental.rules import rulesets
from continental.rules.citing import cite, concepts
from continental.rules.decisions import KINDS, SHEET, Alternatives, Choice, Fact, FactValue, Kind, Row, Test, kinds
from continental.rules.errors import BadQuestion
from continental.rules.parameters import HandRule, RuleSet
from continental.rules.reading import mapping, one_of, question_keys, read_hand_number, read_players, whole_number, yes_or_no
from continental.rules.texts import Text

BORROWED: Final = Text(
    "This rule set has no text of its own for this: the ruling is borrowed from the house rules.",
    "Este reglamento no tiene texto propio para esto: la decisión se toma de las reglas de la casa.",
)

_HOUSE: Final = "house"
_COMPARE: Final = {"=": eq, "<": lt, ">": gt, "<=": le, ">=": ge}


class Contradiction(BadQuestion):
    """Facts that cannot all be true. ``text`` says why in both languages, ``fact`` names the one to ask again."""

    def __init__(self, text: Text, fact: str) -> None:
        super().__init__(text.en, f"facts.{fact}")
        self.text = text
        self.fact = fact


@dataclass(frozen=True, slots=True)
class Need:
    """The next question: the fact that still decides, and the answers offered for it (none for a count)."""

    kind: str
    fact: Fact
    choices: tuple[Choice, ...]

    def as_answer(self, language: str = "en") -> dict[str, Any]:
        """Give the object of the protocol, with its sentence in ``language``."""
        answer: dict[str, Any] = {
            "need": self.fact.name,
            "question": self.fact.question.say(language),
            "choices": [choice.value for choice in self.choices],
            "type": self.fact.type,
        }
        if self.fact.type == "count":
            answer |= {"least": self.fact.least, "most": self.fact.most}
        return answer


@dataclass(frozen=True, slots=True)
class Ruling:
    """What holds: the row of the rule book, its sentences, what the scorebook can do, and where to look next.

    Attributes:
        path: the row of rulebook section 4, such as ``4.1.c``; the section alone where nothing went wrong.
        ruling: the decision, with parameters of ``values``.
        consequences: what follows, in order.
        effects: objects with ``type`` and the parameters declared in ``effects.toml`` (counts in cards or turns).
        then: a further kind to look at, or ``None``; ``then_facts``: what is already known of it.
        again: facts with which to ask the same kind once more, or ``None``.
        rules: ids of the rules that bear on it.
        borrowed: the rule set is silent and the text is that of the house rules.
    """

    kind: str
    path: str
    ruling: Text
    consequences: tuple[Text, ...]
    effects: tuple[Mapping[str, Any], ...]
    then: str | None
    then_facts: Mapping[str, FactValue]
    again: Mapping[str, FactValue] | None
    rules: tuple[str, ...]
    borrowed: bool
    values: Mapping[str, object] = field(default_factory=dict)

    def as_answer(self, language: str = "en") -> dict[str, Any]:
        """Give the object of the protocol, with its sentences in ``language``."""
        return {
            "path": self.path,
            "ruling": self.ruling.say(language, self.values),
            "consequences": [text.say(language, self.values) for text in self.consequences],
            "effects": [dict(effect) for effect in self.effects],
            "then": self.then,
            "then_facts": dict(self.then_facts),
            "again": None if self.again is None else dict(self.again),
            "rules": list(self.rules),
            "borrowed": self.borrowed,
            "note": BORROWED.say(language) if self.borrowed else None,
        }


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a question of the protocol with ``ask: ruling``.

    Raises:
        BadQuestion: an unknown key, kind or fact, a value of the wrong type, or facts that contradict each other.
    """
    asked = question_keys(question, ("rules", "kind", "facts"))
    rules = rulesets.load(asked["rules"])
    if "players" in asked:
        read_players(asked)
    hand = rules.hand(read_hand_number(asked)) if "hand" in asked else None
    return consider(asked["kind"], asked["facts"], rules, hand).as_answer()


def consider(kind: object, facts: object, rules: RuleSet, hand: HandRule | None = None) -> Need | Ruling:
    """Give the ruling, or the next question as long as a missing fact decides.

    Args:
        kind: the name of a kind (see :func:`continental.rules.decisions.kinds`).
        facts: what is known, by the names of that kind's facts. Facts that do not decide may be there too.
        rules: the rule set of the table; a row may hang on one of its parameters.
        hand: the rule of the hand being played, where it is known.

    Raises:
        BadQuestion: an unknown kind or fact, or a value that fact cannot have.
        Contradiction: the facts cannot all be true.
    """
    table = kinds()[one_of(kind, "kind", KINDS)]
    known = _read_facts(table, facts)
    for clash in table.clashes:
        if _fits(clash.fits, known, rules) is True:
            raise Contradiction(clash.text, clash.at)
    for fact in table.facts:
        if fact.unless and fact.name not in known and SHEET[fact.unless](rules, hand):
            known[fact.name] = False
    return _walk(table, known, rules, hand)


def _walk(table: Kind, known: dict[str, FactValue], rules: RuleSet, hand: HandRule | None) -> Need | Ruling:
    """Try the rows in order; while one before the first that fits is open and would rule otherwise, ask."""
    open_rows: list[Row] = []
    for row in table.rows:
        if row.when and not SHEET[row.when](rules, hand):
            continue
        fits = _fits(row.fits, known, rules)
        if fits is None:
            open_rows.append(row)
        elif fits and all(other.path == row.path for other in open_rows):
            return _rule(table, row, known, rules, hand)
        elif fits:
            break
    missing = {test.fact for row in open_rows for tests in row.fits for test in tests} - set(known)
    fact = next((fact for fact in table.facts if fact.name in missing), None)
    assert fact is not None, f"{table.name}: no row fits {known}"
    offered = tuple(choice for choice in fact.choices if not (choice.unless and SHEET[choice.unless](rules, hand)))
    return Need(table.name, fact, offered)


def _rule(table: Kind, row: Row, known: Mapping[str, FactValue], rules: RuleSet, hand: HandRule | None) -> Ruling:
    count = abs(int(known[row.count])) if row.count else None
    joker = rules.value("JK")
    values = {"count": count, "points": None if count is None else count * rules.missing_card, "joker_points": joker}
    consequences = [item.text.of(count) for item in row.consequences if item.when is None or SHEET[item.when](rules, hand)]
    own = rules.id == _HOUSE or rules.id in concepts()[row.cites]
    return Ruling(
        kind=table.name,
        path=row.path,
        ruling=row.ruling.of(count),
        consequences=tuple(text for text in consequences if joker is not None or "{joker_points}" not in text.en),
        effects=tuple(
            {key: _fill(value, values) for key, value in effect.items() if key != "when"}
            for effect in row.effects
            if "when" not in effect or SHEET[effect["when"]](rules, hand)
        ),
        then=row.then,
        then_facts=_copy_known(row.then_facts, known),
        again=row.again,
        rules=cite(rules.id, row.cites) if own or not row.own_only else (),
        borrowed=not own and not row.own_only,
        values=values,
    )


def _fill(value: Any, values: Mapping[str, object]) -> Any:
    return values[value[1:]] if isinstance(value, str) and value.startswith("$") else value


def _copy_known(facts: Mapping[str, FactValue], known: Mapping[str, FactValue]) -> dict[str, FactValue]:
    """Copy facts for the next kind; ``$name`` stands for a fact of this kind and is left out where that is unknown."""
    copied: dict[str, FactValue] = {}
    for name, value in facts.items():
        if not (isinstance(value, str) and value.startswith("$")):
            copied[name] = value
        elif value[1:] in known:
            copied[name] = known[value[1:]]
    return copied


# Three answers, as facts may be missing: it fits, it does not, or it hangs on what is not known yet (None).


def _fits(alternatives: Alternatives, known: Mapping[str, FactValue], rules: RuleSet) -> bool | None:
    verdicts = [_all_hold(tests, known, rules) for tests in alternatives]
    if True in verdicts:
        return True
    return None if None in verdicts else False


def _all_hold(tests: tuple[Test, ...], known: Mapping[str, FactValue], rules: RuleSet) -> bool | None:
    verdicts = [_holds(test, known, rules) for test in tests]
    if False in verdicts:
        return False
    return None if None in verdicts else True


def _holds(test: Test, known: Mapping[str, FactValue], rules: RuleSet) -> bool | None:
    if test.fact not in known:
        return None
    wanted = getattr(rules, test.parameter) if test.parameter else test.value
    return bool(_COMPARE[test.sign](known[test.fact], wanted))


# Reading what was asked. Every refusal names the fact.


def _read_facts(table: Kind, facts: object) -> dict[str, FactValue]:
    given = mapping(facts, "facts", frozenset(fact.name for fact in table.facts))
    return {fact.name: _read_value(fact, given[fact.name]) for fact in table.facts if fact.name in given}


def _read_value(fact: Fact, value: object) -> FactValue:
    at = f"facts.{fact.name}"
    match fact.type:
        case "bool":
            return yes_or_no(value, at)
        case "count":
            return whole_number(value, at, fact.least, fact.most)
        case "choice":
            return one_of(value, at, [str(choice.value) for choice in fact.choices])
