"""What every answer of the site carries, whatever page it is."""

import pytest
from django.test import Client


@pytest.fixture
def headers(client: Client) -> dict[str, str]:
    return dict(client.get("/no-such-page/").headers)


@pytest.mark.django_db
def test_every_answer_carries_the_policy_and_the_security_headers(headers: dict[str, str]) -> None:
    policy = dict(rule.split(" ", 1) for rule in headers["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.django_db
def test_over_plain_http_no_header_asks_for_https(headers: dict[str, str]) -> None:
    assert "Strict-Transport-Security" not in headers
    assert "Cross-Origin-Opener-Policy" not in headers


@pytest.mark.django_db
def test_an_unknown_host_is_refused(client: Client) -> None:
    assert client.get("/", headers={"host": "elsewhere.example"}).status_code == 400


@pytest.mark.django_db
@pytest.mark.parametrize(("asked", "given"), [("es", "es"), ("es-MX,es;q=0.9", "es"), ("de, en;q=0.5", "en"), ("", "en")])
def test_the_language_is_the_one_that_the_browser_asks_for(client: Client, asked: str, given: str) -> None:
    assert client.get("/no-such-page/", headers={"accept-language": asked}).headers["Content-Language"] == given
