"""When a score may still be changed: the windows of the rules (``house.error.*``, R-75).

A closed hand is *mixed* as soon as anything is recorded of the next one, when the game is suspended, and, where no other
hand follows, once it is closed. Until then the cards lie on the table and are counted again freely. After that a score is
changed only if it was never disputed and every player of the game agrees, those who left included.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from continental.rules.parameters import RuleSet
from scoring.state import ACCEPTED, FINAL, EntryState, GameState, HandState, Refused


def mixed(state: GameState, hand: HandState) -> bool:
    """Tell whether the cards of a hand have been mixed with others."""
    if not hand.closed or hand.number <= state.mixed_to:
        return hand.closed
    waiting = len(state.hands) > 1 and state.hands[-2] is hand and state.status == "playing" and state.untouched
    return not waiting


def must_allow(state: GameState, hand: HandState, seat: int, reason: str, agreed: Collection[int]) -> None:
    """Let a change of a closed hand pass, or say which rule stands against it.

    Raises:
        Refused: no reason; a dispute (4.10.d) or a player who has not agreed (4.10.c), once the hand is mixed.
    """
    if not reason.strip():
        raise Refused("reason-needed", hand=hand.number)
    if not mixed(state, hand):
        return
    if seat in hand.disputed:
        raise Refused("disputed-stands", hand=hand.number, seat=seat)
    missing = sorted(set(state.seats) - set(agreed))
    if missing:
        raise Refused("agreement-needed", hand=hand.number, seats=missing)


def read_agreed(data: Mapping[str, Any]) -> frozenset[int]:
    """Read who agreed, as seats; what is no seat agrees to nothing."""
    agreed = data.get("agreed", [])
    return frozenset(seat for seat in agreed if isinstance(seat, int)) if isinstance(agreed, list) else frozenset()


def with_missing(rules: RuleSet, entry: EntryState, short: int) -> EntryState:
    """Charge an entry for cards that a ruling found missing, where it does not say so many itself."""
    if entry.kind not in {"cards", "points"} or entry.points is None or entry.missing >= short:
        return entry
    return replace(entry, missing=short, points=entry.points + (short - entry.missing) * rules.missing_card)


def standing(state: GameState, hand: HandState, entry: EntryState) -> str:
    """Say where an entry stands: entered, accepted, disputed, ruled, or final once its hand is mixed."""
    return FINAL if entry.state == ACCEPTED and hand.closed and mixed(state, hand) else entry.state
