"""Which files have to be read again: by what was read then and what would be read now."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict

from pincite.corpus.chunk import CHUNKER_VERSION
from pincite.corpus.chunking import holds
from pincite.corpus.definitions import DEFINITIONS_VERSION
from pincite.corpus.encoder_spec import EncoderSpec
from pincite.corpus.metadata import Entry
from pincite.corpus.outline_pack import OUTLINE_VERSION
from pincite.corpus.read import READER_VERSION
from pincite.corpus.read.source import load
from pincite.corpus.references import REFERENCES_VERSION
from pincite.corpus.table import DOCUMENT, FAILURE
from pincite.corpus.walk import SourceFile

LINKS_VERSION = f"{REFERENCES_VERSION}/{DEFINITIONS_VERSION}/{OUTLINE_VERSION}"
# A file changed this soon after it was read may show the same time of change.
_SETTLED_NS = 2_000_000_000
# Failures that can end without the file's time of change telling.
_OUTSIDE_THE_FILE = frozenset({"unreadable", "outside_root"})


class Recipe(BaseModel):
    """What decides, beside the file's bytes and the way of cutting, what a document's rows say."""

    model_config = ConfigDict(frozen=True)

    groups: tuple[str, ...] = ()
    entry: Entry | None = None
    reader: str = READER_VERSION
    chunker: str = CHUNKER_VERSION
    # Stamps of earlier versions say nothing of it: their files are read again.
    links: str = ""


class Stamp(BaseModel):
    """What a document row, or a failure row, was made from; `code` and `message` when reading failed."""

    model_config = ConfigDict(frozen=True)

    size: int
    mtime_ns: int
    seen_ns: int
    digest: str
    recipe: Recipe
    chunking: str | None = None
    code: str | None = None
    message: str = ""

    def failed(self, code: str, message: str) -> Stamp:
        """The stamp of a reading that failed."""
        return self.model_copy(update={"code": code, "message": message})

    def same_failure(self, other: Stamp | None) -> bool:
        """Whether both say the same of the same file, whenever they were made."""
        return other is not None and self == other.model_copy(update={"seen_ns": self.seen_ns})


class Finding(StrEnum):
    """What is to be done about a file."""

    unchanged = "unchanged"
    compare = "compare"
    read = "read"


@dataclass(slots=True)
class Known:
    """What the index holds of a file: the document's stamp, and that of a later failure to read it."""

    id: str
    root: str
    file: str
    document: Stamp | None = None
    failure: Stamp | None = None

    @property
    def latest(self) -> Stamp | None:
        """The stamp of the last time the file was read."""
        return self.failure or self.document


def known_files(rows: Iterable[Mapping[str, Any]]) -> dict[str, Known]:
    """What the index holds, by document id, from its document and failure rows."""
    known: dict[str, Known] = {}
    for row in rows:
        entry = known.setdefault(row["document"], Known(row["document"], row["root"], row["file"]))
        stamp = Stamp.model_validate_json(row["stamp"])
        if row["kind"] == DOCUMENT:
            entry.document = stamp
        elif row["kind"] == FAILURE:
            entry.failure = stamp
    return known


def look(file: SourceFile, recipe: Recipe, stamp: Stamp | None, encoder: EncoderSpec | None) -> Finding:
    """What to do about a file, without opening it.

    `stamp` is that of the last reading, `encoder` the one for which chunks have to fit.
    """
    if stamp is None or stamp.recipe != recipe or stamp.code in _OUTSIDE_THE_FILE:
        return Finding.read
    if stamp.code is None and not holds(stamp.chunking, encoder):
        return Finding.read
    settled = stamp.mtime_ns + _SETTLED_NS < stamp.seen_ns
    if settled and (stamp.size, stamp.mtime_ns) == (file.size, file.mtime_ns):
        return Finding.unchanged
    return Finding.compare


def stamp_file(file: SourceFile, recipe: Recipe) -> Stamp:
    """The stamp of a file before its bytes are known."""
    return Stamp(size=file.size, mtime_ns=file.mtime_ns, seen_ns=time.time_ns(), digest="", recipe=recipe)


def with_digest(stamp: Stamp, file: SourceFile) -> Stamp:
    """The stamp with the SHA-256 of the file's bytes. Raises ReadError."""
    digest = hashlib.sha256(load(file.path, file.root_path)).hexdigest()
    return stamp.model_copy(update={"digest": digest, "seen_ns": time.time_ns()})
