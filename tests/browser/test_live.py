"""Several phones at one table against a real server: what one does, the others see."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from players import joining
from scoring import record
from scoring.models import Event, Game
from scoring.record import By
from tests.browser.conftest import Look, Visit
from tests.browser.phones import code_of, enter, host_and_game, is_look, offline, open_count, sit, state_of, type_points, watch
from tests.scoring.tables import act, hand


def test_a_tap_on_one_phone_is_seen_on_all_others_and_on_the_board(visit: Visit) -> None:
    host_user, game = host_and_game()
    host = visit(f"/g/{game.pk}/", user=host_user)
    ben, cai, board = sit(visit, game, "Ben"), sit(visit, game, "Cai"), watch(visit, game)
    ben.get_by_role("button", name="has opened: Ben").click()
    for page in (host, cai):
        expect(page.locator(".seat", has_text="Ben")).to_contain_text("✓")
    expect(board.locator(".tv-seat", has_text="Ben")).to_contain_text("✓ open")
    expect(cai.get_by_role("button", name=re.compile("has opened"))).to_have_count(1)
    expect(board.locator("form, button, input, a[href]")).to_have_count(0)


def test_each_seat_counts_its_own_cards_and_the_neighbour_accepts(visit: Visit) -> None:
    host_user, game = host_and_game(["Ana", "Ben", "Cai"])
    host = visit(f"/g/{game.pk}/count/", user=host_user)
    ben, cai = sit(visit, game, "Ben"), sit(visit, game, "Cai")
    open_count(ben)
    open_count(cai)
    expect(ben.locator("#count-of")).to_have_text("Ben")
    type_points(ben, "25")
    enter(ben)
    expect(ben.locator("#count-own")).to_contain_text("Entered: 25 points. It waits until your neighbour")
    expect(ben.locator("#count-own")).to_be_in_viewport()
    expect(cai.locator(".offer")).to_contain_text("25 points")
    expect(host.locator("#count-seats")).to_contain_text("not accepted yet")
    expect(host.locator("#count-seats")).not_to_contain_text("25")
    cai.get_by_role("button", name="I object: Ben").click()
    expect(ben.locator("#count-offers")).to_contain_text("objects to your count")
    expect(host.locator("#count-head")).to_contain_text("Disputed: Ben")
    type_points(ben, "30")
    enter(ben)
    expect(cai.locator(".offer")).to_contain_text("30 points")
    expect(host.locator("#count-head")).not_to_contain_text("Disputed")
    cai.get_by_role("button", name="That is right: Ben").click()
    expect(host.locator("#count-head")).not_to_contain_text("Not accepted")
    expect(ben.locator("#count-own")).to_be_empty()
    entry = state_of(game).hand.entries[1]
    assert (entry.points, entry.state, entry.by_seat) == (30, "accepted", 1)


def test_a_phone_without_network_keeps_entering_and_sends_once_in_order(visit: Visit) -> None:
    host_user, game = host_and_game()
    host = visit(f"/g/{game.pk}/count/", user=host_user)
    other = sit(visit, game, "Dot")
    with offline(host):
        for name, points in (("Ana", 10), ("Ben", 20), ("Cai", 30)):
            expect(host.locator("#count-of")).to_contain_text(name)
            type_points(host, points)
            enter(host)
        expect(host.locator("#banner")).to_contain_text("3 actions wait for the network")
        assert Event.objects.count() == 1
    expect(host.locator("#banner")).to_be_hidden()
    counts = Event.objects.filter(kind="count").order_by("rev")
    assert [(event.data["seat"], event.data["points"]) for event in counts] == [(0, "10"), (1, "20"), (2, "30")]
    open_count(other)
    expect(other.locator("#count-head")).to_contain_text("Still open: Dot")
    visit.excuse("ERR_INTERNET_DISCONNECTED")


def test_a_count_made_again_before_the_first_was_sent_is_no_clash_with_itself(visit: Visit) -> None:
    _host, game = host_and_game()
    ben = sit(visit, game, "Ben")
    open_count(ben)
    with offline(ben):
        for count, points in enumerate((25, 30, 35), start=1):
            type_points(ben, points)
            enter(ben)
            expect(ben.locator("#banner")).to_contain_text(f"{count} action")
    expect(ben.locator("#banner")).to_be_hidden()
    counts = Event.objects.exclude(kind="start").order_by("rev")
    assert [(event.kind, event.data["points"]) for event in counts] == [("count", "25"), ("count", "30"), ("count", "35")]
    visit.excuse("ERR_INTERNET_DISCONNECTED")


def test_of_two_counts_that_waited_neither_replaces_what_another_one_entered_meanwhile(visit: Visit) -> None:
    host_user, game = host_and_game()
    host = visit(f"/g/{game.pk}/count/?seat=1", user=host_user)
    ben = sit(visit, game, "Ben")
    open_count(ben)
    with offline(ben):
        for count, points in enumerate((40, 45), start=1):
            type_points(ben, points)
            enter(ben)
            expect(ben.locator("#banner")).to_contain_text(f"{count} action")
        type_points(host, 20)
        enter(host)
        expect(host.locator("#count-seats")).to_contain_text("20")
    expect(ben.locator("#banner")).to_contain_text("2 actions were not taken")
    assert state_of(game).hand.entries[1].points == 20
    visit.excuse("ERR_INTERNET_DISCONNECTED", "409")


def test_what_waits_outlives_a_reload(visit: Visit) -> None:
    _host, game = host_and_game()
    ben = sit(visit, game, "Ben")
    open_count(ben)
    server_is_away(ben)
    type_points(ben, 15)
    enter(ben)
    expect(ben.locator("#banner")).to_contain_text("1 action waits for the network")
    ben.reload()
    expect(ben.locator("#banner")).to_contain_text("1 action waits for the network")
    server_is_back(ben)
    expect(ben.locator("#banner")).to_be_hidden()
    assert Event.objects.filter(kind="count").count() == 1
    assert state_of(game).hand.entries[1].points == 15
    visit.excuse("ERR_FAILED")


def server_is_away(page: Page) -> None:
    """Let every write of a phone fail on its way, as on a network that is there but leads nowhere."""
    page.route("**/do/", lambda route: route.abort())


def server_is_back(page: Page) -> None:
    page.unroute_all()
    page.evaluate("dispatchEvent(new Event('online'))")


def test_a_refused_action_is_shown_with_its_sentence_and_the_rest_goes_on(visit: Visit) -> None:
    host_user, game = host_and_game()
    host = visit(f"/g/{game.pk}/count/", user=host_user)
    ben = sit(visit, game, "Ben")
    with offline(host):
        for name, points in (("Ana", 10), ("Ben", 20), ("Cai", 30)):
            expect(host.locator("#count-of")).to_contain_text(name)
            type_points(host, points)
            enter(host)
        open_count(ben)
        type_points(ben, 25)
        enter(ben)
        expect(ben.locator("#count-seats")).to_contain_text("25")
    expect(host.locator("#banner")).to_contain_text("1 action was not taken")
    expect(host.locator("#banner")).to_contain_text("Two entries for")
    expect(host.locator("#banner")).not_to_contain_text("wait")
    entries = state_of(game).hand.entries
    assert {seat: entry.points for seat, entry in entries.items()} == {0: 10, 1: 25, 2: 30}
    host.get_by_role("button", name="Look at it").click()
    expect(host.get_by_role("alert").first).to_contain_text("25")
    expect(host.get_by_role("alert").first).to_contain_text("20")
    expect(host.get_by_role("textbox", name="Points")).to_have_value("20")
    expect(host.locator("#banner")).to_be_hidden()
    host.get_by_role("button", name="Put this one on the sheet").click()
    expect(host.get_by_role("alert")).to_have_count(0)
    assert state_of(game).hand.entries[1].points == 20
    visit.excuse("ERR_INTERNET_DISCONNECTED", "409")


def test_a_phone_that_lost_its_seat_is_told_so(visit: Visit) -> None:
    host_user, game = host_and_game()
    ben = sit(visit, game, "Ben")
    host = visit(f"/g/{game.pk}/phones/", user=host_user)
    host.get_by_role("button", name="Take back: Ben").click()
    host.locator("#confirm").get_by_role("button", name=re.compile("^Take back")).click()
    expect(host.locator(".phone-row", has_text="Ben")).to_contain_text("no phone")
    ben.get_by_role("button", name="has opened: Ben").click()
    expect(ben.locator("body")).to_contain_text("no longer has a place at the table")
    assert Event.objects.count() == 1
    visit.excuse("403")


def test_a_seat_moves_to_a_new_phone_and_the_old_one_is_out(visit: Visit) -> None:
    _host, game = host_and_game()
    old = sit(visit, game, "Ben")
    code = joining.move_code(game.league, game.pk, 1, None).code
    new = visit(f"/j/{code}/")
    new.get_by_role("button", name="Ben").click()
    new.get_by_role("button", name="has opened: Ben").click()
    expect(new.get_by_role("button", name="has opened: Ben")).to_have_attribute("aria-pressed", "true")
    # Nobody touches the old phone: it hears of the tap, asks for the table, and goes to the page that says why it may not.
    expect(old.locator("body")).to_contain_text("no longer has a place")
    visit.excuse("403")


def test_a_bell_takes_nothing_from_under_the_fingers(visit: Visit) -> None:
    host_user, game = host_and_game()
    host = visit(f"/g/{game.pk}/count/?seat=2", user=host_user)
    ben = sit(visit, game, "Ben")
    type_points(host, "17")
    open_count(ben)
    type_points(ben, 25)
    enter(ben)
    expect(host.locator("#count-head")).to_contain_text("Not accepted yet: Ben")
    expect(host.get_by_role("textbox", name="Points")).to_have_value("17")
    expect(host.locator("#count-of")).to_have_text("Cai")
    second = visit(f"/g/{game.pk}/count/?seat=2", user=host_user)
    type_points(second, "40")
    enter(second)
    expect(host.locator("[data-changed]")).to_contain_text("changed meanwhile")
    expect(host.get_by_role("textbox", name="Points")).to_have_value("17")


def test_a_bell_leaves_a_refusal_and_what_was_refused_where_they_are(visit: Visit) -> None:
    host_user, game = host_and_game()
    host = visit(f"/g/{game.pk}/count/?seat=2", user=host_user)
    type_points(host, "9999")
    enter(host)
    expect(host.locator(".trouble")).to_contain_text("more than any hand can hold")
    rings_for_all(game, host)
    expect(host.locator(".trouble")).to_be_visible()
    expect(host.get_by_role("textbox", name="Points")).to_have_value("9999")
    visit.excuse("422")


def rings_for_all(game: Game, page: Page) -> None:
    """Let somebody else do something, and wait until the page knows of it."""
    rev = act(game, "opened", hand=state_of(game).hand.number, seat=1).rev
    expect(page.locator("#board")).to_have_attribute("data-rev", str(rev))


def test_a_bell_leaves_a_correction_and_its_reason_and_tells_of_another_one(visit: Visit) -> None:
    host_user, game = host_and_game()
    hand(game, 1, "out", 10, 20, 30)
    host = visit(f"/g/{game.pk}/hand/1/?seat=1", user=host_user)
    host.get_by_role("textbox", name="Points").fill("30")
    host.get_by_label("Why is it changed?").fill("two kings were forgotten")
    rings_for_all(game, host)
    expect(host.get_by_role("textbox", name="Points")).to_have_value("30")
    expect(host.get_by_label("Why is it changed?")).to_have_value("two kings were forgotten")
    expect(host.locator("[data-changed]")).to_be_hidden()
    act(game, "count", hand=1, seat=1, kind="points", points="25", reason="a king was forgotten")
    expect(host.locator("[data-changed]")).to_contain_text("changed meanwhile")
    expect(host.get_by_role("textbox", name="Points")).to_have_value("30")


def test_a_bell_leaves_the_names_of_those_who_agree_to_suspend(visit: Visit) -> None:
    host_user, game = host_and_game()
    host = visit(f"/g/{game.pk}/more/", user=host_user)
    host.get_by_role("checkbox", name="Cai").check()
    host.locator("h1").click()
    rings_for_all(game, host)
    expect(host.get_by_role("checkbox", name="Cai")).to_be_checked()


def test_the_second_tap_of_a_double_tap_does_nothing_however_soon_the_answer_comes(visit: Visit) -> None:
    host_user, game = host_and_game()
    host = visit(f"/g/{game.pk}/", user=host_user)
    opened = host.get_by_role("button", name="has opened: Cai")
    opened.click()
    expect(opened).to_have_attribute("aria-pressed", "true")
    opened.dispatch_event("click", {"detail": 2})
    host.get_by_role("button", name="has opened: Ben").click()
    expect(host.get_by_role("button", name="has opened: Ben")).to_have_attribute("aria-pressed", "true")
    expect(opened).to_have_attribute("aria-pressed", "true")


def sleep(page: Page, *, hidden: bool) -> None:
    """Let the phone fall asleep with the page on it, or wake up."""
    page.evaluate(
        "hidden => { Object.defineProperty(document, 'hidden', {value: hidden, configurable: true});"
        "document.dispatchEvent(new Event('visibilitychange')); }",
        hidden,
    )


def test_a_phone_that_slept_catches_up_when_it_wakes(visit: Visit) -> None:
    host_user, game = host_and_game()
    host = visit(f"/g/{game.pk}/", user=host_user)
    ben = sit(visit, game, "Ben")
    sleep(ben, hidden=True)
    host.get_by_role("button", name="has opened: Cai").click()
    expect(host.get_by_role("button", name="has opened: Cai")).to_have_attribute("aria-pressed", "true")
    expect(ben.locator(".seat", has_text="Cai")).not_to_contain_text("✓")
    sleep(ben, hidden=False)
    expect(ben.locator(".seat", has_text="Cai")).to_contain_text("✓")


def test_without_a_stream_the_page_is_asked_for_again_and_again(visit: Visit) -> None:
    host_user, game = host_and_game()
    context = visit.context()
    ben = context.new_page()
    ben.route("**/events/**", lambda route: route.abort())
    ben.goto(f"/j/{code_of(game)}/")
    ben.get_by_role("button", name="Ben", exact=True).click()
    host = visit(f"/g/{game.pk}/", user=host_user)
    host.get_by_role("button", name="has opened: Cai").click()
    expect(ben.locator(".seat", has_text="Cai")).to_contain_text("✓")
    visit.excuse("ERR_FAILED")


def test_a_stream_that_says_nothing_is_left_and_the_table_looked_at(visit: Visit) -> None:
    host_user, game = host_and_game()
    ben = visit.context().new_page()
    ben.clock.install(time=0)
    ben.clock.pause_at(1)
    ben.route("**/events/**", lambda _route: None)
    ben.goto(f"/j/{code_of(game)}/")
    with (
        ben.expect_request("**/events/**"),
        ben.expect_response(lambda answer: is_look(answer.request)),
    ):
        ben.get_by_role("button", name="Ben", exact=True).click()
    expect(ben.locator("#board")).to_be_visible()
    host = visit(f"/g/{game.pk}/", user=host_user)
    host.get_by_role("button", name="has opened: Cai").click()
    expect(host.get_by_role("button", name="has opened: Cai")).to_have_attribute("aria-pressed", "true")
    expect(ben.locator(".seat", has_text="Cai")).not_to_contain_text("✓")
    ben.clock.fast_forward(20_000)
    expect(ben.locator(".seat", has_text="Cai")).to_contain_text("✓")


SEND_AT_ONCE = """async ([address, fields, times]) => {
    const token = document.cookie.match(/csrftoken=([^;]+)/)[1];
    const headers = {"X-CSRFToken": token, "HX-Request": "true"};
    const send = () => fetch(address, {method: "POST", body: new URLSearchParams(fields), headers});
    return (await Promise.all(Array.from({length: times}, send))).map((answer) => answer.status);
}"""


def test_the_same_action_sent_twice_in_parallel_counts_once(visit: Visit) -> None:
    host_user, game = host_and_game()
    host, ben = visit(f"/g/{game.pk}/", user=host_user), sit(visit, game, "Ben")
    open_count(ben)
    count = {"do": "count", "page": "count", "hand": "1", "seat": "1", "kind": "points", "points": "35", "client_id": "one-tap"}
    assert ben.evaluate(SEND_AT_ONCE, [f"/g/{game.pk}/do/", count, 5]) == [200] * 5
    assert Event.objects.filter(kind="count").count() == 1
    host.get_by_role("button", name="Stock ran out: turn it over").dblclick()
    expect(host.locator("#board")).to_contain_text("turned over 1 time")
    host.get_by_role("button", name="has opened: Cai").click()
    expect(host.get_by_role("button", name="has opened: Cai")).to_have_attribute("aria-pressed", "true")
    assert state_of(game).hand.stock_turned == 1


def test_a_stale_page_is_told_what_happened_meanwhile_and_keeps_what_was_typed(visit: Visit) -> None:
    _host, game = host_and_game()
    ben = sit(visit, game, "Ben")
    open_count(ben)
    ben.route(lambda url: "/events/" in url or "/count/" in url, lambda route: route.abort())
    ben.evaluate("dispatchEvent(new Event('online'))")
    visit.excuse("ERR_FAILED", "409")
    hand(game, 1, "out", 10, 20, 30)
    type_points(ben, "17+4")
    enter(ben)
    expect(ben.get_by_role("alert").first).to_contain_text("Hand 1 is over")
    expect(ben.locator("#count-head h1")).to_have_text("Count of hand 2")
    expect(ben.get_by_role("textbox", name="Points")).to_have_value("17+4")
    assert state_of(game).hand_of(1).entries[1].points == 10  # type: ignore[union-attr]
    assert state_of(game).hand.entries == {}


def test_two_hosts_at_once_count_no_turn_twice(visit: Visit) -> None:
    host_user, game = host_and_game()
    one, two = visit(f"/g/{game.pk}/", user=host_user), visit(f"/g/{game.pk}/", user=host_user)
    server_is_away(two)
    two.get_by_role("button", name="Stock ran out").click()
    expect(two.locator("#banner")).to_contain_text("1 action waits")
    one.get_by_role("button", name="Stock ran out: turn it over").click()
    expect(one.locator("#board")).to_contain_text("turned over 1 time")
    server_is_back(two)
    expect(two.locator("#banner")).to_contain_text("1 action was not taken")
    assert state_of(game).hand.stock_turned == 1
    two.get_by_role("button", name="Discard").click()
    expect(two.locator("#banner")).to_be_hidden()
    visit.excuse("ERR_FAILED", "409")


WORKER_COMES = """Promise.race([
    navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller || new Promise(done =>
        navigator.serviceWorker.addEventListener("controllerchange", done))).then(() => true),
    new Promise(done => setTimeout(() => done(false), 10000)),
])"""


IS_KEPT = """new Promise(done => {
    const look = () => caches.match(location.href, {ignoreVary: true}).then(kept => kept ? done(true) : setTimeout(look, 50));
    look();
    setTimeout(() => done(false), 30000);
})"""


def wait_for_worker(page: Page) -> None:
    """Wait until the page has its worker. A browser may put off hiring one; then it does so at the next look at the page."""
    for _look in range(3):
        if page.evaluate(WORKER_COMES):
            return
        page.reload()
    pytest.fail("no worker came")


def test_a_page_is_reloaded_without_a_network_and_what_was_entered_is_still_there(visit: Visit) -> None:
    _host, game = host_and_game()
    ben = sit(visit, game, "Ben")
    open_count(ben)
    wait_for_worker(ben)
    ben.reload()
    assert ben.evaluate(IS_KEPT), "the worker keeps no copy of the page"
    with offline(ben):
        type_points(ben, 15)
        enter(ben)
        expect(ben.locator("#banner")).to_contain_text("1 action waits for the network")
        ben.reload()
        expect(ben.locator("#count-of")).to_have_text("Ben")
        expect(ben.locator("#banner")).to_contain_text("1 action waits for the network")
    expect(ben.locator("#banner")).to_be_hidden()
    assert state_of(game).hand.entries[1].points == 15
    visit.excuse("ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "FetchEvent")


def test_reminders_are_silent_until_asked_for(visit: Visit) -> None:
    host_user, game = host_and_game()
    ben = sit(visit, game, "Ben")
    expect(ben.locator(".reminder")).to_contain_text("You play first.")
    ben.evaluate("window.buzzes = 0; navigator.vibrate = () => { window.buzzes += 1; return true }; null")
    host = visit(f"/g/{game.pk}/", user=host_user)
    expect(host.locator(".reminder")).to_contain_text("You deal: 10 cards each.")
    host.get_by_role("button", name="is out: Cai").click()
    expect(host.get_by_role("button", name="is out: Cai")).to_have_attribute("aria-pressed", "true")
    expect(ben.locator(".reminder")).to_contain_text("Count your cards.")
    assert ben.evaluate("buzzes") == 0
    ben.get_by_text("Reminders on this phone").click()
    ben.get_by_label("A buzz").check()
    host.get_by_role("button", name="is out: Cai").click()
    expect(ben.locator(".reminder")).to_contain_text("You play first.")
    assert ben.evaluate("buzzes") >= 2


def test_input_25_a_number_typed_and_entered_at_once_is_kept(visit: Visit) -> None:
    _host, game = host_and_game()
    ben = sit(visit, game, "Ben")
    open_count(ben)
    ben.locator(".choice").get_by_text("Points", exact=True).click()
    ben.get_by_role("textbox", name="Points").press_sequentially("85")
    enter(ben)
    expect(ben.locator("#count-seats")).to_contain_text("85")
    assert state_of(game).hand.entries[1].points == 85


def test_input_26_a_half_filled_hand_outlives_turning_and_locking_the_phone(visit: Visit) -> None:
    host_user, game = host_and_game()
    ben = sit(visit, game, "Ben")
    open_count(ben)
    for key in ("K", "7"):
        ben.get_by_role("group", name="Add a card").get_by_role("button", name=re.compile("king" if key == "K" else "^7")).click()
    ben.set_viewport_size({"width": 844, "height": 390})
    sleep(ben, hidden=True)
    host = visit(f"/g/{game.pk}/", user=host_user)
    host.get_by_role("button", name="has opened: Cai").click()
    expect(host.get_by_role("button", name="has opened: Cai")).to_have_attribute("aria-pressed", "true")
    sleep(ben, hidden=False)
    ben.set_viewport_size({"width": 390, "height": 844})
    expect(ben.locator("[data-card-sum]")).to_have_text("15")


def test_input_27_minus_ten_is_entered_without_a_minus_on_the_keyboard(visit: Visit) -> None:
    _host, game = host_and_game()
    ben = sit(visit, game, "Ben")
    open_count(ben)
    ben.locator(".choice").get_by_text("Points", exact=True).click()
    ben.get_by_role("button", name="minus").click()
    expect(ben.get_by_role("textbox", name="Points")).to_be_focused()
    ben.keyboard.type("10")
    enter(ben)
    expect(ben.locator("#count-seats")).to_contain_text("-10")


def test_nothing_new_has_a_fault_that_axe_finds(visit: Visit, look: Look, assert_accessible: Callable[[Page], None]) -> None:
    host_user, game = host_and_game(["Ana", "Ben", "Cai"])
    joining.watch_link(game.league, game.pk, None)
    joining.move_code(game.league, game.pk, 1, None)
    link = joining.watch_link(game.league, 0, None)
    guest = visit(f"/j/{code_of(game)}/", **look)
    assert_accessible(guest)
    guest.get_by_role("button", name="Cai", exact=True).click()
    expect(guest.locator("#board")).to_be_visible()
    assert_accessible(guest)
    record.apply(game.pk, "count", {"hand": 1, "seat": 1, "kind": "points", "points": "25"}, By(seat=1), client_id="axe")
    open_count(guest)
    expect(guest.locator(".offer")).to_be_visible()
    assert_accessible(guest)
    for path in ("/j/", f"/w/{link.code}/"):
        assert_accessible(visit(path, **look))
    assert_accessible(visit(f"/g/{game.pk}/phones/", user=host_user, **look))
