"""Pennies: what claims cost, how the kitty is split, and what the places pay each other (``fifteen.*``, R-96, R-97).

Amounts are whole pennies. Nothing is ever lost on the way: what all players together get and pay is zero.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from continental.rules.errors import BadQuestion
from continental.rules.parameters import RuleSet


@dataclass(frozen=True, slots=True)
class Purse:
    """One seat's pennies of a game.

    Attributes:
        paid: paid into the kitty.
        kitty: got out of the kitty.
        payout: got for the place from the others; negative: paid.
    """

    paid: int
    kitty: int
    payout: int

    @property
    def net(self) -> int:
        """What the seat goes home with; negative: what it leaves."""
        return self.kitty + self.payout - self.paid


def plays_for_money(rules: RuleSet) -> bool:
    """Tell whether any penny moves under this rule set."""
    return bool(rules.buy_cost or rules.payouts)


def settle(rules: RuleSet, buys: Sequence[int], places: Sequence[int] | None) -> tuple[Purse, ...]:
    """Settle a game.

    Args:
        buys: how often each seat bought.
        places: by seat, equals sharing one; ``None`` for a void game, in which everybody gets back what they paid.

    The winner takes the kitty, or its shares by place where ``kitty_split`` says so: each share after the first is rounded
    down, and the first place gets the rest (R-96). Seats that share places share what those places get; a penny that does
    not divide goes to the one of them who sits first in the order of play.

    Raises:
        BadQuestion: the payouts are for another number of players.
    """
    paid = [count * rules.buy_cost for count in buys]
    if places is None:
        return tuple(Purse(pennies, pennies, 0) for pennies in paid)
    if rules.payouts and len(rules.payouts) != len(places):
        raise BadQuestion(f"the payouts are for {len(rules.payouts)} players, and {len(places)} play", "rules.payouts")
    kitty = _by_place(_shares(sum(paid), rules.kitty_split, len(places)), places)
    payouts = _by_place(list(rules.payouts) or [0] * len(places), places)
    return tuple(Purse(*each) for each in zip(paid, kitty, payouts, strict=True))


def _shares(kitty: int, split: Sequence[int], count: int) -> list[int]:
    """Give each place its part of the kitty; parts of places that nobody has go to the first."""
    parts = list(split[:count]) if any(split) else [1]
    whole = sum(split) if any(split) else 1
    shares = [kitty * part // whole for part in parts]
    shares += [0] * (count - len(shares))
    shares[0] += kitty - sum(shares)
    return shares


def _by_place(amounts: Sequence[int], places: Sequence[int]) -> list[int]:
    """Hand out what each place gets, those that share places sharing it."""
    got = [0] * len(places)
    for place in set(places):
        seats = [seat for seat, mine in enumerate(places) if mine == place]
        pot = sum(amounts[place - 1 : place - 1 + len(seats)])
        each, odd = divmod(pot, len(seats))
        for index, seat in enumerate(seats):
            got[seat] = each + (index < odd)
    return got
