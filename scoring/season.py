"""A season's table and a player's numbers, from the totals and places that finished games left on their seats.

Only finished games count: running, suspended and void ones are nowhere in a table (R-72, R-82).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, Max, Min, Q, QuerySet, Sum
from django.utils.translation import gettext as _

from continental.rules.standings import Row, Sums
from continental.rules.standings import standings as in_order
from players.models import Player
from scoring.models import Game, Season, Seat


@dataclass(frozen=True)
class Standings:
    """A season's table with the rule that orders it."""

    lines: tuple[Row[Player], ...]
    rule: str


def standings(season: Season) -> Standings:
    """Give the table of a season: three queries, whatever the number of games."""
    lowest_wins = _lowest_wins(season)
    sums = _sums(Seat.objects.filter(game__season=season))
    players = {player.pk: player for player in Player.objects.filter(pk__in=sums)}
    lines = in_order(
        {players[pk]: (players[pk].name, line) for pk, line in sums.items()},
        lowest_wins=lowest_wins,
        minimum_games=season.qualifying_games,
    )
    return Standings(lines, rule(season, lowest_wins=lowest_wins))


def of_player(player: Player) -> list[tuple[Season, Row[Player]]]:
    """Give a player's line in every season with a finished game of theirs, the newest season first."""
    seasons = Season.objects.filter(league=player.league_id, games__seats__player=player, games__status=Game.Status.FINISHED)
    lines = []
    for season in seasons.distinct().order_by("-starts", "-pk"):
        own = [line for line in standings(season).lines if line.player == player]
        lines += [(season, line) for line in own]
    return lines


def rule(season: Season, *, lowest_wins: bool) -> str:
    """Say what orders the table, to be printed beside it."""
    first = _("the lowest mean total") if lowest_wins else _("the highest mean total")
    words = _(
        "Ordered by %(first)s a game, then mean place, wins, best game and hands gone out; equal in all of them is equal. "
        "Running, suspended and void games count nothing."
    ) % {"first": first}
    if season.qualifying_games > 1:
        words += " " + _("A place takes %(count)s games; who has fewer stands below, without one.") % {
            "count": season.qualifying_games
        }
    return words


def _lowest_wins(season: Season) -> bool:
    newest = Game.objects.filter(season=season, status=Game.Status.FINISHED).select_related("sheet").first()
    return newest is None or newest.sheet.rules.lowest_wins


def _sums(seats: QuerySet[Seat]) -> Mapping[int, Sums]:
    rows = (
        seats.filter(game__status=Game.Status.FINISHED)
        .values("player")
        .annotate(
            games=Count("pk"),
            points=Sum("total"),
            places=Sum("place"),
            wins=Count("pk", filter=Q(place=1)),
            out=Sum("hands_out"),
            low=Min("total"),
            high=Max("total"),
        )
    )
    return {
        row["player"]: Sums(row["games"], row["points"], row["places"], row["wins"], row["out"], row["low"], row["high"])
        for row in rows
    }
