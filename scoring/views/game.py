"""The pages of one game: table, count, score sheet, history and what can happen to a whole game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from continental.rules.audit import AuditQuestion
from players import nicknames
from players.permissions import Action, actor_of, may_at, require_at
from scoring import acceptance, corrections, load, messages, record, record_league, ruling_words
from scoring.load import Table
from scoring.record import Asks, Clash
from scoring.state import EntryState, HandState, Proposal, Refused
from scoring.views import league_desk
from scoring.views.common import Trouble, by, in_game, page, see_other, whole_number
from scoring.views.photos import add_photo, photos_page
from scoring.views.rulings import rulings_page
from scoring.views.transcribe import keep_evidence
from scoring.views.wrong import give_ruling, wrong_page

# ---------------------------------------------------------------------------------------------------------------------
# Table


@dataclass
class SeatLine:
    """A player's line on the table page."""

    seat: int
    name: str
    running: int
    leads: bool
    away: bool
    deals: bool
    first: bool
    opened: bool
    entry: EntryState | None
    words: str
    points_shown: bool
    own: bool
    may_play: bool
    may_accept: bool
    rival: str
    cards_shown: bool


def _words(table: Table, seat: int, entry: EntryState | None) -> str:
    """Say what a seat handed in, as far as the viewer may know."""
    if entry is None:
        return ""
    points, cards = table.shows(table.hand.number, seat)
    if not points:
        return _("in")
    return messages.entry_words(entry if cards else replace(entry, cards="", parts=""))


def _rival_words(table: Table, seat: int, entry: EntryState | None) -> str:
    """Say what a second phone sent for the same seat."""
    if entry is None or entry.rival is None:
        return ""
    points, cards = table.shows(table.hand.number, seat)
    shown = entry.rival if cards else replace(entry.rival, cards="", parts="")
    return messages.entry_words(shown) if points else _("something else")


def _lines(request: HttpRequest, table: Table) -> list[SeatLine]:
    hand, state, actor = table.hand, table.state, actor_of(request)
    first = state.left_of(hand.dealer)
    return [
        SeatLine(
            seat=seat,
            name=table.names[seat],
            running=state.running(seat),
            leads=seat in table.leaders,
            away=seat in state.away,
            deals=seat == hand.dealer,
            first=seat == first,
            opened=seat in hand.opened,
            entry=(entry := hand.entries.get(seat)),
            words=_words(table, seat, entry),
            points_shown=entry is not None and table.shows(hand.number, seat)[0],
            cards_shown=entry is not None and table.shows(hand.number, seat)[1],
            own=seat == table.viewer.seat,
            may_play=may_at(actor, Action.PLAY_SEAT, table.sitting, seat),
            may_accept=may_at(actor, Action.ACCEPT, table.sitting, seat),
            rival=_rival_words(table, seat, entry),
        )
        for seat in state.seats
    ]


def table_page(request: HttpRequest, table: Table, trouble: Trouble | None = None) -> HttpResponse:
    """Show the table: contract, dealer, who is down, what is next."""
    if table.over:
        return sheet_page(request, table, trouble)
    countdown = table.state.countdown
    ended = table.state.ended_by
    context = {
        "hand": table.hand,
        "hand_rule": table.hand_rule,
        "contract": table.contract_of(table.hand.number),
        "deal": table.deal,
        "lines": _lines(request, table),
        "countdown": countdown,
        "next_turn": table.hand.turns + 1,
        "next_name": table.names[countdown.next_seat] if countdown else "",
        "last_name": table.names[countdown.last_seat] if countdown else "",
        "ended": messages.ENDED.get(ended),
        "next_stock": table.hand.stock_turned + 1,
        "tasks": [
            (task, ruling_words.task_words(task.what, table.names[task.seat] if task.seat is not None else ""))
            for task in table.hand.tasks
        ],
        "proposals": [ProposalLine.of(table, proposal) for proposal in table.state.proposals.values()],
        "stock_left": table.rules.stock_turnovers - table.hand.stock_turned,
        "lapsed": record_league.has_lapsed(table.game, record.today(table.game.league)),
        **league_desk.for_table(table),
    }
    return page(request, "table", table, context, trouble)


@require_safe
@in_game(Action.VIEW_GAME)
def show_table(request: HttpRequest, table: Table) -> HttpResponse:
    return table_page(request, table)


# ---------------------------------------------------------------------------------------------------------------------
# Count


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
        seat = _chosen_seat(request, table, typed)
        if seat is None and open_seats and not questions:
            seat = open_seats[0]
    else:
        seat = table.viewer.seat if table.viewer.seat in table.state.present else None
    lines = _lines(request, table)
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
        "questions": [messages.question(question, table.names) for question in questions],
        "must_replay": _must_replay(table),
        "substitutes": _substitutes(table),
        **_entry_form(table, table.hand, seat, typed, clash),
    }
    return page(request, "count", table, context, trouble)


def _chosen_seat(request: HttpRequest, table: Table, typed: Mapping[str, str]) -> int | None:
    asked = typed.get("seat") or request.GET.get("seat", "")
    seat = whole_number(asked)
    return seat if seat in table.state.seats and seat not in table.state.away else None


def _entry_form(
    table: Table, hand: HandState, seat: int | None, typed: Mapping[str, str], clash: Clash | None = None
) -> dict[str, Any]:
    """Give what the keypad starts from: what was typed, else what stands."""
    entry = hand.entries.get(seat) if seat is not None else None
    if entry is not None and seat is not None and not table.shows(hand.number, seat)[1]:
        # The entry is somebody else's secret: the keypad starts empty, and what is entered here is checked against it.
        return {**_entry_form(table, HandState(hand.number, hand.dealer), seat, typed, clash), "entry": entry}
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


# ---------------------------------------------------------------------------------------------------------------------
# Score sheet


@dataclass
class Cell:
    """One score on the sheet."""

    seat: int
    posted: int | None
    how: str
    mark: str
    amended: bool
    out: bool


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
        Row(number, table.contract_of(number), (hand := table.hand_of(number)), _cells(hand)) for number in range(1, last + 1)
    ]


def _cells(hand: HandState | None) -> list[Cell]:
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
        )
        for seat, posted in enumerate(hand.posted)
    ]


def sheet_page(request: HttpRequest, table: Table, trouble: Trouble | None = None) -> HttpResponse:
    """Show the score sheet: one row a hand, totals, places, and the rule behind every mark."""
    rows = _rows(table)
    result = table.state.result if table.state.status == "finished" else None
    used = {cell.mark for row in rows for cell in row.cells if cell.mark}
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
        "amendments": load.amendments(table),
        "proposals": [ProposalLine.of(table, proposal) for proposal in table.state.proposals.values()],
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


# ---------------------------------------------------------------------------------------------------------------------
# Correcting a closed hand


@dataclass
class ProposalLine:
    """A correction that waits for the players' word, as it is shown to them."""

    rev: int
    hand: int
    name: str
    old: str
    new: str
    reason: str
    waiting: list[tuple[int, str]]

    @classmethod
    def of(cls, table: Table, proposal: Proposal) -> "ProposalLine":
        hand = table.hand_of(proposal.hand)
        assert hand is not None
        return cls(
            proposal.rev,
            proposal.hand,
            table.names[proposal.seat],
            messages.entry_words(hand.entries[proposal.seat]),
            messages.entry_words(proposal.entry),
            proposal.reason,
            [(seat, table.names[seat]) for seat in table.state.seats if seat not in proposal.agreed],
        )


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
    seat = _chosen_seat(request, table, typed)
    seat = 0 if seat is None else seat
    context = {
        "hand": hand,
        "contract": table.contract_of(hand.number),
        "seat": seat,
        "seat_name": table.names[seat],
        "seats": list(zip(table.state.seats, table.names, _cells(hand), strict=True)),
        "reason": typed.get("reason", ""),
        "mixed": corrections.mixed(table.state, hand),
        "was_disputed": seat in hand.disputed,
        "proposals": [ProposalLine.of(table, proposal) for proposal in table.state.proposals.values()],
        **_entry_form(table, hand, seat, typed, clash),
    }
    return page(request, "correct", table, context, trouble)


@require_safe
@in_game(Action.SCORE)
def show_correct(request: HttpRequest, table: Table, number: int) -> HttpResponse:
    return correct_page(request, table, number=number)


# ---------------------------------------------------------------------------------------------------------------------
# Leave, suspend, resume, finish


def manage_page(
    request: HttpRequest, table: Table, trouble: Trouble | None = None, order: list[int] | None = None
) -> HttpResponse:
    """Show what can happen to the whole game, and what the rules say of each."""
    state = table.state
    seated = [state.players.index(pk) for pk in order or _seating(request, table, trouble)]
    context = {
        "lines": _lines(request, table),
        "between_hands": state.untouched,
        "present": [(seat, table.names[seat]) for seat in state.present],
        "gone": [(seat, table.names[seat]) for seat in sorted(state.away)],
        "seating": [(state.players[seat], table.names[seat]) for seat in seated],
        "here": request.POST.getlist("present") if request.method == "POST" else [str(pk) for pk in state.players],
        "same_year": record.today(table.game.league).year == state.started_on.year,
        "today": record.today(table.game.league),
        **league_desk.for_manage(table),
    }
    return page(request, "manage", table, context, trouble)


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


# ---------------------------------------------------------------------------------------------------------------------
# The one write address

_PAGES: Final[dict[str, Callable[..., HttpResponse]]] = {
    "table": table_page,
    "count": count_page,
    "sheet": sheet_page,
    "correct": correct_page,
    "manage": manage_page,
    "wrong": wrong_page,
    "rulings": rulings_page,
    "photos": photos_page,
}
_NUMBERS: Final = ("hand", "seat", "nth", "target", "of", "player", "stands_for")
_TEXTS: Final = ("kind", "cards", "points", "missing", "role")
_CLASHES: Final = frozenset(
    {"stale", "clash", "entry-changed", "hand-over", "hand-ended", "undo-gone", "game-finished", "game-void", "game-suspended"}
)


def _data(request: HttpRequest, seats: int) -> dict[str, Any]:
    """Read the fields of an action; what is no number is left as typed and refused by the ledger in words."""
    post = request.POST
    data: dict[str, Any] = {name: _number(post[name]) for name in _NUMBERS if name in post}
    data |= {name: post[name] for name in _TEXTS if name in post}
    data |= {name: post[f"entry-{name}"] for name in _TEXTS if f"entry-{name}" in post}
    if "on" in post:
        data["on"] = post["on"] == "1"
    for name in ("own", "stands"):
        if post.get(name) == "1":
            data[name] = True
    if "agreed" in post:
        # One button records that everybody agrees; else each name that was ticked.
        agreed = post.getlist("agreed")
        data["agreed"] = list(range(seats)) if "all" in agreed else [_number(seat) for seat in agreed]
    match post.get("do"):
        case "suspend":
            data["consent"] = [_number(seat) for seat in post.getlist("consent")]
        case "resume":
            data["players"] = [_number(pk) for pk in post.getlist("players") if pk in post.getlist("present")]
    return data


def _number(text: str) -> int | str:
    number = whole_number(text)
    return text if number is None else number


_ELSEWHERE: Final = {"ruling": give_ruling, "photo": add_photo, "evidence": keep_evidence}
"""Actions that are more than one row of fields, and the rooms that record them."""
_NEEDS: Final = {
    "photo": Action.TAP,
    "evidence": Action.TAP,
    "opened": Action.PLAY_SEAT,
    "count": Action.PLAY_SEAT,
    "clear": Action.PLAY_SEAT,
    "accept": Action.ACCEPT,
    "object": Action.ACCEPT,
    "stock": Action.TAP,
    "turn": Action.TAP,
    "close": Action.TAP,
    "propose": Action.PLAY_SEAT,
    "agree": Action.PLAY_SEAT,
    "decline": Action.PLAY_SEAT,
    "taskdone": Action.TAP,
}
"""What each action takes; every other one is for whoever keeps the score."""


@require_POST
@in_game(Action.VIEW_GAME)
def do(request: HttpRequest, table: Table) -> HttpResponse:
    """Record one action and show the page it came from as it is now."""
    post = request.POST
    data = _data(request, len(table.players))
    seat = data.get("seat")
    needed = _NEEDS.get(post.get("do", ""), Action.SCORE)
    require_at(request, needed, table.sitting, seat if isinstance(seat, int) else None)
    name = post.get("page", "table")
    show = _PAGES.get(name, table_page)
    typed = {key.removeprefix("entry-"): value for key, value in post.items() if isinstance(value, str)}
    client_id = post.get("client_id", "")[:40]
    if not client_id:
        return show(
            request,
            table,
            Trouble(
                400,
                _("The form came without its number, so it could not be told from a repeat. Nothing was changed; try again."),
                typed,
            ),
        )
    seen = post.get("seen", "")
    try:
        if post.get("do") in _ELSEWHERE:
            return _ELSEWHERE[post["do"]](request, table, client_id)
        record.apply(
            table.game.pk,
            post.get("do", ""),
            data,
            by(request, table),
            client_id=client_id,
            reason=post.get("reason", "")[:200],
            seen=whole_number(seen),
            confirmed=post.get("confirmed") == "1",
        )
    except Asks as asks:
        return count_page(request, _reread(table), Trouble(409, _("Look once more before the hand closes.")), asks.questions)
    except Clash as clash:
        now = _reread(table)
        trouble = Trouble(409, messages.refusal(clash.code, clash.params, now.names), typed)
        return correct_page(request, now, trouble, clash) if name == "correct" else count_page(request, now, trouble, clash=clash)
    except Refused as refused:
        now = _reread(table)
        trouble = Trouble(
            409 if refused.code in _CLASHES else 422, messages.refusal(refused.code, refused.params, now.names), typed
        )
        return show(request, now, trouble)
    return _after(request, _reread(table), show)


def _reread(table: Table) -> Table:
    found = load.game(table.game.pk)
    assert found is not None
    now = load.table(found)
    now.viewer = table.viewer
    return now


_GOES_ON_TO: Final = {
    "strike": "scoring:sheet",
    "close": "scoring:table",
    "restart": "scoring:table",
    "suspend": "scoring:table",
    "resume": "scoring:table",
    "finish": "scoring:sheet",
}


_CORRECTS: Final = frozenset({"count", "propose", "agree", "decline", "dispute", "decide"})
_STAYS_ON: Final = frozenset({"table", "count", "sheet", "manage", "photos", "rulings"})


def _after(request: HttpRequest, table: Table, show: Callable[..., HttpResponse]) -> HttpResponse:
    """Go on to where the table looks next; a correction goes back to the sheet."""
    done, name = request.POST.get("do", ""), request.POST.get("page", "table")
    address = _GOES_ON_TO.get(done) or ("scoring:sheet" if name == "correct" and done in _CORRECTS else "")
    if done == "undo" and name in {"count", "correct"} and table.over:
        address = "scoring:sheet"
    target = reverse(
        address or f"scoring:{name if name in _STAYS_ON else 'table'}",
        args=[table.game.pk],
    )
    if getattr(request, "htmx", False):
        if not address:
            return show(request, table)
        response = HttpResponse(status=204)
        response["HX-Redirect"] = target
        return response
    return see_other(target)
