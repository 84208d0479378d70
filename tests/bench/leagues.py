"""A league as large as one likes, seeded and written straight into the tables: ten seasons of games of six at seven hands.

At full size (``BENCH_GAMES=100000``) it has 2,000 players and 4.2 million entries. Logs of events are written for a sample of
games only, those that are corrected or finished while time is taken; the rows of all others are what their logs would give.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from itertools import accumulate, islice
from random import Random
from typing import Any

from django.db import connection
from django.utils import timezone

from players.models import League, Player
from scoring import record, tallies
from scoring.models import Game, RuleSheet, Season
from scoring.record import By

SEATS, HANDS, SEASONS = 6, 7, 10
SAMPLE = 40
"""Games with a log: half of the first season, to be corrected, half of the last, to be finished."""

_CONTRACTS = ("2S", "1S 1R", "2R", "3S", "2S 1R", "1S 2R", "3R")


@dataclass(frozen=True)
class BigLeague:
    """What the generator made."""

    league: League
    players: list[Player]
    seasons: list[Season]
    old: list[int]
    """Finished games of the first season that have a log."""
    unfinished: list[int]
    """Games of the last season that lack the last close alone."""


def write(table: str, columns: Sequence[str], rows: Iterator[tuple[Any, ...]]) -> None:
    """Write rows by the quickest way the database has."""
    names = ", ".join(f'"{name}"' for name in columns)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT MAX(id) FROM {table}))")
        else:
            # The rows are made to fit: looking up what each of them refers to would take longer than writing it.
            cursor.execute("PRAGMA foreign_keys = OFF")
            cursor.execute("PRAGMA ignore_check_constraints = ON")
            cursor.execute("PRAGMA synchronous = OFF")
            marks = ", ".join(["%s"] * len(columns))
            while chunk := list(islice(rows, 50_000)):
                cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", chunk)
            cursor.execute("PRAGMA foreign_keys = ON")
            cursor.execute("PRAGMA ignore_check_constraints = OFF")


@dataclass(frozen=True)
class _Plan:
    """One game before it is written: its keys, who sits, and the points by hand and seat."""

    pk: int
    season: int
    day: date
    players: list[int]
    points: list[list[int]]

    @cached_property
    def totals(self) -> list[int]:
        return [sum(points) for points in zip(*self.points, strict=True)]

    def place(self, seat: int) -> int:
        return 1 + sum(other < self.totals[seat] for other in self.totals)


def make(games: int, seed: int = 20_261_130) -> BigLeague:
    """Make a league of so many games, with a fiftieth as many players and their maintained lines."""
    random = Random(seed)
    league = League.objects.create(name="The large league", timezone="UTC")
    players = Player.objects.bulk_create(Player(league=league, name=f"Player {number}") for number in range(max(12, games // 50)))
    sheet = record.sheet_for(league, "house", By())
    seasons = [
        Season.objects.create(
            league=league, name=str(2016 + at), starts=date(2016 + at, 1, 1), ends=date(2016 + at, 12, 31), lowest_wins=True
        )
        for at in range(SEASONS)
    ]
    keys = [player.pk for player in players]
    plans = [_plan(random, at, games, keys, seasons) for at in range(games)]
    logged = [*plans[: SAMPLE // 2], *plans[-SAMPLE // 2 :]]
    unfinished = {plan.pk for plan in plans[-SAMPLE // 2 :]}
    _write_games(league, sheet, plans, unfinished)
    _write_events(logged, unfinished)
    _analyze()
    for season in seasons:
        tallies.recount_season(season)
    for plan in logged:
        record.rebuild(plan.pk)
    _analyze()
    return BigLeague(league, list(players), seasons, [plan.pk for plan in plans[: SAMPLE // 2]], sorted(unfinished))


def _analyze() -> None:
    """Let the database look at what lies in its tables, as it does by itself within a minute or so."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _plan(random: Random, at: int, games: int, players: list[int], seasons: list[Season]) -> _Plan:
    season = seasons[at * SEASONS // games]
    day = season.starts + timedelta(days=(at * SEASONS * 364 // games) % 364)
    points = [[random.choice((5, 10, 15, 25, 35, 40, 55, 70, 90)) for _seat in range(SEATS)] for _hand in range(HANDS)]
    for hand in points:
        hand[random.randrange(SEATS)] = 0
    return _Plan(at + 1, season.pk, day, random.sample(players, SEATS), points)


def _write_games(league: League, sheet: RuleSheet, plans: list[_Plan], unfinished: set[int]) -> None:
    now = timezone.now()
    write(
        "scoring_game",
        (
            "id",
            "league_id",
            "season_id",
            "sheet_id",
            "started_on",
            "created_at",
            "decks",
            "jokers",
            "status",
            "rev",
            "hand_number",
            "ended_on",
        ),
        ((plan.pk, league.pk, plan.season, sheet.pk, plan.day, now, 3, 3, *_standing(plan, unfinished)) for plan in plans),
    )
    write(
        "scoring_seat",
        (
            "id",
            "game_id",
            "number",
            "player_id",
            "season_id",
            "away",
            "running",
            "total",
            "how",
            "place",
            "sharing",
            "table_size",
            "after_dealer",
            "role",
            "credited_id",
            "hands_out",
            "by_dealer",
            "behind",
            "behind_after",
        ),
        (row for plan in plans for row in _seats(plan, done=plan.pk not in unfinished)),
    )
    write(
        "scoring_hand",
        ("id", "game_id", "number", "dealer", "contract", "attempt", "stock_turned", "opened", "turns", "buys", "closed"),
        (
            (plan.pk * HANDS + at, plan.pk, at + 1, at % SEATS, _CONTRACTS[at], 1, 0, "[]", 0, "[]", True)
            for plan in plans
            for at in range(HANDS)
        ),
    )
    write(
        "scoring_entry",
        ("id", "hand_id", "seat_id", "kind", "cards", "parts", "missing", "points", "posted", "how", "rev", "amended", "state"),
        (
            (
                (plan.pk * HANDS + at) * SEATS + seat,
                plan.pk * HANDS + at,
                plan.pk * SEATS + seat,
                "out" if points == 0 else "points",
                "",
                "" if points == 0 else str(points),
                0,
                points,
                points,
                "given",
                1,
                False,
                "entered",
            )
            for plan in plans
            for at, hand in enumerate(plan.points)
            for seat, points in enumerate(hand)
        ),
    )


def _standing(plan: _Plan, unfinished: set[int]) -> tuple[Any, ...]:
    events = 1 + HANDS * (SEATS + 1)
    if plan.pk in unfinished:
        return ("playing", events - 1, HANDS, None)
    return ("finished", events, HANDS, plan.day)


def _seats(plan: _Plan, *, done: bool) -> Iterator[tuple[Any, ...]]:
    totals = plan.totals
    places = [plan.place(seat) for seat in range(SEATS)]
    for seat, player in enumerate(plan.players):
        result = (totals[seat], "complete", places[seat], places.count(places[seat])) if done else (None, "", None, None)
        out = sum(hand[seat] == 0 for hand in plan.points)
        where = (plan.pk * SEATS + seat, plan.pk, seat, player, plan.season)
        yield (*where, False, totals[seat], *result, SEATS, seat, "player", player, out, *_figures(plan, seat, done=done))


def _figures(plan: _Plan, seat: int, *, done: bool) -> tuple[str, int, int]:
    """Give what a seat says of its hands: points by dealer, and from where the winner came back."""
    if not done:
        return "[]", 0, 0
    by_dealer = [[0, 0] for _distance in range(SEATS)]
    for at, hand in enumerate(plan.points):
        group = by_dealer[(seat - at) % SEATS]
        group[0] += hand[seat]
        group[1] += 1
    behind, after = 0, 0
    if plan.place(seat) == 1:
        sums = [list(accumulate(own)) for own in zip(*plan.points, strict=True)]
        moments = [(sums[seat][at] - min(own[at] for own in sums), -at - 1) for at in range(HANDS - 1)]
        behind, after = max(moments)
    return json.dumps(by_dealer), behind, -after if behind else 0


def _write_events(plans: list[_Plan], unfinished: set[int]) -> None:
    now = timezone.now()
    rows = []
    for plan in plans:
        log = list(_log(plan))
        log = log[:-1] if plan.pk in unfinished else log
        rows += [
            (plan.pk, rev, f"b-{plan.pk}-{rev}", kind, json.dumps(data), "", "", now) for rev, (kind, data) in enumerate(log, 1)
        ]
    numbered = ((at, *row) for at, row in enumerate(rows, start=1))
    write("scoring_event", ("id", "game_id", "rev", "client_id", "kind", "data", "reason", "device", "at"), numbered)


def _log(plan: _Plan) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "start", {"players": plan.players, "first_dealer": 0, "on": plan.day.isoformat(), "draw": []}
    for at, hand in enumerate(plan.points):
        for seat, points in enumerate(hand):
            what = {"kind": "out"} if points == 0 else {"kind": "points", "points": str(points)}
            yield "count", {"hand": at + 1, "seat": seat, **what}
        yield "close", {"hand": at + 1, "on": plan.day.isoformat()}


def game_of(pk: int) -> Game:
    """Read one of the generator's games."""
    return Game.objects.get(pk=pk)
