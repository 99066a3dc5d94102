"""A replay as a person reads it: whether it went the same way, and if not where and why."""

from __future__ import annotations

import json
from typing import Any

from pincite.agent.replay.divergence import Change, ReplayReport
from pincite.cli.terminal import Page, counted, one_line
from pincite.transcripts.diff import around

_WIDTH = 300


def print_report(page: Page, report: ReplayReport) -> None:
    """Print everything of a report that a person needs."""
    name = one_line(report.session)
    if report.diverged:
        page.line(f"{name}: diverged at event {report.at} ({report.kind})", style="bold red")
        page.line(f"cause: {report.cause} – {one_line(report.detail, _WIDTH)}")
        page.line(f"path: {one_line(report.path or '', _WIDTH)}")
        recorded, replayed = _values(report.recorded, report.replayed)
        page.line(f"recorded: {recorded}", indent=2)
        page.line(f"replayed: {replayed}", indent=2)
    else:
        same = counted(report.events, "event")
        page.line(f"{name}: the same in all {same} ({report.mode})", style="bold green")
    for change in report.changes:
        page.line(_change(change), indent=2, style="dim")
    for warning in report.warnings:
        page.line(f"warning: {one_line(warning, _WIDTH)}")


def _values(recorded: Any, replayed: Any) -> tuple[str, str]:
    if isinstance(recorded, str) and isinstance(replayed, str):
        recorded, replayed = around(recorded, replayed, 160)
    return _value(recorded), _value(replayed)


def _value(value: Any) -> str:
    return "nothing" if value is None else one_line(json.dumps(value, ensure_ascii=False), _WIDTH)


def _change(change: Change) -> str:
    now = "gone" if change.now is None else one_line(change.now)
    return f"changed since: {change.what} {one_line(change.name)} ({one_line(change.recorded or 'new')} -> {now})"
