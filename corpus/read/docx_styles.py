"""Styles and numbering of a Word document: which paragraphs are headings, which number is printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pincite.corpus.read.xml_safe import Element, local_name

HEADING_NAME = re.compile(r"heading\s*(\d)", re.IGNORECASE)
BODY_LEVEL = 9
BULLET = "-"
ROMAN_SIZES = (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1)
ROMAN_LETTERS = ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i")
ORDINALS = {1: "st", 2: "nd", 3: "rd"}
_CARDINALS = (
    "Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen "
    "Seventeen Eighteen Nineteen"
)
_ORDINALS = (
    "Zeroth First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth Eleventh Twelfth Thirteenth "
    "Fourteenth Fifteenth Sixteenth Seventeenth Eighteenth Nineteenth"
)
TENS = ("", "", "Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety")
PLACEHOLDER = re.compile(r"%(\d)")
HIGHEST_COUNT = 32767


def child(element: Element | None, *names: str) -> Element | None:
    """The first child at the end of a path of local names, whatever the namespace; None when missing."""
    for name in names:
        element = (
            next((item for item in element if local_name(item) == name), None)
            if element is not None
            else None
        )
    return element


def value(element: Element | None, name: str = "val") -> str | None:
    """An attribute by its local name."""
    if element is None:
        return None
    return next((text for key, text in element.attrib.items() if key.rpartition("}")[2] == name), None)


def number(element: Element | None, name: str = "val") -> int | None:
    """An attribute as a whole number; None when it is missing or none."""
    text = value(element, name)
    return int(text) if text is not None and re.fullmatch(r"-?\d{1,9}", text) else None


def is_on(element: Element | None) -> bool:
    """Whether a switch such as <w:vanish/> is there and not turned off."""
    return element is not None and value(element) not in ("0", "false", "off")


@dataclass(slots=True)
class _Style:
    name: str = ""
    base: str | None = None
    outline: int | None = None
    num: int | None = None
    level: int | None = None


class Styles:
    """The paragraph styles of a document, with what they inherit."""

    def __init__(self, root: Element | None) -> None:
        self._styles: dict[str, _Style] = {}
        self._default: str | None = None
        for element in root if root is not None else ():
            if local_name(element) != "style" or value(element, "type") not in (
                "paragraph",
                "numbering",
                None,
            ):
                continue
            ident = value(element, "styleId") or ""
            properties = child(element, "pPr")
            self._styles[ident] = _Style(
                name=value(child(element, "name")) or "",
                base=value(child(element, "basedOn")),
                outline=number(child(properties, "outlineLvl")),
                num=number(child(properties, "numPr", "numId")),
                level=number(child(properties, "numPr", "ilvl")),
            )
            if value(element, "default") in ("1", "true"):
                self._default = ident

    def _chain(self, ident: str | None) -> Iterator[_Style]:
        seen: set[str] = set()
        while ident is not None and ident in self._styles and ident not in seen:
            seen.add(ident)
            yield self._styles[ident]
            ident = self._styles[ident].base

    def heading_level(self, properties: Element | None) -> int | None:
        """1 to 9 for a heading, 0 for the title of the document, None for other paragraphs."""
        own = number(child(properties, "outlineLvl"))
        if own is not None:
            return own + 1 if 0 <= own < BODY_LEVEL else None
        for style in self._chain(value(child(properties, "pStyle")) or self._default):
            found = HEADING_NAME.fullmatch(style.name.strip())
            if found is not None:
                return int(found[1]) or None
            if style.name.strip().lower() == "title":
                return 0
            if style.outline is not None:
                return style.outline + 1 if 0 <= style.outline < BODY_LEVEL else None
        return None

    def styles_of(self, properties: Element | None) -> Iterator[str]:
        """The names of a paragraph's style and of those that it is based on."""
        ident = value(child(properties, "pStyle")) or self._default
        seen: set[str] = set()
        while ident is not None and ident in self._styles and ident not in seen:
            seen.add(ident)
            yield ident
            ident = self._styles[ident].base

    def numbering(self, properties: Element | None) -> tuple[int, int | None] | None:
        """The list and the level (from 0) that a paragraph is numbered by; a style may leave the level to
        the list, which then names the style."""
        own = child(properties, "numPr")
        num, level = number(child(own, "numId")), number(child(own, "ilvl"))
        for style in self._chain(value(child(properties, "pStyle")) or self._default):
            num = style.num if num is None else num
            level = style.level if level is None else level
        return (num, None if level is None else max(0, min(level, 8))) if num else None

    def list_of(self, ident: str | None) -> int | None:
        """The list that a numbering style stands for."""
        return next((style.num for style in self._chain(ident) if style.num), None)


@dataclass(slots=True)
class _Level:
    start: int = 1
    form: str = "decimal"
    text: str = ""
    legal: bool = False
    restart: int | None = None
    style: str | None = None


@dataclass(slots=True)
class _List:
    abstract: str
    levels: dict[int, _Level] = field(default_factory=dict)
    starts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """The lists of a document; `next_number` counts as Word does when it prints them."""

    def __init__(self, root: Element | None, styles: Styles) -> None:
        elements = list(root) if root is not None else []
        abstract = {
            value(item, "abstractNumId") or "": item for item in elements if local_name(item) == "abstractNum"
        }
        ids = {number(item, "numId"): value(child(item, "abstractNumId")) or "" for item in elements}
        self._lists: dict[int, _List] = {}
        self._counts: dict[str, dict[int, int]] = {}
        self._started: set[int] = set()
        for item in elements:
            num = number(item, "numId") if local_name(item) == "num" else None
            if num is None:
                continue
            name = ids[num]
            linked = styles.list_of(value(child(abstract.get(name), "numStyleLink")))
            name = ids.get(linked, name) if linked is not None else name
            self._lists[num] = _read_list(name, abstract.get(name), item)

    def level_of(self, num: int, styles: Iterable[str]) -> int:
        """The level of a list that is linked to one of these styles, the first of them first; 0 for none."""
        found = self._lists.get(num)
        for style in styles if found is not None else ():
            for at, level in found.levels.items() if found is not None else ():
                if level.style == style:
                    return at
        return 0

    def next_number(self, num: int, level: int) -> str:
        """The number printed before the next paragraph of a list, "-" for a bullet, "" for none."""
        found = self._lists.get(num)
        if found is None:
            return ""
        counts = self._counts.setdefault(found.abstract, {})
        if num not in self._started:
            self._started.add(num)
            for at, start in found.starts.items():
                counts[at] = start - 1
        here = found.levels.get(level, _Level())
        counts[level] = counts.get(level, here.start - 1) + 1
        for deeper in [at for at in counts if at > level and _restarts(found.levels.get(at), level)]:
            del counts[deeper]
        if here.form == "bullet":
            return BULLET
        if here.form == "none":
            return ""

        def printed(match: re.Match[str]) -> str:
            at = int(match[1]) - 1
            shape = found.levels.get(at, _Level())
            return _format(counts.get(at, shape.start), "decimal" if here.legal else shape.form)

        return " ".join(PLACEHOLDER.sub(printed, here.text or f"%{level + 1}.").split())


def _restarts(deeper: _Level | None, level: int) -> bool:
    """Whether a level begins anew behind a paragraph of a higher one: 0 is never, else from that level up."""
    return deeper is None or deeper.restart is None or level < deeper.restart


def _read_list(name: str, abstract: Element | None, num: Element) -> _List:
    found = _List(name)
    for item in abstract if abstract is not None else ():
        if local_name(item) == "lvl":
            found.levels[number(item, "ilvl") or 0] = _read_level(item)
    for item in num:
        if local_name(item) == "lvlOverride":
            at = number(item, "ilvl") or 0
            start = number(child(item, "startOverride"))
            if start is not None:
                found.starts[at] = start
            replaced = child(item, "lvl")
            if replaced is not None:
                found.levels[at] = _read_level(replaced)
    return found


def _read_level(item: Element) -> _Level:
    return _Level(
        start=number(child(item, "start")) or 0 if child(item, "start") is not None else 1,
        form=value(child(item, "numFmt")) or "decimal",
        text=value(child(item, "lvlText")) or "",
        legal=is_on(child(item, "isLgl")),
        restart=number(child(item, "lvlRestart")),
        style=value(child(item, "pStyle")),
    )


def _format(count: int, form: str) -> str:
    if not 0 < count <= HIGHEST_COUNT:
        return str(count)
    match form:
        case "lowerLetter" | "upperLetter":
            letters = chr(ord("a") + (count - 1) % 26) * min((count - 1) // 26 + 1, 9)
            return letters if form == "lowerLetter" else letters.upper()
        case "lowerRoman" | "upperRoman":
            roman = _roman(count)
            return roman if form == "lowerRoman" else roman.upper()
        case "ordinal":
            return f"{count}{'th' if 10 < count % 100 < 14 else ORDINALS.get(count % 10, 'th')}"
        case "cardinalText" | "ordinalText":
            return _in_words(count, ordinal=form == "ordinalText")
        case "decimalZero":
            return f"{count:02d}"
        case "none":
            return ""
        case _:
            return str(count)


def _in_words(count: int, *, ordinal: bool) -> str:
    """ "Twenty-One", "Twenty-First"; in digits from a hundred on."""
    if count > 99:
        return str(count)
    tens, ones = divmod(count, 10)
    small = (_ORDINALS if ordinal else _CARDINALS).split()
    if count < 20:
        return small[count]
    if not ones:
        return f"{TENS[tens][:-1]}ieth" if ordinal else TENS[tens]
    return f"{TENS[tens]}-{small[ones]}"


def _roman(count: int) -> str:
    parts = []
    for size, letters in zip(ROMAN_SIZES, ROMAN_LETTERS, strict=True):
        times, count = divmod(count, size)
        parts.append(letters * times)
    return "".join(parts)
