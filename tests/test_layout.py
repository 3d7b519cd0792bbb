"""The layout of a provision: nothing of the text is lost, and its parts nest as law is read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.structure import SubUnit, sub_units
from search.laid_out import Link, Paragraph, Run, Table, TableCell, Unit
from search.layout import lay_out, lead_ins

TEXT = "Son recargos:\n1. El general.\n2. Los demás:\na) El uno.\nb) El dos.\nFin."


def paragraphs(text):
    """Blocks as the corpus stores them, one a line."""
    found, start = [], 0
    for line in text.split("\n"):
        found.append(
            {"kind": "paragraph", "start": start, "end": start + len(line), "style": "", "rows": [], "marks": []}
        )
        start += len(line) + 1
    return found


def plain(items):
    """The text of laid-out items, line by line."""
    for item in items:
        if isinstance(item, Unit):
            yield from plain(item.items)
        elif isinstance(item, Table):
            yield "\n".join("\t".join(cell.text for cell in row) for row in item.head + item.body)
        else:
            yield "".join(run.text for run in item.runs)


def test_apartados_and_letras_nest():
    units = (
        SubUnit(("1",), "1.", 14, 28),
        SubUnit(("2",), "2.", 29, 64),
        SubUnit(("2", "a"), "a)", 43, 53),
        SubUnit(("2", "b"), "b)", 54, 64),
    )
    items = lay_out(TEXT, paragraphs(TEXT), units)
    assert [getattr(item, "anchor", None) for item in items] == [None, "1", "2", None]
    second = items[2]
    assert isinstance(second, Unit)
    assert second.items[0] == Paragraph((Run("2.", is_label=True), Run(" Los demás:")))
    assert [(unit.anchor, unit.depth) for unit in second.items[1:] if isinstance(unit, Unit)] == [
        ("2.a", 2),
        ("2.b", 2),
    ]


def test_one_part_is_laid_out_alone():
    units = sub_units(TEXT, paragraphs(TEXT))
    letter = next(unit for unit in units if unit.path == ("2", "a"))
    items = lay_out(TEXT, paragraphs(TEXT), units, (letter.start, letter.end))
    assert list(plain(items)) == ["a) El uno."]


def test_what_introduces_a_letter_is_known():
    units = sub_units(TEXT, paragraphs(TEXT))
    assert [TEXT[a:b] for a, b in lead_ins(TEXT, units, ("2", "b"))] == ["Son recargos:\n", "2. Los demás:\n"]


def test_a_part_inside_a_line_gets_an_anchor_there():
    text = "Uno y dos."
    items = lay_out(text, paragraphs(text), (SubUnit(("a",), "dos", 6, 10),))
    assert items == (Paragraph((Run("Uno y "), Run("dos", anchor="a", is_label=True), Run("."))),)


def test_a_repeated_path_is_named_once():
    text = "1. Uno.\n1. Otro."
    units = (SubUnit(("1",), "1.", 0, 7), SubUnit(("1",), "1.", 8, 16))
    assert [getattr(item, "anchor", None) for item in lay_out(text, paragraphs(text), units)] == ["1", ""]


def test_marks_split_a_line():
    blocks = [dict(paragraphs("H2O")[0], marks=[{"start": 1, "end": 2, "tag": "sub"}])]
    assert lay_out("H2O", blocks, ()) == (Paragraph((Run("H"), Run("2", ("sub",)), Run("O"))),)


def table(*rows, header=False):
    """A stored table block with its text."""
    text = ""
    stored: list[list[dict[str, int | bool]]] = []
    for row in rows:
        text += "\n" if stored else ""
        cells: list[dict[str, int | bool]] = []
        for word in row:
            text += "\t" if cells else ""
            cells.append({"start": len(text), "end": len(text) + len(word), "is_header": header and not stored})
            text += word
        stored.append(cells)
    return text, [{"kind": "table", "start": 0, "end": len(text), "style": "", "rows": stored, "marks": []}]


@pytest.mark.parametrize(
    ("rows", "header", "depth"),
    [
        ([("Retraso", "Recargo"), ("13 meses", "15 por 100")], False, 1),
        ([("Retraso", "Recargo"), ("13 meses", "15 por 100")], True, 1),
        ([("9 %", "3 meses"), ("15 %", "13 meses")], False, 0),
        ([("Madrid", "Toledo"), ("Soria", "Teruel")], False, 0),
    ],
)
def test_a_table_has_the_header_it_reads_with(rows, header, depth):
    text, blocks = table(*rows, header=header)
    (laid_out,) = lay_out(text, blocks, ())
    assert laid_out == Table(
        tuple(tuple(TableCell(word, True) for word in row) for row in rows[:depth]),
        tuple(tuple(TableCell(word, False) for word in row) for row in rows[depth:]),
    )


@given(st.lists(st.text("ab)1. ñ", max_size=12), max_size=8), st.booleans())
def test_nothing_is_lost_and_nothing_added(lines, has_blocks):
    text = "\n".join(lines)
    blocks = [block for block in paragraphs(text) if block["start"] < block["end"]] if has_blocks else []
    items = lay_out(text, blocks, sub_units(text, blocks))
    assert "".join("".join(plain(items)).split()) == "".join(text.split())


CITING = "Según el artículo 5 y el 6.\n1. El artículo 7."


def linked(items):
    """The text of each link with its address, in order."""
    found: dict[Link, str] = {}
    for item in items:
        lines: list[Paragraph | TableCell] = [item] if isinstance(item, Paragraph) else []
        lines += [cell for row in item.head + item.body for cell in row] if isinstance(item, Table) else []
        for run in (run for line in lines for run in line.runs):
            if run.link:
                found[run.link] = found.get(run.link, "") + run.text
        found |= dict(linked(item.items)) if isinstance(item, Unit) else {}
    return list(found.items())


def test_links_are_cut_out_of_their_lines():
    five, seven = Link(9, 19, "/five"), Link(34, 44, "/seven")
    items = lay_out(CITING, paragraphs(CITING), sub_units(CITING), links=[seven, five])
    assert linked(items) == [(five, "artículo 5"), (seven, "artículo 7")]
    assert list(plain(items)) == CITING.split("\n")


def test_a_link_goes_on_through_inline_marks():
    blocks = paragraphs(CITING)
    blocks[0]["marks"] = [{"start": 12, "end": 18, "tag": "em"}]
    (line, _unit) = lay_out(CITING, blocks, sub_units(CITING), links=[Link(9, 19, "/five")])
    assert isinstance(line, Paragraph)
    assert [run.tags for run in line.runs if run.link] == [(), ("em",), ()]


def test_of_overlapping_links_the_first_counts():
    outer, inner, second = Link(6, 19, "/outer"), Link(9, 19, "/inner"), Link(22, 26, "/second")
    assert linked(lay_out(CITING, paragraphs(CITING), (), links=[inner, outer, second])) == [
        (outer, "el artículo 5"), (second, "el 6"),
    ]  # fmt: skip


def test_a_link_over_a_line_break_is_cut_at_it():
    items = lay_out(CITING, paragraphs(CITING), (), links=[Link(22, 30, "/both")])
    assert list(plain(items)) == CITING.split("\n")
    assert linked(items)[0][1] == "el 6.1."


def test_a_part_keeps_only_its_own_links():
    items = lay_out(CITING, paragraphs(CITING), (), (28, len(CITING)), [Link(9, 19, "/five"), Link(34, 44, "/seven")])
    assert linked(items) == [(Link(34, 44, "/seven"), "artículo 7")]


def test_cells_are_linked_too():
    text = "Norma\tTipo\nartículo 5 \t9"
    rows = [[cell(0, 5), cell(6, 10)], [cell(11, 22), cell(23, 24)]]
    block = {"kind": "table", "start": 0, "end": 24, "style": "", "marks": [], "rows": rows}
    (table,) = lay_out(text, [block], (), links=[Link(11, 21, "/five")])
    assert linked([table]) == [(Link(11, 21, "/five"), "artículo 5")]
    assert list(plain([table])) == ["Norma\tTipo\nartículo 5\t9"]


def cell(start, end):
    return {"start": start, "end": end, "is_header": False, "colspan": 1, "rowspan": 1}
