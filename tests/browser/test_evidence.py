"""From a photo to a ruling, and a dispute with its end, as people do them in a browser."""

import io
import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from PIL import Image
from playwright.sync_api import Page, expect

from continental.rules.decisions import kinds
from players.models import User
from scoring import photos, record_photos, record_rulings
from scoring.models import Evidence, Game, Photo, Ruling
from scoring.record import By
from tests.browser.conftest import Look, Visit
from tests.browser.phones import host_and_game, loaded
from tests.scoring.tables import act, game_of, hand


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.PHOTO_DIR = tmp_path / "photos"
    return tmp_path


def make_table() -> tuple[User, Game]:
    """Make a game of Ana, Ben and Cai in its second hand, in which Ben is down."""
    owner, game = host_and_game(["Ana", "Ben", "Cai"])
    hand(game, 1, "out", 10, 20)
    act(game, "opened", hand=2, seat=1)
    return owner, game


def rule_on_cards(game: Game) -> None:
    """Rule on a run of Ben's with a card too many and another player's card beyond it, read from a photo."""
    image = io.BytesIO()
    Image.new("RGB", (640, 480)).save(image, "JPEG")
    shown = {"hand": 2, "seat": 1, "about": "laid"}
    photo = record_photos.add(game, photos.Prepared(image.getvalue(), 640, 480), shown, By(), client_id="photo")
    melds = [{"row": "m0", "cards": "7H 7S 7D", "spot": [0.2, 0.5]}, {"row": "m1", "cards": "4C 5C 6C 7C 9C", "spot": None}]
    query = "hand=2&m=7H+7S+7D&m=4C+5C+6C+7C+9C"
    read = act(game, "evidence", hand=2, seat=1, photo=photo, melds=melds, query=query, verdict="illegal", reasons=[])
    no = dict.fromkeys(("hand_scored", "same_turn", "after_claim", "swap_wrong", "joker_kept"), False)
    facts = {**no, "correct_without_card": True, "others_beyond": True}
    ruling = {"kind": "illegal-meld", "facts": facts, "hand": 2, "seats": [1], "evidence": read.rev}
    record_rulings.rule(game.pk, ruling, [], By(), client_id="ruling")


TAPS = "Number(sessionStorage.getItem('taps'))"


def count_taps(page: Page) -> None:
    page.add_init_script(f"addEventListener('click', (tap) => tap.isTrusted && sessionStorage.setItem('taps', {TAPS} + 1), true)")
    page.reload()


def taps(page: Page) -> int:
    return int(page.evaluate(TAPS))


def tap_cards(page: Page, *keys: str) -> None:
    """Tap ranks and suits on the pad; within a set the rank stays, within a run the suit."""
    pad = page.locator("[data-pad]")
    for key in keys:
        pad.locator(f'[data-suit="{key}"]' if key in "SHDC" else f'[data-rank="{key}"]').click()


def test_an_illegal_lay_down_goes_by_one_thumb_from_the_camera_to_the_corrected_table(visit: Visit, folder: Path) -> None:
    """One card too many in a run, and another player's card beyond it, found a turn later."""
    owner, game = make_table()
    Image.new("RGB", (1200, 900), (20, 110, 60)).save(folder / "camera.jpg")
    page = visit(f"/g/{game.pk}/", user=owner)
    count_taps(page)
    page.get_by_role("link", name="Photos", exact=True).click()
    page.get_by_label("Take a photo or choose one").set_input_files(folder / "camera.jpg")
    page.get_by_label("Whose cards").select_option(label="Ben")
    page.get_by_role("button", name="Keep the photo").click()
    expect(page.get_by_role("img", name="Photo of the cards")).to_be_visible()
    page.get_by_role("link", name="Read the cards and judge them").click()
    rows = page.locator("form[data-check] [data-row]")
    expect(rows.first).to_be_visible()
    loaded(page)
    tap_cards(page, "7", "H", "S", "D")
    page.locator("[data-turn]").click(position={"x": 60, "y": 80})
    rows.nth(1).locator(".lay__label").click()
    tap_cards(page, "C", "4", "5", "6", "7", "9")
    page.locator("[data-turn]").click(position={"x": 210, "y": 80})
    expect(page.locator(".spot")).to_have_text(["1", "2"])
    expect(page.locator("#verdict")).to_contain_text("Not allowed")
    page.get_by_role("button", name="Keep as evidence").click()
    expect(page.get_by_role("heading", name="Cards read and judged")).to_be_visible()
    expect(page.locator(".spot")).to_have_text(["1", "2"])
    page.get_by_role("link", name="What holds now?").click()
    page.get_by_role("link", name="Yes", exact=True).click()
    expect(page.locator("#ruling")).to_be_visible()
    expect(page.get_by_text("4.7.c", exact=True).first).to_be_visible()
    page.get_by_role("button", name="Record this ruling").click()
    expect(page.get_by_role("heading", name="Rulings", exact=True)).to_be_visible()
    # The camera and the choice of the player, which no script sees, are five more; at four seconds a tap it is two minutes.
    assert taps(page) + 5 <= 30
    page.goto(f"/g/{game.pk}/")
    expect(page.get_by_text("Ben has cards back from the table", exact=True)).to_be_visible()
    expect(page.get_by_text("Cards on the table lie detached and stay", exact=True)).to_be_visible()


def test_a_year_later_the_same_question_shows_the_ruling_and_its_cards(visit: Visit, folder: Path) -> None:
    owner, game = make_table()
    rule_on_cards(game)
    photo = Photo.objects.get()
    Photo.objects.update(expires_on=photo.expires_on - timedelta(days=365))
    Ruling.objects.update(at=Ruling.objects.get().at - timedelta(days=365))
    call_command("expire_photos", verbosity=0)
    later = game_of(game.league, list(game.league.players.all()))
    act(later, "opened", hand=1, seat=0)
    page = visit(f"/g/{later.pk}/", user=owner)
    count_taps(page)
    page.get_by_role("link", name="Something went wrong").first.click()
    page.get_by_role("link", name="Cards were laid down wrongly").click()
    page.get_by_role("link", name="A card too many in a set or run that is otherwise right").click()
    page.get_by_role("link", name="Yes", exact=True).click()
    expect(page.get_by_role("heading", name="Decided here before")).to_be_visible()
    assert taps(page) <= 5
    page.get_by_role("link", name="The cards it is about").click()
    expect(page.get_by_role("heading", name="Cards read and judged")).to_be_visible()
    expect(page.locator(".melds-read > li")).to_have_count(2)
    expect(page.get_by_text("The photo was deleted")).to_be_visible()


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


def test_each_of_the_eleven_kinds_leads_by_a_few_taps_to_a_ruling_and_back(visit: Visit) -> None:
    owner, game = make_table()
    page = visit(f"/g/{game.pk}/", user=owner)
    for kind in kinds().values():
        page.goto(f"/g/{game.pk}/")
        page.get_by_role("link", name="Something went wrong").first.click()
        page.get_by_role("link", name=kind.title.en).click()
        expect(page.get_by_role("heading", level=1, name=kind.title.en)).to_be_visible()
        asked = []
        while page.locator("#ruling").count() == 0:
            asked.append(page.locator("#board h2").first.inner_text())
            address = page.url
            page.locator("#board .choice-link, #board .btn-number").first.click()
            page.wait_for_url(re.compile(rf"^(?!{re.escape(address)}$)"))
            expect(page.locator("#ruling, #question, #situations").first).to_be_visible()
        # With the way to the page and the kind it is two taps more; the longest way round is no common one.
        assert len(asked) + 2 <= 7, asked
        page.go_back()
        expect(page.locator("#board h2").first).to_have_text(asked[-1])


def test_the_pages_of_evidence_are_accessible(visit: Visit, look: Look, assert_accessible: Callable[[Page], None]) -> None:
    owner, game = make_table()
    rule_on_cards(game)
    photo, ruling = Photo.objects.get(), Ruling.objects.get().rev
    context = visit.context(device=look["device"], scheme=look["scheme"], user=owner)
    page = context.new_page()
    for path in (
        "/wrong/",
        "/wrong/?kind=misdeal",
        "/wrong/?kind=incorrect-hand&f.ended=no&go=1&ask=difference",
        f"/g/{game.pk}/wrong/?kind=incorrect-hand&go=1&f.ended=yes&f.went_out=no&f.difference=-2",
        f"/g/{game.pk}/rulings/",
        f"/g/{game.pk}/rulings/{ruling}/house-rule/",
        f"/g/{game.pk}/check/?lies=1",
        f"/g/{game.pk}/photos/{photo.name}/",
        f"/g/{game.pk}/photos/{photo.name}/cards/?hand=2&m=7H+7S+7D&m=4C+5C+6C+7C+9C",
        f"/g/{game.pk}/evidence/{Evidence.objects.get().rev}/",
        f"/g/{game.pk}/photos/",
        f"/g/{game.pk}/hand/1/?seat=1",
        f"/l/{game.league.slug}/rulings/",
    ):
        page.goto(path)
        assert_accessible(page)
