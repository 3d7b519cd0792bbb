"""Why a provision is where it is in an answer, or why it is not in it: a page, or the part that a hit opens."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from search.asked import Asked, read_text
from search.errors import InputError
from search.explaining import arms_of
from search.lookup import check_length
from search.retrieval import retrieve
from search.views.htmx import HtmxRequest, vary_on_htmx, wants_part
from search.views.search_page import to_retrieve

if TYPE_CHECKING:
    from django.http import HttpResponse

    from search.responses import Hit, RetrievalResponse

FUSIONS = {"weighted": _("sus puntuaciones, sumadas con pesos"), "rrf": _("sus puestos, sumados (RRF)")}
FEATURES = {
    "lexical": _("palabras en común"),
    "lexical_rank": _("puesto por palabras"),
    "semantic": _("significado cercano"),
    "semantic_rank": _("puesto por significado"),
    "semantic_nearness": _("cerca del más cercano"),
    "both": _("hallado de las dos maneras"),
    "semantic_of_question": _("significado, al ser una pregunta"),
    "semantic_of_text": _("significado de todo el texto"),
    "heading": _("palabras en la rúbrica"),
    "heading_share": _("rúbrica dicha por la pregunta"),
    "law": _("palabras en el título de la norma"),
    "law_share": _("título de la norma dicho por la pregunta"),
    "path": _("palabras en los títulos que lo contienen"),
    "in_leading_law": _("de la norma más presente"),
    "number": _("el artículo que se nombra"),
    "article": _("es un artículo"),
    "additional": _("es una disposición adicional"),
    "transitional": _("es una disposición transitoria"),
    "repealing": _("es una disposición derogatoria"),
    "final": _("es una disposición final"),
    "annex": _("es un anexo"),
    "preamble": _("es un preámbulo"),
    "amends": _("modifica otras normas"),
    "formal": _("es de mera forma"),
    "older_of_series": _("hay otra más reciente de la serie"),
    "rank": _("rango de la norma"),
    "length": _("extensión del texto"),
    "pairs": _("palabras juntas como en la pregunta"),
    "cited": _("lo cita lo demás que se ha hallado"),
    "heading_of_keywords": _("palabras en la rúbrica, al ser pocas"),
    "heading_share_of_keywords": _("rúbrica dicha por las palabras, al ser pocas"),
    "length_of_keywords": _("extensión del texto, al ser pocas palabras"),
    "pairs_of_keywords": _("palabras juntas, al ser pocas"),
}
FEATURES_SHOWN = 8


@require_safe
@vary_on_htmx
def why_page(request: HtmxRequest) -> HttpResponse:
    """Explain the place of the provision `hit` in the answer to a question; without one, ask which."""
    try:
        asked = Asked.read(request.GET)
        wanted = read_text(request.GET, "hit")
        check_length(wanted, "hit")
        context = _explained(asked, wanted) if wanted else {}
    except InputError as error:
        return render(request, "400.html", {"error": error}, status=400)
    is_part = wants_part(request)
    context |= {"asked": asked, "wanted": wanted, "is_part": is_part}
    return render(request, "why.html#why" if is_part else "why.html", context)


def _explained(asked: Asked, wanted: str) -> dict[str, Any]:
    answer = retrieve(replace(to_retrieve(asked), explain=wanted))
    absence = answer.explained
    hit = _hit(asked, answer, wanted)
    explanation = hit.explanation if hit else None
    looked_in = arms_of(answer.mode) if hit else absence.looked_in if absence else []
    return {
        "answer": answer,
        "absence": absence,
        "hit": hit,
        "lexical": hit.lexical if hit else absence and absence.lexical,
        "semantic": hit.semantic if hit else absence and absence.semantic,
        "by_words": "lexical" in looked_in,
        "by_meaning": "semantic" in looked_in,
        "explanation": explanation,
        "fusion": FUSIONS.get(explanation.fusion or "") if explanation else None,
        "features": [
            {"name": FEATURES.get(one.name, one.name), "counted": one.counted}
            for one in (explanation.features if explanation else [])[:FEATURES_SHOWN]
            if round(one.counted, 3)
        ],
    }


def _hit(asked: Asked, answer: RetrievalResponse, wanted: str) -> Hit | None:
    """Give the hit with its explanation, from the page of the answer that it is on."""
    absence = answer.explained
    if absence is None or absence.rank is None:
        return None
    found = next((hit for hit in answer.hits if hit.rank == absence.rank), None)
    if found is None:
        there = replace(to_retrieve(asked), explain=wanted, offset=absence.rank - 1, limit=1)
        found = next(iter(retrieve(there).hits), None)
    return found
