"""Photos of a game, and the cards read from them."""

from datetime import date
from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class Photo(models.Model):
    """A photo of a game. The row outlives the file: that there was a photo, and until when, stays known.

    That it belongs to the game, to which hand and seat, is told by the event that added it.
    """

    class About(models.TextChoices):
        LAID = "laid", _("cards laid down")
        HAND = "hand", _("cards left in a hand")
        DISPUTE = "dispute", _("a dispute")

    game = models.ForeignKey("scoring.Game", models.CASCADE, related_name="photos")
    name = models.CharField(max_length=40, unique=True)
    rev = models.PositiveIntegerField(help_text=_("The event that added it."))
    hand = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    by_seat = models.PositiveSmallIntegerField(null=True, blank=True, help_text=_("The seat whose phone sent it, if any."))
    about = models.CharField(max_length=8, choices=About, default=About.LAID)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    size = models.PositiveIntegerField(help_text=_("Bytes of the file."))
    at = models.DateTimeField(auto_now_add=True)
    expires_on = models.DateField(help_text=_("From this day on it is not shown, and its file is deleted."))
    gone = models.BooleanField(default=False, help_text=_("The file was deleted."))

    class Meta:
        ordering: ClassVar = ["game", "rev"]
        indexes: ClassVar = [models.Index(fields=["gone", "expires_on"], name="photos_to_delete")]

    def __str__(self) -> str:
        return f"{self.game_id}:{self.rev}"

    def shown_on(self, day: date) -> bool:
        """Tell whether the photo may still be shown."""
        return not self.gone and day < self.expires_on


class Evidence(models.Model):
    """Cards as somebody read them from a photo or off the table, and what the referee said of them."""

    game = models.ForeignKey("scoring.Game", models.CASCADE, related_name="evidence")
    rev = models.PositiveIntegerField(help_text=_("The event that kept it."))
    hand = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    photo = models.CharField(max_length=40, blank=True, default="")
    melds = models.JSONField(default=list, help_text=_("Each with its cards, and the spot on the photo where it lies."))
    query = models.TextField(blank=True, default="", help_text=_("The whole question, as the check page has it."))
    verdict = models.CharField(max_length=12)
    reasons = models.JSONField(default=list, help_text=_("The ids of the rules that were broken."))

    class Meta:
        ordering: ClassVar = ["game", "rev"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "rev"], name="one_evidence_of_an_event")]

    def __str__(self) -> str:
        return f"{self.game_id}:{self.rev}"
