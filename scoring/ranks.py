"""Ranks asked of the database, where a page needs a few of them and not the whole table. They are exact."""

from collections.abc import Callable, Sequence
from typing import Final

from django.db.models import BigIntegerField, Count, F, FloatField, Q, QuerySet, Window
from django.db.models.expressions import Combinable
from django.db.models.functions import Cast, Rank
from django.db.models.lookups import Exact, LessThan

from continental.rules.standing_methods import Terms
from scoring.models import PlayerSeason, PlayerTotal

Keys = list[tuple[Combinable, int]]


def _whole(name: str) -> Cast:
    return Cast(F(name), BigIntegerField())


def _keys(own: PlayerSeason, terms: Terms, *, lowest_wins: bool) -> Keys:
    """Give what orders a season's table, the first first, each beside one player's own: the smaller stands above.

    Fractions are laid on a common denominator with the player's own, so that whole numbers are compared.
    """
    value_sign = 1 if terms.less_is_better(lowest_wins=lowest_wins) else -1
    sign = 1 if lowest_wins else -1
    best = "lowest" if lowest_wins else "highest"
    breaks: dict[str, Callable[[], tuple[Combinable, int]]] = {
        "mean-total": lambda: (sign * (_whole("total") * own.games - _whole("games") * own.total), 0),
        "mean-place": lambda: (_whole("places") * own.games - _whole("games") * own.places, 0),
        "wins": lambda: (-1 * _whole("wins"), -own.wins),
        "best": lambda: (sign * _whole(best), sign * getattr(own, best)),
        "hands-out": lambda: (-1 * _whole("hands_out"), -own.hands_out),
    }
    value = value_sign * (_whole("value_over") * own.value_under - _whole("value_under") * own.value_over)
    return [(value, 0), *(breaks[name]() for name in terms.tie_breaks)]


def _above(keys: Keys) -> Q:
    (key, own), *rest = keys
    less = Q(LessThan(key, own))
    return less | (Q(Exact(key, own)) & _above(rest)) if rest else less


def above(owns: Sequence[PlayerSeason], games: dict[int, int]) -> dict[int, int]:
    """Count, for each line of a player's seasons, how many of those with a place stand above: one query.

    Args:
        games: counted games by season.
    """
    better = Q()
    for own in owns:
        terms, lowest_wins = Terms.read(own.season.terms), own.season.lowest_wins is not False
        placed = Q(season=own.season_id, games__gte=terms.needed(games.get(own.season_id, 0)))
        better |= placed & _above(_keys(own, terms, lowest_wins=lowest_wins))
    if not better:
        return {}
    return dict(PlayerSeason.objects.filter(better).order_by().values_list("season").annotate(Count("pk")))


_RATIO: Final = FloatField()


def ranked_totals(totals: QuerySet[PlayerTotal], *, lowest_wins: bool) -> QuerySet[PlayerTotal]:
    """Order a league's totals by the mean total and its tie-breaks, each with its rank.

    Quotients of whole numbers below 2**26 are equal as doubles only if they are equal: the database may divide here.
    """
    sign = 1 if lowest_wins else -1
    order = [
        (sign * Cast(F("total"), _RATIO) / F("games")).asc(),
        (Cast(F("places"), _RATIO) / F("games")).asc(),
        F("wins").desc(),
        F("lowest").asc() if lowest_wins else F("highest").desc(),
        F("hands_out").desc(),
    ]
    return totals.annotate(rank=Window(Rank(), order_by=order)).order_by("rank", "player__name_key", "player")
