"""One way to say that a file cannot be read."""

from __future__ import annotations

import unicodedata

from pincite.errors import READ_CODES, ReadError

HINTS = {
    "empty": "There is nothing to index in it.",
    "not_text": "Convert the file to UTF-8 text.",
    "unsupported_format": "Convert it to PDF, DOCX, HTML, Markdown or plain text.",
    "damaged": "Open it in its own program and save it again.",
    "encrypted": "Save a copy without a password.",
    "no_text_layer": "Run text recognition (OCR) over it first.",
    "too_large": "Split it into smaller files.",
    "unsafe_xml": "Save it without a document type that declares entities.",
    "unreadable": "Check that it is a regular file and that you may read it.",
    "outside_root": "Sync the folder in which the file really lies.",
}


def shown(name: str) -> str:
    """`name` on one line: control characters and undecodable bytes become spaces or question marks."""
    plain = "".join(" " if unicodedata.category(char) in ("Cc", "Zl", "Zp") else char for char in name)
    return plain.encode("utf-8", "replace").decode("utf-8").strip()


def failure(code: str, message: str) -> ReadError:
    """A `ReadError` with a code of `READ_CODES`, a one-line message and the hint that goes with the code."""
    if code not in READ_CODES:
        raise ValueError(f"{code} is no reading code")
    return ReadError(shown(message), code=code, hint=HINTS[code])
