"""What a model is shown of a ranking: how many of the labelled places fit into a number of tokens.

The ranking is the same in every row; the rows differ in how many hits a section may give and in how much is
read around each. Passages are taken in the order of the ranking; what choosing among them by what each adds
is worth is measured by `pincite.evals.filling`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pincite.corpus.index import Index
from pincite.corpus.rows import ChunkHit, SectionRow
from pincite.corpus.scope import Scope
from pincite.evals.ablation_places import PlacedSet, Stretch
from pincite.evals.ablation_ways import Figures, FullEncoder, below, default_way, rankings, searched
from pincite.evals.bench_index import build_index
from pincite.evals.progress import Tell
from pincite.tools.context import ToolLimits
from pincite.tools.narrow import first_sections, one_per_section
from pincite.tools.passage import Passage
from pincite.tools.render import escape, header
from pincite.tools.sources import SectionKey
from pincite.tools.spans import tokens_of
from pincite.tools.widen import widen

BUDGETS = (500, 1_000, 2_000)
# Hits that are looked at; the largest budget holds fewer passages.
HITS = 60
# What a delimiter costs beside its header, and the smallest rest of a budget that is filled.
DELIMITER, LEAST = 16, 60


@dataclass(frozen=True, slots=True)
class Reading:
    """A way to make passages of hits: `width` is the tokens of one, None for the chunk as it was found."""

    width: int | None
    narrow: bool = True


READINGS: dict[str, Reading] = {
    "one per section, 400 tokens around the hit (the default)": Reading(ToolLimits().passage_tokens),
    "one per section, 200 tokens": Reading(200),
    "one per section, 800 tokens": Reading(800),
    "one per section, all of it": Reading(1_000_000),
    "one per section, the chunk alone": Reading(None),
    "any number per section, 400 tokens": Reading(ToolLimits().passage_tokens, narrow=False),
    "any number per section, 200 tokens": Reading(200, narrow=False),
    "any number per section, the chunk alone": Reading(None, narrow=False),
}


Sections = Mapping[SectionKey, SectionRow]


def passages(ranking: Sequence[ChunkHit], sections: Sections, reading: Reading) -> Iterator[list[Passage]]:
    """For each of `BUDGETS` the passages that fit it with their delimiters; the last is cut to what is left.

    What lies inside a passage that is there already is left out.
    """

    @cache
    def widened(at: int, width: int) -> Passage:
        hit = hits[at]
        return widen(hit, sections.get((hit.document, hit.section)), width)

    hits = one_per_section(ranking, sections, HITS) if reading.narrow else ranking[:HITS]
    for budget in BUDGETS:
        shown: list[Passage] = []
        left = budget
        for at, hit in enumerate(hits):
            passage = widen(hit, None, 0) if reading.width is None else widened(at, reading.width)
            if any(_inside(passage, other) for other in shown):
                continue
            rest = left - _delimiter(passage)
            if _cost(passage) > left and reading.width is not None and rest >= LEAST:
                passage = widened(at, rest)
            if _cost(passage) > left:
                break
            shown.append(passage)
            left -= _cost(passage)
        yield shown


def _inside(one: Passage, other: Passage) -> bool:
    same = (one.document, one.section) == (other.document, other.section)
    return same and other.start <= one.start and one.end <= other.end


def _cost(passage: Passage) -> int:
    return tokens_of(escape(passage.text)) + _delimiter(passage)


def _delimiter(passage: Passage) -> int:
    return tokens_of(header(passage)) + DELIMITER


def places_shown(places: Sequence[Sequence[Stretch]], shown: Sequence[Passage]) -> float:
    """The share of the places of which the passages together show at least half the characters."""
    found = sum(any(2 * _covered(one, shown) >= one.end - one.start for one in place) for place in places)
    return found / len(places)


def _covered(one: Stretch, shown: Sequence[Passage]) -> int:
    """How many characters of a stretch some passage shows."""
    spans = sorted(
        (max(one.start, passage.start), min(one.end, passage.end))
        for passage in shown
        if passage.document == one.document
    )
    covered, at = 0, one.start
    for start, end in spans:
        covered += max(0, end - max(at, start))
        at = max(at, end)
    return covered


def within_budgets(
    rankings: Mapping[str, Sequence[ChunkHit]],
    places: Mapping[str, Sequence[Sequence[Stretch]]],
    sections: Sections,
    reading: Reading,
) -> tuple[float, ...]:
    """The mean share of places shown over the queries, for each budget."""
    shares: list[list[float]] = [[] for _ in BUDGETS]
    for query, ranking in rankings.items():
        for shown, found in zip(passages(ranking, sections, reading), shares, strict=True):
            found.append(places_shown(places[query], shown))
    return tuple(math.fsum(found) / len(found) for found in shares)


def sections_of(rankings: Mapping[str, Sequence[ChunkHit]], index: Index) -> Sections:
    """The sections, with text, of the hits that are looked at."""
    known: dict[SectionKey, SectionRow] = {}
    for ranking in rankings.values():
        missing = [key for key in first_sections(ranking, HITS) if key not in known]
        if missing:
            known.update(index.section_texts(missing, Scope()))
    return known


def compare_readings(sets: Mapping[str, PlacedSet], db: Path, encoder: FullEncoder, tell: Tell) -> Figures:
    """Way of making passages -> set -> the share of places shown within each of `BUDGETS`."""
    table: Figures = {reading: {} for reading in READINGS}
    for name, one in sets.items():
        labelled = one.labelled(name)
        index = build_index(labelled.documents, labelled.digest, db, encoder, progress=below(name, tell))
        merged = rankings(searched(labelled.task, index, encoder, below(name, tell)), default_way())
        sections = sections_of(merged, index)
        for done, (reading, way) in enumerate(READINGS.items()):
            tell(f"{name}: reading", done, len(READINGS))
            table[reading][name] = within_budgets(merged, one.places, sections, way)
    return table
