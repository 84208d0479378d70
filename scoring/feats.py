"""What people tell each other afterwards: the longest run of wins, the biggest comeback. Only counted games.

Both are read from the games themselves, which is quick for a player and for a league of some hundred games; for more, a page
leaves the league's out and has each player's.
"""

from dataclasses import dataclass
from typing import Final

from django.db.models import QuerySet, Sum

from players.models import League, Player
from scoring import figures
from scoring.models import Game, Season, SeasonSize, Seat

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
    seats = Seat.objects.filter(game__in=games)
    out = seats.filter(hands_out__gt=0).select_related("player", "game")
    return Feats(
        _biggest(seats), _longest_run(games), out.order_by("-hands_out", "game__started_on", "game_id", "number").first()
    )


def of_player(player: Player, season: Season | None) -> Comeback | None:
    """Give a player's biggest comeback: one query."""
    own = Seat.objects.filter(player=player)
    return _biggest(own if season is None else own.filter(season=season))


def _biggest(seats: QuerySet[Seat]) -> Comeback | None:
    """Give the biggest comeback from these seats, of equals the oldest."""
    comebacks = seats.filter(behind__gt=0).select_related("game", "player").order_by("-behind", "game_id", "player_id")
    found = comebacks.only("behind", "behind_after", "game__started_on", "player__name").first()
    return Comeback(found.player, found.game, found.behind, found.behind_after) if found else None


def _longest_run(games: QuerySet[Game]) -> Run | None:
    rows = Seat.objects.filter(game__in=games, place__isnull=False).order_by("game__started_on", "game_id")
    won: dict[int, list[bool]] = {}
    for player, place in rows.values_list("player", "place"):
        won.setdefault(player, []).append(place == 1)
    runs = {player: figures.streaks(wins).longest_wins for player, wins in won.items()}
    longest = max(runs, key=lambda player: (runs[player], -player), default=0)
    return Run(Player.objects.get(pk=longest), runs[longest]) if runs.get(longest) else None
