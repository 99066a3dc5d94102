"""Spans of the sessions of a command, for those commands that hold any."""

from __future__ import annotations

from collections.abc import Callable

import click

from pincite.cli.terminal import note
from pincite.transcripts.otel.live import Tracing, process_tracing


def tracing(tell: Callable[[str], None] | None = None) -> Tracing | None:
    """What sends spans where the environment names an OTLP endpoint; `tell` hears when it cannot.

    When the command ends it waits a little for the last ones.
    """
    click.get_current_context().call_on_close(_send_rest)
    found = process_tracing()
    if found is not None:
        found.tell = tell
    return found


def _send_rest() -> None:
    """Let the spans of the last question go out, now that its answer is there."""
    found = process_tracing()
    process_tracing.cache_clear()
    problem = found.close() if found is not None else None
    if problem:
        note(f"pincite: {problem}; pincite export SESSION sends them later")
