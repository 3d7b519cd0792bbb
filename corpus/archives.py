"""Unpacks archives from untrusted hands: every member is looked at before the first is written; bombs stay packed."""

from __future__ import annotations

import errno
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from corpus.importers.markup import ImportRefused
from corpus.importers.sources import MARKDOWN, XML

TEXTS = (*XML, MARKDOWN)
ARCHIVE = ".zip"
# Put there by the systems that pack, without being asked.
_LITTER = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini")
_END_OF_DIRECTORY, _ZIP64_LOCATOR = b"PK\x05\x06", b"PK\x06\x07"
_TAIL_BYTES, _LOCATOR_BYTES = 22 + 65_535, 20
_LOCAL_HEADER_BYTES = 30
_ENTRY_BYTES = 1_024
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_ENCRYPTED, _UTF8 = 0x1 | 0x40, 0x800
NAME_BYTES = 255
_DEPTH = 20
# Below this size nothing is a bomb, however well it packs.
_HARMLESS_BYTES = 1_000_000


@dataclass(frozen=True)
class Limits:
    """How much an archive may hold: members, their bytes together, and how many bytes one byte may become."""

    files: int = 20_000
    size: int = 2_000_000_000
    ratio: int = 100


def unpack(archive: Path, folder: Path, limits: Limits) -> list[str]:
    """Write the texts of an archive into `folder`, and give the names of what is no text and stays behind.

    Raise `ImportRefused`, before anything is written, for an archive with a member that could harm, naming it, and
    `OSError` where there is no room for what is unpacked.
    """
    try:
        _refuse_vast_directory(archive, limits)
        with zipfile.ZipFile(archive) as opened:
            members = [info for info in opened.infolist() if not info.is_dir() and not _is_litter(info.filename)]
            _refuse(archive, opened.infolist(), opened.start_dir, limits)
            for info in members:
                if _suffix(info) in TEXTS:
                    _write(opened, info, folder)
            return [info.filename for info in members if _suffix(info) not in TEXTS]
    except UnicodeDecodeError as error:
        raise ImportRefused(archive.name, "it has a member whose name is not UTF-8, as it says it is") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError) as error:
        if isinstance(error, ImportRefused) or getattr(error, "errno", None) in _NO_ROOM:
            raise
        raise ImportRefused(archive.name, f"it is no sound ZIP archive: {error}") from error


def _refuse_vast_directory(archive: Path, limits: Limits) -> None:
    """Refuse what lists more members than may be read, before the list is."""
    with archive.open("rb") as file:
        file.seek(max(0, archive.stat().st_size - _TAIL_BYTES))
        tail = file.read()
    at = tail.rfind(_END_OF_DIRECTORY)
    size = int.from_bytes(tail[at + 12 : at + 16], "little") if at >= 0 else 0
    is_zip64 = tail[max(0, at - _LOCATOR_BYTES) : max(0, at)].startswith(_ZIP64_LOCATOR)
    if is_zip64 or size > limits.files * _ENTRY_BYTES:
        raise ImportRefused(archive.name, f"it lists more than the {limits.files} files that are read")


def _refuse(archive: Path, infos: Sequence[zipfile.ZipInfo], end: int, limits: Limits) -> None:
    if len(infos) > limits.files:
        raise ImportRefused(archive.name, f"it has {len(infos)} files, more than the {limits.files} that are read")
    for info, reason in _faults(infos, end, limits):
        raise ImportRefused(f"{archive.name}/{info.orig_filename}", reason)
    total = sum(info.file_size for info in infos)
    if total > limits.size:
        raise ImportRefused(archive.name, f"unpacked it has {total} bytes, more than the {limits.size} that are read")


def _faults(infos: Sequence[zipfile.ZipInfo], end: int, limits: Limits) -> Iterator[tuple[zipfile.ZipInfo, str]]:
    """Find the members that are refused, and why; `end` is where the list of members begins."""
    seen: set[str] = set()
    for info in infos:
        if reason := _name_fault(info) or _content_fault(info, limits):
            yield info, reason
        if info.filename.casefold() in seen:
            yield info, "the archive has it twice"
        seen.add(info.filename.casefold())
    ordered = sorted(infos, key=lambda info: info.header_offset)
    limits_of_each = [*(info.header_offset for info in ordered[1:]), end]
    for info, limit in zip(ordered, limits_of_each, strict=False):
        if info.header_offset + _LOCAL_HEADER_BYTES + info.compress_size > limit:
            yield info, "it overlaps what follows it (zip bomb)"


def _name_fault(info: zipfile.ZipInfo) -> str:
    """Say why a member's name is refused; empty if it is not.

    >>> _name_fault(zipfile.ZipInfo("leyes/a.xml")), _name_fault(zipfile.ZipInfo("leyes/../../a.xml"))
    ('', 'its path leads out of the archive (path traversal)')
    """
    name = info.orig_filename
    parts = name.rstrip("/").split("/")
    faults = {
        "its name is not UTF-8": not info.flag_bits & _UTF8 and not name.isascii(),
        "its name has control characters": any(not char.isprintable() for char in name),
        "its path is absolute": name.startswith(("/", "\\")) or name[1:2] == ":",
        "its path leads out of the archive (path traversal)": ".." in name.replace("\\", "/").split("/"),
        "its path has a backslash": "\\" in name,
        "its path has an empty or dotted part": any(part in {"", "."} for part in parts),
        "its path is too long": len(parts) > _DEPTH or any(len(part.encode()) > NAME_BYTES for part in parts),
    }
    return next((reason for reason, holds in faults.items() if holds), "")


def _content_fault(info: zipfile.ZipInfo, limits: Limits) -> str:
    kind = stat.S_IFMT(info.external_attr >> 16)
    ratio = info.file_size / max(info.compress_size, 1)
    faults = {
        "it is a symbolic link": kind == stat.S_IFLNK,
        "it is no regular file": kind not in {0, stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK},
        "it is encrypted": bool(info.flag_bits & _ENCRYPTED),
        "it is an archive inside the archive": _suffix(info) == ARCHIVE,
        "it is packed by a method that is not read": info.compress_type
        not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED},
        f"it unpacks to {ratio:.0f} times its size, more than the {limits.ratio} times that are read (zip bomb)": (
            info.file_size > _HARMLESS_BYTES and ratio > limits.ratio
        ),
    }
    return next((reason for reason, holds in faults.items() if holds), "")


def _write(opened: zipfile.ZipFile, info: zipfile.ZipInfo, folder: Path) -> None:
    path = PurePosixPath(info.filename)
    target = folder / path.with_suffix(path.suffix.lower())
    target.parent.mkdir(parents=True, exist_ok=True)
    with opened.open(info) as packed, target.open("xb") as file:
        shutil.copyfileobj(packed, file)


def _suffix(info: zipfile.ZipInfo) -> str:
    return PurePosixPath(info.filename).suffix.lower()


def _is_litter(name: str) -> bool:
    return name.startswith(_LITTER[0]) or name.rsplit("/", 1)[-1] in _LITTER or name.rsplit("/", 1)[-1].startswith("._")
