"""One provision as it stands on a day, and the answers it gives: the whole of it, or a part."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from corpus.identifiers import CitationId
from corpus.structure import SubUnit, sub_units
from search.addresses import page_url, source_url
from search.captions import law_summary, provision_caption, sub_unit_label
from search.filters import ENDED
from search.responses import Candidate, Resolution, VersionSummary
from search.sub_units import marks

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from corpus.models import Article, ArticleVersion, Law
    from search.redactions import Redaction
    from search.responses import Outcome

WITHOUT_TEXT = gettext_lazy("La fuente da esta redacción sin texto, y no dice por qué.")
_WORDS_SHOWN = 60


@dataclass(frozen=True)
class Question:
    """What was asked besides the citation itself; offsets into the text it was read in count from `base` on in `given`.

    `is_pinned`: the day was asked for, not today by default. `is_exact`: an id, which the first of several equal
    keys answers, not words that may mean any of them.
    """

    given: str
    day: date
    is_pinned: bool
    is_exact: bool
    base: int = 0

    def words(self, start: int, end: int) -> str:
        """Give the words between two offsets; the whole where they are none of it."""
        return self.given[max(0, start - self.base) : max(0, end - self.base)] or self.given


@dataclass(frozen=True)
class ProvisionOnDay:
    """A provision with all its versions and the redaction that answers; `body` is that one with its text, if any."""

    law: Law
    article: Article
    versions: Sequence[ArticleVersion]
    redaction: Redaction
    body: ArticleVersion | None
    question: Question

    @cached_property
    def text(self) -> str:
        """The verbatim text that answers, empty where none does."""
        return self.body.text if self.body else ""

    @cached_property
    def units(self) -> tuple[SubUnit, ...]:
        """The numbered parts of the text."""
        return sub_units(self.body.text, self.body.blocks) if self.body else ()

    @property
    def citation(self) -> CitationId:
        """The provision's canonical id."""
        return CitationId(self.law.key, self.article.key)

    def whole(self, given: str, *, outcome: Outcome = "found", **fields: Any) -> Resolution:
        """Answer with the whole text, or say why none answers."""
        if self.body is None:
            return self._resolution(given, self.citation, outcome=self.redaction.outcome, **fields)
        place = {"start": 0, "end": len(self.text)}
        return self._resolution(given, self.citation, outcome=outcome, text=self.text, **place, **fields)

    def part(self, unit: SubUnit, given: str, *, outcome: Outcome = "found", **fields: Any) -> Resolution:
        """Answer with the text of one part and nothing else."""
        return self._resolution(
            given,
            self.citation.at(*unit.path),
            outcome=outcome,
            text=self.text[unit.start : unit.end],
            start=unit.start,
            end=unit.end,
            label=sub_unit_label(self.article.label, marks(self.units, unit)),
            **fields,
        )

    def without_text(self, given: str, citation: CitationId, outcome: Outcome, **fields: Any) -> Resolution:
        """Answer with what is known of the provision, and no text, because several parts of it may be meant."""
        return self._resolution(given, citation, outcome=outcome, **fields)

    def offer(self, unit: SubUnit) -> Candidate:
        """Offer a part, told apart by its first words."""
        caption = provision_caption(self.law, self.article, marks(self.units, unit))
        words = self.text[unit.start + len(unit.label) : unit.end].split("\n", 1)[0].strip()
        shown = words if len(words) <= _WORDS_SHOWN else f"{words[:_WORDS_SHOWN].rsplit(' ', 1)[0]}…"
        citation = str(self.citation.at(*unit.path))
        return Candidate(
            citation=citation, label=f"{caption}: «{shown}»", title=self.law.title, url=self._url(citation)
        )

    def _resolution(self, given: str, citation: CitationId, *, outcome: Outcome, **fields: Any) -> Resolution:
        version = self.redaction.version
        text = fields.get("text")
        answers = {
            "input": given,
            "outcome": outcome,
            "citation": str(citation),
            "resolved_to": str(citation) if text is not None else None,
            "law": law_summary(self.law),
            "kind": self.article.kind,
            "label": self.article.label,
            "heading": (version and version.heading) or self.article.heading,
            "path": self.article.path,
            "status": self.redaction.status,
            "sha256": hashlib.sha256(text.encode()).hexdigest() if text is not None else None,
            "as_of": self.question.day,
            "valid_from": version and version.valid_from,
            "valid_to": version and version.valid_to,
            "amended_by": (version and version.amended_by) or None,
            "versions": [self._summary(citation, one) for one in self.versions if one.status not in ENDED],
            "detail": self._detail(),
            "url": self._url(str(citation)),
            "source_url": source_url(self.law, self.article),
        }
        return Resolution(**(answers | fields))

    def _url(self, citation: str) -> str:
        return page_url(f"{citation}@{self.question.day}" if self.question.is_pinned else citation)

    def _summary(self, citation: CitationId, version: ArticleVersion) -> VersionSummary:
        """Sum up a version with the page that shows it, on its first day where that is known."""
        return VersionSummary(
            valid_from=version.valid_from,
            valid_to=version.valid_to,
            amended_by=version.amended_by or None,
            url=page_url(str(citation.on_day(version.valid_from or version.valid_to))),
        )

    def _detail(self) -> str | None:
        version = self.redaction.version
        if version is None:
            return None
        marker = next((one for one in self.versions if one.position > version.position), None)
        if self.redaction.status in ENDED and marker is not None and marker.status in ENDED:
            return _("Sin vigencia por %(norm)s.") % {"norm": marker.amended_by} if marker.amended_by else None
        if self.question.is_pinned and version.valid_from is None and version.published:
            return _("La fuente no dice desde qué día rige esta redacción, publicada el %(day)s.") % {
                "day": f"{version.published:%d/%m/%Y}"
            }
        return str(WITHOUT_TEXT) if self.body is not None and not self.text else None
