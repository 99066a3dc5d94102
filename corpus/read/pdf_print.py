"""Which lines of a PDF are set apart from the body by size or weight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pincite.corpus.read.pdf_process import PdfLine

LARGER = 1.12
SIZE_STEP = 0.5
# A face or a size that this share of the text has is the body, not its headings.
BODY_SHARE = 0.3


def scales(lines: Sequence[PdfLine]) -> list[int]:
    """For each line 0 for the body, 1 for the largest print, 2 for the next and so on, bold print last."""
    weights: Counter[float] = Counter()
    bold = 0
    for line in lines:
        weights[_step(line.size)] += len(line.text)
        bold += len(line.text) if line.bold else 0
    total = sum(weights.values())
    if not total:
        return [0] * len(lines)
    body = weights.most_common(1)[0][0]
    larger = sorted({size for size in weights if size >= LARGER * body}, reverse=True)
    if sum(weights[size] for size in larger) > BODY_SHARE * total:
        larger = []
    rank = {size: at + 1 for at, size in enumerate(larger)}
    bold_rank = len(larger) + 1 if bold <= BODY_SHARE * total else 0
    return [
        rank.get(_step(line.size)) or (bold_rank if line.bold and line.size >= 0.95 * body else 0)
        for line in lines
    ]


def _step(size: float) -> float:
    return round(size / SIZE_STEP) * SIZE_STEP
