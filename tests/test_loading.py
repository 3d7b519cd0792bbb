"""What the corpus holds after a record is stored: kept rows, replaced rows, logged changes, and what is refused."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import pairwise
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext, override_settings

from corpus import chunk_rows, clock
from corpus.importers import load
from corpus.importers.boe import read
from corpus.law_rows import rows_of
from corpus.loading import IMPORTER_VERSION, KeyTaken, Stored, create, held, is_current, store
from corpus.models import Article, ArticleVersion, Chunk, CorpusChange, Law
from corpus.records import ArticleRecord, LawRecord, VersionRecord
from corpus.vectors import text_of
from tests.boe_response import article, block, paragraph, response, title, version

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 1, 2, 12, tzinfo=UTC)
LATER = "20260201T090000Z"
LONG = [f"{number}. {'Palabra ' * 60}zzzprueba{number}." for number in range(1, 12)]


def record(*blocks: str, **metadata: object) -> LawRecord:
    return read([(Path("law.xml"), response(*blocks, **metadata))])


def keep(*blocks: str, force: bool = False, **metadata: object) -> Stored:
    return store(record(*blocks, **metadata), fetched_at=NOW, force=force)


def redaction(text: str, starts: str, norm: str) -> str:
    return version(paragraph("Artículo 5.", "articulo"), paragraph(text), norm=norm, published=starts, starts=starts)


def held_texts(key: str = "art-5") -> list[tuple[str, date | None, date | None]]:
    rows = ArticleVersion.objects.filter(article__key=key).order_by("position", "pk")
    return list(rows.values_list("text", "valid_from", "valid_to"))


def logged_after(revision: int) -> list[int | None]:
    return list(CorpusChange.objects.filter(revision__gt=revision).values_list("article_id", flat=True))


def last_revision() -> int:
    return CorpusChange.objects.order_by("-revision").values_list("revision", flat=True).first() or 0


class TestCreate:
    def test_law_articles_versions_and_chunks_are_stored(self) -> None:
        stored = keep(article("Artículo 5", "Texto.", heading="Grados"), article("Artículo 6", *LONG))
        law = Law.objects.get(key="ley-900-2019")
        assert (stored.outcome, stored.law) == ("created", law)
        assert (law.boe_id, law.source, law.history, law.fetched_at) == ("BOE-A-2019-900", "boe", "full", NOW)
        first = law.articles.get(key="art-5")
        assert (first.label, first.heading, first.position) == ("Artículo 5", "Grados", 1)
        assert Chunk.objects.filter(version__article__key="art-5").count() == 1
        assert Chunk.objects.filter(version__article__key="art-6").count() > 2

    def test_hash_of_a_chunk_is_of_what_is_embedded(self) -> None:
        keep(article("Artículo 5", *LONG, heading="Grados"))
        for chunk in Chunk.objects.select_related("version__article"):
            assert chunk.sha256 == VersionRecord(text_of(chunk, chunk.version)).sha256

    def test_new_law_is_one_entry_of_the_change_log(self) -> None:
        stored = keep(article("Artículo 5", "Texto."), article("Artículo 6", "Más."))
        assert list(CorpusChange.objects.values_list("law_id", "article_id")) == [(stored.law.pk, None)]

    def test_marker_is_a_redaction_without_chunks(self) -> None:
        gone = redaction("(Derogado)", "20240101", "BOE-A-2024-1")
        keep(block("Artículo 5", redaction("Texto.", "20190201", "BOE-A-2019-900"), gone))
        assert [v.status for v in ArticleVersion.objects.order_by("position")] == ["in_force", "repealed"]
        assert Chunk.objects.count() == 1

    def test_law_that_ended_ends_its_articles(self) -> None:
        keep(article("Artículo 5", "Texto."), estatus_derogacion="S", fecha_derogacion="20240102")
        assert held_texts() == [("Texto.", date(2019, 2, 1), date(2024, 1, 1))]

    def test_article_shows_the_heading_of_today(self) -> None:
        def titled(heading: str, starts: str) -> str:
            line = paragraph(f"Artículo 5. {heading}.", "articulo")
            return version(line, paragraph("Texto."), starts=starts, published=starts, norm=f"N{starts}")

        keep(
            block("Artículo 5", titled("Vieja", "20190201"), titled("De hoy", "20200101"), titled("Futura", "20990101"))
        )
        assert Article.objects.get().heading == "De hoy"

    @pytest.mark.parametrize("time_zone", ["America/Lima", "Europe/Madrid", "Pacific/Kiritimati"])
    def test_days_are_days_in_every_time_zone(self, time_zone: str) -> None:
        with override_settings(TIME_ZONE=time_zone):
            law = keep(article("Artículo 5", "Texto."), fecha_publicacion="20031218").law
            law.refresh_from_db()
        assert law.published == date(2003, 12, 18)
        assert held_texts()[0][1] == date(2019, 2, 1)

    def test_instant_of_update_is_an_instant(self) -> None:
        law = keep(article("Artículo 5", "Texto."), fecha_actualizacion="20260102T233000Z").law
        law.refresh_from_db()
        assert law.source_updated_at is not None
        assert law.source_updated_at.astimezone(clock.MADRID).isoformat() == "2026-01-03T00:30:00+01:00"

    def test_number_of_statements_does_not_grow_with_the_law(self) -> None:
        blocks = [article(f"Artículo {number}", "Texto.") for number in range(1, 120)]
        with CaptureQueriesContext(connection) as queries:
            keep(*blocks)
        assert len(queries) < 20


class TestCreateMany:
    def test_laws_stored_together_are_as_if_stored_one_by_one(self) -> None:
        gone = redaction("(Derogado)", "20240101", "BOE-A-2024-1")
        records = [
            record(article("Artículo 5", *LONG, heading='Con "comillas", barra \\ y {llaves}')),
            record(
                title(("titulo_num", 'TÍTULO "I" \\ {a, b}')),
                block("Artículo 5", redaction("Uno.\n2\tdos \\N", "20190201", "BOE-A-2019-901"), gone),
                identificador="BOE-A-2019-901",
                numero_oficial="901/2019",
            ),
        ]
        for one in records:
            store(one, fetched_at=NOW)
        alone = _all_rows()
        Law.objects.all().delete()
        made = create([rows_of(one, clock.today()) for one in records], fetched_at=NOW)
        assert [law.key for law in made if law] == ["ley-900-2019", "ley-901-2019"]
        assert _all_rows() == alone

    def test_number_of_statements_does_not_grow_with_the_laws(self) -> None:
        rows = [
            rows_of(
                record(article("Artículo 5", "Texto."), identificador=f"BOE-A-2019-{n}", numero_oficial=f"{n}/2019"),
                NOW.date(),
            )
            for n in range(1, 40)
        ]
        with CaptureQueriesContext(connection) as queries:
            create(rows, fetched_at=NOW)
        assert (Law.objects.count(), Chunk.objects.count(), len(queries) < 20) == (39, 39, True)

    def test_each_law_is_one_entry_of_the_change_log(self) -> None:
        rows = [
            rows_of(
                record(article("Artículo 5", "Texto."), identificador=f"BOE-A-2019-{n}", numero_oficial=f"{n}/2019"),
                NOW.date(),
            )
            for n in (1, 2)
        ]
        made = create(rows, fetched_at=NOW)
        entries = CorpusChange.objects.order_by("revision").values_list("law_id", "article_id")
        assert list(entries) == [(law.pk, None) for law in made if law]

    def test_known_law_and_taken_id_are_left_alone(self) -> None:
        held_law = keep(article("Artículo 5", "Texto.")).law
        same = record(article("Artículo 5", "Otro texto."))
        namesake = record(article("Artículo 5", "Ajeno."), identificador="BOE-A-2019-7")
        new = record(article("Artículo 5", "Nuevo."), identificador="BOE-A-2019-8", numero_oficial="8/2019")
        twin = record(article("Artículo 5", "Gemelo."), identificador="BOE-A-2019-9", numero_oficial="8/2019")
        made = create([rows_of(one, NOW.date()) for one in (same, namesake, new, twin)], fetched_at=NOW)
        assert [law.key if law else None for law in made] == [None, None, "ley-8-2019", None]
        assert list(Law.objects.order_by("key").values_list("boe_id", flat=True)) == ["BOE-A-2019-8", held_law.boe_id]
        assert [text for text, *_ in held_texts()] == ["Texto.", "Nuevo."]


def _all_rows() -> list[object]:
    """Everything that the corpus holds of its laws, but for ids."""
    laws = Law.objects.order_by("key").values()
    articles = Article.objects.order_by("law__key", "position").values()
    versions = ArticleVersion.objects.order_by("article__law__key", "article__position", "position").values()
    chunks = Chunk.objects.order_by("version__article__law__key", "version__article__position", "version", "position")
    ids = {"id", "law_id", "article_id", "version_id"}
    tables = (laws, articles, versions, chunks.values())
    return [[{name: value for name, value in row.items() if name not in ids} for row in table] for table in tables]


class TestUpdate:
    def test_same_source_changes_nothing(self) -> None:
        blocks = (article("Artículo 5", *LONG), article("ANEXO I", "Lista."))
        keep(*blocks)
        rows = [set(model.objects.values_list("pk", flat=True)) for model in (Article, ArticleVersion, Chunk)]
        revision = last_revision()
        stored = keep(*blocks)
        assert (stored.outcome, bool(stored.changes), logged_after(revision)) == ("unchanged", False, [])
        assert rows == [set(model.objects.values_list("pk", flat=True)) for model in (Article, ArticleVersion, Chunk)]

    def test_newer_bytes_with_the_same_law_are_noted_and_change_nothing(self) -> None:
        keep(article("Artículo 5", "Texto."))
        revision = last_revision()
        stored = keep(article("Artículo 5", "Texto."), fecha_actualizacion=LATER)
        assert (stored.outcome, logged_after(revision)) == ("unchanged", [])
        assert Law.objects.get().source_updated_at == datetime(2026, 2, 1, 9, tzinfo=UTC)

    def test_new_redaction_closes_the_former_and_keeps_its_rows(self) -> None:
        old = redaction("Viejo.", "20190201", "BOE-A-2019-900")
        keep(block("Artículo 5", old), article("Artículo 6", "Queda."))
        kept = {row.pk for row in ArticleVersion.objects.all()}, {row.pk for row in Chunk.objects.all()}
        revision = last_revision()
        new = redaction("Nuevo.", "20250501", "BOE-A-2025-901")
        stored = keep(block("Artículo 5", new, old), article("Artículo 6", "Queda."), fecha_actualizacion=LATER)
        assert held_texts() == [
            ("Viejo.", date(2019, 2, 1), date(2025, 4, 30)), ("Nuevo.", date(2025, 5, 1), None),
        ]  # fmt: skip
        assert kept[0] < {row.pk for row in ArticleVersion.objects.all()}
        assert kept[1] < {row.pk for row in Chunk.objects.all()}
        assert logged_after(revision) == [Article.objects.get(key="art-5").pk]
        assert stored.changes.versions_added == {"art-5": ["2025-05-01"]}
        assert stored.changes.versions_changed == {"art-5": ["2019-02-01"]}

    def test_redaction_that_comes_between_two_others_moves_them_apart(self) -> None:
        first, third = redaction("Uno.", "20190201", "A"), redaction("Tres.", "20230101", "C")
        keep(block("Artículo 5", first, third))
        keep(block("Artículo 5", first, redaction("Dos.", "20210101", "B"), third), fecha_actualizacion=LATER)
        assert [text for text, _, _ in held_texts()] == ["Uno.", "Dos.", "Tres."]

    def test_shorter_text_leaves_no_stale_chunk(self) -> None:
        keep(article("Artículo 5", *LONG))
        keep(article("Artículo 5", "Breve."), fecha_actualizacion=LATER)
        assert list(Chunk.objects.values_list("version__text", "start", "end")) == [("Breve.", 0, 6)]

    def test_one_changed_paragraph_keeps_the_other_chunks(self) -> None:
        keep(article("Artículo 5", *LONG))
        before = dict(Chunk.objects.values_list("sha256", "pk"))
        keep(article("Artículo 5", *LONG[:-1], "Otra cosa."), fecha_actualizacion=LATER)
        after = dict(Chunk.objects.values_list("sha256", "pk"))
        kept = before.keys() & after.keys()
        assert len(kept) >= len(before) - 2
        assert {before[name] for name in kept} == {after[name] for name in kept}

    def test_new_heading_makes_new_chunks(self) -> None:
        keep(article("Artículo 5", "Texto.", heading="Una"))
        old = Chunk.objects.get().sha256
        keep(article("Artículo 5", "Texto.", heading="Otra"), fecha_actualizacion=LATER)
        assert Chunk.objects.get().sha256 != old

    def test_inserted_article_leaves_the_others_their_rows_and_keys(self) -> None:
        keep(article("Artículo 26", "Seis."), article("Artículo 27", "Siete."))
        rows = dict(Article.objects.values_list("key", "pk"))
        stored = keep(
            article("Artículo 26", "Seis."), article("Artículo 26 bis", "Bis."), article("Artículo 27", "Siete."),
            fecha_actualizacion=LATER,
        )  # fmt: skip
        after = dict(Article.objects.values_list("key", "pk"))
        assert rows.items() < after.items()
        assert stored.changes.articles_added == ["art-26-bis"]
        assert list(Article.objects.order_by("position").values_list("key", flat=True)) == [
            "art-26", "art-26-bis", "art-27",
        ]  # fmt: skip

    def test_article_that_vanishes_from_the_source_goes_and_is_logged(self) -> None:
        keep(article("Artículo 5", "Texto."), article("Artículo 6", "Más."))
        gone, revision = Article.objects.get(key="art-6").pk, last_revision()
        stored = keep(article("Artículo 5", "Texto."), fecha_actualizacion=LATER)
        assert (stored.changes.articles_removed, logged_after(revision)) == (["art-6"], [gone])

    def test_change_of_the_law_itself_is_logged_as_the_whole_law(self) -> None:
        keep(article("Artículo 5", "Texto."))
        revision = last_revision()
        stored = keep(article("Artículo 5", "Texto."), titulo="Ley 900/2019, de Otra Cosa", fecha_actualizacion=LATER)
        assert (stored.outcome, logged_after(revision)) == ("updated", [None])
        assert stored.changes.law == ["title", "short_title"]

    def test_older_source_never_replaces_a_newer_one_unless_forced(self) -> None:
        keep(article("Artículo 5", "Nuevo."), fecha_actualizacion=LATER)
        stored = keep(article("Artículo 5", "Viejo."))
        assert (stored.outcome, stored.detail) == ("skipped", "the source is of 2026-01-01, the corpus of 2026-02-01")
        assert held_texts()[0][0] == "Nuevo."
        assert keep(article("Artículo 5", "Viejo."), force=True).outcome == "updated"
        assert held_texts()[0][0] == "Viejo."

    def test_poorer_source_never_replaces_a_richer_one_unless_forced(self) -> None:
        keep(article("Artículo 5", "Con historia."))
        poorer = replace(record(article("Artículo 5", "Sin ella."), fecha_actualizacion=LATER), history="current_only")
        assert store(poorer, fetched_at=NOW).outcome == "skipped"
        assert store(poorer, fetched_at=NOW, force=True).outcome == "updated"

    def test_richer_source_replaces_a_poorer_one_under_the_same_keys(self) -> None:
        store(replace(record(article("Artículo 5", "Texto.")), history="current_only"), fetched_at=NOW)
        row = Article.objects.get().pk
        keep(block("Artículo 5", redaction("Viejo.", "20180101", "A"), redaction("Texto.", "20190201", "B")))
        assert Article.objects.get().pk == row
        assert [text for text, _, _ in held_texts()] == ["Viejo.", "Texto."]

    def test_law_whose_id_was_derived_otherwise_takes_the_new_id(self) -> None:
        keep(article("Artículo 5", "Texto."), rango=("1299", "?"))
        assert keep(article("Artículo 5", "Texto.")).outcome == "updated"
        assert list(Law.objects.values_list("key", flat=True)) == ["ley-900-2019"]

    def test_two_laws_never_share_an_id(self) -> None:
        keep(article("Artículo 5", "Texto."))
        with pytest.raises(KeyTaken, match="BOE-A-2019-901 would be ley-900-2019, which is BOE-A-2019-900"):
            keep(article("Artículo 5", "Otro."), identificador="BOE-A-2019-901")


class TestCurrentOnly:
    """A source that only tells today's text: the texts it told before stay, each with the days it was seen."""

    def told(self, text: str, day: int) -> Stored:
        versions = (VersionRecord(text),)
        law = LawRecord(
            id="ley-1-2000", title="Ley", rank="ley", boe_id="BOE-A-2000-1", history="current_only", source="markdown",
            source_updated_at=datetime(2026, 3, day, 8, tzinfo=UTC), source_sha256=f"{day:064}",
            articles=(ArticleRecord("art-5", "article", "Artículo 5", 1, versions=versions),),
        )  # fmt: skip
        return store(law, fetched_at=NOW)

    def test_text_that_changed_ends_the_day_before_the_new_one_was_told(self) -> None:
        self.told("Uno.", 1)
        self.told("Dos.", 10)
        assert held_texts() == [("Uno.", None, date(2026, 3, 9)), ("Dos.", date(2026, 3, 10), None)]

    def test_telling_the_same_again_changes_nothing(self) -> None:
        self.told("Uno.", 1)
        self.told("Dos.", 10)
        assert self.told("Dos.", 20).outcome == "unchanged"
        assert held_texts() == [("Uno.", None, date(2026, 3, 9)), ("Dos.", date(2026, 3, 10), None)]

    def test_a_later_day_from_which_the_same_is_known_is_logged(self) -> None:
        """What is kept of answers would go on telling the day of before."""
        law = self.told("Uno.", 1).law
        revision = last_revision()
        assert (self.told("Uno.", 1).outcome, logged_after(revision)) == ("unchanged", [])
        assert self.told("Uno.", 10).outcome == "unchanged"
        entries = CorpusChange.objects.filter(revision__gt=revision).values_list("law_id", "article_id")
        assert list(entries) == [(law.pk, None)]

    def test_two_texts_of_one_day_are_one(self) -> None:
        self.told("Uno.", 1)
        self.told("Dos.", 10)
        self.told("Dos bis.", 10)
        assert [text for text, _, _ in held_texts()] == ["Uno.", "Dos bis."]


class TestRemove:
    def test_everything_below_goes_and_the_law_is_logged(self) -> None:
        law = keep(article("Artículo 5", *LONG)).law
        identifier, revision = law.pk, last_revision()
        law.delete()
        assert [model.objects.count() for model in (Law, Article, ArticleVersion, Chunk)] == [0, 0, 0, 0]
        entries = CorpusChange.objects.filter(revision__gt=revision).values_list("law_id", "article_id")
        assert list(entries) == [(identifier, None)]


class TestHeld:
    def test_law_is_held_from_these_bytes_as_this_release_reads_them(self) -> None:
        law = keep(article("Artículo 5", "Texto.")).law
        assert held("BOE-A-2019-900", law.source_sha256) == law
        assert not is_current("BOE-A-2019-900", "0" * 64)
        assert not is_current("", law.source_sha256)
        Law.objects.update(importer_version=IMPORTER_VERSION - 1)
        assert not is_current("BOE-A-2019-900", law.source_sha256)


@pytest.mark.django_db(transaction=True)
class TestTransactions:
    def test_failure_in_the_middle_leaves_the_old_law_whole(self, monkeypatch: pytest.MonkeyPatch) -> None:
        keep(article("Artículo 5", "Viejo."), article("Artículo 6", "Queda."))

        def fail(*_: object) -> None:
            raise RuntimeError("no space left")

        monkeypatch.setattr(chunk_rows, "insert", fail)
        with pytest.raises(RuntimeError):
            keep(article("Artículo 5", "Nuevo."), article("Artículo 7", "Más."), fecha_actualizacion=LATER)
        assert list(Article.objects.order_by("position").values_list("key", flat=True)) == ["art-5", "art-6"]
        assert held_texts()[0][0] == "Viejo."

    def test_two_processes_that_store_one_law_make_it_once(self) -> None:
        def work(_: int) -> str:
            try:
                return keep(article("Artículo 5", "Texto.")).outcome
            finally:
                connection.close()

        with ThreadPoolExecutor(4) as pool:
            outcomes = sorted(pool.map(work, range(4)))
        assert outcomes == ["created", "unchanged", "unchanged", "unchanged"]

    def test_revisions_grow_in_commit_order(self) -> None:
        first = keep(article("Artículo 5", "Texto.")).law
        second = keep(article("Artículo 5", "T."), identificador="BOE-A-2019-901", numero_oficial="901/2019").law

        def work(law: Law) -> None:
            try:
                with transaction.atomic():
                    law.delete()
            finally:
                connection.close()

        with ThreadPoolExecutor(2) as pool:
            list(pool.map(work, [first, second]))
        revisions = list(CorpusChange.objects.values_list("revision", flat=True))
        assert all(earlier < later for earlier, later in pairwise(revisions))
        assert len(revisions) == 4


class TestSnapshots:
    """LO 3/2018 as of December 2025 and of May 2026: only its preamble differs."""

    @pytest.fixture
    def states(self, boe_xml: Path) -> tuple[LawRecord, LawRecord]:
        older = next(load(boe_xml / "snapshots" / "2025-12" / "BOE-A-2018-16673" / "full.xml"))
        return older, next(load(boe_xml / "BOE-A-2018-16673" / "full.xml"))

    def test_newer_after_older_changes_exactly_what_differs(self, states: tuple[LawRecord, LawRecord]) -> None:
        older, newer = states
        store(older, fetched_at=NOW)
        rows, revision = set(ArticleVersion.objects.values_list("pk", flat=True)), last_revision()
        stored = store(newer, fetched_at=NOW)
        assert (stored.outcome, stored.changes.versions_changed) == ("updated", {"preambulo": ["2018-12-07"]})
        assert rows == set(ArticleVersion.objects.values_list("pk", flat=True))
        assert logged_after(revision) == [Article.objects.get(key="preambulo").pk]

    def test_older_after_newer_is_skipped(self, states: tuple[LawRecord, LawRecord]) -> None:
        older, newer = states
        store(newer, fetched_at=NOW)
        assert store(older, fetched_at=NOW).outcome == "skipped"
        assert "13 de diciembre, de protección" in ArticleVersion.objects.get(article__key="preambulo").text
