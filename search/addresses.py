"""Where a law or provision is read: on this site and at its official source."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from django.urls import get_script_prefix

from corpus.models import Article, Law

BOE_CONSOLIDATED = "https://www.boe.es/buscar/act.php"


def page_url(citation: str) -> str:
    """Give the path of the page of a canonical citation.

    >>> page_url("ley-58-2003:art-27.2@2019-06-30")
    '/ley-58-2003:art-27.2@2019-06-30'
    >>> page_url("ley-1-2000:art-5.ñ")
    '/ley-1-2000:art-5.%C3%B1'
    """
    return get_script_prefix() + quote(citation, safe=":@~")


def source_url(law: Law, article: Article | None = None) -> str | None:
    """Give the official page of a law, at one provision's block where the source names it, or None."""
    if not law.boe_id:
        return law.source_url or None
    block = f"#{quote(article.source_block)}" if article and article.source_block else ""
    return f"{BOE_CONSOLIDATED}?{urlencode({'id': law.boe_id})}{block}"
