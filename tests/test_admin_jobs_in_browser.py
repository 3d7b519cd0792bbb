"""An administrator in a real browser: uploads laws, watches their import to its end, with JavaScript and without."""

from __future__ import annotations

import io
import zipfile
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from corpus.models import Law
from tests import other_process
from tests.conftest import PATIENCE_MILLISECONDS, chromium
from tests.test_admin_in_browser import log_in

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import User
    from playwright.sync_api import FilePayload, Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("indexes")]


def archive_of(examples: Path) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(examples / "ley-990-2019.xml", "leyes/ley-990-2019.xml")
        archive.writestr("leyes/roto.xml", b"<response><data>")
    return made.getvalue()


def ask_and_watch(
    site: str, archive: bytes, is_queued: Event, *, has_scripts: bool
) -> tuple[list[str], list[Any], list[str]]:
    """Upload an archive and wait for its import; give what the page said, what axe and the console complained of.

    `is_queued` is set once the page has said so: nobody may take the job up before.
    """
    said: list[str] = []
    faults: list[Any] = []
    complaints: list[str] = []
    with chromium() as started:
        page = started.new_context(base_url=site, locale="es-ES", java_script_enabled=has_scripts).new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        log_in(page)
        faults += faults_of(page, complaints) if has_scripts else []
        page.goto("/admin/corpus/job/import/")
        faults += faults_of(page, complaints) if has_scripts else []
        file: FilePayload = {"name": "leyes.zip", "mimeType": "application/zip", "buffer": archive}
        page.set_input_files("input[type=file]", files=[file])
        page.click("button[value=files]")
        said.append(page.locator(".job-state strong").inner_text())
        is_queued.set()
        is_over = page.locator(".job-state.error")
        for _ in range(0 if has_scripts else 1000):
            if is_over.count():
                break
            page.wait_for_timeout(100)
            with page.expect_event("load"):
                page.get_by_role("link", name="Actualizar").click()
        is_over.wait_for(timeout=2 * PATIENCE_MILLISECONDS)
        page.wait_for_load_state()
        said.append(page.locator(".job-state strong").inner_text())
        said += page.locator(".job-entries .outcome").all_inner_texts()
        said.append(page.get_by_role("button", name="Repetir").inner_text())
        faults += faults_of(page, complaints) if has_scripts else []
    return said, faults, complaints


def faults_of(page: Page, complaints: list[str]) -> list[Any]:
    """Give what axe finds wrong with our part of a page; what the console says of axe itself is no fault of it."""
    before = len(complaints)
    found = Axe().run(page, context="#content").response["violations"]
    del complaints[before:]
    return [(page.url, fault["id"], [node["html"] for node in fault["nodes"]][:3]) for fault in found]


@pytest.mark.parametrize("has_scripts", [True, False])
def test_an_import_is_asked_for_and_watched_to_its_end(
    has_scripts: bool, live_server: LiveServer, admin_user: User, examples_dir: Path, settings: Any, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT = tmp_path / "uploads"
    # Playwright's event loop would forbid Django's ORM in this thread.
    with ThreadPoolExecutor(1) as apart:
        archive, is_queued = archive_of(examples_dir), Event()
        watched = apart.submit(ask_and_watch, live_server.url, archive, is_queued, has_scripts=has_scripts)
        other_process.wait_until(lambda: watched.done() or is_queued.is_set(), 180)
        other_process.run("run_jobs", "--once")
        said, faults, complaints = watched.result()
    assert said == ["En cola", "Con errores", "fallida", "nueva", "Repetir"]
    assert (faults, complaints) == ([], [])
    assert list(Law.objects.values_list("key", flat=True)) == ["ley-990-2019"]
