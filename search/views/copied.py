"""The forms in which the text of a provision's page is cited elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from corpus.clock import today
from search.addresses import page_url
from search.captions import law_caption, short_label
from search.citation_forms import markdown, reference
from search.spans import has_force_today, unmistakable, with_days, written
from search.templatetags.law_text import official

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date

    from corpus.identifiers import CitationId
    from corpus.models import Law
    from search.responses import Resolution


def forms(
    law: Law, shown: Resolution, cited: CitationId, pinned: date | None, absolute: Callable[[str], str]
) -> dict[str, Any]:
    """Give the forms in which a text is cited, and what follows it where it is copied with its source.

    A text that is not today's is never cited without its days: that would be a citation of another text.
    """
    label = short_label(shown.label or "")
    plain = unmistakable(f"{label} {law_caption(law)}", shown)
    words = unmistakable(reference(law, label), shown)
    current = absolute(page_url(str(cited.on_day(None))))
    day = _day_of_text(shown, pinned)
    dated = absolute(page_url(str(cited.on_day(day)))) if day else ""
    source = official(shown.source_url)
    told = [
        f"{_in_full(reference(law, label), law, shown)}.",
        _("Fuente: %(url)s") % {"url": source} if source else "",
        dated or current,
    ]
    written_forms = [
        (_("Breve"), plain),
        (_("Referencia"), words),
        ("Markdown", markdown(plain, dated or current)),
        (_("Enlace al texto de hoy"), current),
        (_("Enlace a este texto, con su día"), dated),
    ]
    return {
        "forms": [(name, form) for name, form in written_forms if form],
        "copied_citation": words,
        "copied_source": "\n".join(filter(None, told)),
    }


def _in_full(citation: str, law: Law, shown: Resolution) -> str:
    """Say of which days a text is; where nobody knows, as of when its source says it."""
    if shown.valid_from or shown.valid_to or law.source_updated_at is None:
        return with_days(citation, shown)
    day = written(localtime(law.source_updated_at).date())
    return _("%(citation)s, texto consolidado a %(day)s") % {"citation": citation, "day": day}


def _day_of_text(shown: Resolution, pinned: date | None) -> date | None:
    """Give a day whose page will always show this text: the one asked for, today, or else its last or its first."""
    if pinned or shown.text is None:
        return pinned
    return today() if has_force_today(shown) else shown.valid_to or shown.valid_from
