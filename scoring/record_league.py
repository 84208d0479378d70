"""What ``scoring.record`` writes for a league: its seasons, and what their policies add to an action at a table."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Max, Min
from django.utils import timezone

from continental.rules import money
from continental.rules.standing_methods import Terms
from players.locks import hold, hold_league
from players.models import League, Player, User
from players.names import MAX_NAME, clean_name
from scoring.entries import whole_number
from scoring.models import Game, Season
from scoring.policies import Policies
from scoring.season import snapshot_of
from scoring.state import EntryState, GameState, HandState, Refused

# ---------------------------------------------------------------------------------------------------------------------
# The season of a game


def season_on(league: League, day: date) -> Season:
    """Give the season that a game started on ``day`` belongs to.

    Where none covers the day, what its calendar year has left around the day becomes one, on the terms of the season before.
    """
    covering = league.seasons.filter(starts__lte=day, ends__gte=day).order_by("-starts", "-pk").first()
    if covering is not None:
        return covering
    before = league.seasons.filter(ends__lt=day).order_by("-ends").first()
    after = league.seasons.filter(starts__gt=day).order_by("starts").first()
    first, last = date(day.year, 1, 1), date(day.year, 12, 31)
    if before is not None and before.ends >= first:
        first = before.ends + timedelta(days=1)
    if after is not None and after.starts <= last:
        last = after.starts - timedelta(days=1)
    model = before or after
    return Season.objects.create(
        league=league,
        name=free_name(league, str(day.year)),
        starts=first,
        ends=last,
        terms=model.terms if model else {},
        policies=model.policies if model else {},
    )


def free_name(league: League, stem: str) -> str:
    """Give a name that no season of the league has: ``2026``, ``2026 (2)``."""
    taken = set(league.seasons.values_list("name", flat=True))
    names = (stem if number == 1 else f"{stem} ({number})" for number in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


def season_for(league: League, day: date, *, lowest_wins: bool) -> Season:
    """Give the season of a new game, which must be won the same way as the others of the season.

    Raises:
        Refused: the lowest total wins in one and the highest in the other, so that no table could hold both.
    """
    season = season_on(league, day)
    if season.lowest_wins is None:
        season.lowest_wins = lowest_wins
        season.save(update_fields=["lowest_wins"])
    elif season.lowest_wins != lowest_wins:
        raise Refused("season-direction", season=season.name)
    return season


# ---------------------------------------------------------------------------------------------------------------------
# Seasons that a league sets up


@dataclass(frozen=True, slots=True)
class SeasonPlan:
    """What is agreed of a season before its first game; after it only the name and the dates can change."""

    name: str
    starts: date
    ends: date
    terms: Terms
    policies: Policies


@transaction.atomic
def add_season(league: League, plan: SeasonPlan) -> Season:
    """Set up a season.

    Raises:
        Refused: dates that overlap another season's, or the wrong way round; a name that is taken or empty.
    """
    hold_league(league.pk)
    _must_fit(league, plan, None)
    return Season.objects.create(
        league=league,
        name=clean_name(plan.name),
        starts=plan.starts,
        ends=plan.ends,
        terms=plan.terms.data(),
        policies=plan.policies.data(),
    )


@transaction.atomic
def change_season(season: Season, plan: SeasonPlan) -> Season:
    """Change a season: all of it before its first game, its name and dates afterwards, nothing once it is closed.

    Raises:
        Refused: as for a new one; or the season is closed, its games would lie outside, or they were played on other terms.
    """
    hold_league(season.league_id)
    season = hold(Season.objects.all()).get(pk=season.pk)
    if season.closed_at is not None:
        raise Refused("season-closed", season=season.name)
    _must_fit(season.league, plan, season)
    games = season.games.aggregate(first=Min("started_on"), last=Max("started_on"))
    if games["first"] is not None:
        if plan.terms != Terms.read(season.terms) or plan.policies != Policies.read(season.policies):
            raise Refused("season-begun", season=season.name)
        if games["first"] < plan.starts or games["last"] > plan.ends:
            raise Refused("season-games-outside", first=games["first"].isoformat(), last=games["last"].isoformat())
    season.name, season.starts, season.ends = clean_name(plan.name), plan.starts, plan.ends
    season.terms, season.policies = plan.terms.data(), plan.policies.data()
    season.save()
    return season


def _must_fit(league: League, plan: SeasonPlan, but: Season | None) -> None:
    name = clean_name(plan.name)
    if not name or len(name) > MAX_NAME:
        raise Refused("season-name", most=MAX_NAME)
    if plan.ends < plan.starts:
        raise Refused("season-dates")
    others = league.seasons.all() if but is None else league.seasons.exclude(pk=but.pk)
    if others.filter(name=name).exists():
        raise Refused("season-name-taken", season=name)
    overlap = others.filter(starts__lte=plan.ends, ends__gte=plan.starts).order_by("starts").first()
    if overlap is not None:
        raise Refused("season-overlap", season=overlap.name, starts=overlap.starts.isoformat(), ends=overlap.ends.isoformat())


@transaction.atomic
def close_season(season: Season, user: User | None, on: date) -> Season:
    """Close a season: its table is kept as it stands. Closing it twice changes nothing.

    A season is closed from the day after its last one: until then a game may begin that belongs to it.

    Raises:
        Refused: its last day is not over yet, or games of it are being played.
    """
    season = hold(Season.objects.all()).get(pk=season.pk)
    if season.closed_at is not None:
        return season
    if on <= season.ends:
        raise Refused("season-not-over", season=season.name, ends=season.ends.isoformat())
    playing = season.games.filter(status=Game.Status.PLAYING).count()
    if playing:
        raise Refused("season-running", season=season.name, count=playing)
    season.closed_at, season.closed_by, season.snapshot = timezone.now(), user, snapshot_of(season)
    season.save(update_fields=["closed_at", "closed_by", "snapshot"])
    return season


# ---------------------------------------------------------------------------------------------------------------------
# What the season's policies and the league's list of players add to an action


def by_policy(game: Game, kind: str, data: Mapping[str, Any], state: GameState) -> dict[str, Any]:
    """Add to an action what the season's policies say, and check the people it names.

    Raises:
        Refused: a player of another league, or a late joiner where the season has none.
    """
    known = dict(data)
    policies = Policies.read(game.season.policies)
    if kind == "finish":
        known.pop("least_hands", None)
        if policies.least_hands is not None:
            known["least_hands"] = policies.least_hands
    if kind == "join":
        _must_be_of_the_league(game, known.get("player"))
        known["as_seat"] = len(state.players)
        known["catch_up"] = policies.catch_up
        if policies.late_joiners == "refused" and any(hand.closed for hand in state.hands):
            raise Refused("late-refused", season=game.season.name)
    if kind == "role" and known.get("role") == "substitute":
        _must_be_of_the_league(game, known.get("stands_for"))
    return known


def _must_be_of_the_league(game: Game, pk: object) -> None:
    number = whole_number(str(pk), 17)
    if number is None or not Player.objects.filter(pk=number, league=game.league_id).exists():
        raise Refused("player-unknown")


def has_lapsed(game: Game, today: date) -> bool:
    """Tell whether a suspended game was not resumed in its calendar year, so that it is void whoever looks (R-78)."""
    return game.status == Game.Status.SUSPENDED and game.started_on.year < today.year


# ---------------------------------------------------------------------------------------------------------------------
# Columns of the projection that a league reads


def scaling(state: GameState, policies: Policies) -> tuple[int, int]:
    """Give the hands from which and to which the season scales the totals of a game; 1 and 1 but for a short night."""
    if state.ended_early != "short":
        return 1, 1
    hands = None if state.rules.target is not None else len(state.rules.hands)
    return policies.scaling(sum(hand.closed for hand in state.hands), hands)


def purses(state: GameState) -> list[int | None]:
    """Give the pennies each seat won or lost in a game that is over; ``None`` where none are played for, or play goes on."""
    if not money.plays_for_money(state.rules) or state.status not in {"finished", "void"}:
        return [None] * len(state.players)
    return [purse.net for purse in settle(state)]


def settle(state: GameState) -> tuple[money.Purse, ...]:
    """Settle the pennies of a game as it stands: bought so far, and places once it is finished."""
    buys = [sum(hand.buys.count(seat) for hand in state.hands) for seat in state.seats]
    places = state.result.places if state.status == "finished" and state.result else None
    return money.settle(state.rules, buys, places)


def known_of(hand: HandState, seat: int, entry: EntryState) -> dict[str, Any]:
    """Tell what is known of one seat's hand beside its score: whether it went down, and how many jokers it was caught with."""
    opened = None
    if entry.kind != "absent" and hand.opened:
        opened = seat in hand.opened or entry.kind == "out"
    jokers = None
    if entry.kind in {"out", "cards"}:
        jokers = entry.cards.split().count("JK")
    return {"opened": opened, "jokers": jokers}
