"""The command that runs the site."""

import io
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from django.conf import settings as django_settings
from django.core.management import call_command
from django.core.management.base import CommandError
from pytest_django.fixtures import Settings

from continental import lan
from continental.management.commands import serve
from tests.browser.servers import PATIENCE_SECONDS, free_port

ROOT = Path(__file__).parent.parent
ON_SQLITE = django_settings.DATABASES["default"]["ENGINE"].endswith("sqlite3")


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody listens on."""
    with socket.create_server((serve.THIS_MACHINE, 0)) as listener:
        yield listener.getsockname()[1]


@pytest.fixture
def free() -> int:
    return free_port()


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[list[socket.socket]]:
    """The sockets that a server was started on; none starts in truth."""
    calls: list[list[socket.socket]] = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: calls.append(sockets))
    monkeypatch.delenv("PORT", raising=False)
    monkeypatch.delenv("LAN", raising=False)
    monkeypatch.setenv("LAN_HOSTS", "")
    return calls


def run(**options: Any) -> str:
    """What `manage.py serve` prints."""
    out = io.StringIO()
    call_command("serve", skip_prepare=True, stdout=out, no_color=True, **options)
    return out.getvalue()


def test_it_listens_on_this_machine_alone(free: int) -> None:
    with serve.listen(serve.THIS_MACHINE, str(free)) as listener:
        assert listener.getsockname() == ("127.0.0.1", free)


def test_a_port_that_was_asked_for_and_is_taken_is_an_error(taken: int) -> None:
    with pytest.raises(CommandError, match=f"Port {taken} is taken"):
        serve.listen(serve.THIS_MACHINE, str(taken))


@pytest.mark.parametrize("port", ["0", "65536", "-1", "abc", "80 80"])
def test_what_is_no_port_is_an_error_that_says_so(port: str) -> None:
    with pytest.raises(CommandError, match="is not a number from 1 to 65535"):
        serve.listen(serve.THIS_MACHINE, port)


def test_without_a_port_asked_for_the_next_free_one_is_taken_and_told(
    taken: int, served: list[list[socket.socket]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "DEFAULT_PORT", taken)
    text = run()
    found = re.search(r"Continental is at http://127\.0\.0\.1:(\d+)/", text)
    assert found
    assert taken < int(found[1]) < taken + serve.PORTS_TRIED
    assert f"Port {taken} is taken, so this is port {found[1]}." in text
    assert len(served) == 1


def test_all_ports_taken_is_an_error(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "DEFAULT_PORT", taken)
    monkeypatch.setattr(serve, "PORTS_TRIED", 1)
    with pytest.raises(CommandError, match="are all taken"):
        serve.listen(serve.THIS_MACHINE, "")


def test_phones_are_let_in_only_on_request(free: int, served: list[list[socket.socket]], settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["localhost"]
    assert "On this network" not in run(port=str(free))
    assert settings.ALLOWED_HOSTS == ["localhost"]


def test_phones_get_an_address_a_code_to_scan_and_an_answer(
    free: int, served: list[list[socket.socket]], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ALLOWED_HOSTS = ["localhost"]
    monkeypatch.setattr(lan, "lan_address", lambda: "192.0.2.7")
    monkeypatch.setattr(socket, "gethostname", lambda: "Kitchen.home")

    text = run(lan=True, port=str(free))

    assert f"On this network:  http://192.0.2.7:{free}/" in text
    assert "▄▄▄▄▄" in text
    assert settings.ALLOWED_HOSTS == ["localhost", "192.0.2.7", "kitchen.home", "kitchen.local"]
    assert os.environ["LAN_HOSTS"] == "192.0.2.7,kitchen.home,kitchen.local"


def test_a_machine_without_a_network_says_so_and_serves_all_the_same(
    free: int, served: list[list[socket.socket]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lan, "lan_address", lambda: None)
    assert "on no network" in run(lan=True, port=str(free))
    assert len(served) == 1


@pytest.mark.skipif(not ON_SQLITE, reason="PostgreSQL serves from any number of processes")
def test_sqlite_serves_from_one_process(free: int) -> None:
    with pytest.raises(CommandError, match="PostgreSQL"):
        run(port=str(free), workers=2)


def test_at_least_one_process_must_serve(free: int) -> None:
    with pytest.raises(CommandError, match="at least one"):
        run(port=str(free), workers=0)


def test_a_fresh_machine_gets_its_database_its_static_files_and_an_answer(free: int, tmp_path: Path) -> None:
    environment = {
        **{name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "LAN", "DJANGO_SETTINGS_MODULE"}},
        "VAR_DIR": str(tmp_path / "var"),
        "PORT": str(free),
        "ALLOWED_HOSTS": "127.0.0.1",
    }
    command = [sys.executable, "manage.py", "serve"]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as server:
        assert server.stdout
        lines = []
        for line in server.stdout:
            lines.append(line)
            if line.startswith("Stop it"):
                break
        try:
            url = f"http://127.0.0.1:{free}/static/css/site.css"
            with urllib.request.urlopen(url, timeout=PATIENCE_SECONDS) as answer:
                assert answer.status == 200
                assert answer.headers["Content-Type"].startswith("text/css")
        finally:
            server.send_signal(signal.SIGINT)
            rest, errors = server.communicate(timeout=PATIENCE_SECONDS)
    assert server.returncode == 0, errors
    assert f"Continental is at http://127.0.0.1:{free}/\n" in lines
    assert rest == "Stopped.\n"
    assert sorted(path.name for path in (tmp_path / "var").iterdir()) == ["continental.sqlite3", "secret-key", "static"]
