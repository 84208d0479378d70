"""``manage.py write_archive``: take a league out as one document."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from players.models import League
from scoring import archive


class Command(BaseCommand):
    """Write everything a league has, as its owner's download does."""

    help = "Write everything a league has to the standard output, to be kept or to be read in on another site."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("league", help="the last part of the league's address")

    def handle(self, *args: Any, **options: Any) -> None:
        league = League.objects.filter(slug=options["league"]).first()
        if league is None:
            raise CommandError(f"There is no league at “{options['league']}”.")
        json.dump(archive.league_data(league), self.stdout, ensure_ascii=False, indent=1)
        self.stdout.write("\n")
