"""Which PostgreSQL to use: the server that DATABASE_URL names, or the embedded one under DATA_DIR."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from config.embedded_postgres import DATABASE, SUPERUSER

if TYPE_CHECKING:
    from pathlib import Path

SCHEMES = {"postgres", "postgresql"}


def database_settings(url: str, data_dir: Path) -> dict[str, Any]:
    """Give Django's settings of the default database; an empty `url` means the embedded server."""
    options: dict[str, Any] = {"pool": {"min_size": 1, "max_size": 12, "timeout": 10}}
    common: dict[str, Any] = {"ENGINE": "config.postgres", "OPTIONS": options}
    if not url:
        return common | {"NAME": DATABASE, "USER": SUPERUSER, "EMBEDDED_IN": str(data_dir)}
    parts = urlsplit(url)
    if parts.scheme not in SCHEMES or not parts.path.strip("/"):
        raise ImproperlyConfigured("DATABASE_URL must look like postgresql://user:password@host:5432/database")
    return common | {
        "NAME": unquote(parts.path.strip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "OPTIONS": options | dict(parse_qsl(parts.query)),
    }
