"""Tells the heading of a provision from its text where both stand on one line."""

from __future__ import annotations

import re

_NO_VERBS = r"(?:albarán|alquitrán|azafrán|pacharán|refrán)"
_FINITE = re.compile(
    rf"(?:(?<!\bde)(?<!\bdel)(?<!\bel)(?<!\bla)(?<!\blos)(?<!\blas)(?<!\bun)(?<!\by)\s|^)(?!{_NO_VERBS}\b)"
    r"(?:\w{2,}(?:rá|rán)|(?-i:es|son)|está|están|debe|deben|puede|pueden|tiene|tienen|queda|quedan|se \w{2,}[ae]n?|"
    r"corresponde|corresponden|constituye|constituyen)(?=[\s,.;:])",
    re.IGNORECASE,
)
_SUBORDINATES = re.compile(
    r"\b(?:que|quien(?:es)?|donde|cuando|cuy[oa]s?|como|si|cual(?:es)?|mientras|en tanto|aunque)\b", re.IGNORECASE
)
_FOR_PURPOSES = re.compile(r"(?:a|para) (?:los? )?(?:solos )?efectos\b", re.IGNORECASE)
_ASIDE = re.compile(r"\([^)]*\)|«[^»]*»|“[^”]*”|\"[^\"]*\"")
_STOP = re.compile(r"[.:] +(?=[A-ZÁÉÍÓÚÑ¿«])")


def heading_length(rest: str) -> int:
    """Tell how much of what follows a label is heading: nothing where the text itself begins there.

    Headings are noun phrases: their verbs stand in subordinate clauses. A heading may be followed by the text on
    the same line.

    >>> heading_length("A los efectos de esta Ley..."), heading_length("Quedan derogados:")
    (0, 0)
    >>> heading_length("Personas que podrán votar"), heading_length("Junta. La Junta tendrá tres miembros.")
    (25, 5)
    """
    start = 0
    for end in [*(found.start() for found in _STOP.finditer(rest)), len(rest)]:
        if _is_sentence(rest[start:end].lstrip(".: ")):
            return start
        start = end
    return len(rest)


def _is_sentence(words: str) -> bool:
    bare = _ASIDE.sub(lambda found: "·" * len(found[0]), words)
    if _FOR_PURPOSES.match(bare):
        return True
    verb = _FINITE.search(bare)
    return verb is not None and not _SUBORDINATES.search(bare[: verb.start()])
