"""A typed client of Fundamento's API, in one file to copy: needs Python 3.11 and httpx.

>>> from fundamento import Fundamento
>>> law = Fundamento("http://127.0.0.1:8000")                          # doctest: +SKIP
>>> law.citation("art. 11.4.b) Ley 990/2019")["text"]                  # doctest: +SKIP
'b) Se ha ingresado ya toda la deuda que resulte de la autoliquidación.'
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Literal, NotRequired, Self, TypedDict, cast
from urllib.parse import parse_qs, quote, urlsplit

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
PAGE = 100


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


class CitedProvision(TypedDict):
    """What a citation resolved to: of a text, or of an item that was verified, that is all there is."""

    citation: str | None
    outcome: Outcome
    resolved_to: str | None
    unresolved_tail: str | None
    law: Law | None
    kind: str | None
    label: str | None
    heading: str | None
    status: str | None
    sha256: str | None
    as_of: str | None
    valid_from: str | None
    valid_to: str | None
    candidates: list[Candidate]
    suggestions: list[Candidate]
    detail: str | None
    url: str | None
    source_url: str | None


class Resolution(CitedProvision):
    """What a citation resolved to, with its `text`: verbatim, and null unless `outcome` is found or partial."""

    input: str
    path: list[str]
    text: str | None
    start: int | None
    end: int | None
    amended_by: str | None
    items: list[Resolution]
    items_are_capped: bool


class LawRow(Law):
    """A law in a list, and what is held of it."""

    published: str | None
    valid_from: str | None
    valid_to: str | None
    articles: int
    url: str
    source_url: str | None


class ArticleRow(TypedDict):
    """A provision in its law's list, as it stands on the day; `text` is null where none is in force or known then."""

    citation: str
    kind: str
    label: str
    heading: str
    path: list[str]
    status: str | None
    valid_from: str | None
    valid_to: str | None
    amended_by: str | None
    text: str | None
    sha256: str | None
    url: str
    source_url: str | None


class CitedPlace(TypedDict):
    """A law or provision that is cited, or that cites."""

    citation: str
    label: str
    heading: str
    law: Law
    url: str


class CitationRow(TypedDict):
    """One citation in the text of `source`, from `start` to `end`, and what it names."""

    start: int
    end: int
    text: str
    state: Literal["resolved", "law_absent", "unresolved"]
    citation: str | None
    source: CitedPlace
    targets: list[CitedPlace]


class FoundCitation(CitedProvision):
    """A citation of a text, from `start` to `end` in its code points."""

    start: int
    end: int
    text: str


class Extraction(TypedDict):
    """The citations of a text; `unsupported` are those of what no corpus of this kind holds."""

    citations: list[FoundCitation]
    unsupported: list[dict[str, Any]]


class Stretch(TypedDict):
    """A stretch of a verbatim text, in code points."""

    start: int
    end: int


class Omission(Stretch):
    """What a quote leaves out between two of its parts; `text` is null where it is too long to be shown."""

    text: str | None


class NearestWording(Stretch):
    """The nearest wording in the text cited, and word by word what differs."""

    citation: str
    text: str
    similarity: float
    differences: list[dict[str, str]]


class QuoteCheck(TypedDict):
    """Whether a quote is verbatim in what was cited: facts, never a verdict."""

    state: Literal["verbatim", "verbatim_with_elisions", "different", "not_compared"]
    provision: str | None
    start: int | None
    end: int | None
    parts: list[Stretch]
    omitted: list[Omission]
    occurrences: int
    cuts_words: bool
    nearest: NearestWording | None
    elsewhere: list[dict[str, Any]]
    looked_in: list[str]
    not_looked_in: list[dict[str, str]]
    reason: str | None


class TitleClaim(TypedDict):
    """A title as it was given, the one of what was cited, and whether they agree."""

    given: str
    actual: str
    matches: bool


class VerifiedItem(CitedProvision):
    """What one citation is, and what of the claims about it holds; what was not claimed is null."""

    input: str
    items: list[CitedProvision]
    quote: QuoteCheck | None
    title: TitleClaim | None


class Verification(TypedDict):
    """One answer for each claim, in their order; `summary["complete"]` only if all of them were looked at."""

    items: list[VerifiedItem]
    summary: dict[str, Any]


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
    in_part: list[str]
    unread: int
    history_not_held: list[str]
    empty: dict[str, str] | None


class Claim(TypedDict):
    """A citation to verify, and what is said to be in it."""

    citation: str
    quote: NotRequired[str]
    title: NotRequired[str]
    as_of: NotRequired[str]


class ApiError(Exception):
    """A refusal: HTTP's `status`, the stable `code`, and the `parameter` to mend with its `limit`.

    `retry_after_seconds` is how long to wait where the server says so.
    """

    def __init__(self, status: int, body: dict[str, Any], retry_after_seconds: float | None = None) -> None:
        self.status = status
        self.retry_after_seconds = retry_after_seconds
        self.code: str = body.get("code", "unknown")
        self.detail: str = body.get("detail", "")
        self.parameter: str | None = body.get("parameter")
        self.limit: int | float | str | None = body.get("limit")
        super().__init__(f"{status} {self.code}: {self.detail}")


class Fundamento:
    """Asks one installation. Safe in several threads.

    Told to come back (429, 503), it waits and asks again, four times at most, but never longer than
    `longest_wait_seconds` at once: then, and for any other refusal, it raises `ApiError`. Where there is no answer at
    all httpx's own errors are raised. Conditions are the API's parameters by their names, those that Python keeps for
    itself with an underscore behind (`from_`); lists as any iterable.
    """

    def __init__(
        self,
        url: str,
        key: str = "",
        *,
        timeout_seconds: float = 30,
        longest_wait_seconds: float = 60,
        client: httpx.Client | None = None,
    ) -> None:
        self._http = client or httpx.Client(timeout=timeout_seconds)
        self._base = url.rstrip("/") + "/api/v1"
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._longest_wait = longest_wait_seconds

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
        return cast("Resolution", self._get(_path("citations", citation_id), {"as_of": as_of}, RESOLUTION_STATUS))

    def cites(self, citation_id: str, **conditions: Any) -> Iterator[CitationRow]:
        """Give every citation in a law or provision."""
        return cast("Iterator[CitationRow]", self._all(_path("citations", citation_id) + "/cites", **conditions))

    def cited_by(self, citation_id: str, **conditions: Any) -> Iterator[CitationRow]:
        """Give every citation of a law or provision."""
        return cast("Iterator[CitationRow]", self._all(_path("citations", citation_id) + "/cited_by", **conditions))

    def search(
        self, question: str, *, limit: int = 10, as_of: date | str | None = None, **conditions: Any
    ) -> SearchAnswer:
        """Search; the conditions are those of `GET /search`, such as `offset`, `mode`, `law` or `status`."""
        given = {"q": question, "limit": limit, "as_of": as_of, **conditions}
        return cast("SearchAnswer", self._get("/search", given))

    def hits(self, question: str, **conditions: Any) -> Iterator[Hit]:
        """Give every hit of a question that is ranked, a thousand at most, page by page."""
        return cast("Iterator[Hit]", self._all("/search", "hits", q=question, **conditions))

    def context(
        self, question: str, *, max_tokens: int = 4000, as_of: date | str | None = None, **conditions: Any
    ) -> Context:
        """Give what a language model should read on a question; the conditions are those of `GET /context`."""
        given = {"q": question, "max_tokens": max_tokens, "as_of": as_of, **conditions}
        return cast("Context", self._get("/context", given))

    def markdown(
        self, question: str, *, max_tokens: int = 4000, as_of: date | str | None = None, **conditions: Any
    ) -> str:
        """Give the same as a model reads it."""
        given = {"q": question, "max_tokens": max_tokens, "as_of": as_of, "format": "markdown", **conditions}
        response = self._answer("GET", "/context", params=_written(given))
        if not response.is_success:
            _read(response, set())
        return response.text

    def extract(self, text: str, *, host: str = "", as_of: date | str | None = None) -> Extraction:
        """Find the citations of a text; offsets count its code points, as Python's do."""
        body = {"text": text, "host": host} | ({"as_of": str(as_of)} if as_of else {})
        return cast("Extraction", self._ask("POST", "/citations/extract", json=body))

    def verify(self, claims: Sequence[Claim]) -> Verification:
        """Check citations with their quotes and titles."""
        return cast("Verification", self._ask("POST", "/citations/verify", json={"items": list(claims)}))

    def laws(self, **conditions: Any) -> Iterator[LawRow]:
        """Give every law, page by page."""
        return cast("Iterator[LawRow]", self._all("/laws", **conditions))

    def law(self, law: str) -> LawRow:
        """Describe one law, by canonical or BOE id."""
        return cast("LawRow", self._get(_path("laws", law), {}))

    def articles(self, law: str, **conditions: Any) -> Iterator[ArticleRow]:
        """Give every provision of a law, in its order."""
        return cast("Iterator[ArticleRow]", self._all(_path("laws", law) + "/articles", **conditions))

    def compare(self, law: str, unit: str, *, from_: str = "", to: str = "") -> dict[str, Any]:
        """Compare two versions of a provision word by word, each by its number or a day."""
        return self._get(f"{_path('laws', law)}/articles/{quote(unit)}/diff", {"from": from_, "to": to})

    def _all(self, path: str, rows: str = "items", **conditions: Any) -> Iterator[dict[str, Any]]:
        """Follow `next` to the end; only its parameters count, since the address may be a proxy's."""
        asked: dict[str, Any] = {"limit": PAGE, **conditions}
        while True:
            page = self._get(path, asked)
            yield from page[rows]
            if page["next"] is None:
                return
            asked = dict(parse_qs(urlsplit(page["next"]).query))

    def _get(self, path: str, given: dict[str, Any], expected: set[int] | None = None) -> dict[str, Any]:
        return self._ask("GET", path, expected, params=_written(given))

    def _ask(self, method: str, path: str, expected: set[int] | None = None, **more: Any) -> dict[str, Any]:
        return _read(self._answer(method, path, **more), expected or {200})

    def _answer(self, method: str, path: str, **more: Any) -> httpx.Response:
        for attempt in range(1, TRIES + 1):
            response = self._http.request(method, self._base + path, headers=self._headers, **more)
            wait = _retry_after(response)
            if wait is None or wait > self._longest_wait or attempt == TRIES:
                break
            time.sleep(wait)
        return response


def _path(kind: str, name: str) -> str:
    return f"/{kind}/{quote(name, safe=':@~')}"


def _written(given: dict[str, Any]) -> dict[str, str | list[str]]:
    """Write parameters as the API reads them; what is None or empty is not given."""
    wanted = {name.rstrip("_"): value for name, value in given.items() if value not in (None, "", [], ())}
    return {
        name: [str(one) for one in value] if isinstance(value, Iterable) and not isinstance(value, str) else str(value)
        for name, value in wanted.items()
    }


def _retry_after(response: httpx.Response) -> float | None:
    """Give the seconds after which the same may be asked again; None where that would be of no use."""
    written = response.headers.get("Retry-After", "").strip()
    if response.status_code not in (TOO_MANY_REQUESTS, UNAVAILABLE) or not written:
        return None
    if written.isascii() and written.isdigit():
        return float(written)
    try:
        return max(0.0, (parsedate_to_datetime(written) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


def _read(response: httpx.Response, expected: set[int]) -> dict[str, Any]:
    try:
        body = response.json()
    except ValueError:
        body = {"code": "not_json", "detail": response.text[:200]}
    if not isinstance(body, dict):
        body = {"code": "not_json", "detail": response.text[:200]}
    if response.status_code in expected and "code" not in body:
        return body
    raise ApiError(response.status_code, body, _retry_after(response))
