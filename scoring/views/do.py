"""The one write address of a game: an action in, and out the page that it came from, as it is now."""

from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from players.choices import chosen
from players.permissions import Action, require_at
from scoring import load, messages, record
from scoring.entries import whole_number
from scoring.load import Table
from scoring.record import Asks, Clash
from scoring.state import Refused
from scoring.views.common import Trouble, by, go_on, in_game
from scoring.views.correct import correct_page
from scoring.views.count import count_page
from scoring.views.manage import manage_page
from scoring.views.photos import add_photo, photos_page
from scoring.views.rulings import rulings_page
from scoring.views.score_sheet import sheet_page
from scoring.views.table import table_page
from scoring.views.transcribe import keep_evidence
from scoring.views.wrong import give_ruling, wrong_page

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
_TEXTS: Final = ("kind", "cards", "points", "missing", "role", "what")
_CLASHES: Final = frozenset(
    {
        "stale",
        "clash",
        "number-taken",
        "entry-changed",
        "hand-over",
        "hand-ended",
        "undo-gone",
        "effect-gone",
        "game-finished",
        "game-void",
        "game-suspended",
    }
)


def _data(request: HttpRequest, seats: int) -> dict[str, Any]:
    """Read the fields of an action; what is no number is left as typed and refused by the ledger in words."""
    post = request.POST
    data: dict[str, Any] = {name: _number(post[name]) for name in _NUMBERS if name in post}
    data |= {name: post[name] for name in _TEXTS if name in post}
    data |= {name: post[f"entry-{name}"] for name in _TEXTS if f"entry-{name}" in post}
    if "on" in post:
        data["on"] = chosen(post, "on", ("0", "1")) == "1"
    for name in ("own", "stands"):
        if post.get(name) == "1":
            data[name] = True
    if "agreed" in post:
        # One button records that everybody agrees; else each name that was ticked.
        agreed = post.getlist("agreed")
        data["agreed"] = list(range(seats)) if "all" in agreed else _ticked(agreed, seats)
    match post.get("do"):
        case "suspend":
            data["consent"] = _ticked(post.getlist("consent"), seats)
        case "resume":
            data["players"] = [_number(pk) for pk in post.getlist("players") if pk in post.getlist("present")]
    return data


def _ticked(sent: list[str], seats: int) -> list[int]:
    """Read which seats were ticked.

    Raises:
        Refused: there is no such seat.
    """
    offered = {str(seat): seat for seat in range(seats)}
    for seat in sent:
        if seat not in offered:
            raise Refused("seat-unknown", typed=seat)
    return [offered[seat] for seat in sent]


def _seen(table: Table, seen: str, after: str) -> int | None:
    """Give the revision of the entry that a count was made in sight of: the phone's own, where that one still had to be sent."""
    return (record.rev_of(table.game.pk, after) if after else None) or whole_number(seen)


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
    "claim": Action.TAP,
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
    needed = _NEEDS.get(post.get("do", ""), Action.SCORE)
    require_at(request, needed, table.sitting, whole_number(post.get("seat", "")))
    name = post.get("page", "table")
    show = _PAGES.get(name, table_page)
    typed = {key.removeprefix("entry-"): value for key, value in post.items() if isinstance(value, str)}
    client_id = post.get("client_id", "")
    if not 0 < len(client_id) <= record.LONGEST_ID:
        return show(
            request,
            table,
            Trouble(
                400,
                _("The form came without its number, so it could not be told from a repeat. Nothing was changed; try again."),
                typed,
            ),
        )
    try:
        if post.get("do") in _ELSEWHERE:
            return _ELSEWHERE[post["do"]](request, table, client_id)
        record.apply(
            table.game.pk,
            post.get("do", ""),
            _data(request, len(table.players)),
            by(request, table),
            client_id=client_id,
            reason=post.get("reason", ""),
            seen=_seen(table, post.get("seen", ""), post.get("after", "")),
            confirmed=post.get("confirmed") == "1",
            read=record.Read(table.log, table.state),
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
    if getattr(request, "htmx", False) and not address:
        return show(request, table)
    return go_on(request, target)
