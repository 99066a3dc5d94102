"""A replay as a person reads it: whether it went the same way, and if not where and why."""

from __future__ import annotations

import json
from typing import Any

from pincite.agent.replay.divergence import Change, ReplayReport
from pincite.cli.terminal import Page, one_line
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
        same = "its 1 event" if report.events == 1 else f"all {report.events} events"
        page.line(f"{name}: the same in {same} ({report.mode})", style="bold green")
    for entry in report.drift:
        print_drift(page, entry)
    if report.drift:
        touched = "touches" if report.cited_evidence_touched else "does not touch"
        page.line(f"this {touched} the evidence that the recorded answers cite")
        for answer in report.answers:
            _print_outcome(page, answer)
    for change in report.changes:
        page.line(_change(change), indent=2, style="dim")
    for warning in report.warnings:
        page.line(f"warning: {one_line(warning, _WIDTH)}")


def _print_outcome(page: Page, answer: dict[str, Any]) -> None:
    """What the recorded turns would have led to."""
    page.line(f"with this the recorded answer would end as {answer.get('status')}")
    for held in answer.get("withheld") or []:
        page.line(f"- withheld ({held.get('code')}): {one_line(str(held.get('text')), _WIDTH)}", indent=2)
    if answer.get("stop_reason") == "model_error":
        page.line("the model would have been asked again, and the recording has no turn for that", indent=2)


def print_drift(page: Page, entry: dict[str, Any]) -> None:
    """What one look-up gave otherwise."""
    arguments = one_line(str(entry.get("arguments")), 120)
    page.line(f"event {entry.get('at')}, {entry.get('tool')} {arguments}", style="bold")
    for name in ("lost", "gained", "changed", "moved"):
        for passage in entry.get(name, ()):
            page.line(f"{name} {_passage(name, passage)}", indent=2)
    for leg in entry.get("attempts", ()):
        reason = f" ({one_line(leg['reason'])})" if leg["reason"] else ""
        page.line(
            f"leg {leg['leg']}: {leg['recorded'] or 'not tried'} -> {leg['live'] or 'not tried'}{reason}",
            indent=2,
        )
    for name, what in (("leg", "answered by"), ("error", "error"), ("named", "shown before")):
        if name in entry:
            page.line(f"{what}: {_value(entry[name]['recorded'])} -> {_value(entry[name]['live'])}", indent=2)
    if "text" in entry:
        old, new = around(entry["text"]["recorded"], entry["text"]["live"], _WIDTH)
        page.line(f"its text\n- {one_line(old)}\n+ {one_line(new)}", indent=2)


def _passage(name: str, passage: dict[str, Any]) -> str:
    where = one_line(f"{passage['handle']} {passage['document']} > {passage['heading_path']}", 160)
    rank = f"rank {passage['rank']}"
    if name == "moved":
        return f"{where}: {rank} -> {passage['to']}"
    cited = ", cited" if passage.get("cited") else ""
    if name != "changed":
        return f"{where} ({rank}{cited})"
    if passage.get("cited"):
        cited += (
            ", the quoted words still stand" if passage["quotes_stand"] else ", THE QUOTED WORDS ARE GONE"
        )
    old, new = around(passage["recorded"], passage["live"], 100)
    return f"{where} ({rank}{cited})\n- {one_line(old)}\n+ {one_line(new)}"


def _values(recorded: Any, replayed: Any) -> tuple[str, str]:
    if isinstance(recorded, str) and isinstance(replayed, str):
        recorded, replayed = around(recorded, replayed, 160)
    return _value(recorded), _value(replayed)


def _value(value: Any) -> str:
    return "nothing" if value is None else one_line(json.dumps(value, ensure_ascii=False), _WIDTH)


def _change(change: Change) -> str:
    now = "gone" if change.now is None else one_line(change.now)
    was = one_line(change.recorded or "new")
    return f"changed since: {change.what} {one_line(change.name)} ({was} -> {now})"
