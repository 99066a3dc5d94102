"""How long a code of statutes in XML takes: to sync without an encoder, to open anywhere, to read by number.

    python benchmarks/structure.py [--sections 20000] [--files 40] [--samples 200] [--copies 50]

Writes a code in the USLM schema: titles, chapters and sections with subsections, paragraphs, items and notes,
and references between them. With `--files 1` it is one huge document. Prints JSON; times are in seconds for
the sync, in milliseconds otherwise, on the clock and of the processor.

`first`: the first call in a process of its own, behind opening the index and counting its rows. `copies`: the
memory of a process that opens so many copies of the largest outline in turn and reads in each by number.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pincite.corpus.index import Index
from pincite.corpus.pointer import read_pointer, tenant_folder
from pincite.corpus.query import one_of
from pincite.corpus.scope import Scope
from pincite.corpus.store import open_table
from pincite.corpus.sync import sync
from pincite.corpus.table import DOCUMENT, row_key
from pincite.tools.finding import find_section
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox

CHAPTER = 50
TEXT = (
    "the person shall not enter any port of this district without a permit issued by the master unless "
    "notice was given in writing before arrival and the fee for the berth has been paid in full under "
    "the rules"
)


def sentence(chance: random.Random, words: int) -> str:
    """A sentence of about so many words."""
    return " ".join(chance.choices(TEXT.split(), k=words)).capitalize() + "."


def section(chance: random.Random, title: int, number: int) -> str:
    """A section with two or three subsections, paragraphs and items."""
    parts = []
    for letter in "abc"[: chance.randint(2, 3)]:
        items = "".join(
            f"<paragraph><num>({n})</num><chapeau>{sentence(chance, 14)}</chapeau>"
            f"<subparagraph><num>(A)</num>"
            f"<content>{sentence(chance, 18)}</content></subparagraph><subparagraph><num>(B)</num><content>"
            f"See section {max(1, number - n)} of this title. {sentence(chance, 12)}</content></subparagraph>"
            "</paragraph>"
            for n in (1, 2)
        )
        parts.append(
            f"<subsection><num>({letter})</num><heading>{sentence(chance, 3)}</heading>"
            f"<chapeau>{sentence(chance, 20)}</chapeau>{items}</subsection>"
        )
    return (
        f'<section identifier="/us/usc/t{title}/s{number}"><num value="{number}">§ {number}.</num>'
        f"<heading> {sentence(chance, 5)}</heading>{''.join(parts)}"
        f"<sourceCredit>(Added 19{number % 90 + 10}.)</sourceCredit></section>"
    )


def write_code(folder: Path, sections: int, files: int) -> None:
    """A code of so many sections in so many titles, a file each."""
    chance = random.Random(4)
    each = sections // files
    for title in range(1, files + 1):
        chapters = []
        for first in range(1, each + 1, CHAPTER):
            numbers = range(first, min(first + CHAPTER, each + 1))
            inside = "".join(section(chance, title, number) for number in numbers)
            chapters.append(
                f"<chapter><num>CHAPTER {first // CHAPTER + 1}—</num><heading>{sentence(chance, 3)}</heading>"
                f"{inside}</chapter>"
            )
        (folder / f"usc{title:02}.xml").write_text(
            '<uscDoc xmlns="http://xml.house.gov/schemas/uslm/1.0" xml:lang="en"><main>'
            f"<title><num>Title {title}—</num><heading>{sentence(chance, 3)}</heading>{''.join(chapters)}"
            "</title></main></uscDoc>"
        )


def first(db: Path, document: str, tool: str, section: str) -> dict[str, float]:
    """What the first call takes in a process of its own."""
    asked = json.dumps({"document": document, "section": section})
    command = [sys.executable, __file__, "--ask", str(db), tool, asked]
    found: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found


def ask(db: Path, tool: str, arguments: dict[str, str]) -> dict[str, float]:
    """Time on the clock and of the processor for a call, and for opening the index before it."""
    began = time.perf_counter()
    index = Index.open(db)
    index.counts()
    opened = time.perf_counter() - began
    toolbox = Toolbox(index, Retriever(index, None), Scope(), seed="benchmark")
    started, used = time.perf_counter(), time.process_time()
    result = toolbox.call(tool, arguments)
    assert result.error is None, result.error
    return {
        "ms": round(1000 * (time.perf_counter() - started), 1),
        "cpu_ms": round(1000 * (time.process_time() - used), 1),
        "opening_ms": round(1000 * opened, 1),
    }


def copied(db: Path, copies: int) -> dict[str, float]:
    """What opening the largest outline under so many ids takes, one after another, and the memory before and
    after; copies are rows of documents without sections."""
    import pyarrow as pa

    folder = tenant_folder(db, "default")
    table = open_table(folder, read_pointer(folder).table)
    largest = max(Index.open(db).documents(Scope()), key=lambda row: row.sections)
    row = table.search().where(one_of("key", [row_key(DOCUMENT, largest.id)])).to_arrow()
    for number in range(copies):
        copy = row
        for column, value in (("document", f"copy{number}"), ("key", row_key(DOCUMENT, f"copy{number}"))):
            copy = copy.set_column(copy.schema.get_field_index(column), column, pa.array([value]))
        table.add(copy)
    index = Index.open(db)
    find_section(index.outline_of(largest.id, Scope()), "§ 1(a)(1)")
    before, started = resident(), time.perf_counter()
    for number in range(copies):
        find_section(index.outline_of(f"copy{number}", Scope()), "§ 2(a)(1)")
    return {
        "copies": copies,
        "bytes_of_one": index.outline_of(largest.id, Scope()).packed.size,
        "ms_each": round(1000 * (time.perf_counter() - started) / copies, 1),
        "mb_before": before,
        "mb_after": resident(),
        "mb_peak": resident("VmHWM"),
    }


def resident(what: str = "VmRSS") -> float:
    """Memory of this process in megabytes, as Linux tells it."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return round(int(next(line for line in lines if line.startswith(what)).split()[1]) / 1024, 1)


def timed(calls: list[Callable[[], object]]) -> dict[str, float]:
    """Milliseconds of the calls: median and 95th percentile on the clock, median of the processor."""
    found, used = [], []
    for call in calls:
        started, before = time.perf_counter(), time.process_time()
        call()
        found.append(1000 * (time.perf_counter() - started))
        used.append(1000 * (time.process_time() - before))
    return {
        "median": round(statistics.median(found), 1),
        "p95": round(sorted(found)[int(0.95 * len(found))], 1),
        "cpu_median": round(statistics.median(used), 1),
    }


def import_lancedb() -> None:
    """Its own seconds are no part of a sync's."""
    import lancedb

    assert lancedb.__version__


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sections", type=int, default=20_000)
    options.add_argument("--files", type=int, default=40)
    options.add_argument("--samples", type=int, default=200)
    options.add_argument("--copies", type=int, default=50)
    options.add_argument("--ask", nargs=3, help=argparse.SUPPRESS)
    asked = options.parse_args()
    if asked.ask:
        print(json.dumps(ask(Path(asked.ask[0]), asked.ask[1], json.loads(asked.ask[2]))))
        return
    with tempfile.TemporaryDirectory() as name:
        docs, db = Path(name) / "docs", Path(name) / "kb"
        docs.mkdir()
        write_code(docs, asked.sections, asked.files)
        import_lancedb()
        started, used = time.perf_counter(), time.process_time()
        report = sync([docs], db, vectors=False)
        synced, processor = time.perf_counter() - started, time.process_time() - used
        index = Index.open(db)
        toolbox = Toolbox(index, Retriever(index, None), Scope(), seed="benchmark")
        chance = random.Random(5)
        each = asked.sections // asked.files
        ids = [row.id for row in index.documents(Scope(), limit=asked.files)]

        def contents() -> Callable[[], object]:
            document = chance.choice(ids)
            node = f"Chapter {chance.randint(1, max(1, each // CHAPTER))}"
            return lambda: toolbox.call("table_of_contents", {"document": document, "section": node})

        def reading() -> Callable[[], object]:
            document = chance.choice(ids)
            number = f"§ {chance.randint(1, each)}(a)(2)(B)"
            return lambda: toolbox.call("read_section", {"document": document, "section": number})

        def missing() -> Callable[[], object]:
            document, number = chance.choice(ids), f"§ {10 * each}(a)"
            return lambda: toolbox.call("read_section", {"document": document, "section": number})

        figures = {
            "sections": asked.sections,
            "documents": report.documents,
            "chunks": report.chunks,
            "sync_seconds": round(synced, 1),
            "sync_cpu_seconds": round(processor, 1),
            "index_mb": round(sum(f.stat().st_size for f in db.rglob("*") if f.is_file()) / 1e6, 1),
            "contents_ms": timed([contents() for _ in range(asked.samples)]),
            "read_ms": timed([reading() for _ in range(asked.samples)]),
            "missing_ms": timed([missing() for _ in range(asked.samples // 10)]),
            "first": {
                "contents": first(db, ids[0], "table_of_contents", "Chapter 2"),
                "reading": first(db, ids[0], "read_section", f"§ {each // 2}(a)(2)(B)"),
            },
            "memory": copied(db, asked.copies) if asked.copies else None,
        }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
