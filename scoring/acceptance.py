"""Own count, neighbour accepts: what a seat handed in by itself waits for the player at its left.

An entry that whoever keeps the score made needs no acceptance; one that a seat's own phone made does, because two people
count, and both see the cards. An objection is a dispute of that one entry: the hand can't close until the seat counts again,
or whoever keeps the score enters the count or accepts it.

**Who sees what before the hand closes.** Hidden by owner, not by phase: what an entry holds (cards and points) is shown

* to the seat whose entry it is;
* to the neighbour, while the entry is offered to that neighbour or disputed, so that the real cards can be compared;
* to whoever keeps the score, where they made the entry themselves; in a dispute they see its points, to decide, but no cards.

Everybody else sees that it is in, and no more. Going out is said aloud at the table, so it is no secret.
"""

from dataclasses import replace

from scoring.actions import action, live_hand, read_seat
from scoring.entries import read_entry, read_number
from scoring.state import ACCEPTED, DISPUTED, EntryState, GameState, Logged, Refused


def offered_entry(state: GameState, event: Logged) -> tuple[int, EntryState]:
    """Give the entry that an acceptance or objection is about.

    Raises:
        Refused: there is none, or it is no longer the one that was looked at.
    """
    hand, seat = live_hand(state, event.data), read_seat(state, event.data)
    entry = hand.entries.get(seat)
    if entry is None:
        raise Refused("nothing-entered", seat=seat)
    if read_number(event.data, "of", 0, 10**9) != entry.rev:
        raise Refused("entry-changed", seat=seat)
    return seat, entry


@action("accept")
def _accept(state: GameState, event: Logged) -> None:
    seat, entry = offered_entry(state, event)
    state.hand.entries[seat] = replace(entry, state=ACCEPTED, objection="", rival=None)


@action("object")
def _object(state: GameState, event: Logged) -> None:
    seat, entry = offered_entry(state, event)
    if entry.by_seat is None:
        raise Refused("entry-of-the-scorer", seat=seat)
    state.hand.entries[seat] = replace(entry, state=DISPUTED, objection=event.reason.strip())
    state.hand.disputed.add(seat)


@action("clash")
def _clash(state: GameState, event: Logged) -> None:
    """Another phone sent another count for a seat, not knowing of the first: neither is lost, and the table decides."""
    number, seat = read_number(event.data, "hand", 1, 1000), read_seat(state, event.data)
    hand = next((hand for hand in state.hands if hand.number == number), None)
    entry = hand.entries.get(seat) if hand else None
    if hand is None or entry is None:
        raise Refused("nothing-entered", seat=seat)
    if hand.closed:
        if "by_seat" in event.data:
            raise Refused("hand-over", hand=number, current=state.hand.number)
        return
    offered = replace(read_entry(state.rules, event.data), rev=event.rev)
    hand.entries[seat] = replace(entry, state=DISPUTED, rival=offered)


def is_settled(state: GameState, event: Logged) -> bool:
    """Tell whether an acceptance or objection says only what stands already, as a second tab's does."""
    try:
        _seat, entry = offered_entry(state, event)
    except Refused:
        return False
    return entry.state == {"accept": ACCEPTED, "object": DISPUTED}[event.kind]


def waiting_seats(state: GameState) -> tuple[list[int], list[int]]:
    """Give the seats whose entry waits for its neighbour, and those whose entry is disputed."""
    entries = sorted(state.hand.entries.items())
    offered = [seat for seat, entry in entries if entry.state not in {ACCEPTED, DISPUTED}]
    return offered, [seat for seat, entry in entries if entry.state == DISPUTED]


def accepting_seats(state: GameState) -> dict[int, int]:
    """Give for each seat the neighbour that accepts its entry: the next one to the left who is still at the table."""
    return {seat: state.left_of(seat) for seat in state.seats}


def content_shown(state: GameState, hand_number: int, seat: int, *, viewer: int | None, scores: bool) -> tuple[bool, bool]:
    """Tell whether a viewer may see the points of an entry, and whether its cards.

    Args:
        viewer: the viewer's own seat, if any.
        scores: the viewer keeps the score.
    """
    hand = next((hand for hand in state.hands if hand.number == hand_number), None)
    entry = hand.entries.get(seat) if hand else None
    if hand is None or entry is None:
        return False, False
    if hand.closed or viewer == seat or entry.kind in {"out", "absent"}:
        return True, True
    if scores and entry.by_seat is None:
        return True, True
    if entry.state != ACCEPTED and viewer is not None and viewer == state.left_of(seat):
        return True, True
    return scores and entry.state == DISPUTED, False
