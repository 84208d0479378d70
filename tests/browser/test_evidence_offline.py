"""Photos, readings and rulings while there is no network: nothing typed is lost, and what was done is sent later, once."""

import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from players.models import User
from scoring.models import Evidence, Game, Photo, Ruling
from tests.browser.conftest import Visit
from tests.browser.phones import host_and_game, is_look, loaded, offline
from tests.scoring.tables import act, hand

WAITS = "1 action waits for the network"
NO_NETWORK = ("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "fetching the script", "console: htmx:")
"""What the browser and htmx say of a network that is gone, for whoever looks at the console."""


@pytest.fixture(autouse=True)
def camera(settings: Any, tmp_path: Path) -> Path:
    settings.PHOTO_DIR = tmp_path / "photos"
    path = tmp_path / "camera.jpg"
    Image.new("RGB", (1200, 900), (20, 110, 60)).save(path)
    return path


@pytest.fixture
def table(transactional_db: None) -> tuple[User, Game]:
    host, game = host_and_game(["Ana", "Ben", "Cai"])
    hand(game, 1, "out", 10, 20)
    act(game, "opened", hand=2, seat=1)
    return host, game


def banner(page: Page) -> Any:
    return page.locator("#banner")


def add_photo(page: Page, camera: Path) -> None:
    page.get_by_label("Take a photo or choose one").set_input_files(camera)
    page.get_by_label("Whose cards").select_option(label="Ben")
    page.get_by_role("button", name="Keep the photo").click()


def test_a_photo_taken_without_a_network_waits_on_the_phone_and_is_sent_once(
    visit: Visit, table: tuple[User, Game], camera: Path
) -> None:
    host, game = table
    page = visit(f"/g/{game.pk}/photos/", user=host)
    with offline(page):
        add_photo(page, camera)
        expect(banner(page)).to_contain_text(WAITS)
        page.get_by_role("button", name="Keep the photo").click()
        expect(banner(page)).to_contain_text(WAITS)
        assert not Photo.objects.exists()
    expect(page.locator(".photos li")).to_have_count(1)
    expect(banner(page)).to_be_hidden()
    photo = Photo.objects.get()
    assert (photo.seat, photo.hand, photo.width) == (1, 2, 1200)
    visit.excuse(*NO_NETWORK)


def test_a_photo_that_waits_outlives_the_page_and_its_phone(visit: Visit, table: tuple[User, Game], camera: Path) -> None:
    host, game = table
    page = visit(f"/g/{game.pk}/photos/", user=host)
    with offline(page):
        add_photo(page, camera)
        expect(banner(page)).to_contain_text(WAITS)
        page.goto("about:blank")
    page.goto(f"/g/{game.pk}/")
    expect(banner(page)).to_be_hidden()
    page.goto(f"/g/{game.pk}/photos/")
    expect(page.locator(".photos li")).to_have_count(1)
    visit.excuse(*NO_NETWORK)


def test_cards_read_without_a_network_stay_and_are_kept_and_judged_later(
    visit: Visit, table: tuple[User, Game], camera: Path
) -> None:
    host, game = table
    page = visit(f"/g/{game.pk}/photos/", user=host)
    add_photo(page, camera)
    page.get_by_role("link", name="Read the cards and judge them").click()
    row = page.locator("form[data-check] [data-row]").first
    row.locator("[data-type-row]").click()
    loaded(page)
    with offline(page):
        row.locator("input[data-input]").fill("7H 7S 8D")
        expect(page.locator("#verdict")).to_contain_text("No network: not judged yet")
        page.locator("[data-turn]").click(position={"x": 60, "y": 80})
        page.get_by_role("button", name="Keep as evidence").click()
        expect(banner(page)).to_contain_text(WAITS)
        expect(row.locator("input[data-input]")).to_have_value("7H 7S 8D")
        assert "7H+7S+8D" in page.url
    expect(banner(page)).to_be_hidden()
    expect(page.locator("#verdict")).to_contain_text("Not allowed")
    kept = Evidence.objects.get()
    assert [meld["cards"] for meld in kept.melds] == ["7H 7S 8D"]
    assert kept.melds[0]["spot"]
    page.reload()
    expect(page.locator(".spot")).to_have_count(1)
    expect(page.locator("#verdict")).to_contain_text("Not allowed")
    visit.excuse(*NO_NETWORK)


def test_a_ruling_given_without_a_network_waits_and_a_question_stays_on_the_page(visit: Visit, table: tuple[User, Game]) -> None:
    host, game = table
    page = visit(f"/g/{game.pk}/wrong/?kind=incorrect-hand&go=1&f.ended=yes&f.went_out=no&f.difference=-2", user=host)
    with offline(page):
        page.get_by_role("link", name=re.compile("^Change")).first.click()
        expect(banner(page)).to_contain_text("No network")
        expect(page.locator("#ruling")).to_be_visible()
        page.get_by_role("radio", name="Cai").first.check()
        page.get_by_label("Anything to remember (optional)").fill("he noticed it himself")
        page.get_by_role("button", name="Record this ruling").click()
        expect(banner(page)).to_contain_text(WAITS)
        assert not Ruling.objects.exists()
    expect(banner(page)).to_be_hidden()
    ruling = Ruling.objects.get()
    assert (ruling.seats, ruling.reason, len(ruling.effects)) == ([2], "he noticed it himself", 1)
    visit.excuse(*NO_NETWORK)


def test_a_ruling_that_is_refused_is_said_on_the_page_with_all_that_was_typed(visit: Visit, table: tuple[User, Game]) -> None:
    host, game = table
    page = visit(f"/g/{game.pk}/wrong/?kind=incorrect-hand&go=1&f.ended=yes&f.went_out=no&f.difference=-2", user=host)
    page.get_by_label("Anything to remember (optional)").fill("he noticed it himself")
    page.get_by_role("radio", name="Cai").first.check()
    hand(game, 2, "out", 10, 20)
    page.get_by_role("button", name="Record this ruling").click()
    expect(page.locator(".trouble")).to_be_focused()
    expect(page.locator(".trouble")).to_contain_text("The table has gone on")
    expect(page.get_by_label("Anything to remember (optional)")).to_have_value("he noticed it himself")
    assert not Ruling.objects.exists()
    visit.excuse("409", "422")


def test_a_question_half_answered_stays_when_the_table_goes_on_and_the_page_says_so(
    visit: Visit, table: tuple[User, Game]
) -> None:
    host, game = table
    page = visit.context(user=host).new_page()
    with page.expect_response(lambda answer: is_look(answer.request)):
        page.goto(f"/g/{game.pk}/wrong/?kind=misdeal&go=1")
    # It has listened, and looked whether it missed something.
    expect(banner(page)).to_be_hidden()
    act(game, "opened", hand=2, seat=0)
    expect(banner(page)).to_contain_text("Something changed at the table meanwhile")
    expect(page.locator("#question")).to_be_visible()
    page.locator(".choice-answer").last.click()
    expect(page.get_by_role("heading", name="Answered so far")).to_be_visible()
    expect(banner(page)).to_be_hidden()
