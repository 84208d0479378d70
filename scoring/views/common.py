"""What every page of a game shares: finding it, the one write address, and answers in whole pages or fragments."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, Final

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from players.models import User
from players.permissions import Action, actor_of, may, require
from scoring import load
from scoring.load import Table
from scoring.record import By

_GameView = Callable[Concatenate[HttpRequest, Table, ...], HttpResponse]


def in_game(action: Action) -> Callable[[_GameView], Callable[..., HttpResponse]]:
    """Decorate a view of ``(request, table, …)`` that is reached by ``(request, pk=…, …)`` and takes this action."""

    def decorate(view: _GameView) -> Callable[..., HttpResponse]:
        @wraps(view)
        def guarded(request: HttpRequest, pk: int, **kwargs: Any) -> HttpResponse:
            found = load.game(pk)
            require(request, action, found.league if found else None)
            assert found is not None
            return view(request, load.table(found), **kwargs)

        return guarded

    return decorate


def by(request: HttpRequest) -> By:
    """Say who acts, for the log."""
    return By(user=request.user if isinstance(request.user, User) else None)


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
    fragment = bool(getattr(request, "htmx", False)) and not getattr(request.htmx, "history_restore_request", False)  # type: ignore[attr-defined]
    template = f"scoring/_{name}.html" if fragment else f"scoring/{name}.html"
    shared = {
        "table": table,
        "game": table.game,
        "league": table.game.league,
        "page": name,
        "trouble": trouble,
        "may_score": may(actor_of(request), Action.SCORE, table.game.league),
        "new_client_id": new_client_id,
    }
    return render(request, template, {**shared, **context}, status=trouble.status if trouble else 200)


def see_other(address: str) -> HttpResponse:
    """Send the browser on after a write, so that a reload does not write again."""
    return HttpResponseRedirect(address, status=303)


FOLLOWS_HTMX: Final = "HX-Location"
