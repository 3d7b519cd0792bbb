"""Which law of the corpus a mention means: one, several or none, and never a guess."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from django.db.models import Q

from corpus.models import Law
from corpus.works import expressions, read_work
from search.law_names import laws_named

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

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


def is_identified(mention: LawMention) -> bool:
    """Whether it says which law it is, and does not only point at one ("la Ley")."""
    return bool(_has_id(mention) or mention.name or mention.number or mention.enacted)


def choose_laws(mentions: Sequence[LawMention]) -> list[LawChoice]:
    """Find the law that each mention means: one query, and three more if any goes by its name.

    The state's law comes before its regional namesakes, but never a namesake in its stead.
    """
    shelf = _Shelf(mentions)
    named = laws_named({mention.name for mention in mentions if mention.name and not _has_id(mention)})
    return [_choose(mention, shelf, named) for mention in mentions]


class _Shelf:
    """Every law that the ids and numbers of some mentions may mean, read at once."""

    def __init__(self, mentions: Sequence[LawMention]) -> None:
        wanted = Q()
        for field, values in (
            ("key__in", {key for mention in mentions for key in _keys(mention)}),
            ("boe_id__in", {mention.boe_id for mention in mentions if mention.boe_id}),
            ("eli__in", {eli for mention in mentions if mention.eli for eli in _eli_spellings(mention.eli)}),
        ):
            if values:
                wanted |= Q(**{field: values})
        for rank, number, enacted in {_issue(mention) for mention in mentions if _goes_by_issue(mention)}:
            wanted |= Q(rank=rank, **({"number": number} if number else {"enacted": enacted}))
        self.laws = list(Law.objects.filter(wanted).defer("notes", "warnings").order_by("key")) if wanted else []
        self.by_key = {law.key: law for law in self.laws}
        self._by_source: dict[str, list[Law]] = defaultdict(list)
        for law in self.laws:
            for name in filter(None, (law.boe_id, law.eli)):
                self._by_source[name].append(law)

    def by_official_id(self, mention: LawMention) -> list[Law]:
        """Give the laws of a mention's BOE id or ELI, or of an id that follows from them: one in each language held."""
        found = [self.by_key.get(key) for key in (*mention.ids, *_ids_of_address(mention))]
        names = (mention.boe_id, *(_eli_spellings(mention.eli) if mention.eli else ()))
        found += [law for name in names for law in self._by_source.get(name, ())]
        return sorted({law.key: law for law in found if law}.values(), key=lambda law: law.key)

    def by_issue(self, mention: LawMention) -> list[Law]:
        """Give the laws of a rank that bear a number, or a day, which others may bear as well."""
        rank, number, enacted = _issue(mention)
        return [
            law
            for law in self.laws
            if law.rank == rank
            and (not number or law.number == number)
            and (not enacted or law.enacted in (enacted, None))
        ]


def _choose(mention: LawMention, shelf: _Shelf, named: Mapping[str, list[Law]]) -> LawChoice:
    if mention.boe_id or mention.eli:
        return _one_of(shelf.by_official_id(mention), mention)
    if mention.ids:
        return _by_ids(mention, shelf.by_key)
    if _goes_by_issue(mention):
        candidates = tuple(shelf.by_issue(mention))
        return LawChoice("ambiguous" if candidates else "law_not_in_corpus", others=candidates)
    return _one_of(named.get(mention.name, []), mention)


def _has_id(mention: LawMention) -> bool:
    return bool(mention.ids or mention.boe_id or mention.eli)


def _goes_by_issue(mention: LawMention) -> bool:
    """Whether only rank and number, or rank and day, are known: "Circular 4/2017", "Ley de 26 de diciembre de 1958"."""
    return bool(mention.rank and (mention.number or mention.enacted)) and not (_has_id(mention) or mention.name)


def _issue(mention: LawMention) -> tuple[str, str, date | None]:
    return mention.rank, mention.number, mention.enacted


def _keys(mention: LawMention) -> Iterator[str]:
    yield from mention.ids
    yield from _ids_of_address(mention)
    for key in mention.ids:
        yield from expressions(key)
    if _has_namesakes(mention):
        yield from (f"{region}-{key}" for key in mention.ids for region in REGIONS)


def _ids_of_address(mention: LawMention) -> tuple[str, ...]:
    """Give the ids that an official address stands for: of the language it names, else of each that the law has."""
    work = read_work(mention.eli) if mention.eli else None
    if work is None:
        return ()
    return (work.law_id(),) if work.language else (work.id, *expressions(work.id))


def _by_ids(mention: LawMention, held: Mapping[str, Law]) -> LawChoice:
    spoken = [held[key] for one in mention.ids if one not in held for key in expressions(one) if key in held]
    if spoken:
        return _one_of(spoken, mention)
    named = tuple(held[key] for key in mention.ids if key in held)
    absent = tuple(key for key in mention.ids if key not in held)
    if mention.is_ambiguous:
        return LawChoice("ambiguous", others=named, absent_ids=absent)
    namesakes = tuple(held[key] for key in sorted(_keys(mention)) if key in held and key not in mention.ids)
    of_that_day = [law for law in (*named[:1], *namesakes) if mention.enacted and law.enacted == mention.enacted]
    first = of_that_day[0] if len(of_that_day) == 1 else held.get(mention.ids[0])
    if first is not None:
        return LawChoice("found", first, tuple(law for law in (*named, *namesakes) if law != first))
    if namesakes:
        return LawChoice("ambiguous", others=(*named, *namesakes))
    return LawChoice("law_not_in_corpus", others=named, absent_ids=absent)


def _has_namesakes(mention: LawMention) -> bool:
    """Whether people wrote a number that a region's law may bear too, and no region with it."""
    is_as_written = mention.number and not (mention.boe_id or mention.eli)
    return bool(is_as_written) and not mention.explicit_region and mention.jurisdiction in ("", "es")


def eli_path(eli: str) -> str:
    """Give an ELI without host and ending, which sources record in one form or another.

    >>> eli_path("https://www.boe.es/eli/es/l/2003/12/17/58/con")
    'es/l/2003/12/17/58'
    """
    found = _ELI.fullmatch(eli)
    return found["path"] if found else eli


def _eli_spellings(eli: str) -> list[str]:
    """Give the forms in which a source may have recorded an ELI: as it stands, or as the BOE's."""
    return [eli, *_boe_spellings(eli)]


def _boe_spellings(eli: str) -> list[str]:
    return [host + eli_path(eli) + end for host in _ELI_HOSTS for end in ("", "/con")]


def _one_of(laws: Sequence[Law], mention: LawMention) -> LawChoice:
    if len(laws) == 1:
        return LawChoice("found", laws[0])
    if laws:
        return LawChoice("ambiguous", others=tuple(laws))
    return LawChoice("law_not_in_corpus", absent_ids=mention.ids)
