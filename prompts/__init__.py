"""Every text that is sent to a model, as .md files beside this one, loaded by name."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template

__all__ = ["Prompt", "PromptError", "hashes", "load"]

_NAME = re.compile(r"[a-z][a-z0-9_]*")


class PromptError(LookupError):
    """A prompt that does not exist, or one whose variables were not given exactly."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt with its variables filled in; `sha256` is that of the file, before filling in."""

    text: str
    sha256: str


def load(name: str, /, **variables: object) -> Prompt:
    """The prompt `name`.md with `$variable` filled in; a missing or an unused variable is an error."""
    template, sha256 = _file(name)
    wanted = set(template.get_identifiers())
    if wanted != set(variables):
        missing, unused = sorted(wanted - set(variables)), sorted(set(variables) - wanted)
        raise PromptError(f"prompt {name!r}: missing variables {missing}, unused variables {unused}")
    try:
        return Prompt(template.substitute(variables), sha256)
    except ValueError as error:
        raise PromptError(f"prompt {name!r}: {error}") from error


def hashes() -> dict[str, str]:
    """The SHA-256 of every prompt file, by name."""
    names = (entry.name for entry in files(__name__).iterdir() if entry.name.endswith(".md"))
    return {name: _file(name)[1] for name in sorted(entry.removesuffix(".md") for entry in names)}


@cache
def _file(name: str) -> tuple[Template, str]:
    if not _NAME.fullmatch(name):
        raise PromptError(f"no prompt is called {name!r}")
    try:
        data = files(__name__).joinpath(f"{name}.md").read_bytes()
    except FileNotFoundError as error:
        raise PromptError(f"no prompt is called {name!r}") from error
    return Template(data.decode("utf-8").strip()), hashlib.sha256(data).hexdigest()
