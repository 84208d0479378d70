"""The solver against a naive search that tries everything, on small hands under every rule set and many overrides."""

import json
import os
import random
from typing import Any

import pytest

from continental.rules.arrangements import spell
from continental.rules.arranging import arranged
from continental.rules.cards import JOKER, RANKS, SUITS, Laid
from continental.rules.errors import BadQuestion
from continental.rules.melds import Meld, Wanted, judge_meld
from continental.rules.notation import format_cards, parse_cards, parse_laid
from continental.rules.openings import judge_opening
from continental.rules.parameters import HandRule, RuleSet
from continental.rules.referee import answer
from continental.rules.rulesets import load, preset_ids
from continental.rules.solver import BestPlay, LaidMeld, best_play, lay_down, open_with_all
from continental.rules.solver.binding import only_binding
from continental.rules.solver.budget import Budget
from continental.rules.solver.play import ONES
from continental.rules.solver.scene import scene_of
from continental.rules.solver.search import Search
from continental.rules.solver.terms import terms_of
from continental.rules.turn_question import Lying, read_table
from tests.rules.brute import Brute, BruteMeld, Piece

SMALL_CONTRACTS = ("1S", "1R3", "2S", "1S 1R3", "2R3", "1P 1R3", "1R4", "3S", "1P 1S")
FIFTEEN_POINTS = dict.fromkeys("3456789TJQKA", 5) | {"2": 20, "JK": 25}
SWITCHES = (
    "touching_runs",
    "same_suit_runs",
    "same_rank_sets",
    "adjacent_wilds",
    "swap_run",
    "swap_set",
    "set_repeat_suits",
)


def small_sheet(rng: random.Random, base: str) -> dict[str, Any]:
    """A rule sheet with a contract that a small hand can meet, and a few parameters changed."""
    sheet: dict[str, Any] = {"base": base}
    if base == "fifteen":
        sheet["points"] = FIFTEEN_POINTS
    if base == "basic":
        sheet["hands"] = [{}]
        return sheet
    contract = rng.choice(SMALL_CONTRACTS)
    hand: dict[str, Any] = {"contract": contract, "deal": 10, "min_run": 3 if "R3" in contract else 4}
    for flag in ("all_cards", "no_discard", "must_go_out"):
        if rng.random() < 0.1:
            hand[flag] = True
    sheet["hands"] = [hand]
    if rng.random() < 0.4:
        sheet[rng.choice(SWITCHES)] = rng.random() < 0.5
    changes: list[tuple[float, str, list[Any]]] = [
        (0.2, "wild_ratio", ["free", "opening", "always"]),
        (0.2, "all_wild", ["no", "sets", "declared"]),
        (0.15, "layoff_opening", ["any", "others", "none"]),
        (0.1, "max_run", [4, 5, 6, 13]),
        (0.1, "max_set", [3, 4, 5]),
        (0.1, "wild_limit", [1, 2]),
        (0.1, "swap_target", ["any", "another-meld", "own-run", "same-run"]),
        (0.1, "discard", ["any", "not-playable"]),
        (0.1, "discard_to_go_out", [True, False]),
    ]
    for chance, key, values in changes:
        if rng.random() < chance:
            sheet[key] = rng.choice(values)
    return sheet


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
        spoken = [Laid(piece.card, (piece.rank + meld.suit) if piece.wild else None) for piece in meld.pieces]
        read = judge_meld(spoken, rules, Wanted("run" if meld.kind == "run" else "set", 1)).meld
        assert read is not None
        assert read.wild_count == sum(piece.wild for piece in meld.pieces)
        table.append((meld, read))
    return table


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


class Question:
    """A random question, and what both ways of answering it need."""

    def __init__(self, base: str, number: int, size: int = 0) -> None:
        """Make a question with ``size`` random cards, or, without a size, with cards in which an opening was planted."""
        rng = random.Random(f"{base} {number} {size}")
        while True:
            self.sheet = small_sheet(rng, base)
            try:
                self.rules = load(self.sheet)
                break
            except BadQuestion:
                continue
        self.hand = self.rules.hand(1)
        self.brute = Brute(self.rules, self.hand)
        if size or self.hand.contract is None:
            self.cards = small_hand(rng, self.rules, size or 7)
        else:
            self.cards = planted_hand(rng, self.rules, self.hand, rng.choice([0, 0, 1, 2]))
        self.table = small_table(rng, self.rules, self.brute, rng.choice([0, 1, 2, 3]))
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


LONG = 2000 if os.environ.get("CONTINENTAL_LONG") else 0
"""In the long run (``CONTINENTAL_LONG=1``) so many questions of each kind are asked under every rule set; it takes an hour."""


@pytest.mark.parametrize("base", preset_ids())
def test_every_card_is_laid_whenever_it_can_be(base: str) -> None:
    found = [Question(base, number, size).check_all() for number in range(LONG or 25) for size in (6, 0)]
    assert len(set(found)) == 2 or base == "basic", "nothing was asked"


@pytest.mark.parametrize("base", preset_ids())
def test_a_lay_down_uses_as_many_cards_as_possible(base: str) -> None:
    for number in range(LONG or 20):
        for size in (7, 0):
            Question(base, number, size).check_lay_down()


@pytest.mark.parametrize("base", preset_ids())
def test_no_play_leaves_fewer_points_than_the_best(base: str) -> None:
    found = [Question(base, number, size).check_best() for number in range(LONG or 20) for size in (6, 0)]
    assert any(found), "nothing was asked"


@pytest.mark.parametrize("base", preset_ids())
def test_a_limit_that_the_cards_cannot_break_may_as_well_be_forgotten(base: str) -> None:
    forgotten = 0
    for number in range(20):
        asked = Question(base, number)
        scene = scene_of(terms_of(asked.rules, asked.hand), asked.cards, ONES, asked.lying)
        binding = only_binding(scene)
        forgotten += binding != scene.terms
        kept = Search(scene, Budget(10**6)).best()
        eased = Search(scene_of(binding, asked.cards, ONES, asked.lying), Budget(10**6)).best()
        assert (kept and kept.worth) == (eased and eased.worth), asked
    assert forgotten


@pytest.mark.parametrize(
    ("base", "number", "size"),
    [
        pytest.param("shanghai", 591, 0, id="two runs of a suit, each with as many wild cards as naturals, that may not touch"),
        pytest.param("shanghai", 109, 6, id="a wild card is discarded that no meld may take"),
    ],
)
def test_limits_that_hang_together_are_kept_together(base: str, number: int, size: int) -> None:
    assert Question(base, number, size).check_best()


def test_a_discard_is_found_though_every_dearer_card_could_be_played() -> None:
    rules = load("contract")
    melds = ["QD QC QS", "5H 6H 7H 8H 9H TH", "JH QH KH AH", "5C 5D 5H", "8D JK JK JD QD KD", "KC KS KD", "3C 4C 5C 6C"]
    table = [
        {"id": f"t{number}", "owner": "A", "kind": "set" if meld[0] == meld[3] else "run", "cards": meld}
        for number, meld in enumerate([*melds, "AH 2H 3H 4H", "JK 7D 8D 9D"])
    ]
    cards = parse_cards("2S 3S 4S 5S AD 2D 3D 4D TD JD QD KD TH QH JH 5C 3H")
    found = best_play(cards, rules, rules.hand(7), read_table(table, rules))
    assert (found.points, found.left, found.discard) == (0, (), "3H")


def test_ten_thousand_cards_are_refused_by_name_of_the_place() -> None:
    refused = answer({"ask": "arrange", "rules": "house", "players": 4, "hand": 1, "cards": "7H " * 10_000, "use": "best"})
    assert refused["at"] == "cards"


def test_a_card_more_often_than_the_packs_hold_it_is_refused() -> None:
    refused = answer({"ask": "arrange", "rules": "house", "players": 4, "hand": 1, "cards": "7H 7H 7H", "use": "best"})
    assert refused["at"] == "cards"
    assert "7H" in refused["error"]


def test_what_is_spoken_can_be_read_again() -> None:
    rules = load("house")
    found = open_with_all(parse_cards("JK JK JK JK 9C 9D 9S"), rules, rules.hand(2))
    assert found is not None
    for meld in found.melds:
        assert parse_laid(format_cards(meld.cards)) == meld.cards
    assert judge_opening([meld.cards for meld in found.melds], rules, rules.hand(2)).legal


def test_a_natural_wild_card_spoken_as_another_is_read_beside_a_natural() -> None:
    rules = load("continental")
    laid = parse_laid("AD=JH QH JK AH=AH")
    assert judge_meld(laid, rules, Wanted("run", 4)).legal
    assert not judge_meld(laid, rules, Wanted("set", 3)).legal


def arranged_question(cards: str, **changes: Any) -> dict[str, Any]:
    return {"ask": "arrange", "rules": "house", "players": 8, "hand": 6, "cards": cards, "use": "best", **changes}


def test_renaming_the_suits_changes_no_points() -> None:
    rng = random.Random("suits")
    for _ in range(20):
        cards = [rng.choice(RANKS) + rng.choice(SUITS) for _ in range(14)]
        turned = [card[0] + SUITS[(SUITS.index(card[1]) + 1) % 4] for card in cards]
        first = answer(arranged_question(format_cards(cards), players=30))
        second = answer(arranged_question(format_cards(turned), players=30))
        assert (first["possible"], first["points"]) == (second["possible"], second["points"]), cards


def test_the_same_cards_in_any_order_have_the_same_answer() -> None:
    cards = ["9C", "9D", "9S", "4H", "5H", "6H", "7H", "9H", "TH", "JH", "QH", "2C", "JK", "3D"]
    answers = set()
    for seed in range(5):
        random.Random(seed).shuffle(cards)
        answers.add(json.dumps(answer(arranged_question(" ".join(cards)))))
    assert len(answers) == 1


def test_a_permission_never_leaves_more_points() -> None:
    rng = random.Random("permissions")
    for _ in range(20):
        cards = format_cards([rng.choice(RANKS[:8]) + rng.choice(SUITS[:3]) for _ in range(14)])
        strict = answer(arranged_question(cards, players=30))
        free = answer(
            arranged_question(cards, players=30, rules={"base": "house", "touching_runs": True, "same_rank_sets": True})
        )
        assert free["points"] <= strict["points"], cards


@pytest.mark.parametrize(
    ("question", "place"),
    [
        (arranged_question("7H 7X"), "cards"),
        (arranged_question("7H=8H"), "cards"),
        (arranged_question("7H", use="some"), "use"),
        (arranged_question("7H", hand=8), "hand"),
        (arranged_question("7H", table=[{"id": "t1", "owner": "A", "kind": "run", "cards": "7H 9H"}]), "table[0].cards"),
        (arranged_question("7H", table=[{"id": "t1", "owner": "A", "kind": "heap", "cards": "7H"}]), "table[0].kind"),
        (arranged_question("7H", table={}), "table"),
        (arranged_question("7H", player="A"), "player"),
        (arranged_question(" ".join(rank + suit for rank in RANKS for suit in SUITS)), "cards"),
    ],
)
def test_what_cannot_be_read_is_refused_at_its_place(question: dict[str, Any], place: str) -> None:
    refused = answer(question)
    assert refused["at"] == place
    assert refused["error"]


def test_a_search_that_would_run_away_is_given_up_honestly() -> None:
    jokers = {"base": "kalooki", "decks": 8, "jokers": 16}
    cards = " ".join(["JK"] * 12 + [rank + suit for rank in RANKS[:8] for suit in SUITS])
    table = [
        {"id": f"t{place}", "owner": "A", "kind": "run", "cards": f"5{suit} JK 7{suit} 8{suit}"}
        for place, suit in enumerate(SUITS)
    ]
    refused = answer(arranged_question(cards, rules=jokers, table=table, hand=7))
    assert refused["at"] == "cards"
    assert refused["error"].startswith("too large")


@pytest.mark.parametrize(
    ("contract", "cards"),
    [("1R3", "4H JK JK 7H 2C"), ("1R5", "5H JK JK JK 9H TH 2C"), ("1S 1R5", "5H JK JK JK 9H TH 2C 2D 2S 7S")],
)
def test_a_run_may_keep_to_the_ratio_although_no_shorter_part_of_it_does(contract: str, cards: str) -> None:
    rules = load({"base": "shanghai-rum", "hands": [{"contract": contract, "deal": 10, "min_run": 3}]})
    found = lay_down(parse_cards(cards), rules, rules.hand(1))
    assert found is not None
    assert len(found.left) == 1


def test_a_run_of_wild_cards_alone_holds_none_in_its_own_place() -> None:
    sheet = {"base": "fifteen", "hands": [{"contract": "2R3", "deal": 10, "min_run": 3}], "same_suit_runs": False}
    rules = load({**sheet, "points": FIFTEEN_POINTS, "wild_ratio": "always"})
    found = lay_down(parse_cards("2H 2S 2S 4S 5S 6H 6S"), rules, rules.hand(1))
    assert found is not None
    assert found.left == ("6H",)
    assert judge_opening([meld.cards for meld in found.melds], rules, rules.hand(1)).legal
