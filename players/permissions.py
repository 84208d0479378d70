"""Who may do what: the only place that answers. Views, templates and the scorebook ask; none of them looks at a role.

Three answers matter to a page: what one may not even see does not exist (404), what one sees but may not do is refused with
a sentence (403), and someone who has not signed in is asked to, whether or not the thing exists.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import wraps
from types import MappingProxyType
from typing import Any, Concatenate, Final

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _

from players import joining, nicknames
from players.models import Device, League, Membership, User

Role = Membership.Role


class Action(Enum):
    """Everything one can be allowed to do: in a league, or, from ``VIEW_GAME`` on, at the table of one of its games."""

    VIEW_LEAGUE = auto()
    SCORE = auto()
    MANAGE_PLAYERS = auto()
    MANAGE_SEASON = auto()
    MANAGE_RULES = auto()
    MANAGE_MEMBERS = auto()
    MANAGE_LEAGUE = auto()

    VIEW_GAME = auto()
    SEE_PHOTOS = auto()
    """Photos of a game: for its people, and never for those who only look on from outside."""
    TAP = auto()
    """What happens at the table and belongs to no seat: the stock, a turn, closing the hand."""
    PLAY_SEAT = auto()
    """What one seat does: going down, handing in its own count."""
    ACCEPT = auto()
    """Accepting what one seat handed in, or objecting to it."""


_LOOK: Final = frozenset({Action.VIEW_LEAGUE, Action.VIEW_GAME})
_INSIDE: Final = _LOOK | {Action.SEE_PHOTOS}
_AT_THE_TABLE: Final = frozenset({Action.TAP, Action.PLAY_SEAT, Action.ACCEPT})
_KEEP_SCORE: Final = _INSIDE | _AT_THE_TABLE | {Action.SCORE, Action.MANAGE_PLAYERS}

ALLOWED: Final[Mapping[str, frozenset[Action]]] = MappingProxyType(
    {
        Role.OWNER: frozenset(Action),
        Role.SCOREKEEPER: _KEEP_SCORE,
        Role.MEMBER: _INSIDE,
        Role.VIEWER: _INSIDE,
    }
)
"""What each role may do. Members play and may be claimed as players; viewers only look."""

IN_PUBLIC: Final = _LOOK
"""What everybody may do in a league that chose to be public."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Whoever makes a request, as far as permissions care: an account with its roles, phones at tables, or nobody in particular.

    Attributes:
        user: the account that is signed in, if any.
        roles: the role held in each league, by the league's key.
        seats: the seat this phone has, by the key of the game.
        watches: games that this device may look at.
        watched_leagues: leagues that this device may look at.
        lost: games in which a place of this phone was taken back.
        device: what the log calls this phone, by the key of the game.
    """

    user: User | None
    roles: Mapping[int, str]
    seats: Mapping[int, int] = field(default_factory=dict)
    watches: frozenset[int] = frozenset()
    watched_leagues: frozenset[int] = frozenset()
    lost: frozenset[int] = frozenset()
    device: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of_user(cls, user: User) -> "Actor":
        """Read the roles of an account: one query, whatever the number of leagues."""
        return cls(user, MappingProxyType(dict(user.memberships.values_list("league_id", "role"))))

    def with_devices(self, devices: Sequence[Device]) -> "Actor":
        """Add the places that a browser's devices have."""
        live = [device for device in devices if device.revoked is None]
        # A browser that sat down twice at a table sits where it sat down last.
        seats = {device.table: device.seat for device in reversed(live) if device.seat is not None}
        return replace(
            self,
            seats=MappingProxyType(seats),
            watches=frozenset(device.table for device in live if device.seat is None and device.table),
            watched_leagues=frozenset(device.league_id for device in live if not device.table),
            lost=frozenset(device.table for device in devices if device.revoked is not None),
            device=MappingProxyType({device.table: f"phone {device.pk}" for device in reversed(live) if device.seat is not None}),
        )

    @property
    def signed_in(self) -> bool:
        return self.user is not None

    def role_in(self, league: League) -> str | None:
        """Give the role held in the league, ``None`` for a stranger."""
        return self.roles.get(league.pk)


_KEPT: Final = "continental_actor"

NOBODY: Final = Actor(None, MappingProxyType({}))


def actor_of(request: HttpRequest) -> Actor:
    """Give the actor behind a request; read once and kept with it."""
    known: Actor | None = getattr(request, _KEPT, None)
    if known is None:
        user = getattr(request, "user", None)  # a request refused for its host has none yet
        known = Actor.of_user(user) if isinstance(user, User) and user.is_active else NOBODY
        devices = joining.devices_of(request)
        known = known.with_devices(devices) if devices else known
        setattr(request, _KEPT, known)
    return known


def may(actor: Actor, action: Action, league: League) -> bool:
    """Tell whether the actor may do this in the league."""
    allowed = ALLOWED.get(actor.role_in(league) or "", frozenset())
    looks_on = league.public or league.pk in actor.watched_leagues
    return action in allowed or (looks_on and action in IN_PUBLIC)


@dataclass(frozen=True, slots=True)
class Sitting:
    """What permissions need to know of the table of one game.

    Attributes:
        league: whose game it is.
        game: the game's key.
        accounts: the seat of each account that plays, by the account's key.
        accepts: for each seat, the seat of the neighbour that accepts what it hands in.
    """

    league: League
    game: int
    accounts: Mapping[int, int] = field(default_factory=dict)
    accepts: Mapping[int, int] = field(default_factory=dict)


def seat_of(actor: Actor, sitting: Sitting) -> int | None:
    """Give the seat that the actor has at this table: by the phone, else by the account; ``None`` for one who has none."""
    by_phone = actor.seats.get(sitting.game)
    if by_phone is not None or actor.user is None or actor.role_in(sitting.league) in {None, Role.VIEWER}:
        return by_phone
    return sitting.accounts.get(actor.user.pk)


def may_at(actor: Actor, action: Action, sitting: Sitting, seat: int | None = None) -> bool:
    """Tell whether the actor may do this at the table of one game.

    Whoever keeps the league's score may do everything. A phone on a seat looks at its game, taps what belongs to the table,
    plays its own seat, and accepts or disputes what the neighbour that it sits left of hands in. Who looks on only looks.

    Args:
        seat: the seat that the deed is about, where it is about one.
    """
    if may(actor, action, sitting.league):
        return True
    own = seat_of(actor, sitting)
    match action:
        case Action.VIEW_GAME:
            return own is not None or sitting.game in actor.watches
        case Action.TAP | Action.SEE_PHOTOS:
            return own is not None
        case Action.PLAY_SEAT:
            return own is not None and own == seat
        case Action.ACCEPT:
            return own is not None and seat is not None and own != seat and sitting.accepts.get(seat) == own
    return False


def may_create_league(actor: Actor) -> bool:
    """Tell whether the actor may start a further league on this installation: everybody with an account may."""
    return actor.signed_in


class SignInNeeded(Exception):
    """Nobody has signed in, and what was asked for takes an account; the middleware answers with the way to sign in."""


def _belongs(actor: Actor, league: League) -> bool:
    """Tell whether the actor was let into the league, and does not just look in because it is public."""
    return actor.role_in(league) is not None or league.pk in actor.watched_leagues


def require(request: HttpRequest, action: Action, league: League | None) -> Actor:
    """Let pass who may do this, and give the actor.

    Args:
        league: the league in which it would be done; ``None`` where there is no such league or game, which looks to
            the asker just like one that must not be seen.

    Raises:
        SignInNeeded: the actor is nobody in particular, and not signed in.
        Http404: the actor may not see the league, or there is none.
        PermissionDenied: the actor sees the league, but may not do this.
    """
    actor = actor_of(request)
    nicknames.look_as_stranger(stranger=league is not None and not _belongs(actor, league))
    if league is not None and may(actor, action, league):
        return actor
    if not actor.signed_in:
        raise SignInNeeded
    if league is None or not may(actor, Action.VIEW_LEAGUE, league):
        raise Http404(_("There is nothing at this address, or it is not yours to see."))
    raise PermissionDenied(_("Your role in this league does not allow that. The owner of the league can change your role."))


def require_at(request: HttpRequest, action: Action, sitting: Sitting | None, seat: int | None = None) -> Actor:
    """Let pass who may do this at the table of one game, and give the actor; else raise as ``require`` does.

    A phone whose seat was taken back is told so, instead of being asked for an account.
    """
    actor = actor_of(request)
    if sitting is not None:
        here = seat_of(actor, sitting) is not None or sitting.game in actor.watches
        nicknames.look_as_stranger(stranger=not here and not _belongs(actor, sitting.league))
    if sitting is not None and may_at(actor, action, sitting, seat):
        return actor
    if sitting is not None and sitting.game in actor.lost and not may_at(actor, Action.VIEW_GAME, sitting):
        raise PermissionDenied(_("This phone no longer has a place at the table. Ask whoever keeps the score for a new code."))
    if sitting is not None and may_at(actor, Action.VIEW_GAME, sitting):
        if seat_of(actor, sitting) is not None:
            raise PermissionDenied(_("This phone plays its own seat only; whoever keeps the score can do that."))
        if not actor.signed_in and not sitting.league.public:
            raise PermissionDenied(_("This link only lets you look."))
    return require(request, action, sitting.league if sitting else None)


_LeagueView = Callable[Concatenate[HttpRequest, League, ...], HttpResponseBase]


def in_league(action: Action) -> Callable[[_LeagueView], Callable[..., HttpResponseBase]]:
    """Decorate a view of ``(request, league, …)`` that is reached by ``(request, slug=…, …)`` and takes this action."""

    def decorate(view: _LeagueView) -> Callable[..., HttpResponseBase]:
        @wraps(view)
        def guarded(request: HttpRequest, slug: str, **kwargs: Any) -> HttpResponseBase:
            league = League.objects.filter(slug=slug).first()
            require(request, action, league)
            assert league is not None
            return view(request, league, **kwargs)

        return guarded

    return decorate
