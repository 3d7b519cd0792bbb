"""The query log in the admin: what was asked, what it tells of the search, and the whole of it as CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import StreamingHttpResponse
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.translation import gettext as _

from corpus.admin.source import ReadOnly
from search import query_log
from search.models import QueryLog
from search.query_statistics import csv_lines, statistics

if TYPE_CHECKING:
    from django.db.models import Model
    from django.http import HttpRequest, HttpResponseBase
    from django.urls import URLPattern

PERIODS = (1, 7, 30, 90)
USUAL_PERIOD = 30


@admin.register(QueryLog)
class QueryLogAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Questions as they were answered; who may delete them may, and nobody changes them."""

    list_display = ("at", "query", "channel", "mode", "missing", "total", "confidence", "milliseconds", "chosen")
    list_filter = ("channel", "mode", ("missing", admin.EmptyFieldListFilter), "at")
    search_fields = ("query",)
    show_full_result_count = False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Let go of what may be personal after all."""
        return admin.ModelAdmin.has_delete_permission(self, request, obj)

    def get_urls(self) -> list[URLPattern]:
        """Add the statistics and the export."""
        wrap = self.admin_site.admin_view
        own = [
            path("statistics/", wrap(self.statistics_view), name="search_querylog_statistics"),
            path("export/", wrap(self.export_view), name="search_querylog_export"),
        ]
        return own + super().get_urls()

    def statistics_view(self, request: HttpRequest) -> TemplateResponse:
        """Show what the log of some days tells."""
        self._require_view(request)
        query_log.prune()
        asked = request.GET.get("days", "")
        days = int(asked) if asked in map(str, PERIODS) else USUAL_PERIOD
        context = self.admin_site.each_context(request) | {
            "title": _("Estadísticas de las consultas"),
            "statistics": statistics(days),
            "periods": PERIODS,
            "is_on": settings.QUERY_LOG,
            "kept_days": settings.QUERY_LOG_DAYS,
            "opts": self.opts,
        }
        return TemplateResponse(request, "admin/search/querylog/statistics.html", context)

    def export_view(self, request: HttpRequest) -> HttpResponseBase:
        """Give the log as a CSV file."""
        self._require_view(request)
        return StreamingHttpResponse(
            csv_lines(),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": 'attachment; filename="query_log.csv"'},
        )

    def _require_view(self, request: HttpRequest) -> None:
        if not self.has_view_permission(request):
            raise PermissionDenied
