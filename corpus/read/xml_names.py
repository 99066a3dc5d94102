"""What the elements of legal XML are called: Formex, Akoma Ntoso, USLM, the DC code and their like.

All names are local names in lower case. A schema that is not known is read by the same words.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pincite.corpus.read.xml_safe import Element, local_name

# "NO.P", "num", "enum": the number of the element that it stands in.
NUMBER = re.compile(r"(?:num|no|number|enum|label|nr)(?:\.\w+)?")
TITLE = re.compile(r"(?:sub)?(?:title|heading|head|subject|ti|sti)(?:[.\-_]\w+)*")
# Why a section holds nothing: "Repealed", "Transferred".
REASONS = frozenset({"reason"})
PREFIXES = frozenset({"prefix"})
# What describes the file, or lists what follows, rather than belonging to its text.
APART = re.compile(
    r"meta(?:data)?|bib\.instance(?:\.\w+)?|bib\.data|info\.\w+|fam\.comp|gr\.corrig|toc|toci?tem|tableofcontents"
)
TABLES = frozenset({"table", "tbl", "informaltable"})
ROWS = frozenset({"tr", "row"})
CELLS = frozenset({"td", "th", "cell", "entry"})
NOTES = frozenset({"note", "footnote", "authorialnote", "editorialnote", "endnote", "fn"})
# The text of another act: its articles are none of this one.
QUOTED = frozenset({"quot.s", "quotedcontent", "quotedstructure", "quotedtext", "embeddedstructure"})
RECITALS = frozenset({"consid", "recital"})
PREAMBLE = "preamble"
# Blocks that may stand between the words of another one.
INNER_BLOCKS = frozenset(
    {"p", "para", "list", "blocklist", "np", "item", "point", "alinea", "ul", "ol", *TABLES, *QUOTED}
)
# Levels that are sections as soon as they have a number, and the word that stands before a bare one.
DIVISIONS = {
    "book": "Book",
    "title": "Title",
    "subtitle": "Subtitle",
    "part": "Part",
    "subpart": "Subpart",
    "chapter": "Chapter",
    "subchapter": "Subchapter",
    "division": "Division",
    "article": "Article",
    "section": "§",
    "rule": "Rule",
    "annex": "Annex",
    "appendix": "Appendix",
    "schedule": "Schedule",
}
LANGUAGES = {
    "en": ("Preamble", "Recital"),
    "de": ("Präambel", "Erwägungsgrund"),
    "fr": ("Préambule", "Considérant"),
    "es": ("Preámbulo", "Considerando"),
}
LANGUAGE_ELEMENTS = frozenset({"lg.doc", "lg", "language"})
FIRST_ELEMENTS = 200


def name_of(element: Element) -> str:
    """The local name of an element in lower case; "" for what is no element."""
    return _lower(local_name(element))


@lru_cache(maxsize=4096)
def _lower(name: str) -> str:
    return name.lower()


@lru_cache(maxsize=4096)
def is_number_name(name: str) -> bool:
    """Whether an element of this name holds the number of the one that it stands in."""
    return NUMBER.fullmatch(name) is not None


@lru_cache(maxsize=4096)
def is_title_name(name: str) -> bool:
    """Whether an element of this name holds a title."""
    return TITLE.fullmatch(name) is not None


def words_for(root: Element) -> tuple[str, str]:
    """What a preamble and a recital are called in the language that a document states."""
    for at, element in enumerate(root.iter()):
        if at >= FIRST_ELEMENTS:
            break
        stated = [value for key, value in element.attrib.items() if key.rpartition("}")[2] == "lang"]
        stated += [element.get("language") or ""]
        if name_of(element) in LANGUAGE_ELEMENTS:
            stated.append(element.text or "")
        for word in stated:
            code = word.strip().lower()[:2]
            if code in LANGUAGES:
                return LANGUAGES[code]
    return LANGUAGES["en"]
