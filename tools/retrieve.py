"""Wide, then narrow: the best ranking that can be had, one hit per section, with the sections' text.

Nothing here depends on a race: both searches run at the same time and both are waited for.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from pincite.corpus.rows import ChunkHit, SectionRow
from pincite.corpus.scope import Scope
from pincite.errors import PinciteError
from pincite.tools.chain import Chain, LegName, Ranking, RetrievalSettings, limited
from pincite.tools.legs import Standing, Workers, describe
from pincite.tools.narrow import first_sections, one_per_section
from pincite.tools.result import Attempt, Outcome, ToolError
from pincite.tools.section_cache import SectionCache
from pincite.tools.sources import QueryEncoder, Reranker, Searchable, SectionKey

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The hits, best first, their scores on the scale of the leg that answered (`used`).

    `sections` holds the sections of the hits, with text, unless the look-up failed (an attempt says so).
    Without hits, `error` says why.
    """

    hits: tuple[ChunkHit, ...]
    used: LegName | None
    attempts: tuple[Attempt, ...]
    error: ToolError | None = None
    sections: Mapping[SectionKey, SectionRow] = field(default_factory=dict)


class Retriever:
    """Retrieval over one index; may serve several sessions and threads at a time.

    `encoder` loads the encoder when it is first needed; None searches by keyword only. `fail` names legs
    that are to fail every time. `clock` is what the breakers go by.
    """

    def __init__(
        self,
        index: Searchable,
        encoder: Callable[[], QueryEncoder] | None,
        reranker: Reranker | None = None,
        settings: RetrievalSettings | None = None,
        *,
        fail: Iterable[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._index = index
        self._settings = settings or RetrievalSettings()
        self._chain = Chain(index, self._settings, encoder=encoder, reranker=reranker, fail=fail, clock=clock)
        self._lookups = Workers("sections")
        self._cache = SectionCache()

    def prepare(self) -> None:
        """Load what this index can use and wait for it. What cannot be loaded shows in the attempts."""
        self._chain.prepare()

    def retrieve(
        self, query: str, scope: Scope, *, k: int, legs: LegName | None = None, deadline: float | None = None
    ) -> Retrieved:
        """The k best hits, one per section (in sections over 800 tokens one per 400 tokens).

        `legs` takes one way and no other. `deadline` is how many seconds the caller has left: each step,
        loading too, gets at most half of what is left, so that its fallback has its time.
        """
        end = math.inf if deadline is None else time.monotonic() + deadline
        found, stale = self._retrieve(query, scope, k, legs, end)
        if stale:
            # A document was replaced between the searches: this time all see the new version.
            found, _ = self._retrieve(query, scope, k, legs, end)
        return found

    def _retrieve(
        self, query: str, scope: Scope, k: int, legs: LegName | None, end: float
    ) -> tuple[Retrieved, bool]:
        ranking = self._chain.run(query, scope, legs, end)
        attempts = tuple(run.attempt for run in ranking.runs)
        if not ranking.hits:
            return Retrieved((), None, attempts, self._why_nothing(ranking, scope)), False
        wanted = first_sections(ranking.hits, k)
        try:
            job = self._lookups.start(lambda: self._sections(wanted, scope))
            sections = job.wait(limited(self._settings.leg_deadline, end))
        except Exception as error:
            log.warning("the sections of the hits could not be read", exc_info=True)
            outcome = Outcome.timeout if isinstance(error, TimeoutError) else Outcome.error
            lookup = Attempt(leg="sections", outcome=outcome, reason=describe(error))
            hits = one_per_section(ranking.hits, {}, k)
            return Retrieved(hits, ranking.used, (*attempts, lookup)), False
        versions = {key: section.version for key, section in sections.items()}
        current = [hit for hit in ranking.hits if versions.get((hit.document, hit.section)) == hit.version]
        stale = any(
            versions.get((hit.document, hit.section)) != hit.version
            for hit in ranking.hits
            if (hit.document, hit.section) in wanted
        )
        if not current:
            return Retrieved((), None, attempts, self._why_nothing(ranking, scope)), stale
        return Retrieved(one_per_section(current, sections, k), ranking.used, attempts, None, sections), stale

    def _sections(self, wanted: Mapping[SectionKey, str], scope: Scope) -> Mapping[SectionKey, SectionRow]:
        """The sections of hits that were just found, with text."""
        return self._cache.sections(
            wanted, self._index.version, lambda missing: self._index.section_texts(missing, scope)
        )

    def _why_nothing(self, ranking: Ranking, scope: Scope) -> ToolError:
        """No failure may look like "no documents": only searches that worked can find nothing."""
        failed = [run for run in ranking.runs if run.standing is Standing.failed]
        answered = [run for run in ranking.runs if run.standing is Standing.answered]
        if failed or not answered:
            return unavailable(run.attempt for run in ranking.runs if run.standing is not Standing.answered)
        try:
            documents = self._index.documents(scope, limit=1)
        except PinciteError:
            log.warning("the index could not be read", exc_info=True)
            return unavailable(())
        if not documents:
            return ToolError(code="index_empty", message="There are no documents to search.")
        return ToolError(
            code="no_match",
            message="Nothing in the documents matches.",
            hint="Search again with other words, or look at table_of_contents.",
        )


def unavailable(attempts: Iterable[Attempt]) -> ToolError:
    """The error for a search that did not work; it says nothing about what the documents hold."""
    parts = [f"{attempt.leg} search {attempt.outcome.value}" for attempt in attempts]
    why = f" ({', '.join(parts)})" if parts else ""
    return ToolError(
        code="search_unavailable",
        message=f"Search does not work at the moment{why}. This does not mean that nothing is there.",
        hint="Open a document with table_of_contents and read_section instead, or search again later.",
    )
