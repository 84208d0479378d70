"""No rule of the rule book without a home: each is decided by code that a test shows at work, or shown to people."""

import ast
from functools import cache
from pathlib import Path

import pytest

from continental.rules.catalogue import Rule, rules
from continental.rules.referee import answer

from .test_cases import worked_cases
from .test_citing import CITING, cited
from .test_rulebook import SAID

TESTS = Path(__file__).parents[1]

TESTED: dict[str, str] = {
    "house.deal.draw-high": "rules/test_draw.py::test_the_highest_card_deals_and_the_ace_is_high",
    "contract.players": "rules/test_rulebook.py::test_the_advice_on_the_number_of_players_is_the_source_s",
    "gather.players": "rules/test_rulebook.py::test_the_advice_on_the_number_of_players_is_the_source_s",
    "magnus.players": "rules/test_rulebook.py::test_the_advice_on_the_number_of_players_is_the_source_s",
    "fifteen.settle": "rules/test_rulebook.py::test_the_kitty_and_the_payouts_of_the_fifteen_hands_are_the_leagues",
    "fifteen.kitty-split": "rules/test_kitty.py::test_the_second_gets_a_third_rounded_down_and_the_winner_the_rest",
    "R-04": "scoring/test_rulings_kept.py::test_a_game_keeps_its_packs_when_a_player_leaves",
    "R-05": "rules/test_rulebook.py::test_the_high_card_deals_the_ace_above_all_and_ties_and_jokers_draw_again",
    "R-58": "scoring/test_rulings_kept.py::test_the_last_player_down_who_goes_out_at_once_starts_no_twice_around",
    "R-59": "rules/test_irregularities.py::test_turns_of_correction_count_in_the_twice_around_where_there_is_one",
    "R-82": "rules/test_standings.py::test_each_tie_break_decides_only_where_those_before_are_equal",
    "R-96": "rules/test_kitty.py::test_the_second_gets_a_third_rounded_down_and_the_winner_the_rest",
    "R-97": "rules/test_rulebook.py::test_the_kitty_and_the_payouts_of_the_fifteen_hands_are_the_leagues",
}
"""Rules decided by code that no verdict cites, and the test that shows it. More of them are asked of the referee, rule by
rule, in ``test_rulebook.py``, and those that no worked case cites in ``test_citing.py``."""

SHOWN_BY_REFEREE = {said.rule for said in SAID}
DECIDED = [rule for rule in rules().values() if rule.home == "code"]


@cache
def cited_by_answers() -> frozenset[str]:
    """Every rule that the answer to a worked question cites."""
    questions = [case.values[0]["request"] for case in worked_cases()]
    return frozenset().union(CITING, *(cited(answer(question)) for question in questions))


@cache
def functions_of(path: str) -> frozenset[str]:
    tree = ast.parse((TESTS / path).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("rule", DECIDED, ids=[rule.id for rule in DECIDED])
def test_what_code_decides_is_cited_by_a_verdict_or_shown_by_a_test(rule: Rule) -> None:
    assert rule.id in cited_by_answers() or rule.id in SHOWN_BY_REFEREE or rule.id in TESTED


@pytest.mark.parametrize("rule_id", TESTED)
def test_the_named_test_exists(rule_id: str) -> None:
    path, _, function = TESTED[rule_id].partition("::")
    assert function in functions_of(path)


def test_the_table_names_only_rules_that_need_it() -> None:
    assert not {rule_id for rule_id in TESTED if rule_id in cited_by_answers() or rule_id in SHOWN_BY_REFEREE}
    assert set(TESTED) <= {rule.id for rule in DECIDED}


def test_every_rule_is_decided_or_shown() -> None:
    assert len(rules()) == 217 + 105
    assert {rule.home for rule in rules().values()} == {"code", "reminder", "about"}
    assert not [rule.id for rule in rules().values() if rule.home != "code" and rule.id in SHOWN_BY_REFEREE]
