"""What ranked versions are: never kept as of a state of the corpus that it was not read in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.db import connection

from corpus.models import ArticleVersion, CorpusChange, Law
from search import hydration
from search.filters import Filters
from search.hydration import hydrate
from tests.law_builder import add_law

pytestmark = pytest.mark.django_db
TODAY = Filters(on=date(2026, 1, 1))


@pytest.fixture(autouse=True)
def _nothing_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hydration, "_kept", hydration._Kept())


class Importing:
    """An import of another title that is committed each time right before a statement that has `words`."""

    def __init__(self, law: Law, words: str, times: int) -> None:
        self.law, self.words, self.left = law, words, times

    def __call__(self, execute: Callable[..., Any], sql: Any, *more: Any) -> Any:
        if self.left and self.words in str(sql):
            self.left -= 1
            Law.objects.filter(pk=self.law.pk).update(title=f"Ley {self.left}", status="in_force")
            ArticleVersion.objects.filter(article__law=self.law).update(heading=f"Rúbrica {self.left}")
            CorpusChange.objects.create(law_id=self.law.pk)
        return execute(sql, *more)


@pytest.mark.parametrize("words", ["JOIN corpus_article AS", "FROM corpus_law "])
@pytest.mark.parametrize("times", [1, 2])
def test_an_import_between_two_readings_is_read_whole(words: str, times: int) -> None:
    law = add_law("ley-900-2019", {"art-1": "Uno.", "art-2": "Dos."}, title="Ley vieja")
    asked = {one.pk: 0 for one in ArticleVersion.objects.filter(article__law=law)}
    with connection.execute_wrapper(Importing(law, words, times)):
        found = hydrate(asked, TODAY)
    assert [(one.law.summary.title, one.heading) for one in found.values()] == [("Ley 0", "Rúbrica 0")] * 2
    assert hydrate(asked, TODAY) == found


@pytest.mark.parametrize("words", ["JOIN corpus_article AS", "FROM corpus_law "])
def test_imports_without_end_keep_no_answer_waiting_and_are_not_kept(words: str) -> None:
    law = add_law("ley-900-2019", {"art-1": "Uno."}, title="Ley vieja")
    asked = {one.pk: 0 for one in ArticleVersion.objects.filter(article__law=law)}
    importing = Importing(law, words, 50)
    with connection.execute_wrapper(importing):
        (found,) = hydrate(asked, TODAY).values()
    assert importing.left > 40
    assert found.key == "art-1"
    assert hydration._kept.versions == {}
