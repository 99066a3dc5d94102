"""Several instruments in one text: agreements with clauses of their own, annexes that belong to an annex."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from pincite.corpus.candidates import Candidate
from pincite.corpus.labels import KIND_OF
from pincite.corpus.references_names import names_document
from pincite.corpus.styles import Style

ATTACHED = ("annex", "appendix")
# Kinds of clauses whose numbers carry a word; where such a count begins anew, another instrument does.
WORDED = ("article", "section", "sign", "clause")
# Below the headings that a level is given for, above the next ones.
BETWEEN = 1
ALIKE = 0.9
_WORDS = "|".join(word for word, kind in KIND_OF.items() if kind in ATTACHED)
_OF = re.compile(
    rf"(?:of|to|zu|zur|von|de|del|à|aux?)\s+(?:the\s+|la\s+|l[’'])?"
    rf"(?P<whole>(?:{_WORDS})\s+[A-Z0-9]{{1,4}})\b",
    re.IGNORECASE,
)


def instrument_levels(found: Sequence[Candidate], level: Mapping[Style, int]) -> list[int]:
    """The level of each heading; those of its style, but for titles of instruments and annexes of annexes.

    Where the clauses of a text are counted from one again, each title of an agreement that stands in front of
    such a count holds its clauses. "EXHIBIT 2 OF APPENDIX A" lies below that appendix.
    """
    levels = [level[item.style] for item in found]
    for at, above in _titles(found, level).items():
        levels[at] = above
    known: dict[str, int] = {}
    for at, item in enumerate(found):
        if item.style.kind not in ATTACHED:
            continue
        whole = _OF.match(" ".join(item.text.split())[len(" ".join(item.number.split())) :].lstrip())
        if whole is not None and _spelled(whole["whole"]) in known:
            levels[at] = known[_spelled(whole["whole"])] + BETWEEN
        known[_spelled(item.number)] = levels[at]
    return levels


def _titles(found: Sequence[Candidate], level: Mapping[Style, int]) -> dict[int, int]:
    """The headings that are titles of an instrument, with the level above its clauses."""
    numbered = [item.style for item in found if item.values and item.style.kind not in (*ATTACHED, "bracket")]
    top = min(numbered, key=lambda style: level[style], default=None)
    if top is None or top.kind not in WORDED:
        return {}
    begins = [at for at, item in enumerate(found) if item.style == top and item.values[-1] == 1]
    if len(begins) < 2:
        return {}
    titles: dict[int, int] = {}
    for at in begins:
        before = found[at - 1] if at else None
        if before is not None and before.style.kind in ("capitals", "print") and names_document(before.text):
            titles[at - 1] = level[top] - BETWEEN
    return titles


def same_annex(one: Candidate, other: Candidate) -> bool:
    """Whether two headings of annexes are the same one, printed again on another page."""
    if _spelled(one.number) != _spelled(other.number):
        return False
    texts = (" ".join(one.text.casefold().split()), " ".join(other.text.casefold().split()))
    return min(map(len, texts)) > len(one.number) and SequenceMatcher(None, *texts).ratio() >= ALIKE


def _spelled(number: str) -> str:
    return " ".join(number.casefold().split())
