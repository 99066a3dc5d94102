"""Small to find, large to read: from a chunk that was found to the passage that is shown."""

from __future__ import annotations

from bisect import bisect_right

from pincite.corpus.linked import anchors_from
from pincite.corpus.references import FOUND
from pincite.corpus.rows import ChunkHit, SectionRow
from pincite.tools.passage import Passage
from pincite.tools.spans import Atom, atoms, body, excess, fitting, new_paragraph, shown_text
from pincite.tools.standing import current, section_standing, standing

# How far around a hit to look, in characters per token of the budget.
_REACH = 4


def widen(hit: ChunkHit, section: SectionRow | None, budget: int) -> Passage:
    """The hit's whole section when it fits `budget` tokens, else the hit with whole sentences around it.

    Without the section (it could not be read, or is of another version) the chunk itself.
    """
    if section is None or section.text is None or section.version != hit.version:
        return _chunk(hit)
    if not section.start <= hit.start < hit.end <= section.end:
        return _chunk(hit)
    start, end = _window(section, hit.start, hit.end, budget)
    return cut(section, start, end, budget, score=hit.score)


def cut(section: SectionRow, start: int, end: int, budget: int, *, score: float | None = None) -> Passage:
    """A span of a section as a candidate for the ledger, without white space at its ends."""
    text = body(section, start, end)
    start += len(text) - len(text.lstrip())
    end = max(start, end - (len(text) - len(text.rstrip())))
    page, line = place_at(section, start)
    page_end, _ = place_at(section, max(start, end - 1))
    gone = section_standing(section.title, section.text or "")
    return Passage(
        handle="",
        document=section.document,
        document_title=section.document_title,
        version=section.version,
        section=section.id,
        number=section.number,
        path=section.path,
        page=page,
        page_end=page_end,
        line=line,
        places=_places(section, start, end),
        start=start,
        end=end,
        text=shown_text(section, start, end, budget),
        score=score,
        references=_references(section, start, end),
        standing=", ".join(part for part in (standing(section), gone) if part),
        current=current(section) and not gone,
        labels=tuple(entry for entry in section.labels if (page or 0) <= entry[0] <= (page_end or 0)),
        anchors=anchors_from(section, start, end),
    )


def _references(section: SectionRow, start: int, end: int) -> tuple[str, ...]:
    """The references in a span, as they are worded; those that lead out of the document say so."""
    words: dict[str, None] = {}
    for one in section.references:
        if start <= one.start < end:
            text = " ".join(body(section, one.start, one.end).split())
            leads = "" if one.status == FOUND else f" ({one.act or one.href or one.status})"
            words[f"{text}{leads}"] = None
    return tuple(words)


def place_at(section: SectionRow, offset: int) -> tuple[int | None, int | None]:
    """The page and the line on which a character of the section's body stands."""
    at = bisect_right(section.starts, offset, key=lambda start: start[0]) - 1
    _, page, line = section.starts[max(0, at)] if section.starts else (0, section.page, section.line)
    return page, line


def _places(section: SectionRow, start: int, end: int) -> tuple[tuple[int, int | None, int | None], ...]:
    inside = [entry for entry in section.starts if start < entry[0] < end]
    return ((start, *place_at(section, start)), *inside) if inside else ()


def _window(section: SectionRow, start: int, end: int, budget: int) -> tuple[int, int]:
    if section.tokens <= budget:
        return section.start, section.end
    low, high = _surroundings(section, start, end, _REACH * budget)
    parts = atoms(section, low, high, budget)
    first = bisect_right(parts, start, key=lambda part: part.end)
    if first == len(parts):
        return start, end
    behind = max(first + 1, sum(part.start < end for part in parts))
    first, behind = _grow(section, parts, first, fitting(section, parts, first, behind, budget), budget)
    return parts[first].start, parts[behind - 1].end


def _surroundings(section: SectionRow, start: int, end: int, reach: int) -> tuple[int, int]:
    """A span around the hit that is enough to choose from, cut at line ends so that no sentence is torn."""
    text = section.text or ""
    low = max(0, start - section.start - reach)
    high = min(len(text), end - section.start + reach)
    if low > 0:
        low = max(low, text.find("\n", low, start - section.start) + 1)
    if high < len(text):
        line_end = text.rfind("\n", end - section.start, high)
        high = line_end if line_end >= 0 else high
    return section.start + low, section.start + high


def _grow(section: SectionRow, parts: list[Atom], first: int, behind: int, budget: int) -> tuple[int, int]:
    """Add sentences behind and in front by turns while they fit."""
    hit = (first, behind)
    size = sum(part.tokens for part in parts[first:behind])
    forward = backward = True
    while forward or backward:
        forward = forward and behind < len(parts) and size + parts[behind].tokens <= budget
        if forward:
            size += parts[behind].tokens
            behind += 1
        backward = backward and first > 0 and size + parts[first - 1].tokens <= budget
        if backward:
            first -= 1
            size += parts[first].tokens
    # A table's header may have come on top, and the whole may be a little more than its parts.
    while (first, behind) != hit:
        over = excess(section, parts, first, behind, budget)
        if over <= 0:
            break
        while over > 0 and (first, behind) != hit:
            if behind > hit[1]:
                behind -= 1
                over -= parts[behind].tokens
            else:
                over -= parts[first].tokens
                first += 1
    return _whole_paragraphs(section, parts, (first, behind), hit, budget // 6)


def _whole_paragraphs(
    section: SectionRow, parts: list[Atom], window: tuple[int, int], hit: tuple[int, int], spare: int
) -> tuple[int, int]:
    """Leave out the torn paragraphs at the ends where that costs no more than `spare` tokens each."""
    first, behind = window
    lost = 0
    for end in range(behind, hit[1] - 1, -1):
        if end == len(parts) or new_paragraph(section, parts, end):
            behind = end
            break
        lost += parts[end - 1].tokens
        if lost > spare:
            break
    lost = 0
    for start in range(first, hit[0] + 1):
        if start == 0 or new_paragraph(section, parts, start):
            first = start
            break
        lost += parts[start].tokens
        if lost > spare:
            break
    return first, behind


def _chunk(hit: ChunkHit) -> Passage:
    return Passage(
        handle="",
        document=hit.document,
        document_title=hit.document_title,
        version=hit.version,
        section=hit.section,
        number=hit.number,
        path=hit.path,
        page=hit.page,
        page_end=hit.page_end,
        line=hit.line,
        start=hit.start,
        end=hit.end,
        text=hit.text,
        score=hit.score,
        standing=standing(hit),
        current=current(hit),
    )
