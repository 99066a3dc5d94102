"""Which line breaks end a sentence: before list items, table rows and headings, not in wrapped lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.corpus.sentence_words import TAKES_NUMBER

Span = tuple[int, int]

_DIVISION = (
    r"(?:article|section|sec\.|chapter|part|clause|schedule|annex|exhibit|appendix|rule|item|note|step|recital"
    r"|artikel|art\.|abschnitt|kapitel|teil|anhang|anlage|§+)"
)
_NUMBER = r"(?:\d{1,4}(?:\.\d{1,3})*[a-zA-Z]?|[a-zA-Z]|[ivxlc]{1,7}|[IVXLC]{1,7})"
_MARKED = rf"(?:[(\[]{_NUMBER}[)\]]\.?|{_NUMBER}[.):])"
# What stands at the beginning of a numbered paragraph, up to and with its full stop.
LABELS = re.compile(
    rf"(?i:{_DIVISION})(?:\s+|(?<=[§.])){_NUMBER}(?:{_MARKED})*[.:]?|\d{{1,3}}(?:\.\d{{1,3}})+|{_MARKED}(?:\s+{_MARKED}|[(\[]{_NUMBER}[)\]])*"
)

# A run of spaces is looked at once and as a whole, whatever is in it.
_SPACES = re.compile(r"\s{2,}|[\n\r\f\v\u2028\u2029]")
_LINE_END = re.compile(r"\r\n|[\n\r\f\v\u2028\u2029]")
_GAP = 3
_BULLET = re.compile(r"(?:[•·‣▪▫◦●○■□❑➢✓]|[-*–—]\s)\s*")
_BRACKETED = re.compile(r"\(?(?:\d{1,3}|[a-zA-Z]|[ivxlcIVXLC]{1,6})\)\s+|[①-⑳]")
_DOTTED = re.compile(r"(?:\d{1,3}\.|\d{1,3}(?:\.\d{1,3})+\.?)\s+(?=[\"“„'(\[A-ZÀ-Þ\d])")
_LETTERED = re.compile(r"(?:[a-zA-Z]|[ivxIVX]{1,6})\.\s+")
_DIVIDED = re.compile(rf"(?i:{_DIVISION})\s*(?:\d|[IVXLC]+\b)")
_CONTINUES = re.compile(
    r"(?:of|above|below|hereof|thereof|herein|and|or|to|through|und|oder|bis|des|der)\b|[,;.)]"
)
_LAST_WORD = re.compile(r"([^\W\d_]+|§+)[.]?\Z")
_WORD = re.compile(r"[^\W\d_]+")
_ENDS_CLAUSE = frozenset(".!?:;…。！？；：؟,")
_ENDS_SENTENCE = frozenset(".!?:;…。！？；：؟")
_SHORT = 80


def block_spans(text: str) -> Iterator[Span]:
    """The stretches of `text` in which only sentence marks can end a sentence, without outer spaces."""
    start = _skip(text, 0)
    line_start = start
    for match in _SPACES.finditer(text, start):
        left, right = match.span()
        if right >= len(text):
            break
        gap = match.group()
        lines = len(_LINE_END.findall(gap))
        if not lines and len(gap) < _GAP:
            continue
        if (
            lines > 1
            or "\f" in gap
            or "\u2029" in gap
            or _is_boundary(text, start, line_start, match.span(), lines)
        ):
            yield start, left
            start = right
        if lines:
            line_start = right
    end = len(text.rstrip())
    if start < end:
        yield start, end


def _skip(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _is_boundary(text: str, start: int, line_start: int, gap: Span, lines: int) -> bool:
    """Whether a line break (or a wide gap, without `lines`) ends the block that began at `start`."""
    left, right = gap
    line = text[max(line_start, left - 400) : left]
    stop = text.find("\n", right, right + 400)
    following = text[right : stop if stop >= 0 else right + 400]
    if lines and ("\t" in line or "\t" in following):
        return True
    if _is_item(line, following):
        return not _is_label(text, start, left)
    if not lines:
        return _is_heading(line) and line.isupper() and len(following) >= 40 and following[0].isupper()
    return _is_heading_next(text, line, following, stop) or _is_heading_above(
        text, start, left, line, following
    )


def _is_label(text: str, start: int, end: int) -> bool:
    """Whether the block so far is only a number or a letter, which belongs to what follows."""
    return end - start < 40 and LABELS.fullmatch(text[start:end]) is not None


def _is_item(line: str, following: str) -> bool:
    """Whether `following` begins a list item or a numbered paragraph, and not a wrapped reference to one."""
    if _BULLET.match(following):
        return True
    if line[-1:] in _ENDS_SENTENCE:
        found = (
            _BRACKETED.match(following)
            or _DOTTED.match(following)
            or _LETTERED.match(following)
            or _DIVIDED.match(following)
        )
        return found is not None
    found = _BRACKETED.match(following) or _DOTTED.match(following)
    if found is None or _CONTINUES.match(following, found.end()):
        return False
    last = _LAST_WORD.search(line[-24:])
    return last is None or last.group(1).lower() not in TAKES_NUMBER


def _is_heading(line: str) -> bool:
    """A short line in capitals or with every longer word capitalised, without a mark at its end."""
    line = line.strip()
    if not 3 <= len(line) <= _SHORT or line[-1] in _ENDS_CLAUSE or line[-1] in "-–—":
        return False
    words = _WORD.findall(line)
    longer = [word for word in words if len(word) > 3]
    return bool(longer) and words[0][0].isupper() and all(word[0].isupper() for word in longer)


def _is_heading_next(text: str, line: str, following: str, stop: int) -> bool:
    """Whether the next line is a heading: it looks like one, and neither side of it runs on."""
    if line.rstrip('"”’)')[-1:] not in _ENDS_SENTENCE or not _is_heading(following):
        return False
    after = text[stop + 1 : stop + 40].lstrip(" \t") if stop >= 0 else ""
    return not after[:1].islower()


def _is_heading_above(text: str, start: int, left: int, line: str, following: str) -> bool:
    """Whether the block so far is one heading line above its text."""
    if left - start > 60 or "\n" in text[start:left] or not _is_heading(line):
        return False
    return following[0].isupper() and len(following) > len(line)
