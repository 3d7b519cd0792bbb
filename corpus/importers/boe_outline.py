"""Orders the blocks of a BOE law: structure path, annexed texts, citation keys, and one article per key.

Design, section 2: a norm that approves one annexed text gives it the plain keys and goes by `norma.`; several
annexed texts, and annexes with articles of their own, put their name before the key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from corpus.headings import Heading, classify_all, group_kind, section_level
from corpus.identifiers import slug
from corpus.importers.boe_blocks import SourceBlock, visible
from corpus.records import ArticleKind, SourceWarning

OWN_NAME = "norma"
TITLE_LEVEL = 0

_ANNEXED = re.compile(
    r"(?:texto|reglamento|estatutos?|c[oó]digo|ordenanzas?|normas?|carta|convenio|plan|instrucci[oó]n|bases|ley|"
    r"condiciones|pliego|disposiciones reguladoras)\b",
    re.IGNORECASE,
)
_APPROVES = re.compile(r"\b(?:aprueban?|aprobaci[oó]n|aprobando|se publica|promulga)\b", re.IGNORECASE)
_STOP_WORDS = {"el", "la", "los", "las", "de", "del", "y", "e", "o", "para", "por", "en", "que", "a", "al", "se", "su"}
_NAMED_TYPES = {"instrumento": "instrumento", "parte_dispositiva": "parte-dispositiva", "parte_final": "parte-final"}
_MAX_SLUG_WORDS = 6


@dataclass(frozen=True)
class Provision:
    """One block as a provision: its place and the names it goes by (several for a group)."""

    block: SourceBlock
    headings: tuple[Heading, ...]
    path: tuple[str, ...] = ()
    section: int = 0


@dataclass
class _Section:
    """A run of provisions that are numbered together: the norm's own, an annexed text, or an annex with articles."""

    kind: str = "own"
    title: str = ""
    name: str = ""
    seen: set[str] = field(default_factory=set)


@dataclass
class Outline:
    """What the blocks of a law are: its provisions in order, headings, notes at large, and warnings."""

    provisions: list[Provision] = field(default_factory=list)
    titles: list[SourceBlock] = field(default_factory=list)
    asides: list[SourceBlock] = field(default_factory=list)
    warnings: list[SourceWarning] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


def outline(blocks: Sequence[SourceBlock], law_title: str, on: date | None) -> Outline:
    """Tell provisions from headings by title and class, and give each its path and the prefix of its keys."""
    builder = _Builder(law_title, on)
    for block in blocks:
        builder.add(block)
    return builder.finished()


class _Builder:
    def __init__(self, law_title: str, on: date | None) -> None:
        self.law_title, self.on = law_title, on
        self.result = Outline()
        self.sections = [_Section()]
        self.stack: list[tuple[int, str]] = []
        self.within: ArticleKind | None = None
        self.pending: SourceBlock | None = None
        self.pending_annex: tuple[SourceBlock, Heading] | None = None
        self.is_signed = False
        self.approves = bool(_APPROVES.search(law_title))

    def add(self, block: SourceBlock) -> None:
        """Take the next block in."""
        if not block.redactions:
            self._warn("empty-block", block, "a block without any version")
        elif block.type in {"nota_inicial", "firma"}:
            self.result.asides.append(block)
            self._sign(block)
        elif block.type == "preambulo":
            self._place(block, (Heading("preamble", "preambulo", "Preámbulo"),))
        elif block.type in _NAMED_TYPES:
            name = _NAMED_TYPES[block.type]
            self._place(block, (Heading("other", name, name.replace("-", " ").capitalize()),))
        else:
            self._add_by_title(block)

    def _sign(self, block: SourceBlock) -> None:
        self.is_signed = self.is_signed or block.type == "firma"
        if block.type == "firma" and len(self.sections) == 1:
            self.approves = True

    def _add_by_title(self, block: SourceBlock) -> None:
        redaction = block.current(self.on)
        headings = self._identify(block)
        has_body = any(one.body for one in block.redactions)
        if headings and headings[0].kind in {"annex", "appendix"} and not has_body:
            self._flush_annex()
            self.pending_annex = (block, headings[0])
        elif headings:
            self._place(block, headings)
        elif has_body and block.type != "encabezado":
            self._place(block, (self._unnamed(block),))
        else:
            self._heading(block, redaction.full_title or block.title)
            if has_body:
                self._place(block, (self._unnamed(block),))

    def _identify(self, block: SourceBlock) -> tuple[Heading, ...]:
        """Name a block by its title line, by its title attribute where the line says less, never by its id."""
        line = block.current(self.on).title or _first_line(block, self.on)
        by_line = classify_all(line, self.within) if line else ()
        by_attribute = classify_all(block.title, self.within) if block.title else ()
        if by_line and by_attribute and by_line[0].key != by_attribute[0].key:
            extends = by_line[0].key.startswith(f"{by_attribute[0].key}-")
            if not extends:
                self._warn("title-mismatch", block, f"titled {block.title!r}, but the text says {line[:80]!r}")
        if not block.current(self.on).title and by_line and by_attribute and by_line[0].key != by_attribute[0].key:
            return by_attribute
        return by_line or by_attribute

    def _heading(self, block: SourceBlock, title: str) -> None:
        self.result.titles.append(block)
        level = section_level(title)
        self.within = group_kind(title) or (None if level is not None else self.within)
        if level is None and group_kind(title) is None:
            self.pending = block
        level = TITLE_LEVEL if level is None else level
        self.stack = [(depth, text) for depth, text in self.stack if depth < level]
        self.stack.append((level, title))

    def _place(self, block: SourceBlock, headings: tuple[Heading, ...]) -> None:
        section = self._section_for(block, headings[0])
        if headings[0].kind not in {"article", "other"} and not (self.stack and group_kind(self.stack[0][1])):
            self.stack = []
        section.seen |= {heading.key for heading in headings}
        path = tuple(text for _, text in self.stack)
        self.result.provisions.append(Provision(block, headings, path, self.sections.index(section)))
        self.pending = None

    def _section_for(self, block: SourceBlock, heading: Heading) -> _Section:
        """Open a new section where an annexed text begins: at its title, or where numbering restarts."""
        current = self.sections[-1]
        if heading.kind != "article":
            if heading.kind in {"annex", "appendix"} and current.kind == "annex":
                self.sections.append(_Section(current.name and "own-annexes" or "own"))
                self._flush_annex()
                return self.sections[-1]
            self._flush_annex()
            return current
        has_provisions = any(key != "preambulo" for key in current.seen)
        restarts = heading.key in current.seen and heading.key in {"art-1", "art-unico"}
        if self.pending_annex is not None:
            return self._annex_section(has_provisions)
        begins = self.pending is not None and (has_provisions or self.is_signed) and _is_first(heading)
        if not begins and not restarts:
            return current
        title = self.pending.current(self.on).full_title if self.pending else self.law_title
        self.stack = [entry for entry in self.stack if entry[0] != TITLE_LEVEL or entry[1] != title]
        self.sections.append(_Section("annexed", title))
        return self.sections[-1]

    def _annex_section(self, has_provisions: bool) -> _Section:
        """Open the section of an annex that holds articles: an annexed text if it is one that the norm approves."""
        block, heading = self.pending_annex or (None, None)
        title = self.pending.current(self.on).full_title if self.pending else (heading.heading if heading else "")
        self.pending_annex = None
        if block is not None:
            self.result.titles.append(block)
        if self.approves and (_ANNEXED.match(title) or (not title and len(self.sections) == 1)):
            self.stack = [entry for entry in self.stack if entry[0] != TITLE_LEVEL]
            self.sections.append(_Section("annexed", title))
        else:
            self.sections.append(_Section("annex", title, heading.key if heading else ""))
            self.stack = [(TITLE_LEVEL, heading.label if heading else ""), *self.stack]
        return self.sections[-1]

    def _flush_annex(self) -> None:
        """Keep an annex that turned out to hold nothing but its title as a provision without text."""
        if self.pending_annex is not None:
            block, heading = self.pending_annex
            self.pending_annex = None
            self.sections[-1].seen.add(heading.key)
            self.result.provisions.append(Provision(block, (heading,), (), len(self.sections) - 1))

    def _unnamed(self, block: SourceBlock) -> Heading:
        title = block.current(self.on).full_title or block.title
        words = title or _first_line(block, self.on)
        places = [text for _, text in self.stack if section_level(text)]
        key = ".".join(_short_slug(text) for text in places) if section_level(title) else _short_slug(words)
        self._warn("unnamed-provision", block, f"no known kind of provision; named {key!r} after its words")
        return Heading("other", key, title or words[:80])

    def _warn(self, kind: str, block: SourceBlock, detail: str) -> None:
        self.result.warnings.append(SourceWarning(kind, block.id, detail))

    def finished(self) -> Outline:
        """Give the outline with the name of every section."""
        self._flush_annex()
        self.result.names = _names(self.sections, approves=self.approves, law_title=self.law_title)
        return self.result


def _is_first(heading: Heading) -> bool:
    return heading.key in {"art-1", "art-unico"}


def _first_line(block: SourceBlock, on: date | None) -> str:
    body = block.current(on).body
    return body[0].line.text if body else ""


def _short_slug(text: str) -> str:
    """Make a key of the first words of a title, long enough not to be taken for a sub-unit.

    >>> _short_slug("CAPÍTULO III. Selección y formación"), _short_slug("A")
    ('capitulo-iii', 'texto-a')
    """
    level = section_level(text)
    words = slug(text).split("-")[: 2 if level is not None else _MAX_SLUG_WORDS]
    key = "-".join(word for word in words if word)
    return key if len(key) > 6 or "-" in key else f"texto-{key}".rstrip("-")


def _names(sections: Sequence[_Section], *, approves: bool, law_title: str) -> list[str]:
    """Give the prefix of each section's keys: none for the one text that is cited without."""
    annexed = [section for section in sections if section.kind == "annexed"]
    if not annexed:
        return [section.name for section in sections]
    texts = annexed if approves else [replace(sections[0], title=_own_title(law_title)), *annexed]
    named = dict(zip(map(id, annexed if approves else [sections[0], *annexed]), _part_names(texts), strict=True))
    if len(texts) == 1:
        named = {id(annexed[0]): ""}
    own = named.get(id(sections[0]), OWN_NAME)
    return [section.name or (own if section.kind.startswith("own") else named[id(section)]) for section in sections]


def _own_title(law_title: str) -> str:
    return re.sub(r"^.*?\b(?:de la|del|de)\s+", "", law_title, count=1)


def _part_names(texts: Sequence[_Section]) -> list[str]:
    """Name each text by as few of its title's own words as tell it from the others."""
    words = [[word for word in slug(text.title).split("-") if word not in _STOP_WORDS] or ["texto"] for text in texts]
    names: list[str] = []
    for index, own in enumerate(words):
        others = [other for position, other in enumerate(words) if position != index]
        depth = next((n for n in range(1, len(own) + 1) if all(other[:n] != own[:n] for other in others)), len(own))
        name = "-".join(own[:depth])
        names.append(f"{name}-{index + 1}" if name in names or len(name) < 3 else name)
    return names


def keys(outlined: Outline) -> Iterator[tuple[Provision, Heading, str]]:
    """Give every provision under every key it goes by, prefixed with its section's name."""
    for provision in outlined.provisions:
        name = outlined.names[provision.section]
        for heading in provision.headings:
            yield provision, heading, f"{name}.{heading.key}" if name else heading.key


def title_characters(outlined: Outline) -> int:
    """Count the visible characters of headings that stand in some path."""
    return sum(visible(block.redactions[0].full_title) for block in outlined.titles)
