"""One process, two doors.

The Django site answers under WSGI in threads, where a page costs a fraction of what it costs under ASGI. What must stay open for
hours is answered by bare ASGI endpoints that never touch the site or its database.
"""

import os
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, cast

from a2wsgi import WSGIMiddleware

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "continental.settings")

from continental.wsgi import application as site

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Endpoint = Callable[[Scope, Receive, Send], Awaitable[None]]

SITE_THREADS = 10
"""Pages answered at the same time. SQLite writes one at a time anyway, and PostgreSQL's pool has fewer connections."""


class Doors:
    """Sends each request to the endpoint whose path prefix it has, and every other one to the site."""

    def __init__(self, site: Endpoint, endpoints: Mapping[str, Endpoint]) -> None:
        self.site = site
        self.endpoints = endpoints

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            await self._door(scope["path"])(scope, receive, send)
        else:  # a WebSocket: nothing here speaks it
            await receive()
            await send({"type": "websocket.close", "code": 1003})

    def _door(self, path: str) -> Endpoint:
        for prefix, endpoint in self.endpoints.items():
            if path.startswith(prefix):
                return endpoint
        return self.site

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return


application = Doors(cast("Endpoint", WSGIMiddleware(site, workers=SITE_THREADS)), endpoints={})
