"""The days of a text in words, and citations that name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from corpus.clock import today
from search.filters import IN_FORCE

if TYPE_CHECKING:
    from datetime import date

    from search.responses import Hit, Resolution


def span(first: date | None, last: date | None) -> str:
    """Put the days of a version into words.

    >>> from datetime import date
    >>> span(date(2019, 2, 1), date(2025, 4, 30))
    'del 01/02/2019 al 30/04/2025'
    """
    days = {"first": written(first), "last": written(last)}
    if first and last:
        return _("del %(first)s al %(last)s") % days
    if first:
        return _("desde el %(first)s") % days
    return _("hasta el %(last)s") % days if last else _("sin fecha conocida")


def known_span(first: date | None, last: date | None) -> str:
    """Put the days of a version into words, empty where none is known."""
    return span(first, last) if first or last else ""


def written(day: date | None) -> str:
    """Write a day as 18/12/2003; unknown is a question mark."""
    return f"{day:%d/%m/%Y}" if day else "?"


def has_force_today(text: Hit | Resolution) -> bool:
    """Whether a text is the one that has force today."""
    has_begun = text.valid_from is None or text.valid_from <= today()
    return text.status == IN_FORCE and has_begun and (text.valid_to is None or text.valid_to >= today())


def with_days(citation: str, text: Hit | Resolution) -> str:
    """Add to a citation the days of its text, where any is known."""
    if not (text.valid_from or text.valid_to):
        return citation
    days = span(text.valid_from, text.valid_to)
    return _("%(citation)s, redacción vigente %(days)s") % {"citation": citation, "days": days}


def unmistakable(citation: str, text: Hit | Resolution) -> str:
    """Give a citation that leads to this very text: one that is not of today goes with its days."""
    return citation if has_force_today(text) else with_days(citation, text)
