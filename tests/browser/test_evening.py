"""A whole evening on one phone, from an empty installation to the season's table, as a stranger would go through it."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from scoring.models import Game, Seat
from tests.browser.conftest import Look, Visit
from tests.browser.phones import host_and_game

NAMES = ["Ana", "Ben", "Cai", "Dot"]


def set_up(page: Page) -> None:
    page.get_by_label("What is your table called?").fill("Thursday")
    page.get_by_label("Your name").fill("Ana")
    page.get_by_label("Choose a password").fill("felt-and-paper")
    page.get_by_role("button", name="Set up the table").click()
    page.get_by_role("link", name="Start a game").click()


def seat_and_start(page: Page) -> None:
    page.get_by_role("button", name="Ana", exact=True).click()
    for name in NAMES[1:]:
        page.get_by_label("Somebody new").fill(name)
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.locator(".seating").get_by_text(name, exact=True)).to_be_visible()
    page.get_by_text("Enter the cards drawn").click()
    for name, card in zip(NAMES, ["KH", "7s", "10d", "Q♣"], strict=True):
        page.get_by_role("textbox", name=name, exact=True).fill(card)
    page.get_by_role("button", name="These were drawn").click()
    expect(page.get_by_role("heading", name="Ana deals first")).to_be_visible()
    page.get_by_role("button", name="Start the game").click()
    expect(page.get_by_role("heading", name="2 sets")).to_be_visible()


def tap_cards(page: Page, *keys: str) -> None:
    for key in keys:
        page.get_by_role("group", name="Add a card").get_by_role("button", name=re.compile(rf"^{key}\b")).click()


def choose(page: Page, what: str) -> None:
    page.locator(".choice").get_by_text(what, exact=True).click()


def enter(page: Page) -> None:
    page.get_by_role("button", name="Enter", exact=True).click()


def for_player(page: Page, name: str) -> None:
    expect(page.locator("#count-of")).to_have_text(name)


def count_hand(page: Page, out: str, points: dict[str, str]) -> None:
    """Count a hand in which one player went out and the others typed their points, then close it."""
    page.get_by_role("link", name="Count the hand").click()
    for name in NAMES:
        for_player(page, name)
        if name == out:
            choose(page, "Went out: 0")
        else:
            choose(page, "Points")
            page.get_by_role("textbox", name="Points").fill(points[name])
        enter(page)
        if name != NAMES[-1]:
            for_player(page, NAMES[NAMES.index(name) + 1])
    expect(page.get_by_text("Every score is in.")).to_be_visible()
    close_hand(page)


def close_hand(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Close hand")).click()
    # The answer sends the page on; until it has gone, a tap on a link would be overtaken.
    page.wait_for_url(re.compile(r"/g/\d+/(sheet/)?$"))


def test_a_stranger_scores_an_evening_on_a_phone(visit: Visit) -> None:
    page = visit("/")
    set_up(page)
    seat_and_start(page)

    # Hand 1: Ben opens and goes out; Cai counts cards and is one short; Dot gives no score.
    page.get_by_role("button", name="has opened: Ben").click()
    expect(page.get_by_role("button", name="has opened: Ben")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="is out: Ben").click()
    expect(page.get_by_text("A player is out")).to_be_visible()
    page.get_by_role("link", name="Count the hand").click()
    for_player(page, "Ana")
    tap_cards(page, "7", "king", "ace")
    expect(page.get_by_label("Points of these cards")).to_contain_text("30")
    enter(page)
    for_player(page, "Cai")
    tap_cards(page, "5", "9")
    page.get_by_role("button", name="One more").click()
    enter(page)
    for_player(page, "Dot")
    choose(page, "Gave no score")
    enter(page)
    expect(page.get_by_text("Every score is in.")).to_be_visible()
    close_hand(page)
    expect(page.get_by_role("heading", name="1 set + 1 run")).to_be_visible()

    # Hands 2 to 5
    for number in range(2, 6):
        count_hand(page, out=NAMES[number % 4], points=dict.fromkeys(NAMES, f"{number}0+5"))

    # Hand 2 is corrected after hand 5.
    page.get_by_role("link", name="Scores", exact=True).click()
    page.get_by_role("link", name="2 1 set + 1 run").click()
    page.get_by_role("link", name=re.compile("^Ben")).click()
    for_player(page, "Ben")
    page.get_by_role("textbox", name="Points").fill("10")
    page.get_by_label("Why is it changed?").fill("the ten was counted twice")
    page.get_by_role("button", name="Everybody agrees: correct the score").click()
    expect(page.get_by_role("row", name="2 1 set + 1 run")).to_contain_text("10")

    # Suspended with everybody's consent, resumed in the same order.
    page.get_by_role("link", name="More", exact=True).click()
    for name in NAMES:
        page.get_by_role("checkbox", name=name).check()
    page.get_by_role("button", name="Suspend", exact=True).click()
    expect(page.get_by_role("heading", name="Suspended")).to_be_visible()
    page.get_by_role("link", name="Resume the game").click()
    page.get_by_role("button", name="Ana one place down").click()
    expect(page.locator(".seating li").first).to_contain_text("Ben")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("alert")).to_contain_text("same order")
    visit.excuse("422")
    page.get_by_role("button", name="Ana one place up").click()
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("heading", name="1 set + 2 runs")).to_be_visible()

    # Hands 6 and 7 make a tie between Ana and Dot.
    count_hand(page, out="Cai", points={"Ana": "35", "Ben": "60", "Dot": "10"})
    count_hand(page, out="Ben", points={"Ana": "30", "Cai": "60", "Dot": "30"})
    expect(page.get_by_text("Shared win:").or_(page.get_by_text("Winner:"))).to_be_visible()

    game = Game.objects.get()
    totals = list(Seat.objects.filter(game=game).values_list("player__name", "total", "place"))
    # Hand 1: 30, 0, 25, 55 (30 + 25). Hands 2 to 5: 25, 35, 45, 55, and 0 for Cai, Dot, Ana, Ben in turn; Ben's 25 became 10.
    ana, ben, cai, dot = 30 + 25 + 35 + 0 + 55, 0 + 10 + 35 + 45 + 0, 25 + 0 + 35 + 45 + 55, 55 + 25 + 0 + 45 + 55
    expected = {"Ana": ana + 35 + 30, "Ben": ben + 60 + 0, "Cai": cai + 0 + 60, "Dot": dot + 10 + 30}
    assert {name: total for name, total, _ in totals} == expected
    assert {name: place for name, _, place in totals} == {
        name: 1 + sum(other < total for other in expected.values()) for name, total in expected.items()
    }

    page.get_by_role("link", name="Season", exact=True).click()
    first = page.get_by_role("table").get_by_role("row").nth(1)
    expect(first).to_contain_text(min(expected, key=expected.__getitem__))
    expect(first).to_contain_text(f"{min(expected.values())}.0")


def test_the_pages_of_a_game_are_accessible(visit: Visit, look: Look, assert_accessible: Callable[[Page], None]) -> None:
    from tests.scoring.tables import eight_at_a_table  # noqa: PLC0415  (it wants the database of this test)

    owner, game, finished = eight_at_a_table()
    context = visit.context(device=look["device"], scheme=look["scheme"], user=owner)
    page = context.new_page()
    league = game.league.slug
    for path in (
        f"/l/{league}/",
        f"/l/{league}/season/",
        f"/l/{league}/new-game/",
        f"/g/{game.pk}/",
        f"/g/{game.pk}/count/",
        f"/g/{game.pk}/sheet/",
        f"/g/{game.pk}/history/",
        f"/g/{game.pk}/hand/1/",
        f"/g/{game.pk}/more/",
        f"/g/{finished.pk}/sheet/",
        f"/l/{league}/player/{game.seats.all()[0].player_id}/",
    ):
        page.goto(path)
        assert_accessible(page)


def test_the_table_page_comes_in_under_sixty_kilobytes(visit: Visit) -> None:
    from tests.scoring.tables import eight_at_a_table  # noqa: PLC0415

    owner, game, _finished = eight_at_a_table()
    page = visit.context(user=owner).new_page()
    page.goto(f"/g/{game.pk}/", wait_until="load")
    sizes = page.evaluate(
        """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
            .filter((entry) => entry.initiatorType !== "fetch" && !entry.name.includes("/events/"))
            .map((entry) => [entry.name.split("/").pop(), entry.encodedBodySize])"""
    )
    assert len(sizes) > 4
    assert all(size for _name, size in sizes), sizes
    assert sum(size for _name, size in sizes) < 60_000, sizes


def test_everything_works_without_scripts(visit: Visit) -> None:
    from tests.scoring.tables import eight_at_a_table  # noqa: PLC0415

    owner, game, _finished = eight_at_a_table()
    context = visit.browser.new_context(
        base_url=visit.base_url, java_script_enabled=False, viewport={"width": 390, "height": 844}
    )
    for cookie in visit.context(user=owner).cookies():
        context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": visit.base_url}])
    page = context.new_page()
    page.goto(f"/g/{game.pk}/")
    page.get_by_role("button", name="has opened").first.click()
    expect(page.get_by_role("button", name="has opened").first).to_have_attribute("aria-pressed", "true")
    page.goto(f"/g/{game.pk}/count/?seat=2")
    page.get_by_role("textbox", name="Cards left in hand").fill("7 K JK")
    page.get_by_text("Cards", exact=True).click()
    page.get_by_role("button", name="Enter", exact=True).click()
    expect(page.locator(".count-seat.is-in")).to_contain_text("30")
    context.close()


def test_inputs_25_and_26_what_is_half_entered_outlives_a_turn_of_the_phone_and_is_saved_at_once(visit: Visit) -> None:
    from tests.scoring.tables import eight_at_a_table  # noqa: PLC0415

    owner, game, _finished = eight_at_a_table()
    page = visit.context(user=owner).new_page()
    page.goto(f"/g/{game.pk}/count/?seat=2")
    tap_cards(page, "7", "king")
    page.set_viewport_size({"width": 844, "height": 390})
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_label("Points of these cards")).to_contain_text("15")
    choose(page, "Points")
    page.get_by_role("textbox", name="Points").press_sequentially("85")
    enter(page)
    expect(page.locator(".count-seat.is-in")).to_contain_text("85")


def test_who_gave_no_score_keeps_their_name_beside_it(visit: Visit) -> None:
    host, game = host_and_game()
    page = visit(f"/g/{game.pk}/count/?seat=2", user=host)
    choose(page, "Gave no score")
    enter(page)
    seat = page.locator(".count-seat.is-in")
    expect(seat).to_contain_text("gave no score")
    name = seat.locator("bdi")
    assert name.evaluate("name => name.scrollWidth <= name.clientWidth"), "the name is cut off"
