"""How headings look: the kind of their number and how deep it counts."""

from __future__ import annotations

import re
from typing import NamedTuple

from pincite.corpus.labels import TOP_KINDS, Label

# "(a)", "(1)", "(A)", "(i)", "(I)": the order in which statutes nest them.
BRACKETS = (re.compile(r"[a-z]{1,2}"), re.compile(r"\d+"), re.compile(r"[A-Z]{1,2}"))


class Style(NamedTuple):
    """The look of a heading: a kind of `labels.KINDS`, "decimal", "roman", "letter", "bracket", "capitals" or
    "print", and a depth."""

    kind: str
    depth: int


def style_of(label: Label) -> Style:
    """The look of a heading that begins with this number."""
    depth = 1 if label.kind in ("annex", "appendix") else max(1, len(label.values))
    if label.number.startswith("("):
        inner = label.number.strip("()")
        return Style("bracket", next((n for n, form in enumerate(BRACKETS) if form.fullmatch(inner)), 3) + 1)
    if label.number.startswith("§") and depth == 1:
        return Style("sign", 1)
    return Style("decimal" if depth > 1 and label.kind not in (*TOP_KINDS, "letter") else label.kind, depth)
