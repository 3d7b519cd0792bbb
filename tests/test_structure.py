"""Apartados, números and letras are found where they stand, and only there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import numbering
from corpus.quotation import quoted
from corpus.records import Block, BlockKind
from corpus.structure import sub_units


def paths(text: str, blocks: Sequence[Mapping[str, Any]] = ()) -> list[str]:
    return [".".join(unit.path) for unit in sub_units(text, blocks)]


def texts(text: str, blocks: Sequence[Mapping[str, Any]] = ()) -> dict[str, str]:
    return {".".join(unit.path): text[unit.start : unit.end] for unit in sub_units(text, blocks)}


def blocks_of(*parts: tuple[BlockKind, str]) -> tuple[str, list[dict[str, Any]]]:
    """Join (kind, text) parts by line breaks and give the text with its blocks as the corpus stores them."""
    blocks: list[dict[str, Any]] = []
    text = ""
    for kind, part in parts:
        start = len(text) + (1 if text else 0)
        text = f"{text}\n{part}" if text else part
        blocks.append(asdict(Block(kind=kind, start=start, end=len(text))))
    return text, blocks


@pytest.mark.parametrize(
    ("mark", "style", "segment"),
    [
        ("1. Texto", "1.", "1"),
        ("12.- Texto", "1.", "12"),
        ("2 bis. Texto", "1.", "2-bis"),
        ("2. bis Texto", "1.", "2-bis"),
        ("4 quáter. Texto", "1.", "4-quater"),
        ("3.Los plazos", "1.", "3"),
        ("1) Texto", "1)", "1"),
        ("(2) Texto", "(1)", "2"),
        ("1.º Texto", "1.º", "1"),
        ("2º Texto", "1.º", "2"),
        ("13º. Texto", "1.º", "13"),
        ("2.º bis. Texto", "1.º", "2-bis"),
        ("1.°) Texto", "1.º", "1"),
        ("3.ª Texto", "1.ª", "3"),
        ("1.a Texto", "1.ª", "1"),
        ("Uno. Texto", "uno", "1"),
        ("Treinta y dos. Texto", "uno", "32"),
        ("Primero. Texto", "primero", "1"),
        ("SEGUNDA.– Texto", "primero", "2"),
        ("Dos bis. Texto", "uno", "2-bis"),
        ("a) Texto", "a)", "a"),
        ("ñ) Texto", "a)", "ñ"),
        ("ll) Texto", "a)", "ll"),
        ("a bis) Texto", "a)", "a-bis"),
        ("a) bis Texto", "a)", "a-bis"),
        ("aa) Texto", "a)", "aa"),
        ("b’) Texto", "a')", "b"),
        ("A) Texto", "A)", "a"),
        ("B. Texto", "A.", "b"),
        ("iv) texto", "i)", "iv"),
    ],
)
def test_a_mark_is_read(mark, style, segment):
    assert (style, segment) in [(marker.style, marker.segment) for marker in numbering.read(mark)]


@pytest.mark.parametrize(
    "line",
    [
        "1.000 euros por hectárea",
        "12,5 por ciento",
        "2003 fue el año",
        "Los 2 bis",
        "de) nada",
        "«1. Lo nuevo",
        "Primero, se dirá",
        "Sólo. Texto",
        "artículo 1. Texto",
        "",
    ],
)
def test_what_is_no_mark_is_not_read(line):
    assert numbering.read(line) == []


def test_apartado_holds_its_letras_and_not_the_next_apartado():
    text = "1. Son tributos:\na) Las tasas.\nb) Los impuestos:\n1.º Directos.\n2.º Indirectos.\n2. Los demás."
    assert texts(text) == {
        "1": "1. Son tributos:\na) Las tasas.\nb) Los impuestos:\n1.º Directos.\n2.º Indirectos.",
        "1.a": "a) Las tasas.",
        "1.b": "b) Los impuestos:\n1.º Directos.\n2.º Indirectos.",
        "1.b.1": "1.º Directos.",
        "1.b.2": "2.º Indirectos.",
        "2": "2. Los demás.",
    }


def test_label_stays_as_printed():
    assert [unit.label for unit in sub_units("Uno. A.\nDos. B.\nDos bis. C.")] == ["Uno.", "Dos.", "Dos bis."]


def test_a_paragraph_without_mark_belongs_to_its_apartado():
    assert texts("1. Uno.\nSigue.\n2. Dos.\nFinal.") == {"1": "1. Uno.\nSigue.", "2": "2. Dos.\nFinal."}


def test_what_follows_a_list_belongs_to_what_announced_it():
    text = "1. Se exige:\na) Edad.\nb) Domicilio.\nTodo se acreditará.\n2. Fin."
    assert texts(text)["1.b"] == "b) Domicilio."
    assert texts(text)["1"].endswith("Todo se acreditará.")


def test_what_stands_between_two_letras_belongs_to_the_first():
    assert texts("Se exige:\na) Edad.\nLa edad se prueba.\nb) Domicilio.")["a"] == "a) Edad.\nLa edad se prueba."


def test_a_paragraph_that_names_its_letra_stays_in_it():
    text = "Se exige:\na) Edad.\nb) Domicilio.\nLo dispuesto en esta letra no obliga al menor."
    assert texts(text)["b"].endswith("al menor.")


def test_ñ_and_ll_keep_their_own_letra():
    letters = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "ll", "m", "n", "ñ", "o"]
    assert paths("\n".join(f"{letter}) Texto." for letter in letters)) == letters


def test_bis_stands_between_its_neighbours():
    assert paths("1. A.\n1 bis. B.\n1 ter. C.\n2. D.\na) E.\na bis) F.\nb) G.") == [
        "1", "1-bis", "1-ter", "2", "2.a", "2.a-bis", "2.b",
    ]  # fmt: skip


def test_i_after_h_is_a_letra_and_after_a_it_is_roman():
    assert paths("\n".join(f"{letter}) X." for letter in "abcdefghij"))[-2:] == ["i", "j"]
    assert paths("a) Si:\ni) X.\nii) Y.\nb) Z.") == ["a", "a.i", "a.ii", "b"]


def test_worded_apartados_hold_ordinals():
    text = "Uno. Están exentas:\n1.º Una.\nNo se aplicará a otra.\n2.º Dos.\nDos. Fin."
    assert paths(text) == ["1", "1.1", "1.2", "2"]


def test_two_marks_on_one_line_open_two_levels():
    assert texts("1. a) Uno.\nb) Dos.\n2. Tres.") == {
        "1": "1. a) Uno.\nb) Dos.",
        "1.a": "a) Uno.",
        "1.b": "b) Dos.",
        "2": "2. Tres.",
    }


def test_numbers_of_points_hang_on_their_apartado():
    assert paths("1. A.\n1.1 B.\n1.2 C.\n2. D.\n2.1 E.") == ["1", "1.1", "1.2", "2", "2.1"]


def test_numbering_that_restarts_repeats_its_paths():
    text = "1. Son:\na) Uno.\nb) Dos.\nLa fusión conllevará:\na) Tres.\nb) Cuatro.\n2. Fin."
    assert paths(text) == ["1", "1.a", "1.b", "1.a", "1.b", "2"]


def test_a_printed_slip_does_not_end_the_row():
    assert paths("a) A.\nb) B.\nc. C.\nd) D.") == ["a", "b", "c", "d"]


def test_a_lone_number_in_the_text_opens_nothing():
    assert paths("1. Programas:\n160. Alcantarillado.\n432. Turismo.\n2. Fin.") == ["1", "2"]


def test_quoted_amending_text_opens_no_apartado_of_its_host():
    text = "Uno. El artículo 3 dirá:\n«Artículo 3. Plazos.\n1. Los días.\n2. Las horas.»\nDos. Se deroga el 4."
    assert paths(text) == ["1", "2"]
    assert texts(text)["1"].endswith("2. Las horas.»")


def test_quote_blocks_open_no_apartado_of_their_host():
    text, blocks = blocks_of(
        ("paragraph", "1. El artículo 20 queda así:"),
        ("quote", "1. Nuevo."),
        ("quote", "2. Otro."),
        ("paragraph", "2. Fin."),
    )
    assert texts(text, blocks) == {"1": "1. El artículo 20 queda así:\n1. Nuevo.\n2. Otro.", "2": "2. Fin."}


def test_a_table_belongs_to_the_unit_above():
    text, blocks = blocks_of(
        ("paragraph", "1. Recargos:"), ("table", "1.\tRetraso\n2.\tRecargo"), ("paragraph", "2. Fin.")
    )
    assert texts(text, blocks) == {"1": "1. Recargos:\n1.\tRetraso\n2.\tRecargo", "2": "2. Fin."}


def test_numbered_titles_inside_an_annex_hold_their_own_apartados():
    text, blocks = blocks_of(
        ("heading", "1. Tasa general"),
        ("paragraph", "1. Hecho imponible."),
        ("paragraph", "2. Devengo."),
        ("heading", "2. Tasa por numeración"),
        ("paragraph", "1. Hecho imponible."),
    )
    assert paths(text, blocks) == ["1", "1.1", "1.2", "2", "2.1"]


def test_a_quotation_that_nobody_closes_swallows_nothing():
    assert quoted(["Dirá: «1. Uno.", "2. Dos.", "3. Tres."]) == [False, False, False]
    assert quoted(["Dirá: «1. Uno.", "«Boletín» 2.", "3. Tres.»", "4."]) == [False, True, True, False]


def test_a_slip_inside_one_line_does_not_quote_the_lines_up_to_the_next_slip():
    assert (
        quoted(["Siete. «Tasa de armas, convalidada.", "Ocho. Otra.", "Nueve. Títulos», convalidada."]) == [False] * 3
    )


MARKS = st.sampled_from(
    [
        "1. ",
        "2. ",
        "3. ",
        "a) ",
        "b) ",
        "i) ",
        "ii) ",
        "1.º ",
        "Uno. ",
        "Dos. ",
        "A) ",
        "«1. ",
        "a') ",
        "1.1 ",
        "",
        "- ",
    ]
)
LINES = st.lists(st.tuples(MARKS, st.sampled_from(["texto", "lista:", "cita»", "este apartado", ""])), max_size=30)


@given(LINES.map(lambda lines: "\n".join(mark + rest for mark, rest in lines)) | st.text(max_size=300))
def test_units_nest_and_never_overlap(text):
    units = sub_units(text)
    for unit in units:
        assert text[unit.start : unit.end].startswith(unit.label)
        assert text[unit.start : unit.end] == text[unit.start : unit.end].strip()
    assert [unit.start for unit in units] == sorted(unit.start for unit in units)
    for index, unit in enumerate(units):
        for later in units[index + 1 :]:
            is_inside = later.end <= unit.end and later.path[: len(unit.path)] == unit.path
            assert is_inside or later.start >= unit.end
