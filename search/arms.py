"""Asks the two arms, and says which took part in the answer and why one did not."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from search import semantic
from search.candidates import ArmUnavailable, Candidate
from search.lexical import lexical_index
from search.requests import MAX_DEPTH
from search.responses import Degraded
from search.semantic import Nearness, nothing_near
from search.synonyms import in_the_laws_words
from search.vector_index import article_count, first_articles
from search.weighting import UNMEASURED, Weighting, measured

if TYPE_CHECKING:
    from collections.abc import Sequence

    from search.filters import Filters
    from search.questions import Question
    from search.requests import RetrievalRequest
    from search.responses import Mode

Found = list[Candidate] | None

_FIGURES = re.compile(r"[\W_ºª]*(?:\d[\W_ºª]*)+")


@dataclass(frozen=True)
class Arms:
    """What each arm found, best first; `is_capped` if one may have more than it was asked for.

    `coverage` is the share of the passages that the semantic arm knows, `fingerprint` the embedder it asked;
    `nearness` tells of any text how near it is to the question.
    """

    mode: Mode
    lexical: Sequence[Candidate] = ()
    semantic: Sequence[Candidate] = ()
    degraded: Degraded | None = None
    is_capped: bool = False
    weighting: Weighting = UNMEASURED
    coverage: float = 1.0
    fingerprint: str = ""
    nearness: Nearness = nothing_near

    @property
    def articles(self) -> set[int]:
        """The articles that either arm found."""
        return {candidate.article_id for found in (self.lexical, self.semantic) for candidate in found}


def ask(question: Question, filters: Filters, request: RetrievalRequest, depth: int, *, favoured: str = "") -> Arms:
    """Ask the arms that the mode wants, each for `depth` articles; the other one where the wanted one is missing.

    `favoured` is the law that the question names, if it does.
    """
    asking = _Asking(question, filters, depth, request.fields, favoured)
    mode = _mode(request)
    lexical = asking.by_words() if mode != "semantic" else None
    semantically = asking.by_meaning() if mode != "lexical" or lexical is None else None
    if mode == "semantic" and semantically is None:
        lexical = asking.by_words()
    best = measured(asking.fingerprint) if semantically else UNMEASURED
    if _is_unanswerable(question, lexical, semantically, best):
        lexical, semantically = lexical and [], semantically and []
    return Arms(
        mode=_answered(lexical, semantically),
        lexical=lexical or (),
        semantic=semantically or (),
        degraded=asking.missing[0] if asking.missing else None,
        is_capped=any(article_count(found) >= depth for found in (lexical, semantically) if found)
        or asking.leaves_unseen(lexical),
        weighting=best,
        coverage=asking.coverage,
        fingerprint=asking.fingerprint,
        nearness=asking.nearness,
    )


def _mode(request: RetrievalRequest) -> str:
    """Give the mode to try for; only words can be looked for in one field."""
    if request.mode != "auto":
        return request.mode
    return "lexical" if request.fields else "hybrid"


def _answered(lexical: Found, semantically: Found) -> Mode:
    if semantically is None:
        return "lexical"
    return "semantic" if lexical is None else "hybrid"


@dataclass
class _Asking:
    """One question put to the arms; `missing` gathers those that could not answer. None is no answer at all.

    `is_cut` says that conditions were checked only of what is nearest in meaning.
    """

    question: Question
    filters: Filters
    depth: int
    fields: Sequence[str]
    favoured: str
    missing: list[Degraded] = field(default_factory=list)
    coverage: float = 1.0
    fingerprint: str = ""
    nearness: Nearness = nothing_near
    is_cut: bool = False

    def by_words(self) -> Found:
        """Ask the lexical arm."""
        try:
            return lexical_index().search(self.question, self.filters, self.depth, self.fields, self.favoured)
        except ArmUnavailable as reason:
            self.missing.append(Degraded(missing="lexical", reason=str(reason)))
            return None

    def by_meaning(self) -> Found:
        """Ask the semantic arm; conditions on words hold for what is found by meaning too."""
        if not lexical_index().has_content(self.question):
            return []
        asked = _with_figures_required(self.question)
        # What must meet conditions is looked for among the same passages, however many are wanted of them.
        depth = MAX_DEPTH if asked.has_conditions else self.depth
        said = in_the_laws_words(lexical_index().as_written(self.question.plain))
        ranking = semantic.rank(said, self.filters, depth)
        if ranking.reason_missing is not None:
            self.missing.append(Degraded(missing="semantic", reason=ranking.reason_missing))
            return None
        self.coverage, self.fingerprint, self.nearness = ranking.coverage, ranking.fingerprint, ranking.nearness
        self.is_cut = asked.has_conditions and article_count(ranking.candidates) >= depth
        return first_articles(self._meeting_conditions(asked, list(ranking.candidates)), self.depth)

    def leaves_unseen(self, lexical: Found) -> bool:
        """Whether more may meet the conditions than was looked at; what holds required words is all found by words."""
        asked = _with_figures_required(self.question)
        return self.is_cut and (lexical is None or not (asked.phrases or asked.headings))

    def _meeting_conditions(self, asked: Question, found: list[Candidate]) -> list[Candidate]:
        if not asked.has_conditions:
            return found
        try:
            kept = lexical_index().meeting_conditions(asked, {candidate.version_id for candidate in found})
        except ArmUnavailable as reason:
            self.missing.append(Degraded(missing="lexical", reason=str(reason)))
            return []
        return [candidate for candidate in found if candidate.version_id in kept]


def _with_figures_required(question: Question) -> Question:
    """Give a question of nothing but figures as one that requires them: vectors do not tell one number from another.

    >>> from search.questions import read
    >>> _with_figures_required(read("58/2003 27.2")).phrases
    ('58/2003', '27.2')
    >>> _with_figures_required(read("modelo 347")).phrases
    ()
    """
    if not _FIGURES.fullmatch(question.plain):
        return question
    return replace(question, phrases=(*question.phrases, *question.words.split()))


def _is_unanswerable(question: Question, lexical: Found, semantically: Found, best: Weighting) -> bool:
    """Whether no text has a word of the question, and none means nearly the same: better no answer than ten."""
    if lexical or not semantically or semantically[0].score >= best.least_cosine:
        return False
    try:
        return lexical_index().knows_nothing_of(question)
    except ArmUnavailable:
        return False
