"""The one command that runs the site."""

import contextlib
import os
import socket
from argparse import ArgumentParser
from io import StringIO
from typing import Any

import segno
import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from uvicorn.supervisors import Multiprocess

from continental import lan

THIS_MACHINE = "127.0.0.1"
EVERY_ADDRESS = "0.0.0.0"  # noqa: S104 - on request only: phones must get in
DEFAULT_PORT = 8000
PORTS_TRIED = 20
GRACE_SECONDS = 3
"""How long a stopping server waits for open streams: a phone comes back by itself."""


class Command(BaseCommand):
    help = "Bring the database and the static files up to date, then serve the site."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--port", default=os.environ.get("PORT", ""), help=f"where to listen; {DEFAULT_PORT} or the next free one"
        )
        parser.add_argument(
            "--lan",
            action="store_true",
            default=os.environ.get("LAN", "").lower() in {"1", "true", "yes", "on"},
            help="let phones on this network in, and print a QR code for them",
        )
        parser.add_argument("--workers", type=int, default=1, help="processes; more than one needs PostgreSQL")
        parser.add_argument("--skip-prepare", action="store_true", help="leave the database and the static files as they are")

    def handle(self, *args: Any, **options: Any) -> None:
        workers: int = options["workers"]
        if workers < 1:
            raise CommandError("--workers: at least one process must serve.")
        if workers > 1 and settings.DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
            raise CommandError("--workers: SQLite serves from one process. Set DATABASE_URL to a PostgreSQL database first.")
        listener = listen(EVERY_ADDRESS if options["lan"] else THIS_MACHINE, options["port"])
        with listener:
            port: int = listener.getsockname()[1]
            if not options["skip_prepare"]:
                self._prepare()
            self._announce(port, options["lan"], asked=options["port"])
            self._serve(listener, workers)

    def _prepare(self) -> None:
        self.stdout.write("Bringing the database up to date …")
        call_command("migrate", interactive=False, verbosity=0)
        self.stdout.write("Collecting static files …")
        call_command("collectstatic", interactive=False, verbosity=0)

    def _announce(self, port: int, open_to_lan: bool, asked: str) -> None:
        if not asked and port != DEFAULT_PORT:
            self.stdout.write(f"Port {DEFAULT_PORT} is taken, so this is port {port}.")
        self.stdout.write(self.style.SUCCESS(f"Continental is at http://127.0.0.1:{port}/"))
        if open_to_lan:
            self._invite(port)
        self.stdout.write("Stop it with Ctrl-C.")
        self.stdout.flush()

    def _invite(self, port: int) -> None:
        address = lan.lan_address()
        if address is None:
            self.stdout.write(self.style.WARNING("This machine is on no network, so no phone can reach it yet."))
            return
        names = lan.host_names(address)
        settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, *names]
        os.environ["LAN_HOSTS"] = ",".join(names)  # for worker processes, which read the settings anew
        url = f"http://{address}:{port}/"
        self.stdout.write(self.style.SUCCESS(f"On this network:  {url}"))
        code = StringIO()
        segno.make_qr(url).terminal(out=code, border=2, compact=True)
        self.stdout.write(code.getvalue())

    def _serve(self, listener: socket.socket, workers: int) -> None:
        config = uvicorn.Config(
            "continental.asgi:application",
            workers=workers,
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=settings.BEHIND_PROXY,
            ws="none",
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        # uvicorn raises the signal again once it has stopped.
        with contextlib.suppress(KeyboardInterrupt):
            if workers > 1:
                Multiprocess(config, sockets=[listener]).run()
            else:
                uvicorn.Server(config).run(sockets=[listener])
        self.stdout.write("Stopped.")


def listen(host: str, asked: str) -> socket.socket:
    """A bound socket at ``host``: on the port ``asked``, or, when that is empty, on the first free one from the default on.

    Raises CommandError when ``asked`` is no port or is taken, and when no port tried is free.
    """
    if asked and not (asked.isdecimal() and 1 <= int(asked) <= 65535):
        raise CommandError(f"PORT: {asked!r} is not a number from 1 to 65535.")
    ports = [int(asked)] if asked else list(range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED))
    for port in ports:
        bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind((host, port))
            bound.listen()
        except PermissionError as error:
            bound.close()
            raise CommandError(f"Port {port} needs an administrator's rights: choose one from 1024 up with PORT=.") from error
        except OSError:
            bound.close()
            continue
        bound.set_inheritable(True)
        return bound
    if asked:
        raise CommandError(f"Port {asked} is taken: stop what listens there, or choose another with PORT=.")
    raise CommandError(f"Ports {ports[0]} to {ports[-1]} are all taken: choose another with PORT=.")
