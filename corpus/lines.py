"""The lines of a text, as the search for headings looks at them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from pincite.corpus.labels import KIND_OF, NAMES

# A line longer than this holds a paragraph or a page; clauses may begin inside it.
LONG_LINE = 160
# A mark of so many characters is a number alone: "XIV. ".
WORDLESS = 8
# "Partie" and "parte" are also plain words for those who sign.
_PLAIN = frozenset({"partie", "parte", "item", "no"})
_KINDS = [word for word in KIND_OF if len(word) > 2 and word not in _PLAIN]
_SHORT = "|".join(sorted(word for word in KIND_OF if len(word) < 5))


def _printed(words: Iterable[str]) -> str:
    """Words as they begin a heading: with a capital, or in capitals."""
    forms = {form for word in words for form in (word.capitalize(), word.upper())}
    return "|".join(sorted(forms, key=len, reverse=True))


# Annexes that are named so close to each other, in characters, are listed.
LISTED = 100
_ANNEXES = [word for word in _KINDS if KIND_OF[word] in ("annex", "appendix")]
ANNEX = re.compile(rf"\b(?:{_printed(_ANNEXES)})\s+[\"“]?(?:\d|[A-Z]\b)")
# "SUPPORT SERVICES          EXHIBIT C": the number stands beside the title.
SIDE = re.compile(
    rf"(?<=\S)\s{{3,}}(?P<mark>(?:{'|'.join(word.upper() for word in _ANNEXES)})"
    r"\s+[\"“]?[A-Z0-9]{1,3}[\"”]?)$"
)
# The end of a sentence, or of a part of one.
FINISHED = re.compile(r"[.;:!?,。；：！？、][\"'”’)\]」』）]*$")
_COUNT = rf"(?:\d{{1,3}}(?:\.\d{{1,3}}){{0,4}}[A-Za-z]?|[IVXLC]{{1,7}}|[A-Z]|{_printed(NAMES)})"
_OPENS = r"[\"“‘'(\[]?[^\W\d_a-z]"
# A number behind which a clause may begin.
MARK = (
    rf"(?:(?:\d{{1,2}}[A-Z]?\.(?:\d{{1,2}}\.?){{0,4}}|\d{{1,2}}\)|[IVX]{{1,6}}\.|[A-Z]\.(?=\s+[A-Z][a-z]))\s+(?={_OPENS})"
    rf"|(?:{_printed(_KINDS)}|§)\.?\s*{_COUNT}(?:\([A-Za-z0-9]{{1,4}}\))*(?=[.:\s–—-]+{_OPENS}))"
)
BREAK = re.compile(
    # Behind the end of a sentence, a gap as between paragraphs, or a title in capitals.
    rf"(?:(?:(?<=[.;:!?”\"’\])])\s+|(?<=:[-–—])\s+|\s{{3,}}|(?<=[^\W\d_a-z]{{3}})\s+)(?P<mark>{MARK})"
    # "SCHEDULE B - Territories" is no part of a sentence.
    rf"|\s(?P<annex>(?:{'|'.join(word.upper() for word in _ANNEXES)})\s[A-Z0-9]{{1,3}}\s[-–—]\s(?=[A-Z])))"
)
# Words that make the number behind them a reference; a number with a word of its own ("filed with the SEC.
# SECTION 7") only the latter.
REFERRING = re.compile(
    rf"(?:\b(?:{'|'.join(_KINDS)})s?|\b(?:{_SHORT})\.|§)\s*$|\b(?:and|or|to|of|in|by|under|und|et|y)\s*$",
    re.IGNORECASE,
)
JOINED = re.compile(r"\b(?:and|or|to|of|in|by|under|und|et|y)\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the text with its offset.

    `scale` is 0 for body print, 1 for the largest print of the document, 2 for the next and so on. `inner`:
    it begins inside a line of the text, behind a paragraph that stands before it on that line. `behind`: a
    page header that is left out stood in front of it.
    """

    text: str
    start: int
    scale: int = 0
    inner: bool = False
    behind: bool = False

    @property
    def end(self) -> int:
        """The offset behind the line."""
        return self.start + len(self.text)


def lines_of(
    text: str, tables: Sequence[tuple[int, int]] = (), *, behind: frozenset[int] = frozenset()
) -> list[Line]:
    """The lines of `text` with their offsets; white space at their ends is not part of them.

    A line that holds paragraphs is cut where numbers show that another one begins. Lines inside `tables` are
    empty: no heading stands there. `behind`: the numbers, from 0, of those that a page header stood in.
    """
    lines: list[Line] = []
    at = 0
    ahead = iter(sorted(tables))
    table = next(ahead, None)
    for number, raw in enumerate(text.split("\n")):
        while table is not None and table[1] <= at:
            table = next(ahead, None)
        start = at + len(raw) - len(raw.lstrip())
        if table is not None and table[0] <= start:
            lines.append(Line("", start))
        else:
            found = [*_pieces(raw.strip(), start)]
            lines += [replace(found[0], behind=True), *found[1:]] if number in behind else found
        at += len(raw) + 1
    return lines


def _pieces(text: str, start: int) -> Iterator[Line]:
    if len(text) <= LONG_LINE:
        side = SIDE.search(text)
        cut = side.start("mark") if side is not None else len(text)
        yield Line(text[:cut].rstrip(), start)
        if side is not None:
            yield Line(text[cut:], start + cut, inner=True)
        return
    begin = 0
    for match in BREAK.finditer(text):
        mark = match["mark"] or match["annex"]
        at = match.end() - len(mark)
        refers = JOINED if mark[0].isalpha() and len(mark) > WORDLESS else REFERRING
        if refers.search(text, max(begin, match.start() - 20), match.start()):
            continue
        if ANNEX.match(mark) and ANNEX.search(text, max(0, at - LISTED), at):
            continue
        yield Line(text[begin : match.start()].rstrip(), start + begin, inner=begin > 0)
        begin = at
    yield Line(text[begin:], start + begin, inner=begin > 0)


def blank(lines: Sequence[Line], at: int) -> bool:
    """Whether a line is empty or beyond the text."""
    return not 0 <= at < len(lines) or not lines[at].text


def joined(lines: Sequence[Line], first: int, last: int) -> str:
    """The words of lines, one blank between them."""
    return " ".join(line.text for line in lines[first : last + 1] if line.text)
