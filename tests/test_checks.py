"""Django's system checks of corpus and search: each fault by its stable id."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core import checks
from django.core.management import call_command
from django.db import connection, transaction
from django.test import override_settings

from corpus.checks import check_embedding_model
from corpus.models import CorpusChange, EmbeddingModel
from search.checks import check_lexical_index
from search.indexing import catch_up

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.django_db


def found() -> list[str]:
    """Give the ids of what the checks of this project say."""
    messages = checks.run_checks(databases=["default"])
    return sorted(one.id for one in messages if one.id and one.id.split(".")[0] in ("corpus", "search"))


@pytest.fixture
def _examples(indexes: None, examples_dir: Path) -> None:
    call_command("import_laws", str(examples_dir), verbosity=0)


@pytest.mark.usefixtures("indexes")
def test_an_empty_corpus_is_well() -> None:
    assert found() == []


@pytest.mark.usefixtures("_examples")
def test_a_missing_index_is_w001() -> None:
    assert found() == ["search.W001"]
    catch_up()
    assert found() == []


@pytest.mark.usefixtures("_examples")
def test_an_index_older_than_the_corpus_is_w002() -> None:
    catch_up()
    CorpusChange.objects.create(law_id=1)
    assert found() == ["search.W002"]


@pytest.mark.usefixtures("indexes")
def test_an_embedder_that_is_no_class_is_e002_and_cannot_be_loaded() -> None:
    with override_settings(EMBEDDER="corpus.embedding.Nothing"):
        assert found() == ["corpus.E002", "corpus.W001"]


@pytest.mark.usefixtures("indexes")
def test_vectors_of_a_model_that_no_embedder_speaks_are_w002() -> None:
    EmbeddingModel.objects.create(fingerprint="another-768", dimensions=768, state="active")
    assert found() == ["corpus.W002"]


@pytest.mark.usefixtures("indexes")
def test_a_database_that_lost_the_extension_is_e001() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP EXTENSION vector CASCADE")
    assert found() == ["corpus.E001"]


@pytest.mark.parametrize("check", [check_lexical_index, check_embedding_model])
def test_tables_that_are_not_there_yet_are_no_fault(check: Callable[..., list[checks.CheckMessage]]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE corpus_corpuschange RENAME TO gone_changes")
        cursor.execute("ALTER TABLE corpus_embeddingmodel RENAME TO gone_models")
    before = transaction.savepoint()
    assert check(databases=["default"]) == []
    transaction.savepoint_rollback(before)


def test_without_a_database_only_the_settings_are_looked_at() -> None:
    with override_settings(EMBEDDER="corpus.embedding.Nothing"):
        messages = checks.run_checks()
    assert [one.id for one in messages if one.id and one.id.startswith("corpus.")] == ["corpus.E002"]
