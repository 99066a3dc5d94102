"""The messages of a session, the tools it has, and keeping both inside a request's budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pincite.agent.answer import Answer
from pincite.agent.answer_tool import answer_schema
from pincite.agent.context import HIGH, Fitted, Sizes, fit, receipt, schema_tokens
from pincite.agent.messages import Message, ToolSchemaLike
from pincite.agent.question import read_question
from pincite.agent.reading import Call, Kind, Reader, Turn, as_message
from pincite.agent.resume import Restored
from pincite.agent.run import Run
from pincite.agent.said import answered, without_answers
from pincite.agent.tooling import ANSWER, READERS, Tools
from pincite.prompts import load
from pincite.tools.result import ToolResult

# A request below this leaves no room for passages beside the instructions.
LEAST_TOKENS = 2_000
# How many of the user's last messages lend their numbers to an answer.
_RECENT = 20


class History:
    """What has been said in a session, as it goes into the next request."""

    def __init__(
        self, tools: Tools, request_tokens: int, restored: Restored | None = None, *, chat: bool = False
    ) -> None:
        self._tools = tools
        self.limit = max(LEAST_TOKENS, request_tokens)
        self.schemas: dict[str, ToolSchemaLike] = {schema.name: schema for schema in tools.schemas(READERS)}
        self.schemas[ANSWER] = answer_schema(chat=chat)
        self.chat = chat
        self.fields = {
            name: frozenset(schema.parameters.get("properties", {})) for name, schema in self.schemas.items()
        }
        rules = [load("system").text, *([load("system_chat").text] if chat else [])]
        self.messages: list[Message] = [Message("system", "\n\n".join(rules))]
        self.asked: list[str] = []
        self._answers: list[tuple[str, frozenset[str]]] = []
        self.reader = Reader()
        self._sizes = Sizes()
        # Of an earlier part: what it cost, and questions of it that are not told any more.
        self.spent = restored.spent if restored is not None else {}
        self.left_out = restored.left_out if restored is not None else 0
        if restored is not None:
            self.messages += restored.messages
            self.asked += restored.asked
            self._answers += [
                (one.content, frozenset(one.result.handles if one.result else ()))
                for one in restored.messages
                if one.role == "assistant"
            ]
            self.reader.used |= restored.call_ids

    @property
    def questions(self) -> int:
        """How many questions were asked."""
        return len(self.asked)

    def ask(self, text: str) -> Message:
        """Add a question; `UsageError` when it is empty or too long to be sent along with passages."""
        question = read_question(text, self.limit)
        self.asked.append(question)
        message = Message("user", question)
        self.messages.append(message)
        return message

    def recently_asked(self) -> str:
        """What the user last wrote: its numbers need no source."""
        return "\n".join(self.asked[-_RECENT:])

    def said(self) -> str:
        """All that was asked, numbered, and answered in this session."""
        asked = (f"{number}. {text}" for number, text in enumerate(self.asked, start=1))
        return "\n".join([*asked, *(text for text, _ in self._answers)])

    def add_turn(self, turn: Turn) -> None:
        """Add what the model said; a result must follow for each call."""
        self.messages.append(as_message(turn))

    def add_result(self, call: Call, result: ToolResult, about: str) -> None:
        """Add the result of a call."""
        name = call.tool or "unknown"
        self.messages.append(
            Message("tool", result.text, tool_call_id=call.id, name=name, result=result, about=about)
        )

    def add_unrun(self, call: Call) -> None:
        """A call that is not run any more still gets its result: servers want one for each."""
        self.messages.append(
            Message("tool", load("not_run").text, tool_call_id=call.id, name=call.tool or "unknown")
        )

    def remind(self, turn: Turn, tools: Sequence[str]) -> None:
        """Answer a turn without calls: what it said was not seen, tools are to be used."""
        if turn.text:
            self.messages.append(as_message(turn))
        prompt = "reminder_cut" if turn.kind is Kind.cut else "reminder"
        text = load(prompt, tools=", ".join(tools)).text
        self.messages.append(Message("user", text, reminder=True))

    def note(self, run: Run, text: str) -> None:
        """Add a line to the end of the request."""
        last = self.messages[-1]
        noted = replace(last, note=text)
        self.messages[-1] = noted
        if last is run.question:
            run.question = noted

    def size(self) -> int:
        """Tokens of a request with all that was said so far and every tool."""
        return schema_tokens(list(self.schemas.values())) + self._sizes.total(self.messages)

    def room(self, used: int) -> int:
        """How many tokens can be added to so many before anything is shortened."""
        return max(0, int(HIGH * self.limit) - used)

    def fit(self, run: Run, tools: Sequence[ToolSchemaLike]) -> Fitted:
        """Bring the request under the limit; the ledger and the dispatcher learn what no longer stands."""
        self._remove_withdrawn(run)
        keep = {*self._tools.ledger.cited, *run.drafted}
        fixed = schema_tokens(tools)
        fitted = fit(self.messages, fixed, self.limit, run.question, keep, sizes=self._sizes)
        self.messages = list(fitted.messages)
        self._forget(run, fitted.calls, fitted.handles)
        return fitted

    def finish(self, answer: Answer) -> None:
        """Leave the question in a form that the next one can follow."""
        cited = dict.fromkeys(one.handle for part in answer.statements for one in part.citations)
        self._answers.append((answer.text, frozenset(cited)))
        have_result = {message.tool_call_id for message in self.messages if message.role == "tool"}
        last = next(message for message in reversed(self.messages) if message.role in {"assistant", "system"})
        for call in last.tool_calls:
            if call.id not in have_result:
                self.messages.append(
                    Message("tool", load("not_run").text, tool_call_id=call.id, name=call.name)
                )
        if self.messages[-1].role != "assistant":
            shown = self._tools.ledger.passages
            self.messages.append(answered(answer.text, [shown[handle] for handle in cited]))

    def _remove_withdrawn(self, run: Run) -> None:
        """What shows or cites a withdrawn passage becomes a receipt: its text must not be sent any more."""
        withdrawn = self._tools.ledger.withdrawn
        if not withdrawn:
            return
        self._answers = [one for one in self._answers if withdrawn.isdisjoint(one[1])]
        self.messages = [without_answers(message, withdrawn) for message in self.messages]
        for at, message in enumerate(self.messages):
            shown = message.result.passages if message.result and not message.shortened else ()
            if any(passage.handle in withdrawn for passage in shown):
                what = message.about or str(message.name)
                self.messages[at] = replace(
                    receipt(message), content=load("receipt_withdrawn", what=what).text, result=None
                )
                self._forget(run, [message.tool_call_id or ""], [passage.handle for passage in shown])

    def _forget(self, run: Run, calls: Sequence[str], handles: Sequence[str]) -> None:
        if calls:
            self._tools.ledger.compact(handles)
            run.dispatcher.forget(calls)
