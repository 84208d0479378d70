"""Rulings that lead to another: followed to their end, they pass the rows that the rule book names, in its order."""

from typing import Any

import pytest

from continental.rules.referee import answer

Answers = dict[str, Any]

RUNNING = {"ended": False, "laid_this_turn": False}
"""An incorrect hand found while the hand is played, with nothing laid meanwhile."""
COUNTED = {"ended": True, "went_out": False}


def follow(kind: str, facts: Answers, answers: Answers) -> tuple[list[str], dict[str, Any]]:
    """Answer whatever is asked from ``answers`` and go where each ruling points; give the rows passed and the last ruling."""
    rows: list[str] = []
    while True:
        ruling = answer({"ask": "ruling", "rules": "house", "kind": kind, "facts": facts})
        if "need" in ruling:
            facts = {**facts, ruling["need"]: answers[ruling["need"]]}
            continue
        rows.append(ruling["path"])
        if ruling["again"]:
            facts = {**facts, **ruling["again"]}
        elif ruling["then"]:
            kind, facts = ruling["then"], ruling["then_facts"]
        else:
            return rows, ruling


@pytest.mark.parametrize(
    ("kind", "facts", "answers", "rows"),
    [
        (
            "play-out-of-turn",
            {"claiming": False, "discarded": False, "drew": "stock", "in_hand": False},
            {"claim_follows": False},
            ["4.1.c", "4.2.c"],
        ),
        (
            "play-out-of-turn",
            {"claiming": False, "discarded": False, "drew": "stock", "in_hand": False},
            {"claim_follows": True},
            ["4.1.c", "4.2.e"],
        ),
        (
            "play-out-of-turn",
            {"claiming": True},
            {"current_drew": False, "current_wants": False, "claimers": 2},
            ["4.1.f", "4.8.c"],
        ),
        ("illegal-draw", {"discarded": True}, {**RUNNING, "difference": 1}, ["4.2.a", "4.5.a"]),
        ("illegal-draw", {"discarded": True}, {**COUNTED, "difference": 1}, ["4.2.a", "4.5.c"]),
        ("premature-discard", {"laid_after": True, "next_drew": True}, RUNNING, ["4.3.d", "4.3.c", "4.5.b"]),
        ("premature-discard", {"laid_after": False, "next_drew": False, "draws_now": False}, COUNTED, ["4.3.b", "4.5.d"]),
        ("double-discard", {"next_finished": True}, {"ended": False, "laid_this_turn": True}, ["4.4.c", "4.5.f", "4.5.b"]),
        ("double-discard", {"next_finished": True}, {"ended": True, "went_out": True}, ["4.4.c", "4.5.e"]),
        (
            "incorrect-hand",
            {"ended": False, "difference": 1, "from_deal": True, "drawn_own_turn": False},
            {},
            ["4.5.g", "4.6.c"],
        ),
        (
            "misdeal",
            {"bad_pack": False, "exposed": 0, "face_up": 0, "wrong_count": True, "drawn_own_turn": True},
            {**RUNNING, "difference": -1},
            ["4.6.d", "4.5.b"],
        ),
        (
            "claim",
            {"current_drew": False, "current_wants": False, "claimers": 1, "penalty_missing": True},
            {**RUNNING, "difference": -1},
            ["4.8.d", "4.5.b"],
        ),
        (
            "suspension",
            {"act": "suspend", "between_hands": True, "all_agree": False},
            {"complete_totals": 1},
            ["4.11.b", "4.11.h"],
        ),
    ],
)
def test_a_chain_passes_the_rows_of_the_rule_book(kind: str, facts: Answers, answers: Answers, rows: list[str]) -> None:
    assert follow(kind, facts, answers)[0] == rows


def test_cards_drawn_too_many_are_discarded_one_a_turn() -> None:
    rows, ruling = follow("illegal-draw", {"discarded": False, "in_hand": True, "excess": 2}, RUNNING)
    assert rows == ["4.2.b", "4.5.a"]
    assert ruling["effects"] == [{"type": "correction-turns", "of": "offender", "count": 2, "turn": "discard-only"}]


def test_a_discard_without_a_draw_leaves_one_turn_to_draw_only() -> None:
    _rows, ruling = follow("premature-discard", {"laid_after": False, "next_drew": True}, RUNNING)
    assert ruling["effects"] == [{"type": "correction-turns", "of": "offender", "count": 1, "turn": "draw-only"}]
