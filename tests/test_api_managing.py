"""Managing over the API: the admin's jobs, asked for by key, followed, cancelled; nobody else may."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings

from corpus.models import ImportEntry, ImportRun, Job
from tests.api_client import V1, issue

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = [pytest.mark.usefixtures("live"), pytest.mark.django_db]


@pytest.fixture
def manager() -> Callable[..., Any]:
    """Ask as somebody who has a key for it."""
    _key, secret = issue("editorial", ["manage"])

    def ask(method: str, path: str, *, expect: int, **given: Any) -> Any:
        headers = {"authorization": f"Bearer {secret}"}
        response = getattr(Client(), method)(f"{V1}{path}", headers=headers, **given)
        assert response.status_code == expect, response.content
        return response.json()

    return ask


def as_json(body: object) -> dict[str, Any]:
    return {"data": body, "content_type": "application/json"}


def test_a_law_of_the_boe_is_asked_for(manager: Callable[..., Any]) -> None:
    job = manager("post", "/imports/boe", expect=202, **as_json({"ids": ["BOE-A-2003-23186"], "embed": True}))
    assert (job["task"], job["state"], job["done"], job["total"]) == ("import_boe", "queued", 0, None)
    stored = Job.objects.get(pk=job["id"])
    assert (stored.arguments["ids"], stored.arguments["embed"]) == (["BOE-A-2003-23186"], True)
    assert stored.arguments["key"].startswith("fnd_")


@pytest.mark.parametrize("bad", ["BOE", "https://evil.example/x", "../../etc/passwd", "", "BOE-A-2003-23186/../x"])
def test_nothing_but_ids_is_fetched(manager: Callable[..., Any], bad: str) -> None:
    body = manager("post", "/imports/boe", expect=422, **as_json({"ids": ["BOE-A-2003-23186", bad]}))
    assert (body["code"], body["parameter"]) == ("unknown_value", "ids.1")
    assert not Job.objects.exists()


def test_files_are_kept_for_a_job(manager: Callable[..., Any], examples_dir: Path, tmp_path: Path) -> None:
    with override_settings(MEDIA_ROOT=tmp_path):
        file = SimpleUploadedFile("ley-992-2022.xml", (examples_dir / "ley-992-2022.xml").read_bytes())
        job = manager("post", "/imports/upload", expect=202, data={"files": file, "force": "true"})
        arguments = Job.objects.get(pk=job["id"]).arguments
        assert (arguments["names"], arguments["force"], arguments["embed"]) == (["ley-992-2022.xml"], True, False)
        assert (tmp_path / arguments["upload"] / "received" / "ley-992-2022.xml").is_file()


def test_a_file_that_is_no_text_is_refused(manager: Callable[..., Any], tmp_path: Path) -> None:
    with override_settings(MEDIA_ROOT=tmp_path):
        file = SimpleUploadedFile("virus.exe", b"MZ")
        body = manager("post", "/imports/upload", expect=422, data={"files": file})
        assert (body["code"], body["parameter"]) == ("upload_refused", "files")
        missing = manager("post", "/imports/upload", expect=422, data={})
    assert (missing["code"], missing["parameter"]) == ("missing_value", "files")
    assert list(tmp_path.iterdir()) == []


def test_vectors_are_asked_for(manager: Callable[..., Any]) -> None:
    assert manager("post", "/embeddings", expect=202, **as_json({}))["task"] == "embed"
    assert manager("post", "/embeddings", expect=202, **as_json({"laws": ["ley-990-2019"]}))["task"] == "embed_anew"
    for unprintable in ("\0", "ley-990-2019\0", "\ud800"):
        body = manager("post", "/embeddings", expect=422, **as_json({"laws": [unprintable]}))
        assert body["parameter"] == "laws.0"
    body = manager("post", "/embeddings", expect=422, **as_json({"laws": ["ley-990-2019", "ley-1-1900"]}))
    assert (body["code"], body["parameter"]) == ("unknown_value", "laws.1")
    several = manager("post", "/embeddings", expect=202, **as_json({"laws": ["BOE-A-2019-99001", "LEY-990-2019"]}))
    assert Job.objects.get(pk=several["id"]).arguments["laws"] == ["ley-990-2019"]


@pytest.mark.parametrize("laws", [[], None])
def test_no_laws_are_not_all_laws(manager: Callable[..., Any], laws: list[str] | None) -> None:
    body = manager("post", "/embeddings", expect=422, **as_json({"laws": laws}))
    assert body["parameter"] == "laws"
    assert not Job.objects.exists()


def test_a_job_has_a_number_without_underscores(manager: Callable[..., Any]) -> None:
    assert manager("get", "/jobs/1_0", expect=422)["parameter"] == "job"


def test_a_law_is_deleted_by_a_job(manager: Callable[..., Any]) -> None:
    job = manager("delete", "/laws/LEY-990-2019", expect=202)
    assert Job.objects.get(pk=job["id"]).arguments["laws"] == ["ley-990-2019"]
    assert manager("delete", "/laws/ley-1-1900", expect=404)["code"] == "law_not_in_corpus"


def test_a_job_is_followed_and_cancelled(manager: Callable[..., Any]) -> None:
    run = ImportRun.objects.create(source="api", created=1, skipped=2, failed=1)
    ImportEntry.objects.create(run=run, path="a.xml", law_key="ley-1-2000", outcome="created")
    ImportEntry.objects.create(run=run, path="b.xml", outcome="failed", detail="line 3")
    job = Job.objects.create(task=Job.Task.IMPORT_FILES, run=run, done=2, total=3)
    told = manager("get", f"/jobs/{job.pk}", expect=200)
    assert (told["state"], told["done"], told["total"]) == ("queued", 2, 3)
    assert told["outcomes"] == {"created": 1, "updated": 0, "unchanged": 0, "skipped": 2, "failed": 1}
    assert [(one["law"], one["outcome"], one["detail"]) for one in told["laws"]] == [
        ("ley-1-2000", "created", ""), ("", "failed", "line 3"),
    ]  # fmt: skip
    assert manager("post", f"/jobs/{job.pk}/cancel", expect=202)["state"] == "cancelled"
    listed = manager("get", "/jobs", expect=200)
    assert [one["id"] for one in listed["items"]] == [job.pk]
    assert manager("get", "/jobs/999999", expect=404)["code"] == "not_found"
    assert manager("post", "/jobs/999999/cancel", expect=404)["parameter"] == "job"


OPERATIONS = [
    ("post", "/imports/boe"), ("post", "/imports/upload"), ("post", "/embeddings"), ("delete", "/laws/ley-990-2019"),
    ("get", "/jobs"), ("get", "/jobs/1"), ("post", "/jobs/1/cancel"),
]  # fmt: skip


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_nobody_manages_without_a_key_for_it(method: str, path: str) -> None:
    _key, secret = issue("lectora", ["read", "verify"])
    for headers, status in (({}, 401), ({"authorization": f"Bearer {secret}"}, 403)):
        with override_settings(ANONYMOUS_SCOPES=["read", "verify", "manage"]):
            response = getattr(Client(), method)(f"{V1}{path}", headers=headers)
        assert response.status_code == status
    assert not Job.objects.exists()


def test_a_login_in_the_admin_is_no_key(admin_client: Client) -> None:
    assert admin_client.delete(f"{V1}/laws/ley-990-2019").status_code == 401
