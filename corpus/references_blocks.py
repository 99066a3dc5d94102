"""Parts of a unit's text that carry no number: subparagraphs, indents, sentences, items inside a sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.corpus.sentences import sentence_spans

Span = tuple[int, int]

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")
_LINE = re.compile(r"\n\s*")
_STOP = re.compile(r"[.!?…][\"”’“»)\]]*\Z")
_LABEL = re.compile(r"\(?\w{1,5}[.)]+")
_DASH = re.compile(r"\s*[-–—•▪‒*][^\S\n]+")
_ITEM_END = re.compile(r"[;,](?:\s*(?:and|or|und|oder|sowie|et|ou|y|o|e))?\s*\Z", re.IGNORECASE)

# "Section 4(b)", "clauses (a) and (b)": labels that are cited, not opened.
_CITED = re.compile(
    r"(?:sections?|articles?|paragraphs?|subparagraphs?|clauses?|points?|items?|subsections?|§|lit\.|buchst\w*|letras?)"
    r"(?:\s*\(\w+\)\s*(?:,|and|or|und|oder|et|y|o|to))*\Z",
    re.IGNORECASE,
)


def blocks(text: str, start: int, end: int, inside: Sequence[Span]) -> list[Span]:
    """Paragraphs of `text[start:end]` outside the spans `inside`; lines where no blank line parts them."""
    between = _BLANK_LINE if _BLANK_LINE.search(text, start, end) else _LINE
    found: list[Span] = []
    for left, right in _outside(start, end, inside):
        at = left
        for match in [*between.finditer(text, left, right), None]:
            stop = match.start() if match is not None else right
            words = text[at:stop].strip()
            if any(sign.isalnum() for sign in words):
                begin = text.index(words[0], at)
                found.append((begin, begin + len(words)))
            at = match.end() if match is not None else right
    return found


def subparagraphs(text: str, start: int, end: int, inside: Sequence[Span]) -> list[Span]:
    """The subparagraphs of a unit: each an unnumbered paragraph with the list that follows it."""
    own = blocks(text, start, end, inside)
    items = {span for run in _runs(text, own) for span in run}
    heads = [span[0] for span in own if span not in items]
    if not heads or (inside and inside[0][0] < heads[0]):
        heads.insert(0, start)
    groups = [*heads, end]
    found = []
    for at, begin in enumerate(heads):
        stop = begin + len(text[begin : groups[at + 1]].rstrip())
        found.append((begin, stop))
    return found


def indents(text: str, start: int, end: int, inside: Sequence[Span]) -> list[Span]:
    """The items of lists without labels: paragraphs behind a dash, or those that a colon announces."""
    own = blocks(text, start, end, inside)
    dashed = [span for span in own if _DASH.match(text, *span)]
    return dashed or [span for run in _runs(text, own) for span in run]


def sentences(text: str, start: int, end: int) -> list[Span]:
    """The sentences of a span as they are counted: one goes on over its list to its full stop."""
    found: list[Span] = []
    whole = True
    for left, right in sentence_spans(text[start:end]):
        if whole or not found:
            found.append((start + left, start + right))
        else:
            found[-1] = (found[-1][0], start + right)
        words = text[start + left : start + right].rstrip()
        whole = _STOP.search(words) is not None and not _LABEL.fullmatch(words)
    return found


def flush(text: str, start: int, end: int, inside: Sequence[Span]) -> list[Span]:
    """What stands behind the last item of a list, at the margin of the text in front of it."""
    if not inside:
        return []
    last = max(stop for _, stop in inside)
    return [span for span in blocks(text, start, end, inside) if span[0] >= last]


def inline_item(text: str, start: int, end: int, label: str) -> Span | None:
    """The item "(b)" of a list inside running text: up to the next label, or the end of its paragraph."""
    marks = _marks(text, start, end)
    shape = _shape(label)
    for at, (name, begin) in enumerate(marks):
        if name != label:
            continue
        following = next((b for n, b in marks[at + 1 :] if _shape(n) == shape and n != label), end)
        stop = text.find("\n\n", begin, following)
        stop = following if stop < 0 else stop
        return begin, begin + len(text[begin:stop].rstrip())
    return None


def _marks(text: str, start: int, end: int) -> list[tuple[str, int]]:
    """Labels in brackets that open an item: not those of "Section 4(b)" or "clause (b)"."""
    found = []
    for match in re.finditer(
        r"\((?P<label>[A-Za-z]{1,2}|[ivxl]{1,5}|\d{1,2})\)(?=[^\S\n]*[^\s.,;)])", text[start:end]
    ):
        before = text[max(start, start + match.start() - 20) : start + match.start()]
        stripped = before.rstrip()
        joined = bool(before) and before == stripped
        cited = _CITED.search(stripped)
        if not joined and not cited:
            found.append((match["label"], start + match.start()))
    return found


def _shape(label: str) -> str:
    return "1" if label.isdigit() else "a" if label.islower() else "A"


def _outside(start: int, end: int, inside: Sequence[Span]) -> list[Span]:
    found = []
    at = start
    for left, right in sorted(inside):
        if left > at:
            found.append((at, min(left, end)))
        at = max(at, right)
    if at < end:
        found.append((at, end))
    return found


def _runs(text: str, own: Sequence[Span]) -> list[list[Span]]:
    """Unlabelled lists: dashed paragraphs, and after a colon those that end like items, with the last one."""
    runs: list[list[Span]] = []
    run: list[Span] | None = None
    announced = False
    for span in own:
        words = text[span[0] : span[1]]
        dashed = _DASH.match(words) is not None
        item = dashed or (announced and run is not None)
        if item and run is not None:
            run.append(span)
            if not dashed and not _ITEM_END.search(words):
                announced, run = False, None
            continue
        if dashed:
            run = [span]
            runs.append(run)
            continue
        run = None
        announced = words.endswith(":")
        if announced:
            run = []
            runs.append(run)
    return [run for run in runs if len(run) > 1]
