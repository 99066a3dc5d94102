"""The forms in which people name a place beside its plain number: a term, a title, one within another."""

from __future__ import annotations

import re

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
    r"(?P<main>[A-Za-z]?\d{1,6}[A-Za-z]?(?:[.‑–-]\d{1,6}[A-Za-z]?)*\.?|[IVXLCDM]{1,8}\.?|[A-Z](?:[.-]\d{1,3})*\.?)?(?P<subs>(?:\s?\.?\([A-Za-z0-9]{1,5}\))*)"
)
REST = re.compile(
    r"^[\s,;:.]*(?:(?:of|in|under|to|des|der|von|de|du|del|la|le|l[’'])\s+)?(?:the\s+|la\s+|le\s+)?|[\s,;:.()]*$",
    re.IGNORECASE,
)
ACRONYM = re.compile(r"(?=(?:[^A-Z]*[A-Z]){2})[\w&.-]{2,12}$")
