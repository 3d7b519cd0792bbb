"""How laws and provisions are named in a line, as lawyers cite them: "art. 27.2 Ley 58/2003"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from search.citations.spanish.curated import curated
from search.responses import LawSummary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpus.models import Article, Law

_RANKS = {
    "ley": "Ley",
    "lo": "Ley Orgánica",
    "rdl": "Real Decreto-ley",
    "rdleg": "Real Decreto Legislativo",
    "rd": "Real Decreto",
    "decreto": "Decreto",
    "dl": "Decreto-ley",
    "dleg": "Decreto Legislativo",
    "ley-foral": "Ley Foral",
    "orden": "Orden",
}
# The conditions as people call them, by the names of their parameters.
CONDITIONS = {
    "q": _("pregunta"),
    "hit": _("precepto"),
    "law": _("norma"),
    "law_rank": _("rango"),
    "jurisdiction": _("ámbito"),
    "kind": _("clase de precepto"),
    "from": _("comienzo de la vigencia"),
    "to": _("comienzo de la vigencia"),
    "from, to": _("comienzo de la vigencia"),
    "status": _("estado"),
    "as_of": _("día cuyo texto se lee"),
    "include_repealed": _("incluir derogados"),
    "sort": _("orden de los resultados"),
}
_APPROVES = re.compile(r", por (?:el|la) que se aprueban? (?:el|la|los|las) ")
_SHORT_LABELS = {"Artículo ": "art. ", "Disposición ": "disp. "}


def law_summary(law: Law) -> LawSummary:
    """Sum up a law as every answer names it."""
    return LawSummary(
        id=law.key,
        boe_id=law.boe_id,
        title=law.title,
        short_title=law.short_title,
        rank=law.rank,
        jurisdiction=law.jurisdiction,
        status=law.status,
    ).in_language(law.language)


def law_caption(law: Law) -> str:
    """Name a law by rank and number, or by its short title where it has none."""
    rank = _RANKS.get(law.rank)
    return f"{rank} {law.number}" if rank and law.number else str(law)


def brief_title(title: str) -> str:
    """Leave out of a law's title that it approves the text that it is about, where there is room for little.

    >>> brief_title("Real Decreto Legislativo 8/2015, por el que se aprueba el texto refundido de la Ley de Aguas")
    'Real Decreto Legislativo 8/2015, texto refundido de la Ley de Aguas'
    """
    return _APPROVES.sub(", ", title, count=1)


def caption_of_id(law_id: str) -> str:
    """Name a law that is known only by its id; one without a number as the reviewed list does.

    >>> caption_of_id("rdl-1-2020"), caption_of_id("orden-hac-1347-2024"), caption_of_id("ce")
    ('Real Decreto-ley 1/2020', 'Orden HAC/1347/2024', 'Constitución Española')
    """
    rank = next((slug for slug in sorted(_RANKS, key=len, reverse=True) if law_id.startswith(f"{slug}-")), None)
    if rank is None:
        return next(iter(curated().names.get(law_id, ())), law_id)
    return f"{_RANKS[rank]} {law_id.removeprefix(f'{rank}-').replace('-', '/').upper()}"


def sub_unit_label(label: str, marks: Sequence[str]) -> str:
    """Name a part of a provision by the marks printed on the way down to it.

    >>> sub_unit_label("Artículo 27", ["2.", "a)", "3.º"])
    'Artículo 27.2.a).3.º'
    """
    return ".".join([label.rstrip("."), *(mark.rstrip(".") for mark in marks)])


def provision_caption(law: Law, article: Article | None = None, marks: Sequence[str] = ()) -> str:
    """Cite a provision, or a part of it, in one line; the law alone without one."""
    if article is None:
        return law_caption(law)
    return f"{short_label(sub_unit_label(article.label, marks))} {law_caption(law)}"


def short_label(label: str) -> str:
    """Shorten the noun that a label begins with.

    >>> short_label("Artículo 27.2"), short_label("Anexo II")
    ('art. 27.2', 'Anexo II')
    """
    for long, short in _SHORT_LABELS.items():
        if label.startswith(long):
            return short + label.removeprefix(long)
    return label
