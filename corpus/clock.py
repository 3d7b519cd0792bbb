"""Today, as Spanish law counts days."""

from __future__ import annotations

from datetime import date
from zoneinfo import ZoneInfo

from django.utils import timezone

MADRID = ZoneInfo("Europe/Madrid")


def today() -> date:
    """Give the calendar day in Madrid, whatever the time zone of the server."""
    return timezone.localdate(timezone=MADRID)
