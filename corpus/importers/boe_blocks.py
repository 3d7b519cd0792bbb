"""Reads one `<bloque>` of the BOE's consolidated legislation: its titles, and each redaction's text and notes.

Source: "API de datos abiertos de la Agencia Estatal BOE: legislación consolidada", node `texto`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from lxml import etree

from corpus.headings import classify_all
from corpus.importers.boe_text import CENTRED, Item, read_text, text_of, visible, with_quotes
from corpus.importers.markup import normalised
from corpus.records import Note, SourceWarning
from corpus.rubrics import heading_length
from corpus.validity import read_day

# Blocks that are text from their first line, whatever its class: "JUAN CARLOS I" is no title of a preamble.
UNTITLED_TYPES = {"nota_inicial", "preambulo", "instrumento", "parte_dispositiva", "parte_final", "firma"}
_TITLE_CLASS = re.compile(r"(?:articulo|libro|parte|titulo|capitulo|seccion|subseccion|anexo|apendice)(?:_num|_tit)?")


@dataclass(frozen=True)
class Redaction:
    """One `<version>`: title lines and body as the source gives them, editorial notes apart."""

    norm: str
    valid_from: date | None
    published: date | None
    titles: tuple[Item, ...]
    body: tuple[Item, ...]
    notes: tuple[Note, ...]
    characters: int

    @property
    def title(self) -> str:
        """The first title line."""
        return self.titles[0].line.text if self.titles else ""

    @property
    def first_line(self) -> str:
        """The first paragraph of the body."""
        return self.body[0].line.text if self.body else ""

    @property
    def full_title(self) -> str:
        """All title lines as one: number and name of a chapter or an annex."""
        first, *others = [item.line.text.replace("\n", " ").strip() for item in self.titles] or [""]
        name = " ".join(others)
        return f"{first}{'' if first.endswith('.') else '.'} {name}" if name else first


@dataclass(frozen=True)
class SourceBlock:
    """One `<bloque>` with its redactions in the order of the file."""

    id: str
    type: str
    title: str
    expires: date | None
    redactions: tuple[Redaction, ...]
    warnings: tuple[SourceWarning, ...] = ()

    def is_gone(self, on: date | None) -> bool:
        """Whether the block is no longer part of the law on a day."""
        return self.expires is not None and on is not None and self.expires <= on

    def current(self, on: date | None) -> Redaction:
        """Choose the redaction that ran on a day: of those that had begun the one published last; else the first."""
        ranked = sorted(self.redactions, key=lambda one: (one.valid_from or date.min, one.published or date.min))
        begun = [one for one in ranked if on is None or (one.valid_from or date.min) <= on]
        return max(reversed(begun), key=lambda one: one.published or date.min) if begun else ranked[0]


def read_block(element: etree._Element) -> SourceBlock:
    """Read a block; days that are none are left out and told as warnings that name it."""
    identifier, type_ = element.get("id", ""), element.get("tipo", "")
    warnings: list[SourceWarning] = []
    expires = element.get("fecha_caducidad")
    versions = element.findall("version") or ([element] if visible(text_of(element)) else [])
    redactions = [_redaction(version, identifier, type_, warnings) for version in versions]
    return SourceBlock(
        id=identifier,
        type=type_,
        title=normalised(" ".join((element.get("titulo") or "").split())),
        expires=_day(expires, "fecha_caducidad", identifier, warnings) if expires else None,
        redactions=tuple(redactions),
        warnings=tuple(warnings),
    )


def _redaction(version: etree._Element, block: str, type_: str, warnings: list[SourceWarning]) -> Redaction:
    published = _day(version.get("fecha_publicacion", ""), "fecha_publicacion", block, warnings)
    begins = _day(version.get("fecha_vigencia", ""), "fecha_vigencia", block, warnings)
    if begins is None and published is not None:
        detail = f"validity taken from the day of publication, {published}"
        warnings.append(SourceWarning("validity-from-publication", block, detail))
    items, notes = read_text(version)
    is_titled = type_ not in UNTITLED_TYPES
    titles, body = _parted(items, is_heading=type_ == "encabezado") if is_titled else ((), tuple(items))
    return Redaction(
        norm=version.get("id_norma", ""),
        valid_from=begins or published,
        published=published,
        titles=titles,
        body=tuple(with_quotes(body)),
        notes=tuple(notes),
        characters=visible(text_of(version)),
    )


def _day(text: str, name: str, block: str, warnings: list[SourceWarning]) -> date | None:
    day = read_day(text)
    if day is None:
        warnings.append(SourceWarning("impossible-date", block, f"{name} is {text!r}"))
    return day


def _parted(items: Sequence[Item], *, is_heading: bool) -> tuple[tuple[Item, ...], tuple[Item, ...]]:
    """Part title lines from the body: number and name, on one line or two.

    In a heading block that marks no title by class, its first centred lines are the title.
    """
    pattern = _TITLE_CLASS
    if is_heading and items and not _TITLE_CLASS.fullmatch(items[0].style):
        pattern = CENTRED
    count = 0
    while count < len(items) and pattern.fullmatch(items[count].style):
        if count and (
            _begins_anew(items[count]) or (items[0].style == "articulo" and not _is_name(items[: count + 1]))
        ):
            break
        count += 1
    return tuple(items[:count]), tuple(items[count:])


def _begins_anew(item: Item) -> bool:
    return item.style.endswith("_num") or bool(classify_all(item.line.text))


def _is_name(items: Sequence[Item]) -> bool:
    """Whether the second of two title lines of an article is the name of the first, which has none."""
    first, *others = (item.line.text for item in items)
    named = classify_all(first)
    is_bare = bool(named) and not named[0].heading
    return is_bare and len(others) == 1 and heading_length(others[0]) == len(others[0])
