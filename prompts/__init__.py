"""Every text that is sent to a model, as .md files beside this one, loaded by name."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template

__all__ = ["Prompt", "PromptError", "hashes", "load", "replaced"]

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_replacements: dict[str, str] = {}


class PromptError(LookupError):
    """A prompt that does not exist, or one whose variables were not given exactly."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt with its variables filled in; `sha256` is that of the file, before filling in."""

    text: str
    sha256: str


def load(name: str, /, **variables: object) -> Prompt:
    """The prompt `name`.md with `$variable` filled in; a missing or an unused variable is an error."""
    template, sha256 = _current(name)
    wanted = set(template.get_identifiers())
    if wanted != set(variables):
        missing, unused = sorted(wanted - set(variables)), sorted(set(variables) - wanted)
        raise PromptError(f"prompt {name!r}: missing variables {missing}, unused variables {unused}")
    try:
        return Prompt(template.substitute(variables), sha256)
    except ValueError as error:
        raise PromptError(f"prompt {name!r}: {error}") from error


@contextmanager
def replaced(texts: Mapping[str, str]) -> Iterator[None]:
    """Meanwhile, in the whole process, load these texts for the prompts of these names.

    PromptError for a name that no prompt has, and for a text with variables that the prompt does not have.
    """
    for name, text in texts.items():
        wanted, given = (set(one.get_identifiers()) for one in (_file(name)[0], Template(text)))
        if not Template(text).is_valid() or wanted != given:
            raise PromptError(f"the text for prompt {name!r} must have the variables {sorted(wanted)}")
    before = dict(_replacements)
    _replacements.update(texts)
    try:
        yield
    finally:
        _replacements.clear()
        _replacements.update(before)


def hashes() -> dict[str, str]:
    """The SHA-256 of every prompt file, by name."""
    names = (entry.name for entry in files(__name__).iterdir() if entry.name.endswith(".md"))
    return {name: _current(name)[1] for name in sorted(entry.removesuffix(".md") for entry in names)}


def _current(name: str) -> tuple[Template, str]:
    if name in _replacements:
        text = _replacements[name].strip()
        return Template(text), hashlib.sha256(text.encode("utf-8")).hexdigest()
    return _file(name)


@cache
def _file(name: str) -> tuple[Template, str]:
    if not _NAME.fullmatch(name):
        raise PromptError(f"no prompt is called {name!r}")
    try:
        data = files(__name__).joinpath(f"{name}.md").read_bytes()
    except FileNotFoundError as error:
        raise PromptError(f"no prompt is called {name!r}") from error
    return Template(data.decode("utf-8").strip()), hashlib.sha256(data).hexdigest()
