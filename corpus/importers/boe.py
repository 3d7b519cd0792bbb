"""Reads laws as the BOE's open data gives them: the whole `/id/{id}` response, or its parts in one directory."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path

from lxml import etree

from corpus import ranks
from corpus.importers.boe_articles import Ledger, law_notes, make_articles
from corpus.importers.boe_blocks import SourceBlock, read_block
from corpus.importers.boe_outline import outline
from corpus.importers.markup import ImportRefused, line_number, normalised, parse, plain_tags
from corpus.records import LawRecord, SourceWarning, Status
from corpus.validity import ONE_DAY, read_day, read_instant

SOURCE = "boe"
CONSULTED_AT = "https://www.boe.es/buscar/act.php?id={}"

_ENDS: tuple[tuple[str, str, Status], ...] = (
    ("estatus_anulacion", "fecha_anulacion", "annulled"),
    ("estatus_derogacion", "fecha_derogacion", "repealed"),
    ("vigencia_agotada", "fecha_derogacion", "expired"),
)
_DATE_IN_TITLE = re.compile(r",? de \d{1,2}\.?º? de [a-z]+(?: de \d{4})?,?", re.IGNORECASE)


@dataclass
class _Parts:
    """The elements of one law, from one file or several, and the file each came from."""

    metadata: etree._Element | None = None
    text: etree._Element | None = None
    subjects: tuple[str, ...] = ()
    files: dict[str, Path | str] = field(default_factory=dict)
    warnings: list[SourceWarning] = field(default_factory=list)


def read(files: Sequence[tuple[Path | str, bytes]]) -> LawRecord:
    """Read the law that a file or an address holds, or several its parts.

    Raise `ImportRefused` if it is not whole and sound.
    """
    parts = _Parts()
    for path, data in files:
        _add(parts, path, data)
    metadata, text, first = parts.metadata, parts.text, files[0][0]
    if metadata is None:
        raise ImportRefused(first, "no <metadatos>: give the whole response, or metadatos.xml beside texto.xml")
    if text is None:
        raise ImportRefused(first, "no <texto>: give the whole response, or texto.xml beside metadatos.xml")
    if text.find("bloque/version") is None:
        raise ImportRefused(parts.files["texto"], "<texto> holds no block with a version", line_number(text))
    digest = hashlib.sha256(b"".join(data for _, data in files)).hexdigest()
    return _law(_Metadata(metadata, parts.files["metadatos"]), parts, text, digest)


def _add(parts: _Parts, path: Path | str, data: bytes) -> None:
    markup = parse(data, path)
    plain_tags(markup.root)
    _refuse_failure(markup.root, path)
    for element in markup.root.iter("metadatos", "texto", "analisis"):
        parent = element.getparent()
        if parent is not None and parent.tag not in ("data", "response"):
            continue
        if element.tag == "metadatos":
            parts.metadata, parts.files["metadatos"] = element, path
        elif element.tag == "texto":
            parts.text, parts.files["texto"] = element, path
        else:
            parts.subjects = tuple(filter(None, (_clean(subject.text) for subject in element.iter("materia"))))
    parts.warnings += markup.warnings


def _refuse_failure(root: etree._Element, path: Path | str) -> None:
    if root.tag != "response":
        raise ImportRefused(path, f"not a BOE response: its root is <{root.tag}>", line_number(root))
    code = (root.findtext("status/code") or "200").strip()
    if code != "200":
        raise ImportRefused(path, f"the BOE answered {code}: {_clean(root.findtext('status/text'))}", line_number(root))


def _law(metadata: _Metadata, parts: _Parts, text: etree._Element, digest: str) -> LawRecord:
    updated = metadata.instant("fecha_actualizacion")
    on = updated.date() if updated else None
    valid_from = metadata.day("fecha_vigencia") or metadata.day("fecha_publicacion")
    blocks = [_dated(read_block(element), metadata.boe_id, valid_from) for element in text.iter("bloque")]
    outlined, ledger = outline(blocks, metadata.title, on), Ledger()
    articles, notes = make_articles(outlined, ledger, metadata.boe_id), law_notes(outlined, ledger, on)
    status, last_day = metadata.end(valid_from)
    record = LawRecord(
        id=metadata.id,
        title=metadata.title,
        rank=metadata.rank,
        jurisdiction=metadata.jurisdiction or ranks.STATE,
        boe_id=metadata.boe_id,
        eli=metadata.text("url_eli"),
        number=metadata.text("numero_oficial"),
        short_title=short_title(metadata.title),
        department=metadata.text("departamento"),
        enacted=metadata.day("fecha_disposicion"),
        published=metadata.day("fecha_publicacion"),
        valid_from=valid_from,
        valid_to=last_day,
        status=status,
        source=SOURCE,
        source_url=metadata.text("url_html_consolidada") or CONSULTED_AT.format(metadata.boe_id),
        source_updated_at=updated,
        source_sha256=digest,
        subjects=parts.subjects,
        notes=tuple(notes),
        articles=tuple(articles),
    )
    from_blocks = (warning for block in blocks for warning in block.warnings)
    warnings = (*parts.warnings, *metadata.warnings, *from_blocks, *outlined.warnings, *ledger.warnings)
    return replace(record, warnings=warnings, characters_in_source=ledger.source, characters_kept=ledger.kept)


def _dated(block: SourceBlock, law: str, valid_from: date | None) -> SourceBlock:
    """Let a redaction of the law itself, of which no day is told, begin with the law."""
    undated = [one for one in block.redactions if one.valid_from is None and one.norm == law]
    if not undated or valid_from is None:
        return block
    redactions = (replace(one, valid_from=valid_from) if one in undated else one for one in block.redactions)
    warning = SourceWarning("validity-from-law", block.id, f"validity taken from that of the law, {valid_from}")
    return replace(block, redactions=tuple(redactions), warnings=(*block.warnings, warning))


def short_title(title: str) -> str:
    """Give a title without its date and final stop.

    >>> short_title("Ley 58/2003, de 17 de diciembre, General Tributaria.")
    'Ley 58/2003, General Tributaria'
    """
    return _DATE_IN_TITLE.sub(",", title, count=1).strip().rstrip(".,")


class _Metadata:
    """The metadata of a law; what is missing but not needed is empty, and told as a warning where it is odd."""

    def __init__(self, element: etree._Element, file: Path | str) -> None:
        self.element, self.file = element, file
        self.warnings: list[SourceWarning] = []
        self.boe_id = self.text("identificador")
        self.title = self.text("titulo")
        for name, value in (("identificador", self.boe_id), ("titulo", self.title)):
            if not value:
                raise ImportRefused(file, f"<metadatos> has no <{name}>", line_number(element))
        if not ranks.BOE_ID.fullmatch(self.boe_id):
            reason = f"{self.boe_id[:40]!r} is no id such as BOE-A-2003-23186"
            raise ImportRefused(file, reason, line_number(element))
        code = self.code("rango")
        self.rank = ranks.rank_of_code(code)
        if self.rank == ranks.UNKNOWN:
            self._warn("unknown-rank", f"rank code {code!r} ({self.text('rango')})")
        self.jurisdiction = ranks.jurisdiction(
            eli=self.text("url_eli"),
            is_regional=self.code("ambito") == "2",
            department_code=self.code("departamento"),
            boe_id=self.boe_id,
        )
        if not self.jurisdiction:
            self._warn("unknown-jurisdiction", f"department {self.text('departamento')!r}")
        self.id = ranks.law_id(
            rank=self.rank, number=self.text("numero_oficial"), jurisdiction=self.jurisdiction, boe_id=self.boe_id,
            eli=self.text("url_eli"),
        )  # fmt: skip

    def text(self, name: str) -> str:
        """Give the text of a field, empty if there is none."""
        return _clean(self.element.findtext(name))

    def code(self, name: str) -> str:
        """Give the code of a field of a controlled vocabulary."""
        found = self.element.find(name)
        return found.get("codigo", "") if found is not None else ""

    def day(self, name: str) -> date | None:
        """Give a day, with a warning if what stands there is none."""
        text = self.text(name)
        day = read_day(text)
        if text and day is None:
            self._warn("impossible-date", f"{name} is {text!r}")
        return day

    def instant(self, name: str) -> datetime | None:
        """Give an instant, with a warning if what stands there is none."""
        text = self.text(name)
        instant = read_instant(text)
        if text and instant is None:
            self._warn("impossible-date", f"{name} is {text!r}")
        return instant

    def end(self, valid_from: date | None) -> tuple[Status, date | None]:
        """Give the law's status and its last day, where one is told: a repeal has force from the day it names."""
        for flag, name, status in _ENDS:
            if self.text(flag).upper() not in {"S", "T"}:
                continue
            first_without = self.day(name)
            if first_without and valid_from and first_without <= valid_from:
                self._warn("impossible-date", f"{name} {first_without} is not after the first day {valid_from}")
                first_without = None
            return status, first_without - ONE_DAY if first_without else None
        return "in_force", None

    def _warn(self, kind: str, detail: str) -> None:
        warning = SourceWarning(kind, "metadatos", detail)
        if warning not in self.warnings:
            self.warnings.append(warning)


def _clean(text: str | None) -> str:
    return normalised(" ".join((text or "").split()))


def updated_at(data: bytes) -> tuple[str, datetime | None]:
    """Give BOE id and day of update from the head of a file, without parsing it."""
    head = data[:20000]
    identifier = re.search(rb"<identificador>\s*([^<\s]+)\s*</identificador>", head)
    updated = re.search(rb"<fecha_actualizacion>\s*(\d{8}T\d{6}Z)\s*</fecha_actualizacion>", head)
    return (
        identifier[1].decode("ascii", "replace") if identifier else "",
        read_instant(updated[1].decode()) if updated else None,
    )
