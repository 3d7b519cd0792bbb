"""The site's addresses."""

from django.contrib import admin
from django.urls import include, path

from config.observation import show_metrics

urlpatterns = [
    path("admin/", admin.site.urls),
    path("metrics", show_metrics, name="metrics"),
    path("", include("search.urls")),
]
handler400, handler500 = "search.api.errors.bad_request", "search.api.errors.server_error"
