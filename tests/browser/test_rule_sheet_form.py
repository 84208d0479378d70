"""The form of a rule sheet on a phone: three screens for a newcomer, and a refusal that leads to its place."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from continental.rules import rulesets
from players import people
from players.models import League, User
from scoring import record
from scoring.models import RuleSheet
from scoring.record import By

TAP = 44


@pytest.fixture
def owner(transactional_db: None) -> User:
    made = people.set_up_table(
        league="Thursday Continental", name="Ana", password="felt-and-paper", timezone="Europe/Madrid", language="en"
    )
    assert made is not None
    return made


@pytest.fixture
def address(owner: User) -> str:
    return f"/l/{League.objects.get().slug}/rules/new/?from="


def assert_each_screen_fits(page: Page) -> None:
    """Each of the three sections fits between the masthead and the places below, to be read without scrolling."""
    room = page.evaluate(
        "document.documentElement.clientHeight - document.querySelector('.masthead').offsetHeight"
        " - document.querySelector('.places').offsetHeight"
    )
    heights = page.locator(".screen").evaluate_all("screens => screens.map((screen) => screen.offsetHeight)")
    assert len(heights) == 3
    assert max(heights) <= room, (page.url, heights)


def assert_everything_can_be_tapped(page: Page) -> None:
    small = page.locator("form.board").evaluate(
        """(form, least) => [...form.querySelectorAll("input:not([type=hidden]), select, button, summary, textarea")]
          .map((item) => (item.type === "radio" || item.type === "checkbox" ? item.closest("label") : item))
          .filter((item) => item.checkVisibility() && !item.closest(".visually-hidden") && item.offsetHeight < least)
          .map((item) => item.outerHTML)""",
        TAP,
    )
    assert small == []


@pytest.mark.parametrize("locale", ["en", "es"])
def test_a_newcomer_gets_by_with_three_screens_of_a_phone(visit: Any, owner: User, address: str, locale: str) -> None:
    page = visit("/", user=owner, locale=locale)
    for base in rulesets.preset_ids():
        page.goto(address + base)
        assert_each_screen_fits(page)
    page.goto(address + "fifteen")
    page.locator("[name=hands]").fill("15")
    page.locator("[value=so-many-hands]").click()
    expect(page.locator("[name=hand-14-contract]")).to_be_visible()
    assert_each_screen_fits(page)
    sheet = record.add_sheet(League.objects.get(), "Ours", "house", {"twice_around": False}, By(user=owner))
    page.goto(f"{address}sheet:{sheet.pk}")
    assert_each_screen_fits(page)
    assert_everything_can_be_tapped(page)


def test_a_sheet_is_made_by_keyboard_alone_and_a_refusal_takes_the_focus_to_its_place(
    visit: Any, look: Any, owner: User, address: str, assert_accessible: Callable[[Page], None]
) -> None:
    visit.excuse("422")  # a refused form is answered so
    page = visit(address + "house", user=owner, **look)
    page.get_by_label("Name of the sheet").focus()
    page.keyboard.type("Night rules")
    page.locator("[name=twice_around]:checked").focus()
    page.keyboard.press("ArrowRight")
    fold = page.locator("summary", has_text="Sets and runs")
    fold.focus()
    page.keyboard.press("Enter")
    for _stop in range(16):  # what each means, and what is typed, one after the other
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == "max_run":
            break
    page.keyboard.press("Control+A")
    page.keyboard.type("3")
    page.locator("[name=max_run]").evaluate("field => field.closest('details').open = false")
    page.get_by_label("Name of the sheet").press("Enter")
    refused = page.locator("[name=max_run]")
    expect(refused).to_be_focused()
    expect(refused).to_be_in_viewport()
    expect(refused).to_have_value("3")
    expect(refused).to_have_accessible_description("The longest run is shorter than the shortest.")
    expect(page.get_by_label("Name of the sheet")).to_have_value("Night rules")
    expect(page.locator("summary", has_text="Sets and runs")).to_contain_text("1 differs")
    assert_accessible(page)
    assert not RuleSheet.objects.exists()
    page.keyboard.press("Control+A")
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Night rules")
    rules = RuleSheet.objects.get().rules
    assert (rules.max_run, rules.twice_around) == (9, False)


def test_what_a_parameter_means_opens_under_its_name_at_one_tap(visit: Any, look: Any, owner: User, address: str) -> None:
    page = visit(address + "house", user=owner, **look)
    asked = page.locator(".parameter", has=page.locator("[name=twice_around]"))
    expect(asked.locator(".form-text")).to_be_hidden()
    asked.locator("summary").click()
    expect(asked.locator(".form-text")).to_contain_text("each has two more turns")
    expect(asked.locator(".form-text")).to_contain_text("Changes when a hand or the game is over.")
    expect(asked.locator(".form-text")).to_contain_text("In the source")
    expect(asked.get_by_text("yes", exact=True)).to_be_in_viewport()
