"""Uploads: each limit refused by name, nothing lost, nothing harmful written."""

from __future__ import annotations

import io
import resource
import stat
import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from corpus import archives, uploads
from corpus.archives import Limits
from corpus.importers import load, sources
from corpus.importers.markup import ImportRefused

LAW = b"<response><data><metadatos/><texto/></data></response>"


@pytest.fixture(autouse=True)
def _own_uploads(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "uploads"


def upload(**files: bytes) -> list[SimpleUploadedFile]:
    return [SimpleUploadedFile(name, data) for name, data in files.items()]


def zipped(
    members: dict[str, bytes] | list[tuple[zipfile.ZipInfo, bytes]], method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, data in members.items() if isinstance(members, dict) else members:
            archive.writestr(name, data, method)
    return made.getvalue()


def member(name: str, mode: int = 0, **attributes: Any) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    for attribute, value in attributes.items():
        setattr(info, attribute, value)
    return info


def renamed(data: bytes, old: bytes, new: bytes) -> bytes:
    assert len(old) == len(new)
    return data.replace(old, new)


def overlapping() -> bytes:
    """Two members in the list that share the same packed bytes."""
    data = bytearray(zipped({"a.xml": LAW, "b.xml": LAW}, zipfile.ZIP_STORED))
    second = data.rfind(b"PK\x01\x02")
    data[second + 42 : second + 46] = struct.pack("<L", 0)
    return bytes(data)


def encrypted() -> bytes:
    data = bytearray(zipped({"a.xml": LAW}))
    for signature, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(signature) + place] |= 1
    return bytes(data)


def zip64() -> bytes:
    data = zipped({"a.xml": LAW})
    return data[:-22] + b"PK\x06\x07" + bytes(16) + data[-22:]


REFUSED = {
    "traversal": (zipped({"../a.xml": LAW}), "x.zip/../a.xml: its path leads out of the archive (path traversal)"),
    "traversal inside": (zipped({"b/../../a.xml": LAW}), "its path leads out of the archive (path traversal)"),
    "traversal in a folder": (zipped({"../": b"", "a.xml": LAW}), "x.zip/../: its path leads out of the archive"),
    "traversal by backslash": (renamed(zipped({"..!a.xml": LAW}), b"..!a", b"..\\a"), "(path traversal)"),
    "absolute": (zipped({"/etc/a.xml": LAW}), "x.zip//etc/a.xml: its path is absolute"),
    "drive": (zipped({"C:/a.xml": LAW}), "x.zip/C:/a.xml: its path is absolute"),
    "nul": (renamed(zipped({"a.xml!.exe": LAW}), b"xml!", b"xml\0"), "its name has control characters"),
    "symlink": (
        zipped([(member("a.xml", stat.S_IFLNK | 0o777), b"/etc/passwd")]),
        "x.zip/a.xml: it is a symbolic link",
    ),
    "device": (zipped([(member("a.xml", stat.S_IFCHR), b"")]), "x.zip/a.xml: it is no regular file"),
    "encrypted": (encrypted(), "x.zip/a.xml: it is encrypted"),
    "not UTF-8": (renamed(zipped({"a!o.xml": LAW}), b"a!o", b"a\xa4o"), "its name is not UTF-8"),
    "nested": (zipped({"a.xml": LAW, "in/b.zip": zipped({"c.xml": LAW})}), "x.zip/in/b.zip: it is an archive inside"),
    "twice": (
        renamed(zipped({"a.xml": LAW, "b.xml": LAW}), b"b.xml", b"a.xml"),
        "x.zip/a.xml: the archive has it twice",
    ),
    "overlapping": (overlapping(), "it overlaps what follows it (zip bomb)"),
    "bomb": (zipped({"a.xml": b" " * 5_000_000}), "times its size, more than the 100 times that are read (zip bomb)"),
    "another method": (zipped({"a.xml": LAW}, zipfile.ZIP_BZIP2), "it is packed by a method that is not read"),
    "too large": (zipped({f"{n}.xml": LAW * 2000 for n in range(4)}), "unpacked it has 432000 bytes, more than"),
    "too many": (
        zipped({f"{n}.xml": LAW for n in range(11)}),
        "x.zip: it has 11 files, more than the 10 that are read",
    ),
    "vast list": (zipped({f"{n}{'a' * 200}.xml": b"" for n in range(60)}), "it lists more than the 10 files"),
    "zip64": (zip64(), "x.zip: it lists more than the 10 files that are read"),
    "long name": (zipped({f"{'a' * 256}.xml": LAW}), "its path is too long"),
    "cut off": (zipped({"a.xml": LAW})[:-30], "x.zip: it is no sound ZIP archive"),
    "no archive": (b"hello", "x.zip: it is no sound ZIP archive"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_archive_that_could_harm_is_refused_by_name_and_nothing_written(case: str, tmp_path: Path):
    data, reason = REFUSED[case]
    (tmp_path / "x.zip").write_bytes(data)
    (tmp_path / "into").mkdir()
    with pytest.raises(ImportRefused) as refusal:
        archives.unpack(tmp_path / "x.zip", tmp_path / "into", Limits(files=10, size=400_000))
    assert reason in str(refusal.value)
    assert not [*(tmp_path / "into").rglob("*")]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["into", "x.zip"]


def test_a_member_that_lies_of_its_size_is_refused(tmp_path: Path):
    data = bytearray(zipped({"a.xml": LAW}))
    at = data.find(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<L", 10)
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(ImportRefused, match=r"x\.zip: it is no sound ZIP archive: Bad CRC"):
        archives.unpack(tmp_path / "x.zip", tmp_path / "into", Limits())


def test_texts_are_unpacked_where_they_were_and_the_rest_left(tmp_path: Path):
    members = {
        "uno/texto.XML": LAW,
        "año/b.md": b"---\n",
        "c.AKN": LAW,
        "leeme.txt": b"x",
        "__MACOSX/._b.md": b"x",
        ".DS_Store": b"x",
    }
    (tmp_path / "x.zip").write_bytes(zipped(members))
    assert archives.unpack(tmp_path / "x.zip", tmp_path / "into", Limits()) == ["leeme.txt"]
    unpacked = [str(path.relative_to(tmp_path / "into")) for path in (tmp_path / "into").rglob("*.*")]
    assert sorted(unpacked) == ["año/b.md", "c.akn", "uno/texto.xml"]


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "No se ha elegido ningún fichero."),
        ({"a.pdf": b"x"}, "«a.pdf»: no es un fichero .xml, .akn, .md ni .zip."),
        ({"a.xml": b""}, "«a.xml»: está vacío."),
        ({"a.xml": LAW, "A.XML": LAW}, "«A.XML»: hay dos con ese nombre."),
        ({"a\x01.xml": LAW}, "«a\x01.xml»: su nombre no se puede guardar."),
        ({f"{'ñ' * 150}.xml": LAW}, "su nombre no se puede guardar."),
        ({"a.xml": LAW, "b.xml": LAW, "c.xml": LAW, "d.xml": LAW}, "Son 4 ficheros; se admiten 3."),
        ({"a.xml": b"x" * 1001}, "se admiten 1000\xa0bytes en total."),
    ],
)
def test_an_upload_beyond_a_limit_is_refused_by_name_and_not_kept(
    files: dict[str, bytes], reason: str, settings: Any, tmp_path: Path
):
    settings.UPLOAD_MAX_FILES, settings.UPLOAD_MAX_BYTES = 3, 1000
    with pytest.raises(uploads.UploadRefused) as refusal:
        uploads.keep(upload(**files))
    assert reason in str(refusal.value)
    assert not (tmp_path / "uploads").exists()


def test_an_empty_file_among_others_is_kept_for_the_job_to_refuse_by_name(tmp_path: Path):
    kept = uploads.keep(upload(**{"a.xml": LAW, "b.xml": b""}))
    assert sorted(path.name for path in uploads.prepare(kept).folder.iterdir()) == ["a.xml", "b.xml"]


@pytest.mark.parametrize("ending", [*sources.XML, sources.MARKDOWN])
def test_whatever_is_imported_from_a_folder_may_be_uploaded(ending: str):
    kept = uploads.keep(upload(**{f"a{ending}": LAW, f"b{ending.upper()}": LAW}))
    assert sorted(path.name for path in uploads.prepare(kept).folder.iterdir()) == [f"a{ending}", f"b{ending}"]


def test_a_name_with_folders_keeps_only_its_last_part(tmp_path: Path):
    kept = uploads.keep(upload(**{"../../etc/a.xml": LAW}))
    assert [path.name for path in uploads.prepare(kept).folder.iterdir()] == ["a.xml"]


def test_a_refused_archive_takes_nothing_from_the_others():
    kept = uploads.keep(upload(**{"a.xml": LAW, "x.zip": b"no", "y.zip": zipped({"b.xml": LAW, "c.pdf": b"x"})}))
    prepared = uploads.prepare(kept)
    assert [error.file for error in prepared.refused] == ["x.zip"]
    assert prepared.left_aside == ("y.zip/c.pdf",)
    assert sorted(path.name for path in prepared.folder.rglob("*.xml")) == ["a.xml", "b.xml"]


def test_unpacking_again_gives_the_same(tmp_path: Path):
    kept = uploads.keep(upload(**{"y.zip": zipped({"b.xml": LAW})}))
    first, second = uploads.prepare(kept), uploads.prepare(kept)
    assert first == second
    assert [path.name for path in second.folder.rglob("*.xml")] == ["b.xml"]


def deep(levels: int) -> bytes:
    return b"<response>" + b"<p>" * levels + b"</p>" * levels + b"</response>"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>', "external entity (XXE)"),
        (b'<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><r>&b;</r>', "entity bomb"),
        (b'<!DOCTYPE r [<!ENTITY % p SYSTEM "http://127.0.0.1/x"> %p;]><r/>', "external entity (XXE)"),
        (b'<!DOCTYPE r SYSTEM "http://127.0.0.1/x.dtd"><r/>', "document type declaration"),
        (deep(10_000), "Excessive depth in document: 256"),
        (b'<r xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="/etc/passwd"/></r>', ""),
    ],
)
def test_xml_that_could_harm_is_refused_by_name(data: bytes, reason: str, tmp_path: Path):
    (tmp_path / "a.xml").write_bytes(data)
    with pytest.raises(ImportRefused) as refusal:
        list(load(tmp_path / "a.xml"))
    assert str(refusal.value).startswith(str(tmp_path / "a.xml"))
    assert reason in str(refusal.value)
    assert "root:" not in str(refusal.value)


def test_uploads_that_nobody_came_back_to_go(tmp_path: Path):
    import os

    old, new = uploads.keep(upload(**{"a.xml": LAW})), uploads.keep(upload(**{"a.xml": LAW}))
    os.utime(tmp_path / "uploads" / old, (0, 0))
    uploads.forget_old()
    assert [path.name for path in (tmp_path / "uploads").iterdir()] == [new]


@pytest.mark.parametrize("members", [{}, {"a.pdf": b"%PDF"}], ids=["empty", "no text"])
def test_an_archive_without_any_text_is_refused_by_name(members: dict[str, bytes]):
    found = uploads.prepare(uploads.keep(upload(**{"x.zip": zipped(members)})))
    assert [str(error) for error in found.refused] == ["x.zip: it holds no XML or Markdown file"]


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Let no file grow beyond `size`, as a full disk would not."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_an_upload_that_there_is_no_room_for_is_refused_and_nothing_of_it_kept(settings: Any):
    with room_for(10_000), pytest.raises(uploads.UploadRefused, match="No se han podido guardar"):
        uploads.keep(upload(**{"a.xml": LAW, "b.xml": LAW * 1_000}))
    assert list(Path(settings.MEDIA_ROOT).iterdir()) == []


def test_want_of_room_is_no_fault_of_the_archive():
    kept = uploads.keep(upload(**{"x.zip": zipped({"a.xml": LAW * 1_000})}))
    with room_for(10_000), pytest.raises(OSError, match="File too large"):
        uploads.prepare(kept)
    assert uploads.prepare(kept).refused == ()
