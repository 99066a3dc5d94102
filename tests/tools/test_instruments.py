"""Several instruments in one file: whose "Section 1.3" is meant, and what an annex is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.corpus.read import read
from pincite.corpus.records import Origin, document_records
from pincite.corpus.rows import SectionRow
from pincite.corpus.table import SECTION, section_row
from pincite.tools.resolve import resolve

BUNDLE = """MASTER SUPPLY AGREEMENT

This Master Supply Agreement is made between Alder Ltd and Birch Ltd.

SECTION 1.0 DEFINITIONS

1.1 "Goods" means garden benches made by Alder.

1.2 "Price" means the price in the list of Alder.

SECTION 2.0 DELIVERY

2.1 Alder shall deliver the Goods within ten days of an order.

SECTION 3.0 PAYMENT

3.1 Birch shall pay within thirty days.

SCHEDULE 1
SERVICE LEVEL AGREEMENT

SECTION 1.0 DEFINITIONS

1.1 "Call" means a telephone call about a broken bench.

1-2 "Response" means the first answer to a Call.

SECTION 2.0 RESPONSE

2.1 Alder shall give a Response within four hours.

APPENDIX A
OPENING HOURS

1.0 DEFINITIONS

1.1 "Day" means a day on which the yard is open.

1.2 "Hour" means an hour of such a day.

2.0 CLOSING

2.1 The yard closes at six.

SUPPORT CALENDARS

EXHIBIT 1 OF APPENDIX A          HOLIDAYS

The yard is closed on the first day of May.

EXHIBIT 2 OF APPENDIX A          SUMMER

The yard is open until eight.

CONFIDENTIALITY AGREEMENT

SECTION 1.0 SECRETS

1.1 Birch shall not tell the recipe of the varnish.

SECTION 2.0 TERM

2.1 This lasts five years.
"""
PLAIN = """MASTER SUPPLY AGREEMENT

1. DEFINITIONS

1.1 "Goods" means garden benches made by Alder.

2. DELIVERY

2.1 Alder shall deliver the Goods within ten days of an order.

3. PAYMENT

3.1 Birch shall pay within thirty days.

SCHEDULE 1
SERVICE LEVEL AGREEMENT

1. DEFINITIONS

1.1 "Call" means a telephone call about a broken bench.

2. RESPONSE

2.1 Alder shall give a Response within four hours.

SCHEDULE 2
TOOLS

1. A hammer.

2. A saw.
"""
WORDED = """Section 1. Definitions

"Goods" means garden benches made by Alder.

Section 2. Delivery

Alder shall deliver the Goods within ten days of an order.

3.0 Payment

Birch shall pay within thirty days.

STANDARD TERMS OF SALE
EXHIBIT A

These terms are part of the agreement.

1. Reservation. Alder keeps the title until the price is paid.

2. Inspection. Birch shall inspect each bench.

3. Returns. Birch may return a bench within a week.

PRICE LIST          EXHIBIT B

A bench costs forty crowns.
"""


def _rows(tmp_path: Path, text: str) -> list[SectionRow]:
    file = tmp_path / "filing.txt"
    file.write_text(text, encoding="utf-8")
    origin = Origin("d", "r", "f", "s", (), "")
    records = document_records(read(file), origin, ())
    return [section_row(record) for record in records if record["kind"] == SECTION]


def _opened(rows: list[SectionRow], reference: str) -> list[str]:
    found = []
    for target in resolve(rows, reference):
        text, row = target.row.text or "", target.row
        start, end = target.unit[1:] if target.unit else (row.start, row.end)
        found.append(text[start - row.start : end - row.start])
    return found


def test_a_number_of_several_instruments_is_ambiguous_and_its_places_differ_by_path(tmp_path: Path) -> None:
    paths = [" > ".join(target.row.path) for target in resolve(_rows(tmp_path, BUNDLE), "Section 1.1")]
    assert paths == [
        "MASTER SUPPLY AGREEMENT > SECTION 1.0 DEFINITIONS",
        "SCHEDULE 1 SERVICE LEVEL AGREEMENT > SECTION 1.0 DEFINITIONS",
        "SCHEDULE 1 SERVICE LEVEL AGREEMENT > APPENDIX A OPENING HOURS > 1.0 DEFINITIONS",
        "SCHEDULE 1 SERVICE LEVEL AGREEMENT > APPENDIX A OPENING HOURS > EXHIBIT 2 OF APPENDIX A SUMMER"
        " > CONFIDENTIALITY AGREEMENT > SECTION 1.0 SECRETS",
    ]


@pytest.mark.parametrize(
    ("reference", "begins"),
    [
        ("Section 1.1 of the Master Supply Agreement", '1.1 "Goods"'),
        ("Section 1.1 of the Service Level Agreement", '1.1 "Call"'),
        ("Schedule 1, Section 1.2", '1-2 "Response"'),
        ("clause 1.2 of Appendix A to Schedule 1", '1.2 "Hour"'),
        ("Section 1.1 of the Confidentiality Agreement", "1.1 Birch shall not tell"),
        ("Section 3.1", "3.1 Birch shall pay"),
        ("Exhibit 2 of Appendix A", "The yard is open until eight."),
    ],
)
def test_the_instrument_that_is_named_is_opened(tmp_path: Path, reference: str, begins: str) -> None:
    (text,) = _opened(_rows(tmp_path, BUNDLE), reference)
    assert text.startswith(begins)


def test_the_title_over_plain_clauses_names_the_main_body(tmp_path: Path) -> None:
    rows = _rows(tmp_path, PLAIN)
    assert len(resolve(rows, "Section 1.1")) == 2
    assert _opened(rows, "Section 2.1 of the Master Supply Agreement")[0].startswith(
        "2.1 Alder shall deliver"
    )
    assert _opened(rows, "clause 2.1 of the Service Level Agreement")[0].startswith("2.1 Alder shall give")


def test_the_items_of_a_list_in_an_annex_do_not_compete_with_clauses(tmp_path: Path) -> None:
    assert _opened(_rows(tmp_path, PLAIN), "clause 3.1") == ["3.1 Birch shall pay within thirty days."]


def test_the_word_in_front_of_a_number_tells_the_count(tmp_path: Path) -> None:
    rows = _rows(tmp_path, WORDED)
    assert _opened(rows, "Section 3") == ["Birch shall pay within thirty days."]
    assert _opened(rows, "Exhibit A, clause 3")[0].startswith("Birch may return")


def test_a_title_above_the_word_exhibit_is_its_title(tmp_path: Path) -> None:
    rows = _rows(tmp_path, WORDED)
    exhibits = [(row.number, row.title, row.path[-1]) for row in rows if (row.number or "").startswith("EX")]
    assert exhibits == [
        ("EXHIBIT A", "STANDARD TERMS OF SALE", "STANDARD TERMS OF SALE EXHIBIT A"),
        ("EXHIBIT B", "PRICE LIST", "PRICE LIST EXHIBIT B"),
    ]
    (clause,) = resolve(rows, "Exhibit A, clause 2")
    assert clause.row.path == ("STANDARD TERMS OF SALE EXHIBIT A", "2 Inspection.")
    for reference in ("Exhibit B", "STANDARD TERMS OF SALE EXHIBIT A", "Standard Terms of Sale"):
        assert len(resolve(rows, reference)) == 1


def test_an_annex_printed_on_each_page_begins_on_the_first(tmp_path: Path) -> None:
    page = "Alder keeps every bench in a dry shed and paints it twice a year. " * 12
    pages = "\n\n".join(
        f"ATTACHMENT 4\n\nRules of the Painting Shed\n\n{number}. Rule. {page}" for number in range(1, 6)
    )
    rows = _rows(tmp_path, f"1. Supply. {page}\n\n2. Price. {page}\n\n{pages}")
    (annex,) = resolve(rows, "Attachment 4")
    assert annex.row.title == "Rules of the Painting Shed"
    assert [row.number for row in rows if row.parent == annex.row.id] == ["1", "2", "3", "4", "5"]
