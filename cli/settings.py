"""Settings: flags over `PINCITE_*` over the user's pincite.toml over defaults.

The file is `$XDG_CONFIG_HOME/pincite/pincite.toml` (`~/.config/pincite/pincite.toml`), or the one that
`--config` or `PINCITE_CONFIG` names. It is never looked for in the current folder or beside documents:
whoever fills a synced folder must not choose the model that its text is sent to.

Tables are merged key by key. In a variable or a flag a table is written `key=value, key=value`, prices are
written `model=input/output` or `model=input/output/cached`, and "none" takes a limit away.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from pincite.agent.beginning import Beginning, FirstSearch
from pincite.agent.budget import Budgets, Limits, Price
from pincite.cli.setting_tables import merge, read_prices, read_table
from pincite.corpus.field_problem import field_problem
from pincite.corpus.reasons import in_words
from pincite.errors import UsageError

_PREFIX = "PINCITE_"
# Read where they are needed, and no settings.
_OTHER_VARIABLES = {"PINCITE_CONFIG", "PINCITE_THREADS"}
_MOST_BYTES = 1_000_000
_TABLES = frozenset({"budget", "session", "prices"})


def _listed(value: Any) -> Any:
    """One pattern in a variable is a list of one."""
    return (value,) if isinstance(value, str) else value


def _no_blank(value: Any) -> Any:
    """An empty folder name is what a variable that is not set leaves; it would mean the current folder."""
    if isinstance(value, str) and not value.strip():
        raise ValueError("is empty")
    return value


class Settings(BaseModel):
    """Everything a person can set for all commands at once; the keys of pincite.toml."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    db: Annotated[Path, BeforeValidator(_no_blank)] = Field(
        default=Path(".pincite"), description="the folder that holds the index"
    )
    tenant: str = Field(
        default="default", pattern=r"^[a-z0-9_-]{1,64}$", description="which of its separate indexes"
    )
    model: str | None = Field(default=None, min_length=1, description="a model's name, or extractive")
    base_url: str | None = Field(
        default=None, pattern=r"^https?://\S+$", description="an OpenAI-compatible endpoint"
    )
    encoder: str | None = Field(default=None, min_length=1, description="a folder or name of an encoder")
    reranker: str | None = Field(
        default=None, min_length=1, description="a folder or hub name of a cross-encoder, or none"
    )
    calling: Literal["auto", "native", "json"] = Field(
        default="auto", description="how the model calls tools: natively, as JSON in its text, or found out"
    )
    whole_corpus: bool = Field(
        default=False, description="give the model all documents at once where they fit into a request"
    )
    first_search: FirstSearch = Field(
        default="none", description="what to search for before the model's first turn"
    )
    budget: Budgets = Field(default=Budgets(), description="the limits of one question")
    session: Limits = Field(default=Limits(), description="the limits of all questions of a session")
    redact: Annotated[tuple[str, ...], BeforeValidator(_listed)] = Field(
        default=(), description="regular expressions of further secrets that no transcript may hold"
    )
    prices: dict[str, Price] = Field(default={}, description="money for a million tokens, by model")

    @property
    def beginning(self) -> Beginning:
        """What each question begins with."""
        return Beginning(whole_corpus=self.whole_corpus, first_search=self.first_search)


_KEYS: dict[str, type[BaseModel]] = {"budget": Budgets, "session": Limits, "prices": Price}


def settings_file(named: Path | None, environment: Mapping[str, str]) -> Path | None:
    """The settings file in force, or None when there is none; a named one must exist."""
    chosen = named or (Path(environment["PINCITE_CONFIG"]) if environment.get("PINCITE_CONFIG") else None)
    if chosen is not None:
        chosen = chosen.expanduser()
        if not chosen.is_file():
            raise UsageError(
                f"there is no settings file at {chosen}", hint="check --config and PINCITE_CONFIG"
            )
        return chosen
    folder = environment.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    usual = Path(folder).expanduser() / "pincite" / "pincite.toml"
    return usual if usual.is_file() else None


def load_settings(
    flags: Mapping[str, Any], *, config: Path | None = None, environment: Mapping[str, str] | None = None
) -> Settings:
    """The settings of one run; a flag that is None was not given. Raises UsageError naming the bad key."""
    given = os.environ if environment is None else environment
    file = settings_file(config, given)
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    layers = (
        (_read_file(file) if file else {}, f"in {file}"),
        (_read_environment(given), "in the environment"),
        ({key: value for key, value in flags.items() if value is not None}, "on the command line"),
    )
    for layer, origin in layers:
        merge(values, {key: _opened(key, value, origin) for key, value in layer.items()}, origins, origin)
    try:
        settings = Settings.model_validate(values)
    except ValidationError as error:
        raise _explain(error, origins) from error
    return settings.model_copy(update={"db": settings.db.expanduser()})


def _opened(key: str, value: Any, origin: str) -> Any:
    """The value with tables that came as text read, and limits that are none taken away."""
    if key not in _TABLES:
        return value
    try:
        return (read_prices if key == "prices" else read_table)(value)
    except ValueError as error:
        message = f"{_named(key, origin)} {origin}: {error}"
        raise UsageError(message, code="bad_setting", hint="correct or remove it") from error


def _read_file(file: Path) -> dict[str, Any]:
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise UsageError(f"{file} is too large for a settings file", hint="check --config")
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {_unread(error)}", hint="it must be a TOML file") from error


def _read_environment(environment: Mapping[str, str]) -> dict[str, str]:
    return {
        name.removeprefix(_PREFIX).lower(): value
        for name, value in environment.items()
        if name.startswith(_PREFIX) and name not in _OTHER_VARIABLES and value
    }


def _named(key: str, origin: str) -> str:
    """The setting as the person wrote it there."""
    return f"{_PREFIX}{key.upper()}" if origin == "in the environment" else key


def _explain(error: ValidationError, origins: Mapping[str, str]) -> UsageError:
    first = error.errors(include_url=False)[0]
    place = [str(part) for part in first["loc"]]
    key = ".".join(place)
    origin = next((origins[name] for name in (key, ".".join(place[:2]), place[0]) if name in origins), "")
    named = _named(place[0], origin) + "".join(f".{part}" for part in place[1:])
    if first["type"] == "extra_forbidden":
        known = tuple((_KEYS.get(place[0], Settings) if len(place) > 1 else Settings).model_fields)
        hint = "known settings: " + ", ".join(known)
        return UsageError(f"unknown setting {named} {origin}", code="unknown_setting", hint=hint, near=known)
    return UsageError(f"{named} {origin}: {_problem(first)}", code="bad_setting", hint="correct or remove it")


_PATTERNS = {
    "tenant": "must be 1 to 64 of: a-z, 0-9, '-' and '_'",
    "base_url": "must be an address that begins with http:// or https://",
}


def _problem(error: ErrorDetails) -> str:
    """What is wrong with a value, in our words where the library would speak of its own."""
    if error["type"] == "string_pattern_mismatch":
        return _PATTERNS[str(error["loc"][0])]
    return field_problem(error)


def _unread(error: Exception) -> str:
    """Why a settings file cannot be read; what is wrong with its TOML is said with its place."""
    return str(error) if isinstance(error, tomllib.TOMLDecodeError) else in_words(error)
