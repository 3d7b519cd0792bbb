"""Cuts the Markdown of a law into the blocks the BOE would have made of it: titles, provisions, asides.

Most files mark articles as headings of the fifth level (a few of the sixth); in some 3,300 the articles are plain
lines such as "Artículo 111-1. Objeto.". Headings of the third level are also any centred line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from corpus.headings import classify_all, group_kind, section_level
from corpus.importers.boe_blocks import Redaction, SourceBlock
from corpus.importers.boe_text import Item, compose, visible
from corpus.importers.flow import Line
from corpus.importers.legalize_lines import IMAGE, read_line
from corpus.importers.legalize_tables import is_html, read_bars, read_html, with_whole_tables
from corpus.quotation import quoted
from corpus.records import Note
from corpus.validity import marker_status

_HEADING = re.compile(r"(?P<marks>#{1,6}) +(?P<text>.*)")
_SMALL = re.compile(r"^>\s*(?:<small>)?(?P<text>.*?)(?:</small>)?\s*$")
_RULE = re.compile(r"-{3,}|={3,}|_{3,}|\*{3,}|```\w*")
_REFERENCE = re.compile(r"\b[A-Z]{2,5}-[A-Za-z]-\d{4}-\d+\b")
_ASIDE = re.compile(
    r"(?:Norma derogada|Téngase en cuenta que|Incluye la corrección|Redactad[oa] conforme|Última modificación:)"
)
_SIGNATURE = re.compile(
    r"(?:Por tanto,|Por consiguiente,|Dad[oa] en |Por lo tanto, ordeno"
    r"|(?:[A-ZÁÉÍÓÚ][\w.-]+ ?){1,4}, (?:a )?\d{1,2}\.?º? de [a-z]+ de \d{4}\b)"
)
_STRUCTURE_LINE = re.compile(
    r"(?:LIBRO|T[IÍ]TULO|CAP[IÍ]TULO|SECCI[OÓ]N|SUBSECCI[OÓ]N)\s+"
    r"(?:[IVXLC]+|\d+|PRELIMINAR|[UÚ]NIC[OA]|\w+(?:er[oa]|nd[oa]|t[oa]|im[oa]|av[oa]|en[oa]))\b\.?[ªº]?.{0,150}",
    re.IGNORECASE,
)
_TITLE_LIKE = re.compile(r"[^.:;]{3,200}\.?")
_PROVISION_NOUN = re.compile(
    r"(?:Art|ART|Disp|DISP|D\.? ?[ATFD]\b|Anex|ANEX|Anej|ANEJ|Apénd|APÉND|Preámbulo|PREÁMBULO)"
)
_LONGEST_ANNEX_TITLE = 160
_LONGEST_NAME = 200


@dataclass(frozen=True)
class _Source:
    """One line of the body: its heading level (0 for a plain line), its Markdown, and its words alone."""

    level: int
    markdown: str
    text: str


@dataclass
class _Draft:
    """A block under construction."""

    type: str
    titles: list[Item] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    characters: int = 0


def read_blocks(body: str) -> list[SourceBlock]:
    """Cut the body of a file, after its front matter, into blocks in order."""
    sources = _sources(body)
    return _Cutter(sources).blocks()


def _sources(body: str) -> list[_Source]:
    lines = [line for one in with_whole_tables(body.split("\n")) if not _RULE.fullmatch(line := one.strip())]
    found = []
    for line in lines:
        heading = _HEADING.fullmatch(line)
        level, markdown = (len(heading["marks"]), heading["text"].strip()) if heading else (0, line)
        if markdown:
            text = "" if is_html(markdown) else read_line(markdown).text.strip()
            found.append(_Source(level, markdown, text))
    return found


def article_level(sources: Sequence[_Source]) -> int:
    """Give the heading level that most provisions of a file have; 0 where they are plain lines."""
    levels = Counter(one.level for one in sources if one.level >= 5 and _names_provision(one.text))
    if levels:
        return max(levels, key=lambda level: (levels[level], -level))
    loose = Counter(one.level for one in sources if one.level >= 5 and classify_all(one.text, "other"))
    plain = sum(one.level == 0 and _names_provision(one.text) for one in sources)
    return loose.most_common(1)[0][0] if loose and loose.total() >= plain else 0


def _names_provision(text: str) -> bool:
    return bool(_PROVISION_NOUN.match(text) and classify_all(text))


class _Cutter:
    """Walks the lines once and opens a block wherever a title or a provision begins."""

    def __init__(self, sources: Sequence[_Source]) -> None:
        self.sources = sources
        self.level = article_level(sources)
        self.inside = quoted([one.text for one in sources])
        self.drafts: list[_Draft] = []
        self.current = _Draft("preambulo")
        self.table: list[str] = []
        self.has_provisions = False

    def blocks(self) -> list[SourceBlock]:
        """Give the blocks, numbered in order; their ids are ours, for the source has none."""
        start = 1 if self.sources and self.sources[0].level == 1 else 0
        for index in range(start, len(self.sources)):
            self._take(index)
        self._close_table()
        self._keep(self.current)
        return [_block(draft, number) for number, draft in enumerate(_without_spans(self.drafts), start=1)]

    def _take(self, index: int) -> None:
        source = self.sources[index]
        if source.markdown.startswith("|") and not source.level:
            self.table.append(source.markdown)
            return
        self._close_table()
        if is_html(source.markdown):
            self._add_html(source.markdown)
            return
        if self._take_aside(source):
            return
        role = self._role(index)
        if role:
            self._open(role)
            self._add_title(source, "articulo" if role == "precepto" else "titulo_num")
        elif self.current.type == "encabezado" and not self.current.items and self._names_heading(index):
            self._add_title(source, "titulo_tit")
        elif not source.level and self.has_provisions and _SIGNATURE.match(source.text) and not self.inside[index]:
            self._open("firma")
            self._add(source, index)
        else:
            self._add(source, index)

    def _take_aside(self, source: _Source) -> bool:
        """Keep an editorial remark as a note: of the law before anything else, or of the provision it stands in."""
        small = _SMALL.match(source.markdown) if source.markdown.startswith(">") else None
        if small is None and not _ASIDE.match(source.text):
            return False
        text = read_line(small["text"]).text if small else source.text
        if not text:
            return True
        note = Note(text, tuple(dict.fromkeys(_REFERENCE.findall(text))))
        if self.current.type == "preambulo" and not self.current.items:
            aside = _Draft("nota_inicial", items=[Item(Line(text))], characters=visible(text))
            self.drafts.append(aside)
        else:
            self.current.notes.append(note)
            self.current.characters += visible(text)
        return True

    def _role(self, index: int) -> str:
        """Say whether a line opens a provision, a heading of the structure, or nothing."""
        source = self.sources[index]
        if self.inside[index] or source.text.startswith(("«", "“", '"')):
            return ""
        if self._opens_provision(source):
            return "precepto"
        return "encabezado" if self._opens_heading(index) else ""

    def _opens_provision(self, source: _Source) -> bool:
        if source.level >= 5:
            names = bool(classify_all(source.text, "other"))
            return names and source.level <= (self.level or source.level)
        if not _names_provision(source.text):
            return False
        kind = classify_all(source.text)[0].kind
        if kind == "other":
            return self.level == 0 and not source.level
        if kind in {"annex", "appendix", "preamble"}:
            short = len(source.text) <= _LONGEST_ANNEX_TITLE and not source.text.endswith((";", ","))
            is_preamble = kind == "preamble" and not self.has_provisions
            return short and (source.level > 0 or self.level == 0) and not is_preamble
        return source.level > 0 or self.level == 0

    def _opens_heading(self, index: int) -> bool:
        source = self.sources[index]
        text = source.text
        if not self.has_provisions and not self._leads_to_provision(index):
            return False
        if source.level and (section_level(text) is not None or group_kind(text) is not None):
            return True
        if not source.level:
            return bool(_STRUCTURE_LINE.fullmatch(text)) and not text.rstrip().endswith((";", ",", ":"))
        return self.has_provisions and not text.endswith(":") and self._leads_to_first(index)

    def _leads_to_provision(self, index: int) -> bool:
        """Whether nothing but titles stands between a line and the next provision."""
        return self._next_provision(index) is not None

    def _leads_to_first(self, index: int) -> bool:
        """Whether an annexed text begins below this title: only titles up to another first article."""
        found = self._next_provision(index)
        return found is not None and classify_all(found.text, "other")[0].key in {"art-1", "art-unico"}

    def _next_provision(self, index: int) -> _Source | None:
        """Give the provision that follows a line at most a few titles later."""
        for source in self.sources[index + 1 : index + 9]:
            if self._opens_provision(source):
                return source
            if not source.level and len(source.text) > _LONGEST_NAME:
                return None
            if source.text.endswith((";", ":")):
                return None
        return None

    def _names_heading(self, index: int) -> bool:
        """Whether a line is the name of the heading above it, on a line of its own."""
        if len(self.current.titles) != 1 or section_level(self.current.titles[0].line.text) is None:
            return False
        if len(self.current.titles[0].line.text.split()) > 2:
            return False
        text = self.sources[index].text
        return bool(_TITLE_LIKE.fullmatch(text)) or (len(text) <= _LONGEST_NAME and self._begins_anew(index + 1))

    def _begins_anew(self, index: int) -> bool:
        """Whether a provision or another heading of the structure stands here."""
        if index >= len(self.sources):
            return False
        source = self.sources[index]
        return self._opens_provision(source) or bool(_STRUCTURE_LINE.fullmatch(source.text))

    def _open(self, type_: str) -> None:
        self._keep(self.current)
        self.current = _Draft(type_)
        self.has_provisions |= type_ == "precepto"

    def _keep(self, draft: _Draft) -> None:
        if draft.titles or draft.items or draft.notes:
            self.drafts.append(draft)

    def _add_title(self, source: _Source, style: str) -> None:
        line = read_line(source.markdown)
        self.current.characters += visible(line.text)
        self.current.titles.append(Item(line, style=style))

    def _add(self, source: _Source, index: int) -> None:
        images = list(IMAGE.finditer(source.markdown))
        line = read_line(source.markdown)
        self.current.characters += visible(line.text) - line.added
        if len(images) == 1 and not IMAGE.sub("", source.markdown).strip():
            self.current.items.append(Item(line, "image", images[0]["source"]))
        elif self.inside[index] or source.text.startswith(("«", "“")):
            self.current.items.append(Item(line, "quote", "sangrado_articulo" if source.level else "sangrado"))
        else:
            self.current.items.append(
                Item(line, "heading" if source.level else "paragraph", "centro_redonda" if source.level else "parrafo")
            )

    def _close_table(self) -> None:
        rows, self.table = self.table, []
        if rows:
            table, characters = read_bars(rows)
            self.current.items.append(table)
            self.current.characters += characters

    def _add_html(self, written: str) -> None:
        items, characters = read_html(written)
        self.current.items += items
        self.current.characters += characters


def _without_spans(drafts: Sequence[_Draft]) -> list[_Draft]:
    """Settle groups such as "Artículos 41 a 44." beside the articles they name.

    Where the group says they are gone, their former text, of unknown days, becomes notes of the group; where it says
    nothing, it is a mere title and becomes a note of what follows.
    """
    kept: list[_Draft] = []
    gone: dict[str, _Draft] = {}
    waiting: list[Note] = []
    for draft in drafts:
        keys = _keys(draft)
        if len(keys) > 1 and not draft.items:
            waiting.append(Note(draft.titles[0].line.text))
            continue
        if len(keys) > 1 and marker_status(compose(draft.items).text):
            gone = dict.fromkeys(keys, draft)
            if kept and _keys(kept[-1]) & gone.keys():
                _note_former(draft, kept.pop())
        elif keys & gone.keys():
            _note_former(gone[min(keys)], draft)
            continue
        elif keys:
            gone = {}
        draft.notes = [*waiting, *draft.notes]
        draft.characters += sum(visible(note.text) for note in waiting)
        waiting = []
        kept.append(draft)
    return kept


def _keys(draft: _Draft) -> set[str]:
    if draft.type != "precepto" or not draft.titles:
        return set()
    return {heading.key for heading in classify_all(draft.titles[0].line.text, "other")}


def _note_former(group: _Draft, former: _Draft) -> None:
    text = compose((*former.titles, *former.items)).text
    group.notes += [Note(text, about="texto anterior"), *former.notes]
    group.characters += visible(text) + sum(visible(note.text) for note in former.notes)


def _block(draft: _Draft, number: int) -> SourceBlock:
    redaction = Redaction(
        norm="",
        valid_from=None,
        published=None,
        titles=tuple(draft.titles),
        body=tuple(draft.items),
        notes=tuple(draft.notes),
        characters=draft.characters,
    )
    return SourceBlock(id=f"l{number}", type=draft.type, title="", expires=None, redactions=(redaction,))
