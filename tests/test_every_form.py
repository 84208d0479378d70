"""Every form of the site, filled in as a browser would and then with one thing in it that does not belong there.

Whatever is sent is answered with a page. What is refused says why in the reader's language and leaves everything as it was:
in the tables, and on the page what else was typed. What is taken comes back as it was typed, and never as markup.
"""

import os
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from html import unescape
from random import Random
from typing import Any, Final, TypeAlias
from urllib.parse import quote_plus

import pytest
from django.conf import settings as site
from django.db import connection, transaction
from django.http import HttpResponse
from django.test import RequestFactory
from django.test.client import ClientHandler
from django.urls import reverse

from players.models import User
from players.names import clean_name
from tests import addresses
from tests.addresses import World
from tests.cast import Cast
from tests.factories import PASSWORD
from tests.forms import TYPED, Control, Form, Page
from tests.scoring.tables import act, game_of, hand

pytestmark = pytest.mark.django_db

LONG: Final = "CONTINENTAL_LONG" in os.environ
"""In the long run (``CONTINENTAL_LONG=1``) each form is sent in up to 120 ways, not in four; it takes some twenty minutes."""

# ---------------------------------------------------------------------------------------------------------------------
# What is sent

MARKUP: Final = "<script>alert(1)</script>"
TYPED_ODD: Final[dict[str, str | bytes]] = {
    "nothing": "",
    "blanks": "   ",
    "very long": "x" * 10_000,
    "long digits": "9" * 5000,
    "a NUL": "a\0b",
    "no UTF-8": b"\xff\xfe",
    "half a character": b"a\xed\xa0\x80b",
    "right to left": "\u202egnp.exe",
    "joiners alone": "\u200b\u200d",
    "hidden marks": "\u200bA\u2066b",
    "emoji": "😀👩‍👩‍👧",
    "a formula": "=1+1",
    "markup": MARKUP,
    "quotes": "\"'`><b>&amp;",
    "below zero": "-1",
    "zero": "0",
    "an exponent": "1e9",
    "an underscore": "1_0",
    "arabic digit": "٣",
    "wide digit": "１",
    "2**31": str(2**31),
    "2**63": str(2**63),
    "2**65": str(2**65),
    "no number": "NaN",
    "infinity": "-inf",
    "a fraction": "1.5",
    "a sign": "+1",
    "ninety-nine": "99",
    "day zero": "0000-00-00",
    "the last day": "9999-12-31",
    "31 February": "2026-02-31",
    "a week": "2026-W01-1",
    "a path": "../../etc/passwd",
    "a template": "%s%(x)s{0}{{ 7 }}{% debug %}",
    "lines": "a\r\nSet-Cookie: x=1\r\nb",
    "decomposed": "e\u0301",
    "spaces round it": "  Zoe  ",
    "true": "true",
    "a list": "[]",
    "an object": '{"a": 1}',
    "two numbers": "1,2",
}
CHOSEN_ODD: Final[dict[str, str | bytes]] = {
    key: TYPED_ODD[key]
    for key in (
        "nothing",
        "blanks",
        "very long",
        "a NUL",
        "no UTF-8",
        "right to left",
        "markup",
        "below zero",
        "ninety-nine",
        "an underscore",
        "arabic digit",
        "2**63",
        "2**65",
        "true",
        "a formula",
        "a path",
    )
} | {"a key of another league": "999999", "a sheet of another league": "sheet:999999"}
MISSING: Final = "missing"
TWICE: Final = "twice"

USUAL: Final = {
    "username": "Zoe",
    "password": "una partida corta",
    "old_password": PASSWORD,
    "new_password1": "una partida corta",
    "new_password2": "una partida corta",
    "reason": "agreed by all",
    "words": "Ten points.",
    "line": "No phones at the table.",
    "entry-points": "15",
    "entry-kind": "points",
    "name": "Zoe",
    "nickname": "Zoe",
    "league": "Friday",
    "penalty": "10",
}
"""What somebody would type; of all that is chosen, the last that is offered."""


def fill_in(form: Form) -> None:
    """Fill a form in so that nothing in it is as it came, where that will do.

    Of a whole rule sheet only the name is: what else is chosen in it hangs together.
    """
    if len(form.controls) > 100:
        form.of("name")[0].value = USUAL["name"]
        return
    for control in form.controls:
        if control.kind in TYPED and not control.value:
            control.value = USUAL.get(control.name, "")
        elif control.kind == "select" and control.options and control.name != "timezone":
            control.value = control.options[-1]
    for control in form.controls:
        if control.kind == "checkbox":
            control.on = not control.on
    for name in form.names:
        ticks = [control for control in form.of(name) if control.kind == "radio"]
        wanted = USUAL.get(name, ticks[-1].value if ticks else "")
        for tick in ticks:
            tick.on = tick.value == wanted


@dataclass(frozen=True)
class Deed:
    """A form as somebody sends it: who, from which page, with which button."""

    who: str
    path: str
    form: Form
    button: Control | None
    fresh: Mapping[str, str]

    def __str__(self) -> str:
        pressed = f" [{self.button.name}={self.button.value}]" if self.button is not None else ""
        return f"{self.who}: {self.form.method} {self.form.action}{pressed}"

    @property
    def pairs(self) -> list[tuple[str, Any]]:
        return list(self.form.sent(self.button))

    @property
    def fields(self) -> list[str]:
        pressed = [self.button.name] if self.button is not None else []
        return list(dict.fromkeys(name for name in (*self.form.names, *pressed) if name and self.form.kinds(name) != {"file"}))

    def odd(self, name: str) -> Mapping[str, str | bytes]:
        return TYPED_ODD if self.form.kinds(name) & TYPED else CHOSEN_ODD

    def spoiled(self, name: str, how: str) -> list[tuple[str, Any]]:
        """Give what is sent with one field as it should not be."""
        plain = self.pairs
        if how == MISSING:
            return [pair for pair in plain if pair[0] != name]
        if how == TWICE:
            return [*plain, (name, dict(plain).get(name, "") + "x")]
        first = next((place for place, pair in enumerate(plain) if pair[0] == name), len(plain))
        rest = [pair for pair in plain if pair[0] != name]
        return [*rest[:first], (name, self.odd(name)[how]), *rest[first:]]


class Browser:
    """Sends forms to the site without the copies that Django's test client keeps of every page."""

    def __init__(self, cookies: Mapping[str, str]) -> None:
        self._handler = ClientHandler(enforce_csrf_checks=False)
        self._handler.load_middleware()
        self._cookies = {**cookies, site.LANGUAGE_COOKIE_NAME: "es"}
        self._requests = RequestFactory()

    def ask(self, method: str, path: str, body: bytes = b"", kind: str = "") -> HttpResponse:
        """Ask once; cookies that are set are kept for what is asked next."""
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        request = self._requests.generic(method, path, body, content_type=kind, HTTP_COOKIE=cookies)
        answer = self._handler(request.environ)
        assert isinstance(answer, HttpResponse)
        self._cookies |= {name: morsel.value for name, morsel in answer.cookies.items()}
        return answer

    def send(self, form: Form, pairs: list[tuple[str, Any]]) -> HttpResponse:
        if form.method == "get":
            return self.ask("GET", f"{form.action.partition('?')[0]}?{_encoded(pairs).decode()}")
        if form.enctype.startswith("multipart"):
            head = '--x\r\nContent-Disposition: form-data; name="{}"\r\n\r\n'
            parts = [head.format(name).encode() + _bytes(value) + b"\r\n" for name, value in pairs]
            return self.ask("POST", form.action, b"".join(parts) + b"--x--\r\n", "multipart/form-data; boundary=x")
        return self.ask("POST", form.action, _encoded(pairs), "application/x-www-form-urlencoded")


def _bytes(value: str | bytes) -> bytes:
    return value if isinstance(value, bytes) else value.encode()


def _encoded(pairs: list[tuple[str, Any]]) -> bytes:
    return b"&".join(f"{quote_plus(name)}={quote_plus(value)}".encode() for name, value in pairs)


# ---------------------------------------------------------------------------------------------------------------------
# Where forms are


@dataclass
class Everything(World):
    """The world of every address, and beside its games one between two hands and one that has ended."""

    more: list[int] = field(default_factory=list)


def everything(cast: Cast) -> Everything:
    """Make the world, with a game of each state in which forms appear that others lack."""
    built = Everything(**vars(addresses.build(cast)))
    User.objects.update(language="es")
    act(built.other_game, "suspend", consent=[0, 1, 2, 3])
    seated = [seat.player for seat in built.game.seats.order_by("number")]
    between, finished = (game_of(cast.league, seated) for _game in range(2))
    hand(between, 1, "out", 10, 20, 30)
    act(finished, "finish")
    built.more = [between.pk, finished.pk]
    act(built.game, "dispute", hand=2, seat=1, reason="a king more")
    return built


@pytest.fixture
def world(cast: Cast, settings: Any, tmp_path: Any) -> Everything:
    settings.PHOTO_DIR = tmp_path / "photos"
    return everything(cast)


WHO: Final = ("owner", "phone", "anonymous")


Looked: TypeAlias = tuple[str, str, list[tuple[str, str]]]
"""Who looks at which page, and what is sent to get it, where it takes more than a look."""


def pages(world: Everything) -> Iterator[Looked]:
    """Give every address for everybody, and the pages that some of them give only now and then."""
    for who in WHO:
        for name in addresses.names():
            yield who, world.path(name), []
    game = world.game.pk
    for name in ("manage", "count", "sheet", "table", "correct"):
        for other in [world.other_game.pk, *world.more]:
            yield "owner", reverse(f"scoring:{name}", args=[other, 1] if name == "correct" else [other]), []
    yield "owner", reverse("scoring:count", args=[game]) + "?seat=0", []
    yield "owner", reverse("scoring:correct", args=[game, 1]) + "?seat=2", []
    seated = [("players", str(seat.player_id)) for seat in world.game.seats.order_by("number")]
    for step in ("seat:1", "draw", "dealer:1"):
        cards = [(f"card-{player}", card) for (_name, player), card in zip(seated, ("KH", "KS", "2D", "3C"), strict=True)]
        yield "owner", world.path("scoring:new-game"), [*seated, *cards, ("sheet", "house"), ("client_id", "new"), ("do", step)]
    wrong = world.path("scoring:wrong")
    for kind in ("", "kind=score-error", "kind=incorrect-hand", "kind=illegal-meld"):
        query = kind
        for _step in range(12):
            text = answer_to(world, "owner", f"{wrong}?{query}").content.decode()
            yield "owner", f"{wrong}?{query}", []
            links = re.findall(r'class="choice-link[^"]*" href="\?([^"]*)"', text)
            if not links:
                break
            query = unescape(links[0])


def browser(world: Everything, who: str) -> Browser:
    return Browser({name: morsel.value for name, morsel in world.clients[who].cookies.items()})


def answer_to(world: Everything, who: str, path: str) -> HttpResponse:
    return browser(world, who).ask("GET", path)


def deeds(world: Everything) -> list[Deed]:
    """Give every form with each of its buttons, once; the rule sheet's many fields once for each kind."""
    found: dict[str, Deed] = {}
    for who, path, sent in pages(world):
        asked = ("POST", path, _encoded(sent), "application/x-www-form-urlencoded") if sent else ("GET", path)
        answer = browser(world, who).ask(*asked)
        if answer.status_code != 200 or "html" not in answer.headers.get("Content-Type", ""):
            continue
        for form in Page(answer.content.decode(), path).forms:
            if form.method not in {"get", "post"}:
                continue
            form.controls = [control for control in form.controls if control.name != "csrfmiddlewaretoken"]
            fresh = {control.name: control.value for control in form.controls}
            fill_in(form)
            for button in (*form.buttons, *([] if form.buttons else [None])):
                pressed = re.sub(r"\d+", "#", f"{button.name}={button.value}") if button is not None else ""
                seen = f"{form.method} {re.sub('[0-9]+', '#', form.action.partition('?')[0])} {form.names} {pressed}"
                found.setdefault(seen, Deed(who, path, *deepcopy((form, button)), fresh))
    return list(found.values())


# ---------------------------------------------------------------------------------------------------------------------
# What must hold of every answer

_ENGLISH: Final = re.compile(r"\b(the|is|are|of|not|this|that|must|wanted|there|and|or)\b", re.IGNORECASE)
_QUOTED: Final = re.compile("opciones: .*|“[^”]*”|«[^»]*»|\u2068[^\u2069]*\u2069|x{20,}|<script>.*?</script>", re.DOTALL)
_NOBODY_TYPES: Final = frozenset({"a NUL"})
_OF_NO_LEAGUE: Final = ("django_session", "django_migrations", "players_attempts")


def rows() -> dict[str, list[str]]:
    """Give all that is kept, but for sessions and the tries that are counted."""
    kept = {}
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names()):
            if table not in _OF_NO_LEAGUE:
                cursor.execute(f'SELECT * FROM "{table}"')
                kept[table] = sorted(map(repr, cursor.fetchall()))
    return kept


class Writes:
    """Notices whether anything is written."""

    def __init__(self) -> None:
        self.any = False

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        writes = sql.lstrip().startswith(("INSERT", "UPDATE", "DELETE"))
        self.any = self.any or (writes and not any(table in sql for table in _OF_NO_LEAGUE))
        return execute(sql, params, many, context)


def same_form(page: Page, deed: Deed) -> Form | None:
    """Find a form again on the page that came back: the one with most of its fields, and the same button."""
    form = deed.form
    own = set(form.names) - {"client_id", "csrfmiddlewaretoken"}
    hidden = {pair for pair in deed.pairs if form.kinds(pair[0]) == {"hidden"}}

    def likeness(other: Form) -> tuple[int, int, int, int]:
        pressed = deed.button is not None and any(
            (button.name, button.value) == (deed.button.name, deed.button.value) for button in other.buttons
        )
        return len(own & set(other.names)), pressed, len(hidden & set(other.sent())), -len(other.names)

    best = max(page.forms, key=likeness, default=None)
    return best if best is not None and own & set(best.names) else None


def shown(value: Any) -> str:
    text = value.decode(errors="replace") if isinstance(value, bytes) else str(value)
    return re.sub(r"\r\n|\r", "\n", text)


def lost(deed: Deed, spoiled: str, how: str, pairs: list[tuple[str, Any]], page: Page, *, passed: bool) -> list[str]:
    """Give what was typed or chosen, but for what was spoiled, that the page that came back does not show.

    Args:
        passed: nothing was refused, so that another page may have come, or the same form for what is next.
    """
    if ("do", "evidence") in pairs or ("do", "site-draw") in pairs:
        # The cards stand in the address of the page before, to which the one that came back leads; or others were drawn instead.
        return []
    again = same_form(page, deed)
    if passed and (again is None or not set(deed.form.names) - {"client_id"} <= set(again.names)):
        return []
    before = Counter((name, shown(value)) for name, value in pairs)
    after = Counter((name, shown(value)) for name, value in again.sent()) if again is not None else Counter()
    gone = []
    for name, value in before - after:
        kinds = deed.form.kinds(name)
        if kinds & {"hidden", "password", "file", "button"} or not kinds:
            continue
        if (name == spoiled and (not kinds <= TYPED or how == TWICE)) or (passed and clean_name(value) in unescape(page.text)):
            continue
        gone.append(f"{name}={value[:30]}")
    return gone


def problems(deed: Deed, name: str, how: str, browser: Browser, before: dict[str, list[str]]) -> list[str]:
    """Send a form with one field spoiled; give what is wrong with the answer."""
    pairs = deed.spoiled(name, how) if name else deed.pairs
    writes = Writes()
    with connection.execute_wrapper(writes):
        answer = browser.send(deed.form, pairs)
    text = answer.content.decode(errors="replace") if not answer.streaming else ""
    status = answer.status_code
    found = []
    if status >= 500:
        return [f"broke with {status}"]
    if MARKUP in text:
        found.append("gave back markup")
    if "html" in answer.headers.get("Content-Type", "") and status != 304:
        page = Page(text, deed.path)
        words = [words for words in page.alerts if words]
        for said in words:
            plain = _QUOTED.sub("", said)
            if _ENGLISH.search(plain):
                found.append(f"spoke English: {said[:120]}")
        stopped = status in {400, 403, 404, 405, 413, 414, 429} and 'class="hero"' in text
        if status >= 400:
            if not words and not stopped and status != 414:
                found.append("said no word")
            if stopped and name and deed.form.kinds(name) & TYPED and how not in _NOBODY_TYPES:
                found.append(f"threw the form away with {status}")
        # What is asked by an address is as long as an address can be; the page that refuses a longer one holds nothing of it.
        # Where a hidden field or a button was spoiled, no page knows any more which form it was.
        typed = not name or not deed.form.kinds(name) <= {"hidden", "button"}
        if not stopped and status != 414 and typed and (status >= 400 or (deed.form.method == "post" and status == 200)):
            gone = lost(deed, name, how, pairs, page, passed=status == 200)
            if gone:
                found.append(f"lost {', '.join(gone)} at {status}")
    elif status >= 400 and not text.strip():
        found.append("said nothing at all")
    # Of two counts that differ both are kept, the second beside the one that stands.
    clash = status == 409 and ("do", "count") in pairs
    if status >= 400 and not clash and writes.any and rows() != before:
        found.append("wrote something though it refused")
    if status < 400 and deed.form.method == "post":
        offered = how == "nothing" and (
            "radio" in deed.form.kinds(name) or any("" in each.options for each in deed.form.of(name))
        )
        chosen = bool(name) and how in CHOSEN_ODD and bool(deed.form.kinds(name) & {"select", "radio", "button"})
        if chosen and not offered and status != 200:
            found.append(f"took a choice that nobody offers: {name}={how} ({status})")
        found += taken(deed, name, how, pairs, browser, answer)
    return found


def taken(deed: Deed, name: str, how: str, pairs: list[tuple[str, Any]], browser: Browser, answer: HttpResponse) -> list[str]:
    """Look at the pages after something was taken: it stands there as it was typed, and never as markup."""
    made = deed.path.endswith("/new/")
    if not name or not deed.form.kinds(name) & TYPED or "password" in deed.form.kinds(name):
        return []
    found = []
    for path in (answer.headers.get("Location", ""), deed.path):
        if not path.startswith("/"):
            continue
        after = browser.ask("GET", path)
        text = after.content.decode(errors="replace")
        if after.status_code >= 500:
            found.append(f"{path} broke after it")
        if MARKUP in text:
            found.append(f"{path} gave back markup")
        again = same_form(Page(text, path), deed) if after.status_code == 200 and path == deed.path else None
        standing = [shown(control.value) for control in again.of(name)] if again is not None else []
        sent = [shown(value) for key, value in pairs if key == name]
        plain = unicodedata.normalize("NFKC", sent[-1]).strip() if sent else ""
        meant = {clean_name(sent[-1]), sent[-1].strip(), plain, plain.removeprefix("+")} if sent else {""}
        if standing and not made and set(standing[:1]).isdisjoint(meant | {deed.fresh[name], ""}):
            found.append(f"took {sent[-1:]} for {standing[:1]}")
    return found


def attempts(deed: Deed, random: Random) -> Iterator[tuple[str, str]]:
    """Give each field with each thing that does not belong there; a few of them where the run is short."""
    yield "", ""
    whole = [(name, how) for name in deed.fields for how in (*deed.odd(name), MISSING, TWICE)]
    yield from random.sample(whole, min(len(whole), 120 if LONG else 3))


PARTS: Final = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_no_form_breaks_loses_or_half_writes_whatever_is_in_a_field(world: Everything, part: int) -> None:
    random = Random(20260101 + part)
    before = rows()
    found: Counter[str] = Counter()
    tried = 0
    for deed in deeds(world)[part::PARTS]:
        for name, how in attempts(deed, random):
            tried += 1
            with transaction.atomic():
                for problem in problems(deed, name, how, browser(world, deed.who), before):
                    found[f"{deed} {name}: {problem} ({how})"] += 1
                transaction.set_rollback(True)
    assert not found, f"{tried} tried, {len(found)} wrong:\n" + "\n".join(sorted(found))
