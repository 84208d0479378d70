"""What can happen to a whole game: leave, suspend, resume, finish."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST, require_safe

from players.permissions import Action
from scoring import record
from scoring.entries import whole_number
from scoring.load import Table
from scoring.views import league_desk
from scoring.views.common import Trouble, in_game, page
from scoring.views.seat_lines import seat_lines


def manage_page(
    request: HttpRequest, table: Table, trouble: Trouble | None = None, order: list[int] | None = None
) -> HttpResponse:
    """Show what can happen to the whole game, and what the rules say of each."""
    state, desk = table.state, league_desk.for_manage(table)
    seated = [state.players.index(pk) for pk in order or _seating(request, table, trouble)]
    context = {
        "lines": seat_lines(request, table),
        "between_hands": state.untouched,
        "present": [(seat, table.names[seat]) for seat in state.present],
        "gone": [(seat, table.names[seat]) for seat in sorted(state.away)],
        "seating": [(state.players[seat], table.names[seat]) for seat in seated],
        "here": request.POST.getlist("present") if request.method == "POST" else [str(pk) for pk in state.players],
        "same_year": record.today(table.game.league).year == state.started_on.year,
        "today": record.today(table.game.league),
        **desk,
        "parts": [_as_typed(part, trouble) for part in desk["parts"]],
    }
    return page(request, "manage", table, context, trouble)


def _as_typed(part: dict[str, Any], trouble: Trouble | None) -> dict[str, Any]:
    """Give in what part somebody sits here: as it was chosen, where just that was refused."""
    typed = trouble.typed if trouble else {}
    if typed.get("do") != "role" or typed.get("seat") != str(part["seat"]):
        return part
    return {**part, "role": typed.get("role"), "stands_for": whole_number(typed.get("stands_for", ""))}


def _seating(request: HttpRequest, table: Table, trouble: Trouble | None) -> list[int]:
    """Give the players in the order in which the form has them, those it leaves out at the end."""
    standing = [table.state.players[seat] for seat in table.state.present]
    sent = request.POST.getlist("players") if trouble else []
    order = [pk for pk in map(whole_number, sent) if pk in standing]
    return list(dict.fromkeys([*order, *standing]))


@require_POST
@in_game(Action.SCORE)
def reseat(request: HttpRequest, table: Table) -> HttpResponse:
    """Move a player up or down in the order of a resumption; nothing is written."""
    order = _seating(request, table, Trouble(200, ""))
    way, _colon, which = request.POST.get("move", "").partition(":")
    pk = whole_number(which)
    if pk in order:
        place = order.index(pk)
        other = place - 1 if way == "up" else place + 1
        if 0 <= other < len(order):
            order[place], order[other] = order[other], order[place]
    return manage_page(request, table, order=order)


@require_safe
@in_game(Action.SCORE)
def show_manage(request: HttpRequest, table: Table) -> HttpResponse:
    return manage_page(request, table)
