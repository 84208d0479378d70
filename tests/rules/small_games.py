"""Small games: a few cards and a few melds on the table, and what the solver and the naive search make of them."""

import json
import random
from collections.abc import Sequence
from typing import Any

from continental.rules.arrangements import spell
from continental.rules.arranging import arranged
from continental.rules.cards import JOKER, RANKS, SUITS, Laid
from continental.rules.melds import Meld, Wanted, judge_meld
from continental.rules.notation import format_cards, parse_cards, parse_laid
from continental.rules.openings import judge_opening
from continental.rules.parameters import HandRule, RuleSet
from continental.rules.referee import answer
from continental.rules.solver import BestPlay, LaidMeld, best_play, lay_down, open_with_all
from continental.rules.turn_question import Lying

from .brute import Brute, BruteMeld, Piece


def small_hand(rng: random.Random, rules: RuleSet, size: int) -> tuple[str, ...]:
    """Cards from few suits and neighbouring ranks, with wild cards, so that melds are not rare."""
    suits = rng.sample(SUITS, rng.choice([1, 2, 2, 3]))
    first = rng.randrange(13)
    ranks = [RANKS[(first + step) % 13] for step in range(rng.choice([4, 5, 6, 7, 9]))]
    cards = [rank + suit for rank in ranks for suit in suits] * 2
    rng.shuffle(cards)
    cards = cards[:size]
    wilds = sorted(rules.wild)
    for place in range(min(rng.choice([0, 0, 1, 1, 2, 3]), len(cards)) if wilds else 0):
        cards[place] = rng.choice(wilds) if rng.random() < 0.5 else JOKER
    return tuple(sorted(cards))


def small_table(rng: random.Random, rules: RuleSet, brute: Brute, count: int) -> list[tuple[BruteMeld, Meld]]:
    """Legal melds of other players, each in the words of the naive search and of the solver."""
    table: list[tuple[BruteMeld, Meld]] = []
    while len(table) < count:
        meld = random_run(rng, rules, brute) if rng.random() < 0.6 else random_set(rng, rules)
        if meld is None or not brute.may_lie(meld, True) or all(piece.card in rules.wild for piece in meld.pieces):
            continue
        table.append((meld, read_meld(meld, rules)))
    return table


def read_meld(meld: BruteMeld, rules: RuleSet) -> Meld:
    """A meld of the naive search as the solver reads it."""
    spoken = [Laid(piece.card, (piece.rank + meld.suit) if piece.wild else None) for piece in meld.pieces]
    read = judge_meld(spoken, rules, Wanted("run" if meld.kind == "run" else "set", 1)).meld
    assert read is not None
    assert read.wild_count == sum(piece.wild for piece in meld.pieces)
    return read


def spelt_meld(cards: str, rules: RuleSet, owner: str = "A") -> tuple[BruteMeld, Meld]:
    """A meld of the table, written down: the value of every wild card is spoken (``JK=7H``, in a set ``JK=7``)."""
    laid = parse_laid(cards)
    values = [item.spoken or item.card for item in laid]
    run = len({value[0] for value in values}) > 1
    pieces = tuple([Piece(item.card, value[0], item.spoken is not None) for item, value in zip(laid, values, strict=True)])
    if run:
        meld = BruteMeld("run", pieces, values[0][1], RANKS.index(values[0][0]) + 1, owner=owner)
    else:
        meld = BruteMeld("set", tuple(sorted(pieces)), rank=values[0][0], owner=owner)
    return meld, read_meld(meld, rules)


def random_run(rng: random.Random, rules: RuleSet, brute: Brute) -> BruteMeld | None:
    low, suit = rng.randrange(1, 14), rng.choice(SUITS)
    pieces = []
    for place in range(low, low + rng.choice([3, 4, 4, 5])):
        rank = brute.rank_at(place)
        if rank is None:
            return None
        card = rng.choice(sorted(rules.wild)) if rules.wild and rng.random() < 0.25 else rank + suit
        pieces.append(Piece(card, rank, card != rank + suit))
    return BruteMeld("run", tuple(pieces), suit, low, owner=rng.choice("AB"))


def random_set(rng: random.Random, rules: RuleSet) -> BruteMeld:
    rank = rng.choice(RANKS)
    pieces = []
    for _ in range(rng.choice([3, 3, 4])):
        card = rng.choice(sorted(rules.wild)) if rules.wild and rng.random() < 0.25 else rank + rng.choice(SUITS)
        pieces.append(Piece(card, rank, card == JOKER or card[0] != rank))
    return BruteMeld("set", tuple(sorted(pieces)), rank=rank, owner=rng.choice("AB"))


def planted_hand(rng: random.Random, rules: RuleSet, hand: HandRule, extra: int) -> tuple[str, ...]:
    """Cards that were an opening, with wild cards put in; now and then one of them is another card."""
    cards: list[str] = []
    for slot in hand.contract.slots if hand.contract else ():
        if slot.kind == "run":
            low, suit = rng.randrange(1, 14), rng.choice(SUITS[: rng.choice([1, 2, 4])])
            size = (slot.size or hand.min_run) + rng.choice([0, 0, 0, 1])
            cards += [RANKS[(low + step) % 13] + suit for step in range(size)]
        else:
            size = 2 if slot.kind == "pair" else (slot.size or rules.min_set) + rng.choice([0, 0, 1])
            rank = rng.choice(RANKS)
            cards += [rank + rng.choice(SUITS) for _ in range(size)]
    wilds = sorted(rules.wild)
    for place in range(len(cards)) if wilds else ():
        if rng.random() < 0.2:
            cards[place] = rng.choice(wilds) if rng.random() < 0.6 else JOKER
    if cards and rng.random() < 0.25:
        cards[rng.randrange(len(cards))] = rng.choice(RANKS) + rng.choice(SUITS)
    cards += [rng.choice(RANKS) + rng.choice(SUITS) for _ in range(extra)]
    return tuple(sorted(cards[:9]))


class SmallGame:
    """A hand of cards under a sheet, with melds of others on the table, and what both ways of answering need."""

    def __init__(
        self, sheet: dict[str, Any], rules: RuleSet, cards: Sequence[str], table: Sequence[tuple[BruteMeld, Meld]] = ()
    ) -> None:
        """Put a question about the first hand of the sheet."""
        self.sheet = sheet
        self.rules = rules
        self.hand = rules.hand(1)
        self.brute = Brute(self.rules, self.hand)
        self.cards = tuple(sorted(cards))
        self.table = list(table)
        self.lying = tuple(Lying(f"t{place}", mine.owner, meld) for place, (mine, meld) in enumerate(self.table))

    def __str__(self) -> str:
        table = [f"{lying.owner}: {format_cards(spell(lying.meld))}" for lying in self.lying if lying.meld]
        return f"{json.dumps(self.sheet)} | {format_cards(self.cards)} | {table}"

    def check_all(self) -> bool:
        """Every card in the opening: as the naive search says, and legal."""
        found = open_with_all(self.cards, self.rules, self.hand)
        assert (found is not None) == self.brute.can_open_with_all(self.cards), self
        if found is not None:
            assert sorted(item.card for meld in found.melds for item in meld.cards) == sorted(self.cards), self
            self.check_opening(found.melds)
        return found is not None

    def check_lay_down(self) -> bool:
        """As many cards as the naive search can lay, and legal."""
        found = lay_down(self.cards, self.rules, self.hand)
        laid = [item.card for meld in found.melds for item in meld.cards] if found else []
        assert len(laid) == self.brute.most_laid(self.cards), self
        if found is not None:
            assert sorted((*laid, *found.left)) == sorted(self.cards), self
            self.check_opening(found.melds)
        return found is not None

    def check_best(self) -> bool:
        """As few points left as the naive search finds, and a legal turn."""
        found = best_play(self.cards, self.rules, self.hand, self.lying)
        wanted = self.brute.best(self.cards, tuple(mine for mine, _ in self.table))
        played = found.discard is not None or not found.left
        assert ((found.points or 0, len(found.left)) if played else None) == wanted, (str(self), found)
        if played:
            self.check_turn(found)
        return played

    def check_opening(self, melds: tuple[LaidMeld, ...]) -> None:
        """The referee finds nothing wrong with the melds, and reads them as they are meant."""
        opening = judge_opening([meld.cards for meld in melds], self.rules, self.hand)
        assert opening.legal, (str(self), melds, opening)
        for meld, read in zip(melds, opening.melds, strict=True):
            assert read is not None
            assert read.values == meld.values, (str(self), meld, read)

    def check_turn(self, found: BestPlay) -> None:
        """The referee finds the whole turn legal, and the same cards left."""
        actions = arranged(found, {lying.id for lying in self.lying})["actions"]
        table = [
            {
                "id": lying.id,
                "owner": lying.owner,
                "kind": lying.meld.kind,
                "cards": format_cards(lying.meld.cards),
                "as": list(lying.meld.values),
            }
            for lying in self.lying
            if lying.meld
        ]
        asked = {
            "ask": "turn",
            "rules": self.sheet,
            "players": 8,
            "hand": 1,
            "table": table,
            "player": "C",
            "opened": [] if self.hand.ends_game else ["A", "B"],
            "held": format_cards(self.cards),
            "actions": actions,
        }
        verdict = answer(asked)
        assert verdict.get("verdict") in ("legal", "impossible"), (str(self), asked, verdict)
        if verdict["verdict"] == "legal":
            assert sorted(parse_cards(verdict["held"]) if isinstance(verdict["held"], str) else verdict["held"]) == sorted(
                found.left
            )
