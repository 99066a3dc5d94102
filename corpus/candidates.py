"""Lines of text without markup that look like headings: numbered, with a keyword, or in capitals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pincite.corpus.labels import TOP_KINDS, Label, parse_label

LONGEST = 120
TITLE_WORDS = 14
TITLE_LINES = 3
FINISHED = re.compile(r"[.;:!?,][\"'”’)\]]*$")
LEADERS = re.compile(r"(?:\.\s?){4,}|…{2,}|_{4,}")
PAGE_TAIL = re.compile(r"(?:\s{3,}|\t|\.{2,}|…)\s*(?:\d{1,4}|[ivxl]{1,6})\s*$")
# Words that only sentences have; a title that holds one of them is the beginning of a paragraph.
_SENTENCE = (
    "shall will is are was were has have had means hereby agrees agree may must should would does been be "
    "soll sollen wird werden ist sind hat haben kann können muss müssen "
    "est sont doit doivent peut peuvent sera seront debe deberá puede será son es"
)
SENTENCE_WORDS = frozenset(_SENTENCE.split())
_DANGLING = "and or of the a an to in with by for und oder der die das des et ou de la le les y o del"
DANGLING = frozenset(_DANGLING.split())
RUN_IN = re.compile(
    r"(?P<title>[^\n.:;]{2,80}?)(?P<stop>\.(?:\s*[-–—]+)?|:|\s[-–—]{1,2})(?=\s+[\"'“‘(\[]?\S)"
)
WORD = re.compile(r"[^\W\d_][^\W_]*(?:['’-][^\W_]+)*")


class Style(NamedTuple):
    """A way headings are numbered: a kind of `labels.KINDS`, "decimal", "capitals" or "print", and a depth."""

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
    values: tuple[int, ...]
    scale: int = 0
    run_in: bool = False


def lines_of(text: str) -> list[Line]:
    """The lines of `text` with their offsets; white space at their ends is not part of them."""
    lines, at = [], 0
    for raw in text.split("\n"):
        stripped = raw.strip()
        lines.append(Line(stripped, at + len(raw) - len(raw.lstrip())))
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


def _candidate(lines: Sequence[Line], at: int, after: int) -> Candidate | None:
    line = lines[at]
    if len(line.text) < 2 or not _stands_free(lines, at, after):
        return None
    label = parse_label(line.text[: LONGEST * 2])
    if label is None:
        return _print(lines, at) if line.scale else _capitals(lines, at)
    if LEADERS.search(line.text) or PAGE_TAIL.search(line.text):
        return None
    if label.kind in ("letter", "roman"):
        return None
    style = _style(label)
    if label.title and _is_title(label.title, strict=label.kind == "decimal" and not line.scale):
        if len(line.text) <= LONGEST and (label.closed or line.scale or _blank(lines, at + 1)):
            return _whole(lines, at, at, label, style)
        return None
    if not label.title:
        return _with_next_title(lines, at, label, style)
    return _run_in(line, at, label, style)


def _style(label: Label) -> Style:
    depth = max(1, len(label.values))
    return Style("decimal" if depth > 1 and label.kind not in TOP_KINDS else label.kind, depth)


def _stands_free(lines: Sequence[Line], at: int, after: int) -> bool:
    """Whether the line before is blank, finished, or a heading: otherwise this line continues it."""
    before = lines[at - 1].text if at else ""
    return not before or after == at - 1 or bool(FINISHED.search(before)) or lines[at].scale > 0


def _blank(lines: Sequence[Line], at: int) -> bool:
    return at >= len(lines) or not lines[at].text


def _whole(lines: Sequence[Line], first: int, last: int, label: Label, style: Style) -> Candidate:
    text = " ".join(line.text for line in lines[first : last + 1] if line.text)
    scale = lines[first].scale
    return Candidate(first, last, lines[first].start, lines[last].end, text, style, label.values, scale)


def _with_next_title(lines: Sequence[Line], at: int, label: Label, style: Style) -> Candidate | None:
    """A number alone on its line, with the title on the next one ("CHAPTER I" above "GENERAL PROVISIONS")."""
    title = at + 1
    while title < len(lines) and not lines[title].text and title < at + 2:
        title += 1
    last = at
    for number in range(title, min(title + TITLE_LINES, len(lines))):
        text = lines[number].text
        if not _is_title(text, strict=False) or len(text) > LONGEST or parse_label(text) is not None:
            break
        if number > title and not (text.isupper() and lines[number - 1].text.isupper()):
            break
        last = number
    if label.kind == "decimal" and (last == at or not label.closed):
        return None
    return _whole(lines, at, last, label, style)


def _run_in(line: Line, at: int, label: Label, style: Style) -> Candidate | None:
    """A heading at the start of its paragraph: "5. Term. This Agreement begins ..."."""
    if not label.closed or (not line.text.endswith(label.title) and len(line.text) <= LONGEST * 2):
        return None
    offset = line.text.find(label.title[:40], len(label.number))
    found = RUN_IN.match(line.text, offset) if offset >= 0 else None
    if found is None or not _is_title(found["title"], strict=True) or len(found["title"].split()) > 9:
        return None
    end = found.end("stop")
    return Candidate(at, at, line.start, line.start + end, line.text[:end], style, label.values, run_in=True)


def _print(lines: Sequence[Line], at: int) -> Candidate | None:
    """Lines in larger or bolder print than the body, with a blank line or other print around them."""
    scale = lines[at].scale
    last = at
    while last + 1 < min(at + TITLE_LINES, len(lines)) and lines[last + 1].scale == scale:
        last += 1
    if last + 1 < len(lines) and lines[last + 1].scale == scale:
        return None
    text = " ".join(line.text for line in lines[at : last + 1])
    if len(text) > 2 * LONGEST or not _is_title(text, strict=False):
        return None
    return Candidate(at, last, lines[at].start, lines[last].end, text, Style("print", scale), (), scale)


def _capitals(lines: Sequence[Line], at: int) -> Candidate | None:
    """A line in capitals with nothing before and behind it."""
    text = lines[at].text
    if len(text) > 90 or not (_blank(lines, at - 1) or at == 0) or not _blank(lines, at + 1):
        return None
    words = WORD.findall(text)
    letters = sum(len(word) for word in words)
    if text != text.upper() or text == text.lower() or letters < 0.7 * len(text.replace(" ", "")):
        return None
    if not any(len(word) > 3 for word in words) or text.endswith((",", ";", "-")):
        return None
    return Candidate(at, at, lines[at].start, lines[at].end, text, Style("capitals", 1), ())


def _is_title(text: str, *, strict: bool) -> bool:
    """Whether words read like a title. `strict`: most of them begin with a capital."""
    text = text.strip()
    words = WORD.findall(text)
    if not words or len(words) > TITLE_WORDS or text.endswith((",", ";", "-")):
        return False
    first = text.lstrip("\"'“”‘’«([")[:1]
    if first.islower() or words[-1].lower() in DANGLING or not (first.isalnum()):
        return False
    if text.isupper():
        return True
    if any(word in SENTENCE_WORDS for word in words):
        return False
    body = text.rstrip(".:")
    if (text.endswith(".") and ". " in text) or "; " in body or len(text) > 100:
        return False
    long = [word for word in words if len(word) > 3]
    capital = sum(not word[0].islower() for word in long)
    return capital >= 0.6 * len(long) if strict else not text.endswith(".")
