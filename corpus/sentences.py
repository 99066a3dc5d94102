"""Where sentences begin and end: for cutting chunks and for picking sentences to quote.

A blank line always ends a sentence, a line break does when the next line is a list item, a table row or a
heading, and a sentence mark does when the words around it say so. In doubt two sentences stay together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.corpus.sentence_lines import LABELS, block_spans
from pincite.corpus.sentence_words import (
    BEFORE_ORDINAL,
    COMPANY_WORDS,
    MONTHS,
    NEVER_ENDS,
    NUMBERED,
    OFTEN_INSIDE,
    STARTERS,
    TAKES_NUMBER,
)

Span = tuple[int, int]

_CLOSERS = "\"'”’»›)\\]}“」』）】》"
_MARK = re.compile(
    rf"[。！？｡।॥։።។။][{_CLOSERS}]*"  # ends a sentence whatever follows
    rf"|[.!?…؟۔‽]+[{_CLOSERS}]*(?=\s|\Z)"
    # with the number of a footnote behind it; behind a digit, a blank or a sign it is a decimal point
    rf"|(?<![\d\s$€£¥+−–-])[.!?…؟۔‽]+[{_CLOSERS}]*\d{{1,2}}(?=\s+[A-ZÀ-Þ])"
)
_ALWAYS = frozenset("。！？｡।॥։።។။؟۔")
_TOKEN = re.compile(r"[^\s(\[\"“”„«»/,;:—–]+\Z")
_LAST_WORD = re.compile(r"([^\W\d_]+|§+)[\s.]*\Z")
_SPACED_ABBREVIATION = re.compile(
    r"(?<!\w)(z\. ?[BTZ]|[dD]\. ?h|u\. ?[aUÄ]|[iI]\. ?[SdV]\.? ?[vdR]?|m\. ?w|e\. ?V)\Z"
)
_FIRST = re.compile(r"[\s]*([\"'“”„«‹‘\[(*_]*)([^\W_]+)?")
_ITEM = re.compile(r"\s*(?:[\[(]?(?:[a-z]{1,4}|\d{1,3})[)\]]\s|(?:[a-z]|[ivx]{2,5})\.\s+[A-ZÀ-Þ])")
_ROMAN_OR_LETTER = re.compile(r"(?:[IVXLC]+|[A-Z]|[A-Z]?\d+[A-Za-z]?)\Z")
_ENUMERATION = re.compile(
    r"(?:[;:,]|[;,] (?:and|or|und|oder))(\s+)(?=\((?:[a-z]{1,5}|[A-Z]{1,2}|\d{1,2})\)\s)"
)
# A heading in capitals that runs into the number of the clause below it.
_HEADING_BEFORE_NUMBER = re.compile(
    r"(?:\d{1,3}(?:\.\d{1,3})*\.?\s+)?(?:[A-Z][A-Z&,'’/-]+\s+){2,12}(?=\d{1,3}(?:\.\d{1,3})+\.?\s+[\"“(]?[A-Z][a-z])"
)
_LOOK_BACK = 48
_LOOK_AHEAD = 48
_LONG = 400


def sentence_spans(text: str) -> list[Span]:
    """The sentences of `text` as (start, end) character offsets, in order, without surrounding spaces.

    Every character that is not a space lies in exactly one span. Takes time linear in the text's length.
    """
    spans: list[Span] = []
    for start, end in block_spans(text):
        for sentence in _in_block(text, start, end):
            for part in _split_heading(text, *sentence):
                spans.extend(_split_enumeration(text, *part))
    return spans


def _in_block(text: str, start: int, end: int) -> Iterator[Span]:
    """The sentences of one block: text without blank lines or list starts inside; a table row is one."""
    if "\t" in text[start:end]:
        yield start, end
        return
    for match in _MARK.finditer(text, start, end):
        if match.end() < end and _ends(text, start, end, match):
            yield start, match.end()
            start = match.end()
            while text[start].isspace():
                start += 1
    yield start, end


def _ends(text: str, start: int, end: int, match: re.Match[str]) -> bool:
    """Whether the sentence mark at `match` ends the sentence that began at `start`."""
    mark = match.group()
    position = match.start()
    if mark[0] in _ALWAYS:
        return True
    following = _FIRST.match(text[match.end() : min(end, match.end() + _LOOK_AHEAD)])
    opener, word = (following.group(1), following.group(2) or "") if following else ("", "")
    before = text[max(start, position - _LOOK_BACK) : position]
    if before[-1:] in ("(", "[") or not before:
        return False
    if mark[0] in "!?":
        return not word[:1].islower() and not (mark[0] == "!" and word.lower() in COMPANY_WORDS)
    if mark[0] == "…" or mark.startswith(".."):
        return word[:1].isupper() and before[-1:] not in ("[", "(")
    if word[:1].islower() and not opener.strip("(["):
        return _ITEM.match(text, match.end(), end) is not None and not _is_abbreviation(before)
    if position - start < 60 and LABELS.fullmatch(text[start : position + 1]):
        return False
    return _stop_ends(before, start == max(start, position - _LOOK_BACK), opener, word)


def _stop_ends(before: str, whole: bool, opener: str, word: str) -> bool:
    """Whether a single full stop after `before` ends a sentence, when `word` comes next.

    `whole` says that `before` is everything since the sentence began.
    """
    token_match = _TOKEN.search(before)
    token = token_match.group() if token_match else ""
    lower = token.lower().strip("'’‘[({*")
    starts = word[:1].isupper() and word.lower() in STARTERS
    if _SPACED_ABBREVIATION.search(before):
        return False
    previous = _LAST_WORD.search(before[: len(before) - len(token)])
    previous_word = previous.group(1).lower() if previous else ""
    if lower in NEVER_ENDS:
        return False
    if lower in NUMBERED:
        alone = whole and not before[: len(before) - len(token)].strip()
        if alone and lower == "no":
            return bool(word) and not word[0].isdigit()
        return bool(word) and word[0].isalpha() and not _ROMAN_OR_LETTER.match(word) and not opener and starts
    if lower in OFTEN_INSIDE or _is_vowelless(token):
        return (
            starts or (lower in ("etc", "usw") and word[:1].isupper()) or bool(opener and opener[0] in '"“„«')
        )
    if len(lower) == 1 and lower.isalpha():
        if previous_word in TAKES_NUMBER:
            return True
        return starts and token.isupper()
    if "." in token.strip(".") and re.fullmatch(r"(?:[^\W\d_]\.)+[^\W\d_]", token):
        return starts
    if lower.isdigit() and len(lower) <= 2:
        return word.lower() not in MONTHS and previous_word not in BEFORE_ORDINAL
    return True


def _is_abbreviation(before: str) -> bool:
    match = _TOKEN.search(before)
    lower = match.group().lower() if match else ""
    return lower in NEVER_ENDS or lower in NUMBERED or lower in OFTEN_INSIDE or len(lower) == 1


def _is_vowelless(token: str) -> bool:
    """A short word in small letters without a vowel, such as "Mgmt" or "hrs": some abbreviation."""
    return (
        2 <= len(token) <= 5
        and token.isalpha()
        and not token.isupper()
        and not any(letter in "aeiouyäöüáéíóúàèùâêîôû" for letter in token.lower())
        and token.isascii()
    )


def _split_heading(text: str, start: int, end: int) -> Iterator[Span]:
    """A sentence without the heading in capitals before its clause number, and that heading by itself."""
    heading = _HEADING_BEFORE_NUMBER.match(text, start, end)
    if heading:
        yield start, start + len(heading.group().rstrip())
        start = heading.end()
    yield start, end


def _split_enumeration(text: str, start: int, end: int) -> Iterator[Span]:
    """A long sentence with items "(a) …; (b) …" in it, cut before each; others as they are."""
    if end - start > _LONG:
        cuts = [match.span(1) for match in _ENUMERATION.finditer(text, start, end)]
        if len(cuts) > 1:
            for left, right in cuts:
                yield start, left
                start = right
    yield start, end
