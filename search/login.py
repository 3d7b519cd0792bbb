"""The admin's login, which takes no more guesses than a person makes."""

from __future__ import annotations

from typing import Any

from django.contrib.admin.forms import AdminAuthenticationForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from search.budgets import spend, spent
from search.keys import network_of

WINDOW_SECONDS = 900
FAILURES_OF_AN_ADDRESS = 10
# Many addresses may guess at one name together; its owner, too, waits then.
FAILURES_AT_A_NAME = 50


class LoginForm(AdminAuthenticationForm):
    """Name and password, looked at only while few wrong ones came from the address, and at the name, of late."""

    def clean(self) -> dict[str, Any]:
        """Raise `ValidationError` for a wrong password, or for too many before it."""
        guesses = self._guesses()
        if any(spent(kind, who, seconds=WINDOW_SECONDS) >= limit for kind, who, limit in guesses):
            minutes = WINDOW_SECONDS // 60
            detail = _("Demasiados intentos fallidos: espere %(minutes)d minutos.") % {"minutes": minutes}
            raise ValidationError(detail, code="too_many_failures")
        try:
            return super().clean()
        except ValidationError:
            for kind, who, limit in guesses:
                spend(kind, who, limit, seconds=WINDOW_SECONDS)
            raise

    def _guesses(self) -> list[tuple[str, str, int]]:
        address = self.request.META.get("REMOTE_ADDR", "") if self.request else ""
        name = str(self.cleaned_data.get("username", "")).lower()[:150]
        return [
            ("login-from", network_of(address), FAILURES_OF_AN_ADDRESS),
            ("login-as", name.encode().hex(), FAILURES_AT_A_NAME),
        ]
