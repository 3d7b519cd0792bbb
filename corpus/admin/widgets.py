"""Widgets of the admin's forms that say what they are to those who hear the form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.admin.widgets import AdminSplitDateTime
from django.db import models
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from collections.abc import Mapping


class NamedSplitDateTime(AdminSplitDateTime):
    """A day and a time in two boxes, each with a name of its own."""

    def __init__(self, attrs: Mapping[str, Any] | None = None) -> None:
        """Name both boxes; Django only writes the names beside them."""
        super().__init__(dict(attrs or {}))
        for widget, name in zip(self.widgets, (_("Fecha"), _("Hora")), strict=True):
            widget.attrs["aria-label"] = name


NAMED_DATE_TIMES: Mapping[type[models.Field[Any, Any]], Mapping[str, Any]] = {
    models.DateTimeField: {"form_class": forms.SplitDateTimeField, "widget": NamedSplitDateTime}
}
