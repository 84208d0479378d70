"""The form of a rule sheet, made from the declared parameters: from rules to fields, and from what was typed to overrides.

Whatever was typed is kept and shown again. A value that cannot be, or that contradicts another, is refused at its field with
the reason the rules give.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.utils.translation import gettext as _

from continental.rules import rulesets, sheets
from continental.rules.cards import JOKER
from continental.rules.errors import BadQuestion
from continental.rules.reading import whole_number
from continental.rules.rulesets import MOST_HANDS, RuleSet
from players.names import MAX_NAME, clean_name
from scoring import sheet_words
from scoring.reasons import say

RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "JK")
_HAND_NUMBERS: Final = ("claims", "penalty", "min_run")
_HAND_FLAGS: Final = ("all_cards", "must_go_out", "no_discard", "discard_to_go_out", "ends_game", "exact_sets", "exact_runs")
_WHOLE: Final = {"penalty": "claim_penalty"}
_NO_LIMIT: Final = "∞"
_JOKERS: Final = frozenset({"jk", "★", "joker", "jokers", "comodín", "comodin", "comodines"})
"""What people type for the joker, in either language."""


@dataclass
class Field:
    """One parameter on the form.

    Attributes:
        kind: how it is typed: ``number``, ``yes/no``, ``choice``, ``count``, ``text``, ``points``, ``hands``.
        value: what stands in the field, as text; ``more`` beside it, for a count's number and points by colour.
        options: value and label, of a choice.
        optional: it may be left empty, for no limit.
        rule: the id behind the preset's value, where there is one.
        standard: the preset's own value in words, where the field differs from it.
        trouble: why it was refused; ``at`` names what was typed wrong, where the field is typed in several places.
        lost: the preset's source has lost it, so that it must be filled in.
    """

    name: str
    kind: str
    label: str
    about: str
    changes: str
    value: str = ""
    more: str = ""
    options: list[tuple[str, str]] = field(default_factory=list)
    optional: bool = False
    source: str = ""
    rule: str = ""
    standard: str = ""
    trouble: str = ""
    at: str = ""
    lost: bool = False


@dataclass
class Fold:
    """A group of parameters that a newcomer can leave alone."""

    group: sheet_words.Group
    fields: list[Field]

    @property
    def unlike(self) -> int:
        """How many of them differ from the preset."""
        return sum(bool(item.standard) for item in self.fields)

    @property
    def open(self) -> bool:
        """Whether something in it must be looked at."""
        return any(item.trouble or item.lost for item in self.fields)


@dataclass
class HandFields:
    """One hand on the form.

    Attributes:
        trouble: why it was refused; ``at`` names the field, such as ``contract``.
    """

    index: int
    contract: str = ""
    deal: str = ""
    numbers: list[tuple[str, str, str]] = field(default_factory=list)
    flags: list[tuple[str, str, str]] = field(default_factory=list)
    trouble: str = ""
    at: str = ""

    @property
    def number(self) -> int:
        return self.index + 1

    @property
    def particular(self) -> str:
        """What is different in this hand from the game as a whole, in words; empty where nothing is."""
        flags = [(label, {"yes": _("yes"), "no": _("no")}.get(value, value)) for _key, label, value in self.flags if value]
        numbers = [(label, value) for _key, label, value in self.numbers if value]
        return " · ".join(f"{label}: {value}" for label, value in [*numbers, *flags])


@dataclass
class SheetForm:
    """The form as it stands."""

    base: str
    name: str = ""
    screens: list[tuple[sheet_words.Screen, list[Field]]] = field(default_factory=list)
    folds: list[Fold] = field(default_factory=list)
    hands: list[HandFields] = field(default_factory=list)
    ranks: list[tuple[str, str, str]] = field(default_factory=list)
    trouble: str = ""
    name_trouble: str = ""
    overrides: dict[str, Any] | None = None

    @property
    def preset(self) -> RuleSet:
        return rulesets.preset(self.base)

    @property
    def fields(self) -> dict[str, Field]:
        """Every field by the name of its parameter."""
        shown = [fields for _screen, fields in self.screens] + [fold.fields for fold in self.folds]
        return {item.name: item for fields in shown for item in fields}

    @property
    def particular(self) -> list[HandFields]:
        """The hands that are played otherwise than the rest of the game."""
        return [hand for hand in self.hands if hand.particular]

    @property
    def particular_numbers(self) -> str:
        """Their numbers, as a list to read."""
        return ", ".join(str(hand.number) for hand in self.particular)

    @property
    def particular_trouble(self) -> bool:
        """Whether what was refused is in the particulars of a hand."""
        return any(hand.trouble and hand.at not in {"", "contract", "deal"} for hand in self.hands)

    @property
    def ok(self) -> bool:
        return self.overrides is not None and not self.name_trouble


# ---------------------------------------------------------------------------------------------------------------------
# From rules to what stands in the fields


def typed_of(rules: RuleSet, name: str) -> dict[str, str]:
    """Give what the form would hold for these rules: field by field, as text."""
    plain = {item.name: item.value for item in sheets.parameters(rules)}
    typed = {"name": name, "hands": str(len(rules.hands))}
    for parameter in _OFFERED:
        typed |= _typed(parameter, plain[parameter])
    for rank in RANKS:
        typed[f"points-{rank}"] = _number_text(rules.points.get(rank))
    typed["points-more"] = "\n".join(f"{key} = {value}" for key, value in rules.points.items() if key not in RANKS)
    for index, hand in enumerate(plain["hands"]):
        typed[f"hand-{index}-contract"] = hand["contract"] or ""
        typed[f"hand-{index}-deal"] = _number_text(hand["deal"])
        for key in _HAND_NUMBERS:
            whole = plain[_WHOLE.get(key, key)]
            typed[f"hand-{index}-{key}"] = "" if hand[key] == whole else _NO_LIMIT if hand[key] is None else str(hand[key])
        for key in _HAND_FLAGS:
            same = hand[key] == plain[key] or (key == "discard_to_go_out" and hand["no_discard"])
            typed[f"hand-{index}-{key}"] = "" if same else "yes" if hand[key] else "no"
    return typed


def _typed(name: str, value: Any) -> dict[str, str]:
    match value:
        case True | False:
            return {name: "yes" if value else "no"}
        case None:
            return {name: ""}
        case int() | str():
            if name in _COUNTS:
                return {name: "fixed", f"{name}-number": str(value)}
            return {name: str(value)}
        case dict() if name in _COUNTS:
            ((kind, inner),) = value.items()
            return {name: kind, f"{name}-number": _table_text(inner) if isinstance(inner, dict) else str(inner)}
        case dict() if name == "deal_by_players":
            return {name: _table_text(value)}
        case list() if name == "wild":
            return {name: ", ".join(_("joker") if pattern == JOKER else pattern for pattern in value)}
        case list():
            return {name: ", ".join(map(str, value))}
    return {}


def _number_text(value: int | None) -> str:
    return "" if value is None else str(value)


def _table_text(table: Mapping[str, int]) -> str:
    return ", ".join(f"{key}: {number}" for key, number in table.items())


_COUNTS: Final = frozenset({"decks", "jokers"})
_SPECIAL: Final = frozenset({"hands", "points"})
_OFFERED: Final = tuple(name for group in sheet_words.GROUPS for name in group.names if name not in _SPECIAL)


# ---------------------------------------------------------------------------------------------------------------------
# From what was typed to overrides


def read(base: str, typed: Mapping[str, str]) -> SheetForm:
    """Read a form.

    Returns:
        The form with everything that was typed. Its ``overrides`` are what differs from the preset, or ``None`` where
        something was refused; then the reason stands at the field.
    """
    troubles: dict[str, str] = {}
    wanted: dict[str, Any] = {}
    hands_trouble = _hands_trouble(typed)
    if hands_trouble:
        troubles["hands"] = hands_trouble
    name = clean_name(typed.get("name", ""))
    if not name or len(name) > MAX_NAME:
        troubles["name"] = _("Give the sheet a name of at most %(count)s letters.") % {"count": MAX_NAME}
    for parameter in sheets.parameters(rulesets.preset(base)):
        try:
            if parameter.name in _OFFERED and parameter.name in typed:
                wanted[parameter.name] = _read(parameter, typed)
            elif parameter.name == "points":
                wanted["points"] = _read_points(typed)
        except BadQuestion as error:
            troubles[_input_of(error.at)] = say(error)
    hands = _read_hands(typed, troubles)
    overrides = None
    if not troubles.keys() - {"name"}:
        try:
            overrides = _least(base, wanted, hands)
        except BadQuestion as error:
            troubles[_input_of(error.at)] = say(error)
    form = _form(base, typed, troubles)
    if not troubles and overrides is not None:
        form.name = name
        form.overrides = {**overrides, "name": name}
    return form


def _read(parameter: sheets.Parameter, typed: Mapping[str, str]) -> Any:
    name, text = parameter.name, typed[parameter.name].strip()
    at = f"rules.{name}"
    if name in _COUNTS:
        return _read_count(text, typed.get(f"{name}-number", "").strip(), at)
    if name == "wild":
        patterns = (" ".join(item.split()) for item in re.split(r"[,;\n]", text))
        return [JOKER if pattern.casefold() in _JOKERS else pattern for pattern in patterns if pattern]
    if name == "deal_by_players":
        return _read_table(text, at) if text else {}
    if name in {"kitty_split", "payouts"}:
        return [_number(item, at) for item in re.split(r"[\s,;]+", text) if item]
    match parameter.unit:
        case "choice":
            return text
        case "yes/no":
            return _yes_or_no(text)
    return _number(text, at) if text else None


def _yes_or_no(text: str) -> bool | str:
    """Read a yes or a no; anything else is left as it is, for the rules to refuse."""
    return {"yes": True, "no": False}.get(text, text)


def _read_count(kind: str, number: str, at: str) -> Any:
    match kind:
        case "fixed":
            return _number(number, at)
        case "players_less":
            return {"players_less": 1}
        case "by_players":
            return {"by_players": _read_table(number, at)}
        case "half_of_players" | "per_deck":
            return {kind: _number(number, at)}
    raise BadQuestion("choose what the number hangs on", at)


def _read_table(text: str, at: str) -> dict[str, int]:
    """Read ``4: 2, 8: 3``: up to four players two, up to eight three."""
    table = {}
    for item in re.split(r"[,;\n]", text):
        players, colon, number = item.partition(":")
        if not colon or not players.strip().isascii() or not players.strip().isdecimal():
            raise BadQuestion("write the table like “4: 2, 8: 3”: up to 4 players 2, up to 8 players 3", at)
        table[players.strip()] = _number(number, at)
    return table


def _number(text: str, at: str) -> int:
    plain = text.strip().replace("\u2212", "-")
    if not re.fullmatch(r"[+-]?[0-9]{1,7}", plain, re.ASCII):
        raise BadQuestion(f"“{text.strip()[:40]}” is not a whole number", at)
    return int(plain)


def _read_points(typed: Mapping[str, str]) -> dict[str, int | None]:
    points: dict[str, int | None] = {}
    for rank in RANKS:
        text = typed.get(f"points-{rank}", "").strip()
        if text:
            points[rank] = _number(text, f"rules.points.{rank}")
    for line in typed.get("points-more", "").splitlines():
        if line.strip():
            key, equals, number = line.partition("=")
            if not equals:
                raise BadQuestion(f"write “{line.strip()[:40]}” like “A red = 1”", "rules.points.more")
            points[" ".join(key.split())] = _number(number, "rules.points.more")
    return points


def _read_hands(typed: Mapping[str, str], troubles: dict[str, str]) -> list[dict[str, Any]]:
    hands: list[dict[str, Any]] = []
    for index in range(hand_count(typed)):
        try:
            hands.append(_read_hand(typed, index))
        except BadQuestion as error:
            troubles[_input_of(error.at)] = say(error)
    return hands


def hand_count(typed: Mapping[str, str]) -> int:
    """Give the number of hands that the form shows: as many as were asked for, or, where that is no such number, as were sent."""
    if not _hands_trouble(typed):
        return _number(typed.get("hands", ""), "rules.hands")
    return next((count for count in range(MOST_HANDS, 0, -1) if f"hand-{count - 1}-contract" in typed), 0)


def _hands_trouble(typed: Mapping[str, str]) -> str:
    """Say why the number of hands is none; empty where it is one."""
    try:
        whole_number(_number(typed.get("hands", ""), "rules.hands"), "rules.hands", 0, MOST_HANDS)
    except BadQuestion as error:
        return say(error)
    return ""


def _read_hand(typed: Mapping[str, str], index: int) -> dict[str, Any]:
    at = f"rules.hands[{index}]"
    hand: dict[str, Any] = {}
    contract, deal = (typed.get(f"hand-{index}-{key}", "").strip() for key in ("contract", "deal"))
    if contract:
        hand["contract"] = contract
    if deal:
        hand["deal"] = _number(deal, f"{at}.deal")
    for key in _HAND_NUMBERS:
        text = typed.get(f"hand-{index}-{key}", "").strip()
        if text:
            hand[key] = None if text == _NO_LIMIT and key == "claims" else _number(text, f"{at}.{key}")
    for key in _HAND_FLAGS:
        text = typed.get(f"hand-{index}-{key}", "")
        if text:
            hand[key] = _yes_or_no(text)
    return hand


def _least(base: str, wanted: Mapping[str, Any], hands: list[dict[str, Any]]) -> dict[str, Any]:
    """Give what differs from the preset; what says the same in other words is left out."""
    preset = rulesets.preset(base)
    standard = {item.name: item.value for item in sheets.parameters(preset)}
    unlike = {name: value for name, value in wanted.items() if value != standard[name]}
    rules = rulesets.load({"base": base, **unlike, "hands": hands})
    meant = {item.name: item.value for item in sheets.parameters(rules)}
    overrides = {name: unlike[name] for name in unlike if meant[name] != standard[name]}
    if rules.card_values == preset.card_values:
        overrides.pop("points", None)
    if meant["hands"] != standard["hands"]:
        overrides["hands"] = hands
    assert rulesets.load({"base": base, **overrides}).hands == rules.hands
    return overrides


def _input_of(at: str) -> str:
    """Name the input for the place that the rules name: ``rules.hands[3].contract`` is ``hand-3-contract``."""
    hand = re.match(r"rules\.hands\[(\d+)\](?:\.(\w+))?", at)
    if hand:
        return f"hand-{hand[1]}-{hand[2] or 'contract'}"
    name, _dot, key = at.removeprefix("rules.").partition(".")
    if name == "points":
        return f"points-{key if key in RANKS else 'more'}"
    return name.partition("[")[0]


# ---------------------------------------------------------------------------------------------------------------------
# The form itself


def start(base: str, rules: RuleSet, name: str) -> SheetForm:
    """Give a form that starts from a preset, or from a sheet made of one."""
    return _form(base, typed_of(rules, name), {})


def add_hands(base: str, typed: Mapping[str, str], step: int) -> SheetForm:
    """Give the form with as many hands as it says, and ``step`` more (or less) at its end; everything typed stays.

    Where it says no number, the form has the hands that it had, and the reason stands at the field.
    """
    trouble = _hands_trouble(typed)
    if trouble:
        return _form(base, typed, {"hands": trouble})
    count = max(0, min(MOST_HANDS, hand_count(typed) + step))
    return _form(base, {**typed, "hands": str(count)}, {})


def _form(base: str, typed: Mapping[str, str], troubles: Mapping[str, str]) -> SheetForm:
    known = {item.name: item for item in sheets.parameters(rulesets.preset(base))}
    standard = typed_of(rulesets.preset(base), "")
    fields = {name: _field(base, known[name], typed, standard, troubles) for group in sheet_words.GROUPS for name in group.names}
    at_once = {name for screen in sheet_words.SCREENS for name in screen.names}
    folded = [(group, [fields[name] for name in group.names if name not in at_once]) for group in sheet_words.GROUPS]
    return SheetForm(
        base,
        name=typed.get("name", ""),
        screens=[(screen, [fields[name] for name in screen.names]) for screen in sheet_words.SCREENS],
        folds=[Fold(group, inner) for group, inner in folded if inner],
        hands=[_hand_fields(index, typed, troubles) for index in range(hand_count(typed))],
        ranks=[(rank, "10" if rank == "T" else rank, typed.get(f"points-{rank}", "")) for rank in RANKS],
        trouble=_("Not saved: look at the marked places. Everything you typed is still here.") if troubles else "",
        name_trouble=troubles.get("name", ""),
    )


def _refused(name: str, troubles: Mapping[str, str]) -> tuple[str, str]:
    """Give the first input of a field that was refused, and why; both empty where none was."""
    return next(((at, words) for at, words in troubles.items() if at == name or at.startswith(f"{name}-")), ("", ""))


def _field(
    base: str, parameter: sheets.Parameter, typed: Mapping[str, str], standard: Mapping[str, str], troubles: Mapping[str, str]
) -> Field:
    name = parameter.name
    found = sheets.provenance(base, name)
    value, more = typed.get(name, ""), typed.get(f"{name}-number", typed.get(f"{name}-more", ""))
    unlike = name not in _SPECIAL and (value, more) != (
        standard.get(name, ""),
        standard.get(f"{name}-number", standard.get(f"{name}-more", "")),
    )
    at, trouble = _refused(name, troubles)
    return Field(
        name=name,
        kind=_kind(parameter),
        label=str(sheet_words.LABELS[name]),
        about=_(parameter.about),
        changes=sheet_words.changes(name),
        value=value,
        more=more,
        options=_options(parameter),
        optional=parameter.optional,
        source=sheet_words.source_words(found),
        rule=found.ref if found.kind in {"source", "ruling"} else "",
        standard=sheet_words.value_words(name, parameter.unit, parameter.value) if unlike else "",
        trouble=trouble,
        at=at,
        lost=name in rulesets.preset(base).missing_in_source,
    )


def _kind(parameter: sheets.Parameter) -> str:
    if parameter.name in _SPECIAL:
        return parameter.name
    if parameter.name in _COUNTS:
        return "count"
    if parameter.name in {"wild", "deal_by_players", "kitty_split", "payouts"}:
        return "text"
    return {"choice": "choice", "yes/no": "yes/no"}.get(parameter.unit, "number")


def _options(parameter: sheets.Parameter) -> list[tuple[str, str]]:
    if parameter.name in _COUNTS:
        return [(key, str(label)) for key, label in sheet_words.COUNT_KINDS.items()]
    return [(choice, str(sheet_words.CHOICES[choice])) for choice in parameter.choices]


def _hand_fields(index: int, typed: Mapping[str, str], troubles: Mapping[str, str]) -> HandFields:
    def value(key: str) -> str:
        return typed.get(f"hand-{index}-{key}", "")

    at, trouble = _refused(f"hand-{index}", troubles)
    return HandFields(
        index,
        value("contract"),
        value("deal"),
        [(key, str(sheet_words.LABELS[key]), value(key)) for key in _HAND_NUMBERS],
        [(key, str(sheet_words.LABELS[key]), value(key)) for key in _HAND_FLAGS],
        trouble,
        at.removeprefix(f"hand-{index}-"),
    )
