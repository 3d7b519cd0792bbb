"""Days looked up in stretches of days."""

from hypothesis import given
from hypothesis import strategies as st

from search.filters import FIRST_DAY, LAST_DAY
from search.stretches import above, covering

days = st.integers(FIRST_DAY, LAST_DAY)


@given(days, days, days)
def test_a_stretch_holds_a_day_exactly_if_they_share_a_node(one, other, day):
    first, last = sorted((one, other))
    shared = set(covering(first, last)) & set(above(day))
    assert len(shared) == (first <= day <= last)


@given(st.integers(FIRST_DAY + 1, LAST_DAY - 1))
def test_the_ends_are_included(day):
    assert not set(covering(day, day)) & set(above(day - 1))
    assert set(covering(day, day)) & set(above(day))
    assert not set(covering(day, day)) & set(above(day + 1))


@given(days)
def test_a_stretch_that_is_no_day_has_no_node(day):
    assert covering(day, day - 1) == []
    assert covering(LAST_DAY + 1, LAST_DAY) == []


@given(days)
def test_a_stretch_is_few_nodes(day):
    assert len(covering(FIRST_DAY, day)) <= 22
    assert len(covering(day, LAST_DAY)) <= 22
