"""The parts that pages are made of, on the page of all of them (tests/gallery.py)."""

import itertools
from collections.abc import Callable, Iterator

import pytest
from django.test import override_settings
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Look, Visit


@pytest.fixture(autouse=True)
def _gallery() -> Iterator[None]:
    with override_settings(ROOT_URLCONF="tests.gallery"):
        yield


def group(page: Page, number: int = 0) -> Locator:
    return page.locator("[data-count]").nth(number)


def cards(keypad: Locator) -> Locator:
    return keypad.locator('[data-field="cards"]')


def tap(keypad: Locator, *names: str) -> None:
    for name in names:
        keypad.get_by_role("group", name="Add a card").get_by_role("button", name=name, exact=True).tap()


def expect_order(page: Page, *places: str) -> None:
    fields = page.locator('[name="order"]')
    for number, place in enumerate(places):
        expect(fields.nth(number)).to_have_value(place)


def posted(page: Page) -> dict[str, list[str]]:
    page.get_by_role("button", name="Close the hand").click()
    page.get_by_role("dialog").get_by_role("button", name="Close it").click()
    expect(page.locator("body")).to_contain_text("csrfmiddlewaretoken")
    page.wait_for_load_state("load")
    values: dict[str, list[str]] = {}
    for line in page.locator("body").inner_text().splitlines():
        name, _equals, value = line.partition("=")
        values.setdefault(name, []).append(value)
    # The answer is plain text without an icon of its own.
    return values


def test_all_components_are_accessible(visit: Visit, look: Look, assert_accessible: Callable[[Page], None]) -> None:
    assert_accessible(visit("/gallery/", **look))


def test_tapped_cards_are_counted_and_written_into_the_form(visit: Visit) -> None:
    page = visit("/gallery/")
    tap(group(page), "7", "7", "king", "joker")
    expect(group(page).get_by_label("Points of these cards")).to_have_text("35 points")
    expect(group(page)).to_contain_text("4 cards")
    expect(cards(group(page))).to_have_value("7 7 K JK")


def test_the_charge_for_cards_short_stands_in_the_sum_before_it_is_sent(visit: Visit) -> None:
    page = visit("/gallery/")
    tap(group(page), "king")
    group(page).get_by_role("button", name="One more").tap()
    expect(group(page).get_by_label("Points of these cards")).to_have_text("20 points")
    group(page).get_by_label("Cards short").fill("")
    expect(group(page).get_by_label("Points of these cards")).to_have_text("10 points")


def test_a_tapped_chip_is_taken_back(visit: Visit) -> None:
    page = visit("/gallery/")
    tap(group(page), "7", "king")
    group(page).get_by_role("button", name="Take back: king").tap()
    expect(cards(group(page))).to_have_value("7")
    expect(group(page).get_by_label("Points of these cards")).to_have_text("5 points")


def test_the_last_card_tapped_is_taken_back_though_it_lies_elsewhere(visit: Visit) -> None:
    page = visit("/gallery/")
    tap(group(page), "king", "ace", "Take back the last card")
    expect(cards(group(page))).to_have_value("K")


def test_clear_takes_all_cards_back(visit: Visit) -> None:
    page = visit("/gallery/")
    tap(group(page), "king", "ace")
    group(page).get_by_role("button", name="Clear").tap()
    expect(cards(group(page))).to_have_value("")
    expect(group(page)).to_contain_text("No cards yet")


def test_the_suit_is_asked_for_only_where_the_sheet_needs_it(visit: Visit) -> None:
    page = visit("/gallery/?rules=kalooki")
    tap(group(page), "king")
    expect(group(page).get_by_role("group", name="Which suit?")).to_be_hidden()
    tap(group(page), "ace")
    group(page).get_by_role("button", name="ace of hearts").tap()
    expect(cards(group(page))).to_have_value("AH K")
    expect(group(page).get_by_role("group", name="Which suit?")).to_be_hidden()


def test_the_keys_can_be_typed_on(visit: Visit) -> None:
    page = visit("/gallery/", device="desktop")
    group(page).locator('[data-key="5"]').focus()
    for key in ("a", "0", "5", "*", "Backspace", "q"):
        page.keyboard.press(key)
    expect(cards(group(page))).to_have_value("A 5 T Q")


def test_a_key_of_the_browser_is_left_to_the_browser(visit: Visit) -> None:
    page = visit("/gallery/", device="desktop")
    group(page).locator('[data-key="5"]').focus()
    page.keyboard.press("Control+a")
    expect(cards(group(page))).to_have_value("")


def test_every_key_is_large_enough_and_in_three_rows_of_five(visit: Visit) -> None:
    page = visit("/gallery/")
    boxes = [box for key in group(page).locator("[data-keys] > .key").all() if (box := key.bounding_box())]
    assert len(boxes) == 15
    assert len({box["y"] for box in boxes}) == 3
    assert all(box["width"] >= 44 and box["height"] >= 44 for box in boxes)


def test_a_sum_is_added_up_while_it_is_typed(visit: Visit) -> None:
    page = visit("/gallery/")
    points = group(page, 1).get_by_role("textbox", name="Points")
    points.fill("10+15")
    expect(group(page, 1).get_by_label("Points typed")).to_have_text("35 points")  # ten of them for the one card short
    expect(group(page, 1)).to_contain_text("the sum of 2")


def test_what_cannot_be_read_stays_and_is_told(visit: Visit) -> None:
    page = visit("/gallery/")
    points = group(page, 1).get_by_role("textbox", name="Points")
    expect(points).to_have_value("10+1x")
    expect(group(page, 1)).to_contain_text("Write a number, or a sum such as 10+15.")
    expect(points).to_have_attribute("aria-invalid", "true")


def test_an_unfinished_sum_is_told_only_when_the_field_is_left(visit: Visit) -> None:
    page = visit("/gallery/")
    points = group(page, 1).get_by_role("textbox", name="Points")
    points.fill("10+")
    expect(group(page, 1)).not_to_contain_text("The sum ends in a sign")
    points.blur()
    expect(group(page, 1)).to_contain_text("The sum ends in a sign")


def test_minus_ten_can_be_entered_on_a_keypad_without_a_minus(visit: Visit) -> None:
    page = visit("/gallery/")
    points = group(page, 1).get_by_role("textbox", name="Points")
    assert points.get_attribute("inputmode") == "tel"
    points.fill("")
    group(page, 1).get_by_role("button", name="minus").tap()
    expect(points).to_have_value("-")
    page.keyboard.type("10")
    expect(points).to_have_value("-10")


def test_the_form_posts_what_the_keypads_show(visit: Visit) -> None:
    page = visit("/gallery/")
    tap(group(page), "7", "joker")
    group(page).get_by_role("button", name="One more").tap()
    expect(group(page).get_by_label("Cards short")).to_have_value("1")
    group(page, 1).get_by_label("Went out: 0").check()
    values = posted(page)
    assert (values["seat1-kind"], values["seat1-cards"], values["seat1-missing"]) == (["cards"], ["7 JK"], ["1"])
    assert (values["seat2-kind"], values["seat2-points"], values["seat2-missing"]) == (["out"], [""], [""])
    page.goto("about:blank")
    visit.excuse("404")  # the answer in plain text has no icon


def test_a_slip_of_the_choice_loses_nothing(visit: Visit) -> None:
    page = visit("/gallery/")
    tap(group(page), "7", "joker")
    group(page).get_by_label("Gave no score").check()
    expect(group(page).get_by_role("group", name="Add a card")).to_be_hidden()
    group(page).get_by_label("Cards", exact=True).check()
    expect(group(page).get_by_label("Points of these cards")).to_have_text("20 points")


def test_a_number_never_steps_below_its_least(visit: Visit) -> None:
    page = visit("/gallery/")
    group(page).get_by_role("button", name="One fewer").tap()
    expect(group(page).get_by_label("Cards short")).to_have_value("0")


def test_seats_move_by_buttons_and_say_where_they_are(visit: Visit) -> None:
    page = visit("/gallery/")
    page.get_by_role("button", name="Ana down").tap()
    expect(page.get_by_role("status").filter(has_text="Ana is now number 2 of 4.")).to_be_attached()
    expect(page.get_by_role("button", name="Ana down")).to_be_focused()
    expect(page.get_by_role("button", name="Ben up")).to_be_disabled()
    expect_order(page, "2", "1", "3", "4")


def test_seats_move_by_dragging_the_grip(visit: Visit) -> None:
    page = visit("/gallery/", device="desktop")
    page.locator("#seats").scroll_into_view_if_needed()
    grips = page.locator("[data-grip]")
    start, end = grips.first.bounding_box(), grips.nth(2).bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + 5, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(end["x"] + 5, end["y"] + 10, steps=8)
    page.mouse.up()
    expect_order(page, "2", "3", "1", "4")


def test_fourteen_cards_fit_in_a_row_with_every_index_in_sight(visit: Visit) -> None:
    page = visit("/gallery/")
    fan = page.get_by_role("list", name="Fourteen cards")
    box = fan.bounding_box()
    assert box is not None
    lefts = fan.locator("svg").evaluate_all("faces => faces.map((face) => face.getBoundingClientRect().left)")
    assert len(lefts) == 14
    assert all(after - before >= 20 for before, after in itertools.pairwise(lefts))
    last = fan.locator("svg").last.bounding_box()
    assert last is not None
    assert last["x"] + last["width"] <= box["x"] + box["width"] + 1


def test_without_scripts_the_count_is_plain_inputs(visit: Visit) -> None:
    context = visit.context()
    context.route("**/*.js", lambda route: route.abort())
    page = context.new_page()
    page.goto("/gallery/")
    expect(page.get_by_role("textbox", name="Cards left in hand").first).to_be_visible()
    expect(page.get_by_role("textbox", name="Points").first).to_be_visible()
    expect(page.get_by_role("group", name="Add a card").first).to_be_hidden()
    visit.excuse("ERR_FAILED")
