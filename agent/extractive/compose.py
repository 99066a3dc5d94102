"""A chosen segment as a statement: whole sentences, rows with their header, in the document's own words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.agent.extractive.quoting import Units, Weigh, count, quotes
from pincite.agent.extractive.scoring import Candidate
from pincite.agent.extractive.segments import ENDS, ITEM_MARK, Kind

_MOST_WORDS = 120
_EXCERPT_WORDS = 60
_ASKS = re.compile(r"[?？؟][\"'”’»)]*\s*$")
_LIST_END = re.compile(r"[\s;,.]+$")
_JOINED_WITH = re.compile(r"[;,]?\s+(?:and|or|und|oder|et|ou)$|[;,]$")
_ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Statement:
    """What is said and the words that prove it, all from one passage."""

    text: str
    handle: str
    quotes: tuple[str, ...]

    def to_arguments(self) -> dict[str, object]:
        """As a statement of the `answer` tool: citations first."""
        citations = [{"passage": self.handle, "quote": quote} for quote in self.quotes]
        return {"citations": citations, "text": self.text}


def compose(candidate: Candidate, weigh: Weigh) -> Statement | None:
    """The statement for a segment; None when no words of it can be quoted."""
    segment, text = candidate.segment, candidate.passage.text
    if segment.kind is Kind.row:
        said, end = _row(candidate), segment.end
    elif segment.kind is Kind.intro:
        if segment.tail is None:
            return None
        said, end = _list(candidate), segment.tail
    else:
        said, end = _prose(candidate, weigh), segment.end
    quoted = quotes(text, segment.start, end, weigh)
    return Statement(said, candidate.passage.handle, tuple(quoted)) if quoted and said else None


def _row(candidate: Candidate) -> str:
    """A table row, each cell behind the header of its column."""
    cells = [" ".join(cell.split()) for cell in candidate.text.split("\t")]
    heads = [" ".join(cell.split()) for cell in candidate.lead.split("\t")]
    if len(heads) != len(cells):
        return f"{'; '.join(filter(None, heads))}: {'; '.join(filter(None, cells))}" if any(heads) else ""
    pairs = zip(heads, cells, strict=True)
    return "; ".join(f"{head.rstrip(':')}: {cell}" if head else cell for head, cell in pairs if cell)


def _list(candidate: Candidate) -> str:
    """An introducing line with the items behind it, as many as a statement has room for."""
    segment, text = candidate.segment, candidate.passage.text
    said = _tidy(candidate.text)
    items: list[str] = []
    for line in text[segment.end : segment.tail].split("\n"):
        mark = ITEM_MARK.match(line)
        if mark:
            items.append(_tidy(line[mark.end() :]))
        elif items and line.strip():
            items[-1] = f"{items[-1]} {_tidy(line)}"
    kept: list[str] = []
    for item in items:
        if kept and count(" ".join([said, *kept, item])) > _MOST_WORDS:
            kept.append(_ELLIPSIS)
            break
        kept.append(_LIST_END.sub("", item))
    return f"{said} {'; '.join(kept)}." if kept and kept[-1] is not _ELLIPSIS else f"{said} {'; '.join(kept)}"


def _prose(candidate: Candidate, weigh: Weigh) -> str:
    own, lead = _tidy(candidate.text), _tidy(candidate.lead)
    if _ASKS.search(lead):
        lead = ""
    if count(own) > _MOST_WORDS:
        own = _excerpt(own, weigh)
    elif not candidate.segment.whole:
        own = _marked(candidate, own)
    if lead and count(lead) + count(own) <= _MOST_WORDS:
        return f"{lead} {own}"
    return own


def _marked(candidate: Candidate, said: str) -> str:
    """A sentence that the passage does not hold whole, with an ellipsis where it was cut."""
    ends_passage = not candidate.passage.text[candidate.segment.end :].strip()
    opening = f"{_ELLIPSIS} " if said[:1].islower() else ""
    closing = f" {_ELLIPSIS}" if ends_passage and not ENDS.search(said) else ""
    return f"{opening}{said}{closing}"


def _excerpt(said: str, weigh: Weigh) -> str:
    """The part of a very long sentence around what answers, cut between words, with an ellipsis."""
    units = Units(said, 0, len(said))
    quoted = quotes(said, 0, len(said), weigh)
    at = said.find(quoted[0]) if quoted else 0
    middle = next((n for n, span in enumerate(units.spans) if span[0] >= at), 0)
    first = max(middle - _EXCERPT_WORDS // 4, 0)
    last = min(first + _EXCERPT_WORDS, len(units.spans))
    left, right = units.spans[first][0], units.spans[last - 1][1]
    opening = f"{_ELLIPSIS} " if left > 0 else ""
    closing = f" {_ELLIPSIS}" if right < len(said) else ""
    return f"{opening}{said[left:right]}{closing}"


def _tidy(text: str) -> str:
    """One line, without a closing "; and" that joins it to what is not said."""
    line = " ".join(text.split())
    return _JOINED_WITH.sub("", line) if not line.endswith(":") else line


def asks(text: str) -> bool:
    """Whether a segment is itself a question, and so no answer."""
    return bool(_ASKS.search(text))
