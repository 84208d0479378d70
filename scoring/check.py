"""The questions of the check pages: read from an address, asked of the referee, and written into an address again.

An address holds the whole question, so that it can be handed round: ``m`` a meld laid, ``ma`` what is laid off on it
afterwards and at which end ``mae``, ``d`` the discard, ``left`` what stays in hand, ``out`` that nothing does, ``down`` that
the player has gone down before; for each meld on the table ``t`` its cards, ``to`` whose it is, ``l`` what is laid off on it
and at which end ``le``, ``l2`` and ``le2`` what is laid off on it after that, ``s`` the card put in a joker's place and ``sw``
where the joker goes; ``from`` where the card ``dr`` was drawn, ``b`` cards taken back and ``bl`` when they were laid. ``c`` is
a hand to be arranged.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from django.http import QueryDict

from continental.rules.cards import Laid
from continental.rules.errors import BadQuestion
from continental.rules.notation import format_cards, parse_laid
from continental.rules.parameters import HandRule, RuleSet
from scoring import reasons, sheet_words
from scoring import referee_words as words

LONGEST_ADDRESS: Final = 6000
MOST_MELDS: Final = 12
MOST_ON_TABLE: Final = 20
MOST_CARDS: Final = 120
MOST_PLAYERS: Final = 12


@dataclass(frozen=True)
class Setting:
    """Under which rules a question is asked.

    Attributes:
        rules: the rule set.
        data: how the protocol names it.
        hand: the hand, from 1.
        players: how many play.
        key: how an address names the rule set, where it is chosen on the page.
    """

    rules: RuleSet
    data: Any
    hand: int
    players: int
    key: str = ""

    @property
    def hand_rule(self) -> HandRule:
        return self.rules.hand(self.hand)

    @property
    def whole(self) -> bool:
        """Whether going down in this hand is judged by all cards held."""
        rule = self.hand_rule
        return rule.all_cards or rule.no_discard or rule.must_go_out

    def question(self, ask: str, **more: Any) -> dict[str, Any]:
        return {"ask": ask, "rules": self.data, "players": self.players, "hand": self.hand, **more}


@dataclass
class Row:
    """Cards in one row of the page, as they were typed, and as they were read.

    Attributes:
        key: the row's name on the page: ``m0``, ``t1``, ``d`` …
        text: the notation; canonical where it can be read.
        cards: the cards read; none where the text cannot be.
        trouble: why it cannot be read.
        marks: the numbers of the faults that concern a card, by the card's place.
        faulty: the numbers of the faults that concern the whole row.
    """

    key: str
    text: str = ""
    cards: tuple[Laid, ...] = ()
    trouble: str = ""
    marks: dict[int, list[int]] = field(default_factory=dict)
    faulty: list[int] = field(default_factory=list)

    @property
    def drawn(self) -> list[tuple[Laid, list[int]]]:
        """Each card with the numbers of its faults."""
        return [(laid, self.marks.get(place, [])) for place, laid in enumerate(self.cards)]


def read_row(key: str, text: str, *, one: bool = False, spoken: bool = True) -> Row:
    """Read what was typed into a row."""
    text = " ".join(text.split())
    tokens = text.replace(",", " ").replace(";", " ").split()
    if len(tokens) > MOST_CARDS:
        return Row(key, text[:200], trouble=words.trouble("many-cards", count=len(tokens), most=MOST_CARDS))
    laid: list[Laid] = []
    for token in tokens:
        try:
            laid += parse_laid(token)
        except BadQuestion:
            return Row(key, text, trouble=words.trouble("card", typed=token[:20]))
        if laid[-1].spoken and not spoken:
            return Row(key, text, trouble=words.trouble("spoken", typed=token[:20]))
    if one and len(laid) > 1:
        return Row(key, text, trouble=words.trouble("one-card", count=len(laid)))
    return Row(key, format_cards(laid), tuple(laid))


ENDS: Final = ("low", "high")
DRAWS: Final = ("stock", "discard", "claim")
"""Where a card was drawn; claimed is a discard taken out of turn."""


@dataclass
class Added:
    """Cards laid off on a meld, and at which end where the player said so."""

    row: Row
    end: str = ""


@dataclass
class TableMeld:
    """A meld on the table, and what the player does with it this turn: one lay-off, another at the other end, a swap."""

    row: Row
    mine: bool = False
    add: Added = field(default_factory=lambda: Added(Row("")))
    more: Added = field(default_factory=lambda: Added(Row("")))
    swap: Row = field(default_factory=lambda: Row(""))
    to: str = ""

    def untouched(self) -> "TableMeld":
        """Give the meld as it lay before the turn."""
        return TableMeld(self.row, self.mine, Added(Row(self.add.row.key)), Added(Row(self.more.row.key)), Row(self.swap.key))

    @classmethod
    def empty(cls, index: int) -> "TableMeld":
        """A place for one more meld."""
        return cls(Row(f"t{index}"), False, Added(Row(f"l{index}")), Added(Row(f"x{index}")), Row(f"s{index}"))

    def kind(self, rules: RuleSet) -> str:
        """Say what the cards are: naturals of one rank are a set, all others a run."""
        ranks = {(laid.spoken or laid.card)[0] for laid in self.row.cards if laid.spoken or laid.card not in rules.wild}
        return "set" if len(ranks) < 2 else "run"


@dataclass
class Asked:
    """A question of the check page. Empty melds keep their place, because the contract names the rows in order.

    Attributes:
        additions: what is laid off on each of ``melds`` once it lies.
        back: cards taken back from melds; ``back_earlier`` where they were not laid this turn.
    """

    melds: list[Row] = field(default_factory=list)
    additions: list[Added] = field(default_factory=list)
    table: list[TableMeld] = field(default_factory=list)
    drawn: Row = field(default_factory=lambda: Row("dr"))
    drawn_from: str = ""
    back: Row = field(default_factory=lambda: Row("b"))
    back_earlier: bool = False
    discard: Row = field(default_factory=lambda: Row("d"))
    left: Row = field(default_factory=lambda: Row("left"))
    out: bool = False
    down: bool = False
    who: str = ""
    troubles: list[str] = field(default_factory=list)

    @property
    def rows(self) -> Iterator[Row]:
        """Every row of the page that holds cards."""
        yield from self.melds
        yield from (added.row for added in self.added)
        for meld in self.table:
            yield from (meld.row, meld.swap)
        yield from (self.drawn, self.back, self.discard, self.left)

    @property
    def added(self) -> Iterator[Added]:
        """Every lay-off of the page, in the order in which they are played."""
        for meld in self.table:
            yield from (meld.add, meld.more)
        yield from self.additions

    @property
    def empty(self) -> bool:
        """Whether nothing is played yet, so that there is nothing to judge."""
        swaps = [meld.swap for meld in self.table]
        return not any(row.text for row in [*self.melds, *(added.row for added in self.added), *swaps, self.back, self.discard])

    @property
    def readable(self) -> bool:
        return not self.troubles and not any(row.trouble for row in self.rows)

    def query(self) -> QueryDict:
        """Write the question as the parameters of an address, as short as it can be."""
        query = QueryDict(mutable=True)
        melds = [row.text for row in self.melds]
        while melds and not melds[-1]:
            melds.pop()
        query.setlist("m", melds)
        table = list(self.table)
        while table and not table[-1].row.text:
            table.pop()
        query.setlist("t", [meld.row.text for meld in table])
        for name, values in {
            "ma": [added.row.text for added in self.additions],
            "mae": [added.end for added in self.additions],
            "to": ["mine" if meld.mine else "" for meld in table],
            "l": [meld.add.row.text for meld in table],
            "le": [meld.add.end for meld in table],
            "l2": [meld.more.row.text for meld in table],
            "le2": [meld.more.end for meld in table],
            "s": [meld.swap.text for meld in table],
            "sw": [meld.to if meld.swap.text else "" for meld in table],
        }.items():
            if any(values):
                query.setlist(name, values)
        for name, value in {
            "from": self.drawn_from,
            "dr": self.drawn.text,
            "b": self.back.text,
            "bl": "earlier" if self.back_earlier else "",
            "d": self.discard.text,
            "left": self.left.text,
            "out": "1" if self.out else "",
            "down": "1" if self.down and not self.who else "",
            "who": self.who,
        }.items():
            if value:
                query[name] = value
        return query


def read_asked(query: QueryDict) -> Asked:
    """Read a question from the parameters of an address; what is too much or unreadable is noted, never raised."""
    asked = Asked(out=query.get("out") == "1", down=query.get("down") == "1", who=query.get("who", "")[:4])
    if len(query.getlist("m")) > MOST_MELDS or len(query.getlist("t")) > MOST_ON_TABLE:
        asked.troubles.append(words.trouble("many-melds", most=MOST_MELDS))
        return asked
    asked.melds = [read_row(f"m{index}", text) for index, text in enumerate(query.getlist("m"))]
    nth = _nth(query)
    asked.additions = [
        Added(read_row(f"a{index}", nth("ma", index)), _end(nth("mae", index))) for index in range(len(asked.melds))
    ]
    asked.drawn_from = query.get("from", "") if query.get("from") in DRAWS else ""
    asked.drawn = read_row("dr", query.get("dr", ""), one=True, spoken=False)
    asked.back = read_row("b", query.get("b", ""), spoken=False)
    asked.back_earlier = query.get("bl") == "earlier"
    asked.discard = read_row("d", query.get("d", ""), one=True, spoken=False)
    asked.left = read_row("left", query.get("left", ""), spoken=False)
    asked.table = read_table(query)
    count = sum(len(row.cards) for row in asked.rows)
    if count > 3 * MOST_CARDS:
        asked.troubles.append(words.trouble("many-cards", count=count, most=3 * MOST_CARDS))
    return asked


def _nth(query: QueryDict) -> Callable[[str, int], str]:
    """Give what an address says of the meld with a number; nothing where it is silent."""

    def nth(name: str, index: int) -> str:
        values = query.getlist(name)
        return values[index] if index < len(values) else ""

    return nth


def _end(text: str) -> str:
    return text if text in ENDS else ""


def read_table(query: QueryDict) -> list[TableMeld]:
    """Read the melds on the table. Empty ones keep their place, for the others are called by their number."""
    nth = _nth(query)
    table = []
    for index, text in enumerate(query.getlist("t")[:MOST_ON_TABLE]):
        table.append(
            TableMeld(
                read_row(f"t{index}", text),
                nth("to", index) == "mine",
                Added(read_row(f"l{index}", nth("l", index)), _end(nth("le", index))),
                Added(read_row(f"x{index}", nth("l2", index)), _end(nth("le2", index))),
                read_row(f"s{index}", nth("s", index), one=True, spoken=False),
                nth("sw", index)[:10],
            )
        )
    return table


def lying(asked: Asked, wild: Collection[str]) -> list[str]:
    """Give the cards that lie open once the turn is over: not what is left, taken back or kept of jokers, nor the card drawn."""
    held = (asked.left, asked.drawn, asked.back)
    shown = Counter(laid.card for row in asked.rows if row not in held for laid in row.cards)
    shown.subtract(laid.card for laid in asked.back.cards)
    for meld in asked.table:
        joker = next((laid.card for laid in meld.row.cards if laid.card in wild), None)
        if joker and meld.swap.cards and meld.to == "hand":
            shown[joker] -= 1
    return sorted(shown.elements())


# ---------------------------------------------------------------------------------------------------------------------
# Asking


def turn_question(setting: Setting, asked: Asked) -> tuple[dict[str, Any], list[list[Row]]]:
    """Build the question ``turn``: a player goes down or plays on, swaps, lays off, takes back, and discards.

    Returns:
        The question, and for each of its actions the rows whose cards it plays.
    """
    steps = list(_steps(asked))
    question = setting.question("turn", player="me", actions=[action for action, _rows in steps])
    if table := table_data(setting.rules, asked.table):
        question["table"] = table
    if asked.down:
        question["opened"] = ["me"]
    if asked.drawn_from:
        question["draw"] = {"from": "stock" if asked.drawn_from == "stock" else "discard"}
        if asked.drawn.cards:
            question["draw"]["card"] = asked.drawn.text
    if asked.drawn_from == "claim":
        question["claimed"] = True
    if asked.left.cards or asked.out or (setting.whole and not asked.down):
        question["held"] = format_cards(_held(asked, steps))
    return question, [rows for _action, rows in steps]


Step = tuple[dict[str, Any], list[Row]]
"""An action of the protocol, and the rows of the page whose cards it plays."""


def _steps(asked: Asked) -> Iterator[Step]:
    """Give what is done in the turn, in the order in which a table would do it."""
    laid = [(index, row) for index, row in enumerate(asked.melds) if row.cards]
    if laid and not asked.down:
        yield {"do": "open", "melds": [row.text for _index, row in laid]}, [row for _index, row in laid]
    else:
        yield from (({"do": "meld", "cards": row.text}, [row]) for _index, row in laid)
    for number, meld in _lying(asked.table):
        if meld.swap.cards:
            to = meld.to if _is_place(meld.to, asked.table, len(laid)) else f"t{number}"
            end = {"end": meld.add.end} if meld.add.end else {}
            yield {"do": "swap", "meld": f"t{number}", "card": meld.swap.text, "wild_to": to, **end}, [meld.swap]
    for number, meld in _lying(asked.table):
        yield from _lay_off(f"t{number}", meld.add)
        yield from _lay_off(f"t{number}", meld.more)
    for number, (index, _row) in enumerate(laid, start=1):
        if index < len(asked.additions):
            yield from _lay_off(f"m{number}", asked.additions[index])
    if asked.back.cards:
        when = "earlier" if asked.back_earlier else "this-turn"
        yield {"do": "takeback", "cards": asked.back.text, "laid": when}, [asked.back]
    if asked.discard.cards:
        yield {"do": "discard", "card": asked.discard.text}, [asked.discard]


def _lay_off(meld: str, added: Added) -> Iterator[Step]:
    if added.row.cards:
        end = {"end": added.end} if added.end else {}
        yield {"do": "layoff", "meld": meld, "cards": added.row.text, **end}, [added.row]


def _held(asked: Asked, steps: Iterable[Step]) -> list[str]:
    """Give all cards held after drawing: what is played, and what stays. A card taken back was played, and stays."""
    held = Counter(laid.card for laid in asked.left.cards)
    for action, rows in steps:
        cards = Counter(laid.card for row in rows for laid in row.cards)
        held = held - cards if action["do"] == "takeback" else held + cards
    return list(held.elements())


def _lying(table: Sequence[TableMeld]) -> Iterator[tuple[int, TableMeld]]:
    """Give the melds that lie on the table with their numbers."""
    return ((number, meld) for number, meld in enumerate(table, start=1) if meld.row.cards)


def _is_place(name: str, table: Sequence[TableMeld], laid: int) -> bool:
    """Tell whether a freed joker can be said to go there: ``hand``, ``discard``, or a meld that lies."""
    melds = {f"t{number}" for number, _meld in _lying(table)} | {f"m{number}" for number in range(1, laid + 1)}
    return name in {"hand", "discard", *melds}


def table_data(rules: RuleSet, table: Sequence[TableMeld]) -> list[dict[str, Any]]:
    """Write the melds on the table as the protocol has them."""
    return [
        {"id": f"t{number}", "owner": "me" if meld.mine else "other", "kind": meld.kind(rules), "cards": meld.row.text}
        for number, meld in _lying(table)
    ]


def arrange_question(setting: Setting, cards: Row, table: Sequence[TableMeld]) -> dict[str, Any]:
    """Build the question ``arrange``: what is the best that these cards can do?"""
    question = setting.question("arrange", cards=cards.text, use="best")
    if on_table := table_data(setting.rules, table):
        question["table"] = on_table
    return question


def refused(error: BadQuestion, setting: Setting, table: Sequence[TableMeld]) -> str:
    """Say why the referee could not read a question that the page built; a meld on the table carries its own trouble."""
    place = error.at.removeprefix("table[").split("]")[0]
    lying = [meld for _number, meld in _lying(table)]
    if error.at.startswith("table[") and place.isdecimal() and int(place) < len(lying):
        meld = lying[int(place)]
        code = "wild-unsaid" if error.message.startswith("say ") else f"no-{meld.kind(setting.rules)}"
        meld.row.trouble = words.trouble(code)
        return ""
    if error.message.startswith("too large"):
        return words.trouble("too-large")
    if error.at == "cards" and " times, and " in error.message:
        card = error.message.split(maxsplit=1)[0]
        return words.trouble("packs", players=setting.players, card=sheet_words.face(card))
    if error.at == "hand" and not setting.rules.hands:
        return words.trouble("not-ready")
    return words.trouble("unread", detail=reasons.say_within(error.message))


# ---------------------------------------------------------------------------------------------------------------------
# Other questions that are this one, changed


def with_melds(asked: Asked, melds: Sequence[str], back: Sequence[str], *, alone: bool) -> Asked:
    """Give the question with other melds laid: what ``instead`` says.

    Args:
        back: cards laid that go back to the hand; they are shown there if the page shows a hand at all.
        alone: nothing else is played than the melds.
    """
    shows_hand = bool(asked.left.cards) or asked.out
    left = read_row("left", " ".join([asked.left.text, *back])) if shows_hand and back else asked.left
    table = [meld.untouched() for meld in asked.table] if alone else asked.table
    rows = [read_row(f"m{index}", text) for index, text in enumerate(melds)]
    return replace(asked, melds=rows, additions=[], left=left, table=table, out=asked.out and not left.cards)


def with_row(asked: Asked, key: str, text: str) -> Asked:
    """Give the question with other cards in one row of melds."""
    return replace(asked, melds=[read_row(key, text) if row.key == key else row for row in asked.melds])


def with_end(asked: Asked, key: str, end: str) -> Asked:
    """Give the question with the end said at which the cards of a row are laid off."""
    return _with_added(asked, lambda added: replace(added, end=end) if added.row.key == key else added)


def parted(asked: Asked, key: str) -> Iterator[tuple[Asked, str, str]]:
    """Give the questions in which the cards of one lay-off go to both ends of its meld.

    Returns:
        Each question, with the cards at the low end and those at the high end.
    """
    for meld in asked.table:
        cards = meld.add.row.cards
        if meld.add.row.key != key or meld.more.row.cards:
            continue
        for cut in range(1, len(cards)):
            low, high = format_cards(cards[:cut]), format_cards(cards[cut:])
            lying = replace(meld, add=Added(read_row(key, low), "low"), more=Added(read_row(meld.more.row.key, high), "high"))
            table = [lying if other is meld else other for other in asked.table]
            yield replace(asked, table=table), low, high


def _with_added(asked: Asked, change: Callable[[Added], Added]) -> Asked:
    table = [replace(meld, add=change(meld.add), more=change(meld.more)) for meld in asked.table]
    return replace(asked, table=table, additions=[change(added) for added in asked.additions])
