"""Today, as Spanish law counts days."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

from django.utils import timezone

MADRID = ZoneInfo("Europe/Madrid")


def today() -> date:
    """Give the calendar day in Madrid, whatever the time zone of the server."""
    return timezone.localdate(timezone=MADRID)


def first_known(source_updated_at: datetime | None, fetched_at: datetime) -> date:
    """Give the day, in Spain, on which a source with only today's text had it."""
    return timezone.localdate(source_updated_at or fetched_at, timezone=MADRID)
