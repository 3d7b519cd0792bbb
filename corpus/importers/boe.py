"""Reads laws as the BOE's open data gives them: the whole `/id/{id}` response, or its parts in one directory."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path

from lxml import etree

from corpus import ranks
from corpus.headings import Heading, classify_all, is_sentence
from corpus.importers import boe_outline
from corpus.importers.boe_blocks import Item, Redaction, SourceBlock, compose, read_block, visible
from corpus.importers.boe_outline import Outline, Provision
from corpus.importers.markup import ImportRefused, parse
from corpus.records import ArticleRecord, LawRecord, Note, SourceWarning, Status, VersionRecord
from corpus.validity import ONE_DAY, ended, in_order, marker_status, read_day, read_instant

SOURCE = "boe"
CONSULTED_AT = "https://www.boe.es/buscar/act.php?id={}"

_DATE_IN_TITLE = re.compile(r",? de \d{1,2}\.?º? de [a-z]+(?: de \d{4})?,?", re.IGNORECASE)


@dataclass
class _Parts:
    """The elements of one law, from one file or several, and the file each came from."""

    metadata: etree._Element | None = None
    text: etree._Element | None = None
    subjects: tuple[str, ...] = ()
    files: dict[str, Path] = field(default_factory=dict)
    warnings: list[SourceWarning] = field(default_factory=list)


def read(files: Sequence[tuple[Path, bytes]]) -> LawRecord:
    """Read the law that a file, or several parts of one law, hold; raise `ImportRefused` if it is not whole and sound."""
    parts = _Parts()
    for path, data in files:
        _add(parts, path, data)
    first = files[0][0]
    if parts.metadata is None:
        raise ImportRefused(first, "no <metadatos>: give the whole response, or metadatos.xml beside texto.xml")
    if parts.text is None:
        raise ImportRefused(first, "no <texto>: give the whole response, or texto.xml beside metadatos.xml")
    digest = hashlib.sha256(b"".join(data for _, data in files)).hexdigest()
    return _law(parts, digest)


def _add(parts: _Parts, path: Path, data: bytes) -> None:
    markup = parse(data, path)
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


def _refuse_failure(root: etree._Element, path: Path) -> None:
    if root.tag != "response":
        raise ImportRefused(path, f"not a BOE response: its root is <{root.tag}>", root.sourceline)
    code = (root.findtext("status/code") or "200").strip()
    if code != "200":
        raise ImportRefused(path, f"the BOE answered {code}: {_clean(root.findtext('status/text'))}", root.sourceline)


def _law(parts: _Parts, digest: str) -> LawRecord:
    metadata, file = parts.metadata, parts.files["metadatos"]
    assert metadata is not None and parts.text is not None  # noqa: S101, PT018 (told apart by the caller)
    fields = _Metadata(metadata, file)
    updated = read_instant(fields.text("fecha_actualizacion"))
    blocks = [read_block(element) for element in parts.text.iter("bloque")]
    if not any(block.redactions for block in blocks):
        raise ImportRefused(
            parts.files["texto"], "no text: <texto> holds no block with a version", parts.text.sourceline
        )
    reader = _TextReader(blocks, fields.title, updated.date() if updated else None)
    status, last_day = fields.end()
    return LawRecord(
        id=fields.id,
        title=fields.title,
        rank=fields.rank,
        jurisdiction=fields.jurisdiction or ranks.STATE,
        boe_id=fields.boe_id,
        eli=fields.text("url_eli"),
        number=fields.text("numero_oficial"),
        short_title=short_title(fields.title),
        department=fields.text("departamento"),
        enacted=fields.day("fecha_disposicion"),
        published=fields.day("fecha_publicacion"),
        valid_from=fields.day("fecha_vigencia") or fields.day("fecha_publicacion"),
        valid_to=last_day,
        status=status,
        source=SOURCE,
        source_url=fields.text("url_html_consolidada") or CONSULTED_AT.format(fields.boe_id),
        source_updated_at=updated,
        source_sha256=digest,
        subjects=parts.subjects,
        notes=tuple(reader.law_notes()),
        articles=tuple(reader.articles()),
        warnings=(*parts.warnings, *fields.warnings, *reader.warnings),
        characters_in_source=reader.characters_in_source,
        characters_kept=reader.characters_kept,
    )


def short_title(title: str) -> str:
    """Give a title without its date and final stop.

    >>> short_title("Ley 58/2003, de 17 de diciembre, General Tributaria.")
    'Ley 58/2003, General Tributaria'
    """
    return _DATE_IN_TITLE.sub(",", title, count=1).strip().rstrip(".,")


class _Metadata:
    """The metadata of a law; what is missing but not needed is empty, and told as a warning where it is odd."""

    def __init__(self, element: etree._Element, file: Path) -> None:
        self.element, self.file = element, file
        self.warnings: list[SourceWarning] = []
        self.boe_id = self.text("identificador")
        self.title = self.text("titulo")
        for name, value in (("identificador", self.boe_id), ("titulo", self.title)):
            if not value:
                raise ImportRefused(file, f"<metadatos> has no <{name}>", element.sourceline)
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

    def end(self) -> tuple[Status, date | None]:
        """Give the law's status and its last day, where a day is told: repeals begin on the day they name."""
        for flag, day, status in (
            ("estatus_anulacion", "fecha_anulacion", "annulled"),
            ("estatus_derogacion", "fecha_derogacion", "repealed"),
            ("vigencia_agotada", "fecha_derogacion", "expired"),
        ):
            if self.text(flag).upper() in {"S", "T"}:
                first_without = self.day(day)
                return status, first_without - ONE_DAY if first_without else None  # type: ignore[return-value]
        return "in_force", None

    def _warn(self, kind: str, detail: str) -> None:
        warning = SourceWarning(kind, "metadatos", detail)
        if warning not in self.warnings:
            self.warnings.append(warning)


class _TextReader:
    """Makes articles of blocks, and counts what it keeps."""

    def __init__(self, blocks: Sequence[SourceBlock], law_title: str, on: date | None) -> None:
        self.blocks, self.on = blocks, on
        self.outline: Outline = boe_outline.outline(blocks, law_title, on)
        self.warnings = [*(warning for block in blocks for warning in block.warnings), *self.outline.warnings]
        self.characters_in_source = sum(one.characters for block in blocks for one in block.redactions)
        self.characters_kept = 0

    def law_notes(self) -> Iterable[Note]:
        """Give the notes that belong to no provision, and the signature."""
        for block in (*self.outline.asides, *self.outline.titles):
            about = {"firma": "firma", "nota_inicial": ""}.get(block.type)
            for redaction in block.redactions:
                notes = list(redaction.notes)
                if about is not None:
                    text = compose((*redaction.titles, *redaction.body)).text
                    notes = [Note(text, about=about)] if text else notes
                else:
                    notes = [replace(note, about=redaction.full_title) for note in notes]
                self.characters_kept += sum(visible(note.text) for note in notes)
                yield from notes

    def articles(self) -> list[ArticleRecord]:
        """Give one article per key, in order."""
        self.characters_kept += self._title_characters()
        made: dict[str, ArticleRecord] = {}
        for provision, heading, key in boe_outline.keys(self.outline):
            versions = self._versions(provision, heading, is_first=heading is provision.headings[0])
            known = made.get(key)
            if known is not None and self._continues(known, versions, provision):
                made[key] = replace(known, versions=tuple([*known.versions, *versions]))
                continue
            made[key if known is None else _free(key, made)] = ArticleRecord(
                key=key, kind=heading.kind, label=heading.label, position=0, path=provision.path,
                source_block=provision.block.id, versions=tuple(versions),
            )  # fmt: skip
        return [
            replace(self._settled(article), key=key, position=position)
            for position, (key, article) in enumerate(made.items(), start=1)
        ]

    def _continues(self, known: ArticleRecord, versions: list[VersionRecord], provision: Provision) -> bool:
        """Whether a second block of the same name is the first one's later life, not another provision."""
        if len(provision.headings) > 1 or self._is_group(known):
            return True
        expires = self._expiry(known)
        return expires is not None and all((version.valid_from or date.max) >= expires for version in versions)

    def _is_group(self, known: ArticleRecord) -> bool:
        owner = next(one for one in self.outline.provisions if one.block.id == known.source_block)
        return len(owner.headings) > 1

    def _expiry(self, article: ArticleRecord) -> date | None:
        return next((block.expires for block in self.blocks if block.id == article.source_block), None)

    def _versions(self, provision: Provision, heading: Heading, *, is_first: bool) -> list[VersionRecord]:
        return [self._version(redaction, heading, count=is_first) for redaction in provision.block.redactions]

    def _version(self, redaction: Redaction, heading: Heading, *, count: bool) -> VersionRecord:
        title, body = _headed(redaction, heading)
        flow = compose(body)
        if count:
            notes = sum(visible(note.text) for note in redaction.notes)
            titles = sum(visible(item.line.text) for item in redaction.titles) if redaction.titles else 0
            lead = 0 if body[: len(redaction.body)] == redaction.body or not redaction.titles else 0
            own = visible(flow.text) - flow.added
            repeated = _repeated(redaction, body)
            self.characters_kept += notes + titles + own - repeated + lead
        return VersionRecord(
            text=flow.text, heading=title, blocks=tuple(flow.blocks), notes=redaction.notes,
            valid_from=redaction.valid_from, published=redaction.published, amended_by=redaction.norm,
            status=marker_status(flow.text) or "in_force",
        )  # fmt: skip

    def _settled(self, article: ArticleRecord) -> ArticleRecord:
        """Order the versions, end them, and say which had no force for a day."""
        versions, overtaken = in_order(article.versions)
        for version in overtaken:
            detail = f"{article.key}: the redaction by {version.amended_by} of {version.valid_from} never had force"
            self.warnings.append(SourceWarning("overtaken-version", article.source_block, detail))
        expires = self._expiry(article)
        if expires is not None and all(version.status == "in_force" for version in versions):
            versions = ended(versions, expires - ONE_DAY)
        return replace(article, versions=tuple(versions))

    def _title_characters(self) -> int:
        used = {text for provision in self.outline.provisions for text in provision.path}
        used |= {provision.block.id for provision in self.outline.provisions}
        total = 0
        for block in self.outline.titles:
            current = block.current(self.on)
            for redaction in block.redactions:
                if redaction.full_title == current.full_title:
                    total += sum(visible(item.line.text) for item in redaction.titles)
        return total


def _headed(redaction: Redaction, heading: Heading) -> tuple[str, tuple[Item, ...]]:
    """Part the heading of one redaction from its body, which may begin on the title line itself."""
    if not redaction.titles:
        return _headed_by_first_line(redaction, heading)
    first, *others = redaction.titles
    named = classify_all(first.line.text)
    rest = named[0].heading if named else first.line.text
    if others:
        return " ".join([rest, *(item.line.text for item in others)]).strip().rstrip("."), redaction.body
    if named and rest and (not redaction.body or is_sentence(rest)):
        return "", (replace(first, line=first.line.after(named[0].offset), kind="paragraph"), *redaction.body)
    return rest.rstrip("."), redaction.body


def _headed_by_first_line(redaction: Redaction, heading: Heading) -> tuple[str, tuple[Item, ...]]:
    """Take the label off a body whose first paragraph carries it because the source marks no title."""
    if not redaction.body or redaction.body[0].rows:
        return "", redaction.body
    first, *others = redaction.body
    named = next((one for one in classify_all(first.line.text) if one.key == heading.key), None)
    if named is None:
        return "", redaction.body
    if named.heading and others and not is_sentence(named.heading):
        return named.heading, tuple(others)
    rest = first.line.after(named.offset)
    return "", ((replace(first, line=rest), *others) if rest.text else tuple(others))


def _repeated(redaction: Redaction, body: tuple[Item, ...]) -> int:
    """Count the characters that stand both in the title lines and in the body made of them."""
    if redaction.titles and len(body) > len(redaction.body):
        return visible(body[0].line.text)
    if not redaction.titles and body != redaction.body:
        return visible(compose(body).text) - visible(compose(redaction.body).text)
    return 0


def _free(key: str, taken: dict[str, ArticleRecord]) -> str:
    """Give the next `key~n` that no other provision has."""
    number = 2
    while f"{key}~{number}" in taken:
        number += 1
    return f"{key}~{number}"


def _clean(text: str | None) -> str:
    return " ".join((text or "").split())


def updated_at(data: bytes) -> tuple[str, datetime | None]:
    """Give BOE id and day of update from the head of a file, without parsing it."""
    head = data[:20000]
    identifier = re.search(rb"<identificador>\s*([^<\s]+)\s*</identificador>", head)
    updated = re.search(rb"<fecha_actualizacion>\s*(\d{8}T\d{6}Z)\s*</fecha_actualizacion>", head)
    return (
        identifier[1].decode("ascii", "replace") if identifier else "",
        read_instant(updated[1].decode()) if updated else None,
    )
