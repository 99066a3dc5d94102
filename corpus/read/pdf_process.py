"""Runs the PDF worker: whatever a file does to the parser, the caller gets pages or a `ReadError`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pincite.corpus.read.failure import failure

# Seconds without a page after which the worker is stopped, and seconds for a whole file.
SILENCE = 60.0
WHOLE = 1800.0
TEXT_CHARS = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class PdfLine:
    """A line as the page shows it; lengths in points from the lower left corner of the page.

    `gaps` are those as wide as between columns: offset in the text, right edge before, left edge behind.
    `column` counts the columns of a page from 1; 0 is a page without any, or what spans them.
    """

    text: str
    left: float
    right: float
    top: float
    bottom: float
    size: float
    bold: bool
    gaps: tuple[tuple[int, float, float], ...] = ()
    column: int = 0


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the outline; `page` counts from 0 and is -1 for none, `height` is where on it, None
    when not stated."""

    level: int
    title: str
    page: int
    height: float | None


@dataclass(frozen=True, slots=True)
class RawPdf:
    """What the worker found: the lines of each page in the order of the file, and the labels of all pages."""

    title: str
    outline: tuple[Bookmark, ...]
    pages: tuple[tuple[PdfLine, ...], ...]
    broken: tuple[int, ...]
    labels: tuple[str, ...] = ()


def extract(data: bytes, *, silence: float = SILENCE) -> RawPdf:
    """The pages of a PDF. Raises `ReadError`: `encrypted`, `damaged` (also when the parser dies or falls
    silent for `silence` seconds) or `too_large`."""
    head: dict[str, Any] | None = None
    pages: list[tuple[PdfLine, ...]] = []
    broken: list[int] = []
    chars = 0
    for line in _worker_lines(data, silence):
        if "error" in line:
            raise failure(line["error"], line["message"])
        if head is None:
            head = line
            continue
        pages.append(tuple(_line(fields) for fields in line["lines"]))
        chars += sum(len(item.text) for item in pages[-1])
        if chars > TEXT_CHARS:
            raise failure("too_large", f"the PDF holds more than {TEXT_CHARS:,} characters")
        if line.get("broken"):
            broken.append(line["page"])
    if head is None or len(pages) != head["pages"]:
        raise failure("damaged", "the PDF makes its parser stop or hang")
    outline = tuple(Bookmark(*entry) for entry in head["outline"])
    return RawPdf(head["title"], outline, tuple(pages), tuple(broken), tuple(head["labels"]))


def _line(fields: list[Any]) -> PdfLine:
    text, left, right, top, bottom, size, bold, gaps = fields
    return PdfLine(
        text, left, right, top, bottom, size, bold, tuple((at, end, start) for at, end, start in gaps)
    )


def _worker_lines(data: bytes, silence: float) -> Iterator[dict[str, Any]]:
    """The lines that the worker writes until it ends or is stopped; the last one may be missing."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONUTF8": "1"}
    command = [sys.executable, "-P", "-m", "pincite.corpus.read.pdf_worker"]
    with tempfile.TemporaryFile() as source:
        source.write(data)
        source.seek(0)
        try:
            process = subprocess.Popen(  # noqa: S603 - our own module, no input in the command
                command, stdin=source, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
            )
        except OSError as error:
            raise failure("unreadable", f"the PDF parser cannot be started: {error.strerror}") from error
        assert process.stdout is not None
        whole = threading.Timer(WHOLE, process.kill)
        watch = threading.Timer(silence, process.kill)
        for timer in (whole, watch):
            timer.daemon = True
            timer.start()
        try:
            for line in process.stdout:
                watch.cancel()
                watch = threading.Timer(silence, process.kill)
                watch.daemon = True
                watch.start()
                if line.endswith(b"\n"):
                    yield json.loads(line)
        finally:
            whole.cancel()
            watch.cancel()
            process.kill()
            process.stdout.close()
            process.wait()
