"""Finds the laws in files and folders: which files belong together, and which of several of one law is the newest."""

from __future__ import annotations

import hashlib
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from corpus.importers import akn, boe, legalize
from corpus.importers.markup import MAX_BYTES, ImportRefused, name_of
from corpus.records import LawRecord

PART_NAMES = ("metadatos", "analisis", "texto")
MARKDOWN = ".md"
XML = (".xml", ".akn")
HEAD = 4_000
_SUCCESS = re.compile(rb"<code>\s*200\s*</code>")
_ZIP = b"PK\x03\x04"
_TEXT_ALONE = "text without metadata"
_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Source:
    """The files of one law, with what can be told of them before they are parsed; its id where it has no BOE id."""

    paths: tuple[Path, ...]
    boe_id: str
    updated_at: datetime | None
    sha256: str
    size: int = 0

    @property
    def path(self) -> Path:
        """The file that names the source."""
        return self.paths[0]

    @property
    def name(self) -> str:
        """The name of that file, as it can be kept and shown."""
        return name_of(self.path)

    def read(self) -> LawRecord:
        """Read the law; raise `ImportRefused` if it is not whole and sound."""
        if _is_markdown(self.path):
            return legalize.read(self.path, _bytes(self.path))
        if akn.is_akn(_head(self.path)):
            return akn.read(self.path, _bytes(self.path))
        return boe.read([(path, _bytes(path)) for path in self.paths])


@dataclass(frozen=True)
class Found:
    """What some paths hold: laws to read, older states of them, fragments left aside, and files that are refused."""

    sources: tuple[Source, ...] = ()
    older: tuple[Source, ...] = ()
    fragments: tuple[tuple[Path, str], ...] = ()
    refused: tuple[ImportRefused, ...] = ()

    @property
    def missed(self) -> tuple[tuple[Path, str], ...]:
        """The fragments that may have been meant as laws: no law lies beside them, or they hold a text of their own."""
        laws = (*self.sources, *self.older)
        folders = {source.path.parent for source in laws}
        return tuple(
            (file, reason)
            for file, reason in self.fragments
            if not laws
            or (not _is_markdown(file) and file.parent not in folders)
            or (reason == _TEXT_ALONE and not _part_name(file))
        )


def find(paths: Sequence[Path]) -> Found:
    """Find every law in files and folders, one source per BOE id: the one updated last.

    A folder's fragments without their other half are left aside; a file named by itself must be whole. A file that
    cannot be read is refused, and those beside it are found.
    """
    finding = _Finding()
    for path in paths:
        finding.look_at(path)
    newest, older = _newest(finding.sources)
    return Found(tuple(newest), tuple(older), tuple(finding.fragments), tuple(finding.refused))


@dataclass
class _Finding:
    """What was found so far."""

    sources: list[Source] = field(default_factory=list)
    fragments: list[tuple[Path, str]] = field(default_factory=list)
    refused: list[ImportRefused] = field(default_factory=list)

    def look_at(self, path: Path) -> None:
        """Find the law of a file, or those of a folder and the folders in it."""
        if not path.is_dir():
            self._take_unless(_archive, path)
            return
        folders: dict[Path, list[Path]] = {}
        markdown = []
        for file in sorted(path.rglob("*")):
            ending = file.suffix.lower()
            if ending not in {*XML, MARKDOWN} or file.is_dir():
                continue
            if ending == MARKDOWN:
                markdown.append(file)
            else:
                folders.setdefault(file.parent, []).append(file)
        if not folders and not markdown:
            self.refused.append(ImportRefused(path, "the folder holds no XML or Markdown file"))
        for files in folders.values():
            self._look_at_folder(files)
        for file in markdown:
            self._take_unless(_without_front_matter, file)

    def _look_at_folder(self, files: Sequence[Path]) -> None:
        """Find the laws of the XML files of one folder, one of which may be in parts."""
        parts = {_part_name(file): file for file in files if _part_name(file)}
        is_law = {"metadatos", "texto"} <= parts.keys()
        together = [parts[name] for name in PART_NAMES if is_law and name in parts]
        before = len(self.sources)
        for file in files:
            if file not in together:
                self._take_unless(_fragment, file)
        if not together:
            return
        whole = {source.boe_id for source in self.sources[before:]}
        self._take(*together)
        if len(self.sources) > before and self.sources[-1].boe_id in whole - {""}:
            self.fragments += [(file, "a part of a law that lies beside it whole") for file in self.sources.pop().paths]

    def _take_unless(self, fault: Callable[[Path], str], file: Path) -> None:
        """Take a file as a law, or leave it aside for what `fault` says of it."""
        try:
            reason = fault(file)
        except ImportRefused as error:
            self.refused.append(error)
            return
        if reason:
            self.fragments.append((file, reason))
        else:
            self._take(file)

    def _take(self, *paths: Path) -> None:
        try:
            self.sources.append(_source(paths))
        except ImportRefused as error:
            self.refused.append(error)


def _is_markdown(path: Path) -> bool:
    return path.suffix.lower() == MARKDOWN


def _part_name(file: Path) -> str:
    """Give which part of a law a file is by its name; empty if it is none."""
    return file.stem if file.stem in PART_NAMES else ""


def _fragment(file: Path) -> str:
    """Say why a file of a folder cannot be a law by itself; empty if it may be one, or tells of a failure."""
    head = _head(file)
    if b"<response" not in head or b"<!DOCTYPE" in head:
        return ""
    data = _bytes(file)
    has_text, has_metadata = b"<texto>" in data, b"<metadatos>" in data
    if has_text and has_metadata:
        return ""
    if not data.rstrip().endswith(b"</response>") or not _SUCCESS.search(head):
        return ""
    return _TEXT_ALONE if has_text else "no text of a law"


def _archive(file: Path) -> str:
    """Refuse what has laws inside but is none; nothing to leave aside."""
    if _head(file).startswith(_ZIP):
        raise ImportRefused(file, "a ZIP archive: unpack it first, or upload it in the admin")
    return ""


def _without_front_matter(file: Path) -> str:
    """Say that a Markdown file of a folder is no law but a page beside some; empty if it may be one, or is empty."""
    head = _head(file).removeprefix(b"\xef\xbb\xbf")
    return "no law: it begins without front matter" if head.strip() and not head.startswith(b"---") else ""


def _head(file: Path) -> bytes:
    return _bytes(file, HEAD)


def _source(paths: tuple[Path, ...]) -> Source:
    digest = hashlib.sha256()
    boe_id, updated_at, size = "", None, 0
    for path in paths:
        data = _bytes(path)
        size += len(data)
        digest.update(data)
        kind = legalize if _is_markdown(path) else akn if akn.is_akn(data[:HEAD]) else boe
        found, when = kind.updated_at(data)
        boe_id, updated_at = boe_id or found, updated_at or when
    return Source(paths, boe_id, updated_at, digest.hexdigest(), size)


def _bytes(path: Path, count: int = -1) -> bytes:
    """Read a file, or its first `count` bytes; raise `ImportRefused` if it cannot be read or is too large."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise ImportRefused(path, "it is no regular file")
        if found.st_size > MAX_BYTES:
            raise ImportRefused(path, f"the file is larger than the {MAX_BYTES} bytes that are read")
        with path.open("rb") as opened:
            return opened.read(count)
    except FileNotFoundError as error:
        raise ImportRefused(path, "no such file or folder") from error
    except OSError as error:
        raise ImportRefused(path, f"it cannot be read: {error.strerror}") from error


def _newest(sources: Sequence[Source]) -> tuple[list[Source], list[Source]]:
    """Part the best source of each law from the others: one with the whole history, then the one updated last."""
    by_law: dict[str, list[Source]] = {}
    for source in sorted(sources, key=lambda one: (not _is_markdown(one.path), one.updated_at or _NEVER), reverse=True):
        by_law.setdefault(source.boe_id or str(source.path), []).append(source)
    newest = {id(group[0]) for group in by_law.values()}
    return [one for one in sources if id(one) in newest], [one for group in by_law.values() for one in group[1:]]


def load(path: Path) -> Iterator[LawRecord]:
    """Read every law of a file or folder; raise `ImportRefused` at the first that is not whole and sound."""
    found = find([path])
    for error in found.refused:
        raise error
    for source in found.sources:
        yield source.read()
