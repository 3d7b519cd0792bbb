"""Retrieval measured on labelled questions."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from search.evaluation import Interval, LabelledSet, difference, interval, load, measure, percentile
from search.evaluation_runs import law_keys, resolved
from tests.law_builder import add_law


def write_set(folder: Path, questions: dict[str, str], judgements: list[tuple[str, str, int]]) -> Path:
    folder.mkdir()
    lines = [json.dumps({"_id": query, "text": text}) for query, text in questions.items()]
    (folder / "queries.jsonl").write_text("\n".join(lines))
    rows = ["query-id\tcorpus-id\tscore", *(f"{query}\t{doc}\t{grade}" for query, doc, grade in judgements)]
    (folder / "qrels.tsv").write_text("\n".join(rows))
    return folder


def test_a_set_is_read_with_its_grades(tmp_path):
    folder = write_set(
        tmp_path / "small", {"q1": "¿Qué?", "q2": "¿Quién?"}, [("q1", "A#art-1", 2), ("q1", "A#art-2", 0)]
    )
    assert load(folder) == LabelledSet("small", {"q1": "¿Qué?", "q2": "¿Quién?"}, {"q1": {"A#art-1": 2, "A#art-2": 0}})


@pytest.mark.parametrize(
    ("name", "text"), [("queries.jsonl", '{"_id": 1}'), ("qrels.tsv", "query-id\tcorpus-id\nq\ta")]
)
def test_a_line_that_cannot_be_read_is_named(tmp_path, name, text):
    folder = write_set(tmp_path / "small", {"q": "¿Qué?"}, [])
    (folder / name).write_text(text)
    with pytest.raises(ValueError, match=rf"{name}, line [12]"):
        load(folder)


def test_grades_count_and_a_miss_counts_as_nothing():
    scores = measure({"q1": ["b", "a"], "q2": ["x"]}, {"q1": {"a": 2, "b": 1}, "q2": {"y": 1}, "q3": {"z": 0}})
    assert scores["hit@1"] == {"q1": 1.0, "q2": 0.0}
    assert scores["recall@50"] == {"q1": 1.0, "q2": 0.0}
    assert scores["ndcg@10"]["q1"] == pytest.approx((1 + 2 / 1.58496) / (2 + 1 / 1.58496), abs=1e-4)


def test_an_interval_holds_its_mean_and_is_the_same_again():
    values = [0.0, 1.0] * 50
    found = interval(values)
    assert found == interval(values)
    assert found.low < found.mean == 0.5 < found.high
    assert interval([]) == Interval(0.0, 0.0, 0.0)


def test_runs_are_compared_question_by_question():
    assert difference({"a": 0.75, "b": 0.5, "c": 1.0}, {"a": 0.25, "b": 0.0}) == Interval(0.5, 0.5, 0.5)


def test_percentiles():
    assert (percentile([], 0.5), percentile([3.0, 1.0, 2.0], 0.5)) == (0.0, 2.0)


@pytest.fixture
def corpus() -> None:
    add_law(
        "ley-900-2019",
        {"art-1": "El recargo es del 15 por 100.", "art-2": "La tasa se paga en enero."},
        boe_id="BOE-A-2019-900",
    )


@pytest.fixture
def labelled(tmp_path) -> Path:
    return write_set(
        tmp_path / "small",
        {"q1": "¿cuánto es el recargo?", "q2": "¿cuándo se paga la tasa?", "q3": "¿y lo que no hay?"},
        [("q1", "BOE-A-2019-900#art-1", 2), ("q2", "BOE-A-2019-900#art-2", 1), ("q3", "BOE-A-1800-1#art-1", 1)],
    )


@pytest.mark.django_db
def test_labels_are_read_by_the_products_own_lookup(corpus, labelled):
    labels = resolved(load(labelled))
    assert labels.judgements == {"q1": {"ley-900-2019:art-1": 2}, "q2": {"ley-900-2019:art-2": 1}}
    assert labels.unresolved == ["BOE-A-1800-1#art-1"]
    assert law_keys(["BOE-A-2019-900", "BOE-A-1800-1"]) == (["ley-900-2019"], ["BOE-A-1800-1"])


@pytest.mark.django_db
@pytest.mark.usefixtures("indexes")
def test_the_command_measures_names_what_is_missing_and_compares(corpus, labelled, tmp_path, capsys):
    saved, laws = tmp_path / "run.json", tmp_path / "laws.txt"
    laws.write_text("BOE-A-2019-900\nBOE-A-1800-1\n")
    call_command("evaluate_search", labelled, "--mode", "lexical", "--laws", laws, "--save", saved)
    printed = capsys.readouterr()
    assert "small                       lexical      2 questions  ndcg@10 1.0000 [1.000, 1.000]" in printed.out
    assert "1 corpus ids unresolved: BOE-A-1800-1#art-1" in printed.err
    assert "1 laws of laws.txt are not in the corpus: BOE-A-1800-1" in printed.err
    call_command("evaluate_search", labelled, "--mode", "lexical", "--against", saved, "--json")
    figures = json.loads(capsys.readouterr().out)
    scores = figures["sets"]["small"]["lexical"]
    assert (scores["questions"], scores["answered_in"], scores["means"]["hit@1"]["mean"]) == (2, {"lexical": 2}, 1.0)
    assert figures["against"] == {"small": {"lexical": {"mean": 0.0, "low": 0.0, "high": 0.0}}}


@pytest.mark.django_db
def test_a_set_that_is_not_there_is_one_sentence(tmp_path):
    with pytest.raises(CommandError, match="No such file"):
        call_command("evaluate_search", tmp_path / "nothing")
