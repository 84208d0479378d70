"""``manage.py rebuild``: make every row that hangs on a game again from its events."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from players.models import League
from scoring import record, tallies
from scoring.models import Game


class Command(BaseCommand):
    """Remake the projections of all games, or of those named, and say what was not as the log has it."""

    help = "Make the scores, totals and places of games again from their events; rows that differ are put right."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("games", nargs="*", type=int, help="numbers of games; all, where none is named")

    def handle(self, *args: Any, **options: Any) -> None:
        chosen = Game.objects.order_by("pk").values_list("pk", flat=True)
        if options["games"]:
            chosen = chosen.filter(pk__in=options["games"])
        mended = 0
        for pk in chosen.iterator():
            changed = record.rebuild(pk)
            if changed:
                mended += 1
                self.stdout.write(f"Game {pk}: {changed} rows were not as the log says, and are now.")
        if not options["games"]:
            for league in League.objects.all():
                tallies.recount_league(league)
        self.stdout.write(f"{len(chosen)} games looked at, {mended} put right.")
