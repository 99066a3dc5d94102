"""Plain text: headings by number and capitals, every line with its number in the file."""

from __future__ import annotations

from pincite.corpus.candidates import lines_of
from pincite.corpus.headings import find_headings
from pincite.corpus.read.builder import Draft, TextBuilder


def read_plain(text: str) -> Draft:
    """The draft of a plain text: its lines as they stand, form feeds as blank lines."""
    builder = TextBuilder()
    start = len(text) - len(text.lstrip())
    # Indentation of the first line matters for what is nested in it.
    start = text.rfind("\n", 0, start) + 1
    builder.block(text[start:].replace("\f", " ").replace("\v", " "), line=1 + text[:start].count("\n"))
    draft = builder.finish()
    return Draft(draft.text, tuple(find_headings(lines_of(draft.text))), draft.places)
