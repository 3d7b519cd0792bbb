"""The admin in a real browser: every page works under the site's strict content security policy."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.urls import reverse

from corpus.models import Law
from tests.conftest import chromium

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import User
    from playwright.sync_api import Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MODELS = [
    "law", "article", "articleversion", "chunk", "embeddingmodel", "importrun", "importentry", "corpuschange",
]  # fmt: skip


def test_no_page_breaks_the_policy(
    live_server: LiveServer, admin_user: User, indexes: None, examples_dir: Path
) -> None:
    call_command("import_laws", str(examples_dir), verbosity=0)
    call_command("embed_chunks", verbosity=0)
    law = reverse("admin:corpus_law_delete", args=[Law.objects.get(key="ley-990-2019").pk])
    # Playwright's event loop would forbid Django's ORM in this thread.
    with ThreadPoolExecutor(1) as apart:
        shown, complaints = apart.submit(walk, live_server.url, law).result()
    assert complaints == []
    assert shown == dict.fromkeys([*MODELS, "law/delete"], True)


def walk(site: str, deletion: str) -> tuple[dict[str, bool], list[str]]:
    """Open each list and its first row; give what was shown, and what the console complained of."""
    shown: dict[str, bool] = {}
    complaints: list[str] = []
    with chromium() as started:
        page = started.new_context(base_url=site, locale="es-ES").new_page()
        page.on("console", lambda message: complaints.append(f"{page.url}: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
        log_in(page)
        for model in MODELS:
            page.goto(f"/admin/corpus/{model}/")
            page.locator("#result_list tbody th a, #result_list tbody td a").first.click()
            page.wait_for_url(f"**/admin/corpus/{model}/*/change/")
            shown[model] = page.locator("#content h1").first.is_visible()
        page.goto(deletion)
        shown["law/delete"] = page.get_by_text("ley-990-2019").first.is_visible()
    return shown, complaints


def log_in(page: Page) -> None:
    page.goto("/admin/")
    page.fill("#id_username", "admin")
    page.fill("#id_password", "password")
    page.click("input[type=submit]")
    page.wait_for_url(re.compile(r"^[^?]*/admin/$"))  # the page of the login says where it leads to, too
