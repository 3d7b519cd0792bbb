"""Compares a quote with the verbatim text it is said to be of: facts with their offsets, never a verdict."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from django.utils.translation import gettext as _
from ninja import Schema
from pydantic import Field

from corpus.identifiers import CitationId
from search.quotes import (
    Wording,
    cuts_words,
    divides,
    elided,
    in_order,
    occurrences,
    plain_quote,
    rejoined,
    without_marks,
)
from search.word_diff import Nearest, Op, Words, nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from search.quotes import Span
    from search.responses import Resolution

State = Literal["verbatim", "verbatim_with_elisions", "different", "not_compared"]
Where = Literal["text", "versions", "law", "corpus"]
LONGEST_OMISSION = 2_000


class Stretch(Schema):
    """A stretch of a verbatim text, in code points."""

    start: int
    end: int


class Omission(Stretch):
    """What a quote leaves out between two of its parts; `text` is null where it is longer than is shown."""

    text: str | None


class WordDifference(Schema):
    """A stretch that is equal, that only one has, or that each has its own way."""

    op: Op
    quote: str
    text: str


class NearestWording(Stretch):
    """The nearest wording in the text cited; `similarity` is 1 where all words are equal."""

    citation: str
    text: str
    similarity: float
    differences: list[WordDifference]


class QuotedPlace(Stretch):
    """Another version or provision in which the quote is verbatim; the offsets are into its verbatim text."""

    citation: str
    label: str
    valid_from: date | None
    valid_to: date | None
    is_cited_provision: bool
    url: str


class NotLookedAt(Schema):
    """Where a quote was not looked for, or not everywhere, and why."""

    where: Where
    reason: str


class QuoteCheck(Schema):
    """Whether a quote is verbatim in what was cited; white space, quotation marks and divided words do not count.

    `provision` has the verbatim text into which `start`, `end` and `parts` count, of the version that answered.
    `parts` are the stretches between elisions, `omitted` what stands between them: a "no" may be there. `cuts_words`
    says that the quote begins or ends inside a word.
    `elsewhere` are other versions and provisions with the very words.
    """

    state: State
    provision: str | None = None
    start: int | None = None
    end: int | None = None
    parts: list[Stretch] = Field(default_factory=list)
    omitted: list[Omission] = Field(default_factory=list)
    occurrences: int = 0
    cuts_words: bool = False
    nearest: NearestWording | None = None
    elsewhere: list[QuotedPlace] = Field(default_factory=list)
    looked_in: list[Where] = Field(default_factory=list)
    not_looked_in: list[NotLookedAt] = Field(default_factory=list)
    reason: str | None = None


@dataclass(frozen=True)
class Quote:
    """A quote made ready to be looked for."""

    given: str

    @cached_property
    def plain(self) -> str:
        """The words with plain marks and spaces."""
        return plain_quote(self.given)

    @cached_property
    def words(self) -> str:
        """The words without the marks they stand between."""
        return plain_quote(without_marks(self.given))

    @cached_property
    def parts(self) -> list[str]:
        """What stands between elisions; nothing where nothing is left out."""
        return elided(self.words)

    def as_in(self, wording: Wording) -> Quote:
        """Give the quote with the words that it divides joined as a text has them; itself if it divides none."""
        if not self.is_divided:
            return self
        return Quote(rejoined(unicodedata.normalize("NFC", self.given), wording.plain))

    @cached_property
    def is_divided(self) -> bool:
        """Whether it may divide words, as copies of printed pages do."""
        return divides(self.given)

    @property
    def is_blank(self) -> bool:
        """Whether there is no word in it."""
        return not any(character.isalnum() for character in self.plain)


@dataclass(frozen=True)
class Match:
    """Where a quote is verbatim in a text: one stretch, or one for each part."""

    state: Literal["verbatim", "verbatim_with_elisions"]
    spans: Sequence[Span]
    occurrences: int = 1
    cuts_words: bool = False


class Budget:
    """How many characters may still be compared; what is over is said not to have been looked at."""

    def __init__(self, characters: int) -> None:
        self.left = characters
        self._wordings: dict[str, Wording] = {}
        self._words: dict[str, Words] = {}

    def wording(self, text: str) -> Wording | None:
        """Make a text ready, once however often it is compared; None if that is too much."""
        if text not in self._wordings:
            if not self._afford(len(text)):
                return None
            self._wordings[text] = Wording.of(text)
        return self._wordings[text]

    def words(self, wording: Wording) -> Words | None:
        """Take a text apart into words, which costs as much as four to make ready."""
        if wording.plain not in self._words:
            if not self._afford(4 * len(wording.plain)):
                return None
            self._words[wording.plain] = Words(wording.plain)
        return self._words[wording.plain]

    def _afford(self, characters: int) -> bool:
        if characters > self.left:
            return False
        self.left -= characters
        return True


def match(wording: Wording, quote: Quote) -> Match | None:
    """Find a quote in a text, whole or with its elisions; with its divided words joined, and as it is."""
    joined = quote.as_in(wording)
    return _match(wording, joined) or (_match(wording, quote) if joined is not quote else None)


def _match(wording: Wording, quote: Quote) -> Match | None:
    for words in dict.fromkeys((quote.plain, quote.words)):
        found = list(occurrences(wording, words))
        if found:
            best = min(found, key=lambda span: cuts_words(wording, span))
            return Match("verbatim", [wording.original_span(best)], len(found), cuts_words(wording, best))
    spans = in_order(wording, quote.parts)
    if not spans:
        return None
    is_cut = any(cuts_words(wording, span) for span in spans)
    return Match("verbatim_with_elisions", [wording.original_span(span) for span in spans], cuts_words=is_cut)


def compare(quote: Quote, cited: Sequence[Resolution], budget: Budget) -> QuoteCheck:
    """Compare a quote with the texts that were cited, the first that has it, else with the nearest wording."""
    if quote.is_blank:
        return not_compared(_("La cita textual no tiene palabras."))
    texts = [(one, budget.wording(one.text)) for one in cited if one.text is not None]
    if not texts:
        return not_compared(_("Lo citado no da un texto con el que comparar."))
    for one, wording in texts:
        found = match(wording, quote) if wording else None
        if found:
            return _verbatim(one, found)
    if any(wording is None for _one, wording in texts):
        return not_compared(too_much())
    check = QuoteCheck(state="different", looked_in=["text"])
    check.nearest = _nearest(quote, [(one, wording) for one, wording in texts if wording], budget)
    if check.nearest is None:
        check.reason = _("Ninguna palabra coincide, o hay demasiado texto para buscar la redacción más próxima.")
    return check


def too_much() -> str:
    """Say why something was not looked at when there was more text than is compared."""
    return _("Hay demasiado texto que comparar en una sola petición.")


def not_compared(reason: str) -> QuoteCheck:
    """Say that a quote was not compared, and why."""
    return QuoteCheck(state="not_compared", reason=reason, not_looked_in=[NotLookedAt(where="text", reason=reason)])


def _verbatim(one: Resolution, found: Match) -> QuoteCheck:
    by = one.start or 0
    spans = [Stretch(start=start + by, end=end + by) for start, end in found.spans]
    return QuoteCheck(
        state=found.state,
        provision=str(CitationId.parse(one.resolved_to or "").provision),
        start=spans[0].start,
        end=spans[-1].end,
        parts=spans,
        omitted=[_omission(one, before.end, after.start) for before, after in pairwise(spans)],
        occurrences=found.occurrences,
        cuts_words=found.cuts_words,
        looked_in=["text"],
    )


def _omission(one: Resolution, start: int, end: int) -> Omission:
    by = one.start or 0
    text = (one.text or "")[start - by : end - by]
    return Omission(start=start, end=end, text=text if len(text) <= LONGEST_OMISSION else None)


def _nearest(quote: Quote, texts: Sequence[tuple[Resolution, Wording]], budget: Budget) -> NearestWording | None:
    best: tuple[Resolution, Wording, Nearest] | None = None
    for one, wording in texts:
        words = budget.words(wording)
        found = nearest(words, quote.as_in(wording).words) if words else None
        if found and (best is None or found.similarity > best[2].similarity):
            best = (one, wording, found)
    return _told(*best) if best else None


def _told(one: Resolution, wording: Wording, found: Nearest) -> NearestWording:
    start, end = wording.original_span((found.start, found.end))
    by = one.start or 0
    return NearestWording(
        citation=one.resolved_to or "",
        text=wording.text[start:end],
        start=start + by,
        end=end + by,
        similarity=found.similarity,
        differences=[WordDifference(op=part.op, quote=part.quote, text=part.text) for part in found.differences],
    )
