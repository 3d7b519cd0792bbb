"""What reading a citation gives: laws and units as they are named, with their place in the original text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Literal

from corpus.identifiers import CitationId

UnsupportedType = Literal[
    "eu_regulation",
    "eu_directive",
    "eu_decision",
    "eu_treaty",
    "eu_case_law",
    "human_rights_case_law",
    "constitutional_case_law",
    "case_law",
    "administrative_doctrine",
    "international_treaty",
]


@dataclass(frozen=True, slots=True)
class LawMention:
    """A law as a text names it: what it may be, never a claim that the corpus has it.

    `ids` are the canonical law ids it may denote, best first; several with `is_ambiguous` set are equals, otherwise
    the first is meant and the rest are only worth offering. A law named without a number has `name`, folded (lower
    case, no accents), besides what the curated list knows of it. `block` is the anchor of an official URL, the
    source's name for a provision. `rank`, `number` and `enacted` are what was written: "Circular 4/2017" and "Ley de
    26 de diciembre de 1958" have no more. `title` is what follows the number and claims to be the law's title,
    folded. A mention with neither ids, name nor number points at a law that the text does not identify ("la Ley").
    """

    text: str
    ids: tuple[str, ...] = ()
    boe_id: str = ""
    eli: str = ""
    name: str = ""
    jurisdiction: str = ""
    explicit_region: bool = False
    is_ambiguous: bool = False
    block: str = ""
    rank: str = ""
    number: str = ""
    title: str = ""
    enacted: date | None = None
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class UnitMention:
    """One unit of a law: its key, the sub-unit path below it and the path's levels as written.

    `tail` is what was read but is no unit ("párrafo segundo"). An empty `key` is the provision that
    the reference is relative to. `alternatives` are other readings ("111-1" is a key before it is a
    range, "16 a" a key before a letter, "1.902" the article before an apartado): one counts only when this
    reading is not found whole and that one is.
    """

    key: str
    path: tuple[str, ...] = ()
    tail: str = ""
    start: int = 0
    end: int = 0
    labels: tuple[str, ...] = ()
    alternatives: tuple[UnitMention | UnitRange, ...] = ()


@dataclass(frozen=True, slots=True)
class UnitRange:
    """Every unit from the first to the last, both included, in the law's own order."""

    first: UnitMention
    last: UnitMention

    @property
    def start(self) -> int:
        """Where the range begins in the original text."""
        return self.first.start

    @property
    def end(self) -> int:
        """Where the range ends in the original text."""
        return self.last.end


@dataclass(frozen=True, slots=True)
class Relative:
    """A reference that hangs on where it stands: "esta Ley", "el artículo anterior", "el apartado 2" alone.

    `step` is 0 for the one it stands in, -1 for the one before, 1 for the one after; `level` is the word used below
    a provision ("apartado", "letra"), in the plural for all of them on that side, or the `count` that are nearest. To
    `amended` means the law that the host amends: what is quoted of its new wording, and what "queda redactado así", is
    never the host's own. To `regulation` means the norm that develops the host: "su Reglamento".
    """

    to: Literal["law", "provision", "sub_unit", "amended", "regulation"]
    step: int = 0
    level: str = ""
    count: int = 0


@dataclass(frozen=True, slots=True)
class Reference:
    """One citation: `text` is `original[start:end]`; no units means the whole law, no law means none was named.

    `no_day` is what it has for the day of its text, and is none.
    """

    start: int
    end: int
    text: str
    law: LawMention | None = None
    units: tuple[UnitMention | UnitRange, ...] = ()
    on: date | None = None
    relative: Relative | None = None
    no_day: str = ""

    @property
    def citation(self) -> CitationId | None:
        """The canonical id this spells when it names one law and at most one unit."""
        if self.law is None or len(self.law.ids) != 1 or len(self.units) > 1:
            return None
        if not self.units:
            return CitationId(self.law.ids[0], on=self.on)
        unit = self.units[0]
        if isinstance(unit, UnitRange) or not unit.key:
            return None
        return CitationId(self.law.ids[0], unit.key, unit.path, self.on)


@dataclass(frozen=True, slots=True)
class Unsupported:
    """A citation of a kind that is not held: European law, case law, administrative doctrine, treaties."""

    start: int
    end: int
    text: str
    type: UnsupportedType


@dataclass(frozen=True, slots=True)
class Extraction:
    """Every citation of a running text, in its order."""

    references: tuple[Reference, ...] = ()
    unsupported: tuple[Unsupported, ...] = ()
