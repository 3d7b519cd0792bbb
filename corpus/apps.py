"""Django's name for this package."""

from importlib import import_module

from django.apps import AppConfig


class CorpusConfig(AppConfig):
    """The corpus of laws."""

    name = "corpus"
    verbose_name = "Corpus"

    def ready(self) -> None:
        """Register the system checks, and what logs that a law is deleted."""
        import_module("corpus.checks")
        import_module("corpus.loading")
