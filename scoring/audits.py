"""The deck audit of a table's current hand: what was counted, and what was read of the cards that lie there."""

from continental.rules.audit import AuditQuestion, Entered, audit_hand
from scoring import entries, evidence
from scoring.state import EntryState, GameState


def questions_about(state: GameState) -> tuple[AuditQuestion, ...]:
    """Ask what looks odd in the current hand: more cards than the packs hold, in hands and on the table, points that no cards
    make, nobody out."""
    hand = state.hand
    given = [_entered(hand.entries.get(seat)) for seat in state.seats]
    out = hand.out[0] if len(hand.out) == 1 else None
    nobody_out = state.ended_by in {"stock", "twice-around"}
    return audit_hand(
        state.rules, hand.number, len(state.players), given, laid=evidence.on_table(state), out=out, nobody_out=nobody_out
    )


def _entered(entry: EntryState | None) -> Entered:
    if entry is None:
        return Entered(None)
    cards = tuple(entries.split_keys(entry.cards)) if entry.kind == "cards" else () if entry.kind == "out" else None
    return Entered(entry.points, cards, entry.missing)
