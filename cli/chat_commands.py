"""What a line that begins with a slash does in `pincite chat`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import ValidationError

from pincite.agent.answer import Answer
from pincite.agent.budget import Budgets
from pincite.agent.chat import Chat, Ground, resume_chat
from pincite.agent.opening import open_citation
from pincite.agent.outcome import Status
from pincite.agent.session import narrowed
from pincite.agent.sessions import list_sessions, turns_of
from pincite.cli.answers import citations_of, how_found, where
from pincite.cli.setting_tables import read_table
from pincite.cli.terminal import Page, counted, one_line, place
from pincite.corpus.scope import Scope
from pincite.errors import PinciteError, UsageError
from pincite.transcripts.reader import read

_SHOWN_CHARS = 6_000


@dataclass(slots=True)
class Conversation:
    """The session in hand. `scope` is what the command line allows; the chat may see less."""

    ground: Ground
    scope: Scope
    chat: Chat
    answers: list[tuple[str, Answer]] = field(default_factory=list)

    @property
    def last(self) -> Answer:
        """The last answer that has citations, or the last one. Raises UsageError before the first."""
        if not self.answers:
            raise UsageError("nothing has been answered yet", hint="ask something first")
        cited = [answer for _, answer in self.answers if answer.statements]
        return cited[-1] if cited else self.answers[-1][1]

    def reopen(self, session: str, ground: Ground, scope: Scope) -> None:
        """Go on with a session; the one in hand stays when that fails."""
        same = session == self.chat.session
        before = self.chat
        if same:
            # One writer a session: it has to be let go before it is taken up again.
            before.close()
        try:
            self.chat = resume_chat(ground, session, scope)
        except PinciteError:
            if same:
                self.chat = resume_chat(self.ground, session, before.scope)
            raise
        self.ground = ground
        if not same:
            before.close()


def run_command(talk: Conversation, line: str) -> bool:
    """Do what the line says; False ends the session. Raises PinciteError."""
    name, _, rest = line[1:].partition(" ")
    if name in {"quit", "exit", "q"}:
        return False
    action = _COMMANDS.get(name)
    if action is None:
        raise UsageError(f"there is no command /{one_line(name, 40)}", hint="/help lists them")
    action[0](talk, rest.strip())
    return True


def _help(_talk: Conversation, _rest: str) -> None:
    page = Page()
    for name, (_, what) in _COMMANDS.items():
        page.line(f"/{name:<8} {what}")
    page.line("/quit     end the session (Ctrl-D); Ctrl-C stops a question")


def _open(talk: Conversation, rest: str) -> None:
    found = citations_of(talk.last)
    if not found:
        raise UsageError(
            "the last answer has no citation to open", hint="ask something that the documents answer"
        )
    if not rest.isdecimal() or not 1 <= int(rest) <= len(found):
        raise UsageError(f"/open takes a number from 1 to {len(found)}", hint="/sources lists the citations")
    citation = found[int(rest) - 1]
    opened = open_citation(talk.ground.index, talk.chat.scope, citation)
    page = Page()
    spot = place(opened.page, None, citation.line, opened.page_label)
    page.line(f"{opened.document_title} > {opened.heading_path}{f', {spot}' if spot else ''}", style="bold")
    if opened.changed:
        page.line("(the document was replaced since this was cited)")
    start, end = opened.mark or (0, 0)
    marked = f"{opened.text[:start]}»{opened.text[start:end]}«{opened.text[end:]}" if end else opened.text
    first = max(0, start - _SHOWN_CHARS // 2)
    page.line(f"{'… ' if first else ''}{marked[first : first + _SHOWN_CHARS]}", indent=2)
    if len(marked) > first + _SHOWN_CHARS:
        page.line(f'… (pincite read "{opened.document}" "{opened.number or opened.section}" has all of it)')


def _sources(talk: Conversation, _rest: str) -> None:
    page = Page()
    found = citations_of(talk.last)
    for number, citation in enumerate(found, start=1):
        page.line(f"[{number}] {where(citation)}")
        page.line(f'"{citation.quote}"', indent=4, style="italic")
    if not found:
        page.line("The last answer cites nothing.")


def _why(talk: Conversation, _rest: str) -> None:
    page = Page()
    if not talk.answers:
        raise UsageError("nothing has been answered yet", hint="ask something first")
    answer = talk.answers[-1][1]
    label = " (not from your documents)" if answer.status is Status.conversation else ""
    page.line(f"{answer.status}{label}, ended by: {answer.stop_reason}")
    for found in answer.retrieval:
        page.line(how_found(found))
        for attempt in found.attempts:
            page.line(
                f"{attempt.leg}: {attempt.outcome}, {attempt.ms:.0f} ms {attempt.reason}".rstrip(), indent=4
            )
    for part in answer.withheld:
        page.line(f"withheld: {one_line(part.text)} ({part.code}: {one_line(part.detail)})")


def _scope(talk: Conversation, rest: str) -> None:
    if rest:
        seen = talk.scope if rest == "all" else narrowed(talk.ground.index, talk.scope, [rest])
        talk.reopen(talk.chat.session, talk.ground, seen)
    scope = talk.chat.scope
    page = Page()
    page.line(f"documents: {'all' if scope.documents is None else ', '.join(sorted(scope.documents))}")
    page.line(
        f"groups: {'all (owner of the index)' if scope.groups is None else ', '.join(sorted(scope.groups))}"
    )
    page.line(f"in force on: {scope.as_of or 'today'}")


def _budget(talk: Conversation, rest: str) -> None:
    budgets = talk.ground.budgets or Budgets()
    if rest:
        name, *values = rest.split(maxsplit=1)
        if name not in Budgets.model_fields:
            raise UsageError(f"there is no budget {one_line(name, 40)}", hint=", ".join(Budgets.model_fields))
        if not values:
            held = budgets.model_dump()[name]
            Page().line(f"{name}: {'no limit' if held is None else held}")
            return
        try:
            budgets = Budgets.model_validate({**budgets.model_dump(), **read_table({name: values[0]})})
        except ValidationError as error:
            hint = f"/budget {name} 30 sets it, /budget {name} none takes it away where that can be"
            raise UsageError(f"{name}: {error.errors()[0]['msg']}", hint=hint) from error
        talk.reopen(talk.chat.session, replace(talk.ground, budgets=budgets), talk.chat.scope)
    page = Page()
    limits = ", ".join(f"{name} {value}" for name, value in budgets.model_dump().items() if value is not None)
    page.line(f"for each question: {limits}")
    spent = [answer.usage for _, answer in talk.answers]
    tokens = sum(usage.input_tokens + usage.output_tokens for usage in spent)
    page.line(
        f"so far here: {counted(len(spent), 'question')}, {sum(u.model_calls for u in spent)} model calls, "
        f"{sum(u.searches for u in spent)} searches, {tokens} tokens, {sum(u.seconds for u in spent):.1f} s"
    )


def _save(talk: Conversation, rest: str) -> None:
    if not rest:
        raise UsageError("/save takes a file name", hint="/save answers.md")
    file = Path(rest).expanduser()
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write("\n".join(_as_text(talk)))
    except OSError as error:
        raise UsageError(f"{file} cannot be written: {error.strerror or error}") from error
    Page().line(f"saved {counted(len(talk.answers), 'question')} in {file}")


def _as_text(talk: Conversation) -> list[str]:
    lines = [f"# Session {talk.chat.session}", ""]
    for question, answer in talk.answers:
        lines += [f"## {one_line(question)}", "", f"{answer.status}", ""]
        found = citations_of(answer)
        for statement in answer.statements:
            marks = "".join(f"[{found.index(one) + 1}]" for one in statement.citations)
            lines.append(f"{statement.text} {marks}")
        lines += [] if answer.statements else [answer.text]
        lines += ["", *(f'[{n}] {where(c)}: "{c.quote}"' for n, c in enumerate(found, start=1)), ""]
    return lines


def _resume(talk: Conversation, rest: str) -> None:
    page = Page()
    if not rest:
        for info in list_sessions(talk.ground.index, most=20):
            began = one_line(info.started[:16].replace("T", " "))
            page.line(f"{info.session}  {began} UTC  {one_line(info.first, 80)}")
        return
    talk.reopen(rest, talk.ground, talk.chat.scope)
    path = talk.ground.index.info.folder / "sessions" / f"{rest}.jsonl"
    turns = turns_of(read(path))
    talk.answers = [(turn.question, turn.answer) for turn in turns if turn.answer is not None]
    page.line(f"session {rest}, {counted(len(turns), 'question')} so far")
    for turn in turns[-3:]:
        page.line(f"> {one_line(turn.question)}")
        page.line(one_line(turn.answer.text if turn.answer else "(not answered)", 300), indent=2)


_Action = Callable[[Conversation, str], None]
_COMMANDS: dict[str, tuple[_Action, str]] = {
    "open": (_open, "/open 2 shows the section behind citation 2, the quoted words between » and «"),
    "sources": (_sources, "the citations of the last answer"),
    "why": (_why, "how the last answer was found: searches, ways, times, what was withheld"),
    "scope": (_scope, "what is looked at; /scope DOCUMENT narrows it, /scope all widens it again"),
    "budget": (_budget, "limits and what was spent; /budget seconds 30 sets one, none takes it away"),
    "save": (_save, "/save FILE writes questions and answers with their places"),
    "resume": (_resume, "lists sessions; /resume SESSION goes on with one"),
    "help": (_help, "this list"),
}
