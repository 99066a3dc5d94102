"""Bytes to text: the right characters or a refusal, never rubbish."""

from __future__ import annotations

import codecs
import re

from pincite.corpus.read.failure import failure

MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
SAMPLE = 64 * 1024
# Controls that no text file holds; tab, line feeds, form feed, backspace and escape do occur in old listings.
CONTROL = re.compile(r"[\x00-\x07\x0e-\x1a\x1c-\x1f\x7f\ufffe\uffff]")
DROPPED = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufeff\ufffe\uffff]")
HIGH = re.compile(rb"[\x80-\xff]")
WESTERN = frozenset(
    "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜßàáâãäåæçèéêëìíîïñòóôõöøùúûüÿŒœ"
    "€‚„…†‡‰‹‘’“”•–—™›¡¢£¥§©ª«¬\xad®°±²³´µ¶·¹º»¼½¾¿×÷\xa0"
)
ROW = re.compile(r"[^\W\d_\x00-\x7f]{3}")
# A sign or a superscript inside a word is the mark of a wrong guess.
MIXED = re.compile(r"[^\W\d_][€‚„†‡‰¡¢£¥§©«¬±²³µ¶¹¼½¾¿×÷][^\W\d_]")
EAST = re.compile(r"[\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff9f\u2010-\u2026\u2190-\u25ff]")
EAST_ASIAN = (
    "cp932",
    "shift_jis",
    "euc_jp",
    "euc_jis_2004",
    "gb18030",
    "gbk",
    "gb2312",
    "big5",
    "cp949",
    "euc_kr",
)
CERTAIN = ("cp125", "koi8", "iso8859")


def decode(data: bytes) -> str:
    """The text of `data`: byte order marks, UTF-8, UTF-16 without a mark, then older character sets.

    Line ends become "\\n", controls and stray byte order marks are dropped. Raises `ReadError` with
    `empty` (nothing but white space) or `not_text`.
    """
    text = _characters(data)
    controls = len(CONTROL.findall(text))
    if controls > 2 + len(text) // 2000:
        raise failure("not_text", "the file holds binary data, not text")
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x85", "\n")
    text = DROPPED.sub("", text)
    if not text.strip():
        raise failure("empty", "the file holds nothing but white space")
    return text


def _characters(data: bytes) -> str:
    for mark, encoding in MARKS:
        if data.startswith(mark):
            return _strict(data[len(mark) :], encoding)
    if b"\0" in data:
        return _without_mark(data)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _legacy(data)


def _strict(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise failure("not_text", f"the file is marked as {encoding} and is not") from error


def _without_mark(data: bytes) -> str:
    # Every second byte of western UTF-16 is zero, and nearly none of the others.
    sample = data[: SAMPLE - SAMPLE % 2]
    half = max(1, len(sample) // 2)
    even, odd = sample[0::2].count(0) / half, sample[1::2].count(0) / half
    for encoding, zeros, others in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if zeros > 0.3 and others < 0.05:
            return _strict(data, encoding)
    raise failure("not_text", "the file holds binary data, not text")


def _legacy(data: bytes) -> str:
    """Windows-1252 when the text looks western, else what charset-normalizer tells with certainty."""
    if not CONTROL.search(data.decode("latin-1")):
        western = data.decode("cp1252", "replace")
        if _looks_western(western):
            return western
        for encoding in _guesses(_dense_sample(data)):
            try:
                text = data.decode(encoding)
            except (UnicodeDecodeError, LookupError):
                continue
            if _looks_foreign(text, encoding):
                return text
    raise failure("not_text", "the character set of the file cannot be told")


def _guesses(sample: bytes) -> list[str]:
    from charset_normalizer import from_bytes

    matches = from_bytes(sample, threshold=0.15, enable_fallback=False)
    # A single-byte set fits nearly any bytes: only words of a language (coherence) speak for it.
    return [
        match.encoding
        for match in matches
        if match.encoding in EAST_ASIAN or (match.encoding.startswith(CERTAIN) and match.coherence >= 0.2)
    ]


def _looks_western(text: str) -> bool:
    high = [char for char in text if char > "\x7f"]
    common = sum(char in WESTERN for char in high)
    # In western languages accented letters stand between plain ones; elsewhere they come in rows.
    return common >= 0.97 * len(high) and len(ROW.findall(text)) <= 0.1 * len(high) and not MIXED.search(text)


def _looks_foreign(text: str, encoding: str) -> bool:
    high = [char for char in text if char > "\x7f"]
    if encoding in EAST_ASIAN:
        return len(high) >= 8 and sum(bool(EAST.match(char)) for char in high) >= 0.97 * len(high)
    return len(high) >= 8 and not MIXED.search(text)


def _dense_sample(data: bytes) -> bytes:
    """A piece in which characters beyond ASCII are frequent: they alone tell the character set."""
    if len(data) <= SAMPLE:
        return data
    first = HIGH.search(data)
    start = max(0, (first.start() if first else 0) - 1024)
    start = data.rfind(b"\n", 0, start) + 1 if start else 0
    return data[start : start + SAMPLE]
