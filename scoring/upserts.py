"""Rows that are written whether or not they stand already, many by one statement."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Final

from django.db import connection, models

_AT_A_TIME: Final = 500


def keep(model: type[models.Model], key: Sequence[str], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write rows of plain values; where a row of the same key stands, its other columns are changed.

    For lines that are written at every save of a game: no object is made of any of them.

    Args:
        key: fields on which a unique constraint lies.
        columns: the other fields, of which a row has the values after those of the key.
    """
    about, quote = model._meta, connection.ops.quote_name  # noqa: SLF001 (Django documents it)
    column_of = {field.name: str(field.column) for field in about.concrete_fields}
    names = [quote(column_of[field]) for field in (*key, *columns)]
    known, others = names[: len(key)], names[len(key) :]
    marks = f"({', '.join(['%s'] * len(names))})"
    changes = ", ".join(f"{name} = EXCLUDED.{name}" for name in others)
    start = f"INSERT INTO {quote(about.db_table)} ({', '.join(names)}) VALUES "  # noqa: S608 (names of fields alone)
    left = iter(rows)
    with connection.cursor() as cursor:
        while some := list(islice(left, _AT_A_TIME)):
            end = f" ON CONFLICT ({', '.join(known)}) DO UPDATE SET {changes}"
            cursor.execute(start + ", ".join([marks] * len(some)) + end, [value for row in some for value in row])
