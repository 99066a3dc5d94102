"""Measures cross-references against a list of where they must lead.

Run with `python -m pincite.evals.references --cases DIR --data DIR`: each reference of `crossrefs.jsonl` is
looked for in its text and followed. Prints one JSON object a fault, then the counts.
"""

from __future__ import annotations

import argparse
import json
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from pincite.corpus.document import Document
from pincite.corpus.read import read
from pincite.corpus.references import EXTERNAL, FOUND, MISSING, Reference, RefTarget, find_references

# How much of a target's beginning is looked at.
_BEGINNING = 400


def faults_of_reference(
    document: Document, references: Sequence[Reference], case: dict[str, Any]
) -> list[str]:
    """What differs between where a reference leads and what a `crossrefs.jsonl` record expects."""
    span = _place(document, case["text"], case["reference"])
    if span is None:
        return ["the text was not found"]
    mine = [one for one in references if one.start < span[1] and one.end > span[0]]
    statuses = sorted({one.status for one in mine})
    if case.get("external"):
        return [] if statuses == [EXTERNAL] else [f"{statuses} instead of external"]
    if case.get("missing"):
        return [] if set(statuses) <= {MISSING} else [f"{statuses} instead of missing"]
    expected = case["expect_target"]
    expected = [expected] if isinstance(expected, dict) else expected
    if any("document" in one for one in expected) and set(statuses) <= {EXTERNAL, MISSING}:
        return [] if mine else ["not seen"]
    texts = [_bare(_beginning(document, t)) for one in mine if one.status == FOUND for t in one.targets]
    faults = [
        f"does not lead to {one['reference']}"
        for one in expected
        if not any(_bare(one["expect_starts"]) in text for text in texts)
    ]
    listed = "exception" not in case["reference"]
    if listed and len(texts) > len(expected):
        faults.append(f"{len(texts)} places instead of {len(expected)}")
    return faults


def _place(document: Document, text: str, reference: str) -> tuple[int, int] | None:
    letters, offsets = _letters(document)
    at = letters.find(_bare(text))
    if at < 0:
        return None
    first = at + max(0, _bare(text).find(_bare(reference)))
    return offsets[first], offsets[first + len(_bare(reference)) - 1] + 1


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


def _beginning(document: Document, target: RefTarget) -> str:
    """The first words of a place, with those that follow it; of a heading without text its title."""
    section = next(one for one in document.sections if one.id == target.section)
    text = document.text[target.start : target.start + _BEGINNING]
    if target.unit is None and section.start >= section.end:
        return f"{section.title} {text}"
    return text


@lru_cache(maxsize=2)
def _read(path: Path) -> tuple[Document, tuple[Reference, ...]]:
    document = read(path)
    return document, tuple(one for section in find_references(document) for one in section)


def measure(cases: Path, data: Path, only: str | None = None) -> Iterator[tuple[str, str, list[str]]]:
    """(id, reference, faults) of each case; `only` is a part of a document's path or an id."""
    lines = (cases / "crossrefs.jsonl").read_text("utf-8").splitlines()
    for case in sorted((json.loads(line) for line in lines), key=lambda case: str(case["document"])):
        if only is None or only in case["document"] or only == case["id"]:
            document, references = _read(data / case["document"])
            yield case["id"], case["reference"], faults_of_reference(document, references, case)


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
