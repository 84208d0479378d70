"""Pennies: the kitty of bought cards, and what the places get and pay (``fifteen.settle``, ``fifteen.kitty-split``)."""

from collections.abc import Sequence

from continental.rules.errors import BadQuestion
from continental.rules.kitty import split_kitty
from continental.rules.parameters import RuleSet


def kitty_by_seat(rules: RuleSet, pennies: int, places: Sequence[int]) -> tuple[int, ...]:
    """Share out the kitty of a finished game.

    Players who share a place share what their places get; a penny that does not divide goes to the one who sits first, and
    the part of a place that nobody holds to the winner.

    Args:
        rules: its ``kitty_split`` holds the parts of each place.
        pennies: what lies in the kitty, such as the number of buys times ``buy_cost``.
        places: the place of each seat, ties shared (1, 1, 3).

    Returns:
        Pennies by seat; they sum to the kitty, or to nothing where the kitty stays.
    """
    first, *others = split_kitty(rules, pennies) or (0,)
    seated = others[: len(places) - 1]
    return _by_seat((first + sum(others) - sum(seated), *seated), places)


def settle(rules: RuleSet, places: Sequence[int]) -> tuple[int, ...]:
    """Give what each seat gets (above 0) or pays (below 0) for its place.

    Raises:
        BadQuestion: the sheet's payouts are for another number of players.
    """
    if not rules.payouts:
        return (0,) * len(places)
    if len(rules.payouts) != len(places):
        raise BadQuestion(f"the payouts are for {len(rules.payouts)} players, not {len(places)}", "rules.payouts")
    return _by_seat(rules.payouts, places)


def _by_seat(amounts: Sequence[int], places: Sequence[int]) -> tuple[int, ...]:
    pennies = [0] * len(places)
    for place in set(places):
        seats = [seat for seat, other in enumerate(places) if other == place]
        share, rest = divmod(sum(amounts[place - 1 : place - 1 + len(seats)]), len(seats))
        for order, seat in enumerate(seats):
            pennies[seat] = share + (order < rest)
    return tuple(pennies)
