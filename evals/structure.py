"""Measures section trees against lists of what they must hold.

Run with `python -m pincite.evals.structure --cases DIR --data DIR`: the section tree of each document named
in `toc.jsonl`, the place that each reference of `sections.jsonl` opens, the page of each passage of
`pdf_pages.jsonl`. Prints one JSON object a fault, then the counts.
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
from typing import Any

from pincite.corpus.document import Document, Section
from pincite.corpus.labels import parse_label
from pincite.corpus.read import read
from pincite.corpus.records import Origin, document_records
from pincite.corpus.rows import SectionRow
from pincite.corpus.table import SECTION, section_row
from pincite.tools.resolve import Target, resolve

# Counts that are the number of sections whose own number is of one of these kinds.
KIND_COUNTS = {
    "chapters": "chapter",
    "articles": "article",
    "recitals": "recital",
    "annexes": "annex",
    "exhibits": "annex",
}
# What may stand beside the top level: front and end matter of a text.
BESIDE = re.compile(
    r"(?:recitals?|preamble|background|whereas|witnesseth|signature|in witness|abstract|acknowledg|reference"
    r"|contents|table of contents|inhaltsverzeichnis|bibliography|index)",
    re.IGNORECASE,
)


def faults_of_tree(document: Document, case: dict[str, Any]) -> list[str]:
    """What differs between a section tree and what a `toc.jsonl` record expects of it."""
    tops = [case["expect_top"]] if case["expect_top"] is not None else case["expect_top_any"]
    headed = [section for section in document.sections if section.has_heading]
    level = _top_level(headed, document.title, tops)
    own = [_label(section) for section in headed if section.level == level]
    faults = []
    numbered = {_label(section) for section in headed if section.number}
    best = min((_difference(own, wanted, document.title, numbered) for wanted in tops), key=len)
    faults += best
    depth = case["expect_depth"]
    deepest = max((section.level + _levels_below(section) for section in headed), default=0)
    deepest -= level - 1 if headed else 0
    if depth is not None and deepest < min(depth if isinstance(depth, list) else [depth]):
        faults.append(f"depth {deepest} instead of {depth}")
    for name, wanted in case["expect_counts"].items():
        kind = KIND_COUNTS.get(name)
        if kind is None or (kind == "annex" and {"exhibits", "schedules"} <= case["expect_counts"].keys()):
            continue
        count = sum((label := parse_label(s.number or "")) is not None and label.kind == kind for s in headed)
        if kind == "chapter" and not count:
            # Books print "1 Title" for a chapter.
            count = sum(s.level == level and (s.number or "").isdigit() for s in headed)
        if count not in (wanted if isinstance(wanted, list) else [wanted]):
            faults.append(f"{count} {name} instead of {wanted}")
    return faults


def _label(section: Section) -> str:
    return f"{section.number or ''} {section.title}".strip()


def _levels_below(section: Section) -> int:
    """How deep decimal numbers go on inside a section."""
    own = (section.number or "").count(".") + 1
    dotted = [re.split(r"\(", unit.number)[0].count(".") + 1 for unit in section.units]
    return max([depth - own for depth in dotted if depth > 1] or [0])


def _top_level(headed: Sequence[Section], title: str, tops: Sequence[list[str]]) -> int:
    """The level that is compared: below a title that encloses everything."""
    above = [section for section in headed if section.level == 1]
    enclosing = (
        len(above) == 1 and len(headed) > 1 and not any(_alike(above[0].path[-1], e) for t in tops for e in t)
    )
    return 2 if enclosing else 1


def _difference(own: Sequence[str], wanted: Sequence[str], title: str, numbered: set[str]) -> list[str]:
    """Missing elements, and those that stand there and are not wanted; titles may stand before the first."""
    faults = []
    at = next((n for n, words in enumerate(own) if words in numbered), 0) if wanted and numbered else 0
    for element in wanted:
        found = next((n for n in range(at, len(own)) if _alike(own[n], element)), None)
        if found is None:
            faults.append(f"missing {element!r}")
            continue
        faults += [f"extra {words!r}" for words in own[at:found]]
        at = found + 1
    faults += [f"extra {words!r}" for words in own[at:]]
    return [f for f in faults if not _allowed(f, title)]


def _allowed(fault: str, title: str) -> bool:
    if not fault.startswith("extra"):
        return False
    words = fault[7:-1]
    return bool(BESIDE.match(words)) or _bare(words) == _bare(title)


def _alike(one: str, other: str) -> bool:
    a, b = _words(one), _words(other)
    short, long = sorted((a, b), key=len)
    return bool(short) and (long[: len(short)] == short or _bare(one) == _bare(other))


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", text).casefold())


def _bare(text: str) -> str:
    return "".join(_words(text))


def faults_of_reference(rows: Sequence[SectionRow], case: dict[str, Any]) -> list[str]:
    """What differs between what a reference opens and what a `sections.jsonl` record expects."""
    found = resolve(rows, case["reference"])
    errors = case.get("error")
    if errors is not None:
        got = "no_such_section" if not found else "ambiguous" if len(found) > 1 else "opened"
        return (
            []
            if got in (errors if isinstance(errors, list) else [errors])
            else [f"{got} instead of {errors}"]
        )
    if len(found) != 1:
        return [f"{len(found)} places"]
    (target,) = found
    faults = []
    starts = case.get("expect_starts")
    text = _opened_text(rows, target)
    if starts is not None and _bare(starts) not in _bare(text[: 200 + 2 * len(starts)]):
        faults.append(f"begins {' '.join(text.split())[:90]!r}")
    path = case.get("expect_path")
    if path:
        own = [
            target.row.document_title,
            *target.row.path,
            *(re.findall(r"\w+", target.unit[0]) if target.unit else []),
        ]
        at = 0
        for element in path:
            hit = next((n for n in range(at, len(own)) if _alike(own[n], element)), None)
            if hit is None:
                faults.append(f"path {target.row.path} lacks {element!r}")
                break
            at = hit + 1
    return faults


def _opened_text(rows: Sequence[SectionRow], target: Target) -> str:
    row = target.row
    if target.unit is not None:
        _, start, end = target.unit
        return (row.text or "")[start - row.start : end - row.start]
    texts = []
    for below in rows[row.position : row.tree_last + 1]:
        texts += [" ".join(below.path[-1:]), below.text or ""]
        if below.text:
            break
    return "\n".join(texts[1:] if row.text else texts)


def rows_of(document: Document) -> list[SectionRow]:
    """The section rows as an index would hand them out."""
    origin = Origin("d", "r", "f", "s", (), "")
    return [
        section_row(record) for record in document_records(document, origin, ()) if record["kind"] == SECTION
    ]


def faults_of_page(document: Document, case: dict[str, Any]) -> list[str]:
    """Whether a passage stands on the page that a `pdf_pages.jsonl` record names."""
    letters: list[int] = []
    bare: list[str] = []
    for at, char in enumerate(document.text):
        for kept in unicodedata.normalize("NFKC", char).casefold():
            if kept.isalnum():
                bare.append(kept)
                letters.append(at)
    at = "".join(bare).find(_bare(case["contains"]))
    if at < 0:
        return ["not in the text"]
    page = document.place(letters[at]).page
    return [] if page == case["page"] else [f"page {page} instead of {case['page']}"]


@lru_cache(maxsize=2)
def _read(path: Path) -> tuple[Document, list[SectionRow]]:
    document = read(path)
    return document, rows_of(document)


def measure(cases: Path, data: Path, only: str | None = None) -> Iterator[tuple[str, str, str, list[str]]]:
    """(file of cases, id, reference or document, faults) of each case."""
    for name in ("toc", "sections", "pdf_pages"):
        records = [json.loads(line) for line in (cases / f"{name}.jsonl").read_text("utf-8").splitlines()]
        for case in sorted(records, key=lambda case: str(case["document"])):
            if only is not None and only not in case["document"] and only != case["id"]:
                continue
            document, rows = _read(data / case["document"])
            if name == "toc":
                faults = faults_of_tree(document, case)
            elif name == "sections":
                faults = faults_of_reference(rows, case)
            else:
                faults = faults_of_page(document, case)
            yield name, case["id"], case.get("reference") or case["document"], faults


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the faults and the counts as JSON lines; 1 when there are faults."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", help="part of a document's path, or the id of a case")
    options = parser.parse_args(arguments)
    counts: dict[str, list[int]] = {}
    for name, ident, what, faults in measure(options.cases, options.data, options.only):
        right, all_ = counts.setdefault(name, [0, 0])
        counts[name] = [right + (not faults), all_ + 1]
        if faults:
            _tell({"case": ident, "of": what, "faults": faults[:12]})
    _tell({name: f"{right}/{total}" for name, (right, total) in counts.items()})
    return int(any(right < total for right, total in counts.values()))


def _tell(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    sys.exit(main())
