"""Front matter: the YAML block at the top of a markdown file, and the metadata that a document may state."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

import yaml

from pincite.corpus.document import Metadata

BLOCK = re.compile(r"---[ \t]*\n(?P<body>.*?)(?:\n|^)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
LONGEST = 16 * 1024
# YAML is parsed in time that grows with the square of its nesting.
MOST_BRACKETS = 500
BRACKETS = re.compile(r"[\[{]")
# Who may see a document is the operator's decision, never the document's.
IGNORED = ("tenant", "group", "groups")
WORDS = {"title": "title", "version": "version_label", "status": "status"}
DATES = ("effective_from", "effective_to")


def split(text: str) -> tuple[Metadata, str, list[str]]:
    """The metadata, the text behind the block, and warnings. Without a block the text is returned whole."""
    found = BLOCK.match(text)
    if found is None or len(found["body"]) > LONGEST or len(BRACKETS.findall(found["body"])) > MOST_BRACKETS:
        return Metadata(), text, []
    try:
        values = _load(found["body"])
    except (yaml.YAMLError, ValueError, RecursionError):
        if _looks_like_yaml(found["body"]):
            return Metadata(), text[found.end() :], ["the front matter is not valid YAML and was ignored"]
        return Metadata(), text, []
    if not isinstance(values, dict):
        # A rule, text and another rule look the same but hold no keys.
        return Metadata(), text, []
    metadata, warnings = metadata_from(values)
    return metadata, text[found.end() :], warnings


def metadata_from(values: Mapping[Any, Any]) -> tuple[Metadata, list[str]]:
    """Metadata from loaded keys; what cannot be used is left out with a warning, never an error."""
    warnings: list[str] = []
    words: dict[str, str] = {}
    for key, target in WORDS.items():
        value = values.get(key)
        if isinstance(value, str | int | float | date) and not isinstance(value, bool):
            words[target] = " ".join(str(value).split())
        elif value is not None:
            warnings.append(f"front matter: {key} is not a word or a number and was ignored")
    dates: dict[str, date] = {}
    for key in DATES:
        value = values.get(key)
        try:
            day = _day(value)
        except ValueError:
            warnings.append(f"front matter: {key} is not a date like 2026-01-31 and was ignored")
        else:
            if day is not None:
                dates[key] = day
    start, stop = dates.get("effective_from"), dates.get("effective_to")
    if start and stop and stop < start:
        warnings.append("front matter: effective_to lies before effective_from; both were ignored")
        dates = {}
    warnings.extend(
        f"front matter: {key} is ignored, access is set by the sync command"
        for key in IGNORED
        if key in values
    )
    return (
        Metadata(
            title=words.get("title") or None,
            version_label=words.get("version_label") or None,
            status=words.get("status") or None,
            effective_from=dates.get("effective_from"),
            effective_to=dates.get("effective_to"),
        ),
        warnings,
    )


def _load(body: str) -> Any:
    # Aliases are what makes small YAML grow; front matter does not need them.
    if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(body, Loader=yaml.SafeLoader)):
        raise ValueError("aliases")
    return yaml.safe_load(body)


def _looks_like_yaml(body: str) -> bool:
    return bool(re.match(r"\s*(?:#.*\n\s*)*[A-Za-z_][\w .-]*:(?:\s|$)", body))


def _day(value: object) -> date | None:
    if value is None:
        return None
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    if isinstance(value, str):
        return date.fromisoformat(value.strip())
    raise ValueError("no date")
