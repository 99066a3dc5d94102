"""Markdown: CommonMark with tables, front matter and footnotes, as plain text with its headings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.corpus.read import front_matter
from pincite.corpus.read.builder import Draft, TextBuilder, collapse
from pincite.corpus.read.footnotes import use_footnotes
from pincite.corpus.read.html import add_fragment, fragment_text
from pincite.corpus.read.html_tree import TAG
from pincite.corpus.read.markdown_flat import read_flat

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

# The parser recurses once per level and drops what lies deeper; text that could nest deeper is read flat.
MAX_NESTING = 64
MARKERS = re.compile(r"(?:[ \t]|>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))*+", re.MULTILINE)
FLAT_CHARS = 20 * 1024 * 1024
# Inline parsing is quadratic in unclosed brackets; no real paragraph comes near these numbers.
INLINE_CHARS = 50_000
INLINE_BRACKETS = 1_000


# What stands between these tags is for a program, as in an HTML document.
CODE = frozenset({"script", "style", "template", "noscript", "iframe"})


def read_markdown(text: str) -> Draft:
    """The draft of a markdown text."""
    metadata, body, warnings = front_matter.split(text)
    offset = text[: len(text) - len(body)].count("\n")
    builder = TextBuilder()
    builder.warnings.extend(warnings)
    if len(body) > FLAT_CHARS or _nests_too_deep(body):
        builder.warnings.append("the markdown nests too deeply or is too large; it was read line by line")
        read_flat(body, builder, offset)
    else:
        _Walker(builder, offset).walk(_parse(body))
    return builder.finish(title=metadata.title, metadata=metadata)


def _nests_too_deep(text: str) -> bool:
    for line in text.split("\n"):
        if line[:1] in " \t>-+*0123456789":
            run = MARKERS.match(line)
            if run is not None and run.end() > MAX_NESTING // 4 and run[0].strip():
                levels = 2 * len(run[0].split()) + run[0].count(">") + len(run[0].expandtabs(4))
                if levels >= MAX_NESTING:
                    return True
    return False


def _parse(text: str) -> list[Token]:
    from markdown_it import MarkdownIt

    md = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING}).enable(["table", "strikethrough"])
    use_footnotes(md)
    md.core.ruler.at("inline", _bounded_inline)
    return md.parse(text)


def _bounded_inline(state: StateCore) -> None:
    md: MarkdownIt = state.md
    names = {token.meta["name"] for token in state.tokens if token.type == "footnote_open"}
    state.env["footnotes"] = dict.fromkeys(names, True)
    for token in state.tokens:
        if token.type != "inline":
            continue
        token.children = []
        if len(token.content) <= INLINE_CHARS and token.content.count("[") <= INLINE_BRACKETS:
            md.inline.parse(token.content, md, state.env, token.children)
        else:
            from markdown_it.token import Token as MarkdownToken

            token.children.append(MarkdownToken("text", "", 0, content=token.content))


def _without_code(children: Sequence[Token]) -> list[Token]:
    """Inline tokens without what stands between a tag of `CODE` and the end of it, where that is there."""
    tags = {at: TAG.match(one.content) for at, one in enumerate(children) if one.type == "html_inline"}
    names = {at: tag["name"].lower() for at, tag in tags.items() if tag is not None}
    last = {name: at for at, name in names.items() if children[at].content[1] == "/"}
    kept: list[Token] = []
    hidden = ""
    for at, child in enumerate(children):
        name = names.get(at, "")
        closes = name != "" and child.content[1] == "/"
        if hidden:
            hidden = "" if closes and name == hidden else hidden
        elif name in CODE and not closes and last.get(name, -1) > at:
            hidden = name
        else:
            kept.append(child)
    return kept


class _Walker:
    """Goes over the flat list of tokens once; lists and quotes are kept on a stack."""

    def __init__(self, builder: TextBuilder, line_offset: int) -> None:
        self._builder = builder
        self._offset = line_offset + 1
        self._lists: list[int | None] = []
        self._marker: str | None = None
        self._quotes = 0
        self._notes: dict[str, list[Token]] = {}
        self._pending: list[str] = []

    def walk(self, tokens: Sequence[Token]) -> None:
        """Append all blocks; each footnote stands at the end of the section that refers to it first."""
        main = self._take_notes(tokens)
        self._blocks(main)
        self._flush_notes()
        self._pending.extend(self._notes)
        self._flush_notes()

    def _take_notes(self, tokens: Sequence[Token]) -> list[Token]:
        main: list[Token] = []
        name: str | None = None
        for token in tokens:
            if token.type == "footnote_open":
                name = str(token.meta["name"])
                self._notes.setdefault(name, [])
            elif token.type == "footnote_close":
                name = None
            elif name is not None:
                self._notes[name].append(token)
            else:
                main.append(token)
        return main

    def _flush_notes(self) -> None:
        # A note may refer to another one, which then joins the queue.
        while self._pending:
            name = self._pending.pop(0)
            self._lists, self._marker = [None], f"[{name}]"
            self._blocks(self._notes.pop(name, []))
            self._lists, self._marker = [], None

    def _blocks(self, tokens: Sequence[Token]) -> None:
        at = 0
        while at < len(tokens):
            token = tokens[at]
            line = None if token.map is None else token.map[0] + self._offset
            if token.type == "heading_open":
                self._heading(token, tokens[at + 1], line)
                at += 2
            elif token.type == "inline":
                self._paragraph(self._inline(token), line)
            elif token.type in ("fence", "code_block"):
                self._paragraph(
                    token.content.rstrip("\n"), line if token.type != "fence" or line is None else line + 1
                )
            elif token.type == "html_block":
                self._html(token.content, line)
            elif token.type == "table_open":
                at = self._table(tokens, at)
            else:
                self._structure(token)
            at += 1

    def _structure(self, token: Token) -> None:
        match token.type:
            case "bullet_list_open":
                self._lists.append(None)
            case "ordered_list_open":
                self._lists.append(int(token.attrGet("start") or 1) if token.attrs.get("start") != 0 else 0)
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
                if not self._lists:
                    self._builder.end_list()
            case "list_item_open":
                number = self._lists[-1]
                self._marker = "-" if number is None else f"{number}{token.markup or '.'}"
                if number is not None:
                    self._lists[-1] = number + 1
            case "list_item_close":
                self._marker = None
            case "blockquote_open":
                self._quotes += 1
            case "blockquote_close":
                self._quotes -= 1
            case _:
                pass

    def _heading(self, token: Token, words: Token, line: int | None) -> None:
        if self._lists or self._quotes:
            self._paragraph(collapse(self._inline(words)), line)
            return
        # Notes of the heading itself belong to the section that it opens, those before to the one it ends.
        self._flush_notes()
        self._builder.heading(int(token.tag[1:]), self._inline(words), line=line)

    def _paragraph(self, text: str, line: int | None) -> None:
        if not self._lists:
            self._builder.block(text, line=line)
            return
        depth = len(self._lists) - 1
        if self._marker is not None:
            self._builder.item(
                text, depth=depth, marker=self._marker, line=line, tight=self._marker[0] != "["
            )
            self._marker = None
        else:
            self._builder.item(text, depth=depth, marker=" ", line=line, tight=False)

    def _html(self, content: str, line: int | None) -> None:
        if self._lists or self._quotes:
            self._paragraph(fragment_text(content), line)
        else:
            add_fragment(content, self._builder, line=line)

    def _table(self, tokens: Sequence[Token], at: int) -> int:
        rows: list[list[str]] = []
        lines: list[int] = []
        start = tokens[at].map
        while tokens[at].type != "table_close":
            token = tokens[at]
            if token.type == "tr_open":
                rows.append([])
                place = token.map or start
                lines.append((place[0] if place else 0) + self._offset)
            elif token.type == "inline":
                rows[-1].append(self._inline(token))
            at += 1
        self._builder.table(rows, lines=lines)
        return at

    def _inline(self, token: Token) -> str:
        parts: list[str] = []
        todo = list(reversed(_without_code(token.children or [])))
        while todo:
            child = todo.pop()
            match child.type:
                case "text" | "code_inline" | "text_special":
                    parts.append(child.content)
                case "softbreak" | "hardbreak":
                    parts.append("\n")
                case "html_inline":
                    parts.append("\n" if child.content[:3].lower() == "<br" else "")
                case "image":
                    todo.extend(reversed(child.children or []))
                case "footnote_ref":
                    self._pending.append(str(child.meta["name"]))
                case _:
                    pass
        return "".join(parts)
