"""Dates of a statement: compared whole with day, month and year, as plain numbers otherwise."""

import pytest

from pincite.agent.check.dates import full_dates
from pincite.agent.check.numbers import Supply, unsupported_numbers

NOTATIONS = [
    "2021-03-05",
    "2021/03/05",
    "2021-03-05T10:00",
    "5 March 2021",
    "05 March 2021",
    "5th March 2021",
    "the 5th of March 2021",
    "5th day of March, 2021",
    "5 Mar 2021",
    "5-Mar-2021",
    "5 MARCH 2021",
    "Friday, 5 March 2021",
    "March 5, 2021",
    "March 5 2021",
    "March 5th, 2021",
    "Mar. 5, 2021",
    "5. März 2021",
    "5. Ma\u0308rz 2021",
    "5.März 2021",
    "am 05. Mrz. 2021",
    "5 mars 2021",
    "le 5 mars 2021",
    "05.03.2021",
    "5.3.2021",
    "5. 3. 2021",
    "2021年3月5日",
    "２０２１年３月５日",
    "2021 年 3 月 5 日",
    "2021年03月05日",
    "二〇二一年三月五日",
    "5\u00a0March\u00a02021",
    "5 March\n2021",
]

FIRST_OF_FEBRUARY = [
    "1st February 2023",
    "1. Februar 2023",
    "1er février 2023",
    "1 févr. 2023",
    "2023-02-01",
    "February 1, 2023",
]


@pytest.mark.parametrize("source", NOTATIONS)
def test_every_notation_is_the_same_date(source: str) -> None:
    held = Supply.of(f"It was paid on {source} in full.")
    for statement in NOTATIONS:
        assert unsupported_numbers(f"Paid: {statement.replace('T10:00', '')}.", held) == []


@pytest.mark.parametrize("source", FIRST_OF_FEBRUARY)
def test_the_first_of_a_month(source: str) -> None:
    assert all(unsupported_numbers(date, Supply.of(source)) == [] for date in FIRST_OF_FEBRUARY)


@pytest.mark.parametrize(
    "statement",
    [
        "6 March 2021",
        "5 April 2021",
        "5 March 2020",
        "2021-03-06",
        "2021-05-04",
        "March 6, 2021",
        "06.03.2021",
        "2021年3月6日",
    ],
)
def test_another_day_month_or_year_is_another_date(statement: str) -> None:
    held = Supply.of("Paid on 5 March 2021, extended on 6 April 2020, due 4 May 2019.")
    assert unsupported_numbers(statement, held) == [statement]


def test_parts_of_several_dates_do_not_make_one() -> None:
    held = Supply.of("It matures on 2026-09-30 and was extended on 14 June 2021.")
    assert unsupported_numbers("extended on 30 June 2021", held) == ["30 June 2021"]
    assert unsupported_numbers("extended on 14 June 2021", held) == []


def test_a_full_date_needs_a_full_date() -> None:
    assert unsupported_numbers("on 5 March 2021", Supply.of("on 5 March, in the year 2021")) == [
        "5 March 2021"
    ]


@pytest.mark.parametrize(
    "statement",
    ["on 5 March", "March 2021", "in 2021", "the 5th", "2021-03", "03/2021", "3月5日", "am 05.03. fällig"],
)
def test_full_dates_supply_partial_ones(statement: str) -> None:
    for source in ("paid on 5 March 2021", "paid on 2021-03-05", "2021年3月5日"):
        assert unsupported_numbers(statement, Supply.of(source)) == []


def test_a_month_supplies_no_plain_number() -> None:
    assert unsupported_numbers("3 payments", Supply.of("paid on 5 March 2021")) == ["3"]


def test_partial_dates_are_plain_numbers() -> None:
    held = Supply.of("on 14 June, and 30 days later")
    assert unsupported_numbers("on 30 June", held) == []
    assert unsupported_numbers("on 15 June", held) == ["15"]


def test_the_first_day_of_a_range_is_a_date_too() -> None:
    for source in (
        "from 5 to 7 March 2021",
        "5\u20137 March 2021",
        "vom 5. bis 7. März 2021",
        "du 5 au 7 mars 2021",
    ):
        held = Supply.of(source)
        assert unsupported_numbers("from 2021-03-05 to 2021-03-07", held) == []
        assert unsupported_numbers("6 March 2021", held) == ["6 March 2021"]


def test_slashes_leave_the_order_open() -> None:
    held = Supply.of("filed 05/03/2021")
    assert unsupported_numbers("5 March 2021", held) == []
    assert unsupported_numbers("May 3, 2021", held) == []
    assert unsupported_numbers("June 3, 2021", held) == ["June 3, 2021"]


@pytest.mark.parametrize(
    "text", ["32 March 2021", "2021-13-05", "99.99.2021", "section 4.2.1", "5 Marches 2021", "12021-03-05"]
)
def test_what_is_no_date(text: str) -> None:
    assert full_dates(text) == []


def test_a_date_broken_at_a_line_end() -> None:
    assert unsupported_numbers("2021-02-05", Supply.of("on 5 Febru-\nary 2021")) == []
