"""Reading a league in from its archive: the file is sent, and the league is there, or a sentence says why not."""

from django.contrib import messages as toasts
from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from players import people
from players.forms import FirstAccountForm, show_refusal
from players.models import League
from players.permissions import SignInNeeded, actor_of, may_create_league
from scoring import archive_reading, archive_words, record_archive, uploads
from scoring.archive_spots import Flaw
from scoring.views.common import see_other

FIELD = "archive"
_MEGABYTE = 1024 * 1024


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def read_archive(request: HttpRequest) -> HttpResponse:
    """Make a league from an archive; whoever reads it in owns it. On a new installation it brings the first account along."""
    actor = actor_of(request)
    if people.is_new_installation():
        return _set_up(request)
    if actor.user is None or not may_create_league(actor):
        raise SignInNeeded
    if request.method != "POST":
        return _page(request)
    try:
        read = archive_reading.read(_sent(request))
        league = record_archive.read_in(read, actor.user)
    except Flaw as flaw:
        return _page(request, flaw)
    return _arrived(request, league, read)


def _set_up(request: HttpRequest) -> HttpResponse:
    """Make the first account with the league of an archive, and sign in with it."""
    form = FirstAccountForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _page(request, form=form)
    try:
        read = archive_reading.read(_sent(request))
        league = record_archive.set_up(read, **form.cleaned_data, language=get_language() or "")
    except Flaw as flaw:
        return _page(request, flaw, form)
    except ValidationError as error:
        show_refusal(form, error, other="password", username="name")
        return _page(request, form=form)
    if league is None:
        raise SignInNeeded
    login(request, league.memberships.get().user)
    return _arrived(request, league, read)


def _page(request: HttpRequest, flaw: Flaw | None = None, form: FirstAccountForm | None = None) -> HttpResponse:
    context = {
        "most": uploads.MOST_BYTES[FIELD] // _MEGABYTE,
        "trouble": archive_words.sentence(flaw) if flaw is not None else "",
        "form": form,
    }
    refused = flaw is not None or (form is not None and form.errors)
    return render(request, "scoring/read_archive.html", context, status=422 if refused else 200)


def _arrived(request: HttpRequest, league: League, read: archive_reading.Archive) -> HttpResponse:
    toasts.success(request, _welcome(league, len(read.games)))
    return see_other(league.get_absolute_url())


def _sent(request: HttpRequest) -> bytes:
    upload = request.FILES.get(FIELD)
    if upload is None:
        raise Flaw("", "no-file")
    if upload.size is None or upload.size > uploads.MOST_BYTES[FIELD]:
        raise Flaw("", "too-large", size=round((upload.size or 0) / _MEGABYTE), most=uploads.MOST_BYTES[FIELD] // _MEGABYTE)
    content: bytes = upload.read()
    return content


def _welcome(league: League, games: int) -> str:
    read = ngettext("%(count)s game was read in.", "%(count)s games were read in.", games) % {"count": games}
    return _("%(league)s is here. %(read)s") % {"league": league.name, "read": read}
