"""Citations in the form of ids: canonical ones, and those of a law's official journal with a unit behind a "#"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from corpus.identifiers import CitationId, InvalidCitationId
from corpus.works import is_law_id
from search.citations.folding import Folded
from search.citations.model import LawMention, Reference, UnitMention

CANONICAL_LAW = r"(?:[a-z]{2}(?:-[a-z]{2})?-)?[a-z]+(?:-[a-z]{2,})*-\d{1,5}-\d{4}"
CANONICAL_UNIT = (
    r"(?:(?:[0-9a-zñ-]+\.)?(?:art|d[atfd]|anexo|apendice|preambulo|norma|regla|base|apartado|disposicion)"
    r"(?:[-.~][0-9a-zñ]+)*)"
)
_LOOKS_LIKE_AN_ID = re.compile(rf"{CANONICAL_LAW}|[a-z]{{2,4}}-[a-z]-\d{{4}}-\d{{1,6}}")
_SHAPE = re.compile(r"[0-9a-z]+(?:-[0-9a-z]+)*(?::[0-9a-zñ.~-]+)?(?:@\d{4}-\d{2}-\d{2})?", re.IGNORECASE)

_IN_TEXT = re.compile(r"[0-9a-z-]+(?::[0-9a-zñ~-]+(?:\.[0-9a-zñ-]+)*)?(?:@\d{4}-\d{2}-\d{2})?")

NameLaw = Callable[[str], LawMention | None]


def read_canonical(text: str, name_law: NameLaw) -> Reference | None:
    """Read a text that is one id, in any case; `name_law` knows the laws that go by a short word.

    >>> read_canonical("LEY-58-2003:ART-27.2@2019-06-30", lambda word: None).citation
    CitationId(law='ley-58-2003', unit='art-27', path=('2',), on=datetime.date(2019, 6, 30))
    >>> read_canonical("sobreseimiento", lambda word: None) is None
    True
    """
    if not _SHAPE.fullmatch(text):
        return None
    try:
        cited = CitationId.parse(text)
    except InvalidCitationId:
        return None
    law = name_law(cited.law)
    if law is None:
        if cited.unit is None and not (_LOOKS_LIKE_AN_ID.fullmatch(cited.law) or is_law_id(cited.law)):
            return None
        law = LawMention(cited.law, (cited.law,))
    return referring(text, law, cited)


def read_canonical_at(text: Folded, start: int, name_law: NameLaw) -> tuple[Reference, int] | None:
    """Read an id that begins at a place of a running text, and say where in the folded text it ends."""
    match = _IN_TEXT.match(text.lower, start)
    written = text.slice(start, match.end()) if match else ""
    found = read_canonical(written, name_law) or _without_day(written, name_law)
    if found is None or match is None or found.law is None:
        return None
    by = text.at(start)
    units = tuple(
        replace(unit, start=unit.start + by, end=unit.end + by) for unit in found.units if isinstance(unit, UnitMention)
    )
    law = replace(found.law, start=by, end=found.law.end + by)
    return replace(found, start=by, end=found.end + by, law=law, units=units), match.end()


def _without_day(written: str, name_law: NameLaw) -> Reference | None:
    """Read an id whose day is none in any calendar, keeping what stands for it."""
    cited, _at, day = written.partition("@")
    found = read_canonical(cited, name_law) if day else None
    return replace(found, end=len(written), text=written, no_day=day) if found else None


def referring(text: str, law: LawMention, cited: CitationId) -> Reference:
    """Make the reference of an id whose law is known by now."""
    at = len(text.split(":", 1)[0].split("#", 1)[0])
    placed = replace(law, text=text[:at], start=0, end=at)
    units = (UnitMention(cited.unit, cited.path, start=at + 1, end=len(text), labels=cited.path),) if cited.unit else ()
    return Reference(0, len(text), text, placed, units, cited.on)
