"""A server in a process of its own, as people start it, which a test may kill."""

import contextlib
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from continental import lan

ROOT = Path(__file__).parent.parent.parent

TABLE = """
import json, django
django.setup()
from django.conf import settings
from django.test import Client
from players import joining, people
from players.models import League, Player
from scoring import record
from scoring.record import By
owner = people.set_up_table(league="Thursday", name="Ana", password="felt-and-paper", timezone="UTC", language="en")
league = League.objects.get()
players = [Player.objects.get(), *(people.add_player(league, name) for name in ("Ben", "Cai", "Dot"))]
game = record.start_game(league, record.sheet_for(league, "house", By()), players, 0, By(), client_id="evening")
client = Client()
client.force_login(owner)
print(json.dumps({
    "game": game.pk,
    "session": client.cookies[settings.SESSION_COOKIE_NAME].value,
    "code": joining.seat_code(league, game.pk, owner).code,
    "watch": joining.watch_link(league, game.pk, owner).code,
}))
"""


PATIENCE_SECONDS = 300
"""How long a command, a start or a stop may take on a machine that runs much else."""


def free_port() -> int:
    """Give a port that nobody listens on, below those that the system hands out to connections of other tests meanwhile."""
    while True:
        port = random.randrange(20_000, 32_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


@dataclass
class Server:
    """`manage.py serve` with a database and a folder of its own."""

    folder: Path
    database: str
    workers: int = 1
    lan: bool = False
    """Let the phones of the network in, as `LAN=1` does."""
    port: int = 0
    process: subprocess.Popen[str] | None = None
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        kept = {name: value for name, value in os.environ.items() if name not in {"LAN", "PORT", "DATABASE_URL"}}
        self.environment = {
            **kept,
            "VAR_DIR": str(self.folder),
            "DATABASE_URL": self.database,
            "ALLOWED_HOSTS": "127.0.0.1,table.test",
            "DJANGO_SETTINGS_MODULE": "continental.settings",
            "LOG_LEVEL": "WARNING",
            "LAN": "1" if self.lan else "0",
        }
        self.port = free_port()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def home_url(self) -> str:
        """Where a phone of the home network finds it: over plain http, by this machine's name, or by a name set by hand."""
        address = lan.lan_address()
        name = lan.host_names(address)[-1] if self.lan and address else "table.test"
        return f"http://{name}:{self.port}"

    def prepare(self) -> Mapping[str, Any]:
        """Make the database, the static files and a table of four; give what a test needs to come in."""
        for command in (["migrate", "--verbosity", "0"], ["collectstatic", "--no-input", "--verbosity", "0"]):
            self.run("manage.py", *command)
        found: Mapping[str, Any] = json.loads(self.run("-c", TABLE))
        return found

    def run(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.environment,
            check=True,
            text=True,
            stdout=subprocess.PIPE,
            timeout=PATIENCE_SECONDS,
        )
        return done.stdout

    def start(self) -> None:
        """Start, and come back once it answers."""
        command = [
            sys.executable,
            "manage.py",
            "serve",
            "--skip-prepare",
            "--port",
            str(self.port),
            "--workers",
            str(self.workers),
        ]
        with (self.folder / "server.log").open("a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self.environment,
                text=True,
                stdout=subprocess.DEVNULL,
                stderr=log,
                start_new_session=True,
            )
        for _time in range(10 * PATIENCE_SECONDS):
            if self.answers():
                return
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(0.1)
                raise AssertionError((self.folder / "server.log").read_text(encoding="utf-8"))
        raise AssertionError("the server does not answer")

    def answers(self) -> bool:
        """Ask once; a socket that listens while the site still loads lets one wait."""
        try:
            with urllib.request.urlopen(f"{self.url}/sign-in/", timeout=30):
                return True
        except (OSError, http.client.HTTPException):
            return False

    def kill(self) -> None:
        """Kill the server and its workers outright."""
        assert self.process
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> str:
        """Stop it as Ctrl-C does, and give what it wrote to its log."""
        assert self.process
        os.killpg(self.process.pid, signal.SIGINT)
        self.process.wait(PATIENCE_SECONDS)
        return (self.folder / "server.log").read_text(encoding="utf-8")


POSTGRES = ("postgresql:///{}?host=/var/run/postgresql", "postgresql://postgres@127.0.0.1:5432/{}")


@contextlib.contextmanager
def postgres_database() -> Iterator[str | None]:
    """Give the address of a fresh PostgreSQL database; None where there is no PostgreSQL."""
    name = f"continental_evening_{os.getpid()}"
    for template in POSTGRES:
        try:
            server = psycopg.connect(template.format("postgres"), autocommit=True, connect_timeout=5)
        except psycopg.Error:
            continue
        with server:
            server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            server.execute(f"CREATE DATABASE {name}")
            try:
                yield template.format(name)
            finally:
                server.execute(f"DROP DATABASE {name} WITH (FORCE)")
        return
    yield None
