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


def require_fitness(parameters: dict[str, Any]) -> None:
    """Make sure that the server will do and that the database has pgvector; raise `DatabaseUnusable` otherwise."""
    try:
        with psycopg.connect(**parameters | {"autocommit": True, "connect_timeout": CONNECT_SECONDS}) as connection:
            _require_version(connection)
            _require_pgvector(connection)
    except psycopg.Error as error:
        reason = "; ".join(line.strip() for line in str(error).splitlines() if line.strip())
        raise DatabaseUnusable(f"the PostgreSQL server that DATABASE_URL names cannot be used: {reason}") from error


def _require_version(connection: psycopg.Connection[Any]) -> None:
    version = connection.info.server_version
    if version < OLDEST_SERVER * 10000:
        raise DatabaseUnusable(
            f"the PostgreSQL server that DATABASE_URL names is version {version // 10000}:"
            f" {OLDEST_SERVER} or newer is needed"
        )


def _require_pgvector(connection: psycopg.Connection[Any]) -> None:
    query = "SELECT default_version, installed_version FROM pg_available_extensions WHERE name = 'vector'"
    row = connection.execute(query).fetchone()
    wanted = ".".join(map(str, OLDEST_PGVECTOR))
    database = connection.info.dbname
    if row is None:
        raise DatabaseUnusable(
            "the PostgreSQL server that DATABASE_URL names has no pgvector: install the package of pgvector"
            f" {wanted} or newer on it, then run CREATE EXTENSION vector in database '{database}'"
        )
    available, installed = row
    if _too_old(installed or available):
        raise DatabaseUnusable(
            f"the PostgreSQL server that DATABASE_URL names has pgvector {installed or available}: {wanted} or newer"
            f" is needed, then ALTER EXTENSION vector UPDATE in database '{database}'"
        )
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


def _too_old(version: str) -> bool:
    return tuple(int(part) for part in version.split(".")[:2]) < OLDEST_PGVECTOR
