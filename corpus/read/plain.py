"""Plain text: headings by number and capitals, every line with its number in the file."""

from __future__ import annotations

import re
from collections import Counter

from pincite.corpus.headings import find_headings
from pincite.corpus.lines import lines_of
from pincite.corpus.read.builder import Draft, TextBuilder
from pincite.corpus.read.plain_furniture import without_furniture

# "[title] Scope [/title]": markup in square brackets.
TAG = re.compile(r"\[(?P<close>/?)(?P<tag>[a-z][a-z_]{2,30})\][^\S\n]*")
LEAST_TAGS = 3


def without_tags(text: str) -> str:
    """A text without the tags in square brackets around its parts, where it has such markup."""
    opened = Counter(match["tag"] for match in TAG.finditer(text) if not match["close"])
    closed = Counter(match["tag"] for match in TAG.finditer(text) if match["close"])
    tags = {tag for tag in opened if min(opened[tag], closed[tag]) >= LEAST_TAGS}
    return TAG.sub(lambda match: "" if match["tag"] in tags else match[0], text) if tags else text


def read_plain(text: str) -> Draft:
    """The draft of a plain text: its lines as they stand, without form feeds and page headers."""
    text, cut = without_furniture(without_tags(text))
    builder = TextBuilder()
    start = len(text) - len(text.lstrip())
    # Indentation of the first line matters for what is nested in it.
    start = text.rfind("\n", 0, start) + 1
    first = text[:start].count("\n")
    builder.block(text[start:].replace("\f", " ").replace("\v", " "), line=1 + first)
    draft = builder.finish()
    lines = lines_of(draft.text, behind=frozenset(at - first for at in cut))
    return Draft(draft.text, tuple(find_headings(lines)), draft.places)
