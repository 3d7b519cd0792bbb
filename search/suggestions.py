"""Which existing keys of a law lie nearest to one it does not have: offered, never chosen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SUGGESTED = 5
_FAR = 10**6
_KEY = re.compile(r"(?P<kind>[a-zñ]+)(?:-(?P<number>\d+))?(?P<rest>.*)")


def nearest(key: str, existing: Sequence[str], limit: int = SUGGESTED) -> list[str]:
    """Give the keys nearest to `key`, best first: what it is part of, its parts, its number, others of its kind.

    >>> nearest("art-9-bis", ["art-8", "art-9", "art-9-ter", "art-90", "da-9"], limit=3)
    ['art-9', 'art-9-ter', 'art-8']
    >>> nearest("art-9999", ["art-1", "art-270", "art-271"], limit=2)
    ['art-271', 'art-270']
    >>> nearest("anexo", ["anexo-i", "art-1"])
    ['anexo-i']
    >>> nearest("df-unica", ["art-1", "norma.df-unica"])
    ['norma.df-unica']
    >>> nearest("anexo-i.parte-b", ["anexo-i", "anexo-ii.parte-b"])
    ['anexo-i', 'anexo-ii.parte-b']
    >>> nearest("anexo-i", ["anexo-i.parte-a", "anexo-ii"])
    ['anexo-i.parte-a', 'anexo-ii']
    """
    part, kind, number, _rest = _parts(key)
    same_kind = [(other, place) for place, other in enumerate(existing) if _parts(other)[1] == kind]

    def distance(found: tuple[str, int]) -> tuple[int, int, int, int]:
        other, place = found
        its_part, _kind, its_number, its_rest = _parts(other)
        far = abs(its_number - number) if its_number is not None and number is not None else _FAR
        return far, its_part != part, len(its_rest), place

    above_or_below = [other for other in existing if other == key.rpartition(".")[0] or other.startswith(f"{key}.")]
    near = (other for other, _ in sorted(same_kind, key=distance) if other not in above_or_below)
    return [*above_or_below, *near][:limit]


def _parts(key: str) -> tuple[str, str, int | None, str]:
    """Give the part of the law, the kind, the number and what follows it: of "norma.art-3-bis", "norma." and so on."""
    part, dot, own = key.rpartition(".")
    found = _KEY.fullmatch(own)
    if found is None:
        return part + dot, own, None, ""
    return part + dot, found["kind"], int(found["number"]) if found["number"] else None, found["rest"]
