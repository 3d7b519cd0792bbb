"""What a language model is given to read: verbatim, whole, once, within its budget, and checkable."""

from __future__ import annotations

import hashlib
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.test import Client

from corpus.structure import sub_units
from search.context import LEAST_CONFIDENCE, LEAST_TOKENS, MOST_TOKENS, ground
from search.context_markdown import count_tokens, write
from search.context_parts import cut
from search.requests import RetrievalRequest
from tests.api_client import V1, get
from tests.law_builder import Redaction, add_law

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

    from search.context_answers import Context

QUESTIONS = ["recargo por presentar fuera de plazo", "exención de las estancias", "libro registro", "subvención"]


def given(context: Context) -> list[str]:
    return [provision.citation for provision in context.provisions]


@pytest.mark.usefixtures("live")
@pytest.mark.django_db
class TestOfTheExamples:
    """Over the examples."""

    @pytest.mark.parametrize("max_tokens", [LEAST_TOKENS, 450, 1_000, 4_000, MOST_TOKENS])
    @pytest.mark.parametrize("question", QUESTIONS)
    def test_the_budget_is_kept_by_the_stated_estimate(self, question: str, max_tokens: int) -> None:
        context = ground(RetrievalRequest(question), max_tokens)
        assert context.tokens == count_tokens(write(context)) <= max_tokens

    @pytest.mark.parametrize("max_tokens", [300, 700, 4_000])
    @pytest.mark.parametrize("question", QUESTIONS)
    def test_what_is_citable_is_what_its_citation_gives(self, question: str, max_tokens: int) -> None:
        provisions = get("/context", q=question, max_tokens=max_tokens)["provisions"]
        for one in provisions:
            assert hashlib.sha256(one["text"].encode()).hexdigest() == one["sha256"]
            found = get(f"/citations/{one['citation']}")
            if one["is_citable"]:
                facts = ("text", "sha256", "start", "end", "status", "valid_from", "valid_to", "source_url", "label")
                assert {fact: one[fact] for fact in facts} == {fact: found[fact] for fact in facts}
            else:
                assert one["text"] in found["text"]
            assert all(lead["text"].endswith(":") for lead in one["lead_in"])

    def test_no_text_is_given_twice(self) -> None:
        context = ground(RetrievalRequest("estancias y recargos del impuesto"), MOST_TOKENS)
        places = [(one.citation.partition(".")[0], one.start, one.end) for one in context.provisions]
        assert len(places) == len(set(places)) > 5
        assert len({one.sha256 for one in context.provisions}) == len(places)

    def test_more_room_gives_the_whole_of_the_best_and_more_provisions(self) -> None:
        small, large = (
            ground(RetrievalRequest("ocultar estancias: infracción", mode="lexical"), room) for room in (225, 4_000)
        )
        assert (given(small), small.provisions[0].is_whole) == (["ley-990-2019:art-13.3"], False)
        assert given(large)[0] == "ley-990-2019:art-13"
        assert len(given(large)) > 3

    def test_a_part_comes_with_the_words_that_announce_it(self) -> None:
        (part,) = ground(RetrievalRequest("art. 11.4.b) Ley 990/2019"), 500).provisions
        assert (part.citation, part.text) == (
            "ley-990-2019:art-11.4.b", "b) Se ha ingresado ya toda la deuda que resulte de la autoliquidación.",
        )  # fmt: skip
        assert [lead.citation for lead in part.lead_in] == ["ley-990-2019:art-11.4"]

    @pytest.mark.parametrize(
        ("cited", "citations"),
        [
            ("art. 11.4 Ley 990/2019", ["ley-990-2019:art-11.4"]),
            ("arts. 11.2 y 11.4 Ley 990/2019", ["ley-990-2019:art-11.2", "ley-990-2019:art-11.4"]),
            ("art. 11 Ley 990/2019", ["ley-990-2019:art-11"]),
            ("ley-990-2019:art-11@2020-01-01", ["ley-990-2019:art-11"]),
        ],
    )
    def test_what_was_cited_comes_as_it_was_cited(self, cited: str, citations: list[str]) -> None:
        context = ground(RetrievalRequest(cited), 2_000)
        assert (context.mode, given(context), context.left_out) == ("citation", citations, [])

    def test_the_law_of_a_day_is_read(self) -> None:
        day = date(2020, 1, 1)
        context = ground(RetrievalRequest("recargo único del 10 por ciento", as_of=day), 2_000)
        first = context.provisions[0]
        assert (context.as_of, first.citation, first.valid_to) == (day, "ley-990-2019:art-11", date(2022, 6, 30))
        assert first.url == "/ley-990-2019:art-11@2020-01-01"
        pinned = ground(RetrievalRequest("ley-990-2019:art-11@2020-01-01"), 2_000)
        assert (pinned.as_of, pinned.provisions[0].sha256) == (day, first.sha256)

    def test_a_repealed_provision_says_so(self) -> None:
        context = ground(RetrievalRequest("art. 6 Ley 990/2019"), 2_000)
        assert [(one.citation, one.status) for one in context.provisions] == [("ley-990-2019:art-6", "repealed")]
        assert "status: repealed from 2019-04-01 to 2024-06-30" in write(context)

    @pytest.mark.parametrize(
        ("question", "code"),
        [
            ("xqzv wkjh", "nothing_found"),
            ("art. 99 Ley 990/2019", "citation_not_resolved"),
            ("art. 27 LGT", "citation_not_resolved"),
            ("art. 27 LGT y art. 99 Ley 990/2019", "citation_not_resolved"),
            ("ley-990-2019:art-11@2020-02-30", "citation_not_resolved"),
        ],
    )
    def test_nothing_is_given_where_nothing_grounds_the_question(self, question: str, code: str) -> None:
        body = get("/context", q=question)
        assert (body["provisions"], body["empty"]["code"]) == ([], code)
        assert code in Client().get(f"{V1}/context", {"q": question, "format": "markdown"}).content.decode()

    def test_texts_of_different_days_are_to_be_asked_for_one_by_one(self) -> None:
        body = get("/context", q="art. 11 Ley 990/2019, vigente el 1/1/2023, y art. 6 Ley 990/2019")
        told = "Se citan textos de días distintos: hay que pedirlos por separado."
        assert (body["citation"]["outcome"], body["provisions"]) == ("found", [])
        assert body["empty"] == {"code": "citation_not_resolved", "detail": told}

    def test_what_is_cited_and_has_no_text_is_told_so(self) -> None:
        add_law("ley-902-2019", {"art-1": ""}, title="Ley 902/2019.")
        told = {"code": "nothing_found", "detail": "La fuente da esta redacción sin texto, y no dice por qué."}
        assert get("/context", q="ley-902-2019:art-1")["empty"] == told

    @pytest.mark.parametrize("asked", ["-0.1", "1.5", "nan", "mucha"])
    def test_a_floor_out_of_range_is_refused_by_name(self, asked: str) -> None:
        body = get("/context", expect=422, q="recargo", min_confidence=asked)
        assert (body["code"], body["parameter"]) == ("unknown_value", "min_confidence")

    def test_little_confidence_grounds_nothing_and_says_why(self) -> None:
        asked: dict[str, Any] = {"q": "Barcelona gana a los demás el partido de la tarifa", "mode": "lexical"}
        all_found = get("/context", **asked, min_confidence=0)
        confidence = all_found["confidence"]
        assert all_found["provisions"]
        assert 0 < confidence < 1
        body = get("/context", **asked, min_confidence=round(confidence + 0.001, 4))
        assert (body["provisions"], body["empty"]["code"]) == ([], "low_confidence")
        assert body["left_out"][0] == all_found["provisions"][0]["citation"].partition(".")[0]
        assert get("/context", **asked, min_confidence=confidence)["empty"] is None
        markdown = Client().get(f"{V1}/context", asked | {"min_confidence": 1, "format": "markdown"}).content.decode()
        assert "low_confidence: " in markdown
        assert "sha256" not in markdown

    def test_the_usual_floor_withholds_noise_and_no_question(self) -> None:
        noise = get("/context", q="the quick brown fox de la tarifa jumps over lazy dog", mode="lexical")
        assert (noise["provisions"], noise["empty"]["code"]) == ([], "low_confidence")
        assert noise["confidence"] < noise["min_confidence"] == LEAST_CONFIDENCE
        for question in QUESTIONS:
            assert get("/context", q=question, mode="lexical")["provisions"]

    def test_what_the_question_cites_is_never_withheld(self) -> None:
        body = get("/context", q="quick brown fox del art. 11 Ley 990/2019", mode="lexical", min_confidence=1)
        assert (body["mode"], body["provisions"][0]["citation"]) == ("lexical", "ley-990-2019:art-11")

    def test_an_answer_of_unknown_confidence_is_not_withheld(self) -> None:
        body = get("/context", q="recargo", min_confidence=1)
        assert (body["confidence"], body["empty"]) == (None, None)
        assert body["provisions"]

    def test_conditions_reach_retrieval(self) -> None:
        body = get("/context", q="subvención", law="orden-hac-9993-2023", mode="lexical")
        assert {one["law"]["id"] for one in body["provisions"]} == {"orden-hac-9993-2023"}
        assert body["mode"] == "lexical"

    def test_markdown_is_given_to_who_asks_for_it(self) -> None:
        asked = {"q": "art. 11.4.b) Ley 990/2019"}
        by_header = Client().get(f"{V1}/context", asked, headers={"accept": "text/markdown"})
        by_name = Client().get(f"{V1}/context", asked | {"format": "markdown"})
        assert by_header["Content-Type"] == by_name["Content-Type"] == "text/markdown; charset=utf-8"
        assert by_header.content == by_name.content
        assert "## ley-990-2019:art-11.4.b\n" in by_header.content.decode()
        for accepted in ("application/json", "*/*", "text/html, */*"):
            answer = Client().get(f"{V1}/context", asked, headers={"accept": accepted})
            assert answer["Content-Type"].startswith("application/json")

    @pytest.mark.parametrize(("asked", "limit"), [("199", 200), ("0", 200), ("32001", 32_000), ("many", None)])
    def test_a_budget_out_of_range_is_refused_by_name(self, asked: str, limit: int | None) -> None:
        body = get("/context", expect=422, q="recargo", max_tokens=asked)
        assert (body["code"], body["parameter"], body["limit"]) == ("invalid_limit", "max_tokens", limit)

    @pytest.mark.parametrize(("path", "queries"), [("?q=recargo", 7), ("?q=recargo&max_tokens=32000", 7)])
    def test_queries_do_not_grow_with_the_budget(
        self, path: str, queries: int, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        Client().get(f"{V1}/context{path}")
        with django_assert_num_queries(queries):
            assert Client().get(f"{V1}/context{path}").status_code == 200


@pytest.mark.django_db
@pytest.mark.usefixtures("indexes")
def test_two_laws_that_say_the_same_are_given_once() -> None:
    words = "El plazo de alegaciones ante el consejo regulador es de quince días."
    add_law("ley-900-2019", {"art-1": words})
    add_law("ley-901-2019", {"art-7": words, "art-8": [Redaction("Otra cosa del consejo regulador.")]})
    call_command("index_corpus", verbosity=0)
    context = ground(RetrievalRequest("alegaciones ante el consejo regulador", mode="lexical"), 2_000, min_confidence=0)
    first = context.provisions[0]
    assert {first.citation, *first.same_text} == {"ley-900-2019:art-1", "ley-901-2019:art-7"}
    assert "ley-901-2019:art-8" in given(context)


@pytest.mark.django_db
@pytest.mark.usefixtures("indexes")
@pytest.mark.parametrize("max_tokens", [250, 400, 700, 1_200])
def test_a_long_text_without_parts_is_given_in_whole_paragraphs(max_tokens: int) -> None:
    lines = [f"Párrafo {n} sobre la pesca del bonito. Tiene dos frases, aquí la segunda." for n in range(60)]
    lines[40] = "El cupo de almadraba se fija cada campaña. No se traspasa."
    add_law("ley-900-2019", {"art-1": "\n".join(lines)})
    call_command("index_corpus", verbosity=0)
    asked = RetrievalRequest("cupo de almadraba", mode="lexical")
    (part,) = ground(asked, max_tokens, min_confidence=0).provisions
    assert "almadraba" in part.text
    assert set(part.text.split("\n")) <= set(lines)
    assert not part.is_citable


@pytest.fixture
def current_only() -> None:
    """A law of which the source has only today's text, beside one whose history is held."""
    text = [Redaction("La tasa por licencia de pesca es de diez euros.", None)]
    add_law("ley-900-2003", {"art-1": text, "art-2": text}, history="current_only", published=date(2003, 12, 18))
    add_law("ley-901-2003", {"art-5": [Redaction("La licencia de caza es anual.", date(2004, 1, 1))]})
    call_command("index_corpus", verbosity=0)


@pytest.mark.django_db
@pytest.mark.usefixtures("indexes", "current_only")
@pytest.mark.parametrize("mode", ["auto", "lexical"])
def test_what_a_source_does_not_tell_of_a_day_is_named_and_not_given(mode: str) -> None:
    asked: dict[str, Any] = {
        "q": "tasa de pesca",
        "mode": mode,
        "as_of": "2010-01-01",
        "law": "ley-900-2003",
        "min_confidence": 0,
    }
    body = get("/context", **asked)
    assert (body["provisions"], body["left_out"]) == ([], [])
    assert sorted(body["history_not_held"]) == ["ley-900-2003:art-1", "ley-900-2003:art-2"]
    assert body["empty"] == {
        "code": "history_not_held", "detail": "La fuente no permite saber qué texto regía el 01/01/2010.",
    }  # fmt: skip
    markdown = Client().get(f"{V1}/context", asked | {"format": "markdown"}).content.decode()
    assert "\nhistory not held on that day: ley-900-2003\n" in markdown
    assert "\nhistory_not_held: " in markdown


@pytest.mark.django_db
@pytest.mark.usefixtures("indexes", "current_only")
def test_what_is_known_of_a_day_is_given_beside_what_is_not() -> None:
    asked: dict[str, Any] = {"law": ["ley-900-2003", "ley-901-2003"], "mode": "lexical", "min_confidence": 0}
    then = get("/context", **asked, q="licencia de pesca o caza", as_of="2010-01-01")
    assert [one["citation"] for one in then["provisions"]] == ["ley-901-2003:art-5"]
    assert (sorted(then["history_not_held"]), then["empty"]) == (["ley-900-2003:art-1", "ley-900-2003:art-2"], None)
    now = get("/context", **asked, q="licencia de pesca o caza", as_of="2026-01-01")
    assert (len(now["provisions"]), now["history_not_held"]) == (2, [])
    before = get("/context", **asked, q="tasa de pesca", as_of="2003-12-17")
    assert (before["empty"]["code"], before["history_not_held"]) == ("nothing_found", [])


def test_a_table_is_never_cut() -> None:
    text = "Tarifa:\nTramo\tTipo\n1\t9 %\n2\t15 %\nFin."
    table: dict[str, Any] = {"kind": "table", "start": text.index("Tramo"), "end": text.index("\nFin.")}
    smallest = cut(text, sub_units(text), [table], (19, 22)).selections[0]
    assert [text[part.start : part.end] for part in smallest] == ["Tramo\tTipo\n1\t9 %\n2\t15 %"]
