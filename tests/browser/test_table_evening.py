"""Four phones and a board play a whole game of seven hands, while one loses the network twice and the server is killed twice."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Visit
from tests.browser.phones import enter, loaded, open_count, type_points
from tests.browser.servers import Server, postgres_database

NAMES = ["Ana", "Ben", "Cai", "Dot"]
HANDS = range(1, 8)
PATIENCE = 120_000
"""Phones come back to a server that was killed by themselves, each in its own time."""
OFFLINE = {2, 5}
KILLED = {3, 6}


def points(hand: int, seat: int) -> int | None:
    """What is tapped: the player at seat ``hand % 4`` goes out, the others count."""
    return None if hand % 4 == seat else 10 * hand + 5 * seat


@pytest.fixture(params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    if request.param == "sqlite":
        yield Server(tmp_path, f"sqlite:///{tmp_path}/evening.sqlite3")
        return
    with postgres_database() as address:
        if address is None:
            reason = "no PostgreSQL can be reached"
            if os.environ.get("CI"):
                pytest.fail(reason)
            pytest.skip(reason)
        yield Server(tmp_path, address, workers=2)


def hand_in(page: Page, hand: int, seat: int) -> None:
    """Enter one seat's count on the phone that shows its keypad."""
    expect(page.locator("#count-of")).to_have_text(NAMES[seat], timeout=PATIENCE)
    score = points(hand, seat)
    if score is None:
        page.locator(".choice").get_by_text("Went out: 0", exact=True).click()
    else:
        type_points(page, score)
    enter(page)


def accept(page: Page, seat: int, hand: int) -> None:
    if points(hand, seat) is None:
        return
    offer = page.locator(".offer", has_text=NAMES[seat])
    expect(offer).to_contain_text(f"{points(hand, seat)} points", timeout=PATIENCE)
    offer.get_by_role("button", name="That is right").click()
    expect(offer).to_have_count(0, timeout=PATIENCE)


def test_the_final_sheet_is_what_was_tapped(browser: Browser, server: Server) -> None:
    came = server.prepare()
    server.start()
    visit = Visit(browser, server.url)
    try:
        phones = come(visit, came)
        board = visit(f"/w/{came['watch']}/", device="desktop")
        board.get_by_role("button", name="Show it on a big screen").click()
        play(server, phones, board)
    finally:
        visit.close()
        log = server.stop()
    assert "Traceback" not in log


def come(visit: Visit, came: Mapping[str, Any]) -> list[Page]:
    """Let the host open the count, and three guests sit down."""
    context = visit.context()
    context.add_cookies([{"name": "sessionid", "value": came["session"], "url": visit.base_url}])
    host = context.new_page()
    host.goto(f"/g/{came['game']}/count/")
    phones = [host]
    for name in NAMES[1:]:
        page = visit(f"/j/{came['code']}/")
        page.get_by_role("button", name=name, exact=True).click()
        open_count(page)
        phones.append(page)
    return phones


def play(server: Server, phones: list[Page], board: Page) -> None:
    ana, ben, cai, dot = phones
    for hand in HANDS:
        for page in phones:
            expect(page.locator("#count-head h1")).to_have_text(f"Count of hand {hand}", timeout=PATIENCE)
        if hand in OFFLINE:
            ben.context.set_offline(True)
        hand_in(ben, hand, 1)
        if hand in OFFLINE:
            expect(ben.locator("#banner")).to_contain_text("1 action waits for the network")
        hand_in(dot, hand, 3)
        if hand in KILLED:
            expect(dot.locator("#count-seats")).to_contain_text(re.compile(r"Dot\s*\d"), timeout=PATIENCE)
            server.kill()
        hand_in(cai, hand, 2)
        if hand in KILLED:
            expect(cai.locator("#banner")).to_contain_text("1 action waits for the network")
            server.start()
        if hand in OFFLINE:
            ben.context.set_offline(False)
        hand_in(ana, hand, 0)
        for page, seat in ((cai, 1), (dot, 2), (ana, 3)):
            accept(page, seat, hand)
        close(ana, hand)
    expected = [sum(points(hand, seat) or 0 for hand in HANDS) for seat in range(4)]
    for page in phones:
        expect(page.locator(".cell-total")).to_have_text(
            [re.compile(rf"^\s*{total}\s*$") for total in expected], timeout=PATIENCE
        )
        shown = [re.findall(r"\d+", cell)[0] for cell in page.locator("tbody .cell").all_text_contents()]
        assert shown == [str(points(hand, seat) or 0) for hand in HANDS for seat in range(4)]
    expect(board.locator(".tv-total")).to_have_text([str(total) for total in expected], timeout=PATIENCE)
    best = min(range(4), key=expected.__getitem__)
    expect(board.locator(".is-lead .tv-name")).to_have_text(NAMES[best])


def close(host: Page, hand: int) -> None:
    host.get_by_role("button", name=f"Close hand {hand}").click(timeout=PATIENCE)
    if hand != HANDS[-1]:
        host.get_by_role("link", name="Count the hand").click(timeout=PATIENCE)
        expect(host.locator("#count-head")).to_be_visible()
        loaded(host)
