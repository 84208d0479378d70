"""The count of a hand: what is open, the keypad of one seat, and what is asked before the hand closes."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from continental.rules.audit import AuditQuestion
from continental.rules.citing import cite
from players.permissions import Action, require_at
from scoring import acceptance, evidence, referee_words
from scoring.entries import whole_number
from scoring.load import Table
from scoring.record import Clash
from scoring.state import HandState
from scoring.views import league_desk
from scoring.views.common import Trouble, in_game, page
from scoring.views.score_sheet import sheet_page
from scoring.views.seat_lines import seat_lines


def count_page(
    request: HttpRequest,
    table: Table,
    trouble: Trouble | None = None,
    questions: tuple[AuditQuestion, ...] = (),
    clash: Clash | None = None,
) -> HttpResponse:
    """Show the count of the current hand: what is open, and the keypad for one seat."""
    if table.over:
        return sheet_page(request, table, trouble)
    typed = trouble.typed if trouble else {}
    open_seats = table.state.open_seats()
    if table.viewer.scores:
        seat = chosen_seat(request, table, typed)
        if seat is None and open_seats and not questions:
            seat = open_seats[0]
    else:
        seat = table.viewer.seat if table.viewer.seat in table.state.present else None
    lines = seat_lines(request, table)
    offered, disputed = acceptance.waiting_seats(table.state)
    context = {
        "offers": [
            line
            for line in lines
            if line.seat in {*offered, *disputed} and line.may_accept and (table.viewer.scores or not line.own)
        ],
        "own_line": next((line for line in lines if line.own), None),
        "unaccepted_names": [table.names[other] for other in offered],
        "disputed_names": [table.names[other] for other in disputed],
        "may_close": not offered and not disputed,
        "hand": table.hand,
        "contract": table.contract_of(table.hand.number),
        "lines": lines,
        "seat": seat,
        "seat_name": table.names[seat] if seat is not None else "",
        "open_names": [table.names[other] for other in open_seats],
        "all_open": len(open_seats) == len(table.state.present) > 1,
        "questions": [(referee_words.ask(question, table.names), cite(table.rules.id, question.code)) for question in questions],
        "on_table": len(evidence.on_table(table.state)),
        "bonuses": league_desk.for_bonuses(table),
        "must_replay": _must_replay(table),
        "substitutes": _substitutes(table),
        **entry_form(table, table.hand, seat, typed, clash),
    }
    return page(request, "count", table, context, trouble)


def chosen_seat(request: HttpRequest, table: Table, typed: Mapping[str, str]) -> int | None:
    """Give the seat that a form or an address is about, if it is one whose player is at the table."""
    asked = typed.get("seat") or request.GET.get("seat", "")
    seat = whole_number(asked)
    return seat if seat in table.state.seats and seat not in table.state.away else None


def entry_form(
    table: Table, hand: HandState, seat: int | None, typed: Mapping[str, str], clash: Clash | None = None
) -> dict[str, Any]:
    """Give what the keypad starts from: what was typed, else what stands."""
    entry = hand.entries.get(seat) if seat is not None else None
    if entry is not None and seat is not None and not table.shows(hand.number, seat)[1]:
        # The entry is somebody else's secret: the keypad starts empty, and what is entered here is checked against it.
        return {**entry_form(table, HandState(hand.number, hand.dealer), seat, typed, clash), "entry": entry}
    standing = {
        "kind": entry.kind if entry else "",
        "cards": entry.cards if entry else "",
        "points": (entry.parts or ("" if entry.points is None or entry.kind != "points" else str(entry.points))) if entry else "",
        "missing": str(entry.missing) if entry else "0",
    }
    keep = {key: typed[key] for key in standing if key in typed}
    return {
        "entry": entry,
        "form": {**standing, **keep},
        "seen": clash.standing.rev if clash else entry.rev if entry else 0,
        "clash": clash,
        "card_points": {card: points for card, points in table.rules.card_values.items() if points is not None},
        "missing_card": table.rules.missing_card,
    }


def _must_replay(table: Table) -> bool:
    """Whether the entries are complete but too few of them are scores (``house.missing.replay``)."""
    hand, state = table.hand, table.state
    if state.open_seats():
        return False
    kinds = [entry.kind for entry in hand.entries.values()]
    return "none" in kinds and sum(kind in {"out", "cards", "points"} for kind in kinds) < 2


def _substitutes(table: Table) -> list[str]:
    return [table.names[seat] for seat, entry in sorted(table.hand.entries.items()) if entry.kind == "none"]


@require_safe
@in_game(Action.VIEW_GAME)
def show_count(request: HttpRequest, table: Table) -> HttpResponse:
    require_at(request, Action.PLAY_SEAT, table.sitting, table.viewer.seat)
    return count_page(request, table)
