"""What a league can take away for a spreadsheet: its tables and its games as CSV. ``scoring.archive`` is the whole of it.

A cell that a spreadsheet would read as a formula gets an apostrophe before it; numbers stay numbers, and what is not there is
an empty cell, never 0.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from django.utils.translation import gettext as _

from players.models import League
from scoring import season
from scoring.models import Entry, Season

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def safe_cell(value: object) -> str | int | float:
    """Give a cell that no spreadsheet runs."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int | float):
        return value
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else round(float(value), 4)
    text = str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """Write a table as CSV that Excel, LibreOffice and Numbers read as UTF-8."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([safe_cell(cell) for cell in head])
    writer.writerows([safe_cell(cell) for cell in row] for row in rows)
    return "\ufeff" + out.getvalue()


def standings_csv(of: Season) -> str:
    """Write a season's table: the one that was closed, where it is closed."""
    closed = season.closed(of)
    shown = closed.standings if closed else season.standings(of)
    head = [
        _("Place"),
        _("Player"),
        shown.value_name,
        _("Games"),
        _("Games that count"),
        _("Mean total"),
        _("Mean place"),
        _("Wins"),
        _("Best"),
        _("Hands out"),
    ]
    rows = [
        (
            line.rank,
            line.player.name,
            line.value,
            line.games,
            line.counted,
            line.mean_total,
            line.mean_place,
            line.wins,
            line.best,
            line.hands_out,
        )
        for line in shown.lines
    ]
    return table(head, rows)


def games_csv(league: League) -> str:
    """Write every closed hand of every game: one row a seat and hand; no score and absent are told apart by words.

    What was entered for a hand that is still open is nobody's to read yet (``scoring.acceptance``).
    """
    entries = (
        Entry.objects.filter(hand__game__league=league, hand__closed=True)
        .select_related("hand__game__season", "seat__player")
        .order_by("hand__game__started_on", "hand__game", "hand__number", "seat__number")
    )
    head = [
        _("Game"),
        _("Date"),
        _("Season"),
        _("State"),
        _("Hand"),
        _("Contract"),
        _("Seat"),
        _("Player"),
        _("Entered"),
        _("Cards"),
        _("Points"),
        _("On the sheet"),
        _("How"),
    ]
    rows = (
        (
            entry.hand.game_id,
            entry.hand.game.started_on.isoformat(),
            entry.hand.game.season.name,
            entry.hand.game.status,
            entry.hand.number,
            entry.hand.contract,
            entry.seat.number + 1,
            entry.seat.player.name,
            entry.kind,
            entry.cards,
            entry.points,
            entry.posted,
            entry.how,
        )
        for entry in entries.iterator(chunk_size=2000)
    )
    return table(head, rows)
