"""A rule set as one frozen value, read from a preset file and a league's overrides.

A preset is a TOML file in ``presets/``; its section ``[sources]`` says where each parameter comes from. Which source rule
a verdict cites under it is said in ``cites/``. What the parameters mean is declared in :mod:`continental.rules.parameters`.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

from continental.rules.cards import JOKER, RANKS
from continental.rules.contracts import Contract, MeldKind, Slot
from continental.rules.errors import BadQuestion
from continental.rules.parameters import Count, HandRule, RuleSet
from continental.rules.patterns import faces_of, read_pattern
from continental.rules.reading import mapping, one_of, sequence, shown, text, whole_number, yes_or_no

__all__ = ["Contract", "Count", "HandRule", "MeldKind", "RuleSet", "Slot", "load", "preset", "preset_data", "preset_ids"]

_FIELDS: Final[dict[str, Field[Any]]] = {item.name: item for item in fields(RuleSet)}
_LEAGUE_MAY_NOT_SET: Final = frozenset({"id", "borrowed", "missing_in_source", "hand_defaults"})
_HAND_KEYS: Final = frozenset(item.name for item in fields(HandRule))
_HAND_FLAGS: Final = ("all_cards", "must_go_out", "ends_game", "exact_sets", "exact_runs")
MOST_HANDS: Final = 30


def preset_ids() -> tuple[str, ...]:
    """Give the ids of all presets, in the order in which they are offered."""
    return _PRESET_ORDER


_PRESET_ORDER: Final = (
    "house", "continental", "contract", "gather", "shanghai", "may-i", "fifteen", "magnus", "basic",
    "liverpool", "shanghai-rum", "progressive", "spanish", "carioca", "kalooki",
)  # fmt: skip


@lru_cache(maxsize=32)
def preset_data(name: str) -> Mapping[str, Any]:
    """Give a preset file as it is written, with its section ``sources``.

    Raises:
        BadQuestion: there is no preset of that name.
    """
    if name not in _PRESET_ORDER:
        raise BadQuestion(f"there is no rule set {shown(name)}", "rules")
    source = files("continental.rules").joinpath("presets", f"{name}.toml").read_text(encoding="utf-8")
    return MappingProxyType(tomllib.loads(source))


@lru_cache(maxsize=32)
def preset(name: str) -> RuleSet:
    """Give the rule set of a preset.

    Raises:
        BadQuestion: there is no preset of that name.
    """
    return _build(preset_data(name))


def load(rules: object, at: str = "rules") -> RuleSet:
    """Give the rule set that a question or a league's sheet names.

    Args:
        rules: the id of a preset, or a mapping with ``base`` (the id) and any parameters that differ. ``hands`` replaces
            all hands; ``points`` replaces only the lines it names, a line for a rank also those of its colours and faces.
        at: the place in the question, for the error.

    Raises:
        BadQuestion: an unknown preset, an unknown parameter, or a value that parameter cannot have.
    """
    if isinstance(rules, str):
        if rules not in _PRESET_ORDER:
            raise BadQuestion(f"there is no rule set {shown(rules)}", at)
        return preset(rules)
    if not isinstance(rules, Mapping):
        raise BadQuestion("the rule set is the id of a preset, or an object with “base”", at)
    try:
        plain = json.dumps(rules, sort_keys=True)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadQuestion("the rule set is not plain data", at) from error
    if len(plain) > _LONGEST_SHEET:
        raise BadQuestion(f"the rule set is too long: at most {_LONGEST_SHEET} characters are read", at)
    try:
        return _load_overrides(plain)
    except RecursionError as error:
        raise BadQuestion("the rule set is nested too deeply", at) from error
    except BadQuestion as error:
        raise BadQuestion(error.message, at + error.at.removeprefix("rules")) from None


_LONGEST_SHEET: Final = 40_000


@lru_cache(maxsize=256)
def _load_overrides(plain: str) -> RuleSet:
    overrides = json.loads(plain)
    base = overrides.pop("base", None)
    if not isinstance(base, str):
        raise BadQuestion("“base” names the preset that the rule set starts from", "rules.base")
    if base not in _PRESET_ORDER:
        raise BadQuestion(f"there is no rule set {shown(base)}", "rules.base")
    data = dict(preset_data(base))
    for key, value in overrides.items():
        if key not in _FIELDS or key in _LEAGUE_MAY_NOT_SET:
            raise BadQuestion(f"there is no parameter {shown(key)}", f"rules.{key[:40]}")
        data[key] = _merge_points(data[key], value) if key == "points" and isinstance(value, dict) else value
    return _build(data)


def _merge_points(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Lay a league's points over the preset's: points for “A” also undo a preset's “A red” and “A black”."""
    whole_ranks = {read_pattern(key) for key in changes} & set(RANKS)
    kept = {key: value for key, value in base.items() if key == JOKER or key[0] not in whole_ranks}
    return {**kept, **changes}


def _build(data: Mapping[str, Any]) -> RuleSet:
    """Read every parameter of ``data`` and check that they fit together."""
    values: dict[str, Any] = {}
    for name, item in _FIELDS.items():
        if name not in data:
            if item.default is MISSING:
                raise BadQuestion(f"the parameter “{name}” is missing", f"rules.{name}")
            continue
        at = f"rules.{name}"
        special = _READERS.get(name)
        values[name] = special(data[name], at) if special else _read_plain(item, data[name], at)
    values["hands"] = _read_hands(data.get("hands", []), {**_DEFAULTS, **values})
    rules = RuleSet(**values)
    _check(rules)
    return rules


_DEFAULTS: Final = {name: item.default for name, item in _FIELDS.items() if item.default is not MISSING}


def _read_plain(item: Field[Any], value: object, at: str) -> Any:
    """Read a number, a yes or no, a choice or a text, as the parameter's declaration says."""
    meta = item.metadata
    match meta["unit"]:
        case "choice":
            return one_of(value, at, meta["choices"])
        case "yes/no":
            return yes_or_no(value, at)
        case "text":
            return text(value, at)
    if value is None and item.type == int | None:
        return None
    return whole_number(value, at, meta["least"], meta["most"])


def _read_count(value: object, at: str) -> Count:
    """Read a number, or ``per_deck``, ``half_of_players`` (at least so many), ``players_less`` or ``by_players``."""
    if not isinstance(value, Mapping):
        return Count("fixed", whole_number(value, at, 0, 60))
    if len(value) == 1:
        ((key, inner),) = value.items()
        match key:
            case "per_deck":
                return Count("per-deck", whole_number(inner, f"{at}.{key}", 0, 8))
            case "half_of_players":
                return Count("half-of-players", whole_number(inner, f"{at}.{key}", 1, 30))
            case "players_less":
                whole_number(inner, f"{at}.{key}", 1, 1)
                return Count("players-less-one")
            case "by_players":
                return Count("by-players", table=_read_table(inner, f"{at}.{key}"))
    raise BadQuestion("a number is wanted, or how it hangs on the players", at)


def _read_table(value: object, at: str) -> tuple[tuple[int, int], ...]:
    """Read a table such as ``{"4": 2, "8": 3}``: up to four players two, up to eight three."""
    if not isinstance(value, Mapping) or not value or not all(_PLAYERS_PATTERN.fullmatch(key) for key in value):
        raise BadQuestion("a table from a number of players to a number is wanted", at)
    return tuple(sorted((int(key), whole_number(number, f"{at}.{key}", 0, 60)) for key, number in value.items()))


_PLAYERS_PATTERN: Final = re.compile(r"[1-9][0-9]?", re.ASCII)


def _read_wild(value: object, at: str) -> frozenset[str]:
    """Read patterns of wild cards, such as ``JK``, ``2`` or ``A red``."""
    wild: set[str] = set()
    for index, item in enumerate(sequence(value, at, 53)):
        pattern = read_pattern(item)
        if pattern is None:
            raise BadQuestion(f"{shown(item)} is no card, rank or rank of one colour", f"{at}[{index}]")
        wild.update(faces_of(pattern))
    return frozenset(wild)


def _read_points(value: object, at: str) -> Mapping[str, int | None]:
    points: dict[str, int | None] = {}
    for key, number in mapping(value, at).items():
        pattern = read_pattern(key)
        if pattern is None:
            raise BadQuestion(f"{shown(key)} is no rank, rank of one colour or card", f"{at}.{key[:40]}")
        points[pattern] = None if number is None else whole_number(number, f"{at}.{key}", -1000, 1000)
    return MappingProxyType(points)


def _read_names(value: object, at: str) -> tuple[str, ...]:
    return tuple(text(item, f"{at}[{index}]") for index, item in enumerate(sequence(value, at, 100)))


def _read_numbers(value: object, at: str) -> tuple[int, ...]:
    return tuple(
        whole_number(item, f"{at}[{index}]", -1_000_000, 1_000_000) for index, item in enumerate(sequence(value, at, 60))
    )


def _read_hand_defaults(value: object, at: str) -> tuple[tuple[int, Mapping[str, Any]], ...]:
    return tuple(sorted((int(key), MappingProxyType(dict(inner))) for key, inner in mapping(value, at).items()))


def _read_hands(value: object, whole: Mapping[str, Any]) -> tuple[HandRule, ...]:
    """Read the list of hands; what a hand does not say holds as for the whole game."""
    at = "rules.hands"
    known = dict(whole["hand_defaults"])
    hands = []
    for index, item in enumerate(sequence(value, at, MOST_HANDS)):
        said = mapping(item, f"{at}[{index}]", _HAND_KEYS)
        hands.append(_read_hand({**known.get(index + 1, {}), **said}, f"{at}[{index}]", whole))
    return tuple(hands)


def _read_hand(item: Mapping[str, Any], at: str, whole: Mapping[str, Any]) -> HandRule:
    contract = item.get("contract")
    if contract is None and not whole.get("extra_melds_opening"):
        raise BadQuestion("a contract such as “2S 1R” is wanted where melds are not free", f"{at}.contract")
    deal = item.get("deal")
    if deal is None and not whole.get("deal_by_players"):
        raise BadQuestion("the number of cards to deal is missing", f"{at}.deal")
    claims = item.get("claims", whole["claims"])
    no_discard = yes_or_no(item.get("no_discard", whole["no_discard"]), f"{at}.no_discard")
    if no_discard and item.get("discard_to_go_out") is True:
        raise BadQuestion("a hand melded whole has no card left to discard", f"{at}.discard_to_go_out")
    flags = {name: yes_or_no(item.get(name, whole[name]), f"{at}.{name}") for name in _HAND_FLAGS}
    return HandRule(
        contract=None if contract is None else Contract.parse(text(contract, f"{at}.contract"), f"{at}.contract"),
        deal=None if deal is None else whole_number(deal, f"{at}.deal", 1, 40),
        claims=None if claims is None else whole_number(claims, f"{at}.claims", 0, 20),
        penalty=whole_number(item.get("penalty", whole["claim_penalty"]), f"{at}.penalty", 0, 5),
        no_discard=no_discard,
        discard_to_go_out=yes_or_no(item.get("discard_to_go_out", whole["discard_to_go_out"]), f"{at}.discard_to_go_out")
        and not no_discard,
        min_run=whole_number(item.get("min_run", whole["min_run"]), f"{at}.min_run", 2, 13),
        **flags,
    )


_READERS: Final = {
    "decks": _read_count,
    "jokers": _read_count,
    "wild": _read_wild,
    "points": _read_points,
    "deal_by_players": lambda value, at: _read_table(value, at) if value else (),
    "hands": lambda value, at: (),
    "hand_defaults": _read_hand_defaults,
    "missing_in_source": _read_names,
    "borrowed": _read_names,
    "kitty_split": _read_numbers,
    "payouts": _read_numbers,
}


def _check(rules: RuleSet) -> None:
    """Refuse parameters that contradict each other, naming the second of the two."""
    if rules.players_max is not None and rules.players_max < rules.players_min:
        raise BadQuestion("the most players are fewer than the fewest", "rules.players_max")
    if rules.decks.kind in {"per-deck", "players-less-one"} or rules.deck_count(rules.players_min) < 1:
        raise BadQuestion("a game needs at least one pack", "rules.decks")
    if rules.decks.kind == "by-players" and min(number for _, number in rules.decks.table) < 1:
        raise BadQuestion("a game needs at least one pack", "rules.decks.by_players")
    if rules.has_jokers and JOKER not in rules.wild:
        raise BadQuestion("there are jokers in the packs, so “JK” must be among the wild cards", "rules.wild")
    if rules.max_set is not None and rules.max_set < rules.min_set:
        raise BadQuestion("the greatest set is smaller than the least", "rules.max_set")
    if rules.max_run is not None and rules.max_run < rules.min_run:
        raise BadQuestion("the longest run is shorter than the shortest", "rules.max_run")
    if rules.wrap and rules.ace != "both":
        raise BadQuestion("a run can pass through the ace only where the ace is high and low", "rules.wrap")
    if rules.two_aces and rules.ace != "both":
        raise BadQuestion("a run can hold two aces only where the ace is high and low", "rules.two_aces")
    if rules.set_naturals > rules.min_set:
        raise BadQuestion("a set cannot need more natural cards than it has", "rules.set_naturals")
    if sum(rules.payouts):
        raise BadQuestion("what the places get and pay must sum to zero", "rules.payouts")
    if any(part < 0 for part in rules.kitty_split):
        raise BadQuestion("a share of the kitty is not below zero", "rules.kitty_split")
    if rules.progress != "together":
        raise BadQuestion("this scorebook moves all players on to the next hand together", "rules.progress")
    if rules.teams:
        raise BadQuestion("this scorebook scores players one by one", "rules.teams")
    for index, hand in enumerate(rules.hands):
        _check_hand(rules, hand, f"rules.hands[{index}]")


def _check_hand(rules: RuleSet, hand: HandRule, at: str) -> None:
    if rules.max_run is not None and hand.min_run > rules.max_run:
        raise BadQuestion(f"no run may be longer than {rules.max_run}", f"{at}.min_run")
    for slot in hand.contract.slots if hand.contract else ():
        most = {"set": rules.max_set, "run": rules.max_run, "pair": None}[slot.kind]
        if slot.size is not None and most is not None and slot.size > most:
            raise BadQuestion(
                f"the contract asks for a {slot.kind} of {slot.size}, and none may be larger than {most}", f"{at}.contract"
            )
