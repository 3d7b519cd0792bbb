"""Everything the page of a law shows: its facts and a window of its contents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corpus.models import Law
from search.addresses import page_url, source_url
from search.claims import amiss
from search.views.contents import WINDOW, contents, window_url
from search.views.namesakes import namesakes

if TYPE_CHECKING:
    from datetime import date

    from search.responses import Resolution


def describe(shown: Resolution, pinned: date | None, offset: int) -> dict[str, Any]:
    """Give the template of a law's page its context; `pinned` is the day that was asked for: five queries."""
    law = Law.objects.get(key=shown.citation)
    listed = contents(law, pinned, offset)
    page = page_url(f"{law.key}@{pinned}" if pinned else law.key)
    return {
        "shown": shown,
        "amiss": amiss(shown),
        "law": law,
        "contents": listed,
        "as_of": pinned,
        "namesakes": namesakes(law),
        "canonical": page,
        "source_url": source_url(law),
        "next_url": window_url(page, offset + WINDOW) if listed.last < listed.total else "",
        "previous_url": window_url(page, max(0, offset - WINDOW)) if offset else "",
    }
