"""Rows that are written whether or not they stand already, many by one statement."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Final, Protocol

from django.db import connection, models

_AT_A_TIME: Final = 500


class Write(Protocol):
    """Writes rows of plain values, no object made of any: for lines that are written at every save of a game.

    Args:
        key: fields on which a unique constraint lies.
        columns: the other fields, of which a row has the values after those of the key.
    """

    def __call__(
        self, model: type[models.Model], key: Sequence[str], columns: Mapping[str, str], rows: Iterable[Sequence[Any]]
    ) -> None: ...


def keep(model: type[models.Model], key: Sequence[str], columns: Iterable[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write rows; where a row of the same key stands, its other columns are changed."""
    _write(model, key, dict.fromkeys(columns, "EXCLUDED.{0}"), rows)


def add(model: type[models.Model], key: Sequence[str], columns: Mapping[str, str], rows: Iterable[Sequence[Any]]) -> None:
    """Write rows; where a row of the same key stands, they are put to it.

    Args:
        columns: for each whether both are added up (``sum``), or the ``least`` or the ``most`` of those that are known is kept.
    """
    least, most = ("LEAST", "GREATEST") if connection.vendor == "postgresql" else ("MIN", "MAX")
    ways = {"sum": "{1} + EXCLUDED.{0}", "least": _OF_BOTH.format(least), "most": _OF_BOTH.format(most)}
    _write(model, key, {column: ways[way] for column, way in columns.items()}, rows)


_OF_BOTH: Final = "COALESCE({}({{1}}, EXCLUDED.{{0}}), {{1}}, EXCLUDED.{{0}})"


def _write(model: type[models.Model], key: Sequence[str], columns: Mapping[str, str], rows: Iterable[Sequence[Any]]) -> None:
    """Write rows; ``columns`` says what each becomes where one stands: ``{0}`` is its name, ``{1}`` what it was."""
    about, quote = model._meta, connection.ops.quote_name  # noqa: SLF001 (Django documents it)
    table = quote(about.db_table)
    column_of = {field.name: quote(str(field.column)) for field in about.concrete_fields}
    names = [column_of[field] for field in (*key, *columns)]
    marks = f"({', '.join(['%s'] * len(names))})"
    news = [way.format(column_of[field], f"{table}.{column_of[field]}") for field, way in columns.items()]
    changes = ", ".join(f"{column_of[field]} = {new}" for field, new in zip(columns, news, strict=True))
    start = f"INSERT INTO {table} ({', '.join(names)}) VALUES "  # noqa: S608 (names of fields alone)
    end = f" ON CONFLICT ({', '.join(names[: len(key)])}) DO UPDATE SET {changes}"
    left = iter(rows)
    with connection.cursor() as cursor:
        while some := list(islice(left, _AT_A_TIME)):
            cursor.execute(start + ", ".join([marks] * len(some)) + end, [value for row in some for value in row])
