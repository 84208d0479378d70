"""How fast the bell is and what it costs, beside the same phones asking every two seconds. No time is asserted, only told.

Server and phones share this machine, so the times hold the phones' own work too; the ratio of the costs is of the server alone.
"""

import asyncio
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Membership, User
from scoring import live
from tests.browser.servers import ROOT, Server
from tests.scoring.tables import act, game_of, hand, league_of

pytestmark = pytest.mark.bench

PHONES = 1000
TABLES = 125


def milliseconds(values: Sequence[float]) -> str:
    ordered = sorted(values)
    return f"p50 {statistics.median(ordered) * 1000:.1f} ms, p99 {ordered[int(len(ordered) * 0.99) - 1] * 1000:.1f} ms"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[Server, Any, dict[str, Any]]]:
    """The site with the bell-ringer, its process, and a table in its SQLite database."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 8 * PHONES)), hard))
    site = Server(tmp_path, f"sqlite:///{tmp_path}/bench.sqlite3")
    came = dict(site.prepare())
    command = [sys.executable, "-m", "tests.bench.live_server", str(site.port)]
    with subprocess.Popen(command, cwd=ROOT, env=site.environment, stdin=subprocess.PIPE, text=True, bufsize=1) as process:
        while not site.answers():
            time.sleep(0.1)
        yield site, process, came
        process.terminate()


def cpu_seconds(pid: int) -> float:
    """Give what all threads of a process have spent, to the nanosecond."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(thread.read_text(encoding="ascii").split()[0]) for thread in threads) / 1e9


def resident_kib(pid: int) -> int:
    line = next(line for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1])


def tickets(server: Server, games: Sequence[int]) -> list[str]:
    code = "import django, sys; django.setup(); from scoring import live; [print(live.ticket(int(g))) for g in sys.argv[1:]]"
    return server.run("-c", code, *map(str, games)).split()


@asynccontextmanager
async def stream(port: int, game: int, ticket: str) -> AsyncIterator[asyncio.StreamReader]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /events/{game}?ticket={ticket}&rev=0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
    await reader.readuntil(b"retry:")
    try:
        yield reader
    finally:
        writer.close()


async def hear(port: int, game: int, ticket: str, ages: list[float], ready: asyncio.Semaphore) -> None:
    async with stream(port, game, ticket) as reader:
        ready.release()
        while line := await reader.readline():
            if line.startswith(b"id: "):
                ages.append((time.monotonic_ns() // 1000 - int(line[4:])) / 1e6)


async def with_phones(site: Server, games: Sequence[int], deed: Any) -> list[float]:
    """Let a phone listen to each of ``games`` while ``deed`` is done; give the ages of what they heard, in seconds."""
    ages: list[float] = []
    passes = dict(zip(sorted(set(games)), tickets(site, sorted(set(games))), strict=True))
    ready = asyncio.Semaphore(0)
    phones = [asyncio.create_task(hear(site.port, game, passes[game], ages, ready)) for game in games]
    for _phone in phones:
        await ready.acquire()
    await deed(ages)
    for phone in phones:
        phone.cancel()
    await asyncio.gather(*phones, return_exceptions=True)
    return ages


async def all_heard(heard: list[float], number: int) -> None:
    async with asyncio.timeout(60):
        while len(heard) < number:
            await asyncio.sleep(0.02)


def order(process: Any, line: str) -> None:
    process.stdin.write(line + "\n")


def test_a_thousand_phones_at_125_tables(server: tuple[Server, Any, dict[str, Any]], capsys: pytest.CaptureFixture[str]) -> None:
    site, process, came = server
    seconds, per_second = 8, 25
    spent: list[float] = []

    async def updates(heard: list[float]) -> None:
        before = cpu_seconds(process.pid)
        order(process, f"rate {TABLES} {per_second} {seconds}")
        await asyncio.sleep(seconds)
        await all_heard(heard, per_second * seconds * PHONES // TABLES)
        spent.append((cpu_seconds(process.pid) - before) / seconds)

    ages = asyncio.run(with_phones(site, [1 + phone % TABLES for phone in range(PHONES)], updates))
    asked = asyncio.run(cost_of_asking(site, process.pid, came))
    polling = asked * PHONES / 2
    with capsys.disabled():
        sys.stdout.write(
            f"\n{PHONES} phones, {TABLES} tables, {per_second} updates a second: {milliseconds(ages)}, {spent[0]:.1%} of a core\n"
        )
        sys.stdout.write(
            f"the same phones asking every 2 s: {asked * 1000:.2f} ms CPU a question, {polling:.1%} of a core: "
            f"{polling / spent[0]:.0f} x\n"
        )
    assert len(ages) == per_second * seconds * PHONES // TABLES


async def cost_of_asking(site: Server, pid: int, came: dict[str, Any], times: int = 400) -> float:
    """Give the server's CPU seconds for one question whether the table is still the same, over an open connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    head = f"GET /g/{came['game']}/ HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: sessionid={came['session']}\r\nHX-Request: true\r\n"

    async def ask(tag: str = "") -> tuple[bytes, bytes]:
        writer.write(f"{head}If-None-Match: {tag}\r\n\r\n".encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        if b" 304 " not in answer:
            length = next(
                int(line.split(b":")[1]) for line in answer.lower().split(b"\r\n") if line.startswith(b"content-length")
            )
            await reader.readexactly(length)
        tags = [line.split(b": ", 1)[1] for line in answer.split(b"\r\n") if line.lower().startswith(b"etag")]
        return answer, tags[0] if tags else b""

    _answer, tag = await ask()
    before = cpu_seconds(pid)
    for _time in range(times):
        answer, _tag = await ask(tag.decode())
        assert b" 304 " in answer
    writer.close()
    return (cpu_seconds(pid) - before) / times


def test_one_update_to_a_thousand_phones(server: tuple[Server, Any, dict[str, Any]], capsys: pytest.CaptureFixture[str]) -> None:
    site, process, _came = server
    last: list[float] = []
    memory: list[int] = []
    spent: list[float] = []
    rounds = 20
    empty = resident_kib(process.pid)

    async def updates(heard: list[float]) -> None:
        memory.append(resident_kib(process.pid) - empty)
        before = cpu_seconds(process.pid)
        for number in range(1, rounds + 1):
            order(process, "once 1")
            await all_heard(heard, number * PHONES)
        spent.append((cpu_seconds(process.pid) - before) / rounds)

    ages = asyncio.run(with_phones(site, [1] * PHONES, updates))
    assert len(ages) == rounds * PHONES
    last = [max(ages[start : start + PHONES]) for start in range(0, len(ages), PHONES)]
    with capsys.disabled():
        sys.stdout.write(
            f"\none update to {PHONES} phones: each {milliseconds(ages)}; all reached {milliseconds(last)}; "
            f"{spent[0] * 1000:.1f} ms CPU of the server an update, {memory[0] / PHONES:.1f} KiB a phone\n"
        )


def test_a_tap_to_eight_phones(server: tuple[Server, Any, dict[str, Any]], capsys: pytest.CaptureFixture[str]) -> None:
    site, process, came = server
    taps = 60
    heard: list[float] = []
    spent: list[float] = []

    async def evening() -> None:
        game = came["game"]
        (ticket,) = tickets(site, [game])
        reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
        streams = [stream(site.port, game, ticket) for _phone in range(8)]
        readers = [await opened.__aenter__() for opened in streams]
        before = cpu_seconds(process.pid)
        for tap in range(taps):
            body = f"do=opened&page=table&hand=1&seat=1&on={(tap + 1) % 2}&client_id=tap-{tap}"
            start = time.monotonic()
            writer.write(
                f"POST /g/{game}/do/ HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: sessionid={came['session']}; csrftoken={'a' * 32}\r\n"
                f"X-CSRFToken: {'a' * 32}\r\nHX-Request: true\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
            )
            for phone in readers:
                while not (await phone.readline()).startswith(b"id: "):
                    pass
                heard.append(time.monotonic() - start)
            answer = await reader.readuntil(b"\r\n\r\n")
            assert b" 200 " in answer.split(b"\r\n")[0], answer
            length = next(
                int(line.split(b":")[1]) for line in answer.lower().split(b"\r\n") if line.startswith(b"content-length")
            )
            await reader.readexactly(length)
        spent.append((cpu_seconds(process.pid) - before) / taps)
        for opened in streams:
            await opened.__aexit__(None, None, None)
        writer.close()

    asyncio.run(evening())
    with capsys.disabled():
        sys.stdout.write(
            f"\na tap on one phone to the event on eight, SQLite: {milliseconds(heard)}; "
            f"{spent[0] * 1000:.1f} ms CPU of the server a tap, its page included\n"
        )


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("number", [1, 4, 7])
def test_the_way_of_a_tap_to_the_bell(number: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    league, players = league_of("Ana", "Ben", "Cai", "Dot", "Eva", "Fay", "Gus", "Hal")
    game = game_of(league, players)
    for before in range(1, number):
        hand(game, before, *("out" if seat == before else 10 * seat for seat in range(8)))
    act(game, "opened", hand=number, seat=2)
    owner = User.objects.create_user("Ana")
    Membership.objects.create(league=league, user=owner, role=Membership.Role.OWNER)
    client = Client()
    client.force_login(owner)
    rung: list[float] = []
    monkeypatch.setattr(live.bells, "ring", lambda _game, _rev: rung.append(time.process_time()))
    spent: list[tuple[float, float]] = []
    with CaptureQueriesContext(connection) as asked:
        for tap in range(60):
            data = {"do": "opened", "page": "table", "hand": number, "seat": 1, "on": (tap + 1) % 2, "client_id": f"tap-{tap}"}
            start = time.process_time()
            answer = client.post(f"/g/{game.pk}/do/", data, headers={"HX-Request": "true"})
            spent.append((rung[-1] - start, time.process_time() - start))
            assert answer.status_code == 200
    to_the_bell, whole = (statistics.median(part) * 1000 for part in zip(*spent, strict=True))
    with capsys.disabled():
        sys.stdout.write(
            f"\na tap in hand {number} of 8 players: {to_the_bell:.1f} ms CPU to the bell, {whole:.1f} ms with its page, "
            f"{len(asked) / len(spent):.0f} questions to the database\n"
        )
