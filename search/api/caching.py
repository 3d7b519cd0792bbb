"""Lets clients ask whether an answer has changed: a strong ETag of its every byte, and the time of the last change."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime, time, timedelta
from functools import wraps
from typing import TYPE_CHECKING, cast

from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.http import http_date
from django.utils.translation import gettext as _

from corpus.clock import MADRID, today
from corpus.models import CorpusChange
from search.api.errors import ErrorBody, refuse

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

STARTED = timezone.now()
OK = 200
# What an answer hangs on besides its address: its language, its rendering, and who may read it.
VARY = ("Accept", "Accept-Language", "Cookie", "Authorization")
# HTTP's times are whole seconds: of what changed just now, nobody could tell whether it changed again.
SETTLED = timedelta(seconds=2)

PRECONDITION_FAILED = 412
# What an operation that gives tags may answer besides.
CONDITIONAL: dict[int, dict[str, str]] = {
    304: {"description": "The answer is the one that `If-None-Match` or `If-Modified-Since` tells of."},
    PRECONDITION_FAILED: {"description": "The answer is another than `If-Match` or `If-Unmodified-Since` tells of."},
}
View = Callable[..., "HttpResponse"]


def revalidated(*, is_text: bool = False) -> Callable[[View], View]:
    """Give a view that says 304 to who holds the same answer, and 412 to who asks for one that it no longer gives.

    `is_text` if nothing but texts and the day are in it.
    The tag is of every byte of the body, so it differs with the day, the language and the rendering.
    """

    def around(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *arguments: object, **named: object) -> HttpResponse:
            response = view(request, *arguments, **named)
            if response.status_code != OK:
                return response
            response["ETag"] = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
            response["Cache-Control"] = "no-cache"
            patch_vary_headers(response, VARY)
            changed = last_change() if is_text else None
            if changed:
                response["Last-Modified"] = http_date(changed.timestamp())
            seconds = int(changed.timestamp()) if changed else None
            conditional = cast("HttpResponse", get_conditional_response(request, response["ETag"], seconds, response))
            if conditional.status_code == PRECONDITION_FAILED:
                detail = _("La respuesta ya no es la que If-Match o If-Unmodified-Since dicen.")
                return refuse(request, PRECONDITION_FAILED, ErrorBody(code="precondition_failed", detail=detail))
            return conditional

        return answer

    return around


def last_change() -> datetime | None:
    """Give when texts last changed: with the corpus, with the calendar, or with this program; None if just now."""
    newest = CorpusChange.objects.order_by("-revision").values_list("at", flat=True).first()
    midnight = datetime.combine(today(), time.min, MADRID)
    changed = max(STARTED, midnight, newest or STARTED)
    return changed if timezone.now() - changed > SETTLED else None
