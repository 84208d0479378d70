"""A verdict of the referee as the check page shows it: every fault with its rule, on its card, and what helps."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from continental.rules.arrangements import arrangements, spell
from continental.rules.cards import Laid
from continental.rules.catalogue import Rule, rules
from continental.rules.errors import BadQuestion
from continental.rules.faults import Fault
from continental.rules.melds import Wanted
from continental.rules.notation import format_cards
from continental.rules.turn_answers import answer_turn
from scoring import check, referee_words
from scoring.check import Asked, Row, Setting

_STILL_BUILDING: Final = frozenset({
    "open.contract", "set.short", "run.short", "pair.short", "wild.all", "wild.ratio", "set.naturals", "final.nothing-left",
    "final.left", "final.left-whole", "final.must-go-out", "turn.no-discard", "out.no-discard", "meld.exact",
})  # fmt: skip
"""Faults that more cards can mend: nothing is wrong yet, there is only not enough."""

_MOST_CHOICES: Final = 64


@dataclass
class Reason:
    """One fault or question: its number on the page, the sentence, and the rule behind it."""

    number: int
    text: str
    rule_id: str
    rule: Rule | None
    code: str


@dataclass
class Choice:
    """One way to answer a question of the referee: the cards as they would lie, the end they go to, or what goes to each end."""

    asked: Asked
    cards: str = ""
    end: str = ""
    low: str = ""
    high: str = ""


@dataclass
class Verdict:
    """What the page says of a turn.

    Attributes:
        kind: ``legal``, ``illegal``, ``unclear`` or ``impossible``; ``building`` where cards are only missing yet, ``empty``
            where nothing is played, ``unread`` where something cannot be read.
        answer: the referee's own answer, in the reader's language.
        lying: the melds laid this turn as they lie, wild cards with what they stand for.
        instead: the question with what would be legal.
    """

    kind: str
    answer: dict[str, Any] = field(default_factory=dict)
    reasons: list[Reason] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    lying: list[str] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    instead: Asked | None = None


def judge(setting: Setting, asked: Asked) -> Verdict:
    """Ask the referee, and mark every fault on the rows of ``asked``."""
    if not asked.readable:
        return Verdict("unread", troubles=asked.troubles)
    if asked.empty:
        return Verdict("empty")
    question, rows = check.turn_question(setting, asked)
    said: list[Fault] = []

    def say(fault: Fault) -> str:
        said.append(fault)
        return referee_words.say(fault)

    try:
        answer = answer_turn(question, say)
    except BadQuestion as error:
        sentence = check.refused(error, setting, asked.table)
        return Verdict("unread", troubles=[sentence] if sentence else [])
    verdict = Verdict(answer["verdict"], answer)
    faults = said[: len(answer["reasons"])]
    verdict.reasons = list(_reasons(answer, faults))
    if verdict.kind == "illegal" and all(reason.code in _STILL_BUILDING for reason in verdict.reasons):
        verdict.kind = "building"
    _mark(asked, answer, rows, verdict.reasons)
    verdict.lying = _lying(answer, setting)
    if answer["instead"] is not None:
        given = answer["instead"]
        verdict.instead = check.with_melds(asked, given["melds"], given["left"], alone=setting.hand_rule.all_cards)
    if verdict.kind == "unclear":
        verdict.choices = list(_choices(setting, asked, answer, rows, faults))
    return verdict


def _reasons(answer: dict[str, Any], faults: Sequence[Fault]) -> Iterator[Reason]:
    known = rules()
    for number, (reason, fault) in enumerate(zip(answer["reasons"], faults, strict=True), start=1):
        yield Reason(number, reason["text"], reason["rule"], known.get(reason["rule"]), fault.code)


def _mark(asked: Asked, answer: dict[str, Any], rows: Sequence[Sequence[Row]], reasons: Sequence[Reason]) -> None:
    """Put the number of each fault on the cards it names, or on the row where it names none."""
    row_cards = [laid for row in asked.rows for laid in row.cards]
    for reason, found in zip(reasons, answer["reasons"], strict=True):
        action = found["action"]
        where = list(asked.rows) if action is None else list(rows[action])
        if action is not None and len(where) > 1 and found["meld"]:
            where = _row_of(found["meld"], where) or where
        # Of cards that the packs do not hold, any copy may be the wrong one.
        everyone = answer["verdict"] == "impossible"
        wanted = Counter({card: len(row_cards) for card in found["cards"]} if everyone else found["cards"])
        marked = False
        for row in where:
            for place, laid in enumerate(row.cards):
                if wanted[laid.card] > 0:
                    wanted[laid.card] -= 1
                    row.marks.setdefault(place, []).append(reason.number)
                    marked = True
        if action is not None and (not marked or len(where) == 1):
            for row in where:
                row.faulty.append(reason.number)


def _row_of(meld: str, laid: list[Row]) -> list[Row]:
    """Find the row of a meld laid in going down: they are named ``m1``, ``m2`` … in the order laid."""
    number = int(meld[1:]) if meld[:1] == "m" and meld[1:].isdecimal() else 0
    return laid[number - 1 : number] if number else []


def _lying(answer: dict[str, Any], setting: Setting) -> list[str]:
    """Give the melds after a legal turn in which a wild card stands for something, so that the table can say it aloud."""
    if answer["verdict"] != "legal":
        return []
    found = []
    for meld in answer["melds"]:
        if not meld["cards"]:
            continue
        cards = meld["cards"].split()
        spoken = [
            Laid(card, value) if card in setting.rules.wild and value not in {card, "JK", ""} else Laid(card)
            for card, value in zip(cards, meld["as"], strict=True)
        ]
        if any(laid.spoken for laid in spoken):
            found.append(format_cards(spoken))
    return found


def _choices(
    setting: Setting, asked: Asked, answer: dict[str, Any], rows: Sequence[Sequence[Row]], faults: Sequence[Fault]
) -> Iterator[Choice]:
    """Give the answers to the first question that settle it."""
    found, fault = answer["reasons"][0], faults[0]
    concerned = list(rows[found["action"]])
    row = (_row_of(found["meld"] or "", concerned) or concerned)[0]
    if fault.code in {"ask.end", "ask.places"}:
        for end in check.ENDS:
            other = check.with_end(asked, row.key, end)
            if _settles(setting, other, fault):
                yield Choice(other, end=end)
        for other, low, high in check.parted(asked, row.key):
            if _settles(setting, other, fault):
                yield Choice(other, low=low, high=high)
        return
    for cards in _readings(setting, row)[:_MOST_CHOICES]:
        other = check.with_row(asked, row.key, cards)
        if _settles(setting, other, fault):
            yield Choice(other, cards=cards)


def _readings(setting: Setting, row: Row) -> list[str]:
    """Give every way in which the cards of a row can lie, as a set and as a run, each written so that it is read so."""
    hand = setting.hand_rule
    silent = tuple(Laid(laid.card) for laid in row.cards)
    wanted = (Wanted("set", setting.rules.min_set), Wanted("run", hand.min_run))
    ways = [format_cards(spell(meld)) for aim in wanted for meld in arrangements(silent, setting.rules, aim)]
    return list(dict.fromkeys(ways))


def _settles(setting: Setting, asked: Asked, fault: Fault) -> bool:
    question, _rows = check.turn_question(setting, asked)
    said: list[Fault] = []

    def note(other: Fault) -> str:
        said.append(other)
        return ""

    try:
        answer = answer_turn(question, note)
    except BadQuestion:
        return False
    return answer["verdict"] == "legal" or (
        answer["verdict"] == "unclear" and all(other.code != fault.code or other.cards != fault.cards for other in said)
    )
