"""The forms by which jobs are asked for: files to upload, and laws of the BOE by their ids."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from corpus import uploads
from corpus.ranks import BOE_ID

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile
    from django.http import QueryDict
    from django.utils.datastructures import MultiValueDict

MOST_IDS = 1_000
_BETWEEN_IDS = re.compile(r"[\s,;]+")


class ManyFiles(forms.ClearableFileInput):
    """A file input that takes several."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several uploaded files; what is wrong with them is for the upload to say."""

    widget = ManyFiles

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[Any]]:
        """Give the files."""
        return list(data or [])


class UploadForm(forms.Form):
    """Files of laws to import."""

    texts = FilesField(
        label=gettext_lazy("Ficheros"),
        widget=ManyFiles(attrs={"accept": ",".join(uploads.KINDS), "required": True}),
    )
    embed = forms.BooleanField(label=gettext_lazy("Hacer después los vectores"), required=False, initial=True)
    force = forms.BooleanField(
        label=gettext_lazy("Sustituir también lo que venga de una fuente más nueva o más completa"), required=False
    )
    kept = ""

    def __init__(
        self, data: QueryDict | None = None, files: MultiValueDict[str, UploadedFile[Any]] | None = None
    ) -> None:
        super().__init__(data, files, label_suffix="")
        limits = {"files": settings.UPLOAD_MAX_FILES, "size": filesizeformat(settings.UPLOAD_MAX_BYTES)}
        self.fields["texts"].help_text = (
            _("XML del BOE o Akoma Ntoso, Markdown, o ZIP con ellos: hasta %(files)d ficheros y %(size)s en total.")
            % limits
        )

    @property
    def names(self) -> list[str]:
        """The files' names."""
        return [uploads.name_of(file) for file in self.cleaned_data["texts"]]

    def clean(self) -> dict[str, Any]:
        """Keep the files, unless they are beyond a limit."""
        cleaned = super().clean() or {}
        if not self.errors:
            try:
                self.kept = uploads.keep(cleaned["texts"])
            except uploads.UploadRefused as error:
                self.add_error("texts", error.detail)
        return cleaned


class BoeForm(forms.Form):
    """Laws to fetch from the BOE by their ids."""

    ids = forms.CharField(
        label=gettext_lazy("Identificadores del BOE"),
        help_text=gettext_lazy("Uno por línea o separados por comas, como BOE-A-2003-23186."),
        widget=forms.Textarea(attrs={"rows": 4, "cols": 40, "spellcheck": "false"}),
    )
    embed = UploadForm.base_fields["embed"]
    force = UploadForm.base_fields["force"]

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data, label_suffix="", prefix="boe")

    def clean_ids(self) -> list[str]:
        """Read the ids, each once; refuse by name what is none."""
        ids = list(dict.fromkeys(filter(None, _BETWEEN_IDS.split(self.cleaned_data["ids"]))))
        for boe_id in ids:
            if not BOE_ID.fullmatch(boe_id):
                raise ValidationError(_("«%(id)s» no es un identificador del BOE.") % {"id": boe_id[:60]})
        if len(ids) > MOST_IDS:
            raise ValidationError(
                _("Son %(ids)d identificadores; se admiten %(limit)d.") % {"ids": len(ids), "limit": MOST_IDS}
            )
        return ids
