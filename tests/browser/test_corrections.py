"""A score corrected once the cards are mixed, by the word of every player: each on the own phone, or told to the scorekeeper."""

import re

import pytest
from playwright.sync_api import Page, expect

from players.models import User
from scoring.models import Game, Seat
from tests.browser.conftest import Visit
from tests.browser.phones import host_and_game, sit
from tests.scoring.tables import hand

NAMES = ["Ana", "Ben", "Cai"]


@pytest.fixture
def finished(transactional_db: None) -> tuple[User, Game]:
    """A finished game: Ana 0, Ben 70, Cai 85."""
    host, game = host_and_game(NAMES)
    for number in range(1, 8):
        hand(game, number, "out", 10, 25 if number == 1 else 10)
    return host, game


def propose(page: Page, game: Game) -> None:
    """Let the host propose 30 points for Ben's first hand, where 10 were entered."""
    page.goto(f"/g/{game.pk}/sheet/")
    page.goto(f"/g/{game.pk}/hand/1/?seat=1")
    page.get_by_role("textbox", name="Points").fill("30")
    page.get_by_label("Why is it changed?").fill("two kings were forgotten")
    page.get_by_role("button", name="Ask every player on the phone").click()
    page.wait_for_url("**/sheet/")
    expect(page.get_by_role("heading", name="Correction of hand 1: Ben")).to_be_visible()
    expect(page.locator(".notice").get_by_text("Still to agree:")).to_be_visible()


def places(game: Game) -> list[tuple[int | None, int | None]]:
    return list(Seat.objects.filter(game=game).order_by("number").values_list("total", "place"))


def test_a_correction_is_agreed_to_on_three_phones_and_the_standings_follow(visit: Visit, finished: tuple[User, Game]) -> None:
    host, game = finished
    ana = visit(user=host)
    phones = {"Ben": sit(visit, game, "Ben"), "Cai": sit(visit, game, "Cai")}
    for page in phones.values():
        page.goto(f"/g/{game.pk}/sheet/")
    propose(ana, game)
    for page in (ana, *phones.values()):
        expect(page.get_by_role("heading", name="Correction of hand 1: Ben")).to_be_visible()
        expect(page.get_by_text("two kings were forgotten")).to_be_visible()
    for name, page in phones.items():
        # Nobody speaks for somebody else on the own phone.
        expect(page.get_by_role("button", name=re.compile("agrees$"))).to_have_count(0)
        page.get_by_role("button", name="I agree", exact=True).click()
        expect(page.get_by_role("button", name="I agree", exact=True)).to_have_count(0)
        expect(ana.get_by_role("button", name=f"{name} agrees")).to_have_count(0)
    assert places(game) == [(0, 1), (70, 2), (85, 3)]
    ana.get_by_role("button", name="I agree", exact=True).click()
    for page in (ana, *phones.values()):
        amendment = page.locator(".amendments li")
        expect(amendment).to_contain_text("Hand 1, Ben: 10 points → 30 points. two kings were forgotten")
        expect(page.locator("tfoot")).to_contain_text("90")
    assert places(game) == [(0, 1), (90, 3), (85, 2)]
    ana.goto(f"/l/{game.league.slug}/season/")
    standing = ana.locator("table.standings").first
    expect(standing.locator("tbody tr").nth(1)).to_contain_text("Cai")
    expect(standing.locator("tbody tr").nth(2)).to_contain_text("Ben")


def test_the_host_records_by_name_who_agrees(visit: Visit, finished: tuple[User, Game]) -> None:
    host, game = finished
    page = visit(user=host)
    propose(page, game)
    for name in ("Ben", "Cai"):
        page.get_by_role("button", name=f"{name} agrees").click()
        expect(page.get_by_role("button", name=f"{name} agrees")).to_have_count(0)
    page.get_by_role("button", name="I agree", exact=True).click()
    expect(page.locator(".amendments li")).to_contain_text("10 points → 30 points")
    assert places(game) == [(0, 1), (90, 3), (85, 2)]
    page.get_by_role("link", name="History of changes").click()
    for name in NAMES:
        expect(page.get_by_text(f"\u2068{name}\u2069 agrees to a correction")).to_be_visible()


def test_one_phone_that_does_not_agree_leaves_the_score_as_it_is(visit: Visit, finished: tuple[User, Game]) -> None:
    host, game = finished
    ana, cai = visit(user=host), sit(visit, game, "Cai")
    cai.goto(f"/g/{game.pk}/sheet/")
    propose(ana, game)
    cai.get_by_role("button", name="I do not agree").click()
    expect(ana.get_by_role("heading", name="Correction of hand 1: Ben")).to_have_count(0)
    assert places(game) == [(0, 1), (70, 2), (85, 3)]
