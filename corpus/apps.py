"""Django's name for this package."""

from django.apps import AppConfig


class CorpusConfig(AppConfig):
    """The corpus of laws."""

    name = "corpus"
    verbose_name = "Corpus"
    default_auto_field = "django.db.models.BigAutoField"
