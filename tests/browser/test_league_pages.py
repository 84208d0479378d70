"""The pages of a league in a real browser: readable, within the screen, and free of what axe complains of."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from playwright.sync_api import Page

from continental.rules.standing_methods import Terms
from players import people
from scoring import ratings, record, record_league
from scoring.policies import Policies
from scoring.record import By
from scoring.record_league import SeasonPlan
from tests.scoring.tables import LONG_NAMES
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
        f"rules/{sheet.pk}/",
        f"rules/{sheet.pk}/paper/",
        f"rules/compare/?a=sheet:{sheet.pk}&b=spanish",
        "people/",
    ):
        page.goto(f"/l/{found.slug}/{path}")
        assert_accessible(page)
