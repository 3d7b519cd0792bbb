"""What a running text has named so far, so that "dicha Ley", "la misma" and "su artículo 27" find what they mean."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from search.citations.folding import Folded
from search.citations.model import LawMention, Relative
from search.citations.spanish.foreign import Foreign
from search.citations.spanish.laws import Law, developing, identified
from search.citations.spanish.levels import Part
from search.citations.spanish.lexicon import spaced
from search.citations.spanish.namesakes import Namesakes
from search.citations.spanish.pointers import Pointer, suits
from search.citations.spanish.unit_values import Kind, Through, Unit

_REMEMBERED = 40
_LONGEST_SENTENCE = 800
_PREFIXES = [
    ("articulo", "art-"), ("mismo", "art-"), ("anexo", "anexo"), ("disposicion adicional", "da-"),
    ("disposicion transitoria", "dt-"), ("disposicion final", "df-"), ("disposicion derogatoria", "dd-"),
]  # fmt: skip
_DESCRIBING = ("especial", "este reglamento", "el presente reglamento")
"""What makes a law that is pointed at another than those named: "la mencionada Ley especial"."""
_DEFINITION = re.compile(
    r"\((?P<said>[Ee]n (?:adelante|lo sucesivo),? )?(?:la |el )?[«\"]?(?P<name>[A-Z][A-Za-z]*[A-Z][A-Za-z]*)[»\"]?\)"
)
_DESCRIBED_IN = re.compile(
    spaced(
        r",?_(?:tipificad|previst|recogid|contemplad|señalad|enumerad|regulad|descrit|establecid)[oa]s?"
        r" en (?:el|la|los|las) "
    )
)
_INITIALS = re.compile(r"[A-Z][A-Za-z]*[A-Z][A-Za-z]*")
_SENTENCE_END = re.compile(r"[.;:][ \n]|\n\n")


class Link(NamedTuple):
    """The law that a citation belongs to: named, the host's own, or foreign."""

    start: int
    end: int
    mention: LawMention | None = None
    relative: Relative | None = None
    foreign: Foreign | None = None
    rank: str = ""
    noun: str = ""

    @property
    def is_known(self) -> bool:
        """Whether it says which law it is: the host's, a foreign one, or one by number or name."""
        return self.mention is None or bool(self.mention.ids or self.mention.name)

    @property
    def law(self) -> Law:
        """The law as if it had been read where the link stands."""
        return Law(self.start, self.end, mention=self.mention, foreign=self.foreign, noun=self.noun)


class Context:
    """The laws and the provision named so far in one text."""

    def __init__(self, text: Folded) -> None:
        self._text = text
        self._links: deque[Link] = deque(maxlen=_REMEMBERED)
        self._namesakes = Namesakes(text)
        self._distinct: dict[str, set[str]] = {}
        self._aliases: dict[str, Link] = {}
        self._definitions = deque(_DEFINITION.finditer(text.plain))
        self._unit_key = ""
        self._unit_path: tuple[Part, ...] = ()
        self._recent: deque[tuple[Unit, Link | None]] = deque(maxlen=_REMEMBERED)
        self._unit_kind: Kind | None = None
        self._unit_end = 0
        self._cited: dict[str, Link | None] = {}
        self.unit_link: Link | None = None

    @property
    def defined(self) -> frozenset[str]:
        """The initials that the text itself gives a meaning: "(en adelante, LX)"."""
        return frozenset(match["name"] for match in self._definitions)

    def advance(self, start: int) -> None:
        """Take in the initials that are defined before `start`, of the law last named in their sentence."""
        while self._definitions and self._definitions[0].start() < start:
            match = self._definitions.popleft()
            link = self.in_same_sentence(match.start())
            if link and (match["said"] or link.end >= match.start() - 1):
                self._aliases[match["name"]] = link

    def alias(self, start: int) -> Link | None:
        """Give the law that initials at `start` stand for in this text."""
        match = _INITIALS.match(self._text.plain, start) if self._aliases else None
        link = self._aliases.get(match[0]) if match else None
        return self._as_written(link, start, match.end()) if link and match else None

    def link(self, law: Law) -> Link | None:
        """Give the law that a reading of one means here; None if it points at nothing known."""
        if law.pointer:
            return self._pointed(law.pointer)
        rank = law.mention.rank if law.mention else ""
        mention = self._namesakes.meant(law.mention) if law.mention else None
        return Link(law.start, law.end, mention, None, law.foreign, rank, law.noun)

    @property
    def last(self) -> Link | None:
        """The law named last, that of a title apart."""
        return self._links[-1] if self._links else None

    def note(self, link: Link, *, is_in_title: bool = False) -> None:
        """Remember a law that was just named; one that another's title names is never what is pointed back at first."""
        titled = self._links.pop() if is_in_title and self._links else None
        self._links.append(link)
        if titled:
            self._links.append(titled)
        if link.mention and (link.mention.ids or link.mention.name):
            key = link.mention.ids[0] if link.mention.ids else link.mention.name
            self._distinct.setdefault(link.noun, set()).add(key)

    def note_unit(self, units: Sequence[Unit | Through], link: Link | None, kind: Kind | None, end: int) -> None:
        """Remember the provision that was just cited, its levels if there is only one, and the noun it goes by."""
        first = units[0] if units else None
        key = first.key if isinstance(first, Unit) else ""
        if key and isinstance(first, Unit):
            self._unit_key, self.unit_link = key, link
            self._unit_path = first.parts if len(units) == 1 else ()
            self._recent.append((first, link))
            self._unit_kind, self._unit_end = kind, end
            self._cited[key] = link

    def has_antecedent(self, pointer: Pointer) -> bool:
        """Whether a law named before can be what is pointed at, be it only as "la Ley"."""
        return any(suits(pointer, link.rank, link.noun) for link in self._links)

    def link_of(self, key: str) -> Link | None:
        """Give the law of the provision last cited with a key."""
        return self._cited.get(key)

    def has_named(self, law: str) -> bool:
        """Whether a law is among those named lately."""
        return any(link.mention and law in link.mention.ids for link in self._links)

    def unit_before(self, at: int) -> str:
        """Give the key of the provision last cited in the same sentence."""
        return self._unit_key if self._is_one_sentence(self._unit_end, at) else ""

    def is_described_by(self, at: int) -> bool:
        """Whether levels at a place belong to the provision right before: "del artículo 107 tipificadas en el"."""
        return bool(self._unit_key) and _DESCRIBED_IN.fullmatch(self._text.lower, self._unit_end, at) is not None

    def unit_kind(self, at: int) -> Kind | None:
        """Give the noun of the provision last cited, if that was in the same sentence."""
        return self._unit_kind if self._is_one_sentence(self._unit_end, at) else None

    def _is_one_sentence(self, start: int, end: int) -> bool:
        return end - start <= _LONGEST_SENTENCE and not _SENTENCE_END.search(self._text.lower, start, end)

    def unit_of(self, noun: str) -> str:
        """Give the key of the provision last cited, if a noun ("dicho artículo", "el mismo") can mean it."""
        prefix = next((prefix for start, prefix in _PREFIXES if noun.startswith(start)), "")
        is_disposition = noun == "disposicion" and self._unit_key.startswith(("da-", "dt-", "df-", "dd-"))
        fits = noun == "precepto" or is_disposition or (prefix and self._unit_key.rsplit(".", 1)[-1].startswith(prefix))
        return self._unit_key if fits else ""

    def part_of(self, noun: str) -> Unit | None:
        """Give the part last cited that "dicho apartado" or "la citada letra" can mean."""
        is_letter = noun == "letra"
        depth = next((i for i, part in enumerate(self._unit_path, 1) if part.segment[0].isalpha() == is_letter), 0)
        return Unit(self._unit_key, self._unit_path[:depth], 0, 0) if depth else None

    def unit_with(self, units: Sequence[Unit | Through]) -> tuple[str, Link | None]:
        """Give the provision last cited with the same part, and its law: that of "dicho apartado 3"."""
        first = units[0] if units else None
        parts = first.parts if isinstance(first, Unit) else ()
        segment = parts[0].segment if parts else ""
        alike = (
            (unit, link) for unit, link in reversed(self._recent) if unit.parts and unit.parts[0].segment == segment
        )
        return next(((unit.key, link) for unit, link in alike), ("", None))

    def in_same_sentence(self, at: int) -> Link | None:
        """Give the law that "su artículo 27" speaks of: the last one named in the sentence."""
        if not self._links:
            return None
        last = self._links[-1]
        return last if self._is_one_sentence(last.end, at) else None

    def _pointed(self, pointer: Pointer) -> Link | None:
        if pointer.kind == "this":
            return Link(pointer.start, pointer.end, relative=Relative("law"), noun=pointer.noun)
        if pointer.kind == "its":
            return self._reglamento(pointer)
        is_described = self._text.lower.endswith(_DESCRIBING, pointer.start, pointer.end)
        if is_described or (pointer.kind == "bare" and len(self._distinct.get(pointer.noun, ())) != 1):
            return self._unidentified(pointer)
        found = next((link for link in reversed(self._links) if suits(pointer, link.rank, link.noun)), None)
        if found is None:
            return self._unidentified(pointer)
        return self._as_written(found, pointer.start, pointer.end)

    def _reglamento(self, pointer: Pointer) -> Link:
        """Give "su Reglamento": of the law named last in the sentence, if the list knows all it had, or the host's."""
        named = (link for link in reversed(self._links) if link.noun != "reglamento" and not link.foreign)
        last = next((link for link in named if self._is_one_sentence(link.end, pointer.start)), None)
        link = self._unidentified(pointer)
        if last is None or last.mention is None:
            return link._replace(mention=None, relative=Relative("regulation"))
        ids = developing(last.mention.ids)
        return link._replace(mention=identified(link.mention, ids)) if link.mention and ids else link

    def _as_written(self, link: Link, start: int, end: int) -> Link:
        """Give a law named before with the words that stand for it here."""
        mention = link.mention
        if mention:
            mention = replace(mention, text=self._text.slice(start, end), start=start, end=end)
        return link._replace(start=start, end=end, mention=mention)

    def _unidentified(self, pointer: Pointer) -> Link:
        """Give a law that is pointed at by its noun alone, and by nothing that says which."""
        written = self._text.slice(pointer.start, pointer.end)
        mention = LawMention(written, rank=pointer.noun, start=pointer.start, end=pointer.end)
        return Link(pointer.start, pointer.end, mention, noun=pointer.noun)
