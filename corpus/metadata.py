"""`documents.toml`: what a folder says about its files.

    ["policies/refunds.md"]
    title = "Refund policy"
    version = "2024-1"
    status = "in force"
    effective_from = 2024-01-01
    effective_to = 2024-12-31

Paths count from the folder that holds the file. It never says who may see a document: a folder is
written by whoever fills it.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path, PurePosixPath
from typing import Annotated

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from pincite.corpus.document import Document, Metadata
from pincite.corpus.field_problem import field_problem
from pincite.corpus.read.source import load

FILE_NAME = "documents.toml"
MAX_BYTES = 4 * 1024 * 1024
# Faults of an entry that are told, and characters of each.
_FAULTS, _FAULT = 10, 200

_Line = Annotated[str, Field(min_length=1, max_length=500)]


class Entry(BaseModel):
    """What `documents.toml` says about one file."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    title: _Line | None = None
    version_label: _Line | None = Field(
        default=None, validation_alias=AliasChoices("version", "version_label")
    )
    status: _Line | None = None
    effective_from: date | None = None
    effective_to: date | None = None

    @model_validator(mode="after")
    def _dates_in_order(self) -> Entry:
        if self.effective_from and self.effective_to and self.effective_to < self.effective_from:
            raise ValueError("effective_to lies before effective_from")
        return self


_TABLE: TypeAdapter[dict[str, object]] = TypeAdapter(dict[str, object])
# What decides who sees a document never comes from the folder; such a key does not spoil the rest.
_NOT_FROM_FOLDERS = frozenset({"group", "groups", "tenant"})


@dataclass(frozen=True, slots=True)
class Listed:
    """A `documents.toml`: entries by path in the spelling "a/b.md", the paths whose entry is wrong with why,
    and remarks for the user.
    """

    entries: dict[str, Entry]
    wrong: dict[str, str]
    remarks: tuple[str, ...] = ()


class BadMetadataError(ValueError):
    """A `documents.toml` that cannot be used; the message is one line."""


def read_entries(path: Path, root: Path) -> Listed:
    """What a `documents.toml` says. One wrong entry leaves the others in force.

    Raises BadMetadataError, and ReadError for a file that cannot be read or lies outside `root`.
    """
    data = load(path, root, limit=MAX_BYTES)
    try:
        raw = tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BadMetadataError(f"not valid TOML: {' '.join(str(error).split())[:200]}") from error
    entries: dict[str, Entry] = {}
    wrong: dict[str, str] = {}
    remarks: list[str] = []
    for name, said in raw.items():
        file = str(PurePosixPath(name))
        try:
            table = _TABLE.validate_python(said)
            remarks += [
                f"{name}: {key} is ignored, sync decides it" for key in sorted(_NOT_FROM_FOLDERS & {*table})
            ]
            kept = {key: value for key, value in table.items() if key not in _NOT_FROM_FOLDERS}
            entries[file] = Entry.model_validate(kept)
        except ValidationError as error:
            wrong[file] = _describe(name, error)
    return Listed(entries, wrong, tuple(remarks))


def merge(outer: Entry | None, inner: Entry | None) -> Entry | None:
    """Both entries for one file; what the nearer folder says wins."""
    if outer is None or inner is None:
        return inner or outer
    return outer.model_copy(update=inner.model_dump(exclude_none=True))


def apply(document: Document, entry: Entry | None) -> Document:
    """The document with what its folder says about it, which wins over what it says itself."""
    if entry is None:
        return document
    own = document.metadata
    metadata = Metadata(
        title=entry.title or own.title,
        version_label=entry.version_label or own.version_label,
        effective_from=entry.effective_from or own.effective_from,
        effective_to=entry.effective_to or own.effective_to,
        status=entry.status or own.status,
    )
    return replace(document, title=entry.title or document.title, metadata=metadata)


def _describe(name: str, error: ValidationError) -> str:
    """Every fault of an entry on one line."""
    faults = []
    for one in error.errors(include_url=False, include_input=False):
        place = " > ".join(str(part) for part in one["loc"])
        said = field_problem(one)
        faults.append(f"{place} {said}" if place else said)
    told = "; ".join(" ".join(fault.split())[:_FAULT] for fault in faults[:_FAULTS])
    more = f"; and {len(faults) - _FAULTS} more" if len(faults) > _FAULTS else ""
    return f"{' '.join(name.split())[:_FAULT]}: {told}{more}"
