"""Other ways to cut documents and to label chunks: each has an index of its own, searched in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from pincite.corpus.chunk import ChunkBudget
from pincite.corpus.encoder_source import SyncEncoder
from pincite.corpus.index import Index
from pincite.evals.ablation_passages import READINGS, sections_of, within_budgets
from pincite.evals.ablation_places import PlacedSet
from pincite.evals.ablation_sets import LabelledSet
from pincite.evals.ablation_ways import Figures, FullEncoder, below, default_way, figures, rankings, searched
from pincite.evals.bench_index import build_index
from pincite.evals.progress import Tell

# (name, how chunks are cut, whether they carry their label); all-MiniLM-L6-v2 reads 254 word pieces.
CUTS: tuple[tuple[str, ChunkBudget | None, bool], ...] = (
    ("200 word pieces, overlap .15 (the default)", None, True),
    ("without the label", None, False),
    ("100 word pieces", ChunkBudget(target=100), True),
    ("400 word pieces, of which the encoder reads 254", ChunkBudget(target=400, limit=600), True),
    ("200 word pieces, no overlap", ChunkBudget(overlap=0.0), True),
    ("200 word pieces, overlap .3", ChunkBudget(overlap=0.3), True),
)


class RememberingEncoder:
    """An encoder that encodes a text once, however many indexes hold it."""

    def __init__(self, encoder: SyncEncoder) -> None:
        self._encoder = encoder
        self._vectors: dict[str, np.ndarray] = {}
        self.spec = encoder.spec
        self.count = encoder.count

    def encode_documents(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> np.ndarray:
        """The vectors of texts, shape (len(texts), dimension)."""
        missing = list(dict.fromkeys(text for text in texts if text not in self._vectors))
        known = len(texts) - len(missing)
        if missing:
            vectors = self._encoder.encode_documents(
                missing, progress=progress and (lambda done: progress(known + done))
            )
            self._vectors.update(zip(missing, vectors, strict=True))
        return np.stack([self._vectors[text] for text in texts])


def compare_labelled(sets: Mapping[str, LabelledSet], db: Path, encoder: FullEncoder, tell: Tell) -> Figures:
    """Way of cutting -> set -> the measures of a ranking, for sets whose labels are documents."""
    table: Figures = {name: {} for name, _, _ in CUTS}
    for name, one in sets.items():
        for cut, index in _indexes(name, one, db, encoder, tell):
            found = searched(one.task, index, encoder, below(f"{name}, {cut}", tell))
            table[cut][name] = figures(one.task, rankings(found, default_way()))
    return table


def compare_placed(sets: Mapping[str, PlacedSet], db: Path, encoder: FullEncoder, tell: Tell) -> Figures:
    """Way of cutting -> set -> the share of places shown, passages made as a search makes them.

    A measure over chunks would not do: the larger they are, the more of a place each shows.
    """
    default, *_ = READINGS.values()
    table: Figures = {name: {} for name, _, _ in CUTS}
    for name, one in sets.items():
        labelled = one.labelled(name)
        for cut, index in _indexes(name, labelled, db, encoder, tell):
            merged = rankings(
                searched(labelled.task, index, encoder, below(f"{name}, {cut}", tell)), default_way()
            )
            table[cut][name] = within_budgets(merged, one.places, sections_of(merged, index), default)
    return table


def _indexes(
    name: str, one: LabelledSet, db: Path, encoder: FullEncoder, tell: Tell
) -> Iterator[tuple[str, Index]]:
    remembering = RememberingEncoder(encoder)
    for cut, budget, label in CUTS:
        told = below(f"{name}, {cut}", tell)
        yield (
            cut,
            build_index(
                one.documents, one.digest, db, remembering, budget=budget, label=label, progress=told
            ),
        )
