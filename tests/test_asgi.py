"""The two doors of the one process."""

import asyncio
import gc
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from django.conf import settings
from django.template.loader import get_template
from django.urls import get_resolver

from continental.asgi import HELD_BYTES, SITE_THREADS, Doors, Message, Receive, Scope, Send


def site(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
    """Answers with the scheme that a proxy forwarded, as the site would read it."""
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [f"site {environ['PATH_INFO']} {environ.get('HTTP_X_FORWARDED_PROTO', '-')}".encode()]


async def bell(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": f"bell {scope['path']}".encode()})


async def converse(doors: Doors, scope: Scope, *messages: Message) -> list[Message]:
    """What ``doors`` sends when it receives ``messages``."""
    waiting, sent = list(messages), []

    async def receive() -> Message:
        return waiting.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    await doors(scope, receive, send)
    return sent


def http(path: str, *headers: tuple[bytes, bytes]) -> dict[str, Any]:
    return {"type": "http", "http_version": "1.1", "method": "GET", "path": path, "query_string": b"", "headers": list(headers)}


async def body(doors: Doors, scope: Scope) -> str:
    sent = await converse(doors, scope, {"type": "http.request", "body": b"", "more_body": False})
    assert sent[0]["status"] == 200
    return b"".join(message.get("body", b"") for message in sent).decode()


@pytest.mark.parametrize(
    ("path", "answer"),
    [("/events/7", "bell /events/7"), ("/", "site / -"), ("/event", "site /event -"), ("/7/events/", "site /7/events/ -")],
)
def test_a_path_leads_to_the_bare_endpoint_or_to_the_site(path: str, answer: str) -> None:
    assert asyncio.run(body(Doors(site, {"/events/": bell}), http(path))) == answer


def test_a_header_that_only_a_proxy_may_set_cannot_be_forged_with_an_underscore() -> None:
    doors = Doors(site, {})
    assert asyncio.run(body(doors, http("/", (b"x-forwarded-proto", b"https")))) == "site / https"
    assert asyncio.run(body(doors, http("/", (b"x_forwarded_proto", b"https")))) == "site / -"


def test_the_bell_rings_while_every_thread_of_the_site_is_busy() -> None:
    released = threading.Event()

    def slow(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        released.wait(timeout=20)
        return site(environ, start_response)

    async def evening() -> tuple[str, list[str]]:
        doors = Doors(slow, {"/events/": bell})
        pages = [asyncio.create_task(body(doors, http(f"/{number}"))) for number in range(20)]
        await asyncio.sleep(0)
        rung = await body(doors, http("/events/"))
        assert not any(page.done() for page in pages)
        released.set()
        return rung, await asyncio.gather(*pages)

    rung, pages = asyncio.run(evening())
    assert rung == "bell /events/"
    assert pages == [f"site /{number} -" for number in range(20)]


def test_the_server_may_start_and_stop() -> None:
    sent = asyncio.run(
        converse(Doors(site, {}), {"type": "lifespan"}, {"type": "lifespan.startup"}, {"type": "lifespan.shutdown"})
    )
    assert [message["type"] for message in sent] == ["lifespan.startup.complete", "lifespan.shutdown.complete"]


@pytest.fixture
def _thawed() -> Iterator[None]:
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("_thawed")
def test_what_a_server_has_loaded_when_it_starts_is_walked_through_by_no_collection() -> None:
    gc.unfreeze()
    asyncio.run(converse(Doors(site, {}), {"type": "lifespan"}, {"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}))
    folder = Path(settings.BASE_DIR) / "templates"
    templates = [get_template(path.relative_to(folder).as_posix()).template for path in folder.rglob("*.html")]  # type: ignore[attr-defined]
    assert len(templates) > 100
    walked_through = {id(one) for one in gc.get_objects()}
    assert not walked_through & {id(one) for one in (*templates, get_resolver())}


def test_a_web_socket_is_declined() -> None:
    sent = asyncio.run(converse(Doors(site, {}), {"type": "websocket"}, {"type": "websocket.connect"}))
    assert sent == [{"type": "websocket.close", "code": 1003}]


def part(body: bytes, *, more: bool) -> Message:
    return {"type": "http.request", "body": body, "more_body": more}


GONE: Message = {"type": "http.disconnect"}


def reading(read: list[bytes]) -> Any:
    """A site that reads what was sent, and says how much that was."""

    def site(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        try:
            read.append(environ["wsgi.input"].read())
        except OSError as error:
            read.append(type(error).__name__.encode())
        start_response("200 OK", [])
        return [b""]

    return site


def test_a_form_in_parts_is_seen_as_a_whole() -> None:
    read: list[bytes] = []
    asyncio.run(converse(Doors(reading(read), {}), http("/"), part(b"points=1", more=True), part(b"5", more=False)))
    assert read == [b"points=15"]


@pytest.mark.parametrize("before", [[], [part(b"points=1", more=True)]])
def test_half_a_form_of_somebody_who_left_is_never_taken_for_a_whole_one(before: list[Message]) -> None:
    read: list[bytes] = []
    sent = asyncio.run(converse(Doors(reading(read), {}), http("/"), *before, GONE))
    assert (read, sent) == ([], [])


def test_half_a_photo_of_somebody_who_left_is_an_error_for_whoever_reads_it() -> None:
    read: list[bytes] = []
    asyncio.run(converse(Doors(reading(read), {}), http("/"), part(b"x" * (HELD_BYTES + 1), more=True), GONE))
    assert read == [b"ConnectionResetError"]


def test_a_form_that_never_ends_takes_no_thread() -> None:
    read: list[bytes] = []

    async def story() -> str:
        doors = Doors(reading(read), {})

        async def receive() -> Message:
            await asyncio.Event().wait()
            return GONE

        async def send(message: Message) -> None:
            raise AssertionError(message)

        slow = [asyncio.create_task(doors(http("/"), receive, send)) for _sender in range(2 * SITE_THREADS)]
        await asyncio.sleep(0)
        await converse(doors, http("/"), part(b"quick", more=False))
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        return "answered"

    assert asyncio.run(story()) == "answered"
    assert read == [b"quick"]
