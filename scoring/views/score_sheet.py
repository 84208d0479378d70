"""The score sheet: one row a hand, totals, places, the rule behind every mark; and the history of all changes."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from players import nicknames
from players.permissions import Action
from scoring import load, messages
from scoring.load import Table
from scoring.proposals import proposal_lines
from scoring.state import HandState
from scoring.views import league_desk
from scoring.views.common import Trouble, in_game, page


@dataclass
class Cell:
    """One score on the sheet."""

    seat: int
    posted: int | None
    how: str
    mark: str
    amended: bool
    out: bool
    short: int
    """Cards that the player was short of; their charge is in the points."""


@dataclass
class Row:
    """One hand on the sheet."""

    number: int
    contract: str
    hand: HandState | None
    cells: list[Cell]


def _rows(table: Table) -> list[Row]:
    last = table.hands_in_game or len(table.state.hands)
    return [
        Row(number, table.contract_of(number), (hand := table.hand_of(number)), cells_of(hand)) for number in range(1, last + 1)
    ]


def cells_of(hand: HandState | None) -> list[Cell]:
    """Give the scores of a closed hand in seat order; none while it is open."""
    if hand is None or not hand.closed:
        return []
    return [
        Cell(
            seat=seat,
            posted=posted.points,
            how=posted.how,
            mark=posted.how if posted.how in {"substituted", "absent"} else "",
            amended=hand.entries[seat].amended,
            out=hand.entries[seat].kind == "out",
            short=hand.entries[seat].missing if posted.how == "given" else 0,
        )
        for seat, posted in enumerate(hand.posted)
    ]


def sheet_page(request: HttpRequest, table: Table, trouble: Trouble | None = None) -> HttpResponse:
    """Show the score sheet: one row a hand, totals, places, and the rule behind every mark."""
    rows = _rows(table)
    result = table.state.result if table.state.status == "finished" else None
    used = {cell.mark for row in rows for cell in row.cells if cell.mark}
    used |= {"cards-short" for row in rows for cell in row.cells if cell.short}
    used |= {"amended" for row in rows for cell in row.cells if cell.amended}
    if result and any(total and total.how == "substituted" for total in result.totals):
        used.add("total-substituted")
    if table.state.status == "void":
        used.add({"": "void", "early": "short", "year": "year", "struck": "struck"}[table.state.ended_early])
    context = {
        "rows": rows,
        "columns": [
            {
                "seat": seat,
                "name": table.names[seat],
                "running": table.state.running(seat),
                "total": result.totals[seat] if result else None,
                "place": result.places[seat] if result and result.places else None,
                "leads": seat in table.leaders,
                "away": seat in table.state.away,
            }
            for seat in table.state.seats
        ],
        "notes": [(key, *messages.MARKS[key]) for key in messages.MARKS if key in used],
        "penalties": [
            {"name": table.names[penalty.seat], "penalty": penalty, "cells": [penalty.seat == seat for seat in table.state.seats]}
            for penalty in table.state.standing_penalties
        ],
        "extras": league_desk.extra_lines(table),
        "amendments": load.amendments(table),
        "proposals": proposal_lines(table),
        "rulings": len(table.state.rulings),
        "winners": [table.names[seat] for seat in table.state.seats if result and result.places and result.places[seat] == 1],
        **league_desk.for_sheet(table),
    }
    return page(request, "sheet", table, context, trouble)


@require_safe
@in_game(Action.VIEW_GAME)
def show_sheet(request: HttpRequest, table: Table) -> HttpResponse:
    return sheet_page(request, table)


@require_safe
@in_game(Action.VIEW_GAME)
def show_history(request: HttpRequest, table: Table) -> HttpResponse:
    """Show every change, who made it, when and why."""
    return page(request, "history", table, {"changes": load.history(table), "stranger": nicknames.is_stranger()})
