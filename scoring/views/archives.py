"""Reading a league in from its archive: the file is sent, and the league is there, or a sentence says why not."""

from django.contrib import messages as toasts
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from players.models import League
from players.permissions import SignInNeeded, actor_of, may_create_league
from scoring import archive_reading, archive_words, record_archive, uploads
from scoring.archive_spots import Flaw
from scoring.views.common import see_other

FIELD = "archive"
_MEGABYTE = 1024 * 1024


@require_http_methods(["GET", "HEAD", "POST"])
def read_archive(request: HttpRequest) -> HttpResponse:
    """Make a league from an archive; whoever reads it in owns it."""
    actor = actor_of(request)
    if actor.user is None or not may_create_league(actor):
        raise SignInNeeded
    context = {"most": uploads.MOST_BYTES[FIELD] // _MEGABYTE}
    if request.method != "POST":
        return render(request, "scoring/read_archive.html", context)
    try:
        read = archive_reading.read(_sent(request))
        league = record_archive.read_in(read, actor.user)
    except Flaw as flaw:
        return render(request, "scoring/read_archive.html", {**context, "trouble": archive_words.sentence(flaw)}, status=422)
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
