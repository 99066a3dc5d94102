"""The anchors of a page, and the links that lead to anchors of this page or of files beside it."""

from __future__ import annotations

import posixpath
import re

from pincite.corpus.linked import split_address
from pincite.corpus.read.html_tree import Node
from pincite.corpus.read.points import Points

# The mark of a footnote, a way back to it, a sign that shows a heading's own address.
NO_REFERENCE = re.compile(r"[\W_]*|[\[(][\w*†‡]{1,3}[\])]|(?:back\s+)?to\s+top|top", re.IGNORECASE)
# What browsers open without any anchor of this name.
BUILT_IN = frozenset({"top"})
NOTES = frozenset({"sup"})
NOTE_ROLES = frozenset({"doc-noteref", "doc-backlink"})


class Addresses:
    """Marks for the anchors and links of a page.

    `own` is the page's own address, so that a link to it is one inside the page; `file` its name inside a
    larger document.
    """

    def __init__(self, points: Points, *, own: str = "", file: str = "") -> None:
        self._points = points
        self._own = own
        self._file = file
        self._ends: dict[int, str] = {}
        self._anchors: dict[int, list[int]] = {}

    def page(self) -> str:
        """The mark of the page as a whole."""
        return self._points.anchor(self._file)[0]

    def opened(self, node: Node) -> str:
        """What stands where an element opens: its anchors, and the beginning of a link."""
        attributes = node.attributes
        names = [attributes.get("id")]
        if node.tag == "a":
            names.append(attributes.get("name"))
        marks = ""
        for name in dict.fromkeys(name.strip() for name in names if name and name.strip()):
            mark, point = self._points.anchor(f"{self._file}#{name}" if self._file else name)
            marks += mark
            if point >= 0:
                self._anchors.setdefault(node.mem_id, []).append(point)
        if node.tag == "a":
            target = self._target(attributes.get("href") or "")
            if target and not _is_note(node):
                begin, self._ends[node.mem_id] = self._points.link(target)
                marks += begin
        return marks

    def closed(self, node: Node) -> str:
        """What stands where an element closes."""
        return self._ends.pop(node.mem_id, "") if node.tag == "a" else ""

    def ended(self, node: Node, length: int) -> None:
        """A block ends where the text has `length` characters."""
        for point in self._anchors.pop(node.mem_id, ()):
            self._points.close(point, length)

    def _target(self, href: str) -> str:
        """Where a link leads inside the documents; "" for elsewhere."""
        href = href.strip()
        if self._own and href.startswith(f"{self._own}#"):
            href = href[len(self._own) :]
        parts = split_address(href)
        if parts is None or (not parts[0] and parts[1].lower() in BUILT_IN):
            return ""
        path, anchor = parts
        if not self._file:
            return f"{path}#{anchor}" if anchor else path
        whole = (
            posixpath.normpath(posixpath.join(posixpath.dirname(self._file), path)) if path else self._file
        )
        return f"{whole}#{anchor}" if anchor else whole


def _is_note(link: Node) -> bool:
    """Whether a link is the mark of a note or of a place, and no reference in words."""
    kinds = f"{link.attributes.get('role') or ''} {link.attributes.get('epub:type') or ''}".split()
    if not NOTE_ROLES.isdisjoint(kinds) or "noteref" in kinds:
        return True
    if link.css_first("sup") is not None or NO_REFERENCE.fullmatch((link.text(deep=True) or "").strip()):
        return True
    above = link.parent
    return above is not None and above.tag in NOTES
