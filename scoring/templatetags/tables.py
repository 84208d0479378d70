"""Rows of numbers for templates, written in one go: cell by cell, a template takes ten times as long as what is in them."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from fractions import Fraction
from typing import Any, Final

from django import template
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from continental.rules.standing_methods import Standing
from continental.rules.standings import Points
from players.models import League, Player
from scoring.figures import HandFigures, Mean, Meeting, Played
from scoring.load import GameLine
from scoring.models import Season, Seat
from scoring.season import Standings
from scoring.templatetags.scores import decimal, points

register = template.Library()

_NONE: Final = '<span class="soft">–</span>'


@register.simple_tag
def standing_rows(standings: Standings, lines: Iterable[Standing[Player]], league: League) -> SafeString:
    """Write lines of a season's table; the columns are those of ``scoring/_standings.html``."""
    head, method, decimals = _heads(league), standings.terms.method, standings.decimals
    rows = []
    for line in lines:
        cells = [_number(decimal(*line.value.as_integer_ratio(), decimals), "number strong"), _number(_games(line))]
        if method != "mean-total":
            cells.append(_number(_mean(line.total, line.games, 1)))
        if method != "mean-place":
            cells.append(_number(_mean(line.places, line.games, 2)))
        cells += [_number(value) for value in (line.wins, points(line.best), line.hands_out)]
        rows.append(f"<tr>{_number(_place(line.rank))}{head(line.player)}{''.join(cells)}</tr>")
    return SafeString("".join(rows))


def _place(rank: int | None) -> str:
    return "–" if rank is None else f'{rank} <span aria-hidden="true">★</span>' if rank == 1 else str(rank)


def _games(line: Standing[Player]) -> str:
    if not line.dropped:
        return str(line.games)
    words = ngettext("%(dropped)s game left out", "%(dropped)s games left out", line.dropped) % {"dropped": line.dropped}
    return f'{line.games} <abbr class="mark" title="{escape(words)}">−{line.dropped}</abbr>'


@register.simple_tag
def people_rows(people: Iterable[tuple[Player, int, HandFigures]], league: League) -> SafeString:
    """Write what people's hands came to; the columns are those of ``scoring/statistics.html``."""
    head, small = _heads(league), _small(gettext("few hands: luck weighs more than play"))
    rows = []
    for player, games, line in people:
        jokers = f"{line.jokers}/{line.jokers_in_play}" if line.jokers_in_play else "–"
        cells = [
            _number(games),
            _number(_value(line.mean, 1) + (small if line.mean.small else ""), "number strong"),
            _number(f'{line.out} <span class="soft">{_percent(line.out_share)}</span>'),
            *(_number(value) for value in (_percent(line.opened_share), jokers, line.substituted)),
        ]
        rows.append(f"<tr>{head(player)}{''.join(cells)}</tr>")
    return SafeString("".join(rows))


@register.simple_tag
def meeting_rows(meetings: Iterable[Meeting], league: League) -> SafeString:
    """Write a player's meetings; the columns are those of ``scoring/player.html``."""
    head, small = _heads(league), _small(gettext("few games: luck weighs more than play"))
    rows = []
    for one in meetings:
        games = f"{one.games}{small if one.small else ''}"
        cells = [_number(value) for value in (games, one.ahead, one.behind, one.level, points(one.points))]
        rows.append(f"<tr>{head(one.player)}{''.join(cells)}</tr>")
    return SafeString("".join(rows))


@register.simple_tag
def season_rows(seasons: Iterable[tuple[Season, Standing[Player]]], league: League) -> SafeString:
    """Write a player's line in each season; the columns are those of ``scoring/player.html``."""
    address = _addresses("scoring:season", league.slug)
    rows = []
    for season, line in seasons:
        cells = [
            _number("–" if line.rank is None else line.rank),
            _number(_mean(line.total, line.games, 1), "number strong"),
            _number(line.games),
            _number(_mean(line.places, line.games, 2)),
            *(_number(value) for value in (line.wins, points(line.best), line.hands_out)),
        ]
        name = f'<a href="{address(season.pk)}"><bdi>{escape(season.name)}</bdi></a>'
        rows.append(f'<tr><th scope="row">{name}</th>{"".join(cells)}</tr>')
    return SafeString("".join(rows))


@register.simple_tag
def contract_rows(rows: Iterable[Mapping[str, Any]], *, beside: bool) -> SafeString:
    """Write what hands of each number came to; the columns are those of ``scoring/_contracts.html``.

    Args:
        beside: whether everybody's mean stands in a column of its own.
    """
    small, written = _small(gettext("few hands: luck weighs more than play")), []
    for row in rows:
        line, everybody = row["figures"], row["everybody"]
        cells = [
            f"<td>{escape(row['contract'])}</td>",
            _number(_value(line.mean, 1) + (small if line.mean.small else ""), "number strong"),
            _number(line.hands),
            _number(_value(everybody.mean, 1) if everybody else "") if beside else "",
            _number(line.out),
            _number("–" if line.highest is None else line.highest),
        ]
        written.append(f'<tr><th scope="row">{row["number"]}</th>{"".join(cells)}</tr>')
    return SafeString("".join(written))


@register.simple_tag
def progress_rows(progress: Iterable[tuple[Played, Fraction]]) -> SafeString:
    """Write a player's games, each with the total and the mean so far."""
    return SafeString(
        "".join(
            f'<tr><th scope="row">{_day(seat.on)}</th>{_number(points(seat.total))}{_number(_mean(so_far, 1, 1))}</tr>'
            for seat, so_far in progress
        )
    )


@register.simple_tag
def position_rows(means: Iterable[tuple[int, Mean]], places: int, few: str) -> SafeString:
    """Write the mean of each seat, or of each number of seats after whoever deals; 0 is the dealer's own.

    Args:
        places: decimals of a mean.
        few: what the mark of a mean from little says.
    """
    deals, small, rows = escape(gettext("deals")), _small(few), []
    for at, shown in means:
        mean = _mean(shown.over, shown.under, places) + (small if shown.small else "")
        rows.append(f'<tr><th scope="row">{at or deals}</th>{_number(mean)}{_number(shown.under)}</tr>')
    return SafeString("".join(rows))


@register.simple_tag
def own_games(seats: Iterable[Seat]) -> SafeString:
    """Write a player's games as the items of a list."""
    address = _addresses("scoring:sheet")
    marks = {"void": f"∅ {gettext('void')}", "suspended": gettext("suspended"), "playing": gettext("being played")}
    substituted = f' <abbr class="mark" title="{escape(gettext("substituted"))}">S</abbr>'
    words, items = gettext("Place %(place)s of %(seats)s"), []
    for seat in seats:
        mark = marks.get(seat.game.status)
        tag = f' <span class="tag">{escape(mark)}</span>' if mark else ""
        if seat.total is None:
            result = f'<span class="number soft">{seat.running}</span>'
        else:
            place = escape(words % {"place": seat.place, "seats": seat.table_size})
            result = (
                f'{place} · <span class="number">{seat.total}</span>{substituted if seat.how == Seat.How.SUBSTITUTED else ""}'
            )
        when = f'<span class="game-date">{_day(seat.game.started_on)}{tag}</span>'
        link = f'<a class="game-link" href="{address(seat.game_id)}">{when} <span class="game-result">{result}</span></a>'
        items.append(f"<li>{link}</li>")
    return SafeString("".join(items))


@register.filter
def mean_cells(values: Iterable[Fraction]) -> SafeString:
    """Write exact means, with one decimal, as the cells of a row."""
    return SafeString("".join(_number(decimal(*value.as_integer_ratio(), 1)) for value in values))


@register.simple_tag
def games_in_a_list(games: Iterable[GameLine]) -> SafeString:
    """Write games as the items of ``scoring/_games.html``: the day, whether it is over, and who sat there, by place."""
    table, sheet = _addresses("scoring:table"), _addresses("scoring:sheet")
    hand = gettext("hand %(number)s")
    items = []
    for line in games:
        game = line.game
        marks = {
            "void": f"∅ {gettext('void')}",
            "playing": hand % {"number": game.hand_number},
            "suspended": gettext("suspended"),
        }
        mark = marks.get(game.status)
        tag = f' <span class="tag">{escape(mark)}</span>' if mark else ""
        address = (table if game.status in {"playing", "suspended"} else sheet)(game.pk)
        items.append(
            f'<li><a class="game-link" href="{address}"><span class="game-date">{_day(game.started_on)}{tag}</span>'
            f' <span class="game-seats">{_seats(line)}</span></a></li>'
        )
    return SafeString("".join(items))


def _seats(line: GameLine) -> str:
    """Write who sat at a game, in the order of their places, each with the total or what it is so far."""
    seats = []
    for seat in line.by_place:
        so_far = seat.running if seat.total is None else seat.total
        star = '<span aria-hidden="true">★</span> ' if seat.place == 1 else ""
        seats.append(f'<span>{star}<bdi>{escape(seat.name)}</bdi> <span class="number">{so_far}</span></span>')
    return "".join(seats)


def _heads(league: League) -> Callable[[Player], str]:
    """Give what heads the row of a player of this league: the name, leading to their page."""
    address = _addresses("scoring:player", league.slug)
    return lambda player: f'<th scope="row"><a href="{address(player.pk)}"><bdi>{escape(player.name)}</bdi></a></th>'


def _addresses(name: str, *args: object) -> Callable[[int], str]:
    """Give the address of each page of this name, by the key that stands last in it: looked up once for a whole table."""
    before, after = reverse(name, args=[*args, 0]).rsplit("0", 1)
    return lambda key: f"{before}{key}{after}"


def _day(day: date) -> str:
    return date_format(day, "SHORT_DATE_FORMAT")


def _number(value: object, kinds: str = "number") -> str:
    """Write one cell; ``value`` is a number, or markup."""
    return f'<td class="{kinds}">{value}</td>'


def _small(title: str) -> str:
    return f' <abbr class="mark small-sample" title="{escape(title)}">≈</abbr>'


def _value(shown: Mean, places: int) -> str:
    return _mean(shown.over, shown.under, places) if shown.under else _NONE


def _percent(shown: Mean) -> str:
    return f"{_mean(100 * shown.over, shown.under, 0)} %" if shown.under else _NONE


def _mean(total: Points, count: int, places: int) -> str:
    return decimal(total.numerator, total.denominator * count, places)
