"""The forms in which a text is cited elsewhere: plain, Markdown, as one law refers to another, and with its source."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpus.models import Law

_FEMININE = {
    "ley", "orden", "constitución", "resolución", "instrucción", "circular", "directiva", "decisión", "ordenanza",
    "norma", "compilación", "recopilación", "declaración",
}  # fmt: skip
_MASCULINE = {
    "real", "decreto", "decreto-ley", "código", "reglamento", "acuerdo", "convenio", "texto", "estatuto", "tratado",
    "protocolo", "instrumento", "auto", "canje",
}  # fmt: skip
_MARKDOWN = re.compile(r"([\\\[\]*_`<>])")


def reference(law: Law, label: str) -> str:
    """Refer to a provision, or to the law where `label` is empty, by the law's full title and its id in the gazette.

    >>> from corpus.models import Law
    >>> lgt = Law(title="Ley 58/2003, de 17 de diciembre, General Tributaria.", boe_id="BOE-A-2003-23186")
    >>> reference(lgt, "art. 27.2")
    'art. 27.2 de la Ley 58/2003, de 17 de diciembre, General Tributaria (BOE-A-2003-23186)'
    >>> reference(lgt, "")
    'Ley 58/2003, de 17 de diciembre, General Tributaria (BOE-A-2003-23186)'
    """
    return reference_to(law.title, law.boe_id, law.language, label)


def reference_to(title: str, boe_id: str | None, language: str, label: str) -> str:
    """Refer to a provision, or to its law, by the law's title, gazette id and language."""
    title = title.strip().rstrip(".")
    told = f"{title} ({boe_id})" if boe_id else title
    return f"{label}{_of(title) if language == 'es' else ', '}{told}" if label else told


def markdown(words: str, address: str) -> str:
    r"""Link words to an address in Markdown.

    >>> markdown("art. 5 [bis] Ley 1/2020", "https://example.org/ley-1-2020:art-5")
    '[art. 5 \\[bis\\] Ley 1/2020](https://example.org/ley-1-2020:art-5)'
    """
    escaped = _MARKDOWN.sub(lambda found: f"\\{found[0]}", words)
    return f"[{escaped}]({address})"


def _of(title: str) -> str:
    """Join a title to what is of it, by the gender of its first word."""
    first = title.split(" ", 1)[0].lower()
    if first in _FEMININE:
        return " de la "
    return " del " if first in _MASCULINE else ", "
