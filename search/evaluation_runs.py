"""Puts labelled questions to the product itself: its own lookup reads their labels, its own retrieval answers."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from corpus.identifiers import CitationId
from search.evaluation import MEASURES, Interval, LabelledSet, difference, interval, measure, percentile
from search.lookup import lookup
from search.retrieval import RetrievalRequest, retrieve

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

DEPTH = 100
TIMED_LIMIT = 10


@dataclass(frozen=True)
class Labels:
    """The judgements of a set under canonical citations; `unresolved` are the corpus ids that lookup did not find."""

    judgements: dict[str, dict[str, int]]
    unresolved: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Scores:
    """What one set came to in one mode; `answered_in` counts the modes of the answers, milliseconds are at limit 10."""

    questions: int
    means: dict[str, Interval]
    p50_ms: float
    p95_ms: float
    answered_in: dict[str, int]
    per_question: dict[str, dict[str, float]]


def resolved(labelled: LabelledSet) -> Labels:
    """Read every corpus id as the product reads a citation; what it does not find is named, not guessed."""
    citations: dict[str, str | None] = {}
    judgements: dict[str, dict[str, int]] = {}
    for query, grades in labelled.judgements.items():
        for corpus_id, grade in grades.items():
            if corpus_id not in citations:
                citations[corpus_id] = _citation(corpus_id)
            if citation := citations[corpus_id]:
                known = judgements.setdefault(query, {})
                known[citation] = max(grade, known.get(citation, 0))
    return Labels(judgements, sorted(corpus_id for corpus_id, citation in citations.items() if citation is None))


def run(
    labelled: LabelledSet,
    labels: Labels,
    asked: RetrievalRequest,
    advance: Callable[[int], None] = lambda _count: None,
) -> Scores:
    """Ask every judged question of a set as `asked` says, whose own question and limit do not count."""
    milliseconds: list[float] = []
    answered_in: dict[str, int] = {}
    rankings: dict[str, list[str]] = {}
    for query in labels.judgements:
        request = replace(asked, query=labelled.questions[query], limit=TIMED_LIMIT)
        started = time.perf_counter()
        retrieve(request)
        milliseconds.append((time.perf_counter() - started) * 1000)
        answer = retrieve(replace(request, limit=DEPTH))
        answered_in[answer.mode] = answered_in.get(answer.mode, 0) + 1
        rankings[query] = [hit.citation for hit in answer.hits]
        advance(1)
    per_question = measure(rankings, labels.judgements)
    return Scores(
        questions=len(per_question["ndcg@10"]),
        means={name: interval(per_question[name].values()) for name in MEASURES},
        p50_ms=round(percentile(milliseconds, 0.5), 2),
        p95_ms=round(percentile(milliseconds, 0.95), 2),
        answered_in=answered_in,
        per_question=per_question,
    )


def compared(
    after: Mapping[str, Mapping[str, Any]], before: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Interval]]:
    """Give, by set and mode that two saved runs share, the paired difference of nDCG@10."""
    return {
        name: {
            mode: difference(scores["per_question"]["ndcg@10"], before[name][mode]["per_question"]["ndcg@10"])
            for mode, scores in modes.items()
            if mode in before[name]
        }
        for name, modes in after.items()
        if name in before
    }


def law_keys(boe_ids: Iterable[str]) -> tuple[list[str], list[str]]:
    """Give the ids of the laws of a list that the corpus has, and the names of those it has not."""
    held, absent = [], []
    for name in boe_ids:
        resolution = lookup(name)
        if resolution.outcome == "found" and resolution.law:
            held.append(resolution.law.id)
        else:
            absent.append(name)
    return held, absent


def plain(scores: Scores) -> dict[str, Any]:
    """Give scores as JSON holds them."""
    return asdict(scores)


def _citation(corpus_id: str) -> str | None:
    """Give the provision that a labelled set calls "BOE-A-2015-10565#da-2": our key, never the source's block."""
    resolution = lookup(corpus_id.replace("#", ":"))
    if resolution.outcome != "found" or not resolution.resolved_to:
        return None
    return str(CitationId.parse(resolution.resolved_to).provision)
