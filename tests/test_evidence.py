"""What the index and the citations say of the entries of a pool."""

from __future__ import annotations

from datetime import date
from io import StringIO

import pytest
from django.core.management import call_command

from corpus.models import ArticleVersion
from search import hydration, indexing
from search.citation_linking import link
from search.evidence import Evidence, evidence
from search.filters import Filters
from search.hydration import Provision, hydrate
from search.models import Citation
from search.questions import clean, read
from search.semantic import Nearness, nothing_near
from tests.law_builder import add_law

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("indexes")]


@pytest.fixture
def corpus() -> dict[str, Provision]:
    """Give an entry for each article of two laws, by its key."""
    add_law(
        "ley-900-2019",
        {
            "art-1": "El plazo de prescripción es de cuatro años.",
            "art-2": "La prescripción se interrumpe; el plazo vuelve a correr según el artículo 1.",
            "art-3": "Lo dispuesto en el artículo 1 y en el artículo 2 no afecta al recargo.",
        },
    )
    add_law("ley-901-2019", {"art-9": "Rige el artículo 1 de la Ley 900/2019."})
    indexing.catch_up()
    call_command("link_citations", verbosity=0, stdout=StringIO(), stderr=StringIO())
    versions = ArticleVersion.objects.select_related("article")
    hydrated = hydrate({one.pk: 0 for one in versions}, Filters(on=date(2026, 1, 1)))
    return {one.article.key: hydrated[one.pk] for one in versions}


def found(question: str, entries: list[Provision], nearness: Nearness = nothing_near) -> list[Evidence]:
    return evidence(read(clean(question)), entries, nearness)


def test_nothing_is_known_of_nothing():
    assert found("plazo de prescripción", []) == []


def test_only_citations_within_the_pool_are_among_it(corpus):
    pool = [corpus["art-1"], corpus["art-3"]]
    first, third = found("recargo", pool)
    assert first.cites == frozenset()
    assert third.cites == {corpus["art-1"].article_id}


def test_each_is_as_near_as_is_told_and_of_the_others_nothing_is_said(corpus):
    first, second = corpus["art-1"], corpus["art-2"]
    told = found("recargo", [first, second], lambda versions: {list(versions)[1]: 0.875})
    assert [one.nearness for one in told] == [None, 0.875]


def test_citations_that_were_all_read_again_are_known(corpus, monkeypatch):
    third = corpus["art-3"]
    Citation.objects.filter(version=third.version_id).delete()
    monkeypatch.setattr(hydration, "_kept", hydration._Kept())
    asked = {third.version_id: 0}, Filters(on=date(2026, 1, 1))
    assert hydrate(*asked)[third.version_id].cites == frozenset()
    link(rebuild=True)
    assert hydrate(*asked)[third.version_id].cites == third.cites


@pytest.mark.parametrize(
    ("question", "shares"),
    [
        ("plazo de prescripción", [1.0, 0.0, 0.0]),
        ("el plazo de la prescripción de cuatro años", [1.0, 0.0, 0.0]),
        ("plazo de prescripción del recargo", [0.5, 0.0, 0.0]),
        ("prescripción", [0.0, 0.0, 0.0]),
        ("¿la prescripción se interrumpe?", [0.0, 1.0, 0.0]),
    ],
)
def test_pairs_are_the_share_of_neighbouring_words_that_stand_together(corpus, question, shares):
    pool = [corpus[key] for key in ("art-1", "art-2", "art-3")]
    assert [round(one.pairs, 3) for one in found(question, pool)] == shares


def test_without_an_index_no_words_stand_together(corpus, settings, tmp_path):
    settings.LEXICAL_INDEX_DIR = tmp_path / "none"
    assert found("plazo de prescripción", [corpus["art-1"]]) == [Evidence()]
