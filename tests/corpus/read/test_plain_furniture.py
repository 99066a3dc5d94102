"""What a printer puts on every page of a plain text is no part of it."""

from __future__ import annotations

from pincite.corpus.read.plain import read_plain

CLAUSE = "The buyer pays the price within thirty days and bears the cost of carriage. " * 12
TITLES = ("PAYMENT", "DELIVERY", "WARRANTY", "INDEMNITY", "NOTICES", "ASSIGNMENT")


def _headings(text: str) -> list[str]:
    draft = read_plain(text)
    return [draft.text[one.start : one.end] for one in draft.headings]


def _pages(footer: str, gap: str) -> str:
    """Six pages of a clause each; a footer in front of each page but the first."""
    parts = [f"{number}. {title}\n\n{CLAUSE}" for number, title in enumerate(TITLES, 1)]
    first = f"{parts[0]}\n\n{footer.format(1)}\n\n"
    return first + "\n\n".join(f"{footer.format(2 + at)}{gap}{part}" for at, part in enumerate(parts[1:]))


def test_a_footer_that_runs_on_into_the_next_page_is_no_part_of_its_heading() -> None:
    wanted = [f"{number}. {title}" for number, title in enumerate(TITLES, 1)]
    for gap in ("\n\n", " "):
        text = _pages("Source: ORCHARD HOLDINGS CORP, 10-K/A, 12/{}/2019", gap)
        assert _headings(text) == wanted
        assert "Source" not in read_plain(text).text


def test_words_that_begin_many_paragraphs_stay() -> None:
    paragraphs = [f"On day {number} of the term the seller delivers. {CLAUSE}" for number in range(1, 8)]
    text = "\n\n".join(("1. DELIVERY", *paragraphs))
    assert read_plain(text).text.count("of the term the seller") == 7


def test_a_label_behind_a_page_header_is_a_heading_where_it_counts_on() -> None:
    stamp = "Case 31-204-ABC Doc {} Filed 04/18/31"
    for labels, wanted in (
        (("EXHIBIT A PRICES", "EXHIBIT B PLACES"), ["EXHIBIT A PRICES", "EXHIBIT B PLACES"]),
        (("EXHIBIT 2(b) FORM OF NOTICE", "EXHIBIT 8.1 SALE RULES"), []),
    ):
        clauses = [f"{number}. {title}\n\n{CLAUSE}" for number, title in enumerate(TITLES, 1)]
        pages = [*clauses, *(f"{stamp.format(9)} {label}\n\n{CLAUSE}" for label in labels)]
        text = f"\n\n{stamp.format(1)}\n\n".join(pages)
        assert _headings(text) == [f"{number}. {title}" for number, title in enumerate(TITLES, 1)] + wanted
