"""What every page of a game shares: finding it, the one write address, and answers in whole pages or fragments."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, TypeVar

from django.db import models
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language

from players.models import League, User
from players.permissions import Action, Actor, Sitting, actor_of, may, may_at, require_at, seat_of
from scoring import live, load, reminders
from scoring.entries import whole_number
from scoring.load import Table, Viewer
from scoring.models import Game
from scoring.record import By

Row = TypeVar("Row", bound=models.Model)
_GameView = Callable[Concatenate[HttpRequest, Table, ...], HttpResponse]


def in_game(action: Action) -> Callable[[_GameView], Callable[..., HttpResponse]]:
    """Decorate a view of ``(request, table, …)`` that is reached by ``(request, pk=…, …)`` and takes this action."""

    def decorate(view: _GameView) -> Callable[..., HttpResponse]:
        @wraps(view)
        def guarded(request: HttpRequest, pk: int, **kwargs: Any) -> HttpResponse:
            found = load.game(pk)
            # Looking takes no seat, so it is decided without reading who sits where.
            actor = require_at(request, action, Sitting(found.league, found.pk) if found else None)
            assert found is not None
            if is_fragment(request) and request.headers.get("If-None-Match", "").removeprefix("W/") == _etag(found, actor):
                return HttpResponse(status=304)
            return view(request, seen_by(request, load.table(found)), **kwargs)

        return guarded

    return decorate


def seen_by(request: HttpRequest, table: Table) -> Table:
    """Tell a table who looks at it."""
    actor = actor_of(request)
    table.viewer = Viewer(seat_of(actor, table.sitting), may_at(actor, Action.SCORE, table.sitting))
    return table


def is_fragment(request: HttpRequest) -> bool:
    """Tell whether only the part of a page is asked for that changes while a game goes on."""
    asked = getattr(request, "htmx", None)
    return bool(asked) and not asked.history_restore_request  # type: ignore[union-attr]


def _etag(game: Game, actor: Actor) -> str:
    """Name what a fragment shows: the table after its last event, in one language, to one kind of viewer."""
    role = actor.role_in(game.league) or ""
    seat = actor.seats.get(game.pk, "")
    return f'"{game.rev}.{get_language()}.{role}.{seat}.{actor.user.pk if actor.user else ""}"'


def by(request: HttpRequest, table: Table | None = None) -> By:
    """Say who acts, for the log.

    Args:
        table: the table at which it is done, where it is: a player who does not keep the score acts for one seat there.
    """
    actor = actor_of(request)
    user = request.user if isinstance(request.user, User) else None
    if table is None or table.viewer.scores:
        return By(user=user)
    return By(user=user, device=actor.device.get(table.game.pk, ""), seat=table.viewer.seat)


def new_client_id() -> str:
    """Make the id of an action that a form may send: a second sending of the same form is then known."""
    return secrets.token_urlsafe(12)


@dataclass
class Trouble:
    """Why an action was not done, kept beside what the user typed.

    Attributes:
        status: the HTTP status; 409 where somebody else was quicker, 422 where the input cannot be.
        message: the sentence.
        typed: what was sent, to be shown again.
    """

    status: int
    message: str
    typed: Mapping[str, str] = field(default_factory=dict)


def page(
    request: HttpRequest, name: str, table: Table, context: Mapping[str, Any], trouble: Trouble | None = None
) -> HttpResponse:
    """Answer with a page of a game, or, to htmx, with its fragment alone."""
    actor = actor_of(request)
    template = f"scoring/_{name}.html" if is_fragment(request) else f"scoring/{name}.html"
    shared = {
        "table": table,
        "game": table.game,
        "host_league": table.game.league,
        "league": table.game.league,
        "page": name,
        "trouble": trouble,
        "typed": trouble.typed if trouble else {},
        # What was ticked in the form that was refused; a form that was not sent starts as it always does.
        "ticked": dict(request.POST.lists()) if trouble else {},
        **_rights(actor, table),
        "own_seat": table.viewer.seat,
        "ticket": live.ticket(table.game.pk),
        "reminder": reminders.own(table),
        "claims": reminders.claims(table),
        "result_words": reminders.result(table),
        "home": _home(request, name, table, context),
        "new_client_id": new_client_id,
    }
    response = render(request, template, {**shared, **context}, status=trouble.status if trouble else 200)
    patch_vary_headers(response, ["HX-Request"])
    if request.method != "POST" and not trouble:
        response["ETag"] = f"W/{_etag(table.game, actor)}"
    return response


def frame(request: HttpRequest, table: Table) -> dict[str, Any]:
    """Give what the frame round a page of a game shows, for pages that are not swapped for a newer table."""
    actor = actor_of(request)
    return {
        "table": table,
        "game": table.game,
        "league": table.game.league,
        **_rights(actor, table),
        "ticket": live.ticket(table.game.pk),
        "home": request.get_full_path(),
        "new_client_id": new_client_id,
    }


def _rights(actor: Actor, table: Table) -> dict[str, bool]:
    """Give what decides which links and buttons a page shows."""
    return {
        "may_score": table.viewer.scores,
        "may_tap": may_at(actor, Action.TAP, table.sitting),
        "may_see_photos": may_at(actor, Action.SEE_PHOTOS, table.sitting),
        "may_see_league": may(actor, Action.VIEW_LEAGUE, table.game.league),
    }


def _home(request: HttpRequest, name: str, table: Table, context: Mapping[str, Any]) -> str:
    """Give the address at which this page can be asked for again; a refused form is answered at another one."""
    if request.method != "POST":
        return request.get_full_path()
    number = [context["hand"].number] if name == "correct" else []
    return reverse(f"scoring:{name}", args=[table.game.pk, *number])


def league_frame(request: HttpRequest, league: League, place: str, manages: Action) -> dict[str, Any]:
    """Give what the pages of a league share.

    Args:
        place: the part of the league that the page belongs to.
        manages: what one must be allowed to do to see the page's tools.
    """
    actor = actor_of(request)
    return {
        "league": league,
        "place": place,
        "may_score": may(actor, Action.SCORE, league),
        "may_manage": may(actor, manages, league),
    }


def row_of(rows: models.QuerySet[Row], key: object, missing: str) -> Row:
    """Give the row of a key that an address or a form holds.

    Raises:
        Http404: with the sentence ``missing``, where the key is none, or none of these rows has it.
    """
    number = whole_number(str(key), 11)
    found = rows.filter(pk=number).first() if number is not None else None
    if found is None:
        raise Http404(missing)
    return found


def see_other(address: str) -> HttpResponse:
    """Send the browser on after a write, so that a reload does not write again."""
    return HttpResponseRedirect(address, status=303)


def go_on(request: HttpRequest, address: str) -> HttpResponse:
    """Send the browser on after a write, whether its scripts sent it or the form itself."""
    if not getattr(request, "htmx", False):
        return see_other(address)
    answer = HttpResponse(status=204)
    answer["HX-Redirect"] = address
    return answer
