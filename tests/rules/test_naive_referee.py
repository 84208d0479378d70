"""The product and a slow second referee give the same verdict on random legal and nearly legal plays of every preset."""

import os
from random import Random
from typing import Any

import pytest

from continental.rules.notation import parse_laid
from continental.rules.referee import answer
from continental.rules.rulesets import load

from . import naive_referee as naive
from .table_talk import a_later_turn, an_opening, rule_sets

RULE_SETS = rule_sets()
SAMPLE = 300
LONG_RUN = 20_000


def verdict_on_opening(question: dict[str, Any]) -> str:
    rules = load(question["rules"])
    melds = [parse_laid(meld) for meld in question["actions"][0]["melds"]]
    if not naive.within_packs([item.card for meld in melds for item in meld], rules, question["players"]):
        return "impossible"
    return naive.opening_verdict(melds, rules, rules.hand(question["hand"]))


def landing(action: dict[str, Any]) -> str:
    """The meld to which a lay-off adds a card, or on which a freed wild card lands."""
    return str(action["wild_to"] if action["do"] == "swap" else action["meld"])


def verdict_on_later_turn(question: dict[str, Any]) -> str | None:
    """None where the table itself cannot be read in one way, so that the question is none."""
    rules = load(question["rules"])
    table: dict[str, naive.Lie] = {}
    owners = {}
    cards: list[str] = []
    for entry in question["table"]:
        laid = parse_laid(entry["cards"])
        lies = naive.runs(laid, rules, False) if entry["kind"] == "run" else naive.sets(laid, rules, False)
        if len(lies) != 1:
            return None
        table[entry["id"]] = lies[0]
        owners[entry["id"]] = entry["owner"]
        cards += [item.card for item in laid]
    for action in question["actions"]:
        cards += [item.card for item in parse_laid(action.get("cards") or action["card"])]
    if not naive.within_packs(cards, rules, question["players"]):
        return "impossible"
    verdict = "legal"
    for action in question["actions"]:
        if rules.layoff_later == "none" or (rules.layoff_later == "others" and owners[landing(action)] == question["player"]):
            return "illegal"
        added = parse_laid(action.get("cards") or action["card"])
        target = action["meld"]
        if action["do"] == "swap":
            swapped = naive.swap_way(table[target], action["card"], rules)
            if swapped is None:
                return "illegal"
            table[target], freed = swapped
            source, target = target, action["wild_to"]
            fits = {
                "any": True,
                "another-meld": source != target,
                "same-run": source == target,
                "own-run": table[target].kind == "run" and owners[source] == owners[target],
            }[rules.swap_target]
            if not fits:
                return "illegal"
            added = parse_laid(freed)
        ways = naive.layoff_ways(table[target], added, rules, action.get("end"))
        if not ways:
            return "illegal"
        if len(ways) > 1:
            verdict = "unclear"
        else:
            table[target] = ways[0]
    return verdict


def disagreements(name: str, count: int, seed: int) -> list[tuple[str, str, Any]]:
    """Every question on which the two referees disagree, with both verdicts."""
    rng = Random(f"{name}/{seed}")
    rules = load(RULE_SETS[name])
    found = []
    for _ in range(count):
        free = rules.hands[0].contract is None
        if free or rng.random() < 0.4:
            question = a_later_turn(rng, RULE_SETS[name])
            expected = verdict_on_later_turn(question)
        else:
            question = an_opening(rng, RULE_SETS[name])
            expected = verdict_on_opening(question)
        if expected is None:
            continue
        given = answer(question)
        if given.get("verdict") != expected:
            found.append((expected, str(given.get("verdict") or given.get("error")), question))
    return found


@pytest.mark.parametrize("name", RULE_SETS)
def test_two_referees_agree_on_a_sample(name: str) -> None:
    assert disagreements(name, SAMPLE, 1) == []


@pytest.mark.slow
@pytest.mark.skipif(
    "CONTINENTAL_LONG" not in os.environ, reason="takes minutes: set CONTINENTAL_LONG=1 to compare 20,000 questions a preset"
)
@pytest.mark.parametrize("name", RULE_SETS)
def test_two_referees_agree_in_the_long_run(name: str) -> None:
    assert disagreements(name, LONG_RUN, 2) == []
