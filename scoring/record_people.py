"""What becomes of the games when two players turn out to be one person, and when that was a mistake.

The log keeps the players it was written with; the projection puts the one who stands for the other on the seats, so that
nothing is doubled, and taking it back is making the rows again.
"""

from django.db import transaction
from django.db.models import Q

from players import merging
from players.locks import hold, hold_league
from players.models import Merge, Player
from scoring import record
from scoring.models import Game, Seat
from scoring.record import By
from scoring.state import Refused


@transaction.atomic
def merge_players(kept: Player, gone: Player, by: By) -> Merge:
    """Make ``kept`` stand for ``gone`` in all games and tables.

    Raises:
        Refused: they are of two leagues, the same one, merged already, sit in one game together, or have two accounts.
    """
    _hold_all(kept.league_id)
    if kept == gone or kept.league_id != gone.league_id:
        raise Refused("merge-other", player=str(gone))
    if Merge.objects.filter(gone__in=[kept, gone], undone=None).exists():
        raise Refused("merge-again", player=str(gone))
    if Seat.objects.filter(player=kept, game__seats__player=gone).exists():
        raise Refused("merge-one-game", player=str(gone), other=str(kept))
    if kept.user_id is not None and gone.user_id is not None:
        raise Refused("merge-two-accounts", player=str(gone), other=str(kept))
    games = _games_of(gone)
    merged = merging.merge(kept, gone, by.user)
    _make_again(games)
    return merged


@transaction.atomic
def take_back_merge(merged: Merge) -> None:
    """Part two players again, each with the games they had.

    Raises:
        Refused: it was taken back already, or a later merge leans on it.
    """
    _hold_all(merged.league_id)
    merged.refresh_from_db()
    if merged.undone is not None or Merge.objects.filter(gone=merged.kept, undone=None).exists():
        raise Refused("undo-gone")
    games = _games_of(merged.kept)
    merging.take_back(merged)
    _make_again(games)


def _hold_all(league: int) -> None:
    """Hold a league and every game of it: nobody may sit down at a table while it is decided who is who."""
    hold_league(league)
    list(hold(Game.objects.filter(league=league)).order_by("pk").values_list("pk", flat=True))


def _games_of(player: Player) -> list[int]:
    """Give the games in which a player sat, or somebody sat for them."""
    games = Game.objects.filter(Q(seats__player=player) | Q(seats__stands_for=player))
    return list(games.order_by("pk").values_list("pk", flat=True).distinct())


def _make_again(games: list[int]) -> None:
    for game in games:
        record.rebuild(game)
