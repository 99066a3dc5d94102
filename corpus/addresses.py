"""Numbered paragraphs and lettered items: addresses inside a section, each with its own span."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.corpus.document import Unit
from pincite.corpus.marks import FINISHED, PARAGRAPH, Form, Mark, marks

# "4." or "4.2" at the start of a line ends every item in brackets before it.
ABOVE_ALL = frozenset({".1", "dotted2", "dotted3", "dotted4", "dotted5"})
# How statutes nest their brackets, from the outside.
STATUTE = ("()a", "()1", "()A", "()i", "()I")


@dataclass(slots=True)
class _Open:
    """A unit; `end` is set when the unit is closed."""

    form: Form
    number: str
    start: int
    indent: int
    end: int = 0

    @property
    def lettered(self) -> bool:
        return self.form.kind[-1] in "aAiI"


def units(text: str, start: int, end: int) -> tuple[Unit, ...]:
    """The units of the body `start`..`end` of `text`, in document order, outer ones before inner ones.

    A unit begins with its mark, at the start of a line or inside it where the marks count on, and ends where
    the next one of its own or a higher level begins. A lettered item also ends where its last sentence is
    followed by a paragraph without a mark that is not indented below it: that paragraph belongs to the unit
    above.
    """
    found: list[_Open] = []
    stack: list[_Open] = []
    done = start
    everything = marks(text, start, end)
    indented = len({mark.indent for mark in everything if not mark.inner}) > 1
    # Lists inside a sentence of an item, counted in the letters of the items themselves.
    aside: dict[str, int] = {}
    for at, mark in enumerate(everything):
        _close_finished(text, done, mark.begin, stack, mark)
        done = mark.begin
        if not mark.inner:
            aside.clear()
        elif _stands_aside(mark, stack, aside):
            continue
        form = _choose(everything, at, stack)
        if form is None:
            continue
        if indented and not mark.inner:
            _end_indented(stack, form, mark)
        _end_units(stack, form, mark.begin)
        above = stack[-1].number if stack else ""
        indent = stack[-1].indent if mark.inner and stack else mark.indent
        dotted = form.kind.startswith("dotted") or not above
        unit = _Open(form, form.shown if dotted else f"{above}{_bracketed(form.shown)}", mark.begin, indent)
        found.append(unit)
        stack.append(unit)
    _close_finished(text, done, end, stack, None)
    for unit in stack:
        unit.end = end
    return tuple(Unit(unit.number, unit.start, _trimmed(text, unit.start, unit.end)) for unit in found)


def _choose(everything: list[Mark], at: int, stack: list[_Open]) -> Form | None:
    """The reading of a mark that fits what came before; None when it is no mark but part of a sentence."""
    mark = everything[at]
    last = {unit.form.kind: unit.form.value for unit in stack}
    going_on = [
        form
        for unit in reversed(stack)
        for form in mark.forms
        if form.kind == unit.form.kind and form.value == unit.form.value + 1
    ]
    fresh = [form for form in mark.forms if form.kind not in last]
    first = next((form for form in fresh if form.value == 1), None)
    if going_on and first is not None:
        # "(i)" behind "(h)": what comes next tells the ninth letter from the first numeral.
        return (
            first
            if _follows(everything, at, first) and not _follows(everything, at, going_on[0])
            else going_on[0]
        )
    if going_on:
        return going_on[0]
    if mark.inner:
        return first if first is not None and _follows(everything, at, first) else None
    if first is not None:
        return first
    if not mark.clean:
        return None
    for form in mark.forms:
        if form.kind in last and (form.value > last[form.kind] or form.value == 1):
            return form
    return next(iter(fresh), None)


def _stands_aside(mark: Mark, stack: list[_Open], aside: dict[str, int]) -> bool:
    """Whether a mark inside a line belongs to a list of its own within an item of the same kind."""
    kinds = {unit.form.kind for unit in stack}
    for form in mark.forms:
        if form.kind in kinds and form.value == aside.get(form.kind, 0) + 1:
            aside[form.kind] = form.value
            return True
    return False


def _counts_on(stack: list[_Open], following: Mark | None) -> bool:
    """Whether the innermost unit and the following mark are neighbours in one count."""
    if following is None or following.inner:
        return False
    last = stack[-1].form
    return any(form.kind == last.kind and form.value == last.value + 1 for form in following.forms)


def _follows(everything: list[Mark], at: int, form: Form) -> bool:
    """Whether the next number of a form comes before its first one comes again."""
    for mark in everything[at + 1 :]:
        for other in mark.forms:
            if other.kind == form.kind:
                if other.value == form.value + 1:
                    return True
                if other.value == form.value:
                    return False
    return False


def _end_indented(stack: list[_Open], form: Form, mark: Mark) -> None:
    """Close what stands further to the right, or as far and is an inner kind by the order of statutes."""
    while stack:
        top = stack[-1]
        inner = (
            top.form.kind in STATUTE
            and form.kind in STATUTE
            and STATUTE.index(form.kind) < STATUTE.index(top.form.kind)
        )
        if top.indent > mark.indent or (top.indent == mark.indent and inner):
            stack.pop().end = mark.begin
        else:
            return


def _end_units(stack: list[_Open], form: Form, begin: int) -> None:
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


def _close_finished(text: str, start: int, stop: int, stack: list[_Open], following: Mark | None) -> None:
    """Close the items that are over before a paragraph without a mark between `start` and `stop`.

    One that the `following` mark counts on from is not over: the paragraph is a part of it.
    """
    at = start
    for match in PARAGRAPH.finditer(text, start, stop):
        if not stack:
            return
        if match.end() >= stop:
            return
        indent = len(match["indent"].expandtabs())
        finished = bool(FINISHED.search(text[max(at, match.start() - 80) : match.start()]))
        while (
            stack
            and not _counts_on(stack, following)
            and (
                stack[-1].indent > indent or (stack[-1].indent == indent and stack[-1].lettered and finished)
            )
        ):
            stack.pop().end = match.start()
        at = match.end()


def _bracketed(shown: str) -> str:
    return shown if shown.startswith("(") else f"({shown})"


def _trimmed(text: str, start: int, end: int) -> int:
    return start + len(text[start:end].rstrip())
