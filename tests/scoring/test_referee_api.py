"""The referee by HTTP: the same bytes as the Python function and the command, and a sentence for whatever cannot be read."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from continental.rules.referee import answer, answer_body, answer_line
from scoring.management.commands.referee import answer_bytes
from scoring.views import referee

CASES = Path(__file__).parents[2] / "fixtures" / "cases"
QUESTIONS = [case["request"] for chapter in sorted(CASES.glob("*.json")) for case in json.loads(chapter.read_text("utf-8"))]
COUNT = {"ask": "count", "rules": "house", "cards": "7H JK", "missing": 0}

pytestmark = pytest.mark.django_db


def post(body: str | bytes, kind: str = "application/json") -> Any:
    return Client(enforce_csrf_checks=True).post("/api/v1/referee", data=body, content_type=kind)


def test_every_worked_case_has_the_same_bytes_on_all_ways() -> None:
    for question in QUESTIONS:
        line = json.dumps(question)
        given = post(line)
        assert given.status_code == 200
        assert given.content.decode() == answer_line(line) == answer_body(line) == answer_bytes(line.encode())
        assert json.loads(given.content) == json.loads(json.dumps(answer(question)))


def test_a_list_is_answered_in_order() -> None:
    asked = [COUNT, {"ask": "nonsense"}, COUNT | {"missing": 3}]
    given = post(json.dumps(asked))
    assert given.status_code == 200
    assert given["Content-Type"] == "application/json"
    assert json.loads(given.content) == [answer(question) for question in asked]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/octet-stream"])
def test_whatever_the_content_is_called_it_is_read(kind: str) -> None:
    assert json.loads(post(json.dumps(COUNT), kind).content)["points"] == 20


@pytest.mark.parametrize(
    "kind", ["multipart/form-data; boundary=x", "multipart/form-data", "application/x-www-form-urlencoded", "?"]
)
def test_a_body_that_calls_itself_a_form_is_read_as_it_is(kind: str) -> None:
    assert json.loads(post(json.dumps(COUNT), kind).content)["points"] == 20
    form = post(b'--x\r\nContent-Disposition: form-data; name="ask"\r\n\r\ncount\r\n--x--\r\n', kind)
    assert (form.status_code, set(json.loads(form.content))) == (400, {"error", "at"})
    large = post("ask=" + "x" * 3_000_000, kind)
    assert (large.status_code, set(json.loads(large.content))) == (413, {"error", "at"})


def test_no_cookie_is_set_and_none_is_needed() -> None:
    assert not post(json.dumps(COUNT)).cookies


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("{", 400),
        (b"\xff", 400),
        ("", 400),
        ("[" * 100_000, 400),
        ('{"a":1,"a":2}', 400),
        (" " * 1_100_000, 400),
        ("x" * 3_000_000, 413),
    ],
)
def test_what_is_no_json_is_refused_with_its_place(body: str | bytes, status: int) -> None:
    given = post(body)
    assert given.status_code == status
    assert set(json.loads(given.content)) == {"error", "at"}


@pytest.mark.parametrize(
    "body",
    ["3", "null", "[]", '"turn"', "{}", json.dumps([COUNT] * 1001), json.dumps(COUNT | {"cards": "7H " * 10_000})],
)
def test_a_question_that_means_nothing_is_answered_all_the_same(body: str) -> None:
    given = post(body)
    assert given.status_code == 200
    assert given.content.decode() == answer_body(body)


def test_a_plain_look_says_how_to_ask() -> None:
    given = Client().get("/api/v1/referee")
    assert given.status_code == 200
    assert answer(json.loads(referee.EXAMPLE))["verdict"] == "legal"
    assert Client().put("/api/v1/referee").status_code == 405


def test_more_than_can_be_answered_at_once_is_asked_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "_PATIENCE", 0)
    for _place in range(2):
        assert referee._AT_ONCE.acquire(blocking=False)
    try:
        given = post(json.dumps(COUNT))
        assert (given.status_code, given["Retry-After"]) == (503, "5")
    finally:
        referee._AT_ONCE.release(2)
    assert post(json.dumps(COUNT)).status_code == 200
