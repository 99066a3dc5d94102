"""Markdown line by line, for texts that would be too much for a real parser."""

from __future__ import annotations

import re

from pincite.corpus.read.builder import INDENT_LEVELS, TextBuilder

FENCE = re.compile(r"\s*(?P<fence>`{3,}|~{3,})")
ATX = re.compile(r" {0,3}(?P<marks>#{1,6})[ \t]+(?P<title>.*?)(?:[ \t]+#+)?[ \t]*$")


def read_flat(text: str, builder: TextBuilder, line_offset: int) -> None:
    """Append the lines of `text`: ATX headings outside fences make headings, all else stays as it stands."""
    fence: str | None = None
    blank = True
    for number, line in enumerate(text.split("\n"), start=line_offset + 1):
        mark = FENCE.match(line)
        if mark is not None:
            if fence is None:
                fence = mark["fence"]
            elif mark["fence"][0] == fence[0] and len(mark["fence"]) >= len(fence):
                fence = None
            continue
        found = ATX.match(line) if fence is None else None
        if found is not None:
            builder.heading(len(found["marks"]), found["title"], line=number)
            blank = True
        elif line.strip():
            indent = min(len(line) - len(line.lstrip()), 2 * INDENT_LEVELS)
            builder.block(" " * indent + line.strip(), line=number, tight=not blank)
            blank = False
        else:
            blank = True
