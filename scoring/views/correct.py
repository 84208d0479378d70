"""Correcting a closed hand: one entry, and why it changes."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from players.permissions import Action
from scoring import corrections, messages
from scoring.entries import whole_number
from scoring.load import Table
from scoring.proposals import proposal_lines
from scoring.record import Clash
from scoring.views.common import Trouble, in_game, page
from scoring.views.count import chosen_seat, entry_form
from scoring.views.score_sheet import cells_of
from scoring.views.table import table_page

OF_A_DISPUTE: Final = frozenset({"dispute", "decide"})
"""Actions of the page's other form, which has a reason and points of its own."""


def correct_page(
    request: HttpRequest, table: Table, trouble: Trouble | None = None, clash: Clash | None = None, number: int | None = None
) -> HttpResponse:
    """Show a closed hand for correction: one seat's entry, and why it changes."""
    typed = trouble.typed if trouble else {}
    asked = typed.get("hand", "")
    wanted = number if number is not None else whole_number(asked) or 0
    hand = table.hand_of(wanted)
    if hand is None or not hand.closed:
        return table_page(request, table, trouble or Trouble(404, messages.refusal("hand-not-yet", {"hand": wanted})))
    seat = chosen_seat(request, table, typed)
    seat = 0 if seat is None else seat
    context = {
        "hand": hand,
        "contract": table.contract_of(hand.number),
        "seat": seat,
        "seat_name": table.names[seat],
        "seats": list(zip(table.state.seats, table.names, cells_of(hand), strict=True)),
        "reason": "" if typed.get("do") in OF_A_DISPUTE else typed.get("reason", ""),
        "mixed": corrections.mixed(table.state, hand),
        "was_disputed": seat in hand.disputed,
        "proposals": proposal_lines(table),
        **entry_form(table, hand, seat, {} if typed.get("do") in OF_A_DISPUTE else typed, clash),
    }
    return page(request, "correct", table, context, trouble)


@require_safe
@in_game(Action.SCORE)
def show_correct(request: HttpRequest, table: Table, number: int) -> HttpResponse:
    return correct_page(request, table, number=number)
