"""What many tests of a game begin with."""

import pytest
from django.test import Client

from players import people
from scoring.models import Game
from tests.cast import Cast
from tests.scoring.tables import game_of, hand


@pytest.fixture
def game(cast: Cast) -> Game:
    """A game of Ana, Ben, Cai and Dot in its second hand; the first gave them 0, 10, 20 and 30 points."""
    made = game_of(cast.league, [people.add_player(cast.league, name) for name in ("Ana", "Ben", "Cai", "Dot")])
    hand(made, 1, "out", 10, 20, 30)
    return made


@pytest.fixture
def host(cast: Cast) -> Client:
    """The browser of whoever keeps the score."""
    return cast.client("owner")
