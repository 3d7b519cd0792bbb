"""Health: 200 while questions can be answered, 503 when not, and each thing that is missing or behind is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.db import OperationalError, connection
from django.test import Client, override_settings

from corpus.models import Chunk, ChunkEmbedding, EmbeddingModel, Job, Law
from search.health import Health, look
from search.indexing import catch_up

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    cache.clear()


@pytest.fixture
def answering(db: None, indexes: None, examples_dir: Path) -> None:
    """The examples, embedded and indexed, for one test."""
    call_command("import_laws", str(examples_dir), verbosity=0)
    call_command("embed_chunks", verbosity=0)
    catch_up()


def wrong(health: Health) -> dict[str, str]:
    """Give the status of everything that is not well."""
    checks = {name: getattr(health.checks, name).status for name in type(health.checks).model_fields}
    return {name: status for name, status in checks.items() if status != "ok"}


def ask(expect: int) -> dict[str, Any]:
    response = Client().get("/api/v1/health")
    assert response.status_code == expect
    body: dict[str, Any] = response.json()
    return body


@pytest.mark.usefixtures("answering")
def test_all_is_well() -> None:
    body = ask(200)
    assert body["status"] == "ok"
    chunks = Chunk.objects.count()
    assert body["checks"] == {
        "database": {"status": "ok", "detail": ""},
        "vector_extension": {"status": "ok", "detail": ""},
        "corpus": {"status": "ok", "detail": "", "revision": body["checks"]["corpus"]["revision"], "laws": 5},
        "lexical_index": {
            "status": "ok",
            "detail": "",
            "revision": body["checks"]["corpus"]["revision"],
            "lag": 0,
            "orphans": 0,
        },
        "embedder": {"status": "ok", "detail": "", "fingerprint": "hashing-64"},
        "vectors": {
            "status": "ok",
            "detail": "",
            "model": "hashing-64",
            "chunks": chunks,
            "chunks_with_vector": chunks,
        },
        "worker": {"status": "ok", "detail": "", "waiting": 0},
    }


@pytest.mark.usefixtures("answering")
def test_looking_is_cheap(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(8):
        look()
    with django_assert_num_queries(6):
        look()


@pytest.mark.usefixtures("indexes")
def test_an_empty_corpus_can_answer() -> None:
    health = look()
    assert health.status == "degraded"
    assert wrong(health) == {"lexical_index": "failed", "vectors": "failed"}


@pytest.mark.usefixtures("answering")
def test_a_deleted_law_is_an_orphan_until_the_index_knows() -> None:
    Law.objects.get(key="ley-992-2022").delete()
    index = look().checks.lexical_index
    assert (index.status, index.lag, index.orphans) == ("degraded", 1, 1)
    catch_up()
    index = look().checks.lexical_index
    assert (index.status, index.lag, index.orphans) == ("ok", 0, 0)


@pytest.mark.usefixtures("answering")
def test_an_index_that_is_away_leaves_the_semantic_arm(tmp_path: Path) -> None:
    with override_settings(LEXICAL_INDEX_DIR=tmp_path / "nowhere"):
        health = look()
    assert (health.status, wrong(health)) == ("degraded", {"lexical_index": "failed"})


@pytest.mark.usefixtures("answering")
def test_both_arms_away_is_unavailable(tmp_path: Path) -> None:
    EmbeddingModel.objects.all().delete()
    with override_settings(LEXICAL_INDEX_DIR=tmp_path / "nowhere"):
        body = ask(503)
    assert body["status"] == "unavailable"


@pytest.mark.usefixtures("answering")
def test_a_missing_embedder_is_named() -> None:
    with override_settings(EMBEDDER="corpus.embedding.Nothing"):
        health = look()
    assert health.status == "degraded"
    assert wrong(health) == {"embedder": "degraded", "vectors": "failed"}
    assert "Nothing" in health.checks.embedder.detail


@pytest.mark.usefixtures("answering")
def test_vectors_of_another_model_are_named() -> None:
    EmbeddingModel.objects.update(fingerprint="another-768")
    health = look()
    assert (health.status, wrong(health)) == ("degraded", {"vectors": "failed"})
    assert "embed_chunks" in health.checks.vectors.detail


@pytest.mark.usefixtures("answering")
def test_missing_vectors_are_counted() -> None:
    ChunkEmbedding.objects.filter(pk__in=list(ChunkEmbedding.objects.values_list("pk", flat=True)[:10])).delete()
    vectors = look().checks.vectors
    assert vectors.status == "degraded"
    assert vectors.chunks is not None
    assert vectors.chunks_with_vector is not None
    assert vectors.chunks - vectors.chunks_with_vector >= 10


def test_probes_find_it_at_the_root_too() -> None:
    for path in ("/health", "/health/live", "/health/ready"):
        at_root, in_api = Client().get(path), Client().get(f"/api/v1{path}")
        assert (at_root.status_code, set(at_root.json())) == (in_api.status_code, set(in_api.json()))
        assert at_root["Content-Type"] == "application/json; charset=utf-8"


def test_a_database_that_is_away_is_unavailable() -> None:
    def away(*_: object) -> None:
        raise OperationalError("the server closed\nthe connection")

    with connection.execute_wrapper(away):
        body = ask(503)
    assert body["status"] == "unavailable"
    assert body["checks"]["database"] == {"status": "failed", "detail": "the server closed the connection"}


@pytest.mark.usefixtures("answering")
def test_jobs_that_nobody_carries_out_are_told() -> None:
    Job.objects.create(task=Job.Task.EMBED)
    worker = look().checks.worker
    assert (worker.status, worker.waiting) == ("degraded", 1)


@pytest.mark.usefixtures("answering")
def test_a_lost_extension_is_named() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP EXTENSION vector CASCADE")
    health = look()
    assert (health.status, wrong(health)) == ("degraded", {"vector_extension": "failed", "vectors": "failed"})
