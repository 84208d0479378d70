"""The score sheet, where a score may carry more marks than one."""

from tests.browser.conftest import Visit
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
