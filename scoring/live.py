"""The bell: tells every phone at a table that something has happened, and nothing else.

``record`` rings it when an event is committed. A phone that listens at ``/events/<game>`` gets the number of the event and
fetches the page again by itself; a stream never touches the database, not even to ask who may listen: the page that a phone
was shown carries a signed ticket for the bell of its game. Between the processes of one site the ring goes by PostgreSQL's
NOTIFY, inside the very transaction.

    ring_on_commit (any thread) → Bells.ring → each loop of this process → every Listener of the game → one line on its stream
"""

import asyncio
import logging
import random
import signal
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, Final
from urllib.parse import parse_qs

import psycopg
from django.core import signing
from django.db import connection, connections, transaction

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

logger = logging.getLogger(__name__)

PATH: Final = "/events/"
HEARTBEAT_SECONDS: Final = 20
"""A comment this often keeps routers from closing a quiet stream, and finds phones that left without a word."""
PATIENCE_SECONDS: Final = 10
"""How long a stream may stay full before its phone counts as one that does not read."""
TICKET_AGE_SECONDS: Final = 24 * 60 * 60
RETRY_MS: Final = (500, 3000)
"""Between these a phone waits before it comes back, each its own time, so that a restart is not answered by all at once."""
CHANNEL: Final = "continental"
_SALT: Final = "scoring.live"
_EVERY: Final = 0
"""Stands for every game: something may have been missed."""


def ticket(game: int) -> str:
    """Give the right to hear the bell of one game, to be carried by a page that its reader may see."""
    return signing.dumps(game, salt=_SALT)


def admits(text: str, game: int) -> bool:
    """Tell whether a ticket is for this game and still good."""
    try:
        return bool(signing.loads(text, salt=_SALT, max_age=TICKET_AGE_SECONDS) == game)
    except signing.BadSignature:
        return False


# ---------------------------------------------------------------------------------------------------------------------
# Ringing


@dataclass(eq=False, slots=True)
class Listener:
    """One open stream."""

    game: int
    loop: asyncio.AbstractEventLoop
    rev: int = -1
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    missed: bool = False
    closing: bool = False

    def hear(self, rev: int) -> None:
        """Take note of a revision; several that come while a stream is busy are one."""
        if rev > self.rev or rev == _EVERY:
            self.missed = self.missed or rev == _EVERY
            self.rev = max(rev, self.rev)
            self.woken.set()

    def close(self) -> None:
        self.closing = True
        self.woken.set()

    async def next_line(self) -> str | None:
        """Wait for what the stream says next: a revision, a sign of life, or ``None`` for its end."""
        try:
            async with asyncio.timeout(HEARTBEAT_SECONDS):
                await self.woken.wait()
        except TimeoutError:
            return ": still here\n\n"
        self.woken.clear()
        if self.closing:
            return None
        missed, self.missed = self.missed, False
        return "data: look\n\n" if missed else f"id: {self.rev}\ndata: {self.rev}\n\n"


class Bells:
    """Who listens to which game in this process. May be rung from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: dict[int, set[Listener]] = {}

    def join(self, game: int) -> Listener:
        listener = Listener(game, asyncio.get_running_loop())
        with self._lock:
            self._listeners.setdefault(game, set()).add(listener)
        return listener

    def leave(self, listener: Listener) -> None:
        with self._lock:
            rest = self._listeners.get(listener.game, set())
            rest.discard(listener)
            if not rest:
                self._listeners.pop(listener.game, None)

    def count(self, game: int) -> int:
        """Give the number of streams open for a game."""
        with self._lock:
            return len(self._listeners.get(game, ()))

    def ring(self, game: int, rev: int) -> None:
        """Tell all who listen to the game that its log has come to this revision; game 0 and revision 0 wake everybody."""
        self._each(game, lambda listener: listener.hear(rev))

    def close(self) -> None:
        """End every stream: the server stops. Phones come back by themselves."""
        self._each(_EVERY, Listener.close)

    def _each(self, game: int, deed: Callable[[Listener], None]) -> None:
        with self._lock:
            sets = list(self._listeners.values()) if game == _EVERY else [self._listeners.get(game, set())]
            by_loop: dict[asyncio.AbstractEventLoop, list[Listener]] = {}
            for listeners in sets:
                for listener in listeners:
                    by_loop.setdefault(listener.loop, []).append(listener)
        for loop, listeners_of_loop in by_loop.items():
            if not loop.is_closed():
                loop.call_soon_threadsafe(_do_each, listeners_of_loop, deed)


def _do_each(listeners: list[Listener], deed: Callable[[Listener], None]) -> None:
    for listener in listeners:
        deed(listener)


bells: Final = Bells()


def ring_on_commit(game: int, rev: int) -> None:
    """Ring for an event once it is certain; the other processes of the site hear of it by the database."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{game}:{rev}"])
    transaction.on_commit(lambda: bells.ring(game, rev))


# ---------------------------------------------------------------------------------------------------------------------
# Streams


async def events(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer ``GET /events/<game>?ticket=…&rev=…``: one line for each revision later than the one the phone knows."""
    game, query = _asked(scope)
    if game is None or not admits(query.get("ticket", ""), game):
        return await _refuse(send)
    listener = bells.join(game)
    listener.rev = _known(scope, query)
    gone = asyncio.create_task(_wait_until_gone(receive, listener))
    try:
        headers = [
            (b"content-type", b"text/event-stream"),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        # Jitter, not secrets: any random number will do.
        await _say(send, f"retry: {random.randint(*RETRY_MS)}\n\n")  # noqa: S311
        await _stream(listener, send)
    finally:
        bells.leave(listener)
        gone.cancel()
    return None


async def _stream(listener: Listener, send: Send) -> None:
    while (line := await listener.next_line()) is not None:
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await _say(send, line)
        except TimeoutError:
            _drop(send)
            return
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _say(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})


async def _wait_until_gone(receive: Receive, listener: Listener) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    listener.close()


def _drop(send: Send) -> None:
    """Cut the connection of a phone that does not read: what is buffered for it would stay in memory for ever."""
    transport = getattr(getattr(send, "__self__", None), "transport", None)
    if transport is not None:
        transport.abort()


def _asked(scope: Scope) -> tuple[int | None, dict[str, str]]:
    number = scope["path"].removeprefix(PATH).strip("/")
    query = {name: values[0] for name, values in parse_qs(scope.get("query_string", b"").decode("latin-1")).items()}
    valid = scope.get("method", "GET") == "GET" and number.isascii() and number.isdecimal() and len(number) < 16
    return (int(number) if valid else None), query


def _known(scope: Scope, query: dict[str, str]) -> int:
    """Give the revision that a phone knows: of its last line where it comes back, else of its page."""
    said = dict(scope.get("headers", [])).get(b"last-event-id", b"").decode("latin-1") or query.get("rev", "")
    return int(said) if said.isascii() and said.isdecimal() and len(said) < 12 else -1


async def _refuse(send: Send) -> None:
    await send({"type": "http.response.start", "status": 403, "headers": [(b"content-type", b"text/plain")]})
    await send({"type": "http.response.body", "body": b"This bell needs a fresh page."})


# ---------------------------------------------------------------------------------------------------------------------
# With the server's life: hearing the other processes, and stopping quietly


class Life:
    """What runs beside the streams as long as the server does."""

    def __init__(self) -> None:
        self._ear: asyncio.Task[None] | None = None

    async def start(self) -> None:
        _close_on_signals()
        if connections["default"].vendor == "postgresql":
            self._ear = asyncio.create_task(_hear_others())

    async def stop(self) -> None:
        bells.close()
        if self._ear is not None:
            self._ear.cancel()
            await asyncio.gather(self._ear, return_exceptions=True)


def _close_on_signals() -> None:
    """End the streams as soon as the server is told to stop: it would wait for them first, and then cut them off."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGINT, signal.SIGTERM):
        before = signal.getsignal(number)

        def stop(signum: int, frame: FrameType | None, before: Any = before) -> None:
            bells.close()
            if callable(before):
                before(signum, frame)

        signal.signal(number, stop)


async def _hear_others() -> None:
    """Listen to what other processes commit. After a lost connection every phone looks once: a ring may have been missed."""
    settings = connections["default"].settings_dict
    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    address = {name: settings[key] for key, name in names.items() if settings.get(key)}
    wait = 0.5
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(**address, autocommit=True) as ear:
                await ear.execute(f"LISTEN {CHANNEL}")
                bells.ring(_EVERY, _EVERY)
                wait = 0.5
                async for notice in ear.notifies():
                    game, _colon, rev = notice.payload.partition(":")
                    bells.ring(int(game), int(rev))
        except psycopg.Error as error:
            logger.warning("The database does not tell what other processes do: %s", error)
        await asyncio.sleep(wait)
        wait = min(wait * 2, 30)


life: Final = Life()
