"""Columns in reading order, words over their ends, and the numbers that pages carry."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence

import pytest

from pincite.corpus.document import Document
from pincite.corpus.read.pdf_labels import page_labels
from pincite.corpus.read.pdf_numbers import lone_number, printed_labels, roman_value, to_roman

ReadBytes = Callable[..., Document]
MakePdf = Callable[..., bytes]
Run = tuple[float, float, float, str, str]
WORDS = (
    "the keeper lights the lamp before dusk and notes the hour in the register so that harbour masters can "
    "see whether a vessel that comes in late was guided as rules of the port demand of those who serve it"
)
LOREM = WORDS.split()
WIDTH, LEFT, SIZE, LINE = 490, 50, 9, 12


def sentences(first: int, count: int) -> str:
    return " ".join(
        f"S{at:03d} {' '.join(LOREM[(7 * at + step) % len(LOREM)] for step in range(11))}."
        for at in range(first, first + count)
    )


def column_lines(columns: int, first: int, count: int, gutter: int = 18) -> list[list[str]]:
    """Wrapped lines of running text for each column, its sentences numbered through."""
    width = (WIDTH - gutter * (columns - 1)) / columns
    return [
        textwrap.wrap(sentences(first + at * count, count), int(width / (0.47 * SIZE)))
        for at in range(columns)
    ]


def set_columns(
    texts: Sequence[Sequence[str]], top: float, *, rows_first: bool, gutter: int = 18, size: float = SIZE
) -> Iterator[Run]:
    """Columns as programs write them into a file: one after another, or line by line over the whole page."""
    width = (WIDTH - gutter * (len(texts) - 1)) / len(texts)
    cells = [(at, row) for at, lines in enumerate(texts) for row in range(len(lines))]
    for at, row in sorted(cells, key=lambda cell: cell[::-1]) if rows_first else cells:
        yield LEFT + at * (width + gutter), top - row * LINE, size, "F1", texts[at][row]


def order(document: Document) -> list[int]:
    return [int(number) for number in re.findall(r"\bS(\d{3})\b", document.text)]


@pytest.mark.parametrize("rows_first", [False, True])
@pytest.mark.parametrize("columns", [2, 3])
def test_columns_are_read_one_after_another(
    read_bytes: ReadBytes, make_pdf: MakePdf, columns: int, rows_first: bool
) -> None:
    upper, lower = column_lines(columns, 0, 5), column_lines(columns, 5 * columns, 5)
    page = [
        (LEFT, 780, 15, "F2", "1 Duties that hold for every keeper of a lamp in the port"),
        *set_columns(upper, 750, rows_first=rows_first),
        (LEFT, 430, 15, "F2", "2 Fees that hold for every vessel which comes in at night"),
        *set_columns(lower, 400, rows_first=rows_first),
    ]
    document = read_bytes(make_pdf([page]), "a.pdf")
    assert order(document) == list(range(10 * columns))
    assert [section.number for section in document.sections] == ["1", "2"]
    assert not document.tables
    for section, numbers in zip(
        document.sections, (range(5 * columns), range(5 * columns, 10 * columns)), strict=True
    ):
        body = document.text[section.start : section.end]
        assert [int(number) for number in re.findall(r"\bS(\d{3})\b", body)] == list(numbers)


def test_a_table_beside_and_between_columns_keeps_its_rows(read_bytes: ReadBytes, make_pdf: MakePdf) -> None:
    rows = [("Lamp", "Watt", "Fee"), ("North", "60", "4.50"), ("South", "75", "5.50"), ("East", "90", "6.00")]
    table = [
        (left, 500 - LINE * 1.5 * at, SIZE, "F1", cell)
        for at, row in enumerate(rows)
        for left, cell in zip((60, 260, 460), row, strict=True)
    ]
    page = [
        *set_columns(column_lines(2, 0, 7), 780, rows_first=True),
        *table,
        *set_columns(column_lines(2, 14, 7), 400, rows_first=True),
    ]
    document = read_bytes(make_pdf([page]), "a.pdf")
    assert order(document) == list(range(28))
    assert "Lamp\tWatt\tFee\nNorth\t60\t4.50\nSouth\t75\t5.50\nEast\t90\t6.00" in document.text


def test_what_stands_side_by_side_without_being_columns_is_read_line_by_line(
    read_bytes: ReadBytes, make_pdf: MakePdf
) -> None:
    left = ["HARBOUR LTD", "By: ______", "Name: A. Keeper", "Title: Director", "Date: 1 May", "Seal: none"]
    right = ["LAMPS INC", "By: ______", "Name: B. Lighter", "Title: President", "Date: 2 May", "Seal: none"]
    page = [
        (x, 700 - 14 * at, 10, "F1", words)
        for at, pair in enumerate(zip(left, right, strict=True))
        for x, words in zip((60, 320), pair, strict=True)
    ]
    text = " ".join(read_bytes(make_pdf([page]), "a.pdf").text.split())
    assert (
        text.index("A. Keeper") < text.index("B. Lighter") < text.index("Director") < text.index("President")
    )


def test_footnotes_of_a_column_stand_behind_its_text(read_bytes: ReadBytes, make_pdf: MakePdf) -> None:
    left, right = column_lines(2, 0, 7)
    page = [
        *set_columns([left, [*right, *textwrap.wrap(sentences(90, 3), 55)]], 780, rows_first=False),
        (
            LEFT,
            780 - LINE * (len(left) + 2),
            6.5,
            "F1",
            "1 As the harbour master wrote in his letter of May.",
        ),
    ]
    document = read_bytes(make_pdf([page]), "a.pdf")
    assert order(document) == [*range(14), 90, 91, 92]
    assert document.text.rstrip().endswith("[1] As the harbour master wrote in his letter of May.")


def test_words_cut_by_a_column_or_a_page_are_whole_on_the_page_where_they_begin(
    read_bytes: ReadBytes, make_pdf: MakePdf
) -> None:
    left, right = column_lines(2, 0, 6)
    pages = [
        list(set_columns([
            [*left, "of which the regis-"],
            ["ter speaks at length and it says that", *right[1:], "and the well-"],
        ], 780, rows_first=True)),
        [(LEFT, 780, SIZE, "F1", "known keeper signs the register in ink on the well of"),
         (LEFT, 768, SIZE, "F1", "the known lamp, a well that is known.")],
    ]  # fmt: skip
    document = read_bytes(make_pdf(pages), "a.pdf")
    assert "of which the register\nspeaks at length" in document.text
    at = document.text.index("well-known")
    assert document.place(at).page == document.place(at + 9).page == 1
    assert document.place(document.text.index("keeper signs")).page == 2


def numbered(label: str, *, top: bool = False, left: float = 290) -> list[Run]:
    return [
        *(
            (LEFT, 700 - LINE * at, 10, "F1", f"{word} of page {label} is text.")
            for at, word in enumerate(LOREM[:9])
        ),
        (left, 810 if top else 30, 9, "F1", label),
    ]  # fmt: skip


def labels_of(document: Document) -> list[str]:
    places = {place.page: place.label or str(place.page) for place in document.places}
    return [places[page] for page in sorted(page for page in places if page)]


@pytest.mark.parametrize(
    "printed",
    [
        ["i", "ii", "iii", "iv", "1", "2", "3", "4", "5", "6"],
        ["17", "18", "19", "20", "21"],
        ["F-1", "F-2", "F-3", "F-4"],
        ["- 8 -", "- 9 -", "- 10 -", "- 11 -"],
        ["Page 3 of 12", "Page 4 of 12", "Page 5 of 12", "Page 6 of 12"],
        ["Seite 41", "Seite 42", "Seite 43"],
        ["III", "IV", "V", "VI"],
    ],
)
def test_printed_page_numbers_are_labels_and_no_text(
    read_bytes: ReadBytes, make_pdf: MakePdf, printed: list[str]
) -> None:
    document = read_bytes(make_pdf([numbered(label) for label in printed]), "a.pdf")
    plain = [re.search(r"(?:[A-Z]-)?\d+|[ivxIVX]+$", label) for label in printed]
    assert labels_of(document) == [match[0] for match in plain if match]
    assert not {line.strip() for line in document.text.split("\n")} & set(printed)


def test_numbers_alternate_between_the_corners_and_stand_in_running_headers(
    read_bytes: ReadBytes, make_pdf: MakePdf
) -> None:
    pages = [
        [
            *numbered("x")[:-1],
            (LEFT, 810, 8, "F1", f"{at} Rules of the port" if at % 2 == 0 else f"Duties of keepers {at}"),
        ]
        for at in range(30, 40)
    ]
    document = read_bytes(make_pdf(pages), "a.pdf")
    assert labels_of(document) == [str(at) for at in range(30, 40)]
    assert "Rules of the port" not in document.text and "Duties" not in document.text


def test_a_page_without_a_number_between_others_has_one_too(read_bytes: ReadBytes, make_pdf: MakePdf) -> None:
    pages = [numbered(str(at)) if at != 13 else numbered("x")[:-1] for at in range(11, 17)]
    assert labels_of(read_bytes(make_pdf(pages), "a.pdf")) == ["11", "12", "13", "14", "15", "16"]


def test_numbers_that_do_not_count_the_pages_are_no_labels(read_bytes: ReadBytes, make_pdf: MakePdf) -> None:
    years = read_bytes(make_pdf([numbered(str(at)) for at in (1999, 2004, 1987, 2011)]), "a.pdf")
    assert labels_of(years) == ["1", "2", "3", "4"]
    assert "1987" in years.text
    inside = [
        [
            *numbered(f"x{at * at}")[:3],
            (290, 660, 10, "F1", str(at)),
            (LEFT, 640, 10, "F1", f"and the text {at * at} goes on."),
        ]
        for at in range(5, 9)
    ]
    assert labels_of(read_bytes(make_pdf(inside), "a.pdf")) == ["1", "2", "3", "4"]


def test_pages_that_are_all_alike_are_text(read_bytes: ReadBytes, make_pdf: MakePdf) -> None:
    pages = [[*numbered("x")[:3], (290, 30, 9, "F1", str(at))] for at in range(5, 9)]
    assert read_bytes(make_pdf(pages), "a.pdf").text.count("page x is text") == 12


def test_labels_that_the_file_states_come_first_and_mere_counting_says_nothing(
    read_bytes: ReadBytes, make_pdf: MakePdf
) -> None:
    pages = [numbered("x")[:-1] for _ in range(4)]
    stated = read_bytes(make_pdf(pages, labels="0 << /S /r >> 2 << /S /D /P (A-) /St 5 >>"), "a.pdf")
    assert labels_of(stated) == ["i", "ii", "A-5", "A-6"]
    assert page_labels(["1", "2", "3"], {1: "9", 2: "10", 3: "11"}) == {1: "9", 2: "10", 3: "11"}
    assert page_labels(["1", "2", "3"], {}) == {}
    assert page_labels(["x" * 99, "", "iii"], {}) == {3: "iii"}
    broken = read_bytes(make_pdf(pages, labels="0 (what) 1 [ /S"), "a.pdf")
    assert labels_of(broken) == ["1", "2", "3", "4"]


@pytest.mark.parametrize("value", [1, 4, 9, 14, 40, 49, 90, 399])
def test_roman_numbers_go_both_ways(value: int) -> None:
    assert roman_value(to_roman(value)) == value
    number = lone_number(to_roman(value).upper())
    assert number is not None and number.value == value


@pytest.mark.parametrize("text", ["mix", "iiii", "Xi", "a 4", "4 5", "12.5", "vi a"])
def test_what_is_no_page_number(text: str) -> None:
    assert lone_number(text) is None


def test_two_rows_of_numbers_on_the_same_pages_take_the_one_that_counts() -> None:
    removed = {page: [f"Volume 7, 2020, {page + 101}"] for page in range(6)}
    assert printed_labels(removed, 6) == {page + 1: str(page + 101) for page in range(6)}
    assert printed_labels({0: ["4"], 5: ["9"]}, 6) == {}


def test_bookmarks_that_point_to_wrong_or_missing_pages_are_found_by_their_words(
    read_bytes: ReadBytes, make_pdf: MakePdf
) -> None:
    titles = ["Duties of keepers", "Fees of the port", "Oils and wicks"]
    pages = [
        [(LEFT, 780, 10, "F1", title), *set_columns(column_lines(1, at * 10, 4), 740, rows_first=False)]
        for at, title in enumerate(titles)
    ]
    marks = [(titles[0], 1, 800.0), (titles[1], 1, 800.0), (titles[2], 99, 800.0)]
    document = read_bytes(make_pdf(pages, marks), "a.pdf")
    assert [(section.title, document.place(section.start).page) for section in document.sections] == [
        (title, at + 1) for at, title in enumerate(titles)
    ]
