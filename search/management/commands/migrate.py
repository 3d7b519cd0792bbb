"""migrate: Django's own, by one process at a time."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import migrate

from search.locks import MIGRATION, sole_holder


class Command(migrate.Command):
    """Bring the tables up to date; of several processes that start at once, one does it and the others wait."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate as the only one who does."""
        with sole_holder(MIGRATION, wait=True):
            super().handle(*args, **options)
