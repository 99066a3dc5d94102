"""Options that several commands share, and what they turn into: settings, a scope, an open index."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from pincite.cli.settings import Settings, load_settings
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope

Function = Callable[..., Any]

_SETTING_FLAGS = ("db", "tenant", "model", "base_url", "encoder", "calling", "budget")


@dataclass(frozen=True, slots=True)
class Setup:
    """What every command gets first: the settings in force and how to print."""

    settings: Settings
    as_json: bool
    config: Path | None

    def open_index(self) -> Index:
        """The index that --db and --tenant name. Raises NoIndexError."""
        return Index.open(self.settings.db, self.settings.tenant)


def command(name: str) -> Callable[[Function], click.Command]:
    """A command with --db, --tenant, --config, --json and --debug; its function gets a `Setup` first."""

    def make(function: Function) -> click.Command:
        @functools.wraps(function)
        def body(config: Path | None, as_json: bool, **values: Any) -> Any:
            flags = {key: values.pop(key) for key in _SETTING_FLAGS if key in values}
            return function(Setup(load_settings(flags, config=config), as_json, config), **values)

        for option in reversed(_COMMON):
            body = option(body)
        return click.command(name, context_settings={"help_option_names": ["-h", "--help"]})(body)

    return make


_COMMON = (
    click.option("--db", type=click.Path(path_type=Path), help="Folder of the index (default ./.pincite)."),
    click.option("--tenant", help="Which of the folder's separate indexes (default: default)."),
    click.option("--config", type=click.Path(path_type=Path), help="Another settings file."),
    click.option("--json", "as_json", is_flag=True, help="Print JSON."),
    click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of an error."),
)

documents_option = click.option(
    "--document", "documents", multiple=True, help="Only this document: id, path or title (repeatable)."
)


def scope_options(function: Function) -> Function:
    """--group and --as-of; the function gets a `scope`. Without groups it is that of the index's owner."""

    @click.option("--group", "groups", multiple=True, help="Read as a member of this group (repeatable).")
    @click.option(
        "--as-of",
        type=click.DateTime(["%Y-%m-%d"]),
        metavar="DATE",
        help="Only documents in force on this day (default: today).",
    )
    @functools.wraps(function)
    def body(*given: Any, groups: tuple[str, ...], as_of: datetime | None, **values: Any) -> Any:
        day = as_of.date() if as_of else None
        return function(*given, scope=Scope(groups=frozenset(groups) or None, as_of=day), **values)

    return body
