"""What of a page is its content: told by an extractor, trafilatura, and by what the page's parts look like.

The extractor's own text is not used: it has no anchors, and where it errs it loses clauses, lists and tables.
It only votes. A part of the page is left out when the extractor took nothing of it and it also looks like
what stands around a text: much of it are links, it is named so, or it is an element for such things.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable

from pincite.corpus.read.html_tree import CONTENT_NAMES, Node, inline_text, link_share, names_of

# Words in a row that tell whether a text holds another.
ROW = 4
# An extractor that took less than this share of a page's words has not understood it.
LEAST_TAKEN = 0.1
LEAST_ROWS = 20
# A part of which this share was taken is content.
MOST_TAKEN = 0.05
MOST_LINKS = 0.3
# Larger pages are no web pages but whole books or codes; the extractor's time grows with them.
MARKUP_CHARS = 4_000_000
PARTS = frozenset(
    {"div", "section", "aside", "ul", "ol", "footer", "header", "form", "figure", "table", "dl"}
)
AROUND = frozenset({"aside", "footer", "form"})
_SILENT = logging.NullHandler()
# Notes and remarks of a text, which are set aside too.
NOTES = "[role^=doc-],[role=note],[class*=footnote],[id*=footnote],[class*=admonition]"
WORD = re.compile(r"\w+")
# Words in classes and ids for what stands beside a text; alone they decide nothing.
_NAMES = (
    "ad ads author banner breadcrumb breadcrumbs byline comment comments consent cookie cookies disqus "
    "footer latest menu meta more nav navbox newsletter popular promo recommend recommendations recommended "
    "related respond share sharing sidebar social subscribe tags teaser teasers toc trending widget"
)
NAMES = frozenset(_NAMES.split())


def around(markup: str, body: Node) -> Callable[[Node], bool] | None:
    """What says of an element of a page whether it stands around the content.

    None where the extractor found too little to be believed.
    """
    taken = _rows(_extracted(markup)) if len(markup) <= MARKUP_CHARS else frozenset()
    whole = _rows(inline_text(body)) if taken else frozenset()
    if len(taken & whole) < max(LEAST_ROWS, LEAST_TAKEN * len(whole)):
        return None

    def is_around(node: Node) -> bool:
        if node.tag not in PARTS or node.css_first(CONTENT_NAMES) is not None:
            return False
        if node.css_matches(NOTES):
            return False
        looks_so = (
            node.tag in AROUND or not names_of(node).isdisjoint(NAMES) or link_share(node) >= MOST_LINKS
        )
        if not looks_so:
            return False
        rows = _rows(inline_text(node))
        return bool(rows) and len(rows & taken) <= MOST_TAKEN * len(rows)

    return is_around


def _extracted(markup: str) -> str:
    """The text that the extractor takes for the content; "" when it fails."""
    import trafilatura
    from lxml.etree import LxmlError

    # Without a handler its remarks on odd pages would be printed.
    logging.getLogger("trafilatura").addHandler(_SILENT)
    try:
        text = trafilatura.extract(markup, include_tables=True, include_comments=False, favor_recall=True)
    except (LxmlError, ValueError, TypeError, AttributeError, LookupError, RecursionError):
        # It was made for pages that are meant well; those that are not are read by our own rules.
        return ""
    return text or ""


def _rows(text: str) -> frozenset[tuple[str, ...]]:
    words = [word.casefold() for word in WORD.findall(text)]
    return frozenset(zip(*(words[at:] for at in range(ROW)), strict=False))
