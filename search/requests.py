"""What is asked of retrieval, and the checks it must pass before anything is looked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from django.utils.translation import gettext as _

from corpus.clock import today
from corpus.identifiers import CitationId
from corpus.models import Kind, Law
from corpus.ranks import RANK_BY_BOE_CODE
from search.errors import (
    ConflictingParameters,
    InvalidDate,
    InvalidLimit,
    InvalidOffset,
    UnknownValue,
)
from search.filters import STATUSES, Filters
from search.law_resolution import REGIONS
from search.lookup import LONGEST_CITATION, check_length, lookup

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import date

MAX_LIMIT = 100
MAX_DEPTH = 1_000
MODES = ("auto", "hybrid", "lexical", "semantic")
FUSIONS = ("auto", "rrf", "weighted")
FIELDS = ("heading", "text", "law")
SORTS = ("relevance", "newest", "oldest")

_RANKS = frozenset(RANK_BY_BOE_CODE.values())
_JURISDICTIONS = frozenset({"es", *REGIONS})


@dataclass(frozen=True)
class RetrievalRequest:
    """A question with its conditions; every field but `query` has a default, and none is changed in silence."""

    query: str
    limit: int = 10
    offset: int = 0
    mode: str = "auto"
    laws: tuple[str, ...] = ()
    ranks: tuple[str, ...] = ()
    jurisdictions: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    valid_from: date | None = None
    valid_to: date | None = None
    as_of: date | None = None
    include_repealed: bool = False
    min_score: float | None = None
    fusion: str = "auto"
    semantic_weight: float | None = None
    rerank: bool | None = None
    fields: tuple[str, ...] = ()
    sort: str = "relevance"
    explain: bool | str | None = None

    @property
    def day(self) -> date:
        """The day whose law is read."""
        return self.as_of or today()

    def wants(self, score: float) -> bool:
        """Whether a hit of that score is wanted."""
        return self.min_score is None or score >= self.min_score


def check(request: RetrievalRequest) -> None:
    """Raise the `InputError` that names the first parameter that is wrong, and its limit."""
    if not 1 <= request.limit <= MAX_LIMIT:
        detail = _("limit va de 1 a %(maximum)d.") % {"maximum": MAX_LIMIT}
        raise InvalidLimit(detail, parameter="limit", limit=MAX_LIMIT)
    if request.offset < 0:
        raise InvalidOffset(_("offset no puede ser negativo."), parameter="offset", limit=0)
    if request.offset + request.limit > MAX_DEPTH:
        detail = _("Se ordenan los %(depth)d primeros: offset + limit no puede pasar de ahí.") % {"depth": MAX_DEPTH}
        raise InvalidOffset(detail, parameter="offset", limit=MAX_DEPTH - request.limit)
    if request.valid_from and request.valid_to and request.valid_from > request.valid_to:
        raise InvalidDate(_("from es posterior a to."), parameter="from", limit=request.valid_to.isoformat())
    for name, share in (("min_score", request.min_score), ("semantic_weight", request.semantic_weight)):
        if share is not None and not 0 <= share <= 1:
            raise UnknownValue(_("%(name)s va de 0 a 1.") % {"name": name}, parameter=name, limit=1)
    _require(FUSIONS, (request.fusion,), "fusion")
    _require(MODES, (request.mode,), "mode")
    _require(SORTS, (request.sort,), "sort")
    _require(FIELDS, request.fields, "fields")
    _require(Kind.values, request.kinds, "kind")
    _require(STATUSES, request.statuses, "status")
    if isinstance(request.explain, str):
        check_length(request.explain, "explain")
    _check_agreement(request)


def _check_agreement(request: RetrievalRequest) -> None:
    """Raise `ConflictingParameters` for what another parameter would leave no part in the answer."""
    if request.rerank and request.sort != "relevance":
        detail = _("rerank ordena por pertinencia, y sort=%(sort)s pide otro orden.") % {"sort": request.sort}
        raise ConflictingParameters(detail, parameter="rerank")
    if request.fields and request.mode == "semantic":
        detail = _("fields dice dónde se buscan las palabras, y mode=semantic no busca ninguna.")
        raise ConflictingParameters(detail, parameter="fields")


def filters_of(request: RetrievalRequest) -> Filters:
    """Give the filters of a checked request; raise `UnknownValue` for a law, rank or jurisdiction of no law."""
    check_laws(request.ranks, request.jurisdictions)
    return Filters(
        on=request.day,
        laws=_law_keys(request.laws),
        ranks=request.ranks,
        jurisdictions=request.jurisdictions,
        kinds=request.kinds,
        statuses=request.statuses,
        valid_from=request.valid_from,
        valid_to=request.valid_to,
        include_repealed=request.include_repealed,
    )


def check_laws(ranks: Iterable[str], jurisdictions: Iterable[str]) -> None:
    """Raise `UnknownValue` for a rank or jurisdiction that is neither Spain's nor any held law's."""
    _require_held("rank", _RANKS, ranks, "law_rank")
    _require_held("jurisdiction", _JURISDICTIONS, jurisdictions, "jurisdiction")


def _require(known: Collection[str], values: Iterable[str], parameter: str) -> None:
    for value in values:
        if value not in known:
            detail = _("«%(value)s» no es un valor de %(parameter)s: %(known)s.") % {
                "value": value[:80],
                "parameter": parameter,
                "known": ", ".join(known),
            }
            raise UnknownValue(detail, parameter=parameter, limit=", ".join(known))


def _require_held(
    column: Literal["rank", "jurisdiction"], known: Collection[str], values: Iterable[str], parameter: str
) -> None:
    """Let pass what the vocabulary of Spain has, or else some law of the corpus."""
    others = {value for value in values if value not in known}
    if others:
        held = set(Law.objects.filter(**{f"{column}__in": others}).values_list(column, flat=True))
        for value in sorted(others - held):
            _require(sorted(known), (value,), parameter)


def _law_keys(values: tuple[str, ...]) -> tuple[str, ...]:
    """Give the canonical ids of laws named by that or by BOE id, in any case."""
    held = held_laws(values)
    for value in values:
        if value not in held:
            raise no_such_law(value, "law")
    return tuple(dict.fromkeys(held[value] for value in values))


def held_laws(names: Collection[str]) -> dict[str, str]:
    """Give, by each name that is a canonical or BOE id of a law held, in any case, its canonical id: one query."""
    # What cannot be printed, such as NUL, is in no id, and the database would not take it.
    spelled = {name: name.lower() for name in names if name.isprintable()}
    if not spelled:
        return {}
    by_id: dict[str, str] = {}
    rows = Law.objects.filter(key__in=spelled.values()) | Law.objects.filter(
        boe_id__in=[*spelled, *map(str.upper, spelled)]
    )
    for key, boe_id in rows.values_list("key", "boe_id"):
        by_id |= {key: key, (boe_id or key).lower(): key}
    return {name: by_id[lower] for name, lower in spelled.items() if lower in by_id}


def no_such_law(name: str, parameter: str) -> UnknownValue:
    """Give the error of a name that is no law's id, with the ids of the laws that it may mean as its limit."""
    meant = laws_meant(name)
    return UnknownValue(no_id(name, meant), parameter=parameter, limit=", ".join(meant) or None)


def no_id(name: str, meant: Iterable[str]) -> str:
    """Say that no law held has a name as its id, and which ids may be meant."""
    ids = ", ".join(meant)
    if not ids:
        return _("«%(value)s» no es ninguna norma de este corpus.") % {"value": name[:80]}
    told = {"value": name[:80], "ids": ids}
    return _("«%(value)s» no es el identificador de ninguna norma de este corpus; pruebe con %(ids)s.") % told


def laws_meant(name: str) -> list[str]:
    """Give the ids of the laws held that a name which is no id may mean, such as "LGT"."""
    if len(name) > LONGEST_CITATION:
        return []
    found = lookup(name)
    ids = [found.law.id] if found.law and found.kind == "law" else []
    ids += [CitationId.parse(one.citation).law for one in found.candidates]
    return list(dict.fromkeys(held_laws(ids).values()))
