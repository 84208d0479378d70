"""What a league keeps beside its games: the sums that its tables are read from, signatures under house rules, ratings.

The sums are a projection of the games, as the games' own rows are one of their events: only ``scoring.record`` and the
modules it fronts write them.
"""

from fractions import Fraction
from typing import ClassVar

from django.db import models
from django.db.models import F, FloatField
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.models import League, Player, User


class GameSums(models.Model):
    """What a player's counted games come to, added up; ``total``, ``lowest`` and ``highest`` count ``parts`` of a point."""

    games = models.PositiveIntegerField()
    total = models.BigIntegerField(help_text=_("Points of all games."))
    places = models.PositiveIntegerField(help_text=_("Places of all games, added up."))
    wins = models.PositiveIntegerField()
    hands_out = models.PositiveIntegerField()
    lowest = models.BigIntegerField()
    highest = models.BigIntegerField()
    parts = models.BigIntegerField(
        default=1, db_default=1, help_text=_("Parts that a point is divided into: 1, but where short nights are scaled.")
    )

    class Meta:
        abstract = True


class PlayerSeason(GameSums):
    """What a player has come to in a season: one row, whatever the number of games, so that a table is read and not added up.

    Games count for the player whom the season's policies credit with them.
    """

    season = models.ForeignKey("scoring.Season", models.CASCADE, related_name="lines", db_index=False)
    player = models.ForeignKey(Player, models.CASCADE, related_name="season_lines")
    # The value under the season's method, exact, as a fraction.
    value_over = models.BigIntegerField()
    value_under = models.BigIntegerField()
    counted = models.PositiveIntegerField(help_text=_("Games that make the value; the others are left out."))

    class Meta:
        ordering: ClassVar = ["season", "player"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["season", "player"], name="one_line_of_a_player_in_a_season")]

    def __str__(self) -> str:
        return f"{self.season} {self.player}"

    @property
    def value(self) -> Fraction:
        return Fraction(self.value_over, self.value_under)


class PlayerTotal(GameSums):
    """What a player has come to in all seasons that were won the same way: by the lowest total, or by the highest."""

    league = models.ForeignKey(League, models.CASCADE, related_name="totals", db_index=False)
    player = models.ForeignKey(Player, models.CASCADE, related_name="totals", db_index=False)
    lowest_wins = models.BooleanField()
    # Divided by the database itself. Quotients of whole numbers are equal as doubles only if they are equal, as long as a
    # numerator times a denominator stays below 2**52.
    mean = models.GeneratedField(
        expression=Cast(F("total"), FloatField()) / (Cast(F("games"), FloatField()) * Cast(F("parts"), FloatField())),
        output_field=FloatField(),
        db_persist=True,
    )

    class Meta:
        ordering: ClassVar = ["player", "lowest_wins"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["player", "lowest_wins"], name="one_total_of_a_player_each_way")]
        indexes: ClassVar = [models.Index(fields=["league", "lowest_wins", "mean"], name="totals_of_a_league")]

    def __str__(self) -> str:
        return f"{self.league} {self.player}"


class SeasonSize(models.Model):
    """How many counted games of a season were played at tables of one size, and how its seats fared.

    ``by_seat`` and ``by_dealer`` have, for each seat and for each number of seats after whoever dealt first, the places of those
    games added up.
    """

    season = models.ForeignKey("scoring.Season", models.CASCADE, related_name="sizes", db_index=False)
    seats = models.PositiveSmallIntegerField()
    games = models.PositiveIntegerField()
    by_seat = models.JSONField(default=list)
    by_dealer = models.JSONField(default=list)

    class Meta:
        ordering: ClassVar = ["season", "seats"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["season", "seats"], name="one_count_of_a_table_size")]

    def __str__(self) -> str:
        return f"{self.season} {self.seats}"


class HandSums(models.Model):
    """What hands of one number and contract come to, in the counted games of a season."""

    number = models.PositiveSmallIntegerField()
    contract = models.CharField(max_length=40, blank=True, default="")
    hands = models.PositiveIntegerField(help_text=_("Hands for which the player gave a score."))
    points = models.IntegerField(help_text=_("Points of those hands."))
    out = models.PositiveIntegerField(help_text=_("Hands in which the player went out."))
    substituted = models.PositiveIntegerField(help_text=_("Hands in which the player gave no score and got a substitute."))
    opened = models.PositiveIntegerField(help_text=_("Hands in which the player is known to have gone down."))
    opened_known = models.PositiveIntegerField(help_text=_("Hands of which it is known whether the player went down."))
    jokers = models.PositiveIntegerField(help_text=_("Jokers caught in the hand, where cards were counted."))
    jokers_in_play = models.PositiveIntegerField(help_text=_("Jokers in the packs of those hands."))
    lowest = models.IntegerField(null=True, blank=True)
    highest = models.IntegerField(null=True, blank=True)

    class Meta:
        abstract = True


class PlayerHand(HandSums):
    """What a player has come to in the hands of one number and contract in a season, wherever they sat."""

    season = models.ForeignKey("scoring.Season", models.CASCADE, related_name="hand_lines", db_index=False)
    player = models.ForeignKey(Player, models.CASCADE, related_name="hand_lines")

    class Meta:
        ordering: ClassVar = ["season", "player", "number", "contract"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["season", "player", "number", "contract"], name="one_line_of_a_player_and_hand"),
        ]

    def __str__(self) -> str:
        return f"{self.season} {self.player} {self.number}"


class SeasonHand(HandSums):
    """What everybody together has come to in the hands of one number and contract in a season."""

    season = models.ForeignKey("scoring.Season", models.CASCADE, related_name="hands_of_all", db_index=False)

    class Meta:
        ordering: ClassVar = ["season", "number", "contract"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["season", "number", "contract"], name="one_line_of_a_hand_in_a_season"),
        ]

    def __str__(self) -> str:
        return f"{self.season} {self.number}"


class Signature(models.Model):
    """A player's name under one version of the house rules."""

    sheet = models.ForeignKey("scoring.RuleSheet", models.CASCADE, related_name="signatures")
    player = models.ForeignKey(Player, models.CASCADE, related_name="signatures")
    at = models.DateTimeField(default=timezone.now, editable=False)
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering: ClassVar = ["at", "pk"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["sheet", "player"], name="a_player_signs_a_sheet_once")]

    def __str__(self) -> str:
        return f"{self.sheet}: {self.player}"


class RatingBook(models.Model):
    """Whether a league rates its players, and whether the ratings are those of the games as they are now."""

    league = models.OneToOneField(League, models.CASCADE, related_name="rating_book")
    on = models.BooleanField(default=False)
    stale = models.BooleanField(default=True)
    changed_on = models.DateField(
        null=True, blank=True, help_text=_("The day of the oldest game that changed since; empty: any may have.")
    )
    run = models.PositiveIntegerField(default=0, help_text=_("Counts the replays, so that of two at once the later one is kept."))
    games = models.PositiveIntegerField(default=0, help_text=_("Games that the ratings come from."))
    computed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return str(self.league)


class Rating(models.Model):
    """A player's rating after all games of the league."""

    book = models.ForeignKey(RatingBook, models.CASCADE, related_name="ratings")
    player = models.ForeignKey(Player, models.CASCADE, related_name="ratings")
    mu = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField()

    class Meta:
        ordering: ClassVar = ["-mu", "player"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["book", "player"], name="one_rating_of_a_player")]

    def __str__(self) -> str:
        return f"{self.player} {self.mu:.2f}"


class RatingMark(models.Model):
    """Where the ratings stood before the games of a day, so that a change of a later game is replayed from there."""

    book = models.ForeignKey(RatingBook, models.CASCADE, related_name="marks", db_index=False)
    day = models.DateField()
    standing = models.BinaryField(help_text=_("For each player rated by then: mean, variance and games; see scoring/ratings.py."))

    class Meta:
        ordering: ClassVar = ["book", "day"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["book", "day"], name="one_mark_of_a_day")]

    def __str__(self) -> str:
        return f"{self.book} {self.day}"
