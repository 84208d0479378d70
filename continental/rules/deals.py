"""The deal of a hand: packs, cards each, who deals and who plays first, and what is left in the stock.

Seats are numbered from 0 in the order of play, whichever way round that is: under a counter-clockwise rule set seat 1 sits
to the right of seat 0, and "the next player" is still the next number.
"""

from dataclasses import dataclass
from typing import Final

from continental.rules.cards import JOKER, NATURALS
from continental.rules.contracts import Slot
from continental.rules.errors import BadQuestion
from continental.rules.parameters import HandRule, RuleSet

PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class Deal:
    """What the table needs to know before a hand.

    Attributes:
        hand: number of the hand, counted from 1.
        decks: packs of 52 cards, without the jokers.
        jokers: jokers in all packs together.
        cards_each: cards dealt to each player.
        dealer: seat that deals; ``None`` where it hangs on who won the hand before (``basic.dealer``).
        first: seat that plays first, the one after the dealer; ``None`` with ``dealer``.
        contract: the contract as text; ``None`` where melds are free.
        minimum: fewest cards that fulfil the contract; ``None`` with ``contract``.
        stock: cards left after the deal and the upcard.
    """

    hand: int
    decks: int
    jokers: int
    cards_each: int
    dealer: int | None
    first: int | None
    contract: str | None
    minimum: int | None
    stock: int


def deal(rules: RuleSet, hand: int, players: int, first_dealer: int = 0, last_winner: int | None = None) -> Deal:
    """Set up one hand.

    Args:
        rules: the rule set.
        hand: number of the hand, counted from 1.
        players: how many sit at the table.
        first_dealer: seat that dealt hand 1; the deal passes one seat on with every hand (``house.deal.rotates-left``). A hand
            that is dealt again keeps its dealer (R-09, R-68).
        last_winner: seat that won the hand before, where that decides who deals.

    Raises:
        BadQuestion: the game has no such hand, no such seat, or the packs are too small for the deal.
    """
    if not 0 <= first_dealer < players:
        raise BadQuestion(f"there is no seat {first_dealer} at a table of {players}", "first_dealer")
    rule = rules.hand(hand)
    each = cards_each(rules, rule, players)
    decks, jokers = rules.deck_count(players), rules.joker_count(players)
    stock = decks * len(NATURALS) + jokers - players * each - 1
    if stock < 1:
        raise BadQuestion(f"{decks} packs are too few to deal {each} cards to each of {players} players", "players")
    dealer = _dealer(rules, hand, players, first_dealer, last_winner)
    return Deal(
        hand=hand,
        decks=decks,
        jokers=jokers,
        cards_each=each,
        dealer=dealer,
        first=None if dealer is None else (dealer + 1) % players,
        contract=None if rule.contract is None else str(rule.contract),
        minimum=minimum_cards(rules, rule),
        stock=stock,
    )


def cards_each(rules: RuleSet, rule: HandRule, players: int) -> int:
    """Give the cards dealt to each player.

    Raises:
        BadQuestion: the deal hangs on the number of players, and the rule set does not say it for so many.
    """
    if rule.deal is not None:
        return rule.deal
    for most, cards in rules.deal_by_players:
        if players <= most:
            return cards
    raise BadQuestion(f"the rules do not say how many cards {players} players get", "players")


def minimum_cards(rules: RuleSet, rule: HandRule) -> int | None:
    """Give the fewest cards that fulfil the contract of a hand (``house.contract.minimum``); ``None`` where melds are free."""
    if rule.contract is None:
        return None
    return sum(slot_minimum(rules, rule, slot) for slot in rule.contract.slots)


def slot_minimum(rules: RuleSet, rule: HandRule, slot: Slot) -> int:
    """Give the least size in cards of one meld of a contract."""
    return slot.size or {"set": rules.min_set, "run": rule.min_run, "pair": PAIR}[slot.kind]


def pack(rules: RuleSet, players: int) -> tuple[str, ...]:
    """Give all the cards of the game, in the order of new packs: jokers last."""
    return NATURALS * rules.deck_count(players) + (JOKER,) * rules.joker_count(players)


def _dealer(rules: RuleSet, hand: int, players: int, first_dealer: int, last_winner: int | None) -> int | None:
    if rules.dealer_rule == "winner-of-two" and players == 2 and hand > 1:
        return last_winner
    return (first_dealer + hand - 1) % players
