"""The part of PDF reading that runs in a process of its own: a broken file can hang or kill the parser.

Reads a PDF from standard input and writes JSON lines: {"pages", "title", "outline", "labels"} first, then one
{"page", "width", "height", "lines"} for each page. A line is [text, left, right, baseline at its start,
baseline at its end, size, bold, gaps], in points from the lower left corner. What cannot be read is one last
{"error": code, "message"}.
"""

from __future__ import annotations

import ctypes
import json
import re
import sys
from collections.abc import Iterator
from typing import Any, TextIO

SPACES = re.compile(r"\s+")
# In parts of the height of the print; the gaps of justified text are smaller.
WIDE_GAP = 0.9
LINE = re.compile(r"[^\r\n]+")
MEMORY = 3 * 1024 * 1024 * 1024
PAGES = 20_000
PAGE_CHARS = 2_000_000
OUTLINE = 20_000
OUTLINE_DEPTH = 12
LABEL_CHARS = 40
BOLD_WEIGHT = 600
PASSWORD_ERROR = 4
SECURITY_ERROR = 5


def main() -> None:
    """Entry of the process."""
    _limit_memory()
    for line in answer(sys.stdin.buffer.read()):
        _write(sys.stdout, line)


def answer(data: bytes) -> Iterator[dict[str, Any]]:
    """The JSON lines for the PDF in `data`."""
    import pypdfium2
    from pypdfium2 import PdfiumError

    try:
        document = pypdfium2.PdfDocument(data)
    except PdfiumError as error:
        code = getattr(error, "err_code", None)
        if code in (PASSWORD_ERROR, SECURITY_ERROR):
            yield {"error": "encrypted", "message": "the PDF is protected by a password"}
        else:
            yield {"error": "damaged", "message": "the PDF cannot be opened, its structure is broken"}
        return
    count = len(document)
    if count > PAGES:
        yield {"error": "too_large", "message": f"the PDF has {count:,} pages; at most {PAGES:,} are read"}
        return
    yield {
        "pages": count,
        "title": _title(document),
        "outline": list(_outline(document)),
        "labels": _labels(document),
    }
    for number in range(count):
        try:
            yield _page(document, number)
        except PdfiumError:
            # One page that does not load must not lose the others.
            yield {"page": number, "width": 0, "height": 0, "lines": [], "broken": True}
        except OverflowError as error:
            yield {"error": "too_large", "message": str(error)}
            return


def _write(stream: TextIO, line: dict[str, Any]) -> None:
    stream.write(json.dumps(line, ensure_ascii=True) + "\n")
    stream.flush()


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = MEMORY if hard == resource.RLIM_INFINITY else min(MEMORY, hard)
    if soft == resource.RLIM_INFINITY or soft > limit:
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def _title(document: Any) -> str:
    return " ".join(str(document.get_metadata_value("Title")).replace("\0", " ").split())


def _labels(document: Any) -> list[str]:
    """The label of each page, "" for none; nothing where the file gives no labels."""
    from pypdfium2 import PdfiumError

    try:
        labels = [str(document.get_page_label(number)) for number in range(len(document))]
    except (PdfiumError, ValueError, UnicodeDecodeError):
        return []
    labels = [" ".join(label.replace("\0", " ").split())[:LABEL_CHARS] for label in labels]
    return labels if any(labels) else []


def _outline(document: Any) -> Iterator[list[Any]]:
    """[level from 1, title, page from 0, height or None] of each bookmark; page -1 where it leads to none."""
    from pypdfium2 import PdfiumError

    try:
        for seen, bookmark in enumerate(document.get_toc(max_depth=OUTLINE_DEPTH)):
            if seen >= OUTLINE:
                return
            target = bookmark.get_dest()
            page = target.get_index() if target is not None else None
            title = " ".join(bookmark.get_title().replace("\0", " ").split())
            if not title:
                continue
            if page is None or page < 0:
                yield [bookmark.level + 1, title, -1, None]
                continue
            kind, view = target.get_view()
            # Kind 1 is [left, top, zoom], kind 3 is [top].
            top = view[1] if kind == 1 and len(view) > 1 else view[0] if kind == 3 and view else None
            yield [bookmark.level + 1, title, page, top]
    except (PdfiumError, ValueError, UnicodeDecodeError):
        return


def _page(document: Any, number: int) -> dict[str, Any]:
    import pypdfium2.raw as pdfium

    page = document[number]
    try:
        width, height = page.get_size()
        textpage = page.get_textpage()
        try:
            count = textpage.count_chars()
            if count > PAGE_CHARS:
                raise OverflowError(
                    f"page {number + 1} has {count:,} characters; at most {PAGE_CHARS:,} are read"
                )
            text = textpage.get_text_range()
            lines = list(_lines(pdfium, textpage.raw, text))
        finally:
            textpage.close()
        return {"page": number, "width": width, "height": height, "lines": lines}
    finally:
        page.close()


def _lines(pdfium: Any, textpage: Any, text: str) -> Iterator[list[Any]]:
    for match in LINE.finditer(text):
        words = match[0].strip()
        if words:
            start = match.start() + match[0].index(words[0])
            yield [words, *_look(pdfium, textpage, words, start)]


def _look(pdfium: Any, textpage: Any, words: str, start: int) -> list[Any]:
    """Left, right, baselines of the first and the last character, size, weight and gaps of a line."""
    inked = [at for at, char in enumerate(words) if not char.isspace()]
    first, middle, last = (
        max(0, pdfium.FPDFText_GetCharIndexFromTextIndex(textpage, start + at))
        for at in (inked[0], inked[len(inked) // 2], inked[-1])
    )
    x, y, x_last, y_last = (ctypes.c_double() for _ in range(4))
    pdfium.FPDFText_GetCharOrigin(textpage, first, x, y)
    pdfium.FPDFText_GetCharOrigin(textpage, last, x_last, y_last)
    box = [ctypes.c_double() for _ in range(4)]
    pdfium.FPDFText_GetCharBox(textpage, last, *box)
    sizes = sorted(_size(pdfium, textpage, at) for at in (first, middle, last))
    bold = all(_is_bold(pdfium, textpage, at) for at in (first, middle, last))
    right = max(box[1].value, x_last.value)
    numbers = [round(number, 1) for number in (x.value, right, y.value, y_last.value, sizes[1])]
    return [*numbers, bold, _gaps(pdfium, textpage, words, start, WIDE_GAP * sizes[1])]


def _gaps(pdfium: Any, textpage: Any, words: str, start: int, wide: float) -> list[list[float]]:
    """[offset in the line, right edge before, left edge behind] of each gap as wide as between columns."""
    found = []
    for space in SPACES.finditer(words):
        edges = [ctypes.c_double() for _ in range(4)]
        at = pdfium.FPDFText_GetCharIndexFromTextIndex(textpage, start + space.start() - 1)
        pdfium.FPDFText_GetCharBox(textpage, at, *edges)
        right = edges[1].value
        at = pdfium.FPDFText_GetCharIndexFromTextIndex(textpage, start + space.end())
        pdfium.FPDFText_GetCharBox(textpage, at, *edges)
        if edges[0].value - right > wide:
            found.append([space.start(), round(right, 1), round(edges[0].value, 1)])
    return found


def _size(pdfium: Any, textpage: Any, at: int) -> float:
    """The height of the font at a character, as it is shown."""
    loose = pdfium.FS_RECTF()
    pdfium.FPDFText_GetLooseCharBox(textpage, at, loose)
    return abs(float(loose.top) - float(loose.bottom))


def _is_bold(pdfium: Any, textpage: Any, at: int) -> bool:
    if pdfium.FPDFText_GetFontWeight(textpage, at) >= BOLD_WEIGHT:
        return True
    name = ctypes.create_string_buffer(128)
    flags = ctypes.c_int()
    size = pdfium.FPDFText_GetFontInfo(textpage, at, name, len(name), flags)
    return 0 < size <= len(name) and b"bold" in name.value.lower()


if __name__ == "__main__":
    main()
