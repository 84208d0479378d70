"""``manage.py read_archive``: make a league from its archive."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from players.models import User
from players.names import fold_name
from scoring import archive_reading, archive_words, record_archive
from scoring.archive_spots import Flaw


class Command(BaseCommand):
    """Read a league in, whatever its size: all of it, or nothing and a sentence that says why."""

    help = "Make a league from the archive that its owner took out of another site. Nothing is written unless all of it is sound."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the archive; “-” reads it from the standard input")
        parser.add_argument("--owner", required=True, help="the name to sign in of the account that will own the league")

    def handle(self, *args: Any, **options: Any) -> None:
        owner = User.objects.filter(username_key=fold_name(options["owner"])).first()
        if owner is None:
            raise CommandError(f"There is no account “{options['owner']}”.")
        try:
            raw = sys.stdin.buffer.read() if options["file"] == "-" else Path(options["file"]).read_bytes()
        except OSError as error:
            raise CommandError(f"“{options['file']}” cannot be read: {error.strerror}.") from error
        try:
            read = archive_reading.read(raw)
            league = record_archive.read_in(read, owner)
        except Flaw as flaw:
            raise CommandError(archive_words.sentence(flaw)) from flaw
        self.stdout.write(f"The league “{league.name}” is there: {len(read.players)} players, {len(read.games)} games.")
