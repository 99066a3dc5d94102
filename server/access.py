"""Who calls: bearer tokens and what each of them may see.

The file is TOML, made by whoever runs the server:

    [[token]]
    name = "anna"                # whose sessions these are
    sha256 = "…"                 # of the token; the token itself is kept nowhere
    tenant = "default"
    groups = ["staff"]           # or: everything = true
    documents = ["…"]            # optional: only these ids
    any_date = false             # whether the caller may ask for another day's documents
    operator = false             # whether it may read /metrics
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import tomllib
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from pincite.corpus.pointer import DEFAULT_TENANT
from pincite.corpus.scope import Scope
from pincite.errors import UsageError
from pincite.server.limits import ServerLimits

_MOST_BYTES = 1_000_000


class TokenEntry(BaseModel):
    """One token of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[A-Za-z0-9_.@-]{1,64}$")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    tenant: str = Field(default=DEFAULT_TENANT, pattern=r"^[a-z0-9_-]{1,64}$")
    groups: frozenset[str] | None = None
    everything: bool = False
    documents: frozenset[str] | None = None
    any_date: bool = False
    operator: bool = False

    @model_validator(mode="after")
    def _says_what_it_sees(self) -> TokenEntry:
        if (self.groups is None) is not self.everything:
            raise ValueError("say either groups = [...] or everything = true")
        for key, names in (("groups", self.groups), ("documents", self.documents)):
            if not all(one.strip() for one in names or ()):
                raise ValueError(f"{key}: a name is empty")
        return self


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    token: list[TokenEntry] = Field(default_factory=list)

    @model_validator(mode="after")
    def _each_token_once(self) -> _File:
        held: dict[str, int] = {}
        for number, entry in enumerate(self.token):
            first = held.setdefault(entry.sha256, number)
            if first != number:
                raise ValueError(
                    f"entries {first + 1} ({self.token[first].name}) and {number + 1} ({entry.name}) "
                    "have the same sha256: which of them says what that token may see?"
                )
        return self


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who may ask. `owner` names whose sessions theirs are; "" is the owner of the index."""

    owner: str
    tenant: str
    scope: Scope
    any_date: bool = False
    operator: bool = False


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What a request asks to leave out: only these groups, only documents in force on that day."""

    groups: frozenset[str] | None = None
    as_of: date | None = None


def narrow(caller: Caller, wanted: Narrowing) -> Scope:
    """The caller's scope, less what the request leaves out. UsageError for a day they may not ask for."""
    scope = caller.scope
    if wanted.groups is not None:
        held = scope.groups
        scope = replace(scope, groups=wanted.groups if held is None else held & wanted.groups)
    if wanted.as_of is not None and wanted.as_of != scope.as_of:
        if not caller.any_date:
            raise UsageError("this token may not ask for the documents of another day", code="not_allowed")
        scope = replace(scope, as_of=wanted.as_of)
    return scope


def bearer(header: str) -> str | None:
    """The token of an Authorization header; None for any other header."""
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


@dataclass(slots=True)
class Access:
    """Finds the caller behind a token. Without a file everybody is the owner of the index."""

    file: Path | None
    tenant: str = DEFAULT_TENANT
    _read: tuple[int, int] = (0, 0)
    _entries: list[TokenEntry] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.file is not None:
            self._entries = read_tokens(self.file)
            self._read = _stamp(self.file)

    @property
    def open(self) -> bool:
        """Whether no token is asked for."""
        return self.file is None

    @property
    def entries(self) -> tuple[TokenEntry, ...]:
        """The tokens of the file as it was read last."""
        return tuple(self._entries)

    def caller(self, token: str | None) -> Caller | None:
        """Who has this token, None for nobody. A changed file counts at once; a spoilt one lets nobody in."""
        if self.file is None:
            return Caller("", self.tenant, Scope(), any_date=True, operator=True)
        stamp = _stamp(self.file)
        if stamp != self._read:
            try:
                self._entries = read_tokens(self.file)
            except UsageError:
                self._entries = []
            self._read = stamp
        digest = hashlib.sha256((token or "").encode("utf-8", "replace")).hexdigest()
        found: TokenEntry | None = None
        for entry in self._entries:
            # Every entry is compared, so that the time says nothing about which one fits.
            if hmac.compare_digest(entry.sha256, digest) and token:
                found = entry
        if found is None:
            return None
        scope = Scope(groups=found.groups, documents=found.documents)
        return Caller(found.name, found.tenant, scope, found.any_date, found.operator)


def read_tokens(file: Path) -> list[TokenEntry]:
    """The tokens of a file. Raises UsageError."""
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise UsageError(f"{file} is too large for a token file")
        data: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
        return _File.model_validate(data).token
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {error}", hint="it must be a TOML file") from error
    except ValidationError as error:
        raise UsageError(f"{file}: {_first_problem(error)}", hint="see docs/serving.md") from error


def read_limits(file: Path | None) -> ServerLimits:
    """The limits of a file, the defaults without one. Raises UsageError."""
    if file is None:
        return ServerLimits()
    try:
        return ServerLimits.model_validate(tomllib.loads(file.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {error}", hint="it must be a TOML file") from error
    except ValidationError as error:
        raise UsageError(f"{file}: {_first_problem(error)}", hint="see docs/serving.md") from error


def _first_problem(error: ValidationError) -> str:
    """The first thing that is wrong, and where; never a value of the file, which could be a secret."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    said = first["msg"].removeprefix("Value error, ")
    return f"{place}: {said}" if place else said


def new_token(name: str) -> tuple[str, str]:
    """A fresh token, and the lines that let it in."""
    token = f"pc_{secrets.token_urlsafe(32)}"
    digest = hashlib.sha256(token.encode()).hexdigest()
    return (
        token,
        f'[[token]]\nname = "{name}"\nsha256 = "{digest}"\ntenant = "{DEFAULT_TENANT}"\ngroups = []\n',
    )


def _stamp(file: Path) -> tuple[int, int]:
    try:
        found = file.stat()
    except OSError:
        return (-1, -1)
    return found.st_mtime_ns, found.st_size
