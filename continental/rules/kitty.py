"""The kitty of a game with bought discards, and how it is shared at the end (``fifteen.kitty-split``, R-96)."""

from continental.rules.parameters import RuleSet


def split_kitty(rules: RuleSet, pennies: int) -> tuple[int, ...]:
    """Share the kitty by places.

    Args:
        rules: its ``kitty_split`` holds the parts of each place, the winner's first; empty where the kitty stays.
        pennies: what lies in the kitty.

    Returns:
        The pennies of each place that gets a part. Pennies are whole: places after the first are rounded down and the
        winner gets the rest, so the parts always sum to the kitty.
    """
    parts = sum(rules.kitty_split)
    if not parts:
        return ()
    others = [pennies * part // parts for part in rules.kitty_split[1:]]
    return (pennies - sum(others), *others)
