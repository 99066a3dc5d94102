"""A passage's text cut into what can be quoted: sentences, list items, and table rows with their header."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from pincite.corpus.sentences import sentence_spans

ITEM_MARK = re.compile(r"[ \t]*(?:[-*•–‣◦·]|\(?(?:\d{1,3}|[A-Za-z]|[ivxlc]{1,5})[.)])[ \t]+(?=\S)")
_LEANS_BACK = re.compile(
    r"(?:it|its|they|their|them|this|these|those|that|he|she|his|her|such|both|neither|the (?:latter|former)"
    r"|er|sie|es|dies\w{0,2}|diese[mnrs]?|deren|dessen|il|elle|ils|elles|ce|cet|cette|ces|cela|celui-ci"
    r"|este|esta|esto|estos|estas|ello|ellos|questo|questa|questi|queste|esso|essa|deze|dit|hij|zij)\b"
    r"|这|该|其|它|他|她|此|هذا|هذه|ذلك|وهو|وهي",
    re.IGNORECASE,
)
ENDS = re.compile(r"[.!?…。！？؟।;；:：][\"'”’»)\]」』]*$")
_CONTINUES = re.compile(r"[;:,：；](?:\s+(?:and|or|und|oder|et|ou))?$")
_OPENING_MARKS = re.compile(r"^(?:[\"'“‘«\[\s]|\(?[a-zA-Z0-9]{1,4}[.)]\s)+")
_WORDLIKE = re.compile(r"\w+")
_MOST_ITEMS = 12
_HEADING_WORDS = 12
_RUN_IN_WORDS = 7
_SECTION_NUMBER = re.compile(
    r"^\W*(?:(?:section|article|clause)\s+)?\(?(?:\d+(?:\.\d+)*|[a-z]|[ivxlc]+)[.):]?\s+", re.IGNORECASE
)


class Kind(StrEnum):
    """What a segment is: only the first four can be quoted as an answer."""

    sentence = "sentence"
    item = "item"
    row = "row"
    intro = "intro"
    header = "header"
    heading = "heading"


@dataclass(frozen=True, slots=True)
class Segment:
    """A span of a passage's text.

    `block` counts the paragraphs, lists and tables of the passage, so that neighbours in one block belong
    together. `lead` is what must be said first for the segment to be understood (the header of a row, the
    line that introduces a list, the sentence an opening "This" points to), as a span, None for nothing.
    `tail` is the end of the items that an introducing line introduces. `whole` is false where the passage
    begins or ends inside it. `under` is the last heading before it in the passage.
    """

    kind: Kind
    start: int
    end: int
    block: int
    lead: tuple[int, int] | None = None
    tail: int | None = None
    whole: bool = True
    under: tuple[int, int] | None = None


@dataclass(slots=True)
class _Line:
    start: int
    end: int
    text: str


def segments(text: str) -> list[Segment]:
    """Every segment of a passage, in order; spans count characters of `text`."""
    found: list[Segment] = []
    for number, block in enumerate(_blocks(text)):
        if any("\t" in line.text for line in block):
            found.extend(_table(block, number))
        else:
            found.extend(_prose(text, block, number))
    return _introduced(text, found)


def _blocks(text: str) -> Iterator[list[_Line]]:
    """Lines grouped by blank lines, by the change from table to prose, and by list items."""
    block: list[_Line] = []
    for line in _lines(text):
        if not line.text.strip():
            if block:
                yield block
            block = []
            continue
        starts_item = bool(ITEM_MARK.match(line.text))
        changes = bool(block) and ("\t" in line.text) != ("\t" in block[-1].text)
        if block and (changes or (starts_item and "\t" not in line.text)):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def line_blocks(text: str) -> Iterator[tuple[int, int]]:
    """The paragraphs, list items (without their marks) and table rows of a text as spans, in order."""
    for block in _blocks(text):
        if any("\t" in line.text for line in block):
            yield from ((line.start, line.end) for line in block)
        else:
            marker = ITEM_MARK.match(block[0].text)
            yield block[0].start + (marker.end() if marker else 0), block[-1].end


def _lines(text: str) -> Iterator[_Line]:
    at = 0
    for line in text.split("\n"):
        yield _Line(at, at + len(line), line)
        at += len(line) + 1


def _table(block: list[_Line], number: int) -> Iterator[Segment]:
    header = block[0]
    yield Segment(Kind.header, header.start, header.end, number)
    for line in block[1:]:
        yield Segment(Kind.row, line.start, line.end, number, lead=(header.start, header.end))


def _prose(text: str, block: list[_Line], number: int) -> Iterator[Segment]:
    marker = ITEM_MARK.match(block[0].text)
    start = block[0].start + (marker.end() if marker else 0)
    body = text[start : block[-1].end]
    if looks_like_heading(body) and not marker:
        yield Segment(Kind.heading, start, block[-1].end, number)
        return
    before: tuple[int, int] | None = None
    opening: tuple[int, int] | None = None
    for left, right in sentence_spans(body):
        span = (start + left, start + right)
        words = text[span[0] : span[1]]
        lead = opening if before and _CONTINUES.search(text[before[0] : before[1]]) else None
        if not lead:
            opening = span
            lead = before if before and _LEANS_BACK.match(words) else None
        whole = bool(marker) or _whole(text, span, led=bool(lead))
        yield Segment(_kind(words, item=bool(marker)), *span, number, lead=lead, whole=whole)
        before = span


def _kind(words: str, *, item: bool) -> Kind:
    if not item and (looks_like_heading(words) or _runs_in(words)):
        return Kind.heading
    if words.rstrip().endswith((":", "：")):
        return Kind.intro
    return Kind.item if item else Kind.sentence


def _whole(text: str, span: tuple[int, int], *, led: bool) -> bool:
    """Whether the passage holds all of the sentence, as far as its ends tell.

    One that begins with a small letter and has nothing before it that it goes on from was cut.
    """
    words = text[span[0] : span[1]]
    first = _OPENING_MARKS.sub("", words)[:1]
    cut_front = first.islower() and not led
    cut_back = span[1] >= len(text.rstrip()) and not ENDS.search(words.rstrip())
    return not cut_front and not cut_back


def _introduced(text: str, found: list[Segment]) -> list[Segment]:
    """Ties each introducing line to the items behind it, and the items to their introducing line."""
    result: list[Segment] = []
    intro: int | None = None
    under: tuple[int, int] | None = None
    for segment in found:
        placed = replace(segment, under=under)
        if segment.kind is Kind.heading:
            under = (segment.start, segment.end)
        if intro is not None and segment.block != result[intro].block:
            opening = result[intro]
            gap = segment.block - opening.block
            if _is_item(text, segment) and gap <= _MOST_ITEMS:
                result[intro] = replace(opening, tail=segment.end)
                placed = replace(placed, lead=segment.lead or (opening.start, opening.end))
            elif segment.kind is not Kind.header or gap > 1:
                intro = None
        result.append(placed)
        if segment.kind is Kind.intro:
            intro = len(result) - 1
    return result


def _is_item(text: str, segment: Segment) -> bool:
    line = text.rfind("\n", 0, segment.start) + 1
    return bool(ITEM_MARK.match(text, line)) and segment.kind in (Kind.item, Kind.intro)


def _runs_in(words: str) -> bool:
    """Whether a "sentence" is a heading that stands in the line of its text: "12.13 Governing Law."."""
    bare = words.rstrip()
    if not bare.endswith((".", ":")) or len(bare.split()) > _RUN_IN_WORDS:
        return False
    title = _SECTION_NUMBER.sub("", bare[:-1])
    cased = [word for word in _WORDLIKE.findall(title) if len(word) > 3]
    return bool(cased) and all(word[0].isupper() for word in cased) and not any(map(str.isdigit, title))


def looks_like_heading(text: str) -> bool:
    """Whether a line of its own reads like a heading: short, without an end mark, capitalised or numbered.

    A script without capitals is judged by its missing end mark and length alone.
    """
    words = _WORDLIKE.findall(text)
    if not words or len(words) > _HEADING_WORDS or "\t" in text or ENDS.search(text.rstrip()):
        return False
    cased = [word for word in words if word[0].isalpha() and word.lower() != word.upper()]
    if not cased:
        return len(text.strip()) <= 2 * _HEADING_WORDS
    raised = sum(word[0].isupper() for word in cased if len(word) > 3 or word.isupper())
    weighty = sum(len(word) > 3 or word.isupper() for word in cased) or 1
    return len(words) <= 3 or raised / weighty >= 0.6 or text.lstrip()[:1].isdigit()
