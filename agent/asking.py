"""Asks the model for one turn: fits the request, waits, counts, and turns failures into an end."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from math import ceil

from pincite.agent.budget import uses_tokens
from pincite.agent.clock import Clock
from pincite.agent.context import message_tokens
from pincite.agent.events import Notice, Progress, Retrying, Thinking, Verified
from pincite.agent.history import LEAST_TOKENS, History
from pincite.agent.messages import Message, ModelRequest, ModelTurn, Note, Usage
from pincite.agent.model import ChatModel, ModelError
from pincite.agent.offer import Offer, budget_left
from pincite.agent.outcome import StopReason
from pincite.agent.previewing import preview
from pincite.agent.promptwatch import PromptWatch, least_tokens
from pincite.agent.reading import Turn
from pincite.agent.record import Recorder
from pincite.agent.retrying import LONGEST_WAIT_S
from pincite.agent.run import Run
from pincite.agent.tooling import LedgerLike
from pincite.agent.waiting import CancelledError, Mailbox, await_turn
from pincite.corpus.tokens import count_tokens

# What a request is cut to, as a share of what was sent, when the model says that it is too long.
_SHRINK = 0.6
# A server that counts nothing is not taken to have made more than this in a turn: a runaway repetition would
# otherwise spend the whole budget on a guess.
_MOST_ESTIMATED = 4_096
_NOT_ENOUGH = {
    StopReason.budget_tokens: "the tokens that are left are not enough for the next call",
    StopReason.budget_cost: "the money that is left is not enough for the next call",
}
# No tokenizer makes of the same request so many times the tokens that we count.
_MOST_RATIO = 2.0
# With fewer model calls left, all are needed for the answer.
_LEAST_CALLS = 2
# What a request beside the conversation may write, and its share of the time that is left.
_ASIDE_TOKENS, _ASIDE_TIME = 300, 1 / 3


class Asker:
    """Makes the model calls of a session."""

    def __init__(
        self,
        model: ChatModel,
        history: History,
        recorder: Recorder,
        clock: Clock,
        cancelled: Callable[[], bool],
        *,
        ledger: LedgerLike,
    ) -> None:
        self._model = model
        self._ledger = ledger
        self._history = history
        self._recorder = recorder
        self._clock = clock
        self._cancelled = cancelled
        self._watch = PromptWatch()
        # What the server counted in the last request, as a multiple of our count.
        self._ratio = 1.0
        self._calls = 0

    def turn(self, run: Run, offer: Offer) -> Generator[Progress, None, Turn | None]:
        """The next turn, read; None when the run has ended or the step is to be done again."""
        if self._cancelled():
            raise CancelledError
        if offer.note:
            self._history.note(run, offer.note)
        if offer.phase is not run.phase_told:
            run.phase_told = offer.phase
            self._recorder.limit("near the end", f"offers only {offer.tools[0].name}", budget_left(run))
        tokens = yield from self._fit(run, offer)
        if tokens is None:
            return None
        reason, most = run.allows(ceil(tokens * self._ratio)) if uses_tokens(self._model) else (None, None)
        if reason is not None:
            self._recorder.limit(reason.value, "the next call would overrun it", budget_left(run))
            run.end(reason, _NOT_ENOUGH[reason])
            return None
        self._calls += 1
        yield Thinking(run.meter.model_calls + 1, self._model.name)
        answer = yield from self._respond(run, offer, tokens, most)
        if answer is None:
            return None
        yield from self._count(run, answer, tokens)
        return self._history.reader.read(answer, self._history.fields)

    def aside(self, run: Run, messages: Sequence[Message]) -> Generator[Progress, None, tuple[str, str]]:
        """What the model writes to messages beside the conversation, and why it wrote nothing.

        It is recorded and counted as any other call, and never ends the question. Raises CancelledError.
        """
        if self._cancelled():
            raise CancelledError
        if not uses_tokens(self._model):
            return "", f"the {self._model.name} mode writes none itself"
        calls = [meter.left("model_calls") for meter in run.meters]
        if any(left is not None and left < _LEAST_CALLS for left in calls):
            return "", "there is no model call to spare"
        tokens = sum(map(message_tokens, messages))
        reason, most = run.allows(ceil(tokens * self._ratio))
        if reason is not None or tokens > self._history.limit:
            return "", "the tokens or the money that are left are not enough for it"
        self._calls += 1
        yield Thinking(run.meter.model_calls + 1, self._model.name)
        request = aside_request(messages, run.deadline_in(), most)
        try:
            turn = yield from self._made(run, request, tokens)
        except ModelError as error:
            return "", error.message.rstrip(".")
        run.spend_call(usage_of(turn, tokens))
        return turn.content, "" if turn.content.strip() else "the model wrote nothing"

    def overruns(self, run: Run, tokens: int) -> bool:
        """Whether requests of so many tokens in all would overrun a budget of tokens or money."""
        return uses_tokens(self._model) and run.allows(ceil(tokens * self._ratio))[0] is not None

    def _fit(self, run: Run, offer: Offer) -> Generator[Progress, None, int | None]:
        """Shorten the history where needed; the tokens of the request, None when it cannot fit."""
        fitted = self._history.fit(run, offer.tools)
        if fitted.calls or fitted.tokens != fitted.tokens_before:
            self._recorder.compaction(fitted.calls, fitted.handles, fitted.tokens_before, fitted.tokens)
            yield Notice("context_shortened", f"shortened {len(fitted.calls)} earlier results to save room")
        if fitted.tokens > self._history.limit:
            self._recorder.limit("request_tokens", "the request does not fit", budget_left(run))
            run.end(StopReason.budget_tokens, "the request does not fit into the tokens allowed for one")
            return None
        return fitted.tokens

    def _respond(
        self, run: Run, offer: Offer, tokens: int, most: int | None
    ) -> Generator[Progress, None, ModelTurn | None]:
        """Wait for the model, passing on what it tells meanwhile."""
        request = ModelRequest(
            messages=tuple(self._history.messages),
            tools=offer.tools,
            tool_choice=offer.tool_choice,
            max_output_tokens=most,
            timeout_s=run.deadline_in(),
        )
        try:
            turn = yield from self._made(run, request, tokens)
        except ModelError as error:
            yield from self._failed(run, error, tokens)
            return None
        return turn

    def _made(self, run: Run, request: ModelRequest, tokens: int) -> Generator[Progress, None, ModelTurn]:
        """Make one recorded call; raises ModelError where it gives no turn, which is counted as a call."""
        started = self._clock.monotonic()
        left = request.timeout_s
        deadline = None if left is None else started + left

        mailbox: Mailbox | None = None

        def make(watch: Mailbox) -> ModelRequest:
            nonlocal mailbox
            mailbox = watch
            watched = replace(request, watch=watch)
            self._recorder.request(self._calls, watched, tokens)
            return watched

        status = "aborted"
        turn = partial = None
        try:
            waiting = await_turn(self._model, make, self._clock, deadline, self._cancelled)
            turn = yield from self._listen(run, waiting)
            status = "complete"
            return turn
        except ModelError as error:
            status, partial = "error", error.partial
            self._recorder.error("model", error)
            raise
        finally:
            if turn is None and partial is None and mailbox is not None:
                # Waited for no longer, while it still wrote.
                partial = mailbox.partial()
            self._recorder.response(self._calls, turn or partial, status)
            if turn is None:
                run.spend_call(None)

    def _listen(self, run: Run, waiting: Iterator[Note]) -> Generator[Progress, None, ModelTurn]:
        while True:
            try:
                note = next(waiting)
            except StopIteration as stop:
                turn: ModelTurn = stop.value
                return turn
            if note.kind == "statement":
                statement = preview(note.message, self._history, self._ledger)
                if statement is not None and run.tell(statement):
                    yield Verified(statement)
                continue
            self._recorder.note(note)
            if note.kind == "retry":
                yield Retrying(note.code, note.message, note.attempt, note.wait_s, note.attempts)
            else:
                yield Notice(note.code, note.message)

    def _failed(self, run: Run, error: ModelError, tokens: int) -> Iterator[Progress]:
        """A model call gave no turn: shorten once and go on, or end the question."""
        if error.code == "context_length" and not run.shrunk:
            run.shrunk = True
            self._history.limit = max(LEAST_TOKENS, int(_SHRINK * tokens))
            yield Notice("context_length", "the model takes less text than was sent; shortened, asking again")
        elif run.late and error.code == "timeout":
            run.end(StopReason.budget_time, "the time was over before the model's server had answered")
        else:
            run.end(StopReason.model_error, _told(error, run.deadline_in()))
            yield Notice(error.code, run.problem)

    def _count(self, run: Run, turn: ModelTurn, tokens: int) -> Iterator[Progress]:
        """Count what the turn cost; notice a cut prompt."""
        usage = usage_of(turn, tokens)
        run.spend_call(usage)
        if turn.usage is None:
            return
        self._ratio = min(_MOST_RATIO, max(1.0, usage.input_tokens / max(1, tokens)))
        least = least_tokens(message.text for message in self._history.messages)
        cut = self._watch.observe(tokens, least, turn.usage.input_tokens)
        if cut is not None:
            self._history.limit = max(LEAST_TOKENS, min(self._history.limit, int(0.9 * cut)))
            text = f"the server read only {cut:,} of about {tokens:,} prompt tokens: it cuts prompts silently"
            hint = "; requests are kept shorter from here on. Raise its context length (Ollama: num_ctx)"
            self._recorder.notice("prompt_cut", text + hint)
            yield Notice("prompt_cut", text + hint)


def aside_request(
    messages: Sequence[Message], seconds_left: float | None, most_tokens: int | None = None
) -> ModelRequest:
    """A request beside the conversation, with `seconds_left` for all that the question still takes."""
    return ModelRequest(
        messages=tuple(messages),
        tool_choice="none",
        max_output_tokens=min(_ASIDE_TOKENS, most_tokens or _ASIDE_TOKENS),
        timeout_s=None if seconds_left is None else _ASIDE_TIME * seconds_left,
    )


def usage_of(turn: ModelTurn, tokens: int) -> Usage:
    """What a turn cost, estimated where the server does not say; `tokens` is our count of its request."""
    written = turn.content + "".join(call.name + call.arguments for call in turn.tool_calls)
    return turn.usage or Usage(tokens, min(_MOST_ESTIMATED, count_tokens(written)))


def _told(error: ModelError, left: float | None) -> str:
    """An error in one line: what happened, and in brackets what to do about it."""
    most = LONGEST_WAIT_S if left is None else min(left, LONGEST_WAIT_S)
    told = error.message.rstrip(".")
    if error.retryable and error.retry_after is not None and error.retry_after >= most:
        told += f"; it asks to wait {error.retry_after:.0f} s"
        told += ", longer than is waited" if most == LONGEST_WAIT_S else f", and {most:.0f} s are left"
        return f"{told} (try again later)"
    return told + (f" ({error.hint})" if error.hint else "")
