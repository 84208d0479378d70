"""Sharing the kitty: whole pennies, nothing lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continental.rules import rulesets
from continental.rules.kitty import split_kitty


@pytest.mark.parametrize(("pennies", "shares"), [(9, (6, 3)), (10, (7, 3)), (11, (8, 3)), (2, (2, 0)), (0, (0, 0))])
def test_the_second_gets_a_third_rounded_down_and_the_winner_the_rest(pennies: int, shares: tuple[int, ...]) -> None:
    assert split_kitty(rulesets.preset("fifteen"), pennies) == shares


def test_without_a_split_nobody_gets_a_share() -> None:
    assert split_kitty(rulesets.preset("house"), 30) == ()
    assert split_kitty(rulesets.load({"base": "house", "kitty_split": [0, 0]}), 30) == ()


@given(st.integers(0, 10**6), st.lists(st.integers(0, 9), min_size=1, max_size=6).filter(any))
def test_no_penny_is_lost(pennies: int, parts: list[int]) -> None:
    shares = split_kitty(rulesets.load({"base": "fifteen", "kitty_split": parts}), pennies)
    assert sum(shares) == pennies
    assert min(shares) >= 0
