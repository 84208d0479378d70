"""Rulings as a league looks them up: a projection of the games' events, like every row that hangs on a game."""

from collections.abc import Mapping
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from continental.rules.decisions import FactValue
from players.models import League


class Ruling(models.Model):
    """One ruling given at a table: what went wrong, by which facts, what was decided, and on whose word."""

    league = models.ForeignKey(League, models.CASCADE, related_name="rulings")
    game = models.ForeignKey("scoring.Game", models.CASCADE, related_name="rulings")
    rev = models.PositiveIntegerField(help_text=_("The event that gave it."))
    at = models.DateTimeField()
    kind = models.CharField(max_length=30)
    path = models.CharField(
        max_length=10, blank=True, default="", help_text=_("The row of the rule book; empty where none fits.")
    )
    facts = models.JSONField(default=dict, blank=True)
    hand = models.PositiveSmallIntegerField(null=True, blank=True)
    seats = models.JSONField(default=list, blank=True, help_text=_("Seats it is about."))
    own = models.BooleanField(default=False, help_text=_("The table decided otherwise than the rule book, or without it."))
    words = models.CharField(max_length=400, blank=True, default="", help_text=_("The decision of the table's own."))
    reason = models.CharField(max_length=200, blank=True, default="")
    evidence = models.PositiveIntegerField(null=True, blank=True, help_text=_("The event of the cards it was judged on."))
    effects = models.JSONField(default=list, blank=True, help_text=_("The events that did what it asks for."))
    search = models.TextField(blank=True, default="", help_text=_("What it is found by."))

    class Meta:
        ordering: ClassVar = ["-at", "-rev"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "rev"], name="one_ruling_of_an_event")]
        indexes: ClassVar = [models.Index(fields=["league", "kind", "path"], name="rulings_on_a_question")]

    def __str__(self) -> str:
        return f"{self.game_id}:{self.rev} {self.kind} {self.path}"

    @property
    def known_facts(self) -> Mapping[str, FactValue]:
        """The facts as the decision table reads them."""
        facts: Mapping[str, FactValue] = self.facts
        return facts
