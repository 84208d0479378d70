"""The decision table of rulebook section 4: every path, every question, and nothing asked that does not decide."""

import json
import string
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from continental.rules import referee, rulesets
from continental.rules.decisions import SHEET, Fact, Kind, Row, Situation, effect_types, kinds
from continental.rules.errors import BadQuestion
from continental.rules.irregularities import BORROWED, Contradiction, Need, Ruling, answer, consider
from continental.rules.rulesets import RuleSet
from continental.rules.texts import Counted, Text

CASES = json.loads((Path(__file__).parents[2] / "fixtures" / "cases" / "ruling.json").read_text(encoding="utf-8"))

Facts = dict[str, Any]


def sheet(**overrides: Any) -> RuleSet:
    return rulesets.load({"base": "house", **overrides})


HOUSE = sheet()


@pytest.mark.parametrize("case", CASES, ids=[f"{case['case']} {case['note']}" for case in CASES])
def test_worked_case(case: dict[str, Any]) -> None:
    verdict = answer(case["request"])
    assert {key: verdict[key] for key in case["expect"]} == case["expect"]


LATER = {"hand_scored": False, "same_turn": False}
NO_SWAP = {"after_claim": False, "swap_wrong": False}
ONE_CLAIM = {"current_drew": False, "current_wants": False, "claimers": 1}
MIXED = {"missing": False, "late_score": False, "mixed": True}

# What the rule book says, path by path: the facts as a table would give them, one by one, and nothing else.
PATHS: list[tuple[str, Facts, str, str | None]] = [
    ("play-out-of-turn", {"claiming": False, "discarded": True}, "4.1.a", None),
    ("play-out-of-turn", {"claiming": False, "discarded": False, "drew": "stock", "in_hand": True}, "4.1.b", None),
    ("play-out-of-turn", {"claiming": False, "discarded": False, "drew": "stock", "in_hand": False}, "4.1.c", "illegal-draw"),
    ("play-out-of-turn", {"claiming": False, "discarded": False, "drew": "discard"}, "4.1.d", None),
    ("play-out-of-turn", {"claiming": False, "discarded": False, "drew": "none"}, "4.1.e", None),
    ("play-out-of-turn", {"claiming": True}, "4.1.f", "claim"),
    ("illegal-draw", {"discarded": True}, "4.2.a", "incorrect-hand"),
    ("illegal-draw", {"discarded": False, "in_hand": True}, "4.2.b", "incorrect-hand"),
    ("illegal-draw", {"discarded": False, "in_hand": False, "excess": 1, "claim_follows": False}, "4.2.c", None),
    ("illegal-draw", {"discarded": False, "in_hand": False, "excess": 3, "claim_follows": False}, "4.2.d", None),
    ("illegal-draw", {"discarded": False, "in_hand": False, "excess": 1, "claim_follows": True}, "4.2.e", None),
    ("premature-discard", {"laid_after": False, "next_drew": False, "draws_now": True}, "4.3.a", None),
    ("premature-discard", {"laid_after": False, "next_drew": False, "draws_now": False}, "4.3.b", "incorrect-hand"),
    ("premature-discard", {"laid_after": False, "next_drew": True}, "4.3.c", "incorrect-hand"),
    ("premature-discard", {"laid_after": True}, "4.3.d", None),
    ("double-discard", {"next_finished": False, "next_drew_one": False}, "4.4.a", None),
    ("double-discard", {"next_finished": False, "next_drew_one": True}, "4.4.b", None),
    ("double-discard", {"next_finished": True}, "4.4.c", "incorrect-hand"),
    ("incorrect-hand", {"ended": False, "difference": 2, "from_deal": False, "laid_this_turn": False}, "4.5.a", None),
    ("incorrect-hand", {"ended": False, "difference": -2, "from_deal": False, "laid_this_turn": False}, "4.5.b", None),
    ("incorrect-hand", {"ended": True, "went_out": False, "difference": 1}, "4.5.c", None),
    ("incorrect-hand", {"ended": True, "went_out": False, "difference": -1}, "4.5.d", None),
    ("incorrect-hand", {"ended": True, "went_out": True, "difference": -1}, "4.5.e", None),
    ("incorrect-hand", {"ended": False, "difference": 1, "from_deal": False, "laid_this_turn": True}, "4.5.f", None),
    ("incorrect-hand", {"ended": False, "difference": 1, "from_deal": True, "drawn_own_turn": False}, "4.5.g", "misdeal"),
    ("misdeal", {"bad_pack": False, "exposed": 2}, "4.6.a", None),
    ("misdeal", {"bad_pack": False, "exposed": 0, "face_up": 2}, "4.6.a", None),
    ("misdeal", {"bad_pack": False, "exposed": 1, "face_up": 0, "wrong_count": False}, "4.6.b", None),
    ("misdeal", {"bad_pack": False, "exposed": 0, "face_up": 1, "wrong_count": False}, "4.6.b", None),
    ("misdeal", {"bad_pack": False, "exposed": 1, "face_up": 1, "wrong_count": True, "drawn_own_turn": False}, "4.6.c", None),
    (
        "misdeal",
        {"bad_pack": False, "exposed": 0, "face_up": 0, "wrong_count": True, "drawn_own_turn": True},
        "4.6.d",
        "incorrect-hand",
    ),
    ("misdeal", {"bad_pack": True, "hand_scored": False}, "4.6.e", None),
    ("misdeal", {"bad_pack": True, "hand_scored": True}, "4.6.f", None),
    ("illegal-meld", {"hand_scored": False, "same_turn": True}, "4.7.a", None),
    (
        "illegal-meld",
        {**LATER, **NO_SWAP, "joker_kept": False, "correct_without_card": True, "others_beyond": False},
        "4.7.b",
        None,
    ),
    (
        "illegal-meld",
        {**LATER, **NO_SWAP, "joker_kept": False, "correct_without_card": True, "others_beyond": True},
        "4.7.c",
        None,
    ),
    ("illegal-meld", {**LATER, **NO_SWAP, "joker_kept": False, "correct_without_card": False}, "4.7.d", None),
    ("illegal-meld", {**LATER, "after_claim": False, "swap_wrong": True}, "4.7.e", None),
    ("illegal-meld", {**LATER, **NO_SWAP, "joker_kept": True}, "4.7.f", None),
    ("illegal-meld", {**LATER, "after_claim": True}, "4.7.g", None),
    ("illegal-meld", {"hand_scored": True}, "4.7.h", None),
    ("claim", {"current_drew": True}, "4.8.a", None),
    ("claim", {"current_drew": False, "current_wants": True}, "4.8.b", None),
    ("claim", {"current_drew": False, "current_wants": False, "claimers": 2}, "4.8.c", None),
    ("claim", {**ONE_CLAIM, "penalty_missing": True}, "4.8.d", "incorrect-hand"),
    ("claim", {**ONE_CLAIM, "penalty_missing": False, "takes_next_discard": True}, "4.8.e", None),
    ("claim", {**ONE_CLAIM, "penalty_missing": False, "takes_next_discard": False}, "4.8", None),
    ("end-of-hand", {"event": "stock-empty", "times": 1}, "4.9.a", None),
    ("end-of-hand", {"event": "stock-empty", "times": 2}, "4.9.b", None),
    ("end-of-hand", {"event": "all-opened"}, "4.9.c", None),
    ("end-of-hand", {"event": "twice-around-over"}, "4.9.d", None),
    ("end-of-hand", {"event": "out-without-discard"}, "4.9.e", None),
    ("end-of-hand", {"event": "final-with-cards-left"}, "4.9.f", None),
    ("score-error", {"missing": False, "late_score": False, "mixed": False}, "4.10.a", None),
    ("score-error", {**MIXED, "disputed": False, "all_agree": True}, "4.10.b", None),
    ("score-error", {**MIXED, "disputed": False, "all_agree": False}, "4.10.c", None),
    ("score-error", {**MIXED, "disputed": True}, "4.10.d", None),
    ("score-error", {"missing": True, "provided_others": 2}, "4.10.e", None),
    ("score-error", {"missing": True, "provided_others": 1}, "4.10.f", None),
    ("score-error", {"missing": False, "late_score": True}, "4.10.g", None),
    ("suspension", {"act": "suspend", "between_hands": False}, "4.11.a", None),
    ("suspension", {"act": "suspend", "between_hands": True, "all_agree": False}, "4.11.b", None),
    ("suspension", {"act": "suspend", "between_hands": True, "all_agree": True}, "4.11", None),
    ("suspension", {"act": "resume", "same_year": False}, "4.11.c", None),
    ("suspension", {"act": "resume", "same_year": True, "all_present": False}, "4.11.d", None),
    ("suspension", {"act": "resume", "same_year": True, "all_present": True, "same_seats": False}, "4.11.e", None),
    ("suspension", {"act": "resume", "same_year": True, "all_present": True, "same_seats": True}, "4.11.f", None),
    ("suspension", {"act": "leave", "complete_totals": 2}, "4.11.g", None),
    ("suspension", {"act": "leave", "complete_totals": 1}, "4.11.h", None),
]


@pytest.mark.parametrize(("kind", "facts", "path", "then"), PATHS, ids=[f"{row[2]} {index}" for index, row in enumerate(PATHS)])
def test_each_path_asks_its_facts_in_order_and_then_rules(kind: str, facts: Facts, path: str, then: str | None) -> None:
    known: Facts = {}
    for fact, value in facts.items():
        asked = consider(kind, known, HOUSE)
        assert isinstance(asked, Need), f"{kind} rules without {fact}"
        assert asked.fact.name == fact
        known[fact] = value
    ruling = consider(kind, known, HOUSE)
    assert isinstance(ruling, Ruling)
    assert (ruling.path, ruling.then) == (path, then)


def test_every_row_of_the_rule_book_has_a_path() -> None:
    paths_in_section = {1: 6, 2: 5, 3: 4, 4: 3, 5: 7, 6: 6, 7: 8, 8: 6, 9: 6, 10: 7, 11: 8}
    wanted = {f"4.{section}.{letter}" for section, paths in paths_in_section.items() for letter in string.ascii_lowercase[:paths]}
    listed = {row.path for kind in kinds().values() for row in kind.rows}
    assert listed - wanted == {"4.8", "4.9", "4.11"}, "only where nothing went wrong"
    assert wanted <= listed
    assert {path for _, _, path, _ in PATHS} == listed - {"4.8.f", "4.9"}, "those two hang on the rule set and are tested below"


# --- laws over all combinations of facts --------------------------------------------------------------------------


def values(fact: Fact) -> list[Any]:
    if fact.type == "count":
        return [number for number in (-2, -1, 0, 1, 2) if number >= fact.least]
    return [choice.value for choice in fact.choices]


def completions(kind: Kind, known: Facts, rules: RuleSet) -> Iterator[Facts]:
    def possible(fact: Fact) -> list[Any]:
        if fact.name in known:
            return [known[fact.name]]
        return [False] if fact.unless and SHEET[fact.unless](rules, None) else values(fact)

    names = [fact.name for fact in kind.facts]
    for combination in product(*map(possible, kind.facts)):
        yield dict(zip(names, combination, strict=True))


def partials(kind: Kind) -> Iterator[Facts]:
    unknown = object()
    for combination in product(*([unknown, *values(fact)] for fact in kind.facts)):
        yield {fact.name: value for fact, value in zip(kind.facts, combination, strict=True) if value is not unknown}


SHEETS = {
    "house": HOUSE,
    "without twice-around": sheet(twice_around=False),
    "two claims a hand": sheet(claims=2),
    "no claims": sheet(claims=0),
    "live discard pile, no swaps": sheet(claims_dead_pile=False, swap_run=False),
    "first caller, no penalty": sheet(claim_priority="first-caller", claim_penalty=0),
}


@cache
def outcome(name: str, kind: str, facts: tuple[tuple[str, Any], ...]) -> str:
    try:
        verdict = consider(kind, dict(facts), SHEETS[name])
    except Contradiction as clash:
        return f"contradiction in {clash.fact}"
    assert isinstance(verdict, Ruling), "with every fact known nothing is left to ask"
    return verdict.path


def outcomes(name: str, kind: Kind, known: Facts) -> set[str]:
    return {outcome(name, kind.name, tuple(facts.items())) for facts in completions(kind, known, SHEETS[name])}


def decides(name: str, kind: Kind, known: Facts, fact: str) -> bool:
    """Tell whether some completion changes its outcome with ``fact`` alone."""
    seen: dict[tuple[Any, ...], str] = {}
    for facts in completions(kind, known, SHEETS[name]):
        others = tuple(value for key, value in facts.items() if key != fact)
        found = outcome(name, kind.name, tuple(facts.items()))
        if seen.setdefault(others, found) != found:
            return True
    return False


@pytest.mark.parametrize("name", SHEETS)
@pytest.mark.parametrize("kind", kinds().values(), ids=list(kinds()))
def test_a_ruling_never_hangs_on_what_is_unknown_and_a_question_always_decides(kind: Kind, name: str) -> None:
    for known in partials(kind):
        try:
            verdict = consider(kind.name, known, SHEETS[name])
        except Contradiction:
            continue
        possible = outcomes(name, kind, known)
        if isinstance(verdict, Ruling):
            assert {path for path in possible if not path.startswith("contradiction")} == {verdict.path}, known
        else:
            assert len(possible) > 1, known
            assert verdict.fact.name not in known
            assert decides(name, kind, known, verdict.fact.name), (known, verdict.fact.name)


def test_a_contradiction_names_a_fact_that_was_given() -> None:
    clashes = [(kind, clash) for kind in kinds().values() for clash in kind.clashes]
    assert clashes
    for kind, clash in clashes:
        (tests,) = clash.fits
        assert clash.at in {test.fact for test in tests}, kind.name


@pytest.mark.parametrize("kind", kinds().values(), ids=list(kinds()))
def test_questions_come_in_the_order_of_the_facts_and_end(kind: Kind) -> None:
    order = [fact.name for fact in kind.facts]

    def ask(known: Facts, last: int) -> None:
        try:
            verdict = consider(kind.name, known, HOUSE)
        except Contradiction:
            return
        if isinstance(verdict, Need):
            place = order.index(verdict.fact.name)
            assert place > last
            for value in values(verdict.fact):
                ask({**known, verdict.fact.name: value}, place)

    ask({}, -1)


def test_following_a_chain_always_ends() -> None:
    def follow(kind: str, known: Mapping[str, Any], trail: tuple[str, ...]) -> None:
        assert len(trail) < 6, trail
        for facts in completions(kinds()[kind], dict(known), HOUSE):
            key = (kind, tuple(facts.items()))
            if key in done:
                continue
            try:
                verdict = consider(kind, facts, HOUSE)
            except Contradiction:
                continue
            assert isinstance(verdict, Ruling)
            done.add(key)
            if verdict.then:
                follow(verdict.then, verdict.then_facts, (*trail, verdict.path))
            if verdict.again:
                follow(kind, {**facts, **verdict.again}, (*trail, verdict.path))
                after = consider(kind, {**facts, **verdict.again}, HOUSE)
                assert isinstance(after, Ruling)
                assert after.path != verdict.path

    done: set[tuple[str, tuple[tuple[str, Any], ...]]] = set()
    for kind in kinds():
        follow(kind, {}, ())


def test_facts_handed_on_are_facts_of_the_next_kind() -> None:
    for kind in kinds().values():
        for row in kind.rows:
            if row.then:
                assert set(row.then_facts) <= {fact.name for fact in kinds()[row.then].facts}, row.path
            assert set(row.again or {}) <= {fact.name for fact in kind.facts}, row.path


def taps(kind: str, known: Facts) -> int:
    """Count the questions left before a ruling, on the longest way."""
    try:
        verdict = consider(kind, known, HOUSE)
    except Contradiction:
        return 0
    if isinstance(verdict, Ruling):
        return 0
    return 1 + max(taps(kind, {**known, verdict.fact.name: value}) for value in values(verdict.fact))


SITUATIONS = [(kind.name, situation) for kind in kinds().values() for situation in kind.situations]


@pytest.mark.parametrize(("kind", "situation"), SITUATIONS, ids=[f"{kind}: {item.label.en}" for kind, item in SITUATIONS])
def test_a_situation_leaves_few_questions(kind: str, situation: Situation) -> None:
    known = dict(situation.facts)
    assert set(known) <= {fact.name for fact in kinds()[kind].facts}
    consider(kind, known, HOUSE)
    choosing_kind_and_situation = 2
    most = 6 if known == {"ended": False} else 5
    assert choosing_kind_and_situation + taps(kind, known) <= most


def test_a_kind_without_situations_is_short_by_itself() -> None:
    for kind in kinds().values():
        if not kind.situations:
            assert 1 + taps(kind.name, {}) <= 5, kind.name


def test_the_situations_of_a_kind_lead_to_all_its_paths() -> None:
    for kind in kinds().values():
        if kind.situations:
            reached = {
                path for situation in kind.situations for path in outcomes("two claims a hand", kind, dict(situation.facts))
            }
            wanted = {row.path for row in kind.rows}
            assert wanted <= reached, kind.name


# --- what hangs on the rule set ------------------------------------------------------------------------------------


def ruling_of(kind: str, facts: Facts, rules: RuleSet, hand: int | None = None) -> Ruling:
    verdict = consider(kind, facts, rules, rules.hand(hand) if hand else None)
    assert isinstance(verdict, Ruling), verdict
    return verdict


def test_the_claim_limit_is_asked_only_where_the_sheet_has_one() -> None:
    without = consider("claim", ONE_CLAIM, HOUSE)
    with_limit = consider("claim", ONE_CLAIM, sheet(claims=2))
    assert isinstance(without, Need)
    assert isinstance(with_limit, Need)
    assert (without.fact.name, with_limit.fact.name) == ("penalty_missing", "limit_reached")


def test_a_claim_past_the_limit_is_refused() -> None:
    ruling = ruling_of("claim", {**ONE_CLAIM, "limit_reached": True}, sheet(claims=2))
    assert ruling.path == "4.8.f"
    assert not ruling.borrowed


def test_where_nobody_may_claim_the_refusal_needs_no_question() -> None:
    assert ruling_of("claim", {}, sheet(claims=0)).path == "4.8.f"


def test_a_sheet_whose_hands_are_still_to_be_entered_asks_what_its_source_says() -> None:
    asked = consider("claim", ONE_CLAIM, rulesets.preset("fifteen"))
    assert isinstance(asked, Need)
    assert asked.fact.name == "limit_reached"
    facts = {**ONE_CLAIM, "limit_reached": True}
    assert ruling_of("claim", facts, rulesets.preset("fifteen")).rules == ("fifteen.buy.count",)


def test_the_first_caller_wins_where_the_sheet_says_so() -> None:
    facts = {"current_drew": False, "current_wants": False, "claimers": 3}
    assert "first player who called" in ruling_of("claim", facts, sheet(claim_priority="first-caller")).ruling.en
    assert "soonest" in ruling_of("claim", facts, HOUSE).ruling.en


def test_the_player_in_turn_may_buy_and_still_take_a_turn_where_the_sheet_says_so() -> None:
    facts = {"current_drew": False, "current_wants": True}
    ruling = ruling_of("claim", facts, rulesets.preset("fifteen"))
    assert (ruling.path, set(ruling.rules)) == ("4.8.b", {"fifteen.buy.own-turn", "fifteen.buy.others"})
    assert "buy it and then take a normal turn" in ruling.as_answer()["ruling"]
    assert "buy" not in ruling_of("claim", facts, HOUSE).as_answer()["ruling"]


def test_a_sheet_that_turns_the_stock_over_twice_ends_the_hand_at_the_third_time() -> None:
    generous = sheet(stock_turnovers=2)
    assert [ruling_of("end-of-hand", {"event": "stock-empty", "times": times}, generous).path for times in (1, 2, 3)] == [
        "4.9.a",
        "4.9.a",
        "4.9.b",
    ]


@pytest.mark.parametrize("event", ["all-opened", "twice-around-over"])
def test_without_twice_around_nothing_changes_when_all_are_down(event: str) -> None:
    ruling = ruling_of("end-of-hand", {"event": event}, sheet(twice_around=False))
    assert ruling.path == "4.9"
    assert ruling.effects == ()


def test_twice_around_never_triggers_in_the_final_hand() -> None:
    assert ruling_of("end-of-hand", {"event": "all-opened"}, HOUSE, hand=6).path == "4.9.c"
    assert ruling_of("end-of-hand", {"event": "all-opened"}, HOUSE, hand=7).path == "4.9"


def test_cards_left_over_matter_only_in_a_hand_that_needs_every_card() -> None:
    facts = {"event": "final-with-cards-left"}
    assert ruling_of("end-of-hand", facts, HOUSE, hand=7).path == "4.9.f"
    assert ruling_of("end-of-hand", facts, HOUSE, hand=3).path == "4.9"
    carioca = rulesets.preset("carioca")
    assert [ruling_of("end-of-hand", facts, carioca, hand=hand).path for hand in (7, 8)] == ["4.9", "4.9.f"]


def test_going_out_without_a_discard_is_fine_where_none_is_needed() -> None:
    free = sheet(discard_to_go_out=False)
    assert [ruling_of("end-of-hand", {"event": "out-without-discard"}, free, hand=hand).path for hand in (1, 6)] == ["4.9"] * 2
    assert ruling_of("end-of-hand", {"event": "out-without-discard"}, free, hand=7).path == "4.9.e"


@pytest.mark.parametrize(
    ("name", "hand", "cited"), [("house", 7, "R-34"), ("house", 1, ""), ("magnus", 1, ""), ("shanghai", None, "")]
)
def test_the_ruling_on_the_final_discard_is_cited_only_of_that_hand(name: str, hand: int | None, cited: str) -> None:
    ruling = ruling_of("end-of-hand", {"event": "out-without-discard"}, rulesets.preset(name), hand=hand)
    assert ruling.path == "4.9.e"
    assert {"R-37", cited} - {""} == set(ruling.rules)


def test_who_has_nothing_to_discard_takes_two_cards_where_a_playable_card_is_never_discarded() -> None:
    facts = {"event": "out-without-discard"}
    ruling = ruling_of("end-of-hand", facts, rulesets.preset("contract"), hand=3)
    assert (ruling.path, ruling.borrowed) == ("4.9.e", False)
    assert "contract.discard.none" in ruling.rules
    assert "takes the top discard and the top card of the stock" in ruling.as_answer()["ruling"]
    both_played = rulesets.load({"base": "contract", "play_last_two": True})
    assert ruling_of("end-of-hand", facts, both_played, hand=3).path == "4.9"


def test_the_charge_for_missing_cards_is_that_of_the_sheet() -> None:
    facts = {"ended": True, "went_out": False, "difference": -3}
    dear = ruling_of("incorrect-hand", facts, sheet(missing_card=25))
    assert dear.effects == ({"type": "missing-cards", "of": "offender", "count": 3, "points": 75},)
    assert dear.as_answer()["ruling"] == "The player counts the cards held and adds 75 points for the 3 missing cards."


def test_one_turn_of_correction_reads_as_one() -> None:
    facts = {"ended": False, "from_deal": False, "laid_this_turn": False}
    one = ruling_of("incorrect-hand", {**facts, "difference": 1}, HOUSE).as_answer()
    two = ruling_of("incorrect-hand", {**facts, "difference": -2}, HOUSE).as_answer()
    assert one["ruling"] == "In the next turn the player discards without drawing."
    assert two["ruling"] == "In each of the next 2 turns the player draws one card without discarding."
    assert one["effects"] == [{"type": "correction-turns", "of": "offender", "count": 1, "turn": "discard-only"}]
    assert two["effects"] == [{"type": "correction-turns", "of": "offender", "count": 2, "turn": "draw-only"}]


def test_turns_of_correction_count_in_the_twice_around_where_there_is_one() -> None:
    facts = {"ended": False, "from_deal": False, "laid_this_turn": False, "difference": 1}
    counting = "In the twice-around these turns count like any other."
    assert counting in ruling_of("incorrect-hand", facts, HOUSE).as_answer()["consequences"]
    assert counting not in ruling_of("incorrect-hand", facts, sheet(twice_around=False)).as_answer()["consequences"]


def test_an_over_full_hand_is_handed_on_with_the_number_seen() -> None:
    facts = {"discarded": False, "in_hand": True}
    assert "difference" not in ruling_of("illegal-draw", facts, HOUSE).then_facts
    assert ruling_of("illegal-draw", {**facts, "excess": 2}, HOUSE).then_facts["difference"] == 2


def test_a_joker_without_points_yet_is_not_given_any() -> None:
    facts = {"hand_scored": False, "same_turn": False, "after_claim": False, "swap_wrong": False, "joker_kept": True}
    valued = ruling_of("illegal-meld", facts, HOUSE).as_answer()["consequences"]
    open_value = ruling_of("illegal-meld", facts, sheet(points={"JK": None})).as_answer()["consequences"]
    assert valued[-1] == "A joker counts 15 points here."
    assert valued[:-1] == open_value


@pytest.mark.parametrize("preset", rulesets.preset_ids())
def test_every_preset_gets_a_ruling_and_borrowing_is_said(preset: str) -> None:
    rules = rulesets.preset(preset)
    ruling = ruling_of("play-out-of-turn", {"claiming": False, "discarded": True}, rules)
    verdict = ruling.as_answer()
    assert ruling.path == "4.1.a"
    assert ruling.borrowed == (preset not in {"house", "continental"})
    assert verdict["note"] == (BORROWED.en if ruling.borrowed else None)
    assert ruling.rules == (("continental.oot",) if preset == "continental" else ("house.oot.stands", "R-57"))


# --- what cannot be answered ---------------------------------------------------------------------------------------

BAD: list[tuple[Facts, str]] = [
    ({"kind": "rain"}, "kind"),
    ({"kind": 7}, "kind"),
    ({"kind": ["claim"]}, "kind"),
    ({"facts": None}, "facts"),
    ({"facts": []}, "facts"),
    ({"facts": {"weather": True}}, "facts.weather"),
    ({"facts": {"event": "all-opened"}}, "facts.event"),
    ({"facts": {"claiming": 1}}, "facts.claiming"),
    ({"facts": {"claiming": "yes"}}, "facts.claiming"),
    ({"facts": {"claiming": None}}, "facts.claiming"),
    ({"facts": {"drew": "pile"}}, "facts.drew"),
    ({"facts": {"drew": True}}, "facts.drew"),
    ({"kind": "illegal-draw", "facts": {"excess": 0}}, "facts.excess"),
    ({"kind": "illegal-draw", "facts": {"excess": True}}, "facts.excess"),
    ({"kind": "illegal-draw", "facts": {"excess": 1.0}}, "facts.excess"),
    ({"kind": "illegal-draw", "facts": {"excess": 10**5000}}, "facts.excess"),
    ({"kind": "claim", "facts": {"claimers": 0}}, "facts.claimers"),
    ({"kind": "incorrect-hand", "facts": {"ended": False, "went_out": True}}, "facts.went_out"),
    ({"kind": "incorrect-hand", "facts": {"difference": 0}}, "facts.difference"),
    ({"kind": "incorrect-hand", "facts": {"ended": True, "went_out": True, "difference": 1}}, "facts.difference"),
    ({"kind": "misdeal", "facts": {"bad_pack": False, "exposed": 0, "face_up": 0, "wrong_count": False}}, "facts.wrong_count"),
    ({"kind": "end-of-hand", "facts": {"event": "stock-empty", "times": 0}}, "facts.times"),
    ({"rules": "poker"}, "rules"),
    ({"hand": 8}, "hand"),
    ({"hand": "7"}, "hand"),
    ({"players": 1}, "players"),
    ({"fact": {}}, "fact"),
]


@pytest.mark.parametrize(("change", "at"), BAD, ids=[f"{at} {index}" for index, (_, at) in enumerate(BAD)])
def test_what_cannot_be_read_is_refused_by_name(change: Facts, at: str) -> None:
    question = {"ask": "ruling", "rules": "house", "kind": "play-out-of-turn", "facts": {}, **change}
    with pytest.raises(BadQuestion) as refusal:
        answer(question)
    assert refusal.value.at == at


@pytest.mark.parametrize("key", ["rules", "kind", "facts"])
def test_a_missing_key_is_named(key: str) -> None:
    question = {"ask": "ruling", "rules": "house", "kind": "claim", "facts": {}}
    del question[key]
    with pytest.raises(BadQuestion) as refusal:
        answer(question)
    assert refusal.value.at == key


def test_a_need_names_the_fact_and_offers_its_answers() -> None:
    question = {"ask": "ruling", "rules": "house", "kind": "play-out-of-turn", "facts": {"claiming": False, "discarded": False}}
    assert answer(question) == {
        "need": "drew",
        "question": "What did that player draw?",
        "choices": ["stock", "discard", "none"],
        "type": "choice",
    }


def test_answers_are_plain_data_and_the_same_twice() -> None:
    for kind, facts, _, _ in PATHS:
        question = {"ask": "ruling", "rules": "house", "kind": kind, "facts": facts}
        assert json.dumps(answer(question)) == json.dumps(answer(json.loads(json.dumps(question))))


_anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
_fact_names = sorted({fact.name for kind in kinds().values() for fact in kind.facts})
_near = (
    st.booleans() | st.integers(-3, 4) | st.sampled_from(["stock", "discard", "none", "suspend", "resume", "leave", "all-opened"])
)


@given(
    kind=st.sampled_from(list(kinds())) | _anything,
    facts=st.dictionaries(st.sampled_from(_fact_names) | st.text(max_size=8), _near | _anything, max_size=8) | _anything,
    rules=st.sampled_from(rulesets.preset_ids()),
)
@settings(max_examples=300, deadline=None)
def test_whatever_is_asked_there_is_a_ruling_a_question_or_a_refusal(kind: Any, facts: Any, rules: str) -> None:
    given_answer = referee.answer({"ask": "ruling", "rules": rules, "kind": kind, "facts": facts})
    assert len({"path", "need", "error"} & set(given_answer)) == 1
    json.dumps(given_answer, allow_nan=False)


# --- the sentences -------------------------------------------------------------------------------------------------


def texts_of_row(row: Row) -> Iterator[Text]:
    counted: list[Counted] = [row.ruling, *(item.text for item in row.consequences)]
    for text in counted:
        yield text.one
        yield text.many


def all_texts() -> Iterator[Text]:
    for kind in kinds().values():
        yield from (kind.title, kind.about, *(clash.text for clash in kind.clashes))
        yield from (situation.label for situation in kind.situations)
        for fact in kind.facts:
            yield fact.question
            yield from (choice.label for choice in fact.choices)
        for row in kind.rows:
            yield from texts_of_row(row)
    yield from (effect.title for effect in effect_types().values())


def placeholders(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("text", sorted({(text.en, text.es) for text in all_texts()}), ids=lambda pair: pair[0][:60])
def test_both_languages_say_something_with_the_same_parameters(text: tuple[str, str]) -> None:
    english, spanish = text
    assert english.strip() == english
    assert spanish.strip() == spanish
    assert english
    assert spanish
    if english != "No":
        assert english != spanish
    assert placeholders(english) - {"count"} == placeholders(spanish) - {"count"}
    assert english.endswith("?") == spanish.endswith("?")
    assert english.endswith(".") == spanish.endswith(".")


def test_every_effect_and_parameter_is_declared() -> None:
    used: dict[str, set[str]] = {}
    for kind in kinds().values():
        for row in kind.rows:
            for effect in row.effects:
                used.setdefault(effect["type"], set()).update(set(effect) - {"type", "when"})
    declared = {name: effect for name, effect in effect_types().items() if effect.offered}
    assert set(used) == set(declared)
    for name, parameters in used.items():
        assert parameters == set(declared[name].parameters), name


def test_every_property_a_table_asks_of_a_sheet_exists() -> None:
    for kind in kinds().values():
        asked = {row.when for row in kind.rows} | {item.when for row in kind.rows for item in row.consequences}
        asked |= {effect.get("when") for row in kind.rows for effect in row.effects}
        asked |= {fact.unless for fact in kind.facts} | {choice.unless for fact in kind.facts for choice in fact.choices}
        assert asked - {None} <= set(SHEET), kind.name


def test_the_spanish_answer_is_spanish() -> None:
    ruling = ruling_of("play-out-of-turn", {"claiming": True}, HOUSE)
    assert ruling.as_answer("es-mx")["ruling"] == ruling.ruling.es
    assert ruling.as_answer("en-gb")["ruling"] == ruling.ruling.en
