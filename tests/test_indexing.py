"""The lexical index keeps step with the corpus: small steps, rebuilds, several processes, harm to its files."""

import threading
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from corpus.models import ArticleVersion, CorpusChange, Law
from search import indexing
from search.candidates import ArmUnavailable
from search.filters import Filters
from search.indexing import Indexed, catch_up, corpus_state, rebuild
from search.lexical import IndexState, LexicalIndex, lexical_index
from search.questions import read
from tests.law_builder import Redaction, add_article, add_law
from tests.other_process import wait_until

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("indexes")]


def found(word: str, index: LexicalIndex | None = None) -> set[int]:
    candidates = (index or lexical_index()).search(read(word), Filters(on=date(2026, 6, 1)), 50)
    return {candidate.article_id for candidate in candidates}


def change(law: Law, key: str, text: str) -> None:
    article = law.articles.get(key=key)
    article.versions.update(text=text)
    CorpusChange.objects.create(law_id=law.pk, article_id=article.pk)


def generations() -> list[Path]:
    return [entry for entry in Path(settings.LEXICAL_INDEX_DIR).iterdir() if entry.is_dir()]


def test_without_an_index_the_arm_says_so():
    assert lexical_index().state() is None
    with pytest.raises(ArmUnavailable, match="falta o se está construyendo"):
        found("impuesto")


def test_first_everything_then_only_what_changed():
    law = add_law("ley-900-2019", {"art-1": "Un impuesto.", "art-2": "Una tasa."})
    assert catch_up() == Indexed(2, is_rebuilt=True)
    assert lexical_index().state() == corpus_state()
    assert catch_up() == Indexed()
    change(law, "art-1", "Un precio público.")
    assert catch_up() == Indexed(1)
    assert found("impuesto") == set()
    assert found("precio") == {law.articles.get(key="art-1").pk}
    assert found("tasa") == {law.articles.get(key="art-2").pk}
    assert lexical_index().state() == corpus_state()


def test_a_new_law_and_a_removed_one():
    first = add_law("ley-900-2019", {"art-1": "Un impuesto."})
    catch_up()
    second = add_law("ley-901-2019", {"art-1": "Otro impuesto."})
    first.delete()
    assert catch_up() == Indexed(1)
    assert found("impuesto") == {second.articles.get().pk}


def test_an_article_that_shrinks_leaves_nothing_behind():
    long = "\n".join(["Primer párrafo. " * 80, "Segundo párrafo. " * 80, "Aquí está zzzprueba."])
    law = add_law("ley-900-2019", {"art-5": long})
    catch_up()
    assert found("zzzprueba") != set()
    change(law, "art-5", "Un solo párrafo.")
    catch_up()
    assert found("zzzprueba") == set()


def test_a_law_title_that_changes_changes_its_articles():
    law = add_law("ley-900-2019", {"art-1": "Un texto."}, title="Ley de Aguas")
    catch_up()
    Law.objects.update(title="Ley de Costas")
    CorpusChange.objects.create(law_id=law.pk)
    catch_up()
    assert (found("aguas"), found("costas")) == (set(), {law.articles.get().pk})


def test_where_most_has_changed_the_index_is_built_anew(monkeypatch):
    monkeypatch.setattr(indexing, "ON_THE_WAY", 2)
    add_law("ley-900-2019", {f"art-{number}": "Un impuesto." for number in range(1, 4)})
    catch_up()
    add_law("ley-901-2019", {f"art-{number}": "Una tasa." for number in range(1, 4)})
    assert catch_up() == Indexed(3)
    add_law("ley-902-2019", {f"art-{number}": "Un precio." for number in range(1, 9)})
    assert catch_up() == Indexed(14, is_rebuilt=True)
    assert (len(found("impuesto")), len(found("precio"))) == (3, 8)


def test_a_rebuild_leaves_one_generation_and_readers_go_over_to_it():
    law = add_law("ley-900-2019", {"art-1": "Un impuesto."})
    catch_up()
    (before,) = generations()
    reader = LexicalIndex(Path(settings.LEXICAL_INDEX_DIR))
    assert found("impuesto", reader) == {law.articles.get().pk}
    ArticleVersion.objects.update(text="Una tasa.")
    assert rebuild() == Indexed(1, is_rebuilt=True)
    (after,) = generations()
    assert before != after
    assert found("tasa", reader) == {law.articles.get().pk}


def test_a_rebuild_that_is_stopped_leaves_the_old_index():
    law = add_law("ley-900-2019", {"art-1": "Un impuesto."})
    catch_up()

    def stop(_versions: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rebuild(advance=stop)
    assert len(generations()) == 1
    assert found("impuesto") == {law.articles.get().pk}
    change(law, "art-1", "Una tasa.")
    with pytest.raises(KeyboardInterrupt):
        catch_up(advance=stop)
    assert found("impuesto") == {law.articles.get().pk}
    assert catch_up() == Indexed(1)
    assert found("tasa") == {law.articles.get().pk}


def test_what_a_killed_rebuild_left_is_cleared_away():
    add_law("ley-900-2019", {"art-1": "Un impuesto."})
    left = Path(settings.LEXICAL_INDEX_DIR) / "0123456789-killed"
    left.mkdir(parents=True)
    catch_up()
    assert not left.exists()


@pytest.mark.parametrize("harm", ["truncate", "empty", "delete"])
@pytest.mark.parametrize("suffix", ["meta.json", ".term", ".idx", ".fast"])
def test_an_index_that_is_harmed_is_built_anew(suffix, harm):
    law = add_law("ley-900-2019", {"art-1": "Un impuesto."})
    catch_up()
    (folder,) = generations()
    for file in folder.iterdir():
        if file.name.endswith(suffix):
            {
                "truncate": lambda file=file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
                "empty": lambda file=file: file.write_bytes(b""),
                "delete": file.unlink,
            }[harm]()
    reader = LexicalIndex(Path(settings.LEXICAL_INDEX_DIR))
    assert reader.state() is None
    with pytest.raises(ArmUnavailable):
        found("impuesto", reader)
    assert rebuild() == Indexed(1, is_rebuilt=True)
    assert found("impuesto", reader) == {law.articles.get().pk}


def test_the_index_of_another_database_is_not_trusted():
    add_law("ley-900-2019", {"art-1": "Un impuesto."})
    catch_up()
    CorpusChange.objects.update(at=datetime(2020, 1, 1, tzinfo=UTC))
    add_law("ley-901-2019", {"art-1": "Una tasa."})
    assert catch_up() == Indexed(2, is_rebuilt=True)


def test_an_index_ahead_of_the_database_is_built_anew():
    add_law("ley-900-2019", {"art-1": "Un impuesto."})
    law = add_law("ley-901-2019", {"art-1": "Una tasa."})
    catch_up()
    Law.objects.filter(pk=law.pk).delete()
    CorpusChange.objects.filter(law_id=law.pk).delete()
    assert catch_up() == Indexed(1, is_rebuilt=True)
    assert lexical_index().state() == corpus_state()


def test_an_index_of_another_layout_is_not_read():
    add_law("ley-900-2019", {"art-1": "Un impuesto."})
    catch_up()
    (folder,) = generations()
    renamed = folder.with_name("0123456789-" + folder.name.split("-")[1])
    folder.rename(renamed)
    (renamed.parent / "current").write_text(renamed.name)
    assert lexical_index().state() is None
    assert catch_up() == Indexed(1, is_rebuilt=True)


def test_only_one_writes_and_the_others_go_on():
    add_law("ley-900-2019", {"art-1": "Un impuesto."})
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [indexing._LOCK])
        assert catch_up(wait=False) is None
        cursor.execute("SELECT pg_advisory_unlock(%s)", [indexing._LOCK])
    other.close()
    assert catch_up(wait=False) == Indexed(1, is_rebuilt=True)


def test_only_texts_are_indexed_not_markers():
    add_law("ley-900-2019", {"art-1": [Redaction("(Derogado)", status="repealed")]})
    assert catch_up() == Indexed(1, is_rebuilt=True)
    assert found("derogado") == set()


def test_the_command_says_what_it_did(capsys):
    law = add_law("ley-900-2019", {"art-1": "Un impuesto."})
    call_command("index_corpus", "--json")
    revision = corpus_state().revision
    assert capsys.readouterr().out.startswith(f'{{"versions": 1, "rebuilt": true, "revision": {revision}, "seconds": ')
    call_command("index_corpus")
    assert capsys.readouterr().out == f"The index is at revision {revision} already.\n"
    add_article(law, "art-2", "Una tasa.")
    call_command("index_corpus", "--rebuild")
    assert capsys.readouterr().out.startswith("2 versions read in ")


@pytest.mark.django_db(transaction=True)
def test_a_follower_indexes_what_others_import():
    stop = threading.Event()
    follower = threading.Thread(target=indexing.follow, args=[stop])
    follower.start()
    try:
        law = add_law("ley-900-2019", {"art-1": "Un impuesto."})
        wait_until(lambda: lexical_index().state() == corpus_state())
        assert found("impuesto") == {law.articles.get().pk}
    finally:
        stop.set()
        follower.join()


@pytest.mark.django_db
def test_a_question_asked_while_the_index_is_being_brought_up_to_date_waits_for_no_count(django_assert_num_queries):
    corpus = IndexState(indexing.corpus_state().revision + 1, 0)
    with indexing._follower, django_assert_num_queries(0):
        indexing.keep_up(corpus)
