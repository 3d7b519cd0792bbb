"""A hit read whole: what may be shown of it, what each choice costs in tokens, and what is chosen."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from search.addresses import page_url, source_url
from search.captions import law_summary, sub_unit_label
from search.context_answers import ContextProvision, LeadIn
from search.context_markdown import count_tokens, section
from search.context_parts import Part, cut, lead_ins, together
from search.sub_units import locate, marks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpus.structure import SubUnit
    from search.context_parts import Cut
    from search.provision_on_day import ProvisionOnDay
    from search.responses import Hit

Path = tuple[str, ...]
# No provision takes fewer: what stands above its text does.
FEWEST_TOKENS = 40


@dataclass
class Reading:
    """A hit with its provision as it stands on the day; `paths` are the parts cited of it, None if it was searched."""

    hit: Hit
    provision: ProvisionOnDay
    paths: Sequence[Path] | None = None
    same_text: list[str] = field(default_factory=list)
    choice: int = -1

    @cached_property
    def options(self) -> list[list[ContextProvision]]:
        """What may be chosen, each more than the one before; the last is the whole provision."""
        return [self._made(selection) for selection in self._cut.selections]

    @property
    def core(self) -> int:
        """The option that is whole sub-units, as few as hold what was found or cited."""
        return self.most if self.paths == [] else self._cut.core

    @property
    def most(self) -> int:
        """The largest option that is of use: of what was cited, that and no more."""
        return self._cut.core if self.paths else len(self._cut.selections) - 1

    @property
    def chosen(self) -> list[ContextProvision]:
        """What is shown."""
        return self.options[self.choice] if self.choice >= 0 else []

    @property
    def is_cut_short(self) -> bool:
        """Whether only some of what is of use is shown."""
        return 0 <= self.choice < self.most

    def grow(self, room: int, most: int) -> int:
        """Choose the largest option up to number `most` that takes at most `room` tokens more; give what it takes."""
        before = self._cost(self.choice)
        for option in range(most, self.choice, -1):
            if self._cost(option) - before <= room:
                self.choice = option
                break
        return self._cost(self.choice) - before

    def _cost(self, option: int) -> int:
        return sum(provision.tokens for provision in self.options[option]) if option >= 0 else 0

    @cached_property
    def _units(self) -> Sequence[SubUnit]:
        return self.provision.units

    @cached_property
    def _cut(self) -> Cut:
        text, body = self.provision.text, self.provision.body
        tables = [block for block in body.blocks if block["kind"] == "table"] if body else []
        spoken_of = [one.start + start for one in self.hit.passages for start, _end in one.highlights]
        cited = [unit for path in self.paths or () for unit in locate(self._units, path).units]
        stretches = [(one.start, one.end) for one in cited or self.hit.passages] or [(0, len(text))]
        return together([cut(text, self._units, tables, stretch, spoken_of) for stretch in stretches])

    def _made(self, selection: Sequence[Part]) -> list[ContextProvision]:
        """Describe the parts of a selection; what announces several of them is told once."""
        told: set[Part] = set()
        made = []
        for part in selection:
            announced = [one for one in lead_ins(self.provision.text, self._units, part) if one not in told]
            told.update(announced)
            made.append(self._describe(part, announced))
        return made

    def _describe(self, part: Part, announced: Sequence[Part]) -> ContextProvision:
        provision, version = self.provision, self.provision.redaction.version
        text = provision.text[part.start : part.end]
        citation = str(provision.citation.at(*part.path))
        day = provision.question.day if provision.question.is_pinned else None
        described = ContextProvision.model_construct(
            rank=self.hit.rank,
            citation=citation,
            label=self._label(part.path),
            law=law_summary(provision.law),
            kind=provision.article.kind,
            heading=self.hit.heading,
            path=provision.article.path,
            lead_in=[self._lead_in(one) for one in announced],
            text=text,
            sha256=hashlib.sha256(text.encode()).hexdigest(),
            start=part.start,
            end=part.end,
            is_whole=text == provision.text,
            is_citable=part.is_citable,
            status=self.hit.status,
            valid_from=self.hit.valid_from,
            valid_to=self.hit.valid_to,
            amended_by=(version and version.amended_by) or None,
            score=self.hit.score,
            tokens=0,
            same_text=self.same_text,
            url=page_url(f"{citation}@{day}" if day else citation),
            source_url=source_url(provision.law, provision.article),
        )
        described.tokens = count_tokens(section(described))
        return described

    def _lead_in(self, part: Part) -> LeadIn:
        citation = str(self.provision.citation.at(*part.path))
        return LeadIn(
            citation=citation, text=self.provision.text[part.start : part.end], start=part.start, end=part.end
        )

    def _label(self, path: Path) -> str:
        unit = next((unit for unit in self._units if path and unit.path == path), None)
        label = self.provision.article.label
        return sub_unit_label(label, marks(self._units, unit)) if unit else label
