"""The import_laws command: what it imports, prints, records and returns."""

from __future__ import annotations

import json
import os
import zipfile
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from corpus import import_runs
from corpus.columns import LONGEST
from corpus.models import Article, ArticleVersion, ImportEntry, ImportRun, Law
from tests.akn_law import document
from tests.boe_response import article, response, write

pytestmark = pytest.mark.django_db


def run(*arguments: object) -> tuple[str, str, int]:
    """Run the command; give what it wrote to stdout and stderr, and its exit code."""
    out, err, code = StringIO(), StringIO(), 0
    try:
        call_command("import_laws", *map(str, arguments), stdout=out, stderr=err)
    except SystemExit as stopped:
        code = int(stopped.code or 0)
    return out.getvalue(), err.getvalue(), code


def summary(*arguments: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json")[0])
    return found


def outcomes(*arguments: object) -> dict[str, str]:
    return {entry["law"] or Path(entry["path"]).name: entry["outcome"] for entry in summary(*arguments)["laws"]}


def test_file_is_imported_and_a_second_run_says_unchanged(tmp_path: Path) -> None:
    path = write(tmp_path, article("Artículo 1", "Uno."))
    out, err, code = run(path)
    assert out.splitlines()[1].split()[:5] == ["ley-900-2019", "created", "1", "1", "100.00%"]
    assert (out.splitlines()[-1], code) == ("1 created", 0)
    assert err.startswith("[1/1] ley-900-2019 created")
    assert run(path)[0].splitlines()[-1] == "1 unchanged"


def test_run_and_entries_are_recorded(tmp_path: Path) -> None:
    write(tmp_path, article("Artículo 1", "Uno."), fecha_vigencia="99999999", name="a.xml")
    (tmp_path / "b.xml").write_bytes(b"<response><data>")
    run(tmp_path)
    record = ImportRun.objects.get()
    assert (record.state, record.created, record.failed, record.finished_at is not None) == ("failed", 1, 1, True)
    entries = {Path(entry.path).name: entry for entry in ImportEntry.objects.all()}
    assert entries["a.xml"].law_key == "ley-900-2019"
    assert entries["a.xml"].warnings == [
        {"kind": "impossible-date", "block": "metadatos", "detail": "fecha_vigencia is '99999999'"}
    ]
    assert "line 1: not well-formed" in entries["b.xml"].detail


def test_run_whose_process_was_killed_is_closed_by_the_next(tmp_path: Path) -> None:
    killed = ImportRun.objects.create(source="killed")
    run(write(tmp_path, article("Artículo 1", "Uno.")))
    killed.refresh_from_db()
    assert (killed.state, killed.finished_at is not None) == ("failed", True)
    assert ImportRun.objects.exclude(pk=killed.pk).get().state == "done"


@pytest.mark.django_db(transaction=True)
def test_run_of_a_living_process_stays_open(tmp_path: Path) -> None:
    running = ImportRun.objects.create(source="running")
    with connection.copy().cursor() as other:
        other.execute("SELECT pg_advisory_lock(%s, %s)", [import_runs._RUN_LOCK, running.pk])
        run(write(tmp_path, article("Artículo 1", "Uno.")))
        running.refresh_from_db()
        other.connection.close()
    assert running.state == "running"


def test_refused_file_fails_the_run_and_leaves_the_others(tmp_path: Path) -> None:
    write(tmp_path, article("Artículo 1", "Uno."), name="good.xml", fecha_actualizacion="20200101T000000Z")
    (tmp_path / "cut.xml").write_bytes(response(article("Artículo 1", "Dos."))[:-30])
    out, err, code = run(tmp_path)
    assert code == 1
    assert out.splitlines()[-1] == "1 created, 1 failed"
    assert "cut.xml, line 2: not well-formed XML" in err


def test_cut_file_leaves_the_law_that_is_held_intact(tmp_path: Path) -> None:
    path = write(tmp_path, article("Artículo 1", "Uno."), article("Artículo 2", "Dos."))
    run(path)
    path.write_bytes(response(article("Artículo 1", "Otro."))[:-30])
    assert run(path)[2] == 1
    assert list(Article.objects.values_list("key", "versions__text")) == [("art-1", "Uno."), ("art-2", "Dos.")]


@pytest.mark.parametrize("forced", [(), ("--force",)])
def test_a_law_in_akoma_ntoso_is_the_one_the_boe_gives(tmp_path: Path, forced: tuple[str, ...]) -> None:
    eli = "https://www.boe.es/eli/es/l/2019/01/09/900"
    path, poorer = write(tmp_path, article("Artículo 1", "Uno."), url_eli=eli), tmp_path / "akn.xml"
    poorer.write_bytes(
        document(language="es", country="es").replace(b"https://lois.example.org/eli/loi/2024/990", eli.encode())
    )
    run(path)
    assert outcomes(poorer, *forced) == {"ley-900-2019": "updated" if forced else "skipped"}
    assert Law.objects.get().boe_id == "BOE-A-2019-900"


def test_file_whose_name_is_no_utf_8_is_imported_and_named(tmp_path: Path) -> None:
    write(tmp_path, article("Artículo 1", "Uno."))
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/ley-\xff.xml"))
    odd.write_bytes(response(article("Artículo 1", "Dos."), identificador="BOE-A-2019-901", numero_oficial="901/2019"))
    cut = Path(os.fsdecode(os.fsencode(tmp_path) + b"/mal-\xff.xml"))
    cut.write_bytes(b"<response>")
    found = summary(tmp_path)
    assert found["counts"] == {"created": 2, "failed": 1}
    assert {Path(one["path"]).name: one["law"] for one in found["laws"]} == {
        "law.xml": "ley-900-2019", "ley-\\xff.xml": "ley-901-2019", "mal-\\xff.xml": "",
    }  # fmt: skip


def test_json_tells_counts_warnings_and_changes(tmp_path: Path) -> None:
    path = write(tmp_path, article("Artículo 1", "Uno."))
    run(path)
    write(tmp_path, article("Artículo 1", "Otro."), fecha_actualizacion="20260301T000000Z")
    found = summary(path)
    assert found["counts"] == {"updated": 1}
    law = found["laws"][0]
    assert (law["law"], law["articles"], law["versions"], law["completeness"]) == ("ley-900-2019", 1, 1, 1.0)
    assert law["changes"] == {"versions_changed": {"art-1": ["2019-02-01"]}}


def test_folder_with_several_files_of_one_law_gives_the_newest(tmp_path: Path) -> None:
    write(tmp_path, article("Artículo 1", "Viejo."), name="a.xml", fecha_actualizacion="20250101T000000Z")
    write(tmp_path, article("Artículo 1", "Nuevo."), name="b.xml", fecha_actualizacion="20260101T000000Z")
    write(tmp_path, article("Artículo 1", "Más viejo."), name="c.xml", fecha_actualizacion="20240101T000000Z")
    assert sorted(entry["outcome"] for entry in summary(tmp_path)["laws"]) == ["created", "skipped", "skipped"]
    assert ImportRun.objects.get().outcomes == {"created": 1, "updated": 0, "unchanged": 0, "skipped": 2, "failed": 0}
    assert Article.objects.get().versions.get().text == "Nuevo."


def test_folder_with_a_poorer_file_of_a_law_gives_the_richer_though_it_is_older(tmp_path: Path) -> None:
    write(tmp_path, article("Artículo 1", "Con historia."), fecha_actualizacion="20250101T000000Z")
    head = "title: Ley 900/2019\nidentifier: BOE-A-2019-900\nrank: ley\nlast_updated: 2026-05-01"
    (tmp_path / "law.md").write_text(f"---\n{head}\n---\n# Ley 900/2019\n\n###### Artículo 1\n\nSin ella.\n")
    assert sorted(entry["outcome"] for entry in summary(tmp_path)["laws"]) == ["created", "skipped"]
    assert (Law.objects.get().source, Article.objects.get().versions.get().text) == ("boe", "Con historia.")


def test_folder_of_folders_is_searched(tmp_path: Path) -> None:
    for number in (900, 901):
        folder = tmp_path / "laws" / str(number)
        folder.mkdir(parents=True)
        write(
            folder, article("Artículo 1", "Uno."), identificador=f"BOE-A-2019-{number}", numero_oficial=f"{number}/2019"
        )
    assert outcomes(tmp_path) == {"ley-900-2019": "created", "ley-901-2019": "created"}


def test_parts_beside_each_other_are_one_law(tmp_path: Path) -> None:
    data = response(article("Artículo 1", "Uno.")).decode()
    head, text = data.split("<texto>")
    (tmp_path / "metadatos.xml").write_text(f"{head}</data></response>")
    (tmp_path / "texto.xml").write_text(f"{data.split('<data>')[0]}<data><texto>{text}")
    assert outcomes(tmp_path) == {"ley-900-2019": "created"}
    assert outcomes(tmp_path) == {"ley-900-2019": "unchanged"}


def test_an_answer_that_tells_of_a_failure_is_refused_by_name_and_the_others_are_imported(tmp_path: Path) -> None:
    write(tmp_path, article("Artículo 1", "Uno."))
    answer = "<response><status><code>404</code><text>La norma no existe</text></status><data/></response>"
    (tmp_path / "missing.xml").write_text(answer)
    out, _, code = run(tmp_path)
    assert (code, Law.objects.get().key) == (1, "ley-900-2019")
    assert "missing.xml, line 1: the BOE answered 404: La norma no existe" in out


def test_fragments_of_a_folder_are_left_aside_and_alone_they_are_refused(tmp_path: Path) -> None:
    write(tmp_path, article("Artículo 1", "Uno."), name="full.xml")
    data = response(article("Artículo 1", "Uno.")).decode()
    fragment = tmp_path / "BOE-A-2019-900_metadatos.xml"
    fragment.write_text(f"{data.split('<texto>')[0]}</data></response>")
    assert outcomes(tmp_path) == {"ley-900-2019": "created"}
    out, _, code = run(fragment)
    assert (code, "no <texto>" in out) == (1, True)


def test_text_without_its_metadata_is_told_and_parts_beside_their_law_are_not(tmp_path: Path) -> None:
    data = response(article("Artículo 1", "Uno.")).decode()
    start, text = data.split("<data>")[0], data.split("<texto>")[1]
    alone = f"{start}<data><texto>{text}"
    (tmp_path / "alone").mkdir()
    (tmp_path / "alone" / "texto.xml").write_text(alone)
    found = summary(tmp_path)
    assert [(law["outcome"], law["detail"]) for law in found["laws"]] == [("skipped", "text without metadata")]
    write(tmp_path, article("Artículo 1", "Uno."), name="full.xml")
    for name in ("texto.xml", "BOE-A-2019-901.xml"):
        (tmp_path / name).write_text(alone)
    (tmp_path / "indice.xml").write_text(f"{start}<data/></response>")
    (tmp_path / "README.md").write_text("# Normas\n")
    told = {Path(law["path"]).relative_to(tmp_path).as_posix(): law["outcome"] for law in summary(tmp_path)["laws"]}
    assert told == {"full.xml": "created", "BOE-A-2019-901.xml": "skipped", "alone/texto.xml": "skipped"}


@pytest.mark.parametrize("name", ["absent.xml", ""])
def test_path_that_holds_nothing_is_refused(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    out, _, code = run(folder / name if name else folder)
    assert code == 1
    assert out.splitlines()[-1] == "1 failed"


def test_file_that_cannot_be_read_is_refused_and_those_beside_it_are_imported(tmp_path: Path) -> None:
    write(tmp_path, article("Artículo 1", "Uno."), name="LAW.XML")
    (tmp_path / "folder.xml").mkdir()
    (tmp_path / "gone.xml").symlink_to(tmp_path / "nowhere")
    (tmp_path / "empty.md").touch()
    os.mkfifo(tmp_path / "pipe.xml")
    found = summary(tmp_path)
    assert {Path(law["path"]).name: law["outcome"] for law in found["laws"]} == {
        "LAW.XML": "created", "gone.xml": "failed", "empty.md": "failed", "pipe.xml": "failed",
    }  # fmt: skip


def test_archive_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "laws.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.xml", response(article("Artículo 1", "Uno.")))
    out, _, code = run(path)
    assert (code, "a ZIP archive: unpack it first" in out) == (1, True)


@pytest.mark.parametrize(
    ("metadata", "told"),
    [
        ({"numero_oficial": f"{'9' * 300}/2019"}, "more than the 120 that are kept"),
        ({"url_eli": f"https://example.org/{'x' * 300}"}, "more than the 200 that are kept"),
    ],
)
def test_value_longer_than_its_column_is_told_with_its_file(
    tmp_path: Path, metadata: dict[str, str], told: str
) -> None:
    path = write(tmp_path, article("Artículo 1", "Uno."), **metadata)
    detail = summary(path)["laws"][0]["detail"]
    assert detail.startswith(f"{path}: ")
    assert told in detail


def test_limits_of_a_record_are_those_of_the_columns() -> None:
    tables = {"law": Law, "article": Article, "version": ArticleVersion}
    columns = {(table, column.name): column for table, model in tables.items() for column in model._meta.fields}
    limits = {(table, name): limit for table, longest in LONGEST.items() for name, limit in longest.items()}
    assert {place: columns[place].max_length for place in limits} == limits


def test_older_file_is_skipped_unless_forced(tmp_path: Path) -> None:
    path = write(tmp_path, article("Artículo 1", "Nuevo."))
    run(path)
    write(tmp_path, article("Artículo 1", "Viejo."), fecha_actualizacion="20200101T000000Z")
    assert outcomes(path) == {"ley-900-2019": "skipped"}
    assert outcomes(path, "--force") == {"ley-900-2019": "updated"}


def test_two_laws_with_one_id_fail_by_name(tmp_path: Path) -> None:
    run(write(tmp_path, article("Artículo 1", "Uno.")))
    path = write(tmp_path, article("Artículo 1", "Uno."), name="b.xml", identificador="BOE-A-2019-901")
    out, _, code = run(path)
    assert (code, "which is BOE-A-2019-900" in out) == (1, True)
    assert Law.objects.count() == 1


def test_real_laws_are_imported_once(boe_xml: Path) -> None:
    folders = [boe_xml / name for name in ("BOE-A-2013-12887", "BOE-A-2006-13371")]
    assert outcomes(*folders) == {"ley-19-2013": "created", "rd-887-2006": "created"}
    assert outcomes(*folders) == {"ley-19-2013": "unchanged", "rd-887-2006": "unchanged"}


def test_folder_of_all_the_real_data_holds_nine_laws(boe_xml: Path) -> None:
    found = summary(boe_xml)
    assert found["counts"] == {"created": 9, "skipped": 4}
    assert all(law["completeness"] >= 0.995 for law in found["laws"] if law["outcome"] == "created")


def test_new_laws_of_a_folder_are_stored_together(tmp_path: Path) -> None:
    for number in range(1, 31):
        text = article("Artículo 1", "Uno.")
        named = {"identificador": f"BOE-A-2019-{number}", "numero_oficial": f"{number}/2019"}
        write(tmp_path, text, **named, name=f"{number}.xml")
    with CaptureQueriesContext(connection) as queries:
        assert run(tmp_path)[0].splitlines()[-1] == "30 created"
    assert len(queries) < 60


def test_law_that_cannot_be_stored_is_named_and_those_beside_it_are_stored(tmp_path: Path) -> None:
    for number, sign in ((1, ""), (2, "\0"), (3, "")):
        head = f"title: Ley {number}/2019\nidentifier: BOE-A-2019-{number}\nrank: ley"
        text = f"---\n{head}\n---\n# Ley {number}/2019\n\n###### Artículo 1\n\nUno{sign}.\n"
        (tmp_path / f"{number}.md").write_text(text)
    laws = {Path(law["path"]).name: law for law in summary(tmp_path)["laws"]}
    assert {name: law["outcome"] for name, law in laws.items()} == {
        "1.md": "created", "2.md": "failed", "3.md": "created",
    }  # fmt: skip
    assert "NUL (0x00)" in laws["2.md"]["detail"]
    assert set(Law.objects.values_list("key", flat=True)) == {"ley-1-2019", "ley-3-2019"}
