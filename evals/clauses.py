"""Measures how many top-level clauses of contracts are found, and whether PDF and text give the same ones.

Run with `python -m pincite.evals.clauses --data DIR` on a folder with `full_contract_txt` and
`full_contract_pdf` (CUAD). `clauses_by_hand.jsonl` lists the clauses of ten contracts as a person read them;
rules were made with these in view. `clauses_held_out.jsonl` lists those of six others, drawn by lot and
measured before any rule was changed for them.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pincite.corpus.document import Document
from pincite.corpus.labels import parse_label
from pincite.corpus.read import read

BY_HAND = Path(__file__).with_name("clauses_by_hand.jsonl")
HELD_OUT = Path(__file__).with_name("clauses_held_out.jsonl")
NUMBER = re.compile(r"(?P<number>(?:(?:SCHEDULE|EXHIBIT|APPENDIX|ANNEX|ARTICLE|SECTION) )?\S+) (?P<title>.*)")


def top_clauses(document: Document) -> list[tuple[str, str]]:
    """Number and title of the numbered sections that have no numbered section above them."""
    above: dict[str, bool] = {}
    found = []
    for section in document.sections:
        inside = above.get(section.parent or "", False)
        numbered = section.number is not None and not section.number.startswith("(")
        above[section.id] = inside or numbered
        if numbered and not inside:
            found.append((_plain_number(section.number or ""), section.title))
    return found


def _plain_number(number: str) -> str:
    """A number without what is printed around it: "SECTION 4." and "4.0" are "4"."""
    label = parse_label(number)
    words = re.findall(r"\w+", number.lower())
    if label is not None and label.kind in ("annex", "appendix", "part", "chapter"):
        return " ".join(words)
    bare = [word for word in words if word not in ("section", "article", "clause", "sec", "art")]
    while len(bare) > 1 and bare[-1].strip("0") == "":
        bare.pop()
    return ".".join(bare)


def found_by_hand(data: Path, listed: Path = BY_HAND) -> Iterator[tuple[str, list[str], int]]:
    """For each contract its name, the clauses that were missed, and how many there are."""
    for line in listed.read_text("utf-8").splitlines():
        record = json.loads(line)
        found = top_clauses(read(data / "full_contract_txt" / f"{record['contract']}.txt"))
        at = 0
        missed = []
        for clause in record["clauses"]:
            match = NUMBER.fullmatch(clause)
            wanted = (_plain_number(match["number"]), match["title"]) if match else (clause, "")
            hit = next((n for n in range(at, len(found)) if _same(found[n], wanted)), None)
            if hit is None:
                missed.append(clause)
            else:
                at = hit + 1
        yield record["contract"], missed, len(record["clauses"])


def _same(found: tuple[str, str], wanted: tuple[str, str]) -> bool:
    """Whether the number is right and the title, where one was found, is not another one."""
    if found[0] != wanted[0]:
        return False
    one, other = (re.sub(r"\W", "", words).lower() for words in (found[1], wanted[1]))
    return not one or one.startswith(other[:12]) or other.startswith(one[:12])


def pairs(data: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    """For each contract that is there as text and as PDF: its name, and the numbers that each gives."""
    pdfs = {
        path.stem: path for path in (data / "full_contract_pdf").rglob("*") if path.suffix.lower() == ".pdf"
    }
    for path in sorted((data / "full_contract_txt").glob("*.txt")):
        if path.stem in pdfs:
            text, pdf = (
                [number for number, _ in top_clauses(read(file))] for file in (path, pdfs[path.stem])
            )
            yield path.stem, text, pdf


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was missed, what differs, and the two shares, as JSON lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    options = parser.parse_args(arguments)
    same = compared = 0
    shares = {}
    for what, listed in (("clauses found", BY_HAND), ("held out", HELD_OUT)):
        missing = total = 0
        for name, missed, count in found_by_hand(options.data, listed):
            missing += len(missed)
            total += count
            if missed:
                _tell({"contract": name, "missed": missed})
        shares[what] = f"{total - missing}/{total}"
    for name, text, pdf in pairs(options.data):
        compared += 1
        same += text == pdf
        if text != pdf:
            only_text = [number for number in text if number not in pdf]
            only_pdf = [number for number in pdf if number not in text]
            _tell({"contract": name, "only in the text": only_text, "only in the PDF": only_pdf})
    _tell({**shares, "pairs alike": f"{same}/{compared}"})
    return 0


def _tell(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    sys.exit(main())
