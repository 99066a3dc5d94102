"""The data region of a tool result: document text between delimiters that no document can forge.

    ⟦4f1c22ab90de data⟧
    ⟦4f1c22ab90de P3 | lease.md | Lease > 4 Rent > 4.2 Payment | p. 12⟧
    Rent is due on the first working day of the month.
    ⟦/4f1c22ab90de⟧

Three things hold each on its own. The nonce is derived from the session's seed, which no document sees. It
never occurs in a text of its block. And inside the region a bracket "⟦" of a document is always followed
by "·", a delimiter's never is.

Escapes, undone by `unescape_quote`: "⟦" is written "⟦·"; a lone surrogate, which UTF-8 cannot carry, is
written "⟦\\ud800⟧"; "⟦⟧", an empty mark, is put inside what chat templates read as the end of a turn
("<|im_end|>"), so that a server which tokenises its template together with the text finds no control
token in it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby

from pincite.tools.passage import Passage

_NONCE = re.compile(r"[0-9a-f]{12,}\Z")
_ESCAPED = re.compile(
    r"⟦|[\ud800-\udfff]"
    r"|<(?=[|｜]|/?(?:s|bos|eos|unk|pad|mask|start_of_turn|end_of_turn|tool_call|tool_response|think)>|<SYS>)"
    r"|\[(?=/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\])"
)
_ESCAPE = re.compile(r"⟦(?:·|⟧|\\u(d[89a-f][0-9a-f]{2})⟧)")
_MARKS = str.maketrans({"⟦": "[", "⟧": "]", "|": "¦", ">": "›"})
_NAME_LIMIT = 200
_LABEL_LIMIT = 20
# Places of other documents with the same words that a delimiter names.
_PLACES = 3
_TOKEN = re.compile(r"P[1-9][0-9]*")


class Nonces:
    """An endless row of nonces from a session's seed: blake2b keyed by the seed over a counter.

    The same seed gives the same row, so a replayed session renders byte for byte the same.
    """

    def __init__(self, seed: str) -> None:
        self._key = blake2b(seed.encode("utf-8", "surrogatepass"), digest_size=32).digest()
        self._drawn = 0

    def next(self, texts: Iterable[str] = ()) -> str:
        """The next nonce, 12 hex digits, that occurs in none of `texts`."""
        texts = tuple(texts)
        while True:
            digest = blake2b(self._drawn.to_bytes(8, "big"), key=self._key, digest_size=6)
            self._drawn += 1
            nonce = digest.hexdigest()
            if not any(nonce in text for text in texts):
                return nonce


def escape(text: str) -> str:
    """Document text as it stands in a data region."""
    return _ESCAPED.sub(_mark, text)


def unescape_quote(text: str) -> str:
    """Undo `escape`, also in a piece of escaped text such as a quote that a model copied."""
    return _ESCAPE.sub(_unmark, text)


@lru_cache(maxsize=1 << 12)
def one_line(text: str, limit: int = _NAME_LIMIT) -> str:
    """A name from a document (title, heading, path) that can stand in a delimiter or a list.

    Line breaks and control characters become blanks, invisible format characters go (the two joiners that
    scripts need stay), the signs that delimiters are made of become look-alikes, and what is longer than
    `limit` is cut with an ellipsis.
    """
    plain = text[: 4 * limit]
    if not plain.isprintable():
        plain = "".join(_plain(sign) for sign in plain)
    plain = " ".join(_ESCAPED.sub(" ", plain.translate(_MARKS)).split())
    return plain if len(plain) <= limit else plain[: limit - 1].rstrip() + "…"


def quoted(name: str, limit: int = 80) -> str:
    """A name that is not ours, as one JSON string on one line, for use in our own sentences."""
    return json.dumps(one_line(name, limit), ensure_ascii=False)


def header(passage: Passage) -> str:
    """What stands beside the nonce in front of a passage: handle, document, headings, place, and so on."""
    # A title is often the file's name, and a first heading often the title.
    title = "" if passage.path and passage.document_title in passage.document else passage.document_title
    names = [name for name, _ in groupby(one_line(name) for name in (title, *passage.path)) if name]
    where = place(passage.page, passage.page_end, passage.line, passage.labels)
    version = one_line(passage.standing)
    parts = [passage.handle, one_line(passage.document), " > ".join(names), where, version, _also(passage)]
    return " | ".join(part for part in parts if part)


def _also(passage: Passage) -> str:
    """Where the same words stand as well; what there is no room for is counted."""
    places = [one_line(name) for name in passage.also_in[:_PLACES]]
    rest = len(passage.also_in) - len(places)
    more = [f"{rest} more"] if rest else []
    return f"also in: {'; '.join([*places, *more])}" if places else ""


def place(
    page: int | None,
    page_end: int | None = None,
    line: int | None = None,
    labels: Iterable[tuple[int, str]] = (),
) -> str:
    """ "p. 12", "p. 12-13" or "line 40"; empty when neither is known.

    With what is printed on the pages where that is not their number: "p. iv (4)", "p. iv-2 (4-6)".
    """
    if page is not None:
        printed = {number: one_line(label, _LABEL_LIMIT) for number, label in labels}
        ends = [page] if page_end in {None, page} else [page, page_end]
        counted = "-".join(str(end) for end in ends)
        named = "-".join(printed.get(end or 0) or str(end) for end in ends)
        return f"p. {counted}" if named == counted else f"p. {named} ({counted})"
    return f"line {line}" if line is not None else ""


def render_block(passages: Sequence[Passage], nonce: str, names: Sequence[str] = ()) -> str:
    """The passages as one data region. ValueError when the nonce is malformed or stands in a text.

    `names` are lines in front of the passages made of names from documents (contents, neighbours): each
    from `one_line`, with blanks in front or our own words around it.
    """
    heads = [header(passage) for passage in passages]
    if not _NONCE.match(nonce):
        raise ValueError("a nonce is twelve or more lower-case hex digits")
    if any("⟦" in name or "\n" in name for name in names):
        raise ValueError("a name is not on one line")
    if any(nonce in text for text in (*names, *heads, *(passage.text for passage in passages))):
        raise ValueError("the nonce stands in a text of its block")
    lines = [f"⟦{nonce} data⟧", *names]
    for head, passage in zip(heads, passages, strict=True):
        lines += [f"⟦{nonce} {head}⟧", escape(passage.text)]
    return "\n".join([*lines, f"⟦/{nonce}⟧"])


def parse_block(text: str, nonce: str) -> list[tuple[str, str]]:
    """(handle, passage text) of the region that `nonce` delimits, by the rules above.

    `text` may hold more around the region. ValueError when the region is missing or not closed.
    """
    begin, end = f"⟦{nonce} data⟧\n", f"\n⟦/{nonce}⟧"
    start = text.find(begin)
    stop = text.find(end, start + len(begin) - 1) if start >= 0 else -1
    if stop < 0:
        raise ValueError("no complete data region with this nonce")
    region = text[start + len(begin) - 1 : stop]
    found = []
    for part in region.split(f"\n⟦{nonce} ")[1:]:
        head, closed, body = part.partition("⟧\n")
        handle = _TOKEN.match(head)
        if not closed or handle is None:
            raise ValueError("a passage without its header")
        found.append((handle[0], unescape_quote(body)))
    return found


def _plain(sign: str) -> str:
    kind = unicodedata.category(sign)
    if kind == "Cf":
        return sign if sign in "\u200c\u200d" else ""
    return " " if kind[0] in "CZ" else sign


def _mark(match: re.Match[str]) -> str:
    found = match[0]
    if found == "⟦":
        return "⟦·"
    return f"⟦\\u{ord(found):x}⟧" if "\ud800" <= found <= "\udfff" else f"{found}⟦⟧"


def _unmark(match: re.Match[str]) -> str:
    if match[1]:
        return chr(int(match[1], 16))
    return "⟦" if match[0] == "⟦·" else ""
