"""The label in front of a chunk: "document title > heading path", shortened where it is long."""

from __future__ import annotations

from collections.abc import Callable, Sequence

_SEPARATOR = " > "
_LEFT_OUT = "…"

Counts = Callable[[Sequence[str]], list[int]]


def fit_labels(
    title: str, paths: Sequence[Sequence[str]], *, limit: int, counts: Counts
) -> list[tuple[str, int]]:
    """For each heading path its label, of at most `limit` word pieces, and how many it has.

    A heading that only repeats the title is left out. Where a label is too long the headings in the middle
    go first, then the end of the title, then the end of the last heading.
    """
    parts = [_parts(title, path) for path in paths]
    labels = [_SEPARATOR.join(part) for part in parts]
    # A label of this many characters is too long under any tokenizer worth its limit: not counted.
    unlikely = 20 * limit
    counted = counts([label if len(label) <= unlikely else "" for label in labels])
    return [
        (label, n) if n <= limit and len(label) <= unlikely else _shortened(part, limit, counts)
        for part, label, n in zip(parts, labels, counted, strict=True)
    ]


def _parts(title: str, path: Sequence[str]) -> list[str]:
    parts = [" ".join(part.split()) for part in (title, *path)]
    parts = [part for part in parts if part]
    if len(parts) > 1 and parts[0].casefold() == parts[1].casefold():
        del parts[1]
    return parts


def _shortened(parts: list[str], limit: int, counts: Counts) -> tuple[str, int]:
    """The longest label that fits, by the order of `fit_labels`."""
    for dropped in range(1, len(parts) - 1):
        kept = [parts[0], _LEFT_OUT, *parts[1 + dropped :]]
        label = _SEPARATOR.join(kept)
        if len(label) <= 20 * limit and (n := counts([label])[0]) <= limit:
            return label, n
    if len(parts) == 1:
        return _cut(parts[0], "", limit, counts)
    # The title leaves at least half to the last heading, which says more about the chunk.
    heading = _cut(parts[-1], "", limit // 2, counts)[0]
    tail = _SEPARATOR + (f"{_LEFT_OUT}{_SEPARATOR}" if len(parts) > 2 else "") + heading
    return _cut(parts[0], tail, limit, counts)


def _cut(text: str, tail: str, limit: int, counts: Counts) -> tuple[str, int]:
    """`text` as far as it fits with `tail` behind it, ending in "…" when cut, and the pieces of both."""
    low, high = 0, min(len(text), 20 * limit)
    if high == len(text) and (n := counts([text + tail])[0]) <= limit:
        return text + tail, n
    best, best_count = "", 0
    while low <= high:
        middle = (low + high) // 2
        candidate = text[:middle].rstrip() + _LEFT_OUT + tail
        n = counts([candidate])[0]
        if n <= limit:
            best, best_count, low = candidate, n, middle + 1
        else:
            high = middle - 1
    return best, best_count
