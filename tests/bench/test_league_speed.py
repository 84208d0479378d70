"""What a large league costs: tables and statistics read, hands saved, old games corrected, with and without the lines kept.

``make bench`` runs it small; ``BENCH_GAMES=100000 make bench`` at full size. All ratios are taken in one run.
"""

import gc
import os
from collections.abc import Callable, Iterator
from itertools import cycle, islice, product
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.db.models import Count, Max, Min, Q, Sum
from django.test import Client
from django.urls import reverse
from openskill.models import BradleyTerryFull

from continental.start import settle
from players.models import Membership
from scoring import bradley_terry, figures, ratings, record, tallies
from scoring.models import Game, PlayerHand, SeasonHand, Seat
from scoring.record import By
from tests.bench.leagues import SAMPLE, SEATS, BigLeague, make
from tests.factories import UserFactory

pytestmark = pytest.mark.bench

GAMES = int(os.environ.get("BENCH_GAMES", "3000"))


@pytest.fixture(scope="module")
def big(django_db_setup: None, django_db_blocker: Any) -> Iterator[BigLeague]:
    with django_db_blocker.unblock():
        started = perf_counter()
        league = make(GAMES)
        print(f"\n{GAMES} games, {len(league.players)} players, written in {perf_counter() - started:.0f} s")
        settle()  # as a server does before its first page
        yield league
        gc.unfreeze()
        call_command("flush", interactive=False, verbosity=0)


@pytest.fixture(scope="module")
def client(big: BigLeague, django_db_blocker: Any) -> Client:
    with django_db_blocker.unblock():
        user = UserFactory.create()
        Membership.objects.create(user=user, league=big.league, role="owner")
        visitor = Client()
        visitor.force_login(user)
        return visitor


def times(what: Callable[[], object], repeat: int) -> list[float]:
    """Take the time of each run in milliseconds, after one that does not count."""
    what()
    taken = []
    for _run in range(repeat):
        started = perf_counter()
        what()
        taken.append(1000 * (perf_counter() - started))
    return sorted(taken)


def say(what: str, taken: list[float]) -> None:
    print(f"{what}: median {median(taken):.1f} ms, p99 {taken[int(len(taken) * 0.99) - 1 if len(taken) >= 100 else -1]:.1f} ms")


def fetch(client: Client, path: str) -> Callable[[], object]:
    def get() -> object:
        answer = client.get(path)
        assert answer.status_code == 200
        return answer

    return get


def test_the_table_of_all_seasons_against_the_plain_aggregate(big: BigLeague, client: Client, db: None) -> None:
    page = times(fetch(client, reverse("scoring:all-time", args=[big.league.slug])), 40)

    def aggregate() -> object:
        counted = Seat.objects.filter(game__league=big.league, game__status=Game.Status.FINISHED)
        sums = counted.values("player").annotate(
            Count("pk"),
            Sum("total"),
            Sum("place"),
            Sum("hands_out"),
            Min("total"),
            Max("total"),
            wins=Count("pk", filter=Q(place=1)),
        )
        return list(sums.order_by())

    plain = times(aggregate, 5)
    say("all seasons, page", page)
    say("all seasons, plain aggregate alone", plain)
    print(f"ratio {median(plain) / median(page):.1f}")


REQUESTS = 120
"""Of each kind of page, so that a p99 is one of them."""


def addresses(big: BigLeague) -> dict[str, list[str]]:
    """Give addresses of each kind of page: of all seasons, of many players, from the top of a table to its end."""
    slug, random = big.league.slug, Random(6)
    players = random.sample(big.players, min(REQUESTS, len(big.players)))
    tables = [reverse("scoring:season", args=[slug, season.pk]) for season in big.seasons]
    own = [reverse("scoring:player", args=[slug, player.pk]) for player in players]
    league, all_time = reverse("scoring:statistics", args=[slug]), reverse("scoring:all-time", args=[slug])
    return {
        "the table of all seasons": [f"{all_time}?from={first}" for first in range(0, len(big.players), 100)],
        "a season's table": [f"{table}?from={first}" for first in (0, 50, 500) for table in tables],
        "a player in all seasons": own,
        "a player in one season": [f"{path}?season={random.choice(big.seasons).pk}" for path in own],
        "statistics of one season": [f"{league}?season={season.pk}" for season in big.seasons],
        "statistics of all seasons": [league],
    }


def test_pages_of_statistics(big: BigLeague, client: Client, db: None) -> None:
    for name, paths in addresses(big).items():
        fetch(client, paths[-1])()
        taken, worked = [], []
        for path in islice(cycle(paths), REQUESTS):
            started, working = perf_counter(), process_time()
            fetch(client, path)()
            taken.append(1000 * (perf_counter() - started))
            worked.append(1000 * (process_time() - working))
        say(f"{name}, {len(paths)} addresses", sorted(taken))
        say(f"{name}, at work in this process", sorted(worked))


def test_questions_behind_the_pages(big: BigLeague, db: None) -> None:
    player, season = big.players[0], big.seasons[-1]
    say("head to head", times(lambda: figures.meetings(player), 40))
    say("means by contract of a player", times(lambda: figures.by_contract(PlayerHand.objects.filter(player=player)), 40))
    say("means by contract of a season", times(lambda: figures.by_contract(SeasonHand.objects.filter(season=season)), 20))


def test_saving_with_and_without_the_lines(big: BigLeague, db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game is finished both ways, and neither is kept but the last: the ratio is that of the same work on the same rows."""
    taken: dict[str, list[float]] = {"with": [], "without": []}
    for pk, how in product(big.unfinished, ("with", "without", "without", "with")):
        with monkeypatch.context() as patch:
            if how == "without":
                patch.setattr(tallies, "given", lambda game, rows: tallies.NOTHING)
            taken[how].append(_finish(pk, keep=False))
    say("finishing a game without the lines", sorted(taken["without"]))
    say("finishing a game with the lines", sorted(taken["with"]))
    print(f"ratio {median(taken['with']) / median(taken['without']):.2f}")
    for pk in big.unfinished:
        _finish(pk, keep=True)
    assert Game.objects.filter(pk__in=big.unfinished, status="finished").count() == SAMPLE // 2


def _finish(pk: int, *, keep: bool) -> float:
    """Finish a game; give the milliseconds that it took."""
    with transaction.atomic():
        started = perf_counter()
        record.apply(pk, "close", {"hand": 7}, By(), client_id=f"close-{pk}", confirmed=True)
        taken = 1000 * (perf_counter() - started)
        transaction.set_rollback(not keep)
    return taken


def test_correcting_an_old_game(big: BigLeague, db: None) -> None:
    ratings.switch(big.league, on=True)
    ratings.refresh(big.league)
    taken = []
    for pk in big.old:
        started = perf_counter()
        data = {"hand": 2, "seat": 1, "kind": "points", "points": "33", "agreed": list(range(SEATS))}
        record.apply(pk, "count", data, By(), client_id=f"correct-{pk}", reason="read again")
        taken.append(1000 * (perf_counter() - started))
    say("correcting a game of the first season", sorted(taken))


def test_replaying_the_ratings(big: BigLeague, db: None) -> None:
    """All of them, as after a correction of the first game; and those since the last mark, as after the last game."""
    ratings.switch(big.league, on=True)
    for what, day in (("all", None), ("since the last mark", big.seasons[-1].ends)):
        if day is not None:
            tallies.mark_stale(big.league.pk, day)
        started, working = perf_counter(), process_time()
        ratings.refresh(big.league)
        took, worked = perf_counter() - started, process_time() - working
        print(f"ratings of {GAMES} games, {what}: {took:.2f} s, {worked:.2f} s of them at work")


def test_rating_a_game_against_the_library() -> None:
    """The same games rated by the library and in plain numbers."""
    random = Random(1)
    games = [([random.uniform(15, 35) for _seat in range(SEATS)], random.sample(range(1, SEATS + 1), SEATS)) for _ in range(300)]
    model = BradleyTerryFull()

    def library() -> None:
        for means, places in games:
            model.rate([[model.rating(mu=mean)] for mean in means], ranks=[float(place) for place in places])

    def plain() -> None:
        for means, places in games:
            bradley_terry.rate(means, [bradley_terry.VARIANCE] * SEATS, places)

    print(f"ratio {median(times(library, 20)) / median(times(plain, 20)):.1f}")
