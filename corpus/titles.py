"""Whether words read like a title."""

from __future__ import annotations

import re

TITLE_WORDS = 14
TITLE_CHARS = 100
ROOMY_WORDS = 28
ROOMY_CHARS = 200
LONG_WORDS = 45
LONG_CHARS = 320
# Words that only sentences have; a title that holds one of them is the beginning of a paragraph.
_SENTENCE = (
    "shall will is are was were has have had means hereby agrees agree may must should would does "
    "soll sollen wird werden ist sind hat haben kann können muss müssen "
    "est sont doit doivent peut peuvent sera seront debe deberá puede será son es"
)
SENTENCE_WORDS = frozenset(_SENTENCE.split())
_DANGLING = "and or of the a an to in with by for und oder der die das des et ou de la le les y o del"
DANGLING = frozenset(_DANGLING.split())
# "[Signature page follows]", "(continued)": a remark of whoever made the file.
NOTE = re.compile(r"(?:\[[^\]]*\]|\([^)]*\))+")
# What stands in the place of a clause that is gone.
EMPTIED = re.compile(
    r"\W*(?:intentionally |vorsätzlich )?(?:reserved|omitted|deleted|repealed|blank|left blank|void|none"
    r"|aufgehoben|weggefallen|gestrichen|reserviert|abrogée?|supprimée?|réservée?|derogad[oa]|suprimid[oa]"
    r"|reservad[oa])(?: intentionally)?\W*",
    re.IGNORECASE,
)
FIGURE = re.compile(r"(?<!\S)[-–]?\d[\d.,]*%?(?!\S)")
WORD = re.compile(r"[^\W\d_][^\W_]*(?:['’-][^\W_]+)*")


def dangles(text: str) -> bool:
    """Whether the last word asks for another one: "Terms and"."""
    words = WORD.findall(text[-20:])
    return bool(words) and words[-1].lower() in DANGLING


def is_title(text: str, *, strict: bool, long: bool = False, roomy: bool = False) -> bool:
    """Whether words read like a title. `strict`: most of them begin with a capital; `long`: it may run over
    several lines; `roomy`: it stands where only a title can, and may have more words than others."""
    text = text.strip()
    if EMPTIED.fullmatch(text):
        return True
    words = WORD.findall(text)
    if NOTE.fullmatch(text) or len(FIGURE.findall(text)) > 2:
        return False
    if (
        not words
        or len(words) > (LONG_WORDS if long else ROOMY_WORDS if roomy else TITLE_WORDS)
        or text.endswith((",", ";", "-", "。", "、"))
    ):
        return False
    first = text.lstrip("\"'“”‘’«([（「『【")[:1]
    if first.islower() or not first.isalnum() or dangles(text):
        return False
    if text.isupper():
        return True
    if not long and any(word in SENTENCE_WORDS for word in words):
        return False
    if (
        (text.endswith(".") and ". " in text)
        or (not strict and "; " in text)
        or len(text) > (LONG_CHARS if long else ROOMY_CHARS if roomy else TITLE_CHARS)
    ):
        return False
    tall = [word for word in words if len(word) > 3]
    capital = sum(not word[0].islower() for word in tall)
    return capital >= 0.6 * len(tall) or not (strict or text.endswith("."))
