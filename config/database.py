"""Which PostgreSQL to use: the server that DATABASE_URL names, or the embedded one under DATA_DIR."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from config.embedded_postgres import DATABASE, SUPERUSER
from config.postgres import DatabaseUnusable

if TYPE_CHECKING:
    from pathlib import Path

SCHEMES = ("postgresql://", "postgres://")
PREPARED_AFTER = 5
SHAPE = "DATABASE_URL must look like postgresql://user:password@host:5432/database"


def database_settings(url: str, data_dir: Path) -> dict[str, Any]:
    """Give Django's settings of the default database; an empty `url` means the embedded server.

    Whatever libpq understands in an address goes: several hosts, a socket's folder, `?sslmode=verify-full`.
    """
    options: dict[str, Any] = {"pool": {"min_size": 1, "max_size": 12, "timeout": 10}}
    common: dict[str, Any] = {"ENGINE": "config.postgres", "OPTIONS": options, "CONN_HEALTH_CHECKS": True}
    if not url:
        # Plans what is asked again and again once; through a pool of connections that is not ours it could not.
        options["prepare_threshold"] = PREPARED_AFTER
        return common | {"NAME": DATABASE, "USER": SUPERUSER, "EMBEDDED_IN": str(data_dir)}
    given = _parts(url)
    return common | {
        "NAME": given.pop("dbname"),
        "USER": given.pop("user", ""),
        "PASSWORD": given.pop("password", ""),
        "HOST": given.pop("host", ""),
        "PORT": given.pop("port", ""),
        "OPTIONS": options | given,
    }


def _parts(url: str) -> dict[str, Any]:
    # libpq's own message could quote the password, so the address is never repeated.
    try:
        given = conninfo_to_dict(url) if url.startswith(SCHEMES) else {}
    except psycopg.ProgrammingError as error:
        raise DatabaseUnusable(SHAPE) from error
    if not given.get("dbname"):
        raise DatabaseUnusable(SHAPE)
    return dict(given)
