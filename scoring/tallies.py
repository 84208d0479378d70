"""The sums that tables and statistics are read from, kept in the transaction that changes a game.

A change touches the lines of the players of one game in one season: they are counted anew from those players' own games,
never patched, so that they are what a full recount gives after any history of corrections, undoing and striking out.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import Case, Count, F, IntegerField, Max, Min, Q, QuerySet, Sum, When
from django.db.models.functions import Coalesce

from continental.rules.standing_methods import Result, Terms, score
from players.locks import hold
from players.models import League
from scoring.models import Entry, Game, PlayerHand, PlayerSeason, RatingBook, Season, Seat


class Touched(NamedTuple):
    """Whose lines a game may have a part in: where it counted, who sat there, and who was credited."""

    counted: bool
    sat: frozenset[int]
    credited: frozenset[int]


def before(game: Game) -> Touched:
    """Note, before a game's rows change, whose lines it is in."""
    return (
        _touched(game) if game.status == Game.Status.FINISHED else Touched(counted=False, sat=frozenset(), credited=frozenset())
    )


def after(game: Game, was: Touched) -> None:
    """Bring the lines up to date after a game's rows changed."""
    now = before(game)
    if not was.counted and not now.counted:
        return
    # Two games of one season may be saved at once, with the same player in both: one waits for the other here.
    season = hold(Season.objects.all()).get(pk=game.season_id)
    recount_lines(season, was.credited | now.credited)
    recount_hands(season, was.sat | now.sat)
    RatingBook.objects.filter(league=game.league_id, on=True, stale=False).update(stale=True)


def _touched(game: Game) -> Touched:
    seats = list(Seat.objects.filter(game=game).values_list("player", "credited"))
    return Touched(
        counted=True,
        sat=frozenset(player for player, _credited in seats),
        credited=frozenset(credited for _player, credited in seats if credited is not None),
    )


def recount_lines(season: Season, players: Iterable[int]) -> None:
    """Make the lines of these players in the season's table anew."""
    players = set(players)
    # Read from the players' side, whatever the season holds: the database must not walk all games of a large season.
    seats = Seat.objects.filter(credited__in=players, total__isnull=False).values_list("game__season", *_RESULT)
    _keep_lines(season, players, [row[1:] for row in seats if row[0] == season.pk])


_RESULT: Final = ("credited", "total", "place", "table_size", "sharing", "hands_out", "game__started_on", "game", "number")


def _keep_lines(season: Season, players: set[int], rows: Iterable[tuple[Any, ...]]) -> None:
    terms = Terms.read(season.terms)
    lowest_wins = season.lowest_wins is not False
    results: dict[int, list[Result]] = defaultdict(list)
    for credited, total, place, size, sharing, out, *_when in sorted(rows, key=lambda row: row[6:]):
        results[credited].append(Result(total, place, size, sharing or 1, out))
    PlayerSeason.objects.filter(season=season, player__in=players).delete()
    PlayerSeason.objects.bulk_create(
        _line(season, player, played, terms, lowest_wins=lowest_wins) for player, played in sorted(results.items())
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


_SCORED = Q(points__isnull=False)


def recount_hands(season: Season, players: Iterable[int]) -> None:
    """Make the lines of these players' hands in the season anew."""
    players = set(players)
    seats = Seat.objects.filter(player__in=players, total__isnull=False).values_list("pk", "game__season")
    here = [pk for pk, of in seats if of == season.pk]
    PlayerHand.objects.filter(season=season, player__in=players).delete()
    _add_hands(season, Entry.objects.filter(seat__in=here))


def _add_hands(season: Season, entries: QuerySet[Entry]) -> None:
    rows = (
        entries.filter(hand__closed=True)
        .exclude(kind=Entry.Kind.ABSENT)
        .order_by()
        .values(player=F("seat__player"), number=F("hand__number"), contract=F("hand__contract"))
        .annotate(
            hands=Count("pk", filter=_SCORED),
            sum_points=Coalesce(Sum("points"), 0),
            out=Count("pk", filter=Q(kind=Entry.Kind.OUT)),
            substituted=Count("pk", filter=Q(how=Entry.How.SUBSTITUTED)),
            went_down=Count("pk", filter=Q(opened=True)),
            opened_known=Count("pk", filter=Q(opened__isnull=False)),
            caught=Coalesce(Sum("jokers"), 0),
            in_play=Coalesce(Sum(Case(When(jokers__isnull=False, then=F("hand__game__jokers")), output_field=IntegerField())), 0),
            lowest=Min("points"),
            highest=Max("points"),
        )
    )
    lines = [
        PlayerHand(
            season=season,
            player_id=row["player"],
            number=row["number"],
            contract=row["contract"],
            hands=row["hands"],
            points=row["sum_points"],
            out=row["out"],
            substituted=row["substituted"],
            opened=row["went_down"],
            opened_known=row["opened_known"],
            jokers=row["caught"],
            jokers_in_play=row["in_play"],
            lowest=row["lowest"],
            highest=row["highest"],
        )
        for row in rows
    ]
    PlayerHand.objects.bulk_create(lines)


def recount_season(season: Season) -> None:
    """Make all lines of a season anew."""
    counted = {"game__season": season, "game__status": Game.Status.FINISHED}
    seats = Seat.objects.filter(credited__isnull=False, **counted).values_list(*_RESULT)
    stale = PlayerSeason.objects.filter(season=season).values_list("player", flat=True)
    rows = list(seats)
    _keep_lines(season, {row[0] for row in rows} | set(stale), rows)
    PlayerHand.objects.filter(season=season).delete()
    _add_hands(season, Entry.objects.filter(hand__game__season=season, hand__game__status=Game.Status.FINISHED))


@transaction.atomic
def recount_league(league: League) -> None:
    """Make all lines of a league anew, as after players were merged."""
    for season in hold(league.seasons.order_by("pk")):
        recount_season(season)
    RatingBook.objects.filter(league=league, on=True).update(stale=True)
