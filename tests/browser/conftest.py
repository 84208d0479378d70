"""A real server, a real browser, and a complaint for everything a person would not see."""

import contextlib
import os
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.core.management import call_command
from django.test import Client, override_settings
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect, sync_playwright

from tests.browser import chromium

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    # Names of a home network, for which a browser holds plain http to be insecure, as it does not for 127.0.0.1.
    "--host-resolver-rules=MAP *.local 127.0.0.1, MAP table.test 127.0.0.1",
]
TIMEOUT_MS = 120_000
"""How long a page may take on a machine that runs much else; a page that is there at once costs none of it."""


Locale = Literal["en", "es"]


class Device(TypedDict):
    viewport: ViewportSize
    has_touch: bool
    is_mobile: bool


DEVICES: dict[str, Device] = {
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "desktop": {"viewport": {"width": 1280, "height": 800}, "has_touch": False, "is_mobile": False},
}


class Look(TypedDict, total=False):
    """How a visitor looks at the site: by default on a phone, in the light scheme."""

    device: Literal["phone", "desktop"]
    scheme: Literal["light", "dark"]


@pytest.fixture(scope="session")
def chromium_path() -> str:
    path = chromium.find()
    if path is None:
        reason = "no Chromium: set CHROMIUM to the path of one, or run `make test`, which installs it"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@pytest.fixture(scope="session")
def browser(chromium_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright, pytest.MonkeyPatch.context() as patch:
        # Playwright runs an event loop in this thread, and Django would refuse the database there.
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        expect.set_options(timeout=TIMEOUT_MS)
        launched = playwright.chromium.launch(executable_path=chromium_path, args=ARGUMENTS)
        yield launched
        launched.close()


class Site:
    """The site that a test's browser opens, and how many requests it is still answering."""

    def __init__(self, app: Any, url: str) -> None:
        self.app = app
        self.url = url
        self._open = 0
        self._changed = threading.Condition()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        one = 1 if scope["type"] == "http" else 0
        self._count(one)
        try:
            await self.app(scope, receive, send)
        finally:
            self._count(-one)

    def _count(self, more: int) -> None:
        with self._changed:
            self._open += more
            self._changed.notify_all()

    def rest(self) -> None:
        """Wait until the last request is answered: what a closed page left behind must not reach into the next test."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._open == 0, TIMEOUT_MS / 1000), "a request was never answered"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site as uvicorn serves it, with the static files under their hashed names as `manage.py serve` has them."""
    static_root = tmp_path_factory.mktemp("static")
    storages = settings.STORAGES | {"staticfiles": {"BACKEND": "continental.storage.StaticStorage"}}
    with override_settings(STATIC_ROOT=static_root, STORAGES=storages):
        call_command("collectstatic", interactive=False, verbosity=0)
        with _serving(static_root) as site:
            yield site


@contextlib.contextmanager
def _serving(static_root: Path) -> Iterator[Site]:
    from continental import asgi, wsgi  # noqa: PLC0415 - both want the settings above

    doors = asgi.Doors(wsgi.with_static(wsgi.site, static_root), asgi.ENDPOINTS)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        site = Site(doors, f"http://127.0.0.1:{listener.getsockname()[1]}")
        config = uvicorn.Config(site, log_config=None, access_log=False, ws="none", timeout_graceful_shutdown=1)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="server")
        thread.start()
        try:
            yield site
        finally:
            server.should_exit = True
            thread.join()


@dataclass
class Visit:
    """Opens pages as a visitor would, and remembers what the browser complained of."""

    browser: Browser
    base_url: str
    complaints: list[str] = field(default_factory=list)
    """Errors of scripts and of the console, refusals by the content security policy, and answers of 500 and up.

    The test fails at its end unless every one is excused.
    """
    excused: list[str] = field(default_factory=list)
    """Words of complaints that the test provokes, whenever in the test they come."""
    _contexts: list[BrowserContext] = field(default_factory=list)

    def __call__(self, path: str = "/", *, user: Any = None, locale: Locale = "en", **look: Unpack[Look]) -> Page:
        """A page of a new visitor at ``path``; ``user`` signs one in."""
        page = self.context(user=user, locale=locale, **look).new_page()
        page.goto(path)
        return page

    def context(self, *, user: Any = None, locale: Locale = "en", **look: Unpack[Look]) -> BrowserContext:
        """A new visitor; ``user`` signs one in."""
        device = DEVICES[look.get("device", "phone")]
        context = self.browser.new_context(
            base_url=self.base_url,
            viewport=device["viewport"],
            has_touch=device["has_touch"],
            is_mobile=device["is_mobile"],
            color_scheme=look.get("scheme", "light"),
            locale=locale,
            reduced_motion="reduce",
        )
        context.set_default_timeout(TIMEOUT_MS)
        if user is not None:
            client = Client()
            client.force_login(user)
            name = settings.SESSION_COOKIE_NAME
            context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": self.base_url}])
        context.on("page", self._listen)
        self._contexts.append(context)
        return context

    def _listen(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.complaints.append(f"script: {error}"))
        page.on("console", lambda line: self.complaints.append(f"console: {line.text}") if line.type == "error" else None)
        page.on(
            "response",
            lambda answer: self.complaints.append(f"{answer.status} from {answer.url}") if answer.status >= 500 else None,
        )

    def excuse(self, *words: str) -> None:
        """Expect complaints that hold one of the words: a page goes on complaining until it is closed."""
        self.excused.extend(words)

    def not_excused(self) -> list[str]:
        return [line for line in self.complaints if not any(word in line for word in self.excused)]

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def visit(browser: Browser, site: Site, transactional_db: None) -> Iterator[Visit]:
    """Opens a page as a visitor: ``visit("/", device="desktop", scheme="dark", locale="es", user=ana)``."""
    visit = Visit(browser, site.url)
    yield visit
    visit.close()
    site.rest()
    assert visit.not_excused() == []


@pytest.fixture(params=["phone-light", "phone-dark", "desktop-light", "desktop-dark"])
def look(request: pytest.FixtureRequest) -> Look:
    """Each device in each colour scheme: ``visit("/", **look)``."""
    device, scheme = request.param.split("-")
    return {"device": device, "scheme": scheme}


@pytest.fixture(scope="session")
def assert_accessible() -> Callable[[Page], None]:
    """Asserts that axe finds nothing to complain of on the page, and that nothing hangs out of it sideways."""
    axe = Axe()

    def check(page: Page) -> None:
        results = axe.run(page)
        assert results.violations_count == 0, results.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), (
            f"{page.url} is wider than the screen"
        )

    return check
