"""Ratings of a league's players, replayed over its history from the first game that changed.

The model is Bradley-Terry with full pairing: with a tie for the first place other models rate the third above both winners.
A change only marks the ratings as stale, so that no correction waits for them. They are replayed when somebody next looks: at
once where that is quick, as after the last game of an evening, beside the request where it is not, and then the page says that
they are being worked out. Marks along the way keep how the ratings stood, so that a replay need not begin at the first game.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from math import sqrt
from operator import itemgetter
from typing import Final

from django.db import connection, transaction
from django.db.models import CharField, Sum
from django.db.models.functions import Cast
from django.utils import timezone

from players.locks import hold
from players.models import League
from scoring import bradley_terry
from scoring.models import Game, Rating, RatingBook, RatingMark, SeasonSize, Seat

AT_ONCE: Final = 3000
"""Games up to which a replay is quick enough (well under 200 ms) to be done while a page waits."""
MARK_EVERY: Final = 2500
"""Games between two marks; whoever played last is rated at once in a league of any length."""

Standing = dict[int, tuple[float, float, int]]
"""Each player's mean, variance and number of games."""


@dataclass
class Rated:
    """One player's rating: the mean of what it may be, how unsure it is, and from how many games."""

    mu: float
    sigma: float
    games: int = 0


@dataclass
class Replay:
    """The ratings after the last game, and the marks made on the way: the standing before the games of a day."""

    standing: Standing
    marks: dict[date, Standing]

    @property
    def rated(self) -> dict[int, Rated]:
        return {player: Rated(mean, sqrt(variance), games) for player, (mean, variance, games) in self.standing.items()}


def switch(league: League, *, on: bool) -> RatingBook:
    """Let a league rate its players, or stop."""
    book, _made = RatingBook.objects.update_or_create(league=league, defaults={"on": on, "stale": True, "changed_on": None})
    if not on:
        book.ratings.all().delete()
        book.marks.all().delete()
    return book


def replay(league: League, start: RatingMark | None = None) -> Replay:
    """Rate the players over the counted games of the league, the oldest first: all of them, or those from a mark on."""
    standing: Standing = {player: (mean, variance, games) for player, mean, variance, games in start.standing} if start else {}
    marks: dict[date, Standing] = {}
    fresh = (bradley_terry.MEAN, bradley_terry.VARIANCE, 0)
    since = 0
    for day, tables in groupby(_tables(league, start.day if start else None), key=itemgetter(0)):
        if since >= MARK_EVERY:
            marks[date.fromisoformat(day)], since = dict(standing), 0
        for _day, players, places in tables:
            known = [standing.get(player, fresh) for player in players]
            means, variances = bradley_terry.rate([one[0] for one in known], [one[1] for one in known], places)
            for player, mean, variance, (_mean, _variance, before) in zip(players, means, variances, known, strict=True):
                standing[player] = (mean, variance, before + 1)
            since += 1
    return Replay(standing, marks)


def _tables(league: League, since: date | None) -> Iterator[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    """Give each counted game as its day, players and places, in an order that no seat decides.

    Only who sat at a counted game has a place. Days are left as the database writes them: few of half a million are asked for.
    """
    seats = Seat.objects.filter(game__league=league, place__isnull=False)
    if since is not None:
        seats = seats.filter(game__started_on__gte=since)
    rows = seats.order_by("game__started_on", "game", "player").annotate(day=Cast("game__started_on", CharField()))
    found = rows.values_list("day", "game", "player", "place").iterator(chunk_size=5000)
    for _game, table in groupby(found, key=itemgetter(1)):
        days, _games, players, places = zip(*table, strict=True)
        if len(players) > 1:
            yield days[0], players, places


def refresh(league: League) -> RatingBook | None:
    """Replay the ratings of a league from the first game that changed; give its book, or ``None`` where it does not rate."""
    book = RatingBook.objects.filter(league=league, on=True).first()
    if book is None or not book.stale:
        return book
    start = _begin(book)
    try:
        found = replay(league, start)
    except Exception:
        RatingBook.objects.filter(pk=book.pk).update(stale=True, changed_on=None)
        raise
    return _keep(book, found)


@transaction.atomic
def _begin(book: RatingBook) -> RatingMark | None:
    """Take the mark of staleness off, before anything is read: a game that changes during the replay puts it on again.

    Later marks are void from here on, so that a second replay meanwhile does not build on them.
    """
    held = hold(RatingBook.objects.all()).get(pk=book.pk)
    marks = held.marks.all() if held.changed_on is None else held.marks.filter(day__gt=held.changed_on)
    marks.delete()
    held.stale, held.changed_on, held.run = False, None, held.run + 1
    held.save(update_fields=["stale", "changed_on", "run"])
    book.run = held.run
    return held.marks.last()


@transaction.atomic
def _keep(book: RatingBook, found: Replay) -> RatingBook:
    """Keep what a replay came to, unless a later one has begun meanwhile: that one has read newer games."""
    held = hold(RatingBook.objects.all()).get(pk=book.pk)
    if held.run != book.run or not held.on:
        return held
    stood = {row[0]: row[1:] for row in held.ratings.values_list("player", "mu", "sigma", "games")}
    rated = found.rated
    held.ratings.filter(player__in=stood.keys() - rated.keys()).delete()
    Rating.objects.bulk_create(
        [
            Rating(book=held, player_id=player, mu=one.mu, sigma=one.sigma, games=one.games)
            for player, one in rated.items()
            if stood.get(player) != (one.mu, one.sigma, one.games)
        ],
        update_conflicts=True,
        unique_fields=["book", "player"],
        update_fields=["mu", "sigma", "games"],
    )
    RatingMark.objects.bulk_create(
        RatingMark(book=held, day=day, standing=[(player, *one) for player, one in standing.items()])
        for day, standing in found.marks.items()
    )
    held.games = _count(held.league)
    held.computed_at = timezone.now()
    held.save(update_fields=["games", "computed_at"])
    return held


def _count(league: League, since: date | None = None) -> int:
    if since is None:
        return SeasonSize.objects.filter(season__league=league).aggregate(games=Sum("games"))["games"] or 0
    return Game.objects.filter(league=league, status=Game.Status.FINISHED, started_on__gte=since).count()


_WORKING: Final[set[int]] = set()
_LOCK: Final = threading.Lock()


def look(league: League) -> RatingBook | None:
    """Give a league's ratings for a page: fresh where that is quick; else as they were, while a thread replays them."""
    book = RatingBook.objects.filter(league=league, on=True).first()
    if book is None or not book.stale:
        return book
    if _count(league, _first_day(book)) <= AT_ONCE:
        return refresh(league)
    with _LOCK:
        if league.pk in _WORKING:
            return book
        _WORKING.add(league.pk)
    threading.Thread(target=_beside, args=[league], name=f"ratings-{league.pk}", daemon=True).start()
    return book


def _first_day(book: RatingBook) -> date | None:
    """Give the day that a replay would begin with; ``None`` for the first day of all."""
    if book.changed_on is None:
        return None
    return book.marks.filter(day__lte=book.changed_on).values_list("day", flat=True).last()


def _beside(league: League) -> None:
    try:
        refresh(league)
    finally:
        with _LOCK:
            _WORKING.discard(league.pk)
        connection.close()
