"""embed_chunks: every passage gets its vector once, the useful ones first, whatever interrupts it."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from datetime import date
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from corpus import vectors
from corpus.embedding import EmbedderUnavailable
from corpus.models import ArticleVersion, Chunk, ChunkEmbedding, CorpusChange, EmbeddingModel
from search.embedding_order import most_cited_first
from search.models import CitationCount
from tests.embedders import HashingEmbedder
from tests.killing import NAMED, is_alone
from tests.law_builder import Redaction, add_article, add_law
from tests.other_process import PATIENCE_SECONDS, wait_until


class SpyEmbedder(HashingEmbedder):
    """Keeps what it was given."""

    def __init__(self):
        self.given = []

    def passages(self, texts):
        self.given.extend(texts)
        return super().passages(texts)


class WiderEmbedder(HashingEmbedder):
    """Another model, with other dimensions."""

    fingerprint = "wider-96"
    dimensions = 96

    def passages(self, texts):
        return np.hstack([super().passages(texts), np.zeros((len(texts), 32), np.float32)])


class SlowEmbedder(HashingEmbedder):
    """Takes its time, and writes every text it is given to the file named in SPY; sticks after STUCK_AFTER texts."""

    given = 0

    def passages(self, texts):
        with Path(os.environ["SPY"]).open("a") as spy:
            for text in texts:
                if self.given == int(os.environ["STUCK_AFTER"]):
                    time.sleep(600)
                spy.write(json.dumps(text) + "\n")
                self.given += 1
                time.sleep(0.01)
        return super().passages(texts)


class BrokenEmbedder(HashingEmbedder):
    """Fails whenever it is asked."""

    def passages(self, texts):
        raise EmbedderUnavailable("the endpoint refused the connection")


@pytest.fixture
def spy():
    return SpyEmbedder()


def run(*arguments):
    out, err = io.StringIO(), io.StringIO()
    call_command("embed_chunks", "--json", *arguments, stdout=out, stderr=err)
    return json.loads(out.getvalue()), err.getvalue()


def embed_all(embedder):
    model = vectors.register(embedder)
    vectors.embed(model, embedder, vectors.worth_most(model, 1000))
    return model


@pytest.mark.django_db
def test_every_passage_gets_the_vector_of_its_text():
    add_law("ley-900-2019", {"art-1": "Los perros irán atados.", "art-2": "La multa será de 90 euros."})

    summary, progress = run()

    expected = HashingEmbedder().passages(
        ["Artículo 1\nLos perros irán atados.", "Artículo 2\nLa multa será de 90 euros."]
    )
    held = {row.sha256: np.array(row.vector) for row in ChunkEmbedding.objects.all()}
    found = np.stack([held[chunk.sha256] for chunk in Chunk.objects.order_by("version__article__position")])
    assert np.allclose(found, expected, atol=1e-3)
    assert {**summary, "seconds": 0} == {
        "model": "hashing-64",
        "state": "active",
        "embedded": 2,
        "missing": 0,
        "pruned": 0,
        "seconds": 0,
        "interrupted": False,
    }
    assert progress.startswith("2 of 2 passages (100 %), ")


@pytest.mark.django_db
def test_second_run_embeds_nothing():
    add_law("ley-900-2019", {"art-1": "Los perros irán atados."})
    run()

    summary, _ = run()

    assert (summary["embedded"], summary["missing"]) == (0, 0)


@pytest.mark.django_db
def test_equal_passages_are_embedded_once(spy):
    add_law(
        "ley-900-2019",
        {
            "art-1": [
                Redaction("Entra en vigor mañana.", valid_to=date(2020, 1, 1)),
                Redaction("Entra en vigor mañana.", date(2020, 1, 2)),
            ]
        },
    )
    add_law("ley-901-2019", {"art-1": "Entra en vigor mañana."})

    embed_all(spy)

    assert spy.given == ["Artículo 1\nEntra en vigor mañana."]


@pytest.mark.django_db
def test_embedder_gets_no_prefix_and_the_stored_text_has_none(spy):
    add_law("ley-900-2019", {"art-1": "Los perros irán atados."})

    embed_all(spy)

    assert spy.given == ["Artículo 1\nLos perros irán atados."]
    assert ArticleVersion.objects.get().text == "Los perros irán atados."


@pytest.mark.django_db
def test_order_of_worth(spy):
    add_law("orden-hac-1-2020", {"art-1": "orden"})
    add_law("rd-5-2020", {"art-1": "decreto"})
    add_law("ley-1-1990", {"art-1": "ley derogada"}, status="repealed")
    law = add_law(
        "ley-2-2020",
        {
            "art-1": [
                Redaction("redacción antigua", valid_to=date(2021, 1, 1)),
                Redaction("ley vigente", date(2021, 1, 2)),
            ],
            "art-2": [Redaction("ley futura", date(2999, 1, 1))],
        },
    )
    add_article(law, "df-1", "se modifica otra ley", kind="final")
    add_article(law, "df-2", "Esta ley entrará en vigor mañana.", kind="final")
    add_article(law, "dd-unica", "queda derogado lo que se oponga", kind="repealing")

    embed_all(spy)

    assert [text.split("\n")[1] for text in spy.given] == [
        "ley vigente",
        "se modifica otra ley",
        "decreto",
        "orden",
        "Esta ley entrará en vigor mañana.",
        "queda derogado lo que se oponga",
        "ley derogada",
        "redacción antigua",
        "ley futura",
    ]


@pytest.mark.django_db
def test_most_cited_provisions_come_first():
    law = add_law("ley-2-2020", {"art-1": "nadie lo cita", "art-2": "uno lo cita", "art-3": "muchos lo citan"})
    order = add_law("orden-hac-1-2020", {"art-1": "muy citada, pero orden"})
    for article, citing in (
        (law.articles.get(key="art-2"), 1),
        (law.articles.get(key="art-3"), 30),
        (order.articles.get(), 99),
    ):
        CitationCount.objects.create(article=article, citing=citing)

    first = vectors.worth_most(vectors.register(HashingEmbedder()), 10, among_equals=most_cited_first())

    places = {chunk.pk: str(chunk.version.article) for chunk in Chunk.objects.all()}
    assert [places[chunk] for chunk in first] == [
        "ley-2-2020:art-3",
        "ley-2-2020:art-2",
        "ley-2-2020:art-1",
        "orden-hac-1-2020:art-1",
    ]


@pytest.mark.django_db
def test_limit_leaves_the_rest_for_later():
    add_law("ley-900-2019", {f"art-{number}": f"texto {number}" for number in range(1, 8)})

    first, _ = run("--limit", "3", "--batch", "2")
    second, _ = run()

    assert (first["embedded"], first["missing"]) == (3, 4)
    assert (second["embedded"], second["missing"]) == (4, 0)


@pytest.mark.django_db
@pytest.mark.parametrize("arguments", [["--limit", "0"], ["--limit", "-1"], ["--batch", "x"]])
def test_options_that_make_no_sense_are_refused(arguments):
    with pytest.raises(CommandError, match="is not a number above zero"):
        call_command("embed_chunks", *arguments)


@pytest.mark.django_db
def test_corpus_without_chunks_is_no_error():
    summary, _ = run()

    assert (summary["embedded"], summary["missing"], summary["state"]) == (0, 0, "active")


@pytest.mark.django_db
def test_first_model_answers_while_it_is_still_partial():
    add_law("ley-900-2019", {"art-1": "uno", "art-2": "dos"})

    summary, _ = run("--limit", "1")

    assert (summary["state"], summary["missing"]) == ("active", 1)


@pytest.mark.django_db
def test_new_model_takes_over_only_when_complete(settings):
    add_law("ley-900-2019", {"art-1": "uno", "art-2": "dos"})
    run()
    settings.EMBEDDER = "tests.test_embed_chunks.WiderEmbedder"

    partial, _ = run("--limit", "1")
    during = EmbeddingModel.objects.get(state="active").fingerprint
    complete, _ = run()

    assert (partial["state"], during) == ("building", "hashing-64")
    assert complete["state"] == "active"
    states = dict(EmbeddingModel.objects.values_list("fingerprint", "state"))
    assert states == {"hashing-64": "retired", "wider-96": "active"}


@pytest.mark.django_db
def test_return_to_the_model_before_needs_no_new_vectors(settings):
    add_law("ley-900-2019", {"art-1": "uno"})
    run()
    settings.EMBEDDER = "tests.test_embed_chunks.WiderEmbedder"
    run()
    settings.EMBEDDER = "tests.embedders.HashingEmbedder"

    summary, _ = run()

    assert (summary["embedded"], summary["state"]) == (0, "active")


@pytest.mark.django_db
def test_prune_deletes_what_no_chunk_needs_and_retired_models(settings):
    law = add_law("ley-900-2019", {"art-1": "uno", "art-2": "dos"})
    run()
    settings.EMBEDDER = "tests.test_embed_chunks.WiderEmbedder"
    run()
    law.articles.get(key="art-2").delete()

    summary, _ = run("--prune")

    assert summary["pruned"] == 3
    assert list(EmbeddingModel.objects.values_list("fingerprint", flat=True)) == ["wider-96"]
    assert ChunkEmbedding.objects.count() == 1


@pytest.mark.django_db
def test_chunk_of_another_release_is_refused_by_name():
    add_law("ley-900-2019", {"art-1": "uno"})
    Chunk.objects.update(sha256="0" * 64)

    with pytest.raises(CommandError, match="not what this release embeds: run embed_chunks --rechunk"):
        call_command("embed_chunks")


@pytest.mark.django_db
def test_rechunk_makes_the_chunks_of_this_release_and_logs_what_changed():
    law = add_law("ley-900-2019", {"art-1": "uno", "art-2": "dos"})
    run()
    kept = Chunk.objects.get(version__article__key="art-2").pk
    Chunk.objects.filter(version__article__key="art-1").update(sha256="0" * 64)
    revision = CorpusChange.objects.latest("revision").revision

    summary, _ = run("--rechunk")

    logged = CorpusChange.objects.filter(revision__gt=revision).values_list("law_id", "article_id")
    assert list(logged) == [(law.pk, law.articles.get(key="art-1").pk)]
    assert Chunk.objects.get(version__article__key="art-2").pk == kept
    assert (summary["embedded"], summary["missing"]) == (0, 0)


@pytest.mark.django_db
def test_embedder_that_fails_stops_the_run_with_its_reason(settings):
    add_law("ley-900-2019", {"art-1": "uno"})
    settings.EMBEDDER = "tests.test_embed_chunks.BrokenEmbedder"

    with pytest.raises(CommandError, match="the endpoint refused the connection"):
        call_command("embed_chunks")

    assert not ChunkEmbedding.objects.exists()


@pytest.mark.django_db
def test_readable_summary():
    add_law("ley-900-2019", {"art-1": "uno", "art-2": "dos"})
    out = io.StringIO()

    call_command("embed_chunks", "--limit", "1", stdout=out, stderr=io.StringIO())

    assert out.getvalue().splitlines()[1:] == ["1 still without a vector", "model hashing-64 is active"]


SCRIPT = """
import sys
from django.conf import settings
settings.DATABASES["default"]["NAME"] = sys.argv[1]
settings.EMBEDDER = "tests.test_embed_chunks.SlowEmbedder"
import django
django.setup()
from django.core.management import call_command
call_command("embed_chunks", "--json", "--batch", "4")
"""


def start(spy_file, stuck_after=-1):
    """Run embed_chunks in a process of its own over the test database; it may go no further than some texts."""
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, connection.settings_dict["NAME"]],
        env={
            **os.environ, "DJANGO_SETTINGS_MODULE": "config.test_settings", "SPY": str(spy_file),
            "STUCK_AFTER": str(stuck_after), "PGAPPNAME": NAMED,
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip


def texts_in(spy_file):
    return [json.loads(line) for line in spy_file.read_text().splitlines()]


@pytest.mark.django_db(transaction=True)
def test_two_runs_at_once_share_the_work(tmp_path):
    add_law("ley-900-2019", {f"art-{number}": f"texto {number}" for number in range(1, 121)})
    spies = [tmp_path / "one", tmp_path / "two"]

    runs = [start(spy_file) for spy_file in spies]
    outputs = [run.communicate(timeout=PATIENCE_SECONDS) for run in runs]

    assert [run.returncode for run in runs] == [0, 0], outputs
    given = list(chain.from_iterable(texts_in(spy_file) for spy_file in spies if spy_file.exists()))
    assert len(given) == len(set(given)) == 120
    assert sum(json.loads(out)["embedded"] for out, _ in outputs) == 120
    assert ChunkEmbedding.objects.count() == 120


@pytest.mark.django_db(transaction=True)
def test_killed_run_is_gone_on_with(tmp_path):
    add_law("ley-900-2019", {f"art-{number}": f"texto {number}" for number in range(1, 61)})
    killed = start(tmp_path / "killed", stuck_after=20)
    wait_until(lambda: ChunkEmbedding.objects.count() >= 8)
    killed.kill()
    killed.communicate()
    wait_until(is_alone)
    kept = ChunkEmbedding.objects.count()

    again = start(tmp_path / "again")
    out, err = again.communicate(timeout=PATIENCE_SECONDS)

    assert again.returncode == 0, err
    assert json.loads(out)["embedded"] == len(texts_in(tmp_path / "again"))
    assert 8 <= kept <= 20
    assert ChunkEmbedding.objects.count() == 60
    assert len(texts_in(tmp_path / "again")) <= 60 - kept


@pytest.mark.django_db(transaction=True)
def test_interrupted_run_says_so_and_keeps_its_batches(tmp_path):
    add_law("ley-900-2019", {f"art-{number}": f"texto {number}" for number in range(1, 101)})
    interrupted = start(tmp_path / "spy", stuck_after=20)
    wait_until(lambda: ChunkEmbedding.objects.count() >= 4)

    interrupted.send_signal(signal.SIGINT)
    out, err = interrupted.communicate(timeout=PATIENCE_SECONDS)

    assert interrupted.returncode == 130, err
    assert json.loads(out)["interrupted"] is True
    assert json.loads(out)["embedded"] == ChunkEmbedding.objects.count()
