"""What the corpus holds, law by law and in all, and what it is known to lack: the same for page, CSV and API."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

from django.core.cache import cache
from django.db.models import Case, Count, F, FloatField, Func, IntegerField, Q, Sum, When
from django.db.models.functions import Cast
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from ninja import Schema

from corpus import coverage
from corpus.models import CorpusChange, Law, LawCoverage
from corpus.vectors import active_model
from search import lacking_vectors
from search.addresses import page_url, source_url
from search.captions import law_summary
from search.catalogue import named
from search.errors import UnknownValue
from search.indexing import corpus_state
from search.lexical import lexical_index
from search.models import Citation, CitedTarget, GraphState
from search.responses import LawSummary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from django.db.models import QuerySet

ENOUGH = 0.995
ABSENT_SHOWN = 20
COUNTED_FOR_SECONDS = 300
LAWS_AT_ONCE = 500
SORTS = {
    "id": "key",
    "title": "title",
    "status": "status",
    "articles": "coverage__articles",
    "versions": "coverage__versions",
    "chunks": "coverage__chunks",
    "first_day": "coverage__first_day",
    "last_day": "coverage__last_day",
    "gaps": "gap_count",
    "completeness": "completeness",
    "warnings": "warning_count",
    "source_updated_at": "source_updated_at",
    "fetched_at": "fetched_at",
}
_WHAT_LACKS = {
    "characters": Q(completeness__lt=ENOUGH),
    "numbers": Q(gap_count__gt=0),
    "history": Q(history=Law.History.CURRENT_ONLY),
}
LACKING = (*_WHAT_LACKS, "vectors")


@dataclass(frozen=True)
class Wanted:
    """Which laws are listed, in which order, and which part of the list; raises `InputError` for what is no choice.

    `name` is what they are called, or words of it.
    """

    sort: str = "id"
    lacking: str = ""
    limit: int = 50
    offset: int = 0
    name: str = ""

    def __post_init__(self) -> None:
        if self.sort.removeprefix("-") not in SORTS:
            raise _no_choice("sort", SORTS)
        if self.lacking and self.lacking not in LACKING:
            raise _no_choice("lacking", LACKING)


class HeldLaw(LawSummary):
    """What is held of one law; `completeness` is the part of its source's characters that is kept."""

    articles: int
    versions: int
    first_day: date | None
    last_day: date | None
    history: str
    gaps: list[str]
    characters_in_source: int
    characters_kept: int
    completeness: float | None
    warnings: int
    chunks: int
    chunks_without_vector: int
    is_indexed: bool
    source: str
    source_url: str | None
    fetched_from: str | None
    fetched_at: datetime
    source_updated_at: datetime | None
    source_sha256: str | None
    url: str


class Totals(Schema):
    """The same of the whole corpus, and how many laws lack something."""

    laws: int
    articles: int
    versions: int
    chunks: int
    chunks_without_vector: int
    characters_in_source: int
    characters_kept: int
    incomplete_laws: int
    laws_with_gaps: int
    laws_without_history: int


class Derived(Schema):
    """How far index, vectors and citations have followed the corpus; `index_lag` counts changes that are to come."""

    corpus_revision: int
    index_revision: int | None
    index_lag: int
    citations_revision: int
    embedding_model: str | None


class AbsentLaw(Schema):
    """A law that is not held, and how many citations of it there are."""

    law: str
    citations: int


def laws(wanted: Wanted) -> tuple[list[HeldLaw], int]:
    """Give a page of the laws and how many there are."""
    coverage.catch_up()
    found = _wanted(wanted)
    return _held(list(found[wanted.offset : wanted.offset + wanted.limit])), found.count()


def every_law(wanted: Wanted) -> Iterator[HeldLaw]:
    """Give all the laws wanted, some hundreds at a time."""
    coverage.catch_up()
    keys = list(_wanted(wanted).values_list("pk", flat=True))
    for start in range(0, len(keys), LAWS_AT_ONCE):
        found = _counted().in_bulk(keys[start : start + LAWS_AT_ONCE])
        yield from _held([found[key] for key in keys[start : start + LAWS_AT_ONCE] if key in found])


def totals() -> Totals:
    """Count the whole corpus."""
    kept = LawCoverage.objects.aggregate(articles=Sum("articles"), versions=Sum("versions"), chunks=Sum("chunks"))
    source = _counted().aggregate(
        laws=Count("pk"),
        characters_in_source=Sum("characters_in_source"),
        characters_kept=Sum("characters_kept"),
        incomplete_laws=Count("pk", filter=_WHAT_LACKS["characters"]),
        laws_with_gaps=Count("pk", filter=_WHAT_LACKS["numbers"]),
        laws_without_history=Count("pk", filter=_WHAT_LACKS["history"]),
    )
    numbers = {name: value or 0 for name, value in {**kept, **source}.items()}
    return Totals(**numbers, chunks_without_vector=sum(lacking_vectors.by_law().values()))


def derived() -> Derived:
    """Say how far everything that is derived has followed the corpus."""
    held, model, graph = lexical_index().state(), active_model(), GraphState.objects.filter(pk=1).first()
    revision = held.revision if held else 0
    return Derived(
        corpus_revision=corpus_state().revision,
        index_revision=held.revision if held else None,
        index_lag=CorpusChange.objects.filter(revision__gt=revision).count(),
        citations_revision=graph.revision if graph else 0,
        embedding_model=model.fingerprint if model else None,
    )


def most_cited_absent() -> list[AbsentLaw]:
    """Give the laws that the texts cite most often and the corpus does not have; counted now and then."""
    found: list[AbsentLaw] | None = cache.get("coverage:absent")
    if found is None:
        absent = Citation.objects.filter(target__state=CitedTarget.State.LAW_ABSENT).exclude(target__law_key="")
        counted = absent.order_by().values("target__law_key").annotate(rows=Count("pk"))
        rows = counted.order_by("-rows", "target__law_key")[:ABSENT_SHOWN]
        found = [AbsentLaw(law=row["target__law_key"], citations=row["rows"]) for row in rows]
        cache.set("coverage:absent", found, COUNTED_FOR_SECONDS)
    return found


def not_covered(without_history: int) -> list[str]:
    """Say what the corpus does not hold whatever is imported, or does not hold of what it has."""
    history = ngettext(
        "La historia de %(laws)d norma, de cuya fuente sólo se tiene la redacción actual.",
        "La historia de %(laws)d normas, de cuyas fuentes sólo se tiene la redacción actual.",
        without_history,
    )
    return [
        _("Las normas españolas que sólo modifican otras: el BOE no las consolida, sino las modificadas."),
        _("Sentencias, doctrina administrativa y tratados: se reconocen sus citas en los textos, no lo que dicen."),
        *([history % {"laws": without_history}] if without_history else ()),
    ]


def _counted() -> QuerySet[Law]:
    return (
        Law.objects.filter(coverage__isnull=False)
        .select_related("coverage")
        .annotate(
            gap_count=Func(F("coverage__gaps"), function="cardinality", output_field=IntegerField()),
            warning_count=Func(F("warnings"), function="jsonb_array_length", output_field=IntegerField()),
            completeness=Case(
                When(
                    characters_in_source__gt=0,
                    then=Cast("characters_kept", FloatField()) / Cast("characters_in_source", FloatField()),
                )
            ),
        )
    )


def _wanted(wanted: Wanted) -> QuerySet[Law]:
    field = F(SORTS[wanted.sort.removeprefix("-")])
    order = field.desc(nulls_last=True) if wanted.sort.startswith("-") else field.asc(nulls_last=True)
    lacking = (
        Q(pk__in=lacking_vectors.by_law()) if wanted.lacking == "vectors" else _WHAT_LACKS.get(wanted.lacking, Q())
    )
    return _counted().filter(lacking, _so_named(wanted.name)).defer("warnings", "notes").order_by(order, "key")


def _so_named(name: str) -> Q:
    """Look through the names once for the list and its count."""
    return Q(pk__in=list(named(Law.objects.order_by(), name).values_list("pk", flat=True))) if name else Q()


def _held(found: Sequence[Law]) -> list[HeldLaw]:
    ids = [law.pk for law in found]
    without_vector, pending = lacking_vectors.by_law(), _pending(ids)
    return [_row(law, without_vector.get(law.pk, 0), is_indexed=law.pk not in pending) for law in found]


def _pending(ids: Sequence[int]) -> set[int]:
    held = lexical_index().state()
    changes = CorpusChange.objects.filter(revision__gt=held.revision if held else 0, law_id__in=ids)
    return set(changes.values_list("law_id", flat=True))


def _row(law: Law, without_vector: int, *, is_indexed: bool) -> HeldLaw:
    held = law.coverage
    return HeldLaw(
        **law_summary(law).model_dump(),
        articles=held.articles,
        versions=held.versions,
        first_day=held.first_day,
        last_day=held.last_day,
        history=law.history,
        gaps=held.gaps,
        characters_in_source=law.characters_in_source,
        characters_kept=law.characters_kept,
        completeness=law.completeness,  # type: ignore[attr-defined]
        warnings=law.warning_count,  # type: ignore[attr-defined]
        chunks=held.chunks,
        chunks_without_vector=without_vector,
        is_indexed=is_indexed,
        source=law.source,
        source_url=source_url(law),
        fetched_from=law.fetched_from or None,
        fetched_at=law.fetched_at,
        source_updated_at=law.source_updated_at,
        source_sha256=law.source_sha256 or None,
        url=page_url(law.key),
    ).in_language(law.language)


def _no_choice(parameter: str, choices: Iterable[str]) -> UnknownValue:
    names = ", ".join(choices)
    detail = _("%(parameter)s debe ser uno de %(names)s.") % {"parameter": parameter, "names": names}
    return UnknownValue(detail, parameter=parameter, limit=names)
