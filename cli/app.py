"""The `pincite` program: its commands, and the one place where failures become a line and an exit code."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TextIO

import click

from pincite.cli.terminal import complain, one_line, print_json
from pincite.errors import NothingUsableError, PinciteError, UsageError

CANCELLED = 128 + signal.SIGINT
FAILED = PinciteError.exit_code

_COMMANDS = {
    "sync": "pincite.cli.syncing:sync",
    "ask": "pincite.cli.asking:ask",
    "chat": "pincite.cli.chatting:chat",
    "search": "pincite.cli.reading:search",
    "toc": "pincite.cli.reading:toc",
    "read": "pincite.cli.reading:read",
    "define": "pincite.cli.differing:define",
    "diff": "pincite.cli.differing:diff",
    "list": "pincite.cli.managing:list_documents",
    "forget": "pincite.cli.managing:forget",
    "reindex": "pincite.cli.managing:reindex",
    "show": "pincite.cli.showing:show",
    "replay": "pincite.cli.replaying:replay",
    "compare": "pincite.cli.comparing:compare",
    "golden": "pincite.cli.golden:golden",
    "export": "pincite.cli.exporting:export",
    "serve": "pincite.cli.serving:serve",
    "mcp": "pincite.cli.serving_mcp:mcp",
    "eval": "pincite.cli.evaluating:evaluate_group",
    "doctor": "pincite.cli.checking:doctor",
}


class _Commands(click.Group):
    """Commands in the order people meet them; a command's modules load when it runs, and no other's."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        target = _COMMANDS.get(cmd_name)
        if target is None:
            return None
        module, name = target.split(":")
        command: click.Command = getattr(import_module(module), name)
        return command


def _print_version(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    if value:
        from importlib.metadata import version

        click.echo(f"pincite {version('pincite')}")
        ctx.exit()


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version.",
)
@click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of an error.")
def program() -> None:
    """Answers questions over your own documents.

    Every citation is a place that was read, with words that stand there.
    """


def run(arguments: Sequence[str]) -> int:
    """Run one command and give its exit code; nothing but --debug prints a traceback."""
    options = set(arguments[: arguments.index("--")] if "--" in arguments else arguments)
    _have_streams()
    if "--debug" not in options:
        _keep_quiet()
    try:
        # Not program.main: it would end the process itself when stdout is closed.
        with program.make_context("pincite", list(arguments) or ["--help"]) as context:
            result = program.invoke(context)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except BrokenPipeError:
        # Whoever read our output has gone.
        _discard(sys.stdout)
        return 128 + signal.SIGPIPE
    except (KeyboardInterrupt, click.Abort):
        click.echo("pincite: stopped", err=True)
        return CANCELLED
    except Exception as error:  # noqa: BLE001 - the last place before the user: shown, never swallowed
        return _fail(error, options)


def _keep_quiet() -> None:
    """What the rooms and the engine log is for --debug; a person gets one line."""
    for name in ("pincite", "opentelemetry"):
        logging.getLogger(name).addHandler(logging.NullHandler())
    os.environ.setdefault("LANCEDB_LOG", "off")


def _have_streams() -> None:
    """Both streams are there and take every character, also when they were closed before the start."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - until the exit
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _fail(error: Exception, options: set[str]) -> int:
    """Say what went wrong, where it can be said; the exit code."""
    if "--debug" in options:
        traceback.print_exc()
    problem, exit_code = _explain(error)
    as_json = "--json" in options
    if isinstance(error, OSError) and _came_from_printing(error):
        reason = error.strerror or "it fails"
        problem = NothingUsableError(
            f"the output cannot be written: {reason}", code="output_failed", hint="check where it goes"
        )
        as_json, exit_code = False, problem.exit_code
        _discard(sys.stdout)
    try:
        _report(problem, as_json=as_json)
    except OSError:
        _discard(sys.stdout)
        _discard(sys.stderr)
    return exit_code


def _came_from_printing(error: OSError) -> bool:
    """Whether it was raised by a stream that we or the libraries that print for us wrote to."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    where = str(frames[-1].f_globals.get("__name__", "")) if frames else ""
    return error.filename is None and where.startswith(("click.", "rich.", __name__))


def _discard(stream: TextIO) -> None:
    """Let a stream lead nowhere, or the interpreter complains about it once more while it exits."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _explain(error: Exception) -> tuple[PinciteError, int]:
    if isinstance(error, PinciteError):
        return error, error.exit_code
    if isinstance(error, click.ClickException):
        context = getattr(error, "ctx", None)
        hint = f"see {context.command_path} --help" if context else "see pincite --help"
        return UsageError(error.format_message().rstrip("."), hint=hint), UsageError.exit_code
    name = type(error).__name__
    hint = "this is a fault in pincite or its surroundings; --debug shows where"
    return PinciteError(one_line(f"{name}: {error}", 500), code="unexpected", hint=hint), FAILED


def _report(problem: PinciteError, *, as_json: bool) -> None:
    if as_json:
        print_json({"error": problem.to_json()})
    complain(problem)
