"""From a photo to a ruling, and a dispute with its end, as people do them in a browser."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.browser.conftest import Look, Visit


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.PHOTO_DIR = tmp_path / "photos"
    return tmp_path


def make_table() -> Any:
    from players import people  # noqa: PLC0415  (it wants the database of this test)
    from players.models import League, Player  # noqa: PLC0415
    from tests.scoring.tables import act, game_of, hand  # noqa: PLC0415

    owner = people.set_up_table(league="Thursday", name="Ana", password="felt-and-paper", timezone="Europe/Madrid", language="en")
    league = League.objects.get()
    players = [Player.objects.get(name="Ana"), *(people.add_player(league, name) for name in ("Ben", "Cai"))]
    game = game_of(league, players)
    hand(game, 1, "out", 10, 20)
    act(game, "opened", hand=2, seat=1)
    return owner, game


def test_a_photographed_lay_down_goes_from_the_camera_to_the_ruling(visit: Visit, folder: Path) -> None:
    owner, game = make_table()
    Image.new("RGB", (1200, 900), (20, 110, 60)).save(folder / "camera.jpg")
    page = visit(f"/g/{game.pk}/", user=owner)
    page.get_by_role("link", name="Photos", exact=True).click()
    page.get_by_label("Take a photo or choose one").set_input_files(folder / "camera.jpg")
    page.get_by_label("Whose cards").select_option(label="Ben")
    page.get_by_role("button", name="Keep the photo").click()
    expect(page.get_by_role("img", name="Photo of the cards")).to_be_visible()
    page.get_by_role("button", name="Turn the photo").click()
    page.get_by_role("button", name="Larger").click()
    page.get_by_role("link", name="Read the cards and judge them").click()
    rows = page.locator("form[data-check] [data-row]")
    for row, cards in ((0, "7H 7S 7D"), (1, "4C 5C 6C 7C 9C")):
        rows.nth(row).locator("[data-type-row]").click()
        rows.nth(row).locator("input[data-input]").fill(cards)
        rows.nth(row).locator(".lay__label").click()
        expect(rows.nth(row)).to_have_class(re.compile("is-current"))
        page.locator("[data-turn]").click(position={"x": 60 + 150 * row, "y": 80})
    expect(page.locator(".spot")).to_have_count(2)
    expect(page.locator("#verdict")).to_contain_text("Not allowed")
    page.get_by_role("button", name="Keep as evidence").click()
    expect(page.get_by_role("heading", name="Cards read and judged")).to_be_visible()
    expect(page.locator(".spot")).to_have_count(2)
    page.get_by_role("link", name="What holds now?").click()
    page.get_by_role("link", name="Yes", exact=True).click()
    expect(page.locator("#ruling")).to_be_visible()
    expect(page.get_by_text("4.7.c", exact=True).first).to_be_visible()
    page.get_by_role("button", name="Record this ruling").click()
    expect(page.get_by_role("heading", name="Rulings", exact=True)).to_be_visible()
    page.goto(f"/g/{game.pk}/")
    expect(page.get_by_text("Ben has cards back from the table", exact=True)).to_be_visible()


def test_an_objection_a_ruling_and_its_undo(visit: Visit) -> None:
    owner, game = make_table()
    page = visit(f"/g/{game.pk}/hand/1/?seat=1", user=owner)
    page.get_by_text("Somebody disputes this score").click()
    page.get_by_label("What is disputed?").fill("there was a king")
    page.get_by_role("button", name="Put the dispute on record").click()
    page.wait_for_url("**/sheet/")
    page.goto(f"/g/{game.pk}/hand/1/?seat=1")
    expect(page.get_by_text("there was a king")).to_be_visible()
    page.get_by_label("Points that count for Ben").fill("20")
    page.get_by_label("Why", exact=True).fill("three of us saw it")
    page.get_by_label("against the rule book").check()
    page.get_by_role("button", name="These points count").click()
    expect(page.get_by_text(re.compile("three of us saw it"))).to_be_visible()
    page.get_by_role("button", name=re.compile("^Undo: Hand 1")).click()
    expect(page.get_by_text(re.compile("three of us saw it"))).to_have_count(0)


def test_the_pages_of_evidence_are_accessible(visit: Visit, look: Look, assert_accessible: Callable[[Page], None]) -> None:
    owner, game = make_table()
    context = visit.context(device=look["device"], scheme=look["scheme"], user=owner)
    page = context.new_page()
    for path in (
        "/wrong/",
        "/wrong/?kind=misdeal",
        "/wrong/?kind=incorrect-hand&f.ended=no&go=1&ask=difference",
        f"/g/{game.pk}/wrong/?kind=incorrect-hand&go=1&f.ended=yes&f.went_out=no&f.difference=-2",
        f"/g/{game.pk}/rulings/",
        f"/g/{game.pk}/photos/",
        f"/g/{game.pk}/hand/1/?seat=1",
        f"/l/{game.league.slug}/rulings/",
    ):
        page.goto(path)
        assert_accessible(page)
