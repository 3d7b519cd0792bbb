"""Which law of the corpus a mention means: one, several or none, and never a guess."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from django.db.models import Q

from corpus.models import Law
from search.law_names import laws_named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from search.citations import LawMention

REGIONS = (
    "es-an", "es-ar", "es-as", "es-cb", "es-ce", "es-cl", "es-cm", "es-cn", "es-ct", "es-ex", "es-ga", "es-ib",
    "es-mc", "es-md", "es-ml", "es-nc", "es-pv", "es-ri", "es-vc",
)  # fmt: skip
_ELI = re.compile(r"(?:https?://[^/]+/)?/?(?:eli/)?(?P<path>[^?#]+?)(?:/con)?/*")
_ELI_HOSTS = ("https://www.boe.es/eli/", "http://www.boe.es/eli/", "https://boe.es/eli/", "/eli/", "eli/", "")


@dataclass(frozen=True)
class LawChoice:
    """What a mention of a law means.

    `found`: `law`, with `others` that share its number. `ambiguous`: one of `others` or of `absent_ids`.
    `law_not_in_corpus`: none; `others` are those the name may mean besides the one that is missing.
    """

    outcome: Literal["found", "ambiguous", "law_not_in_corpus"]
    law: Law | None = None
    others: tuple[Law, ...] = ()
    absent_ids: tuple[str, ...] = ()


def choose_law(mention: LawMention) -> LawChoice:
    """Find the law a mention means; the state's before its regional namesakes, but never a namesake in its stead."""
    if mention.boe_id or mention.eli:
        return _one_of(_by_official_id(mention), mention)
    if mention.ids:
        return _by_ids(mention)
    return _one_of(laws_named(mention.name), mention)


def _by_ids(mention: LawMention) -> LawChoice:
    namesake_keys = [f"{region}-{key}" for key in mention.ids for region in REGIONS] if _has_namesakes(mention) else []
    held = {
        law.key: law
        for law in Law.objects.defer("notes", "warnings").filter(key__in=[*mention.ids, *namesake_keys]).order_by("key")
    }
    named = tuple(held[key] for key in mention.ids if key in held)
    absent = tuple(key for key in mention.ids if key not in held)
    if mention.is_ambiguous:
        return LawChoice("ambiguous", others=named, absent_ids=absent)
    namesakes = tuple(law for key, law in held.items() if key not in mention.ids)
    of_that_day = [law for law in (*named[:1], *namesakes) if mention.enacted and law.enacted == mention.enacted]
    first = of_that_day[0] if len(of_that_day) == 1 else held.get(mention.ids[0])
    if first is not None:
        return LawChoice("found", first, tuple(law for law in (*named, *namesakes) if law != first))
    if namesakes:
        return LawChoice("ambiguous", others=(*named, *namesakes))
    return LawChoice("law_not_in_corpus", others=named, absent_ids=absent)


def _has_namesakes(mention: LawMention) -> bool:
    """Whether people wrote a number that a region's law may bear too, and no region with it."""
    return "/" in mention.text and not mention.explicit_region and mention.jurisdiction in ("", "es")


def _by_official_id(mention: LawMention) -> list[Law]:
    wanted = Q(key__in=mention.ids)
    if mention.boe_id:
        wanted |= Q(boe_id=mention.boe_id)
    if mention.eli:
        wanted |= Q(eli__in=_eli_spellings(mention.eli))
    return _laws(wanted)


def _laws(wanted: Q) -> list[Law]:
    return list(Law.objects.filter(wanted).defer("notes", "warnings").order_by("key"))


def _eli_spellings(eli: str) -> list[str]:
    """Give the forms in which a source may have recorded an ELI."""
    found = _ELI.fullmatch(eli)
    return [host + found["path"] + end for host in _ELI_HOSTS for end in ("", "/con")] if found else [eli]


def _one_of(laws: Sequence[Law], mention: LawMention) -> LawChoice:
    if len(laws) == 1:
        return LawChoice("found", laws[0])
    if laws:
        return LawChoice("ambiguous", others=tuple(laws))
    return LawChoice("law_not_in_corpus", absent_ids=mention.ids)
