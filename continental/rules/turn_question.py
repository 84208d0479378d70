"""The question ``ask: turn`` of the referee protocol, read strictly: what cannot be read is refused and its place named."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from continental.rules.cards import JOKER, Laid
from continental.rules.errors import BadQuestion
from continental.rules.melds import Meld, Wanted, judge_meld
from continental.rules.notation import parse_card, parse_cards, parse_laid
from continental.rules.parameters import HandRule, RuleSet
from continental.rules.reading import (
    MOST_PLAYERS,
    mapping,
    one_of,
    question_keys,
    read_hand_number,
    read_players,
    sequence,
    text,
    yes_or_no,
)
from continental.rules.rulesets import load

MOST_ACTIONS: Final = 60
MOST_MELDS: Final = 40
MOST_CARDS: Final = 400

_NEEDED: Final = ("rules", "players", "hand", "actions")
_OPTIONAL: Final = ("table", "player", "opened", "held", "draw", "claimed")
_MELD_KEYS: Final = frozenset({"id", "owner", "kind", "cards", "as"})
_DRAW_KEYS: Final = frozenset({"from", "card"})
_ACTION_KEYS: Final[Mapping[str, frozenset[str]]] = {
    "open": frozenset({"do", "melds"}),
    "meld": frozenset({"do", "cards"}),
    "layoff": frozenset({"do", "meld", "cards", "end"}),
    "swap": frozenset({"do", "meld", "card", "wild_to", "end"}),
    "takeback": frozenset({"do", "cards", "laid"}),
    "discard": frozenset({"do", "card"}),
}
_ACTIONS: Final = tuple(_ACTION_KEYS)
_NEEDED_OF_ACTION: Final = {do: sorted(keys - {"do", "end"}) for do, keys in _ACTION_KEYS.items()}
_NOT_READABLE: Final = frozenset({"run.off-ladder", "run.two-aces", "run.max"})


class Lying(NamedTuple):
    """A meld on the table: its id, whose it is, and how it lies (``None`` for one laid this turn that cannot be read)."""

    id: str
    owner: str
    meld: Meld | None


class Action(NamedTuple):
    """One thing a player does in a turn.

    Attributes:
        number: its place in the question, from 0.
        do: ``open``, ``meld``, ``layoff``, ``swap``, ``takeback`` or ``discard``.
        melds: the cards laid, meld by meld; a lay-off, a swap and a discard have one.
        meld: the meld acted on.
        to: where a freed wild card goes (``swap``), or when the cards were laid (``takeback``).
        end: ``low`` or ``high``, where said.
    """

    number: int
    do: str
    melds: tuple[tuple[Laid, ...], ...]
    meld: str = ""
    to: str = ""
    end: str | None = None


class TurnQuestion(NamedTuple):
    """A turn to be judged. ``held`` and ``drawn`` are ``None`` where the question does not say."""

    rules: RuleSet
    players: int
    hand: HandRule
    last_hand: bool
    table: tuple[Lying, ...]
    player: str
    opened: frozenset[str]
    held: tuple[str, ...] | None
    drawn_from: str | None
    drawn: str | None
    claimed: bool
    actions: tuple[Action, ...]


def read_turn(question: Mapping[str, Any]) -> TurnQuestion:
    """Read the question.

    Raises:
        BadQuestion: a missing or unknown key, a wrong type, unreadable cards, or more than is ever played.
    """
    question_keys(question, _NEEDED, _OPTIONAL)
    rules = load(question["rules"])
    players = read_players(question)
    number = read_hand_number(question)
    hand = rules.hand(number)
    table = read_table(question.get("table", []), rules)
    opened = [
        text(name, f"opened[{index}]") for index, name in enumerate(sequence(question.get("opened", []), "opened", MOST_PLAYERS))
    ]
    held = question.get("held")
    draw = mapping(question.get("draw", {}), "draw", _DRAW_KEYS)
    if "draw" in question and "from" not in draw:
        raise BadQuestion("“from” is missing", "draw.from")
    actions = sequence(question["actions"], "actions", MOST_ACTIONS)
    read = TurnQuestion(
        rules=rules,
        players=players,
        hand=hand,
        last_hand=rules.target is None and number == len(rules.hands),
        table=table,
        player=text(question["player"], "player") if "player" in question else "",
        opened=frozenset(opened),
        held=None if held is None else parse_cards(text(held, "held", MOST_CARDS * 10, 0), "held"),
        drawn_from=one_of(draw["from"], "draw.from", ("stock", "discard")) if draw else None,
        drawn=parse_card(text(draw["card"], "draw.card"), "draw.card") if "card" in draw else None,
        claimed=yes_or_no(question.get("claimed", False), "claimed"),
        actions=tuple([_read_action(action, index) for index, action in enumerate(actions)]),
    )
    laid = sum([len(meld) for action in read.actions for meld in action.melds])
    if laid > MOST_CARDS:
        raise BadQuestion(f"{laid} cards are played, at most {MOST_CARDS} are read", "actions")
    return read


def read_table(value: object, rules: RuleSet) -> tuple[Lying, ...]:
    """Read the melds that lie on the table before the turn.

    Raises:
        BadQuestion: a key is missing or unknown, two melds have one name, or the cards are no such meld.
    """
    table: list[Lying] = []
    for index, item in enumerate(sequence(value, "table", MOST_MELDS)):
        at = f"table[{index}]"
        entry = mapping(item, at, _MELD_KEYS)
        for key in ("id", "kind", "cards"):
            if key not in entry:
                raise BadQuestion(f"“{key}” is missing", f"{at}.{key}")
        name = text(entry["id"], f"{at}.id", 40)
        if any(lying.id == name for lying in table):
            raise BadQuestion(f"two melds are called “{name}”", f"{at}.id")
        kind = one_of(entry["kind"], f"{at}.kind", ("set", "run", "pair"))
        owner = text(entry["owner"], f"{at}.owner") if "owner" in entry else ""
        table.append(Lying(name, owner, _read_lying(entry, kind, rules, at)))
    return tuple(table)


def _read_lying(entry: Mapping[str, Any], kind: str, rules: RuleSet, at: str) -> Meld:
    """Read a meld that lies on the table; what it may hold was settled when it was laid."""
    laid = _cards(entry["cards"], f"{at}.cards")
    if entry.get("as") is not None:
        laid = _spoken(laid, sequence(entry["as"], f"{at}.as", MOST_CARDS), rules, f"{at}.as")
    at = f"{at}.cards"
    wanted = Wanted("run" if kind == "run" else "set" if kind == "set" or len(laid) > 2 else "pair", 0)
    if JOKER not in rules.wild and any(card == JOKER for card, _ in laid):
        raise BadQuestion(f"these cards are no {wanted.kind}: the packs hold no joker", at)
    reading = judge_meld(laid, rules, wanted)
    if reading.question is not None:
        raise BadQuestion("say what the wild cards stand for, such as JK=7H", at)
    if reading.meld is None or any(fault.code in _NOT_READABLE for fault in reading.faults):
        raise BadQuestion(f"these cards are no {wanted.kind}", at)
    return reading.meld


def _spoken(laid: tuple[Laid, ...], values: list[Any], rules: RuleSet, at: str) -> tuple[Laid, ...]:
    """Give the wild cards of a meld the values that an earlier answer said they stand for."""
    if len(values) != len(laid):
        raise BadQuestion(f"there are {len(laid)} cards and {len(values)} values", at)
    said: list[Laid] = []
    for index, (item, value) in enumerate(zip(laid, values, strict=True)):
        wild = item.card in rules.wild and value not in (item.card, JOKER)
        said += parse_laid(f"{item.card}={text(value, f'{at}[{index}]', 3)}", f"{at}[{index}]") if wild else (item,)
    return tuple(said)


def _cards(value: object, at: str) -> tuple[Laid, ...]:
    laid = parse_laid(text(value, at, MOST_CARDS * 10, 0), at)
    if not laid:
        raise BadQuestion("there are no cards", at)
    return laid


def _read_action(value: object, number: int) -> Action:
    at = f"actions[{number}]"
    entry = mapping(value, at)
    if "do" not in entry:
        raise BadQuestion("“do” is missing", f"{at}.do")
    do = one_of(entry["do"], f"{at}.do", _ACTIONS)
    mapping(entry, at, _ACTION_KEYS[do])
    for key in _NEEDED_OF_ACTION[do]:
        if key not in entry:
            raise BadQuestion(f"“{key}” is missing", f"{at}.{key}")
    end = one_of(entry["end"], f"{at}.end", ("low", "high")) if entry.get("end") is not None else None
    meld = text(entry["meld"], f"{at}.meld", 40) if "meld" in entry else ""
    match do:
        case "open":
            melds = sequence(entry["melds"], f"{at}.melds", MOST_MELDS)
            if not melds:
                raise BadQuestion("no melds are laid", f"{at}.melds")
            return Action(number, do, tuple([_cards(item, f"{at}.melds[{index}]") for index, item in enumerate(melds)]))
        case "meld" | "layoff":
            return Action(number, do, (_cards(entry["cards"], f"{at}.cards"),), meld, "", end)
        case "takeback":
            when = one_of(entry["laid"], f"{at}.laid", ("this-turn", "earlier"))
            return Action(number, do, (_cards(entry["cards"], f"{at}.cards"),), "", when)
        case "swap":
            card = Laid(parse_card(text(entry["card"], f"{at}.card"), f"{at}.card"))
            return Action(number, do, ((card,),), meld, text(entry["wild_to"], f"{at}.wild_to", 40), end)
        case _:
            return Action(number, do, ((Laid(parse_card(text(entry["card"], f"{at}.card"), f"{at}.card")),),))
