"""The backend's one difference from Django's own: it makes the embedded server run before the first connection."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.db.backends.postgresql import base

from config.embedded_postgres import server


class DatabaseWrapper(base.DatabaseWrapper):
    """Connect to the embedded server under `EMBEDDED_IN` when the settings name one."""

    def get_connection_params(self) -> dict[str, Any]:
        """Give psycopg's parameters, with the embedded server up."""
        data_dir = self.settings_dict.get("EMBEDDED_IN")
        if data_dir:
            embedded = server(Path(data_dir))
            embedded.use()
            self.settings_dict["HOST"] = str(embedded.socket_dir)
        return super().get_connection_params()
