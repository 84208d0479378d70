"""People and the leagues they play in. Nothing here knows of games; the scorebook points at these tables."""

import uuid
import zoneinfo
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final

from django.contrib.auth.models import AbstractUser, UserManager
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import IntegrityError, models, transaction
from django.db.models import Q
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from players import nicknames
from players.fields import FoldedField, NameField
from players.names import clean_name, fold_name


@cache
def timezones() -> frozenset[str]:
    """The IANA names of all time zones this machine knows."""
    return frozenset(zoneinfo.available_timezones())


@cache
def usual_timezones() -> frozenset[str]:
    """The names by which zones go today, one for each place in this machine's table of zones; all names where it has none."""
    for folder in zoneinfo.TZPATH:
        table = Path(folder, "zone.tab")
        if table.is_file():
            rows = (line.split("\t") for line in table.read_text(encoding="utf-8").splitlines() if not line.startswith("#"))
            return frozenset(row[2] for row in rows if len(row) > 2) & timezones()
    return timezones()


def validate_timezone(value: str) -> None:
    """Refuse what is no time zone of the IANA list, such as “Europe/Madrid”."""
    if value not in timezones():
        raise ValidationError(
            _("“%(value)s” is not a time zone such as Europe/Madrid."), code="timezone", params={"value": value[:60]}
        )


class PeopleManager(UserManager["User"]):
    def get_by_natural_key(self, username: str | None) -> "User":
        """Find an account by its name, whatever the case it is typed in."""
        return self.get(username_key=fold_name(username or ""))


class User(AbstractUser):
    """An account: someone who can sign in. Most players at a table never need one."""

    class Theme(models.TextChoices):
        AUTO = "auto", _("Like the device")
        LIGHT = "light", _("Light")
        DARK = "dark", _("Dark")

    username = NameField(
        _("name to sign in"), unique=True, error_messages={"unique": _("An account of this name exists already.")}
    )
    username_key = FoldedField(of="username", unique=True)
    language = models.CharField(_("language"), max_length=10, blank=True, help_text=_("Empty: as the browser asks."))
    theme = models.CharField(_("colours"), max_length=5, choices=Theme.choices, default=Theme.AUTO)

    objects: ClassVar[PeopleManager] = PeopleManager()

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")

    @classmethod
    def normalize_username(cls, username: str) -> str:
        return clean_name(username)

    def clean(self) -> None:
        super().clean()
        same = User.objects.filter(username_key=fold_name(self.username)).exclude(pk=self.pk)
        if same.exists():
            raise ValidationError({"username": _("An account of this name exists already.")})


class League(models.Model):
    """A group of people who play together, with its players, seasons and house rules."""

    name = NameField(_("name"))
    slug = models.SlugField(_("address"), max_length=70, unique=True, editable=False)
    timezone = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[validate_timezone])
    public = models.BooleanField(
        _("public"), default=False, help_text=_("Everybody who has the address can look; nobody else can write.")
    )
    photo_days = models.PositiveSmallIntegerField(
        _("days that photos are kept"), default=90, validators=[MinValueValidator(1), MaxValueValidator(3650)]
    )
    created = models.DateTimeField(_("created"), auto_now_add=True, editable=False)
    uid = models.UUIDField(
        default=uuid.uuid4, unique=True, editable=False, help_text=_("By which its archive knows it, on whatever site it is.")
    )

    class Meta:
        ordering = ("name", "pk")
        verbose_name = _("league")
        verbose_name_plural = _("leagues")

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.slug:
            super().save(*args, **kwargs)
            return
        while not self.pk:
            self.slug = self._free_slug()
            try:
                with transaction.atomic():
                    super().save(*args, **kwargs)
            except IntegrityError:  # another league of this name was made a moment ago
                if not League.objects.filter(slug=self.slug).exists():
                    raise

    def _free_slug(self) -> str:
        """Give an address part made of the name; a name without Latin letters gets “league”."""
        stem = slugify(self.name)[:60].strip("-") or "league"
        taken = set(League.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
        return next(
            slug for number in range(1, len(taken) + 2) if (slug := stem if number == 1 else f"{stem}-{number}") not in taken
        )

    def get_absolute_url(self) -> str:
        return reverse("scoring:league", args=[self.slug])

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        """The zone in which the league's days and years begin."""
        return zoneinfo.ZoneInfo(self.timezone)


class Membership(models.Model):
    """What an account may do in a league; `players.permissions` says what each role means."""

    class Role(models.TextChoices):
        OWNER = "owner", _("Owner")
        SCOREKEEPER = "scorekeeper", _("Scorekeeper")
        MEMBER = "member", _("Member")
        VIEWER = "viewer", _("Viewer")

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships", verbose_name=_("account"))
    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="memberships", verbose_name=_("league"))
    role = models.CharField(_("role"), max_length=12, choices=Role.choices, default=Role.MEMBER)
    created = models.DateTimeField(_("created"), auto_now_add=True, editable=False)

    class Meta:
        ordering = ("pk",)
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        constraints = (
            models.UniqueConstraint(fields=["user", "league"], name="one_membership_a_league"),
            models.CheckConstraint(
                condition=Q(role__in=["owner", "scorekeeper", "member", "viewer"]), name="membership_role_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.user} · {self.league} · {self.get_role_display()}"


class MemberInvitation(models.Model):
    """A link that makes whoever opens it a member. Only a hash of its secret is kept."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="member_invitations")
    role = models.CharField(_("role"), max_length=12, choices=Membership.Role, default=Membership.Role.MEMBER)
    token_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True, editable=False)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    expires = models.DateTimeField()
    revoked = models.DateTimeField(null=True, blank=True)
    used = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.CheckConstraint(condition=Q(role__in=["scorekeeper", "member", "viewer"]), name="no_link_makes_an_owner"),
        )

    def __str__(self) -> str:
        return f"{self.league} {self.role}"


class PlayerQuerySet(models.QuerySet["Player"]):
    def active(self) -> "PlayerQuerySet":
        """Those who are offered for a new game."""
        return self.filter(hidden=False)


class Player(models.Model):
    """Someone who sits at a league's table, with or without an account.

    The games' seats protect the row: a player with games is hidden, never deleted.
    """

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="players", verbose_name=_("league"))
    user = models.ForeignKey(
        User, on_delete=models.SET_NULL, null=True, blank=True, related_name="players", verbose_name=_("account")
    )
    name = NameField(_("name"))
    name_key = FoldedField(of="name")
    nickname = NameField(_("nickname"), blank=True, help_text=_("What strangers read in a public league."))
    hidden = models.BooleanField(
        _("hidden"), default=False, help_text=_("Not offered for new games; old games stay as they are.")
    )
    created = models.DateTimeField(_("created"), auto_now_add=True, editable=False)

    objects: ClassVar[models.Manager["Player"]] = PlayerQuerySet.as_manager()

    class Meta:
        ordering = ("name_key", "pk")
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = (
            models.UniqueConstraint(fields=["league", "name_key"], condition=Q(hidden=False), name="one_active_player_of_a_name"),
            models.UniqueConstraint(fields=["league", "user"], name="one_player_for_an_account"),
            models.CheckConstraint(condition=~Q(name=""), name="player_has_a_name"),
        )

    def __str__(self) -> str:
        return self.name

    @classmethod
    def from_db(cls, db: str | None, field_names: Collection[str], values: Collection[Any], **options: Any) -> "Player":
        """Read a player; a stranger reads the nickname in place of the name."""
        player = super().from_db(db, field_names, values, **options)
        if nicknames.is_stranger() and "name" in player.__dict__:
            player.name = nicknames.shown_to_strangers(player.name, player.nickname)
        return player

    def clean(self) -> None:
        super().clean()
        if not self.hidden and self.league_id and Player.name_taken(self.league, self.name, but=self.pk):
            raise ValidationError({"name": _("%(name)s is in this league already.") % {"name": clean_name(self.name)}})

    @classmethod
    def name_taken(cls, league: League, name: str, but: int | None = None) -> bool:
        """Tell whether an active player of the league, other than the one with key `but`, is called so."""
        same = cls.objects.filter(league=league, hidden=False, name_key=fold_name(name))
        return (same if but is None else same.exclude(pk=but)).exists()


THROTTLE_KEY: Final = 64


class Attempts(models.Model):
    """Failed tries at one thing by one source within a window; `players.throttle` reads and writes it."""

    bucket = models.CharField(max_length=THROTTLE_KEY, primary_key=True)
    since = models.DateTimeField()
    failures = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = (models.Index(fields=["since"], name="attempts_by_age"),)

    def __str__(self) -> str:
        return f"{self.bucket[:8]}: {self.failures}"


class Invitation(models.Model):
    """A way to a table without an account: a short code that seats a phone, or a long one that only lets it look.

    ``table`` is the key of a game. It is a plain number because nothing here knows of games; 0 stands for the whole league.
    """

    class Kind(models.TextChoices):
        SEAT = "seat", _("takes a seat")
        MOVE = "move", _("moves a seat to a new phone")
        WATCH = "watch", _("looks on")

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="invitations")
    table = models.PositiveBigIntegerField(default=0)
    kind = models.CharField(max_length=5, choices=Kind.choices)
    code = models.CharField(max_length=40, unique=True)
    seat = models.PositiveSmallIntegerField(null=True, blank=True, help_text=_("The one seat that a moving code gives."))
    created = models.DateTimeField(auto_now_add=True, editable=False)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    revoked = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=["table", "kind"], name="invitations_of_a_table"),)
        constraints = (
            models.CheckConstraint(condition=Q(kind="watch") | Q(table__gt=0), name="a_seat_is_at_one_table"),
            models.CheckConstraint(
                condition=Q(kind="move", seat__isnull=False) | (~Q(kind="move") & Q(seat__isnull=True)),
                name="a_move_names_its_seat",
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.table}"


class Device(models.Model):
    """A phone that came by an invitation: it sits on one seat of one table, or it looks on. Only a hash of its secret is kept."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="devices")
    table = models.PositiveBigIntegerField(default=0)
    seat = models.PositiveSmallIntegerField(null=True, blank=True, help_text=_("Empty for a device that only looks on."))
    secret_hash = models.CharField(max_length=64, unique=True)
    invitation = models.ForeignKey(Invitation, on_delete=models.CASCADE, related_name="devices")
    created = models.DateTimeField(auto_now_add=True, editable=False)
    revoked = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("pk",)
        indexes = (models.Index(fields=["table"], name="devices_of_a_table"),)
        constraints = (
            models.UniqueConstraint(
                fields=["table", "seat"], condition=Q(revoked__isnull=True, seat__isnull=False), name="one_phone_on_a_seat"
            ),
            models.CheckConstraint(condition=Q(seat__isnull=True) | Q(table__gt=0), name="a_phone_sits_at_one_table"),
        )

    def __str__(self) -> str:
        return f"{self.table}/{'looks on' if self.seat is None else self.seat}"


class Merge(models.Model):
    """Two players that turned out to be one person: ``kept`` stands for ``gone`` in every game, until it is taken back."""

    league = models.ForeignKey(League, on_delete=models.CASCADE, related_name="merges")
    kept = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="merges")
    gone = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="merged_into")
    was_hidden = models.BooleanField(default=False)
    moved_account = models.BooleanField(default=False)
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    undone = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-pk",)
        constraints = (
            models.UniqueConstraint(fields=["gone"], condition=Q(undone__isnull=True), name="a_player_is_merged_once"),
            models.CheckConstraint(condition=~Q(kept=models.F("gone")), name="nobody_is_merged_into_themselves"),
        )

    def __str__(self) -> str:
        return f"{self.gone} → {self.kept}"
