"""Measures cross-references against a list of where they must lead.

Run with `python -m pincite.evals.references --cases DIR --data DIR`: each reference of `crossrefs.jsonl` is
looked for in its text and followed, to the place itself and no other; one into another document with both
documents in one index. Prints one JSON object a fault, then the counts.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pincite.corpus.document import Document
from pincite.corpus.index import Index
from pincite.corpus.labels import parse_label
from pincite.corpus.read import read
from pincite.corpus.references import EXTERNAL, FOUND, MISSING, Reference, RefTarget, find_references
from pincite.corpus.rows import SectionRow
from pincite.corpus.run_in import run_in_end
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.evals.structure import rows_of
from pincite.tools.resolve import Target, resolve
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox

# So many letters and digits of numbers may stand before a place's own words.
_SUB_NUMBER = 8


def faults_of_reference(
    document: Document, references: Sequence[Reference], case: dict[str, Any]
) -> list[str]:
    """What differs between where a reference leads and what a `crossrefs.jsonl` record expects.

    A target in another document is left to `faults_across`: here it must only not be one of this document.
    """
    rows = rows_of(document)
    span = _place(document, rows, case)
    if span is None:
        return ["the text was not found"]
    mine = [one for one in references if one.start < span[1] and one.end > span[0]]
    statuses = sorted({one.status for one in mine})
    expected = _expected(case)
    for status, asked in ((EXTERNAL, case.get("external")), (MISSING, case.get("missing"))):
        if asked:
            return [] if statuses == [status] else [f"{statuses} instead of {status}"]
    if any("document" in one for one in expected):
        return [] if mine and not any(one.targets for one in mine) else [f"{statuses} in this document"]
    targets = list(dict.fromkeys(target for one in mine if one.status == FOUND for target in one.targets))
    faults = [] if statuses == [FOUND] else [f"status {statuses}"]
    if len(targets) != len(expected):
        faults.append(f"{len(targets)} places instead of {len(expected)}")
    by_id = {row.id: row for row in rows}
    for one in expected:
        leading = [target for target in targets if _begins(by_id, document, target, one["expect_starts"])]
        if not leading:
            faults.append(f"does not lead to {one['reference']}")
    return faults


def _expected(case: dict[str, Any]) -> list[dict[str, Any]]:
    expected = case.get("expect_target") or []
    return [expected] if isinstance(expected, dict) else expected


def _begins(by_id: dict[str, SectionRow], document: Document, target: RefTarget, starts: str) -> bool:
    """Whether a place begins with these words: nothing but its number, its title and the number of its first
    part stands before them. What has no text of its own begins with the heading, or the text, below it."""
    row, wanted = by_id[target.section], _bare(starts)
    text = document.text[target.start : target.start + 4 * len(starts) + 400]
    if target.unit is None:
        below = next((one for one in by_id.values() if one.position >= row.position and one.text), row)
        # A title that stands below its number may count as words of the section.
        texts = [text, document.text[below.start : below.start + len(text)], f"{row.title} {text}"]
    else:
        label = parse_label(text)
        texts = [text, text[run_in_end(text, label) if label is not None else 0 :]]
    return any(0 <= _bare(words).find(wanted) <= _SUB_NUMBER for words in texts)


def _place(document: Document, rows: Sequence[SectionRow], case: dict[str, Any]) -> tuple[int, int] | None:
    """Where the reference stands: in the section that the case names, where its words come again."""
    letters, offsets = _letters(document)
    text, reference = _bare(case["text"]), _bare(case["reference"])
    found = [match.start() for match in re.finditer(re.escape(text), letters)]
    homes = [_span(rows, target) for target in resolve(rows, case["from_section"])] if len(found) > 1 else []
    inside = [at for at in found if any(start <= offsets[at] < end for start, end in homes)]
    if not found:
        return None
    first = (inside or found)[0] + max(0, text.find(reference))
    return offsets[first], offsets[first + len(reference) - 1] + 1


def _span(rows: Sequence[SectionRow], target: Target) -> tuple[int, int]:
    if target.unit is not None:
        return target.unit[1], target.unit[2]
    return target.row.start, rows[target.row.tree_last].end


@lru_cache(maxsize=2)
def _letters(document: Document) -> tuple[str, list[int]]:
    kept: list[str] = []
    offsets: list[int] = []
    for at, char in enumerate(document.text):
        for plain in unicodedata.normalize("NFKC", char).casefold():
            if plain.isalnum():
                kept.append(plain)
                offsets.append(at)
    return "".join(kept), offsets


def _bare(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


@lru_cache(maxsize=2)
def _read(path: Path) -> tuple[Document, tuple[Reference, ...]]:
    document = read(path)
    return document, tuple(one for section in find_references(document) for one in section)


def faults_across(data: Path, db: Path, case: dict[str, Any]) -> list[str]:
    """What a reader sees who opens the place of a reference in an index that holds the other document too."""
    files = [data / case["document"], *(data / one["document"] for one in _expected(case))]
    sync(files, db, vectors=False)
    index = Index.open(db)
    tools = Toolbox(index, Retriever(index, None, None), Scope(), seed="references")
    opened = tools.call("read_section", {"document": files[0].stem, "section": case["from_section"]})
    if opened.error is not None:
        return [f"{case['from_section']}: {opened.error.code}"]
    wanted = _bare(case["reference"])
    refers = [one for one in opened.data["references"] if _bare(one["text"]) in wanted]
    targets = [target for one in refers if one["status"] == FOUND for target in one["targets"]]
    faults = [] if len(targets) == len(_expected(case)) else [f"{len(targets)} places"]
    for target, one in zip(targets, _expected(case), strict=False):
        there = tools.call(
            "read_section", {"document": target["document"], "section": target["number"] or target["section"]}
        )
        text = _bare(there.data.get("text", "")) if there.error is None else ""
        if _bare(one["expect_starts"]) not in text[: len(_bare(target["number"] or "")) + 200]:
            faults.append(f"leads to {target['document']}, {target['number']}")
    return faults


def measure(cases: Path, data: Path, only: str | None = None) -> Iterator[tuple[str, str, list[str]]]:
    """(id, reference, faults) of each case; `only` is a part of a document's path or an id."""
    lines = (cases / "crossrefs.jsonl").read_text("utf-8").splitlines()
    with TemporaryDirectory() as folder:
        for case in sorted((json.loads(line) for line in lines), key=lambda case: str(case["document"])):
            if only is None or only in case["document"] or only == case["id"]:
                document, references = _read(data / case["document"])
                faults = faults_of_reference(document, references, case)
                if any("document" in one for one in _expected(case)):
                    faults += faults_across(data, Path(folder), case)
                yield case["id"], case["reference"], faults


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the faults and the counts as JSON lines; 1 when there are faults."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", help="part of a document's path, or the id of a case")
    options = parser.parse_args(arguments)
    right = total = 0
    for ident, reference, faults in measure(options.cases, options.data, options.only):
        right, total = right + (not faults), total + 1
        if faults:
            line = {"case": ident, "of": reference, "faults": faults[:12]}
            sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    sys.stdout.write(json.dumps({"crossrefs": f"{right}/{total}"}) + "\n")
    return int(right < total)


if __name__ == "__main__":
    sys.exit(main())
