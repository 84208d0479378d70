"""The check page on a phone: melds built by taps, the fault on its card, the rule in place, and a link that says it all."""

import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from continental.rules import rulesets
from tests.browser.conftest import Look, Visit

BAD = "/check/?rules=house&hand=2&players=4&m=7H+7D+7S&m=4H+6H+JK+7H&d=2C"
LONG = "/check/?rules=house&hand=7&players=4&m=&m=3H+4H+5H+6H+7H+8H+9H+TH+JH+QH+KH+JK+JK+2H"


def tap(page: Page, *keys: str) -> None:
    for key in keys:
        page.locator(".pad").get_by_role("button", name=key, exact=True).click()


def row(page: Page, key: str) -> None:
    page.locator(f'[data-row="{key}"] .lay__label').click()


def test_an_opening_is_built_by_taps(visit: Visit) -> None:
    page = visit("/check/")
    tap(page, "7", "hearts", "diamonds", "spades")
    row(page, "m1")
    tap(page, "king", "clubs", "diamonds", "8", "hearts")
    expect(page.locator("#verdict")).to_contain_text("Not allowed: 1 fault")
    expect(page.get_by_role("button", name="8 of hearts, fault 1")).to_be_visible()
    page.get_by_text("What the rule says").click()
    expect(page.locator("#verdict blockquote")).to_be_visible()
    page.get_by_role("button", name="8 of hearts, fault 1").click()
    page.locator(".pad").get_by_role("button", name="Remove").click()
    tap(page, "joker")
    expect(page.locator("#verdict")).to_contain_text("Right: this may be played")
    expect(page).to_have_url(re.compile(r"m=7H\+7D\+7S&m=KC\+KD\+JK$"))


def test_the_linked_question_has_the_same_verdict_and_instead_is_taken(visit: Visit) -> None:
    page = visit(BAD)
    expect(page.locator("#verdict")).to_contain_text("Not allowed")
    page.get_by_text("Show me how it could lie").click()
    page.get_by_role("link", name="Lay it so").click()
    expect(page.locator("#verdict")).to_contain_text("Right: this may be played")
    other = visit(page.url)
    expect(other.locator("#verdict")).to_contain_text("Right: this may be played")


def test_a_joker_is_given_a_value(visit: Visit) -> None:
    page = visit("/check/?hand=2&m=&m=JK+5H+6H+7H")
    page.get_by_role("button", name="joker", exact=True).first.click()
    page.get_by_role("button", name="Stands for…").click()
    tap(page, "4", "hearts")
    expect(page.get_by_role("button", name="joker as 4 of hearts")).to_be_visible()


def test_the_keyboard_builds_a_meld(visit: Visit) -> None:
    page = visit("/check/", device="desktop")
    page.locator('.pad [data-rank="7"]').focus()
    for letter in "7hds":
        page.keyboard.press(letter)
    expect(page.locator('[data-row="m0"] .lay__card')).to_have_count(3)
    page.keyboard.press("Backspace")
    expect(page.locator('[data-row="m0"] .lay__card')).to_have_count(2)


def test_a_hand_of_cards_is_arranged(visit: Visit) -> None:
    page = visit("/check/hand/?hand=1&c=7H+7D+7S+KC+KD")
    expect(page.locator("#verdict")).to_contain_text("No: there is no way")
    tap(page, "king", "hearts", "2", "clubs")
    expect(page.locator("#verdict")).to_contain_text("Yes, and out at once")


def test_fourteen_cards_stand_in_one_row_of_a_phone(visit: Visit) -> None:
    page = visit(LONG)
    cards = page.locator('[data-row="m1"] .lay__card')
    expect(cards).to_have_count(14)
    boxes = [box for place in range(14) if (box := cards.nth(place).bounding_box())]
    assert len({round(box["y"]) for box in boxes}) == 1
    steps = [later["x"] - box["x"] for box, later in pairwise(boxes)]
    assert min(steps) >= 18  # as wide as the rank at the corner


def test_keys_are_as_large_as_a_thumb(visit: Visit) -> None:
    page = visit("/check/")
    for key in page.locator(".pad .key").all():
        box = key.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44


def test_without_a_script_the_form_is_sent(visit: Visit) -> None:
    context = visit.browser.new_context(base_url=visit.base_url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/check/")
    page.get_by_role("textbox", name="Set, from 3 cards").first.fill("7H 7D 7S")
    page.get_by_role("textbox", name="Set, from 3 cards").nth(1).fill("kc, kd, *")
    page.get_by_role("button", name="Check", exact=True).last.click()
    expect(page.locator("#verdict")).to_contain_text("Right: this may be played")
    context.close()


def test_four_colours_are_chosen_at_once(visit: Visit) -> None:
    page = visit("/check/")
    page.get_by_label("Menu", exact=True).click()
    page.get_by_role("button", name="Four", exact=True).click()
    expect(page.locator("html")).to_have_class(re.compile("four-colour"))


@pytest.mark.parametrize("path", [BAD, "/check/hand/?hand=1&c=7H+7D+7S+KC+KD+KH+2C", "/rules/", "/rules/rule/R-09/"])
def test_the_pages_are_accessible(visit: Visit, look: Look, path: str, assert_accessible: Callable[[Page], None]) -> None:
    assert_accessible(visit(path, **look))


def test_the_rule_book_is_accessible(visit: Visit, assert_accessible: Callable[[Page], None]) -> None:
    assert_accessible(visit("/rules/house/"))


def test_the_rule_book_of_every_preset_fits_a_phone(visit: Visit) -> None:
    page = visit("/rules/")
    wide = []
    for preset in rulesets.preset_ids():
        page.goto(page.url.partition("/rules/")[0] + f"/rules/{preset}/")
        if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
            wide.append(preset)
    assert wide == []
