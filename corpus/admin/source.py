"""What every list of the corpus shares: rows nobody types over, and citations in the search box."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlencode

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from corpus.identifiers import CitationId, InvalidCitationId
from corpus.models import Law

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import Model, QuerySet
    from django.http import HttpRequest
    from django.utils.safestring import SafeString

CHANGES = {
    "law": _("datos de la norma"),
    "articles_added": _("artículos nuevos"),
    "articles_removed": _("artículos que ya no están"),
    "articles_changed": _("artículos cambiados"),
    "versions_added": _("redacciones nuevas"),
    "versions_removed": _("redacciones que ya no están"),
    "versions_changed": _("redacciones cambiadas"),
}
LONG_CHANGES = 400


class ReadOnly:
    """Lets nobody add, change or delete rows by hand: they come from a source or are derived from it."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse: the page shows the row without a form."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Refuse, except where an admin can delete through the change log."""
        return False


class SourceAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows that came from a source; a canonical id in the search box finds exactly its law's or article's rows.

    `key_lookups` names the fields that hold the law's key and, where there is one, the article's.
    """

    list_per_page = 50
    key_lookups: ClassVar[tuple[str, ...]] = ()

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Find by canonical id where the term is one, else as Django does."""
        term = search_term.replace("\0", " ").strip()
        exact = self._exact(term)
        if exact is not None:
            return queryset.filter(**exact), False
        return super().get_search_results(request, queryset, term)

    def _exact(self, term: str) -> dict[str, str] | None:
        cited = _citation(term)
        keys = [cited.law, cited.unit] if cited and cited.unit else [cited.law] if cited else []
        if not 0 < len(keys) <= len(self.key_lookups) or not Law.objects.filter(key=keys[0]).exists():
            return None
        return dict(zip(self.key_lookups, keys, strict=False))


def _citation(term: str) -> CitationId | None:
    try:
        return CitationId.parse(term)
    except InvalidCitationId:
        return None


def rows_link(model: type[Model], search: str, shown: object) -> SafeString:
    """Link to the list of a model's rows that a search finds."""
    address = reverse(f"admin:{model._meta.label_lower.replace('.', '_')}_changelist")
    return format_html('<a href="{}?{}">{}</a>', address, urlencode({"q": search}), shown)


def note_list(notes: list[dict[str, Any]]) -> SafeString | str:
    """Show a source's editorial notes, one a line."""
    return format_html_join("", "<div>{}</div>", ((note.get("text", ""),) for note in notes)) or "–"


def warning_list(warnings: list[dict[str, Any]]) -> SafeString | str:
    """Show a source's oddities, one a line: what kind, at which block, and the detail."""
    rows = [(warning.get("kind", ""), warning.get("block", ""), warning.get("detail", "")) for warning in warnings]
    return format_html_join("", "<div><strong>{}</strong> <code>{}</code> {}</div>", rows) or "–"


def change_list(changes: dict[str, Any]) -> SafeString | str:
    """Show what an import changed, one kind a line: which provisions, and of redactions the days they begin."""
    rows = [
        (CHANGES.get(kind, kind), Truncator(", ".join(_changed(what))).chars(LONG_CHANGES))
        for kind, what in changes.items()
    ]
    return format_html_join("", "<div><strong>{}</strong> {}</div>", rows) or "–"


def _changed(what: Any) -> Iterator[str]:
    if isinstance(what, dict):
        yield from (f"{unit} ({', '.join(map(str, days))})" for unit, days in what.items())
    else:
        yield from map(str, what)
