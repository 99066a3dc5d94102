"""From a ranking of chunks to the places worth showing: one per section, more only in long ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pincite.corpus.rows import ChunkHit, SectionRow
from pincite.tools.sources import SectionKey

# Sections up to this many tokens give one hit; longer ones one per length of a passage.
LONG_SECTION = 800
WINDOW = 400


def first_sections(ranking: Sequence[ChunkHit], k: int) -> dict[SectionKey, str]:
    """The first k different sections of a ranking, enough to choose k hits from, with their versions."""
    found: dict[SectionKey, str] = {}
    for hit in ranking:
        found.setdefault((hit.document, hit.section), hit.version)
        if len(found) == k:
            break
    return found


def one_per_section(
    ranking: Sequence[ChunkHit], sections: Mapping[SectionKey, SectionRow], k: int
) -> tuple[ChunkHit, ...]:
    """The first k hits with one per section; in a section over 800 tokens one per 400 tokens of it."""
    chosen: list[ChunkHit] = []
    middles: dict[SectionKey, list[float]] = {}
    for hit in ranking:
        if len(chosen) == k:
            break
        key = (hit.document, hit.section)
        middle = (hit.start + hit.end) / 2
        kept = middles.setdefault(key, [])
        width = _window(sections.get(key))
        if all(abs(middle - other) >= width for other in kept):
            kept.append(middle)
            chosen.append(hit)
    return tuple(chosen)


def _window(section: SectionRow | None) -> float:
    """How far apart two hits of a section must lie, in characters."""
    if section is None or section.tokens <= LONG_SECTION:
        return float("inf")
    return WINDOW * (section.end - section.start) / section.tokens
