"""The template filters: nothing that came from a text or a query becomes markup."""

from datetime import date

import pytest

from search.laid_out import Link, Paragraph, Run, TableCell
from search.responses import Passage
from search.templatetags.law_text import day, highlighted, inline, on_day, status_name


def passage(text, *highlights):
    return Passage(citation="ley-900-2019:art-1", text=text, start=0, end=len(text), highlights=list(highlights))


@pytest.mark.parametrize(
    ("text", "highlights", "shown"),
    [
        ("tipo <img src=x onerror=alert(1)", [(0, 4)], "<mark>tipo</mark> &lt;img src=x onerror=alert(1)"),
        ("a <b> c", [(2, 5)], "a <mark>&lt;b&gt;</mark> c"),
        ("sin nada", [], "sin nada"),
        ("uno dos tres", [(4, 7), (0, 3)], "<mark>uno</mark> <mark>dos</mark> tres"),
        ("solapados", [(0, 4), (2, 6)], "<mark>sola</mark><mark>pa</mark>dos"),
        ("corto", [(3, 99), (50, 60)], "cor<mark>to</mark>"),
        ("a &amp; b", [(2, 7)], "a <mark>&amp;amp;</mark> b"),
    ],
)
def test_highlights_are_made_from_escaped_text(text, highlights, shown):
    assert highlighted(passage(text, *highlights)) == shown


def test_a_long_passage_is_shown_where_it_speaks_of_the_question():
    text = "No viene al caso. " * 30 + "Se paga un recargo del 15 por ciento. " + "Tampoco esto. " * 30
    at = text.index("recargo")
    shown = highlighted(passage(text, (at, at + 7)))
    assert shown.startswith("… Se paga un <mark>recargo</mark> del 15 por ciento. Tampoco")
    assert shown.endswith("esto.\u00a0…")
    assert len(shown) < 420


def test_of_an_endless_sentence_what_stands_before_the_word_is_shown_too():
    text = "y otra cosa más " * 60 + "con recargo " + "y más cosas " * 60
    at = text.index("recargo")
    shown = highlighted(passage(text, (at, at + 7)))
    assert "más con <mark>recargo</mark> y más cosas" in shown
    assert shown.startswith("… ")


def test_inline_marks_hold_escaped_text():
    line = Paragraph(
        (Run("a)", is_label=True), Run(" x<y"), Run("2", ("sub",)), Run("b", ("script",)), Run("c", anchor="1.c"))
    )
    assert inline(line) == '<span class="label">a)</span> x&lt;y<sub>2</sub>b<span id="1.c">c</span>'


def test_a_link_is_one_element_around_escaped_text():
    link = Link(0, 9, '/a"b<c')
    line = Paragraph((Run("<img>", link=link), Run("x", ("em",), link=link), Run(" fin")))
    assert inline(line) == '<a class="cited" href="/a&quot;b&lt;c">&lt;img&gt;<em>x</em></a> fin'
    assert inline(TableCell("<b>", is_header=False)) == "&lt;b&gt;"


def test_a_day_is_written_as_law_writes_it():
    assert day(date(2003, 12, 18)) == '<time datetime="2003-12-18">18/12/2003</time>'
    assert day(None) == ""


@pytest.mark.parametrize(
    ("url", "as_of", "dated"),
    [
        ("/ce", None, "/ce"),
        ("/ce", date(2019, 6, 30), "/ce?as_of=2019-06-30"),
        ("/?q=x", date(2019, 6, 30), "/?q=x&as_of=2019-06-30"),
        ("/ce@2018-01-01", date(2019, 6, 30), "/ce@2018-01-01"),
    ],
)
def test_links_keep_the_day(url, as_of, dated):
    assert on_day(url, as_of) == dated


def test_statuses_are_named():
    assert [status_name(status) for status in ("in_force", "repealed", "<odd>")] == ["vigente", "derogado", "<odd>"]
