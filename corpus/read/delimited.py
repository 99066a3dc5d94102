"""Tables as text (CSV, TSV): one table whose first row is the header."""

from __future__ import annotations

import csv
import io

from pincite.corpus.read.builder import Draft, TextBuilder
from pincite.corpus.read.failure import failure

DELIMITERS = ",;\t|"
SAMPLE = 64 * 1024
CELL_CHARS = 10 * 1024 * 1024


def read_delimited(text: str) -> Draft:
    """The draft of a table; the delimiter is told from the first lines."""
    builder = TextBuilder()
    rows: list[list[str]] = []
    lines: list[int] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text[:SAMPLE]))
    line = 1
    csv.field_size_limit(CELL_CHARS)
    try:
        for row in reader:
            rows.append(row)
            lines.append(line)
            line = reader.line_num + 1
    except csv.Error as error:
        raise failure("damaged", f"the table cannot be read near line {line}") from error
    builder.table(rows, lines=lines)
    return builder.finish()


def _delimiter(sample: str) -> str:
    """The delimiter that splits most lines into the same number of cells, more than one."""
    lines = [line for line in sample.split("\n")[:50] if line.strip()]
    best, score = ",", 0.0
    for mark in DELIMITERS:
        counts = [len(row) for row in csv.reader(lines, delimiter=mark)]
        usual = max(set(counts), key=counts.count, default=1)
        share = counts.count(usual) / max(1, len(counts))
        if usual > 1 and share > score:
            best, score = mark, share
    return best
