"""Lines of text without markup that look like headings: numbered, with a keyword, or in capitals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite.corpus.annexes import lists_annexes, lone_annex, title_above
from pincite.corpus.labels import TOP_KINDS, Label, parse_label
from pincite.corpus.lines import FINISHED, Line, blank, joined
from pincite.corpus.run_in import run_in_end
from pincite.corpus.styles import Style, style_of
from pincite.corpus.titles import NOTE, WORD, dangles, is_title

LONGEST = 120
# "RECITALS:" is a heading, "HAVE ADOPTED THIS REGULATION:" the beginning of a sentence.
LEAD_IN_WORDS = 3
TITLE_LINES = 6
# A title in the case of a sentence: "3 Duty to label goods".
PLAIN_WORDS = 8
SENTENCES = re.compile(r"\w[.:]\s+\S|\s{3}")
LEAD_IN = re.compile(r"\b[^\W\d_A-Z][^\W_]*:$")
# The end of a line in a table of contents: dots or a gap, and a page.
PAGE_TAIL = re.compile(
    r"(?:\s{3,}|\t|\.{2,}|…|_{3,}|(?:\.\s){3,})\s*(?:(?:page|seite|p\.|s\.)\s*)?(?:\d{1,4}|[ivxl]{1,6})?\s*$",
    re.IGNORECASE,
)
QUOTES = "\"“‘'«"


BRACKET_WORDS = 10
# An untitled clause holds at least so many characters: less is an item of a list, or a wrapped reference.
CLAUSE_CHARS = 40
# Kinds whose titles are printed like a sentence in some countries.
STOPPED = ("article", "provision")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line that could be a heading, from line `first` to `last`; `end` is the offset behind its title.

    `titled`: a title follows the number; without one it is the number of a clause, which begins at once.
    `inner`: it begins inside a line. `above`: the title, where it is printed above the number.
    """

    first: int
    last: int
    start: int
    end: int
    text: str
    style: Style
    number: str = ""
    values: tuple[int, ...] = ()
    scale: int = 0
    titled: bool = True
    inner: bool = False
    above: str = ""


def candidates(lines: Sequence[Line]) -> list[Candidate]:
    """The lines that look like headings, judged by themselves and their neighbours."""
    found: list[Candidate] = []
    at = 0
    while at < len(lines):
        whole = bool(found) and found[-1].titled and found[-1].end == lines[found[-1].last].end
        candidate = _candidate(lines, at, found[-1].last if whole else -1)
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
    text = joined(lines, first, last)
    if is_title(text, strict=False, long=lines[first].scale > 0, roomy=True):
        return last
    return at


def _candidate(lines: Sequence[Line], at: int, after: int) -> Candidate | None:
    line = lines[at]
    if len(line.text) < 2:
        return None
    label = parse_label(line.text[: LONGEST * 2]) or lone_annex(lines, at)
    if not _stands_free(lines, at, after) and not _stands_alone(lines, at, label):
        return None
    if label is None:
        return _print(lines, at) if line.scale else _capitals(lines, at)
    if len(line.text) <= LONGEST and PAGE_TAIL.search(line.text):
        return None
    style = style_of(label)
    attached = style.kind in ("annex", "appendix") and len(line.text) <= LONGEST
    if attached and line.text.endswith(".") and not line.text.isupper():
        # "Attachment 1: Statement of Work." ends a sentence that refers to it.
        return None
    if style.kind == "bracket":
        return _bracketed(lines, at, label, style)
    over = title_above(lines, at, after) if label.kind in ("annex", "appendix") else at
    if over < at:
        return replace(_whole(lines, over, at, label, style), above=joined(lines, over, at - 1))
    named = label.kind in ("annex", "appendix") and NOTE.fullmatch(label.title) is not None
    if not label.title or named:
        last = title_below(lines, at)
        if label.kind in ("decimal", "letter", "roman") and (last == at or not label.closed):
            return None
        return _whole(lines, at, last, label, style)
    if not line.scale:
        whole = _body_print(lines, at, label, style)
        run_in = _run_in(line, at, label, style)
        found = run_in if run_in is not None and (whole is None or SENTENCES.search(label.title)) else whole
    else:
        last = _extent(lines, at)
        if is_title(f"{label.title} {joined(lines, at + 1, last)}", strict=False, long=True):
            return _whole(lines, at, last, label, style)
        found = _run_in(line, at, label, style)
    return found if found is not None else _untitled(lines, at, label, style)


def _stands_alone(lines: Sequence[Line], at: int, label: Label | None) -> bool:
    """Whether "Article 88" or "EXHIBIT A" is all of its line, between a title and a title, no reference that
    a line end had cut off."""
    if label is None or label.title or label.number != lines[at].text or label.number[0].islower():
        return False
    if label.kind not in (*TOP_KINDS, "article", "section"):
        return False
    below = lines[at + 1].text if at + 1 < len(lines) else ""
    above = lines[at - 1].text
    if label.kind in ("annex", "appendix"):
        return lines[at].text.isupper() and above.isupper()
    return below[:1].isupper() and not dangles(above) and above[-1:].isalpha()


def _bracketed(lines: Sequence[Line], at: int, label: Label, style: Style) -> Candidate | None:
    """ "(a) In general" alone on its line: statutes print headings of their subsections so."""
    line = lines[at]
    if not blank(lines, at - 1) or not blank(lines, at + 1) or line.inner:
        return None
    if len(label.title.split()) > BRACKET_WORDS or label.title.endswith((":", ".")):
        return None
    if not is_title(label.title, strict=False):
        return None
    return _whole(lines, at, at, label, style)


def _untitled(lines: Sequence[Line], at: int, label: Label, style: Style) -> Candidate | None:
    """The number of a clause that has no title: "7. The Supplier shall deliver …"."""
    line = lines[at]
    first = label.title.lstrip("\"“‘'([")[:1]
    if not label.closed or len(label.title) < CLAUSE_CHARS or not first.isalpha() or first.islower():
        return None
    if label.kind in ("annex", "appendix") and lists_annexes(line.text, label.number):
        return None
    begin = line.text.find(label.title[:40], len(label.number))
    number = line.text[: max(begin, len(label.number))].rstrip()
    apart = label.kind in ("annex", "appendix") and begin - len(number) > 1
    if label.kind not in ("decimal", "roman", "letter") and not apart and number[-1:] not in ".:)–—-":
        return None
    return Candidate(
        at,
        at,
        line.start,
        line.start + len(number),
        number,
        style,
        label.number,
        label.values,
        line.scale,
        titled=False,
        inner=line.inner or not blank(lines, at - 1),
    )


def _body_print(lines: Sequence[Line], at: int, label: Label, style: Style) -> Candidate | None:
    """A numbered title alone on its line, in the print of the body."""
    alone = blank(lines, at - 1) and blank(lines, at + 1)
    short = len(label.title.split()) <= PLAIN_WORDS and not FINISHED.search(label.title)
    strict = not alone or (label.kind == "decimal" and not short)
    title = label.title
    if alone and label.kind in STOPPED and title.count(".") == 1 and _body_follows(lines, at, label):
        # "Artículo 3. Ámbito de aplicación.": the stop belongs to how they are printed.
        title = title.rstrip(".")
    if (
        len(" ".join(lines[at].text.split())) > LONGEST
        or LEAD_IN.search(label.title)
        or not is_title(title, strict=strict)
    ):
        return None
    plain = not label.closed and not blank(lines, at + 1) and not label.title.isupper()
    return None if plain else _whole(lines, at, at, label, style)


def _body_follows(lines: Sequence[Line], at: int, label: Label) -> bool:
    """Whether something else than the next number of the same kind stands below a line."""
    below = next((line.text for line in lines[at + 1 : at + 4] if line.text), "")
    other = parse_label(below)
    return bool(below) and (other is None or other.kind != label.kind)


def _stands_free(lines: Sequence[Line], at: int, after: int) -> bool:
    """Whether the line before is blank, finished, or a heading: otherwise this line continues it."""
    before = lines[at - 1] if at else None
    if (
        before is None
        or not before.text
        or after == at - 1
        or lines[at].inner
        or FINISHED.search(before.text)
    ):
        return True
    return 0 < lines[at].scale != before.scale


def _extent(lines: Sequence[Line], first: int) -> int:
    """The last line of a heading of several lines: they share a larger print, or all are in capitals."""
    last = first
    while last + 1 < min(first + TITLE_LINES, len(lines)):
        line, after = lines[last], lines[last + 1]
        alike = after.scale == line.scale if line.scale else line.text.isupper() and after.text.isupper()
        if not after.text or not alike or (parse_label(after.text) is not None and not dangles(line.text)):
            break
        last += 1
    return last


def _whole(lines: Sequence[Line], first: int, last: int, label: Label, style: Style) -> Candidate:
    text = joined(lines, first, last)
    scale = lines[last].scale or lines[first].scale
    return Candidate(
        first, last, lines[first].start, lines[last].end, text, style, label.number, label.values, scale
    )


def _run_in(line: Line, at: int, label: Label, style: Style) -> Candidate | None:
    """A heading at the start of its paragraph."""
    end = run_in_end(line.text, label)
    if not end:
        return None
    return Candidate(at, at, line.start, line.start + end, line.text[:end], style, label.number, label.values)


def _print(lines: Sequence[Line], at: int) -> Candidate | None:
    """Lines in larger or bolder print than the body, with a blank line or other print around them."""
    scale = lines[at].scale
    last = _extent(lines, at)
    if last + 1 < len(lines) and lines[last + 1].scale == scale:
        return None
    text = joined(lines, at, last)
    if text.endswith(":") or not is_title(text, strict=False, long=True):
        return None
    return Candidate(at, last, lines[at].start, lines[last].end, text, Style("print", scale), scale=scale)


def _capitals(lines: Sequence[Line], at: int) -> Candidate | None:
    """A line in capitals with nothing before and behind it."""
    text = lines[at].text
    if len(text) > 90 or not blank(lines, at - 1) or not blank(lines, at + 1):
        return None
    words = WORD.findall(text)
    letters = sum(len(word) for word in words)
    if text != text.upper() or text == text.lower() or letters < 0.7 * len(text.replace(" ", "")):
        return None
    if (
        letters < 6
        or dangles(text)
        or NOTE.fullmatch(text)
        or text.endswith((",", ";", "-", "."))
        or text[0] in QUOTES
        or (text.endswith(":") and len(words) > LEAD_IN_WORDS)
    ):
        return None
    return Candidate(at, at, lines[at].start, lines[at].end, text, Style("capitals", 1))
