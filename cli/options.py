"""Options that several commands share, and what they turn into: settings, a scope, an open index."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, get_args

import click

from pincite.agent.beginning import FirstSearch
from pincite.cli.settings import Settings, load_settings
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope

Function = Callable[..., Any]

_SETTING_FLAGS = ("db", "tenant", "model", "base_url", "encoder", "reranker", "calling", "budget",
                  "whole_corpus", "first_search")  # fmt: skip


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
    click.option("--db", type=click.Path(), help="Folder of the index (default ./.pincite)."),
    click.option("--tenant", help="Which of the folder's separate indexes (default: default)."),
    click.option("--config", type=click.Path(path_type=Path), help="Another settings file."),
    click.option("--json", "as_json", is_flag=True, help="Print JSON."),
    click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of an error."),
)

documents_option = click.option(
    "--document", "documents", multiple=True, help="Only this document: id, path or title (repeatable)."
)


def beginning_options(function: Function) -> Function:
    """--whole-corpus and --first-search."""
    whole = click.option(
        "--whole-corpus/--no-whole-corpus",
        default=None,
        help="Give the model all documents at once, where they fit into a request.",
    )
    first = click.option(
        "--first-search",
        type=click.Choice(get_args(FirstSearch)),
        help="Search before the model's first turn: for the question, and for what the model makes of it.",
    )
    return whole(first(function))


reranker_option = click.option("--reranker", help="Folder or hub name of a cross-encoder, or none.")


def _whole_groups(_: click.Context, __: click.Parameter, groups: tuple[str, ...]) -> tuple[str, ...]:
    """An empty name is what a variable that is not set leaves; taken as no group it would show everything."""
    if not all(group.strip() for group in groups):
        raise click.BadParameter("a group's name is empty")
    return groups


def group_option(text: str) -> Callable[[Function], Function]:
    """--group, repeatable, no name empty."""
    return click.option("--group", "groups", multiple=True, callback=_whole_groups, help=text)


class _Day(click.ParamType[date]):
    """A date as YYYY-MM-DD."""

    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> date:
        try:
            return date.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is no date such as 2026-01-31", param, ctx)


def scope_options(function: Function) -> Function:
    """--group and --as-of; the function gets a `scope`. Without groups it is that of the index's owner."""

    @group_option(
        "Read as a member of this group only (repeatable). Without it you are the owner of the index and "
        "see everything."
    )
    @click.option(
        "--as-of",
        type=_Day(),
        metavar="DATE",
        help="Only documents in force on this day (default: today).",
    )
    @functools.wraps(function)
    def body(*given: Any, groups: tuple[str, ...], as_of: date | None, **values: Any) -> Any:
        return function(*given, scope=Scope(groups=frozenset(groups) or None, as_of=as_of), **values)

    return body
