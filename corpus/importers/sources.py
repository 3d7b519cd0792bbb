"""Finds the laws in files and folders: which files belong together, and which of several of one law is the newest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from corpus.importers import akn, boe, legalize
from corpus.importers.markup import MAX_BYTES, ImportRefused
from corpus.records import LawRecord

PART_NAMES = ("metadatos", "analisis", "texto")
MARKDOWN = ".md"
XML = (".xml", ".akn")
HEAD = 4_000
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

    def read(self) -> LawRecord:
        """Read the law; raise `ImportRefused` if it is not whole and sound."""
        if self.path.suffix == MARKDOWN:
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


def find(paths: Sequence[Path]) -> Found:
    """Find every law in files and folders, one source per BOE id: the one updated last.

    A folder's fragments without their other half are left aside; a file named by itself must be whole.
    """
    sources: list[Source] = []
    fragments: list[tuple[Path, str]] = []
    refused: list[ImportRefused] = []
    for path in paths:
        try:
            _find_in(path, sources, fragments)
        except ImportRefused as error:
            refused.append(error)
    newest, older = _newest(sources)
    return Found(tuple(newest), tuple(older), tuple(fragments), tuple(refused))


def _find_in(path: Path, sources: list[Source], fragments: list[tuple[Path, str]]) -> None:
    if path.is_file():
        sources.append(_source((path,)))
        return
    if not path.is_dir():
        raise ImportRefused(path, "no such file or folder")
    markdown = sorted(path.rglob(f"*{MARKDOWN}"))
    folders = sorted({file.parent for ending in XML for file in path.rglob(f"*{ending}")})
    if not folders and not markdown:
        raise ImportRefused(path, "the folder holds no XML or Markdown file")
    for folder in folders:
        _find_in_folder(folder, sources, fragments)
    for file in markdown:
        if _head(file).startswith(b"---"):
            sources.append(_source((file,)))
        else:
            fragments.append((file, "no law: it begins without front matter"))


def _find_in_folder(folder: Path, sources: list[Source], fragments: list[tuple[Path, str]]) -> None:
    files = sorted(file for ending in XML for file in folder.glob(f"*{ending}"))
    parts = {_part_name(file): file for file in files if _part_name(file)}
    together = [parts[name] for name in PART_NAMES if name in parts]
    is_whole = {"metadatos", "texto"} <= parts.keys()
    whole: list[Source] = []
    for file in files:
        if file in together and is_whole:
            continue
        reason = _fragment(file)
        if reason:
            fragments.append((file, reason))
        else:
            whole.append(_source((file,)))
    if is_whole:
        joined = _source(tuple(together))
        if all(joined.boe_id != other.boe_id or not joined.boe_id for other in whole):
            whole.append(joined)
        else:
            fragments.extend((file, "a part of a law that lies beside it whole") for file in together)
    sources.extend(whole)


def _part_name(file: Path) -> str:
    """Give which part of a law a file is by its name, alone or after a BOE id."""
    return next((name for name in PART_NAMES if file.stem == name), "")


def _fragment(file: Path) -> str:
    """Say why a file of a folder cannot be a law by itself; empty if it may be one, or is no sound XML at all."""
    head = _head(file)
    if b"<response" not in head or b"<!DOCTYPE" in head:
        return ""
    data = _bytes(file)
    has_text, has_metadata = b"<texto>" in data, b"<metadatos>" in data
    if has_text and has_metadata:
        return ""
    if not data.rstrip().endswith(b"</response>"):
        return ""
    return "text without metadata" if has_text else "no text of a law"


def _head(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(HEAD)


def _source(paths: tuple[Path, ...]) -> Source:
    digest = hashlib.sha256()
    boe_id, updated_at, size = "", None, 0
    for path in paths:
        data = _bytes(path)
        size += len(data)
        digest.update(data)
        kind = legalize if path.suffix == MARKDOWN else akn if akn.is_akn(data[:HEAD]) else boe
        found, when = kind.updated_at(data)
        boe_id, updated_at = boe_id or found, updated_at or when
    return Source(paths, boe_id, updated_at, digest.hexdigest(), size)


def _bytes(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ImportRefused(path, f"the file is larger than the {MAX_BYTES} bytes that are read")
        return path.read_bytes()
    except OSError as error:
        raise ImportRefused(path, f"it cannot be read: {error.strerror}") from error


def _newest(sources: Sequence[Source]) -> tuple[list[Source], list[Source]]:
    """Part the best source of each law from the others: one with the whole history, then the one updated last."""
    by_law: dict[str, list[Source]] = {}
    for source in sorted(
        sources, key=lambda one: (one.path.suffix != MARKDOWN, one.updated_at or _NEVER), reverse=True
    ):
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
