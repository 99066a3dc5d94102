from __future__ import annotations

from collections.abc import Callable

import pytest

from pincite.corpus.document import Document

ReadBytes = Callable[..., Document]


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_delimiter_is_told_and_the_first_row_is_the_header(read_bytes: ReadBytes, mark: str) -> None:
    rows = [
        ["clause", "party", "amount"],
        ["4.1", "Supplier", "1000"],
        ["4.2", "Customer", f'"2{mark}5 net"'],
    ]
    document = read_bytes("\n".join(mark.join(row) for row in rows), "a.csv")
    assert (
        document.text
        == f"clause\tparty\tamount\n4.1\tSupplier\t1000\n4.2\tCustomer\t{' '.join(f'2{mark}5 net'.split())}"
    )
    assert document.tables == ((0, len(document.text)),)


def test_cells_of_several_lines_stay_in_their_row(read_bytes: ReadBytes) -> None:
    document = read_bytes('a,b\n"one\ntwo",3\n4,5\n', "a.csv")
    assert document.text == "a\tb\none two\t3\n4\t5"
    assert [document.place(document.text.index(word)).line for word in ("a\t", "one", "4")] == [1, 2, 4]


def test_a_long_table_is_cut_between_rows(read_bytes: ReadBytes) -> None:
    document = read_bytes(
        "name,text\n" + "".join(f"n{n},Some words. And more words here\n" for n in range(600)), "a.csv"
    )
    assert len(document.sections) > 5
    for section in document.sections[1:]:
        assert document.text[section.start - 1] == "\n"
        assert document.text[section.start] == "n"
