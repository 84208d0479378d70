"""The sums that tables and statistics are read from, kept in the transaction that changes a game.

A player's line in a season is counted anew from the player's own games of that season. Lines of hands are moved by what the game
gave before and gives now, and counted anew where that is not enough to know them: an extreme went, or the last hand. So a change
costs what its players and hands cost, and the lines are what a full recount gives, after any history of corrections, undoing
and striking out.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import Q

from continental.rules.standing_methods import Result, Terms, score
from players.locks import hold
from players.models import League
from scoring import hand_tallies
from scoring.hand_tallies import HandsOfGame
from scoring.models import Game, PlayerSeason, PlayerTotal, RatingBook, Season, SeasonSize, Seat


class Given(NamedTuple):
    """What a game gives to the lines; nothing, where it does not count.

    Attributes:
        seats: seats at the table; 0 where the game does not count.
        places: each player with the place.
        results: who is credited, total, place, table size, sharing and hands out.
        hands: what each player's hands came to.
    """

    seats: int = 0
    places: frozenset[tuple[int, int]] = frozenset()
    results: frozenset[tuple[int, ...]] = frozenset()
    hands: HandsOfGame | None = None


NOTHING: Final = Given()


def before(game: Game) -> Given:
    """Note, before a game's rows change, what it gives to the lines."""
    if game.status != Game.Status.FINISHED:
        return NOTHING
    rows = list(Seat.objects.filter(game=game).order_by().values_list("player", *_RESULT))
    return Given(
        len(rows),
        frozenset((player, place) for player, _credited, _total, place, *_rest in rows if place is not None),
        frozenset(tuple(row[1:]) for row in rows if row[1] is not None),
        hand_tallies.of_game(game),
    )


def after(game: Game, was: Given) -> None:
    """Bring the lines up to date after a game's rows changed."""
    now = before(game)
    if now == was:
        return
    lock(game.league_id)
    season = game.season
    _count_sizes(season, was.seats, now.seats)
    recount_lines(season, {credited for credited, *_result in was.results ^ now.results})
    hand_tallies.move(season, was.hands or {}, now.hands or {})
    if was.places != now.places:
        mark_stale(game.league_id, game.started_on)


def lock(league: int) -> None:
    """Let one change at a time reach the lines of a league: two games may be saved at once, with the same player in both."""
    list(hold(Season.objects.filter(league=league).order_by("pk")).values_list("pk"))


def mark_stale(league: int, day: date) -> None:
    """Note that ratings from a day on are no longer those of the games."""
    books = RatingBook.objects.filter(league=league, on=True)
    books.filter(Q(stale=False) | Q(changed_on__gt=day)).update(stale=True, changed_on=day)


def _count_sizes(season: Season, was: int, now: int) -> None:
    for seats, change in ((was, -1), (now, 1)):
        if not seats or was == now:
            continue
        row, _made = SeasonSize.objects.get_or_create(season=season, seats=seats, defaults={"games": 0})
        row.games += change
        if row.games:
            row.save(update_fields=["games"])
        else:
            row.delete()


# ---------------------------------------------------------------------------------------------------------------------
# Lines of games

_RESULT: Final = ("credited", "total", "place", "table_size", "sharing", "hands_out")
_SUMS: Final = ("games", "total", "places", "wins", "hands_out", "lowest", "highest")
_VALUE: Final = ("value_over", "value_under", "counted")


def recount_lines(season: Season, players: Iterable[int]) -> None:
    """Make the lines of these players in the season's table, and in the table of all seasons, anew."""
    players = set(players)
    if players:
        seats = Seat.objects.filter(credited__in=players, season=season, total__isnull=False).order_by()
        _keep_lines(season, players, seats.values_list(*_RESULT))
        _recount_totals(season.league_id, players)


def _keep_lines(season: Season, players: set[int], rows: Iterable[tuple[Any, ...]]) -> None:
    terms = Terms.read(season.terms)
    lowest_wins = season.lowest_wins is not False
    results: dict[int, list[Result]] = defaultdict(list)
    for credited, total, place, size, sharing, out in rows:
        results[credited].append(Result(total, place, size, sharing or 1, out))
    gone = players - results.keys()
    if gone:
        PlayerSeason.objects.filter(season=season, player__in=gone).delete()
    PlayerSeason.objects.bulk_create(
        [_line(season, player, played, terms, lowest_wins=lowest_wins) for player, played in sorted(results.items())],
        update_conflicts=True,
        unique_fields=["season", "player"],
        update_fields=[*_SUMS, *_VALUE],
    )


def _line(season: Season, player: int, played: list[Result], terms: Terms, *, lowest_wins: bool) -> PlayerSeason:
    value = score(terms, played, lowest_wins=lowest_wins)
    totals = [result.total for result in played]
    return PlayerSeason(
        season=season,
        player_id=player,
        games=len(played),
        total=sum(totals),
        places=sum(result.place for result in played),
        wins=sum(result.place == 1 for result in played),
        hands_out=sum(result.hands_out for result in played),
        lowest=min(totals),
        highest=max(totals),
        value_over=value.value.numerator,
        value_under=value.value.denominator,
        counted=len(value.counted),
    )


def _recount_totals(league: int, players: set[int]) -> None:
    """Add up the lines of these players over the seasons."""
    rows = PlayerSeason.objects.filter(player__in=players, season__league=league).order_by()
    parts: dict[tuple[int, bool], list[tuple[int, ...]]] = defaultdict(list)
    for player, lowest_wins, *sums in rows.values_list("player", "season__lowest_wins", *_SUMS):
        parts[player, lowest_wins is not False].append(tuple(sums))
    gone = [(player, way) for player in players for way in (True, False) if (player, way) not in parts]
    for way in (True, False):
        PlayerTotal.objects.filter(player__in=[player for player, other in gone if other is way], lowest_wins=way).delete()
    PlayerTotal.objects.bulk_create(
        [_total(league, player, way, list(zip(*sums, strict=True))) for (player, way), sums in sorted(parts.items())],
        update_conflicts=True,
        unique_fields=["player", "lowest_wins"],
        update_fields=list(_SUMS),
    )


def _total(league: int, player: int, lowest_wins: bool, columns: list[tuple[int, ...]]) -> PlayerTotal:
    *added, lowest, highest = columns
    sums = dict(zip(_SUMS, [*map(sum, added), min(lowest), max(highest)], strict=True))
    return PlayerTotal(league_id=league, player_id=player, lowest_wins=lowest_wins, **sums)


# ---------------------------------------------------------------------------------------------------------------------
# Everything


def recount_season(season: Season) -> None:
    """Make all lines of a season anew."""
    rows = list(Seat.objects.filter(season=season, credited__isnull=False, total__isnull=False).order_by().values_list(*_RESULT))
    players = {row[0] for row in rows} | set(PlayerSeason.objects.filter(season=season).values_list("player", flat=True))
    _keep_lines(season, players, rows)
    _recount_totals(season.league_id, players)
    _recount_sizes(season)
    hand_tallies.recount_season(season)


def _recount_sizes(season: Season) -> None:
    games: dict[int, int] = defaultdict(int)
    seats = Seat.objects.filter(season=season, total__isnull=False, number=0).order_by()
    for size in seats.values_list("table_size", flat=True):
        games[size] += 1
    SeasonSize.objects.filter(season=season).delete()
    SeasonSize.objects.bulk_create(SeasonSize(season=season, seats=size, games=count) for size, count in games.items())


@transaction.atomic
def recount_league(league: League) -> None:
    """Make all lines of a league anew."""
    lock(league.pk)
    PlayerTotal.objects.filter(league=league).delete()
    for season in league.seasons.all():
        recount_season(season)
    RatingBook.objects.filter(league=league, on=True).update(stale=True, changed_on=None)
