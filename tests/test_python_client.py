"""The Python client: what it types is what the API gives, and what it does when told to wait or refused."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any, cast, get_type_hints, is_typeddict

import httpx
import pytest
from django.test import Client

from search.api import api
from search.requests import MAX_DEPTH
from tests.conftest import ROOT
from tests.law_builder import add_law

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

ADDRESS = "https://law.example"
# Of another name in the document, or said of several schemas at once.
SCHEMAS = {"Law": "LawSummary", "Extraction": "ExtractedCitations", "Claim": "ItemToVerify"}


@pytest.fixture
def fundamento(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The client's module, as somebody who copied it has it."""
    monkeypatch.syspath_prepend(ROOT / "clients" / "python")
    import fundamento as module

    yield module
    sys.modules.pop("fundamento", None)


def ask_django(request: httpx.Request) -> httpx.Response:
    """Answer from the application in this process, as a proxy does that calls it by another name."""
    headers = {name: value for name, value in request.headers.items() if name not in ("host", "content-length")}
    path = request.url.raw_path.decode()
    answer = Client().generic(
        request.method, path, request.content, request.headers.get("content-type", ""), headers=headers
    )
    return httpx.Response(answer.status_code, headers=dict(answer.items()), content=answer.content)


def over(module: ModuleType, answer: Callable[[httpx.Request], httpx.Response], **options: Any) -> Any:
    return module.Fundamento(ADDRESS, client=httpx.Client(transport=httpx.MockTransport(answer)), **options)


@pytest.fixture
def law(fundamento: ModuleType) -> Any:
    return over(fundamento, ask_django)


def test_every_field_that_is_typed_is_one_of_the_document(fundamento: ModuleType) -> None:
    schemas = cast("dict[str, Any]", api.get_openapi_schema()["components"]["schemas"])
    typed = {name: one for name, one in vars(fundamento).items() if is_typeddict(one)}
    assert len(typed) > 15
    for name, one in typed.items():
        known = schemas[SCHEMAS.get(name, name)]["properties"]
        assert set(get_type_hints(one)) <= set(known), name


@pytest.mark.usefixtures("live")
@pytest.mark.django_db
class TestOverTheExamples:
    @pytest.mark.parametrize("conditions", [{}, {"limit": 3}, {"limit": 7, "offset": 5}, {"law": ("ley-990-2019",)}])
    def test_lists_are_followed_to_their_end(self, law: Any, conditions: dict[str, Any]) -> None:
        whole = law.search("impuesto sobre las estancias", **{**conditions, "limit": 100, "offset": 0})["hits"]
        found = list(law.hits("impuesto sobre las estancias", **conditions))
        assert [one["citation"] for one in found] == [one["citation"] for one in whole][conditions.get("offset", 0) :]
        assert len(list(law.articles("ley-990-2019", limit=5))) == law.law("ley-990-2019")["articles"]
        assert [one["id"] for one in law.laws(limit=2)] == sorted(one["id"] for one in law.laws())

    def test_conditions_are_written_as_the_api_reads_them(self, law: Any) -> None:
        laws = {"ley-990-2019", "ley-992-2022"}
        hits = law.hits("registro", law=laws, from_="2022-01-01", include_repealed=False)
        assert {hit["law"]["id"] for hit in hits} <= laws
        assert law.compare("ley-990-2019", "art-11", from_="2023-01-01", to="2025-04-01")["is_equal"] is False
        with pytest.raises(TypeError):
            law.citation("ley-990-2019", asof="2020-01-01")

    def test_texts_are_checked(self, law: Any) -> None:
        (found,) = law.extract("Según el art. 11.3 de la Ley 990/2019.")["citations"]
        assert found["citation"] == "ley-990-2019:art-11.3"
        checked = law.verify([{"citation": found["citation"], "quote": "excluye las multas"}])
        assert checked["items"][0]["quote"]["state"] == "different"

    def test_a_model_is_given_markdown(self, law: Any, fundamento: ModuleType) -> None:
        assert law.markdown("art. 11.3 Ley 990/2019").startswith("# art. 11.3 Ley 990/2019\nmode: citation")
        with pytest.raises(fundamento.ApiError) as told:
            law.markdown("recargo", max_tokens=1)
        assert (told.value.status, told.value.code, told.value.limit) == (422, "invalid_limit", 200)

    @pytest.mark.parametrize("name", ["ley-1-1900", "../laws", "a/b?c=d#e"])
    def test_a_law_that_is_none_is_an_error_and_a_citation_an_answer(
        self, law: Any, fundamento: ModuleType, name: str
    ) -> None:
        with pytest.raises(fundamento.ApiError) as told:
            law.law(name)
        assert told.value.status == 404
        assert law.citation("art. 99 Ley 990/2019")["outcome"] == "no_such_provision"


@pytest.mark.usefixtures("indexes")
@pytest.mark.django_db
@pytest.mark.parametrize("limit", [7, 64])
def test_more_hits_than_are_ranked_end_without_an_error(law: Any, limit: int) -> None:
    add_law("ley-900-2019", {f"art-{number}": f"La pesca número {number}." for number in range(1, MAX_DEPTH + 20)})
    found = [hit["citation"] for hit in law.hits("pesca", limit=limit, mode="lexical")]
    assert len(found) == len(set(found)) == MAX_DEPTH


class TestWaiting:
    @pytest.fixture
    def slept(self, monkeypatch: pytest.MonkeyPatch, fundamento: ModuleType) -> list[float]:
        """The waits, which take no time."""
        waits: list[float] = []
        monkeypatch.setattr(fundamento.time, "sleep", waits.append)
        return waits

    @staticmethod
    def refusing(times: int, after: str, status: int = 429) -> Callable[[httpx.Request], httpx.Response]:
        left = iter(range(times))

        def answer(_request: httpx.Request) -> httpx.Response:
            if next(left, None) is None:
                return httpx.Response(200, json={"outcome": "found"})
            body = {"code": "budget_spent", "detail": "No queda."}
            return httpx.Response(status, headers=[(b"Retry-After", after.encode())], json=body)

        return answer

    @pytest.mark.parametrize("status", [429, 503])
    def test_it_waits_as_told_and_asks_again(self, fundamento: ModuleType, slept: list[float], status: int) -> None:
        law = over(fundamento, self.refusing(3, "2", status))
        assert (law.citation("x")["outcome"], slept) == ("found", [2.0, 2.0, 2.0])

    def test_a_day_is_understood(self, fundamento: ModuleType, slept: list[float]) -> None:
        soon = format_datetime(datetime.now(UTC) + timedelta(seconds=50), usegmt=True)
        over(fundamento, self.refusing(1, soon)).citation("x")
        assert 20 < slept[0] <= 50

    @pytest.mark.parametrize(("times", "after", "waits", "told"), [
        (9, "1", 3, 1.0), (1, "3600", 0, 3600.0), (1, "soon", 0, None), (1, "²", 0, None), (1, "٣", 0, None),
    ])  # fmt: skip
    def test_it_gives_up_with_an_error_that_says_how_long(
        self, fundamento: ModuleType, slept: list[float], times: int, after: str, waits: int, told: float | None
    ) -> None:
        with pytest.raises(fundamento.ApiError) as error:
            over(fundamento, self.refusing(times, after)).citation("x")
        assert (error.value.code, error.value.retry_after_seconds, len(slept)) == ("budget_spent", told, waits)

    @pytest.mark.parametrize("body", [b"<html>Bad gateway</html>", b"[]", b"\xff"])
    def test_what_is_no_json_is_told(self, fundamento: ModuleType, body: bytes) -> None:
        def answer(_request: httpx.Request) -> httpx.Response:
            return httpx.Response(502, content=body)

        with pytest.raises(fundamento.ApiError) as error:
            over(fundamento, answer).citation("x")
        assert (error.value.status, error.value.code) == (502, "not_json")
