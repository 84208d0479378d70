"""The sums that tables and statistics are read from, kept in the transaction that changes a game.

A player's line in a season is counted anew from the player's own games of that season. Lines of hands are moved by what the game
gave before and gives now, and counted anew where that is not enough to know them: an extreme went, or the last hand. So a change
costs what its players and hands cost, and the lines are what a full recount gives, after any history of corrections, undoing
and striking out.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from operator import attrgetter
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import Count, Q, Sum

from continental.rules.standing_methods import Result, Terms, score
from continental.rules.standings import Sums, as_counted
from players.locks import hold
from players.models import League
from scoring import hand_tallies, sum_columns, upserts
from scoring.hand_tallies import GameRows, HandsOfGame
from scoring.models import Game, PlayerSeason, PlayerTotal, RatingBook, Season, SeasonSize, Seat


class Given(NamedTuple):
    """What a game gives to the lines; nothing, where it does not count.

    Attributes:
        spots: each seat's number, its distance after the first dealer's, and its place.
        places: each player with the place.
        results: who is credited, total, place, table size, sharing, hands out, and from and to how many hands it is scaled.
        hands: what each player's hands came to.
    """

    spots: frozenset[tuple[int, int, int]] = frozenset()
    places: frozenset[tuple[int, int]] = frozenset()
    results: frozenset[tuple[int, ...]] = frozenset()
    hands: HandsOfGame | None = None


NOTHING: Final = Given()


def given(game: Game, rows: GameRows) -> Given:
    """Say what a game of these rows gives to the lines."""
    if game.status != Game.Status.FINISHED:
        return NOTHING
    seats = rows.seats.values()
    return Given(
        frozenset((seat.number, seat.after_dealer, seat.place) for seat in seats if seat.place is not None),
        frozenset((seat.player_id, seat.place) for seat in seats if seat.place is not None),
        frozenset(_result(seat) for seat in seats if seat.credited_id is not None),
        hand_tallies.of_game(game, rows),
    )


def move(game: Game, was: Given, now: Given) -> None:
    """Bring the lines up to date after a game gave ``was`` and gives ``now``."""
    if now == was:
        return
    lock(game.league_id)
    season = game.season
    _move_sizes(season, was.spots, now.spots)
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


def _move_sizes(season: Season, was: frozenset[tuple[int, int, int]], now: frozenset[tuple[int, int, int]]) -> None:
    """Take what a game's seats came to before out of the line of its table size, and put in what they come to now."""
    if was == now:
        return
    for seats in {len(was), len(now)} - {0}:
        line = SeasonSize.objects.filter(season=season, seats=seats).order_by().first() or _fresh_size(season, seats)
        for spots, sign in ((was, -1), (now, 1)):
            if len(spots) == seats:
                line.games += sign
                for number, after, place in spots:
                    line.by_seat[number] += sign * place
                    line.by_dealer[after] += sign * place
        if line.games:
            line.save()
        else:
            line.delete()


def _fresh_size(season: Season, seats: int) -> SeasonSize:
    return SeasonSize(season=season, seats=seats, games=0, by_seat=[0] * seats, by_dealer=[0] * seats)


# ---------------------------------------------------------------------------------------------------------------------
# Lines of games

_RESULT: Final = ("credited", "total", "place", "table_size", "sharing", "hands_out", "scaled_from", "scaled_to")
_result: Final = attrgetter("credited_id", *_RESULT[1:])
_VALUE: Final = ("value_over", "value_under", "counted")


def recount_lines(season: Season, players: Iterable[int]) -> None:
    """Make the lines of these players in the season's table, and in the table of all seasons, anew."""
    players = set(players)
    if players:
        seats = Seat.objects.filter(credited__in=players, season=season, total__isnull=False).order_by()
        gone = _keep_lines(season, players, seats.values_list(*_RESULT))
        _recount_totals(season.league_id, players, gone)


def _keep_lines(season: Season, players: set[int], rows: Iterable[tuple[Any, ...]]) -> set[int]:
    """Keep the lines that the results in ``rows`` make; give the players who have none any more."""
    terms = Terms.read(season.terms)
    lowest_wins = season.lowest_wins is not False
    results: dict[int, list[Result]] = defaultdict(list)
    for credited, total, place, size, sharing, out, played, hands in rows:
        results[credited].append(Result(as_counted(total, played, hands), place, size, sharing or 1, out))
    gone = players - results.keys()
    if gone:
        PlayerSeason.objects.filter(season=season, player__in=gone).delete()
    lines = ((season.pk, player, *_line(terms, played, lowest_wins=lowest_wins)) for player, played in sorted(results.items()))
    upserts.keep(PlayerSeason, ["season", "player"], [*sum_columns.COLUMNS, *_VALUE], lines)
    return gone


def _line(terms: Terms, played: list[Result], *, lowest_wins: bool) -> tuple[int, ...]:
    """Give the sums and the value of a player's results, in the order of ``sum_columns.COLUMNS`` and ``_VALUE``."""
    value = score(terms, played, lowest_wins=lowest_wins)
    return (*sum_columns.to_row(Sums.of(played)), value.value.numerator, value.value.denominator, len(value.counted))


def _recount_totals(league: int, players: set[int], gone: set[int]) -> None:
    """Add up the lines of these players over the seasons; those who are ``gone`` from one may be so from all."""
    rows = PlayerSeason.objects.filter(player__in=players, season__league=league).order_by()
    parts: dict[tuple[int, bool], list[tuple[int, ...]]] = defaultdict(list)
    for player, lowest_wins, *sums in rows.values_list("player", "season__lowest_wins", *sum_columns.COLUMNS):
        parts[player, lowest_wins is not False].append(tuple(sums))
    for way in (True, False):
        left = [player for player in gone if (player, way) not in parts]
        PlayerTotal.objects.filter(player__in=left, lowest_wins=way).delete()
    totals = ((*key, league, *sum_columns.added(own)) for key, own in sorted(parts.items()))
    upserts.keep(PlayerTotal, ["player", "lowest_wins"], ["league", *sum_columns.COLUMNS], totals)


# ---------------------------------------------------------------------------------------------------------------------
# Everything


def recount_season(season: Season) -> None:
    """Make all lines of a season anew."""
    rows = list(Seat.objects.filter(season=season, credited__isnull=False, total__isnull=False).order_by().values_list(*_RESULT))
    players = {row[0] for row in rows} | set(PlayerSeason.objects.filter(season=season).values_list("player", flat=True))
    gone = _keep_lines(season, players, rows)
    _recount_totals(season.league_id, players, gone)
    _recount_sizes(season)
    hand_tallies.recount_season(season)


def _recount_sizes(season: Season) -> None:
    lines: dict[int, SeasonSize] = {}
    seats = Seat.objects.filter(season=season, total__isnull=False).order_by().values_list("table_size", "number", "after_dealer")
    for size, number, after, games, places in seats.annotate(Count("pk"), Sum("place")):
        line = lines.setdefault(size, _fresh_size(season, size))
        line.games += games if number == 0 else 0
        line.by_seat[number] += places
        line.by_dealer[after] += places
    SeasonSize.objects.filter(season=season).delete()
    SeasonSize.objects.bulk_create(lines.values())


@transaction.atomic
def recount_league(league: League) -> None:
    """Make all lines of a league anew."""
    lock(league.pk)
    PlayerTotal.objects.filter(league=league).delete()
    for season in league.seasons.all():
        recount_season(season)
    RatingBook.objects.filter(league=league, on=True).update(stale=True, changed_on=None)
