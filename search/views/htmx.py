"""Pages that htmx may ask for a part of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.views.decorators.vary import vary_on_headers

if TYPE_CHECKING:
    from django_htmx.middleware import HtmxDetails

# A history restore may come with HX-Request too, and gets the page, so caches must tell all three apart.
vary_on_htmx = vary_on_headers("HX-Request", "HX-History-Restore-Request")


class HtmxRequest(HttpRequest):
    """A request as `HtmxMiddleware` leaves it."""

    htmx: HtmxDetails


def wants_part(request: HtmxRequest) -> bool:
    """Whether htmx will swap the answer into a page; going back in history asks for the page."""
    return bool(request.htmx) and not request.htmx.history_restore_request
