"""What people tell each other afterwards: the longest run of wins, the biggest comeback. Only counted games.

Both are read from the games themselves, which is quick for a player and for a league of some hundred games; for more, a page
leaves the league's out and has each player's.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

from django.db.models import QuerySet, Sum

from players.models import League, Player
from scoring import figures
from scoring.models import Entry, Game, Season, SeasonSize, Seat

MOST_GAMES: Final = 250
"""Games up to which a league's feats are worked out while a page waits."""


@dataclass(frozen=True)
class Comeback:
    """A game won after having been behind.

    Attributes:
        behind: points to whoever led, at the worst moment.
        after: the hand after which that was.
    """

    player: Player
    game: Game
    behind: int
    after: int


@dataclass(frozen=True)
class Run:
    """Games won in a row."""

    player: Player
    wins: int


@dataclass(frozen=True)
class Feats:
    """A league's: the seat is the one from which most hands of one game were gone out."""

    comeback: Comeback | None
    run: Run | None
    most_out: Seat | None


def of_league(league: League, season: Season | None) -> Feats | None:
    """Give a league's feats in one season or in all; ``None`` where it has too many games for a page to wait."""
    games = Game.objects.filter(status=Game.Status.FINISHED, **({"season": season} if season else {"league": league}))
    sizes = SeasonSize.objects.filter(**({"season": season} if season else {"season__league": league}))
    if (sizes.aggregate(games=Sum("games"))["games"] or 0) > MOST_GAMES:
        return None
    out = Seat.objects.filter(game__in=games, hands_out__gt=0).select_related("player", "game")
    return Feats(
        _best(_winning(games)), _longest_run(games), out.order_by("-hands_out", "game__started_on", "game", "number").first()
    )


def of_player(player: Player, season: Season | None) -> Comeback | None:
    """Give a player's biggest comeback: two queries."""
    won = Game.objects.filter(seats__in=Seat.objects.filter(player=player, place=1))
    mine = (one for one in _winning(won if season is None else won.filter(season=season)) if one.player == player.pk)
    return _best(mine, player)


class _Behind(NamedTuple):
    """How far a winner was behind, so that the biggest sorts first and of equals the oldest."""

    behind: int
    game: int
    player: int
    after: int


def _best(found: Iterable[_Behind], player: Player | None = None) -> Comeback | None:
    best = max(found, key=lambda one: (one.behind, -one.game, -one.player), default=None)
    if best is None:
        return None
    return Comeback(player or Player.objects.get(pk=best.player), Game.objects.get(pk=best.game), best.behind, best.after)


def _winning(games: QuerySet[Game]) -> Iterator[_Behind]:
    """Give every moment at which somebody who won in the end was behind."""
    rows = (
        Entry.objects.filter(hand__game__in=games, hand__closed=True)
        .order_by("hand__game", "hand__number")
        .values_list("hand__game", "hand__number", "hand__game__season__lowest_wins", "seat__player", "seat__place", "posted")
    )
    for game, of_game in groupby(rows, key=lambda row: row[0]):
        hands = [list(hand) for _number, hand in groupby(of_game, key=lambda row: row[1])]
        sums = {player: 0 for *_where, player, _place, _posted in hands[0]}
        for hand in hands[:-1]:
            _game, number, lowest_wins, *_seat = hand[0]
            # Whoever has no score in a hand is not compared from there on: nothing is not 0.
            sums = {
                player: sums[player] + posted for *_where, player, _place, posted in hand if posted is not None and player in sums
            }
            sign = -1 if lowest_wins is False else 1
            lead = min((sign * points for points in sums.values()), default=0)
            for *_where, player, place, _posted in hand:
                if place == 1 and player in sums and sign * sums[player] > lead:
                    yield _Behind(sign * sums[player] - lead, game, player, number)


def _longest_run(games: QuerySet[Game]) -> Run | None:
    rows = Seat.objects.filter(game__in=games, place__isnull=False).order_by("game__started_on", "game")
    won: dict[int, list[bool]] = {}
    for player, place in rows.values_list("player", "place"):
        won.setdefault(player, []).append(place == 1)
    runs = {player: figures.streaks(wins).longest_wins for player, wins in won.items()}
    longest = max(runs, key=lambda player: (runs[player], -player), default=0)
    return Run(Player.objects.get(pk=longest), runs[longest]) if runs.get(longest) else None
