"""What goes to a terminal: text from documents and models cannot steer it, errors are one line."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from pincite.errors import PinciteError

# Controls but tab and newline, line and paragraph separators, bidirectional overrides and isolates, the byte
# order mark, lone surrogates, and the tag characters that spell invisible text.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\U000e0000-\U000e007f]"
)
_LABEL_LIMIT = 20
_BREAKS = re.compile(r"\s+")
_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _visible(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x100:
        return _SHORT.get(match.group(), f"\\x{code:02x}")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def safe(text: str) -> str:
    r"""`text` with what could steer a terminal written out, as in \x1b; tabs and newlines stay."""
    return _UNSAFE.sub(_visible, text)


def spelled(text: str) -> str:
    r"""A name, or a message with names in it, on one line: breaks are written out too, as in a\nb.md."""
    return safe(text).replace("\n", "\\n").replace("\t", "\\t")


def one_line(text: str, limit: int | None = None) -> str:
    """`text` made safe and put on one line; cut at `limit` characters with an ellipsis."""
    # Far more than the limit is never looked at, so that a line of megabytes costs nothing.
    head = text if limit is None else text[: 8 * limit]
    return _cut(safe(_BREAKS.sub(" ", head)).strip(), limit)


def _cut(line: str, limit: int | None) -> str:
    return line if limit is None or len(line) <= limit else line[: limit - 1].rstrip() + "…"


def to_json(value: Any) -> str:
    """JSON on one line per key, readable in every script, safe to show in a terminal as it is."""
    text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    return _UNSAFE.sub(lambda match: json.dumps(match.group())[1:-1], text)


def print_json(value: Any) -> None:
    """Print `value` as JSON on stdout."""
    click.echo(to_json(value))


def note(message: str) -> None:
    """One line to the person on stderr, beside the result on stdout."""
    click.echo(spelled(message), err=True)


def complain(problem: PinciteError) -> None:
    """The one line on stderr that an error is: what happened, and in brackets what to do about it."""
    advice = [problem.hint] if problem.hint else []
    if problem.near and not any(name in problem.hint for name in problem.near):
        advice.append("close: " + listed(problem.near))
    suffix = f" ({'; '.join(advice)})" if advice else ""
    click.echo(_cut(spelled(f"pincite: {problem.message}{suffix}"), 2000), err=True)


class Page:
    """Result lines on stdout: wrapped at words on a terminal, left long in a pipe."""

    def __init__(self) -> None:
        self._wrap = _wrapper() if sys.stdout.isatty() else None

    def line(self, text: str = "", *, indent: int = 0, style: str = "") -> None:
        """Print `text` (made safe) behind `indent` spaces; further lines of it get the same indent."""
        shown = safe(text).expandtabs(4)
        if self._wrap is not None and shown:
            self._wrap(shown, indent, style)
        else:
            margin = " " * indent
            click.echo("\n".join(f"{margin}{part}".rstrip() for part in shown.split("\n")))


def _wrapper() -> Callable[[str, int, str], None]:
    """Prints wrapped and styled text; rich is loaded only where somebody sees it."""
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    console = Console(markup=False, highlight=False, emoji=False)

    def show(text: str, indent: int, style: str) -> None:
        console.print(Padding(Text(text, style=style), (0, 0, 0, indent), expand=False))

    return show


def place(
    page: int | None,
    page_end: int | None,
    line: int | None,
    label: str | None = None,
    label_end: str | None = None,
) -> str:
    """ "page 4", "pages 4 to 6" or "line 12"; empty when the source has neither.

    With what is printed on the pages where that is not their number: "page iv (4)".
    """
    if page is not None:
        first = _page(page, label)
        return (
            f"page {first}" if page_end in (None, page) else f"pages {first} to {_page(page_end, label_end)}"
        )
    return "" if line is None else f"line {line}"


def _page(number: int, label: str | None) -> str:
    return f"{one_line(label, _LABEL_LIMIT)} ({number})" if label else str(number)


def counted(number: int, thing: str) -> str:
    """ "1 search", "2 searches"."""
    plural = f"{thing}es" if thing.endswith(("ch", "sh", "s", "x")) else f"{thing}s"
    return f"{number} {thing if number == 1 else plural}"


def listed(names: Sequence[str], limit: int = 5) -> str:
    """Names in one line, the rest as a number."""
    shown = ", ".join(names[:limit])
    return shown if len(names) <= limit else f"{shown} and {len(names) - limit} more"


def stderr_is_terminal() -> bool:
    """Whether a person watches stderr, so that moving progress makes sense."""
    return sys.stderr.isatty()
