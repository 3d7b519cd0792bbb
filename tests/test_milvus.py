"""Milvus follows the database as the matrix does, answers through the semantic arm, and is missed politely."""

from __future__ import annotations

import io
from datetime import date

import pytest
from django.core.management import call_command

from corpus.models import ArticleVersion, Chunk, ChunkEmbedding, CorpusChange, EmbeddingModel
from search import milvus_feed, milvus_server, semantic
from search.candidates import ArmUnavailable
from search.filters import Filters
from search.milvus_feed import Collections, refresh
from search.milvus_server import Milvus
from search.vector_horizon import Horizon
from search.vector_keeper import Keeper
from tests.embedders import HashingEmbedder
from tests.law_builder import add_article, add_law
from tests.milvus_lite import milvus_lite

TODAY = Filters(date(2026, 1, 1))
EMBEDDER = HashingEmbedder()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with milvus_lite(tmp_path_factory.mktemp("milvus")) as running:
        yield running


@pytest.fixture
def keeper(server, db):
    return Keeper(Collections(server))


def embed():
    call_command("embed_chunks", stdout=io.StringIO(), stderr=io.StringIO())


def horizon() -> Horizon:
    now = Horizon.now()
    assert now is not None
    return now


def found(keeper, question, filters=TODAY, depth=10):
    """Give the keys of what is found, best first."""
    candidates = keeper.index(horizon()).search(EMBEDDER.query(question), filters, depth)
    keys = dict(ArticleVersion.objects.values_list("pk", "article__key"))
    return [keys.get(candidate.version_id, "gone") for candidate in candidates]


@pytest.fixture
def dogs(db):
    law = add_law("ley-900-2019", {"art-1": "Los perros irán atados.", "art-2": "La multa será de 90 euros."})
    embed()
    return law


def test_what_changes_is_found_or_found_no_more(dogs, keeper):
    assert found(keeper, "perros atados") == ["art-1", "art-2"]

    other = add_law("ley-901-2019", {"art-7": "Los gatos irán sueltos."})
    assert len(found(keeper, "gatos sueltos")) == 2  # it has no vectors yet
    embed()
    assert found(keeper, "gatos sueltos")[0] == "art-7"

    other.rank = "rd"
    other.save()
    CorpusChange.objects.create(law_id=other.pk)
    assert found(keeper, "gatos", Filters(TODAY.on, ranks=("rd",))) == ["art-7"]

    version = ArticleVersion.objects.get(article__key="art-7")
    ArticleVersion.objects.filter(pk=version.pk).update(valid_from=date(2030, 1, 1))
    CorpusChange.objects.create(law_id=other.pk, article_id=version.article_id)
    assert "art-7" not in found(keeper, "gatos")
    assert found(keeper, "gatos", Filters(date(2031, 1, 1)))[0] == "art-7"

    other.delete()
    assert found(keeper, "gatos", Filters(date(2031, 1, 1))) == ["art-2", "art-1"]


def test_unchanged_database_is_not_written_again(dogs, keeper, server, monkeypatch):
    found(keeper, "perros")
    monkeypatch.setattr(server, "replace", None)

    assert found(keeper, "perros")[0] == "art-1"
    assert refresh(server) is True


def test_file_that_is_opened_again_answers(dogs, tmp_path):
    for _ in range(2):
        with milvus_lite(tmp_path) as server:
            assert found(Keeper(Collections(server)), "perros atados") == ["art-1", "art-2"]


def test_equal_texts_come_in_one_order(dogs, keeper):
    law = add_law("ley-902-2019", {})
    for number in range(30):
        add_article(law, f"art-{100 + number}", "Texto idéntico.", label="Artículo")
    CorpusChange.objects.create(law_id=law.pk)
    embed()
    only = Filters(TODAY.on, laws=("ley-902-2019",))
    everything = found(keeper, "texto idéntico", only, 30)

    assert everything == sorted(everything)
    assert len(everything) == 30
    assert found(keeper, "texto idéntico", only, 3) == everything[:3]


def test_rebuilt_collection_serves_who_had_the_old_one(dogs, keeper, server):
    index = keeper.index(horizon())

    refresh(server, rebuild=True)

    assert len(index.search(EMBEDDER.query("perros"), TODAY, 10)) == 2


def test_restored_database_is_not_taken_for_the_old_one(dogs, keeper):
    found(keeper, "perros")
    ChunkEmbedding.objects.filter(pk=horizon().last_vector).update(sha256="f" * 64)
    Chunk.objects.filter(version__article__key="art-2").delete()

    CorpusChange.objects.create(law_id=0)

    assert found(keeper, "multa") == ["art-1"]


def test_vectors_of_another_model_are_never_compared(dogs, keeper, settings):
    found(keeper, "perros")
    settings.EMBEDDER = "tests.test_embed_chunks.WiderEmbedder"
    embed()

    index = keeper.index(horizon())

    assert index.horizon.fingerprint == "wider-96"
    assert EmbeddingModel.objects.get(state="active").fingerprint == "wider-96"


@pytest.fixture
def configured(server, settings, monkeypatch):
    settings.VECTOR_INDEX = "milvus"
    monkeypatch.setattr(semantic, "milvus", lambda: server)
    monkeypatch.setattr(milvus_feed, "milvus", lambda: server)


def test_semantic_arm_answers_from_milvus(dogs, configured):
    semantic.refresh()

    ranking = semantic.rank("perros atados", TODAY, 1)

    (first,) = ranking.candidates
    text = ArticleVersion.objects.get(pk=first.version_id).text
    assert (text[first.start : first.end], ranking.fingerprint) == ("Los perros irán atados.", "hashing-64")
    assert semantic.is_up_to_date(horizon()) is False  # replicas of a cluster may not have it yet


def test_milvus_that_is_down_is_a_missing_arm_at_once(dogs, settings, monkeypatch):
    settings.VECTOR_INDEX = "milvus"
    settings.MILVUS = {"uri": "http://127.0.0.1:9", "token": "", "collection": "test", "seconds": 1.0}

    reasons = [semantic.rank("perros", TODAY, 1).reason_missing or "" for _ in range(4)]

    assert all("Milvus does not answer" in reason for reason in reasons)
    assert "tried again in" in reasons[-1]
    with pytest.raises(OSError, match="Milvus does not answer"):
        semantic.refresh()


def test_package_that_is_missing_is_named(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(milvus_server, "import_module", missing)

    with pytest.raises(ArmUnavailable, match="the extra milvus"):
        Milvus("x.db", "", "test", 1.0)
