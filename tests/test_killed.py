"""Killed at any moment, work leaves whole laws and a search that is right, and done again ends as if undisturbed.

Fifty kills at moments drawn from a seed: imports of new and of changed laws, vectors, rebuilt indexes, a sync.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.postgres.aggregates import ArrayAgg

from corpus import import_runs
from corpus.models import ArticleVersion, Chunk, ChunkEmbedding, CorpusChange, ImportRun, Law
from search.lexical import lexical_index
from search.requests import RetrievalRequest
from search.retrieval import retrieve
from tests.boe_response import article, block, paragraph, response, version, write
from tests.boe_server import boe_server
from tests.killing import Forge, forge

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("indexes")]

LAWS = 5
ARTICLES = 6
OLD, NEW = "20250101T090000Z", "20260101T090000Z"
LONGEST_DELAY = 0.03
States = dict[str, list[Any]]


def law(number: int, edition: str) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Write a law with a word of its own in each article; its new edition changes one and adds another."""
    articles = [
        article(f"Artículo {place}", f"Texto propio{number}x{place}. " + f"Regla {place} de la materia {number}. " * 8)
        for place in range(1, ARTICLES + 1)
    ]
    if edition == NEW:
        changed = [version(paragraph("Artículo 2.", "articulo"), paragraph(f"Texto {word}{number}x2."), starts=day)
                   for word, day in (("propio", "20190201"), ("cambiado", "20250601"))]  # fmt: skip
        articles[1] = block("Artículo 2", *changed)
        articles.append(article(f"Artículo {ARTICLES + 1}", f"Texto cambiado{number}x{ARTICLES + 1}."))
    metadata = {
        "identificador": f"BOE-A-2019-{900 + number}", "numero_oficial": f"{900 + number}/2019",
        "titulo": f"Ley {900 + number}/2019, de 9 de enero, de la materia {number}.", "fecha_actualizacion": edition,
    }  # fmt: skip
    return tuple(articles), metadata


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """The folder of all laws in their old edition."""
    return folder_of(tmp_path / "old", OLD)


@pytest.fixture
def new(tmp_path: Path) -> Path:
    """The folder of all laws in their new edition."""
    return folder_of(tmp_path / "new", NEW)


def folder_of(folder: Path, edition: str) -> Path:
    for number in range(LAWS):
        blocks, metadata = law(number, edition)
        (folder / str(number)).mkdir(parents=True)
        write(folder / str(number), *blocks, **metadata)
    return folder


@pytest.fixture
def smithy() -> Iterator[Forge]:
    with forge() as made:
        yield made


def states() -> States:
    """Give all that is held of each law but row numbers and times."""
    kept: States = {
        row[0]: list(row) for row in Law.objects.values_list("key", "title", "source_sha256", "characters_kept")
    }
    versions = ArticleVersion.objects.annotate(hashes=ArrayAgg("chunks__sha256", order_by="chunks__position"))
    columns = (
        "article__law__key",
        "article__key",
        "article__position",
        "position",
        "text",
        "valid_from",
        "valid_to",
        "hashes",
    )
    for row in versions.order_by("article__law", "article__position", "position").values_list(*columns):
        kept[row[0]].append(row[1:])
    return kept


def empty() -> None:
    """Remove every law as the product does."""
    for one in Law.objects.all():
        one.delete()


def load(folder: Path) -> States:
    import_runs.run([folder])
    return states()


def found(word: str, mode: str = "lexical") -> set[str]:
    """Give the citations found by a word, whose texts must be those of the corpus."""
    hits = retrieve(RetrievalRequest(word, mode=mode, limit=50)).hits
    for hit in hits:
        assert all(
            ArticleVersion.objects.filter(article__law__key=hit.law.id, text__contains=passage.text).exists()
            for passage in hit.passages
        )
    return {hit.citation for hit in hits}


def assert_search_is_right(held: States) -> None:
    """Ask for a word of each law's texts as they are held, and of those it does not hold."""
    for number in range(LAWS):
        key = f"ley-{900 + number}-2019"
        for word, unit in ((f"propio{number}x1", "art-1"), (f"cambiado{number}x{ARTICLES + 1}", f"art-{ARTICLES + 1}")):
            is_held = any(word in row[3] for row in held.get(key, [])[4:])
            assert found(word) == ({f"{key}:{unit}"} if is_held else set()), word


def moments(smithy: Forge, prepare: Callable[[], object], seed: str, kills: int, *work: str) -> Iterator[None]:
    """Do work undisturbed to learn its moments, then have it killed at some of them, each time prepared anew."""
    drawn = random.Random(seed)
    prepare()
    _, all_of_them = smithy.do(*work)
    assert all_of_them > kills
    for _ in range(kills):
        is_killed = False
        while not is_killed:  # it may have ended before its delay did
            prepare()
            delay = drawn.choice([0.0, drawn.uniform(0.0001, LONGEST_DELAY)])
            is_killed, _ = smithy.do(*work, at=drawn.randint(1, all_of_them), delay=delay)
        yield


def test_a_killed_import_of_new_laws_leaves_whole_laws(smithy: Forge, old: Path):
    whole = load(old)
    for _ in moments(smithy, empty, "new laws", 12, "import_folder", str(old)):
        held = states()
        assert all(held[key] == whole[key] for key in held)
        assert_search_is_right(held)
        smithy.do("import_folder", str(old))
        assert states() == whole
        assert_is_logged(whole)
    assert_search_is_right(whole)
    assert not ImportRun.objects.filter(state=ImportRun.State.RUNNING).exists()


def test_a_killed_import_of_changed_laws_leaves_each_as_it_was_or_as_it_is(smithy: Forge, old: Path, new: Path):
    before = load(old)
    after = load(new)
    assert all(before[key] != after[key] for key in before)

    def prepare() -> None:
        empty()
        load(old)

    for _ in moments(smithy, prepare, "changed laws", 12, "import_folder", str(new)):
        held = states()
        assert held.keys() == before.keys()
        assert all(held[key] in (before[key], after[key]) for key in held)
        assert_search_is_right(held)
        smithy.do("import_folder", str(new))
        assert states() == after
    assert_search_is_right(after)


def test_killed_embedding_leaves_right_vectors(smithy: Forge, old: Path):
    whole = load(old)
    smithy.do("embed")
    right = vectors()
    assert right.keys() == set(Chunk.objects.values_list("sha256", flat=True))

    def prepare() -> None:
        ChunkEmbedding.objects.all().delete()

    for _ in moments(smithy, prepare, "vectors", 10, "embed"):
        held = vectors()
        assert held.items() <= right.items()
        assert f"ley-{900}-2019:art-1" in found("texto propio0x1", "auto")
        smithy.do("embed")
        assert vectors() == right
    assert states() == whole


def test_a_killed_rebuild_leaves_an_index_that_answers(smithy: Forge, old: Path):
    whole = load(old)
    smithy.do("embed")
    for _ in moments(smithy, lambda: None, "indexes", 8, "rebuild"):
        assert lexical_index().state() is not None
        assert_search_is_right(whole)
        assert f"ley-{900}-2019:art-1" in found("texto propio0x1", "auto")
        smithy.do("rebuild")
        assert_search_is_right(whole)
        generations = [entry for entry in lexical_folder().iterdir() if entry.is_dir()]
        assert len(generations) == 1


def test_a_killed_sync_leaves_each_law_as_it_was_or_as_it_is(smithy: Forge, old: Path, new: Path):
    before, after = load(old), load(new)
    editions = [law(number, NEW) for number in range(LAWS)]
    served = {metadata["identificador"]: response(*blocks, **metadata) for blocks, metadata in editions}

    def prepare() -> None:
        empty()
        load(old)

    with boe_server(served) as server:
        for _ in moments(smithy, prepare, "sync", 8, "sync", server.url):
            held = states()
            assert held.keys() == before.keys()
            assert all(held[key] == before[key] or same_law(held[key], after[key]) for key in held)
            assert_search_is_right(held)
            smithy.do("sync", server.url)
            assert all(same_law(one, after[key]) for key, one in states().items())


def same_law(one: list[Any], other: list[Any]) -> bool:
    """Whether two states are of the same texts, whatever bytes they came in."""
    return [one[:2], *one[4:]] == [other[:2], *other[4:]]


def vectors() -> dict[str, str]:
    return {sha256: str(vector) for sha256, vector in ChunkEmbedding.objects.values_list("sha256", "vector")}


def assert_is_logged(held: States) -> None:
    """Every law must be in the change log, from which indexes learn of it."""
    logged = CorpusChange.objects.filter(article_id=None).values("law_id")
    assert set(Law.objects.filter(pk__in=logged).values_list("key", flat=True)) == held.keys()


def lexical_folder() -> Path:
    from django.conf import settings

    return Path(settings.LEXICAL_INDEX_DIR)
