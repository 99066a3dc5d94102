"""Walking an HTML tree without recursion: what is shown, in order, and what is left out."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from typing import Any, Literal

from pincite.corpus.read.points import FORGED

# selectolax has no types that mypy can read here; a node is opaque outside this module and `html`.
Node = Any
Event = tuple[Literal["text", "open", "close"], Node]

DEPTH = 2000
OWN_ADDRESS = frozenset({"¶", "#", "§", "🔗", "🔗\ufe0e", "🔗\ufe0f", "⚓", "\uf0c1"})
LINK_ITEMS = 20
LINK_CHARS = 40
_SKIPPED = (
    "script style template noscript iframe object embed svg canvas audio video map head title button select "
    "datalist input textarea nav dialog applet meta link area source track param rp"
)
SKIPPED = frozenset(_SKIPPED.split())
ROLES = frozenset({"navigation", "search", "menu", "menubar", "toolbar", "dialog", "alertdialog", "tablist"})
OUTSIDE_ROLES = frozenset({"banner", "contentinfo"})
HIDDEN_STYLE = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))", re.IGNORECASE
)
NAMED = frozenset({"div", "section", "aside", "ul", "ol", "form", "p", "table"})
WORDS = re.compile(r"[a-z]+")
# Words in classes and ids for what stands around a text, and for notices that lie over it.
_FURNITURE = (
    "nav navbar navigation menu sidebar footer breadcrumb breadcrumbs pagination pager related share "
    "sharing social toc skiplinks tags promo"
)
FURNITURE = frozenset(_FURNITURE.split())
NOTICES = frozenset(["cookie", "cookies", "consent", "newsletter", "subscribe", "advert", "advertisement"])
NOTICE_CHARS = 1500
LINK_SHARE = 0.4
CONTENT_NAMES = "h1,main,article"
CONTENT = "h1,h2,h3,h4,h5,h6,p,article,main,table"
_BLOCKS = (
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu ol "
    "optgroup option p pre section summary table tbody td tfoot th thead tr ul"
)
BLOCKS = frozenset(_BLOCKS.split())
TAG = re.compile(r"<(?P<close>/?)(?P<name>[a-zA-Z][a-zA-Z0-9]*)")
# Tags without content, and those that the next one of their kind closes.
_UNNESTED = "area base br col embed hr img input link meta param source track wbr p li dt dd tr td th option"
UNNESTED = frozenset(_UNNESTED.split())
NO_TEXT = re.compile(r"<!--.*?-->|<(script|style|template|noscript)\b.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
ANY_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)(?:\s[^>]*)?>")


def too_deep(markup: str) -> bool:
    """Whether tags may nest beyond `DEPTH`: parsing such a tree takes time with the square of the depth."""
    depth = 0
    for match in TAG.finditer(markup):
        if match["name"].lower() in UNNESTED:
            continue
        depth = max(0, depth - 1) if match["close"] else depth + 1
        if depth > DEPTH:
            return True
    return False


def without_tags(markup: str) -> str:
    """The text of markup that is not worth a parser: tags become spaces or line ends."""
    text = NO_TEXT.sub(" ", markup)
    text = ANY_TAG.sub(lambda tag: "\n" if tag[2].lower() in BLOCKS or tag[2].lower() == "br" else "", text)
    return "\n".join(
        line for line in (" ".join(raw.split()) for raw in html.unescape(text).split("\n")) if line
    )


def events(root: Node, skip: Callable[[Node], bool] | None = None) -> Iterator[Event]:
    """The shown nodes below and including `root`, elements as an "open" and a "close".

    `skip` leaves out further elements with everything in them.
    """
    node, leaving = root, False
    while True:
        if leaving:
            yield "close", node
        elif node.tag == "-text":
            yield "text", node
        elif is_shown(node) and not (skip and skip(node)):
            yield "open", node
            if node.child is not None:
                node = node.child
                continue
            yield "close", node
        if node.mem_id == root.mem_id:
            return
        if node.next is not None:
            node, leaving = node.next, False
        else:
            node, leaving = node.parent, True


def is_shown(node: Node) -> bool:
    """Whether an element is content: not hidden, not code, not the furniture of a site."""
    tag = node.tag or ""
    if tag in SKIPPED or not tag[:1].isalpha():
        return False
    attributes = node.attributes
    if "hidden" in attributes or attributes.get("role") in ROLES:
        return False
    if HIDDEN_STYLE.search(attributes.get("style") or ""):
        return False
    if (
        attributes.get("aria-hidden") == "true"
        and node.css_first(CONTENT) is None
        and tag not in ("main", "article")
    ):
        return False
    if tag == "a" and _is_own_address(node, attributes):
        return False
    if tag in NAMED and _is_named_furniture(node):
        return False
    return not _is_furniture(node, tag, attributes.get("role"))


def _is_own_address(link: Node, attributes: dict[str, str | None]) -> bool:
    """Whether a link is the sign beside a heading that leads to the heading itself."""
    return (attributes.get("href") or "").startswith("#") and link.text(deep=True).strip() in OWN_ADDRESS


def names_of(node: Node) -> set[str]:
    """The words in an element's class and id."""
    attributes = node.attributes
    return set(WORDS.findall(f"{attributes.get('class') or ''} {attributes.get('id') or ''}".lower()))


def link_share(node: Node) -> float:
    """The share of an element's letters that stand in links."""
    text = len("".join((node.text(deep=True) or "").split()))
    links = sum(len("".join((link.text(deep=True) or "").split())) for link in node.css("a"))
    return links / text if text else 1.0


def _is_named_furniture(node: Node) -> bool:
    """Whether an element is what its class or id says, "sidebar" or "cookie-banner", and not the whole page:
    it holds no main heading, and mostly links, or a short notice."""
    names = names_of(node)
    notice = not names.isdisjoint(NOTICES)
    if (not notice and names.isdisjoint(FURNITURE)) or node.css_first(CONTENT_NAMES) is not None:
        return False
    if notice:
        return len("".join((node.text(deep=True) or "").split())) <= NOTICE_CHARS
    return link_share(node) >= LINK_SHARE


def _is_furniture(node: Node, tag: str, role: str | None) -> bool:
    """A site's header without a heading, or its footer; those of an article belong to the text."""
    if tag not in ("header", "footer") and role not in OUTSIDE_ROLES:
        return False
    above = node.parent
    while above is not None:
        if above.tag in ("article", "main", "blockquote"):
            return False
        above = above.parent
    return not ((tag == "header" or role == "banner") and node.css_first("h1") is not None)


def words_of(node: Node) -> str:
    """The characters of a text node, without those that are marks of our own."""
    text: str = node.text_content or ""
    return text if text.isascii() else FORGED.sub("", text)


def is_link_list(node: Node) -> bool:
    """Whether a list is a way to other pages: many short items that hold nothing but links."""
    items = [child for child in node.iter() if child.tag == "li"]
    if len(items) < LINK_ITEMS:
        return False
    for item in items:
        text = inline_text(item)
        links = "".join(inline_text(link) for link in item.css("a"))
        if len(text) > LINK_CHARS or len("".join(links.split())) < len("".join(text.split())):
            return False
    return True


def inline_text(root: Node, marks: Callable[[str, Node], str] | None = None) -> str:
    """The shown text inside `root` on one line; blocks and line breaks become spaces.

    `marks` gives what to put where an element opens and closes.
    """
    parts: list[str] = []
    for kind, node in events(root):
        if kind == "text":
            parts.append(words_of(node))
            continue
        if marks is not None:
            parts.append(marks(kind, node))
        if node.tag in BLOCKS or node.tag == "br":
            parts.append(" ")
        elif kind == "open" and node.tag == "img":
            parts.append(f" {node.attributes.get('alt') or ''} ")
    return " ".join("".join(parts).split())
