"""Pages of people in a real browser: every device and scheme, and nothing for axe to find."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Look, Visit
from tests.cast import Cast, assemble
from tests.factories import PASSWORD, PlayerFactory
from tests.players.test_names import HOSTILE

Check = Callable[[Page], None]


@pytest.fixture
def crowd(transactional_db: None) -> Cast:
    """The cast, with players of every kind of name."""
    cast = assemble()
    for name in HOSTILE:
        PlayerFactory.create(league=cast.league, name=name, nickname="Nick")
    PlayerFactory.create(league=cast.league, name="Gone", hidden=True)
    return cast


def test_the_first_table_is_accessible(visit: Visit, look: Look, assert_accessible: Check) -> None:
    page = visit("/", **look)
    assert_accessible(page)
    page.get_by_role("button", name="Set up the table").click()
    assert_accessible(page)


@pytest.mark.parametrize("path", ["people/", "people/{player}/edit/", "members/{member}/", "settings/"])
def test_the_pages_of_a_league_are_accessible(visit: Visit, look: Look, crowd: Cast, assert_accessible: Check, path: str) -> None:
    player, member = crowd.league.players.all()[0], crowd.league.memberships.all()[0]
    page = visit(f"/l/thursday/{path.format(player=player.pk, member=member.pk)}", user=crowd.owner, **look)
    assert_accessible(page)


@pytest.mark.parametrize("path", ["/", "/sign-in/"])
def test_the_pages_of_strangers_are_accessible(
    visit: Visit, look: Look, crowd: Cast, assert_accessible: Check, path: str
) -> None:
    page = visit(path, **look)
    page.get_by_label("Menu").click()
    assert_accessible(page)


@pytest.mark.parametrize("path", ["/password/", "/new-league/"])
def test_the_pages_of_an_account_are_accessible(
    visit: Visit, look: Look, crowd: Cast, assert_accessible: Check, path: str
) -> None:
    assert_accessible(visit(path, user=crowd.owner, **look))


def test_a_page_that_is_not_there_is_accessible(visit: Visit, look: Look, crowd: Cast, assert_accessible: Check) -> None:
    page = visit("/nothing/", **look)
    assert_accessible(page)
    visit.excuse("404")


def test_a_stranger_sets_up_a_table_by_phone(visit: Visit) -> None:
    page = visit("/")
    page.get_by_label("What is your table called?").fill("La mesa de la abuela")
    page.get_by_label("Your name").fill("María José")
    page.get_by_label("Choose a password").fill(PASSWORD)
    page.get_by_role("button", name="Set up the table").click()
    expect(page).to_have_url(re.compile("/l/la-mesa-de-la-abuela/$"))
    expect(page.get_by_role("status").filter(has_text="Your table is ready")).to_be_visible()


def test_the_device_s_own_time_zone_is_chosen(visit: Visit) -> None:
    page = visit("/")
    zone = page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    expect(page.get_by_label("Time zone")).to_have_value(zone)


def test_colours_change_at_once_and_are_there_before_the_next_page_is_painted(visit: Visit, crowd: Cast) -> None:
    page = visit("/sign-in/", scheme="light")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_label("Menu").click()
    with page.expect_response(lambda answer: answer.url.endswith("/colours/")):
        page.get_by_role("button", name="Dark").click()
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark != light
    page.route("**/*.js", lambda route: route.abort())
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark
    visit.excuse("ERR_FAILED")


def test_the_language_is_changed_from_the_menu(visit: Visit, crowd: Cast) -> None:
    page = visit("/l/thursday/people/", user=crowd.owner)
    page.get_by_label("Menu").click()
    page.get_by_role("button", name="Español").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Gente")


def test_escape_closes_the_menu_and_gives_the_focus_back(visit: Visit, crowd: Cast) -> None:
    page = visit("/sign-in/")
    page.get_by_label("Menu").click()
    expect(page.get_by_role("button", name="Dark")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Dark")).to_be_hidden()
    expect(page.get_by_label("Menu")).to_be_focused()


def test_the_places_of_the_league_lie_under_the_thumb_on_a_phone(visit: Visit, crowd: Cast) -> None:
    page = visit("/l/thursday/people/", user=crowd.owner)
    box = page.get_by_role("navigation", name="The league").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] == 844
    assert box["width"] == 390


def test_the_field_that_will_not_do_has_the_focus(visit: Visit, crowd: Cast) -> None:
    page = visit("/l/thursday/people/", user=crowd.owner)
    page.get_by_label("Name of the new player").fill("=1+1")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("=1+1 is in this league already.")).to_be_in_viewport()
    expect(page.get_by_label("Name of the new player")).to_be_focused()
    visit.excuse("422")


def test_removing_a_member_asks_first(visit: Visit, crowd: Cast) -> None:
    member = crowd.users["member"].memberships.get()
    page = visit(f"/l/thursday/members/{member.pk}/", user=crowd.owner)
    page.get_by_role("button", name="Remove from the league").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Take member out of this league?")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_be_hidden()
    assert crowd.league.memberships.filter(pk=member.pk).exists()
    page.get_by_role("button", name="Remove from the league").click()
    dialog.get_by_role("button", name="Remove from the league").click()
    expect(page.get_by_role("status").filter(has_text="member is no longer a member")).to_be_visible()
    assert not crowd.league.memberships.filter(pk=member.pk).exists()


def test_everything_to_tap_on_the_people_page_is_large_enough_for_a_thumb(visit: Visit, crowd: Cast) -> None:
    page = visit("/l/thursday/people/", user=crowd.owner)
    small = page.evaluate(
        """() => [...document.querySelectorAll("a, button, summary, input:not([type=hidden]), select")]
            .filter((item) => item.checkVisibility() && !item.matches(".skip"))
            .map((item) => [item.textContent.trim(), item.getBoundingClientRect()])
            .filter(([, box]) => box.height < 44 || box.width < 44)
            .map(([text, box]) => `${text}: ${box.width} × ${box.height}`)"""
    )
    assert small == []
