"""Ranks asked of the database, where a page needs a few of them and not the whole table. They are exact."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.db import connection
from django.db.models import Case, F, FloatField, Q, QuerySet, When
from django.db.models.functions import Cast

from continental.rules.standing_methods import Terms
from scoring.models import PlayerSeason, PlayerTotal
from scoring.policies import Policies


class _Key(NamedTuple):
    """One thing that orders a table: an expression with its values, and what it is for the player; the smaller stands above."""

    expression: str
    values: tuple[int, ...]
    own: int


def _keys(own: PlayerSeason, terms: Terms, *, lowest_wins: bool) -> list[_Key]:
    """Give what orders a season's table, the first first, beside one player's own.

    Fractions are laid on a common denominator with the player's own, so that whole numbers are compared.
    """
    value_sign = 1 if terms.less_is_better(lowest_wins=lowest_wins) else -1
    sign = 1 if lowest_wins else -1
    best, own_best = ("lowest", own.lowest) if lowest_wins else ("highest", own.highest)
    # Parts of points are small, and their products may be more than 64 bits: PostgreSQL counts on, SQLite in doubles.
    wide = "NUMERIC" if Policies.read(own.season.policies).short_nights == "scaled" else "BIGINT"
    breaks = {
        "mean-total": _Key(
            f"{sign} * (CAST(total AS {wide}) * %s - CAST(games AS {wide}) * parts * %s)", (own.games * own.parts, own.total), 0
        ),
        "mean-place": _Key("CAST(places AS BIGINT) * %s - games * %s", (own.games, own.places), 0),
        "wins": _Key("-wins", (), -own.wins),
        "best": _Key(f"{sign} * (CAST({best} AS {wide}) * %s - parts * %s)", (own.parts, own_best), 0),
        "hands-out": _Key("-hands_out", (), -own.hands_out),
    }
    over, under = f"CAST(value_over AS {wide})", f"CAST(value_under AS {wide})"
    value = _Key(f"{value_sign} * ({over} * %s - {under} * %s)", (own.value_under, own.value_over), 0)
    return [value, *(breaks[name] for name in terms.tie_breaks)]


def _above(keys: Sequence[_Key]) -> tuple[str, list[int]]:
    """Give the condition of standing above, with its values."""
    (expression, values, own), *rest = keys
    less, known = f"{expression} < %s", [*values, own]
    if not rest:
        return less, known
    then, others = _above(rest)
    return f"({less} OR ({expression} = %s AND {then}))", [*known, *known, *others]


def above(owns: Sequence[PlayerSeason], games: dict[int, int]) -> dict[int, int]:
    """Count, for each line of a player's seasons, how many of those with a place stand above: one query.

    Args:
        games: counted games by season.
    """
    conditions, values = [], []
    for own in owns:
        terms, lowest_wins = Terms.read(own.season.terms), own.season.lowest_wins is not False
        condition, known = _above(_keys(own, terms, lowest_wins=lowest_wins))
        conditions.append(f"(season_id = %s AND games >= %s AND {condition})")
        values += [own.season_id, terms.needed(games.get(own.season_id, 0)), *known]
    if not conditions:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_COUNT.format(" OR ".join(conditions)), values)
        return dict(cursor.fetchall())


_COUNT: Final = "SELECT season_id, COUNT(*) FROM scoring_playerseason WHERE {} GROUP BY season_id"

_RATIO: Final = FloatField()


def may_stand(
    lines: QuerySet[PlayerSeason], needed: int, first: int, most: int, *, less_is_better: bool
) -> tuple[QuerySet[PlayerSeason], int]:
    """Find the lines of a season's table that may stand from ``first`` on, at most so many: two queries, one for the first.

    Args:
        needed: games that a place takes.

    Returns:
        Those lines, with whoever is level with the first or the last of them and few others; and how many stand above them all.
    """
    value = Cast(F("value_over"), _RATIO) / Cast(F("value_under"), _RATIO)
    short = Case(When(games__lt=needed, then=1), default=0)
    told = lines.annotate(short=short, worth=value if less_is_better else -value).order_by()
    part = list(told.order_by("short", "worth").values_list("short", "worth")[first : first + most])
    if not part:
        return lines.none(), 0
    # Values that the database's division cannot tell apart are left to whoever orders them exactly.
    least, last = (worth + side * 1e-9 * abs(worth) for side, worth in ((-1, part[0][1]), (1, part[-1][1])))
    found = told.filter(Q(short__lt=part[-1][0]) | Q(short=part[-1][0], worth__lte=last))
    if not first:
        return found, 0
    above = Q(short__lt=part[0][0]) | Q(short=part[0][0], worth__lt=least)
    return found.exclude(above), told.filter(above).count()


def page_of_totals(totals: QuerySet[PlayerTotal], *, lowest_wins: bool, first: int, most: int) -> list[tuple[int, PlayerTotal]]:
    """Give a part of a league's totals, each with its rank, in the order of the mean total and its tie-breaks.

    The means lie in an index, so that the lines above the part are passed over there and not divided. Only a part that begins
    among equals needs to ask how many stand above them.
    """
    before = max(0, first - 1)
    rows = list(_in_order(totals, lowest_wins=lowest_wins)[before : first + most])
    found: list[tuple[int, PlayerTotal]] = []
    for place, row in enumerate(rows, start=before + 1):
        if not found or _merit(found[-1][1], lowest_wins=lowest_wins) != _merit(row, lowest_wins=lowest_wins):
            found.append((place, row))
        elif place == first + 1:
            found.append((1 + _above_total(totals, row, lowest_wins=lowest_wins), row))
        else:
            found.append((found[-1][0], row))
    return found[first - before :]


def _in_order(totals: QuerySet[PlayerTotal], *, lowest_wins: bool) -> QuerySet[PlayerTotal]:
    best = Cast(F("lowest" if lowest_wins else "highest"), _RATIO) / Cast(F("parts"), _RATIO)
    place = Cast(F("places"), _RATIO) / F("games")
    way = ("mean", place, "-wins", best) if lowest_wins else ("-mean", place, "-wins", best.desc())
    return totals.select_related("player").order_by(*way, "-hands_out", "player__name_key", "player")


def _merit(total: PlayerTotal, *, lowest_wins: bool) -> tuple[float, ...]:
    """Give what orders totals, the first first, as the database works it out; the smaller stands above."""
    sign, best = (1, total.lowest) if lowest_wins else (-1, total.highest)
    return sign * total.mean, total.places / total.games, -total.wins, sign * best / total.parts, -total.hands_out


def _above_total(totals: QuerySet[PlayerTotal], own: PlayerTotal, *, lowest_wins: bool) -> int:
    """Count the totals that stand above one."""
    merit = _merit(own, lowest_wins=lowest_wins)
    better = totals.filter(**{"mean__lt" if lowest_wins else "mean__gt": own.mean}).count()
    return better + sum(_merit(other, lowest_wins=lowest_wins) < merit for other in totals.filter(mean=own.mean))
