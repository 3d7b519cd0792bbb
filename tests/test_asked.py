"""What the search page is asked: its address is read, and written back, without loss."""

from datetime import date

import pytest
from django.http import QueryDict

from search.asked import Asked, without_controls
from search.errors import InvalidDate, InvalidLimit, InvalidOffset, UnknownValue


def test_every_parameter_is_read():
    address = (
        "q=iva&law=ley-37-1992&law=ce&law_rank=ley&jurisdiction=es&kind=article&status=repealed&as_of=2019-06-30"
        "&from=2018-01-01&to=2020-01-01&include_repealed=true&mode=lexical&sort=date&limit=5&offset=10"
    )
    assert Asked.read(QueryDict(address)) == Asked(
        q="iva",
        laws=("ley-37-1992", "ce"),
        ranks=("ley",),
        jurisdictions=("es",),
        kinds=("article",),
        statuses=("repealed",),
        as_of=date(2019, 6, 30),
        valid_from=date(2018, 1, 1),
        valid_to=date(2020, 1, 1),
        include_repealed=True,
        mode="lexical",
        sort="date",
        limit=5,
        offset=10,
    )


def test_an_address_read_and_written_is_the_same():
    url = "/?q=plazo+m%C3%A1ximo&law=ce&as_of=2019-06-30&include_repealed=true&offset=10"
    assert Asked.read(QueryDict(url.removeprefix("/?"))).url == url


def test_defaults_and_blanks_leave_no_trace_in_the_address():
    assert (
        Asked.read(QueryDict("q=iva&law=&as_of=&include_repealed=&mode=&limit=&offset=0&stage=first")).url == "/?q=iva"
    )


def test_a_change_of_filter_goes_back_to_the_first_page():
    assert Asked(q="iva", offset=20).but(laws=("ce",)) == Asked(q="iva", laws=("ce",))


@pytest.mark.parametrize(
    ("address", "error", "parameter"),
    [
        ("as_of=ayer", InvalidDate, "as_of"),
        ("as_of=2019-02-30", InvalidDate, "as_of"),
        ("from=20190230", InvalidDate, "from"),
        ("from=20190630", InvalidDate, "from"),
        ("from=2019-W26-7", InvalidDate, "from"),
        ("limit=diez", InvalidLimit, "limit"),
        ("limit=99999999999999999999", InvalidLimit, "limit"),
        ("offset=abc", InvalidOffset, "offset"),
        ("offset=²", InvalidOffset, "offset"),
        ("law=%00", UnknownValue, "law"),
        ("as_of=%1B", UnknownValue, "as_of"),
        ("mode=%00", UnknownValue, "mode"),
        ("include_repealed=maybe", UnknownValue, "include_repealed"),
    ],
)
def test_a_wrong_value_is_refused_by_name(address, error, parameter):
    with pytest.raises(error) as refused:
        Asked.read(QueryDict(address))
    assert refused.value.parameter == parameter


@pytest.mark.parametrize("text", ["iva\0", "\0iva", "iva\x1b", "iva\ud800", "\n iva \t"])
def test_control_characters_and_surrogates_go(text):
    assert without_controls(text) == "iva"
