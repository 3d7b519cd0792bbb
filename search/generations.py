"""A derived index on disk as a row of generations: one serves, the next is built aside and takes its place at once."""

from __future__ import annotations

import shutil
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

POINTER = "current"


@dataclass(frozen=True)
class Generations:
    """The folder of an index; `layout` names what its generations hold, so that none of another kind is opened."""

    directory: Path
    layout: str

    @property
    def pointer(self) -> Path:
        """The file that names the generation that serves; replaced whole, so that its inode tells of a change."""
        return self.directory / POINTER

    def current(self) -> Path | None:
        """Give the folder of the generation that serves, or None where there is none of this layout."""
        try:
            name = self.pointer.read_text()
        except OSError:
            return None
        folder = self.directory / name
        return folder if name.startswith(f"{self.layout}-") and folder.is_dir() else None

    def fresh(self) -> Path:
        """Make the empty folder of a new generation, which serves nobody yet."""
        folder = self.directory / f"{self.layout}-{uuid.uuid4().hex[:12]}"
        folder.mkdir(parents=True)
        return folder

    def publish(self, folder: Path) -> None:
        """Let `folder` serve from now on; whoever has an older one open goes on reading it."""
        written = self.directory / f"{POINTER}.{folder.name}"
        written.write_text(folder.name)
        written.replace(self.pointer)

    def prune(self) -> None:
        """Delete every generation but the one that serves, also what a killed build left."""
        kept = self.current()
        for entry in self.directory.iterdir():
            if entry.is_dir() and entry != kept:
                shutil.rmtree(entry, ignore_errors=True)
            elif entry.name.startswith(f"{POINTER}."):
                entry.unlink(missing_ok=True)
