"""What an XML element begins with: its number, its title, and whether they make it a section."""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from pincite.corpus.labels import parse_label
from pincite.corpus.read.builder import collapse
from pincite.corpus.read.xml_names import (
    DIVISIONS,
    NOTES,
    PREFIXES,
    REASONS,
    is_number_name,
    is_title_name,
    name_of,
)
from pincite.corpus.read.xml_safe import Element
from pincite.corpus.read.xml_text import text_of

LONGEST_TITLE = 300
LONGEST_NUMBER = 60
TOP_ELEMENTS = 100
TITLE_ELEMENTS = 2000
GENERIC = re.compile(
    r"(?:an act|a bill|an? (?:joint )?resolution|regulation|directive|decision)\W*", re.IGNORECASE
)
SHORT_TITLES = ("shorttitle",)
DOCUMENT_TITLES = ("doctitle", "shorttitle", "officialtitle")


class Front(NamedTuple):
    """What an element begins with: its number and title as printed, and how many children make them; the
    notes that stand between the two."""

    number: str
    title: str
    skip: int
    notes: tuple[str, ...] = ()


NOTHING = Front("", "", 0)


def front(element: Element) -> Front:
    """The number and the title at the front of an element; nothing where no other content follows a title."""
    if len(element) == 0:
        return NOTHING
    numbers: list[str] = []
    titles: list[str] = []
    notes: list[str] = []
    reasons: list[str] = []
    at = 0
    for child in element:
        name = name_of(child)
        if numbers and not titles and name in NOTES and _title_behind(element, at):
            notes.append(text_of(child))
        elif is_number_name(name) or name in PREFIXES:
            numbers.append(text_of(child))
        elif name in REASONS and numbers:
            reasons.append(f"[{text_of(child)}]")
        elif is_title_name(name) and not _is_level(child):
            titles.append(text_of(child))
        else:
            break
        at += 1
    number, title = collapse(" ".join(numbers)), collapse(" ".join((*titles, *reasons)))
    if (
        (title and not number and at == len(element))
        or len(title) > LONGEST_TITLE * 4
        or len(number) > LONGEST_NUMBER
    ):
        return NOTHING
    return Front(number, title if any(char.isalpha() for char in title) else "", at, tuple(notes))


def _title_behind(element: Element, at: int) -> bool:
    """Whether a title follows, behind notes and nothing else."""
    behind = next((child for child in element[at:] if name_of(child) not in NOTES), None)
    return behind is not None and is_title_name(name_of(behind)) and not _is_level(behind)


def is_section(element: Element, found: Front) -> bool:
    """Whether an element is a section by its title, or by its number and its kind."""
    if found.title:
        return True
    if not found.number or len(element) <= found.skip:
        return False
    label = parse_label(found.number)
    words = label is not None and label.kind not in ("decimal", "letter", "roman", "paragraph", "item")
    return words or name_of(element) in DIVISIONS


def is_division(element: Element, found: Front) -> bool:
    """Whether the root is itself a numbered division, as in a file that holds one section of a code."""
    name = name_of(element)
    return bool(found.number) and (name in DIVISIONS or name == "container")


def _is_level(element: Element) -> bool:
    """Whether a "title" is no heading but a level of its own, with a number and parts."""
    return len(element) > 1 and is_number_name(name_of(element[0]))


def recital_number(element: Element) -> str:
    """The number of a recital, which its first child may hold; "" when it has none."""
    number = front(element).number or (front(element[0]).number if len(element) else "")
    return number.strip(" ().")


def document_title(root: Element) -> str | None:
    """The first title that stands near the top of the document; of a single division its number and title."""
    found = front(root)
    if is_division(root, found):
        return f"{found.number} {found.title}".strip()[:LONGEST_TITLE]
    for most, names in (
        (TITLE_ELEMENTS, DOCUMENT_TITLES),
        (TITLE_ELEMENTS, SHORT_TITLES),
        (TOP_ELEMENTS, ("title",)),
    ):
        for element in islice(root.iter(), most):
            if name_of(element) in names and not _is_level(element):
                text = text_of(element)
                if GENERIC.fullmatch(text):
                    # What every act of a kind is called names none of them.
                    break
                if text:
                    return text[:LONGEST_TITLE]
    return None
