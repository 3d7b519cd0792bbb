"""Citations between provisions: read once from each text, resolved as the corpus changes, shown in both directions."""

from __future__ import annotations

import hashlib
import json
import random
import threading
from collections import Counter
from datetime import date
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.db import connection

from corpus.identifiers import CitationId
from corpus.models import Article, ArticleVersion, CorpusChange, Law
from search import citation_graph, citation_linking
from search.citation_graph import cited_by, cites, node
from search.citation_linking import Linked, link
from search.models import Citation, CitationCount, CitedTarget, GraphState, ReadVersion
from tests.law_builder import Redaction, add_article, add_law, add_version
from tests.other_process import PATIENCE_SECONDS, wait_until

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db

PARTS = "1. Uno.\n2. Según el apartado anterior:\na) Primera.\nb) La letra anterior."


def edges() -> set[tuple[str, str, str, str]]:
    """Every citation as source, words, what is cited and what became of it; offsets must be right."""
    found = set()
    for one in Citation.objects.select_related("version__article__law", "target"):
        assert one.version.text[one.start : one.end] == one.text
        found.add((str(one.version.article), one.text, one.target.citation, one.target.state))
    return found


def targets_of(law: str, key: str) -> list[str]:
    rows, total = cites(node(CitationId(law, key)), 100)
    assert total == len(rows)
    return [place.citation for row in rows for place in row.targets]


def sources_of(citation: str, **options: Any) -> list[str]:
    rows, total = cited_by(node(CitationId.parse(citation), **options), 100)
    assert total == len(rows)
    return [row.source.citation for row in rows]


def change(article: Article, text: str) -> None:
    """Let an article say something else, as an import would."""
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    article.versions.update(text=text, sha256=sha256)
    CorpusChange.objects.create(law_id=article.law_id, article_id=article.pk)


@pytest.fixture
def law() -> Law:
    return add_law(
        "ley-900-2019",
        {
            "art-1": "Véase el artículo 2 de esta Ley y el artículo 5 de la Ley 901/2019.",
            "art-2": PARTS,
            "art-3": "Los artículos 1 y 2.2.a) y el artículo anterior; esta Ley y este artículo.",
            "art-4": "Nada.",
        },
        number="900/2019",
    )


class TestReading:
    def test_each_citation_is_kept_with_its_place_and_what_became_of_it(self, law: Law) -> None:
        link()
        assert edges() == {
            ("ley-900-2019:art-1", "artículo 2 de esta Ley", "ley-900-2019:art-2", "resolved"),
            ("ley-900-2019:art-1", "artículo 5 de la Ley 901/2019", "ley-901-2019:art-5", "law_absent"),
            ("ley-900-2019:art-2", "apartado anterior", "ley-900-2019:art-2.1", "resolved"),
            ("ley-900-2019:art-2", "letra anterior", "ley-900-2019:art-2.2.a", "resolved"),
            ("ley-900-2019:art-3", "1", "ley-900-2019:art-1", "resolved"),
            ("ley-900-2019:art-3", "2.2.a)", "ley-900-2019:art-2.2.a", "resolved"),
            ("ley-900-2019:art-3", "artículo anterior", "ley-900-2019:art-2", "resolved"),
        }

    def test_what_is_not_there_is_unresolved(self, law: Law) -> None:
        add_article(law, "art-5", "El artículo 99 de esta Ley; el artículo 7 de la Ley; el RDL 1/2020.")
        link()
        assert {edge[1:] for edge in edges() if edge[0] == "ley-900-2019:art-5"} == {
            ("artículo 99 de esta Ley", "ley-900-2019:art-99", "unresolved"),
            ("artículo 7 de la Ley", "", "unresolved"),
            ("RDL 1/2020", "", "unresolved"),
        }

    def test_the_one_before_is_the_one_before_when_it_was_written(self, law: Law) -> None:
        Article.objects.filter(law=law, key="art-4").update(position=40)
        Article.objects.filter(law=law, key="art-3").update(position=30)
        inserted = add_article(law, "art-2-bis", [Redaction("Intercalado.", date(2022, 1, 1))], position=20)
        link()
        assert ("ley-900-2019:art-3", "artículo anterior", "ley-900-2019:art-2", "resolved") in edges()
        add_version(Article.objects.get(key="art-3"), Redaction("El artículo anterior otra vez.", date(2023, 1, 1)))
        CorpusChange.objects.create(law_id=law.pk, article_id=inserted.pk)
        CorpusChange.objects.create(law_id=law.pk, article_id=Article.objects.get(key="art-3").pk)
        link()
        assert ("ley-900-2019:art-3", "artículo anterior", "ley-900-2019:art-2-bis", "resolved") in edges()

    def test_a_range_is_every_provision_in_it(self, law: Law) -> None:
        add_law("ley-902-2019", {"art-1": "Los artículos 1 a 3 de la Ley 900/2019."})
        link()
        assert targets_of("ley-902-2019", "art-1") == [f"ley-900-2019:art-{n}" for n in (1, 2, 3)]
        assert "ley-902-2019:art-1" in sources_of("ley-900-2019:art-2")

    def test_a_reglamento_calls_the_law_it_develops_the_law(self, law: Law) -> None:
        title = "Real Decreto 903/2020, por el que se aprueba el Reglamento de la Ley 900/2019, de pruebas."
        add_law("rd-903-2020", {"art-1": "Según el artículo 4 de la Ley."}, title=title, rank="rd")
        link()
        assert ("rd-903-2020:art-1", "artículo 4 de la Ley", "ley-900-2019:art-4", "resolved") in edges()

    def test_an_annexed_text_cites_its_own_provisions_first(self) -> None:
        texts = {
            "art-1": "Uno.",
            "carta.art-1": "Carta.",
            "carta.art-2": "Según el artículo 1 y el artículo 3.",
            "art-3": "3.",
        }
        add_law("rd-904-2020", texts, rank="rd")
        link()
        assert targets_of("rd-904-2020", "carta.art-2") == ["rd-904-2020:carta.art-1", "rd-904-2020:art-3"]

    def test_quoted_wording_of_another_law_is_not_of_this_one(self, law: Law) -> None:
        text = "El artículo 8 de la Ley 950/2010 queda redactado así:\n«1. Conforme al artículo 2 de esta Ley.»"
        add_article(law, "art-5", text)
        link()
        assert targets_of("ley-900-2019", "art-5") == []

    def test_a_key_with_a_letter_comes_before_a_part(self, law: Law) -> None:
        add_law(
            "ley-905-2019",
            {"art-9": "1. Uno.\na) Aa.", "art-9-a": "9 A.", "art-10": "a) Aa.\nb) Bb."},
            number="905/2019",
        )
        add_article(law, "art-5", "El artículo 9 A de la Ley 905/2019 y el artículo 10 b) de la Ley 905/2019.")
        link()
        assert targets_of("ley-900-2019", "art-5") == ["ley-905-2019:art-9-a", "ley-905-2019:art-10.b"]


class TestFollowing:
    def test_nothing_changed_nothing_done(self, law: Law, django_assert_num_queries: DjangoAssertNumQueries) -> None:
        assert link() == Linked(4, 0)
        with django_assert_num_queries(4):
            assert link() == Linked()
        assert not citation_linking.is_behind()

    def test_only_changed_texts_are_read_again(self, law: Law) -> None:
        link()
        before = {one.pk for one in Citation.objects.exclude(version__article__key="art-4")}
        change(law.articles.get(key="art-4"), "Ahora el artículo 1.")
        CorpusChange.objects.create(law_id=law.pk)
        assert citation_linking.backlog() == 1
        assert link() == Linked(1, 0)
        assert before < set(Citation.objects.values_list("pk", flat=True))
        assert targets_of("ley-900-2019", "art-4") == ["ley-900-2019:art-1"]

    def test_a_new_redaction_is_read_and_the_old_one_kept(self, law: Law) -> None:
        link()
        article = law.articles.get(key="art-4")
        article.versions.update(valid_to=date(2020, 12, 31))
        add_version(article, Redaction("El artículo 3.", date(2021, 1, 1)))
        CorpusChange.objects.create(law_id=law.pk, article_id=article.pk)
        assert link() == Linked(1, 0)
        assert targets_of("ley-900-2019", "art-4") == ["ley-900-2019:art-3"]

    def test_a_law_that_comes_resolves_what_waited_for_it(self, law: Law) -> None:
        link()
        add_law("ley-901-2019", {"art-5": "Cinco."}, number="901/2019")
        assert link() == Linked(1, 1)
        assert targets_of("ley-900-2019", "art-1") == ["ley-900-2019:art-2", "ley-901-2019:art-5"]
        assert sources_of("ley-901-2019:art-5") == ["ley-900-2019:art-1"]

    def test_a_law_that_goes_leaves_its_citations_open(self, law: Law) -> None:
        other = add_law("ley-901-2019", {"art-5": "Cinco; el artículo 4 de la Ley 900/2019."}, number="901/2019")
        link()
        assert sources_of("ley-900-2019:art-4") == ["ley-901-2019:art-5"]
        other.delete()
        rows, _ = cites(node(CitationId("ley-900-2019", "art-1")), 100)
        assert [row.state for row in rows] == ["resolved", "law_absent"]
        link()
        assert ("ley-900-2019:art-1", "artículo 5 de la Ley 901/2019", "ley-901-2019:art-5", "law_absent") in edges()
        assert sources_of("ley-900-2019:art-4") == []
        assert not CitationCount.objects.filter(article__key="art-4").exists()

    def test_a_law_known_by_another_name_is_found_too(self, law: Law) -> None:
        named = "El artículo 1 de la Ley de Aguas de Prueba y el artículo 1 de BOE-A-2019-777."
        add_article(law, "art-5", named)
        CorpusChange.objects.create(law_id=law.pk)
        link()
        assert targets_of("ley-900-2019", "art-5") == []
        add_law(
            "ley-907-2019",
            {"art-1": "1."},
            boe_id="BOE-A-2019-777",
            title="Ley 907/2019, de 1 de enero, de Aguas de Prueba",
        )
        link()
        assert targets_of("ley-900-2019", "art-5") == ["ley-907-2019:art-1", "ley-907-2019:art-1"]

    def test_a_namesake_that_goes_makes_the_other_certain(self, law: Law) -> None:
        one, other = (
            add_law(f"es-{region}-ley-5-2002", {"art-1": "1."}, number="5/2002", jurisdiction=f"es-{region}")
            for region in ("ct", "ga")
        )
        add_article(law, "art-5", "El artículo 1 de la Ley 5/2002.")
        link()
        assert targets_of("ley-900-2019", "art-5") == []
        add_law("ley-5-2002", {"art-1": "1."}, number="5/2002")
        link()
        assert targets_of("ley-900-2019", "art-5") == ["ley-5-2002:art-1"]
        assert {one.key, other.key} == {"es-ct-ley-5-2002", "es-ga-ley-5-2002"}

    def test_an_article_that_comes_and_goes(self, law: Law) -> None:
        add_article(law, "art-5", "El artículo 6.")
        link()
        assert targets_of("ley-900-2019", "art-5") == []
        sixth = add_article(law, "art-6", "Seis.")
        CorpusChange.objects.create(law_id=law.pk, article_id=sixth.pk)
        link()
        assert targets_of("ley-900-2019", "art-5") == ["ley-900-2019:art-6"]
        gone = sixth.pk
        sixth.delete()
        assert targets_of("ley-900-2019", "art-5") == []
        CorpusChange.objects.create(law_id=law.pk, article_id=gone)
        link()
        assert ("ley-900-2019:art-5", "artículo 6", "ley-900-2019:art-6", "unresolved") in edges()

    def test_what_nothing_cites_any_more_is_forgotten(self, law: Law) -> None:
        link()
        change(law.articles.get(key="art-1"), "Nada.")
        link()
        assert not CitedTarget.objects.filter(law_key="ley-901-2019").exists()

    def test_one_row_stands_for_all_that_cite_alike(self, law: Law) -> None:
        for n in range(20):
            add_article(law, f"art-{20 + n}", "El artículo 1 de la Ley 900/2019.")
        link()
        assert CitedTarget.objects.filter(unit="art-1", reading__law__number="900/2019").count() == 1

    def test_a_rebuild_reads_everything_and_changes_nothing(self, law: Law) -> None:
        link()
        before = edges()
        assert link(rebuild=True) == Linked(4, 0)
        assert edges() == before

    def test_another_reader_reads_everything(self, law: Law, monkeypatch: pytest.MonkeyPatch) -> None:
        link()
        monkeypatch.setattr(citation_linking, "READER", 99)
        assert citation_linking.is_behind()
        assert link() == Linked(4, 0)


class TestStopping:
    """Stopped anywhere, the next run ends where an undisturbed one would."""

    @pytest.fixture(autouse=True)
    def _small_pieces(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(citation_linking, "_VERSIONS_AT_ONCE", 1)
        monkeypatch.setattr(citation_linking, "_TARGETS_AT_ONCE", 2)

    @pytest.mark.parametrize("seed", range(12))
    def test_stopped_anywhere_it_goes_on(self, law: Law, seed: int) -> None:
        chance = random.Random(seed)

        def maybe_stop(_done: int) -> None:
            if chance.random() < 0.5:
                raise KeyboardInterrupt

        steps = [
            lambda: add_law("ley-901-2019", {"art-5": "Cinco."}, number="901/2019"),
            lambda: change(law.articles.get(key="art-4"), "El artículo 5 de la Ley 901/2019."),
            lambda: Law.objects.get(key="ley-901-2019").delete(),
            lambda: add_law("ley-901-2019", {"art-5": "El artículo 4 de la Ley 900/2019."}, number="901/2019"),
        ]
        for step in steps:
            step()
            if chance.random() < 0.5:
                continue
            try:
                link(advance=maybe_stop)
            except KeyboardInterrupt:
                assert citation_linking.is_behind()
        link()
        resumed = edges(), dict(CitationCount.objects.values_list("article__key", "citing"))
        for model in (Citation, CitedTarget, ReadVersion, CitationCount, GraphState):
            model.objects.all().delete()
        link()
        assert resumed == (edges(), dict(CitationCount.objects.values_list("article__key", "citing")))

    def test_what_was_read_before_is_not_read_again(self, law: Law) -> None:
        read: list[int] = []

        def stop(done: int) -> None:
            read.append(done)
            if len(read) == 2:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            link(advance=stop)
        assert link() == Linked(2, 0)

    def test_an_exception_frees_the_lock(self, law: Law) -> None:
        def stop(_done: int) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            link(advance=stop)
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s", [citation_linking._LOCK]
            )
            assert cursor.fetchone()[0] == 0


@pytest.mark.django_db(transaction=True)
def test_a_server_follows_until_it_is_stopped() -> None:
    stop = threading.Event()
    follower = threading.Thread(target=citation_linking.follow, args=[stop])
    follower.start()
    try:
        add_law("ley-900-2019", {"art-1": "El artículo 2.", "art-2": "Dos."})
        wait_until(lambda: not citation_linking.is_behind())
        assert sources_of("ley-900-2019:art-2") == ["ley-900-2019:art-1"]
    finally:
        stop.set()
        follower.join(PATIENCE_SECONDS)
    assert not follower.is_alive()


class TestShowing:
    @pytest.fixture
    def citing(self, law: Law) -> Law:
        texts: dict[str, Any] = {
            "art-1": [
                Redaction("El artículo 2.2 de la Ley 900/2019.", date(2019, 2, 1), date(2020, 12, 31)),
                Redaction("El artículo 2.2.a) de la Ley 900/2019.", date(2021, 1, 1)),
            ],
            "art-2": [Redaction("El artículo 2 de la Ley 900/2019.", date(2019, 2, 1), date(2019, 12, 31))],
            "art-3": "La Ley 900/2019 y el artículo 1 de esta ley.",
        }
        made = add_law("ley-910-2019", texts, number="910/2019")
        link()
        return made

    def test_what_cites_comes_with_the_version_in_which_it_does(self, citing: Law) -> None:
        rows, _ = cited_by(node(CitationId.parse("ley-900-2019:art-2")), 100)
        last = rows[-1]
        assert (last.text, last.citation) == ("artículo 2.2.a) de la Ley 900/2019", "ley-900-2019:art-2.2.a")
        assert (last.source.citation, last.source.valid_from, last.source.url) == (
            "ley-910-2019:art-1", date(2021, 1, 1), "/ley-910-2019:art-1",
        )  # fmt: skip

    def test_another_day_has_other_citations(self, citing: Law) -> None:
        rows, _ = cited_by(node(CitationId.parse("ley-900-2019:art-2"), date(2019, 6, 1)), 100)
        assert [(row.source.citation, row.source.url) for row in rows if row.source.law.id == "ley-910-2019"] == [
            ("ley-910-2019:art-1", "/ley-910-2019:art-1@2019-06-01"),
            ("ley-910-2019:art-2", "/ley-910-2019:art-2@2019-06-01"),
        ]

    def test_every_version_can_be_asked_for(self, citing: Law) -> None:
        sources = sources_of("ley-900-2019:art-2", all_versions=True)
        assert sources.count("ley-910-2019:art-1") == 2
        assert "ley-910-2019:art-2" in sources

    def test_of_a_part_what_cites_it_or_something_in_it(self, citing: Law) -> None:
        assert sources_of("ley-900-2019:art-2.2") == ["ley-900-2019:art-3", "ley-910-2019:art-1"]
        assert sources_of("ley-900-2019:art-2.1") == []

    def test_of_a_law_what_cites_it_from_outside(self, citing: Law) -> None:
        assert sources_of("ley-900-2019") == ["ley-910-2019:art-1", "ley-910-2019:art-3"]
        rows, _ = cites(node(CitationId("ley-910-2019")), 100)
        assert [row.citation for row in rows] == ["ley-900-2019:art-2.2.a", "ley-900-2019"]

    def test_a_provision_does_not_cite_itself(self, citing: Law) -> None:
        assert targets_of("ley-900-2019", "art-2") == []
        assert "ley-900-2019:art-2" not in sources_of("ley-900-2019:art-2")

    def test_of_a_part_what_stands_in_it(self, law: Law) -> None:
        add_article(law, "art-5", "1. El artículo 1.\n2. El artículo 4.")
        link()
        rows, _ = cites(node(CitationId.parse("ley-900-2019:art-5.2")), 100)
        assert [row.citation for row in rows] == ["ley-900-2019:art-4"]

    def test_pages_part_the_list(self, citing: Law) -> None:
        at = node(CitationId.parse("ley-900-2019:art-2"), all_versions=True)
        whole, total = cited_by(at, 100)
        parts = [row for offset in range(0, total + 2, 2) for row in cited_by(at, 2, offset)[0]]
        assert parts == whole

    def test_a_repealed_law_with_open_texts_cites_no_more(self, citing: Law) -> None:
        Law.objects.filter(pk=citing.pk).update(status="repealed")
        assert sources_of("ley-900-2019") == []

    def test_counts_are_of_provisions_each_once(self, citing: Law) -> None:
        second = Article.objects.get(law__key="ley-900-2019", key="art-2")
        assert CitationCount.objects.get(article=second).citing == 4
        assert citation_graph.citing_text_count(node(CitationId.parse("ley-900-2019:art-2"))) == 3

    def test_queries_do_not_grow(self, citing: Law, django_assert_num_queries: DjangoAssertNumQueries) -> None:
        at = node(CitationId.parse("ley-900-2019:art-2"))
        with django_assert_num_queries(3):
            cited_by(at, 100)
        with django_assert_num_queries(6):
            cites(node(CitationId("ley-910-2019", "art-1")), 100)


class TestCommand:
    def test_it_says_what_it_did_as_json(self, law: Law) -> None:
        told = json.loads(command("--json"))
        assert told.pop("seconds") >= 0
        assert told == {
            "versions": 4, "targets": 0, "resolved": 6, "law_absent": 1, "unresolved": 0,
            "revision": CorpusChange.objects.latest("revision").revision,
        }  # fmt: skip

    def test_it_says_what_it_did_in_words(self, law: Law) -> None:
        assert command().startswith("4 versions read in")
        assert command().startswith("Nothing changed. 7 citations are held: 6 resolved, 1 of laws")
        assert command("--rebuild").startswith("4 versions read in")

    def test_interrupted_it_keeps_what_was_read(self, law: Law, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(citation_linking, "read_citations", interrupted)
        with pytest.raises(SystemExit) as left:
            command()
        assert left.value.code == 130


def command(*options: str) -> str:
    out = StringIO()
    call_command("link_citations", *options, stdout=out, stderr=StringIO())
    return out.getvalue()


def interrupted(_versions: object) -> None:
    raise KeyboardInterrupt


def test_real_laws_are_linked_as_they_cite(boe_xml: Any) -> None:
    call_command("import_laws", str(boe_xml / "BOE-A-2013-12887"), verbosity=0, stdout=StringIO(), stderr=StringIO())
    link()
    states = Counter(Citation.objects.values_list("target__state", flat=True))
    assert states["resolved"] >= 45
    # Left open are only words that fix no number ("los artículos anteriores") or a law that is amended (df-6).
    unresolved = Citation.objects.filter(target__state="unresolved").values_list("version__article__key", flat=True)
    assert set(unresolved) <= {"preambulo", "art-4", "art-10", "art-28", "df-6"}
    assert ArticleVersion.objects.count() == ReadVersion.objects.count()
