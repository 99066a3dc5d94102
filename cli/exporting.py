"""`pincite export`: recorded sessions as OpenTelemetry spans, for a tracing backend or a file."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click

from pincite.cli.options import Setup, command
from pincite.cli.sessions import find_transcript
from pincite.cli.terminal import Page, counted, note, print_json
from pincite.cli.written import write_output
from pincite.errors import UsageError
from pincite.transcripts.events import EVENT
from pincite.transcripts.otel.export import (
    Exporter,
    endpoint_of,
    otlp_json,
    shown_address,
    traces_address,
    wants_content,
)
from pincite.transcripts.otel.span import Span
from pincite.transcripts.otel.spans import spans_of
from pincite.transcripts.reader import read
from pincite.transcripts.redact import Redactor
from pincite.transcripts.writer import redacted


@command("export")
@click.argument("recordings", metavar="FILE|SESSION...", nargs=-1, required=True)
@click.option("--otlp", metavar="URL", help="Send them there (default: OTEL_EXPORTER_OTLP_ENDPOINT).")
@click.option(
    "--file",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write them as one line of OTLP JSON instead (- for stdout).",
)
@click.option(
    "--content/--no-content",
    default=None,
    help="With what was asked, found and answered, or without (default: without, or what "
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT says).",
)
def export(
    setup: Setup, *, recordings: tuple[str, ...], otlp: str | None, target: Path | None, content: bool | None
) -> None:
    """Send recorded sessions as OpenTelemetry traces, one for each question."""
    if otlp is not None and target is not None:
        raise UsageError("--otlp and --file are two ways to export, choose one")
    if target is not None and str(target) == "-" and setup.as_json:
        raise UsageError("--file - and --json both print, choose one")
    wanted = wants_content(os.environ) if content is None else content
    spans = [span for name in recordings for span in _spans(setup, name, wanted)]
    address = None
    if target is not None:
        write_output(target, json.dumps(otlp_json(spans), ensure_ascii=False, separators=(",", ":")))
        sent = len(spans)
    else:
        address = traces_address(otlp) if otlp else endpoint_of(os.environ)
        if address is None:
            raise UsageError(
                "there is nothing to export to",
                hint="--otlp URL, --file FILE, or set OTEL_EXPORTER_OTLP_ENDPOINT",
            )
        sent = Exporter(address).send(spans)
    traces = len({span.trace for span in spans})
    if setup.as_json:
        where = {"otlp": shown_address(address)} if address else {"file": str(target)}
        print_json({"spans": sent, "traces": traces, **where})
    elif str(target) != "-":
        what = f"{counted(sent, 'span')} in {counted(traces, 'trace')}"
        Page().line(f"{what} sent to {shown_address(address)}" if address else f"{what} written to {target}")


def _spans(setup: Setup, name: str, content: bool) -> list[Span]:
    """The spans of a recording, without what the settings of today take out."""
    recording = read(find_transcript(setup, name))
    for warning in recording.warnings:
        note(f"{name}: {warning}")
    redactor = Redactor(patterns=setup.settings.redact)
    events = [EVENT.validate_python(redacted(event, redactor)) for event in recording.events]
    return spans_of(events, content=content)
