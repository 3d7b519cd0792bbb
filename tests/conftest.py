"""What tests share: the real data, the examples as a corpus that answers, the running site, and a browser."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from django.db import connection, transaction
from django.test import override_settings
from django.utils import translation
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, ConsoleMessage, Page
    from pytest_django import DjangoDbBlocker

ROOT = Path(__file__).parent.parent
BROWSER_FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
# How long a browser's page is waited for: beyond any pause of a busy machine, and only where a test fails anyway.
PATIENCE_MILLISECONDS = 60_000
# A property holds however long the machine takes over an example.
hypothesis_settings.register_profile(
    "patient", hypothesis_settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("patient")


def go_without(what: str) -> NoReturn:
    """Skip the test for want of something; on CI, where nothing may be wanting, fail it."""
    if os.environ.get("CI"):
        pytest.fail(f"CI must have {what}")
    pytest.skip(f"needs {what}")


@pytest.fixture(autouse=True)
def spanish() -> Iterator[None]:
    """Begin every test in Spanish, whatever language the one before it was answered in."""
    with translation.override(django_settings.LANGUAGE_CODE):
        yield


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder of real data (SHARED_DIR)."""
    if not django_settings.SHARED_DIR.is_dir():
        go_without(f"the shared data at {django_settings.SHARED_DIR}")
    return django_settings.SHARED_DIR


@pytest.fixture(scope="session")
def boe_xml(shared_dir: Path) -> Path:
    """The folder of genuine BOE XML: one folder for each of nine laws."""
    return shared_dir / "data" / "boe-xml"


@pytest.fixture(scope="session")
def examples_dir() -> Path:
    """The folder of invented laws that come with the product."""
    return ROOT / "examples"


@contextmanager
def own_indexes(folder: Path) -> Iterator[None]:
    """Keep the lexical and the vector index under `folder`."""
    with override_settings(LEXICAL_INDEX_DIR=folder / "lexical", VECTOR_INDEX_DIR=folder / "vectors"):
        yield


@pytest.fixture(scope="session", autouse=True)
def _indexes_of_the_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with own_indexes(tmp_path_factory.mktemp("indexes")):
        yield


@pytest.fixture
def indexes(tmp_path: Path) -> Iterator[None]:
    """Empty indexes for one test that changes the corpus."""
    with own_indexes(tmp_path / "indexes"):
        yield


@pytest.fixture(scope="module")
def live(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
    examples_dir: Path,
) -> Iterator[None]:
    """The examples imported, embedded (by the hashing embedder) and indexed, once for all tests of a module.

    They lie in a transaction around the module's tests: a test sees them with `db`, never with `transactional_db`.
    """
    with ExitStack() as stack:
        stack.enter_context(own_indexes(tmp_path_factory.mktemp("live")))
        stack.enter_context(django_db_blocker.unblock())
        stack.enter_context(transaction.atomic())
        call_command("import_laws", str(examples_dir), verbosity=0)
        call_command("embed_chunks", verbosity=0)
        call_command("index_corpus", verbosity=0)
        # Who cleans up behind modules that went before may leave the tables known as empty: joins would take minutes.
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        yield
        transaction.set_rollback(True)


def environment_of(data_dir: Path) -> dict[str, str]:
    """Give the environment of somebody who has set nothing but DATA_DIR, whatever the tests run under."""
    ours = {"DATABASE_URL", "EMBEDDER", "MAKEFLAGS", "MAKELEVEL", "MFLAGS"}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    return kept | {"DATA_DIR": str(data_dir), "DJANGO_SETTINGS_MODULE": "config.settings"}


class Site:
    """The whole product run by `serve` in a process of its own, with the real embedder and the examples loaded."""

    def __init__(self, data_dir: Path, *arguments: str) -> None:
        self.data_dir = data_dir
        self.said: list[str] = []
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", "0", *arguments],
            cwd=ROOT, env=environment_of(data_dir), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True,
        )  # fmt: skip

    def __enter__(self) -> Site:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def url(self) -> str:
        """Wait until the site serves; give its address."""
        assert self.process.stdout
        for line in self.process.stdout:
            self.said.append(line)
            if found := ADDRESS.search(line):
                return found[0]
        raise AssertionError("serve ended: " + "".join(self.said))

    def end(self) -> int:
        """Terminate the site if it still runs; give its exit code."""
        self.process.terminate()
        if self.process.stdout and not self.process.stdout.closed:
            self.said.extend(self.process.stdout)
            self.process.stdout.close()
        return self.process.wait(60)


@contextmanager
def open_folder() -> Iterator[Path]:
    """Give a temporary folder that every user may enter, as root's server needs; pytest's own are private."""
    with tempfile.TemporaryDirectory(prefix="fundamento-test-") as made:
        Path(made).chmod(0o755)
        yield Path(made)


@pytest.fixture(scope="session")
def prepared_data() -> Iterator[Path]:
    """A data directory that a first `serve --examples` made ready and left; for copying, never for use."""
    with open_folder() as folder:
        with Site(folder, "--examples") as first:
            first.url()
        yield folder


@contextmanager
def copy_of(prepared_data: Path) -> Iterator[Path]:
    """Give a copy of a data directory that nobody uses."""
    with open_folder() as folder:
        subprocess.run(["cp", "-a", f"{prepared_data}/.", str(folder)], check=True)
        yield folder


@pytest.fixture(scope="session")
def site(prepared_data: Path) -> Iterator[str]:
    """The address of the running product with the examples; for reading, since all tests share it."""
    with copy_of(prepared_data) as folder, Site(folder, "--examples") as running:
        yield running.url()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run a Chromium until the block ends; its event loop forbids Django's ORM while it lives."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        go_without("Chromium on PATH")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE_MILLISECONDS)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=BROWSER_FLAGS, timeout=PATIENCE_MILLISECONDS)
        yield started
        started.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium of the module's own."""
    with chromium() as started:
        yield started


@pytest.fixture
def page(browser: Browser, site: str) -> Iterator[Page]:
    """A page in a fresh browser profile, in Spanish; paths are of the running site, and its console must stay clean."""
    context = browser.new_context(base_url=site, locale="es-ES")
    complaints: list[str] = []
    context.set_default_timeout(PATIENCE_MILLISECONDS)
    opened = context.new_page()

    def note(message: ConsoleMessage) -> None:
        # The browser also reports the status of an error page that was asked for.
        if message.type == "error" and message.location["url"] != opened.url:
            complaints.append(message.text)

    opened.on("console", note)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    yield opened
    context.close()
    assert complaints == []
