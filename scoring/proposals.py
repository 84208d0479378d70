"""Corrections that wait for the players' word, as they are shown to them."""

from dataclasses import dataclass

from scoring import messages
from scoring.load import Table
from scoring.state import Proposal


@dataclass
class ProposalLine:
    """One correction: what stands, what is proposed and why, and whose word is still missing."""

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


def proposal_lines(table: Table) -> list[ProposalLine]:
    """Give every correction that waits, the oldest first."""
    return [ProposalLine.of(table, proposal) for proposal in table.state.proposals.values()]
