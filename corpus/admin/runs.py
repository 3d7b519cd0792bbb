"""Import runs, embedding models and the change log in the admin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Count, IntegerField, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from corpus.admin.source import ReadOnly, SourceAdmin, change_list, warning_list
from corpus.models import (
    Article,
    ChunkEmbedding,
    CorpusChange,
    EmbeddingModel,
    ImportEntry,
    ImportRun,
    Law,
)
from corpus.templatetags.refusals import told

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest
    from django.utils.safestring import SafeString

ENTRIES_SHOWN = 100


class _TellsWhatHappened:
    """The columns in which an entry of a run says, for people, what became of its law."""

    @admin.display(description=_("detalle"))
    def why(self, entry: ImportEntry) -> str:
        """Say why it was refused or left aside."""
        return told(entry.detail)

    @admin.display(description=_("cambios"))
    def what_changed(self, entry: ImportEntry) -> SafeString | str:
        """List what the import changed."""
        return change_list(entry.changes)

    @admin.display(description=_("avisos"))
    def source_warnings(self, entry: ImportEntry) -> SafeString | str:
        """List what was odd in the source."""
        return warning_list(entry.warnings)


class EntryInline(_TellsWhatHappened, ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    """The first laws of a run that changed or failed; the list of entries has them all."""

    model = ImportEntry
    template = "admin/corpus/importrun/entries.html"
    fields = ("path", "law_key", "outcome", "why", "what_changed", "source_warnings")
    readonly_fields = ("why", "what_changed", "source_warnings")
    verbose_name_plural = _("normas cambiadas o fallidas (las primeras)")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ImportEntry]:
        """Keep to what is worth reading on one page."""
        entries: QuerySet[ImportEntry] = super().get_queryset(request)
        run = request.resolver_match.kwargs.get("object_id") if request.resolver_match else None
        worth = ImportEntry.objects.filter(run=run).exclude(outcome=ImportEntry.Outcome.UNCHANGED)
        return entries.filter(pk__in=worth.order_by("pk").values("pk")[:ENTRIES_SHOWN])


@admin.register(ImportRun)
class ImportRunAdmin(SourceAdmin):
    """Runs with what they did, and the laws they changed or failed at."""

    list_display = (
        "source", "state", "started_at", "finished_at", "created", "updated", "unchanged", "skipped", "failed",
    )  # fmt: skip
    list_filter = ("state", "started_at")
    search_fields = ("source", "entries__law_key", "entries__path")
    readonly_fields = ("started_at", "all_entries")
    inlines = (EntryInline,)

    @admin.display(description=_("todas las normas"))
    def all_entries(self, run: ImportRun) -> SafeString:
        """Link to every entry of the run."""
        return format_html('<a href="../../../importentry/?run__id__exact={}">{}</a>', run.pk, run.entries.count())


@admin.register(ImportEntry)
class ImportEntryAdmin(_TellsWhatHappened, SourceAdmin):
    """What each run did to each law."""

    list_display = ("path", "law_key", "outcome", "why", "run")
    list_filter = ("outcome", ("run", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("run",)
    search_fields = ("path", "law_key", "detail")
    key_lookups = ("law_key",)
    readonly_fields = ("run", "why", "what_changed", "source_warnings")
    exclude = ("detail", "changes", "warnings")


@admin.register(EmbeddingModel)
class EmbeddingModelAdmin(SourceAdmin):
    """Embedding models with their number of vectors."""

    list_display = ("fingerprint", "state", "dimensions", "vectors", "created_at")
    list_filter = ("state",)
    search_fields = ("fingerprint",)
    readonly_fields = ("vectors", "created_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[EmbeddingModel]:
        """Count the vectors of each model."""
        queryset: QuerySet[EmbeddingModel] = super().get_queryset(request)
        vectors = ChunkEmbedding.objects.filter(model=OuterRef("pk")).order_by().values("model")
        counts = vectors.annotate(rows=Count("pk")).values("rows")
        return queryset.annotate(vector_count=Coalesce(Subquery(counts, output_field=IntegerField()), 0))

    @admin.display(description=_("vectores"), ordering="vector_count")
    def vectors(self, model: EmbeddingModel) -> int:
        """Count the vectors held."""
        return int(model.vector_count)  # type: ignore[attr-defined]


@admin.register(CorpusChange)
class CorpusChangeAdmin(SourceAdmin):
    """The change log, newest first, with what its ids name while that is there."""

    list_display = ("revision", "at", "changed")
    list_filter = ("at",)
    ordering = ("-revision",)
    show_full_result_count = False
    search_fields = ("revision",)
    fields = ("revision", "at", "law_id", "article_id", "changed")
    readonly_fields = ("at", "changed")

    def get_queryset(self, request: HttpRequest) -> QuerySet[CorpusChange]:
        """Look the names of law and article up."""
        queryset: QuerySet[CorpusChange] = super().get_queryset(request)
        return queryset.annotate(
            law_key=Subquery(Law.objects.filter(pk=OuterRef("law_id")).values("key")[:1]),
            article_key=Subquery(Article.objects.filter(pk=OuterRef("article_id")).values("key")[:1]),
        )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Find by law key, citation or revision."""
        term = search_term.replace("\0", " ").strip()
        law, _colon, article = term.lower().partition(":")
        found = Q(law_key=law, article_key=article) if article else Q(law_key=law)
        if term.isascii() and term.isdigit():
            found |= Q(revision=min(int(term), 2**63 - 1))
        return (queryset.filter(found) if term else queryset), False

    @admin.display(description=_("lo cambiado"))
    def changed(self, change: CorpusChange) -> str:
        """Name the article or law that changed, or say that it is gone."""
        law = change.law_key or _("norma borrada ({})").format(change.law_id)  # type: ignore[attr-defined]
        if change.article_id is None:
            return str(law)
        article = change.article_key or _("artículo borrado")  # type: ignore[attr-defined]
        return f"{law}:{article}"
