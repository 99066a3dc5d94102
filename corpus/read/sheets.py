"""Excel workbooks: each sheet is a section with a table, through openpyxl."""

from __future__ import annotations

import io
import warnings
from datetime import date, datetime, time
from importlib.util import find_spec
from itertools import groupby, takewhile
from zipfile import BadZipFile

from pincite.corpus.read.builder import Draft, TextBuilder
from pincite.corpus.read.failure import failure
from pincite.corpus.read.package import Package

CELLS = 2_000_000
# Empty rows and columns beyond the data, as formatting leaves them, are not walked through.
EMPTY_ROWS = 10_000
# Lines above a table that are its title; more of them are a list.
MOST_TITLES = 4


def read_workbook(data: bytes, package: Package) -> Draft:
    """The draft of a workbook: the values that its cells show, formulas as last computed.

    Raises `ReadError`: `unsupported_format` without openpyxl, `damaged`, `too_large`, `unsafe_xml`.
    """
    if find_spec("openpyxl") is None:
        raise failure(
            "unsupported_format",
            "an Excel workbook is read by openpyxl: install pincite with its `formats` extra",
        )
    import openpyxl
    from openpyxl.utils.exceptions import InvalidFileException

    package.refuse_entities()
    builder = TextBuilder()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
            cells = 0
            for sheet in book.worksheets:
                rows: list[list[str]] = []
                empty = 0
                # What the file says about its own size may be far from the truth.
                sheet.reset_dimensions()
                for row in sheet.iter_rows(values_only=True):
                    shown = [_shown(value) for value in row]
                    cells += len(shown)
                    if cells > CELLS:
                        raise failure("too_large", f"the workbook has more than {CELLS:,} cells")
                    empty = 0 if any(shown) else empty + 1
                    if empty > EMPTY_ROWS:
                        builder.warnings.append(
                            f"what stands far below the rest of {sheet.title!r} was not read"
                        )
                        break
                    if any(shown) or (rows and rows[-1]):
                        rows.append(shown if any(shown) else [])
                if rows:
                    builder.heading(1, sheet.title)
                    _append(builder, rows)
            book.close()
    except (
        InvalidFileException,
        BadZipFile,
        KeyError,
        ValueError,
        TypeError,
        AttributeError,
        IndexError,
        OSError,
        SyntaxError,
    ) as error:
        raise failure("damaged", "the workbook cannot be read") from error
    return builder.finish()


def _append(builder: TextBuilder, rows: list[list[str]]) -> None:
    """The tables of a sheet; an empty row ends one where another begins with a title or in other columns."""
    table: list[list[str]] = []
    for filled, group in groupby(rows, key=bool):
        block = list(group) if filled else []
        titles = _titles(block)
        if table and block and (titles or _used(block) != _used(table)):
            builder.table(_without_empty_columns(table))
            table = []
        for row in titles:
            builder.block(next(cell for cell in row if cell))
        table += block[len(titles) :]
    if table:
        builder.table(_without_empty_columns(table))


def _titles(block: list[list[str]]) -> list[list[str]]:
    """The rows of one cell that stand above the rows of several."""
    alone = list(takewhile(lambda row: sum(map(bool, row)) == 1, block))
    return alone if len(alone) < len(block) and len(alone) <= MOST_TITLES else []


def _used(rows: list[list[str]]) -> set[int]:
    return {at for row in rows for at, cell in enumerate(row) if cell}


def _without_empty_columns(rows: list[list[str]]) -> list[list[str]]:
    width = max(len(row) for row in rows)
    used = [at for at in range(width) if any(at < len(row) and row[at] for row in rows)]
    return [[row[at] if at < len(row) else "" for at in used] for row in rows]


def _shown(value: object) -> str:
    """A cell as text: dates in ISO form, whole numbers without a point."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(round(value, 10))
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "minutes")
    if isinstance(value, date | time):
        return value.isoformat()
    return " ".join(str(value).split())
