"""Numbers people talk about: of a player, of a league; each with the number of games or hands that it comes from.

Only finished games count. A mean is exact; where there is nothing to take it from there is none, never 0.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

from django.db import connection
from django.db.models import F, Max, Min, OuterRef, QuerySet, Subquery, Sum

from players.models import League, Player
from scoring.models import Entry, Game, Hand, PlayerHand, PlayerSeason, Season, Seat

FEW_GAMES: Final = 5
FEW_HANDS: Final = 10
NEMESIS_GAMES: Final = 3
"""Shared games below which nobody is called a nemesis."""


@dataclass(frozen=True)
class Mean:
    """A mean or a share with what it comes from."""

    over: int
    under: int
    few: int = FEW_HANDS

    @property
    def value(self) -> Fraction | None:
        return Fraction(self.over, self.under) if self.under else None

    @property
    def percent(self) -> Fraction | None:
        return 100 * self.value if self.value is not None else None

    @property
    def small(self) -> bool:
        """Whether it comes from too little to mean much."""
        return self.under < self.few


@dataclass(frozen=True)
class HandFigures:
    """What the hands of one kind came to."""

    hands: int = 0
    points: int = 0
    out: int = 0
    substituted: int = 0
    opened: int = 0
    opened_known: int = 0
    jokers: int = 0
    jokers_in_play: int = 0
    lowest: int | None = None
    highest: int | None = None

    @property
    def mean(self) -> Mean:
        """Penalty points a hand, over the hands for which a score was given."""
        return Mean(self.points, self.hands)

    @property
    def out_share(self) -> Mean:
        return Mean(self.out, self.hands)

    @property
    def opened_share(self) -> Mean:
        """Over the hands of which it is known."""
        return Mean(self.opened, self.opened_known)

    @property
    def joker_share(self) -> Mean:
        """Jokers caught in the hand, of those in the packs, over hands counted by cards."""
        return Mean(self.jokers, self.jokers_in_play, few=FEW_HANDS * 2)


_SUMS: Final = {
    "hands": Sum("hands"),
    "points": Sum("points"),
    "out": Sum("out"),
    "substituted": Sum("substituted"),
    "opened": Sum("opened"),
    "opened_known": Sum("opened_known"),
    "jokers": Sum("jokers"),
    "jokers_in_play": Sum("jokers_in_play"),
    "lowest": Min("lowest"),
    "highest": Max("highest"),
}
_ALIASED: Final = {f"of_{name}": value for name, value in _SUMS.items()}


def _figures(row: Mapping[str, Any]) -> HandFigures:
    values = {name: row[f"of_{name}"] for name in _SUMS}
    counts = {name: value or 0 for name, value in values.items() if name not in {"lowest", "highest"}}
    return HandFigures(**counts, lowest=values["lowest"], highest=values["highest"])


@dataclass(frozen=True)
class ContractFigures:
    """The hands of one number and contract."""

    number: int
    contract: str
    figures: HandFigures


def by_contract(lines: QuerySet[PlayerHand]) -> list[ContractFigures]:
    """Give the hands by number and contract: one query over maintained lines."""
    rows = lines.order_by("number", "contract").values("number", "contract").annotate(**_ALIASED)
    return [ContractFigures(row["number"], row["contract"], _figures(row)) for row in rows]


def together(parts: Iterable[ContractFigures]) -> HandFigures:
    """Add up hands of all kinds."""
    figures = [part.figures for part in parts]
    names = [name for name in _SUMS if name not in {"lowest", "highest"}]
    return HandFigures(
        **{name: sum(getattr(one, name) for one in figures) for name in names},
        lowest=min((one.lowest for one in figures if one.lowest is not None), default=None),
        highest=max((one.highest for one in figures if one.highest is not None), default=None),
    )


# ---------------------------------------------------------------------------------------------------------------------
# One player


@dataclass(frozen=True)
class Meeting:
    """What two players came to in the games they shared.

    Attributes:
        ahead, behind, level: games by who placed better.
        points: totals of the other less one's own, added up: above 0 is good where the lowest wins.
    """

    player: Player
    games: int
    ahead: int
    behind: int
    points: int

    @property
    def level(self) -> int:
        return self.games - self.ahead - self.behind

    @property
    def small(self) -> bool:
        return self.games < FEW_GAMES


@dataclass
class Streaks:
    """Games in a row: won, and the run that lasts now."""

    longest_wins: int = 0
    current_wins: int = 0
    longest_without: int = 0
    current_without: int = 0


@dataclass
class PlayerFigures:
    """Everything a player's page shows."""

    seats: list[Seat]
    hands: HandFigures
    contracts: list[ContractFigures]
    meetings: list[Meeting]
    nemesis: Meeting | None
    streaks: Streaks
    by_seat: list[tuple[int, Mean]] = field(default_factory=list)
    by_dealer: list[tuple[int, Mean]] = field(default_factory=list)
    by_first_dealer: list[tuple[int, Mean]] = field(default_factory=list)
    best_game: Seat | None = None
    worst_game: Seat | None = None
    best_hand: Entry | None = None
    worst_hand: Entry | None = None
    progress: list[Fraction] = field(default_factory=list)

    @property
    def games(self) -> int:
        return len(self.seats)

    @property
    def wins(self) -> int:
        return sum(seat.place == 1 for seat in self.seats)

    @property
    def mean_total(self) -> Mean:
        return Mean(sum(seat.total or 0 for seat in self.seats), self.games, FEW_GAMES)

    @property
    def mean_place(self) -> Mean:
        return Mean(sum(seat.place or 0 for seat in self.seats), self.games, FEW_GAMES)

    @property
    def win_share(self) -> Mean:
        return Mean(self.wins, self.games, FEW_GAMES)


def of_player(player: Player, season: Season | None = None, *, lowest_wins: bool = True) -> PlayerFigures:
    """Work out a player's numbers, in one season or in all: a bounded number of queries."""
    seats = _counted_seats(player, season)
    lines = PlayerHand.objects.filter(player=player)
    contracts = by_contract(lines if season is None else lines.filter(season=season))
    meetings = head_to_head(player, season)
    best, worst = (min, max) if lowest_wins else (max, min)
    entries = _positions(player, season)
    hands = together(contracts)
    extremes = (hands.lowest, hands.highest) if lowest_wins else (hands.highest, hands.lowest)
    return PlayerFigures(
        seats=seats,
        hands=hands,
        contracts=contracts,
        meetings=meetings,
        nemesis=nemesis(meetings),
        streaks=streaks([seat.place == 1 for seat in seats]),
        by_seat=_grouped([(seat.number + 1, seat.place or 0) for seat in seats], FEW_GAMES),
        by_first_dealer=_grouped(_after_first_dealer(seats), FEW_GAMES),
        by_dealer=_grouped([((number - dealer) % size, points) for number, dealer, size, points in entries], FEW_HANDS),
        best_game=best(seats, key=lambda seat: seat.total or 0, default=None),
        worst_game=worst(seats, key=lambda seat: seat.total or 0, default=None),
        best_hand=_hand_of(player, season, extremes[0]),
        worst_hand=_hand_of(player, season, extremes[1]),
        progress=running_means([seat.total or 0 for seat in seats]),
    )


def _counted_seats(player: Player, season: Season | None) -> list[Seat]:
    seats = Seat.objects.filter(player=player, total__isnull=False)
    if season is not None:
        seats = seats.filter(game__season=season)
    first = Hand.objects.filter(game=OuterRef("game"), number=1).values("dealer")
    return list(seats.select_related("game").annotate(first_dealer=Subquery(first)).order_by("game__started_on", "game"))


def _entries(player: Player, season: Season | None) -> QuerySet[Entry]:
    entries = Entry.objects.filter(seat__player=player, seat__total__isnull=False, hand__closed=True, points__isnull=False)
    return entries if season is None else entries.filter(hand__game__season=season)


def _positions(player: Player, season: Season | None) -> list[tuple[int, int, int, int]]:
    rows = _entries(player, season).order_by().values_list("seat__number", "hand__dealer", "seat__table_size", "points")
    return [(seat, dealer, size, points) for seat, dealer, size, points in rows if points is not None]


def _after_first_dealer(seats: Sequence[Seat]) -> list[tuple[int, int]]:
    """Give, for each game, the seats from the dealer of its first hand to the player, and the player's place."""
    return [((seat.number - seat.first_dealer) % seat.table_size, seat.place or 0) for seat in seats]  # type: ignore[attr-defined]


def _hand_of(player: Player, season: Season | None, points: int | None) -> Entry | None:
    if points is None:
        return None
    found = _entries(player, season).filter(points=points).select_related("hand__game", "seat")
    return found.order_by("hand__game__started_on", "hand__game", "hand__number").first()


def _grouped(pairs: Sequence[tuple[int, int]], few: int) -> list[tuple[int, Mean]]:
    sums: dict[int, list[int]] = {}
    for group, value in pairs:
        sums.setdefault(group, []).append(value)
    return [(group, Mean(sum(values), len(values), few)) for group, values in sorted(sums.items())]


def running_means(totals: Sequence[int]) -> list[Fraction]:
    """Give the mean after each game."""
    means, so_far = [], 0
    for count, total in enumerate(totals, start=1):
        so_far += total
        means.append(Fraction(so_far, count))
    return means


def streaks(won: Sequence[bool]) -> Streaks:
    """Count games in a row, oldest first."""
    found = Streaks()
    for win in won:
        found.current_wins = found.current_wins + 1 if win else 0
        found.current_without = 0 if win else found.current_without + 1
        found.longest_wins = max(found.longest_wins, found.current_wins)
        found.longest_without = max(found.longest_without, found.current_without)
    return found


_MEETINGS: Final = """
    SELECT other.player_id, COUNT(*),
           SUM(CASE WHEN own.place < other.place THEN 1 ELSE 0 END),
           SUM(CASE WHEN own.place > other.place THEN 1 ELSE 0 END),
           SUM(other.total - own.total)
      FROM scoring_seat own
      JOIN scoring_seat other ON other.game_id = own.game_id AND other.player_id <> own.player_id
      {games}
     WHERE own.player_id = %s AND own.total IS NOT NULL {season}
  GROUP BY other.player_id
"""


def head_to_head(player: Player, season: Season | None = None) -> list[Meeting]:
    """Give everybody a player met at a table, most games first: read from two indexes, and kept nowhere."""
    games, where = ("JOIN scoring_game game ON game.id = own.game_id", "AND game.season_id = %s") if season else ("", "")
    parameters = [player.pk, season.pk] if season else [player.pk]
    with connection.cursor() as cursor:
        cursor.execute(_MEETINGS.format(games=games, season=where), parameters)
        rows = cursor.fetchall()
    people = Player.objects.in_bulk([row[0] for row in rows])
    met = [Meeting(people[pk], count, int(ahead), int(behind), int(points)) for pk, count, ahead, behind, points in rows]
    return sorted(met, key=lambda meeting: (-meeting.games, meeting.player.name_key, meeting.player.pk))


def nemesis(meetings: Sequence[Meeting]) -> Meeting | None:
    """Find who most often finishes ahead: of at least three shared games more than half."""
    known = [meeting for meeting in meetings if meeting.games >= NEMESIS_GAMES and 2 * meeting.behind > meeting.games]
    return max(
        known, key=lambda meeting: (Fraction(meeting.behind, meeting.games), meeting.games, -meeting.player.pk), default=None
    )


# ---------------------------------------------------------------------------------------------------------------------
# A league


@dataclass(frozen=True)
class Record:
    """The best or the worst there was, and whose it is."""

    player: Player
    value: int
    game: Game | None = None


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

    @property
    def hands(self) -> HandFigures:
        return together(self.contracts)


def of_league(league: League, season: Season | None, most: int = 60) -> LeagueFigures:
    """Work out a league's numbers; of the people those with the most games, at most so many."""
    seasons = {"season": season} if season else {"season__league": league}
    lines = PlayerHand.objects.filter(**seasons)
    games = Game.objects.filter(status=Game.Status.FINISHED, **({"season": season} if season else {"league": league})).count()
    standing = PlayerSeason.objects.filter(**seasons)
    played = list(
        standing.order_by()
        .values_list("player")
        .annotate(n=Sum("games"), n_wins=Sum("wins"), n_out=Sum("hands_out"))
        .order_by("-n", "player")
    )
    shown = [row[0] for row in played[:most]]
    rows = lines.filter(player__in=shown).order_by().values("player").annotate(**_ALIASED)
    figures = {row["player"]: _figures(row) for row in rows}
    people = Player.objects.in_bulk(shown)
    found = LeagueFigures(
        games=games,
        contracts=by_contract(lines),
        people=[(people[pk], count, figures.get(pk, HandFigures())) for pk, count, _wins, _out in played[:most]],
    )
    if played:
        _add_records(found, standing, lines, played)
    return found


def _add_records(
    found: LeagueFigures,
    standing: QuerySet[PlayerSeason],
    lines: QuerySet[PlayerHand],
    played: Sequence[tuple[int, int, int, int]],
) -> None:
    low = standing.order_by("lowest", "season__starts", "player").select_related("player").first()
    high = standing.order_by("-highest", "season__starts", "player").select_related("player").first()
    assert low is not None
    assert high is not None
    found.lowest_game = Record(low.player, low.lowest, _game_of(low, low.lowest))
    found.highest_game = Record(high.player, high.highest, _game_of(high, high.highest))
    hand = (
        lines.order_by(F("highest").desc(nulls_last=True), "season__starts", "player", "number").select_related("player").first()
    )
    if hand is not None and hand.highest is not None:
        entry = _hand_of(hand.player, hand.season, hand.highest)
        found.highest_hand = Record(hand.player, hand.highest, entry.hand.game if entry else None)
    wins = max(played, key=lambda row: (row[2], -row[0]))
    out = max(played, key=lambda row: (row[3], -row[0]))
    people = Player.objects.in_bulk([wins[0], out[0]])
    found.most_wins = Record(people[wins[0]], wins[2]) if wins[2] else None
    found.most_out = Record(people[out[0]], out[3]) if out[3] else None


def _game_of(line: PlayerSeason, total: int) -> Game | None:
    seat = (
        Seat.objects.filter(credited=line.player_id, game__season=line.season_id, total=total)
        .select_related("game")
        .order_by("game__started_on", "game")
        .first()
    )
    return seat.game if seat else None


def progress_of(season: Season, players: Sequence[Player]) -> list[list[Fraction]]:
    """Give, for each player, the mean total after each of their games of the season: one query."""
    totals: dict[int, list[int]] = {player.pk: [] for player in players}
    rows = (
        Seat.objects.filter(credited__in=totals, game__season=season, total__isnull=False)
        .order_by("game__started_on", "game")
        .values_list("credited", "total")
    )
    for player, total in rows:
        assert player is not None
        assert total is not None
        totals[player].append(total)
    return [running_means(totals[player.pk]) for player in players]
