"""``manage.py expire_photos``: deletes the photos whose day has come. To be run once a day; they are hidden before anyway."""

from typing import Any

from django.core.management.base import BaseCommand

from scoring import record_photos


class Command(BaseCommand):
    """Deletes the files of expired photos."""

    help = "Delete the photos whose day, as their league set it, has come."

    def handle(self, *args: Any, **options: Any) -> None:
        count = record_photos.expire()
        self.stdout.write(f"{count} photos deleted.")
