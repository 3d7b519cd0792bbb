"""Counts the hits of a pool by law, rank, jurisdiction and status."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from corpus.models import Status
from search.responses import FacetCount, Facets

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from search.hydration import Provision

JURISDICTIONS = {
    "es": _("Estatal"),
    "es-an": "Andalucía",
    "es-ar": "Aragón",
    "es-as": "Asturias",
    "es-cb": "Cantabria",
    "es-ce": "Ceuta",
    "es-cl": "Castilla y León",
    "es-cm": "Castilla-La Mancha",
    "es-cn": "Canarias",
    "es-ct": "Cataluña",
    "es-ex": "Extremadura",
    "es-ga": "Galicia",
    "es-ib": "Illes Balears",
    "es-mc": "Región de Murcia",
    "es-md": "Comunidad de Madrid",
    "es-ml": "Melilla",
    "es-nc": "Navarra",
    "es-pv": "País Vasco",
    "es-ri": "La Rioja",
    "es-vc": "Comunitat Valenciana",
}
COUNTRIES = {
    "ar": "Argentina",
    "at": "Austria",
    "au": "Australia",
    "be": _("Bélgica"),
    "bg": "Bulgaria",
    "br": _("Brasil"),
    "ca": _("Canadá"),
    "ch": _("Suiza"),
    "cl": "Chile",
    "co": "Colombia",
    "cy": _("Chipre"),
    "cz": _("Chequia"),
    "de": _("Alemania"),
    "dk": _("Dinamarca"),
    "ee": "Estonia",
    "eu": _("Unión Europea"),
    "fi": _("Finlandia"),
    "fr": _("Francia"),
    "gb": _("Reino Unido"),
    "gh": "Ghana",
    "gr": _("Grecia"),
    "hr": _("Croacia"),
    "hu": _("Hungría"),
    "ie": _("Irlanda"),
    "is": _("Islandia"),
    "it": _("Italia"),
    "ke": _("Kenia"),
    "li": "Liechtenstein",
    "lt": _("Lituania"),
    "lu": _("Luxemburgo"),
    "lv": _("Letonia"),
    "mt": "Malta",
    "mx": _("México"),
    "nl": _("Países Bajos"),
    "no": _("Noruega"),
    "pe": _("Perú"),
    "pl": _("Polonia"),
    "pt": "Portugal",
    "ro": _("Rumanía"),
    "se": _("Suecia"),
    "si": _("Eslovenia"),
    "sk": _("Eslovaquia"),
    "sm": "San Marino",
    "tz": "Tanzania",
    "ug": "Uganda",
    "us": _("Estados Unidos"),
    "uy": "Uruguay",
    "za": _("Sudáfrica"),
}
_PLACES = {**JURISDICTIONS, **COUNTRIES}
RANKS = {
    "acuerdo": _("Acuerdo"),
    "acuerdo-internacional": _("Acuerdo internacional"),
    "circular": _("Circular"),
    "constitucion": _("Constitución"),
    "decreto": _("Decreto"),
    "desconocido": _("Rango desconocido"),
    "dl": _("Decreto-ley"),
    "dl-foral": _("Decreto-ley foral"),
    "dleg": _("Decreto Legislativo"),
    "dleg-foral": _("Decreto Foral Legislativo"),
    "instruccion": _("Instrucción"),
    "ley": _("Ley"),
    "ley-foral": _("Ley Foral"),
    "lo": _("Ley Orgánica"),
    "orden": _("Orden"),
    "rd": _("Real Decreto"),
    "rdl": _("Real Decreto-ley"),
    "rdleg": _("Real Decreto Legislativo"),
    "reglamento": _("Reglamento"),
    "resolucion": _("Resolución"),
}


def count(provisions: Iterable[Provision]) -> Facets:
    """Count the values of each facet, the most frequent first and equal ones by value."""
    counted = list(provisions)
    laws = [provision.law.summary for provision in counted]
    return Facets.model_construct(
        law=_counts((law.id for law in laws), {law.id: law.name for law in laws}),
        rank=_counts((law.rank for law in laws), RANKS),
        jurisdiction=_counts((law.jurisdiction for law in laws), _PLACES),
        status=_counts((provision.status for provision in counted), dict(Status.choices)),
    )


def _counts(values: Iterable[str], labels: Mapping[str, object]) -> list[FacetCount]:
    frequent = sorted(Counter(values).items(), key=lambda item: (-item[1], item[0]))
    return [
        FacetCount.model_construct(value=value, label=str(labels.get(value) or _named(value)), count=number)
        for value, number in frequent
    ]


def _named(value: str) -> str:
    """Write the slug of what another country calls a rank as words, and the code of a jurisdiction in capitals.

    >>> _named("code-civil"), _named("xx"), _named("us-ny")
    ('Code civil', 'XX', 'US-NY')
    """
    is_code = len(value.partition("-")[0]) == len("xx")
    return value.upper() if is_code else value.replace("-", " ").capitalize()
