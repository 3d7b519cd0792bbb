"""The files of the vector matrix: written aside and swapped in, shared by every process, disposable."""

from __future__ import annotations

import fcntl
import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.embedding import Vectors
from search.filters import ENDED
from search.generations import Generations
from search.vector_horizon import Anchors, Horizon
from search.vector_rows import COLUMNS, IDS, KINDS, LawRow, Rows

# Rows laid out otherwise, by another release, are not read.
LAYOUT = "rows" + hashlib.sha256(repr((IDS, COLUMNS, KINDS, ENDED)).encode()).hexdigest()[:8]
_ATTEMPTS = 3
_DAMAGED = (ValueError, KeyError, TypeError, EOFError)


@dataclass(frozen=True)
class Manifest:
    """How far the files have come and where the vectors are.

    The anchors are what the database said of the last revision and the last vector: as long as it says the same,
    its history goes on from there, and was not restored from elsewhere.
    """

    horizon: Horizon
    anchors: Anchors
    vectors: int
    vector_file: str


@dataclass(frozen=True)
class Generation:
    """The matrix of one manifest: `vectors` float32[n, d] of unit length, with their ascending ids, and the rows."""

    manifest: Manifest
    vectors: Vectors
    vector_ids: NDArray[np.int64]
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

    def append(
        self, base: Manifest | None, dimensions: int, blocks: Iterable[tuple[NDArray[np.int64], Vectors]]
    ) -> tuple[str, NDArray[np.int64]]:
        """Write vectors after those of `base`, or into a new file; give its name and the ids of all it holds."""
        name = base.vector_file if base else f"vectors-{secrets.token_hex(6)}"
        count = base.vectors if base else 0
        with (self.directory / f"{name}.f32").open("ab") as vectors, (self.directory / f"{name}.ids").open("ab") as ids:
            # What a killed writer left behind the published part goes.
            vectors.truncate(count * dimensions * 4)
            ids.truncate(count * 8)
            for some_ids, some_vectors in blocks:
                vectors.write(some_vectors.tobytes())
                ids.write(some_ids.tobytes())
                count += len(some_ids)
        return name, self._ids(name, count)

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
            if path.stem != manifest.vector_file:
                path.unlink(missing_ok=True)

    def _generation(self, folder: Path) -> Generation:
        manifest = _read_manifest(folder)
        laws = tuple(LawRow(*law) for law in json.loads((folder / "laws.json").read_text()))
        rows = Rows(_mapped(folder / "ids.npy"), _mapped(folder / "columns.npy"), laws)
        return Generation(manifest, self._vectors(manifest), self._ids(manifest.vector_file, manifest.vectors), rows)

    def _vectors(self, manifest: Manifest) -> Vectors:
        shape = (manifest.vectors, manifest.horizon.dimensions)
        if not manifest.vectors:
            return np.empty(shape, np.float32)  # an empty file cannot be mapped
        path = self.directory / f"{manifest.vector_file}.f32"
        return np.asarray(np.memmap(path, np.float32, "r", shape=shape))

    def _ids(self, name: str, count: int) -> NDArray[np.int64]:
        ids = np.fromfile(self.directory / f"{name}.ids", np.int64, count)
        if len(ids) < count:
            raise ValueError(f"{name}.ids holds {len(ids)} ids, not {count}")
        return ids


def _mapped(path: Path) -> NDArray[Any]:
    return np.asarray(np.load(path, "r"))


def _read_manifest(folder: Path) -> Manifest:
    said = json.loads((folder / "manifest.json").read_text())
    horizon, anchors = Horizon(**said.pop("horizon")), said.pop("anchors")
    return Manifest(horizon=horizon, anchors=(anchors[0], anchors[1]), **said)
