"""The admin: everything browsable at a fixed number of queries, nothing from a source typed over, deletes logged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from django.urls import reverse

from corpus.models import (
    Article,
    ArticleVersion,
    Chunk,
    CorpusChange,
    EmbeddingModel,
    ImportEntry,
    ImportRun,
    Job,
    Law,
)

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.db.models import Model
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = [pytest.mark.usefixtures("live"), pytest.mark.django_db]

# Session and user, then Django's count of what is found, the rows, and for small tables the count of all; above
# the laws, the state of index and vectors too.
QUERIES = {
    Law: 16,
    Article: 6,
    ArticleVersion: 6,
    Chunk: 5,
    EmbeddingModel: 5,
    ImportRun: 5,
    ImportEntry: 6,
    CorpusChange: 4,
}


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    cache.clear()


def changelist(model: type[Model]) -> str:
    return reverse(f"admin:corpus_{model._meta.model_name}_changelist")


def change(row: Model) -> str:
    return reverse(f"admin:corpus_{row._meta.model_name}_change", args=[row.pk])


def found(client: Client, model: type[Model], **params: str) -> list[str]:
    response = client.get(changelist(model), params)
    assert response.status_code == 200
    return [str(row) for row in response.context["cl"].result_list]


@pytest.mark.parametrize(("model", "queries"), QUERIES.items())
def test_a_list_takes_a_fixed_number_of_queries(
    model: type[Model], queries: int, admin_client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(queries):
        response = admin_client.get(changelist(model))
    assert response.context["cl"].result_count > 0


@pytest.mark.parametrize("model", QUERIES)
def test_a_row_is_shown_without_a_form(model: type[Model], admin_client: Client) -> None:
    response = admin_client.get(change(model._default_manager.all()[0]))
    assert response.status_code == 200
    assert "_save" not in response.content.decode()


@pytest.mark.parametrize("model", QUERIES)
def test_nothing_is_added_by_hand(model: type[Model], admin_client: Client) -> None:
    assert admin_client.get(f"{changelist(model)}add/").status_code == 403


@pytest.mark.parametrize("model", [Law, Article, ArticleVersion, Chunk])
def test_a_text_of_a_source_is_not_changed_by_hand(model: type[Model], admin_client: Client) -> None:
    row = model._default_manager.all()[0]
    assert admin_client.post(change(row), {"text": "otra cosa", "title": "otra"}).status_code == 403


@pytest.mark.parametrize("model", [Article, ArticleVersion, Chunk, CorpusChange])
def test_a_part_of_a_law_is_not_deleted_alone(model: type[Model], admin_client: Client) -> None:
    row = model._default_manager.all()[0]
    address = reverse(f"admin:corpus_{model._meta.model_name}_delete", args=[row.pk])
    assert admin_client.post(address, {"post": "yes"}).status_code == 403
    assert model._default_manager.filter(pk=row.pk).exists()


def test_a_law_id_finds_that_law_and_no_namesake(admin_client: Client) -> None:
    assert [row.split(",")[0] for row in found(admin_client, Law, q="ley-990-2019")] == ["Ley 990/2019"]
    assert len(found(admin_client, Law, q="990/2019")) == 2
    assert len(found(admin_client, Article, q="es-ga-ley-990-2019")) == 5


def test_a_citation_finds_its_article_and_no_neighbour(admin_client: Client) -> None:
    assert found(admin_client, Article, q="ley-990-2019:art-1") == ["ley-990-2019:art-1"]
    assert found(admin_client, ArticleVersion, q="LEY-990-2019:ART-11") == [
        "ley-990-2019:art-11 (2019-04-01 – 2022-06-30)",
        "ley-990-2019:art-11 (2022-07-01 – 2025-03-31)",
        "ley-990-2019:art-11 (2025-04-01 – )",
    ]
    assert len(found(admin_client, Chunk, q="ley-990-2019:art-11")) == 3
    assert found(admin_client, CorpusChange, q="ley-990-2019") != []


def test_words_find_a_heading(admin_client: Client) -> None:
    assert found(admin_client, Article, q="reintegro") == ["orden-hac-9993-2023:art-9"]


@pytest.mark.parametrize("model", QUERIES)
@pytest.mark.parametrize("search", ["\0", "iva\0", "%", "'", "art-1@", "9" * 40, "ley:art-1:2", "ñ" * 3000])
def test_any_search_is_answered(model: type[Model], search: str, admin_client: Client) -> None:
    assert admin_client.get(changelist(model), {"q": search}).status_code == 200


def test_filters_narrow_the_lists(admin_client: Client) -> None:
    assert found(admin_client, Law, status__exact="repealed") == [
        "Ley 990/2019, de fomento del alojamiento rural de Galicia (norma inventada)"
    ]
    repealed = found(admin_client, ArticleVersion, status__exact="repealed")
    assert "ley-990-2019:art-6 (2024-07-01 – )" in repealed
    assert len(repealed) == 4


def test_a_law_shows_what_is_held_and_embedded(admin_client: Client) -> None:
    law = admin_client.get(changelist(Law), {"q": "ley-990-2019"}).context["cl"].result_list[0]
    chunks = Chunk.objects.filter(version__article__law=law).count()
    assert (law.article_count, law.version_count) == (28, 33)
    assert law.chunk_count == law.embedded_count == chunks > 28
    page = admin_client.get(change(law)).content.decode()
    assert f"{chunks} / {chunks}" in page


def test_a_chunk_without_vector_is_told_apart(admin_client: Client) -> None:
    EmbeddingModel.objects.update(state=EmbeddingModel.State.RETIRED)
    rows = admin_client.get(changelist(Chunk)).context["cl"].result_list
    assert {row.is_embedded for row in rows} == {False}


def test_a_law_that_is_not_yet_indexed_is_told_apart(admin_client: Client) -> None:
    page = admin_client.get(changelist(Law))
    assert [line["tone"] for line in page.context["state"]] == ["success", "success"]
    CorpusChange.objects.create(law_id=Law.objects.get(key="ley-992-2022").pk)
    page = admin_client.get(changelist(Law))
    assert {law.key for law in page.context["cl"].result_list if law.is_pending} == {"ley-992-2022"}
    assert "Al índice léxico le faltan cambios." in page.content.decode()


def test_an_import_run_shows_its_laws(admin_client: Client) -> None:
    run = ImportRun.objects.get()
    page = admin_client.get(change(run)).content.decode()
    assert (run.state, run.created) == ("done", 5)
    assert all(key in page for key in Law.objects.values_list("key", flat=True))


def test_a_warning_of_the_source_is_shown_and_escaped(admin_client: Client) -> None:
    law = Law.objects.get(key="ley-992-2022")
    law.warnings = [{"kind": "bad_date", "block": "a1", "detail": "<script>alert(1)</script>"}]
    law.save()
    page = admin_client.get(change(law)).content.decode()
    assert "bad_date" in page
    assert "<script>alert(1)</script>" not in page


def queued(task: str) -> list[dict[str, list[str]]]:
    return list(Job.objects.filter(task=task, state="queued").values_list("arguments", flat=True))


def test_deleting_a_law_is_left_to_a_job_and_says_what_else_goes(admin_client: Client) -> None:
    law = Law.objects.get(key="ley-992-2022")
    address = reverse("admin:corpus_law_delete", args=[law.pk])
    asked = admin_client.get(address)
    assert "ley-992-2022" in asked.content.decode()
    counts = dict(asked.context["model_count"])
    chunks = Chunk.objects.filter(version__article__law=law)
    assert counts == {
        "normas": 1,
        "artículos": law.articles.count(),
        "redacciones": ArticleVersion.objects.filter(article__law=law).count(),
        "fragmentos": chunks.count(),
        "vectores": chunks.values("sha256").distinct().count(),
        "citas que hacen": 0,
        "citas que reciben y quedan sin destino": 0,
    }
    assert admin_client.post(address, {"post": "yes"}).status_code == 302
    assert Law.objects.filter(key="ley-992-2022").exists()
    assert queued("delete_laws") == [{"laws": ["ley-992-2022"]}]


@pytest.mark.parametrize(("action", "task"), [("delete_laws", "delete_laws"), ("embed_anew", "embed_anew")])
def test_several_laws_are_left_to_one_job_once_it_is_confirmed(action: str, task: str, admin_client: Client) -> None:
    laws = list(Law.objects.filter(key__endswith="ley-990-2019"))
    chosen = {"action": action, "_selected_action": [law.pk for law in laws]}
    confirmation = admin_client.post(changelist(Law), chosen)
    assert "es-ga-ley-990-2019" in confirmation.content.decode()
    assert confirmation.context["counts"]["normas"] == 2
    assert queued(task) == []
    admin_client.post(changelist(Law), chosen | {"post": "yes"})
    assert (Law.objects.count(), queued(task)) == (5, [{"laws": ["es-ga-ley-990-2019", "ley-990-2019"]}])


def test_nothing_is_deleted_in_a_request(admin_client: Client) -> None:
    page = admin_client.get(changelist(Law))
    assert [name for name, _ in page.context["action_form"].fields["action"].choices] == [
        "",
        "embed_anew",
        "delete_laws",
    ]


def test_asking_to_delete_costs_the_same_for_a_code(
    admin_client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    law = Law.objects.get(key="ley-990-2019")
    with django_assert_num_queries(11):
        admin_client.get(reverse("admin:corpus_law_delete", args=[law.pk]))


def test_staff_without_the_permission_deletes_nothing(client: Client, django_user_model: type[User]) -> None:
    staff = django_user_model.objects.create_user("lector", password="x", is_staff=True)
    client.force_login(staff)
    law = Law.objects.get(key="ley-992-2022")
    assert client.post(reverse("admin:corpus_law_delete", args=[law.pk]), {"post": "yes"}).status_code == 403
    assert client.get(changelist(Law)).status_code == 403
