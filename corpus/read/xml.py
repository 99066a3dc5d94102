"""XML of any schema: the text in document order, sections and numbered units where the shape shows them.

A section is an element that begins with a title of its own ("title", "heading", also behind a number), a
numbered one whose name or number is that of a division ("article", "Section 5"), and a numbered one beside
such ones. Another numbered element is a unit: an address inside its section. Text that follows the last
subsection stands in a section of its own, so that it is none of that subsection.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from pincite.corpus.document import Unit
from pincite.corpus.read.builder import Draft, TextBuilder, collapse
from pincite.corpus.read.xml_front import (
    LONGEST_NUMBER,
    Front,
    document_title,
    front,
    is_division,
    is_section,
    recital_number,
)
from pincite.corpus.read.xml_names import (
    APART,
    DIVISIONS,
    PREAMBLE,
    QUOTED,
    RECITALS,
    TABLES,
    is_number_name,
    name_of,
    words_for,
)
from pincite.corpus.read.xml_safe import Element, parse_xml
from pincite.corpus.read.xml_tables import table_of
from pincite.corpus.read.xml_text import is_block, is_mixed, is_note, note_text, sign, text_of
from pincite.corpus.windows import window_title

# A number alone in its block belongs on the line of what follows.
LONE_NUMBER = re.compile(r"(?:\(?(?:\d{1,4}|[A-Za-z]|[ivxlc]{1,6})[a-z]?[.)]{1,2}|[-–—•]|\d+(?:\.\d+)+\.?)")
BARE_NUMBER = re.compile(r"\d[\w.\-–:]*|[IVXLCDM]+|[A-Z]")
UNITS_IN_BRACKETS = re.compile(r"\w+")


def read_xml(data: bytes) -> Draft:
    """The draft of an XML document given as bytes."""
    root = parse_xml(data, doctype=True)
    walker = _Walker(root)
    walker.walk()
    return walker.finish()


@dataclass(slots=True)
class _Unit:
    number: str
    start: int = -1
    end: int = -1


class _Step(NamedTuple):
    """Something left to do: enter an element, append words, or leave a "section", "unit" or "quote"."""

    element: Element | None = None
    words: str = ""
    leave: str = ""
    section: bool = False
    found: Front | None = None


class _Walker:
    """Goes over the tree with a stack of its own; `_depth` counts the sections that are open.

    `_home` is the depth of the section that text appended now belongs to.
    """

    def __init__(self, root: Element) -> None:
        self._root = root
        self._builder = TextBuilder()
        self._title = document_title(root)
        self._preamble, self._recital = words_for(root)
        self._depth = self._home = self._quoted = 0
        # Numbers that wait for the block they stand before, each with the unit that it opens.
        self._lead: list[tuple[str, _Unit | None]] = []
        self._open: list[_Unit] = []
        self._units: list[_Unit] = []
        self._notes: list[str] = []
        self._noted = 0

    def walk(self) -> None:
        """Append the text of everything below the root."""
        todo = [_Step(self._root)]
        while todo:
            step = todo.pop()
            if step.leave:
                self._leave(step.leave)
            elif step.element is None:
                self._block(step.words)
            else:
                todo.extend(reversed([*self._enter(step.element, step.section, step.found)]))
        self._flush_lead()
        self._flush_notes()

    def finish(self) -> Draft:
        """The draft of what was appended."""
        placed = [unit for unit in self._units if 0 <= unit.start < unit.end]
        self._builder.units([Unit(unit.number, unit.start, unit.end) for unit in placed])
        return self._builder.finish(title=self._title)

    def _enter(self, element: Element, section: bool, known: Front | None) -> Iterator[_Step]:
        name = name_of(element)
        if APART.fullmatch(name) and element is not self._root:
            return
        if name in TABLES:
            self._table(element)
            return
        if name in QUOTED and is_block(element):
            self._quoted += 1
            yield from self._inside(element, 0)
            yield _Step(leave="quote")
            return
        if len(element) == 0 or (is_mixed(element) and not any(is_block(child) for child in element)):
            self._block(text_of(element, self._notes), number=is_number_name(name))
            return
        if name == PREAMBLE and any(name_of(inner) in RECITALS for inner in element.iterdescendants()):
            yield from self._section(element, title=self._preamble, printed=False)
            return
        if name in RECITALS and not self._quoted:
            number = recital_number(element)
            if number:
                yield from self._section(element, number=f"{self._recital} {number}")
                return
        found = front(element) if known is None else known
        if self._quoted or (element is self._root and not is_division(element, found)):
            # The title of the whole document is text: nothing stands beside it.
            yield from self._inside(element, 0)
        elif not self._open and (section or is_section(element, found)):
            yield from self._headed(element, found, name)
        elif found.number and UNITS_IN_BRACKETS.search(found.number):
            unit = self._unit(found.number)
            self._lead.append((found.number, unit))
            self._open.append(unit)
            if found.title:
                self._lead.append((found.title, None))
            yield from self._inside(element, found.skip)
            yield _Step(leave="unit")
        else:
            yield from self._inside(element, 0)

    def _headed(self, element: Element, found: Front, name: str) -> Iterator[_Step]:
        """A section with a printed number or title."""
        self._begin()
        number = found.number.strip(" .:—–-[]")
        if name in DIVISIONS and BARE_NUMBER.fullmatch(number):
            number = f"{DIVISIONS[name]} {number}"
        dot = "." if found.title and found.number.rstrip().endswith(".") else ""
        words = " ".join((f"{number}{dot}", *found.notes, found.title)).strip()
        title = found.title if found.notes else None
        self._builder.heading(self._depth, words, number=number or None, title=title)
        yield from self._inside(element, found.skip)
        yield _Step(leave="section")

    def _section(
        self, element: Element, *, number: str | None = None, title: str = "", printed: bool = True
    ) -> Iterator[_Step]:
        """A section without a heading: a preamble, or a recital, whose number stands in its body."""
        self._begin()
        self._builder.mark(self._depth, number=number, title=title, printed=printed)
        numbered = element
        if number is not None and not front(element).number:
            numbered = element[0]
        found = front(numbered)
        if number is not None:
            self._lead.append((found.number, None))
        yield from self._inside(numbered, found.skip)
        if numbered is not element:
            yield from self._inside(element, 1)
        yield _Step(leave="section")

    def _begin(self) -> None:
        self._flush_lead()
        self._flush_notes()
        self._depth += 1
        self._home = self._depth

    def _leave(self, what: str) -> None:
        self._flush_lead()
        if what == "quote":
            self._quoted -= 1
        elif what == "unit":
            self._open.pop().end = self._builder.length
        else:
            self._flush_notes()
            self._depth -= 1

    def _inside(self, element: Element, skip: int) -> Iterator[_Step]:
        """The content of an element behind its first children: blocks, and the words between them."""
        children = list(element)[skip:]
        if not is_mixed(element):
            fronts = [front(child) for child in children]
            headed = {
                name_of(child)
                for child, found in zip(children, fronts, strict=True)
                if is_section(child, found)
            }
            for child, found in zip(children, fronts, strict=True):
                beside = bool(found.number) and name_of(child) in headed
                yield _Step(child, section=beside and not self._quoted, found=found)
            return
        words = [element.text or ""] if skip == 0 else [list(element)[skip - 1].tail or ""]
        for child in children:
            if is_block(child):
                yield _Step(words=collapse("".join(words)))
                yield _Step(child)
                words = []
            elif is_note(child):
                self._notes.append(note_text(child, self._notes))
            else:
                words.append(text_of(child, self._notes) if not sign(child) else sign(child))
                if (child.text or "")[-1:].isspace():
                    words.append(" ")
            words.append(child.tail or "")
        yield _Step(words=collapse("".join(words)))

    def _unit(self, printed: str) -> _Unit:
        number = printed.strip().rstrip(".:")
        if number.endswith(")") and not number.startswith("("):
            number = f"({number}"
        above = self._open[-1].number if self._open else ""
        if above and not (number.startswith(f"{above}.") or number.startswith("(")):
            number = f"({number})"
        whole = number if number.startswith(f"{above}.") else f"{above}{number}"
        unit = _Unit(whole[:LONGEST_NUMBER])
        self._units.append(unit)
        return unit

    def _block(self, text: str, *, number: bool = False) -> None:
        if not text:
            return
        if number or LONE_NUMBER.fullmatch(text):
            self._lead.append((text, None))
            return
        self._come_home(text)
        self._append(text)

    def _come_home(self, text: str) -> None:
        """Words behind a subsection are not part of it: they begin a section that has no heading."""
        if self._home != self._depth:
            self._flush_notes()
            self._builder.mark(self._depth + 1, title=window_title(text), printed=False)
            self._home = self._depth

    def _append(self, text: str) -> None:
        """Append words behind the numbers that wait for them; units begin with their number."""
        span = self._builder.block(" ".join([*(number for number, _ in self._lead), text]).strip())
        at = span[0] if span is not None else 0
        for number, unit in self._lead:
            if unit is not None:
                unit.start = at
            at += len(number) + 1
        self._lead.clear()

    def _flush_lead(self) -> None:
        """Append numbers behind which nothing stands."""
        if self._lead:
            self._append("")

    def _flush_notes(self) -> None:
        """Append the notes of a section behind its text."""
        notes, self._notes = self._notes, []
        for note in notes:
            if note:
                self._noted += 1
                self._builder.block(f"[{self._noted}] {note}")

    def _table(self, table: Element) -> None:
        found = table_of(table, self._notes)
        if not any(len(row) > 1 for row in found.rows):
            self._block(text_of(table, self._notes))
            return
        self._flush_lead()
        self._come_home(found.caption or " ".join(found.rows[0]))
        self._builder.table(found.rows, caption=found.caption)
        for words in found.below:
            self._builder.block(words)
