"""What the search tool costs beside encoding the query and asking LanceDB for both legs by hand.

    python benchmarks/search.py [--docs FOLDER] [--chunks 4000] [--db DIR] [--repeats 10]

Makes an index of about so many chunks from the documents (kept in --db for the next run), then takes turns:
for each query once by hand, once through the tool, in one process, everything warm. Prints JSON; times are
in milliseconds, `ratio` is the tool's median over that by hand, `ratio_new` the same for the first time that
a query is asked, when its sections have not been read before. `fused` is a search without encoding the query:
both legs, merging, and the sections of the hits; `fused_on_disk` the same without chunks in memory, `legs`
and `legs_on_disk` without the sections. `processor` holds the medians of processor time of all threads.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import lancedb
import numpy as np
from lancedb.query import MatchQuery

from pincite.corpus.encoder import Encoder, load_encoder
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.tools.chain import Chain, RetrievalSettings
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox

DOCS = Path(__file__).parents[1].parent / "shared" / "data" / "cuad" / "full_contract_txt"
CHARACTERS_PER_CHUNK = 650
CANDIDATES = 100
# On a busy machine a leg may need longer than a search would wait for it.
PATIENCE = 60.0
COLUMNS = [
    "document",
    "document_title",
    "section",
    "headings",
    "start",
    "end",
    "page",
    "label",
    "indexed_text",
]


def enough(docs: Path, chunks: int) -> list[Path]:
    """The first files of the folder that together make about so many chunks."""
    chosen: list[Path] = []
    size = 0
    for path in sorted(path for path in docs.rglob("*") if path.is_file()):
        if size >= chunks * CHARACTERS_PER_CHUNK:
            break
        chosen.append(path)
        size += path.stat().st_size
    return chosen


class Remembering:
    """An encoder that has encoded the queries before they are asked."""

    def __init__(self, encoder: Encoder, queries: list[str]) -> None:
        self.spec = encoder.spec
        self._vectors = {query: encoder.encode_query(query) for query in (*queries, "warm up")}

    def encode_query(self, text: str) -> np.ndarray:
        return self._vectors[text]


def questions(index: Index, count: int) -> list[str]:
    """The first words of sections all over the index."""
    scope = Scope()
    texts = [
        row.text or ""
        for document in index.documents(scope)
        for row in index.sections(document.id, range(3, 10_000, 1), scope)
        if row.tokens > 50
    ]
    step = max(1, len(texts) // count)
    return [" ".join(text.split()[:9]) for text in texts[::step][:count]]


def without_encoding(index: Index, encoder: Remembering) -> dict[str, Callable[[str], object]]:
    """Searches with chunks in memory and without, up to the merged ranking and up to the sections."""
    runs: dict[str, Callable[[str], object]] = {}
    for end, one in (("", index), ("_on_disk", Index(index.info.folder, memory=0))):
        settings, clock = RetrievalSettings(leg_deadline=PATIENCE), time.monotonic
        chain = Chain(one, settings, encoder=lambda: encoder, reranker=None, fail=(), clock=clock)
        retriever = Retriever(one, lambda: encoder, None, settings)
        runs[f"legs{end}"] = partial(chain.run, scope=Scope(), legs=None)
        runs[f"fused{end}"] = partial(retriever.retrieve, scope=Scope(), k=7)
    return runs


def measured(run: Callable[[str], object], query: str) -> tuple[float, float]:
    started, worked = time.perf_counter(), time.process_time()
    run(query)
    return 1000 * (time.perf_counter() - started), 1000 * (time.process_time() - worked)


def summary(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {
        "median": round(statistics.median(ordered), 1),
        "p95": round(ordered[int(0.95 * len(ordered))], 1),
        "least": round(ordered[0], 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--docs", type=Path, default=DOCS)
    parser.add_argument("--chunks", type=int, default=4000)
    parser.add_argument("--db", type=Path, default=Path(tempfile.gettempdir()) / "pincite-benchmark-search")
    parser.add_argument("--queries", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()

    encoder = load_encoder()
    sync(enough(options.docs, options.chunks), options.db, encoder=encoder)
    index = Index.open(options.db)
    info = index.info
    table_name = json.loads((info.folder / "current.json").read_text())["table"]
    table = lancedb.connect(str(info.folder / "lance")).open_table(table_name)
    retriever = Retriever(index, lambda: encoder, None, RetrievalSettings(leg_deadline=PATIENCE))
    retriever.prepare()

    def encode(query: str) -> Any:
        return encoder.encode_query(query)

    def vector(query: str) -> object:
        search = table.search(encode(query), vector_column_name="vector", query_type="vector")
        found = search.distance_type("cosine").where("kind = 'chunk'", prefilter=True)
        return found.select([*COLUMNS, "_distance"]).limit(CANDIDATES).to_list()

    def keyword(query: str) -> object:
        found = table.search(MatchQuery(query, "indexed_text"), query_type="fts")
        found = found.where("kind = 'chunk'", prefilter=True)
        return found.select([*COLUMNS, "_score"]).limit(CANDIDATES).to_list()

    def by_hand(query: str) -> object:
        return vector(query), keyword(query)

    texts = questions(index, options.queries + 1)

    def retrieve(query: str) -> object:
        return retriever.retrieve(query, Scope(), k=7)

    def tool(query: str) -> object:
        result = Toolbox(index, retriever, Scope(), seed="benchmark").call("search", {"query": query})
        assert result.used == "fused", result.text[:300]
        return result

    runs: dict[str, Callable[[str], object]] = {
        "encode": encode, "keyword_by_hand": keyword, "by_hand": by_hand, "retrieve": retrieve, "tool": tool,
        **without_encoding(index, Remembering(encoder, texts)),
    }  # fmt: skip
    times: dict[str, list[float]] = {name: [] for name in runs}
    processor: dict[str, list[float]] = {name: [] for name in runs}
    new: dict[str, list[float]] = {"by_hand": [], "tool": []}
    warm_up, *queries = texts
    for run in runs.values():
        run(warm_up)
    in_memory = index.in_memory()
    for query in queries:
        for name, values in new.items():
            values.append(measured(runs[name], query)[0])
    for _ in range(options.repeats):
        for query in queries:
            for name, run in runs.items():
                wall, worked = measured(run, query)
                times[name].append(wall)
                processor[name].append(worked)
    counts = index.counts()
    report: dict[str, Any] = {name: summary(values) for name, values in times.items()}
    report["ratio"] = round(report["tool"]["median"] / report["by_hand"]["median"], 2)
    report["ratio_new"] = round(statistics.median(new["tool"]) / statistics.median(new["by_hand"]), 2)
    report["processor"] = {name: round(statistics.median(values), 1) for name, values in processor.items()}
    report |= {
        "in_memory": in_memory,
        "chunks": counts.chunks,
        "documents": counts.documents,
        "queries": len(queries),
    }
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
