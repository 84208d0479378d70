"""Who may do what: the only place that answers. Views, templates and the scorebook ask; none of them looks at a role.

Three answers matter to a page: what one may not even see does not exist (404), what one sees but may not do is refused with
a sentence (403), and someone who has not signed in is asked to, whether or not the thing exists.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import wraps
from types import MappingProxyType
from typing import Any, Concatenate, Final

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _

from players.models import League, Membership, User

Role = Membership.Role


class Action(Enum):
    """Everything one can be allowed to do in a league."""

    VIEW_LEAGUE = auto()
    SCORE = auto()
    MANAGE_PLAYERS = auto()
    MANAGE_SEASON = auto()
    MANAGE_RULES = auto()
    MANAGE_MEMBERS = auto()
    MANAGE_LEAGUE = auto()


_LOOK: Final = frozenset({Action.VIEW_LEAGUE})
_KEEP_SCORE: Final = _LOOK | {Action.SCORE, Action.MANAGE_PLAYERS}

ALLOWED: Final[Mapping[str, frozenset[Action]]] = MappingProxyType(
    {
        Role.OWNER: frozenset(Action),
        Role.SCOREKEEPER: _KEEP_SCORE,
        Role.MEMBER: _LOOK,
        Role.VIEWER: _LOOK,
    }
)
"""What each role may do. Members play and may be claimed as players; viewers only look."""

IN_PUBLIC: Final = _LOOK
"""What everybody may do in a league that chose to be public."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Whoever makes a request, as far as permissions care: an account with its roles, or nobody in particular.

    Attributes:
        user: the account that is signed in, if any.
        roles: the role held in each league, by the league's key.
    """

    user: User | None
    roles: Mapping[int, str]

    @classmethod
    def of_user(cls, user: User) -> "Actor":
        """Read the roles of an account: one query, whatever the number of leagues."""
        return cls(user, MappingProxyType(dict(user.memberships.values_list("league_id", "role"))))

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
        setattr(request, _KEPT, known)
    return known


def may(actor: Actor, action: Action, league: League) -> bool:
    """Tell whether the actor may do this in the league."""
    allowed = ALLOWED.get(actor.role_in(league) or "", frozenset())
    return action in allowed or (league.public and action in IN_PUBLIC)


def may_create_league(actor: Actor) -> bool:
    """Tell whether the actor may start a further league on this installation: everybody with an account may."""
    return actor.signed_in


class SignInNeeded(Exception):
    """Nobody has signed in, and what was asked for takes an account; the middleware answers with the way to sign in."""


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
    if league is not None and may(actor, action, league):
        return actor
    if not actor.signed_in:
        raise SignInNeeded
    if league is None or not may(actor, Action.VIEW_LEAGUE, league):
        raise Http404(_("There is nothing at this address, or it is not yours to see."))
    raise PermissionDenied(_("Your role in this league does not allow that. The owner of the league can change your role."))


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
