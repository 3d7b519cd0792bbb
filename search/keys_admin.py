"""The keys of the API in the admin: issued, the secret shown once, changed, given a new secret, revoked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.views.decorators.cache import never_cache

from corpus.admin.widgets import NAMED_DATE_TIMES
from search.keys import renew
from search.login import LoginForm
from search.models import ApiKey

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

admin.site.login_form = LoginForm


class ApiKeyForm(forms.ModelForm):  # type: ignore[type-arg]
    """A key's holder, scopes and budget."""

    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("permisos"), choices=ApiKey.Scope.choices, widget=forms.CheckboxSelectMultiple
    )

    class Meta:
        model = ApiKey
        fields = ("name", "scopes", "requests_per_minute", "expires_at")


@admin.register(ApiKey)
class ApiKeyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Keys are never deleted, so that it stays known who had which."""

    form = ApiKeyForm
    formfield_overrides = NAMED_DATE_TIMES
    list_display = ("name", "prefix", "scope_names", "is_good", "created_at", "expires_at", "last_used_at")
    list_filter = ("revoked_at", "expires_at")
    search_fields = ("name", "prefix")
    readonly_fields = ("prefix", "created_at", "revoked_at", "last_used_at")
    actions = ("revoke", "renew_secret")

    def has_delete_permission(self, request: HttpRequest, obj: ApiKey | None = None) -> bool:
        """Refuse: a key is revoked."""
        return False

    def save_model(self, request: HttpRequest, obj: ApiKey, form: Any, change: bool) -> None:
        """Save a changed key, or issue a new one."""
        if change:
            super().save_model(request, obj, form, change)
        else:
            request.issued = [(obj, renew(obj))]  # type: ignore[attr-defined]

    def response_add(self, request: HttpRequest, obj: ApiKey, post_url_continue: str | None = None) -> HttpResponse:
        """Show the secret of a new key, this once."""
        return self._show(request, request.issued)  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("permisos"))
    def scope_names(self, key: ApiKey) -> str:
        """Name the scopes as programs do."""
        return ", ".join(key.scopes)

    @admin.display(description=gettext_lazy("vale"), boolean=True)
    def is_good(self, key: ApiKey) -> bool:
        """Say whether the key is let in."""
        return key.is_valid(timezone.now())

    @admin.action(description=gettext_lazy("Revocar las claves elegidas"), permissions=["change"])
    def revoke(self, request: HttpRequest, chosen: QuerySet[ApiKey]) -> None:
        """Let the chosen keys in no longer."""
        revoked = chosen.filter(revoked_at=None).update(revoked_at=timezone.now())
        told = ngettext("%(count)d clave revocada.", "%(count)d claves revocadas.", revoked) % {"count": revoked}
        self.message_user(request, told)

    @admin.action(description=gettext_lazy("Cambiar el secreto de las claves elegidas"), permissions=["change"])
    def renew_secret(self, request: HttpRequest, chosen: QuerySet[ApiKey]) -> HttpResponse:
        """Give the chosen keys new secrets and show them; those revoked stay so."""
        return self._show(request, [(key, renew(key)) for key in chosen.filter(revoked_at=None)])

    def _show(self, request: HttpRequest, issued: list[tuple[ApiKey, str]]) -> HttpResponse:
        context = {**self.admin_site.each_context(request), "title": gettext("Claves nuevas"), "issued": issued}
        return never_cache(render)(request, "admin/search/apikey/issued.html", context)
