"""How long a code of statutes in XML takes: to sync without an encoder, to open anywhere, to read by number.

    python benchmarks/structure.py [--sections 20000] [--files 40] [--samples 200]

Writes a code in the USLM schema: titles, chapters and sections with subsections, paragraphs, items and notes,
and references between them. Prints JSON; times are in seconds for the sync, in milliseconds otherwise.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
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


def timed(calls: list[Callable[[], object]]) -> dict[str, float]:
    """Median and worst of the calls, in milliseconds."""
    found = []
    for call in calls:
        started = time.perf_counter()
        call()
        found.append(1000 * (time.perf_counter() - started))
    return {
        "median": round(statistics.median(found), 1),
        "p95": round(sorted(found)[int(0.95 * len(found))], 1),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sections", type=int, default=20_000)
    options.add_argument("--files", type=int, default=40)
    options.add_argument("--samples", type=int, default=200)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        docs, db = Path(name) / "docs", Path(name) / "kb"
        docs.mkdir()
        write_code(docs, asked.sections, asked.files)
        started = time.perf_counter()
        report = sync([docs], db, vectors=False)
        synced = time.perf_counter() - started
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

        for document in ids[:3]:
            toolbox.call("table_of_contents", {"document": document})
        figures = {
            "sections": asked.sections,
            "documents": report.documents,
            "chunks": report.chunks,
            "sync_seconds": round(synced, 1),
            "contents_ms": timed([contents() for _ in range(asked.samples)]),
            "read_ms": timed([reading() for _ in range(asked.samples)]),
        }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
