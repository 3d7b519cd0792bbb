"""Autonomous communities as they stand beside a law's number: names, institutions, adjectives, and their ELI codes."""

from __future__ import annotations

import re

from search.citations.spanish.lexicon import BLANK, GAP

_NAMES = {
    "es-an": ["andalucia"],
    "es-ar": ["aragon"],
    "es-as": ["principado de asturias", "asturias"],
    "es-cb": ["cantabria"],
    "es-cl": ["castilla y leon"],
    "es-cm": ["castilla-la mancha", "castilla la mancha"],
    "es-cn": ["canarias", "islas canarias"],
    "es-ct": ["catalu[nñ]a", "catalunya", "generalitat de catalu[nñ]a", "generalitat de catalunya"],
    "es-ex": ["extremadura"],
    "es-ga": ["galicia"],
    "es-ib": ["illes balears", "islas baleares", "baleares", "balears"],
    "es-mc": ["region de murcia", "murcia"],
    "es-md": ["comunidad de madrid", "madrid"],
    "es-nc": ["comunidad foral de navarra", "navarra"],
    "es-pv": ["pais vasco", "euskadi"],
    "es-ri": ["la rioja", "rioja"],
    "es-vc": ["comunitat valenciana", "comunidad valenciana", "generalitat valenciana", "valencia"],
}
_ADJECTIVES = {
    "andaluz": "es-an", "aragones": "es-ar", "asturian": "es-as", "cantabr": "es-cb", "castellanoleones": "es-cl",
    "canari": "es-cn", "catalan": "es-ct", "extreme[nñ]": "es-ex", "galleg": "es-ga", "balear": "es-ib",
    "murcian": "es-mc", "madrile[nñ]": "es-md", "navarr": "es-nc", "vasc": "es-pv", "riojan": "es-ri",
    "valencian": "es-vc", "estatal": "es",
}  # fmt: skip
_BY_NAME = [(re.compile(name), code) for code, names in _NAMES.items() for name in names]
_BY_ADJECTIVE = [(re.compile(adjective), code) for adjective, code in _ADJECTIVES.items()]

_ANY_NAME = "|".join(sorted((name for names in _NAMES.values() for name in names), key=len, reverse=True))
_OFFICE = (
    r"(?:(?:comunidad autonoma|parlamento|cortes|asamblea|junta|xunta|gobierno|consejo de gobierno|diputacion general"
    r"|presidencia|consell)(?: de)?(?: las?| los|l)? )?"
)
_PLACE = rf"(?:la |las |los |el )?{_OFFICE}(?P<name>{_ANY_NAME})(?![a-zñ])".replace(" ", BLANK)
REGION = re.compile(
    rf"{GAP},?{GAP}(?:\({GAP}(?:(?:de|del|en){BLANK})?{_PLACE}{GAP}\)|del?{BLANK}{_PLACE.replace('<name>', '<plain>')})"
)
ADJECTIVE = re.compile(rf"{BLANK}(?P<adjective>{'|'.join(_ADJECTIVES)})(?:es|[oae]?s?|[ao]s)(?![a-zñ])")


def region_after(lower: str, at: int) -> tuple[str, int] | None:
    """Read ", de Cataluña", " (Madrid)", ", del Parlamento de Galicia" behind a law's number: its code and its end.

    >>> region_after("ley 5/2002, de cataluña", 10)
    ('es-ct', 23)
    """
    match = REGION.match(lower, at)
    if match is None:
        return None
    name = match["name"] or match["plain"]
    words = " ".join(name.split())
    return next(code for pattern, code in _BY_NAME if pattern.fullmatch(words)), match.end()


def region_adjective(lower: str, at: int) -> tuple[str, int] | None:
    """Read the adjective of "Ley catalana 5/2002": the region's code and where the word ends.

    >>> region_adjective("ley catalana 5/2002", 3)
    ('es-ct', 12)
    """
    match = ADJECTIVE.match(lower, at)
    if match is None:
        return None
    return next(code for pattern, code in _BY_ADJECTIVE if pattern.fullmatch(match["adjective"])), match.end()
