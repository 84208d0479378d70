"""The draw for deal: who deals first (``house.deal.draw-high``, R-05)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from continental.rules.cards import JOKER, RANKS
from continental.rules.deals import pack
from continental.rules.errors import BadQuestion
from continental.rules.parameters import RuleSet

_STRENGTH: Final = {rank: strength for strength, rank in enumerate(RANKS[1:] + RANKS[0])}
"""From the two up to the ace, which is high in a draw (R-05)."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a draw decides: the seat that deals, or the seats that must draw again (never both)."""

    dealer: int | None
    redraw: tuple[int, ...] = ()


def judge_draw(rules: RuleSet, cards: Sequence[str | None]) -> Drawn:
    """Judge the cards drawn for deal.

    Each player draws from the whole pack and puts the card back, so two may well draw the same one. Suits part nobody. Who
    drew a joker draws again before anything is decided; of equal best cards only those players draw again, so pass ``None``
    for everyone else then.

    Args:
        rules: says whether the high or the low card deals.
        cards: the last card of every seat that is still in the draw, in the two-letter form; ``None`` for a seat that is out.

    Raises:
        BadQuestion: nobody drew.
    """
    jokers = tuple(seat for seat, card in enumerate(cards) if card == JOKER)
    if jokers:
        return Drawn(None, jokers)
    sign = 1 if rules.first_dealer == "high-card" else -1
    strength = {seat: sign * _STRENGTH[card[0]] for seat, card in enumerate(cards) if card is not None}
    if not strength:
        raise BadQuestion("nobody drew a card", "cards")
    best = max(strength.values())
    seats = tuple(seat for seat, value in strength.items() if value == best)
    return Drawn(seats[0]) if len(seats) == 1 else Drawn(None, seats)


def judge_rounds(rules: RuleSet, players: int, rounds: Iterable[Mapping[int, str]]) -> Drawn:
    """Judge a draw round by round.

    Args:
        players: how many drew in the first round.
        rounds: the cards of each round by seat. After a joker the others keep theirs; after a tie only the tied go on.

    Raises:
        BadQuestion: a round lacks the card of a seat that had to draw, or comes after the dealer was found.
    """
    cards: list[str | None] = [None] * players
    drawn = Drawn(None, tuple(range(players)))
    for number, drawing in enumerate(rounds, start=1):
        at = f"rounds[{number - 1}]"
        if drawn.dealer is not None:
            raise BadQuestion(f"the dealer was found before round {number}", at)
        if set(drawing) != set(drawn.redraw):
            raise BadQuestion(f"round {number} is for the seats {', '.join(map(str, drawn.redraw))}", at)
        tied = number > 1 and JOKER not in cards
        for seat in range(players):
            if seat in drawing:
                cards[seat] = drawing[seat]
            elif tied:
                cards[seat] = None
        drawn = judge_draw(rules, cards)
    return drawn


def draw_cards(rules: RuleSet, players: int, seats: Iterable[int], random: Random) -> dict[int, str]:
    """Draw a card for each of ``seats`` from the whole pack, with the caller's source of chance."""
    cards = pack(rules, players)
    return {seat: random.choice(cards) for seat in seats}
