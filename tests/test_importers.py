"""What every importer owes, whatever it reads: one suite over all three."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from corpus.identifiers import CitationId
from corpus.importers import ImportRefused, akn, boe, legalize, load, sources
from corpus.loading import store
from corpus.models import Law
from corpus.structure import sub_units
from tests import akn_law, boe_response

if TYPE_CHECKING:
    from collections.abc import Callable

    from corpus.records import LawRecord

HARM = {
    "no file at all": b"",
    "HTML": b"<!DOCTYPE html><html><body>503 Service Unavailable</body></html>",
    "bytes of no encoding": b"\xff\xfe\x00",
    "text": "Artículo 1. Nada que ver.".encode(),
}


@dataclass(frozen=True)
class Importer:
    """One importer with a law that holds a title, a table, a quotation, a note, accents and two numbered parts.

    `marks` are the words of the table, the quoted title and the note; `cut` is where half a file ends.
    """

    name: str
    read: Callable[[Path, bytes], LawRecord]
    updated_at: Callable[[bytes], tuple[str, datetime | None]]
    data: bytes
    file: str


def _boe() -> bytes:
    table = "<table><tr><td><p>9 %</p></td><td><p>tres meses</p></td></tr></table>"
    note = boe_response.paragraph("Se modifica por la Ley 901/2020.", "nota_pie")
    return boe_response.response(
        boe_response.block(
            "Artículo 1",
            boe_response.version(
                boe_response.paragraph("Artículo 1. Ámbito.", "articulo"),
                boe_response.paragraph("1. Se pagará única la tasa:"),
                table,
                boe_response.paragraph("2. El artículo 20 dirá:"),
                f"<blockquote>{boe_response.paragraph('«Artículo 20. Nuevo.»')}</blockquote>",
                f'<blockquote class="soloTexto">{note}</blockquote>',
            ),
        ),
        boe_response.article("Artículo 2", "Otra disposición."),
    )


def _legalize() -> bytes:
    return """---
title: "Ley 900/2019, de 9 de enero, de Pruebas."
identifier: "BOE-A-2019-900"
rank: "ley"
last_updated: "2026-01-01"
status: "in_force"
official_number: "900/2019"
source: "https://www.boe.es/eli/es/l/2019/01/09/900"
---
# Ley 900/2019

##### Artículo 1. Ámbito.

1. Se pagará única la tasa:

| 9 % | tres meses |

2. El artículo 20 dirá:

###### «Artículo 20. Nuevo.»

> <small>Se modifica por la Ley 901/2020.</small>

##### Artículo 2.

Otra disposición.
""".encode()


def _akn() -> bytes:
    return akn_law.document(
        """<article eId="art_1"><num>Artículo 1.</num><heading>Ámbito</heading>
        <paragraph><num>1.</num><content><p>Se pagará única la tasa:</p>
        <table><tr><td><p>9 %</p></td><td><p>tres meses</p></td></tr></table></content></paragraph>
        <paragraph><num>2.</num><content><p>El artículo 20 dirá:<authorialNote><p>Se modifica por la Ley
        901/2020.</p></authorialNote></p><quotedStructure><article><num>«Artículo 20.</num><content><p>Nuevo.»</p>
        </content></article></quotedStructure></content></paragraph></article>
        <article eId="art_2"><num>Artículo 2.</num><content><p>Otra disposición.</p></content></article>""",
        language="es",
    )


IMPORTERS = [
    Importer("boe", lambda path, data: boe.read([(path, data)]), boe.updated_at, _boe(), "law.xml"),
    Importer("legalize", legalize.read, legalize.updated_at, _legalize(), "law.md"),
    Importer("akn", akn.read, akn.updated_at, _akn(), "law.xml"),
]


@pytest.fixture(params=IMPORTERS, ids=lambda one: one.name)
def importer(request: pytest.FixtureRequest) -> Importer:
    chosen: Importer = request.param
    return chosen


@pytest.fixture
def law(importer: Importer) -> LawRecord:
    return importer.read(Path(importer.file), importer.data)


def test_keys_are_distinct_units_of_a_citation(law: LawRecord) -> None:
    keys = [article.key for article in law.articles]
    assert [key for key in keys if key.startswith("art-")] == ["art-1", "art-2"]
    assert len(set(keys)) == len(keys)
    assert all(CitationId.parse(f"{law.id}:{key}") == CitationId(law.id, key) for key in keys)


def test_law_has_an_id_of_its_own_shape(law: LawRecord) -> None:
    assert str(CitationId.parse(law.id)) == law.id


def test_positions_count_from_one(law: LawRecord) -> None:
    assert [article.position for article in law.articles] == list(range(1, len(law.articles) + 1))


def test_versions_run_one_after_the_other(law: LawRecord) -> None:
    for article in law.articles:
        assert article.versions
        for earlier, later in pairwise(article.versions):
            assert earlier.valid_to
            assert later.valid_from
            assert earlier.valid_to < later.valid_from


def test_text_is_nfc_and_its_blocks_cover_it(law: LawRecord) -> None:
    for article in law.articles:
        for version in article.versions:
            assert unicodedata.is_normalized("NFC", version.text)
            assert "\n".join(version.text[block.start : block.end] for block in version.blocks) == version.text


def test_cells_are_parted_and_point_into_the_text(law: LawRecord) -> None:
    first = next(article for article in law.articles if article.key == "art-1").versions[-1]
    (table,) = [block for block in first.blocks if block.kind == "table"]
    assert [[first.text[cell.start : cell.end] for cell in row] for row in table.rows] == [["9 %", "tres meses"]]
    assert "9 %\ttres meses" in first.text


def test_quoted_provisions_stay_inside_the_one_that_quotes_them(law: LawRecord) -> None:
    first = next(article for article in law.articles if article.key == "art-1").versions[-1]
    assert "«Artículo 20. Nuevo.»" in first.text
    assert "art-20" not in {article.key for article in law.articles}


def test_notes_are_no_text(law: LawRecord) -> None:
    first = next(article for article in law.articles if article.key == "art-1").versions[-1]
    assert [note.text for note in first.notes] == ["Se modifica por la Ley 901/2020."]
    assert "901/2020" not in first.text


def test_numbered_parts_are_found(law: LawRecord) -> None:
    first = next(article for article in law.articles if article.key == "art-1").versions[-1]
    blocks = [vars(block) for block in first.blocks]
    assert [unit.path for unit in sub_units(first.text, blocks)] == [("1",), ("2",)]


def test_every_character_is_kept(law: LawRecord) -> None:
    assert 0.995 <= law.characters_kept / law.characters_in_source <= 1


def test_source_is_told(importer: Importer, law: LawRecord) -> None:
    assert law.source == importer.name
    assert law.source_sha256 == hashlib.sha256(importer.data).hexdigest()
    assert importer.updated_at(importer.data) == (law.boe_id or law.id, law.source_updated_at)


def test_reading_again_or_under_another_name_gives_the_same(importer: Importer, law: LawRecord) -> None:
    assert importer.read(Path(f"other-{importer.file}"), importer.data) == law


def test_a_file_is_found_and_read_by_what_it_holds(importer: Importer, law: LawRecord, tmp_path: Path) -> None:
    path = tmp_path / importer.file
    path.write_bytes(importer.data)
    assert list(load(path)) == [law]
    assert list(load(tmp_path)) == [law]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16-le", "cp1252"])
def test_encodings_are_known_by_the_bytes(importer: Importer, law: LawRecord, encoding: str) -> None:
    bom = b"\xff\xfe" if encoding == "utf-16-le" else b""
    written = importer.read(Path(importer.file), bom + importer.data.decode().encode(encoding))
    assert [one.versions for one in written.articles] == [one.versions for one in law.articles]


@pytest.mark.parametrize("harm", HARM)
def test_what_is_no_law_is_refused_by_name(importer: Importer, harm: str) -> None:
    with pytest.raises(ImportRefused) as refused:
        importer.read(Path(importer.file), HARM[harm])
    assert refused.value.file == importer.file
    assert refused.value.reason


@pytest.mark.parametrize("harm", HARM)
def test_one_bad_file_does_not_keep_the_others_out(importer: Importer, harm: str, tmp_path: Path) -> None:
    (tmp_path / importer.file).write_bytes(importer.data)
    (tmp_path / f"bad-{importer.file}").write_bytes(HARM[harm])
    found = sources.find([tmp_path])
    refused = [error.file for error in found.refused]
    read = []
    for source in found.sources:
        try:
            read.append(source.read().id)
        except ImportRefused as error:
            refused.append(error.file)
    assert read == [importer.read(Path(importer.file), importer.data).id]
    assert all("bad-" in file for file in refused)


@pytest.mark.django_db
def test_stored_twice_it_changes_nothing_the_second_time(law: LawRecord) -> None:
    now = datetime(2026, 1, 2, tzinfo=UTC)
    assert store(law, fetched_at=now).outcome == "created"
    assert store(law, fetched_at=now).outcome == "unchanged"
    held = Law.objects.get(key=law.id)
    assert (held.language, held.jurisdiction, held.articles.count()) == (
        law.language, law.jurisdiction, len(law.articles),
    )  # fmt: skip


@pytest.mark.django_db
def test_an_older_state_replaces_nothing(law: LawRecord) -> None:
    now = datetime(2026, 1, 2, tzinfo=UTC)
    store(law, fetched_at=now)
    older = replace(
        law, title="Otro título", source_updated_at=datetime(1999, 1, 1, tzinfo=UTC), source_sha256="0" * 64
    )
    assert store(older, fetched_at=now).outcome == "skipped"
    assert Law.objects.get(key=law.id).title == law.title
