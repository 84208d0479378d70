"""``manage.py expire``: record, of suspended games that were not resumed in their year, that they are void."""

from typing import Any

from django.core.management.base import BaseCommand

from players.models import League
from scoring import record


class Command(BaseCommand):
    """Write down what the turn of the year decided. Pages tell it by the date anyway; this is for a timer, if there is one."""

    help = "Record as void the suspended games that were not resumed in the calendar year in which they started."

    def handle(self, *args: Any, **options: Any) -> None:
        expired = [pk for league in League.objects.all() for pk in record.expire_suspended(league)]
        for pk in expired:
            self.stdout.write(f"Game {pk} is void: it was not resumed in its year.")
        self.stdout.write(f"{len(expired)} games expired.")
