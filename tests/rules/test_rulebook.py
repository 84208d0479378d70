"""Rules of the rule book that no verdict cites by name, each shown by what the referee answers."""

from typing import Any, NamedTuple

import pytest

from continental.rules import rulesets
from continental.rules.catalogue import rules
from continental.rules.draw import judge_draw
from continental.rules.referee import answer

Question = dict[str, Any]
RUN_OF_SPADES = {"id": "r", "owner": "Ben", "kind": "run", "cards": "5S 6S JK 8S"}
SET_OF_NINES = {"id": "s", "owner": "Ben", "kind": "set", "cards": "9S 9H 9D"}
TABLE = [RUN_OF_SPADES, SET_OF_NINES]


def run(meld: str, cards: str) -> dict[str, str]:
    return {"id": meld, "owner": "Ben", "kind": "run", "cards": cards}


LOW_RUN = run("r", "3S 4S 5S 6S")
HIGH_RUN = run("t", "8S 9S TS JS")


class Said(NamedTuple):
    """A rule, a question it decides, and what must be in the answer."""

    rule: str
    about: str
    question: Question
    expected: dict[str, Any]


def turn(base: Any, hand: int, *actions: dict[str, Any], **more: Any) -> Question:
    asked = {"ask": "turn", "rules": base, "players": 4, "hand": hand, "player": "Ana", "actions": list(actions)}
    return {**asked, **more}


def down(base: Any, hand: int, *melds: str, then: tuple[dict[str, Any], ...] = (), **more: Any) -> Question:
    return turn(base, hand, {"do": "open", "melds": list(melds)}, *then, **more)


def later(base: Any, *actions: dict[str, Any], hand: int = 2, **more: Any) -> Question:
    return turn(base, hand, *actions, **{"table": TABLE, "opened": ["Ana", "Ben"], **more})


def layoff(meld: str, cards: str, end: str | None = None) -> dict[str, Any]:
    return {"do": "layoff", "meld": meld, "cards": cards} | ({"end": end} if end else {})


def swap(meld: str, card: str, to: str, end: str | None = None) -> dict[str, Any]:
    return {"do": "swap", "meld": meld, "card": card, "wild_to": to} | ({"end": end} if end else {})


def discard(card: str) -> dict[str, Any]:
    return {"do": "discard", "card": card}


def deal(base: Any, hand: int, players: int = 4, **more: Any) -> Question:
    return {"ask": "deal", "rules": base, "players": players, "hand": hand, **more}


def game(base: Any, hands: list[list[Any]], **more: Any) -> Question:
    return {"ask": "game", "rules": base, "players": len(hands[0]), "hands": hands, **more}


def count(base: Any, cards: str) -> Question:
    return {"ask": "count", "rules": base, "cards": cards, "missing": 0}


def seven(*scores: int) -> list[list[Any]]:
    return [list(scores) for _ in range(7)]


LEGAL = {"verdict": "legal"}
ILLEGAL = {"verdict": "illegal"}
SPANISH_ACES = {"base": "house", "two_aces": True, "max_run": 14}
FIFTEEN_TWO_RUNS = {
    "base": "fifteen",
    "hands": [{"contract": "2R", "deal": 10}, {"contract": "2S", "deal": 10}, {"contract": "1S 1P", "deal": 10}],
    "points": dict.fromkeys("A3456789TJQK", 5) | {"2": 25, "JK": 25},
}

SAID = [
    # The game
    Said("house.players.any", "nine players are welcome", deal("house", 1, 9), {"decks": 5, "jokers": 5}),
    Said("house.game.seven-hands", "there is no eighth", deal("house", 8), {"at": "hand"}),
    Said("house.game.seven-hands", "six hands place nobody", game("house", seven(10, 20, 30)[:6]), {"places": None}),
    *(
        Said("house.contract.table", f"hand {number}", deal("house", number), {"contract": contract})
        for number, contract in enumerate(["2S", "1S 1R", "2R", "3S", "2S 1R", "1S 2R", "3R"], start=1)
    ),
    *(Said("house.contract.minimum", f"hand {number}", deal("house", number), {"minimum": number + 5}) for number in range(1, 8)),
    Said("house.contract.minimum", "longer is fine", down("house", 1, "7H 7D 7S 7C", "KH KD KS KC KH"), LEGAL),
    Said("house.hands.lockstep", "one contract for all, down or not", deal("house", 2), {"contract": "1S 1R"}),
    Said("house.object.lowest", "fewest points", game("house", seven(30, 10, 20)), {"places": [3, 1, 2]}),
    Said("continental.object", "fewest points", game("continental", seven(30, 10, 20)), {"places": [3, 1, 2]}),
    Said("gather.seven", "seven deals, lowest wins", game("gather", seven(30, 10, 20)), {"places": [3, 1, 2]}),
    Said("house.deal.rotates-left", "hand 3", deal("house", 3, first_dealer=1), {"dealer": 3}),
    Said("continental.deal.high-card", "hand 2", deal("continental", 2, first_dealer=3), {"dealer": 0}),
    Said("contract.deal.rotation", "hand 4", deal("contract", 4, first_dealer=1), {"dealer": 0}),
    Said("house.deal.ten", "hand 4", deal("house", 4), {"cards_each": 10}),
    Said("house.deal.twelve", "hand 5", deal("house", 5), {"cards_each": 12}),
    Said("continental.deal.twelve", "hand 1", deal("continental", 1), {"cards_each": 12}),
    Said("contract.deal.sizes", "hand 4", deal("contract", 4), {"cards_each": 10}),
    Said("contract.deal.sizes", "hand 5", deal("contract", 5), {"cards_each": 12}),
    Said("house.deal.first-player", "after the dealer", deal("house", 1, first_dealer=3), {"first": 0}),
    Said("continental.first-player", "after the dealer", deal("continental", 1, first_dealer=2), {"first": 3}),
    Said("house.turn.next-left", "the order of seats", deal("house", 2, first_dealer=3), {"dealer": 0, "first": 1}),
    Said("contract.hands", "seven rounds", deal("contract", 7), {"contract": "3R"}),
    Said("contract.hands", "no eighth", deal("contract", 8), {"at": "hand"}),
    Said("magnus.rounds", "seven rounds", deal("magnus", 7), {"cards_each": 12}),
    Said("magnus.rounds", "no eighth", deal("magnus", 8), {"at": "hand"}),
    Said("basic.deal", "ten for two", deal("basic", 1, 2), {"cards_each": 10}),
    Said("basic.deal", "seven for four", deal("basic", 1, 4), {"cards_each": 7}),
    Said("basic.deal", "six for six", deal("basic", 1, 6), {"cards_each": 6}),
    Said("basic.dealer", "more than two: to the left", deal("basic", 2, 3), {"dealer": 1}),
    Said("basic.dealer", "two: who won, which is not known", deal("basic", 2, 2), {"dealer": None}),
    Said("fifteen.table", "nothing is invented", deal("fifteen", 1), {"at": "hand"}),
    Said("R-95", "nothing is invented", deal("fifteen", 14), {"at": "hand"}),
    Said("R-01", "one pack, one joker", deal("house", 1, 2), {"decks": 1, "jokers": 1}),
    Said(
        "R-01",
        "a missing score means a replay",
        {"ask": "hand", "rules": "house", "players": 2, "hand": 1, "scores": [5, None]},
        {"replay": True},
    ),
    Said("R-02", "eleven and twelve", deal("house", 1, 12), {"decks": 6}),
    Said("R-03", "four play with two packs", deal("continental", 1, 4), {"decks": 2}),
    Said("R-03", "two play with two packs", deal("continental", 1, 2), {"decks": 2}),
    # Points and totals
    *(Said("house.score.2-7", card, count("house", card), {"points": 5}) for card in ("2S", "5H", "7D")),
    *(Said("house.score.8-K", card, count("house", card), {"points": 10}) for card in ("8S", "TH", "JD", "QC", "KS")),
    Said(
        "R-74",
        "a late joiner has not finished",
        game("house", [[10, 20, "absent"], *seven(10, 20, 5)[1:]]),
        {
            "totals": [
                {"points": 70, "how": "complete"},
                {"points": 140, "how": "complete"},
                {"points": 210, "how": "substituted"},
            ]
        },
    ),
    Said(
        "R-83",
        "hand substitutes come before totals",
        game("house", [[10, 20, None], *seven(10, 20, 5)[1:]]),
        {
            "totals": [{"points": 70, "how": "complete"}, {"points": 140, "how": "complete"}, {"points": 60, "how": "complete"}],
            "places": [2, 3, 1],
        },
    ),
    # Sets, runs and wild cards
    Said("R-10", "fourteen cards", down("house", 2, "7H 7D 7S", "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"), ILLEGAL),
    Said("R-10", "a joker as the second ace", down("house", 2, "7H 7D 7S", "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS JK"), ILLEGAL),
    Said(
        "R-100",
        "both aces where the sheet lets them",
        down(SPANISH_ACES, 2, "7H 7D 7S", "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"),
        LEGAL,
    ),
    Said("R-11", "below a low ace", down("house", 2, "7H 7D 7S", "JK AS 2S 3S 4S"), ILLEGAL),
    Said("R-11", "above a high ace", down("house", 2, "7H 7D 7S", "JS QS KS AS JK"), ILLEGAL),
    Said("R-15", "identical cards in a set", down("house", 1, "7H 7H 7S", "KH KD KS"), LEGAL),
    Said("R-15", "identical cards in a run", down("house", 2, "7H 7D 7S", "4S 5S 5S 6S"), ILLEGAL),
    Said("R-16", "every seven of hearts is in sight", down("house", 2, "7H 7H 7S", "5H 6H JK 8H"), LEGAL),
    Said(
        "R-44",
        "a longer run leaves the joker alone",
        later("house", layoff("r", "4S")),
        {
            "melds": [
                {"id": "r", "owner": "Ben", "kind": "run", "cards": "4S 5S 6S JK 8S", "as": ["4S", "5S", "6S", "7S", "8S"]},
                {**SET_OF_NINES, "as": ["9S", "9H", "9D"]},
            ]
        },
    ),
    Said("R-90", "a red ace in a set of aces is natural", down("continental", 1, "AH AS JK", "7H 7D 7S"), LEGAL),
    Said("R-90", "a red ace in its own run is natural", down("continental", 2, "7S 7D 7C", "AH 2H JK 4H"), LEGAL),
    Said("R-90", "elsewhere a red ace is wild", down("continental", 1, "9S 9D AH", "7H 7D 7S"), LEGAL),
    Said(
        "R-91",
        "one wild too many after a lay-off",
        later("continental", layoff("r", "JK AD JK", "high"), table=[RUN_OF_SPADES]),
        ILLEGAL,
    ),
    # Touching runs and equal sets
    Said("R-18", "touching", down("house", 3, "3S 4S 5S 6S", "7S 8S 9S TS"), ILLEGAL),
    Said("R-18", "touching, typed the other way round", down("house", 3, "7S 8S 9S TS", "3S 4S 5S 6S"), ILLEGAL),
    Said("R-19", "a gap of one", down("house", 3, "3S 4S 5S 6S", "8S 9S TS JS"), LEGAL),
    Said("R-20", "overlapping", down("house", 3, "3S 4S 5S 6S", "5S 6S 7S 8S"), LEGAL),
    Said("R-20", "identical", down("house", 3, "3S 4S 5S 6S", "3S 4S 5S 6S"), LEGAL),
    Said("R-20", "nested", down("house", 3, "3S 4S 5S 6S 7S 8S", "4S 5S 6S 7S"), LEGAL),
    Said("R-21", "king and low ace", down("house", 3, "AS 2S 3S 4S", "TS JS QS KS"), LEGAL),
    Said("R-21", "high ace and low ace", down("house", 3, "AS 2S 3S 4S", "JS QS KS AS"), LEGAL),
    Said("R-22", "as laid", down("house", 3, "3S 4S 5S 6S 7S", "8S 9S TS JS"), ILLEGAL),
    Said("R-22", "the seven laid off", down("house", 3, "3S 4S 5S 6S", "8S 9S TS JS", then=(layoff("m1", "7S"),)), LEGAL),
    Said(
        "R-23",
        "touching by a later lay-off",
        later("house", layoff("r", "4S"), table=[RUN_OF_SPADES, run("t", "TS JS QS KS")]),
        LEGAL,
    ),
    Said("R-23", "the gap filled", later("house", layoff("r", "9S"), table=[RUN_OF_SPADES, run("t", "TS JS QS KS")]), LEGAL),
    Said(
        "gather.runs.connect-later",
        "the gap filled",
        later("gather", layoff("r", "7S"), hand=3, table=[run("r", "4S 5S 6S"), run("t", "8S 9S TS")]),
        LEGAL,
    ),
    Said("shanghai.runs.later", "the gap filled", later("shanghai", layoff("r", "7S"), hand=3, table=[LOW_RUN, HIGH_RUN]), LEGAL),
    Said("fifteen.runs.consecutive-ok", "touching", down(FIFTEEN_TWO_RUNS, 1, "3S 4S 5S 6S", "7S 8S 9S TS"), LEGAL),
    Said(
        "fifteen.runs.never-join",
        "two runs of four are not one of eight",
        later(FIFTEEN_TWO_RUNS, layoff("r", "7S"), hand=1, table=[LOW_RUN, HIGH_RUN]),
        {
            "verdict": "legal",
            "melds": [
                {"id": "r", "owner": "Ben", "kind": "run", "cards": "3S 4S 5S 6S 7S", "as": ["3S", "4S", "5S", "6S", "7S"]},
                {"id": "t", "owner": "Ben", "kind": "run", "cards": "8S 9S TS JS", "as": ["8S", "9S", "TS", "JS"]},
            ],
        },
    ),
    Said("continental.runs.contiguous-ok", "touching", down("continental", 3, "5S 6S 7S 8S", "9S TS JS QS"), LEGAL),
    Said(
        "continental.runs.contiguous-ok",
        "a second nine on the first run",
        later("continental", layoff("r", "9S"), hand=3, table=[run("r", "5S 6S 7S 8S"), run("t", "9S TS JS QS")]),
        LEGAL,
    ),
    Said("R-24", "the joker is a six", down("house", 3, "3S 4S 5S JK", "7S 8S 9S TS"), ILLEGAL),
    Said("R-24", "the joker in front is a two", down("house", 3, "JK 3S 4S 5S", "7S 8S 9S TS"), LEGAL),
    Said(
        "R-25",
        "the third touches the first",
        down(
            "house",
            7,
            "2S 3S 4S 5S",
            "8S 9S TS JS",
            "6S 7S 8S 9S",
            then=(discard("KD"),),
            held="2S 3S 4S 5S 8S 9S TS JS 6S 7S 8S 9S KD",
        ),
        ILLEGAL,
    ),
    Said(
        "R-26",
        "another player's run",
        down("house", 3, "9S TS JS QS", "3H 4H 5H 6H", table=[RUN_OF_SPADES], opened=["Ben"]),
        LEGAL,
    ),
    Said("continental.sets.same-rank-ok", "six jacks", down("continental", 1, "JS JH JD", "JC JS JH"), LEGAL),
    Said("fifteen.sets.same-rank-ok", "six jacks", down(FIFTEEN_TWO_RUNS, 2, "JS JH JD", "JC JS JH"), LEGAL),
    Said("R-27", "one natural and jokers", down("house", 4, "9S 9H 9D", "9C JK JK", "KS KH KD"), ILLEGAL),
    Said("R-28", "another player's nines", down("house", 1, "9S 9H 9C", "KS KH KD", table=[SET_OF_NINES], opened=["Ben"]), LEGAL),
    Said("R-29", "longer", down("house", 1, "7H 7D 7S 7C", "KH KD KS"), LEGAL),
    Said("R-29", "a third set", down("house", 1, "7H 7D 7S", "KH KD KS", "4H 4D 4S"), ILLEGAL),
    Said("R-30", "laying off before going down", turn("house", 2, layoff("s", "9C"), table=TABLE, opened=["Ben"]), ILLEGAL),
    Said("R-30", "swapping before going down", turn("house", 2, swap("r", "7S", "s"), table=TABLE, opened=["Ben"]), ILLEGAL),
    Said("R-31", "one set of two", down("house", 1, "7H 7D 7S"), ILLEGAL),
    Said(
        "R-31",
        "the other set later",
        turn(
            "house",
            1,
            {"do": "meld", "cards": "KH KD KS"},
            opened=["Ana"],
            table=[{"id": "s", "owner": "Ana", "kind": "set", "cards": "7H 7D 7S"}],
        ),
        ILLEGAL,
    ),
    Said("R-32", "six sevens", down("house", 1, "7H 7D 7S 7C 7H 7D", "KH KD KS"), LEGAL),
    Said(
        "R-33",
        "longer runs after a claim",
        down(
            "house",
            7,
            "3S 4S 5S 6S 7S 8S",
            "3H 4H 5H 6H",
            "3D 4D 5D 6D",
            then=(discard("KD"),),
            held="3S 4S 5S 6S 7S 8S 3H 4H 5H 6H 3D 4D 5D 6D KD",
        ),
        {"verdict": "legal", "goes_out": True, "ends_game": True},
    ),
    Said(
        "R-33",
        "cards left over",
        down(
            "house",
            7,
            "3S 4S 5S 6S",
            "3H 4H 5H 6H",
            "3D 4D 5D 6D",
            then=(discard("KD"),),
            held="3S 4S 5S 6S 3H 4H 5H 6H 3D 4D 5D 6D KD KC",
        ),
        ILLEGAL,
    ),
    # The turn
    Said("house.layoff.same-turn", "own melds", down("house", 1, "7H 7D 7S", "KH KD KS", then=(layoff("m1", "7C"),)), LEGAL),
    Said(
        "R-36",
        "down first, then laid off",
        down("house", 1, "7H 7D 7S", "KH KD KS", then=(layoff("s", "9C"),), table=TABLE, opened=["Ben"]),
        LEGAL,
    ),
    Said(
        "R-36",
        "laid off first",
        turn("house", 1, layoff("s", "9C"), {"do": "open", "melds": ["7H 7D 7S", "KH KD KS"]}, table=TABLE, opened=["Ben"]),
        ILLEGAL,
    ),
    Said(
        "R-38",
        "in the turn of going down",
        down("house", 2, "KH KD KS", "3H 4H 5H 6H", then=(swap("r", "7S", "m1"),), table=TABLE, opened=["Ben"]),
        LEGAL,
    ),
    Said("R-39", "to a set", later("house", swap("r", "7S", "s")), LEGAL),
    Said("R-39", "to the same run", later("house", swap("r", "7S", "r", "high")), LEGAL),
    Said("R-39", "kept", later("house", swap("r", "7S", "hand")), ILLEGAL),
    Said("R-39", "discarded", later("house", swap("r", "7S", "discard")), ILLEGAL),
    Said(
        "R-40",
        "out of the set again",
        later(
            "house",
            swap("s", "9C", "r", "high"),
            table=[RUN_OF_SPADES, {"id": "s", "owner": "Ben", "kind": "set", "cards": "9S 9H JK"}],
        ),
        ILLEGAL,
    ),
    Said(
        "R-41",
        "two in one turn",
        later("house", swap("r", "7S", "s"), swap("t", "5H", "s"), table=[*TABLE, run("t", "3H 4H JK 6H")]),
        LEGAL,
    ),
    Said("R-42", "another suit", later("house", swap("r", "7H", "s")), ILLEGAL),
    Said("R-42", "another rank", later("house", swap("r", "9S", "s")), ILLEGAL),
    Said(
        "R-43",
        "going down",
        down("house", 1, "7H 7D 7S", "KH KD KS", then=({"do": "takeback", "cards": "7H 7D 7S KH KD KS", "laid": "this-turn"},)),
        LEGAL,
    ),
    Said("R-43", "cards of an earlier turn", later("house", {"do": "takeback", "cards": "9S", "laid": "earlier"}), ILLEGAL),
    Said(
        "R-45",
        "the rest still stands",
        down("house", 2, "7H 7D 7S", "3S 4S 5S 6S 8S"),
        {"verdict": "illegal", "if_found_later": {"return": ["8S"], "stands": True}},
    ),
    Said("contract.down.still-draws", "a discard ends the turn", later("contract", discard("2D"), hand=2), LEGAL),
    Said(
        "magnus.object",
        "laying off and discarding",
        later("magnus", layoff("s", "9C"), discard("2D"), held="9C 2D"),
        {"verdict": "legal", "goes_out": True},
    ),
    Said("shanghai.shanghai.when", "a playable discard is no fault", later("shanghai", discard("9C"), hand=2), LEGAL),
    Said("R-94", "a playable discard is no fault", later("shanghai", discard("9C"), hand=2), LEGAL),
    # The other rule sets
    Said("R-86", "own melds", down("contract", 1, "7H 7D 7S", "KH KD KS", then=(layoff("m1", "7C"),)), ILLEGAL),
    Said(
        "R-86",
        "others' melds",
        down("contract", 1, "7H 7D 7S", "KH KD KS", then=(layoff("s", "9C"),), table=TABLE, opened=["Ben"]),
        LEGAL,
    ),
    Said("R-87", "four of a kind", down("contract", 1, "7H 7D 7S 7C", "KH KD KS"), ILLEGAL),
    Said(
        "R-88", "not down, may discard what is playable", turn("contract", 1, discard("9C"), table=TABLE, opened=["Ben"]), LEGAL
    ),
    Said("R-88", "down, may not", later("contract", discard("9C"), hand=1), ILLEGAL),
    Said("R-85", "more wild cards than naturals go down", down("contract", 1, "7H JK JK", "KC KD KS"), ILLEGAL),
    Said("R-85", "as many do", down("contract", 2, "7H 7D JK", "4S 5S JK JK"), LEGAL),
    Said("R-17", "three of a card in two packs", down("house", 1, "7H 7H 7H", "KC KD KS"), {"verdict": "impossible"}),
    Said("R-17", "three of a card in three packs", down("house", 1, "7H 7H 7H", "KC KD KS", players=6), LEGAL),
    Said("R-89", "to another meld", later("continental", swap("r", "7S", "s"), hand=2), LEGAL),
    Said("R-89", "along the same run", later("continental", swap("r", "7S", "r", "high"), hand=2), ILLEGAL),
    Said("R-101", "overlapping under gather", down("gather", 3, "3S 4S 5S", "4S 5S 6S"), LEGAL),
    Said("R-101", "overlapping under shanghai", down("shanghai", 3, "3S 4S 5S 6S", "5S 6S 7S 8S"), LEGAL),
    # Irregularities
    Said(
        "R-52",
        "the interrupted player takes a discard",
        {
            "ask": "ruling",
            "rules": "house",
            "kind": "claim",
            "facts": {
                "current_drew": False,
                "current_wants": False,
                "claimers": 1,
                "penalty_missing": False,
                "takes_next_discard": True,
            },
        },
        {"path": "4.8.e"},
    ),
]


@pytest.mark.parametrize("said", SAID, ids=[f"{said.rule} {said.about}" for said in SAID])
def test_the_referee_answers_as_the_rule_book_says(said: Said) -> None:
    given = answer(said.question)
    assert {key: given.get(key) for key in said.expected} == said.expected, given


def test_every_rule_named_here_is_in_the_rule_book() -> None:
    assert {said.rule for said in SAID} <= set(rules())


@pytest.mark.parametrize("preset", ["contract", "gather", "magnus", "fifteen"])
def test_the_advice_on_the_number_of_players_is_the_source_s(preset: str) -> None:
    sheet = rulesets.preset(preset)
    assert (sheet.players_min, sheet.players_max) == {"contract": (3, 8), "gather": (3, 8), "magnus": (3, 5), "fifteen": (3, 6)}[
        preset
    ]


def test_the_high_card_deals_the_ace_above_all_and_ties_and_jokers_draw_again() -> None:
    house = rulesets.preset("house")
    assert judge_draw(house, ["KH", "AS", "2C"]).dealer == 1
    assert judge_draw(house, ["KH", "KS", "2C"]).redraw == (0, 1)
    assert judge_draw(house, ["KH", "JK", "2C"]).redraw == (1,)


def test_the_kitty_and_the_payouts_of_the_fifteen_hands_are_the_leagues() -> None:
    fifteen = rulesets.preset("fifteen")
    assert fifteen.kitty_split == (2, 1)
    assert fifteen.payouts == ()
    assert not fifteen.ready
    assert {"hands", "points", "payouts"} <= set(fifteen.missing_in_source)
