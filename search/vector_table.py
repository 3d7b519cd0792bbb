"""The vectors of one model in files that only grow: as they are, and in what is compared first, codes and signs."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from corpus.embedding import Vectors
from search import vector_codes, vector_signs

_SIGNED_AT_ONCE = 20_000


@dataclass(frozen=True)
class Extent:
    """How much of the files named `name` is written: `count` vectors, with codes at most `residual` off."""

    name: str
    count: int
    dimensions: int
    residual: float = 0.0

    @classmethod
    def new(cls, dimensions: int) -> Extent:
        """Name files that are yet to be."""
        return cls(f"vectors-{secrets.token_hex(6)}", 0, dimensions)

    def columns(self) -> dict[str, tuple[type[np.generic], tuple[int, ...]]]:
        """Give the type and the shape of each file, by its suffix."""
        one, many = (self.count,), (self.count, self.dimensions)
        signed = self.count if self.count >= vector_signs.MANY else 0
        return {
            "ids": (np.int64, one),
            "scales": (np.float32, one),
            "codes": (np.int8, many),
            "f32": (np.float32, many),
            "signs": (np.uint8, (signed, vector_signs.PLANES // 8)),
        }


@dataclass(frozen=True)
class VectorTable:
    """Unit vectors float32[n, d] with their codes, by ascending ids of the database; with `signs` if they are many."""

    ids: NDArray[np.int64]
    vectors: Vectors
    codes: NDArray[np.int8]
    scales: NDArray[np.float32]
    residual: float
    signs: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.ids)


def load(directory: Path, extent: Extent) -> VectorTable:
    """Map the files into memory. Raise `OSError` or `ValueError` if they are not there or too short."""
    columns = {
        suffix: _mapped(directory / f"{extent.name}.{suffix}", kind, shape)
        for suffix, (kind, shape) in extent.columns().items()
    }
    ids, vectors, codes, scales, signs = (columns[name] for name in ("ids", "f32", "codes", "scales", "signs"))
    return VectorTable(ids, vectors, codes, scales, extent.residual, signs)


def append(directory: Path, extent: Extent, blocks: Iterable[tuple[NDArray[np.int64], Vectors]]) -> Extent:
    """Write blocks of ids and unit vectors after what `extent` says is there; give the new extent."""
    count, residual = extent.count, extent.residual
    with ExitStack() as stack:
        files = {suffix: stack.enter_context(file) for suffix, file in _opened(directory, extent)}
        for ids, vectors in blocks:
            codes, scales, off = vector_codes.encode(vectors)
            for suffix, column in {"ids": ids, "scales": scales, "codes": codes, "f32": vectors}.items():
                files[suffix].write(np.ascontiguousarray(column).data)
            count, residual = count + len(ids), max(residual, off)
    grown = Extent(extent.name, count, extent.dimensions, residual)
    _sign(directory, extent, grown)
    return grown


def _sign(directory: Path, extent: Extent, grown: Extent) -> None:
    """Write the signs that are missing; all of them when the vectors have become many."""
    (start, _), (end, _) = (one.columns()["signs"][1] for one in (extent, grown))
    if start == end:
        return
    kind, shape = grown.columns()["f32"]
    vectors = _mapped(directory / f"{grown.name}.f32", kind, shape)
    middle = vector_signs.centre(vectors)
    with (directory / f"{grown.name}.signs").open("ab") as file:
        for first in range(start, end, _SIGNED_AT_ONCE):
            file.write(vector_signs.signs(vectors[first : first + _SIGNED_AT_ONCE], middle).data)


def _opened(directory: Path, extent: Extent) -> Iterator[tuple[str, BinaryIO]]:
    """Open each file at its end, without what a killed writer left there."""
    for suffix, (kind, shape) in extent.columns().items():
        file = (directory / f"{extent.name}.{suffix}").open("ab")
        file.truncate(int(np.prod(shape)) * np.dtype(kind).itemsize)
        yield suffix, file


def _mapped(path: Path, kind: type[np.generic], shape: tuple[int, ...]) -> NDArray[Any]:
    if not shape[0]:
        return np.empty(shape, kind)  # an empty file cannot be mapped
    return np.asarray(np.memmap(path, kind, "r", shape=shape))
