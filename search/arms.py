"""Asks the two arms, and says which took part in the answer and why one did not."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpus.embedding import EmbedderUnavailable, get_embedder
from search import semantic
from search.analysis import spanish
from search.candidates import ArmUnavailable
from search.lexical import lexical_index
from search.responses import Degraded
from search.weighting import UNMEASURED, Weighting, measured

if TYPE_CHECKING:
    from collections.abc import Sequence

    from search.candidates import Candidate
    from search.filters import Filters
    from search.questions import Question
    from search.requests import RetrievalRequest
    from search.responses import Mode

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Arms:
    """What each arm found, best first; `is_capped` if one may have more than it was asked for."""

    mode: Mode
    lexical: Sequence[Candidate] = ()
    semantic: Sequence[Candidate] = ()
    degraded: Degraded | None = None
    is_capped: bool = False
    weighting: Weighting = UNMEASURED


def ask(question: Question, filters: Filters, request: RetrievalRequest, depth: int) -> Arms:
    """Ask the arms that the mode wants, each for `depth` articles; the other one where the wanted one is missing."""
    mode = _mode(request)
    lexical = semantically = None
    missing: list[Degraded] = []
    if mode != "semantic":
        lexical = _lexical(question, filters, depth, request.fields, missing)
    if mode != "lexical" or lexical is None:
        semantically = _semantic(question, filters, depth, missing)
    if semantically is None and lexical is None and mode == "semantic":
        lexical = _lexical(question, filters, depth, request.fields, missing)
    return _arms(question, depth, lexical, semantically, missing)


def _mode(request: RetrievalRequest) -> str:
    """Give the mode to try for; only words can be looked for in one field."""
    if request.mode != "auto":
        return request.mode
    return "lexical" if request.fields else "hybrid"


def _arms(
    question: Question,
    depth: int,
    lexical: list[Candidate] | None,
    semantically: list[Candidate] | None,
    missing: list[Degraded],
) -> Arms:
    best = _measured() if semantically else UNMEASURED
    if _is_unanswerable(question, lexical, semantically, best):
        lexical, semantically = lexical and [], semantically and []
    answered: Mode = "hybrid" if lexical is not None and semantically is not None else "lexical"
    if lexical is None and semantically is not None:
        answered = "semantic"
    return Arms(
        mode=answered,
        lexical=lexical or (),
        semantic=semantically or (),
        degraded=missing[0] if missing else None,
        is_capped=any(len({one.article_id for one in found}) >= depth for found in (lexical, semantically) if found),
        weighting=best,
    )


def _lexical(
    question: Question, filters: Filters, depth: int, fields: Sequence[str], missing: list[Degraded]
) -> list[Candidate] | None:
    try:
        return lexical_index().search(question, filters, depth, fields)
    except ArmUnavailable as reason:
        missing.append(Degraded(missing="lexical", reason=str(reason)))
        return None


def _semantic(question: Question, filters: Filters, depth: int, missing: list[Degraded]) -> list[Candidate] | None:
    """Ask by meaning; conditions on words hold for what is found by meaning too."""
    if not spanish().terms(question.plain):
        return []
    ranking = semantic.rank(question.plain, filters, depth)
    if ranking.reason_missing is not None:
        missing.append(Degraded(missing="semantic", reason=ranking.reason_missing))
        return None
    found = list(ranking.candidates)
    if not question.has_conditions:
        return found
    try:
        kept = lexical_index().meeting_conditions(question, {candidate.version_id for candidate in found})
    except ArmUnavailable:
        return []
    return [candidate for candidate in found if candidate.version_id in kept]


def _is_unanswerable(
    question: Question,
    lexical: list[Candidate] | None,
    semantically: list[Candidate] | None,
    best: Weighting,
) -> bool:
    """Whether no text has a word of the question, and none means nearly the same: better no answer than ten."""
    if lexical or not semantically or semantically[0].score >= best.least_cosine:
        return False
    try:
        return lexical_index().knows_nothing_of(question)
    except ArmUnavailable:
        return False


def _measured() -> Weighting:
    try:
        return measured(get_embedder().fingerprint)
    except EmbedderUnavailable:
        return UNMEASURED
