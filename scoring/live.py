"""The bell: tells every phone at a table that something has happened, and nothing else.

``record`` rings it when an event is committed. A phone that listens at ``/events/<game>`` gets the number of the event and
fetches the page again by itself; a stream never touches the database, not even to ask who may listen: the page that a phone
was shown carries a signed ticket for the bell of its game. Between the processes of one site the ring goes by PostgreSQL's
NOTIFY, inside the very transaction.

    ring_on_commit (any thread) → Bells.ring → the Room of each loop of this process → one line on every Listener of the game
"""

import asyncio
import contextlib
import itertools
import logging
import random
import signal
import threading
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator, MutableMapping
from dataclasses import dataclass
from types import FrameType
from typing import Any, Final
from urllib.parse import parse_qs

import psycopg
from django.core import signing
from django.db import connection, connections, transaction

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Sending = Coroutine[Any, Any, None]
Send = Callable[[Message], Sending]

logger = logging.getLogger(__name__)

PATH: Final = "/events/"
HEARTBEAT_SECONDS: Final = 10
"""A sign of life this often keeps routers from closing a quiet stream, finds phones that left without a word, and lets a phone
find that its stream died without an error (``static/js/bell.js``)."""
TURNS: Final = 20
"""Heartbeats go out in this many portions, so that no update waits behind all of them."""
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


def _line(text: str) -> Message:
    """Write what a stream says, once for all phones that are told it."""
    return {"type": "http.response.body", "body": text.encode(), "more_body": True}


_SIGN_OF_LIFE: Final = _line(f"event: alive\ndata: {HEARTBEAT_SECONDS}\n\n")
_LOOK: Final = _line("data: look\n\n")
_END: Final[Message] = {"type": "http.response.body", "body": b"", "more_body": False}


@dataclass(eq=False, slots=True)
class Listener:
    """One open stream. A line goes out at once and costs no task, unless the phone has not read the ones before it."""

    game: int
    send: Send
    rev: int
    turn: int
    """When in the round of heartbeats this stream shows that it lives."""
    stuck: "asyncio.Task[None] | None" = None
    unsaid: Message | None = None

    def hear(self, rev: int, line: Message) -> None:
        """Tell a revision later than the one the phone knows; several that come while the stream is full are one."""
        if rev > self.rev or rev == _EVERY:
            self.rev = max(rev, self.rev)
            self.say(line)

    def say(self, line: Message) -> None:
        if self.stuck is not None:
            self.unsaid = line
            return
        sending = self.send(line)
        try:
            waits_for = sending.send(None)
        except (StopIteration, OSError):
            return
        self.stuck = asyncio.get_running_loop().create_task(self._wait(sending, waits_for))

    async def _wait(self, sending: Sending, waits_for: Any) -> None:
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await _go_on(sending, waits_for)
        except TimeoutError:
            _drop(self.send)
            return
        except OSError:
            return
        self.stuck = None
        if self.unsaid is not None:
            line, self.unsaid = self.unsaid, None
            self.say(line)

    def live(self) -> None:
        """Show that the stream lives, unless it is full of what the phone has not read."""
        if self.stuck is None:
            self.say(_SIGN_OF_LIFE)


@types.coroutine
def _go_on(sending: Sending, waits_for: Any) -> Generator[Any, None, None]:
    """Finish in a task what was begun outside of one and did not come to its end at once."""
    with contextlib.closing(sending), contextlib.suppress(StopIteration):
        while True:
            yield waits_for
            waits_for = sending.send(None)


class Room:
    """The streams that are open on one event loop. Touched on that loop alone, so nothing needs a lock."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._listeners: dict[int, set[Listener]] = {}
        self._turns = itertools.cycle(range(TURNS))
        self._now = itertools.cycle(range(TURNS))
        self._beats = False

    def join(self, game: int, send: Send, rev: int) -> Listener:
        if not self._beats:
            self._beat_later()
        listener = Listener(game, send, rev, next(self._turns))
        self._listeners.setdefault(game, set()).add(listener)
        return listener

    def leave(self, listener: Listener) -> None:
        here = self._listeners.get(listener.game, set())
        here.discard(listener)
        if not here:
            self._listeners.pop(listener.game, None)
        if listener.stuck is not None:
            listener.stuck.cancel()

    def count(self, game: int) -> int:
        return len(self._listeners.get(game, ()))

    def ring(self, game: int, rev: int) -> None:
        line = _LOOK if rev == _EVERY else _line(f"id: {rev}\ndata: {rev}\n\n")
        for listener in self._all() if game == _EVERY else list(self._listeners.get(game, ())):
            listener.hear(rev, line)

    def close(self) -> None:
        ended = self._all()
        self._listeners.clear()
        for listener in ended:
            listener.say(_END)

    def _beat_later(self) -> None:
        self._beats = True
        self._loop.call_later(HEARTBEAT_SECONDS / TURNS, self._beat)

    def _beat(self) -> None:
        if not self._listeners:
            self._beats = False
            return
        now = next(self._now)
        for listener in self._all():
            if listener.turn == now:
                listener.live()
        self._beat_later()

    def _all(self) -> list[Listener]:
        return [listener for listeners in self._listeners.values() for listener in listeners]


class Bells:
    """Who listens to which game in this process, by the event loop on which they do. May be rung from any thread."""

    def __init__(self) -> None:
        self._rooms: dict[asyncio.AbstractEventLoop, Room] = {}

    def join(self, game: int, send: Send, rev: int) -> Listener:
        return self._here().join(game, send, rev)

    def leave(self, listener: Listener) -> None:
        self._here().leave(listener)

    def _here(self) -> Room:
        loop = asyncio.get_running_loop()
        if loop not in self._rooms:
            self._rooms = {other: room for other, room in self._rooms.items() if not other.is_closed()}
            self._rooms[loop] = Room(loop)
        return self._rooms[loop]

    def count(self, game: int) -> int:
        """Give the number of streams open for a game."""
        return sum(room.count(game) for room in list(self._rooms.values()))

    def ring(self, game: int, rev: int) -> None:
        """Tell all who listen to the game that its log has come to this revision; game 0 and revision 0 wake everybody."""
        for loop, room in list(self._rooms.items()):
            if not loop.is_closed():
                loop.call_soon_threadsafe(room.ring, game, rev)

    def close(self) -> None:
        """End every stream: the server stops. Phones come back by themselves."""
        for loop, room in list(self._rooms.items()):
            if not loop.is_closed():
                loop.call_soon_threadsafe(room.close)


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
    """Answer ``GET /events/<game>?ticket=…&rev=…``: one line for each revision later than the one the phone knows.

    Nothing waits here but for the end of the stream; what it says is said by whoever rings.
    """
    game, rev = _admitted(scope)
    if game is None:
        return await _refuse(send)
    await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
    listener = bells.join(game, send, rev)
    try:
        # Jitter, not secrets: any random number will do.
        listener.say(_line(f"retry: {random.randint(*RETRY_MS)}\n\n"))  # noqa: S311
        listener.live()
        while (await receive())["type"] != "http.disconnect":
            pass
    finally:
        bells.leave(listener)
    return None


_HEADERS: Final = (
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
)


def _drop(send: Send) -> None:
    """Cut the connection of a phone that does not read: what is buffered for it would stay in memory for ever."""
    transport = getattr(getattr(send, "__self__", None), "transport", None)
    if transport is not None:
        transport.abort()


def _admitted(scope: Scope) -> tuple[int | None, int]:
    """Give the game that may be heard, ``None`` without a ticket for it, and the revision that the phone knows of it."""
    game, query = _asked(scope)
    may = game is not None and admits(query.get("ticket", ""), game)
    return (game if may else None), _known(scope, query)


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
