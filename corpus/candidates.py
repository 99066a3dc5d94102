"""Lines of text without markup that look like headings: numbered, with a keyword, or in capitals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pincite.corpus.labels import TOP_KINDS, Label, parse_label

LONGEST = 120
TITLE_WORDS = 14
RUN_IN_WORDS = 12
TITLE_CHARS = 100
TITLE_LINES = 6
LONG_WORDS = 45
LONG_CHARS = 320
FINISHED = re.compile(r"[.;:!?,。；：！？、][\"'”’)\]」』）]*$")
SENTENCES = re.compile(r"\w[.:]\s+\S|\s{3}")
LEAD_IN = re.compile(r"\b[^\W\d_A-Z][^\W_]*:$")
# The end of a line in a table of contents: dots or a gap, and a page.
PAGE_TAIL = re.compile(r"(?:\s{3,}|\t|\.{2,}|…|_{3,}|(?:\.\s){3,})\s*(?:\d{1,4}|[ivxl]{1,6})?\s*$")
# Words that only sentences have; a title that holds one of them is the beginning of a paragraph.
_SENTENCE = (
    "shall will is are was were has have had means hereby agrees agree may must should would does "
    "soll sollen wird werden ist sind hat haben kann können muss müssen "
    "est sont doit doivent peut peuvent sera seront debe deberá puede será son es"
)
SENTENCE_WORDS = frozenset(_SENTENCE.split())
_DANGLING = "and or of the a an to in with by for und oder der die das des et ou de la le les y o del"
QUOTES = "\"“‘'«"
DANGLING = frozenset(_DANGLING.split())
# What ends a title at the start of its paragraph: a full stop, a colon, a dash, or a gap as in a table.
RUN_IN = re.compile(r"(?P<title>[^\n.:]{2,90}?)(?P<stop>\.(?:\s*[-–—]+)?|:|\s[-–—]{1,2}|(?=\s{3}))(?=\s+\S)")
# "[Signature page follows]", "(continued)": a remark of whoever made the file.
NOTE = re.compile(r"(?:\[[^\]]*\]|\([^)]*\))+")
FIGURE = re.compile(r"(?<!\S)[-–]?\d[\d.,]*%?(?!\S)")
WORD = re.compile(r"[^\W\d_][^\W_]*(?:['’-][^\W_]+)*")


class Style(NamedTuple):
    """The look of a heading: a kind of `labels.KINDS`, "decimal", "capitals" or "print", and a depth."""

    kind: str
    depth: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the text with its offset.

    `scale` is 0 for body print, 1 for the largest print of the document, 2 for the next and so on.
    """

    text: str
    start: int
    scale: int = 0

    @property
    def end(self) -> int:
        """The offset behind the line."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line that could be a heading, from line `first` to `last`; `end` is the offset behind its title."""

    first: int
    last: int
    start: int
    end: int
    text: str
    style: Style
    number: str = ""
    values: tuple[int, ...] = ()
    scale: int = 0


def lines_of(text: str, tables: Sequence[tuple[int, int]] = ()) -> list[Line]:
    """The lines of `text` with their offsets; white space at their ends is not part of them.

    Lines inside `tables` are empty: no heading stands there.
    """
    lines, at = [], 0
    ahead = iter(sorted(tables))
    table = next(ahead, None)
    for raw in text.split("\n"):
        while table is not None and table[1] <= at:
            table = next(ahead, None)
        start = at + len(raw) - len(raw.lstrip())
        lines.append(Line("" if table is not None and table[0] <= start else raw.strip(), start))
        at += len(raw) + 1
    return lines


def candidates(lines: Sequence[Line]) -> list[Candidate]:
    """The lines that look like headings, judged by themselves and their neighbours."""
    found: list[Candidate] = []
    at = 0
    while at < len(lines):
        candidate = _candidate(lines, at, found[-1].last if found else -1)
        if candidate is None:
            at += 1
            continue
        found.append(candidate)
        at = candidate.last + 1
    return found


def title_below(lines: Sequence[Line], at: int) -> int:
    """The last line of the title that stands below a number on line `at`; `at` itself when there is none."""
    first = at + 1
    if first < len(lines) and not lines[first].text:
        first += 1
    if first >= len(lines) or parse_label(lines[first].text) is not None:
        return at
    last = _extent(lines, first)
    text = _joined(lines, first, last)
    if _is_title(text, strict=False, long=lines[first].scale > 0):
        return last
    return at


def _candidate(lines: Sequence[Line], at: int, after: int) -> Candidate | None:
    line = lines[at]
    if len(line.text) < 2 or not _stands_free(lines, at, after):
        return None
    label = parse_label(line.text[: LONGEST * 2])
    if label is None:
        return _print(lines, at) if line.scale else _capitals(lines, at)
    if label.kind in ("letter", "roman") or (len(line.text) <= LONGEST and PAGE_TAIL.search(line.text)):
        return None
    style = _style(label)
    if not label.title:
        last = title_below(lines, at)
        if label.kind == "decimal" and (last == at or not label.closed):
            return None
        return _whole(lines, at, last, label, style)
    if not line.scale:
        whole = _body_print(lines, at, label, style)
        run_in = _run_in(line, at, label, style)
        return run_in if run_in is not None and (whole is None or SENTENCES.search(label.title)) else whole
    last = _extent(lines, at)
    if _is_title(f"{label.title} {_joined(lines, at + 1, last)}", strict=False, long=True):
        return _whole(lines, at, last, label, style)
    return _run_in(line, at, label, style)


def _body_print(lines: Sequence[Line], at: int, label: Label, style: Style) -> Candidate | None:
    """A numbered title alone on its line, in the print of the body."""
    alone = _blank(lines, at - 1) and _blank(lines, at + 1)
    strict = label.kind == "decimal" or not alone
    if (
        len(lines[at].text) > LONGEST
        or LEAD_IN.search(label.title)
        or not _is_title(label.title, strict=strict)
    ):
        return None
    return _whole(lines, at, at, label, style) if label.closed or _blank(lines, at + 1) else None


def _style(label: Label) -> Style:
    depth = max(1, len(label.values))
    return Style("decimal" if depth > 1 and label.kind not in TOP_KINDS else label.kind, depth)


def _stands_free(lines: Sequence[Line], at: int, after: int) -> bool:
    """Whether the line before is blank, finished, or a heading: otherwise this line continues it."""
    before = lines[at - 1] if at else None
    if before is None or not before.text or after == at - 1 or FINISHED.search(before.text):
        return True
    return 0 < lines[at].scale != before.scale


def _blank(lines: Sequence[Line], at: int) -> bool:
    return not 0 <= at < len(lines) or not lines[at].text


def _extent(lines: Sequence[Line], first: int) -> int:
    """The last line of a heading of several lines: they share a larger print, or all are in capitals."""
    last = first
    while last + 1 < min(first + TITLE_LINES, len(lines)):
        line, after = lines[last], lines[last + 1]
        alike = after.scale == line.scale if line.scale else line.text.isupper() and after.text.isupper()
        if not after.text or not alike or (parse_label(after.text) is not None and not _dangles(line.text)):
            break
        last += 1
    return last


def _dangles(text: str) -> bool:
    words = WORD.findall(text[-20:])
    return bool(words) and words[-1].lower() in DANGLING


def _joined(lines: Sequence[Line], first: int, last: int) -> str:
    return " ".join(line.text for line in lines[first : last + 1] if line.text)


def _whole(lines: Sequence[Line], first: int, last: int, label: Label, style: Style) -> Candidate:
    text = _joined(lines, first, last)
    scale = lines[last].scale or lines[first].scale
    return Candidate(
        first, last, lines[first].start, lines[last].end, text, style, label.number, label.values, scale
    )


def _run_in(line: Line, at: int, label: Label, style: Style) -> Candidate | None:
    """A heading at the start of its paragraph: "5. Term. This Agreement begins ..."."""
    if not label.closed:
        return None
    offset = line.text.find(label.title[:40], len(label.number))
    found = RUN_IN.match(line.text, offset) if offset >= 0 else None
    if (
        found is None
        or not _is_title(found["title"], strict=True)
        or len(found["title"].split()) > RUN_IN_WORDS
    ):
        return None
    end = found.end("stop")
    return Candidate(at, at, line.start, line.start + end, line.text[:end], style, label.number, label.values)


def _print(lines: Sequence[Line], at: int) -> Candidate | None:
    """Lines in larger or bolder print than the body, with a blank line or other print around them."""
    scale = lines[at].scale
    last = _extent(lines, at)
    if last + 1 < len(lines) and lines[last + 1].scale == scale:
        return None
    text = _joined(lines, at, last)
    if text.endswith(":") or not _is_title(text, strict=False, long=True):
        return None
    return Candidate(at, last, lines[at].start, lines[last].end, text, Style("print", scale), scale=scale)


def _capitals(lines: Sequence[Line], at: int) -> Candidate | None:
    """A line in capitals with nothing before and behind it."""
    text = lines[at].text
    if len(text) > 90 or not _blank(lines, at - 1) or not _blank(lines, at + 1):
        return None
    words = WORD.findall(text)
    letters = sum(len(word) for word in words)
    if text != text.upper() or text == text.lower() or letters < 0.7 * len(text.replace(" ", "")):
        return None
    if (
        letters < 6
        or _dangles(text)
        or NOTE.fullmatch(text)
        or text.endswith((",", ";", "-", "."))
        or text[0] in QUOTES
    ):
        return None
    return Candidate(at, at, lines[at].start, lines[at].end, text, Style("capitals", 1))


def _is_title(text: str, *, strict: bool, long: bool = False) -> bool:
    """Whether words read like a title. `strict`: most of them begin with a capital; `long`: it may run over
    several lines."""
    text = text.strip()
    words = WORD.findall(text)
    if NOTE.fullmatch(text) or len(FIGURE.findall(text)) > 2:
        return False
    if (
        not words
        or len(words) > (LONG_WORDS if long else TITLE_WORDS)
        or text.endswith((",", ";", "-", "。", "、"))
    ):
        return False
    first = text.lstrip("\"'“”‘’«([（「『【")[:1]
    if first.islower() or not first.isalnum() or _dangles(text):
        return False
    if text.isupper():
        return True
    if not long and any(word in SENTENCE_WORDS for word in words):
        return False
    if (
        (text.endswith(".") and ". " in text)
        or (not strict and "; " in text)
        or len(text) > (LONG_CHARS if long else TITLE_CHARS)
    ):
        return False
    tall = [word for word in words if len(word) > 3]
    capital = sum(not word[0].islower() for word in tall)
    return capital >= 0.6 * len(tall) or not (strict or text.endswith("."))
