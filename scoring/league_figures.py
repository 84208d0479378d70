"""Numbers of a league: its records, what its people's hands came to, how a season went. Only finished games count."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from django.db.models import F, FloatField, Max, Min, Q, QuerySet, Sum
from django.db.models.functions import Cast

from continental.rules.standings import Points, as_counted
from players.models import League, Player
from scoring import sum_columns
from scoring.figures import (
    FEW_GAMES,
    ContractFigures,
    HandFigures,
    Mean,
    by_contract,
    by_player,
    running_means,
    together,
)
from scoring.models import Entry, Game, PlayerHand, PlayerSeason, PlayerTotal, Season, SeasonHand, SeasonSize, Seat

MOST_PEOPLE: Final = 60
"""People whose numbers a page shows, of those with the most games."""


@dataclass(frozen=True)
class Record:
    """The best or the worst there was, and whose it is."""

    player: Player
    value: Points
    game: Game | None = None


@dataclass(frozen=True)
class TableFigures:
    """How the seats of tables of one size fared: the mean place by seat, and by the seats after whoever dealt first.

    Of all seats together it is the middle one, 3 of five, so that only what lies off that says anything.
    """

    seats: int
    games: int
    by_seat: list[Mean]
    by_dealer: list[Mean]


@dataclass
class LeagueFigures:
    """What a league's statistics page shows of one season, or of all."""

    games: int
    contracts: list[ContractFigures]
    people: list[tuple[Player, int, HandFigures]]
    lowest_game: Record | None = None
    highest_game: Record | None = None
    highest_hand: Record | None = None
    most_wins: Record | None = None
    most_out: Record | None = None
    tables: list[TableFigures] = field(default_factory=list)

    @property
    def hands(self) -> HandFigures:
        return together(self.contracts)


def of_league(league: League, season: Season | None) -> LeagueFigures:
    """Work out a league's numbers from its maintained lines: a bounded number of queries, whatever the number of games."""
    of = _Scope(league, season)
    played = of.most("games", MOST_PEOPLE)
    wins, out = of.most("wins", 1), of.most("hands_out", 1)
    people = Player.objects.in_bulk({player for player, _count in (*played, *wins, *out)})
    figures = by_player(of.hands.filter(player__in=[player for player, _games in played]))
    contracts = by_contract(of.everybody)
    tables = by_size(_sizes(league, season))
    lowest_game, highest_game = of.games()
    return LeagueFigures(
        games=sum(table.games for table in tables),
        contracts=contracts,
        people=[(people[player], games, figures.get(player, HandFigures())) for player, games in played],
        lowest_game=lowest_game,
        highest_game=highest_game,
        highest_hand=of.highest_hand(together(contracts).highest),
        most_wins=_whose(wins, people),
        most_out=_whose(out, people),
        tables=tables,
    )


def by_size(lines: QuerySet[SeasonSize]) -> list[TableFigures]:
    """Add up how the seats of tables fared, the smallest tables first: one query over maintained lines."""
    found: dict[int, tuple[int, list[int], list[int]]] = {}
    for seats, games, *places in lines.order_by("seats").values_list("seats", "games", "by_seat", "by_dealer"):
        before, *sums = found.get(seats, (0, [0] * seats, [0] * seats))
        by_seat, by_dealer = ([one + more for one, more in zip(*pair, strict=True)] for pair in zip(sums, places, strict=True))
        found[seats] = (before + games, by_seat, by_dealer)
    return [
        TableFigures(
            seats,
            games,
            [Mean(places, games, FEW_GAMES) for places in by_seat],
            [Mean(places, games, FEW_GAMES) for places in by_dealer],
        )
        for seats, (games, by_seat, by_dealer) in found.items()
    ]


def games_of(league: League, season: Season | None) -> int:
    """Count the counted games of a season, or of all: one query."""
    return _sizes(league, season).aggregate(n=Sum("games"))["n"] or 0


def _sizes(league: League, season: Season | None) -> QuerySet[SeasonSize]:
    return SeasonSize.objects.filter(**({"season": season} if season else {"season__league": league}))


def _whose(most: Sequence[tuple[int, int]], people: Mapping[int, Player]) -> Record | None:
    return next((Record(people[player], count) for player, count in most if count), None)


def _game_of(line: PlayerHand, points: int) -> Game | None:
    """Find the oldest game in which a player came to so many points in some hand of the line's season."""
    entries = Entry.objects.filter(
        seat__player=line.player_id, seat__season=line.season_id, seat__total__isnull=False, hand__closed=True, points=points
    )
    games = Game.objects.filter(pk__in=entries.values("hand__game"))
    return games.order_by("started_on", "pk").only("started_on").first()


_EXTREMES: Final = ("lowest", "highest")


class _Scope:
    """The lines of one season, or of all."""

    def __init__(self, league: League, season: Season | None) -> None:
        self.season = season
        self.seasons: dict[str, Any] = {"season": season} if season else {"season__league": league}
        self.lines: QuerySet[Any] = (
            PlayerSeason.objects.filter(season=season) if season else PlayerTotal.objects.filter(league=league)
        ).order_by()
        self.hands = PlayerHand.objects.filter(**self.seasons)
        self.everybody = SeasonHand.objects.filter(**self.seasons)

    def games(self) -> tuple[Record | None, Record | None]:
        """Give the oldest game in which somebody came to the lowest total and to the highest, as the seasons count totals."""
        points = {f"{column}_points": Cast(F(column), FloatField()) / Cast(F("parts"), FloatField()) for column in _EXTREMES}
        lines = self.lines.annotate(**points)
        found = lines.aggregate(lowest=Min("lowest_points"), highest=Max("highest_points"))
        have = Q(lowest_points=found["lowest"]) | Q(highest_points=found["highest"])
        holders = list(lines.filter(have).values("player", "parts", *_EXTREMES, *points))
        lowest, highest = (
            self._oldest(
                [(row["player"], row[column], row["parts"]) for row in holders if row[f"{column}_points"] == found[column]]
            )
            for column in _EXTREMES
        )
        return lowest, highest

    def _oldest(self, holders: Sequence[tuple[int, int, int]]) -> Record | None:
        """Give the oldest game with a total that these have: each with how many parts it is, and of how many to a point."""
        if not holders:
            return None
        value = sum_columns.points(*holders[0][1:])
        over, under = value.numerator, value.denominator
        seats = Seat.objects.filter(credited__in=[holder[0] for holder in holders], **self.seasons)
        same = seats.filter(total__isnull=False).annotate(more=F("total") * F("scaled_to") * under - F("scaled_from") * over)
        oldest = same.filter(more=0).order_by("game__started_on", "game_id", "number").select_related("game", "credited")
        found = oldest.only("game__started_on", "credited__name").first()
        return Record(found.credited, value, found.game) if found and found.credited else None

    def highest_hand(self, value: int | None) -> Record | None:
        """Give the oldest hand with the most points."""
        if value is None:
            return None
        kind = self.everybody.filter(highest=value).order_by("season__starts", "number").first()
        if kind is None:
            return None
        own = PlayerHand.objects.filter(season=kind.season_id, number=kind.number, contract=kind.contract, highest=value)
        line = own.select_related("player").order_by("player_id").first()
        if line is None:
            return None
        return Record(line.player, value, _game_of(line, value))

    def most(self, column: str, count: int) -> list[tuple[int, int]]:
        """Give those who have the most of something, each with how many."""
        if self.season is not None:
            return list(self.lines.order_by(f"-{column}", "player").values_list("player", column)[:count])
        return list(self.lines.values_list("player").annotate(n=Sum(column)).order_by("-n", "player")[:count])


def progress_of(season: Season, players: Sequence[Player]) -> list[list[Fraction]]:
    """Give, for each player, the mean total after each of their games of the season: one query."""
    totals: dict[int, list[Points]] = {player.pk: [] for player in players}
    rows = (
        Seat.objects.filter(credited__in=totals, season=season, total__isnull=False)
        .order_by("game__started_on", "game_id")
        .values_list("credited", "total", "scaled_from", "scaled_to")
    )
    for player, total, *scaled in rows:
        assert player is not None
        assert total is not None
        totals[player].append(as_counted(total, *scaled))
    return [running_means(totals[player.pk]) for player in players]
