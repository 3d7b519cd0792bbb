"""The vector matrix follows the database: at once, by halves, after kills, and never by another's history."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
import time
from datetime import UTC, date, datetime

import pytest
from django.core.management import call_command
from django.db import connection

from corpus.models import ArticleVersion, Chunk, ChunkEmbedding, CorpusChange, EmbeddingModel
from search import vector_keeper
from search.candidates import digest_of
from search.filters import Filters
from search.vector_horizon import Horizon
from search.vector_keeper import Keeper
from search.vector_refresh import Files, refresh
from search.vector_store import LAYOUT, Store
from tests.embedders import HashingEmbedder
from tests.law_builder import Redaction, add_article, add_law, add_version
from tests.other_process import PATIENCE_SECONDS
from tests.quickness import TRIES, is_done_within

TODAY = Filters(date(2026, 1, 1))
EMBEDDER = HashingEmbedder()


@pytest.fixture
def keeper(tmp_path):
    return Keeper(Files(tmp_path / "vectors"))


def embed():
    call_command("embed_chunks", stdout=io.StringIO(), stderr=io.StringIO())


def horizon() -> Horizon:
    now = Horizon.now()
    assert now is not None
    return now


def found(keeper, question, filters=TODAY, depth=10):
    """Give the keys of what is found, best first."""
    matrix = keeper.index(horizon())
    candidates = matrix.search(EMBEDDER.query(question), filters, depth)
    keys = dict(ArticleVersion.objects.values_list("pk", "article__key"))
    return [keys.get(candidate.version_id, "gone") for candidate in candidates]


def files(keeper):
    return {path.name: path.stat().st_size for path in keeper.source.store.directory.rglob("*") if path.is_file()}


@pytest.mark.django_db
def test_new_law_is_found_once_embedded(keeper):
    add_law("ley-900-2019", {"art-1": "Los perros irán atados.", "art-2": "La multa será de 90 euros."})
    embed()

    assert found(keeper, "Artículo 2 multa euros") == ["art-2", "art-1"]


@pytest.mark.django_db
def test_rows_wait_for_their_vectors(keeper):
    add_law("ley-900-2019", {"art-1": "Los perros irán atados."})
    embed()
    found(keeper, "perros")
    add_law("ley-901-2019", {"art-7": "Los gatos irán sueltos."})

    before = found(keeper, "gatos")
    embed()

    assert before == ["art-1"]
    assert found(keeper, "gatos")[0] == "art-7"


@pytest.mark.django_db
def test_vector_that_is_already_held_serves_a_new_passage_at_once(keeper):
    add_law("ley-900-2019", {"art-1": "Entra en vigor mañana."})
    embed()
    found(keeper, "vigor")

    add_law("ley-901-2019", {"art-1": "Entra en vigor mañana."})

    assert found(keeper, "vigor") == ["art-1", "art-1"]


@pytest.mark.django_db
def test_text_that_went_is_found_no_more(keeper):
    law = add_law("ley-900-2019", {"art-1": "zzzprueba " * 400, "art-2": "Los gatos."})
    embed()
    article = law.articles.get(key="art-1")
    many = found(keeper, "zzzprueba").count("art-1")
    article.versions.all().delete()
    add_version(article, Redaction("Un párrafo corto."))
    CorpusChange.objects.create(law_id=law.pk, article_id=article.pk)
    embed()

    assert many > 1
    assert sorted(found(keeper, "zzzprueba")) == ["art-1", "art-2"]
    article_ids = keeper.index(horizon()).rows["article"]
    assert list(article_ids).count(article.pk) == 1


@pytest.mark.django_db
def test_removed_law_is_found_no_more(keeper):
    add_law("ley-900-2019", {"art-1": "Los perros."})
    law = add_law("ley-901-2019", {"art-9": "Los gatos."})
    embed()
    assert len(found(keeper, "gatos")) == 2
    gone = law.pk
    law.delete()
    CorpusChange.objects.create(law_id=gone)

    assert found(keeper, "gatos") == ["art-1"]


@pytest.mark.django_db
def test_change_of_the_law_reaches_every_row(keeper):
    law = add_law("ley-900-2019", {"art-1": "Los perros."})
    embed()
    found(keeper, "perros")
    law.status, law.rank = "repealed", "rd"
    law.save()
    CorpusChange.objects.create(law_id=law.pk)

    assert found(keeper, "perros") == []
    assert found(keeper, "perros", Filters(TODAY.on, ranks=("rd",), include_repealed=True)) == ["art-1"]


@pytest.mark.django_db
def test_each_day_has_its_redaction(keeper):
    redactions = [
        Redaction("gran invalidez", valid_to=date(2025, 4, 30)),
        Redaction("gran incapacidad", date(2025, 5, 1)),
    ]
    add_law("ley-900-2019", {"art-5": redactions})
    embed()
    first, second = ArticleVersion.objects.order_by("position").values_list("pk", flat=True)

    def versions(day):
        matrix = keeper.index(horizon())
        return [one.version_id for one in matrix.search(EMBEDDER.query("gran invalidez"), Filters(day), 10)]

    assert versions(date(2018, 1, 1)) == []
    assert versions(date(2025, 4, 30)) == [first]
    assert versions(date(2025, 5, 1)) == [second]


@pytest.mark.django_db
def test_several_passages_of_one_article_leave_room_for_others(keeper):
    long = "\n".join(
        f"{number}. El recargo por declaración tardía será del {number} por ciento. " * 9 for number in range(1, 9)
    )
    law = add_law("ley-58-2003", {"art-20": long})
    for number in range(1, 13):
        add_article(law, f"art-{100 + number}", f"recargo {number} tasa")
    CorpusChange.objects.create(law_id=law.pk)
    embed()

    keys = found(keeper, "recargo por declaración tardía será del por ciento", depth=10)

    assert keys.count("art-20") > 2
    assert len(set(keys)) == 10


@pytest.mark.django_db
def test_what_is_found_says_which_text_it_means(keeper):
    add_law("ley-900-2019", {"art-1": "Los perros."})
    embed()

    (candidate,) = keeper.index(horizon()).search(EMBEDDER.query("perros"), TODAY, 10)

    assert candidate.digest == digest_of(ArticleVersion.objects.get().sha256)


@pytest.mark.django_db
def test_equal_texts_come_in_one_order(keeper):
    law = add_law("ley-900-2019")
    for number in range(30):
        add_article(law, f"art-{number}", "texto idéntico", label="Artículo")
    CorpusChange.objects.create(law_id=law.pk)
    embed()

    everything = found(keeper, "texto idéntico", depth=30)

    assert len(everything) == 30
    assert found(keeper, "texto idéntico", depth=7) == everything[:7]


@pytest.mark.django_db
def test_unchanged_database_costs_one_short_query(keeper, django_assert_num_queries):
    add_law("ley-900-2019", {"art-1": "Los perros."})
    embed()
    keeper.index(horizon())
    before = files(keeper)

    with django_assert_num_queries(1):
        keeper.index(horizon())

    assert any(is_done_within(0.001, lambda: keeper.index(horizon())) for _ in range(50))
    assert files(keeper) == before


@pytest.mark.django_db
def test_second_process_maps_what_the_first_wrote(keeper):
    add_law("ley-900-2019", {"art-1": "Los perros."})
    embed()
    found(keeper, "perros")
    before = files(keeper)

    other = Keeper(Files(keeper.source.store.directory))

    assert found(other, "perros") == ["art-1"]
    assert files(keeper) == before


@pytest.mark.django_db
def test_while_another_process_writes_the_old_matrix_answers(keeper):
    add_law("ley-900-2019", {"art-1": "Los perros."})
    embed()
    found(keeper, "perros")
    add_law("ley-901-2019", {"art-9": "Los gatos."})
    embed()

    with Store(keeper.source.store.directory).writing() as may_write:
        meanwhile = found(keeper, "gatos")

    assert may_write
    assert meanwhile == ["art-1"]
    assert found(keeper, "gatos") == ["art-9", "art-1"]


@pytest.mark.django_db
def test_what_a_killed_writer_left_is_cut_off(keeper):
    add_law("ley-900-2019", {"art-1": "Los perros."})
    embed()
    found(keeper, "perros")
    for path in keeper.source.store.directory.glob("vectors-*"):
        with path.open("ab") as written:
            written.write(b"half a vector")
    (keeper.source.store.directory / f"{LAYOUT}-halfmade").mkdir()
    add_law("ley-901-2019", {"art-9": "Los gatos."})
    embed()

    assert found(keeper, "gatos") == ["art-9", "art-1"]
    assert not (keeper.source.store.directory / f"{LAYOUT}-halfmade").exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "pattern", ["vectors-*.f32", "vectors-*.codes", "vectors-*.ids", "rows*/columns.npy", "rows*/manifest.json"]
)
@pytest.mark.parametrize("damage", ["cut", "deleted"])
def test_damaged_files_are_made_anew(keeper, pattern, damage):
    add_law("ley-900-2019", {"art-1": "Los perros."})
    embed()
    found(keeper, "perros")
    (path,) = keeper.source.store.directory.glob(pattern)
    if damage == "cut":
        os.truncate(path, 3)
    else:
        path.unlink()

    assert found(Keeper(Files(keeper.source.store.directory)), "perros") == ["art-1"]


@pytest.mark.django_db
def test_restored_database_is_not_taken_for_the_old_one(keeper):
    law = add_law("ley-900-2019", {"art-1": "Los perros."})
    embed()
    found(keeper, "perros")
    law.articles.all().delete()
    add_article(law, "art-2", "Los gatos.")
    embed()
    CorpusChange.objects.update(at=datetime(2020, 1, 1, tzinfo=UTC))
    CorpusChange.objects.create(law_id=999_999_999)

    assert found(keeper, "perros") == ["art-2"]


@pytest.mark.django_db
def test_lower_revision_is_another_history(keeper):
    add_law("ley-900-2019", {"art-1": "Los perros."})
    law = add_law("ley-901-2019", {"art-9": "Los gatos."})
    embed()
    found(keeper, "perros")
    known = law.pk
    law.delete()
    CorpusChange.objects.filter(law_id=known).delete()

    assert found(keeper, "gatos") == ["art-1"]


@pytest.mark.django_db
def test_vectors_of_another_model_are_never_compared(keeper, settings):
    add_law("ley-900-2019", {"art-1": "Los perros."})
    embed()
    found(keeper, "perros")
    settings.EMBEDDER = "tests.test_embed_chunks.WiderEmbedder"
    embed()

    matrix = keeper.index(horizon())

    assert matrix.table.vectors.shape == (1, 96)


@pytest.mark.django_db
def test_vector_of_impossible_length_is_left_out(keeper):
    add_law("ley-900-2019", {"art-1": "Los perros.", "art-2": "Los gatos."})
    embed()
    broken = Chunk.objects.get(version__article__key="art-2").sha256
    ChunkEmbedding.objects.filter(sha256=broken).update(vector=[1.0, 0.0])

    assert found(keeper, "gatos") == ["art-1"]


@pytest.mark.django_db
def test_no_vectors_is_an_empty_matrix(keeper):
    EmbeddingModel.objects.create(fingerprint="hashing-64", dimensions=64, state="active")

    assert found(keeper, "perros") == []


@pytest.mark.django_db
def test_no_model_is_nothing_to_refresh(keeper):
    assert Horizon.now() is None
    assert refresh(keeper.source.store) is False


@pytest.mark.django_db
def test_rebuild_leaves_out_what_was_pruned(keeper):
    law = add_law("ley-900-2019", {"art-1": "Los perros.", "art-2": "Los gatos."})
    embed()
    found(keeper, "perros")
    law.articles.filter(key="art-1").delete()
    CorpusChange.objects.create(law_id=law.pk)
    ChunkEmbedding.objects.exclude(sha256__in=Chunk.objects.values("sha256")).delete()

    refresh(keeper.source.store, rebuild=True)

    assert len(keeper.source.store.load().table) == 1
    assert found(keeper, "gatos") == ["art-2"]


SCRIPT = """
import sys
from django.conf import settings
settings.DATABASES["default"]["NAME"] = sys.argv[1]
import django
django.setup()
from django.core.management import call_command
from tests.law_builder import add_law
number = sys.argv[2]
add_law(f"ley-90{number}-2019", {f"art-{number}": "Los gatos."})
call_command("embed_chunks", "--json")
"""


def import_elsewhere(number):
    """Import and embed a law of cats in another process."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, connection.settings_dict["NAME"], str(number)],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.test_settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert json.loads(done.stdout)["embedded"] == 1, done.stderr


@pytest.mark.django_db(transaction=True)
def test_import_and_embedding_in_another_process_show_at_the_next_question(keeper):
    add_law("ley-900-2019", {"art-1": "Los perros."})
    embed()
    before = found(keeper, "gatos")

    import_elsewhere(9)
    after = found(keeper, "gatos")

    assert before == ["art-1"]
    assert after == ["art-9", "art-1"]


@pytest.mark.django_db(transaction=True)
def test_next_question_does_not_wait_for_what_another_process_imported(keeper):
    add_law("ley-900-2019", {"art-1": "Los perros."})
    embed()
    found(keeper, "gatos")
    numbers = iter(range(9, 9 - TRIES, -1))

    def seconds():
        import_elsewhere(next(numbers))
        started = time.monotonic()
        found(keeper, "gatos")
        return time.monotonic() - started

    assert any(seconds() < 2 for _ in range(TRIES))


@pytest.mark.django_db
def test_large_matrix_is_not_written_anew_for_every_change(keeper, monkeypatch):
    monkeypatch.setattr(vector_keeper, "_MANY_ROWS", 0)
    monkeypatch.setattr(vector_keeper, "_PAUSE_SECONDS", 60)
    add_law("ley-900-2019", {"art-1": "Los perros."})
    embed()
    found(keeper, "gatos")
    add_law("ley-901-2019", {"art-9": "Los gatos."})
    embed()
    keeper._not_before = time.monotonic() + 60

    assert found(keeper, "gatos") == ["art-1"]
    keeper._not_before = time.monotonic()
    assert found(keeper, "gatos") == ["art-9", "art-1"]
    assert keeper._not_before > time.monotonic()


def held_up(keeper, monkeypatch):
    """Let files be refreshed only once what is given is set: when the question beside has been answered."""
    answered, refresh_files = threading.Event(), keeper.source.refresh
    monkeypatch.setattr(keeper.source, "refresh", lambda: answered.wait(PATIENCE_SECONDS) and refresh_files())
    return answered


@pytest.mark.django_db(transaction=True)
def test_much_at_once_is_read_beside_the_questions(keeper, monkeypatch):
    monkeypatch.setattr(vector_keeper, "ROWS_WHILE_ASKED", 5)
    add_law("ley-900-2019", {"art-1": "Los perros."})
    embed()
    assert found(keeper, "perros") == ["art-1"]
    add_law("ley-901-2019", {f"art-{number}": f"Los gatos {number}." for number in range(2, 12)})
    embed()

    answered = held_up(keeper, monkeypatch)
    at_once = found(keeper, "gatos", depth=20)
    answered.set()
    keeper._beside.join(PATIENCE_SECONDS)

    assert at_once == ["art-1"]
    assert len(found(keeper, "gatos", depth=20)) == 11


@pytest.mark.django_db(transaction=True)
def test_nothing_is_claimed_while_the_first_matrix_is_made(keeper, monkeypatch):
    monkeypatch.setattr(vector_keeper, "ROWS_WHILE_ASKED", 0)
    add_law("ley-900-2019", {"art-1": "Los perros."})
    embed()

    answered = held_up(keeper, monkeypatch)
    first = keeper.index(horizon())
    answered.set()
    keeper._beside.join(PATIENCE_SECONDS)

    assert first is None
    assert found(keeper, "perros") == ["art-1"]
