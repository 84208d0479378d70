"""A rule set as one frozen value, read from a preset file and a league's overrides.

Every parameter on which published rules disagree is one field of :class:`RuleSet` or of :class:`HandRule`; code that
plays, judges or scores reads fields and never asks which game it is. A preset is a TOML file in ``presets/``;
which source rule a verdict cites under it is said in ``cites/``.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import cached_property, lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final, Literal

from continental.rules.cards import JOKER, NATURALS, RANKS, is_red
from continental.rules.errors import BadQuestion

MeldKind = Literal["set", "run", "pair"]
_SLOT_LETTER: Final[dict[str, MeldKind]] = {"S": "set", "R": "run", "P": "pair"}
_KIND_LETTER: Final = {kind: letter for letter, kind in _SLOT_LETTER.items()}


@dataclass(frozen=True, slots=True)
class Slot:
    """One meld that a contract asks for: its kind and, where the contract itself says so, its least size in cards."""

    kind: MeldKind
    size: int | None = None


@dataclass(frozen=True, slots=True)
class Contract:
    """What a hand asks a player to lay down in one turn, as slots in the order they are written."""

    slots: tuple[Slot, ...]

    @classmethod
    def parse(cls, text: str, at: str = "contract") -> "Contract":
        """Read ``2S 1R``, ``2S1R``, ``1R7`` (a run of at least seven) or ``1P`` (a pair).

        Raises:
            BadQuestion: the text is no contract, asks for nothing, or asks for more than eight melds.
        """
        compact = re.sub(r"[\s,+]+", " ", text.strip().upper())
        slots: list[Slot] = []
        position = 0
        for match in _SLOT.finditer(compact):
            if match.start() != position:
                break
            position = match.end()
            kind = _SLOT_LETTER[match["kind"]]
            size = int(match["size"]) if match["size"] else None
            if size is not None and not 2 <= size <= 14:
                raise BadQuestion(f"“{text[:40]}” asks for a meld of {size} cards", at)
            slots.extend([Slot(kind, size)] * int(match["count"]))
        if position != len(compact) or not 1 <= len(slots) <= MAX_SLOTS:
            raise BadQuestion(f"“{text[:40]}” is not a contract such as “2S 1R”", at)
        return cls(tuple(slots))

    def __str__(self) -> str:
        parts: list[str] = []
        seen: list[Slot] = []
        for slot in self.slots:
            if slot not in seen:
                seen.append(slot)
                count = sum(other == slot for other in self.slots)
                parts.append(f"{count}{_KIND_LETTER[slot.kind]}{slot.size or ''}")
        return " ".join(parts)


_SLOT: Final = re.compile(r"(?P<count>[1-8]) ?(?P<kind>[SRP])(?P<size>\d{1,2})?(?: |(?=\d)|$)")
MAX_SLOTS: Final = 8


@dataclass(frozen=True, slots=True)
class HandRule:
    """What is particular to one hand (deal) of the game.

    Attributes:
        contract: the melds to lay down; ``None`` where melds are free (basic rummy).
        deal: cards dealt to each player; ``None`` where it hangs on the number of players (see ``RuleSet.deal_by_players``).
        claims: how often one player may claim the discard in this hand; ``None`` for no limit.
        penalty: penalty cards drawn with each claim.
        all_cards: opening must use every card in the hand, with nothing laid off (``house.final.all-cards``).
        must_go_out: opening must end in going out, lay-offs allowed.
        discard_to_go_out: the last card must be a discard; ``False``: melding everything also ends the hand.
        no_discard: the hand must be melded whole, without a discard.
        ends_game: the first player to open ends hand and game.
        exact_sets: opening sets must have exactly the least size.
        exact_runs: opening runs must have exactly the least size.
        min_run: least length of a run in this hand, in cards.
    """

    contract: Contract | None
    deal: int | None
    claims: int | None
    penalty: int
    all_cards: bool
    must_go_out: bool
    discard_to_go_out: bool
    no_discard: bool
    ends_game: bool
    exact_sets: bool
    exact_runs: bool
    min_run: int


@dataclass(frozen=True, slots=True)
class Count:
    """A number of packs or jokers that hangs on the number of players (``house.decks.formula`` and its relatives)."""

    kind: Literal["fixed", "half-of-players", "per-deck", "players-less-one", "by-players"]
    number: int = 0
    table: tuple[tuple[int, int], ...] = ()

    def __call__(self, players: int, decks: int) -> int:
        """Give the number for a table of ``players`` (and, for jokers, ``decks`` packs)."""
        match self.kind:
            case "half-of-players":
                return max(self.number, -(-players // 2))
            case "per-deck":
                return self.number * decks
            case "players-less-one":
                return max(0, players - 1)
            case "by-players":
                return next((number for most, number in self.table if players <= most), self.table[-1][1])
            case _:
                return self.number


def param(unit: str, about: str, default: Any = MISSING, *, choices: tuple[str, ...] = (), least: int = 0, most: int = 0) -> Any:
    """Declare one parameter: its unit, what it means in a sentence, and the values it may take."""
    metadata = {"unit": unit, "about": about, "choices": choices, "least": least, "most": most}
    return field(metadata=metadata) if default is MISSING else field(default=default, metadata=metadata)


@dataclass(frozen=True, kw_only=True)
class RuleSet:
    """Every parameter of a game of the family, as data (rulebook section 2)."""

    id: str = param("text", "Short name of the preset the sheet starts from.")
    name: str = param("text", "What people call this game.")
    source: str = param("text", "Where the rules were written down.")
    # Table and packs
    players_min: int = param("players", "Fewest players.", 2, least=2, most=30)
    players_max: int | None = param("players", "Most players; empty for no limit.", None, least=2, most=60)
    decks: Count = param("decks", "Packs of 52 cards.")
    jokers: Count = param("cards", "Jokers in all packs together.")
    wild: frozenset[str] = param("cards", "Cards that are wild.", frozenset({JOKER}))
    direction: str = param("choice", "Which way deal and play go.", "clockwise", choices=("clockwise", "counter-clockwise"))
    first_dealer: str = param("choice", "Whose draw deals first.", "high-card", choices=("high-card", "low-card"))
    dealer_rule: str = param("choice", "Who deals next.", "left", choices=("left", "winner-of-two"))
    deal_by_players: tuple[tuple[int, int], ...] = param("cards", "Cards dealt where they hang on the number of players.", ())
    # Hands
    hands: tuple[HandRule, ...] = param("hands", "The hands of a game in order, each with its contract.", ())
    all_cards: bool = param("yes/no", "Going down must use every card in the hand.", False)
    must_go_out: bool = param("yes/no", "Going down must end in going out.", False)
    no_discard: bool = param("yes/no", "The hand must be melded whole, without a discard.", False)
    ends_game: bool = param("yes/no", "The first player to go down ends the game.", False)
    missing_in_source: tuple[str, ...] = param("names", "Parameters a lost source leaves open: to be filled in before play.", ())
    # Melds
    min_set: int = param("cards", "Least size of a set.", 3, least=2, most=8)
    max_set: int | None = param("cards", "Greatest size of a set; empty for no limit.", None, least=2, most=60)
    min_run: int = param("cards", "Least length of a run.", 4, least=2, most=13)
    exact_sets: bool = param("yes/no", "Sets laid when going down have exactly the least size.", False)
    exact_runs: bool = param("yes/no", "Runs laid when going down have exactly the least size.", False)
    max_run: int | None = param("cards", "Greatest length of a run; empty for no limit.", 13, least=3, most=60)
    ace: str = param("choice", "Where an ace may stand in a run.", "both", choices=("both", "high", "low"))
    two_aces: bool = param("yes/no", "A long run may hold a low and a high ace, each its own card.", False)
    wrap: bool = param("yes/no", "A run may pass through the ace (Q-K-A-2).", False)
    wild_limit: int | None = param("cards", "Most wild cards in one meld; empty for no limit.", None, least=0, most=20)
    wild_ratio: str = param(
        "choice", "When wild cards may not outnumber natural cards in a meld.", "free", choices=("free", "opening", "always")
    )
    set_naturals: int = param("cards", "Least natural cards in a set.", 0, least=0, most=8)
    adjacent_wilds: bool = param("yes/no", "Two wild cards may stand side by side in a run.", True)
    all_wild: str = param("choice", "Melds made only of wild cards.", "no", choices=("no", "declared", "sets"))
    touching_runs: bool = param("yes/no", "One player's runs of one suit may touch end to end when going down.", True)
    same_suit_runs: bool = param("yes/no", "One player may go down with two runs of one suit.", True)
    same_rank_sets: bool = param("yes/no", "One player may go down with two sets of one rank.", True)
    set_repeat_suits: bool = param("yes/no", "A set laid when going down may hold a suit twice.", True)
    extra_melds_opening: bool = param("yes/no", "More melds than the contract asks for may be laid when going down.", False)
    extra_melds_later: bool = param("yes/no", "New melds may be laid after going down.", False)
    # Lay-offs and wild cards on the table
    layoff_opening: str = param(
        "choice", "Melds on which a player may lay off in the turn of going down.", "any", choices=("any", "others", "none")
    )
    layoff_later: str = param(
        "choice", "Melds on which a player may lay off in later turns.", "any", choices=("any", "others", "none")
    )
    swap_run: bool = param("yes/no", "A wild card in a run may be replaced by the card it stands for.", False)
    swap_set: bool = param("yes/no", "A wild card in a set may be replaced.", False)
    swap_target: str = param(
        "choice",
        "Where a freed wild card must be played.",
        "any",
        choices=("any", "another-meld", "own-run", "same-run"),
    )
    # Claims and discards
    claims: int | None = param(
        "claims", "Claims of the discard a player may make in a hand; empty for no limit.", None, least=0, most=20
    )
    claim_penalty: int = param("cards", "Penalty cards drawn with each claim.", 1, least=0, most=5)
    claim_priority: str = param(
        "choice", "Who gets a claimed discard.", "nearest-left", choices=("nearest-left", "first-caller", "current-then-nearest")
    )
    claim_discarder: bool = param("yes/no", "The player who discarded may claim the card back, last of all.", True)
    claims_dead_pile: bool = param("yes/no", "After a claim the rest of the discard pile is dead.", True)
    claims_after_opening: bool = param("yes/no", "A player who has gone down may still claim.", True)
    discard: str = param(
        "choice", "Cards that may not be discarded.", "any", choices=("any", "not-playable", "not-just-taken", "shanghai-call")
    )
    discard_binds_unopened: bool = param("yes/no", "The ban on playable discards also binds players who are not down.", False)
    # End of the hand
    discard_to_go_out: bool = param("yes/no", "The last card must be a discard.", True)
    play_last_two: bool = param("yes/no", "The last two cards must both be played; nobody goes out by discarding.", False)
    twice_around: bool = param("yes/no", "When all are down and nobody is out, each has two more turns.", False)
    stock_turnovers: int = param("times", "How often the stock is turned over before the hand ends.", 1, least=0, most=9)
    # Points
    points: Mapping[str, int | None] = param("points", "Penalty points of a card left in hand, by rank, colour or face.")
    missing_card: int = param("points", "Points for each card missing from a hand at the count.", 10, least=0, most=1000)
    lowest_wins: bool = param("yes/no", "The lowest total wins.", True)
    tie_break: str = param("choice", "What parts equal totals.", "shared", choices=("shared", "hands-out"))
    borrowed: tuple[str, ...] = param("names", "Chapters taken from the house rules because the source has none.", ())
    # Extras of single variants
    out_in_one_turn: int = param("points", "Points for going down and out in one turn.", 0, least=-1000, most=1000)
    exact_cut: int = param("points", "Points for the player who cuts exactly the cards of the deal.", 0, least=-1000, most=1000)
    buy_cost: int = param("pennies", "Price of a claim, paid to the kitty.", 0, least=0, most=10000)
    kitty_split: tuple[int, ...] = param("parts", "Shares of the kitty by place, such as 2 and 1.", ())
    payouts: tuple[int, ...] = param("pennies", "What each place gets or pays; they sum to zero.", ())
    progress: str = param("choice", "Who moves on to the next contract.", "together", choices=("together", "individual"))
    teams: bool = param("yes/no", "Players sit in partnerships.", False)
    target: int | None = param(
        "points", "The game ends when a player reaches this total; empty for a fixed number of hands.", None, least=1, most=100000
    )

    def __hash__(self) -> int:
        return hash((self.id, self.name, self.hands))

    def hand(self, number: int, at: str = "hand") -> HandRule:
        """Give the rule of hand ``number`` (counted from 1).

        Raises:
            BadQuestion: the game has no such hand, or its contract still has to be entered by the league.
        """
        if not self.hands:
            raise BadQuestion(f"the hands of “{self.id}” are not in the source: enter them before play", at)
        if self.target is not None and number >= 1:
            return self.hands[(number - 1) % len(self.hands)]
        if not 1 <= number <= len(self.hands):
            raise BadQuestion(f"there is no hand {number}: this game has {len(self.hands)}", at)
        return self.hands[number - 1]

    def deck_count(self, players: int) -> int:
        """Give the number of packs for a table of ``players``."""
        return self.decks(players, 0)

    def joker_count(self, players: int) -> int:
        """Give the number of jokers in all packs together."""
        return self.jokers(players, self.deck_count(players))

    def value(self, card: str) -> int | None:
        """Give the penalty points of one card left in hand; ``None`` where the league has yet to enter it."""
        return self.card_values[card]

    @cached_property
    def card_values(self) -> Mapping[str, int | None]:
        """Give the points of every face, the most particular line of ``points`` winning: face, colour, rank."""
        values: dict[str, int | None] = {}
        for card in (*NATURALS, JOKER):
            if card == JOKER:
                keys: tuple[str, ...] = (JOKER,)
            else:
                keys = (card, f"{card[0]} {'red' if is_red(card) else 'black'}", card[0])
            values[card] = next((self.points[key] for key in keys if key in self.points), None)
        return MappingProxyType(values)

    @property
    def ready(self) -> bool:
        """Tell whether a game can be played: nothing that the source lost is still open."""
        return bool(self.hands) and None not in self.card_values.values()


# ---------------------------------------------------------------------------------------------------------------------
# Reading: a preset file, then a league's overrides, then checks. Every refusal names the parameter.

_FIELDS: Final[dict[str, Field[Any]]] = {item.name: item for item in fields(RuleSet)}
_LEAGUE_MAY_NOT_SET: Final = frozenset({"id", "borrowed", "missing_in_source"})
_HAND_KEYS: Final = frozenset(item.name for item in fields(HandRule))
_HAND_FLAGS: Final = ("all_cards", "must_go_out", "no_discard", "ends_game", "exact_sets", "exact_runs")
_CARD_PATTERN: Final = re.compile(rf"(?:JK|[{RANKS}](?: red| black|[SHDC])?)")
MOST_HANDS: Final = 30


def preset_ids() -> tuple[str, ...]:
    """Give the ids of all presets, in the order in which they are offered."""
    return _PRESET_ORDER


_PRESET_ORDER: Final = (
    "house", "continental", "contract", "gather", "shanghai", "may-i", "fifteen", "magnus", "basic",
    "liverpool", "shanghai-rum", "progressive", "spanish", "carioca", "kalooki",
)  # fmt: skip


@lru_cache(maxsize=32)
def _preset_data(preset: str) -> Mapping[str, Any]:
    text = files("continental.rules").joinpath("presets", f"{preset}.toml").read_text(encoding="utf-8")
    return MappingProxyType(tomllib.loads(text))


@lru_cache(maxsize=32)
def preset(name: str) -> RuleSet:
    """Give the rule set of a preset.

    Raises:
        BadQuestion: there is no preset of that name.
    """
    if name not in _PRESET_ORDER:
        raise BadQuestion(f"there is no rule set “{name[:40]}”", "rules")
    return _build(dict(_preset_data(name)))


def load(rules: object, at: str = "rules") -> RuleSet:
    """Give the rule set that a question or a league's sheet names.

    Args:
        rules: the id of a preset, or a mapping with ``base`` (the id) and any parameters that differ.
        at: the place in the question, for the error.

    Raises:
        BadQuestion: an unknown preset, an unknown parameter, or a value that parameter cannot have.
    """
    if isinstance(rules, str):
        return preset(rules)
    if not isinstance(rules, Mapping):
        raise BadQuestion("the rule set is the id of a preset, or an object with “base”", at)
    try:
        return _load_overrides(json.dumps(rules, sort_keys=True))
    except (TypeError, RecursionError) as error:
        raise BadQuestion("the rule set is not plain data", at) from error


@lru_cache(maxsize=256)
def _load_overrides(text: str) -> RuleSet:
    overrides = json.loads(text)
    base = overrides.pop("base", None)
    if not isinstance(base, str):
        raise BadQuestion("“base” names the preset that the rule set starts from", "rules.base")
    if base not in _PRESET_ORDER:
        raise BadQuestion(f"there is no rule set “{base[:40]}”", "rules.base")
    data = dict(_preset_data(base))
    for key, value in overrides.items():
        if key not in _FIELDS or key in _LEAGUE_MAY_NOT_SET:
            raise BadQuestion(f"there is no parameter “{key[:40]}”", f"rules.{key[:40]}")
        if key == "points" and isinstance(value, dict):
            data[key] = {**data.get(key, {}), **value}
        else:
            data[key] = value
    return _build(data)


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
    values["hands"] = _read_hands(data.get("hands", []), {**_defaults(), **values})
    rules = RuleSet(**values)
    _check(rules)
    return rules


def _defaults() -> dict[str, Any]:
    return {name: item.default for name, item in _FIELDS.items() if item.default is not MISSING}


def _read_plain(item: Field[Any], value: object, at: str) -> Any:
    """Read a number, a yes or no, a choice or a text, as the parameter's declaration says."""
    meta = item.metadata
    if meta["choices"]:
        if value not in meta["choices"]:
            raise BadQuestion(f"“{str(value)[:40]}” is none of: {', '.join(meta['choices'])}", at)
        return value
    if meta["unit"] == "yes/no":
        if not isinstance(value, bool):
            raise BadQuestion("yes or no (true or false) is wanted", at)
        return value
    if meta["unit"] == "text":
        if not isinstance(value, str) or not 1 <= len(value) <= 200:
            raise BadQuestion("a text of 1 to 200 characters is wanted", at)
        return value
    if value is None or (value == "none" and "None" in str(item.type)):
        if "None" not in str(item.type):
            raise BadQuestion("a number is wanted", at)
        return None
    return _integer(value, at, meta["least"], meta["most"])


def _integer(value: object, at: str, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadQuestion("a whole number is wanted", at)
    if not least <= value <= most:
        raise BadQuestion(f"{value} is not between {least} and {most}", at)
    return value


def _read_count(value: object, at: str) -> Count:
    """Read a fixed number or one of the tables.

    These are ``{"per_deck": 1}``, ``{"half_of_players": 1}`` (at least), ``{"players_less": 1}`` and ``{"by_players": …}``.
    """
    if isinstance(value, int):
        return Count("fixed", _integer(value, at, 0, 60))
    if isinstance(value, Mapping) and len(value) == 1:
        ((key, inner),) = value.items()
        match key:
            case "per_deck":
                return Count("per-deck", _integer(inner, at, 0, 8))
            case "half_of_players":
                return Count("half-of-players", _integer(inner, at, 1, 30))
            case "players_less":
                _integer(inner, at, 1, 1)
                return Count("players-less-one")
            case "by_players":
                return Count("by-players", table=_read_table(inner, at))
    raise BadQuestion("a number is wanted, or how it hangs on the players", at)


def _read_table(value: object, at: str) -> tuple[tuple[int, int], ...]:
    """Read a table such as ``{"4": 2, "8": 3}``: up to four players two, up to eight three."""
    if not isinstance(value, Mapping) or not all(str(key).isdecimal() and len(str(key)) < 3 for key in value):
        raise BadQuestion("a table from a number of players to a number is wanted", at)
    return tuple(sorted((int(key), _integer(number, at, 0, 60)) for key, number in value.items()))


def _read_wild(value: object, at: str) -> frozenset[str]:
    """Read patterns of wild cards: ``JK``, a rank, a face such as ``AH``, or a rank of one colour such as ``A red``."""
    if not isinstance(value, list):
        raise BadQuestion("a list of wild cards is wanted", at)
    wild: set[str] = set()
    for pattern in value:
        if not isinstance(pattern, str) or not _CARD_PATTERN.fullmatch(pattern):
            raise BadQuestion(f"“{str(pattern)[:20]}” is no card, rank or rank of one colour", at)
        wild.update(card for card in (*NATURALS, JOKER) if _matches(card, pattern))
    return frozenset(wild)


def _matches(card: str, pattern: str) -> bool:
    if card == JOKER or pattern == JOKER:
        return card == pattern
    rank, _, rest = pattern[0], "", pattern[1:].strip()
    if card[0] != rank:
        return False
    if rest in {"red", "black"}:
        return is_red(card) == (rest == "red")
    return not rest or card[1] == rest


def _read_points(value: object, at: str) -> Mapping[str, int | None]:
    if not isinstance(value, Mapping):
        raise BadQuestion("a table from cards to points is wanted", at)
    points: dict[str, int | None] = {}
    for key, number in value.items():
        if not isinstance(key, str) or not _CARD_PATTERN.fullmatch(key):
            raise BadQuestion(f"“{str(key)[:20]}” is no rank, rank of one colour or card", at)
        points[key] = None if number is None else _integer(number, f"{at}.{key}", -1000, 1000)
    return MappingProxyType(points)


def _read_names(value: object, at: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BadQuestion("a list of names is wanted", at)
    return tuple(value)


def _read_numbers(value: object, at: str) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) > 60:
        raise BadQuestion("a list of numbers is wanted", at)
    return tuple(_integer(item, f"{at}[{index}]", -1_000_000, 1_000_000) for index, item in enumerate(value))


def _read_hands(value: object, whole: Mapping[str, Any]) -> tuple[HandRule, ...]:
    """Read the list of hands; what a hand does not say holds as for the whole game."""
    at = "rules.hands"
    if not isinstance(value, list) or len(value) > MOST_HANDS:
        raise BadQuestion(f"a list of at most {MOST_HANDS} hands is wanted", at)
    return tuple(_read_hand(item, f"{at}[{index}]", whole) for index, item in enumerate(value))


def _read_hand(item: object, at: str, whole: Mapping[str, Any]) -> HandRule:
    if not isinstance(item, Mapping):
        raise BadQuestion("a hand is an object with “contract” and “deal”", at)
    unknown = sorted(set(map(str, item)) - _HAND_KEYS)
    if unknown:
        raise BadQuestion(f"a hand has no parameter “{unknown[0][:40]}”", f"{at}.{unknown[0][:40]}")
    contract = item.get("contract")
    if contract is not None and not isinstance(contract, str):
        raise BadQuestion("a contract such as “2S 1R” is wanted", f"{at}.contract")
    deal = item.get("deal")
    if deal is None and not whole.get("deal_by_players"):
        raise BadQuestion("the number of cards to deal is missing", f"{at}.deal")
    claims = item.get("claims", whole["claims"])
    flags = {name: _flag(item, name, at, whole) for name in _HAND_FLAGS}
    return HandRule(
        contract=None if contract is None else Contract.parse(contract, f"{at}.contract"),
        deal=None if deal is None else _integer(deal, f"{at}.deal", 1, 40),
        claims=None if claims is None or claims == "none" else _integer(claims, f"{at}.claims", 0, 20),
        penalty=_integer(item.get("penalty", whole["claim_penalty"]), f"{at}.penalty", 0, 5),
        discard_to_go_out=_flag(item, "discard_to_go_out", at, whole),
        min_run=_integer(item.get("min_run", whole["min_run"]), f"{at}.min_run", 2, 13),
        **flags,
    )


def _flag(item: Mapping[str, Any], name: str, at: str, whole: Mapping[str, Any]) -> bool:
    value = item.get(name, whole.get(name, False))
    if not isinstance(value, bool):
        raise BadQuestion("yes or no (true or false) is wanted", f"{at}.{name}")
    return value


_READERS: Final = {
    "decks": _read_count,
    "jokers": _read_count,
    "wild": _read_wild,
    "points": _read_points,
    "deal_by_players": _read_table,
    "hands": lambda value, at: (),
    "missing_in_source": _read_names,
    "borrowed": _read_names,
    "kitty_split": _read_numbers,
    "payouts": _read_numbers,
}


def _check(rules: RuleSet) -> None:
    """Refuse parameters that contradict each other, naming the second of the two."""
    if rules.players_max is not None and rules.players_max < rules.players_min:
        raise BadQuestion("the most players are fewer than the fewest", "rules.players_max")
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
    if rules.progress != "together" or rules.teams:
        raise BadQuestion("this engine scores players one by one, all on the same hand", "rules.progress")
