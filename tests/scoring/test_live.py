"""The bell: who may hear it, what it says, and that nobody who left or sleeps holds it up."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from itertools import pairwise
from typing import Any

import pytest
import uvicorn
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
        self.broken = False
        self.reads = asyncio.Event()
        self.gone = asyncio.Event()
        self.aborted = False
        self.transport = self

    def abort(self) -> None:
        self.aborted = True
        self.gone.set()

    async def receive(self) -> Message:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            return
        text = message["body"].decode()
        if self.broken:
            raise ConnectionResetError
        if self.stuck and text.startswith(("id:", "data:")):
            await self.reads.wait()
        self.said.append(text)
        if not message.get("more_body"):
            self.gone.set()

    @property
    def told(self) -> list[str]:
        """What the stream said of the game."""
        return [text for text in self.said if text.startswith(("id:", "data:"))]

    async def answer(self) -> None:
        await live.events(self.scope, self.receive, self.send)


async def settle() -> None:
    for _turn in range(20):
        await asyncio.sleep(0)


def evening(story: Callable[[], Awaitable[None]]) -> None:
    async def told() -> None:
        async with asyncio.timeout(300):
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
        assert phone.told == ["id: 5\ndata: 5\n\n"]
        assert other.told == []
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
        live.bells.ring(7, 6)
        await streams[0]
        assert stuck.aborted
        assert stuck.told == []
        assert well.told == ["id: 5\ndata: 5\n\n", "id: 6\ndata: 6\n\n"]
        assert live.bells.count(7) == 1
        well.gone.set()
        await streams[1]

    evening(story)


def test_a_phone_that_reads_again_is_told_the_newest_revision_alone() -> None:
    async def story() -> None:
        phone = Phone(7, live.ticket(7), stuck=True)
        stream = asyncio.create_task(phone.answer())
        await settle()
        for rev in (5, 6, 7):
            live.bells.ring(7, rev)
            await settle()
        assert phone.told == []
        phone.stuck = False
        phone.reads.set()
        await settle()
        assert phone.told == ["id: 5\ndata: 5\n\n", "id: 7\ndata: 7\n\n"]
        phone.gone.set()
        await stream

    evening(story)


def test_a_connection_that_breaks_while_it_is_written_to_leaves_the_others_alone() -> None:
    async def story() -> None:
        broken, well = Phone(7, live.ticket(7)), Phone(7, live.ticket(7))
        streams = [asyncio.create_task(each.answer()) for each in (broken, well)]
        await settle()
        broken.broken = True
        live.bells.ring(7, 5)
        await settle()
        assert (broken.told, well.told) == ([], ["id: 5\ndata: 5\n\n"])
        for phone in (broken, well):
            phone.gone.set()
        await asyncio.gather(*streams)

    evening(story)


def test_telling_a_thousand_phones_takes_no_task() -> None:
    async def story() -> None:
        phones = [Phone(7, live.ticket(7)) for _phone in range(100)]
        streams = [asyncio.create_task(phone.answer()) for phone in phones]
        await settle()
        before = len(asyncio.all_tasks())
        live.bells.ring(7, 5)
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == before == len(phones) + 1
        await asyncio.sleep(0)
        assert all(phone.told == ["id: 5\ndata: 5\n\n"] for phone in phones)
        live.bells.close()
        await asyncio.gather(*streams)

    evening(story)


def test_a_quiet_stream_shows_that_it_lives_and_says_how_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.001)
    alive = "event: alive\ndata: 10\n\n"

    async def story() -> None:
        phone = Phone(7, live.ticket(7))
        stream = asyncio.create_task(phone.answer())
        await settle()
        assert phone.said[1] == alive
        while phone.said.count(alive) < 3:
            await asyncio.sleep(0)
        phone.gone.set()
        await stream

    evening(story)


def test_heartbeats_go_out_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 1)

    async def story() -> None:
        phones = [Phone(7, live.ticket(7)) for _phone in range(2 * live.TURNS)]
        streams = [asyncio.create_task(phone.answer()) for phone in phones]
        await settle()
        counts = [sum(len(phone.said) for phone in phones)]
        while counts[-1] < counts[0] + 6:
            await asyncio.sleep(0)
            counts.append(sum(len(phone.said) for phone in phones))
        assert {after - before for before, after in pairwise(counts)} == {0, 2}
        live.bells.close()
        await asyncio.gather(*streams)

    evening(story)


def test_after_a_gap_every_phone_looks_once() -> None:
    async def story() -> None:
        phone = Phone(7, live.ticket(7), query="&rev=9")
        stream = asyncio.create_task(phone.answer())
        await settle()
        live.bells.ring(0, 0)
        await settle()
        assert phone.told == ["data: look\n\n"]
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


# ---------------------------------------------------------------------------------------------------------------------
# With the server that people run


def small_socket() -> socket.socket:
    """A socket that holds little of what its other end does not read."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    for buffer in (socket.SO_SNDBUF, socket.SO_RCVBUF):
        made.setsockopt(socket.SOL_SOCKET, buffer, 4096)
    return made


async def listen(address: tuple[str, int]) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Open a stream as a phone does; give it after its first word."""
    phone = small_socket()
    phone.setblocking(False)
    await asyncio.get_running_loop().sock_connect(phone, address)
    reader, writer = await asyncio.open_connection(sock=phone, limit=1024)
    writer.write(f"GET {live.PATH}7?ticket={live.ticket(7)} HTTP/1.1\r\nHost: table\r\n\r\n".encode())
    await reader.readuntil(b"event: alive")
    return reader, writer


async def read_up_to(reader: asyncio.StreamReader, rev: int) -> None:
    while (line := await reader.readline()) != f"data: {rev}\n".encode():
        assert line, "the stream ended"


def test_the_server_drops_a_phone_that_stops_reading_and_tells_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PATIENCE_SECONDS", 3)
    last = 20_000

    async def story() -> None:
        with small_socket() as door:
            door.bind(("127.0.0.1", 0))
            door.listen()
            config = uvicorn.Config(live.events, log_config=None, lifespan="off", ws="none", interface="asgi3")
            server = uvicorn.Server(config)
            serving = asyncio.create_task(server.serve(sockets=[door]))
            (reader, writer), (_silent, asleep) = [await listen(door.getsockname()) for _phone in range(2)]
            assert live.bells.count(7) == 2
            reading = asyncio.create_task(read_up_to(reader, last))
            for rev in range(1, last + 1):
                live.bells.ring(7, rev)
                if rev % 20 == 0:
                    await asyncio.sleep(0)
            while live.bells.count(7) == 2:
                await asyncio.sleep(0)
            await reading
            assert live.bells.count(7) == 1
            for each in (writer, asleep):
                each.close()
            server.should_exit = True
            live.bells.close()
            await serving

    evening(story)
