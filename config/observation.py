"""Observes every request: gives it an id, counts and times it, and writes a line of what became of it."""

from __future__ import annotations

import ipaddress
import logging
import re
import time
import uuid
from typing import TYPE_CHECKING

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from config.logs import request_id
from search import metrics
from search.exposition import exposition

if TYPE_CHECKING:
    from collections.abc import Callable

LOGGER = logging.getLogger("fundamento.requests")
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_SANE = re.compile(r"[A-Za-z0-9._-]{1,64}")


class Observed:
    """Middleware, outermost: its times are those that a client waits, less the wire."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer as without it, with the request's id in the answer."""
        given = request.headers.get("X-Request-ID", "")
        token = request_id.set(given if _SANE.fullmatch(given) else uuid.uuid4().hex)
        started = time.perf_counter()
        try:
            response = self.get_response(request)
            response["X-Request-ID"] = request_id.get()
            _note(request, response, time.perf_counter() - started)
        finally:
            request_id.reset(token)
        return response


def _note(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    method = request.method if request.method in METHODS else "OTHER"
    route = request.resolver_match.route if request.resolver_match else "unmatched"
    metrics.REQUESTS.labels(method, route, str(response.status_code)).observe(seconds)
    told = {"method": method, "route": route, "status": response.status_code, "ms": round(seconds * 1000, 1)}
    if settings.LOG_QUERIES:
        told["address"] = request.get_full_path()
    LOGGER.info("%(method)s /%(route)s %(status)d in %(ms).1f ms", told, extra=told)


@require_safe
def show_metrics(request: HttpRequest) -> HttpResponse:
    """Give the figures to who asks from a network of METRICS_FROM; to others there is nothing here."""
    try:
        address = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        raise Http404 from None
    if not any(address in ipaddress.ip_network(network) for network in settings.METRICS_FROM):
        raise Http404
    return HttpResponse(exposition(settings.PROMETHEUS_MULTIPROC_DIR), content_type=CONTENT_TYPE_LATEST)
