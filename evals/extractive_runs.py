"""The real pipeline over a set of labelled questions: sync, tools, loop, ExtractiveModel."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.agent.answer import Answer
from pincite.agent.extractive.model import ExtractiveModel
from pincite.agent.loop import Agent
from pincite.corpus.encoder import Encoder, load_encoder
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.evals.answer_metrics import Letters, Outcome, covers, letters, overlaps, shares, token_f1
from pincite.evals.extractive_sets import Case, QuestionSet
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox

if TYPE_CHECKING:
    import numpy as np


class TimedEncoder:
    """An encoder that adds up the seconds spent in it."""

    def __init__(self, encoder: Encoder) -> None:
        self.plain = encoder
        self.spec = encoder.spec
        self.seconds = 0.0

    def encode_query(self, text: str) -> np.ndarray:
        """As the encoder."""
        started = time.perf_counter()
        try:
            return self.plain.encode_query(text)
        finally:
            self.seconds += time.perf_counter() - started

    def encode_documents(
        self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None
    ) -> np.ndarray:
        """As the encoder."""
        started = time.perf_counter()
        try:
            return self.plain.encode_documents(texts, progress=progress)
        finally:
            self.seconds += time.perf_counter() - started


class Bench:
    """An index of one set's folder, and what answers over it. `encoder` None is keyword search only."""

    def __init__(self, questions: QuestionSet, work: Path, encoder: TimedEncoder | None) -> None:
        database = work / f"{questions.name}-{'vectors' if encoder else 'words'}"
        sync(
            [questions.folder],
            database,
            vectors=encoder is not None,
            encoder=encoder.plain if encoder else None,
        )
        self.index = Index.open(database)
        self.encoder = encoder
        load = (lambda: encoder) if encoder else None
        self.retriever = Retriever(self.index, load)
        self.model = ExtractiveModel(load)
        self._root = questions.folder.name
        self._labels = questions.labels
        self._sources: dict[str, Letters] = {}

    def toolbox(self, case: Case) -> Toolbox:
        """Tools in a session of their own, scoped to the case's document."""
        documents = frozenset({f"{self._root}/{case.document}"}) if case.document else None
        return Toolbox(self.index, self.retriever, Scope(documents=documents), seed="evaluation")

    def source(self, case: Case) -> Letters:
        """The letters of the text in which the answer stands."""
        if case.source not in self._sources:
            self._sources[case.source] = letters(case.source)
        return self._sources[case.source]

    def ask(self, case: Case) -> Answer:
        """The answer of the offline mode, through the loop and its check."""
        return Agent(self.model, self.toolbox(case)).ask(case.question)

    def outcome(self, case: Case, answer: Answer, seconds: float) -> Outcome:
        """How an answer compares with the labels."""
        quotes = [[one.quote for one in statement.citations] for statement in answer.statements]
        good = [any(self.hits(case, quote) for quote in one) for one in quotes]
        flat = [quote for one in quotes for quote in one]
        if self._labels == "places":
            hit = bool(case.gold) and all(any(shares(quote, gold) for quote in flat) for gold in case.gold)
        else:
            hit = any(good)
        return Outcome(
            present=case.present,
            status=str(answer.status),
            hit=hit,
            first=bool(good) and good[0],
            f1=max((token_f1(quote, gold) for quote in flat for gold in case.gold), default=0.0),
            seconds=seconds,
            statements=len(quotes),
            good_statements=sum(good),
        )

    def hits(self, case: Case, quote: str) -> bool:
        """Whether a run of words hits one of the labels."""
        if self._labels == "places":
            return any(shares(quote, gold) for gold in case.gold)
        compare = covers if self._labels == "answers" else overlaps
        return compare(quote, self.source(case), case.spans)


def load_timed_encoder() -> TimedEncoder:
    """The default encoder, timed. Raises EncoderUnavailableError."""
    return TimedEncoder(load_encoder())
