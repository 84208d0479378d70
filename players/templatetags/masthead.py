"""``{% masthead %}``: the head of every page, written once for all pages that show the same in it."""

import secrets
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django import template
from django.template.context import Context
from django.template.loader import get_template
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from players.context import Shell
from players.models import League
from players.permissions import NOBODY, Action, may

register = template.Library()

_TOKEN: Final = secrets.token_hex(16)
_PATH: Final = secrets.token_hex(16)
"""What stands in a kept head where a page has its own: nobody can name a league so."""

_KEPT: Final = 500


class Place(NamedTuple):
    """A league as a head shows it."""

    name: str
    slug: str
    address: str


class Head(NamedTuple):
    """All that makes the head of one page unlike that of another, but for the token of its forms and its own address.

    The templates of the head are given this and nothing else, so that a kept head shows nobody what is another's.
    """

    language: str
    league: Place | None
    place: str
    sees_league: bool
    may_score: bool
    may_manage_league: bool
    leagues: tuple[Place, ...]
    signed_in: bool
    username: str
    theme: str
    four_colours: bool


@register.simple_tag(takes_context=True)
def masthead(context: Context) -> SafeString:
    """Write the masthead: the way home, the league and the switch to others, the league's places, and the menu of this device."""
    request = context.get("request")
    if request is None:
        return _written(_head(context, None), "", "")
    kept = _kept(_head(context, Shell(request)))
    own = kept.replace(_TOKEN, str(context["csrf_token"])).replace(_PATH, escape(request.get_full_path()))
    return SafeString(own)


def _head(context: Context, shell: Shell | None) -> Head:
    league = context.get("league") or None
    actor = shell.actor if shell else NOBODY
    allowed = {action: league is not None and may(actor, action, league) for action in _ASKED}
    return Head(
        language=get_language() or "",
        league=_place(league) if league else None,
        place=context.get("place") or "",
        sees_league=allowed[Action.VIEW_LEAGUE],
        may_score=allowed[Action.SCORE],
        may_manage_league=allowed[Action.MANAGE_LEAGUE],
        leagues=tuple(map(_place, shell.leagues)) if shell and allowed[Action.VIEW_LEAGUE] else (),
        signed_in=actor.signed_in,
        username=actor.user.username if actor.user else "",
        theme=shell.theme if shell else "",
        four_colours=shell.four_colours if shell else False,
    )


_ASKED: Final = (Action.VIEW_LEAGUE, Action.SCORE, Action.MANAGE_LEAGUE)


def _place(league: League) -> Place:
    return Place(league.name, league.slug, league.get_absolute_url())


@lru_cache(maxsize=_KEPT)
def _kept(head: Head) -> str:
    return _written(head, _TOKEN, _PATH)


def _written(head: Head, token: str, path: str) -> SafeString:
    known: dict[str, Any] = {"head": head, "path": path, "csrf_token": token}
    return SafeString(get_template("_masthead.html").render(known))
