"""What ``scoring.record`` writes for a league: its seasons, and what their policies add to an action at a table."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from continental.rules import money
from players.models import League, Player
from scoring.models import Game, Season
from scoring.policies import Policies
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
        if policies.late_joiners == "refused" and any(hand.closed for hand in state.hands):
            raise Refused("late-refused", season=game.season.name)
    if kind == "role" and known.get("role") == "substitute":
        _must_be_of_the_league(game, known.get("stands_for"))
    return known


def _must_be_of_the_league(game: Game, pk: object) -> None:
    number = int(pk) if isinstance(pk, int | str) and str(pk).isascii() and str(pk).isdecimal() and len(str(pk)) < 18 else 0
    if not Player.objects.filter(pk=number, league=game.league_id).exists():
        raise Refused("player-unknown")


# ---------------------------------------------------------------------------------------------------------------------
# Columns of the projection that a league reads


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
