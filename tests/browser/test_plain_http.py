"""A home network: plain http under a name that is not this machine's own, where browsers have no worker and no wake lock."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Visit
from tests.browser.phones import enter, offline, open_count, type_points
from tests.browser.servers import Server

MISSING = "[isSecureContext, 'serviceWorker' in navigator, 'wakeLock' in navigator, 'randomUUID' in crypto]"


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return Server(tmp_path, f"sqlite:///{tmp_path}/home.sqlite3", lan=True)


@pytest.fixture
def came(server: Server) -> Mapping[str, Any]:
    return server.prepare()


@pytest.fixture
def home(browser: Browser, server: Server, came: Mapping[str, Any]) -> Iterator[Visit]:
    """Phones of the home network."""
    server.start()
    visit = Visit(browser, server.home_url)
    yield visit
    visit.close()
    log = server.stop()
    assert visit.not_excused() == []
    assert "Traceback" not in log


def sit_down(home: Visit, came: Mapping[str, Any], name: str) -> Page:
    page = home(f"/j/{came['code']}/")
    page.get_by_role("button", name=name, exact=True).click()
    open_count(page)
    return page


def host(home: Visit, came: Mapping[str, Any]) -> Page:
    context = home.context()
    context.add_cookies([{"name": "sessionid", "value": came["session"], "url": home.base_url}])
    page = context.new_page()
    page.goto(f"/g/{came['game']}/count/")
    return page


def seat(page: Page, name: str) -> Any:
    return page.locator("#count-seats .count-seat", has_text=name)


def test_a_table_at_home_goes_offline_and_back_and_reloads_while_something_waits(home: Visit, came: Mapping[str, Any]) -> None:
    ana, ben = host(home, came), sit_down(home, came, "Ben")
    assert ben.evaluate(MISSING) == [False, False, False, False]
    home.excuse("ERR_INTERNET_DISCONNECTED", "ERR_FAILED")
    with offline(ben):
        type_points(ben, 15)
        enter(ben)
        expect(ben.locator("#banner")).to_contain_text("1 action waits for the network")
        expect(seat(ana, "Ben")).not_to_contain_text("not accepted yet")
    expect(seat(ana, "Ben")).to_contain_text("not accepted yet")
    expect(ben.locator("#banner")).to_be_hidden()
    expect(seat(ben, "Ben")).to_contain_text("15")

    ben.route("**/do/", lambda route: route.abort())
    type_points(ben, 25)
    enter(ben)
    expect(ben.locator("#banner")).to_contain_text("1 action waits for the network")
    ben.reload()
    expect(ben.locator("#banner")).to_contain_text("1 action waits for the network")
    ben.unroute_all()
    ben.evaluate("dispatchEvent(new Event('online'))")
    expect(ben.locator("#banner")).to_be_hidden()
    expect(seat(ben, "Ben")).to_contain_text("25")


def test_a_guest_at_home_sees_what_another_phone_taps(home: Visit, came: Mapping[str, Any]) -> None:
    ana, cai = host(home, came), sit_down(home, came, "Cai")
    ana.get_by_role("link", name="Table", exact=True).click()
    cai.get_by_role("link", name="Table", exact=True).click()
    ana.get_by_role("button", name="has opened: Dot").click()
    expect(cai.locator(".seat", has_text="Dot")).to_contain_text("✓")


def test_at_home_the_server_is_killed_and_what_was_tapped_meanwhile_is_sent_once(
    home: Visit, server: Server, came: Mapping[str, Any]
) -> None:
    dot = sit_down(home, came, "Dot")
    home.excuse("net::ERR_")
    server.kill()
    type_points(dot, 30)
    enter(dot)
    expect(dot.locator("#banner")).to_contain_text("1 action waits for the network")
    server.start()
    expect(dot.locator("#banner")).to_be_hidden()
    expect(seat(dot, "Dot")).to_contain_text("30")
    dot.goto(f"/g/{came['game']}/history/")
    expect(dot.get_by_text(re.compile("count entered|30 points"))).to_have_count(1)
