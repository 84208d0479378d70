"""Joining a table: the host's page of phones and links, the way in by a code, and the links that only look."""

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from continental import lan
from players import joining
from players.choices import chosen
from players.models import Invitation
from players.permissions import Action, actor_of
from scoring import load
from scoring.entries import whole_number
from scoring.load import Table
from scoring.views.common import Trouble, in_game, page, see_other, seen_by

Kind: Final = Invitation.Kind


# ---------------------------------------------------------------------------------------------------------------------
# The host's side


def phones_page(request: HttpRequest, table: Table, trouble: Trouble | None = None) -> HttpResponse:
    """Show the code to scan, which seat has a phone, and the links that look on."""
    invitation = joining.seat_code(table.game.league, table.game.pk, actor_of(request).user)
    phones = joining.seated(table.game.pk)
    moves = Invitation.objects.filter(table=table.game.pk, kind=Kind.MOVE, revoked=None)
    codes = {move.seat: move for move in moves}
    context = {
        "code": invitation,
        "address": join_address(request, invitation),
        "only_here": lan.only_here(request.get_host()),
        "qr": joining.qr_svg(join_address(request, invitation), _("Code to sit down at this table")),
        "places": [
            {
                "seat": seat,
                "name": name,
                "phone": phones.get(seat),
                "move": codes.get(seat),
                "qr": joining.qr_svg(
                    join_address(request, codes[seat]), _("Code for the new phone of %(player)s") % {"player": name}
                )
                if seat in codes
                else "",
                "move_address": join_address(request, codes[seat]) if seat in codes else "",
            }
            for seat, name in enumerate(table.names)
        ],
        "links": [
            {"link": link, "address": watch_address(request, link)}
            for link in joining.open_invitations(table.game.pk, table.game.league)
        ],
    }
    return page(request, "phones", table, context, trouble)


def join_address(request: HttpRequest, invitation: Invitation) -> str:
    return request.build_absolute_uri(reverse("scoring:join", args=[invitation.code]))


def watch_address(request: HttpRequest, invitation: Invitation) -> str:
    return request.build_absolute_uri(reverse("scoring:watch", args=[invitation.code]))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_game(Action.SCORE)
def phones(request: HttpRequest, table: Table) -> HttpResponse:
    """Show who sits with which phone; change the code, take a seat back, move it to a new phone, make and close links."""
    if request.method != "POST":
        return phones_page(request, table)
    league, game, user = table.game.league, table.game.pk, actor_of(request).user
    deed, _colon, which = request.POST.get("do", "").partition(":")
    number = -1 if (said := whole_number(which, 15)) is None else said
    match deed:
        case "revoke" if number in table.state.seats:
            joining.revoke_seat(game, number)
        case "move" if number in table.state.seats:
            joining.move_code(league, game, number, user)
        case "new-code":
            joining.revoke_invitation(joining.seat_code(league, game, user))
            joining.seat_code(league, game, user)
        case "watch":
            joining.watch_link(league, game, user)
        case "watch-league":
            joining.watch_link(league, 0, user)
        case "close":
            link = Invitation.objects.filter(pk=number, league=league, table__in=[0, game], revoked=None).first()
            if link is not None:
                joining.revoke_invitation(link)
        case _:
            return phones_page(request, table, Trouble(400, _("Nothing of that kind can be done here.")))
    return see_other(reverse("scoring:phones", args=[game]))


# ---------------------------------------------------------------------------------------------------------------------
# The guest's side


@never_cache
@require_safe
def join_start(request: HttpRequest) -> HttpResponse:
    """Ask for a code, for those who can't scan it."""
    typed = request.GET.get("code", "").strip()
    code = joining.read_code(typed)
    if code:
        return redirect("scoring:join", code)
    return _no_such_code(request, typed) if typed else render(request, "scoring/join_code.html")


def _no_such_code(request: HttpRequest, typed: str) -> HttpResponse:
    trouble = _("No table has this code. Codes change: look at it once more.")
    return render(request, "scoring/join_code.html", {"trouble": trouble, "typed": typed}, status=404)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, code: str) -> HttpResponse:
    """Show the seats of the table behind a code, and put this phone on the one that is chosen."""
    invitation = joining.find_code(code, request.META.get("REMOTE_ADDR", ""))
    found = load.game(invitation.table) if invitation else None
    if invitation is None or found is None:
        return _no_such_code(request, code)
    table = seen_by(request, load.table(found))
    trouble = ""
    if request.method == "POST":
        seat = whole_number(request.POST.get("seat", ""), 3)
        if seat is not None and seat in table.state.seats:
            try:
                secret = joining.sit_down(invitation, seat)
            except joining.SeatTaken:
                trouble = _("Somebody sat down there a moment ago. Choose another seat.")
            else:
                response = see_other(reverse("scoring:table", args=[found.pk]))
                joining.remember(request, response, secret)
                return response
        else:
            trouble = _("Choose the seat that is yours.")
    taken = joining.seated(found.pk)
    offered = [invitation.seat] if invitation.kind == Kind.MOVE else list(table.state.seats)
    context = {
        "invitation": invitation,
        "host_league": found.league,
        "trouble": trouble,
        "own_seat": table.viewer.seat,
        "game": None,
        "table_address": reverse("scoring:table", args=[found.pk]),
        "leave_address": reverse("scoring:leave-seat", args=[found.pk]),
        "places": [
            {"seat": seat, "name": table.names[seat], "taken": seat in taken and invitation.kind != Kind.MOVE}
            for seat in offered
            if seat is not None
        ],
    }
    return render(request, "scoring/join.html", context, status=409 if trouble else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def watch(request: HttpRequest, code: str) -> HttpResponse:
    """Let this device look on by a link: it is remembered only once somebody asks for it, not by a preview of the link."""
    link = joining.find_link(code)
    if link is None:
        raise Http404(_("This link was closed, or was never there. Ask whoever keeps the score for another."))
    found = load.game(link.table) if link.table else None
    if request.method == "POST":
        where = f"scoring:{chosen(request.POST, 'to', ('table', 'board'), 'table')}"
        response = see_other(reverse(where, args=[link.table]) if link.table else link.league.get_absolute_url())
        joining.remember(request, response, joining.look_on(link))
        return response
    context = {"link": link, "host_league": link.league, "watched": found}
    return render(request, "scoring/watch.html", context)


@require_POST
def leave(request: HttpRequest, pk: int) -> HttpResponse:
    """Give up this phone's own seat."""
    seat = actor_of(request).seats.get(pk)
    if seat is not None:
        joining.revoke_seat(pk, seat)
    return see_other(reverse("scoring:join-start"))
