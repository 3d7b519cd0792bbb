"""The typed answers that pages, API, MCP and commands all render: field names are a public contract."""

from __future__ import annotations

from datetime import date
from typing import Literal, Self

from ninja import Schema
from pydantic import Field, PrivateAttr

# Of this contract, over HTTP and MCP alike.
VERSION = "1.0.0"

Mode = Literal["citation", "hybrid", "lexical", "semantic"]
Arm = Literal["lexical", "semantic"]
Outcome = Literal[
    "found",
    "partial",
    "ambiguous",
    "no_such_provision",
    "law_not_in_corpus",
    "not_in_force",
    "history_not_held",
    "unparsable",
]
RESOLVED: tuple[Outcome, ...] = ("found", "partial")


class LawSummary(Schema):
    """A law as other answers name it."""

    id: str
    boe_id: str | None
    title: str
    short_title: str
    rank: str
    jurisdiction: str
    status: str
    _language: str = PrivateAttr(default="es")

    @property
    def name(self) -> str:
        """What it is called where there is no room for its whole title."""
        return self.short_title or self.title

    @property
    def text_language(self) -> str:
        """The language of its texts, which pages mark them with; the API's contract has no such field."""
        # Read straight from where pydantic keeps it: its own way there takes forty times as long.
        return str((self.__pydantic_private__ or {})["_language"])

    def in_language(self, language: str) -> Self:
        """Give the summary for texts in a language."""
        self._language = language
        return self


class VersionSummary(Schema):
    """One redaction of a provision and the page that shows it."""

    valid_from: date | None
    valid_to: date | None
    amended_by: str | None
    url: str


class Candidate(Schema):
    """One of several things a citation may mean, or a near miss that is offered and never chosen."""

    citation: str
    label: str
    title: str
    url: str


class TitleClaim(Schema):
    """A title as it was given, the one of what was cited that it comes nearest to, and whether they agree."""

    given: str
    actual: str
    matches: bool


class DayClaim(Schema):
    """The day of a law as a citation gives it, and as the law's own title does."""

    given: date
    actual: date
    matches: bool


class Resolution(Schema):
    """What a citation resolved to, exactly and on which day; every lookup gives one.

    `text` is the verbatim text of the provision from `start` to `end`, in code points. `title` and `enacted` are facts
    about the title and the day that the citation itself gives its law; null where it gives none. `items_are_capped`
    where a range has more provisions than `items` gives.
    """

    input: str
    outcome: Outcome
    citation: str | None = None
    resolved_to: str | None = None
    unresolved_tail: str | None = None
    law: LawSummary | None = None
    kind: str | None = None
    label: str | None = None
    heading: str | None = None
    path: list[str] = Field(default_factory=list)
    status: str | None = None
    text: str | None = None
    sha256: str | None = None
    start: int | None = None
    end: int | None = None
    as_of: date | None = None
    valid_from: date | None = None
    valid_to: date | None = None
    amended_by: str | None = None
    versions: list[VersionSummary] = Field(default_factory=list)
    candidates: list[Candidate] = Field(default_factory=list)
    suggestions: list[Candidate] = Field(default_factory=list)
    items: list[Resolution] = Field(default_factory=list)
    items_are_capped: bool = False
    title: TitleClaim | None = None
    enacted: DayClaim | None = None
    detail: str | None = None
    url: str | None = None
    source_url: str | None = None


class Degraded(Schema):
    """What did not take part in an answer, and why: an arm, or the reranker."""

    missing: Literal["lexical", "semantic", "reranker"]
    reason: str


class ArmRank(Schema):
    """A hit's place in one arm: 1-based rank and the arm's own score."""

    rank: int
    score: float


class Passage(Schema):
    """The part of a provision that is shown: code point offsets into its verbatim text, highlights into `text`."""

    citation: str
    text: str
    start: int
    end: int
    highlights: list[tuple[int, int]]


class FeatureCount(Schema):
    """What one fact of a hit counted in a reranker's judgement."""

    name: str
    counted: float


class Explanation(Schema):
    """How a hit got its place: in the fused pool, by which formula, and what judged it after that."""

    fusion: str | None
    semantic_weight: float | None
    fused: ArmRank
    reranker: str | None
    features: list[FeatureCount]


class Absence(Schema):
    """Where a provision that was asked about is in an answer, or what kept it out.

    Of a law, a list or a range `citation` is the provision that stands best, where one was found. `filters` are the
    parameters whose condition it does not meet, `looked_in` the arms that were asked for it; ranks in them are among
    their thousand best.
    """

    citation: str
    reason: Literal["found", "not_found", "filtered", "not_cited", "not_embedded", "below_the_cut", "below_min_score"]
    outcome: Outcome
    rank: int | None = None
    filters: list[str] = Field(default_factory=list)
    looked_in: list[Arm] = Field(default_factory=list)
    lexical: ArmRank | None = None
    semantic: ArmRank | None = None
    has_vectors: bool | None = None
    detail: str


class Hit(Schema):
    """One provision in a ranked answer; `score`, from 0 to 1, is the last one that ordered it.

    `passages_found` counts those near in meaning that the search brought up, and those with words of the question.
    `history_not_held` says that the source has only today's text: what it said on the day asked for is not known.
    """

    rank: int
    citation: str
    label: str
    law: LawSummary
    kind: str
    heading: str
    path: list[str]
    status: str
    valid_from: date | None
    valid_to: date | None
    score: float
    lexical: ArmRank | None
    semantic: ArmRank | None
    passages: list[Passage]
    passages_found: int = Field(
        description="How many passages of the provision were found; `passages` are the best of them, three at most.",
        examples=[5],
    )
    url: str
    source_url: str | None
    history_not_held: bool = False
    explanation: Explanation | None = None


class FacetCount(Schema):
    """How many hits of the pool share one value."""

    value: str
    label: str
    count: int


class Facets(Schema):
    """Counts over the same pool that `total` counts."""

    law: list[FacetCount] = Field(default_factory=list)
    rank: list[FacetCount] = Field(default_factory=list)
    jurisdiction: list[FacetCount] = Field(default_factory=list)
    status: list[FacetCount] = Field(default_factory=list)


class RetrievalResponse(Schema):
    """The answer to a query, with the mode that produced it."""

    query: str
    mode: Mode
    degraded: Degraded | None
    reranker: str | None
    semantic_coverage: float | None = Field(
        None, description="The share of all passages that can be found by meaning; null where nothing was sought so."
    )
    as_of: date | None
    limit: int
    offset: int
    total: int
    total_is_capped: bool
    confidence: float | None
    corpus_revision: int
    took_ms: float
    citation: Resolution | None
    hits: list[Hit]
    facets: Facets
    explained: Absence | None = None

    @property
    def may_go_on(self) -> bool:
        """Whether a further page may have more than `total` counts; what a citation gives is all in `total`."""
        return self.total_is_capped and self.mode != "citation"
