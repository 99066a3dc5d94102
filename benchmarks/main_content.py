"""How much of a page's content is kept, and how much of what stands around it.

Run with `python benchmarks/main_content.py GOLD.json FOLDER`: GOLD names for each page its `file` in FOLDER,
words that belong to its content (`with`) and words that do not (`without`), as trafilatura's own evaluation
does (tests/evaldata.json and tests/eval of its repository, Apache-2.0). `--sample N` takes N pages of those
with two and more of each.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from pathlib import Path

import trafilatura

from pincite.corpus.read.decode import decode
from pincite.corpus.read.html import read_html
from pincite.errors import ReadError


def extracted(markup: str) -> str:
    """The text of the extractor by itself."""
    return trafilatura.extract(markup, include_tables=True, include_comments=False, favor_recall=True) or ""


def plain(text: str) -> str:
    return " ".join(text.split())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    pages = [
        page
        for page in json.loads(options.gold.read_text(encoding="utf-8")).values()
        if len(page.get("with") or ()) > 1 and len(page.get("without") or ()) > 1
    ]
    random.Random(options.seed).shuffle(pages)
    ways: dict[str, Callable[[str], str]] = {
        "pincite": lambda markup: read_html(markup).text,
        "trafilatura alone": extracted,
    }
    counts = {way: [0, 0, 0, 0] for way in ways}
    seconds = dict.fromkeys(ways, 0.0)
    read = 0
    for page in pages[: options.sample]:
        path = options.folder / page["file"]
        try:
            markup = decode(path.read_bytes())
        except (OSError, ReadError):
            continue
        read += 1
        for way, text_of in ways.items():
            begun = time.process_time()
            text = plain(text_of(markup))
            seconds[way] += time.process_time() - begun
            kept, left = (sum(plain(words) in text for words in page[name]) for name in ("with", "without"))
            row = (kept, len(page["with"]), left, len(page["without"]))
            counts[way] = [old + new for old, new in zip(counts[way], row, strict=True)]
    for way, (kept, content, left, around) in counts.items():
        print(
            json.dumps(
                {
                    "way": way,
                    "pages": read,
                    "content_kept": round(kept / max(1, content), 3),
                    "around_left": round(left / max(1, around), 3),
                    "cpu_ms_a_page": round(1000 * seconds[way] / max(1, read), 1),
                }
            )
        )


if __name__ == "__main__":
    main()
