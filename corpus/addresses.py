"""Numbered paragraphs and lettered items: addresses inside a section, each with its own span."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.corpus.document import Unit
from pincite.corpus.labels import roman

MARK = re.compile(
    r"^(?P<indent>[^\S\n]*)(?:[-*•][^\S\n]+)?(?P<mark>"
    r"\((?P<round>\d{1,3}[a-z]?|[A-Za-z]|[ivxlcdm]{2,7}|[IVXLCDM]{2,7}|([a-z])\4)\)"
    r"|(?P<half>\d{1,3}|[A-Za-z]|[ivxlc]{2,5})\)(?=[^\S\n])"
    r"|(?P<dotted>\d{1,3}(?:\.\d{1,3}){1,4})\.?(?=[^\S\n])"
    r"|(?P<dot>\d{1,3}|[A-Za-z]|[ivxlc]{2,5})\.(?=[^\S\n]))",
    re.MULTILINE,
)
PARAGRAPH = re.compile(r"\n[^\S\n]*\n+(?P<indent>[^\S\n]*)(?=\S)")
FINISHED = re.compile(r"[.;,!?][^\w.;,]*(?:(?:and|or|und|oder|et|ou|y|o)\W*)?$", re.IGNORECASE)
# "4." or "4.2" at the start of a line ends every item in brackets before it.
ABOVE_ALL = frozenset({".1", "dotted2", "dotted3", "dotted4", "dotted5"})


@dataclass(frozen=True, slots=True)
class _Form:
    """One way to read a mark: "(i)" is the ninth letter or the first Roman numeral."""

    kind: str
    value: int
    shown: str


@dataclass(slots=True)
class _Open:
    """A unit; `end` is set when the unit is closed."""

    form: _Form
    number: str
    start: int
    indent: int
    end: int = 0

    @property
    def lettered(self) -> bool:
        return self.form.kind[-1] in "aAiI"


def units(text: str, start: int, end: int) -> tuple[Unit, ...]:
    """The units of the body `start`..`end` of `text`, in document order, outer ones before inner ones.

    A unit begins with its mark at the start of a line, and ends where the next one of its own or a higher
    level begins. A lettered item also ends where its last sentence is followed by a paragraph without a
    mark that is not indented below it: that paragraph belongs to the unit above.
    """
    found: list[_Open] = []
    stack: list[_Open] = []
    done = start
    for match in MARK.finditer(text, start, end):
        begin = match.start("mark")
        _close_finished(text, done, begin, stack)
        done = begin
        form = _choose(_forms(match), stack, _opens_line(text, match.start(), start))
        if form is None:
            continue
        _end_units(stack, form, begin)
        above = stack[-1].number if stack else ""
        number = (
            form.shown if form.kind.startswith("dotted") or not above else f"{above}{_bracketed(form.shown)}"
        )
        unit = _Open(form, number, begin, len(match["indent"].expandtabs()))
        found.append(unit)
        stack.append(unit)
    _close_finished(text, done, end, stack)
    for unit in stack:
        unit.end = end
    return tuple(Unit(unit.number, unit.start, _trimmed(text, unit.start, unit.end)) for unit in found)


def _forms(match: re.Match[str]) -> list[_Form]:
    for group, kind in (("round", "()"), ("half", ")"), ("dotted", "dotted"), ("dot", ".")):
        word = match[group]
        if word is None:
            continue
        if group == "dotted":
            parts = word.split(".")
            return [_Form(f"dotted{len(parts)}", int(parts[-1]), word)]
        shown = word if group == "dot" and word.isdigit() else f"({word})"
        if word[0].isdigit():
            return [_Form(f"{kind}1", int(word.rstrip("abcdefghijklmnopqrstuvwxyz")), shown)]
        forms = []
        case = "a" if word.islower() else "A"
        if len(word) == 1 or len(set(word)) == 1:
            forms.append(_Form(kind + case, ord(word[0].lower()) - 96 + 26 * (len(word) - 1), shown))
        value = roman(word)
        if value is not None:
            forms.append(_Form(kind + ("i" if case == "a" else "I"), value, shown))
        return forms
    return []


def _choose(forms: list[_Form], stack: list[_Open], clean: bool) -> _Form | None:
    """The reading of a mark that fits what came before; None when it is no mark but part of a sentence."""
    last = {unit.form.kind: unit.form.value for unit in stack}
    for unit in reversed(stack):
        for form in forms:
            if form.kind == unit.form.kind and form.value == unit.form.value + 1:
                return form
    fresh = [form for form in forms if form.kind not in last]
    for form in fresh:
        if form.value == 1:
            return form
    if not clean:
        return None
    for form in forms:
        if form.kind in last and (form.value > last[form.kind] or form.value == 1):
            return form
    return next(iter(fresh), None)


def _opens_line(text: str, at: int, start: int) -> bool:
    """Whether the text before the line of a mark is finished, so that the mark is no wrapped reference."""
    before = text[max(start, at - 80) : at].rstrip(" \t")
    words = before.rstrip()
    return not words or before.endswith("\n\n") or bool(FINISHED.search(words)) or words[-1] in ":-–—"


def _end_units(stack: list[_Open], form: _Form, begin: int) -> None:
    """Close what a mark of this form ends: units of its own kind and everything inside them."""
    kinds = [unit.form.kind for unit in stack]
    if form.kind in kinds:
        keep = kinds.index(form.kind)
    elif form.value > 1 and form.kind in ABOVE_ALL:
        keep = 0
    else:
        return
    while len(stack) > keep:
        stack.pop().end = begin


def _close_finished(text: str, start: int, stop: int, stack: list[_Open]) -> None:
    """Close the items that are over before a paragraph without a mark between `start` and `stop`."""
    at = start
    for match in PARAGRAPH.finditer(text, start, stop):
        if not stack:
            return
        if match.end() >= stop:
            return
        indent = len(match["indent"].expandtabs())
        finished = bool(FINISHED.search(text[max(at, match.start() - 80) : match.start()]))
        while stack and (
            stack[-1].indent > indent or (stack[-1].indent == indent and stack[-1].lettered and finished)
        ):
            stack.pop().end = match.start()
        at = match.end()


def _bracketed(shown: str) -> str:
    return shown if shown.startswith("(") else f"({shown})"


def _trimmed(text: str, start: int, end: int) -> int:
    return start + len(text[start:end].rstrip())
