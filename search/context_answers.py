"""What a language model is given to read: the typed answer of `search.context`, whose field names are a contract."""

from __future__ import annotations

from datetime import date
from typing import Literal

from ninja import Schema
from pydantic import Field

from search.responses import Degraded, LawSummary, Mode, Resolution

EmptyBecause = Literal[
    "nothing_found", "history_not_held", "low_confidence", "citation_not_resolved", "budget_too_small"
]


class LeadIn(Schema):
    """The words that announce a part ("Son infracciones:"), verbatim, with their place in the provision's text."""

    citation: str
    text: str
    start: int
    end: int


class ContextProvision(Schema):
    """A whole provision, or whole parts of one: `text` is the provision's verbatim text from `start` to `end`.

    `is_citable` says that `citation` names exactly this text, so that looking it up gives the same `sha256`; where it
    is false the text is whole paragraphs of what `citation` names. `same_text` are other provisions that say the same
    word for word.
    """

    rank: int
    citation: str
    label: str
    law: LawSummary
    kind: str
    heading: str
    path: list[str]
    lead_in: list[LeadIn]
    text: str
    sha256: str
    start: int
    end: int
    is_whole: bool
    is_citable: bool
    status: str
    valid_from: date | None
    valid_to: date | None
    amended_by: str | None
    score: float
    tokens: int
    same_text: list[str]
    url: str
    source_url: str | None


class Empty(Schema):
    """Why there is nothing to read."""

    code: EmptyBecause
    detail: str


class Context(Schema):
    """Verbatim law for a question within a budget of tokens, best first; `empty` says why there is none.

    `tokens` are those of the Markdown rendering, counted as `tokenizer` says; `left_out` are provisions that were
    found and had no room, or all of them where `confidence` is below `min_confidence`. Of what the question cites,
    `in_part` are those of which only parts had room, and `unread` is how many more there are than are read of one
    citation. `history_not_held` are those of which the source has only today's text: what they said on the day is not
    known, so nothing is given of them.
    """

    query: str
    mode: Mode
    degraded: Degraded | None
    confidence: float | None
    min_confidence: float
    as_of: date
    corpus_revision: int
    max_tokens: int
    tokens: int
    tokenizer: str
    citation: Resolution | None
    provisions: list[ContextProvision] = Field(default_factory=list)
    left_out: list[str] = Field(default_factory=list)
    in_part: list[str] = Field(default_factory=list)
    unread: int = 0
    history_not_held: list[str] = Field(default_factory=list)
    empty: Empty | None = None
