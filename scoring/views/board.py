"""The board: one game on a television or tablet, read from across the room, without a single button."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from players import joining
from players.permissions import Action, actor_of
from scoring import messages
from scoring.load import Table
from scoring.views.common import in_game, page
from scoring.views.joining import join_address


@require_safe
@in_game(Action.VIEW_GAME)
def show_board(request: HttpRequest, table: Table) -> HttpResponse:
    """Show contract, dealer, who has opened, totals, leader, twice-around, and the code to scan."""
    state, hand = table.state, table.hand
    countdown, ended = state.countdown, messages.ENDED.get(state.ended_by)
    result = state.result if state.status == "finished" else None
    context = {
        "hand": hand,
        "contract": table.contract_of(hand.number),
        "deal": table.deal,
        "dealer": table.names[hand.dealer],
        "first": table.names[state.left_of(hand.dealer)],
        "countdown": countdown,
        "next_name": table.names[countdown.next_seat] if countdown else "",
        "ended": ended,
        "open_names": [table.names[seat] for seat in state.open_seats()] if ended or hand.entries else [],
        "lines": [
            {
                "name": table.names[seat],
                "total": total.points if result and (total := result.totals[seat]) else state.running(seat),
                "leads": seat in table.leaders if result is None else bool(result.places and result.places[seat] == 1),
                "opened": seat in hand.opened and not hand.closed,
                "away": seat in state.away,
                "deals": seat == hand.dealer and not table.over,
                "state": hand.entries[seat].state if seat in hand.entries and not hand.closed else "",
                "out": seat in hand.out and not hand.closed,
            }
            for seat in state.seats
        ],
        **_way_in(request, table),
    }
    return page(request, "board", table, context)


def _way_in(request: HttpRequest, table: Table) -> dict[str, object]:
    """Give the code on the screen. One that seats phones is shown to whoever keeps the score, and so in their own room only.

    Who came by a link that looks on may be anywhere: they see the way to where a code is asked for.
    """
    if not table.viewer.scores:
        address = request.build_absolute_uri(reverse("scoring:join-start"))
        return {"qr": joining.qr_svg(address, _("Where to type the code of the table")), "code": ""}
    invitation = joining.seat_code(table.game.league, table.game.pk, actor_of(request).user)
    return {
        "qr": joining.qr_svg(join_address(request, invitation), _("Code to sit down at this table")),
        "code": invitation.code,
    }
