"""The score sheet, where a score may carry more marks than one."""

import pytest

from tests.browser.conftest import Locale, Visit
from tests.scoring.tables import act, eight_at_a_table


def test_two_marks_of_one_score_are_both_to_be_read(visit: Visit) -> None:
    owner, game, _finished = eight_at_a_table()
    act(game, "count", hand=1, seat=2, kind="cards", cards="KS", missing=1, reason="a card short")
    page = visit(f"/g/{game.pk}/sheet/", user=owner)
    marks = page.locator(".cell-number:has(sup + sup) sup")
    assert marks.all_inner_texts() == ["−1", "C"]
    upper, lower = marks.nth(0).bounding_box(), marks.nth(1).bounding_box()
    assert upper is not None
    assert lower is not None
    assert upper["y"] + upper["height"] <= lower["y"] + 1


@pytest.mark.parametrize("locale", ["en", "es"])
def test_on_a_phone_eight_players_and_the_tabs_of_their_game_fit(visit: Visit, locale: Locale) -> None:
    owner, game, finished = eight_at_a_table()
    page = visit(f"/g/{game.pk}/sheet/", user=owner, locale=locale)
    tops = page.locator(".game-tabs a").evaluate_all("tabs => tabs.map((tab) => tab.offsetTop)")
    assert len(tops) == 6
    assert len(set(tops)) == 1
    for shown in (game, finished):
        page.goto(f"/g/{shown.pk}/sheet/")
        assert page.locator(".sheet-scroll").evaluate("region => region.scrollWidth <= region.clientWidth")
        crowded = page.locator(".cell-number").evaluate_all(
            "numbers => numbers.filter((number) => number.offsetWidth > number.closest('.cell').clientWidth).length"
        )
        assert crowded == 0
