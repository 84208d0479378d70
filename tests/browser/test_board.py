"""The board on a television: everything on one screen, in both themes, for eight players with long names."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.scoring.tables import act, eight_at_a_table

SHOTS = os.environ.get("SCREENSHOTS", "")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_board_fits_a_television_with_eight_players(
    visit: Visit, assert_accessible: Callable[[Page], None], scheme: Literal["light", "dark"]
) -> None:
    owner, game, _finished = eight_at_a_table()
    for seat in range(8):
        act(game, "opened", hand=game.hands.count(), seat=seat)
    for number in (1, 2):
        act(game, "count", hand=number, seat=7, kind="points", points="600", reason="a total of four digits")
    page = visit(f"/g/{game.pk}/board/", device="desktop", scheme=scheme, user=owner)
    page.set_viewport_size({"width": 1280, "height": 720})
    expect(page.locator(".tv-seat")).to_have_count(8)
    assert page.evaluate(
        "document.documentElement.scrollHeight <= innerHeight && document.documentElement.scrollWidth <= innerWidth"
    )
    hanging = page.eval_on_selector_all(
        ".tv-hand, .tv-seat", "boxes => boxes.filter(box => box.scrollHeight > box.clientHeight + 1).map(box => box.textContent)"
    )
    assert hanging == []
    assert int(page.locator(".tv-total").last.text_content() or "") >= 1000
    lines = page.eval_on_selector_all(
        ".tv-total",
        "totals => totals.map(total => Math.round(total.offsetHeight / parseFloat(getComputedStyle(total).fontSize)))",
    )
    assert lines == [1] * 8
    # A letter of one two-hundredth of the distance is read with ease: 15 mm at three metres, 3 % of a 50 cm high screen.
    smallest = page.eval_on_selector_all(
        ".tv-name, .tv-total, .tv h1, .tv-facts dd",
        "all => Math.min(...all.map(element => parseFloat(getComputedStyle(element).fontSize)))",
    )
    assert smallest >= 0.03 * 720
    assert_accessible(page)
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"board-{scheme}.png")


def test_the_board_is_read_on_a_phone_too(visit: Visit) -> None:
    owner, game, _finished = eight_at_a_table()
    page = visit(f"/g/{game.pk}/board/", user=owner)
    expect(page.locator(".tv-seat")).to_have_count(8)
    cut = page.eval_on_selector_all(
        ".tv-hand, .tv-hand *, .tv-marks, .tv-total",
        "all => all.filter(box => box.getBoundingClientRect().right > innerWidth || box.scrollWidth > box.clientWidth + 1)"
        ".map(box => box.className || box.textContent)",
    )
    assert cut == []
