"""Which existing keys of a law lie nearest to one it does not have: offered, never chosen."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

SUGGESTED = 5
_KEY = re.compile(r"(?P<kind>(?:.*\.)?[a-zñ]+)(?:-(?P<number>\d+))?(?P<rest>.*)")


def nearest(key: str, existing: Sequence[str], limit: int = SUGGESTED) -> list[str]:
    """Give the keys nearest to `key`, best first: the same number, then its neighbours of the same kind.

    >>> nearest("art-9-bis", ["art-8", "art-9", "art-9-ter", "art-90", "da-9"], limit=3)
    ['art-9', 'art-9-ter', 'art-8']
    >>> nearest("art-9999", ["art-1", "art-270", "art-271"], limit=2)
    ['art-271', 'art-270']
    >>> nearest("anexo", ["anexo-i", "art-1"])
    ['anexo-i']
    """
    wanted = _parts(key)
    same_kind = [(other, place) for place, other in enumerate(existing) if _parts(other)[0] == wanted[0]]

    def distance(found: tuple[str, int]) -> tuple[int, int, int]:
        other, place = found
        _, number, rest = _parts(other)
        far = abs(number - wanted[1]) if number is not None and wanted[1] is not None else 10**6
        return far, len(rest), place

    return [other for other, _ in sorted(same_kind, key=distance)[:limit]]


def _parts(key: str) -> tuple[str, int | None, str]:
    found = _KEY.fullmatch(key)
    if found is None:
        return key, None, ""
    return found["kind"], int(found["number"]) if found["number"] else None, found["rest"]
