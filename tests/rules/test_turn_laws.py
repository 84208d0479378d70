"""Laws that every verdict keeps, whatever the cards."""

import copy
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from itertools import islice
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from continental.rules.notation import parse_cards, parse_laid
from continental.rules.parameters import RuleSet
from continental.rules.referee import answer
from continental.rules.rulesets import load, preset_data

from .random_sheets import PERMISSIONS
from .table_talk import a_later_turn, an_opening, rule_sets

RULE_SETS = rule_sets()
WITH_CONTRACTS = [name for name in RULE_SETS if load(RULE_SETS[name]).hands[0].contract is not None]
SEEDS = st.integers(0, 10**9)


def opening(name: str, seed: int) -> dict[str, Any]:
    return an_opening(Random(seed), RULE_SETS[name])


def renamed(value: Any, suits: dict[str, str]) -> Any:
    """The same question with the suits of all cards exchanged."""
    if isinstance(value, list):
        return [renamed(item, suits) for item in value]
    if isinstance(value, dict):
        cards = {"cards", "card", "melds", "held", "table", "actions", "draw"}
        return {key: renamed(item, suits) if key in cards else item for key, item in value.items()}
    if isinstance(value, str):
        return " ".join(str(renamed_laid(item, suits)) for item in parse_laid(value))
    return value


def renamed_laid(item: Any, suits: dict[str, str]) -> Any:
    return item._replace(card=renamed_face(item.card, suits), spoken=item.spoken and renamed_face(item.spoken, suits))


def renamed_face(face: str, suits: dict[str, str]) -> str:
    return face if face == "JK" or len(face) < 2 else face[0] + suits[face[1]]


@settings(max_examples=300)
@given(st.sampled_from([name for name in WITH_CONTRACTS if name != "continental"]), SEEDS, st.permutations("SHDC"))
def test_renaming_the_suits_changes_no_verdict(name: str, seed: int, suits: list[str]) -> None:
    question = opening(name, seed)
    other = renamed(question, dict(zip("SHDC", suits, strict=True)))
    one, two = answer(question), answer(other)
    assert one["verdict"] == two["verdict"]
    assert [reason["rule"] for reason in one["reasons"]] == [reason["rule"] for reason in two["reasons"]]
    assert (one["instead"] is None) == (two["instead"] is None)


@settings(max_examples=300)
@given(st.sampled_from(WITH_CONTRACTS), SEEDS, st.randoms(use_true_random=False))
def test_the_order_of_the_melds_changes_no_verdict(name: str, seed: int, shuffler: Random) -> None:
    question = opening(name, seed)
    shuffled = copy.deepcopy(question)
    shuffler.shuffle(shuffled["actions"][0]["melds"])
    assert answer(question)["verdict"] == answer(shuffled)["verdict"]


@settings(max_examples=400)
@given(st.sampled_from(list(RULE_SETS)), SEEDS, st.sampled_from(PERMISSIONS), st.booleans())
def test_a_permission_more_never_forbids_a_play(name: str, seed: int, permission: dict[str, Any], later: bool) -> None:
    free = name not in WITH_CONTRACTS
    question = a_later_turn(Random(seed), RULE_SETS[name]) if later or free else opening(name, seed)
    base = RULE_SETS[name]
    sheet = {**base, **permission} if isinstance(base, dict) else {"base": base, **permission}
    # Where natural wild cards lie among others, a meld of the table may still be one of which the referee has to ask.
    if answer(question).get("verdict") == "legal":
        assert answer({**question, "rules": sheet})["verdict"] == "legal"


@settings(max_examples=300)
@given(st.sampled_from(WITH_CONTRACTS), SEEDS, st.integers(0, 2))
def test_what_is_proposed_instead_is_itself_legal(name: str, seed: int, spare: int) -> None:
    question = opening(name, seed)
    laid = [item.card for meld in question["actions"][0]["melds"] for item in parse_laid(meld)]
    question["held"] = " ".join([*laid, *["4S", "9D"][:spare]])
    given_answer = answer(question)
    proposal = given_answer["instead"]
    if proposal is None:
        return
    used = [item.card for meld in proposal["melds"] for item in parse_laid(meld)]
    assert Counter(used) + Counter(proposal["left"]) == Counter(laid)
    left = Counter(parse_cards(question["held"])) - Counter(used)
    hand = load(question["rules"]).hand(question["hand"])
    actions: list[dict[str, Any]] = [{"do": "open", "melds": proposal["melds"]}]
    verdicts = []
    for card in left or {None: 1}:
        discard = [] if card is None or hand.no_discard else [{"do": "discard", "card": card}]
        verdicts.append(answer({**question, "actions": actions + discard})["verdict"])
    assert "legal" in verdicts


@settings(max_examples=200)
@given(st.sampled_from(WITH_CONTRACTS), SEEDS)
def test_what_stands_when_found_later_is_a_legal_opening(name: str, seed: int) -> None:
    question = opening(name, seed)
    given_answer = answer(question)
    found = given_answer["if_found_later"]
    melds = [[str(item) for item in parse_laid(meld)] for meld in question["actions"][0]["melds"]]
    laid = Counter(item[:2] for meld in melds for item in meld)
    if found is None:
        assert given_answer["verdict"] != "illegal"
    elif not found["stands"]:
        assert Counter(found["return"]) == laid
    else:
        ways = islice(without(melds, found["return"]), 2000)
        assert any(opens(question, way) for way in ways)


def without(melds: list[list[str]], cards: list[str]) -> Iterator[list[list[str]]]:
    """Every way to take cards out of melds."""
    if not cards:
        yield melds
        return
    for number, meld in enumerate(melds):
        for place in range(len(meld) - 1, -1, -1):
            if meld[place][:2] == cards[-1]:
                shorter = [*melds[:number], meld[:place] + meld[place + 1 :], *melds[number + 1 :]]
                yield from without(shorter, cards[:-1])


def opens(question: dict[str, Any], melds: list[list[str]]) -> bool:
    actions = [{"do": "open", "melds": [" ".join(meld) for meld in melds if meld]}]
    return answer({**question, "actions": actions})["verdict"] in {"legal", "unclear"}


@settings(max_examples=200)
@given(st.sampled_from(list(RULE_SETS)), SEEDS)
def test_the_same_question_has_the_same_answer_and_stays_as_it_was(name: str, seed: int) -> None:
    question = a_later_turn(Random(seed), RULE_SETS[name])
    before = json.dumps(question)
    first = answer(question)
    assert json.dumps(question) == before
    assert json.dumps(first) == json.dumps(answer(json.loads(before)))


@settings(max_examples=300)
@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.text(max_size=6)
        | st.sampled_from(["7H", "JK=7H 8H", "m1", "t1", "open", "discard"]),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["do", "melds", "cards", "card", "meld", "end", "laid", "wild_to", "id", "kind"]),
                inner,
                max_size=5,
            )
        ),
        max_leaves=12,
    ),
    st.sampled_from(["actions", "table", "held", "draw", "opened", "player", "claimed", "players", "hand", "rules"]),
)
def test_a_question_of_the_wrong_shape_is_refused_and_its_place_named(value: Any, key: str) -> None:
    question = {"ask": "turn", "rules": "house", "players": 4, "hand": 1, "actions": [], key: value}
    given_answer = answer(question)
    assert "verdict" in given_answer or (given_answer["error"] and given_answer["at"].startswith(key))


@pytest.mark.parametrize("permission", PERMISSIONS, ids=lambda permission: next(iter(permission)))
def test_every_permission_is_a_parameter_of_the_sheet(permission: dict[str, Any]) -> None:
    assert set(permission) <= {item.name for item in fields(RuleSet)}
    assert preset_data("house")
