"""What the empty search page offers: the laws that are held, and things to try that this corpus answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.db.models import Case, Q, When
from django.urls import reverse
from django.utils.translation import gettext as _

from corpus.clock import today
from corpus.models import Article, ArticleVersion, Kind, Law, Status
from search.addresses import page_url
from search.captions import provision_caption

if TYPE_CHECKING:
    from collections.abc import Iterator

SHOWN_LAWS = 8


def welcome() -> dict[str, Any]:
    """Give the laws first in order and how many more there are, and a few questions: three queries."""
    in_force = Law.objects.filter(status=Status.IN_FORCE).order_by("-source_updated_at", "key")
    laws = list(in_force[:SHOWN_LAWS])
    return {
        "laws": laws,
        "more_laws": Law.objects.count() - len(laws),
        "tries": list(_tries(laws)),
    }


def _tries(laws: list[Law]) -> Iterator[dict[str, str]]:
    """Take the provision that changed last, or failing that any with a heading: its words, its citation, its past."""
    changed = (
        ArticleVersion.objects.filter(article__law__in=laws, article__kind=Kind.ARTICLE, status=Status.IN_FORCE)
        .filter(valid_from__isnull=False, valid_to__lt=today())
        .select_related("article__law")
        .order_by("-valid_to", "article__law__key", "article__position")
        .first()
    )
    article = changed.article if changed else _with_telling_heading(laws)
    if article is None:
        return
    if article.heading:
        yield _try(article.heading, _("palabras o una pregunta: busca por palabras y por significado"))
    yield _try(provision_caption(article.law, article), _("una cita, como se escriba: va directa a su texto"))
    if changed:
        citation = f"{article}@{changed.valid_from}"
        yield {"q": citation, "url": page_url(citation), "what": _("una cita con su día: el texto que regía entonces")}


def _with_telling_heading(laws: list[Law]) -> Article | None:
    """Give the first article whose heading is a phrase; else the first provision with any."""
    is_phrase = Q(kind=Kind.ARTICLE, heading__regex=r"\w+ \w+ \w+")
    headed = Article.objects.filter(law__in=laws).exclude(heading="").select_related("law")
    return headed.order_by(Case(When(is_phrase, then=0), default=1), "law", "position").first()


def _try(query: str, what: str) -> dict[str, str]:
    return {"q": query, "url": f"{reverse('search')}?{urlencode({'q': query})}", "what": what}
