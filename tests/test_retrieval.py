"""The one throat: questions in, provisions out, with the mode that produced them."""

import re
import unicodedata
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from corpus.models import Article, ArticleVersion, CorpusChange, Law
from search import arms, indexing, retrieval
from search.errors import (
    BlankQuery,
    ConflictingParameters,
    InputError,
    InvalidDate,
    InvalidLimit,
    InvalidOffset,
    QueryTooLong,
    UnknownValue,
)
from search.requests import MAX_DEPTH, MAX_LIMIT
from search.responses import RetrievalResponse
from search.retrieval import RetrievalRequest, retrieve
from tests.law_builder import Redaction, add_article, add_law

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("indexes")]

FIRST, LAST, NEXT = date(2019, 2, 1), date(2025, 4, 30), date(2025, 5, 1)


def ask(query: str, **fields) -> Any:
    return retrieve(RetrievalRequest(query, **fields))


def citations(answer: RetrievalResponse) -> list[str]:
    return [hit.citation for hit in answer.hits]


def embed() -> None:
    call_command("embed_chunks", verbosity=0)


@pytest.fixture
def taxes() -> None:
    add_law(
        "ley-900-2019",
        {
            "art-1": "La tributación conjunta es una opción de la unidad familiar.",
            "art-2": "El recargo por presentación tardía es del 15 por 100.",
            "art-3": "Los no residentes tributan por obligación real.",
            "art-4": "Los residentes tributan por obligación personal.",
        },
        short_title="Ley inventada de Tributos",
    )


# What is asked


@pytest.mark.parametrize(
    ("fields", "error", "parameter", "limit"),
    [
        ({"query": " \0 "}, BlankQuery, "q", None),
        ({"query": "a" * 2_001}, QueryTooLong, "q", 2_000),
        ({"limit": 0}, InvalidLimit, "limit", MAX_LIMIT),
        ({"limit": -1}, InvalidLimit, "limit", MAX_LIMIT),
        ({"limit": MAX_LIMIT + 1}, InvalidLimit, "limit", MAX_LIMIT),
        ({"offset": -1}, InvalidOffset, "offset", 0),
        ({"offset": MAX_DEPTH}, InvalidOffset, "offset", MAX_DEPTH - 10),
        ({"mode": "magic"}, UnknownValue, "mode", "auto, hybrid, lexical, semantic"),
        ({"fusion": "magic"}, UnknownValue, "fusion", "auto, rrf, weighted"),
        ({"sort": "magic"}, UnknownValue, "sort", "relevance, newest, oldest"),
        ({"fields": ("title",)}, UnknownValue, "fields", "heading, text, law"),
        ({"min_score": 1.1}, UnknownValue, "min_score", 1),
        ({"semantic_weight": -0.1}, UnknownValue, "semantic_weight", 1),
        ({"valid_from": NEXT, "valid_to": LAST}, InvalidDate, "from", "2025-04-30"),
        ({"laws": ("ley-1-1800",)}, UnknownValue, "law", None),
        ({"explain": "a" * 2_001}, QueryTooLong, "explain", 2_000),
        ({"rerank": True, "sort": "oldest"}, ConflictingParameters, "rerank", None),
        ({"mode": "semantic", "fields": ("text",)}, ConflictingParameters, "fields", None),
    ],
)
def test_a_wrong_request_names_the_parameter_and_its_limit(taxes, fields, error, parameter, limit):
    with pytest.raises(error) as raised:
        retrieve(RetrievalRequest(**{"query": "recargo"} | fields))
    assert (raised.value.parameter, raised.value.limit) == (parameter, limit)


@pytest.mark.parametrize(
    ("name", "parameter"),
    [("kinds", "kind"), ("statuses", "status"), ("ranks", "law_rank"), ("jurisdictions", "jurisdiction")],
)
def test_an_unknown_value_is_refused_with_those_there_are(taxes, name, parameter):
    with pytest.raises(UnknownValue) as raised:
        ask("recargo", **{name: ("magic",)})
    assert raised.value.parameter == parameter
    assert "magic" in raised.value.detail


def test_a_law_is_named_by_id_or_boe_id_in_any_case():
    add_law("ley-900-2019", {"art-1": "Un recargo."}, boe_id="BOE-A-2019-900")
    add_law("ley-901-2019", {"art-1": "Otro recargo."})
    for name in ("ley-900-2019", "LEY-900-2019", "BOE-A-2019-900", "boe-a-2019-900"):
        assert citations(ask("recargo", laws=(name,))) == ["ley-900-2019:art-1"]


# How it is answered


def test_the_answer_of_both_arms_is_hybrid(taxes):
    embed()
    answer = ask("recargo por presentación tardía")
    first = answer.hits[0]
    assert (answer.mode, answer.degraded) == ("hybrid", None)
    assert first.citation == "ley-900-2019:art-2"
    assert (first.lexical.rank, first.semantic.rank) == (1, 1)
    assert first.score == 1.0
    assert [hit.rank for hit in answer.hits] == list(range(1, answer.total + 1))


@pytest.mark.parametrize(("mode", "missing"), [("lexical", "semantic"), ("semantic", "lexical")])
def test_one_arm_can_be_asked_alone(taxes, mode, missing):
    embed()
    answer = ask("recargo por presentación tardía", mode=mode)
    assert (answer.mode, answer.degraded) == (mode, None)
    assert {getattr(hit, missing) for hit in answer.hits} == {None}
    assert answer.hits[0].citation == "ley-900-2019:art-2"


@pytest.mark.parametrize("mode", ["auto", "hybrid", "semantic"])
def test_without_vectors_the_words_answer_and_the_answer_says_so(taxes, mode):
    answer = ask("recargo", mode=mode)
    assert (answer.mode, answer.degraded.missing) == ("lexical", "semantic")
    assert answer.degraded.reason
    assert citations(answer) == ["ley-900-2019:art-2"]


@pytest.mark.parametrize("mode", ["auto", "hybrid", "lexical"])
def test_without_a_lexical_index_meaning_answers_and_the_answer_says_so(taxes, mode, monkeypatch):
    embed()
    monkeypatch.setattr(indexing, "ON_THE_WAY", -1)
    monkeypatch.setattr(indexing, "_start_catching_up", lambda: None)
    answer = ask("recargo por presentación tardía", mode=mode)
    assert (answer.mode, answer.degraded.missing) == ("semantic", "lexical")
    assert answer.hits[0].citation == "ley-900-2019:art-2"
    assert answer.hits[0].passages[0].highlights != []


def test_a_broken_lexical_index_is_no_crash(taxes, monkeypatch):
    ask("recargo")
    (folder,) = (entry for entry in Path(settings.LEXICAL_INDEX_DIR).iterdir() if entry.is_dir())
    (folder / "meta.json").write_text("{")
    monkeypatch.setattr(indexing, "catch_up", lambda **_: 1 / 0)
    answer = ask("recargo")
    assert answer.degraded.missing == "lexical"
    assert answer.hits == []


@pytest.mark.parametrize("question", ['"recargo por presentación"', "tributan -personal", "27"])
@pytest.mark.parametrize("mode", ["semantic", "hybrid"])
def test_conditions_that_no_index_can_check_are_no_silent_empty_answer(taxes, question, mode, monkeypatch):
    embed()
    monkeypatch.setattr(indexing, "ON_THE_WAY", -1)
    monkeypatch.setattr(indexing, "_start_catching_up", lambda: None)
    answer = ask(question, mode=mode)
    assert (answer.hits, answer.mode, answer.degraded.missing) == ([], "semantic", "lexical")


def test_an_index_that_was_lost_is_made_on_the_way(taxes):
    assert citations(ask("recargo")) == ["ley-900-2019:art-2"]
    (Path(settings.LEXICAL_INDEX_DIR) / "current").unlink()
    assert citations(ask("recargo")) == ["ley-900-2019:art-2"]


def test_the_queries_are_few_whatever_is_found(taxes, django_assert_num_queries):
    embed()
    for question in ("recargo", "obligación tributan residentes"):
        CorpusChange.objects.create(law_id=Law.objects.get(key="ley-900-2019").pk)
        indexing.catch_up()
        # The state of the corpus, marks, versions, laws and texts.
        with django_assert_num_queries(5):
            answer = ask(question, mode="lexical")
    assert len(answer.hits) > 1
    with django_assert_num_queries(3):
        assert ask(question, mode="lexical").hits == answer.hits


@pytest.mark.parametrize("question", ["de la", "¿qué es lo que hay?", "…", "¿?"])
def test_a_question_of_stop_words_has_an_empty_answer(taxes, question):
    embed()
    answer = ask(question)
    assert (answer.total, answer.hits, answer.degraded) == (0, [], None)


def test_gibberish_has_an_empty_answer(taxes):
    embed()
    assert ask("xqzt wvkj plomf").total == 0
    assert ask("xqzt wvkj plomf", mode="semantic").total == 0


@pytest.mark.parametrize("mode", ["auto", "semantic", "hybrid"])
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("27", ["art-1", "art-3"]),
        ("2.7", ["art-5"]),
        ("58/2003", ["art-3"]),
        ("58 2003", ["art-3"]),
        ("«27»", ["art-1", "art-3"]),
        ("27 -recargo", ["art-3"]),
    ],
)
def test_br_59_a_number_finds_no_other_number_by_meaning_either(mode, question, expected):
    texts = ["El recargo del 27.", "El recargo del 127.", "Ley 58/2003, modelo 27.", "El modelo 347.", "El tipo 2.7."]
    add_law("ley-900-2019", {f"art-{number}": text for number, text in enumerate(texts, start=1)})
    embed()
    assert sorted(citations(ask(question, mode=mode))) == [f"ley-900-2019:{key}" for key in expected]


def test_what_is_excluded_is_in_no_hit_of_either_arm(taxes):
    embed()
    assert set(citations(ask("tributan obligación -personal"))).isdisjoint({"ley-900-2019:art-4"})
    assert citations(ask('"no residentes"')) == ["ley-900-2019:art-3"]


@pytest.mark.parametrize(
    "spelling", ["tributacion conjunta", "TRIBUTACIÓN CONJUNTA", unicodedata.normalize("NFD", "tributación conjunta")]
)
@pytest.mark.parametrize("mode", ["lexical", "semantic", "hybrid"])
def test_spelling_changes_neither_ids_nor_order_nor_scores_nor_marks(taxes, spelling, mode):
    embed()
    answer = ask(spelling, mode=mode)
    usual = ask("tributación conjunta", mode=mode)
    assert answer.mode == mode
    assert [(hit.citation, hit.score) for hit in answer.hits] == [(hit.citation, hit.score) for hit in usual.hits]
    assert citations(answer)[0] == "ley-900-2019:art-1"
    passage = answer.hits[0].passages[0]
    assert [passage.text[start:end] for start, end in passage.highlights] == ["tributación", "conjunta"]


def test_text_and_query_are_given_as_they_are_with_marks_as_offsets():
    add_law("ley-900-2019", {"art-1": "El tipo <img src=x onerror=alert(1) es bajo."})
    (hit,) = ask("tipo").hits
    (passage,) = hit.passages
    assert passage.text == "El tipo <img src=x onerror=alert(1) es bajo."
    assert [passage.text[start:end] for start, end in passage.highlights] == ["tipo"]
    assert ask('tipo "><svg onload=1>').query == 'tipo "><svg onload=1>'


def test_cells_of_a_table_are_found():
    add_law("ley-900-2019", {"art-1": "Recargos:\nRetraso\tRecargo\n13 meses\t15 por 100\nFin."})
    (hit,) = ask('"15 por 100"').hits
    assert hit.passages[0].text == "Recargos:\nRetraso\tRecargo\n13 meses\t15 por 100\nFin."


def test_a_hit_says_everything(taxes):
    Article.objects.filter(key="art-2").update(path=["TÍTULO I"], kind="article")
    ArticleVersion.objects.filter(article__key="art-2").update(heading="Recargo")
    (hit, *_others) = ask("recargo", mode="lexical").hits
    assert hit.model_dump(exclude={"score", "lexical", "passages"}) == {
        "rank": 1,
        "citation": "ley-900-2019:art-2",
        "label": "Artículo 2",
        "law": {
            "id": "ley-900-2019",
            "boe_id": None,
            "title": "Ley inventada ley-900-2019",
            "short_title": "Ley inventada de Tributos",
            "rank": "ley",
            "jurisdiction": "es",
            "status": "in_force",
        },
        "kind": "article",
        "heading": "Recargo",
        "path": ["TÍTULO I"],
        "status": "in_force",
        "valid_from": FIRST,
        "valid_to": None,
        "semantic": None,
        "url": "/ley-900-2019:art-2",
        "source_url": None,
        "passages_found": 1,
        "history_not_held": False,
        "explanation": None,
    }


# Days and force


@pytest.fixture
def dated() -> None:
    law = add_law(
        "ley-905-2019",
        {
            "art-5": [Redaction("Se reconoce la gran invalidez.", FIRST, LAST),
                      Redaction("Se reconoce la gran incapacidad.", NEXT)],
            "art-7": [Redaction("La gran invalidez da derecho a pensión.", FIRST, date(2021, 12, 31)),
                      Redaction("(Derogado)", date(2022, 1, 1), status="repealed")],
        },
    )  # fmt: skip
    add_article(law, "art-8", [Redaction("La gran pensión venidera.", date(2190, 1, 1))])


@pytest.mark.parametrize("with_vectors", [False, True])
@pytest.mark.parametrize(
    ("question", "fields", "expected"),
    [
        ("gran incapacidad", {}, ["art-5"]),
        ("invalidez", {}, []),
        ("gran invalidez", {"as_of": date(2020, 1, 1)}, ["art-5", "art-7"]),
        ("incapacidad", {"as_of": date(2020, 1, 1)}, []),
        ("pensión", {"as_of": date(2022, 1, 1)}, []),
        ("pensión", {"include_repealed": True}, ["art-7"]),
        ("pensión", {"statuses": ("repealed",)}, ["art-7"]),
        ("pensión", {"statuses": ("not_yet_in_force",)}, ["art-8"]),
    ],
)
def test_the_law_of_the_day_is_searched(dated, with_vectors, question, fields, expected):
    if with_vectors:
        embed()
    answer = ask(f'"{question}"', **fields)
    assert sorted(citations(answer)) == [f"ley-905-2019:{key}" for key in expected]


def test_the_order_of_the_redactions_in_the_source_plays_no_part(dated):
    versions = ArticleVersion.objects.filter(article__key="art-5").order_by("position")
    assert [version.valid_from for version in versions] == [FIRST, NEXT]
    assert ask('"gran incapacidad"').hits[0].valid_from == NEXT


def test_what_has_no_force_is_labelled_and_links_lead_to_the_day(dated):
    (hit,) = ask('"derecho a pensión"', include_repealed=True).hits
    assert (hit.status, hit.valid_to) == ("repealed", date(2021, 12, 31))
    (hit,) = ask('"derecho a pensión"', as_of=date(2020, 1, 1)).hits
    assert (hit.status, hit.url) == ("in_force", "/ley-905-2019:art-7@2020-01-01")
    (hit,) = ask('"pensión venidera"', statuses=("not_yet_in_force",)).hits
    assert hit.status == "not_yet_in_force"


# What the index does not know yet


def test_a_row_that_is_gone_changed_or_ended_is_dropped(taxes, monkeypatch):
    ask("recargo")
    monkeypatch.setattr(indexing, "catch_up", lambda **_: None)
    ArticleVersion.objects.filter(article__key="art-1").update(text="Otra cosa.", sha256="0" * 64)
    assert citations(ask("conjunta")) == []
    ArticleVersion.objects.filter(article__key="art-2").update(valid_to=LAST)
    assert citations(ask("recargo")) == []
    Article.objects.filter(key="art-3").delete()
    answer = ask("tributan por obligación")
    assert citations(answer) == ["ley-900-2019:art-4"]
    assert (answer.total, answer.facets.law[0].count) == (1, 1)


def test_a_page_is_filled_from_beyond_what_was_dropped(monkeypatch):
    law = add_law("ley-900-2019", {f"art-{number}": "Texto igual." for number in range(1, 31)})
    ask("texto")
    monkeypatch.setattr(indexing, "catch_up", lambda **_: None)
    law.articles.filter(position__lte=20).delete()
    answer = ask("texto", limit=5)
    assert citations(answer) == [f"ley-900-2019:art-{number}" for number in range(21, 26)]
    assert all(hit.passages for hit in answer.hits)
    assert answer.total == 10


def test_what_an_import_removes_is_gone_at_once(taxes):
    embed()
    law = Article.objects.get(key="art-2").law
    Article.objects.filter(key="art-2").get().versions.update(text="Ya no hay nada.")
    CorpusChange.objects.create(law_id=law.pk, article_id=Article.objects.get(key="art-2").pk)
    assert "ley-900-2019:art-2" not in citations(ask("recargo", mode="lexical"))
    law.delete()
    answer = ask("tributan")
    assert (answer.total, answer.citation) == (0, None)
    assert ask("art. 1 Ley 900/2019").citation.outcome == "law_not_in_corpus"


# Pages


@pytest.mark.parametrize("with_vectors", [False, True])
def test_br_57_pages_partition_the_list_forwards_and_backwards(with_vectors):
    add_law("ley-900-2019", {f"art-{number}": "Texto igual." for number in range(1, 31)})
    if with_vectors:
        embed()
    forwards = [citations(ask("texto igual", limit=7, offset=offset)) for offset in range(0, 42, 7)]
    backwards = [citations(ask("texto igual", limit=7, offset=offset)) for offset in range(35, -1, -7)]
    assert forwards == backwards[::-1]
    assert [len(page) for page in forwards] == [7, 7, 7, 7, 2, 0]
    assert len({citation for page in forwards for citation in page}) == 30


def test_pages_partition_the_list_beyond_the_first_pool():
    texts = {f"art-{number}": f"Texto común. {'Relleno. ' * number}" for number in range(1, 181)}
    add_law("ley-900-2019", texts)
    embed()
    pages = [citations(ask("texto común relleno", limit=20, offset=offset)) for offset in range(0, 200, 20)]
    everything = [citation for page in pages for citation in page]
    assert len(everything) == len(set(everything)) == 180
    shallow, deep = ask("texto común", limit=10), ask("texto común", limit=10, offset=170)
    assert (shallow.total_is_capped, deep.total, deep.total_is_capped) == (True, 180, False)


def test_what_the_first_pool_leaves_out_is_told_and_found_on_later_pages():
    of_words = {f"art-{number}": f"Fianza {number}." for number in range(1, 91)}
    add_law("ley-900-2019", of_words | {f"art-{number}": f"Depósito {number}." for number in range(101, 191)})
    embed()
    first, later = ask("fianza"), ask("fianza", offset=120)
    assert (first.total, first.total_is_capped) == (120, True)
    assert later.total > 120
    assert len({*citations(ask("fianza", limit=100)), *citations(ask("fianza", offset=100, limit=80))}) == later.total


def test_br_55_one_hit_an_article_however_many_passages_match(client):
    long = "\n".join(f"{number}. La fianza del arrendamiento se deposita. {'Sigue. ' * 140}" for number in range(1, 6))
    add_law("ley-900-2019", {"art-20": long} | {f"art-{number}": f"Fianza {number}." for number in range(1, 13)})
    embed()
    answer = ask("fianza del arrendamiento", limit=10)
    assert len(set(citations(answer))) == 10
    assert citations(answer).count("ley-900-2019:art-20") == 1
    hit = next(hit for hit in answer.hits if hit.citation == "ley-900-2019:art-20")
    assert (len(hit.passages), hit.passages_found) == (3, 5)
    page = client.get("/", {"q": "fianza del arrendamiento"}).content.decode()
    assert page.count('<li class="hit"') == 10
    assert page.count("<span>5 pasajes</span>") == 1
    for passage in hit.passages:
        assert long[passage.start : passage.end] == passage.text
        assert re.fullmatch(r"ley-900-2019:art-20(\.\d)?", passage.citation)


def test_filters_facets_counts_and_list_agree():
    add_law("ley-900-2019", {"art-1": "Un recargo.", "art-2": "Otro recargo."}, short_title="Ley A")
    add_law("rd-901-2019", {"art-1": "Un recargo."}, jurisdiction="es-ct", title="Decreto B")
    answer = ask("recargo")
    assert answer.facets.model_dump() == {
        "law": [{"value": "ley-900-2019", "label": "Ley A", "count": 2},
                {"value": "rd-901-2019", "label": "Decreto B", "count": 1}],
        "rank": [{"value": "ley", "label": "Ley", "count": 2}, {"value": "rd", "label": "Real Decreto", "count": 1}],
        "jurisdiction": [{"value": "es", "label": "Estatal", "count": 2},
                         {"value": "es-ct", "label": "Cataluña", "count": 1}],
        "status": [{"value": "in_force", "label": "vigente", "count": 3}],
    }  # fmt: skip
    for facet, name in (("law", "laws"), ("rank", "ranks"), ("jurisdiction", "jurisdictions"), ("status", "statuses")):
        for value in getattr(answer.facets, facet):
            narrowed = ask("recargo", **{name: (value.value,)})
            assert narrowed.total == len(narrowed.hits) == value.count


def test_a_least_score_cuts_the_list(taxes):
    embed()
    whole = ask("obligación residentes tributan")
    cut = ask("obligación residentes tributan", min_score=0.99)
    assert citations(cut) == [hit.citation for hit in whole.hits if hit.score >= 0.99]
    assert cut.total < whole.total


def test_a_list_that_a_least_score_ends_is_whole():
    add_law("ley-900-2019", {f"art-{number}": f"Texto común. {'Relleno. ' * number}" for number in range(1, 166)})
    asked = {"mode": "lexical", "rerank": False}
    whole, last = ask("texto común", limit=50, **asked), ask("texto común", offset=119, limit=1, **asked)
    least, high = last.hits[0].score, whole.hits[4].score
    assert (whole.total, whole.total_is_capped) == (120, True)
    cut = ask("texto común", min_score=high, **asked)
    assert (cut.total, cut.total_is_capped) == (len([hit for hit in whole.hits if hit.score >= high]), False)
    assert ask("texto común", min_score=least, **asked).total_is_capped


def test_several_citations_are_answered_by_what_each_names(taxes):
    add_law("ley-901-2019", {"art-1": "Uno.", "art-2": "Dos."}, number="901/2019")
    answer = ask("art. 3 Ley 900/2019 y art. 2 Ley 901/2019")
    assert (answer.mode, citations(answer)) == ("citation", ["ley-900-2019:art-3", "ley-901-2019:art-2"])
    laws = ask("art. 3 Ley 900/2019 y Ley 901/2019")
    assert citations(laws) == ["ley-900-2019:art-3", "ley-901-2019:art-1", "ley-901-2019:art-2"]
    lacking = ask("art. 3 Ley 900/2019 y art. 9 Ley 901/2019")
    assert (lacking.mode, citations(lacking)) == ("citation", ["ley-900-2019:art-3"])
    assert [one.outcome for one in lacking.citation.items] == ["found", "no_such_provision"]


def test_the_words_of_a_citation_are_not_marked_in_what_it_cites(indexes):
    add_law(
        "ley-58-2003", {"art-27": "Los recargos.", "art-7": "Un texto. De la Ley 58/2003 es el 27 de sus artículos."}
    )
    hits = retrieve(RetrievalRequest("arts. 27 y 7 de la Ley 58/2003")).hits
    assert [hit.citation for hit in hits] == ["ley-58-2003:art-27", "ley-58-2003:art-7"]
    assert [passage.highlights for hit in hits for passage in hit.passages] == [[], []]


def test_several_citations_of_different_days_are_no_one_list(taxes):
    answer = ask("art. 3 Ley 900/2019 @2020-01-01 y art. 2 Ley 900/2019")
    assert answer.mode != "citation"
    assert [one.as_of == date(2020, 1, 1) for one in answer.citation.items] == [True, False]


@pytest.mark.parametrize(("last", "total", "is_capped"), [(50, 50, False), (51, 50, True), (70, 50, True)])
def test_a_cited_range_that_is_cut_says_so(last, total, is_capped):
    add_law("ley-902-2019", {f"art-{number}": f"Texto {number}." for number in range(1, 71)})
    answer = ask(f"arts. 1 a {last} Ley 902/2019")
    assert (answer.mode, answer.total, answer.total_is_capped) == ("citation", total, is_capped)
    assert not answer.may_go_on


@pytest.mark.parametrize(
    ("question", "mode", "is_capped"),
    [
        ('"texto común"', "semantic", True),
        ("texto -relleno", "semantic", True),
        ("texto -relleno", "hybrid", True),
        ('"texto común"', "hybrid", False),
        ("7", "hybrid", False),
        ("7", "semantic", True),
    ],
)
def test_conditions_checked_only_of_what_is_nearest_leave_the_total_open(question, mode, is_capped, monkeypatch):
    add_law("ley-900-2019", {f"art-{number}": f"Texto común número {number}." for number in range(1, 9)})
    embed()
    assert not ask(question, mode=mode).total_is_capped
    monkeypatch.setattr(arms, "MAX_DEPTH", 5)
    assert ask(question, mode=mode).total_is_capped is is_capped


def test_the_weight_of_meaning_can_be_asked_for(taxes):
    embed()
    words = ask("recargo obligación", semantic_weight=0.0)
    assert citations(words)[:2] == citations(ask("recargo obligación", mode="lexical"))[:2]
    for fusion in ("rrf", "weighted"):
        scores = [hit.score for hit in ask("recargo obligación", fusion=fusion).hits]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)


def test_newest_and_oldest_first():
    add_law(
        "ley-900-2019",
        {f"art-{year}": [Redaction("Texto igual.", date(year, 1, 1))] for year in (2019, 2023, 2021)},
    )
    assert citations(ask("texto", sort="newest")) == [f"ley-900-2019:art-{year}" for year in (2023, 2021, 2019)]
    assert citations(ask("texto", sort="oldest")) == [f"ley-900-2019:art-{year}" for year in (2019, 2021, 2023)]


# Citations


@pytest.mark.parametrize("query", ["ley-900-2019:art-3", "LEY-900-2019:ART-3", "art. 3 Ley 900/2019"])
def test_a_citation_is_answered_by_what_it_cites(taxes, query):
    answer = ask(query)
    assert (answer.mode, answer.degraded, answer.total, answer.total_is_capped) == ("citation", None, 1, False)
    assert answer.citation.outcome == "found"
    (hit,) = answer.hits
    assert (hit.rank, hit.citation, hit.score, hit.lexical, hit.semantic) == (1, "ley-900-2019:art-3", 1.0, None, None)
    assert hit.passages[0].text == "Los no residentes tributan por obligación real."


@pytest.fixture
def numbered() -> None:
    """A law whose articles 2, 12, 20, 21 and 22 say the same."""
    text = "1. Los recargos.\n2. Se exigen los recargos."
    add_law("ley-58-2003", {f"art-{number}": text for number in (2, 12, 20, 21, 22)}, rank="ley", number="58/2003")


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("artícluo 21 LGT", "artículo 21 LGT"),
        ("ARTICLUO 21 de la Ley 58/2003", "artículo 21 de la Ley 58/2003"),
        ("¿qué recargos son los del artíclo 21.2 LGT?", "¿qué recargos son los del artículo 21.2 LGT?"),
        ("atr. 21 LGT", "art. 21 LGT"),
        ("LGT aritculo 21", "LGT artículo 21"),
    ],
)
def test_br_61_a_slip_in_the_word_for_article_still_leads_to_it(numbered, typed, read):
    answer = ask(typed)
    assert citations(answer)[0] == "ley-58-2003:art-21"
    assert (answer.mode, answer.citation.input, answer.citation.detail) == ("lexical", typed, f"Se ha leído «{read}».")


@pytest.mark.parametrize("typed", ["artícluo 23 LGT", "acto 21 LGT", "apt. 21 LGT", "los artículos de 2021 LGT"])
def test_br_61_no_other_number_nor_another_word_is_taken_for_an_article(numbered, typed):
    assert ask(typed).citation.resolved_to == "ley-58-2003"


def test_br_61_a_citation_that_is_sound_is_read_as_it_stands(numbered):
    answer = ask("¿rige el art. 20 LGT o el artícluo 21 LGT?")
    assert (citations(answer)[0], answer.citation.detail) == ("ley-58-2003:art-20", None)


def test_the_part_that_is_cited_is_the_passage():
    text = "1. Uno.\n2. Dos:\na) Primero.\nb) Igual.\n3. Tres:\na) Otro.\nb) Igual."
    add_law("ley-900-2019", {"art-1": text})
    (hit,) = ask("art. 1.3.b) Ley 900/2019").hits
    (passage,) = hit.passages
    assert hit.citation == "ley-900-2019:art-1"
    assert (passage.citation, passage.text, passage.start) == ("ley-900-2019:art-1.3.b", "b) Igual.", text.rindex("b)"))


def test_several_citations_give_several_hits(taxes):
    answer = ask("arts. 2 y 4 de la Ley 900/2019")
    assert (answer.mode, citations(answer)) == ("citation", ["ley-900-2019:art-2", "ley-900-2019:art-4"])
    assert citations(ask("arts. 2 y 4 de la Ley 900/2019", limit=1, offset=1)) == ["ley-900-2019:art-4"]


def test_a_law_alone_gives_its_articles_in_order(taxes):
    answer = ask("Ley 900/2019", limit=3)
    assert (answer.mode, answer.total) == ("citation", 4)
    assert citations(answer) == [f"ley-900-2019:art-{number}" for number in (1, 2, 3)]


def test_a_law_of_more_articles_than_are_listed_says_so(taxes, monkeypatch):
    monkeypatch.setattr(retrieval, "MAX_DEPTH", 3)
    answer = ask("Ley 900/2019")
    assert (answer.total, answer.total_is_capped) == (3, True)
    assert not ask("art. 2 Ley 900/2019").total_is_capped


def test_a_citation_that_does_not_resolve_keeps_its_resolution_and_the_rest_is_retrieval(taxes):
    answer = ask("art. 99 Ley 900/2019")
    assert (answer.mode, answer.citation.outcome) == ("lexical", "no_such_provision")


def test_a_repealed_provision_opens_by_its_citation(dated):
    answer = ask("art. 7 Ley 905/2019")
    assert (answer.mode, [hit.status for hit in answer.hits]) == ("citation", ["repealed"])
    assert answer.hits[0].passages[0].text == "La gran invalidez da derecho a pensión."


def test_a_citation_on_a_day_is_read_on_that_day(dated):
    answer = ask("ley-905-2019:art-5@2020-01-01")
    assert answer.hits[0].passages[0].text == "Se reconoce la gran invalidez."
    with pytest.raises(InvalidDate):
        ask("ley-905-2019:art-5@2020-01-01", as_of=date(2021, 1, 1))


@pytest.mark.parametrize("query", ["artículo núm. 3 Ley 900/2019", "art. nº 3 Ley 900/2019", "art. n.º 3 Ley 900/2019"])
def test_an_added_núm_changes_nothing(taxes, query):
    answer = ask(query)
    assert (answer.mode, answer.total, citations(answer)) == ("citation", 1, ["ley-900-2019:art-3"])


@pytest.mark.parametrize(
    "query", ["\udc80", "%00", "iva\0", "a" * 100_000, "\x1b[31m", "::", "@", "#", "ley:art-1@2020-13-01"]
)
def test_nothing_typed_is_more_than_an_input_error(taxes, query):
    try:
        answer = ask(query)
    except InputError:
        return
    assert not any(unicodedata.category(character) in {"Cc", "Cs"} for character in answer.query)


def test_a_provision_that_a_question_names_comes_first(taxes):
    answer = ask("¿qué recargo hay según el artículo 4 de la Ley 900/2019 por presentación tardía?")
    assert (answer.mode, answer.citation.outcome) == ("lexical", "found")
    assert citations(answer)[:2] == ["ley-900-2019:art-4", "ley-900-2019:art-2"]
    elsewhere = ask("¿qué recargo hay, art. 3 Ley 900/2019?", laws=("ley-900-2019",), kinds=("annex",))
    assert citations(elsewhere) == []


def test_the_law_that_a_question_names_gains(taxes):
    add_law("ley-800-2018", {"art-1": "El recargo por presentación tardía."}, short_title="Ley B")
    plain, named = ask("recargo por presentación tardía"), ask("recargo por presentación tardía, Ley 900/2019")
    assert (plain.hits[0].citation, named.hits[0].citation) == ("ley-800-2018:art-1", "ley-900-2019:art-2")
    assert named.citation.resolved_to == "ley-900-2019"


def test_while_few_texts_have_vectors_words_keep_the_lead(taxes):
    call_command("embed_chunks", "--limit", "1", verbosity=0)
    answer = ask("recargo")
    assert answer.mode == "hybrid"
    assert citations(answer) == ["ley-900-2019:art-2", *citations(ask("recargo", mode="semantic"))]


def test_a_field_operator_is_no_citation(taxes):
    assert retrieve(RetrievalRequest(query="heading:plazo")).citation is None


class TestSourceWithTodaysTextOnly:
    @pytest.fixture(autouse=True)
    def law(self):
        text = [Redaction("El recargo es del 5 por ciento.", None)]
        add_law("ley-900-2003", {"art-1": text}, history="current_only", published=date(2003, 12, 18))
        embed()

    @pytest.mark.parametrize("mode", ["lexical", "semantic", "hybrid"])
    def test_it_is_found_on_no_day_before_it_was_published(self, mode):
        assert ask("recargo", mode=mode, as_of=date(2003, 12, 17)).hits == []
        assert len(ask("recargo", mode=mode, as_of=date(2003, 12, 18)).hits) == 1

    @pytest.mark.parametrize(
        ("day", "is_unknown", "url"),
        [
            (None, False, "/ley-900-2003:art-1"),
            (date(2010, 1, 1), True, "/ley-900-2003:art-1"),
            (date(2025, 12, 31), True, "/ley-900-2003:art-1"),
            (date(2026, 1, 1), False, "/ley-900-2003:art-1@2026-01-01"),
        ],
    )
    def test_on_a_day_of_which_nothing_is_known_it_says_so_and_links_to_no_text_of_it(self, day, is_unknown, url):
        (hit,) = ask("recargo", as_of=day).hits
        assert (hit.history_not_held, hit.url) == (is_unknown, url)
