"""Jobs in the admin: asked for by forms, followed, cancelled, asked for again; nothing is done in a request."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from corpus import jobs
from corpus.jobs import State, Task
from corpus.models import ImportEntry, ImportRun, Job, Law

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db
IMPORT = "/admin/corpus/job/import/"


@pytest.fixture(autouse=True)
def _own_uploads(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "uploads"


def page_of(job: Job) -> str:
    return reverse("admin:corpus_job_change", args=[job.pk])


def files(*names: str, data: bytes = b"<response/>") -> dict[str, Any]:
    return {"texts": [SimpleUploadedFile(name, data) for name in names], "form": "files", "embed": "on"}


def test_an_upload_is_kept_and_queued_and_nothing_else(admin_client: Client, tmp_path: Path) -> None:
    response = admin_client.post(IMPORT, files("a.xml", "b.zip"))
    job = Job.objects.get()
    assert (response.status_code, response["Location"]) == (302, page_of(job))
    assert (job.task, job.state, job.arguments["names"]) == (Task.IMPORT_FILES, State.QUEUED, ["a.xml", "b.zip"])
    assert (job.arguments["embed"], job.arguments["force"], job.requested_by.username) == (True, False, "admin")  # type: ignore[union-attr]
    kept = tmp_path / "uploads" / job.arguments["upload"] / "received"
    assert sorted(path.name for path in kept.iterdir()) == ["a.xml", "b.zip"]
    assert not Law.objects.exists()


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (files("a.pdf"), "«a.pdf»: no es un fichero .xml, .akn, .md ni .zip."),
        (files("a.xml", data=b""), "«a.xml»: está vacío."),
        ({"form": "files"}, "No se ha elegido ningún fichero."),
        ({"form": "ids", "boe-ids": "BOE-A-2003-23186, ley 58"}, "«ley» no es un identificador del BOE."),
        ({"form": "ids", "boe-ids": " "}, "Este campo es obligatorio."),
    ],
)
def test_what_is_not_taken_is_named_on_the_form(sent: dict[str, Any], reason: str, admin_client: Client) -> None:
    response = admin_client.post(IMPORT, sent)
    assert response.status_code == 200
    assert reason in response.content.decode()
    assert not Job.objects.exists()


def test_laws_of_the_boe_are_asked_for_by_id(admin_client: Client) -> None:
    admin_client.post(IMPORT, {"form": "ids", "boe-ids": "BOE-A-2003-23186\nBOE-A-1978-31229,BOE-A-2003-23186"})
    job = Job.objects.get()
    assert job.arguments == {"ids": ["BOE-A-2003-23186", "BOE-A-1978-31229"], "embed": False, "force": False}


@pytest.mark.parametrize("task", ["embed", "rebuild_indexes", "link_citations", "import_boe"])
def test_a_button_queues_its_job_once(task: str, admin_client: Client) -> None:
    for _ in range(2):
        assert admin_client.post(f"/admin/corpus/job/ask/{task}/").status_code == 302
    assert Job.objects.get().task == task


@pytest.mark.parametrize("task", ["delete_laws", "import_files", "nada"])
def test_what_needs_more_than_a_button_is_not_asked_for_by_one(task: str, admin_client: Client) -> None:
    assert admin_client.post(f"/admin/corpus/job/ask/{task}/").status_code == 404


def test_buttons_take_no_get(admin_client: Client) -> None:
    job = jobs.ask(Task.EMBED)
    for name, arguments in (("ask", ["embed"]), ("cancel", [job.pk]), ("retry", [job.pk])):
        assert admin_client.get(reverse(f"admin:corpus_job_{name}", args=arguments)).status_code == 405


def running(**values: Any) -> Job:
    run = ImportRun.objects.create(source="x.zip", created=3, failed=1)
    ImportEntry.objects.create(
        run=run, path="x.zip/a.xml", law_key="ley-1-2001", outcome="updated",
        changes={"versions_added": {"art-1": ["2025-01-01"]}},
        warnings=[{"kind": "bad_date", "block": "a<1>", "detail": "99999999"}],
    )  # fmt: skip
    ImportEntry.objects.create(run=run, path="x.zip/b.xml", outcome="failed", detail="x.zip/b.xml, line 3: mal")
    job = jobs.ask(Task.IMPORT_FILES, {"upload": "0" * 32, "names": ["x.zip"]})
    values = {"state": State.RUNNING, "started_at": timezone.now(), "done": 4, "total": 10, "run": run} | values
    Job.objects.filter(pk=job.pk).update(**values)
    return Job.objects.get(pk=job.pk)


def test_a_page_follows_its_job(admin_client: Client, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    job = running()
    page = admin_client.get(page_of(job)).content.decode()
    assert "4 / 10 (40 %)" in page
    assert f'hx-get="/admin/corpus/job/{job.pk}/progress/"' in page
    assert "x.zip/b.xml, line 3: mal" in page
    assert "<strong>bad_date</strong> <code>a&lt;1&gt;</code> 99999999" in page
    assert "<strong>redacciones nuevas</strong> art-1 (2025-01-01)" in page
    with django_assert_num_queries(4):
        part = admin_client.get(f"/admin/corpus/job/{job.pk}/progress/")
    assert part.content.decode().strip().startswith('<div id="job-progress"')
    assert "HX-Refresh" not in part


def test_a_page_stops_asking_when_its_job_is_over(admin_client: Client) -> None:
    job = running(state=State.FAILED, detail="no hay sitio", finished_at=timezone.now())
    page = admin_client.get(page_of(job)).content.decode()
    assert "hx-get" not in page
    assert "no hay sitio" in page
    assert admin_client.get(f"/admin/corpus/job/{job.pk}/progress/")["HX-Refresh"] == "true"


def test_a_job_is_cancelled_and_asked_for_again(admin_client: Client) -> None:
    job = running()
    admin_client.post(f"/admin/corpus/job/{job.pk}/cancel/")
    job.refresh_from_db()
    assert (job.state, job.is_stopping) == (State.RUNNING, True)
    Job.objects.filter(pk=job.pk).update(state=State.CANCELLED)
    response = admin_client.post(f"/admin/corpus/job/{job.pk}/retry/")
    again = Job.objects.exclude(pk=job.pk).get()
    assert (response["Location"], again.state, again.arguments) == (page_of(again), State.QUEUED, job.arguments)


def test_a_list_of_jobs_costs_the_same_for_many(
    admin_client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(7):
        running()
    with django_assert_num_queries(5):
        page = admin_client.get("/admin/corpus/job/").content.decode()
    assert "4 / 10" in page
    assert "Ningún proceso está atendiendo los trabajos" in page


def test_staff_without_the_permission_asks_for_nothing(client: Client, django_user_model: type[User]) -> None:
    client.force_login(django_user_model.objects.create_user("lector", password="x", is_staff=True))
    job = running()
    assert client.get(IMPORT).status_code == 403
    assert client.post("/admin/corpus/job/ask/embed/").status_code == 403
    assert client.post(f"/admin/corpus/job/{job.pk}/cancel/").status_code == 403
    assert client.get(f"/admin/corpus/job/{job.pk}/progress/").status_code == 403
    assert client.get(page_of(job)).status_code == 403


def test_nobody_from_outside_asks_for_anything(client: Client) -> None:
    assert client.post(IMPORT, files("a.xml"))["Location"].startswith("/admin/login/")
    assert not Job.objects.exists()
