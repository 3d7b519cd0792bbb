"""Makes ready what serving needs: tables, static files, the examples, vectors, indexes; what is ready is left alone."""

from __future__ import annotations

import fcntl
import hashlib
import json
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from corpus import vectors
from corpus.embedding import EmbedderUnavailable, get_embedder
from corpus.importers import sources
from corpus.loading import is_current
from search import indexing, semantic
from search.locks import MIGRATION, sole_holder

Say = Callable[[str], None]
# Some half a minute of the default embedder; more is for `embed_chunks`, with its progress and time left.
PASSAGES_EMBEDDED_AT_ONCE = 500
# The pages that would use these are not ours: seven eighths of the bytes to pack.
UNUSED_STATIC = ["ninja"]


def migrate(say: Say) -> None:
    """Bring the tables up to date; of several processes that start at once, one does it and the others wait."""
    if not _has_migrations_left():
        return
    with sole_holder(MIGRATION, wait=True):
        if _has_migrations_left():
            say("Making the database's tables ...")
            call_command("migrate", verbosity=0, interactive=False)


def collect_static(say: Say) -> None:
    """Collect, name by contents and compress the static files, unless they are as they were; one process at a time."""
    with settings.STATIC_ROOT.with_name("static.lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _collect_static(say)


def _collect_static(say: Say) -> None:
    stamp = settings.STATIC_ROOT.with_name("static.collected")
    state = hashlib.sha256(json.dumps([*_static_state()]).encode()).hexdigest()
    is_there = (settings.STATIC_ROOT / "staticfiles.json").exists()
    if is_there and stamp.exists() and stamp.read_text() == state:
        return
    say("Collecting the static files ...")
    stamp.unlink(missing_ok=True)
    call_command("collectstatic", verbosity=0, interactive=False, clear=True, ignore_patterns=UNUSED_STATIC)
    stamp.write_text(state)


def load(folder: Path, say: Say) -> None:
    """Import the laws of a folder that the corpus does not hold as they are there."""
    found = sources.find([folder])
    if found.refused or not all(is_current(source.boe_id, source.sha256) for source in found.sources):
        say(f"Importing the laws of {folder.name}/ ...")
        call_command("import_laws", str(folder))


def embed(say: Say) -> None:
    """Make missing vectors if they are few; say so if they are many."""
    try:
        missing = vectors.count_missing(vectors.register(get_embedder()))
    except EmbedderUnavailable:
        return
    if missing > PASSAGES_EMBEDDED_AT_ONCE:
        say(f"{missing:,} passages have no vector yet and are found by words only: run 'manage.py embed_chunks'.")
    elif missing:
        say(f"Embedding {missing:,} passages ...")
        call_command("embed_chunks")


def make_ready(say: Say) -> None:
    """Bring the indexes up to the corpus and load the embedder, so that the first question need not wait for them."""
    if behind := indexing.backlog():
        say(f"Indexing {behind:,} texts ...")
    indexing.catch_up()
    try:
        semantic.make_ready()
    except EmbedderUnavailable as error:
        say(f"Search is lexical only: {error}.")


def _has_migrations_left() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def _static_state() -> Iterator[tuple[str, ...]]:
    yield version("django"), version("whitenoise"), version("brotli")
    for finder in get_finders():
        for path, storage in finder.list([]):
            file = Path(storage.path(path)).stat()
            yield path, str(file.st_size), str(file.st_mtime_ns)
