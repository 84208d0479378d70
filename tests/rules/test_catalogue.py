"""The rule book as data: complete, in both languages, and the right rules under each sheet."""

import re
from collections import Counter
from importlib.util import find_spec
from typing import Any

import pytest

from continental.rules import catalogue, rulesets
from continental.rules.catalogue import REMINDER_PLACES, SOURCES, Rule, rules
from continental.rules.citing import concepts
from continental.rules.decisions import SHEET
from continental.rules.parameters import RuleSet
from continental.rules.texts import Text

SOURCE_RULES = [rule for rule in rules().values() if not rule.is_ruling]
RULINGS = [rule for rule in rules().values() if rule.is_ruling]


def sheet(base: str = "house", **overrides: Any) -> RuleSet:
    return rulesets.load({"base": base, **overrides})


def statuses(rules_of_game: RuleSet) -> dict[str, str]:
    return {item.rule.id: item.status for item in catalogue.holding(rules_of_game)}


def test_every_numbered_rule_and_every_ruling_is_there_once() -> None:
    assert [rule.number for rule in sorted(SOURCE_RULES, key=lambda rule: rule.number or 0)] == list(range(1, 218))
    assert {rule.id for rule in RULINGS} == {f"R-{number:02}" for number in range(1, 106)}


def test_numbers_rise_through_each_chapter() -> None:
    for chapter in catalogue.chapters():
        numbers = [rule.number for rule in chapter.rules if rule.number is not None]
        assert numbers == sorted(numbers), chapter.name


def test_rulings_ask_decide_and_give_a_reason_and_rules_do_not() -> None:
    for rule in rules().values():
        assert (rule.question is not None) == (rule.reason is not None) == rule.is_ruling, rule.id
        assert bool(rule.software) == (not rule.is_ruling), rule.id


def texts(rule: Rule) -> list[Text]:
    return [text for text in (rule.text, rule.question, rule.reason) if text is not None]


@pytest.mark.parametrize("rule", rules().values(), ids=list(rules()))
def test_both_languages_say_it_in_whole_sentences(rule: Rule) -> None:
    for text in texts(rule):
        for language in (text.en, text.es):
            assert re.fullmatch(r"[A-Z0-9¿¡«“ÁÉÍÓÚ].*[.?]”?»?", language), language
            assert "  " not in language
            assert '"' not in language
        assert text.en == text.es == "No." or text.en != text.es
        assert "{" not in text.en + text.es
        assert ("¿" in text.es) == ("?" in text.es.replace("May I?", ""))


def test_every_id_a_verdict_can_cite_has_its_text() -> None:
    cited = {rule_id for lines in concepts().values() for ids in lines.values() for rule_id in ids}
    assert {rule_id for rule_id in cited if not rule_id.startswith("entry.")} <= set(rules())


@pytest.mark.parametrize("preset", rulesets.preset_ids())
def test_every_rule_named_as_the_source_of_a_parameter_has_its_text(preset: str) -> None:
    named = {source.removeprefix("ruling:") for source in rulesets.preset_data(preset).get("sources", {}).values()}
    assert {name for name in named if name != "outside" and not name.startswith("default")} <= set(rules())


def test_every_source_and_chapter_has_a_title_and_rules() -> None:
    assert {chapter.source for chapter in catalogue.chapters()} == set(SOURCES)
    for chapter in catalogue.chapters():
        assert chapter.title.en
        assert chapter.title.es
        assert chapter.rules


def test_every_home_is_a_real_place() -> None:
    for rule in rules().values():
        match rule.home:
            case "code":
                home = "scoring.record" if rule.where == "record" else f"continental.rules.{rule.where}"
                assert find_spec(home), rule.id
            case "reminder":
                assert rule.where in REMINDER_PLACES, rule.id
            case "about":
                assert rule.where == "about", rule.id


# --- twins ---------------------------------------------------------------------------------------------------------


def test_twins_are_house_rules_and_point_both_ways() -> None:
    for rule in rules().values():
        for same in rule.same:
            assert same.startswith("house.")
            assert rule in catalogue.twins(same)
        assert set(rule.same) <= {twin.id for twin in catalogue.twins(rule.id)}


def test_each_house_rule_on_irregularities_has_one_twin_in_continental() -> None:
    chapter = next(chapter for chapter in catalogue.chapters() if chapter.name == "house-irregularities")
    for rule in chapter.rules:
        assert len([twin for twin in catalogue.twins(rule.id) if twin.id.startswith("continental.")]) == 1, rule.id


# --- which rules hold ----------------------------------------------------------------------------------------------


def test_the_house_sheet_has_every_house_rule_and_nothing_borrowed() -> None:
    held = statuses(rulesets.preset("house"))
    assert {rule.id for rule in SOURCE_RULES if rule.id.startswith("house.")} <= set(held)
    assert set(held.values()) == {"own"}
    assert not {rule_id for rule_id in held if rule_id.startswith(("continental.", "contract."))}


def test_continental_has_its_own_text_and_borrows_nothing() -> None:
    held = statuses(rulesets.preset("continental"))
    assert "borrowed" not in held.values()
    assert "continental.oot" in held
    assert "house.oot.stands" not in held


def test_a_silent_source_borrows_the_chapters_it_lacks() -> None:
    held = statuses(rulesets.preset("gather"))
    assert held["house.oot.stands"] == held["house.stock.first"] == held["house.missing.hand"] == "borrowed"
    assert held["gather.ace"] == "own"
    assert "house.final.all-cards" not in held


@pytest.mark.parametrize("preset", rulesets.preset_ids())
def test_nothing_a_sheet_leaves_as_it_is_counts_as_changed(preset: str) -> None:
    assert "changed" not in statuses(rulesets.preset(preset)).values()


@pytest.mark.parametrize(
    ("overrides", "changed"),
    [
        ({"twice_around": False}, {"house.twice-around.trigger", "house.twice-around.start", "house.twice-around.why"}),
        ({"points": {"A": 20}}, {"house.score.A-JK"}),
        ({"points": {"5": 10}}, {"house.score.2-7"}),
        ({"missing_card": 20}, {"house.hand.end-too-few"}),
        ({"touching_runs": True}, {"house.runs.contiguous"}),
        ({"name": "Thursday night"}, set()),
    ],
)
def test_an_overruled_parameter_marks_its_rules_and_no_others(overrides: dict[str, Any], changed: set[str]) -> None:
    held = statuses(sheet(**overrides))
    assert {rule_id for rule_id, status in held.items() if status == "changed"} == changed


def test_a_ruling_comes_up_only_where_its_question_does() -> None:
    assert {"R-18", "R-33", "R-57", "R-39"} <= set(statuses(rulesets.preset("house")))
    assert not {"R-18", "R-33", "R-57"} & set(statuses(rulesets.preset("continental")))
    assert {"R-89", "R-90"} <= set(statuses(rulesets.preset("continental")))
    assert "R-39" not in statuses(rulesets.preset("fifteen"))
    assert "R-49" not in statuses(rulesets.preset("basic"))


@pytest.mark.parametrize(
    ("name", "decided_otherwise"),
    [
        ("gather", {"R-33", "R-34"}),  # the last hand is melded whole, without a discard
        ("magnus", {"R-33", "R-34"}),
        ("shanghai", {"R-33", "R-34"}),
        ("liverpool", {"R-33", "R-34"}),
        ("continental", {"R-39"}),  # a freed wild card goes to another meld
        ("kalooki", {"R-39"}),  # … to the same run
        ("spanish", {"R-39", "R-11"}),  # … to a run of the same player; there is a place on either side of an ace
        ("basic", {"R-12", "R-13", "R-14", "R-16", "R-29", "R-30", "R-31", "R-36", "R-44"}),  # no contract, no wild cards
    ],
)
def test_no_ruling_comes_up_that_a_sheet_decides_otherwise(name: str, decided_otherwise: set[str]) -> None:
    assert decided_otherwise <= set(statuses(rulesets.preset("house")))
    assert not decided_otherwise & set(statuses(rulesets.preset(name)))


def test_every_rule_but_those_of_no_game_holds_under_some_preset() -> None:
    homeless = {rule.id for rule in rules().values() if not catalogue.presets_of(rule)}
    assert homeless == {"x.hoyle-variant", "x.zioncheck", "x.noise"}


def test_conditions_of_rulings_name_real_parameters_and_presets() -> None:
    for ruling in RULINGS:
        assert set(ruling.when) <= set(RuleSet.__dataclass_fields__), ruling.id
        assert set(ruling.of) <= set(rulesets.preset_ids()), ruling.id
        assert ruling.sheet is None or ruling.sheet in SHEET, ruling.id


def test_the_book_of_a_sheet_has_each_rule_once_and_no_empty_chapter() -> None:
    house = rulesets.preset("house")
    chapters = catalogue.book(house)
    assert all(items for _, items in chapters)
    counted = Counter(item.rule.id for _, items in chapters for item in items)
    assert counted == Counter(list(statuses(house)))


def test_reminders_are_those_of_the_sheet_and_the_page() -> None:
    house = rulesets.preset("house")
    assert [rule.id for rule in catalogue.reminders(house, "deal")] == [
        "house.deal.manner",
        "house.deal.upcard",
        "house.deal.joker-upcard",
        "R-09",
    ]
    assert "house.twice-around.why" in {rule.id for rule in catalogue.reminders(house, "table")}
    assert "house.twice-around.why" not in {rule.id for rule in catalogue.reminders(sheet(twice_around=False), "table")}


def test_every_reminder_is_shown_under_some_preset() -> None:
    shown = {
        rule.id
        for preset in rulesets.preset_ids()
        for place in REMINDER_PLACES
        for rule in catalogue.reminders(rulesets.preset(preset), place)
    }
    assert shown == {rule.id for rule in rules().values() if rule.home == "reminder"}


# --- search --------------------------------------------------------------------------------------------------------


def found(words: str, language: str = "en") -> set[str]:
    return {rule.id for rule in catalogue.search(words, language)}


@pytest.mark.parametrize(
    ("words", "language", "wanted"),
    [
        ("buy", "en", "house.claim.who"),
        ("book", "en", "house.set.definition"),
        ("R-37", "en", "R-37"),
        ("house.oot.stands", "en", "house.oot.stands"),
        ("Construction Rummy", "en", "house.run.max13"),
        ("OUT OF TURN", "en", "house.oot.stands"),
        ("comodin", "es", "house.joker.replay"),
        ("trío", "es", "house.sets.distinct-rank"),
        ("REPARTO", "es", "house.deal.rotates-left"),
        ("buy", "es", "house.claim.who"),
    ],
)
def test_a_search_finds_what_other_tables_call_it(words: str, language: str, wanted: str) -> None:
    assert wanted in found(words, language)


def test_a_search_needs_every_word_and_starts_at_the_beginning_of_words() -> None:
    assert "house.ace.either-end" in found("ace high")
    assert "house.score.count" not in found("ace high")
    assert "house.players.any" not in found("ayers")


@pytest.mark.parametrize("words", ["", "   ", "!?", "x" * 10_000, "\u202e\x00", "zzzz"])
def test_a_search_for_nothing_finds_nothing(words: str) -> None:
    assert found(words) == set()


def test_a_search_stays_within_the_rules_given() -> None:
    within = [item.rule for item in catalogue.holding(rulesets.preset("continental"))]
    assert {rule.id for rule in catalogue.search("claim", within=within)} <= {rule.id for rule in within}
    assert catalogue.search("claim", within=within)


def test_a_game_is_found_by_its_other_names() -> None:
    assert "May I?" in catalogue.names("house")
    assert catalogue.names("no such game") == ()
    assert all(catalogue.names(preset) for preset in rulesets.preset_ids())
