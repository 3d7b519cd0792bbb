"""Django's name for this package."""

from importlib import import_module

from django.apps import AppConfig


class SearchConfig(AppConfig):
    """Search over the corpus."""

    name = "search"
    verbose_name = "Búsqueda"

    def ready(self) -> None:
        """Register the system checks."""
        import_module("search.checks")
