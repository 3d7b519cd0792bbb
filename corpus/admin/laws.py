"""Laws in the admin: how much of each is held and embedded, and how one is deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db import transaction
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from corpus.admin.source import SourceAdmin, note_list, rows_link, warning_list
from corpus.coverage import counted
from corpus.loading import remove
from corpus.models import Article, ArticleVersion, Chunk, Law

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet
    from django.http import HttpRequest
    from django.utils.safestring import SafeString

LONG_TITLE = 90


@admin.register(Law)
class LawAdmin(SourceAdmin):
    """Laws with what is held of them; deleting one goes through the change log."""

    list_display: tuple[str, ...] = (
        "key",
        "name",
        "status",
        "articles",
        "versions",
        "chunks",
        "source",
        "source_updated_at",
    )
    list_filter = ("status", "history", "source", "jurisdiction", "rank")
    search_fields = ("key", "boe_id", "title", "short_title", "number")
    key_lookups = ("key",)
    readonly_fields = ("articles", "versions", "chunks", "completeness", "source_notes", "source_warnings")
    fieldsets = (
        (None, {"fields": ("key", "title", "short_title", "rank", "number", "boe_id", "eli", "jurisdiction", "language",
                           "department", "subjects")}),
        (_("Vigencia"), {"fields": ("status", "enacted", "published", "valid_from", "valid_to")}),
        (_("Lo que hay"), {"fields": ("articles", "versions", "chunks")}),
        (_("Fuente"), {"fields": ("source", "source_url", "history", "source_updated_at", "fetched_at", "completeness",
                                  "source_notes", "source_warnings")}),
    )  # fmt: skip

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Ask for Django's permission to delete laws."""
        return request.user.has_perm("corpus.delete_law")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Law]:
        """Count what is held of each law."""
        return counted(super().get_queryset(request))

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Say in numbers what goes along: a code has too many chunks to list."""
        laws = list(counted(Law.objects.filter(pk__in=[law.pk for law in objs])))
        counts = {
            Law: len(laws),
            Article: sum(law.article_count for law in laws),  # type: ignore[attr-defined]
            ArticleVersion: sum(law.version_count for law in laws),  # type: ignore[attr-defined]
            Chunk: sum(law.chunk_count for law in laws),  # type: ignore[attr-defined]
        }
        named = {str(model._meta.verbose_name_plural): count for model, count in counts.items()}
        return [f"{law.key}: {law}" for law in laws], named, set(), []

    def delete_model(self, request: HttpRequest, obj: Law) -> None:
        """Delete one law so that the change log, and with it every index, knows."""
        remove(obj)

    @transaction.atomic
    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Law]) -> None:
        """Delete the chosen laws, all or none, each through the change log."""
        for law in queryset.order_by("key"):
            remove(law)

    @admin.display(description=_("título"), ordering="title")
    def name(self, law: Law) -> str:
        """Give the title, cut."""
        return Truncator(str(law)).chars(LONG_TITLE)

    @admin.display(description=_("artículos"), ordering="article_count")
    def articles(self, law: Law) -> SafeString:
        """Count the articles and link to them."""
        return rows_link(Article, law.key, law.article_count)  # type: ignore[attr-defined]

    @admin.display(description=_("redacciones"), ordering="version_count")
    def versions(self, law: Law) -> SafeString:
        """Count the versions and link to them."""
        return rows_link(ArticleVersion, law.key, law.version_count)  # type: ignore[attr-defined]

    @admin.display(description=_("fragmentos con vector"))
    def chunks(self, law: Law) -> SafeString:
        """Count the chunks with a vector, and all of them, and link to them."""
        return rows_link(Chunk, law.key, f"{law.embedded_count} / {law.chunk_count}")  # type: ignore[attr-defined]

    @admin.display(description=_("caracteres conservados"))
    def completeness(self, law: Law) -> str:
        """Say how much of the source's text is kept."""
        return f"{law.characters_kept} / {law.characters_in_source}"

    @admin.display(description=_("notas"))
    def source_notes(self, law: Law) -> SafeString | str:
        """List the editorial notes."""
        return note_list(law.notes)

    @admin.display(description=_("avisos"))
    def source_warnings(self, law: Law) -> SafeString | str:
        """List what was odd in the source."""
        return warning_list(law.warnings)
