"""Rulings that the scorebook itself keeps: what stays as it is when a player leaves or goes out at once."""

import pytest

from scoring.models import Game
from tests.scoring.test_ledger import Log
from tests.scoring.test_record import do, make_game, play_hand

pytestmark = pytest.mark.django_db


def test_a_game_keeps_its_packs_when_a_player_leaves() -> None:
    game = make_game(players=5)
    packs = (game.decks, game.jokers)
    play_hand(game, 1, "out", 10, 20, 30, 40)
    do(game, "leave", seat=4)
    after = Game.objects.get(pk=game.pk)
    assert packs == (3, 3)
    assert (after.decks, after.jokers) == packs


def test_the_last_player_down_who_goes_out_at_once_starts_no_twice_around() -> None:
    log = Log(3)("opened", hand=1, seat=0)("opened", hand=1, seat=1)("opened", hand=1, seat=2)
    assert log.state().countdown is not None
    state = log("count", hand=1, seat=2, kind="out").state()
    assert state.countdown is None
    assert state.ended_by == "out"
