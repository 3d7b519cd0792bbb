"""Every address of the site in a real browser: what is a page has no fault that axe finds and breaks no policy."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.urls import URLResolver, get_resolver
from django.utils import timezone

from corpus.models import ImportRun, Job, Law
from search.evaluation_history import keep
from search.keys import renew
from search.models import ApiKey, QueryLog
from tests.conftest import chromium
from tests.test_admin_in_browser import log_in
from tests.test_evaluation_history import scores

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from django.contrib.auth.models import User
    from django.db.models import Model
    from playwright.sync_api import BrowserContext, ConsoleMessage, Page
    from pytest_django.live_server_helper import LiveServer

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("indexes"),
    pytest.mark.urls("tests.faulty_urls"),
]

# What stands in a path for each parameter of the URLconf; one that is not here fails the test.
SAMPLES = {
    "citation": "ley-990-2019:art-11",
    "law": "ley-990-2019",
    "unit": "art-11",
    "address": "nothing",
    "url": "nothing/",
    "app_label": "corpus",
    "task": "embed",
    "asked": "6f1c9d3e-58a4-4f5c-9f0e-2f6b1d7c0a11",
    "rank": "1",
    "content_type_id": "1",
    "object_id": "1",
}
TEXT = (
    "El artículo 11.4 de la Ley 990/2019 dice «b) Se ha ingresado ya toda la deuda». Véase el art. 9 de la Ley 1/2000."
)
PAGES = {
    "/", "/coverage", "/verify", "/why", "/ley-990-2019", "/ley-990-2019/history", "/ley-990-2019:art-11",
    "/ley-990-2019:art-11/diff", "/ley-990-2019:art-11/cited_by", "/api/v1/docs", "/admin/", "/admin/corpus/law/",
    "/admin/corpus/job/import/", "/admin/search/evaluationrun/", "/admin/search/querylog/statistics/",
    "/admin/password_change/",
}  # fmt: skip
# Pages that no path alone gives: what their parameters make of them.
STATES = [
    "/?q=recargos+fuera+de+plazo&include_repealed=true&as_of=2024-01-01",
    "/?q=xyzzyqwfp&mode=lexical",
    "/?q=el+precio+del+trigo+en+Ucrania",
    "/?q=RDL+1/2020,+art.+1",
    "/?q=iva&limit=0",
    "/?q=recargo&offset=900",
    "/ley-990-2019?as_of=2020-01-01",
    "/ley-990-2019:art-11@2020-01-01",
    "/ley-990-2019:art-11?as_of=1999-01-01",
    "/ley-990-2019:art-6",
    "/ley-990-2019:art-8",
    "/ley-990-2019:art-11.1",
    "/ley-990-2019:art-99",
    "/ley-28-2014:art-1",
    "/ley-992-2022",
    "/ley-990-2019:art-11/diff?from=2020-01-01&to=2025-04-01",
    "/ley-990-2019:art-11/diff?from=x",
    "/why?q=recargos+fuera+de+plazo&hit=ley-990-2019:art-11",
    "/why?q=recargos+fuera+de+plazo&hit=ley-990-2019:art-6",
    "/coverage?sort=-articles&lacking=numbers",
    "/coverage?offset=x",
    "/admin/corpus/law/?q=990",
    "/admin/corpus/law/?q=nothing",
    "/admin/search/querylog/statistics/?days=1",
]
# So long that axe is run over it by a test of its own.
AXE_ELSEWHERE = {"/api/v1/docs"}
WIDTHS = (320, 1100, 1280)


@dataclass
class Walk:
    """What a walk over pages found: the status of each page, what is no page, and every fault."""

    statuses: dict[str, int] = field(default_factory=dict)
    no_pages: set[str] = field(default_factory=set)
    faults: list[tuple[Any, ...]] = field(default_factory=list)


def routes(resolver: Any = None, before: str = "") -> Iterator[str]:
    """Give every route of the URLconf, with its parameters still in brackets."""
    for pattern in (resolver or get_resolver()).url_patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern, route)
        else:
            yield route


def address(route: str, rows: dict[str, Any]) -> str:
    """Give a route with a value for each parameter; `rows` holds the id of a row of each model in the admin."""
    models = re.match(r"admin/(\w+/\w+)/", route)
    samples = SAMPLES | (dict.fromkeys(("object_id", "id", "pk"), rows.get(models[1])) if models else {})
    samples |= {"job": rows["corpus/job"]}
    if route.startswith("<law:"):
        samples["citation"] = "ley-990-2019"
    plain = re.sub(r"\^?\(\?P<(\w+)>[^)]*\)(/?)\$", lambda found: f"<{found[1]}>{found[2]}", route)
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda found: str(samples[found[1]]), plain)


def rows_for_the_admin(examples: Path, broken: Path, user: User) -> dict[str, Any]:
    """Put a row into each table of the admin; give the id of one of each, by app and model."""
    broken.write_text("<response><data>")
    with pytest.raises(SystemExit):
        call_command("import_laws", str(broken), verbosity=0)
    call_command("import_laws", str(examples), verbosity=0)
    for command in ("embed_chunks", "link_citations", "index_corpus"):
        call_command(command, verbosity=0)
    run = ImportRun.objects.order_by("-pk")[0]
    now = timezone.now()
    asked = {"task": "import_files", "arguments": {"names": ["roto.xml"]}, "requested_by": user, "run": run}
    Job.objects.create(**asked, state="running", started_at=now - timedelta(minutes=1), done=3, total=10)
    over = {"started_at": now, "finished_at": now, "done": 1, "total": 1}
    job = Job.objects.create(**asked, **over, state="failed", detail="roto.xml: not XML")
    LogEntry.objects.log_actions(user.pk, Law.objects.all()[:1], CHANGE, change_message="Visto.")
    Group.objects.create(name="lectores")
    renew(ApiKey(name="prueba", scopes=["read"]))
    for ndcg in (0.5, 0.7):
        keep({"dev": {"hybrid": scores(ndcg)}})
    QueryLog.objects.create(
        at=now, channel="page", query="perros", asked_mode="auto", mode="hybrid", corpus_revision=1, milliseconds=10.0,
        total=0, hits=[],
    )  # fmt: skip
    return {_path(model): _first(model) for model in admin.site._registry} | {"corpus/job": job.pk}


def _path(model: type[Model]) -> str:
    return model._meta.label_lower.replace(".", "/")


def _first(model: type[Model]) -> Any:
    return model._default_manager.order_by("pk").values_list("pk", flat=True)[0]


def walk(site: str, addresses: list[str]) -> Walk:
    """Open every address, first as nobody and then as the administrator where that matters."""
    walked = Walk()
    with chromium() as browser:
        context = browser.new_context(base_url=site, locale="es-ES", reduced_motion="reduce")
        page = context.new_page()
        complaints: list[str] = []
        page.on("console", lambda message: complaints.extend(_said(message, page)))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto("/admin/login/")
        _look("/admin/login/ as nobody", page, complaints, walked)
        page.get_by_role("button").last.click()
        _look("/admin/login/ refused", page, complaints, walked)
        log_in(page)
        for one in addresses:
            _open(one, context, page, complaints, walked)
        page.goto("/verify")
        page.locator("#text").fill(TEXT)
        with page.expect_event("load"):
            page.get_by_role("button", name="Comprobar", exact=True).click()
        page.locator("#checked").wait_for()
        _look("/verify of a text", page, complaints, walked)
        context.close()
    return walked


def _open(address: str, context: BrowserContext, page: Page, complaints: list[str], walked: Walk) -> None:
    given = context.request.get(address, max_redirects=0, headers={"Accept": "text/html"})
    kind = given.headers.get("content-type", "")
    if given.status in (301, 302, 405) or not kind.startswith("text/html") or "<html" not in given.text():
        walked.no_pages.add(address)
        return
    page.goto(address)
    walked.statuses[address] = given.status
    _look(address, page, complaints, walked)


def _said(message: ConsoleMessage, page: Page) -> Iterator[str]:
    # The browser also reports the status of an error page that was asked for.
    if message.type in ("error", "warning") and message.location["url"] != page.url:
        yield message.text


def _look(name: str, page: Page, complaints: list[str], walked: Walk) -> None:
    walked.faults += [(name, "console", text) for text in complaints]
    schemes = () if name in AXE_ELSEWHERE else (("light", {}), ("dark", {"runOnly": ["color-contrast"]}))
    for scheme, rules in schemes:
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        for fault in Axe().run(page, options={"resultTypes": ["violations"], **rules}).response["violations"]:
            nodes = [(node["target"], node["html"][:160]) for node in fault["nodes"]][:3]
            walked.faults.append((name, scheme, fault["id"], nodes))
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 720})
        reached = page.evaluate("document.documentElement.scrollWidth")
        if reached > width:
            walked.faults.append((name, width, reached))

    complaints.clear()  # what the console says of axe is no fault of the page


def test_every_page_is_open_to_all_and_breaks_no_policy(
    live_server: LiveServer, admin_user: User, examples_dir: Path, tmp_path: Path
) -> None:
    deep = tmp_path / "sin_espacios_donde_partir_la_línea" / ("carpeta" * 12)
    deep.mkdir(parents=True)
    rows = rows_for_the_admin(examples_dir, deep / "roto.xml", admin_user)
    addresses = list(dict.fromkeys([*(address(route, rows) for route in routes()), *STATES]))
    # Playwright's event loop would forbid Django's ORM in this thread.
    with ThreadPoolExecutor(1) as apart:
        walked = apart.submit(walk, live_server.url, addresses).result()
    assert walked.faults == []
    assert [one for one, status in walked.statuses.items() if status >= 500] == ["/fault"]
    assert PAGES - {one for one, status in walked.statuses.items() if status == 200} == set()
