"""One process, two doors.

The Django site answers under WSGI in threads, where a page costs a fraction of what it costs under ASGI. What must stay open for
hours is answered by bare ASGI endpoints that never touch the site or its database.
"""

import os
from collections.abc import Awaitable, Callable, Coroutine, Mapping, MutableMapping
from typing import Any, cast
from wsgiref.types import WSGIApplication

from a2wsgi import WSGIMiddleware

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "continental.settings")

from continental import wsgi
from scoring import live

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Coroutine[Any, Any, None]]
Endpoint = Callable[[Scope, Receive, Send], Awaitable[None]]

SITE_THREADS = 8
"""Pages answered at the same time: by default as many as PostgreSQL's pool has connections. SQLite writes singly anyway."""

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
        # In WSGI's environment a_b and a-b are one name, so the first could pass for a header that only a proxy may set.
        headers = [(name, value) for name, value in scope["headers"] if b"_" not in name]
        return await self._site({**scope, "headers": headers}, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            await (live.life.start() if message["type"] == "lifespan.startup" else live.life.stop())
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return


application = Doors(wsgi.application, ENDPOINTS)
