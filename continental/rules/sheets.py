"""Rule sets for people to read: every parameter with its meaning and source, as plain data, and what differs between two."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal

from continental.rules.cards import JOKER
from continental.rules.contracts import Contract
from continental.rules.errors import BadQuestion
from continental.rules.parameters import Count, HandRule, RuleSet
from continental.rules.patterns import faces_of
from continental.rules.rulesets import preset_data

_NOT_FOR_LEAGUES: Final = frozenset({"id", "borrowed", "missing_in_source", "hand_defaults"})
PARAMETERS: Final = tuple(item.name for item in fields(RuleSet))
"""The names of all parameters, in the order in which they are declared."""

_DECLARED: Final = {item.name: item.metadata for item in fields(RuleSet)}
_OPTIONAL: Final = frozenset(item.name for item in fields(RuleSet) if item.type == int | None)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a preset's parameter comes from.

    Attributes:
        kind: ``source`` (a rule of the source), ``ruling`` (decided where the source is silent or contradicts itself),
            ``default`` (proposed where the source is silent), ``outside`` (a copy of the lost original), or ``unsaid``
            (nothing is said, and the engine's own default holds).
        ref: the rule id of a source, ``R-nn`` of a ruling, the letter of a default's reason; else empty.
    """

    kind: Literal["source", "ruling", "default", "outside", "unsaid"]
    ref: str = ""


def provenance(preset: str, parameter: str) -> Provenance:
    """Say where a preset's parameter comes from.

    Raises:
        BadQuestion: no such preset, or no such parameter.
    """
    if parameter not in _DECLARED:
        raise BadQuestion(f"there is no parameter “{parameter[:40]}”", "parameter")
    said = preset_data(preset)["sources"].get(parameter)
    if said is None:
        return Provenance("unsaid")
    kind, _, ref = said.partition(":")
    if kind in {"ruling", "default", "outside"}:
        return Provenance(kind, ref)
    return Provenance("source", said)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a rule set as a page shows it.

    Attributes:
        name: its name in presets and overrides.
        unit: what its value counts: ``cards``, ``points``, ``yes/no``, ``choice`` …
        about: what it means, in a sentence.
        value: its value as plain data, as an override would write it.
        choices: the words it can be, where it is a choice.
        optional: ``None`` is a value too: no limit.
    """

    name: str
    unit: str
    about: str
    value: Any
    choices: tuple[str, ...] = ()
    optional: bool = False


def parameters(rules: RuleSet) -> tuple[Parameter, ...]:
    """List every parameter of a rule set, in the order of declaration."""
    return tuple(
        Parameter(name, meta["unit"], meta["about"], _plain(getattr(rules, name)), meta["choices"], name in _OPTIONAL)
        for name, meta in _DECLARED.items()
    )


def to_data(rules: RuleSet) -> dict[str, Any]:
    """Give a rule set as an override that says everything: ``load(to_data(rules)) == rules``."""
    data = {name: _plain(getattr(rules, name)) for name in PARAMETERS if name not in _NOT_FOR_LEAGUES}
    return {"base": rules.id, **data}


@dataclass(frozen=True, slots=True)
class Difference:
    """One parameter on which two rule sets differ: its place (``claims``, ``hands[6].all_cards``), meaning, and both values."""

    at: str
    unit: str
    about: str
    first: Any
    second: Any


_NAMES: Final = frozenset({"id", "name", "source", "borrowed", "missing_in_source", "hand_defaults"})


def differences(first: RuleSet, second: RuleSet) -> tuple[Difference, ...]:
    """List what differs between two rule sets, hands one by one; names and sources are not compared."""
    return tuple(_differences(first, second))


def _differences(first: RuleSet, second: RuleSet) -> Iterator[Difference]:
    for name, meta in _DECLARED.items():
        mine, other = _plain(getattr(first, name)), _plain(getattr(second, name))
        if name in _NAMES or mine == other:
            continue
        if name == "hands":
            yield from _hand_differences(mine, other, meta)
        elif name == "points":
            yield from _point_differences(first, second, meta)
        else:
            yield Difference(name, meta["unit"], meta["about"], mine, other)


def _hand_differences(first: list[Any], second: list[Any], meta: Mapping[str, Any]) -> Iterator[Difference]:
    if len(first) != len(second):
        yield Difference("hands", meta["unit"], meta["about"], len(first), len(second))
    for index, (mine, other) in enumerate(zip(first, second, strict=False)):
        for key in mine:
            if mine[key] != other[key]:
                about = _DECLARED[key]["about"] if key in _DECLARED else meta["about"]
                unit = _DECLARED[key]["unit"] if key in _DECLARED else "cards" if key in {"deal", "penalty"} else "contract"
                yield Difference(f"hands[{index}].{key}", unit, about, mine[key], other[key])


def _point_differences(first: RuleSet, second: RuleSet, meta: Mapping[str, Any]) -> Iterator[Difference]:
    for code in dict.fromkeys((*first.points, *second.points)):
        mine = {first.value(card) for card in faces_of(code)}
        other = {second.value(card) for card in faces_of(code)}
        if mine != other and len(mine) == len(other) == 1:
            yield Difference(f"points.{code}", meta["unit"], meta["about"], *mine, *other)


def _plain(value: Any) -> Any:
    """Give a parameter's value as plain data that the rule-set reader takes back."""
    match value:
        case Count():
            return _plain_count(value)
        case HandRule():
            return {item.name: _plain(getattr(value, item.name)) for item in fields(HandRule)}
        case Contract():
            return str(value)
        case frozenset():
            return _patterns(value)
        case Mapping():
            return dict(value)
        case tuple() if value and isinstance(value[0], tuple):
            return {str(key): _plain(inner) for key, inner in value}
        case tuple():
            return [_plain(inner) for inner in value]
        case _:
            return value


def _plain_count(count: Count) -> Any:
    match count.kind:
        case "per-deck":
            return {"per_deck": count.number}
        case "half-of-players":
            return {"half_of_players": count.number}
        case "players-less-one":
            return {"players_less": 1}
        case "by-players":
            return {"by_players": {str(most): number for most, number in count.table}}
        case _:
            return count.number


def _patterns(cards: frozenset[str]) -> list[str]:
    """Give the shortest list of patterns that covers exactly these cards: whole ranks, ranks of one colour, single faces."""
    patterns = [JOKER] if JOKER in cards else []
    for rank in sorted({card[0] for card in cards if card != JOKER}):
        left = {card for card in cards if card != JOKER and card[0] == rank}
        for pattern in (rank, f"{rank} red", f"{rank} black"):
            if left.issuperset(faces_of(pattern)):
                patterns.append(pattern)
                left.difference_update(faces_of(pattern))
            if not left:
                break
        patterns += sorted(left)
    return patterns
