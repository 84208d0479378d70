"""``manage.py demo``: a league to look round in."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import transaction
from django.utils import timezone

from players import people
from players.models import User
from scoring import demo


class Command(BaseCommand):
    """Add a league with a season of finished, running and suspended games, all dealt from real packs."""

    help = "Add a demonstration league with a season of games. The first account of the site gets it, or a new one is made."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--games", type=int, default=12, help="how many finished games (12)")

    def handle(self, *args: Any, **options: Any) -> None:
        owner = User.objects.order_by("pk").first()
        password = ""
        with transaction.atomic():
            if owner is None:
                password = people.temporary_password()
                owner = User.objects.create_user(username="demo", password=password)
            league = demo.make(owner, max(0, options["games"]), timezone.localdate(), self.stdout.write)
        self.stdout.write(f"The league “{league.name}” is there.")
        if password:
            self.stdout.write(f"Sign in as demo with the password {password}")
