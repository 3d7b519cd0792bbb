"""What a page says about a citation that did not simply resolve: words, tone and HTTP status of each outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from search.responses import Resolution

HTTP_STATUS = {
    "found": 200,
    "partial": 200,
    "ambiguous": 300,
    "no_such_provision": 404,
    "law_not_in_corpus": 404,
    "not_in_force": 404,
    "history_not_held": 404,
    "unparsable": 404,
}
TITLES = {
    "found": gettext_lazy("Esto es lo que ha citado"),
    "partial": gettext_lazy("Se ha encontrado una parte de lo citado"),
    "ambiguous": gettext_lazy("Esa cita puede referirse a varias cosas"),
    "no_such_provision": gettext_lazy("La norma no tiene ese precepto"),
    "law_not_in_corpus": gettext_lazy("Esa norma no está en este corpus"),
    "not_in_force": gettext_lazy("Ese día no tenía texto en vigor"),
    "history_not_held": gettext_lazy("No se conserva el texto de ese día"),
    "unparsable": gettext_lazy("Eso no se lee como una cita"),
}


@dataclass(frozen=True)
class OutcomeWords:
    """An outcome as a page tells it; `more` is what the resolution itself adds to it."""

    title: str
    detail: str
    tone: str
    more: str = ""


def words(resolution: Resolution) -> OutcomeWords:
    """Put an outcome into words."""
    tone = "" if resolution.outcome == "found" else "past"
    if resolution.outcome in ("no_such_provision", "law_not_in_corpus"):
        tone = "ended"
    is_told = resolution.outcome in ("unparsable", "law_not_in_corpus")
    more = "" if is_told else resolution.detail or ""
    return OutcomeWords(str(TITLES[resolution.outcome]), _detail(resolution), tone, more)


def _detail(resolution: Resolution) -> str:
    day = f"{resolution.as_of:%d/%m/%Y}" if resolution.as_of else ""
    if resolution.outcome == "partial":
        return _("No se ha podido resolver «%(tail)s».") % {"tail": _unresolved(resolution)}
    if resolution.outcome == "not_in_force":
        return _("El precepto existe, pero el %(day)s ninguna redacción suya estaba en vigor.") % {"day": day}
    if resolution.outcome == "history_not_held":
        return _("La fuente no permite saber qué texto regía el %(day)s.") % {"day": day}
    fixed = {
        "found": "",
        "ambiguous": _("Aquí no se elige por nadie: abra la que busca."),
        "no_such_provision": _("La norma está en este corpus, pero ningún precepto suyo se llama así."),
        "law_not_in_corpus": _(
            "No significa que no exista: aquí sólo se encuentran las normas importadas, y las que sólo modifican "
            "otras no tienen texto consolidado."
        ),
        "unparsable": resolution.detail or "",
    }
    return fixed[resolution.outcome]


def _unresolved(resolution: Resolution) -> str:
    """Give the words that did not resolve: of a list, those of each of its items."""
    if not resolution.items:
        return resolution.unresolved_tail or ""
    amiss = (one for one in resolution.items if one.outcome != "found")
    return _("», «").join(one.unresolved_tail or one.input for one in amiss)
