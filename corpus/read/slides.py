"""PowerPoint files: each slide is a section and a page, through python-pptx."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from typing import Any

from pincite.corpus.read.builder import Draft, TextBuilder, collapse
from pincite.corpus.read.failure import failure
from pincite.corpus.read.package import Package

# Groups inside groups beyond which nothing is read.
DEPTH = 20


def read_slides(data: bytes, package: Package) -> Draft:
    """The draft of a presentation: titles, texts, tables and notes of its slides in order.

    Raises `ReadError`: `unsupported_format` without the `formats` extra, `damaged`, `unsafe_xml`.
    """
    if find_spec("pptx") is None:
        raise failure(
            "unsupported_format",
            "a PowerPoint file is read by python-pptx: install pincite with its `formats` extra",
        )
    import pptx
    from lxml.etree import LxmlError
    from pptx.exc import PythonPptxError

    package.refuse_entities()
    builder = TextBuilder()
    try:
        for number, slide in enumerate(pptx.Presentation(io.BytesIO(data)).slides, start=1):
            _append(builder, slide, number)
    except (PythonPptxError, LxmlError, KeyError, ValueError, TypeError, AttributeError, IndexError) as error:
        raise failure("damaged", "the presentation cannot be read") from error
    return builder.finish()


def _append(builder: TextBuilder, slide: Any, number: int) -> None:
    title = slide.shapes.title
    words = collapse(title.text_frame.text) if title is not None and title.has_text_frame else ""
    builder.heading(1, words or f"Slide {number}", page=number)
    for shape in _shapes(slide.shapes):
        if title is not None and shape.shape_id == title.shape_id:
            continue
        if getattr(shape, "has_table", False):
            builder.table([[cell.text for cell in row.cells] for row in shape.table.rows], page=number)
        elif shape.has_text_frame:
            for paragraph in shape.text_frame.paragraphs:
                text = "".join(run.text for run in paragraph.runs).replace("\v", "\n")
                if paragraph.level and text.strip():
                    builder.item(text, depth=paragraph.level - 1, page=number)
                else:
                    builder.block(text, page=number)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        notes = slide.notes_slide.notes_text_frame.text.strip()
        if notes:
            builder.block(f"Notes: {notes}", page=number)


def _shapes(shapes: Iterable[Any], depth: int = 0) -> Iterator[Any]:
    """The shapes of a slide in order, also those inside groups."""
    for shape in shapes:
        inner = getattr(shape, "shapes", None)
        if inner is None:
            yield shape
        elif depth < DEPTH:
            yield from _shapes(inner, depth + 1)
