"""The work that is killed: loaded before it begins, so that only the work itself is under way."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from django.conf import settings
from django.core.management import call_command

from corpus import boe_sync, import_runs
from search.management.commands import embed_chunks, index_corpus  # noqa: F401 (loaded before the fork)
from tests import embedders  # noqa: F401 (loaded before the fork)


def import_folder(folder: str) -> None:
    """Import the laws of a folder."""
    import_runs.run([Path(folder)])


def embed() -> None:
    """Make the vectors that are missing, a few at a time."""
    call_command("embed_chunks", "--batch", "4")


def rebuild() -> None:
    """Build the indexes anew."""
    call_command("index_corpus", "--rebuild")


def sync(url: str) -> None:
    """Bring the corpus up to date with an API."""
    settings.BOE_API = {**settings.BOE_API, "url": url, "seconds_between": 0.0, "tries": 1}
    boe_sync.sync(date(2020, 1, 1))
