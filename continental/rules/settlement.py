"""Pennies: the kitty of bought cards, and what the places get and pay (``fifteen.settle``, ``fifteen.kitty-split``)."""

from collections.abc import Sequence

from continental.rules.errors import BadQuestion
from continental.rules.parameters import RuleSet


def split_kitty(rules: RuleSet, kitty: int, places: Sequence[int]) -> tuple[int, ...]:
    """Share out the kitty by place.

    Later places get their share rounded down to whole pennies and the first gets the rest (R-96). Players who share a place
    share what their places get; a penny that does not divide goes to the one who sits first.

    Args:
        rules: ``kitty_split``, the parts of each place (2 and 1 are two thirds and one third).
        kitty: pennies in the kitty, such as the number of buys times ``buy_cost``.
        places: the place of each seat, ties shared (1, 1, 3).

    Returns:
        Pennies by seat; they sum to the kitty, or to nothing where no split is agreed.
    """
    parts = rules.kitty_split
    if not sum(parts):
        return (0,) * len(places)
    by_place = [kitty * part // sum(parts) for part in parts]
    by_place[0] += kitty - sum(by_place)
    return _by_seat(by_place, places)


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
