"""A player's line, as the pages of a running game show it: the running total, the marks, and what the seat handed in."""

from dataclasses import dataclass, replace

from django.http import HttpRequest
from django.utils.translation import gettext as _

from players.permissions import Action, actor_of, may_at
from scoring import messages
from scoring.load import Table
from scoring.state import EntryState


@dataclass
class SeatLine:
    """A player's line, for one viewer."""

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


def seat_lines(request: HttpRequest, table: Table) -> list[SeatLine]:
    """Give the line of every seat, in seat order."""
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


def own_first(lines: list[SeatLine], table: Table) -> list[SeatLine]:
    """Begin with the seat of a phone that plays for itself, and go on in the order of play: its buttons are under the thumb.

    Whoever keeps the score taps for all seats, and finds them in seat order.
    """
    own = next((place for place, line in enumerate(lines) if line.own), 0)
    return lines if table.viewer.scores else lines[own:] + lines[:own]
