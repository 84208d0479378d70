"""The browser tests' own tools: each must be able to fail, and the server must be the one that people get."""

from collections.abc import Callable
from typing import Literal

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Look, Visit

Assert = Callable[[Page], None]


def test_every_style_sheet_and_script_comes_compressed_under_a_name_to_keep_for_ever(visit: Visit) -> None:
    page = visit()
    files: list[str] = page.eval_on_selector_all(
        "link[rel=stylesheet], script[src]", "elements => elements.map(element => element.href || element.src)"
    )
    assert files
    for file in files:
        headers = page.request.get(file).headers
        assert "immutable" in headers["cache-control"], file
        assert headers.get("content-encoding") == "gzip" or int(headers["content-length"]) < 500, file


@pytest.mark.parametrize(
    ("harm", "event", "complaint"),
    [
        (
            "document.body.append(Object.assign(document.createElement('script'), {textContent: '1'}))",
            "console",
            "Content Security Policy",
        ),
        ("document.body.setAttribute('style', 'color: red')", "console", "Content Security Policy"),
        ("setTimeout(() => { throw new Error('lost card'); })", "pageerror", "lost card"),
        ("console.error('lost pack')", "console", "lost pack"),
    ],
)
def test_what_a_browser_complains_of_fails_the_test(
    visit: Visit, harm: str, event: Literal["console", "pageerror"], complaint: str
) -> None:
    page = visit()
    with page.expect_event(event):
        page.evaluate(harm)
    assert complaint in "".join(visit.complaints)
    visit.excuse(complaint)


def test_a_picture_without_a_text_is_found(visit: Visit, assert_accessible: Assert) -> None:
    page = visit()
    page.evaluate("document.querySelector('main').append(Object.assign(new Image(), {src: '/static/img/icon.svg'}))")
    with pytest.raises(AssertionError, match="image-alt"):
        assert_accessible(page)


def test_a_page_wider_than_the_screen_is_found(visit: Visit, assert_accessible: Assert) -> None:
    page = visit()
    page.evaluate("document.querySelector('main').style.width = '150vw'")
    with pytest.raises(AssertionError, match="wider than the screen"):
        assert_accessible(page)


def test_a_visitor_comes_with_the_device_and_the_scheme_asked_for(visit: Visit, look: Look) -> None:
    page = visit(**look)
    assert page.evaluate("innerWidth") == (390 if look["device"] == "phone" else 1280)
    assert page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches") is (look["scheme"] == "dark")


def test_a_visitor_is_answered_in_the_language_of_the_browser(visit: Visit) -> None:
    assert visit(locale="es").evaluate("document.documentElement.lang") == "es"
    assert visit(locale="en").evaluate("document.documentElement.lang") == "en"
