"""A citation leads to its one page: once, for good from another spelling of its path, and never off this site."""

from __future__ import annotations

from datetime import date
from urllib.parse import quote, unquote, unquote_to_bytes, urlencode, urlsplit

import pytest
from django.test import Client

from tests.law_builder import Redaction, add_law

pytestmark = pytest.mark.django_db

HOPS = 3


@pytest.fixture(autouse=True)
def _laws() -> None:
    add_law(
        "ley-58-2003",
        {"art-27": [Redaction("1. A.\n2. B:\na) C.\nñ) D.", date(2004, 7, 1))], "art-9-bis": "Nueve bis."},
        number="58/2003",
        title="Ley 58/2003, de 17 de diciembre, General Tributaria.",
        boe_id="BOE-A-2003-23186",
        eli="https://www.boe.es/eli/es/l/2003/12/17/58",
        enacted=date(2003, 12, 17),
    )
    add_law("ce", {"art-1": "Uno."}, title="Constitución Española", boe_id="BOE-A-1978-31229", rank="constitucion")


def walk(address: str) -> tuple[list[int], str, int]:
    """Follow redirects; give their statuses, the address at their end, and its status."""
    client = Client()
    statuses: list[int] = []
    for _ in range(HOPS):
        # As a browser's request line has it: Django's client takes "//x" for a host.
        path, _question, query = address.partition("?")
        response = client.get("/", PATH_INFO=unquote_to_bytes(path).decode("latin-1"), QUERY_STRING=query)
        if response.status_code not in (301, 302, 303, 307, 308):
            return statuses, address, response.status_code
        statuses.append(response.status_code)
        target = urlsplit(response["Location"])
        assert (target.scheme, target.netloc) == ("", ""), response["Location"]
        assert target.path.startswith("/")
        assert not target.path.startswith(("//", "/\\"))
        address = response["Location"]
    raise AssertionError(f"still redirecting at {address}")


@pytest.mark.parametrize(
    "path",
    [
        "LEY-58-2003:ART-27.2",
        "Ley-58-2003:art-27.2",
        "lgt:art-27.2",
        "LGT:art-27.2",
        "BOE-A-2003-23186:art-27.2",
        "boe-a-2003-23186:art-27.2",
        "art. 27.2 LGT",
    ],
)
def test_another_spelling_of_a_path_moves_once_and_for_good(path: str) -> None:
    assert walk(f"/{quote(path)}") == ([301], "/ley-58-2003:art-27.2", 200)


@pytest.mark.parametrize("path", ["", "/diff"])
def test_an_endless_path_is_refused_by_its_own_name(path: str) -> None:
    response = Client().get(f"/{'x' * 2001}{path}")
    assert response.status_code == 400
    assert "<code>citation</code>" in response.content.decode()


@pytest.mark.parametrize(
    "path", ["arts. 9 bis y 27 LGT", "arts. 9 bis y 27 de la Ley 58/2003", "art. 27 LGT y art. 1 CE", "LGT y LIRPF"]
)
def test_a_path_that_lists_provisions_leads_to_the_search(path: str) -> None:
    assert walk(f"/{quote(path)}") == ([302], f"/?{urlencode({'q': path})}", 200)


@pytest.mark.parametrize("path", ["LEY-58-2003", "lgt", "BOE-A-2003-23186", "LGT"])
def test_another_spelling_of_a_law_moves_too(path: str) -> None:
    assert walk(f"/{path}") == ([301], "/ley-58-2003", 200)


@pytest.mark.parametrize(
    ("address", "end"),
    [
        ("/LGT:art-27?as_of=2020-01-01", "/ley-58-2003:art-27?as_of=2020-01-01"),
        ("/LGT:art-27@2020-01-01", "/ley-58-2003:art-27@2020-01-01"),
        ("/LGT?as_of=2020-01-01", "/ley-58-2003?as_of=2020-01-01"),
    ],
)
def test_the_day_is_kept(address: str, end: str) -> None:
    assert walk(address) == ([301], end, 200)


@pytest.mark.parametrize(
    "path",
    [
        "ley-58-2003:art-27.2",
        "ley-58-2003:art-27@2020-01-01",
        "ley-58-2003:art-27.2.%C3%B1",
        "ley-58-2003:art-9-bis",
        "ce",
        "ley-58-2003:art-27?as_of=2020-01-01",
    ],
)
def test_the_canonical_address_stays(path: str) -> None:
    assert walk(f"/{path}") == ([], f"/{path}", 200)


def test_a_decomposed_letter_moves_to_its_one_spelling() -> None:
    statuses, address, status = walk("/ley-58-2003:art-27.2.n%CC%83")
    assert (statuses, unquote(address), status) == ([301], "/ley-58-2003:art-27.2.ñ", 200)


@pytest.mark.parametrize(
    "query",
    [
        "art. 27.2 LGT",
        "LGT, art. 27.2",
        "Ley 58/2003, art.\u00a027.2",
        "ley-58-2003:art-27.2",
        "apartado 2 del artículo 27 de la Ley 58/2003, de 17 de diciembre, General Tributaria",
        "https://www.boe.es/eli/es/l/2003/12/17/58#art-27.2",
        "BOE-A-2003-23186#art-27.2",
    ],
)
def test_a_citation_in_the_search_box_goes_on_to_its_page(query: str) -> None:
    assert walk(f"/?q={quote(query)}") == ([302], "/ley-58-2003:art-27.2", 200)


def test_a_citation_in_the_search_box_keeps_its_day() -> None:
    statuses, address, status = walk("/?q=art.+27+LGT&as_of=2020-01-01")
    assert (statuses, address, status) == ([302], "/ley-58-2003:art-27@2020-01-01", 200)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("art. 27 de la Ley 58/2003, General de Subvenciones", "Se titula «Ley 58/2003"),
        ("Ley 58/2003, de 1 de enero", "La cita dice 01/01/2003; la norma es de 17/12/2003."),
    ],
)
def test_a_title_or_day_of_another_law_is_told_on_the_page(query: str, said: str) -> None:
    response = Client().get("/", {"q": query}, follow=True)
    assert (response.status_code, len(response.redirect_chain)) == (200, 1)
    assert said in response.content.decode()


@pytest.mark.parametrize(
    "query", ["artículo 27", "RDL 1/2020, art. 1", "art. 999 LGT", "Ley 1/1999", "recargo por tarde"]
)
def test_what_does_not_resolve_stays_on_the_search_page(query: str) -> None:
    assert walk(f"/?q={quote(query)}") == ([], f"/?q={quote(query)}", 200)


@pytest.mark.parametrize(
    "address",
    [
        "//evil.example",
        "//evil.example/ley-58-2003",
        "/%2f%2fevil.example",
        "/%2Fevil.example",
        "/%5c%5cevil.example",
        "/%5Cevil.example:art-1",
        "/\\evil.example",
        "/https:%2f%2fevil.example",
        "/https:evil.example",
        "/LGT:art-27%0d%0aLocation:%20https:%2f%2fevil.example",
        "/LGT:art-27%00",
        "/LGT%09:art-27",
        "/.//evil.example",
        "/..%2f..%2fevil.example",
        "/@evil.example",
        "/LGT@evil.example",
        "/?q=%2f%2fevil.example",
        "/?q=https://evil.example/ley-58-2003",
        "/?q=%5c%5cevil.example",
        "/?q=art.+27+LGT%0d%0aLocation:+//evil.example",
        "/LGT:art-27?as_of=//evil.example",
        "/LGT:art-27?as_of=2020-01-01&next=//evil.example",
        "/LGT%2fcited_by",
        "//evil.example/cited_by",
        "/LGT:art-27/cited_by?offset=//evil.example",
        "//evil.example/diff",
        "/LGT:art-27/diff?from=//evil.example&to=%0d%0aLocation:%20//evil.example",
        "/LGT:art-27%2fdiff",
    ],
)
def test_nothing_leads_off_the_site_or_round_in_circles(address: str) -> None:
    _statuses, _end, status = walk(address)
    assert status < 500


@pytest.mark.parametrize("path", ["LGT:art-999", "Ley-1-1999:art-1", "LEY-58-2003:ART-27.9", "zz", "RDL-1-2020"])
def test_what_does_not_resolve_ends_somewhere(path: str) -> None:
    statuses, _end, status = walk(f"/{path}")
    assert len(statuses) <= 1
    assert status in (200, 404)
