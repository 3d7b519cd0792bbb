"""Where a law or provision is read: on this site and at its official source."""

from __future__ import annotations

import re
from typing import Protocol
from urllib.parse import quote, urlencode

from django.urls import get_script_prefix

BOE_CONSOLIDATED = "https://www.boe.es/buscar/act.php"
# The gazette never came near so many numbers in a year, so invented laws take these.
_INVENTED = re.compile(r"BOE-[A-Z]-\d{4}-99\d{3}")


class Sourced(Protocol):
    """A law, as far as its source goes."""

    @property
    def boe_id(self) -> str | None:
        """Its id in the BOE, if it has one."""

    @property
    def source_url(self) -> str:
        """Where it was read from, if that is known."""


class Placed(Protocol):
    """A provision, as far as its place in the source goes."""

    @property
    def source_block(self) -> str:
        """The source's own name for it, if it has one."""


def page_url(citation: str) -> str:
    """Give the path of the page of a canonical citation.

    >>> page_url("ley-58-2003:art-27.2@2019-06-30")
    '/ley-58-2003:art-27.2@2019-06-30'
    >>> page_url("ley-1-2000:art-5.ñ")
    '/ley-1-2000:art-5.%C3%B1'
    """
    return get_script_prefix() + quote(citation, safe=":@~")


def names_invented(text: str | None) -> bool:
    """Whether an id or address of the gazette is an invented law's, which no gazette has.

    >>> names_invented("https://www.boe.es/buscar/act.php?id=BOE-A-2019-99001#a1"), names_invented("BOE-A-2003-23186")
    (True, False)
    """
    return bool(text and _INVENTED.search(text))


def source_url(law: Sourced, article: Placed | None = None) -> str | None:
    """Give the official page of a law, at one provision's block where the source names it; None where there is none."""
    if names_invented(law.boe_id):
        return None
    block = f"#{quote(article.source_block)}" if article and article.source_block else ""
    if not law.boe_id:
        return f"{law.source_url}{block}" if law.source_url else None
    return f"{BOE_CONSOLIDATED}?{urlencode({'id': law.boe_id})}{block}"
