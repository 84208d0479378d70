"""Make the published question files: ``python -m tests.bench.generator`` writes the same files every time.

Random deals can hardly ever open, so openings are planted: the melds of the contract are drawn, wild cards put in the place
of some of their cards, and in a part of the questions one card is exchanged for another, which nearly always makes them
impossible.
Cards come from real packs: no question holds a card more often than they do.
"""

import json
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, Final

from continental.rules.cards import JOKER, NATURALS, RANKS, SUITS
from continental.rules.contracts import Contract
from continental.rules.deals import cards_each
from continental.rules.errors import BadQuestion
from continental.rules.notation import format_cards, parse_laid, sort_cards
from continental.rules.parameters import RuleSet
from continental.rules.rulesets import load
from continental.rules.turn_question import read_table
from tests.rules.naive_referee import ladder
from tests.rules.table_talk import an_opening, rule_sets

FOLDER: Final = Path(__file__).parent / "questions"
PLAYERS: Final = 8
"""Four packs and, in the house rules, four jokers."""

SIX_JOKERS: Final[dict[str, Any]] = {"base": "house", "jokers": 6}


class Pack:
    """The cards of all packs, from which a question draws."""

    def __init__(self, rng: random.Random, rules: object, players: int = PLAYERS) -> None:
        """Shuffle nothing yet: cards are drawn as they are needed."""
        sheet = load(rules)
        self.rng = rng
        self.left = Counter(dict.fromkeys(NATURALS, sheet.deck_count(players)))
        self.left[JOKER] = sheet.joker_count(players)

    def take(self, card: str) -> str | None:
        """Take a card of this face, if there is one left."""
        if self.left[card] <= 0:
            return None
        self.left[card] -= 1
        return card

    def any_card(self) -> str:
        """Take a card at random."""
        cards = list(self.left.elements())
        card = self.rng.choice(cards)
        self.left[card] -= 1
        return card

    def run(self, size: int, joker: float) -> list[str] | None:
        """Take a run of ``size`` cards, each of them a joker with the probability ``joker``."""
        low, suit = self.rng.randrange(1, 16 - size), self.rng.choice(SUITS)
        return self._meld([RANKS[(low + step - 1) % 13] + suit for step in range(size)], joker)

    def set(self, rank: str, size: int, joker: float) -> list[str] | None:
        """Take a set of a rank."""
        return self._meld([rank + self.rng.choice(SUITS) for _ in range(size)], joker)

    def _meld(self, faces: list[str], joker: float) -> list[str] | None:
        before = self.left.copy()
        cards = []
        for face in faces:
            card = (self.take(JOKER) if self.rng.random() < joker else None) or self.take(face)
            if card is None:
                self.left = before
                return None
            cards.append(card)
        return cards


def planted(rng: random.Random, pack: Pack, contract: Contract, joker: float) -> list[str]:
    """Draw the melds of a contract; one in four is a card longer."""
    ranks = rng.sample(RANKS, len(contract.slots))
    cards: list[str] = []
    for slot, rank in zip(contract.slots, ranks, strict=True):
        meld = None
        while meld is None:
            longer = rng.random() < 0.25
            meld = pack.run(4 + longer, joker) if slot.kind == "run" else pack.set(rank, 3 + longer, joker)
        cards += meld
    return cards


def arrange_questions() -> list[dict[str, Any]]:
    """Every card in the opening of each of the seven house contracts: three in five planted, one of them spoilt;
    the rest random.
    """
    rng = random.Random("arrange")
    questions = []
    contracts = [hand.contract for hand in load("house").hands]
    for number, contract in enumerate(contracts, start=1):
        assert contract is not None
        made = 0
        while made < 60:
            pack = Pack(rng, "house")
            cards = planted(rng, pack, contract, rng.choice([0.0, 0.1, 0.2]))
            if made % 5 == 1:
                cards[rng.randrange(len(cards))] = pack.any_card()
            if made % 5 == 4:
                cards = [Pack(rng, "house").any_card() for _ in cards]
            if len(cards) > 13:
                continue
            made += 1
            questions.append(
                {
                    "ask": "arrange",
                    "rules": "house",
                    "players": PLAYERS,
                    "hand": number,
                    "cards": format_cards(sort_cards(cards)),
                    "use": "all",
                }
            )
    return questions


def best_questions(rules: object, count: int, jokers: int, seed: str) -> list[dict[str, Any]]:
    """Thirty cards, an opening among them, and a table of ten melds."""
    rng = random.Random(seed)
    questions: list[dict[str, Any]] = []
    while len(questions) < count:
        hand = rng.choice([2, 3, 5, 6])
        contract = load(rules).hand(hand).contract
        assert contract is not None
        pack = Pack(rng, rules)
        held = [card for card in (pack.take(JOKER) for _ in range(jokers)) if card]
        table: list[dict[str, str]] = []
        while len(table) < 10:
            size = rng.choice([4, 4, 5, 6])
            meld = pack.run(size, 0.05) if rng.random() < 0.5 else pack.set(rng.choice(RANKS), 3, 0.0)
            if meld is None or meld.count(JOKER) == len(meld):
                continue
            kind = "set" if len({card[0] for card in meld if card != JOKER}) == 1 else "run"
            table.append({"id": f"t{len(table) + 1}", "owner": rng.choice("ABC"), "kind": kind, "cards": format_cards(meld)})
        held += planted(rng, pack, contract, 0.0)
        held += [pack.any_card() for _ in range(30 - len(held))]
        questions.append(
            {
                "ask": "arrange",
                "rules": rules,
                "players": PLAYERS,
                "hand": hand,
                "cards": format_cards(sort_cards(held)),
                "use": "best",
                "table": table,
            }
        )
    return questions


HARDEST: Final = {
    "house": (49, 56),
    "continental": (64, 127, 58, 5, 47),
    "contract": (116, 64, 28),
    "shanghai": (93, 108),
    "fifteen": (121, 133),
    "magnus": (41, 95),
    "shanghai-rum": (69, 3),
    "progressive": (75,),
    "spanish": (93, 75, 55),
    "carioca": (0,),
    "kalooki": (145, 41, 86),
}
"""By preset turns that took longest, with one search or another, among the first 150 that :func:`legal_turns` gives."""


def hardest_questions() -> list[dict[str, Any]]:
    """Give the turns that took longest: cards that real packs could deal, and tables that players could lay."""
    questions = []
    for name, numbers in HARDEST.items():
        first = list(islice(legal_turns(name), max(numbers) + 1))
        questions += [first[number] for number in numbers]
    return questions


def legal_turns(name: str) -> Iterator[dict[str, Any]]:
    """Give turns of a preset for ever, the same ones every time."""
    rng, rules = random.Random(f"legal A {name}"), rule_sets()[name]
    while True:
        question = _legal_turn(rng, rules)
        if question is not None:
            yield question


def _legal_turn(rng: random.Random, rules: Any) -> dict[str, Any] | None:
    """Deal a hand, add the cards of some claims and a card drawn, and lay melds on the table; most hands hold an opening."""
    sheet = load(rules)
    number = rng.randint(1, len(sheet.hands))
    hand = sheet.hand(number)
    players = rng.randint(sheet.players_min, min(sheet.players_max or 8, 8))
    pack = Pack(rng, rules, players)
    claims = rng.randint(0, min(5 if hand.claims is None else hand.claims, 6))
    size = min(cards_each(sheet, hand, players) + 1 + (1 + hand.penalty) * claims, 32)
    held: list[str] = []
    for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
        held += _a_wild(rng, pack, sheet, 0.6)
    if hand.contract and rng.random() < 0.8:
        for slot in hand.contract.slots:
            least = hand.min_run if slot.kind == "run" else 2 if slot.kind == "pair" else sheet.min_set
            tries = (_a_meld(rng, pack, sheet, slot.kind, slot.size or least, rng.choice([0, 0, 0.1])) for _ in range(50))
            held += next(filter(None, tries), [])
    if len(held) > size:
        return None
    table: list[dict[str, str]] = []
    for _ in range(rng.choice([0, 2, 4, 6, 8, 10])):
        kind = rng.choice(["run", "set"])
        least = sheet.min_set + rng.choice([0, 0, 1]) if kind == "set" else min(hand.min_run + rng.choice([0, 0, 1, 2, 4]), 13)
        meld = _a_meld(rng, pack, sheet, kind, least, 0.12)
        if meld is not None:
            owner = rng.choice("ABCDEFG"[: players - 1])
            laid = {"id": f"t{len(table) + 1}", "owner": owner, "kind": kind, "cards": format_cards(meld)}
            with suppress(BadQuestion):
                table += [laid] if read_table([laid], sheet)[0].meld else []
    rest = [face for rank in RANKS for suit in SUITS for face in [rank + suit] * pack.left[rank + suit]]
    rest += [JOKER] * pack.left[JOKER]
    rng.shuffle(rest)
    held += rest[: size - len(held)]
    asked = {"ask": "arrange", "rules": rules, "players": players, "hand": number}
    return {**asked, "cards": format_cards(sort_cards(held)), "use": "best", "table": table}


def _a_wild(rng: random.Random, pack: Pack, sheet: RuleSet, joker: float) -> list[str]:
    """Take a wild card, if there is one left; a joker with the probability ``joker``."""
    if not sheet.wild:
        return []
    card = pack.take(JOKER if JOKER in sheet.wild and rng.random() < joker else rng.choice(sorted(sheet.wild)))
    return [card] if card else []


def _a_meld(rng: random.Random, pack: Pack, sheet: RuleSet, kind: str, size: int, wild: float) -> list[str] | None:
    """Take a run or a set, each of its cards a wild one with the probability ``wild``."""
    if kind == "run":
        suit = rng.choice(SUITS)
        faces = [rank + suit for rank in rng.choice(list(ladder(sheet, size)))[1]]
    else:
        rank = rng.choice(RANKS)
        faces = [rank + rng.choice(SUITS) for _ in range(size)]
    before = pack.left.copy()
    cards = []
    for face in faces:
        card = pack.take(rng.choice(sorted(sheet.wild))) if sheet.wild and rng.random() < wild else None
        card = card or pack.take(face)
        if card is None:
            pack.left = before
            return None
        cards.append(card)
    return cards


def opening_questions() -> list[dict[str, Any]]:
    """Openings of every preset that has contracts, half of them with one thing broken; every second one says what is held."""
    questions = []
    for name, rules in with_contracts().items():
        rng = random.Random(f"openings {name}")
        for number in range(25):
            question = an_opening(rng, rules)
            if number % 2:
                held = [item.card for meld in question["actions"][0]["melds"] for item in parse_laid(meld)]
                question["held"] = format_cards(sort_cards([*held, *["4S", "9D"][: rng.randrange(3)]]))
            questions.append(question)
    return questions


def with_contracts() -> dict[str, Any]:
    """Give the presets whose hands have contracts, as questions name them."""
    return {name: rules for name, rules in rule_sets().items() if load(rules).hands[0].contract is not None}


def hostile_questions() -> list[dict[str, Any]]:
    """What nobody is dealt and a search may choke on: up to 45 cards of few suits to lay whole, every joker of the packs among
    them; and openings of a dozen melds, of wild cards, and of cards that were shuffled.
    """
    questions: list[dict[str, Any]] = []
    for name, rules in with_contracts().items():
        rng = random.Random(f"hostile {name}")
        sheet = load(rules)
        for _ in range(6):
            pack, suits = Pack(rng, rules), rng.sample(SUITS, rng.choice([1, 1, 2, 3]))
            jokers = [card for card in (pack.take(JOKER) for _ in range(rng.choice([0, 2, 4, 8]))) if card]
            faces = [rank + suit for rank in RANKS for suit in suits] * sheet.deck_count(PLAYERS)
            cards = [*jokers, *rng.sample(faces, min(len(faces), rng.randint(12, 45) - len(jokers)))]
            number = rng.randint(1, len(sheet.hands))
            asked = {"ask": "arrange", "rules": rules, "players": PLAYERS, "hand": number}
            questions.append({**asked, "cards": format_cards(sort_cards(cards)), "use": "all"})
        questions += [_hostile_opening(rng, rules, kind) for kind in ("many melds", "wild cards", "shuffled") * 2]
    return questions


def _hostile_opening(rng: random.Random, rules: Any, kind: str) -> dict[str, Any]:
    question = an_opening(rng, rules)
    melds = [meld.split() for meld in question["actions"][0]["melds"]]
    if kind == "many melds":
        while len(melds) < 12:
            melds += [meld.split() for meld in an_opening(rng, rules)["actions"][0]["melds"]]
    elif kind == "wild cards":
        melds = [[rng.choice([card, JOKER]) for card in meld + meld[:2]] for meld in melds]
    else:
        cards = [card for meld in melds for card in meld] + rng.sample(NATURALS, 4)
        rng.shuffle(cards)
        melds = [cards[number :: len(melds)] for number in range(len(melds))]
    return {**question, "players": 30, "actions": [{"do": "open", "melds": [" ".join(meld) for meld in melds]}]}


def all_files() -> dict[str, list[dict[str, Any]]]:
    """Give the questions of every file."""
    return {
        "arrange": arrange_questions(),
        "openings": opening_questions(),
        "hostile": hostile_questions(),
        "best": best_questions("house", 30, 2, "best"),
        "hardest": hardest_questions(),
        "stress": best_questions(SIX_JOKERS, 15, 6, "stress"),
    }


def main() -> None:
    """Write the files."""
    FOLDER.mkdir(exist_ok=True)
    for name, questions in all_files().items():
        lines = [json.dumps(question) for question in questions]
        (FOLDER / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
