"""The site's icon under the name that browsers ask for where no page names one, as beside JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponsePermanentRedirect
from django.templatetags.static import static

if TYPE_CHECKING:
    from django.http import HttpRequest


def icon(request: HttpRequest) -> HttpResponsePermanentRedirect:
    """Send the browser on to the icon."""
    return HttpResponsePermanentRedirect(static("img/mark.svg"))
