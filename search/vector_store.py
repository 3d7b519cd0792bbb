"""The files of the vector matrix: written aside and swapped in, shared by every process, disposable."""

from __future__ import annotations

import fcntl
import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.embedding import Vectors
from search import vector_table
from search.filters import ENDED
from search.generations import Generations
from search.vector_horizon import Anchors, Horizon
from search.vector_rows import COLUMNS, IDS, KINDS, LawRow, Rows
from search.vector_table import Extent, VectorTable

# Rows laid out otherwise, by another release, are not read.
LAYOUT = "rows" + hashlib.sha256(repr((IDS, COLUMNS, KINDS, ENDED)).encode()).hexdigest()[:8]
_ATTEMPTS = 3
_DAMAGED = (ValueError, KeyError, TypeError, EOFError)


@dataclass(frozen=True)
class Manifest:
    """How far the files have come, and what of them is written.

    The anchors are what the database said of the last revision and the last vector: as long as it says the same,
    its history goes on from there, and was not restored from elsewhere.
    """

    horizon: Horizon
    anchors: Anchors
    extent: Extent


@dataclass(frozen=True)
class Generation:
    """The matrix of one manifest: the vectors, and the rows that point at them."""

    manifest: Manifest
    table: VectorTable
    rows: Rows


class Store:
    """A directory with one matrix: vectors in a file that only grows, rows in generations."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._generations = Generations(directory, LAYOUT)

    @contextmanager
    def writing(self) -> Iterator[bool]:
        """Say whether this process may write; no other may until the block ends."""
        self.directory.mkdir(parents=True, exist_ok=True)
        with (self.directory / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True

    def manifest(self) -> Manifest | None:
        """Read what is published; None when that is nothing."""
        try:
            folder = self._generations.current()
            return _read_manifest(folder) if folder else None
        except (OSError, *_DAMAGED):
            return None

    def load(self) -> Generation | None:
        """Map what is published into memory; None when that is nothing, or not whole."""
        for _ in range(_ATTEMPTS):
            folder = self._generations.current()
            try:
                return self._generation(folder) if folder else None
            except FileNotFoundError:
                continue  # another process published, and swept, in between
            except _DAMAGED:
                return None
        return None

    def append(self, extent: Extent, blocks: Iterable[tuple[NDArray[np.int64], Vectors]]) -> Extent:
        """Write vectors after those there are."""
        return vector_table.append(self.directory, extent, blocks)

    def table(self, extent: Extent) -> VectorTable:
        """Map vectors that are written."""
        return vector_table.load(self.directory, extent)

    def publish(self, manifest: Manifest, rows: Rows) -> None:
        """Swap in the rows beside the vectors, and delete what nothing refers to any more."""
        folder = self._generations.fresh()
        np.save(folder / "ids.npy", rows.ids)
        np.save(folder / "columns.npy", rows.columns)
        (folder / "laws.json").write_text(json.dumps([list(asdict(law).values()) for law in rows.laws]))
        (folder / "manifest.json").write_text(json.dumps(asdict(manifest)))
        self._generations.publish(folder)
        self._generations.prune()
        for path in self.directory.glob("vectors-*"):
            if path.stem != manifest.extent.name:
                path.unlink(missing_ok=True)

    def _generation(self, folder: Path) -> Generation:
        manifest = _read_manifest(folder)
        laws = tuple(LawRow(*law) for law in json.loads((folder / "laws.json").read_text()))
        rows = Rows(_mapped(folder / "ids.npy"), _mapped(folder / "columns.npy"), laws)
        return Generation(manifest, self.table(manifest.extent), rows)


def _mapped(path: Path) -> NDArray[Any]:
    return np.asarray(np.load(path, "r"))


def _read_manifest(folder: Path) -> Manifest:
    said = json.loads((folder / "manifest.json").read_text())
    at, sha256 = said["anchors"]
    return Manifest(Horizon(**said["horizon"]), (at, sha256), Extent(**said["extent"]))
