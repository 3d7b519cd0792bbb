"""On which side of many planes vectors lie: compared in a third of the time of their codes, but only a first look."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import simsimd

from search import vector_codes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from corpus.embedding import Vectors

# Fewer vectors are compared by their codes soon enough.
MANY = 200_000
PLANES = 1024
# So many of the closest hold .998 of the fifty nearest of a million, even of vectors moved by noise.
CLOSE = 32_000
_SAMPLED = 20


def centre(vectors: Vectors) -> Vectors:
    """Give the middle of the first `MANY` vectors, float32[d]: planes through it part what lies together."""
    middle: Vectors = vectors[:MANY:_SAMPLED].mean(axis=0)
    return middle


def signs(vectors: Vectors, middle: Vectors) -> NDArray[np.uint8]:
    """Say of float32[n, d] on which side of each plane through `middle` they lie, in bits: uint8[n, PLANES / 8]."""
    return np.packbits((vectors - middle) @ _normals(len(middle)).T > 0, axis=1)


def signs_of_one(vector: Vectors, middle: Vectors) -> NDArray[np.uint8]:
    """Say the same of one vector, uint8[1, PLANES / 8]; not by BLAS, whose threads wait for each other."""
    return np.packbits(np.vecdot(_normals(len(middle)), vector - middle) > 0)[None]


def closest(
    held: NDArray[np.uint8], asked: NDArray[np.uint8], wanted: NDArray[np.integer[Any]], count: int
) -> NDArray[np.intp]:
    """Give places in `wanted`, rising: of the `count` that lie on the side of `asked` most often, and of their equals.

    `wanted` are places in `held`.

    >>> held = np.array([[0b111], [0b000], [0b001], [0b011]], np.uint8)
    >>> closest(held, held[:1], np.array([1, 2, 3]), 2).tolist()
    [1, 2]
    """
    distances = np.empty(len(held), np.uint16)

    def measure(start: int, end: int) -> None:
        if start < end:
            found = simsimd.cdist(asked, held[start:end], "hamming", dtype="bin8")
            distances[start:end] = np.asarray(found)[0]

    vector_codes.share_out(measure, len(held))
    of_wanted = distances.take(wanted)
    farthest = np.searchsorted(np.bincount(of_wanted).cumsum(), count)
    return np.flatnonzero(of_wanted <= farthest)


@cache
def _normals(dimensions: int) -> Vectors:
    """Give float32[PLANES, d], as many as can be at right angles to each other: such planes tell most."""
    at_right_angles = min(dimensions, PLANES)
    # This generator draws the same for ever; numpy's others may change, and signs are kept in files.
    drawn = np.random.RandomState(0).standard_normal((-(-PLANES // at_right_angles), dimensions, at_right_angles))
    turned, triangles = np.linalg.qr(drawn)
    turned *= np.sign(np.diagonal(triangles, axis1=1, axis2=2))[:, None, :]  # one result, whoever computes it
    normals: Vectors = turned.swapaxes(1, 2).reshape(-1, dimensions)[:PLANES].astype(np.float32)
    return normals
