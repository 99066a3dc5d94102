"""Footnotes in markdown: "[^1]" in the text and "[^1]: note" anywhere, as a block rule for markdown-it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

DEFINITION = re.compile(r"\[\^(?P<name>[^\]\s\[]{1,100})\]:[ \t]*")
REFERENCE = re.compile(r"\[\^(?P<name>[^\]\s\[]{1,100})\]")


def use_footnotes(md: MarkdownIt) -> None:
    """Teach a parser footnotes: tokens `footnote_open` (`meta["name"]`) and `footnote_close` around the
    blocks of a note, and `footnote_ref` where it is referred to."""
    md.block.ruler.before("reference", "footnote", _definition, {"alt": ["paragraph", "reference"]})
    md.inline.ruler.before("link", "footnote_ref", _reference)


def _definition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    at = state.bMarks[start] + state.tShift[start]
    found = DEFINITION.match(state.src, at, state.eMarks[start])
    if found is None or state.is_code_block(start):
        return False
    if silent:
        return True
    token = state.push("footnote_open", "", 1)
    token.meta = {"name": found["name"]}
    token.map = [start, start + 1]
    # The note is parsed as a document of its own, indented by four columns behind its mark.
    kept = (state.bMarks[start], state.tShift[start], state.sCount[start], state.parentType, state.blkIndent)
    state.bMarks[start] = found.end()
    state.tShift[start] = 0
    state.sCount[start] = state.blkIndent + 4
    state.blkIndent += 4
    state.parentType = "footnote"
    state.md.block.tokenize(state, start, end)
    state.bMarks[start], state.tShift[start], state.sCount[start], state.parentType, state.blkIndent = kept
    token.map[1] = state.line
    state.push("footnote_close", "", -1)
    return True


def _reference(state: StateInline, silent: bool) -> bool:
    found = REFERENCE.match(state.src, state.pos, state.posMax)
    if found is None or not state.env.get("footnotes", {}).get(found["name"]):
        return False
    if not silent:
        state.push("footnote_ref", "", 0).meta = {"name": found["name"]}
    state.pos = found.end()
    return True
