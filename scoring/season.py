"""A season's table and a player's numbers, read from the lines that ``scoring.tallies`` keeps.

Only finished games count: running, suspended and void ones are nowhere in a table (R-72, R-82).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import cached_property
from operator import attrgetter
from typing import Any

from django.db.models import Sum
from django.utils.translation import gettext as _

from continental.rules.standing_methods import Line, Result, Standing, Terms, ranked, score, standing
from continental.rules.standings import Points
from players.models import League, Player
from scoring import method_words, ranks, sum_columns
from scoring.models import Game, PlayerSeason, PlayerTotal, Season, SeasonSize, Seat
from scoring.policies import Policies


@dataclass(frozen=True)
class Standings:
    """A table, or a page of one, with the rule that orders it.

    Attributes:
        lines: who has a place, in order, then who has too few games.
        terms: the method.
        games: counted games of the season.
        policies: what else was agreed; ``None`` for a table of more than one season.
        more: whether lines follow after these.
    """

    lines: tuple[Standing[Player], ...]
    terms: Terms
    games: int
    lowest_wins: bool = True
    policies: Policies | None = None
    more: bool = False

    def page(self, first: int, most: int) -> "Standings":
        """Give the lines from ``first`` on, at most so many."""
        return replace(self, lines=self.lines[first : first + most], more=len(self.lines) > first + most)

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
        """Decimals that a value is shown with; a sum has some only where a short night was scaled."""
        usual = method_words.DECIMALS[self.terms.method]
        return usual or int(any(line.value.denominator != 1 for line in self.lines))

    @property
    def rules(self) -> list[str]:
        """What orders the table, to be printed beside it."""
        short = method_words.short_nights(self.policies) if self.policies else []
        return [*method_words.rules(self.terms, self.games, lowest_wins=self.lowest_wins), *short]

    @property
    def warning(self) -> str:
        return method_words.warning(self.terms)


@dataclass(frozen=True)
class Ordered:
    """A season's whole table in order, before the people in it are read: a page reads those it shows.

    Attributes:
        ranked: everybody's line with its rank.
        sizes: counted games of the season by table size.
    """

    ranked: Sequence[tuple[int, Line[int]]]
    terms: Terms
    sizes: dict[int, int]
    lowest_wins: bool
    policies: Policies

    @property
    def games(self) -> int:
        return sum(self.sizes.values())

    @cached_property
    def lines(self) -> tuple[Standing[int], ...]:
        return self._standings(self.ranked)

    def whole(self) -> Standings:
        """Give every line: one query."""
        return self._of(self.ranked, more=False)

    def page(self, first: int, most: int, people: Mapping[int, Player] | None = None) -> Standings:
        """Give the lines from ``first`` on, at most so many: one query, where the ``people`` were not read already."""
        return self._of(self.ranked[first : first + most], people, more=len(self.ranked) > first + most)

    def around(self, player: int) -> Standings:
        """Give a player's line with those it is told from: its equals, and the one above them. Empty for a stranger."""
        at = next((at for at, (_rank, line) in enumerate(self.ranked) if line.player == player), None)
        if at is None:
            return self._of((), more=False)
        rank, line = self.ranked[at]
        if line.sums.games < self.terms.needed(self.games):
            return self._of(self.ranked[at : at + 1], more=False)
        equals = [at for at, (other, _line) in enumerate(self.ranked) if other == rank]
        return self._of(self.ranked[max(0, equals[0] - 1) : equals[-1] + 1], more=False)

    def _of(self, rows: Sequence[tuple[int, Line[int]]], people: Mapping[int, Player] | None = None, *, more: bool) -> Standings:
        return Standings(named(self._standings(rows), people), self.terms, self.games, self.lowest_wins, self.policies, more)

    def _standings(self, rows: Sequence[tuple[int, Line[int]]]) -> tuple[Standing[int], ...]:
        needed = self.terms.needed(self.games)
        return tuple(standing(line, rank, needed, lowest_wins=self.lowest_wins) for rank, line in rows)


def named(lines: Sequence[Standing[int]], people: Mapping[int, Player] | None = None) -> tuple[Standing[Player], ...]:
    """Put their people to some lines, and read those who were not read already; a line whose player is no more is left out."""
    people = Player.objects.in_bulk([line.player for line in lines]) if people is None else people
    return tuple(_named(line, people[line.player]) for line in lines if line.player in people)


def ordered(season: Season, counted: dict[int, int] | None = None) -> Ordered:
    """Order a season's table: two queries, whatever the number of games.

    Args:
        counted: the season's :func:`sizes`, where they were read already.
    """
    rows = PlayerSeason.objects.filter(season=season).order_by().values_list("player", "player__name", *_COLUMNS)
    return _ordered(season, rows, sizes(season) if counted is None else counted)


def _ordered(season: Season, rows: Iterable[Sequence[Any]], counted: dict[int, int], above: int = 0) -> Ordered:
    terms, lowest_wins = Terms.read(season.terms), season.lowest_wins is not False
    found = ranked(terms, [_bare_line(row) for row in rows], sum(counted.values()), lowest_wins=lowest_wins)
    found = [(above + rank, line) for rank, line in found]
    return Ordered(found, terms, counted, lowest_wins, Policies.read(season.policies))


def page(season: Season, first: int, most: int, counted: dict[int, int] | None = None) -> Standings:
    """Give the lines of a season's table from ``first`` on, at most so many, of those alone that may be among them: four queries.

    Args:
        counted: the season's :func:`sizes`, where they were read already.
    """
    counted, terms = sizes(season) if counted is None else counted, Terms.read(season.terms)
    less_is_better = terms.less_is_better(lowest_wins=season.lowest_wins is not False)
    lines, needed = PlayerSeason.objects.filter(season=season), terms.needed(sum(counted.values()))
    # One more, so that the page knows whether more follow.
    lines, above = ranks.may_stand(lines, needed, first, most + 1, less_is_better=less_is_better)
    rows = list(lines.order_by().select_related("player"))
    table = _ordered(season, [(row.player_id, row.player.name, *_kept(row)) for row in rows], counted, above)
    return table.page(first - above, most, {row.player_id: row.player for row in rows})


def standings(season: Season) -> Standings:
    """Give the whole table of a season: three queries, whatever the number of games."""
    return ordered(season).whole()


def games_of(season: Season) -> int:
    """Count a season's counted games."""
    return sum(sizes(season).values())


def of_player(player: Player) -> list[tuple[Season, Standing[Player]]]:
    """Give a player's line in every season with a counted game of theirs, the newest season first: three queries."""
    own = PlayerSeason.objects.filter(player=player).select_related("season").defer("season__snapshot")
    rows = list(own.order_by("-season__starts", "-season"))
    counts = dict(
        SeasonSize.objects.filter(season__in=[row.season_id for row in rows])
        .order_by()
        .values_list("season")
        .annotate(Sum("games"))
    )
    better = ranks.above(rows, counts)
    return [(row.season, _own(player, row, counts.get(row.season_id, 0), better.get(row.season_id, 0))) for row in rows]


_COLUMNS = (*sum_columns.COLUMNS, "value_over", "value_under", "counted")
_kept = attrgetter(*_COLUMNS)


def _bare_line(row: Sequence[Any]) -> Line[int]:
    player, name, *sums, over, under, counted = row
    return Line(player, name, sum_columns.of_row(sums), Fraction(over, under), counted)


def _own(player: Player, row: PlayerSeason, games: int, better: int) -> Standing[Player]:
    sums = sum_columns.of_row([getattr(row, name) for name in sum_columns.COLUMNS])
    line = Line(player, player.name, sums, row.value, row.counted)
    needed = Terms.read(row.season.terms).needed(games)
    return standing(line, 1 + better, needed, lowest_wins=row.season.lowest_wins is not False)


# ---------------------------------------------------------------------------------------------------------------------
# All seasons in one table

ALL_TIME = Terms("mean-total", qualifying=1, rising=0, drop_every=0)


PAGE = 50


def all_time(league: League, *, first: int = 0) -> Standings:
    """Give a page of the table of all seasons that were won the same way as the newest, by the mean total of every game.

    Two queries, whatever the number of games, and two more where a page begins among equals.
    """
    ways = league.seasons.exclude(lowest_wins=None).values_list("lowest_wins", flat=True)
    lowest_wins = ways.first() is not False
    # Not "lowest_wins=": that is asked as the bare column, for which SQLite does not look into the index.
    totals = PlayerTotal.objects.filter(league=league, lowest_wins__in=[lowest_wins])
    found = ranks.page_of_totals(totals, lowest_wins=lowest_wins, first=first, most=PAGE + 1)
    lines = tuple(_of_all_seasons(rank, total, lowest_wins=lowest_wins) for rank, total in found[:PAGE])
    return Standings(lines, ALL_TIME, 0, lowest_wins, more=len(found) > PAGE)


def _of_all_seasons(rank: int, total: PlayerTotal, *, lowest_wins: bool) -> Standing[Player]:
    sums = sum_columns.of_row([getattr(total, column) for column in sum_columns.COLUMNS])
    line = Line(total.player, total.player.name, sums, Fraction(sums.total, sums.games), sums.games)
    return standing(line, rank, 1, lowest_wins=lowest_wins)


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

    @property
    def is_scaled(self) -> bool:
        return self.seat.scaled_from != self.seat.scaled_to


def why(season: Season, players: Iterable[int]) -> dict[int, list[WhyGame]]:
    """Give, for these players, the games that make their line, those left out marked as such: one query."""
    seats = (
        Seat.objects.filter(credited__in=list(players), season=season, total__isnull=False)
        .select_related("game")
        .order_by("game__started_on", "game_id", "number")
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
    assert seat.place is not None
    return Result(seat.points, seat.place, seat.table_size, seat.sharing or 1, seat.hands_out)


# ---------------------------------------------------------------------------------------------------------------------
# A closed season


def snapshot_of(season: Season) -> dict[str, Any]:
    """Give a season's table as plain data, names left out: a player who is made anonymous later is so here too."""
    table = ordered(season)
    return {
        "terms": table.terms.data(),
        "policies": table.policies.data(),
        "lowest_wins": table.lowest_wins,
        "games": table.games,
        "lines": [
            {
                "player": line.player,
                "rank": line.rank,
                "value": [line.value.numerator, line.value.denominator],
                "games": line.games,
                "counted": line.counted,
                "missing": line.missing,
                "total": _plain(line.total),
                "places": line.places,
                "wins": line.wins,
                "best": _plain(line.best),
                "hands_out": line.hands_out,
            }
            for line in table.lines
        ],
    }


def _plain(points: Points) -> int | list[int]:
    """Give points as plain data: a whole number, or the two of a fraction where a short night was scaled."""
    return points.numerator if points.denominator == 1 else [points.numerator, points.denominator]


def _points(data: int | list[int]) -> Points:
    return data if isinstance(data, int) else Fraction(*data)


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


def closed(season: Season, now: Ordered | None = None, *, first: int = 0, most: int | None = None) -> Closed | None:
    """Give a closed season as it stood; ``None`` for one that is open.

    Args:
        now: its table as the games are now, where it was read already.
        first, most: the part of the table to give; what was amended is told of all of it.
    """
    data = season.snapshot
    if season.closed_at is None or data is None:
        return None
    live = {line.player: line for line in (now or ordered(season)).lines}
    # Names are as they are now on both sides: who is called otherwise since has not changed.
    then = [_stored(line, live[line["player"]].name if line["player"] in live else "") for line in data["lines"]]
    was = {line.player: line for line in then}
    unlike = [pk for pk in dict.fromkeys((*was, *live)) if was.get(pk) != live.get(pk)]
    people = Player.objects.in_bulk(unlike)
    changed = [
        Amended(people[pk], *(_named(lines[pk], people[pk]) if pk in lines else None for lines in (was, live)))
        for pk in unlike
        if pk in people
    ]
    last = len(then) if most is None else first + most
    stood = Standings(
        named(then[first:last]),
        Terms.read(data["terms"]),
        data["games"],
        data["lowest_wins"],
        Policies.read(data.get("policies", season.policies)),
        more=len(then) > last,
    )
    return Closed(stood, tuple(changed))


def _stored(line: dict[str, Any], name: str) -> Standing[int]:
    return Standing(
        rank=line["rank"],
        player=line["player"],
        name=name,
        value=Fraction(*line["value"]),
        games=line["games"],
        counted=line["counted"],
        missing=line["missing"],
        total=_points(line["total"]),
        places=line["places"],
        wins=line["wins"],
        best=_points(line["best"]),
        hands_out=line["hands_out"],
    )


# ---------------------------------------------------------------------------------------------------------------------
# Suspended games and the turn of the year


def last_day(started_on: date) -> date:
    """Give the last day on which a suspended game may go on (``house.resume.same-year``)."""
    return date(started_on.year, 12, 31)


def days_left(started_on: date, today: date) -> int:
    """Give the days a suspended game can still be resumed, today included in none: 0 on its last day, negative when void."""
    return (last_day(started_on) - today).days


def sizes(season: Season) -> dict[int, int]:
    """Give the counted games of a season by table size, the smallest first."""
    return dict(SeasonSize.objects.filter(season=season).order_by("seats").values_list("seats", "games"))


def comparable_words(terms: Terms, table_sizes: Sequence[int]) -> str:
    """Say, where tables were of different sizes, whether the method makes them comparable."""
    if len(table_sizes) < 2:
        return ""
    said = {"least": table_sizes[0], "most": table_sizes[-1]}
    if method_words.is_comparable(terms):
        return _("Tables of %(least)s to %(most)s played; this method weighs them alike.") % said
    return (
        _(
            "Tables of %(least)s to %(most)s played, and this method does not make them alike: totals and places grow with the "
            "number of players."
        )
        % said
    )
