"""How logs are written: as lines to read or as JSON, each with the id of the request that it belongs to."""

from __future__ import annotations

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime

request_id: ContextVar[str] = ContextVar("request_id", default="-")
_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "request_id", "request"}


class WithRequestId(logging.Filter):
    """Tells each record which request it belongs to."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass."""
        record.request_id = request_id.get()
        return True


class InOneLine(logging.Filter):
    """Takes the traceback from what Django says of requests that it refuses: it is no error of ours."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record pass."""
        if record.name.startswith("django.security."):
            record.exc_info = record.exc_text = None
        return True


class JsonLines(logging.Formatter):
    """One JSON object a line, with what was given in `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "request_id": getattr(record, "request_id", "-"),
        }
        told |= {name: value for name, value in vars(record).items() if name not in _OWN and name not in told}
        if record.exc_info:
            told["exception"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False, default=str)
