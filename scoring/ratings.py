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
from functools import partial
from itertools import chain, groupby
from math import sqrt
from operator import itemgetter
from struct import Struct
from typing import Final

from django.db import connection, transaction
from django.db.models import Sum
from django.utils import timezone

from players.locks import hold
from players.models import League
from scoring import bradley_terry, upserts
from scoring.models import Game, Rating, RatingBook, RatingMark, SeasonSize

AT_ONCE: Final = 3000
"""Games up to which a replay is quick enough (well under 200 ms) to be done while a page waits."""
MARK_EVERY: Final = 2500
"""Games between two marks; whoever played last is rated at once in a league of any length."""
_AT_A_TIME: Final = 5000
"""Rows that are read together."""

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


_ROW: Final = Struct("<qddi")


def packed(standing: Standing) -> bytes:
    """Write a standing as a mark keeps it: some ten thousand exact numbers, which as words would take longer than the games."""
    return b"".join(_ROW.pack(player, *rating) for player, rating in standing.items())


def unpacked(kept: bytes | memoryview) -> Standing:
    """Read what :func:`packed` wrote."""
    return {player: (mean, variance, games) for player, mean, variance, games in _ROW.iter_unpack(kept)}


def switch(league: League, *, on: bool) -> RatingBook:
    """Let a league rate its players, or stop."""
    book, _made = RatingBook.objects.update_or_create(league=league, defaults={"on": on, "stale": True, "changed_on": None})
    if not on:
        book.ratings.all().delete()
        book.marks.all().delete()
    return book


def replay(league: League, start: RatingMark | None = None) -> Replay:
    """Rate the players over the counted games of the league, the oldest first: all of them, or those from a mark on."""
    standing = unpacked(start.standing) if start else {}
    marks: dict[date, Standing] = {}
    fresh = (bradley_terry.MEAN, bradley_terry.VARIANCE, 0)
    since = 0
    for day, tables in groupby(_tables(league, start.day if start else date.min), key=itemgetter(0)):
        if since >= MARK_EVERY:
            marks[day], since = dict(standing), 0
        for _day, players, places in tables:
            known = [standing.get(player, fresh) for player in players]
            means, variances = bradley_terry.rate([one[0] for one in known], [one[1] for one in known], places)
            for player, mean, variance, (_mean, _variance, before) in zip(players, means, variances, known, strict=True):
                standing[player] = (mean, variance, before + 1)
            since += 1
    return Replay(standing, marks)


_SEATS: Final = """
    SELECT game.id, seat.player_id, seat.place
      FROM scoring_game game
      JOIN scoring_seat seat ON seat.game_id = game.id
     WHERE game.league_id = %s AND game.started_on >= %s AND seat.place IS NOT NULL
  ORDER BY game.id, seat.player_id
"""


def _tables(league: League, since: date) -> Iterator[tuple[date, tuple[int, ...], tuple[int, ...]]]:
    """Give each counted game as its day, players and places, in an order that no seat decides.

    Only who sat at a counted game has a place. Seats come by the keys of their games, as an index has them: a database takes
    longer to sort half a million by day than it takes to rate them. Few wait for their turn: most games were begun in the order
    of their days.
    """
    games = Game.objects.filter(league=league, started_on__gte=since).order_by("started_on", "pk")
    waiting: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}
    read = 0
    with connection.chunked_cursor() as cursor:
        cursor.execute(_SEATS, [league.pk, since])
        rows = chain.from_iterable(iter(partial(cursor.fetchmany, _AT_A_TIME), []))
        tables = groupby(rows, key=itemgetter(0))
        for game, day in games.values_list("pk", "started_on").iterator(_AT_A_TIME):
            while read < game:
                read, table = next(tables, (game, ()))
                _games, players, places = zip(*table, strict=True) if table else ((), (), ())
                waiting[read] = (players, places)
            players, places = waiting.pop(game, ((), ()))
            if len(players) > 1:
                yield day, players, places


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
    stood = {player: rating for player, *rating in held.ratings.values_list("player", "mu", "sigma", "games")}
    rated = {player: [one.mu, one.sigma, one.games] for player, one in found.rated.items()}
    held.ratings.filter(player__in=stood.keys() - rated.keys()).delete()
    moved = ((held.pk, player, *rating) for player, rating in rated.items() if stood.get(player) != rating)
    upserts.keep(Rating, ["book", "player"], ["mu", "sigma", "games"], moved)
    RatingMark.objects.bulk_create(RatingMark(book=held, day=day, standing=packed(one)) for day, one in found.marks.items())
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
