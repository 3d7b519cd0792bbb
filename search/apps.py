"""Django's name for this package."""

from django.apps import AppConfig


class SearchConfig(AppConfig):
    """Search over the corpus."""

    name = "search"
    verbose_name = "Búsqueda"
    default_auto_field = "django.db.models.BigAutoField"
