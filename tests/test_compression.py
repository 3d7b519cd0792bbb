"""What is sent packed: by which coding, the same answer in the same tags, its true length hidden, streams too."""

from __future__ import annotations

import gzip
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import brotli
import pytest
from django.contrib.staticfiles import finders
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, RequestFactory

from config.compression import LEAST_BYTES, MOST_NOISE, Compressed
from search.text_windows import LONGEST_WINDOW
from tests.api_client import V1
from tests.law_builder import add_law

if TYPE_CHECKING:
    from django.http.response import HttpResponseBase

BROWSER = "gzip, deflate, br, zstd"
UNPACK = {"br": brotli.decompress, "gzip": gzip.decompress}
HEADERS = 300
BODY = b"El contribuyente pagar\xc3\xa1 un recargo. " * 200


def packed(response: HttpResponseBase, accepted: str) -> Any:
    request = RequestFactory().get("/", headers={"accept-encoding": accepted} if accepted else {})
    return Compressed(lambda _: response)(request)


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        (BROWSER, "br"),
        ("gzip, deflate", "gzip"),
        ("BR;Q=1.0, gzip;q=0.8", "br"),
        ("br;q=0.2, gzip;q=0.8", "gzip"),
        ("gzip;q=0, br;q=0", None),
        ("br;q=0, *;q=0.5", "gzip"),
        ("*", "br"),
        ("identity, br;q=0.5", None),
        ("deflate, zstd", None),
        ("br;q=none, gzip;q=", None),
        ("bravo, xgzip", None),
        ("", None),
    ],
)
def test_the_best_coding_that_is_taken_is_used(accepted: str, coding: str | None) -> None:
    response = packed(HttpResponse(BODY), accepted)
    assert response.get("Content-Encoding") == coding
    assert UNPACK.get(coding or "", bytes)(response.content) == BODY
    assert response["Vary"] == "Accept-Encoding"
    assert coding is None or int(response["Content-Length"]) == len(response.content) < len(BODY)


@pytest.mark.parametrize("coding", ["br", "gzip"])
def test_the_length_of_a_packed_answer_does_not_tell_its_contents(coding: str) -> None:
    lengths = {len(packed(HttpResponse(BODY), coding).content) for _ in range(200)}
    assert len(lengths) > MOST_NOISE / 2


@pytest.mark.parametrize("coding", ["br", "gzip"])
def test_a_stream_is_packed_as_it_is_made(coding: str) -> None:
    def parts() -> Any:
        for number in range(20_000):
            made.append(number)
            yield f"{number * 7919 % 10_007};".encode()

    made: list[int] = []
    response = packed(StreamingHttpResponse(parts(), headers={"Content-Length": "1"}), coding)
    stream = iter(response)
    first = next(stream)
    assert len(made) < 20_000
    whole = first + b"".join(stream)
    assert UNPACK[coding](whole) == b"".join(f"{number * 7919 % 10_007};".encode() for number in range(20_000))
    assert "Content-Length" not in response


def test_what_is_short_or_packed_already_is_left_alone() -> None:
    short = packed(HttpResponse(b"a" * (LEAST_BYTES - 1)), BROWSER)
    assert (short.content, "Content-Encoding" in short) == (b"a" * (LEAST_BYTES - 1), False)
    already = packed(HttpResponse(BODY, headers={"Content-Encoding": "zstd"}), BROWSER)
    assert (already["Content-Encoding"], already.content) == ("zstd", BODY)


@pytest.mark.parametrize(
    ("given", "sent"), [('"a"', 'W/"a"'), ('W/"a"', 'W/"a"')]
)  # fmt: skip
def test_a_packed_answer_has_a_weak_tag_and_so_has_its_304(given: str, sent: str) -> None:
    assert packed(HttpResponse(BODY, headers={"ETag": given}), BROWSER)["ETag"] == sent
    assert packed(HttpResponse(status=304, headers={"ETag": given}), BROWSER)["ETag"] == sent
    assert packed(HttpResponse(BODY, headers={"ETag": given}), "")["ETag"] == given


@pytest.mark.django_db
def test_the_longest_text_that_a_page_shows_is_within_its_budget(boe_xml: Path) -> None:
    lines = dict.fromkeys(
        line
        for file in sorted(boe_xml.glob("*/*.xml"))
        for line in re.findall(r'<p class="parrafo">([^<]{200,})</p>', file.read_text())
    )
    text = "\n".join(lines)
    cut = text.rindex("\n", 0, LONGEST_WINDOW)
    add_law("ley-900-2019", {"art-1": text[:cut]})
    html = Client().get("/ley-900-2019:art-1", headers={"accept-encoding": BROWSER})
    page = brotli.decompress(html.content).decode()
    assert "Parte 1 de" not in page
    files = [Path(str(finders.find(name))) for name in set(re.findall(r'(?:href|src)="/static/([^"]+)"', page))]
    sizes = [len(html.content), *(len(brotli.compress(file.read_bytes())) for file in files)]
    assert sum(size + HEADERS for size in sizes) < 60_000


@pytest.mark.usefixtures("live")
@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    ["/", "/?q=recargo", "/ley-990-2019:art-11", "/ley-990-2019", "/coverage.csv", "/no-law", "/feed",
     "/ley-990-2019/download.txt", f"{V1}/search?q=recargo", f"{V1}/citations/ley-990-2019:art-11",
     f"{V1}/openapi.json"],
)  # fmt: skip
def test_pages_api_and_downloads_are_packed_for_who_takes_it(path: str) -> None:
    for accepted, coding in (("", None), ("gzip", "gzip"), (BROWSER, "br")):
        response = Client().get(path, headers={"accept-encoding": accepted})
        body = b"".join(response) if response.streaming else response.content
        assert response.get("Content-Encoding") == coding
        assert "accept-encoding" in {name.strip().lower() for name in response["Vary"].split(",")}
        assert b"ley-990-2019" in UNPACK.get(coding or "", bytes)(body) or path in ("/", "/no-law")
