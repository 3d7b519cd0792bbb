"""What a language model is told of what it was not given: cited, found, or of another day."""

from __future__ import annotations

from datetime import date

import pytest
from django.core.management import call_command
from django.test import Client

from search.context import MOST_CITED, MOST_HITS, ground
from search.context_markdown import count_tokens, write
from search.requests import RetrievalRequest
from tests.api_client import V1, get
from tests.law_builder import Redaction, add_law

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("indexes")]
PARTS = "\n".join(f"{n}. El apartado {n} regula la pesca {'del bonito ' * 60}sin más." for n in range(1, 5))


@pytest.fixture(autouse=True)
def _laws(indexes: None) -> None:
    short = {f"art-{n}": f"La especie número {n} se pesca en su temporada." for n in range(1, 121)}
    add_law("ley-900-2019", short, number="900/2019")
    text = [Redaction("La tasa es de diez euros.", None)]
    add_law("ley-901-2003", {"art-1": text}, number="901/2003", history="current_only", published=date(2003, 12, 18))
    add_law("ley-902-2019", {"art-1": PARTS}, number="902/2019")
    call_command("index_corpus", verbosity=0)


def test_all_that_is_cited_is_read() -> None:
    context = ground(RetrievalRequest("arts. 1 a 45 Ley 900/2019"), 32_000)
    assert [one.citation for one in context.provisions] == [f"ley-900-2019:art-{n}" for n in range(1, 46)]
    assert len(context.provisions) > MOST_HITS
    assert (context.left_out, context.in_part, context.unread) == ([], [], 0)
    assert "no room" not in write(context)


def test_what_is_cited_and_has_no_room_is_named() -> None:
    context = ground(RetrievalRequest("arts. 1 a 45 Ley 900/2019"), 500)
    named = [one.citation for one in context.provisions] + context.left_out
    assert named == [f"ley-900-2019:art-{n}" for n in range(1, 46)]
    assert f"\nno room for all (left out: {len(context.left_out)})\n" in write(context)
    assert context.tokens == count_tokens(write(context)) <= 500


def test_more_than_is_read_of_a_law_is_counted() -> None:
    context = ground(RetrievalRequest("Ley 900/2019"), 1_000)
    assert len(context.provisions) + len(context.left_out) == MOST_CITED
    assert context.unread == 120 - MOST_CITED
    assert f"left out: {120 - len(context.provisions)})" in write(context)


def test_a_range_that_is_cut_says_so_to_who_reads_markdown() -> None:
    asked = {"q": "arts. 1 a 60 Ley 900/2019", "format": "markdown", "max_tokens": "1000"}
    assert "(found). Se muestran los 50 primeros." in Client().get(f"{V1}/context", asked).content.decode()


def test_an_article_of_which_only_parts_have_room_says_so() -> None:
    context = ground(RetrievalRequest("art. 1 Ley 902/2019"), 400)
    assert [one.citation for one in context.provisions] == ["ley-902-2019:art-1.1"]
    assert (context.in_part, context.left_out) == (["ley-902-2019:art-1"], [])
    markdown = write(context)
    assert "\nno room for all (given in part: 1)\n" in markdown
    assert " (part)\n" in markdown
    whole = ground(RetrievalRequest("art. 1 Ley 902/2019"), 4_000)
    assert ([one.is_whole for one in whole.provisions], whole.in_part) == ([True], [])
    asked_for_part = ground(RetrievalRequest("art. 1.1 Ley 902/2019"), 400)
    assert (len(asked_for_part.provisions), asked_for_part.in_part) == (1, [])


@pytest.mark.parametrize("cited", ["Ley 901/2003 @2010-01-01", "ley-901-2003@2010-01-01"])
def test_a_day_in_the_citation_is_the_day_of_the_answer(cited: str) -> None:
    found = get("/search", q=cited)
    assert (found["mode"], found["as_of"]) == ("citation", "2010-01-01")
    assert [hit["history_not_held"] for hit in found["hits"]] == [True]
    context = get("/context", q=cited)
    assert (context["provisions"], context["empty"]["code"]) == ([], "history_not_held")
    assert context["history_not_held"] == ["ley-901-2003:art-1"]
    held = get("/search", q="ley-900-2019:art-1@2020-01-01")
    assert (held["as_of"], held["hits"][0]["url"]) == ("2020-01-01", "/ley-900-2019:art-1@2020-01-01")
