"""BEIR-style folders: corpus.jsonl, queries.jsonl, qrels/*.tsv. Each line is checked as it is read."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pincite.errors import NothingUsableError, UsageError

PREFERRED_SPLIT = "test"
Line = TypeVar("Line", bound=BaseModel)


class BeirDocument(BaseModel):
    """A line of corpus.jsonl."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    id: str = Field(alias="_id", min_length=1)
    title: str = ""
    text: str = ""


class BeirQuery(BaseModel):
    """A line of queries.jsonl."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    id: str = Field(alias="_id", min_length=1)
    text: str


@dataclass(frozen=True, slots=True)
class BeirSet:
    """A corpus with questions and graded judgements (query id -> document id -> grade, 0 is not relevant).

    `split` is the name of the judgements' file, `digest` tells this corpus from any other.
    """

    name: str
    split: str
    corpus: Path
    queries: dict[str, str]
    judgements: dict[str, dict[str, int]]
    digest: str
    splits: tuple[str, ...] = field(default=())

    def documents(self) -> Iterator[BeirDocument]:
        """The documents, in the order of the file. Raises NothingUsableError."""
        return _lines(self.corpus, BeirDocument)


def is_beir(folder: Path) -> bool:
    """Whether a folder holds what a BEIR data set holds."""
    return (folder / "corpus.jsonl").is_file() and (folder / "queries.jsonl").is_file()


def read_beir(folder: Path, split: str | None = None) -> BeirSet:
    """The data set in `folder`, with the judgements of `split` (default: test, else the only file there is).

    Raises UsageError for a split that is not there, NothingUsableError for files that cannot be read.
    """
    splits = {path.stem: path for path in sorted((folder / "qrels").glob("*.tsv"))}
    if not splits:
        raise NothingUsableError(f"no judgements in {folder / 'qrels'}", hint="put them into qrels/test.tsv")
    if split is None:
        split = (
            PREFERRED_SPLIT if PREFERRED_SPLIT in splits else next(iter(splits)) if len(splits) == 1 else ""
        )
    if split not in splits:
        names = ", ".join(splits)
        raise UsageError(
            f"no judgements called {split!r}" if split else "several judgements", hint=f"--split: {names}"
        )
    queries = {query.id: query.text for query in _lines(folder / "queries.jsonl", BeirQuery)}
    digest = hashlib.sha256()
    try:
        with (folder / "corpus.jsonl").open("rb") as file:
            for block in iter(lambda: file.read(1 << 20), b""):
                digest.update(block)
    except OSError as error:
        raise _unreadable(folder / "corpus.jsonl", error.strerror or str(error)) from error
    return BeirSet(
        name=_name(folder),
        split=split,
        corpus=folder / "corpus.jsonl",
        queries=queries,
        judgements=_judgements(splits[split]),
        digest=digest.hexdigest(),
        splits=tuple(splits),
    )


def _name(folder: Path) -> str:
    folder = folder.absolute()
    return folder.parent.name if folder.name.startswith("derived") else folder.name


def _judgements(path: Path) -> dict[str, dict[str, int]]:
    """query-id, corpus-id, score with a header line, or the four columns of TREC without one."""
    found: dict[str, dict[str, int]] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise _unreadable(path, str(error)) from error
    for number, row in enumerate(rows, 1):
        if not row:
            continue
        try:
            query, document, grade = row if len(row) == 3 else (row[0], row[2], row[3])
            found.setdefault(query, {})[document] = int(float(grade))
        except (ValueError, IndexError, OverflowError):
            if number == 1:
                continue  # the header
            raise _unreadable(path, f"line {number} is no judgement") from None
    return found


def _lines(path: Path, model: type[Line]) -> Iterator[Line]:
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    try:
                        yield model.model_validate_json(line)
                    except ValidationError as error:
                        first = error.errors(include_url=False, include_input=False)[0]
                        where = ".".join(str(part) for part in first["loc"])
                        raise _unreadable(path, f"line {number}: {where} {first['msg']}".strip()) from None
    except (OSError, UnicodeDecodeError) as error:
        raise _unreadable(path, str(error)) from error


def _unreadable(path: Path, why: str) -> NothingUsableError:
    return NothingUsableError(f"{path.name} cannot be used: {why}", hint="see docs/retrieval.md for its form")
