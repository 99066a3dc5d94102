"""HTML: the visible main text with its headings, lists and tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pincite.corpus.read import html_tables
from pincite.corpus.read.builder import Draft, TextBuilder, collapse
from pincite.corpus.read.html_addresses import Addresses
from pincite.corpus.read.html_main import around
from pincite.corpus.read.html_tree import (
    BLOCKS,
    Node,
    events,
    inline_text,
    is_link_list,
    too_deep,
    without_tags,
    words_of,
)
from pincite.corpus.read.points import MARK

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
MAIN = "main,[role=main],article"
# A main element must hold this share of the page's text to stand for the page.
MAIN_SHARE = 0.5
SEPARATORS = "-–—|:·•»"


def read_html(markup: str) -> Draft:
    """The draft of a page: its main element where one holds most of the text, else its body; without what
    stands around its content."""
    builder = TextBuilder()
    if too_deep(markup):
        builder.warnings.append("the page nests too deeply; its text was read without its structure")
        builder.block(without_tags(markup))
        return builder.finish()
    tree = _parse(markup)
    addresses = Addresses(builder.points, own=_canonical(tree))
    title = tree.css_first("head title") or tree.css_first("title")
    body = tree.body
    if body is not None:
        left_out = around(markup, body)
        # Two ways to find the content would lose what either of them misses.
        root = _main(body) if left_out is None else body
        _Walker(builder, None, addresses).walk(root, left_out)
    return builder.finish(title=_title(collapse(title.text()) if title is not None else "", body))


def _title(title: str, body: Node | None) -> str:
    """The title without the name of the site: the first h1, where the title begins with it."""
    heading = body.css_first("h1") if body is not None else None
    first = inline_text(heading) if heading is not None else ""
    rest = title[len(first) :].lstrip()
    site = rest[:1] in SEPARATORS and rest != ""
    return first if first and site and title.casefold().startswith(first.casefold()) else title


def add_page(markup: str, builder: TextBuilder, file: str) -> None:
    """Append a page of a larger document: its main text, as `read_html` takes it.

    `file` is the page's name in the document: its anchors are "file#anchor".
    """
    if too_deep(markup):
        builder.warnings.append("a page nests too deeply; its text was read without its structure")
        builder.block(without_tags(markup))
        return
    body = _parse(markup).body
    if body is not None:
        addresses = Addresses(builder.points, file=file)
        builder.block(addresses.page())
        _Walker(builder, None, addresses).walk(_main(body))


def _canonical(tree: LexborHTMLParser) -> str:
    """The address that a page says it has; "" when it says none."""
    node = tree.css_first("link[rel=canonical]")
    return (node.attributes.get("href") or "").partition("#")[0].strip() if node is not None else ""


def add_fragment(markup: str, builder: TextBuilder, *, line: int | None) -> None:
    """Append the text of HTML that stands inside another format, in blocks that all lie on `line`."""
    if too_deep(markup):
        builder.block(without_tags(markup), line=line)
        return
    body = _parse(markup).body
    if body is not None:
        _Walker(builder, line).walk(body)


def fragment_text(markup: str) -> str:
    """The text of HTML that stands inside another format, on one line."""
    body = None if too_deep(markup) else _parse(markup).body
    return inline_text(body) if body is not None else collapse(without_tags(markup))


def _parse(markup: str) -> LexborHTMLParser:
    from selectolax.lexbor import LexborHTMLParser

    return LexborHTMLParser(markup)


def _main(body: Node) -> Node:
    whole = len(inline_text(body))
    best = max(body.css(MAIN), key=lambda node: len(inline_text(node)), default=None)
    if best is not None and len(inline_text(best)) >= MAIN_SHARE * whole:
        return best
    return body


class _Walker:
    """Turns events into blocks: inline text is collected until a block begins or ends."""

    def __init__(self, builder: TextBuilder, line: int | None, addresses: Addresses | None = None) -> None:
        self._builder = builder
        self._line = line
        self._addresses = addresses
        self._parts: list[str] = []
        self._lists: list[int | None] = []
        self._marker: str | None = None
        self._pre = 0

    def walk(self, root: Node, left_out: Callable[[Node], bool] | None = None) -> None:
        """Append everything below `root`, without the elements of which `left_out` says so."""

        def taken(node: Node) -> bool:
            """Headings and data tables are appended whole and not entered."""
            if node.tag in HEADINGS:
                self._flush()
                self._builder.heading(int(node.tag[1]), inline_text(node, self._marks), line=self._line)
                return True
            if node.tag == "table" and html_tables.is_data(node) and not (left_out and left_out(node)):
                self._flush()
                self._append_table(node)
                return True
            if left_out is not None and node.mem_id != root.mem_id and left_out(node):
                self._flush()
                return True
            return node.tag in ("ul", "ol") and is_link_list(node)

        for kind, node in events(root, taken):
            if kind == "text":
                self._text(words_of(node))
            elif kind == "open":
                self._open(node)
            else:
                self._close(node)
        self._flush()

    def _append_table(self, table: Node) -> None:
        # The anchor of a table is that of its caption, or of its first row.
        own = self._addresses.opened(table) if self._addresses is not None else ""
        rows = html_tables.rows(table, self._marks)
        caption = html_tables.caption(table)
        if rows and not caption:
            rows[0][0] = f"{own}{rows[0][0]}"
        self._builder.table(rows, caption=f"{own}{caption}" if caption else "")
        if self._addresses is not None:
            self._addresses.ended(table, self._builder.length)

    def _marks(self, kind: str, node: Node) -> str:
        """What to put into the text where an element opens or closes."""
        if self._addresses is None:
            return ""
        return self._addresses.opened(node) if kind == "open" else self._addresses.closed(node)

    def _text(self, text: str) -> None:
        if self._pre:
            self._parts.append(text)
        elif text:
            words = " ".join(text.split())
            before = " " if text[0].isspace() else ""
            after = " " if words and text[-1].isspace() else ""
            self._parts.append(f"{before}{words}{after}")

    def _open(self, node: Node) -> None:
        tag = node.tag
        if tag == "br":
            self._parts.append("\n")
        elif tag == "img":
            self._parts.append(node.attributes.get("alt") or "")
        elif tag in BLOCKS:
            self._flush()
            if tag in ("ul", "menu", "dir"):
                self._lists.append(None)
            elif tag == "ol":
                self._lists.append(_start(node))
            elif tag == "li":
                self._begin_item(node)
            elif tag == "pre":
                self._pre += 1
        self._parts.append(self._marks("open", node))

    def _begin_item(self, node: Node) -> None:
        number = self._lists[-1] if self._lists else None
        value = (node.attributes.get("value") or "").strip()
        if number is not None and value.isdecimal() and len(value) < 9:
            number = int(value)
        self._marker = "-" if number is None else f"{number}."
        if self._lists and number is not None:
            self._lists[-1] = number + 1

    def _close(self, node: Node) -> None:
        tag = node.tag
        if tag not in BLOCKS:
            self._parts.append(self._marks("close", node))
            return
        self._flush()
        if self._addresses is not None:
            self._addresses.ended(node, self._builder.length)
        if tag in ("ul", "menu", "dir", "ol") and self._lists:
            self._lists.pop()
            if not self._lists:
                self._builder.end_list()
        elif tag == "li":
            self._marker = None
        elif tag == "pre":
            self._pre -= 1

    def _flush(self) -> None:
        text = "".join(self._parts)
        self._parts.clear()
        if not self._pre:
            text = "\n".join(" ".join(line.split()) for line in text.split("\n"))
        if not MARK.sub("", text).strip():
            self._builder.block(text)
            return
        if self._marker is not None or self._lists:
            marker, self._marker = self._marker or " ", None
            depth = max(0, len(self._lists) - 1)
            self._builder.item(text, depth=depth, marker=marker, line=self._line, tight=True)
        else:
            self._builder.block(text.strip("\n"), line=self._line)


def _start(node: Node) -> int:
    value = (node.attributes.get("start") or "").strip()
    return int(value) if value.isdecimal() and len(value) < 9 else 1
