"""A season's table and a player's numbers, read from the lines that ``scoring.tallies`` keeps.

Only finished games count: running, suspended and void ones are nowhere in a table (R-72, R-82).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cached_property
from typing import Any

from django.db.models import Count, Max, Min, Sum
from django.utils.translation import gettext as _

from continental.rules.standing_methods import Line, Result, Standing, Terms, merits, order, score
from continental.rules.standings import Sums
from players.models import League, Player
from scoring import method_words
from scoring.models import Game, PlayerSeason, Season, Seat
from scoring.policies import Policies


@dataclass(frozen=True)
class Standings:
    """A table with the rule that orders it.

    Attributes:
        lines: who has a place, in order, then who has too few games.
        terms: the method.
        games: counted games of the season.
        most: how many of those with a place a page shows.
        policies: what else was agreed; ``None`` for a table of more than one season.
    """

    lines: tuple[Standing[Player], ...]
    terms: Terms
    games: int
    lowest_wins: bool = True
    policies: Policies | None = None
    most: int = 200

    @property
    def shown(self) -> list[Standing[Player]]:
        """The part of those with a place that a page shows."""
        return self.ranked[: self.most]

    @property
    def cut(self) -> bool:
        """Whether there are more of those with a place after the ones shown."""
        return len(self.ranked) > self.most

    @cached_property
    def ranked(self) -> list[Standing[Player]]:
        return [line for line in self.lines if line.rank is not None]

    @cached_property
    def unranked(self) -> list[Standing[Player]]:
        return [line for line in self.lines if line.rank is None]

    @property
    def needed(self) -> int:
        """Games that a place takes now."""
        return self.terms.needed(self.games)

    @property
    def drops(self) -> bool:
        return any(line.dropped for line in self.lines)

    @property
    def value_name(self) -> str:
        return str(method_words.VALUE_NAMES[self.terms.method])

    @property
    def decimals(self) -> int:
        return method_words.DECIMALS[self.terms.method]

    @property
    def rules(self) -> list[str]:
        """What orders the table, to be printed beside it."""
        return method_words.rules(self.terms, self.games, lowest_wins=self.lowest_wins)

    @property
    def warning(self) -> str:
        return method_words.warning(self.terms)


def standings(season: Season) -> Standings:
    """Give the table of a season: two queries, whatever the number of games."""
    rows = list(PlayerSeason.objects.filter(season=season).select_related("player"))
    terms, lowest_wins = Terms.read(season.terms), season.lowest_wins is not False
    games = games_of(season) if rows else 0
    lines = [
        Line(
            row.player,
            row.player.name,
            Sums(row.games, row.total, row.places, row.wins, row.hands_out, row.lowest, row.highest),
            row.value,
            row.counted,
        )
        for row in rows
    ]
    return Standings(
        order(terms, lines, games, lowest_wins=lowest_wins), terms, games, lowest_wins, Policies.read(season.policies)
    )


def games_of(season: Season) -> int:
    """Count a season's counted games."""
    return Game.objects.filter(season=season, status=Game.Status.FINISHED).count()


def of_player(player: Player) -> list[tuple[Season, Standing[Player]]]:
    """Give a player's line in every season with a counted game of theirs, the newest season first: three queries."""
    seasons = list(Season.objects.filter(lines__player=player).order_by("-starts", "-pk"))
    rows = PlayerSeason.objects.filter(season__in=seasons).order_by("season", "player").values_list(*_COLUMNS)
    by_season: dict[int, list[Line[int]]] = {season.pk: [] for season in seasons}
    for season_pk, *columns in rows:
        by_season[season_pk].append(_bare_line(columns))
    counts = dict(
        Game.objects.filter(season__in=seasons, status=Game.Status.FINISHED)
        .order_by()
        .values_list("season")
        .annotate(Count("pk"))
    )
    return [(season, _own(player, season, by_season[season.pk], counts.get(season.pk, 0))) for season in seasons]


_COLUMNS = (
    "season", "player", "games", "total", "places", "wins", "hands_out", "lowest", "highest",
    "value_over", "value_under", "counted",
)  # fmt: skip


def _bare_line(columns: Sequence[int]) -> Line[int]:
    player, games, total, places, wins, out, low, high, over, under, counted = columns
    return Line(player, "", Sums(games, total, places, wins, out, low, high), Fraction(over, under), counted)


def _own(player: Player, season: Season, lines: list[Line[int]], games: int) -> Standing[Player]:
    """Rank one player of a season: by how many are better, without ordering the others."""
    terms, lowest_wins = Terms.read(season.terms), season.lowest_wins is not False
    found = merits(terms, lines, games, lowest_wins=lowest_wins)
    at = next(index for index, line in enumerate(lines) if line.player == player.pk)
    sums, own = lines[at].sums, found[at]
    missing = max(0, terms.needed(games) - sums.games)
    best = sums.lowest if lowest_wins else sums.highest
    return Standing(
        rank=None if missing else 1 + sum(merit < own for merit in found),
        player=player,
        name=player.name,
        value=lines[at].value,
        games=sums.games,
        counted=lines[at].counted,
        missing=missing,
        total=sums.total,
        places=sums.places,
        wins=sums.wins,
        best=best or 0,
        hands_out=sums.hands_out,
    )


# ---------------------------------------------------------------------------------------------------------------------
# All seasons in one table

ALL_TIME = Terms("mean-total", qualifying=1, rising=0, drop_every=0)


PAGE = 50


def all_time(league: League, *, first: int = 0) -> tuple[Standings, bool]:
    """Give a page of the table of all seasons that were won the same way as the newest, by the mean total of every game.

    Returns:
        The lines from ``first`` on, and whether more follow: three queries, whatever the number of games.
    """
    newest = league.seasons.exclude(lowest_wins=None).first()
    lowest_wins = newest is None or newest.lowest_wins is not False
    sums = (
        PlayerSeason.objects.filter(season__league=league, season__lowest_wins=lowest_wins)
        .order_by()
        .values_list("player")
        .annotate(Sum("games"), Sum("total"), Sum("places"), Sum("wins"), Sum("hands_out"), Min("lowest"), Max("highest"))
    )
    names = dict(Player.objects.filter(league=league).values_list("pk", "name"))
    lines = [Line(pk, names[pk], Sums(*numbers), Fraction(numbers[1], numbers[0]), numbers[0]) for pk, *numbers in sums]
    ordered = order(ALL_TIME, lines, 0, lowest_wins=lowest_wins)
    shown = ordered[first : first + PAGE]
    players = Player.objects.in_bulk([line.player for line in shown])
    named = tuple(_named(line, players[line.player]) for line in shown)
    return Standings(named, ALL_TIME, 0, lowest_wins), len(ordered) > first + PAGE


def _named(line: Standing[int], player: Player) -> Standing[Player]:
    return Standing(
        line.rank,
        player,
        player.name,
        line.value,
        line.games,
        line.counted,
        line.missing,
        line.total,
        line.places,
        line.wins,
        line.best,
        line.hands_out,
    )


# ---------------------------------------------------------------------------------------------------------------------
# Why is somebody where they are?


@dataclass(frozen=True)
class WhyGame:
    """One game behind a line of the table."""

    seat: Seat
    counts: bool

    @property
    def game(self) -> Game:
        return self.seat.game


def why(season: Season, players: Iterable[int]) -> dict[int, list[WhyGame]]:
    """Give, for these players, the games that make their line, those left out marked as such: one query."""
    seats = (
        Seat.objects.filter(credited__in=list(players), game__season=season, game__status=Game.Status.FINISHED)
        .select_related("game")
        .order_by("game__started_on", "game", "number")
    )
    by_player: dict[int, list[Seat]] = {}
    for seat in seats:
        by_player.setdefault(seat.credited_id or 0, []).append(seat)
    terms, lowest_wins = Terms.read(season.terms), season.lowest_wins is not False
    return {
        player: _marked(own, score(terms, [result_of(seat) for seat in own], lowest_wins=lowest_wins).dropped)
        for player, own in by_player.items()
    }


def _marked(seats: Sequence[Seat], dropped: Sequence[int]) -> list[WhyGame]:
    return [WhyGame(seat, counts=at not in dropped) for at, seat in enumerate(seats)]


def result_of(seat: Seat) -> Result:
    assert seat.total is not None
    assert seat.place is not None
    return Result(seat.total, seat.place, seat.table_size, seat.sharing or 1, seat.hands_out)


# ---------------------------------------------------------------------------------------------------------------------
# What a method would make of games that were played


def preview(league: League, terms: Terms, policies: Policies, season: Season | None) -> Standings | None:
    """Give the table that a method would have made of a season of the league; ``None`` where nothing was finished.

    Args:
        season: whose games are taken; the newest season with a counted game where ``None``.
    """
    if season is None:
        season = league.seasons.filter(games__status=Game.Status.FINISHED).order_by("-starts").first()
    if season is None:
        return None
    seats = (
        Seat.objects.filter(game__season=season, game__status=Game.Status.FINISHED)
        .select_related("player", "stands_for")
        .order_by("game__started_on", "game", "number")
    )
    lowest_wins = season.lowest_wins is not False
    people: dict[int, Player] = {}
    results: dict[int, list[Result]] = {}
    for seat in seats:
        people[seat.player_id] = seat.player
        if seat.stands_for is not None:
            people[seat.stands_for.pk] = seat.stands_for
        credited = policies.credited(seat.player_id, seat.role, seat.stands_for_id)
        if credited is not None:
            results.setdefault(credited, []).append(result_of(seat))
    lines = [_preview_line(people[pk], own, terms, lowest_wins=lowest_wins) for pk, own in results.items()]
    games = games_of(season)
    return Standings(order(terms, lines, games, lowest_wins=lowest_wins), terms, games, lowest_wins, policies)


def _preview_line(player: Player, results: Sequence[Result], terms: Terms, *, lowest_wins: bool) -> Line[Player]:
    value = score(terms, results, lowest_wins=lowest_wins)
    totals = [result.total for result in results]
    sums = Sums(
        len(results),
        sum(totals),
        sum(result.place for result in results),
        sum(result.place == 1 for result in results),
        sum(result.hands_out for result in results),
        min(totals),
        max(totals),
    )
    return Line(player, player.name, sums, value.value, len(value.counted))


# ---------------------------------------------------------------------------------------------------------------------
# A closed season


def snapshot_of(season: Season) -> dict[str, Any]:
    """Give a season's table as plain data, names left out: a player who is made anonymous later is so here too."""
    table = standings(season)
    return {
        "terms": table.terms.data(),
        "lowest_wins": table.lowest_wins,
        "games": table.games,
        "lines": [
            {
                "player": line.player.pk,
                "rank": line.rank,
                "value": [line.value.numerator, line.value.denominator],
                "games": line.games,
                "counted": line.counted,
                "missing": line.missing,
                "total": line.total,
                "places": line.places,
                "wins": line.wins,
                "best": line.best,
                "hands_out": line.hands_out,
            }
            for line in table.lines
        ],
    }


@dataclass(frozen=True)
class Amended:
    """A line that is not as it was when the season was closed: the old one, the new one, or both."""

    player: Player
    was: Standing[Player] | None
    now: Standing[Player] | None


@dataclass(frozen=True)
class Closed:
    """A closed season's table as it stood, and what corrections have changed since."""

    standings: Standings
    amended: tuple[Amended, ...]


def closed(season: Season) -> Closed | None:
    """Give a closed season as it stood; ``None`` for one that is open."""
    data = season.snapshot
    if season.closed_at is None or data is None:
        return None
    players = Player.objects.in_bulk([line["player"] for line in data["lines"]])
    lines = tuple(_stored(line, players[line["player"]]) for line in data["lines"] if line["player"] in players)
    stood = Standings(lines, Terms.read(data["terms"]), data["games"], data["lowest_wins"], Policies.read(season.policies))
    now = {line.player.pk: line for line in standings(season).lines}
    was = {line.player.pk: line for line in lines}
    everybody = {line.player.pk: line.player for line in (*was.values(), *now.values())}
    changed = [
        Amended(everybody[pk], was.get(pk), now.get(pk)) for pk in dict.fromkeys((*was, *now)) if was.get(pk) != now.get(pk)
    ]
    return Closed(stood, tuple(changed))


def _stored(line: dict[str, Any], player: Player) -> Standing[Player]:
    return Standing(
        rank=line["rank"],
        player=player,
        name=player.name,
        value=Fraction(*line["value"]),
        games=line["games"],
        counted=line["counted"],
        missing=line["missing"],
        total=line["total"],
        places=line["places"],
        wins=line["wins"],
        best=line["best"],
        hands_out=line["hands_out"],
    )


# ---------------------------------------------------------------------------------------------------------------------
# Suspended games and the turn of the year


def days_left(started_on: date, today: date) -> int:
    """Give the days a suspended game can still be resumed, today included in none: 0 on its last day, negative when void."""
    return (date(started_on.year, 12, 31) - today).days


def sizes(season: Season) -> list[int]:
    """Give the table sizes of a season's counted games, smallest first."""
    games = Game.objects.filter(season=season, status=Game.Status.FINISHED).annotate(size=Count("seats"))
    return sorted(set(games.order_by().values_list("size", flat=True)))


def comparable_words(table: Standings, table_sizes: Sequence[int]) -> str:
    """Say, where tables were of different sizes, whether the method makes them comparable."""
    if len(table_sizes) < 2:
        return ""
    said = {"least": table_sizes[0], "most": table_sizes[-1]}
    if method_words.is_comparable(table.terms):
        return _("Tables of %(least)s to %(most)s played; this method weighs them alike.") % said
    return (
        _(
            "Tables of %(least)s to %(most)s played, and this method does not make them alike: totals and places grow with the "
            "number of players."
        )
        % said
    )
