"""Whether a given PostgreSQL server will do: reachable, new enough, with pgvector in the database."""

from __future__ import annotations

from typing import Any

import psycopg

from config.postgres import DatabaseUnusable

# What the tests run against; Django itself asks for 14.
OLDEST_SERVER = 15
# halfvec came with 0.7, index scans that go on until a filter is satisfied with 0.8.
OLDEST_PGVECTOR = (0, 8)
CONNECT_SECONDS = 5
SERVER = "the PostgreSQL server that DATABASE_URL names"


def require_fitness(parameters: dict[str, Any]) -> None:
    """Make sure that the server will do and that the database has pgvector; raise `DatabaseUnusable` otherwise."""
    try:
        with psycopg.connect(**parameters | {"autocommit": True, "connect_timeout": CONNECT_SECONDS}) as connection:
            _require_fitness(connection)
    except psycopg.Error as error:
        raise DatabaseUnusable(f"{SERVER} cannot be used: {in_one_line(str(error))}") from error


def failure(error: Exception) -> str:
    """Say in a sentence's words why no statement can succeed, if that is what a database error means; else empty."""
    if isinstance(error.__cause__, psycopg.errors.UndefinedTable | psycopg.errors.UndefinedColumn):
        return "the database has not the tables of this release: run 'manage.py migrate', or 'manage.py serve'"
    if isinstance(error.__cause__, psycopg.OperationalError | psycopg.InterfaceError):
        return f"the database does not answer: {in_one_line(str(error)) or type(error).__name__}"
    return ""


def in_one_line(message: str) -> str:
    r"""Write libpq's message as part of a sentence.

    >>> in_one_line('connection failed: port 5432 failed: Connection refused\n\tIs the server running on that host?')
    'port 5432 failed: Connection refused'
    """
    lines = [line.strip() for line in message.removeprefix("connection failed: ").splitlines()]
    return "; ".join(line for line in lines if line and not line.startswith("Is the server running")).rstrip(".?")


def unfit_server(version: int) -> str | None:
    """Say what is wrong with a server of this version number, if anything.

    >>> unfit_server(130021)
    'version 13: 15 or newer is needed'
    """
    major = version // 10000
    return f"version {major}: {OLDEST_SERVER} or newer is needed" if major < OLDEST_SERVER else None


def unfit_pgvector(available: str | None, installed: str | None) -> str | None:
    """Say what is wrong with pgvector as the server has it `available` and the database `installed`, if anything.

    >>> unfit_pgvector("0.8.5", "0.7.4")
    'pgvector 0.7.4 in this database: run ALTER EXTENSION vector UPDATE in it'
    """
    oldest = ".".join(map(str, OLDEST_PGVECTOR))
    if available is None:
        return f"no pgvector: install the package of pgvector {oldest} or newer on it"
    if _release(available) < OLDEST_PGVECTOR:
        return f"pgvector {available}: {oldest} or newer is needed on it"
    if installed is not None and _release(installed) < OLDEST_PGVECTOR:
        return f"pgvector {installed} in this database: run ALTER EXTENSION vector UPDATE in it"
    return None


def _require_fitness(connection: psycopg.Connection[Any]) -> None:
    if wrong := unfit_server(connection.info.server_version):
        raise DatabaseUnusable(f"{SERVER} is {wrong}")
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise DatabaseUnusable(
            f"database '{connection.info.dbname}' is encoded in {encoding}, which cannot hold every text:"
            " make one with ENCODING 'UTF8'"
        )
    query = "SELECT default_version, installed_version FROM pg_available_extensions WHERE name = 'vector'"
    available, installed = connection.execute(query).fetchone() or (None, None)
    if wrong := unfit_pgvector(available, installed):
        raise DatabaseUnusable(f"{SERVER} has {wrong}")
    if installed is None:
        _create_extension(connection)


def _create_extension(connection: psycopg.Connection[Any]) -> None:
    try:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    except psycopg.errors.InsufficientPrivilege as error:
        raise DatabaseUnusable(
            f"database '{connection.info.dbname}' has no extension vector and user '{connection.info.user}' may not"
            " make it: as a superuser, run CREATE EXTENSION vector in it"
        ) from error


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])
