"""Bonuses that a sheet gives for what nobody can count: going down and out in one turn, an exact cut.

They are tapped at the table and hang on their deal. Like penalties they are part of a total and never of a hand's score;
their points are those of the sheet.
"""

from dataclasses import dataclass
from typing import Final

from scoring.actions import action, live_hand, read_seat
from scoring.entries import read_text
from scoring.state import BONUSES, GameState, HandState, Logged, Refused

_FOR_WHO_IS_OUT: Final = "out_in_one_turn"


@dataclass(frozen=True)
class Offered:
    """A bonus of the sheet, as the table offers it in the hand being played.

    Attributes:
        seats: who may have earned it.
        has: who has it already.
    """

    what: str
    points: int
    seats: tuple[int, ...]
    has: int | None


@action("bonus")
def _bonus(state: GameState, event: Logged) -> None:
    hand, seat = live_hand(state, event.data), read_seat(state, event.data)
    what = read_text(event.data, "what")
    if what not in BONUSES or not getattr(state.rules, what):
        raise Refused("no-bonus")
    if seat in state.away:
        raise Refused("seat-away", seat=seat)
    if not event.data.get("on", True):
        if hand.bonuses.get(what) != seat:
            raise Refused("stale")
        del hand.bonuses[what]
        return
    if seat not in _candidates(state, hand, what):
        raise Refused("not-out", seat=seat, hand=hand.number)
    if hand.bonuses.get(what, seat) != seat:
        raise Refused("bonus-taken", seat=hand.bonuses[what])
    hand.bonuses[what] = seat


def _candidates(state: GameState, hand: HandState, what: str) -> list[int]:
    return hand.out if what == _FOR_WHO_IS_OUT else state.present


def offered(state: GameState) -> list[Offered]:
    """Give the bonuses that can be tapped now; none where the sheet has none, or nobody can have earned them yet."""
    hand = state.hand
    if state.status != "playing" or hand.closed:
        return []
    found = [
        Offered(what, points, tuple(_candidates(state, hand, what)), hand.bonuses.get(what))
        for what in BONUSES
        if (points := getattr(state.rules, what))
    ]
    return [offer for offer in found if offer.seats]
