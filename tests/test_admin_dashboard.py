"""The admin's front page: whether the corpus is current, complete, indexed, embedded; what failed or was not found."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import Permission
from django.core.cache import cache
from django.core.management import call_command
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateWorker

from corpus import jobs
from corpus.jobs import State, Task
from corpus.models import CorpusChange, ImportEntry, ImportRun, Job
from search import dashboard
from search.models import QueryLog
from tests.law_builder import add_law

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("indexes")]


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    cache.clear()


def answers() -> dict[str, tuple[str, str]]:
    return {card.question: (card.tone, card.answer) for card in dashboard.look().cards}


def test_an_empty_corpus_is_told_as_one() -> None:
    assert answers() == {
        "¿Está al día?": ("attention", "Todavía no hay ninguna norma."),
        "¿Está completo?": ("ok", "Sí: de cada fuente se conserva al menos el 99,5 %."),
        "¿Está indexado?": ("wrong", "No hay índice léxico, o se está haciendo."),
        "¿Tiene vectores?": ("wrong", "Ninguno: sólo se busca por palabras."),
        "¿Están enlazadas las citas?": ("attention", "Faltan textos por leer."),
        "¿Se atienden los trabajos?": ("wrong", "No: arranque «serve» o «run_jobs»."),
    }


def test_all_is_well_when_it_is(settings: Any) -> None:
    settings.PROCRASTINATE_READONLY_MODELS = False
    add_law("ley-1-2001", {"art-1": "Uno."}, fetched_at=timezone.now(), characters_in_source=10, characters_kept=10)
    ImportRun.objects.create(source="x", state=ImportRun.State.DONE)
    for command in ("embed_chunks", "index_corpus", "link_citations"):
        call_command(command, verbosity=0)
    ProcrastinateWorker.objects.create(last_heartbeat=timezone.now())
    assert {tone for tone, _ in answers().values()} == {"ok"}


def test_what_is_behind_or_failed_is_named(admin_client: Client) -> None:
    law = add_law("ley-1-2001", {"art-1": "Uno.", "art-3": "Tres."}, characters_in_source=100, characters_kept=10)
    call_command("index_corpus", verbosity=0)
    call_command("embed_chunks", "--limit", "1", verbosity=0)
    CorpusChange.objects.create(law_id=law.pk)
    run = ImportRun.objects.create(source="x", state=ImportRun.State.FAILED)
    ImportEntry.objects.create(run=run, path="roto.xml", outcome="failed", detail="roto.xml, line 3: no es XML")
    Job.objects.filter(pk=jobs.ask(Task.EMBED).pk).update(state=State.FAILED, detail="sin sitio en el disco")
    told = answers()
    assert told["¿Está al día?"] == ("wrong", "La última importación tuvo errores.")
    assert told["¿Está completo?"] == ("attention", "1 norma ha perdido texto.")
    assert told["¿Está indexado?"] == ("attention", "Falta 1 cambio.")
    assert told["¿Tiene vectores?"] == ("attention", "A 1 fragmento le falta el vector.")
    page = admin_client.get("/admin/").content.decode()
    assert "roto.xml, line 3: no es XML" in page
    assert "sin sitio en el disco" in page


def ask(query: str, total: int, confidence: float = 0.9, days_ago: int = 0) -> None:
    """Add a question to the log."""
    QueryLog.objects.create(
        at=timezone.now() - timedelta(days=days_ago), channel="page", query=query, asked_mode="auto", mode="hybrid",
        corpus_revision=1, milliseconds=10.0, total=total, confidence=confidence,
    )  # fmt: skip


def test_what_is_searched_for_and_not_found_is_told(admin_client: Client, settings: Any) -> None:
    assert "No se sabe: el registro de consultas está apagado" in admin_client.get("/admin/").content.decode()
    settings.QUERY_LOG = True
    assert "Esta semana no se ha preguntado nada." in admin_client.get("/admin/").content.decode()
    for query in ("Bozal", "bozal", "<b>correa</b>"):
        ask(query, 0)
    ask("perros", 5)
    ask("gatos", 5, confidence=0.01)
    ask("loros", 0, days_ago=8)
    card = dashboard.look(may_read_questions=True).cards[-1]
    assert (card.tone, card.answer) == ("attention", "Esta semana, 3 de 5 consultas sin resultados.")
    assert card.facts == ("Lo que más: «bozal» (2), «<b>correa</b>» (1).", "Con poca confianza: 1.")
    page = admin_client.get("/admin/").content.decode()
    assert "&lt;b&gt;correa" in page
    assert f'href="{card.url}"' in page


def test_questions_are_not_told_to_who_may_not_read_them(
    client: Client, django_user_model: type[User], settings: Any
) -> None:
    settings.QUERY_LOG = True
    ask("bozal", 0)
    reader = django_user_model.objects.create_user("lectora", password="x", is_staff=True)
    reader.user_permissions.add(Permission.objects.get(codename="view_law"))
    client.force_login(reader)
    page = client.get("/admin/").content.decode()
    assert "state-cards" in page
    assert "bozal" not in page


def test_the_front_page_costs_the_same_for_many_laws(
    admin_client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(40):
        add_law(f"ley-{number}-2001", {"art-1": f"Texto {number}."})
    admin_client.get("/admin/")
    with django_assert_num_queries(20):
        page = admin_client.get("/admin/").content.decode()
    assert 'action="/admin/corpus/job/ask/embed/"' in page


def test_staff_that_may_not_look_at_laws_sees_no_state(client: Client, django_user_model: type[User]) -> None:
    client.force_login(django_user_model.objects.create_user("lector", password="x", is_staff=True))
    assert "state-cards" not in client.get("/admin/").content.decode()
