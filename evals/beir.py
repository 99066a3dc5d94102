"""BEIR-style folders: corpus.jsonl, queries.jsonl, qrels/*.tsv. Each line is checked as it is read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from pincite.corpus.reasons import in_words
from pincite.errors import NothingUsableError, UsageError
from pincite.evals.lines import read_lines, unusable

PREFERRED_SPLIT = "test"
_CODE = "data_unusable"
_DOCUMENT = 'a line is {"_id": …, "title": …, "text": …}'
_QUERY = 'a line is {"_id": …, "text": …}'
_JUDGEMENT = "a line is query-id, corpus-id and a whole number with tabs between, or the four columns of TREC"
# What a header calls the grades; a first line without such a name is no header.
_GRADES = frozenset(
    {"score", "grade", "rel", "relevance", "relevancy", "label", "judgement", "judgment", "rating", "value"}
)
# What the C code behind the measures can hold.
_MOST = 2**31 - 1


def _text(value: object) -> object:
    return "" if value is None else value


Text = Annotated[str, BeforeValidator(_text)]


class BeirDocument(BaseModel):
    """A line of corpus.jsonl."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    id: str = Field(alias="_id", min_length=1)
    title: Text = ""
    text: Text = ""


class BeirQuery(BaseModel):
    """A line of queries.jsonl."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)

    id: str = Field(alias="_id", min_length=1)
    text: str


@dataclass(frozen=True, slots=True)
class BeirSet:
    """A corpus with questions and graded judgements (query id -> document id -> grade, 0 is not relevant).

    `split` is the name of the judgements' file, `ids` are those of the documents, `digest` tells this corpus
    from any other.
    """

    name: str
    split: str
    corpus: Path
    queries: dict[str, str]
    judgements: dict[str, dict[str, int]]
    ids: frozenset[str]
    digest: str
    splits: tuple[str, ...] = field(default=())

    def documents(self) -> Iterator[BeirDocument]:
        """The documents, each id once, in the order of the file. Raises NothingUsableError."""
        seen: set[str] = set()
        for _, document in read_lines(self.corpus, BeirDocument, _DOCUMENT, _CODE):
            if document.id not in seen:
                seen.add(document.id)
                yield document

    @property
    def unknown_queries(self) -> int:
        """How many judged queries are not in queries.jsonl."""
        return sum(query not in self.queries for query in self.judgements)


def is_beir(folder: Path) -> bool:
    """Whether a folder holds what a BEIR data set holds."""
    return (folder / "corpus.jsonl").is_file() and (folder / "queries.jsonl").is_file()


def read_beir(folder: Path, split: str | None = None) -> BeirSet:
    """The data set in `folder`, with the judgements of `split` (default: test, else the only file there is).

    Raises UsageError for a split that is not there, NothingUsableError for files that cannot be read or say
    two things of one id.
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
    queries = _queries(folder / "queries.jsonl")
    judgements = _judgements(splits[split])
    ids, digest = _corpus(folder / "corpus.jsonl")
    return BeirSet(
        name=_name(folder),
        split=split,
        corpus=folder / "corpus.jsonl",
        queries=queries,
        judgements=judgements,
        ids=ids,
        digest=digest,
        splits=tuple(splits),
    )


def _name(folder: Path) -> str:
    folder = folder.absolute()
    return folder.parent.name if folder.name.startswith("derived") else folder.name


def _queries(path: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, query in read_lines(path, BeirQuery, _QUERY, _CODE):
        if found.setdefault(query.id, query.text) != query.text:
            raise _twice(path, number, query.id, _QUERY)
    if not found:
        raise unusable(path, "it holds no query", _QUERY, _CODE)
    return found


def _corpus(path: Path) -> tuple[frozenset[str], str]:
    """The ids of the documents, and what tells these documents from any others."""
    found: dict[str, int] = {}
    titles_alone = False
    for number, document in read_lines(path, BeirDocument, _DOCUMENT, _CODE):
        said = hash((document.title, document.text))
        if found.setdefault(document.id, said) != said:
            raise _twice(path, number, document.id, _DOCUMENT)
        titles_alone |= bool(document.title.strip()) and not document.text.strip()
    if not found:
        raise unusable(path, "it holds no document", _DOCUMENT, _CODE)
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            for block in iter(lambda: file.read(1 << 20), b""):
                digest.update(block)
    except OSError as error:
        raise unusable(path, in_words(error), _DOCUMENT, _CODE) from error
    if titles_alone:
        # An index made before titles were text holds nothing of such documents.
        digest.update(b"a title alone is text")
    return frozenset(found), digest.hexdigest()


def _judgements(path: Path) -> dict[str, dict[str, int]]:
    """query-id, corpus-id, score, behind a header line or not, or the four columns of TREC."""
    found: dict[str, dict[str, int]] = {}
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise unusable(path, in_words(error), _JUDGEMENT, _CODE) from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        row = line.split("\t") if "\t" in line else line.split()
        if len(row) not in {3, 4}:
            raise unusable(path, f"line {number} is no judgement", _JUDGEMENT, _CODE)
        query, document, grade = row[0], row[-2], row[-1].strip()
        if not found and grade.casefold() in _GRADES:
            continue
        try:
            value = float(grade)
        except ValueError:
            raise unusable(path, f"line {number} is no judgement", _JUDGEMENT, _CODE) from None
        if not value.is_integer() or abs(value) > _MOST:
            why = f"line {number}: the grade {grade[:20]} is no whole number"
            raise unusable(path, why, _JUDGEMENT, _CODE)
        if found.setdefault(query, {}).setdefault(document, int(value)) != int(value):
            why = f"line {number}: {query[:80]!r} and {document[:80]!r} are judged twice"
            raise unusable(path, why, _JUDGEMENT, _CODE)
    return found


def _twice(path: Path, number: int, name: str, form: str) -> NothingUsableError:
    why = f"line {number}: the id {name[:80]!r} comes twice and says something else"
    return unusable(path, why, form, _CODE)
