"""The words of XML elements: on one line, with quotation marks, without notes."""

from __future__ import annotations

import re

from pincite.corpus.read.builder import collapse
from pincite.corpus.read.xml_names import INNER_BLOCKS, NOTES, QUOTED, TABLES, is_number_name, name_of
from pincite.corpus.read.xml_safe import Element

# Elements that are a sign: Formex writes quotation marks so, with the code of the character.
SIGNS = re.compile(r"quot\.(?:start|end)")
CODE = re.compile(r"[0-9A-Fa-f]{2,6}")


def is_mixed(element: Element) -> bool:
    """Whether an element holds words of its own beside its children."""
    return bool((element.text or "").strip()) or any((child.tail or "").strip() for child in element)


def has_blocks(element: Element) -> bool:
    """Whether numbered items, tables or paragraphs stand inside, however deep."""
    return any(
        (name_of(inner) in INNER_BLOCKS and not _is_quoted_word(inner))
        or (len(inner) > 0 and is_number_name(name_of(inner[0])))
        for inner in element.iterdescendants()
    )


def _is_quoted_word(element: Element) -> bool:
    """Whether words of another act are quoted inside a line, rather than whole provisions of it."""
    return (
        name_of(element) in QUOTED
        and (len(element) == 0 or is_mixed(element))
        and not any(
            name_of(inner) in INNER_BLOCKS or (len(inner) > 0 and is_number_name(name_of(inner[0])))
            for inner in element.iterdescendants()
        )
    )


def is_note(element: Element) -> bool:
    """Whether an element is a footnote, when it stands inside a line."""
    return name_of(element) in NOTES


def is_block(element: Element) -> bool:
    """Whether a child of mixed content begins a block of its own."""
    if is_note(element) or _is_quoted_word(element):
        return False
    return name_of(element) in (INNER_BLOCKS | TABLES | QUOTED) or has_blocks(element)


def text_of(element: Element, notes: list[str] | None = None) -> str:
    """All words inside an element on one line. Notes are left out; their texts are appended to `notes`."""
    return collapse("".join(_parts(element, notes)))


def note_text(note: Element, notes: list[str]) -> str:
    """The words of a note without its own number, which is counted anew."""
    text = text_of(note, notes)
    own = text_of(note[0]) if len(note) > 0 and is_number_name(name_of(note[0])) else ""
    return text.removeprefix(own).lstrip() if own else text


def sign(element: Element) -> str:
    """The character that an element stands for, else ""."""
    code = element.get("CODE") or ""
    if SIGNS.fullmatch(name_of(element)) and CODE.fullmatch(code):
        value = int(code, 16)
        return chr(value) if value <= 0x10FFFF else ""
    return ""


def _parts(root: Element, notes: list[str] | None) -> list[str]:
    parts: list[str] = []
    todo: list[Element | str] = [root]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        name = name_of(item)
        if not name:
            continue
        if item is not root and name in NOTES:
            if notes is not None:
                notes.append(note_text(item, notes))
            continue
        gap = " " if len(item) > 1 and not is_mixed(item) else ""
        parts.append(sign(item) + (item.text or "") + gap)
        for child in reversed(item):
            todo.append(gap + (child.tail or ""))
            todo.append(child)
    return parts
