"""One process, two doors.

The Django site answers under WSGI in threads, where a page costs a fraction of what it costs under ASGI. What must stay open for
hours is answered by bare ASGI endpoints that never touch the site or its database.
"""

import os
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Mapping, MutableMapping
from typing import Any, cast
from wsgiref.types import WSGIApplication

from a2wsgi import WSGIMiddleware

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "continental.settings")

from continental import start, wsgi
from scoring import live

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Coroutine[Any, Any, None]]
Endpoint = Callable[[Scope, Receive, Send], Awaitable[None]]

SITE_THREADS = 8
"""Pages answered at the same time: by default as many as PostgreSQL's pool has connections. SQLite writes singly anyway."""

HELD_BYTES = 256 * 1024
"""Forms of up to this size are read as a whole before the site sees them; photos are larger."""

ENDPOINTS: dict[str, Endpoint] = {live.PATH: live.events}
"""Path prefixes and the bare endpoints that answer below them."""


class Doors:
    """Sends each request to the endpoint whose path prefix it has, and every other one to the site."""

    def __init__(self, site: WSGIApplication, endpoints: Mapping[str, Endpoint]) -> None:
        self._site = cast("Endpoint", WSGIMiddleware(cast("Any", site), workers=SITE_THREADS))
        self._endpoints = endpoints

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._answer(scope, receive, send)
        else:  # a WebSocket: nothing here speaks it
            await receive()
            await send({"type": "websocket.close", "code": 1003})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        for prefix, endpoint in self._endpoints.items():
            if scope["path"].startswith(prefix):
                return await endpoint(scope, receive, send)
        sent = await _received(receive)
        if sent is None:
            return None
        # In WSGI's environment a_b and a-b are one name, so the first could pass for a header that only a proxy may set.
        headers = [(name, value) for name, value in scope["headers"] if b"_" not in name]
        return await self._site({**scope, "headers": headers}, sent, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                start.settle()
                await live.life.start()
            else:
                await live.life.stop()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return


async def _received(receive: Receive) -> Receive | None:
    """Read what was sent before a thread is taken for it; give ``None`` where the sender left in the middle of it.

    Under WSGI a broken connection looks like the end of a form, and half a form like a whole one. What is too large to be
    held is passed on while it comes, and then a broken connection is an error for whoever reads.
    """
    held: deque[Message] = deque()
    size, more = 0, True
    while more and size <= HELD_BYTES:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        held.append(message)
        size, more = size + len(message.get("body", b"")), message.get("more_body", False)

    async def again() -> Message:
        message = held.popleft() if held else await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionResetError("The sender left in the middle of what was sent.")
        return message

    return again


application = Doors(wsgi.application, ENDPOINTS)
