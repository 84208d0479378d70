"""Rules that no worked case cites, each with a question to which the answer cites it."""

from typing import Any

import pytest

from continental.rules.referee import answer

from .test_rulebook import FIFTEEN_TWO_RUNS, TABLE, Question, discard, down, game, later, layoff, run, seven, swap, turn


def ruling(base: Any, kind: str, **facts: Any) -> Question:
    return {"ask": "ruling", "rules": base, "kind": kind, "facts": facts}


BEFORE_THE_OPENING = ({"do": "layoff", "meld": "m1", "cards": "7C"}, {"do": "open", "melds": ["7H 7D 7S"]})

CITING: dict[str, Question] = {
    "R-12": later("house", layoff("r", "JK=2H")),
    "R-13": later({"base": "house", "extra_melds_later": True}, {"do": "meld", "cards": "7H JK JK JK"}, players=8),
    "R-84": ruling("contract", "end-of-hand", event="out-without-discard"),
    "basic.layoff": turn("basic", 1, *BEFORE_THE_OPENING),
    "basic.turn": turn("basic", 1, {"do": "meld", "cards": "7H 7D 7S"}, held="7H 7D 7S 9C"),
    "continental.absent": ruling("continental", "end-of-hand", event="all-opened"),
    "continental.decks": down("continental", 1, "7H 7H 7H", "KC KD KS"),
    "continental.discard": ruling("continental", "premature-discard", laid_after=True),
    "continental.draw": ruling("continental", "illegal-draw", discarded=True),
    "continental.error": ruling("continental", "score-error", missing=False, late_score=False, mixed=False),
    "continental.illegal": down("continental", 1, "7H 7D 7S 9C", "KC KD KS"),
    "continental.jokers.two": down("continental", 1, "JK JK JK", "JK JK KS"),
    "continental.no-new-melds": later("continental", {"do": "meld", "cards": "4C 4D 4S"}),
    "continental.nonfinish": game("continental", [[10, 20, 30, "absent"], *seven(10, 20, 30, 40)[1:]]),
    "continental.redeal": ruling("continental", "misdeal", bad_pack=False, exposed=2),
    "continental.set": down("continental", 1, "7H 7D 8S", "KC KD KS"),
    "continental.takeback": later("continental", {"do": "takeback", "cards": "9S", "laid": "earlier"}),
    "continental.wild": down("continental", 1, "7H 7D 8S=7S", "KC KD KS"),
    "contract.ace": down("contract", 2, "7H 7D 7S", "QH KH AH 2H"),
    "contract.decks": down("contract", 1, "7H 7H 7H", "KC KD KS"),
    "contract.discard.none": ruling("contract", "end-of-hand", event="out-without-discard"),
    "contract.discards.dead": ruling(
        {"base": "contract", "claims": 0}, "claim", current_drew=False, current_wants=False, claimers=1
    ),
    "contract.joker.swap": later("contract", swap("r", "8S", "s")),
    "contract.layoff.later": turn("contract", 1, *BEFORE_THE_OPENING),
    "contract.meld.own-turn": down("contract", 1, "7H 7D 7S"),
    "contract.out.discard": later("contract", layoff("s", "9C"), held="9C"),
    "contract.out.two-cards": later({"base": "contract", "play_last_two": True}, discard("2C"), held="2C"),
    "contract.set-run": down("contract", 1, "7H 7D 8S", "KC KD KS"),
    "contract.wild": down("contract", 1, "7H 7D 8S=7S", "KC KD KS"),
    "fifteen.ace": later(FIFTEEN_TWO_RUNS, layoff("r", "KS"), table=[run("r", "AS JK 3S 4S")]),
    "fifteen.buy.priority": ruling(
        {**FIFTEEN_TWO_RUNS, "claims": 2}, "claim", current_drew=False, current_wants=False, claimers=2
    ),
    "fifteen.layoff": turn(FIFTEEN_TWO_RUNS, 1, layoff("s", "9C"), table=TABLE, opened=["Ben"]),
    "fifteen.out": ruling(FIFTEEN_TWO_RUNS, "end-of-hand", event="out-without-discard"),
    "fifteen.pack": down(FIFTEEN_TWO_RUNS, 2, "7H 7H 7H", "KC KD KS"),
    "fifteen.pair": down(FIFTEEN_TWO_RUNS, 3, "7H 7D 7S", "KC"),
    "fifteen.set": down(FIFTEEN_TWO_RUNS, 2, "7H 7D 8S", "KC KD KS"),
    "fifteen.wild": down(FIFTEEN_TWO_RUNS, 2, "7H 7D 8S=7S", "KC KD KS"),
    "house.final.ends-game": turn("house", 7, {"do": "open", "melds": ["3H 4H 5H 6H"]}, table=TABLE, opened=["Ben"]),
    "house.layoff.existing": turn("house", 1, *BEFORE_THE_OPENING),
    "house.wild.jokers-only": down("house", 1, "7H 7D 8S=7S", "KC KD KS"),
    "magnus.ace": down("magnus", 2, "7H 7D 7S", "QH KH AH 2H"),
    "magnus.pack": down("magnus", 1, "7H 7H 7H", "KC KD KS"),
    "magnus.run": down("magnus", 2, "7H 7D 7S", "3H 4H 5H 7H"),
    "may-i.call": ruling("may-i", "play-out-of-turn", claiming=True),
    "shanghai.joker.sub": down("shanghai", 1, "7H 7D 8S=7S", "KC KD KS"),
    "shanghai.layoff": turn("shanghai", 1, *BEFORE_THE_OPENING),
}


def cited(answered: object) -> set[str]:
    """Every rule id that an answer names as its reason."""
    if isinstance(answered, list):
        return set().union(*map(cited, answered))
    if not isinstance(answered, dict):
        return set()
    named = {answered["rule"]} if "rule" in answered else set(answered.get("rules", ()))
    return named.union(*(cited(value) for value in answered.values()))


@pytest.mark.parametrize("rule", CITING)
def test_the_answer_cites_the_rule_that_decides_it(rule: str) -> None:
    given = answer(CITING[rule])
    assert rule in cited(given), given
