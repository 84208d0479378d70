"""The bell: who may hear it, what it says, and that nobody who left or sleeps holds it up."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import pytest
from django.db import connection

from scoring import live

Message = MutableMapping[str, Any]


class Phone:
    """A client of the bare endpoint."""

    def __init__(self, game: int, ticket: str, *, query: str = "", stuck: bool = False) -> None:
        self.scope = {
            "type": "http",
            "method": "GET",
            "path": f"{live.PATH}{game}",
            "query_string": f"ticket={ticket}{query}".encode(),
            "headers": [],
        }
        self.said: list[str] = []
        self.status = 0
        self.stuck = stuck
        self.gone = asyncio.Event()
        self.aborted = False
        self.transport = self

    def abort(self) -> None:
        self.aborted = True

    async def receive(self) -> Message:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            return
        text = message["body"].decode()
        if self.stuck and text.startswith(("id:", "data:")):
            await asyncio.Event().wait()
        self.said.append(text)

    async def answer(self) -> None:
        await live.events(self.scope, self.receive, self.send)


async def settle() -> None:
    for _turn in range(20):
        await asyncio.sleep(0)


def evening(story: Callable[[], Awaitable[None]]) -> None:
    async def told() -> None:
        async with asyncio.timeout(20):
            await story()

    asyncio.run(told())


@pytest.mark.parametrize("wrong", ["", "nonsense", "other"])
def test_only_a_page_of_this_game_gives_a_ticket(wrong: str) -> None:
    async def story() -> None:
        phone = Phone(7, live.ticket(8) if wrong == "other" else wrong)
        await phone.answer()
        assert phone.status == 403
        assert live.bells.count(7) == 0

    evening(story)


def test_an_old_ticket_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    ticket = live.ticket(7)
    assert live.admits(ticket, 7)
    monkeypatch.setattr(live, "TICKET_AGE_SECONDS", -1)
    assert not live.admits(ticket, 7)


def test_a_stream_says_each_later_revision_and_nothing_else() -> None:
    async def story() -> None:
        phone, other = Phone(7, live.ticket(7), query="&rev=4"), Phone(8, live.ticket(8))
        streams = [asyncio.create_task(each.answer()) for each in (phone, other)]
        await settle()
        for rev in (3, 4, 5):
            live.bells.ring(7, rev)
            await settle()
        assert phone.said[0].startswith("retry: ")
        assert phone.said[1:] == ["id: 5\ndata: 5\n\n"]
        assert len(other.said) == 1
        live.bells.close()
        await asyncio.gather(*streams)
        assert phone.said[-1] == ""

    evening(story)


def test_a_phone_that_left_is_forgotten_without_a_word() -> None:
    async def story() -> None:
        phone = Phone(7, live.ticket(7))
        stream = asyncio.create_task(phone.answer())
        await settle()
        assert live.bells.count(7) == 1
        phone.gone.set()
        await stream
        assert live.bells.count(7) == 0

    evening(story)


def test_a_phone_that_does_not_read_is_dropped_and_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PATIENCE_SECONDS", 0.01)

    async def story() -> None:
        stuck, well = Phone(7, live.ticket(7), stuck=True), Phone(7, live.ticket(7))
        streams = [asyncio.create_task(each.answer()) for each in (stuck, well)]
        await settle()
        live.bells.ring(7, 5)
        await streams[0]
        assert stuck.aborted
        assert well.said[-1] == "id: 5\ndata: 5\n\n"
        well.gone.set()
        await streams[1]

    evening(story)


def test_a_quiet_stream_shows_that_it_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.001)

    async def story() -> None:
        phone = Phone(7, live.ticket(7))
        stream = asyncio.create_task(phone.answer())
        while ": still here\n\n" not in phone.said:
            await asyncio.sleep(0)
        phone.gone.set()
        await stream

    evening(story)


def test_after_a_gap_every_phone_looks_once() -> None:
    async def story() -> None:
        phone = Phone(7, live.ticket(7), query="&rev=9")
        stream = asyncio.create_task(phone.answer())
        await settle()
        live.bells.ring(0, 0)
        await settle()
        assert phone.said[-1] == "data: look\n\n"
        phone.gone.set()
        await stream

    evening(story)


def test_a_stream_touches_no_database() -> None:
    def refuse(*_arguments: Any) -> None:
        raise AssertionError("a stream asked the database")

    async def story() -> None:
        phone = Phone(7, live.ticket(7))
        stream = asyncio.create_task(phone.answer())
        await settle()
        live.bells.ring(7, 5)
        await settle()
        phone.gone.set()
        await stream

    with connection.execute_wrapper(refuse):
        evening(story)
