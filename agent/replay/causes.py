"""Why a replay diverged: what has changed since the recording, and which change shows first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pincite.agent.bodies import schema_name
from pincite.agent.facts import versions
from pincite.agent.messages import ToolSchemaLike
from pincite.agent.program import code_hashes, git_state
from pincite.agent.replay.divergence import Change, Divergence
from pincite.prompts import hashes
from pincite.transcripts.envelope import written_as
from pincite.transcripts.events import SessionStart
from pincite.transcripts.tape import Tape

_MESSAGES, _TOOLS = written_as("messages"), written_as("tools")
# Rooms whose code cannot change what a recorded session does.
_BESIDE = frozenset({"cli", "evals", "transcripts"})


def changes(tape: Tape, schemas: Mapping[str, ToolSchemaLike]) -> list[Change]:
    """What of the program is not as it was when the session was recorded."""
    start = tape.start
    found = [
        Change(what="prompt", name=name, recorded=_short(start.prompts.get(name)), now=_short(now.get(name)))
        for now in (hashes(),)
        for name in sorted({*now, *start.prompts})
        if start.prompts and start.prompts.get(name) != now.get(name)
    ]
    found += _schema_changes(tape, schemas)
    now_code = code_hashes()
    found += [
        Change(what="code", name=room, recorded=start.code.get(room), now=now_code.get(room))
        for room in sorted({*start.code, *now_code} - _BESIDE)
        if start.code and start.code.get(room) != now_code.get(room)
    ]
    now_versions = versions()
    found += [
        Change(what="code", name=name, recorded=was, now=now_versions.get(name))
        for name, was in sorted(start.versions.items())
        if now_versions.get(name) != was
    ]
    return [*found, *_git_change(start)]


def cause(
    divergence: Divergence, tape: Tape, changed: Sequence[Change], tools: str = "code"
) -> tuple[str, str]:
    """(the cause, in words). `tools` is the cause of a tool's result that differs."""
    damage = "; ".join(one.words for one in tape.damage if one.at <= divergence.at)
    if divergence.missing == "tape":
        return "tape", f"the recording has no event there: {damage or 'the transcript ends there'}"
    if damage:
        return "tape", f"the recording is not as it was written: {damage}"
    if divergence.missing == "replay":
        return "code", "the recording goes on where the replay has ended"
    recorded = next((event for event in tape.events if event.seq == divergence.at), None)
    if recorded is not None and recorded.redacted:
        return "redaction", "a secret was taken out of this event when it was written"
    path = divergence.path
    if divergence.kind == "model_request" and _under(path, _TOOLS):
        return "tool schema", _named("tool schema", changed) or "the tools that are offered have changed"
    if _is_time(path):
        return "clock", "the time that the loop saw was another one"
    if divergence.kind == "tool_result":
        named = _named("prompt", changed)
        return ("prompt", named) if tools == "code" and named else (tools, _words(tools, changed))
    if divergence.kind == "model_request":
        system = _under(path, f"{_MESSAGES}'][0]") or _under(path, f"{_MESSAGES}[0]")
        names = _prompts(changed, system=system)
        if names:
            return "prompt", f"prompts that have changed: {', '.join(names)}"
    return "code", _words("code", changed)


def _prompts(changed: Sequence[Change], *, system: bool) -> list[str]:
    names = [change.name for change in changed if change.what == "prompt"]
    return [name for name in names if (name == "system") == system]


def _words(what: str, changed: Sequence[Change]) -> str:
    if what == "index":
        return "the index gave something else than at the time of the recording"
    return (
        _named(what, changed) or "no recorded hash differs: the code that runs is not the one that recorded"
    )


def _named(what: str, changed: Sequence[Change]) -> str:
    names = [change.name for change in changed if change.what == what]
    plural = {"prompt": "prompts", "tool schema": "tool schemas", "code": "code and versions"}.get(what, what)
    return f"{plural} that have changed: {', '.join(names)}" if names else ""


def _schema_changes(tape: Tape, schemas: Mapping[str, ToolSchemaLike]) -> list[Change]:
    """Schemas that were offered under another hash than theirs now."""
    now = {name: schema_name(schema).partition(":")[2] for name, schema in schemas.items()}
    was: dict[str, str] = {}
    for turn in tape.turns:
        for tool in turn.request.tools:
            name, _, value = tool.partition(":")
            was.setdefault(name, value)
    return [
        Change(what="tool schema", name=name, recorded=value, now=now.get(name))
        for name, value in sorted(was.items())
        if now.get(name) != value
    ]


def _git_change(start: SessionStart) -> list[Change]:
    now = git_state()
    was = start.git or {}
    if not was or now is None or was == now:
        return []
    return [Change(what="code", name="git", recorded=_git(was), now=_git(now))]


def _git(state: Mapping[str, object]) -> str:
    return f"{str(state.get('commit'))[:12]}{' with changes' if state.get('changed') else ''}"


def _short(value: str | None) -> str | None:
    return None if value is None else value[:16]


def _under(path: str, name: str) -> bool:
    return path.startswith((f"$['{name}", f"$.{name}"))


def _is_time(path: str) -> bool:
    return path.endswith((".seconds", "timeout_s']", ".ms"))
