"""The pages of a league in a real browser: readable, within the screen, and free of what axe complains of."""

import uuid
from collections.abc import Callable
from datetime import date
from io import BytesIO
from statistics import median
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from continental.rules.standing_methods import Terms
from players import people
from players.models import League
from scoring import ratings, record, record_league
from scoring.models import Season
from scoring.policies import Policies
from scoring.record import By
from scoring.record_league import SeasonPlan
from tests.scoring.tables import LONG_NAMES, act, hand
from tests.scoring.test_seasons import game_on


@pytest.fixture
def league(transactional_db: None) -> Any:
    owner = people.set_up_table(
        league="Thursday Continental", name="Ana", password="felt-and-paper", timezone="Europe/Madrid", language="en"
    )
    assert owner is not None
    found = owner.memberships.get().league
    players = [found.players.get(name="Ana"), *(people.add_player(found, name) for name in LONG_NAMES[1:])]
    record_league.add_season(
        found, SeasonPlan("2025", date(2025, 1, 1), date(2025, 12, 31), Terms("mean-total", 2, 5, 3), Policies())
    )
    for day in range(1, 5):
        game_on(found, players[:7], date(2025, 3, day), *[(17 * seat * day) % 61 for seat in range(7)])
    game_on(found, players[4:], date(2025, 4, 1), 10, 20, 30, 40)
    ratings.switch(found, on=True)
    sheet = record.add_sheet(found, "Ours", "house", {"points": {"JK": 50}, "swap_set": True}, By(user=owner))
    record.sign_sheet(sheet, players[1], By(user=owner))
    return owner, found, sheet, players


def test_every_page_of_a_league_fits_the_screen_and_is_accessible(
    visit: Any, look: Any, league: Any, assert_accessible: Callable[[Page], None]
) -> None:
    owner, found, sheet, players = league
    season = found.seasons.get()
    page = visit("/", user=owner, **look)
    for path in (
        f"season/{season.pk}/",
        "seasons/",
        "seasons/new/",
        "all-time/",
        f"statistics/?season={season.pk}",
        f"player/{players[4].pk}/",
        "rules/",
        "rules/new/?from=house",
        "rules/new/?from=fifteen",
        f"rules/{sheet.pk}/",
        f"rules/{sheet.pk}/paper/",
        f"rules/compare/?a=sheet:{sheet.pk}&b=spanish",
        "people/",
        "settings/",
    ):
        page.goto(f"/l/{found.slug}/{path}")
        assert_accessible(page)


def _light_at_the_edge(page: Page) -> float:
    """How light a scrolled region is beside its right edge, from 0 to 255."""
    box = page.locator(".sheet-scroll").first.bounding_box()
    assert box is not None
    strip: Any = {"x": box["x"] + box["width"] - 4, "y": box["y"] + 20, "width": 1, "height": 40}
    return median(Image.open(BytesIO(page.screenshot(clip=strip))).convert("L").tobytes())


def test_a_table_that_hangs_out_of_a_phone_says_so_and_keeps_its_names(visit: Any, league: Any) -> None:
    owner, found, _sheet, _players = league
    page = visit(f"/l/{found.slug}/season/{found.seasons.get().pk}/", user=owner)
    region = page.get_by_role("region", name="Season table")
    assert region.evaluate("region => region.scrollWidth > region.clientWidth")
    shaded = _light_at_the_edge(page)
    region.focus()
    expect(region).to_be_focused()
    region.evaluate("region => { region.scrollLeft = region.scrollWidth; }")
    assert _light_at_the_edge(page) - shaded > 20
    edge = region.bounding_box()
    for kept in (region.get_by_role("columnheader", name="Player"), region.locator("tbody th[scope=row]").first):
        assert abs(kept.bounding_box()["x"] - edge["x"]) <= 2
    expect(region.get_by_role("columnheader", name="Hands out")).to_be_in_viewport()


def test_the_rules_of_a_table_stand_clear_of_it_on_the_first_page_as_on_its_own(visit: Any, league: Any) -> None:
    owner, found, _sheet, _players = league
    Season.objects.update(starts=date(2000, 1, 1), ends=date(2999, 12, 31))
    page = visit(f"/l/{found.slug}/", user=owner)
    table, rules = page.locator(".sheet-scroll").bounding_box(), page.locator(".table-rules").bounding_box()
    assert rules["y"] - table["y"] - table["height"] >= 8


SEEN = """(all, shown) => new Promise(done => {
    const until = performance.now() + 10000;
    const look = () => {
        const seen = all.map(one => one.checkVisibility({contentVisibilityAuto: true}));
        if (seen.every(one => one === shown) || performance.now() > until) done(seen);
        else setTimeout(look, 20);
    };
    look();
})"""
"""Which elements are seen, as soon as all or none are: a style sheet for paper may come after the page."""


def test_on_paper_every_fold_is_open_and_on_the_screen_none_is(visit: Any, league: Any) -> None:
    owner, found, _sheet, players = league
    season = found.seasons.get()
    page = visit(f"/l/{found.slug}/", user=owner)
    for path in (f"season/{season.pk}/", f"statistics/?season={season.pk}", f"player/{players[4].pk}/"):
        page.goto(f"/l/{found.slug}/{path}")
        inside = page.locator("details.fold > :last-child")
        assert inside.count()
        for media, shown in (("screen", False), ("print", True)):
            page.emulate_media(media=media)
            assert set(inside.evaluate_all(SEEN, shown)) == {shown}, (path, media)


def test_a_league_is_taken_out_read_in_and_a_file_that_broke_off_is_refused(
    visit: Any, look: Any, league: Any, assert_accessible: Callable[[Page], None]
) -> None:
    owner, found, _sheet, _players = league
    visit.excuse("422")  # a refused file is answered so
    page = visit(f"/l/{found.slug}/settings/", user=owner, **look)
    with page.expect_download() as download:
        page.get_by_role("link", name="Take the archive out").click()
    whole = download.value.path().read_bytes()
    page.goto("/new-league/")
    page.get_by_role("link", name="Read it in from its archive").click()
    assert_accessible(page)
    for content, said in ((whole[:900], "The file breaks off or is damaged"), (whole, "This league is on this site already")):
        page.get_by_label("The archive of a league").set_input_files(
            {"name": "league.json", "mimeType": "application/json", "buffer": content}
        )
        page.get_by_role("button", name="Read it in").click()
        expect(page.get_by_role("alert")).to_contain_text(said)
        assert_accessible(page)
    League.objects.filter(pk=found.pk).update(uid=uuid.uuid4())
    page.get_by_label("The archive of a league").set_input_files(
        {"name": "league.json", "mimeType": "application/json", "buffer": whole}
    )
    page.get_by_role("button", name="Read it in").click()
    expect(page.get_by_text("5 games were read in")).to_be_visible()


def test_a_bonus_is_tapped_at_the_table_and_stands_on_the_sheet_beside_what_a_late_joiner_got(
    visit: Any, look: Any, league: Any, assert_accessible: Callable[[Page], None]
) -> None:
    owner, found, _sheet, players = league
    overrides = {"hands": [{"contract": "2S", "deal": 7}, {"contract": "1S 1R", "deal": 8}], "out_in_one_turn": -10}
    game = record.start_game(
        found, record.add_sheet(found, "Bonus", "house", overrides, By()), players[:4], 0, By(), client_id="bonus"
    )
    Season.objects.filter(pk=game.season_id).update(policies={"late_joiners": "worst"})
    hand(game, 1, 10, 20, 30, "out")
    act(game, "join", player=players[5].pk)
    act(game, "count", hand=2, seat=1, kind="out")
    page = visit(f"/g/{game.pk}/", user=owner, **look)
    assert_accessible(page)
    bonus = page.get_by_role("region", name="Down and out in one turn")
    bonus.get_by_role("button", name=players[1].name).click()
    expect(bonus.get_by_role("button", name="Take it back")).to_be_visible()
    for seat in (0, 2, 3, 4):
        act(game, "count", hand=2, seat=seat, kind="points", points="5")
    act(game, "close", hand=2)
    page.goto(f"/g/{game.pk}/sheet/")
    expect(page.get_by_role("row").filter(has_text="Down and out in one turn")).to_contain_text("\u221210")
    expect(page.get_by_role("row").filter(has_text="joined late")).to_contain_text("+30")
    assert_accessible(page)
