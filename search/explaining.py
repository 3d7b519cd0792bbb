"""Says how a hit got its place, and why a provision that was expected is not on the page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from django.db.models import Q
from django.utils.translation import gettext as _

from corpus.identifiers import CitationId
from corpus.models import ArticleVersion, Chunk, ChunkEmbedding
from search import arms, cited, lookup
from search.captions import CONDITIONS
from search.citations import parse
from search.features import NAMES
from search.figures import figure
from search.filters import ENDED, IN_FORCE, STATUSES, Filters
from search.hits import place
from search.hydration import hydrate
from search.outcomes import words
from search.ranking import folded
from search.requests import MAX_DEPTH
from search.responses import Absence, ArmRank, Explanation, FeatureCount

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from search.arms import Arms
    from search.hydration import Provision
    from search.questions import Question
    from search.ranking import ArmHit, Ranked
    from search.reordering import Pool
    from search.requests import RetrievalRequest
    from search.responses import Arm, Mode, Resolution
    from search.weighting import Weighting

Reason = Literal["found", "not_found", "filtered", "not_cited", "not_embedded", "below_the_cut", "below_min_score"]
ARMS: tuple[Arm, ...] = ("lexical", "semantic")


@dataclass(frozen=True)
class Course:
    """How a pool came to its order: fused by a weighting, then judged; `counted` is by article, as `NAMES` go."""

    fused: Sequence[Ranked]
    weighting: Weighting | None = None
    reranker: str | None = None
    counted: Mapping[int, Sequence[float]] | None = None


def explanations(page: Sequence[Ranked], course: Course) -> list[Explanation]:
    """Give how the entries of a page got their places, in its order."""
    fused = {entry.article_id: (rank, entry.score) for rank, entry in enumerate(course.fused, start=1)}
    return [_explanation(*fused[entry.article_id], entry, course) for entry in page]


def _explanation(fused_rank: int, fused_score: float, entry: Ranked, course: Course) -> Explanation:
    counted = (course.counted or {}).get(entry.article_id, ())
    weighting = course.weighting
    return Explanation(
        fusion=weighting.fusion if weighting else None,
        semantic_weight=round(weighting.semantic, 4) if weighting else None,
        fused=ArmRank(rank=fused_rank, score=fused_score),
        reranker=course.reranker,
        features=[
            FeatureCount(name=name, counted=round(float(count), 4))
            for name, count in sorted(zip(NAMES, counted, strict=False), key=lambda item: -abs(item[1]))
            if count
        ],
    )


def absence(
    question: Question, pool: Pool, request: RetrievalRequest, ordered: Sequence[Ranked], favoured: str = ""
) -> Absence:
    """Say where in the answer the provision is that `request.explain` cites, or what kept it out.

    `ordered` is the pool in its last order, with what scores too little. Of a law, a list or a range it is the one
    that stands best. A day in the citation means the text of that day. A provision below the pool is looked for among
    the thousand best of each arm that the mode asks, where texts of the law `favoured` gain.
    """
    expected = _expected(request)
    if not expected.versions:
        return expected.absence("not_found", _not_found(expected.resolution))
    final = (one for one in ordered if request.wants(one.score))
    for rank, one in enumerate(final, start=1):
        if one.version_id in expected.versions:
            detail = _("Está en la respuesta, en el puesto %(rank)d.") % {"rank": rank}
            return expected.absence("found", detail, citation=expected.versions[one.version_id], rank=rank)
    if too_low := [one for one in ordered if one.version_id in expected.versions]:
        return _below_min_score(expected, pool, request, max(too_low, key=lambda one: one.score))
    admitted = hydrate(dict.fromkeys(expected.versions, 0), pool.filters)
    if not admitted:
        return _kept_out(expected, pool.filters)
    if pool.mode == "citation":
        return expected.absence("not_cited", _("La pregunta es una cita: la respuesta es sólo lo que cita."))
    found = arms.ask(question, pool.filters, request, MAX_DEPTH, favoured=favoured)
    told = _below(expected, list(admitted.values()), found)
    # What is below the pool scores no more than the least of it, on whichever page.
    least = min((one.score for one in ordered), default=1.0)
    if (told.lexical or told.semantic) and not request.wants(least):
        told.reason, told.detail = "below_min_score", _too_low(least, request)
    return told


def arms_of(mode: Mode) -> list[Arm]:
    """Give the arms that an answer in a mode comes from.

    >>> arms_of("hybrid"), arms_of("semantic"), arms_of("citation")
    (['lexical', 'semantic'], ['semantic'], [])
    """
    return [arm for arm in ARMS if mode in (arm, "hybrid")]


@dataclass(frozen=True)
class _Expected:
    """What is asked about: as it resolved, and the citation of each version it may stand in the answer as."""

    written: str
    resolution: Resolution
    versions: Mapping[int, str]

    def absence(self, reason: Reason, detail: str, *, citation: str = "", **fields: Any) -> Absence:
        """Tell a reason; without a `citation` of all that is asked about."""
        citations = set(self.versions.values())
        every = citations.pop() if len(citations) == 1 else self.resolution.citation or self.written
        return Absence(
            citation=citation or every, reason=reason, outcome=self.resolution.outcome, detail=detail, **fields
        )


def _expected(request: RetrievalRequest) -> _Expected:
    written = str(request.explain)
    reference = parse(written)
    day = reference.on if reference else None
    resolution = lookup.lookup(written, as_of=None if day else request.as_of)
    versions = _versions(CitationId.parse(str(one.resolved_to)) for one in cited.resolved(resolution))
    if day:
        standing = hydrate(dict.fromkeys(versions, 0), Filters(on=day, statuses=(IN_FORCE, *ENDED)))
        versions = {version: citation for version, citation in versions.items() if version in standing}
    return _Expected(written, resolution, versions)


def _versions(targets: Iterable[CitationId]) -> dict[int, str]:
    """Give every version of the provisions, or of all of a law's, with the provision's citation: one query."""
    wanted = Q()
    for target in targets:
        wanted |= Q(article__law__key=target.law, **({"article__key": target.unit} if target.unit else {}))
    if not wanted:
        return {}
    rows = ArticleVersion.objects.filter(wanted).order_by().values_list("pk", "article__law__key", "article__key")
    return {version: str(CitationId(law, unit)) for version, law, unit in rows}


def _not_found(resolution: Resolution) -> str:
    """Say what is wrong with what was asked about, or what it may mean."""
    told = words(resolution)
    meant = ", ".join(one.citation for one in resolution.candidates)
    if resolution.outcome == "ambiguous" and meant and not resolution.detail:
        return f"{told.title}: {meant}."
    return resolution.detail or told.detail or _("No es un precepto de este corpus.")


def _kept_out(expected: _Expected, filters: Filters) -> Absence:
    """Name the conditions that none of the versions meets by itself; if that is the day, no other."""
    open_to_all = Filters(on=filters.on, statuses=STATUSES)
    asked = {
        "law": replace(open_to_all, laws=filters.laws),
        "law_rank": replace(open_to_all, ranks=filters.ranks),
        "jurisdiction": replace(open_to_all, jurisdictions=filters.jurisdictions),
        "kind": replace(open_to_all, kinds=filters.kinds),
        "from, to": replace(open_to_all, valid_from=filters.valid_from, valid_to=filters.valid_to),
        "status": Filters(on=filters.on, statuses=filters.statuses, include_repealed=filters.include_repealed),
    }
    digests = dict.fromkeys(expected.versions, 0)
    conditions = {name: alone for name, alone in asked.items() if alone != open_to_all}
    stands_then = hydrate(digests, open_to_all)
    failed = [name for name, alone in conditions.items() if not hydrate(digests, alone)] if stands_then else ["as_of"]
    failed = failed or list(conditions)
    names = ", ".join(str(CONDITIONS[name]) for name in failed)
    detail = _("No cumple las condiciones de la búsqueda: %(names)s.") % {"names": names}
    return expected.absence("filtered", detail, filters=failed)


def _below_min_score(expected: _Expected, pool: Pool, request: RetrievalRequest, best: Ranked) -> Absence:
    """Give the places of an entry of the pool that scores less than is wanted."""
    return expected.absence(
        "below_min_score",
        _too_low(best.score, request),
        citation=expected.versions[best.version_id],
        looked_in=arms_of(pool.mode),
        lexical=place(best.lexical),
        semantic=place(best.semantic),
    )


def _too_low(most: float, request: RetrievalRequest) -> str:
    told = {"score": figure(most), "least": figure(request.min_score or 0)}
    return _("Su puntuación no pasa de %(score)s, y min_score pide %(least)s.") % told


def _below(expected: _Expected, admitted: Sequence[Provision], found: Arms) -> Absence:
    """Give the places of the one that the arms put first, or say that they have none."""
    lexical, semantic = folded(found.lexical), folded(found.semantic)
    best = min(admitted, key=lambda one: min(_rank(lexical.get(one.article_id)), _rank(semantic.get(one.article_id))))
    by_words, by_meaning = lexical.get(best.article_id), semantic.get(best.article_id)
    is_found = bool(by_words or by_meaning)
    wants_vectors = found.mode != "lexical" or (found.degraded is not None and found.degraded.missing == "semantic")
    has_vectors = _has_vectors([best] if is_found else admitted) if wants_vectors else None
    reason, detail = _reason(found, is_found=is_found, has_vectors=has_vectors)
    return expected.absence(
        reason,
        detail,
        citation=best.citation if is_found else "",
        looked_in=arms_of(found.mode),
        lexical=place(by_words),
        semantic=place(by_meaning),
        has_vectors=has_vectors,
    )


def _rank(hit: ArmHit | None) -> int:
    return hit.rank if hit else MAX_DEPTH + 1


def _has_vectors(provisions: Iterable[Provision]) -> bool:
    passages = Chunk.objects.filter(version_id__in=[one.version_id for one in provisions]).values("sha256")
    return ChunkEmbedding.objects.filter(model__state="active", sha256__in=passages).exists()


def _reason(found: Arms, *, is_found: bool, has_vectors: bool | None) -> tuple[Reason, str]:
    if is_found:
        return "below_the_cut", _("Se encontró, pero otros preceptos responden mejor.")
    if has_vectors is False and found.mode == "semantic":
        return "not_embedded", _("Aún no está preparado para buscarlo por significado.")
    if has_vectors is False:
        return "not_embedded", _(
            "No está entre los mil mejores por palabras, y aún no está preparado para buscarlo por significado."
        )
    detail = {
        "lexical": _("No está entre los mil mejores por palabras."),
        "semantic": _("No está entre los mil mejores por significado."),
    }
    return "below_the_cut", detail.get(found.mode, _("No está entre los mil mejores de ninguna de las dos búsquedas."))
