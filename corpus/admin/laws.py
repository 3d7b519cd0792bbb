"""Laws in the admin: how much of each is held and embedded; they are deleted, and embedded anew, by jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import Exists, OuterRef
from django.http import HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from corpus.admin.jobs import ask_for, asked_for, page_of
from corpus.admin.source import SourceAdmin, note_list, rows_link, warning_list
from corpus.coverage import counted
from corpus.jobs import Task
from corpus.models import Article, ArticleVersion, Chunk, ChunkEmbedding, Law

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet
    from django.http import HttpRequest
    from django.utils.safestring import SafeString

LONG_TITLE = 90
LAWS_NAMED = 30


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
    actions = ("embed_anew", "delete_laws")
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

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Leave out the deletion that would do its work in the request, and what the user may not ask for."""
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def get_deleted_objects(
        self, objs: Any, request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Say in numbers what goes along: a code has too many chunks to list."""
        laws = Law.objects.filter(pk__in=[law.pk for law in objs])
        return [f"{law.key}: {law}" for law in laws], self.taken_along(laws), set(), []

    def taken_along(self, laws: QuerySet[Law]) -> dict[str, int]:
        """Count what is deleted along with laws, by name; vectors that other laws need too stay."""
        laws = Law.objects.filter(pk__in=laws.values("pk"))
        chunks = Chunk.objects.filter(version__article__law__in=laws)
        needed = Chunk.objects.filter(sha256=OuterRef("sha256")).exclude(version__article__law__in=laws)
        vectors = ChunkEmbedding.objects.filter(~Exists(needed), sha256__in=chunks.values("sha256"))
        counts: dict[type[Model], int] = {
            Law: laws.count(),
            Article: Article.objects.filter(law__in=laws).count(),
            ArticleVersion: ArticleVersion.objects.filter(article__law__in=laws).count(),
            Chunk: chunks.count(),
            ChunkEmbedding: vectors.count(),
        }
        return {str(model._meta.verbose_name_plural): count for model, count in counts.items()}

    def delete_model(self, request: HttpRequest, obj: Law) -> None:
        """Have one law deleted."""
        self.message_user(request, asked_for(ask_for(request, Task.DELETE_LAWS, [obj.key])))

    def response_delete(self, request: HttpRequest, obj_display: str, obj_id: int) -> HttpResponse:
        """Go on to the jobs: the law is not deleted yet."""
        return HttpResponseRedirect(reverse("admin:corpus_job_changelist"))

    @admin.action(description=_("Borrar las normas elegidas"), permissions=["delete"])
    def delete_laws(self, request: HttpRequest, queryset: QuerySet[Law]) -> HttpResponse:
        """Have laws deleted, once it is confirmed with what goes along."""
        return self._confirmed(request, queryset, Task.DELETE_LAWS, self.taken_along(queryset))

    @admin.action(description=_("Rehacer los vectores de las normas elegidas"), permissions=["ask"])
    def embed_anew(self, request: HttpRequest, queryset: QuerySet[Law]) -> HttpResponse:
        """Have the vectors of laws made anew, once it is confirmed how many."""
        chunks = Chunk.objects.filter(version__article__law__in=queryset).values("sha256").distinct().count()
        counts = {str(Law._meta.verbose_name_plural): queryset.count(), str(_("vectores")): chunks}
        return self._confirmed(request, queryset, Task.EMBED_ANEW, counts)

    def has_ask_permission(self, request: HttpRequest) -> bool:
        """Ask for the permission to queue jobs."""
        return request.user.has_perm("corpus.add_job")

    def _confirmed(
        self, request: HttpRequest, queryset: QuerySet[Law], task: Task, counts: dict[str, int]
    ) -> HttpResponse:
        """Queue a job over laws if that is confirmed, else ask."""
        if request.POST.get("post"):
            job = ask_for(request, task, list(queryset.order_by("key").values_list("key", flat=True)))
            self.message_user(request, asked_for(job))
            return HttpResponseRedirect(page_of(job))
        context = self.admin_site.each_context(request) | {
            "title": task.label.capitalize(),
            "opts": self.opts,
            "action": request.POST["action"],
            "is_deletion": task == Task.DELETE_LAWS,
            "counts": counts,
            "laws": queryset.order_by("key")[:LAWS_NAMED],
            "unnamed": max(0, queryset.count() - LAWS_NAMED),
            "chosen": request.POST.getlist(ACTION_CHECKBOX_NAME),
            "across": request.POST.get("select_across", "0"),
        }
        return TemplateResponse(request, "admin/corpus/law/confirm.html", context)

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
