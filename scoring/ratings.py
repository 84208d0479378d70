"""Ratings of a league's players, replayed over its whole history whenever a game changed.

The model is Bradley-Terry with full pairing: with a tie for the first place other models rate the third above both winners.
A change only marks the ratings as stale, so that no correction waits for them. They are replayed when somebody next
looks: at once where that is quick, beside the request where it is not, and then the page says that they are being worked out.
"""

import threading
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from django.db import connection, transaction
from django.utils import timezone
from openskill.models import BradleyTerryFull

from players.locks import hold
from players.models import League
from scoring.models import Game, Rating, RatingBook, Seat

AT_ONCE: Final = 400
"""Games up to which a replay is quick enough (well under 200 ms) to be done while a page waits."""


@dataclass
class Rated:
    """One player's rating: the mean of what it may be, how unsure it is, and from how many games."""

    mu: float
    sigma: float
    games: int = 0


def switch(league: League, *, on: bool) -> RatingBook:
    """Let a league rate its players, or stop."""
    book, _made = RatingBook.objects.update_or_create(league=league, defaults={"on": on, "stale": True})
    if not on:
        book.ratings.all().delete()
    return book


def replay(league: League) -> dict[int, Rated]:
    """Rate all players over all counted games of the league, the oldest first."""
    model = BradleyTerryFull()
    fresh = model.rating()
    known: dict[int, Rated] = defaultdict(lambda: Rated(fresh.mu, fresh.sigma))
    for table in _tables(league):
        players = [player for player, _place in table]
        teams = [[model.rating(mu=known[player].mu, sigma=known[player].sigma)] for player in players]
        after = model.rate(teams, ranks=[float(place) for _player, place in table])
        for player, (rating,) in zip(players, after, strict=True):
            was = known[player]
            known[player] = Rated(rating.mu, rating.sigma, was.games + 1)
    return dict(known)


def _tables(league: League) -> Iterator[list[tuple[int, int]]]:
    """Give each counted game as its players with their places, in an order that no seat decides."""
    rows = (
        Seat.objects.filter(game__league=league, game__status=Game.Status.FINISHED, place__isnull=False)
        .order_by("game__started_on", "game", "player")
        .values_list("game", "player", "place")
    )
    for _game, seats in groupby(rows.iterator(chunk_size=5000), key=lambda row: row[0]):
        table = [(player, place) for _key, player, place in seats if place is not None]
        if len(table) > 1:
            yield table


def refresh(league: League) -> RatingBook | None:
    """Replay the ratings of a league if they are stale; give its book, or ``None`` where it does not rate."""
    book = RatingBook.objects.filter(league=league, on=True).first()
    if book is None or not book.stale:
        return book
    # The mark is taken off first: a game that changes during the replay puts it on again.
    RatingBook.objects.filter(pk=book.pk).update(stale=False)
    try:
        rated = replay(league)
    except Exception:
        RatingBook.objects.filter(pk=book.pk).update(stale=True)
        raise
    with transaction.atomic():
        book = hold(RatingBook.objects.all()).get(pk=book.pk)
        book.ratings.all().delete()
        Rating.objects.bulk_create(
            Rating(book=book, player_id=player, mu=one.mu, sigma=one.sigma, games=one.games) for player, one in rated.items()
        )
        book.games = _count(league)
        book.computed_at = timezone.now()
        book.save(update_fields=["games", "computed_at"])
    return book


def _count(league: League) -> int:
    return Game.objects.filter(league=league, status=Game.Status.FINISHED).count()


_WORKING: Final[set[int]] = set()
_LOCK: Final = threading.Lock()


def look(league: League) -> RatingBook | None:
    """Give a league's ratings for a page: fresh where that is quick; else as they were, while a thread replays them."""
    book = RatingBook.objects.filter(league=league, on=True).first()
    if book is None or not book.stale:
        return book
    if _count(league) <= AT_ONCE:
        return refresh(league)
    with _LOCK:
        if league.pk in _WORKING:
            return book
        _WORKING.add(league.pk)
    threading.Thread(target=_beside, args=[league], name=f"ratings-{league.pk}", daemon=True).start()
    return book


def _beside(league: League) -> None:
    try:
        refresh(league)
    finally:
        with _LOCK:
            _WORKING.discard(league.pk)
        connection.close()
