"""What is shown of a text, and what is marked in it."""

import pytest

from search.analysis import spanish
from search.passages import LONGEST_PASSAGE, LookedFor, Span, choose, matches

stems = spanish().stem_of


def looked_for(words: str, *phrases: str) -> LookedFor:
    return LookedFor(
        {term.stem: 1.0 for term in spanish().terms(words)},
        tuple(tuple((term.position, term.stem) for term in spanish().terms(phrase)) for phrase in phrases),
    )


def marked(text: str, words: str, *phrases: str) -> list[str]:
    found = matches(text, looked_for(words, *phrases), stems)
    return [text[match.start : match.end] for match in found]


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("La tributación conjunta.", "tributacion", ["tributación"]),
        ("LA TRIBUTACIÓN conjunta, tributaciones.", "tributación", ["TRIBUTACIÓN", "tributaciones"]),
        ("El art.27 y el 127 o el 2.7", "27", ["27"]),
        ("tipo <img src=x onerror=alert(1)", "tipo", ["tipo"]),
        ("El año y el ano.", "año", ["año"]),
        ("El 2.º, el 22, 2_2 y 1ª2.", "2", ["2", "2", "2", "2"]),
        ("De la ley de la que se trata.", "de la", []),
        ("", "algo", []),
    ],
)
def test_words_are_marked_as_they_stand_in_the_text(text, words, expected):
    assert marked(text, words) == expected


def test_the_words_of_a_phrase_are_marked_only_together():
    text = "Los no residentes. No. Los residentes. Ley 58/2003, y 2003."
    assert marked(text, "", "no residentes", "58/2003") == ["no residentes", "58/2003"]


def test_a_phrase_keeps_the_gaps_of_its_stop_words():
    assert marked("La opción de la unidad, la opción unidad.", "", "opción de la unidad") == ["opción de la unidad"]


def passages(text: str, words: str, spans: list[Span], **wanted) -> list[tuple[str, list[str]]]:
    chosen = choose(text, spans, matches(text, looked_for(words), stems), **wanted)
    return [
        (text[one.start : one.end], [text[one.start : one.end][start:end] for start, end in one.highlights])
        for one in chosen.shown
    ]


TEXT = "1. Habrá un recargo.\n2. No habrá multa.\n3. El recargo y la multa se suman."
SPANS = [Span(0, 20, "1"), Span(21, 39, "2"), Span(40, 74, "3")]


def test_the_passage_that_holds_most_of_the_question_comes_first():
    assert passages(TEXT, "recargo multa", SPANS) == [
        ("3. El recargo y la multa se suman.", ["recargo", "multa"]),
        ("1. Habrá un recargo.", ["recargo"]),
        ("2. No habrá multa.", ["multa"]),
    ]


def test_the_passage_an_arm_prefers_comes_first_and_the_best_by_words_next():
    shown = passages(TEXT, "recargo", SPANS, preferred=[(21, 39)])
    assert [text for text, _marks in shown] == [
        "2. No habrá multa.", "1. Habrá un recargo.", "3. El recargo y la multa se suman.",
    ]  # fmt: skip


def test_a_passage_that_is_no_more_is_not_shown():
    assert passages(TEXT, "", SPANS, preferred=[(5, 9)]) == [("1. Habrá un recargo.", [])]


def test_the_part_that_is_cited_is_shown_whole():
    assert passages(TEXT, "multa", SPANS, parts=[Span(21, 39, "2")]) == [("2. No habrá multa.", ["multa"])]


def test_a_text_without_passages_shows_none():
    assert passages("", "recargo", []) == []


@pytest.mark.parametrize(
    ("words", "wanted", "found"),
    [
        ("recargo", {}, 5),
        ("sombrero", {}, 1),
        ("sombrero", {"preferred": [(0, 9), (50, 59)]}, 2),
        ("último", {"preferred": [(0, 9), (50, 59)]}, 3),
        ("recargo", {"parts": [Span(0, 9, "1")]}, 1),
    ],
)
def test_all_passages_found_are_counted_and_three_shown(words, wanted, found):
    text = "\n".join(["Recargo 1", "Recargo 2", "Recargo 3", "Recargo 4", "El último", "Recargo 5"])
    spans = [Span(start, start + 9, "") for start in range(0, 60, 10)]
    chosen = choose(text, spans, matches(text, looked_for(words), stems), **wanted)
    assert (chosen.found, len(chosen.shown)) == (found, min(found, 3))


def test_a_text_without_passages_has_none_found():
    assert choose("", [], []) == ([], 0)


def test_a_long_passage_is_cut_to_the_sentences_that_speak_of_it():
    text = "Una frase cualquiera que no dice nada. " * 40 + "Aquí se habla del recargo. " + "Otra frase vana. " * 40
    ((shown, marks),) = passages(text, "recargo", [Span(0, len(text), "")])
    assert len(shown) <= LONGEST_PASSAGE
    assert shown.startswith("Una frase")
    assert marks == ["recargo"]


def test_a_sentence_without_end_is_cut_between_words():
    text = "palabra " * 400
    ((shown, _marks),) = passages(text, "recargo", [Span(0, len(text), "")])
    assert shown.endswith("palabra")
    assert len(shown) <= LONGEST_PASSAGE


def test_no_passage_ends_with_the_label_of_what_comes_next():
    sentence = "Se paga un recargo cuando se presenta tarde sin que nadie lo requiera. "
    text = "".join(f"{number}. {sentence}" for number in range(1, 31)).rstrip()
    shown = passages(text, "recargo", [Span(0, len(text), "")])
    assert len(shown) == 1
    assert shown[0][0].endswith("nadie lo requiera.")
