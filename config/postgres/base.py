"""Django's PostgreSQL backend, with the embedded server started, or the given server looked at, before it is used."""

from __future__ import annotations

import atexit
import os
from pathlib import Path
from typing import Any, ClassVar

from django.db import connections
from django.db.backends.base.base import NO_DB_ALIAS
from django.db.backends.postgresql import base
from django.db.backends.utils import CursorWrapper
from psycopg import Cursor
from psycopg.pq import Format

from config.embedded_postgres import EmbeddedPostgres, server
from config.postgres.fitness import require_fitness


class DatabaseWrapper(base.DatabaseWrapper):
    """Connect to the embedded server under `EMBEDDED_IN` when the settings name one."""

    _connection_pools: ClassVar[dict[str, Any]]
    _is_fit: ClassVar[bool] = False

    def get_connection_params(self) -> dict[str, Any]:
        """Give psycopg's parameters, with the embedded server up."""
        data_dir = self.settings_dict.get("EMBEDDED_IN")
        if data_dir:
            embedded = server(Path(data_dir))
            if not embedded.is_used:
                atexit.register(_leave, embedded, os.getpid())
            embedded.use()
            self.settings_dict["HOST"] = embedded.place.socket_folder
        return super().get_connection_params()

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Give a connection; before the process's first, say in one sentence why a given server will not do."""
        if not (DatabaseWrapper._is_fit or self.alias == NO_DB_ALIAS or self.settings_dict.get("EMBEDDED_IN")):
            require_fitness(conn_params)
            DatabaseWrapper._is_fit = True
        return super().get_new_connection(conn_params)

    def binary_cursor(self) -> CursorWrapper:
        """Give a cursor that reads rows in PostgreSQL's own form, in less time than the text that Django asks for."""
        self.ensure_connection()
        cursor = Cursor(self.connection)
        cursor.format = Format.BINARY
        prepared: CursorWrapper = self._prepare_cursor(cursor)  # type: ignore[attr-defined]
        return prepared


def _leave(embedded: EmbeddedPostgres, owner: int) -> None:
    """Close this process's connections, then leave the server; a forked child (not `owner`) has nothing to leave."""
    if os.getpid() != owner:
        return
    connections.close_all()
    for alias in list(DatabaseWrapper._connection_pools):
        DatabaseWrapper._connection_pools.pop(alias).close()
    embedded.release()
