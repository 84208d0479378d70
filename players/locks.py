"""Two who write the same thing at once: they come one after the other, and the second is told in words what the first did.

Rows are always held in this order, so that nobody waits for one who waits for them: a league, its games by their keys, then
their season. A row is held without its key: whoever adds a row that only points at it goes on.
"""

from typing import TypeVar

from django.db import IntegrityError, transaction
from django.db.models import Model, QuerySet

from players.models import League

Row = TypeVar("Row", bound=Model)


def hold(rows: QuerySet[Row]) -> QuerySet[Row]:
    """Read rows so that nobody else changes them until the transaction ends. SQLite lets in one writer at a time anyway."""
    return rows.select_for_update(of=("self",), no_key=True)


def hold_league(pk: int) -> None:
    """Hold a league: what is made for it, and who is who in it."""
    hold(League.objects.filter(pk=pk)).get()


def keep(row: Model) -> None:
    """Check a row and write it.

    Raises:
        ValidationError: it will not do, or somebody else was quicker to take what only one can have, such as a name.
    """
    row.full_clean()
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        row.full_clean()  # what it clashes with can be read by now, and said in words
        raise
