"""Everything the page of a law shows: its facts and a window of its contents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext as _

from corpus.clock import today
from corpus.models import Law
from search.addresses import page_url, source_url
from search.amendments import latest
from search.citation_forms import markdown, reference
from search.claims import amiss
from search.views import metadata
from search.views.contents import WINDOW, contents, window_url
from search.views.namesakes import namesakes

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from search.responses import Resolution

AMENDMENTS_SHOWN = 6


def describe(shown: Resolution, pinned: date | None, offset: int, absolute: Callable[[str], str]) -> dict[str, Any]:
    """Give the template of a law's page its context; `pinned` is the day that was asked for: seven queries.

    `absolute` gives an address of this site as it is from outside.
    """
    law = Law.objects.get(key=shown.citation)
    listed = contents(law, pinned, offset)
    page = page_url(f"{law.key}@{pinned}" if pinned else law.key)
    return {
        "shown": shown,
        "amiss": amiss(shown),
        "law": law,
        "today": today(),
        "contents": listed,
        "as_of": pinned,
        "undated_url": page_url(law.key),
        "namesakes": namesakes(law),
        "canonical": page,
        "source_url": source_url(law),
        "json_url": f"{reverse('search')}api/v1/laws/{law.key}",
        "feed_url": reverse("law_feed", args=[law.key]),
        "metadata": metadata.of_law(law, shown.status or law.status, absolute),
        "amendments": latest([law], AMENDMENTS_SHOWN),
        "forms": [
            (_("Referencia"), reference(law, "")),
            ("Markdown", markdown(shown.label or law.title, absolute(page))),
            (_("Enlace"), absolute(page)),
        ],
        "next_url": window_url(page, offset + WINDOW) if listed.last < listed.total else "",
        "previous_url": window_url(page, max(0, offset - WINDOW)) if offset else "",
    }
