from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.corpus.document import Document
from pincite.corpus.read import pdf_process
from pincite.errors import ReadError

ReadBytes = Callable[..., Document]
MakePdf = Callable[..., bytes]
Outline = Callable[[Document], list[tuple[int, str]]]
WORDS = ["Anna", "Bela", "Carl", "Dora", "Emil", "Fritz", "Gina"]
Shown = tuple[float, float, float, str, str]


def _page(lines: list[str], top: float = 760) -> list[Shown]:
    return [(72, top - 16 * at, 11, "F1", line) for at, line in enumerate(lines) if line]


def _prose(page: int) -> list[str]:
    return [f"{WORDS[(page + n) % 7]} says in line {n} that nothing of note happened." for n in range(6)]


def test_every_character_knows_its_page(read_bytes: ReadBytes, make_pdf: MakePdf) -> None:
    document = read_bytes(make_pdf([_page(["First page here."]), [], _page(["Third page here."])]), "a.pdf")
    assert [document.place(document.text.index(word)).page for word in ("First", "Third")] == [1, 3]
    assert document.warnings == ("no text on page 2: these pages are blank or pictures",)


def test_headers_footers_and_page_numbers_are_no_text(read_bytes: ReadBytes, make_pdf: MakePdf) -> None:
    pages = [
        [
            (72, 810, 9, "F1", "Acme Ltd, General Terms"),
            *_page(_prose(n)),
            (280, 30, 9, "F1", str(n)),
            (72, 18, 9, "F1", f"v3 / {n} of 9"),
        ]
        for n in range(1, 10)
    ]
    text = read_bytes(make_pdf(pages), "a.pdf").text
    assert "Acme" not in text
    assert "of 9" not in text
    assert [line for line in text.split("\n") if line.strip().isdigit()] == []
    assert text.count("nothing of note") == 54


def test_text_that_is_alike_on_every_page_is_still_text(read_bytes: ReadBytes, make_pdf: MakePdf) -> None:
    pages = [_page([f"Page {n}: the clause number is {n}."]) for n in range(1, 21)]
    document = read_bytes(make_pdf(pages), "a.pdf")
    assert document.text.count("the clause number is") == 20


def test_headings_at_the_top_of_pages_are_not_taken_for_headers(
    read_bytes: ReadBytes, make_pdf: MakePdf
) -> None:
    numbers = [4, 5, 9, 12, 13, 20, 21, 30, 34, 40]
    pages = [[(72, 810, 9, "F1", "Act"), *_page([f"Article {n}", "", *_prose(n)])] for n in numbers]
    document = read_bytes(make_pdf(pages), "a.pdf")
    assert [section.number for section in document.sections] == [f"Article {n}" for n in numbers]


def test_a_list_of_numbers_is_not_taken_for_page_numbers(read_bytes: ReadBytes, make_pdf: MakePdf) -> None:
    document = read_bytes(make_pdf([_page(["Rank", "1", "2", "3", "4", "5"])]), "a.pdf")
    assert document.text.split() == ["Rank", "1", "2", "3", "4", "5"]


def test_bookmarks_make_the_tree_where_they_point(
    read_bytes: ReadBytes, make_pdf: MakePdf, outline: Outline
) -> None:
    pages = [
        _page(["The fee and the term are set out below.", "", "Fees", "", *_prose(1)]),
        _page([*_prose(2), "", "Term", "", "Two years."]),
    ]
    document = read_bytes(make_pdf(pages, marks=[("Fees", 1, 735), ("Term", 2, 650)]), "The deal.pdf")
    assert outline(document) == [(1, "The deal"), (1, "Fees"), (1, "Term")]
    term = document.sections[-1]
    assert document.text[term.start : term.end] == "Two years."
    assert document.place(term.heading_start).page == 2


def test_bookmarks_whose_titles_are_nowhere_are_left_aside(read_bytes: ReadBytes, make_pdf: MakePdf) -> None:
    pages = [_page(["1. Fees", "", *_prose(1), "", "2. Term", "", *_prose(1)])]
    document = read_bytes(make_pdf(pages, marks=[("Foo", 1, 700), ("Bar", 1, 650)]), "a.pdf")
    assert [section.number for section in document.sections] == ["1", "2"]


def test_larger_and_bolder_print_makes_headings(
    read_bytes: ReadBytes, make_pdf: MakePdf, outline: Outline
) -> None:
    page = [
        (72, 800, 22, "F2", "Northern Growth Fund"),
        (72, 760, 15, "F2", "Costs"),
        (72, 740, 11, "F1", "The ongoing charge is 0.45 % a year and is taken from the fund."),
        (72, 724, 11, "F1", "There is no entry charge and no exit charge for any class."),
        (72, 690, 15, "F2", "Risks"),
        (72, 670, 11, "F1", "The value of shares may fall as well as rise over any period."),
        (72, 640, 11, "F2", "Currency risk"),
        (72, 620, 11, "F1", "Returns may rise or fall with the rate of exchange over time."),
    ]
    document = read_bytes(make_pdf([page], title="Northern Growth Fund"), "a.pdf")
    assert document.title == "Northern Growth Fund"
    assert outline(document) == [
        (1, "Northern Growth Fund"),
        (1, "Costs"),
        (1, "Risks"),
        (2, "Currency risk"),
    ]


def test_a_title_in_the_properties_counts_when_it_is_printed(
    read_bytes: ReadBytes, make_pdf: MakePdf
) -> None:
    pages = [_page(["Terms of use", "", *_prose(1)])]
    assert read_bytes(make_pdf(pages, title="Terms of Use"), "a.pdf").title == "Terms of Use"
    assert read_bytes(make_pdf(pages, title="Microsoft Word - draft7.doc"), "a.pdf").title == "a"


def test_lines_of_a_paragraph_stay_together_and_paragraphs_apart(
    read_bytes: ReadBytes, make_pdf: MakePdf
) -> None:
    page = [
        (72, 760, 11, "F1", "One begins"),
        (72, 746, 11, "F1", "and ends."),
        (72, 718, 11, "F1", "Two begins"),
        (72, 704, 11, "F1", "and ends."),
    ]
    assert read_bytes(make_pdf([page]), "a.pdf").text == "One begins\nand ends.\n\nTwo begins\nand ends."


def test_words_cut_at_a_line_end_are_whole_and_compounds_keep_their_hyphen(
    read_bytes: ReadBytes, make_pdf: MakePdf
) -> None:
    lines = [
        "This engagement covers all rights that are non-exclusive and also every engage-",
        "ment that is not exclusive or non-",
        "exclusive, and a broad and well based",
        "rule that is well-",
        "based on what holds.",
    ]
    text = read_bytes(make_pdf([_page(lines)]), "a.pdf").text
    assert "every engagement that" in text
    assert "or non-exclusive, and" in text
    assert "is well-based on" in text


def test_pieces_beside_each_other_are_one_line(read_bytes: ReadBytes, make_pdf: MakePdf) -> None:
    page = [
        (72, 760, 11, "F1", "Ongoing charge"),
        (300, 760, 11, "F1", "0.45 %"),
        (72, 744, 11, "F1", "Entry charge"),
        (300, 744, 11, "F1", "none"),
    ]
    assert read_bytes(make_pdf([page]), "a.pdf").text == "Ongoing charge 0.45 %\nEntry charge none"


def test_cells_in_columns_are_a_table_with_its_header(read_bytes: ReadBytes, make_pdf: MakePdf) -> None:
    rows = [
        ("Holding", "Country", "Weight"),
        ("Vestland Grid", "Norway", "6.3 %"),
        ("Puerto Albero", "", "5.8 %"),
        ("Maple Road", "Canada", "4.7 %"),
        ("Lumen Netze", "Germany", "4.2 %"),
    ]
    page = _page(["The table lists the largest holdings of the fund."], 780)
    for at, row in enumerate(rows):
        page += [
            (x, 740 - 18 * at, 10, "F1", cell) for x, cell in zip((72, 220, 340), row, strict=True) if cell
        ]
    page += _page(["These holdings make up a fifth of the fund."], 620)
    document = read_bytes(make_pdf([page]), "a.pdf")
    ((start, end),) = document.tables
    assert document.text[start:end] == "\n".join("\t".join(row) for row in rows)
    assert document.text.endswith("\n\nThese holdings make up a fifth of the fund.")


def test_numbered_items_with_wide_gaps_are_no_table(read_bytes: ReadBytes, make_pdf: MakePdf) -> None:
    page: list[Shown] = []
    for at, mark in enumerate("abcd"):
        page += [
            (72, 760 - 16 * at, 11, "F1", f"({mark})"),
            (120, 760 - 16 * at, 11, "F1", "an item of a list"),
        ]
    document = read_bytes(make_pdf([page]), "a.pdf")
    assert document.tables == ()
    assert [unit.number for unit in document.sections[0].units] == ["(a)", "(b)", "(c)", "(d)"]


def test_a_pdf_without_text_says_so(read_bytes: ReadBytes, make_pdf: MakePdf) -> None:
    with pytest.raises(ReadError) as caught:
        read_bytes(make_pdf([[], []]), "a.pdf")
    assert caught.value.code == "no_text_layer"


@pytest.mark.parametrize(
    "data", [b"%PDF-1.7\n", b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>"]
)
def test_a_broken_pdf_is_damaged(read_bytes: ReadBytes, data: bytes) -> None:
    with pytest.raises(ReadError) as caught:
        read_bytes(data, "a.pdf")
    assert caught.value.code in ("damaged", "no_text_layer")


def test_a_parser_that_falls_silent_is_stopped(make_pdf: MakePdf) -> None:
    start = time.monotonic()
    with pytest.raises(ReadError) as caught:
        pdf_process.extract(make_pdf([_page(["Text."])]), silence=0.001)
    assert caught.value.code == "damaged"
    assert time.monotonic() - start < 20


def test_the_worker_needs_nothing_from_the_working_folder(
    read_bytes: ReadBytes, make_pdf: MakePdf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Modules that a synced folder could slip in must not be imported.
    for name in ("json.py", "ctypes.py", "pypdfium2.py"):
        (tmp_path / name).write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    assert read_bytes(make_pdf([_page(["Text."])]), "a.pdf").text == "Text."
