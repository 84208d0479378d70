"""Turns what the permission and throttle rooms raise into pages, for every view alike."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from players import nicknames
from players.choices import NotOffered
from players.permissions import SignInNeeded
from players.throttle import TooManyTries


class People:
    """Sends who must sign in to the page for it, and tells who tried too often how long to wait."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        # A thread that served a stranger serves somebody else next.
        nicknames.look_as_stranger(stranger=False)
        try:
            answer = self.get_response(request)
            return _other_way(request, answer) if isinstance(answer, HttpResponseNotAllowed) else answer
        finally:
            nicknames.look_as_stranger(stranger=False)

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponseBase], args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> HttpResponse | None:
        """Turn away what no keyboard types and no page can keep or show, before any meets it: NULs and halves of characters."""
        # A view that takes no form of ours reads the body by itself, which it can't once somebody has parsed it as a form.
        forms = [request.GET] if getattr(view, "csrf_exempt", False) else [request.GET, request.POST]
        spoiled = next((name for name, text in _sent(forms, kwargs) if _UNKEPT.search(text)), None)
        if spoiled is None:
            return None
        field = _UNKEPT.sub("\ufffd", spoiled)[:40]
        return _unread(
            request,
            _("What was sent for “%(field)s” holds a sign that is no text. Nothing was changed; go back and take it out.")
            % {"field": field},
        )

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, SignInNeeded):
            return _sign_in(request)
        if isinstance(exception, TooManyTries):
            return _too_many(request, exception)
        if isinstance(exception, NotOffered):
            said = {"typed": exception.typed[:40], "field": exception.name}
            return _unread(
                request,
                _("“%(typed)s” is none of the choices for “%(field)s”. Nothing was changed; go back and choose again.") % said,
            )
        return None


_UNKEPT: Final = re.compile("[\0\ud800-\udfff]")


def _sent(forms: Iterable[QueryDict], kwargs: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Give every text of a request that a page may read, with its name: from the address, its question, and the form."""
    yield from ((name, value) for name, value in kwargs.items() if isinstance(value, str))
    for form in forms:
        for name, values in form.lists():
            yield name, name
            yield from ((name, value) for value in values if isinstance(value, str))


def _unread(request: HttpRequest, sentence: str) -> HttpResponse:
    return render(request, "400.html", {"sentence": sentence}, status=400)


def _sign_in(request: HttpRequest) -> HttpResponse:
    """Lead to the sign-in page and back; a fragment asked for by htmx must not be filled with that page."""
    back = request.get_full_path() if request.method != "POST" else request.META.get("HTTP_REFERER", "/")
    if request.headers.get("HX-Request") == "true":
        answer = HttpResponse(status=401)
        answer["HX-Redirect"] = redirect_to_login(request.headers.get("HX-Current-URL", back)).url
        return answer
    return redirect_to_login(back)


def _other_way(request: HttpRequest, refused: HttpResponseNotAllowed) -> HttpResponse:
    """Say in words that an address is not asked this way, as where somebody opens what only a form is sent to."""
    if "text/html" in request.headers.get("Accept", ""):
        answer = render(request, "405.html", status=405)
    else:
        answer = HttpResponse(_("This address only takes what a form sends to it."), "text/plain; charset=utf-8", 405)
    answer["Allow"] = refused["Allow"]
    return answer


def wait_sentence(problem: TooManyTries) -> str:
    """Say how long to wait."""
    return ngettext(
        "Too many tries. Wait a minute, then try again.",
        "Too many tries. Wait %(minutes)d minutes, then try again.",
        problem.minutes,
    ) % {"minutes": problem.minutes}


def _too_many(request: HttpRequest, problem: TooManyTries) -> HttpResponse:
    answer = render(request, "429.html", {"sentence": wait_sentence(problem)}, status=429)
    answer["Retry-After"] = str(problem.seconds)
    return answer
