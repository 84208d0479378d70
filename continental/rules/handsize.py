"""How many cards a player should hold (R-63)."""

from continental.rules.deals import cards_each
from continental.rules.errors import BadQuestion
from continental.rules.parameters import RuleSet


def expected_cards(rules: RuleSet, hand: int, players: int, *, claims: int = 0, laid: int = 0, returned: int = 0) -> int:
    """Give the cards a player should hold between turns.

    Dealt, plus the claimed card and its penalty for every claim, less what was laid on the table, plus what came back from
    there. A finished own turn draws one card and discards one, so the number of turns changes nothing; only a player who goes
    out by laying everything, where no discard is needed, has laid the card drawn in that turn too.

    Raises:
        BadQuestion: no such hand, more cards returned than laid, or more laid than there were.
    """
    rule = rules.hand(hand)
    if returned > laid:
        raise BadQuestion(f"{returned} cards cannot come back when {laid} were laid", "returned")
    cards = cards_each(rules, rule, players) + (1 + rule.penalty) * claims - laid + returned
    if cards == -1 and not rules.needs_discard(rule):
        return 0
    if cards < 0:
        raise BadQuestion(f"{laid} cards are more than the player ever had", "laid")
    return cards
