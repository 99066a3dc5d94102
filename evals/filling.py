"""What of the evidence a search shows within a number of tokens: passages taken in the order of the ranking,
and by what they add for their length (`tools/worth.py`).

`python -m pincite.evals.filling --data DIR --db DIR` prints for each set and number of tokens the share of
a question's places that are shown, and of questions with all of theirs, in both ways. Numbers were fitted
on the queries of the first half ("tuned"), the table is of the others. A place of a set in the form of BEIR
is a document, of which any passage counts; of policies and contracts, which are read whole, and of a
questions file (`--corpus`, `--questions`) it is the labelled words.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite.corpus.encoder import Encoder, load_encoder
from pincite.corpus.index import Index
from pincite.evals.bench_index import build_index
from pincite.evals.filling_sets import NAMES, Asked, asked_of, read_queries
from pincite.evals.label_effect import documents
from pincite.evals.questions import read_questions
from pincite.tools.chain import RetrievalSettings
from pincite.tools.context import Context, ToolLimits
from pincite.tools.filling import LEAST, collect
from pincite.tools.ledger import Ledger
from pincite.tools.render import Nonces
from pincite.tools.retrieve import Retriever
from pincite.tools.showing import Showing
from pincite.tools.widen import widen
from pincite.tools.worth import Hit

# Tokens of a call and its passages at most: as many as there is room for, and what a call has by default.
ROOMS = ((600, 50), (1000, 50), (2000, 50), (2400, 6))
# Candidates beyond the passages at most, as the search tool takes them.
_MORE = 5
_PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over queries: share of the places shown, queries with all shown, passages shown."""

    places: float
    complete: float
    passages: float


def compare(
    index: Index, asked: Sequence[Asked], encoder: Encoder | None
) -> Iterator[tuple[tuple[int, int], Figures, Figures]]:
    """For each room the figures by rank and by worth, over the same hits."""
    settings = RetrievalSettings(leg_deadline=_PATIENCE)
    retriever = Retriever(index, (lambda: encoder) if encoder is not None else None, settings=settings)
    most = max(limit for _, limit in ROOMS) + _MORE
    found = [_hits(retriever, one, most) for one in asked]
    for tokens, limit in ROOMS:
        ranked, worth = [], []
        for one, hits in zip(asked, found, strict=True):
            fresh = (_context(index, retriever, one, tokens) for _ in range(2))
            candidates = hits[: limit + _MORE]
            ranked.append(_marks(one, by_rank(next(fresh), candidates, limit)))
            worth.append(_marks(one, collect(next(fresh), [one.text], candidates, 0, limit)[0]))
        yield (tokens, limit), _mean(ranked), _mean(worth)


def by_rank(context: Context, hits: Sequence[Hit], limit: int) -> Showing:
    """The hits in their order while there is room, the last cut to what is left."""
    showing = Showing(context)
    for hit in hits[:limit]:
        passage = widen(*hit, context.limits.passage_tokens)
        if not showing.add(passage):
            rest = showing.room_for(passage)
            if rest < LEAST or not showing.add(widen(*hit, rest)):
                break
    return showing


def _hits(retriever: Retriever, asked: Asked, most: int) -> list[Hit]:
    found = retriever.retrieve(asked.text, asked.scope, k=most)
    return [(hit, found.sections.get((hit.document, hit.section))) for hit in found.hits]


def _context(index: Index, retriever: Retriever, asked: Asked, tokens: int) -> Context:
    limits = ToolLimits(call_tokens=tokens)
    return Context(index, retriever, asked.scope, Ledger(), Nonces("filling"), limits)


def _marks(asked: Asked, showing: Showing) -> tuple[list[bool], int]:
    passages = showing.commit().passages
    return asked.shown(passages), len(passages)


def _mean(marks: Sequence[tuple[list[bool], int]]) -> Figures:
    return Figures(
        places=math.fsum(sum(shown) / len(shown) for shown, _ in marks) / len(marks),
        complete=sum(all(shown) for shown, _ in marks) / len(marks),
        passages=sum(number for _, number in marks) / len(marks),
    )


def _line(name: str, queries: int, room: tuple[int, int], ranked: Figures, worth: Figures) -> str:
    cells = [f"{_share(one.places)} / {_share(one.complete)} ({one.passages:.1f})" for one in (ranked, worth)]
    return f"| {name} ({queries}) | {room[0]:,} tokens, {room[1]} passages | {' | '.join(cells)} |\n"


def _share(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m pincite.evals.filling", description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--corpus", type=Path, help="with --questions: a folder instead of the sets")
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--db", type=Path, required=True, help="where the indexes are kept")
    parser.add_argument("--set", dest="sets", action="append", choices=NAMES)
    parser.add_argument("--half", choices=("tuned", "held"), default="held")
    options = parser.parse_args(arguments)
    encoder = load_encoder()
    sys.stdout.write("| set (questions) | room | by rank | by worth |\n|---|---|---|---|\n")
    if options.corpus is not None:
        index = build_index(documents(options.corpus), str(options.corpus.resolve()), options.db, encoder)
        measured = [(options.corpus.name, index, asked_of(index, read_questions(options.questions)))]
    else:
        measured = [
            (name, *read_queries(name, options.data, options.db, options.half, encoder))
            for name in options.sets or NAMES
        ]
    for name, index, asked in measured:
        for room, ranked, worth in compare(index, asked, encoder):
            sys.stdout.write(_line(name, len(asked), room, ranked, worth))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
