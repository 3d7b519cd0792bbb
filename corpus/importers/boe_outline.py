"""Orders the blocks of a BOE law: what is a provision, its structure path, and the prefix of its citation key.

Design, section 2: a norm that approves one annexed text gives it the plain keys and goes by `norma.`; several
annexed texts, and annexes with articles of their own, put their name before the key.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from corpus.headings import Heading, classify_all, group_kind, lettered, section_level
from corpus.identifiers import slug
from corpus.importers.boe_blocks import Redaction, SourceBlock
from corpus.importers.boe_sections import Section, is_text, name_sections, opens_text
from corpus.importers.structure_path import TITLE_LEVEL, StructurePath
from corpus.records import ArticleKind, SourceWarning

_NAMED_TYPES = {"instrumento": "instrumento", "parte_dispositiva": "parte-dispositiva", "parte_final": "parte-final"}
_ASIDES = {"nota_inicial", "firma"}
_PLACED_IN_STRUCTURE: set[ArticleKind] = {"article", "other"}
_MAX_SLUG_WORDS = 6
_LETTERED = {f"art-{letter}" for letter in "abefghjkn"}


@dataclass(frozen=True)
class Provision:
    """One block as a provision: the names it goes by (several for a group), its path and the section it lies in."""

    block: SourceBlock
    headings: tuple[Heading, ...]
    path: tuple[str, ...]
    section: Section


@dataclass
class Outline:
    """What the blocks of a law are: provisions in order, headings, asides (initial note, signature) and warnings."""

    provisions: list[Provision] = field(default_factory=list)
    titles: list[SourceBlock] = field(default_factory=list)
    asides: list[SourceBlock] = field(default_factory=list)
    warnings: list[SourceWarning] = field(default_factory=list)

    def keyed(self) -> Iterator[tuple[Provision, Heading, str]]:
        """Give every provision under every key it goes by, with the prefix of its section."""
        for provision in self.provisions:
            prefix = provision.section.prefix
            for heading in provision.headings:
                yield provision, heading, f"{prefix}.{heading.key}" if prefix else heading.key


def outline(blocks: Sequence[SourceBlock], law_title: str, on: date | None) -> Outline:
    """Tell provisions from headings by title and class, never by block id, and give each its path and section."""
    builder = _Builder(law_title, on)
    builder.is_lettered = any(_is_lettered(block, on) for block in blocks)
    for block in blocks:
        builder.add(block)
    return builder.finished()


class _Builder:
    """Walks the blocks once; headings and titles of annexes wait until what follows tells what they are."""

    def __init__(self, law_title: str, on: date | None) -> None:
        self.law_title, self.on = law_title, on
        self.is_lettered = False
        self.result = Outline()
        self.section = Section("own")
        self.sections = [self.section]
        self.stack = StructurePath()
        self.within: ArticleKind | None = None
        self.pending_title = ""
        self.pending_annex: tuple[SourceBlock, Heading] | None = None

    def add(self, block: SourceBlock) -> None:
        """Take the next block in."""
        if not block.redactions:
            self._warn("empty-block", block, "a block without any version")
        elif block.type in _ASIDES:
            self.result.asides.append(block)
            self.section.is_signed |= block.type == "firma"
        elif block.type == "preambulo":
            self._place(block, (Heading("preamble", "preambulo", "Preámbulo"),))
        elif block.type in _NAMED_TYPES:
            name = _NAMED_TYPES[block.type]
            self._place(block, (Heading("other", name, name.replace("-", " ").capitalize()),))
        else:
            self._add_by_title(block)

    def finished(self) -> Outline:
        """Give the outline with the prefix of every section."""
        self._settle_annex()
        name_sections(self.sections, self.law_title)
        return self.result

    def _add_by_title(self, block: SourceBlock) -> None:
        headings = self._identify(block)
        if self.is_lettered:
            headings = tuple(map(lettered, headings))
        has_body = any(one.body for one in block.redactions)
        if headings and headings[0].kind in {"annex", "appendix"} and not has_body:
            self._await(block, headings[0])
        elif headings:
            self._place(block, headings)
        elif has_body and block.type != "encabezado":
            self._place(block, (self._unnamed(block),))
        else:
            self._open_heading(block)
            if has_body:
                self._place(block, (self._unnamed(block),))

    def _await(self, block: SourceBlock, annex: Heading) -> None:
        """Hold an annex of which only the title has come."""
        self._settle_annex()
        self.section = self._outer()
        self.stack.clear()
        self.pending_annex, self.pending_title = (block, annex), _annex_title(block.current(self.on), annex)

    def _identify(self, block: SourceBlock) -> tuple[Heading, ...]:
        """Name a block by its title line, or by its attribute where the text has no title line that names it."""
        redaction = block.current(self.on)
        line = redaction.title or redaction.first_line
        within = self.within or ("other" if block.type == "precepto" and redaction.title else None)
        by_line = classify_all(line, within)
        by_attribute = classify_all(block.title, within)
        if not by_line or not by_attribute or by_line[0].key == by_attribute[0].key:
            return by_line or by_attribute
        if not redaction.title:
            return by_attribute
        if not by_line[0].key.startswith(f"{by_attribute[0].key}-"):
            self._warn("title-mismatch", block, f"titled {block.title!r}, but the text says {line[:80]!r}")
        return by_line

    def _open_heading(self, block: SourceBlock) -> None:
        title = block.current(self.on).full_title or block.title
        self.result.titles.append(block)
        level, self.within = section_level(title), group_kind(title)
        if level is None and self.within is None:
            self.pending_title = title
        self.stack.open(TITLE_LEVEL if level is None else level, title, is_gone=block.is_gone(self.on))

    def _place(self, block: SourceBlock, headings: tuple[Heading, ...]) -> None:
        kind = headings[0].kind
        self._choose_section(headings[0])
        path = self.stack.path(with_gone=block.is_gone(self.on))
        if kind not in _PLACED_IN_STRUCTURE and not (path and group_kind(path[0]) == kind):
            self.stack.clear()
            self.within, path = None, ()
        self._keep(block, headings, path)

    def _keep(self, block: SourceBlock, headings: tuple[Heading, ...], path: tuple[str, ...]) -> None:
        if not self.section.is_begun:
            self.section.title = self.section.title or self.pending_title
        self.section.keys.update(heading.key for heading in headings)
        self.section.articles += headings[0].kind == "article"
        self.result.provisions.append(Provision(block, headings, path, self.section))
        self.pending_title = ""

    def _choose_section(self, heading: Heading) -> None:
        """Go on in the current section, or open that of an annexed text or of an annex with provisions of its own."""
        if heading.kind in {"annex", "appendix"}:
            self._settle_annex()
            self.section = self._outer()
        elif self.pending_annex is not None and heading.kind in _PLACED_IN_STRUCTURE:
            self._open_annex()
        else:
            self._settle_annex()
            if opens_text(heading, self.section, self.pending_title, self.law_title):
                self._open(Section("annexed", self.pending_title))

    def _open_annex(self) -> None:
        assert self.pending_annex is not None  # noqa: S101 (the caller has looked)
        block, annex = self.pending_annex
        self.pending_annex = None
        self.result.titles.append(block)
        if is_text(annex, self.pending_title, self.law_title, self.section):
            self._open(Section("annexed", self.pending_title))
        else:
            self._open(Section("annex", self.pending_title, annex.key, outer=self._outer()))
            self.stack.put_above(annex.label)

    def _open(self, section: Section) -> None:
        self.stack.drop(section.title)
        self.section = section
        self.sections.append(section)

    def _outer(self) -> Section:
        """Give the text that an annex is annexed to."""
        return self.section.outer or self.section

    def _settle_annex(self) -> None:
        """Keep an annex that turned out to hold nothing but its title as a provision without text."""
        if self.pending_annex is not None:
            block, heading = self.pending_annex
            self.pending_annex = None
            self.section = self._outer()
            self._keep(block, (heading,), ())

    def _unnamed(self, block: SourceBlock) -> Heading:
        """Name a provision of no known kind after its words, and a text below a heading after its place."""
        redaction = block.current(self.on)
        title = redaction.full_title or block.title
        places = [text for text in self.stack.path(with_gone=True) if section_level(text)]
        is_structure = section_level(title) is not None
        key = ".".join(map(_short_slug, places)) if is_structure else _short_slug(title or redaction.first_line)
        self._warn("unnamed-provision", block, f"no known kind of provision; it goes by {key!r}")
        return Heading("other", key, title or redaction.first_line[:80])

    def _warn(self, kind: str, block: SourceBlock, detail: str) -> None:
        self.result.warnings.append(SourceWarning(kind, block.id, detail))


def _is_lettered(block: SourceBlock, on: date | None) -> bool:
    """Whether a block is an article that goes by a letter which is no number: "Artículo A"."""
    if not block.redactions:
        return False
    headings = classify_all(block.current(on).title or block.title)
    return any(heading.key in _LETTERED for heading in headings)


def _annex_title(redaction: Redaction, annex: Heading) -> str:
    """Give the name of an annex: the rest of its title line, or the lines below it."""
    names = [item.line.text.replace("\n", " ") for item in redaction.titles[1:]]
    return annex.heading or " ".join(names)


def _short_slug(text: str) -> str:
    """Make a key of the first words of a title, long enough not to be taken for a sub-unit.

    >>> _short_slug("CAPÍTULO III. Selección y formación"), _short_slug("A")
    ('capitulo-iii', 'texto-a')
    """
    is_structure = section_level(text) is not None
    key = "-".join(slug(text).split("-")[: 2 if is_structure else _MAX_SLUG_WORDS])
    return key if len(key) > 6 else f"texto-{key}".rstrip("-")
