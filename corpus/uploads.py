"""Uploads: a request only keeps the files as they came, within limits; the job that reads them unpacks them."""

from __future__ import annotations

import logging
import os
import shutil
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from corpus import archives
from corpus.importers.markup import ImportRefused

logger = logging.getLogger(__name__)

KINDS = (*archives.TEXTS, archives.ARCHIVE)
KEPT_DAYS = 30
_DAY_SECONDS = 86_400


class UploadRefused(ValueError):
    """An upload that is not taken, and its limit where it is beyond one; nothing of it is kept."""

    def __init__(self, detail: str, limit: int | str | None = None) -> None:
        self.detail, self.limit = detail, limit
        super().__init__(detail)


@dataclass(frozen=True)
class Prepared:
    """The texts of an upload in one folder, the files that are refused, and those that are no texts."""

    folder: Path
    refused: tuple[ImportRefused, ...]
    left_aside: tuple[str, ...]


def keep(files: Sequence[UploadedFile[Any]]) -> str:
    """Keep uploaded files for a job, whole or not at all, and give the upload's id; raise `UploadRefused`.

    An empty file among others is for the job to refuse by name.
    """
    names = [name_of(file) for file in files]
    _refuse(files, names)
    upload = uuid.uuid4().hex
    folder = Path(settings.MEDIA_ROOT) / upload
    arriving = folder.with_suffix(".arriving")
    try:
        (arriving / "received").mkdir(parents=True)
        for file, name in zip(files, names, strict=True):
            with (arriving / "received" / name).open("xb") as kept:
                for piece in file.chunks():
                    kept.write(piece)
        arriving.rename(folder)
    except OSError as error:
        # The disk is full, or what is like it.
        logger.exception("an upload could not be kept")
        raise UploadRefused(_("No se han podido guardar: %(reason)s.") % {"reason": error.strerror}) from error
    finally:
        shutil.rmtree(arriving, ignore_errors=True)
    return upload


def prepare(upload: str) -> Prepared:
    """Unpack an upload, anew each time; raise `FileNotFoundError` if it is not kept any more."""
    kept = Path(settings.MEDIA_ROOT) / upload
    if not (kept / "received").is_dir():
        raise FileNotFoundError(f"the files of this upload are not kept any more ({KEPT_DAYS} days)")
    folder = kept / "unpacked"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    limits = archives.Limits(
        settings.UPLOAD_MAX_UNPACKED_FILES, settings.UPLOAD_MAX_UNPACKED_BYTES, settings.UPLOAD_MAX_RATIO
    )
    refused: list[ImportRefused] = []
    left_aside: list[str] = []
    for file in sorted((kept / "received").iterdir()):
        if file.suffix.lower() != archives.ARCHIVE:
            os.link(file, folder / file.with_suffix(file.suffix.lower()).name)
            continue
        try:
            left_aside += [f"{file.name}/{name}" for name in archives.unpack(file, folder / file.name, limits)]
            if not (folder / file.name).exists():
                refused.append(ImportRefused(file.name, "it holds no XML or Markdown file"))
        except ImportRefused as error:
            shutil.rmtree(folder / file.name, ignore_errors=True)
            refused.append(error)
    return Prepared(folder, tuple(refused), tuple(left_aside))


def forget(upload: str) -> None:
    """Delete an upload's files."""
    shutil.rmtree(Path(settings.MEDIA_ROOT) / upload, ignore_errors=True)


def forget_old() -> None:
    """Delete the uploads that nobody has come back to."""
    root = Path(settings.MEDIA_ROOT)
    for folder in root.iterdir() if root.is_dir() else ():
        if folder.stat().st_mtime < time.time() - KEPT_DAYS * _DAY_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


def name_of(file: UploadedFile[Any]) -> str:
    """Give a file's name without the folders that it came from."""
    return PurePath(file.name or "").name


def _refuse(files: Sequence[UploadedFile[Any]], names: Sequence[str]) -> None:
    if not files:
        raise UploadRefused(_("No se ha elegido ningún fichero."))
    if len(files) > settings.UPLOAD_MAX_FILES:
        raise UploadRefused(
            _("Son %(files)d ficheros; se admiten %(limit)d.")
            % {"files": len(files), "limit": settings.UPLOAD_MAX_FILES},
            settings.UPLOAD_MAX_FILES,
        )
    size = sum(file.size or 0 for file in files)
    if size > settings.UPLOAD_MAX_BYTES:
        told = {"size": filesizeformat(size), "limit": filesizeformat(settings.UPLOAD_MAX_BYTES)}
        raise UploadRefused(
            _("Los ficheros ocupan %(size)s; se admiten %(limit)s en total.") % told, settings.UPLOAD_MAX_BYTES
        )
    for position, name in enumerate(names):
        reason = _fault(name, names[:position])
        if reason or not size:
            reason = reason or _("está vacío.")
            raise UploadRefused(_("«%(name)s»: %(reason)s") % {"name": name, "reason": reason})


def _fault(name: str, before: Sequence[str]) -> str:
    if PurePath(name).suffix.lower() not in KINDS:
        return _("no es un fichero .xml, .akn, .md ni .zip.")
    if not name.isprintable() or len(name.encode(errors="replace")) > archives.NAME_BYTES or _is_broken(name):
        return _("su nombre no se puede guardar.")
    if name.lower() in map(str.lower, before):
        return _("hay dos con ese nombre.")
    return ""


def _is_broken(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return True
    return False
