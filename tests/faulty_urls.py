"""The site's addresses, and one at which it fails."""

from typing import NoReturn

from django.http import HttpRequest
from django.urls import path

from config.urls import urlpatterns as ours


def fail(request: HttpRequest) -> NoReturn:
    """Fail as no page should."""
    raise RuntimeError(request.path)


urlpatterns = [path("fault", fail), *ours]
