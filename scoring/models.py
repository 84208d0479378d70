"""What happened at the table, as rows.

``Event`` is the truth: an append-only log with one row for each action. Every other row that hangs on a game (its
seats, hands and entries, and the game's own status) is a projection of that log, and only ``scoring.record`` writes
any of them. A league's seasons and rule sheets are written there too.
"""

from functools import cached_property
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from continental.rules import rulesets
from continental.rules.rulesets import RuleSet
from continental.rules.standings import Points, as_counted
from players.models import League, Player, User
from scoring import sheet_words
from scoring.league_models import (
    PlayerHand,
    PlayerSeason,
    PlayerTotal,
    Rating,
    RatingBook,
    RatingMark,
    SeasonHand,
    SeasonSize,
    Signature,
)
from scoring.photo_models import Evidence, Photo
from scoring.ruling_models import Ruling

__all__ = [
    "Entry",
    "Event",
    "Evidence",
    "Game",
    "Hand",
    "Photo",
    "PlayerHand",
    "PlayerSeason",
    "PlayerTotal",
    "Rating",
    "RatingBook",
    "RatingMark",
    "RuleSheet",
    "Ruling",
    "Season",
    "SeasonHand",
    "SeasonSize",
    "Seat",
    "Signature",
]  # fmt: skip


class Season(models.Model):
    """A span of days whose finished games make one table; both ends belong to it."""

    league = models.ForeignKey(League, models.CASCADE, related_name="seasons")
    name = models.CharField(max_length=60)
    starts = models.DateField()
    ends = models.DateField()
    terms = models.JSONField(default=dict, blank=True, help_text=_("The method of the table, as agreed before the first game."))
    policies = models.JSONField(default=dict, blank=True, help_text=_("Substitutes, guests, short nights and late joiners."))
    lowest_wins = models.BooleanField(null=True, blank=True, help_text=_("Set by the first game of the season."))
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    snapshot = models.JSONField(null=True, blank=True, help_text=_("The table as it stood when the season was closed."))

    class Meta:
        ordering: ClassVar = ["-starts", "-pk"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["league", "name"], name="one_season_of_a_name_in_a_league"),
            models.CheckConstraint(condition=Q(ends__gte=models.F("starts")), name="season_ends_after_it_starts"),
        ]

    def __str__(self) -> str:
        return self.name


class RuleSheet(models.Model):
    """One version of a league's house rules: a preset and what differs from it. It never changes once saved."""

    league = models.ForeignKey(League, models.CASCADE, related_name="sheets")
    name = models.CharField(max_length=60)
    version = models.PositiveSmallIntegerField(default=1)
    base = models.CharField(max_length=30)
    overrides = models.JSONField(default=dict, blank=True)
    notes = models.JSONField(default=list, blank=True, help_text=_("What the league decided for itself, line by line."))
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    created_by = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering: ClassVar = ["name", "-version"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["league", "name", "version"], name="one_sheet_of_a_name_and_version"),
        ]

    def __str__(self) -> str:
        if self.is_preset and not self.notes:
            return self.title
        return _("%(sheet)s, version %(version)s") % {"sheet": self.title, "version": self.version}

    @property
    def is_preset(self) -> bool:
        """Whether it is a preset as it is, kept under the preset's id."""
        return self.name == self.base and not self.overrides

    @property
    def title(self) -> str:
        """What people call it."""
        return self.base_name if self.is_preset else self.name

    @property
    def base_name(self) -> str:
        """What the preset it starts from is called."""
        return sheet_words.game_name(rulesets.preset(self.base))

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("a rule sheet is never changed: add its next version")
        super().save(*args, **kwargs)

    @cached_property
    def rules(self) -> RuleSet:
        """The rule set this sheet stands for."""
        return rulesets.load({"base": self.base, **self.overrides})


# A foreign key without an index of its own is the first column of another index or constraint of its table: one less to write.


class Game(models.Model):
    """One game: a table of players, a pinned rule sheet, and where it stands."""

    class Status(models.TextChoices):
        PLAYING = "playing", _("playing")
        SUSPENDED = "suspended", _("suspended")
        FINISHED = "finished", _("finished")
        VOID = "void", _("void")

    league = models.ForeignKey(League, models.CASCADE, related_name="games", db_index=False)
    season = models.ForeignKey(Season, models.PROTECT, related_name="games", db_index=False)
    sheet = models.ForeignKey(RuleSheet, models.PROTECT, related_name="games")
    started_on = models.DateField(help_text=_("The local date on which the game started."))
    created_at = models.DateTimeField(auto_now_add=True)
    decks = models.PositiveSmallIntegerField()
    jokers = models.PositiveSmallIntegerField()
    # From here on: a projection of the events.
    status = models.CharField(max_length=10, choices=Status, default=Status.PLAYING)
    rev = models.PositiveIntegerField(default=0, help_text=_("The number of the last event."))
    hand_number = models.PositiveSmallIntegerField(default=1, help_text=_("The hand being played, counted from 1."))
    suspended_on = models.DateField(null=True, blank=True)
    ended_on = models.DateField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-started_on", "-pk"]
        indexes: ClassVar = [
            models.Index(fields=["league", "status"]),
            models.Index(fields=["league", "started_on", "id"], name="games_of_a_league"),
            models.Index(fields=["season", "started_on", "id"], name="games_of_a_season"),
        ]

    def __str__(self) -> str:
        return f"{self.league} {self.started_on} #{self.pk}"


class Seat(models.Model):
    """A player's place at one table. Seats are numbered from 0 in the order of play."""

    class How(models.TextChoices):
        COMPLETE = "complete", _("complete")
        SUBSTITUTED = "substituted", _("substituted")

    class Role(models.TextChoices):
        PLAYER = "player", _("player")
        GUEST = "guest", _("guest")
        SUBSTITUTE = "substitute", _("substitute")

    game = models.ForeignKey(Game, models.CASCADE, related_name="seats", db_index=False)
    season = models.ForeignKey(Season, models.CASCADE, related_name="seats", db_index=False, help_text=_("The game's own."))
    number = models.PositiveSmallIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, related_name="seats", db_index=False)
    # A projection of the events.
    away = models.BooleanField(default=False, help_text=_("The player has left the table."))
    running = models.IntegerField(default=0, help_text=_("Points of the closed hands so far."))
    total = models.IntegerField(
        null=True, blank=True, help_text=_("The game total; empty until the game is finished, and in a void game.")
    )
    how = models.CharField(max_length=11, choices=How, blank=True, default="")
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    sharing = models.PositiveSmallIntegerField(null=True, blank=True, help_text=_("Seats sharing the place, this one included."))
    table_size = models.PositiveSmallIntegerField(default=0, help_text=_("Seats at the table."))
    after_dealer = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text=_("Seats from whoever dealt the first hand to this one; 0: this seat dealt it.")
    )
    role = models.CharField(max_length=10, choices=Role, default=Role.PLAYER)
    stands_for = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="+", help_text=_("Whom a substitute sits for.")
    )
    credited = models.ForeignKey(
        Player,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="credited_seats",
        db_index=False,
        help_text=_("In whose line of the season's table the game counts; empty: in nobody's."),
    )
    net = models.IntegerField(null=True, blank=True, help_text=_("Pennies won or lost; empty where none are played for."))
    hands_out = models.PositiveSmallIntegerField(default=0, help_text=_("Hands in which the player went out."))
    by_dealer = models.JSONField(
        default=list,
        help_text=_(
            "In a counted game, by the seats from a hand's dealer to this one: the points given in those hands, and how many."
        ),
    )
    behind = models.PositiveIntegerField(
        default=0,
        db_default=0,
        help_text=_("Points that whoever won the game was behind at the worst moment; 0: never, or not won."),
    )
    behind_after = models.PositiveSmallIntegerField(default=0, db_default=0, help_text=_("The hand after which that was."))
    # A short night of a season that scales it: from the hands played to those of the sheet. 1 and 1 for every other game.
    scaled_from = models.PositiveSmallIntegerField(default=1, db_default=1)
    scaled_to = models.PositiveSmallIntegerField(default=1, db_default=1)

    class Meta:
        ordering: ClassVar = ["game", "number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="one_player_on_a_seat"),
            models.UniqueConstraint(fields=["game", "player"], name="one_seat_for_a_player"),
            models.CheckConstraint(
                condition=Q(total__isnull=True, how="", place__isnull=True)
                | (Q(total__isnull=False, place__isnull=False) & ~Q(how="")),
                name="total_how_and_place_come_together",
            ),
        ]
        # Both cover what a head-to-head asks: who met whom, and who came out ahead.
        indexes: ClassVar = [
            models.Index(fields=["player", "game", "place", "total"], name="seats_of_a_player"),
            models.Index(fields=["game", "player", "place", "total"], name="seats_of_a_game"),
            models.Index(fields=["credited", "season"], name="seats_credited"),
            models.Index(fields=["player", "season"], name="seats_of_a_player_in_a_season"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.player}"

    @property
    def points(self) -> Points:
        """The total as the season counts it."""
        assert self.total is not None
        return as_counted(self.total, self.scaled_from, self.scaled_to)


class Hand(models.Model):
    """One deal of a game with its own contract."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="hands", db_index=False)
    number = models.PositiveSmallIntegerField()
    dealer = models.PositiveSmallIntegerField(help_text=_("The seat that deals."))
    contract = models.CharField(max_length=40, blank=True, default="", help_text=_("As the sheet writes it; empty: free melds."))
    attempt = models.PositiveSmallIntegerField(default=1, help_text=_("Counts up when the hand is dealt again."))
    stock_turned = models.PositiveSmallIntegerField(default=0)
    opened = models.JSONField(default=list, help_text=_("Seats in the order in which they went down."))
    turns = models.PositiveSmallIntegerField(default=0, help_text=_("Turns used of the twice-around."))
    buys = models.JSONField(default=list, blank=True, help_text=_("Seats that bought the discard, in order."))
    closed = models.BooleanField(default=False)

    class Meta:
        ordering: ClassVar = ["game", "number"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "number"], name="one_hand_of_a_number")]

    def __str__(self) -> str:
        return f"{self.game} hand {self.number}"


class Entry(models.Model):
    """What one seat handed in for one hand. No row: nothing was entered yet.

    ``points`` is what the player provided, in penalty points; ``posted`` what the score sheet counts, which the sum of
    the two highest scores of the others may have put there. Both are null, never zero, where there is no score.
    """

    class Kind(models.TextChoices):
        OUT = "out", _("went out")
        CARDS = "cards", _("cards counted")
        POINTS = "points", _("points given")
        NONE = "none", _("gave no score")
        ABSENT = "absent", _("did not play")

    class How(models.TextChoices):
        GIVEN = "given", _("given")
        COUNTED = "counted", _("counted")
        SUBSTITUTED = "substituted", _("substituted")
        ABSENT = "absent", _("absent")

    class State(models.TextChoices):
        ENTERED = "entered", _("waits for the neighbour")
        ACCEPTED = "accepted", _("accepted")
        DISPUTED = "disputed", _("disputed")
        RULED = "ruled", _("ruled")
        FINAL = "final", _("final")

    hand = models.ForeignKey(Hand, models.CASCADE, related_name="entries", db_index=False)
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="entries")
    kind = models.CharField(max_length=6, choices=Kind)
    cards = models.CharField(max_length=300, blank=True, default="", help_text=_("The cards left in hand, in notation."))
    parts = models.CharField(max_length=100, blank=True, default="", help_text=_("The sum as it was typed, such as 10+15."))
    missing = models.PositiveSmallIntegerField(default=0, help_text=_("Cards that the hand was short of."))
    points = models.IntegerField(null=True, blank=True)
    posted = models.IntegerField(null=True, blank=True)
    how = models.CharField(max_length=11, choices=How, blank=True, default="", help_text=_("Empty until the hand is closed."))
    opened = models.BooleanField(null=True, blank=True, help_text=_("Went down; empty where nobody kept track of it."))
    jokers = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=_("Jokers caught; empty where no cards were counted.")
    )
    state = models.CharField(max_length=8, choices=State, default=State.ACCEPTED)
    by_seat = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text=_("The seat whose own phone made the entry; empty where the scorer did.")
    )
    rev = models.PositiveIntegerField(help_text=_("The event that wrote this entry."))
    amended = models.BooleanField(default=False, help_text=_("Changed after its hand was closed."))

    class Meta:
        ordering: ClassVar = ["hand", "seat"]
        verbose_name_plural = "entries"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["hand", "seat"], name="one_entry_of_a_seat_in_a_hand"),
            models.CheckConstraint(
                condition=Q(kind="out", points=0, points__isnull=False)
                | Q(kind__in=["cards", "points"], points__isnull=False)
                | Q(kind__in=["none", "absent"], points__isnull=True),
                name="null_is_not_zero",
            ),
            models.CheckConstraint(
                condition=Q(how="", posted__isnull=True)
                | Q(how="absent", posted__isnull=True)
                | (Q(how__in=["given", "counted", "substituted"]) & Q(posted__isnull=False)),
                name="only_a_score_is_posted",
            ),
            models.CheckConstraint(condition=~Q(kind="absent") | Q(how__in=["", "absent"]), name="absent_posts_nothing"),
        ]

    def __str__(self) -> str:
        return f"{self.hand} {self.seat}"


class Event(models.Model):
    """One action at the table, as it was sent. Rows are added, never changed and never removed."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="events", db_index=False)
    rev = models.PositiveIntegerField()
    client_id = models.CharField(max_length=40, help_text=_("Made by the client: a repeat of it is answered, not recorded."))
    kind = models.CharField(max_length=12)
    data = models.JSONField(default=dict)
    reason = models.CharField(max_length=200, blank=True, default="")
    replaces = models.PositiveIntegerField(null=True, blank=True, help_text=_("The event that this one takes back."))
    at = models.DateTimeField(default=timezone.now, editable=False)
    phone_at = models.DateTimeField(null=True, blank=True, help_text=_("The time on the client, where it told."))
    user = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    device = models.CharField(max_length=60, blank=True, default="")

    class Meta:
        ordering: ClassVar = ["game", "rev"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "rev"], name="one_event_of_a_revision"),
            models.UniqueConstraint(fields=["game", "client_id"], name="an_action_counts_once"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}:{self.rev} {self.kind}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("events are never changed")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("events are never removed")
