"""Which texts a question is asked of."""

from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest

from search.filters import FIRST_DAY, LAST_DAY, Filters, Standing, standings


@dataclass(frozen=True)
class Dated:
    status: str = "in_force"
    valid_from: date | None = None
    valid_to: date | None = None


LAW = Dated(valid_from=date(2019, 2, 1))
FIRST, SECOND, THIRD = date(2019, 2, 1), date(2022, 1, 1), date(2025, 5, 1)
DAY_BEFORE_SECOND, DAY_BEFORE_THIRD = date(2021, 12, 31), date(2025, 4, 30)


def status_on(standing: Standing | None, day: date) -> str | None:
    return standing.status_on(day.toordinal()) if standing else None


def test_each_text_stands_until_the_day_before_the_next():
    versions = [Dated("in_force", FIRST, DAY_BEFORE_SECOND), Dated("in_force", SECOND)]
    first, second = standings(versions, LAW)
    days = [date(2019, 1, 31), FIRST, DAY_BEFORE_SECOND, SECOND]
    assert [status_on(first, day) for day in days] == ["not_yet_in_force", "in_force", "in_force", None]
    assert [status_on(second, day) for day in days] == ["not_yet_in_force"] * 3 + ["in_force"]


@pytest.mark.parametrize("marker", ["repealed", "annulled"])
def test_a_text_before_a_marker_stays_the_last_one(marker):
    versions = [Dated("in_force", FIRST, DAY_BEFORE_SECOND), Dated(marker, SECOND)]
    text, gone = standings(versions, LAW)
    assert gone is None
    assert status_on(text, DAY_BEFORE_SECOND) == "in_force"
    assert status_on(text, date(2030, 1, 1)) == marker


def test_a_provision_that_comes_back_is_gone_only_between():
    versions = [
        Dated("in_force", FIRST, DAY_BEFORE_SECOND),
        Dated("repealed", SECOND, DAY_BEFORE_THIRD),
        Dated("in_force", THIRD),
    ]
    text, _gone, again = standings(versions, LAW)
    assert [status_on(text, day) for day in (FIRST, SECOND, DAY_BEFORE_THIRD, THIRD)] == [
        "in_force", "repealed", "repealed", None,
    ]  # fmt: skip
    assert [status_on(again, day) for day in (SECOND, THIRD)] == ["not_yet_in_force", "in_force"]


def test_the_end_of_a_law_gives_its_status_to_its_texts():
    law = Dated("repealed", FIRST, DAY_BEFORE_THIRD)
    old, last = standings([Dated("in_force", FIRST, DAY_BEFORE_SECOND), Dated("in_force", SECOND)], law)
    assert status_on(last, DAY_BEFORE_THIRD) == "in_force"
    assert status_on(last, THIRD) == "repealed"
    assert status_on(old, THIRD) is None


def test_a_law_that_ended_on_an_unknown_day_has_no_text_in_force():
    (text,) = standings([Dated()], Dated("repealed"))
    assert {status_on(text, day) for day in (FIRST, SECOND, date(2030, 1, 1))} == {"repealed"}


def test_an_end_without_marker_is_an_expiry():
    (text,) = standings([Dated("in_force", FIRST, DAY_BEFORE_SECOND)], LAW)
    assert status_on(text, SECOND) == "expired"


def test_an_unknown_beginning_counts_as_old():
    (text,) = standings([Dated()], Dated())
    assert text == Standing(FIRST_DAY, LAST_DAY, LAST_DAY, "expired")


UNKNOWN = Standing(FIRST_DAY, LAST_DAY, LAST_DAY, "expired")
BILL = Standing(LAST_DAY, LAST_DAY, LAST_DAY, "expired")


@pytest.mark.parametrize(
    ("asked", "admitted"),
    [
        ({}, [UNKNOWN, BILL]),
        ({"valid_from": date(2020, 1, 1)}, []),
        ({"valid_from": date.min}, []),
        ({"valid_to": date(2020, 1, 1)}, []),
        ({"valid_to": date(2026, 5, 31)}, []),
        ({"valid_to": date(2026, 6, 1)}, [UNKNOWN]),
        ({"valid_to": date.max}, [UNKNOWN, BILL]),
        ({"valid_from": date.min, "valid_to": date.max}, []),
        ({"valid_from": date(2027, 1, 1)}, []),
    ],
)
def test_an_unknown_beginning_meets_only_what_it_must(asked: dict[str, Any], admitted: list[Standing]):
    filters = Filters(on=date(2026, 6, 1), statuses=("in_force", "not_yet_in_force"), **asked)
    told = {"law": "ley-1-2019", "rank": "ley", "jurisdiction": "es", "kind": "article"}
    assert [one for one in (UNKNOWN, BILL) if filters.admits(one, **told)] == admitted


IN_FORCE = Standing(FIRST.toordinal(), LAST_DAY, LAST_DAY, "expired")
REPEALED = Standing(FIRST.toordinal(), DAY_BEFORE_SECOND.toordinal(), LAST_DAY, "repealed")
REPLACED = Standing(FIRST.toordinal(), DAY_BEFORE_SECOND.toordinal(), DAY_BEFORE_SECOND.toordinal(), "expired")
COMING = Standing(date(2027, 1, 1).toordinal(), LAST_DAY, LAST_DAY, "expired")
TODAY = date(2026, 6, 1)


@pytest.mark.parametrize(
    ("filters", "admitted"),
    [
        (Filters(on=TODAY), [IN_FORCE]),
        (Filters(on=TODAY, include_repealed=True), [IN_FORCE, REPEALED]),
        (Filters(on=date(2020, 1, 1)), [IN_FORCE, REPEALED, REPLACED]),
        (Filters(on=TODAY, statuses=("repealed",)), [REPEALED]),
        (Filters(on=TODAY, statuses=("annulled",)), []),
        (Filters(on=TODAY, statuses=("in_force", "not_yet_in_force")), [IN_FORCE, COMING]),
        (Filters(on=TODAY, valid_from=FIRST, valid_to=FIRST), [IN_FORCE]),
        (Filters(on=TODAY, valid_from=date(2019, 2, 2)), []),
        (Filters(on=TODAY, valid_from=date.min), [IN_FORCE]),
        (Filters(on=TODAY, laws=("ley-1-2019", "ley-2-2019")), [IN_FORCE]),
        (Filters(on=TODAY, laws=("ley-2-2019",)), []),
        (Filters(on=TODAY, ranks=("rd",)), []),
        (Filters(on=TODAY, jurisdictions=("es-ct",)), []),
        (Filters(on=TODAY, kinds=("annex",)), []),
    ],
)
def test_filters_admit_exactly(filters, admitted):
    texts = [IN_FORCE, REPEALED, REPLACED, COMING]
    facts = {"law": "ley-1-2019", "rank": "ley", "jurisdiction": "es", "kind": "article"}
    assert [text for text in texts if filters.admits(text, **facts)] == admitted
