"""What every page has, seen by a browser."""

from playwright.sync_api import expect

from tests.browser.conftest import Visit


def test_a_style_sheet_arrives_under_its_hashed_name_to_be_kept_for_ever(visit: Visit) -> None:
    page = visit.context().new_page()
    answer = page.request.get("/static/vendor/bootstrap/bootstrap.subset.css")
    assert answer.ok
    expect(answer).to_be_ok()
