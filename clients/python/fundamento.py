"""A typed client of Fundamento's API, in one file to copy: needs Python 3.11 and httpx.

>>> from fundamento import Fundamento
>>> law = Fundamento("http://127.0.0.1:8000")                          # doctest: +SKIP
>>> law.citation("art. 11.4.b) Ley 990/2019")["text"]                  # doctest: +SKIP
'b) Se ha ingresado ya toda la deuda que resulte de la autoliquidación.'
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Literal, NotRequired, Self, TypedDict, cast
from urllib.parse import quote

import httpx

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

Mode = Literal["citation", "hybrid", "lexical", "semantic"]
Outcome = Literal[
    "found",
    "partial",
    "ambiguous",
    "no_such_provision",
    "law_not_in_corpus",
    "not_in_force",
    "history_not_held",
    "unparsable",
]

TOO_MANY_REQUESTS = 429
UNAVAILABLE = 503
RESOLUTION_STATUS = {200, 300, 400, 404}
TRIES = 4


class Law(TypedDict):
    """A law as other answers name it."""

    id: str
    boe_id: str | None
    title: str
    short_title: str
    rank: str
    jurisdiction: str
    status: str


class Candidate(TypedDict):
    """One of several things that a citation may mean."""

    citation: str
    label: str
    title: str
    url: str


class Resolution(TypedDict):
    """What a citation resolved to; `text` is verbatim, and null unless `outcome` is found or partial."""

    input: str
    outcome: Outcome
    citation: str | None
    resolved_to: str | None
    unresolved_tail: str | None
    law: Law | None
    kind: str | None
    label: str | None
    heading: str | None
    path: list[str]
    status: str | None
    text: str | None
    sha256: str | None
    start: int | None
    end: int | None
    as_of: str | None
    valid_from: str | None
    valid_to: str | None
    amended_by: str | None
    candidates: list[Candidate]
    items: list[Resolution]
    url: str | None
    source_url: str | None


class Passage(TypedDict):
    """The part of a provision that is shown; highlights count from its start."""

    citation: str
    text: str
    start: int
    end: int
    highlights: list[tuple[int, int]]


class Hit(TypedDict):
    """One provision in a ranked answer."""

    rank: int
    citation: str
    label: str
    law: Law
    kind: str
    heading: str
    path: list[str]
    status: str
    valid_from: str | None
    valid_to: str | None
    score: float
    passages: list[Passage]
    passages_found: int
    url: str
    source_url: str | None
    history_not_held: bool


class SearchAnswer(TypedDict):
    """The hits of a question, and the mode that found them."""

    query: str
    mode: Mode
    degraded: dict[str, str] | None
    as_of: str | None
    limit: int
    offset: int
    total: int
    total_is_capped: bool
    confidence: float | None
    corpus_revision: int
    citation: Resolution | None
    hits: list[Hit]
    next: str | None


class ContextProvision(TypedDict):
    """A whole provision, or whole parts of one, for a model to read."""

    rank: int
    citation: str
    label: str
    law: Law
    heading: str
    text: str
    sha256: str
    start: int
    end: int
    is_whole: bool
    is_citable: bool
    status: str
    valid_from: str | None
    valid_to: str | None
    tokens: int
    url: str
    source_url: str | None


class Context(TypedDict):
    """What a model should read on a question; `empty` says why there is nothing."""

    query: str
    mode: Mode
    confidence: float | None
    min_confidence: float
    as_of: str
    max_tokens: int
    tokens: int
    provisions: list[ContextProvision]
    left_out: list[str]
    history_not_held: list[str]
    empty: dict[str, str] | None


class Claim(TypedDict):
    """A citation to verify, and what is said to be in it."""

    citation: str
    quote: NotRequired[str]
    title: NotRequired[str]
    as_of: NotRequired[str]


class ApiError(Exception):
    """A refusal: HTTP's `status`, the stable `code`, and the `parameter` to mend with its `limit`."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        self.status = status
        self.code: str = body.get("code", "unknown")
        self.detail: str = body.get("detail", "")
        self.parameter: str | None = body.get("parameter")
        self.limit: int | float | str | None = body.get("limit")
        super().__init__(f"{status} {self.code}: {self.detail}")


class Fundamento:
    """Asks one installation; waits as told when it has asked too much, four times at most. Safe in several threads."""

    def __init__(self, url: str, key: str = "", *, timeout_seconds: float = 30, client: Any = None) -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        base = url.rstrip("/") + "/api/v1"
        self._http: httpx.Client = client or httpx.Client(timeout=timeout_seconds)
        self._base, self._headers = base, headers

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def citation(self, citation: str, *, as_of: date | str | None = None) -> Resolution:
        """Resolve a citation in any form: an outcome other than found is an answer, not an error."""
        return cast("Resolution", self._get("/citations", {"q": citation, "as_of": as_of}, RESOLUTION_STATUS))

    def provision(self, citation_id: str, *, as_of: date | str | None = None) -> Resolution:
        """Resolve a canonical citation id."""
        path = f"/citations/{quote(citation_id, safe=':@~')}"
        return cast("Resolution", self._get(path, {"as_of": as_of}, RESOLUTION_STATUS))

    def search(
        self, question: str, *, limit: int = 10, as_of: date | str | None = None, **conditions: Any
    ) -> SearchAnswer:
        """Search; the conditions are those of `GET /search`, such as `offset`, `mode`, `law` or `status`."""
        given = {"q": question, "limit": limit, "as_of": as_of, **conditions}
        return cast("SearchAnswer", self._get("/search", given))

    def hits(self, question: str, **conditions: Any) -> Iterator[Hit]:
        """Give every hit of a question that is ranked, a thousand at most, page by page."""
        yield from cast("Iterator[Hit]", self._all("/search", "hits", q=question, **conditions))

    def context(
        self, question: str, *, max_tokens: int = 4000, as_of: date | str | None = None, **conditions: Any
    ) -> Context:
        """Give what a language model should read on a question; the conditions are those of `GET /context`."""
        given = {"q": question, "max_tokens": max_tokens, "as_of": as_of, **conditions}
        return cast("Context", self._get("/context", given))

    def extract(self, text: str, *, host: str = "", as_of: date | str | None = None) -> dict[str, Any]:
        """Find the citations of a text; offsets count its code points, as Python's do."""
        body = {"text": text, "host": host} | ({"as_of": str(as_of)} if as_of else {})
        return self._ask("POST", "/citations/extract", json=body)

    def verify(self, claims: Sequence[Claim]) -> dict[str, Any]:
        """Check citations with their quotes and titles."""
        return self._ask("POST", "/citations/verify", json={"items": list(claims)})

    def laws(self, **conditions: Any) -> Iterator[dict[str, Any]]:
        """Give every law, page by page."""
        return self._all("/laws", **conditions)

    def articles(self, law: str, **conditions: Any) -> Iterator[dict[str, Any]]:
        """Give every provision of a law, in its order."""
        return self._all(f"/laws/{quote(law)}/articles", **conditions)

    def _all(self, path: str, rows: str = "items", **conditions: Any) -> Iterator[dict[str, Any]]:
        offset = 0
        while True:
            page = self._get(path, {"offset": offset, "limit": 100, **conditions})
            yield from page[rows]
            offset += page["limit"]
            if page["next"] is None:
                return

    def _get(self, path: str, given: dict[str, Any], expected: set[int] | None = None) -> dict[str, Any]:
        params = {
            name: value if isinstance(value, list) else str(value)
            for name, value in given.items()
            if value not in (None, "", [])
        }
        return self._ask("GET", path, expected, params=params)

    def _ask(self, method: str, path: str, expected: set[int] | None = None, **more: Any) -> dict[str, Any]:
        for _attempt in range(TRIES - 1):
            response = self._http.request(method, self._base + path, headers=self._headers, **more)
            if response.status_code not in (TOO_MANY_REQUESTS, UNAVAILABLE) or "Retry-After" not in response.headers:
                break
            time.sleep(float(response.headers["Retry-After"]))
        else:
            response = self._http.request(method, self._base + path, headers=self._headers, **more)
        return _read(response, expected or {200})


def _read(response: httpx.Response, expected: set[int]) -> dict[str, Any]:
    try:
        body: dict[str, Any] = response.json()
    except ValueError:
        body = {"code": "not_json", "detail": response.text[:200]}
    if response.status_code in expected and "code" not in body:
        return body
    raise ApiError(response.status_code, body)
