"""The section tree: from headings in reading order to sections with stable ids."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from pincite.corpus.addresses import units
from pincite.corpus.document import Section, Unit
from pincite.corpus.labels import Heading, split_number
from pincite.corpus.windows import window_spans, window_title

UNTITLED = "Untitled"
CONTENTS = re.compile(
    r"\W*(?:table of )?contents\W*|inhalt(?:sverzeichnis)?|sommaire|table des matières|índice(?: general)?",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Node:
    """A section in the making; `parent` is a position in the list of nodes."""

    parent: int | None
    depth: int
    number: str | None
    title: str
    key: str
    heading_start: int
    start: int
    end: int
    has_heading: bool = True
    tree_end: int = 0
    id: str = ""
    path: tuple[str, ...] = ()
    title_first: bool = False


def build_sections(
    text: str,
    headings: Sequence[Heading],
    *,
    title: str,
    count: Callable[[str], int],
    tables: Sequence[tuple[int, int]] = (),
    known_units: Sequence[Unit] | None = None,
) -> tuple[Section, ...]:
    """The sections of `text`, parents before children, in document order.

    `headings` are in document order and do not overlap. Every character that is no white space lies in
    one heading (`heading_start`..`start`) or one body (`start`..`end`). Text without a heading above it
    becomes a section titled `title`, or windows when it is long or the document has no heading: `count`
    estimates tokens, `tables` are spans that windows cut only between lines. `known_units` are the units in
    document order where the source marks them; else they are read off the text.
    """
    stop = headings[0].start if headings else len(text)
    nodes = _headless(text, window_spans(text, stop, count=count, tables=tables), title if headings else None)
    headings = _beside_title(text, headings, title)
    first = len(nodes)
    stack: list[tuple[int, int]] = []
    for at, heading in enumerate(headings):
        while stack and stack[-1][0] >= heading.level:
            stack.pop()
        parent = stack[-1][1] if stack else None
        stop = headings[at + 1].start if at + 1 < len(headings) else len(text)
        nodes.append(_node(text, heading, parent, len(stack) + 1, stop))
        stack.append((heading.level, first + at))
    _close_trees(nodes)
    _name(text, nodes)
    return tuple(
        Section(
            id=node.id,
            parent=None if node.parent is None else nodes[node.parent].id,
            number=node.number,
            title=node.title,
            path=node.path,
            level=node.depth,
            heading_start=node.heading_start,
            start=node.start,
            end=node.end,
            tree_end=node.tree_end,
            has_heading=node.has_heading,
            units=_units(text, node, bool(headings))
            if known_units is None
            else _inside(known_units, node.start, node.end),
        )
        for node in nodes
    )


def _units(text: str, node: _Node, headed: bool) -> tuple[Unit, ...]:
    """The units of a section; a printed contents, before the first heading or under its own, has only lines
    that look like them."""
    found = units(text, node.start, node.end)
    if CONTENTS.fullmatch(node.title) or (headed and node.key == "preamble"):
        return tuple(unit for unit in found if not unit.number[0].isdigit())
    return found


def _inside(known: Sequence[Unit], start: int, end: int) -> tuple[Unit, ...]:
    """The units that begin in the span `start`..`end`, cut off where it ends."""
    first = bisect_left(known, start, key=lambda unit: unit.start)
    last = bisect_left(known, end, key=lambda unit: unit.start)
    return tuple(
        unit if unit.end <= end else Unit(unit.number, unit.start, end) for unit in known[first:last]
    )


def _beside_title(text: str, headings: Sequence[Heading], title: str) -> Sequence[Heading]:
    """The headings, with the document's own title on a level with those that it would enclose all.

    What is the title of everything says nothing in the path of each part.
    """
    if len(headings) < 2:
        return headings
    words, wanted = _plain(text[headings[0].start : headings[0].end]), _plain(title.removesuffix("…"))
    if words != wanted and not (title.endswith("…") and words.startswith(wanted)):
        return headings
    below = min(heading.level for heading in headings[1:])
    return [replace(headings[0], level=max(below, headings[0].level)), *headings[1:]]


def _node(text: str, heading: Heading, parent: int | None, depth: int, stop: int) -> _Node:
    words = " ".join(text[heading.start : heading.end].split())
    number, title = split_number(words)
    if heading.number is not None:
        number = heading.number
        rest = words.removeprefix(number).lstrip(" .:)")
        title = rest if words.startswith(number) else words
    if heading.title is not None:
        number, title = heading.number, heading.title
    start, end = _trim(text, heading.end, stop)
    key = f"n:{_plain(number)}" if number else f"t:{_plain(title)}"
    first = bool(number and title) and words == f"{title} {number}"
    return _Node(
        parent,
        depth,
        number,
        title,
        key,
        heading.start,
        start,
        end,
        has_heading=heading.printed,
        title_first=first,
    )


def _headless(text: str, spans: Sequence[tuple[int, int]], title: str | None) -> list[_Node]:
    """Nodes for the windows of the text above any heading; with a `title` a single one is the preamble."""
    if title is not None and len(spans) == 1:
        ((start, end),) = spans
        return [_Node(None, 1, None, title or UNTITLED, "preamble", start, start, end, has_heading=False)]
    return [
        _Node(
            None,
            1,
            None,
            window_title(text[s:e]),
            f"w:{_hash(*text[s:e].split())}",
            s,
            s,
            e,
            has_heading=False,
        )
        for s, e in spans
    ]


def _trim(text: str, start: int, stop: int) -> tuple[int, int]:
    """The span without white space at its ends; an empty one lies at `start`."""
    body = text[start:stop]
    stripped = body.strip()
    if not stripped:
        return start, start
    start += len(body) - len(body.lstrip())
    return start, start + len(stripped)


def _close_trees(nodes: list[_Node]) -> None:
    for node in reversed(nodes):
        node.tree_end = max(node.tree_end, node.end)
        if node.parent is not None:
            above = nodes[node.parent]
            above.tree_end = max(above.tree_end, node.tree_end)


def _name(text: str, nodes: list[_Node]) -> None:
    """Ids and paths. Sections that share parent and key are told apart by what they say, not by rank."""
    siblings: defaultdict[tuple[int | None, str], list[int]] = defaultdict(list)
    for at, node in enumerate(nodes):
        siblings[node.parent, node.key].append(at)
    for group in siblings.values():
        if len(group) > 1:
            _tell_apart(text, [nodes[at] for at in group])
    for node in nodes:
        above = nodes[node.parent] if node.parent is not None else None
        node.id = f"s{_hash(above.id if above else '', node.key)}"
        label = f"{node.number} {node.title}".strip() if node.number else node.title
        if node.title_first:
            # "DISTRIBUTOR TERMS EXHIBIT B", as it is printed
            label = f"{node.title} {node.number}"
        node.path = (*(above.path if above else ()), label)


def _tell_apart(text: str, group: list[_Node]) -> None:
    own = [_hash(text[node.heading_start : node.end]) for node in group]
    repeated = Counter(own)
    whole = [
        f"{mine}/{_hash(text[node.heading_start : node.tree_end])}" if repeated[mine] > 1 else mine
        for node, mine in zip(group, own, strict=True)
    ]
    seen: Counter[str] = Counter()
    for node, content in zip(group, whole, strict=True):
        seen[content] += 1
        node.key = f"{node.key}#{content}#{seen[content]}"


def _plain(words: str) -> str:
    """Letters and digits only, case folded; signs alone stay as they are."""
    kept = "".join(char for char in words.casefold() if char.isalnum() or char == ".")
    return kept.strip(".") or " ".join(words.split())


def _hash(*parts: str) -> str:
    digest = blake2b(digest_size=5)
    for part in parts:
        digest.update(part.encode("utf-8"))
        digest.update(b"\0")
    return digest.hexdigest()
