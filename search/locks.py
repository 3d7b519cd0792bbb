"""Lets one process of all at a time do a piece of work, by an advisory lock of the database."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db import connection

if TYPE_CHECKING:
    from collections.abc import Iterator

MIGRATION = 0x6C657965


@contextmanager
def sole_holder(number: int, *, wait: bool) -> Iterator[bool]:
    """Hold the lock of that number, which ends with the connection at the latest; yield whether we have it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)" if wait else "SELECT pg_try_advisory_lock(%s)", [number])
        is_ours = wait or bool(cursor.fetchone()[0])
    try:
        yield is_ours
    finally:
        if is_ours:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [number])
