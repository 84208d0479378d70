"""Phones at one table, for the browser tests: a host with an account, guests who joined by the code, and what they do."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Request, expect

from players import joining, people
from players.models import League, Player, User
from scoring import load
from scoring.models import Game
from tests.browser.conftest import Visit
from tests.scoring.tables import game_of

NAMES = ["Ana", "Ben", "Cai", "Dot"]


def host_and_game(names: list[str] = NAMES) -> tuple[User, Game]:
    """Make an owner who sits on seat 0, and a game just started."""
    host = people.set_up_table(
        league="Thursday", name=names[0], password="felt-and-paper", timezone="Europe/Madrid", language="en"
    )
    assert host is not None
    league = League.objects.get()
    players = [Player.objects.get(name=names[0]), *(people.add_player(league, name) for name in names[1:])]
    return host, game_of(league, players)


def code_of(game: Game) -> str:
    return joining.seat_code(game.league, game.pk, None).code


def sit(visit: Visit, game: Game, name: str, **look: object) -> Page:
    """Let a guest scan the code and take the seat of a player."""
    page = visit(f"/j/{code_of(game)}/", **look)  # type: ignore[arg-type]
    with hears(page):
        page.get_by_role("button", name=name, exact=True).click()
    expect(page.locator("#board")).to_be_visible()
    loaded(page)
    return page


def watch(visit: Visit, game: Game) -> Page:
    """Open the board by a link that looks on."""
    link = joining.watch_link(game.league, game.pk, None)
    page = visit(f"/w/{link.code}/", device="desktop")
    page.get_by_role("button", name="Show it on a big screen").click()
    expect(page.locator(".tv")).to_be_visible()
    loaded(page)
    return page


def open_count(page: Page) -> None:
    with hears(page):
        page.get_by_role("navigation", name="This game").get_by_role("link", name="Count").click()
    expect(page.locator("#count-head")).to_be_visible()
    loaded(page)


def loaded(page: Page) -> None:
    """Wait for the scripts of a page that was gone on to: without them it neither hears the bell nor keeps what waits."""
    page.wait_for_load_state("load")


@contextmanager
def hears(page: Page) -> Iterator[None]:
    """Wait, round a step to a page of a game, until that page hears the bell."""
    with page.expect_response("**/events/**"):
        yield


def is_look(request: Request) -> bool:
    """Tell whether a page asks with this for the table as it is now."""
    return request.method == "GET" and request.headers.get("hx-request") == "true"


def type_points(page: Page, points: int | str) -> None:
    page.locator(".choice").get_by_text("Points", exact=True).click()
    page.get_by_role("textbox", name="Points").fill(str(points))


def enter(page: Page) -> None:
    page.locator("[data-keep]").get_by_role("button", name=re.compile("^(Enter|Put this one)")).click()


def state_of(game: Game) -> load.Table:
    found = load.game(game.pk)
    assert found is not None
    return load.table(found)


@contextmanager
def offline(page: Page) -> Iterator[None]:
    """Take the network from one phone for a while."""
    page.context.set_offline(True)
    yield
    page.context.set_offline(False)
