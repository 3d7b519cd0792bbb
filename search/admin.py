"""What the search knows of the corpus, in the admin: which laws the index holds, and how index and vectors stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from corpus.admin import LawAdmin
from corpus.admin.widgets import NAMED_DATE_TIMES
from corpus.models import CorpusChange, Law
from search import evaluation_admin, keys_admin, query_log_admin  # noqa: F401 (each registers)
from search.health import look
from search.lexical import lexical_index
from search.models import Citation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

    from search.health import Checks

TONES = {"ok": "success", "degraded": "warning", "failed": "error"}

admin.site.unregister([Law, User, Group])


@admin.register(User)
class NamedUserAdmin(UserAdmin):  # type: ignore[type-arg]
    """Django's own, with a name on each box of its days and times, and without pairs of lists."""

    filter_horizontal = ()
    formfield_overrides = NAMED_DATE_TIMES


@admin.register(Group)
class PlainGroupAdmin(GroupAdmin):
    """Django's own, without the pair of lists, whose labels no screen reader tells."""

    filter_horizontal = ()


@admin.register(Law)
class IndexedLawAdmin(LawAdmin):
    """Laws with their place in the lexical index, below the state of index and vectors."""

    list_display = ("key", "name", "status", "articles", "versions", "chunks", "indexed", "source", "source_updated_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Law]:
        """Say of each law whether changes of it are still to be indexed."""
        held = lexical_index().state()
        pending = CorpusChange.objects.filter(law_id=OuterRef("pk"), revision__gt=held.revision if held else 0)
        return super().get_queryset(request).annotate(is_pending=Exists(pending))

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the state above the list."""
        return super().changelist_view(request, {"state": list(_told(look().checks)), **(extra_context or {})})

    def taken_along(self, laws: QuerySet[Law]) -> dict[str, int]:
        """Count the citations too: those in the laws' texts go, those of them in other texts lose their target."""
        laws = Law.objects.filter(pk__in=laws.values("pk"))
        inside = Citation.objects.filter(version__article__law__in=laws)
        outside = Citation.objects.filter(target__law__in=laws).exclude(version__article__law__in=laws)
        return super().taken_along(laws) | {
            _("citas que hacen"): inside.count(),
            _("citas que reciben y quedan sin destino"): outside.count(),
        }

    @admin.display(description=gettext_lazy("en el índice"), boolean=True)
    def indexed(self, law: Law) -> bool:
        """Say whether the index holds the law as the corpus does."""
        return not law.is_pending  # type: ignore[attr-defined]


def _told(checks: Checks) -> Iterator[dict[str, str]]:
    index, vectors, embedder = checks.lexical_index, checks.vectors, checks.embedder
    numbers = {
        "held": index.revision, "revision": checks.corpus.revision, "done": vectors.chunks_with_vector,
        "all": vectors.chunks, "model": vectors.model or embedder.fingerprint,
    }  # fmt: skip
    if index.revision is not None:
        yield _line(index.status, _("Índice léxico: revisión %(held)s de %(revision)s.") % numbers, index.detail)
    else:
        yield _line(index.status, "", index.detail)
    if vectors.chunks is not None:
        text = _("Vectores: %(done)s de %(all)s fragmentos, modelo %(model)s.") % numbers
        yield _line(vectors.status, text, vectors.detail)
    else:
        yield _line(vectors.status, "", vectors.detail)
    if embedder.status != "ok":
        yield _line(embedder.status, "", embedder.detail)


def _line(status: str, text: str, detail: str) -> dict[str, str]:
    return {"tone": TONES[status], "text": " ".join(filter(None, (text, detail)))}
