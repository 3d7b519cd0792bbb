"""Says how a hit got its place, and why a provision that was expected is not on the page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from django.utils.translation import gettext as _

from corpus.identifiers import CitationId
from corpus.models import ArticleVersion, Chunk, ChunkEmbedding
from search import arms, lookup
from search.filters import STATUSES, Filters
from search.hydration import hydrate
from search.ranking import folded
from search.requests import MAX_DEPTH
from search.responses import Absence, ArmRank, Explanation, FeatureCount

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from search.arms import Arms
    from search.hydration import Provision
    from search.questions import Question
    from search.ranking import ArmHit, Ranked
    from search.requests import RetrievalRequest
    from search.responses import Outcome
    from search.weighting import Weighting

Reason = Literal["below_the_cut", "not_embedded"]


@dataclass(frozen=True)
class Course:
    """How a pool came to its order: fused by a weighting, then judged; `counted` is by article and feature."""

    fused: Sequence[Ranked]
    weighting: Weighting | None = None
    reranker: str | None = None
    counted: Mapping[int, Mapping[str, float]] | None = None


def explanations(page: Sequence[Ranked], course: Course) -> list[Explanation]:
    """Give how the entries of a page got their places, in its order."""
    fused = {entry.article_id: (rank, entry.score) for rank, entry in enumerate(course.fused, start=1)}
    return [_explanation(*fused[entry.article_id], entry, course) for entry in page]


def _explanation(fused_rank: int, fused_score: float, entry: Ranked, course: Course) -> Explanation:
    counted = (course.counted or {}).get(entry.article_id, {})
    weighting = course.weighting
    return Explanation(
        fusion=weighting.fusion if weighting else None,
        semantic_weight=round(weighting.semantic, 4) if weighting else None,
        fused=ArmRank(rank=fused_rank, score=round(fused_score, 6)),
        reranker=course.reranker,
        features=[
            FeatureCount(name=name, counted=round(count, 4))
            for name, count in sorted(counted.items(), key=lambda item: -abs(item[1]))
            if count
        ],
    )


def absence(question: Question, filters: Filters, request: RetrievalRequest, final: Sequence[Ranked]) -> Absence:
    """Say where in the answer the provision is that `request.explain` cites, or what kept it out.

    A provision below the pool is looked for among the thousand best of each arm.
    """
    expected = str(request.explain)
    resolution = lookup.lookup(expected, as_of=request.as_of)
    target = CitationId.parse(resolution.resolved_to) if resolution.resolved_to else None
    if target is None or target.unit is None:
        detail = resolution.detail or _("No es un precepto de este corpus.")
        return Absence(citation=expected, reason="not_found", outcome=resolution.outcome, detail=detail)
    citation = str(target.provision)
    versions = _versions(target)
    rank = next((place for place, one in enumerate(final, start=1) if one.version_id in versions), None)
    if rank is not None:
        detail = _("Está en la respuesta, en el puesto %(rank)d.") % {"rank": rank}
        return Absence(citation=citation, reason="found", outcome=resolution.outcome, rank=rank, detail=detail)
    admitted = hydrate(dict.fromkeys(versions, 0), filters)
    if not admitted:
        return _kept_out(citation, resolution.outcome, versions, filters)
    provision = next(iter(admitted.values()))
    found = arms.ask(question, filters, request, MAX_DEPTH)
    return _below(citation, resolution.outcome, provision, found)


def _versions(target: CitationId) -> set[int]:
    held = ArticleVersion.objects.filter(article__law__key=target.law, article__key=target.unit)
    return set(held.values_list("pk", flat=True))


def _kept_out(citation: str, outcome: Outcome, versions: set[int], filters: Filters) -> Absence:
    """Name the conditions that none of the versions meets by itself."""
    open_to_all = Filters(on=filters.on, statuses=STATUSES)
    conditions = {
        "law": replace(open_to_all, laws=filters.laws),
        "law_rank": replace(open_to_all, ranks=filters.ranks),
        "jurisdiction": replace(open_to_all, jurisdictions=filters.jurisdictions),
        "kind": replace(open_to_all, kinds=filters.kinds),
        "from, to": replace(open_to_all, valid_from=filters.valid_from, valid_to=filters.valid_to),
        "status": Filters(on=filters.on, statuses=filters.statuses, include_repealed=filters.include_repealed),
    }
    digests = dict.fromkeys(versions, 0)
    failed = [name for name, alone in conditions.items() if not hydrate(digests, alone)]
    detail = _("No cumple las condiciones de la búsqueda: %(names)s.") % {"names": ", ".join(failed)}
    return Absence(citation=citation, reason="filtered", outcome=outcome, filters=failed, detail=detail)


def _below(citation: str, outcome: Outcome, provision: Provision, found: Arms) -> Absence:
    lexical, semantic = _places(found, provision.article_id)
    has_vectors = _has_vectors(provision.version_id)
    reason, detail = _reason(lexical, semantic, has_vectors=has_vectors)
    return Absence(
        citation=citation,
        reason=reason,
        outcome=outcome,
        lexical=_place(lexical),
        semantic=_place(semantic),
        has_vectors=has_vectors,
        detail=detail,
    )


def _places(found: Arms, article_id: int) -> tuple[ArmHit | None, ArmHit | None]:
    return folded(found.lexical).get(article_id), folded(found.semantic).get(article_id)


def _has_vectors(version_id: int) -> bool:
    passages = Chunk.objects.filter(version_id=version_id).values("sha256")
    return ChunkEmbedding.objects.filter(model__state="active", sha256__in=passages).exists()


def _reason(lexical: ArmHit | None, semantic: ArmHit | None, *, has_vectors: bool) -> tuple[Reason, str]:
    if lexical or semantic:
        return "below_the_cut", _("Se encontró, pero otros preceptos responden mejor.")
    if not has_vectors:
        return "not_embedded", _("No comparte palabras con la pregunta y aún no tiene vector.")
    return "below_the_cut", _("No está entre los mil mejores de ninguna de las dos búsquedas.")


def _place(hit: ArmHit | None) -> ArmRank | None:
    return ArmRank(rank=hit.rank, score=round(hit.score, 6)) if hit else None
