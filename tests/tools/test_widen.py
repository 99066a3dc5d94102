"""From a hit to a passage: whole sections that fit, whole sentences around hits, rows under their header."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.corpus.rows import ChunkHit, SectionRow
from pincite.corpus.tokens import estimate_tokens
from pincite.tools.passage import Passage
from pincite.tools.spans import pieces, shown_text
from pincite.tools.widen import cut, place_at, widen

OFFSET = 1000
PROSE = "\n\n".join(
    f"Paragraph {n} speaks of pier {n}. Its lamp is lit at dusk, and the watch writes it down. "
    f"Nobody moors at pier {n} without leave."
    for n in range(60)
)
TABLE = "Berth\tLength\tFee\n" + "\n".join(f"B{n}\t{6 + n % 5} metres\t{100 + n} crowns" for n in range(150))


def section(
    text: str, tables: tuple[tuple[int, int], ...] = (), starts: tuple[tuple[int, int], ...] = ()
) -> SectionRow:
    return SectionRow(
        document="club/handbook.md",
        document_title="Handbook",
        version="v1",
        id="s1",
        parent=None,
        number="3",
        title="Watch",
        path=("3 Watch",),
        level=1,
        position=0,
        tree_last=0,
        start=OFFSET,
        end=OFFSET + len(text),
        page=7,
        page_end=9,
        line=None,
        tokens=estimate_tokens(text),
        has_heading=True,
        starts=tuple((OFFSET + at, page, None) for at, page in starts or ((0, 7),)),
        units=(),
        tables=tuple((OFFSET + a, OFFSET + b) for a, b in tables),
        text=text,
    )


def hit(row: SectionRow, words: str, *, version: str = "v1") -> ChunkHit:
    text = row.text or ""
    start = OFFSET + text.index(words)
    return ChunkHit(
        document=row.document,
        document_title=row.document_title,
        version=version,
        section=row.id,
        number="3",
        path=row.path,
        page=7,
        page_end=7,
        line=None,
        start=start,
        end=start + len(words),
        text=words,
        label="",
        score=0.5,
    )


def original(row: SectionRow, passage: Passage) -> str:
    return (row.text or "")[passage.start - OFFSET : passage.end - OFFSET]


def test_a_section_that_fits_is_shown_whole() -> None:
    row = section("The gate is locked at ten. The key hangs in the office.")
    passage = widen(hit(row, "The key hangs"), row, 400)
    assert (passage.text, passage.start, passage.end) == (row.text, row.start, row.end)
    assert (passage.handle, passage.score, passage.number, passage.page) == ("", 0.5, "3", 7)


def test_a_hit_in_a_long_section_keeps_whole_paragraphs_around_it() -> None:
    row = section(PROSE)
    found = hit(row, "Its lamp is lit at dusk, and the watch writes it down. Nobody moors at pier 30")
    passage = widen(found, row, 200)
    assert estimate_tokens(passage.text) <= 200
    assert passage.text == original(row, passage)
    assert "Nobody moors at pier 30 without leave." in passage.text
    assert passage.text.startswith("Paragraph ")
    assert passage.text.endswith("without leave.")
    assert "Paragraph 29" in passage.text
    assert "Paragraph 31" in passage.text
    assert widen(found, row, 200) == passage


@pytest.mark.parametrize("words", ["Paragraph 0 speaks", "pier 59 without leave."])
def test_a_hit_at_an_end_uses_the_room_on_the_other_side(words: str) -> None:
    row = section(PROSE)
    passage = widen(hit(row, words), row, 200)
    assert words in passage.text
    assert 150 <= estimate_tokens(passage.text) <= 200


def test_table_rows_are_shown_under_their_header() -> None:
    text = f"{PROSE}\n\n{TABLE}\n\nThe fees are due in March."
    start = text.index("Berth\t")
    row = section(text, tables=((start, start + len(TABLE)),))
    passage = widen(hit(row, "B77\t8 metres\t177 crowns"), row, 200)
    lines = passage.text.split("\n")
    assert lines[0] == "Berth\tLength\tFee"
    assert "B77\t8 metres\t177 crowns" in lines
    assert all(line in TABLE.split("\n") for line in lines)
    assert passage.text == f"{lines[0]}\n{original(row, passage)}"
    assert estimate_tokens(passage.text) <= 200
    first = widen(hit(row, "B0\t6 metres"), row, 200)
    assert first.text == original(row, first), "a span that holds the header does not repeat it"


def test_a_passage_knows_its_pages() -> None:
    row = section(PROSE, starts=((0, 7), (2000, 8), (6000, 9)))
    passage = widen(hit(row, "Paragraph 18 speaks"), row, 300)
    assert passage.start - OFFSET < 2000 < passage.end - OFFSET
    assert (passage.page, passage.page_end) == (7, 8)
    assert place_at(row, OFFSET + 5999) == (8, None)
    assert place_at(row, OFFSET + 6000) == (9, None)


def test_without_the_section_of_that_version_the_chunk_itself_is_shown() -> None:
    row = section(PROSE)
    for one in (None, section("Something else entirely.")):
        assert (
            widen(hit(row, "Paragraph 30 speaks of pier 30."), one, 400).text
            == "Paragraph 30 speaks of pier 30."
        )
    assert widen(hit(row, "Paragraph 30", version="v0"), row, 400).text == "Paragraph 30"


@pytest.mark.parametrize(
    "text", ["x" * 20_000, "第一条押金不退还给租客" * 900, "word " * 5000, "a\tb\n" * 3000]
)
def test_text_without_sentences_is_cut_within_the_budget(text: str) -> None:
    row = section(text)
    passage = widen(hit(row, text[:40].strip()), row, 400)
    assert 0 < estimate_tokens(passage.text) <= 400
    spans = list(pieces(row, row.start, row.end, 400))
    assert all(estimate_tokens(shown_text(row, *span, 400)) <= 400 for span in spans)
    kept = "".join(text[a - OFFSET : b - OFFSET] for a, b in spans)
    assert "".join(kept.split()) == "".join(text.split())


def test_pieces_break_between_paragraphs_where_that_leaves_no_small_ones() -> None:
    row = section(PROSE)
    spans = list(pieces(row, row.start, row.end, 200))
    assert all(PROSE[a - OFFSET :].startswith("Paragraph ") for a, _ in spans)
    assert min(estimate_tokens(shown_text(row, *span, 200)) for span in spans[:-1]) >= 100


TEXTS = st.lists(
    st.sampled_from(
        [
            "One thing. ",
            "Another thing, longer than the first one!",
            "\n",
            "\n\n",
            "a\tb\n",
            "第一条。",
            "x" * 90,
        ]
    )
).map("".join)


@settings(max_examples=60)
@given(TEXTS, st.integers(20, 60))
def test_pieces_are_in_order_and_lose_nothing_but_white_space(text: str, budget: int) -> None:
    row = section(text)
    spans = list(pieces(row, row.start, row.end, budget))
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    kept = "".join(text[a - OFFSET : b - OFFSET] for a, b in spans)
    assert "".join(kept.split()) == "".join(text.split())
    for span in spans:
        assert cut(row, *span, budget).text.strip()


@settings(max_examples=60)
@given(TEXTS.filter(lambda text: text.strip()), st.data())
def test_a_window_always_holds_the_start_of_its_hit(text: str, data: st.DataObject) -> None:
    row = section(text * 4)
    full = row.text or ""
    at = data.draw(st.integers(0, len(full) - 1).filter(lambda n: not full[n].isspace()))
    found = hit(row, full[at : at + 5].strip())
    passage = widen(found, row, 60)
    assert passage.start <= found.start < passage.end
    assert estimate_tokens(passage.text) <= 60
