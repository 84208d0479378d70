"""Every address of the site and everybody who could come by: who is let in, and what no page may ever do.

A new address fails here until the table says for whom it is.
"""

import re
from typing import Any, Final

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.urls import reverse

from players.models import League
from tests import addresses
from tests.addresses import ALL, World
from tests.cast import SIGN_IN, Cast
from tests.factories import PASSWORD

pytestmark = pytest.mark.django_db

ROLES: Final = ("owner", "scorekeeper", "member", "viewer")
ANYBODY: Final = frozenset(ALL)
SIGNED_IN: Final = frozenset({*ROLES, "stranger"})
LEAGUE: Final = frozenset(ROLES)
OWNER: Final = frozenset({"owner"})
SCORER: Final = frozenset({"owner", "scorekeeper"})
ONLOOKER: Final = LEAGUE | {"phone", "onlooker"}
TABLE: Final = LEAGUE | {"phone"}
SEAT: Final = SCORER | {"phone"}

FOR_WHOM: Final = {
    "manifest": ANYBODY,
    "worker": ANYBODY,
    "players:add-account": OWNER,
    "players:add-player": SCORER,
    "players:anonymise": OWNER,
    "players:edit-member": OWNER,
    "players:edit-player": SCORER,
    "players:home": ANYBODY,
    "players:invitation": ANYBODY,
    "players:invite": OWNER,
    "players:language": ANYBODY,
    "players:league-settings": OWNER,
    "players:leave": LEAGUE,
    "players:new-league": SIGNED_IN,
    "players:password": SIGNED_IN,
    "players:people": LEAGUE,
    "players:remove-member": OWNER,
    "players:reset-password": OWNER,
    "players:revoke-invitation": OWNER,
    "players:sign-in": ANYBODY,
    "players:sign-out": ANYBODY,
    "players:suits": ANYBODY,
    "players:theme": ANYBODY,
    "scoring:all-time": LEAGUE,
    "scoring:api-referee": ANYBODY,
    "scoring:blank-sheet": LEAGUE,
    "scoring:board": ONLOOKER,
    "scoring:check": ANYBODY,
    "scoring:check-hand": ANYBODY,
    "scoring:close-season": OWNER,
    "scoring:compare-sheets": LEAGUE,
    "scoring:correct": SCORER,
    "scoring:count": SEAT,
    "scoring:do": SCORER,
    "scoring:edit-season": OWNER,
    "scoring:evidence": TABLE,
    "scoring:game-check": ONLOOKER,
    "scoring:game-check-hand": ONLOOKER,
    "scoring:game-rules": ONLOOKER,
    "scoring:game-sheet": ONLOOKER,
    "scoring:games-csv": LEAGUE,
    "scoring:history": ONLOOKER,
    "scoring:house-rule": OWNER,
    "scoring:join": ANYBODY,
    "scoring:join-start": ANYBODY,
    "scoring:league": LEAGUE,
    "scoring:league-json": OWNER,
    "scoring:leave-seat": ANYBODY,
    "scoring:manage": SCORER,
    "scoring:new-game": SCORER,
    "scoring:new-season": OWNER,
    "scoring:new-sheet": OWNER,
    "scoring:note-lapsed": LEAGUE,
    "scoring:phones": SCORER,
    "scoring:photo": TABLE,
    "scoring:photo-file": TABLE,
    "scoring:photos": TABLE,
    "scoring:player": LEAGUE,
    "scoring:precedents": LEAGUE,
    "scoring:read-archive": SIGNED_IN,
    "scoring:reseat": SCORER,
    "scoring:rule": ANYBODY,
    "scoring:rule-book": ANYBODY,
    "scoring:rule-books": ANYBODY,
    "scoring:rule-sheet": LEAGUE,
    "scoring:rule-sheets": LEAGUE,
    "scoring:rulings": ONLOOKER,
    "scoring:same-person": OWNER,
    "scoring:season": LEAGUE,
    "scoring:season-csv": LEAGUE,
    "scoring:seasons": LEAGUE,
    "scoring:shared-sheet": ANYBODY,
    "scoring:sheet": ONLOOKER,
    "scoring:sheet-book": LEAGUE,
    "scoring:sign-sheet": SCORER,
    "scoring:statistics": LEAGUE,
    "scoring:switch-ratings": OWNER,
    "scoring:table": ONLOOKER,
    "scoring:transcribe": TABLE,
    "scoring:watch": ANYBODY,
    "scoring:wrong": ONLOOKER,
    "scoring:wrong-anywhere": ANYBODY,
}
"""Who is let in at each address. Whoever is not gets one of the answers of ``turned_away``."""

LOOKS_ON: Final = ("phone", "onlooker")
TURNED_AWAY: Final = frozenset({403, 404, SIGN_IN})


def turned_away(who: str, *, of_a_game: bool) -> int:
    """Say what somebody gets who is not let in: nothing is there for who may not look, a refusal for who may."""
    if who in {"stranger", "anonymous", "guest of another table"}:
        return 404 if who == "stranger" else SIGN_IN
    if who in LOOKS_ON:
        return 403 if of_a_game else SIGN_IN
    return 403


@pytest.fixture
def world(cast: Cast, settings: Any, tmp_path: Any) -> World:
    settings.PHOTO_DIR = tmp_path / "photos"
    return addresses.build(cast)


def ask(world: World, who: str, method: str, name: str) -> HttpResponse:
    """Ask once, and take back what it did."""
    with transaction.atomic():
        sent = {"player": str(world.player.pk)} if name == "scoring:sign-sheet" else {}
        answer = getattr(world.client(who), method)(world.path(name), sent)
        transaction.set_rollback(True)
    assert isinstance(answer, HttpResponse)
    return answer


def outcome(answer: HttpResponse) -> int:
    location = answer.headers.get("Location", "")
    return SIGN_IN if location.startswith(reverse("players:sign-in")) else answer.status_code


def test_the_table_names_every_address() -> None:
    assert sorted(FOR_WHOM) == addresses.names()


@pytest.mark.parametrize("who", ALL)
def test_each_address_lets_in_those_it_is_for_and_nobody_else(world: World, who: str) -> None:
    expected, found = {}, {}
    for name, for_whom in FOR_WHOM.items():
        answers = {method: outcome(ask(world, who, method, name)) for method in ("get", "post")}
        taken = {status for status in answers.values() if status != 405}
        assert taken, name
        found[name] = taken & TURNED_AWAY or {200}
        expected[name] = {200} if who in for_whom else {turned_away(who, of_a_game=world.path(name).startswith("/g/"))}
        assert max(taken) < 500, (name, answers)
    assert found == expected


# ---------------------------------------------------------------------------------------------------------------------
# What every answer keeps to


def strange(world: World, method: str, path: str, body: bytes = b"", kind: str = "", **how: Any) -> Any:
    """Ask in a way that no page of ours asks, as the owner; what it did is taken back."""
    with transaction.atomic():
        client = world.client("owner", raise_request_exception=False, **how)
        answer = client.generic(method, path, body, content_type=kind or "application/x-www-form-urlencoded")
        transaction.set_rollback(True)
    assert answer.status_code < 500, (method, path, kind)
    return answer


def text(answer: HttpResponse) -> str:
    return re.sub(r"<[^>]*>|\s", "", answer.content.decode())


def assert_guarded(answer: Any, where: object) -> None:
    assert answer.headers["X-Frame-Options"] == "DENY", where
    assert answer.headers["X-Content-Type-Options"] == "nosniff", where
    assert answer.headers["Referrer-Policy"] == "same-origin", where
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy, where
    assert "unsafe" not in policy, where


INLINE: Final = re.compile(r"""<script(?![^>]*\ssrc=)(?![^>]*type="application/json")|\sstyle="|\son[a-z]+="|href="javascript:""")


def test_every_answer_is_guarded_and_no_page_needs_what_its_policy_forbids(world: World) -> None:
    for name in FOR_WHOM:
        for who in ("owner", "anonymous"):
            answer = ask(world, who, "get", name)
            assert_guarded(answer, name)
            if "html" in answer.headers.get("Content-Type", ""):
                assert not INLINE.search(answer.content.decode()), name


def test_every_refusal_is_guarded_and_leads_to_no_other_site(world: World) -> None:
    home = world.cast.league.get_absolute_url()
    for path, how, status in [
        ("/nowhere/", {}, 404),
        (home + "season/999/", {}, 404),
        (home, {"headers": {"Host": "elsewhere.example"}}, 400),
        (home + "?why=%00", {}, 400),
        (home + "?why=" + "9" * 20_000, {}, 200),
        ("/j/%FF%FE/", {}, 404),
        ("/%2e%2e/%2e%2e/etc/passwd", {}, 404),
        ("//elsewhere.example/sign-in", {}, 301),
        ("/sign-in/?next=//elsewhere.example/", {}, 302),
        ("/sign-in/?next=https:elsewhere.example", {}, 302),
    ]:
        answer = world.client("owner", raise_request_exception=False, **how).get(path)
        assert answer.status_code == status, (path, answer.status_code)
        assert "elsewhere" not in answer.headers.get("Location", ""), path
        assert_guarded(answer, path)
    for name in ("players:language", "players:theme", "players:suits"):
        for there in ("https://elsewhere.example/", "//elsewhere.example", "\\\\elsewhere.example", "javascript:alert(1)"):
            answer = world.client("owner").post(reverse(name), {"next": there, "language": "es", "theme": "dark"})
            assert answer.headers["Location"].startswith("/"), (name, there)
            assert not answer.headers["Location"].startswith("//"), (name, there)


def test_no_cookie_goes_along_from_another_site_and_no_script_reads_what_lets_in(world: World) -> None:
    given: dict[str, Any] = {}
    for who in ALL:
        given |= {name: cookie for name, cookie in world.clients[who].cookies.items() if cookie["samesite"]}
    assert {"table"} <= set(given)
    client = world.client("anonymous")
    client.post(reverse("players:sign-in"), {"username": "owner", "password": PASSWORD})
    given |= client.cookies
    assert "sessionid" in given
    for name, cookie in given.items():
        assert cookie["samesite"] == "Lax", name
        assert bool(cookie["httponly"]) == (name in {"sessionid", "table", "messages"}), name


def test_an_address_is_looked_at_by_head_as_by_get_and_by_nothing_else(world: World) -> None:
    for name in FOR_WHOM:
        path = world.path(name)
        head = strange(world, "HEAD", path)
        assert head.status_code == ask(world, "owner", "get", name).status_code, name
        assert not head.content
        for method in ("PUT", "DELETE", "NONSENSE"):
            refused = strange(world, method, path, b"do=close")
            assert refused.status_code == 405, (method, name)
            assert set(refused.headers["Allow"].split(", ")) <= {"GET", "HEAD", "POST", "OPTIONS"}
            assert text(refused), (method, name)
            assert_guarded(refused, name)


def test_no_form_counts_that_did_not_come_from_a_page_of_ours(world: World) -> None:
    for name in FOR_WHOM:
        refused = strange(world, "POST", world.path(name), b"do=close&client_id=x", enforce_csrf_checks=True)
        if refused.status_code != 405 and name != "scoring:api-referee":
            assert refused.status_code == 403, name
            assert text(refused), name


def test_whoever_opens_what_only_a_form_is_sent_to_reads_a_page(world: World) -> None:
    answer = world.client("owner").get(world.path("scoring:do"), headers={"Accept": "text/html,*/*"})
    assert answer.status_code == 405
    assert "Nothing to see here" in answer.content.decode()
    assert_guarded(answer, "scoring:do")


FORM: Final = "application/x-www-form-urlencoded"
PART: Final = b'--x\r\nContent-Disposition: form-data; name="do"'
BODIES: Final = [
    ("application/json", b'{"do": "close"}'),
    ("multipart/form-data", b"do=close"),
    ("multipart/form-data; boundary=x", PART + b"\r\n\r\nclose"),
    ("multipart/form-data; boundary=x", PART + b'; filename="\x00../a"\r\n\r\nclose\r\n--x--\r\n'),
    ("multipart/form-data; boundary=x; charset=utf-7", PART + b"\r\n\r\n+2AA-\r\n--x--\r\n"),
    (FORM + "; charset=nonsense", b"do=close"),
    (FORM + "; charset=idna", b"do=%FF"),
    (FORM, b"do=%FF&seat=%ED%A0%80&name=%C3%28&a%00b=1"),
    (FORM, b"do=" + b"x" * 3_000_000),
    (FORM, b"do=close&" * 3000),
]


@pytest.mark.parametrize(("kind", "body"), BODIES, ids=range(len(BODIES)))
def test_whatever_is_posted_is_answered_and_a_refusal_has_words(world: World, kind: str, body: bytes) -> None:
    for name in FOR_WHOM:
        answer = strange(world, "POST", world.path(name), body, kind)
        if answer.status_code >= 400:
            assert text(answer), name
        assert len(body) < 10_000 or answer.status_code >= 400, name


# ---------------------------------------------------------------------------------------------------------------------
# What is not there, or is somebody else's


def test_nothing_of_a_league_is_reached_through_another_one(world: World) -> None:
    theirs = League.objects.exclude(pk=world.cast.league.pk).get()
    for name, keys in world.keys.items():
        if len(keys) == 2 and keys[0] == world.cast.league.slug:
            path = reverse(name, args=[theirs.slug, keys[1]])
            for method in ("get", "post"):
                assert getattr(world.client("stranger"), method)(path).status_code in {404, 405}, (method, name)


def test_nothing_of_a_game_is_reached_through_another_one(world: World) -> None:
    for name, keys in world.keys.items():
        if len(keys) == 2 and keys[0] == world.game.pk and name != "scoring:correct":
            path = reverse(name, args=[world.other_game.pk, keys[1]])
            assert world.client("owner").get(path).status_code == 404, name


@pytest.mark.parametrize("key", [0, 2**31, 10**40])
def test_a_key_that_nothing_has_leads_nowhere(world: World, key: int) -> None:
    for name, keys in world.keys.items():
        if any(isinstance(part, int) for part in keys):
            path = reverse(name, args=[key if isinstance(part, int) else part for part in keys])
            for method in ("GET", "POST"):
                answer = strange(world, method, path)
                assert answer.status_code in {303, 404, 405}, (method, name, answer.status_code)
                assert answer.status_code != 303 or name == "scoring:leave-seat"
