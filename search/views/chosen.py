"""Hears from a reader's browser which hit was opened: the `ping` of a link, which needs no script and leads nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from search import query_log

if TYPE_CHECKING:
    from uuid import UUID

    from django.http import HttpRequest


@csrf_exempt  # a ping can hold no token; it changes nothing but the log, and that only by an id drawn at random
@require_POST
def chosen(request: HttpRequest, asked: UUID, rank: int) -> HttpResponse:
    """Note it, and say nothing, whether there is such a question or not."""
    query_log.choose(asked, rank)
    return HttpResponse(status=204)
