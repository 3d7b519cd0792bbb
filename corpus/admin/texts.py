"""Articles, versions and chunks in the admin: lists bring their law along and leave the texts behind.

They stand in the order of ids, which an index gives at once; that of the laws' keys would sort a million rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.db.models import F, TextField
from django.db.models.functions import Substr
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from corpus.admin.source import SourceAdmin, note_list, rows_link
from corpus.coverage import has_vector
from corpus.models import Article, ArticleVersion, Chunk

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.utils.safestring import SafeString

LONG_PASSAGE = 160
VERSION_TEXTS = ("text", "blocks", "notes")


@admin.register(Article)
class ArticleAdmin(SourceAdmin):
    """Articles by law and citation key."""

    list_display = ("__str__", "label", "heading", "kind", "position")
    ordering = ("law_id", "position")
    list_filter = ("kind", "law__jurisdiction", "law__rank")
    search_fields = ("key", "label", "heading", "law__key", "law__title")
    key_lookups = ("law__key", "key")
    show_full_result_count = False
    readonly_fields = ("versions",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Article]:
        """Bring the law along."""
        queryset: QuerySet[Article] = super().get_queryset(request)
        return queryset.select_related("law")

    @admin.display(description=_("redacciones"))
    def versions(self, article: Article) -> SafeString:
        """Link to the versions."""
        return rows_link(ArticleVersion, str(article), article.versions.count())


@admin.register(ArticleVersion)
class ArticleVersionAdmin(SourceAdmin):
    """Versions with the days they ran."""

    list_display = ("citation", "position", "status", "valid_from", "valid_to", "published", "amended_by")
    ordering = ("article_id", "position")
    list_filter = ("status", "article__kind", "article__law__jurisdiction", "article__law__rank")
    search_fields = ("article__key", "article__label", "heading", "article__law__key", "amended_by")
    key_lookups = ("article__law__key", "article__key")
    show_full_result_count = False
    readonly_fields = ("source_notes",)
    exclude = ("blocks", "notes")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ArticleVersion]:
        """Bring article and law along."""
        queryset: QuerySet[ArticleVersion] = super().get_queryset(request).select_related("article__law")
        is_list = request.resolver_match is not None and not request.resolver_match.kwargs
        return queryset.defer(*VERSION_TEXTS) if is_list else queryset

    @admin.display(description=_("cita"), ordering="article_id")
    def citation(self, version: ArticleVersion) -> str:
        """Give the article's citation."""
        return str(version.article)

    @admin.display(description=_("notas"))
    def source_notes(self, version: ArticleVersion) -> SafeString | str:
        """List the editorial notes."""
        return note_list(version.notes)


@admin.register(Chunk)
class ChunkAdmin(SourceAdmin):
    """Chunks with their passage and whether they have a vector."""

    list_display = ("citation", "version_position", "position", "sub_unit", "passage", "embedded")
    ordering = ("version_id", "position")
    list_filter = ("version__status", "version__article__kind", "version__article__law__jurisdiction")
    search_fields = ("version__article__key", "version__article__law__key", "sha256")
    key_lookups = ("version__article__law__key", "version__article__key")
    show_full_result_count = False
    fields = ("version", "position", "start", "end", "sub_unit", "sha256", "passage", "embedded")
    readonly_fields = ("passage", "embedded")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Chunk]:
        """Bring the passage along, not the whole text it is cut from."""
        queryset: QuerySet[Chunk] = super().get_queryset(request)
        texts = [f"version__{field}" for field in VERSION_TEXTS]
        passage = Substr("version__text", F("start") + 1, F("end") - F("start"), output_field=TextField())
        return (
            queryset.select_related("version__article__law")
            .defer(*texts)
            .annotate(passage_text=passage, is_embedded=has_vector())
        )

    @admin.display(description=_("cita"), ordering="version_id")
    def citation(self, chunk: Chunk) -> str:
        """Give the article's citation."""
        return str(chunk.version.article)

    @admin.display(description=_("redacción"))
    def version_position(self, chunk: Chunk) -> int:
        """Say which of the article's versions it is cut from."""
        return chunk.version.position

    @admin.display(description=_("pasaje"))
    def passage(self, chunk: Chunk) -> str:
        """Give the chunk's text, cut."""
        return Truncator(chunk.passage_text).chars(LONG_PASSAGE)  # type: ignore[attr-defined]

    @admin.display(description=_("con vector"), boolean=True)
    def embedded(self, chunk: Chunk) -> bool:
        """Say whether the active model has its vector."""
        return bool(chunk.is_embedded)  # type: ignore[attr-defined]
