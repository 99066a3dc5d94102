"""The forms in which people name a place beside its plain number: a term, a title, one within another."""

from __future__ import annotations

import re

from pincite.corpus.labels import NAMES
from pincite.corpus.references_words import KIND

DEFINED = re.compile(
    r"(?:the\s+)?(?:definitions?|meaning|term|definition|bedeutung|begriff|définition|definición)\b\s*(?:of|von|des|der|de|du|de\s+la|del)?\s*"
    r"(?:the\s+)?(?:term\s+)?[\"'“‘„«]\s*(?P<term>.+?)\s*[\"'”’“»]?$",
    re.IGNORECASE,
)
DEFINED_PLAIN = re.compile(r"(?:the\s+)?definition\s+(?:of|von|de)\s+(?P<term>.+)$", re.IGNORECASE)
FLUSH = re.compile(
    r"(?:the\s+)?(?:flush|closing|concluding)\s+(?:language|text|words|matter)\s+(?:of|in|under)\s+(?P<where>.+)$",
    re.IGNORECASE,
)
HEADED = re.compile(r"(?P<kind>[^\W\d_]+)\s+[\"'“‘„«](?P<title>.+?)[\"'”’“»]\s*(?P<rest>.*)$", re.DOTALL)
WITHIN = re.compile(
    r"\s*[>›,]\s*|\s+(?:of|in|under|within|unter|von|dans|en|sous|bajo)\s+(?:the\s+)?", re.IGNORECASE
)
BARE_NUMBER = re.compile(
    r"(?P<main>[A-Za-z]?\d{1,6}[A-Za-z]?(?:[.‑–-]\d{1,6}[A-Za-z]?)*\.?|[IVXLCDM]{1,8}\.?|[A-Z](?:[.-]\d{1,3})*\.?)?(?P<subs>(?:\s?\.?\([A-Za-z0-9]{1,5}\)|\.(?:[A-Za-z]{1,2}|[ivxlc]{2,5}|\d{1,3})\)?(?!\w))*)"
)
REST = re.compile(
    r"^[\s,;:.]*(?:(?:of|in|under|to|des|der|von|de|du|del|la|le|l[’'])\s+)?(?:the\s+|la\s+|le\s+)?|[\s,;:.()]*$",
    re.IGNORECASE,
)
ACRONYM = re.compile(r"(?=(?:[^A-Z]*[A-Z]){2})[\w&.-]{2,12}$")
# What a person calls the first words of a document that has no other name for them.
_BEGINNING = "start beginning thebeginning thestart top opening anfang beginn début inicio principio"
BEGINNING = frozenset(_BEGINNING.split())
# What joins a citation to what it is of, and says nothing by itself.
_LITTLE = "and or the of und y et der die das des dem den la le les l d el los las de du del"
LITTLE = frozenset(_LITTLE.split())
_SECTION_SIGN = re.compile(r"(?P<word>ss?)\.?\s?(?=\d)")
# "art. 3, al. 2"; "§ 3 II 2" is its second paragraph's second sentence.
_ALINEA = re.compile(r"\bal\.\s?(?=\d)", re.IGNORECASE)
_ROMAN = re.compile(
    r"(?P<whole>(?:§|\bArt\.?|\bArtikel)\s*\d+[a-z]?)\s+(?P<roman>[IVX]{1,5})\s+(?P<figure>\d)\b(?!\.\d)"
)
_WORDS = "|".join(sorted((word for word, kind in KIND.items() if len(word) > 3), key=len, reverse=True))
_NAMES = "|".join(sorted((name for name in NAMES if len(name) > 2), key=len, reverse=True))
_SPELLED = re.compile(rf"\b(?P<word>{_WORDS})\s+(?P<name>{_NAMES})\b", re.IGNORECASE)


def spelled_out(reference: str) -> str:
    """A reference as a text would print it: "s 12" is "section 12", "capítulo primero" "capítulo Primero"."""
    sign = _SECTION_SIGN.match(reference)
    if sign is not None:
        word = "sections" if sign["word"] == "ss" else "section"
        reference = f"{word} {reference[sign.end() :]}"
    reference = _ALINEA.sub("alinéa ", _ROMAN.sub(r"\g<whole> Abs. \g<roman> Satz \g<figure>", reference))
    return _SPELLED.sub(lambda found: f"{found['word']} {found['name'].capitalize()}", reference)
