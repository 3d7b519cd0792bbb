"""Writes many rows at once, through PostgreSQL's COPY."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, models
from psycopg import sql


def new_ids(model: type[models.Model], count: int) -> list[int]:
    """Take ids for `count` rows that are to be copied."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
            [model._meta.db_table, count],
        )
        return [row[0] for row in cursor.fetchall()]


def copy(model: type[models.Model], names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Write rows whose values stand in the order of `names`; other fields get their defaults, the id its own.

    Raise Django's `DatabaseError` for what PostgreSQL does not take.
    """
    fields = {field.name: field for field in model._meta.concrete_fields}
    others = [field for name, field in fields.items() if name not in names and not field.primary_key]
    defaults = [field.get_db_prep_save(field.get_default(), connection) for field in others]
    columns = [str(field.column) for field in (*(fields[name] for name in names), *others)]
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(model._meta.db_table), sql.SQL(", ").join(sql.Identifier(column) for column in columns)
    )
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(statement) as stream:
        for row in rows:
            stream.write_row((*row, *defaults))
