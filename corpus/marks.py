"""Marks of numbered paragraphs and lettered items in a text: "(a)", "4.2", "iv)", "3."."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.corpus.labels import KIND_OF, roman

_ROUND = r"\d{1,3}[a-z]?|[A-Za-z]|[ivxlcdm]{2,7}|[IVXLCDM]{2,7}|([a-z])\%d"
_OPENS = r"[\"“‘'„«(\[]?"
# "Section 1.1 The Fund agrees": the word is a part of the mark.
KEYWORDS = "section clause article paragraph artikel artículo abschnitt klausel cláusula"
_NAMED = "|".join(form for word in KEYWORDS.split() for form in (word.capitalize(), word.upper()))
_NAMED += r"|Sec\.|Art\.|§"
AT_LINE = re.compile(
    r"^(?P<indent>[^\S\n]*)(?:[-*•][^\S\n]+)?(?P<mark>"
    rf"\((?P<round>{_ROUND % 4})\)"
    r"|(?P<half>\d{1,3}|[A-Za-z]|[ivxlc]{2,5})(?:\)|(?<=\d)[°º])(?=[^\S\n])"
    rf"|(?P<word>(?:{_NAMED})\s*(?P<named>(?:[A-Z]\.)?\d{{1,3}}(?:\.\d{{1,3}}){{0,3}}))(?=[.:)]?[^\S\n]+{_OPENS}[^\W\d_a-z])"
    rf"|(?P<dotted>\d{{1,3}}(?:\.\d{{1,3}}){{1,4}}|\d{{1,3}}-\d{{1,3}}(?=[^\S\n]+{_OPENS}[^\W\d_a-z]))\.?(?=[^\S\n])"
    r"|(?P<dot>\d{1,3}|[A-Za-z]|[ivxlc]{2,5}|[IVXLC]{2,5})\.(?=[^\S\n]))",
    re.MULTILINE,
)
AT_BODY = re.compile(AT_LINE.pattern.removeprefix("^"))
# Behind the end of a sentence, or a gap as between paragraphs.
_STOP = r"(?:(?<=[.;:!?)\]”\"’])\s+|[^\S\n]{3,})"
INSIDE = re.compile(
    rf"(?:(?<=\S)[^\S\n]+|(?<=[:;.,—–]))(?P<bracket>\((?P<round>{_ROUND % 3})\))(?=\s*{_OPENS}[^\W_])"
    rf"|{_STOP}(?P<number>(?P<dotted>\d{{1,3}}(?:\.\d{{1,3}}){{1,4}})\.?|(?P<dot>\d{{1,2}})\.)\s+(?={_OPENS}[^\W\d_a-z])"
    # Letters only behind a gap as between paragraphs: they may be initials.
    rf"|[^\S\n]{{3,}}(?P<letter>[A-Z])\.[^\S\n]+(?={_OPENS}[^\W\d_a-z])"
)
FINISHED = re.compile(r"[.;,!?][^\w.;,]*(?:(?:and|or|und|oder|et|ou|y|o)\W*)?$", re.IGNORECASE)
PARAGRAPH = re.compile(r"\n[^\S\n]*\n+(?P<indent>[^\S\n]*)(?=\S)")
# The words behind which a mark inside a line is a reference; "the parties." ends a sentence.
_UNITS = "|".join(sorted(set(KIND_OF) - {"partie", "parte"}, key=len, reverse=True))
REFERRING = re.compile(
    rf"(?:\b(?:{_UNITS}|point|subparagraph|sub-paragraph|lit|buchst"
    r"|buchstabe|letter|lettre|letra|inciso|number)s?\.?|§)\s*$",
    re.IGNORECASE,
)
# What a mark inside a line follows that goes on from another one.
JOINING = re.compile(r"(?:[;:,.)—–-]|\b(?:and|or|und|oder|et|ou|y|o|then))\s*$", re.IGNORECASE)
# An item has at least so many characters; between closer marks they are a list of references.
LEAST_ITEM = 8


@dataclass(frozen=True, slots=True)
class Form:
    """One way to read a mark: "(i)" is the ninth letter or the first Roman numeral."""

    kind: str
    value: int
    shown: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark at `begin`. `clean`: the text before its line is finished. `inner`: it stands inside a line."""

    begin: int
    forms: tuple[Form, ...]
    indent: int = 0
    clean: bool = True
    inner: bool = False


def marks(text: str, start: int, end: int) -> list[Mark]:
    """The marks in `start`..`end` of `text`, in order: those at line starts, and those inside lines."""
    found = [
        Mark(
            match.start("mark"),
            _forms(match),
            len(match["indent"].expandtabs()),
            _opens_line(text, match.start(), start),
        )
        for match in AT_LINE.finditer(text, start, end)
        # A reference may stand at the beginning of a line that goes on with a capital.
        if match["named"] is None or _opens_line(text, match.start(), start)
    ]
    first = AT_BODY.match(text, start, end)
    if first is not None and (not found or found[0].begin > first.start("mark")):
        # Behind a title on the same line.
        found.insert(0, Mark(first.start("mark"), _forms(first)))
    shown = {form.shown for mark in found for form in mark.forms}
    found = [mark for mark in found if not _hyphened(text, mark) or _before(mark) in shown]
    taken = {mark.begin for mark in found}
    found += [mark for mark in _inside(text, start, end) if mark.begin not in taken]
    return sorted(found, key=lambda mark: mark.begin)


def _hyphened(text: str, mark: Mark) -> bool:
    """Whether a number is printed "1-3": a misprint where it counts on from "1.2", else no number."""
    return bool(mark.forms) and re.match(r"\d+-", text[mark.begin : mark.begin + 4]) is not None


def _before(mark: Mark) -> str:
    major, _, value = mark.forms[0].shown.partition(".")
    return f"{major}.{int(value) - 1}"


def _inside(text: str, start: int, end: int) -> Iterator[Mark]:
    last = -LEAST_ITEM
    for match in INSIDE.finditer(text, start, end):
        group = next(name for name in ("bracket", "number", "letter") if match[name])
        begin = match.start(group)
        near = begin - last < LEAST_ITEM
        last = match.end(group)
        before = text[max(start, begin - 24) : begin]
        if near or REFERRING.search(before):
            continue
        forms = _forms(match)
        if not JOINING.search(before):
            # Behind plain words only a first item can stand: "the Company shall (i) file".
            forms = tuple(form for form in forms if form.value == 1)
        if forms:
            yield Mark(begin, forms, inner=True)


def _forms(match: re.Match[str]) -> tuple[Form, ...]:
    groups = match.groupdict()
    named = groups.get("named")
    if named is not None:
        parts = named.split(".")
        return (Form(f"dotted{len(parts)}" if len(parts) > 1 else ".1", int(parts[-1]), named),)
    for group, kind in (("round", "()"), ("half", ")"), ("dotted", "dotted"), ("dot", "."), ("letter", ".")):
        word = groups.get(group)
        if word is None:
            continue
        if group == "dotted":
            parts = word.replace("-", ".").split(".")
            return (Form(f"dotted{len(parts)}", int(parts[-1]), ".".join(parts)),)
        shown = word if group == "dot" and word.isdigit() else f"({word})"
        if word[0].isdigit():
            return (Form(f"{kind}1", int(word.rstrip("abcdefghijklmnopqrstuvwxyz")), shown),)
        forms = []
        case = "a" if word.islower() else "A"
        if len(word) == 1 or len(set(word)) == 1:
            forms.append(Form(kind + case, ord(word[0].lower()) - 96 + 26 * (len(word) - 1), shown))
        value = roman(word)
        if value is not None:
            forms.append(Form(kind + ("i" if case == "a" else "I"), value, shown))
        return tuple(forms)
    return ()


def _opens_line(text: str, at: int, start: int) -> bool:
    """Whether the text before the line of a mark is finished, so that the mark is no wrapped reference."""
    before = text[max(start, at - 80) : at].rstrip(" \t")
    words = before.rstrip()
    return not words or before.endswith("\n\n") or bool(FINISHED.search(words)) or words[-1] in ":-–—"
