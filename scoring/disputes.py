"""Disputes of a count and what ends them, and corrections that wait for every player's word.

A dispute blocks the close of its hand, never the game. It ends when the seat counts again, or when whoever keeps the score
decides; a decision against the rule book is possible, says why, and stays marked as the table's own.
"""

from dataclasses import replace

from scoring import corrections
from scoring.actions import action, amend, must_play, read_seat
from scoring.entries import read_entry, read_number
from scoring.state import DISPUTED, RULED, EntryState, GameState, HandState, Logged, Proposal, Refused


def _hand(state: GameState, event: Logged) -> HandState:
    number = read_number(event.data, "hand", 1, 1000)
    hand = state.hand_numbered(number)
    if hand is None:
        raise Refused("hand-not-yet", hand=number)
    return hand


def _standing(state: GameState, event: Logged) -> tuple[HandState, int, EntryState]:
    hand, seat = _hand(state, event), read_seat(state, event.data)
    entry = hand.entries.get(seat)
    if entry is None:
        raise Refused("nothing-entered", seat=seat)
    return hand, seat, entry


@action("dispute")
def _dispute(state: GameState, event: Logged) -> None:
    """Somebody at the table objects to a score, whoever entered it; it stays on record for good."""
    hand, seat, entry = _standing(state, event)
    if not event.reason.strip():
        raise Refused("dispute-reason", hand=hand.number)
    hand.disputed.add(seat)
    hand.entries[seat] = replace(entry, state=DISPUTED, objection=event.reason.strip())


@action("decide")
def _decide(state: GameState, event: Logged) -> None:
    """Whoever keeps the score decides a dispute: the score stands, or another one does.

    A mixed hand's disputed score stands by the rules (``house.error.agreed``): to change it is a ruling of the table's own.
    """
    hand, seat, entry = _standing(state, event)
    if entry.state != DISPUTED:
        raise Refused("not-disputed", seat=seat)
    if not event.reason.strip():
        raise Refused("decision-reason", seat=seat)
    decided = entry if event.data.get("stands") else read_entry(state.rules, event.data)
    changed = decided.value != entry.value
    if changed and corrections.mixed(state, hand) and not event.data.get("own"):
        raise Refused("disputed-stands", hand=hand.number, seat=seat)
    own = bool(event.data.get("own"))
    ruled = replace(
        decided, rev=event.rev, state=RULED, by_seat=entry.by_seat, amended=entry.amended or (changed and hand.closed)
    )
    if changed and hand.closed:
        amend(state, hand, seat, ruled, event.reason, own=own)
    else:
        hand.entries[seat] = ruled


@action("propose")
def _propose(state: GameState, event: Logged) -> None:
    """Propose another score for a mixed hand; it is written once every player of the game has agreed."""
    hand, seat, entry = _standing(state, event)
    if not hand.closed:
        must_play(state)
        raise Refused("hand-open", hand=hand.number)
    offered = read_entry(state.rules, event.data)
    corrections.must_allow(state, hand, seat, event.reason, state.seats)
    if offered.value == entry.value:
        raise Refused("nothing-changes", seat=seat)
    proposal = Proposal(event.rev, hand.number, seat, offered, event.reason.strip())
    state.proposals = {rev: other for rev, other in state.proposals.items() if (other.hand, other.seat) != (hand.number, seat)}
    state.proposals[event.rev] = proposal
    if "by_seat" in event.data:
        _add_word(state, event, proposal, read_number(event.data, "by_seat", 0, 1000))


@action("agree")
def _agree(state: GameState, event: Logged) -> None:
    seat = read_seat(state, event.data)
    _add_word(state, event, _proposal(state, event), seat)


@action("decline")
def _decline(state: GameState, event: Logged) -> None:
    """One player who does not agree is enough: the score stands (4.10.c)."""
    read_seat(state, event.data)
    del state.proposals[_proposal(state, event).rev]


def _proposal(state: GameState, event: Logged) -> Proposal:
    proposal = state.proposals.get(read_number(event.data, "of", 0, 10**9))
    if proposal is None:
        raise Refused("proposal-gone")
    return proposal


def _add_word(state: GameState, event: Logged, proposal: Proposal, seat: int) -> None:
    agreed = proposal.agreed | {seat}
    state.proposals[proposal.rev] = replace(proposal, agreed=agreed)
    if not agreed >= set(state.seats):
        return
    del state.proposals[proposal.rev]
    hand = state.hand_numbered(proposal.hand)
    assert hand is not None
    corrections.must_allow(state, hand, proposal.seat, proposal.reason, agreed)
    amend(state, hand, proposal.seat, replace(proposal.entry, rev=event.rev, amended=True), proposal.reason)
