"""PDF: the text of each page in reading order, with bookmarks or printed headings as sections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pincite.corpus.headings import find_headings
from pincite.corpus.labels import Heading
from pincite.corpus.lines import lines_of
from pincite.corpus.read.builder import Draft, TextBuilder
from pincite.corpus.read.failure import failure
from pincite.corpus.read.pdf_columns import in_reading_order
from pincite.corpus.read.pdf_furniture import without_furniture
from pincite.corpus.read.pdf_labels import page_labels
from pincite.corpus.read.pdf_layout import (
    begins_paragraph,
    carry_hyphens,
    join_pieces,
    mend_hyphens,
    pitches,
    word_counts,
)
from pincite.corpus.read.pdf_notes import note_texts, without_notes
from pincite.corpus.read.pdf_outline import Printed, outline_headings, with_typed
from pincite.corpus.read.pdf_print import scales
from pincite.corpus.read.pdf_process import PdfLine, RawPdf, extract
from pincite.corpus.read.pdf_tables import tables

SENTENCE_END = re.compile(r"[.!?:;][\"'”’)\]]*$")
TITLE_PAGES = 2


def read_pdf(data: bytes) -> Draft:
    """The draft of a PDF. Raises `ReadError`: `no_text_layer` when no page holds text, and as `extract`."""
    raw = extract(data)
    ordered = [in_reading_order(join_pieces(page)) for page in raw.pages]
    words = word_counts(ordered)
    pages, printed = without_furniture(mend_hyphens(ordered, words))
    if not any(any(char.isalnum() for char in line.text) for page in pages for line in page):
        raise failure("no_text_layer", "the PDF holds pictures of pages and no text")
    pages, notes = without_notes(pages)
    pages = carry_hyphens(pages, words)
    builder = TextBuilder()
    places = _append(builder, pages, notes)
    draft = builder.finish(title=_title(raw))
    headings = _headings(draft, raw, places)
    labels = page_labels(raw.labels, printed)
    return replace(
        draft,
        headings=tuple(headings),
        places=tuple(replace(place, label=labels.get(place.page or 0)) for place in draft.places),
        warnings=_warnings(raw),
    )


def _append(
    builder: TextBuilder, pages: Sequence[Sequence[PdfLine]], notes: Sequence[Sequence[PdfLine]]
) -> list[tuple[PdfLine, int, int, int]]:
    """Append all lines, with a blank line before a paragraph; each line with its page and its span.

    The footnotes of a page stand behind the paragraph that runs over its end.
    """
    usual = pitches(pages)
    places: list[tuple[PdfLine, int, int, int]] = []
    before: PdfLine | None = None
    waiting: list[tuple[str, int]] = []
    for number, page in enumerate(pages):
        inside = {table.first: table for table in tables(page)}
        at = 0
        while at < len(page):
            line = page[at]
            table = inside.get(at)
            if table is not None:
                _append_notes(builder, waiting)
                builder.table(table.rows, page=number + 1)
                before, at = None, table.last + 1
                continue
            tight = before is not None and (
                not begins_paragraph(before, line, usual(line.size))
                if at and before.column == line.column
                else _goes_on(before.text, line.text)
            )
            if not tight:
                _append_notes(builder, waiting)
            span = builder.block(line.text, page=number + 1, tight=tight)
            if span is not None:
                places.append((line, number, *span))
                before = line
            at += 1
        waiting += [(note, number + 1) for note in note_texts(notes[number])]
    _append_notes(builder, waiting)
    return places


def _append_notes(builder: TextBuilder, waiting: list[tuple[str, int]]) -> None:
    for note, page in waiting:
        builder.block(note, page=page)
    waiting.clear()


def _goes_on(before: str, after: str) -> bool:
    """Whether a paragraph runs over the end of a page."""
    return not SENTENCE_END.search(before) and after[:1].islower()


def _headings(draft: Draft, raw: RawPdf, places: Sequence[tuple[PdfLine, int, int, int]]) -> list[Heading]:
    text = draft.text
    printed = [Printed(start, end, text[start:end], page, line.top) for line, page, start, end in places]
    marks = outline_headings(raw.outline, printed) or []
    scale = dict(zip((line.start for line in printed), scales([line for line, *_ in places]), strict=True))
    lines = [replace(line, scale=scale.get(line.start, 0)) for line in lines_of(text, draft.tables)]
    return with_typed(marks, lines) if marks else find_headings(lines)


def _title(raw: RawPdf) -> str | None:
    """The title in the file's properties, if the first pages print it too: often it is a left-over."""
    words = _letters(raw.title)
    start = "".join(_letters(line.text) for page in raw.pages[:TITLE_PAGES] for line in page)
    return raw.title if len(words) >= 4 and words in start else None


def _warnings(raw: RawPdf) -> tuple[str, ...]:
    warnings = []
    blank = [number + 1 for number, page in enumerate(raw.pages) if not page]
    if blank:
        shown = ", ".join(map(str, blank[:10])) + (" and others" if len(blank) > 10 else "")
        warnings.append(f"no text on page {shown}: these pages are blank or pictures")
    return tuple(warnings)


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
