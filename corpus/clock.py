"""Today, as Spanish law counts days."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.utils import timezone

MADRID = ZoneInfo("Europe/Madrid")


def today() -> date:
    """Give the calendar day in Madrid, whatever the time zone of the server."""
    return timezone.localdate(timezone=MADRID)


def known_since(history: str, source_updated_at: datetime | None, fetched_at: datetime) -> date | None:
    """Give the first day, in Spain, of which a source tells what a law said; None where that is all its time."""
    if history != "current_only":
        return None
    return timezone.localdate(source_updated_at or fetched_at, timezone=MADRID)
