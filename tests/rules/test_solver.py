"""The solver against a naive search that tries everything, on small hands under every rule set and many overrides."""

import json
import os
import random
from typing import Any

import pytest

from continental.rules.cards import JOKER, RANKS, SUITS
from continental.rules.errors import BadQuestion
from continental.rules.melds import Wanted, judge_meld
from continental.rules.notation import format_cards, parse_cards, parse_laid
from continental.rules.openings import judge_opening
from continental.rules.referee import answer
from continental.rules.rulesets import load, preset_ids
from continental.rules.solver import best_play, lay_down, open_with_all
from continental.rules.solver.binding import only_binding
from continental.rules.solver.budget import Budget
from continental.rules.solver.play import MOST_STEPS, ONES
from continental.rules.solver.scene import scene_of
from continental.rules.solver.search import Search
from continental.rules.solver.serving import Eased, Server
from continental.rules.solver.terms import terms_of
from continental.rules.turn_question import read_table

from ..bench.generator import FOLDER
from .brute import Brute
from .random_sheets import FIFTEEN_POINTS
from .small_games import SmallGame, planted_hand, small_hand, small_table

SMALL_CONTRACTS = ("1S", "1R3", "2S", "1S 1R3", "2R3", "1P 1R3", "1R4", "3S", "1P 1S")
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


class Question(SmallGame):
    """A random question about one preset with a few parameters changed."""

    def __init__(self, base: str, number: int, size: int = 0) -> None:
        """Make a question with ``size`` random cards, or, without a size, with cards in which an opening was planted."""
        rng = random.Random(f"{base} {number} {size}")
        while True:
            sheet = small_sheet(rng, base)
            try:
                rules = load(sheet)
                break
            except BadQuestion:
                continue
        hand = rules.hand(1)
        if size or hand.contract is None:
            cards = small_hand(rng, rules, size or 7)
        else:
            cards = planted_hand(rng, rules, hand, rng.choice([0, 0, 1, 2]))
        super().__init__(sheet, rules, cards, small_table(rng, rules, Brute(rules, hand), rng.choice([0, 1, 2, 3])))


def freed_question(number: int) -> SmallGame:
    """A question in which red aces lie as wild cards in runs of the table, cards in hand can free them, and wild cards count."""
    rng = random.Random(f"freed {number}")
    limits: list[dict[str, Any]] = [{"wild_limit": 1}, {"wild_limit": 2}, {"wild_ratio": "always"}, {"adjacent_wilds": False}]
    while True:
        sheet = {**small_sheet(rng, "continental"), "swap_run": True, **rng.choice(limits)}
        try:
            rules = load(sheet)
        except BadQuestion:
            continue
        table = small_table(rng, rules, Brute(rules, rules.hand(1)), 2)
        stood = [
            piece.rank + meld.suit
            for meld, _ in table
            for piece in meld.pieces
            if meld.kind == "run" and piece.wild and piece.card != JOKER
        ]
        if not stood:
            continue
        suits = [meld.suit for meld, _ in table if meld.suit] or ["S"]
        near = [rank + rng.choice(suits) for rank in "23QK"]
        cards = [rng.choice(stood), *rng.choices(["AS", "AC", "AH", "AD", "JK", *near], k=5)]
        return SmallGame(sheet, rules, cards, table)


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


def test_no_play_leaves_fewer_points_where_freed_wild_cards_may_stand_as_themselves() -> None:
    """Of the numbers beyond the first sixty, each gave a wrong answer once."""
    found = [freed_question(number).check_best() for number in (*range(LONG or 60), 870, 2012, 2289, 2462, 2906)]
    assert any(found)


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


@pytest.mark.parametrize("base", preset_ids())
def test_no_play_is_lost_by_what_the_sweep_forgets_and_leaves_out(base: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scenes = []
    for number in range(20):
        asked = Question(base, number)
        scenes.append(scene_of(terms_of(asked.rules, asked.hand), asked.cards, ONES, asked.lying))
    quick = [Search(scene, Budget(10**6)).best() for scene in scenes]
    monkeypatch.setattr(Server, "shifts_wilds", lambda _: False)
    monkeypatch.setattr(Server, "ease", lambda _, service, *__: Eased(service.entries, service.totals, service.moves))
    full = [Search(scene, Budget(10**7)).best() for scene in scenes]
    assert [plan and plan.worth for plan in quick] == [plan and plan.worth for plan in full]
    assert any(full)


@pytest.mark.parametrize(
    ("base", "number", "size"),
    [
        pytest.param("shanghai", 591, 0, id="two runs of a suit, each with as many wild cards as naturals, that may not touch"),
        pytest.param("kalooki", 6921, 0, id="all can be played but one that a table set would take, not a joker, is discarded"),
        pytest.param("progressive", 3252, 0, id="a set that takes cards from runs but no wild card for them"),
        pytest.param("carioca", 3732, 0, id="an ace that a set or a run may take, and wild cards enough for both"),
        pytest.param("shanghai", 109, 6, id="a wild card is discarded that no meld may take"),
        pytest.param("continental", 3492, 6, id="a freed red ace is laid off on a set that has all the wild cards it may have"),
        pytest.param("contract", 7009, 6, id="a natural is swapped into a new set of wild cards, and the freed one laid off"),
        pytest.param("magnus", 68776, 6, id="two aces, one in a new run and one below a run of the table"),
    ],
)
def test_limits_that_hang_together_are_kept_together(base: str, number: int, size: int) -> None:
    assert Question(base, number, size).check_best()


@pytest.mark.parametrize("cards", ["8H 9S 9S JK JK JK", "8H 2S 2S JK JK JK", "8H KS KS JK JK JK"])
def test_a_natural_is_laid_off_on_a_run_of_wild_cards_with_which_it_may_not_go_down(cards: str) -> None:
    sheet = {"base": "house", "hands": [{"contract": "1R3", "deal": 10, "min_run": 3}], "wild_ratio": "opening", "max_run": 13}
    assert SmallGame(sheet, load(sheet), parse_cards(cards)).check_best()
    found = best_play(parse_cards(cards), load(sheet), load(sheet).hand(1))
    assert len(found.left) == 1


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


def test_the_last_wild_card_is_not_laid_beside_a_wild_card_at_the_low_end_of_a_run() -> None:
    rules = load({"base": "kalooki", "hands": [{"contract": "1S", "deal": 10}]})
    table = read_table([{"id": "t1", "owner": "A", "kind": "run", "cards": "JK 7H 8H 9H"}], rules)
    found = best_play(parse_cards("9C 9D 9S 4H 2C JK"), rules, rules.hand(1), table)
    assert found.possible
    assert len(found.left) == 1


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


def test_the_hardest_legal_turns_take_half_of_the_steps_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("continental.rules.solver.play.MOST_STEPS", MOST_STEPS // 2)
    for line in (FOLDER / "hardest.jsonl").read_text(encoding="utf-8").splitlines():
        answered = answer(json.loads(line))
        assert "error" not in answered, line


def test_a_search_that_would_run_away_is_given_up_honestly() -> None:
    jokers = {"base": "kalooki", "decks": 8, "jokers": 16, "discard": "not-playable"}
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
