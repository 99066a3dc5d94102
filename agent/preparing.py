"""What happens before a model's first turn: all documents given at once, or a first search."""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from typing import Any

from pincite.agent.asking import Asker
from pincite.agent.beginning import Beginning
from pincite.agent.calling import Caller
from pincite.agent.dispatch import Accepted
from pincite.agent.events import ALL_DOCUMENTS, Found, Notice, Progress, Reading
from pincite.agent.history import History
from pincite.agent.parse import canonical
from pincite.agent.queries import first_search, read_queries, wording
from pincite.agent.reading import Call, Kind, Turn
from pincite.agent.record import Recorder
from pincite.agent.run import Run
from pincite.agent.tooling import SEARCH, WHOLE

# For the answer, its repair and what the loop says in between, in tokens of a request.
_RESERVE = 2_000


class Preparer:
    """Begins each question of a session as `beginning` says; what cannot be done is said and left out."""

    def __init__(
        self,
        beginning: Beginning,
        asker: Asker,
        caller: Caller,
        history: History,
        recorder: Recorder,
    ) -> None:
        self.beginning = beginning
        self._asker = asker
        self._caller = caller
        self._history = history
        self._recorder = recorder

    def prepare(self, run: Run) -> Generator[Progress, None, None]:
        """Look up what this question begins with. Raises CancelledError and interrupts."""
        given = False
        if self.beginning.whole_corpus:
            given = yield from self._whole(run)
        if not given and self.beginning.first_search != "none":
            yield from self._search(run)

    def _whole(self, run: Run) -> Generator[Progress, None, bool]:
        """Give everything that may be seen; whether it fitted."""
        if any(meter.left("tool_calls") == 0 for meter in run.meters):
            yield self._told("whole_corpus", "not all documents are given at once: no tool call is allowed")
            return False
        yield Reading(ALL_DOCUMENTS, None)
        arguments = {"tokens": self._room(run)}
        call = self._call(WHOLE, arguments)
        self._recorder.call(call)
        accepted = Accepted(WHOLE, arguments, f"{WHOLE} {canonical(arguments)}")
        result, new = run.dispatcher.give(call, accepted)
        self._recorder.result(call, result, new)
        if result.error is not None:
            why = result.error.message.rstrip(".")
            yield self._told("whole_corpus", f"not all documents are given at once: {why}")
            return False
        self._history.add_turn(Turn(Kind.calls, (call,)))
        self._history.add_result(call, result, ALL_DOCUMENTS)
        run.looked_up(accepted, result)
        yield Found(WHOLE, len(result.passages), None, None)
        return True

    def _room(self, run: Run) -> int:
        """Tokens that the documents may take: two requests that hold them must be affordable."""
        used = self._history.size() + _RESERVE
        room = self._history.room(used)
        while room and self._asker.overruns(run, 2 * (used + room)):
            room //= 2
        return room

    def _search(self, run: Run) -> Generator[Progress, None, None]:
        """Search for the question, and for what the model words for it."""
        if any(meter.left(name) == 0 for meter in run.meters for name in ("tool_calls", "searches")):
            yield self._told("first_search", "no first search: none is allowed")
            return
        arguments = first_search(run.text, (yield from self._worded(run)))
        yield from self._caller.take(run, Turn(Kind.calls, (self._call(SEARCH, arguments),)))
        # It is no turn of the model, which has not been idle.
        run.idle.clear()

    def _worded(self, run: Run) -> Generator[Progress, None, list[str]]:
        """The model's queries; none, with a notice, where it could not be asked or wrote nothing usable."""
        kind = self.beginning.first_search
        if kind in {"none", "question"}:
            return []
        messages = wording(kind, self._history.messages[1:-1], run.question)
        text, why = yield from self._asker.aside(run, messages)
        queries = read_queries(kind, text, run.text)
        if not queries:
            why = why or "the model wrote no query beside the question"
            yield self._told("first_search", f"searching for the question as it is: {why}")
        return queries

    def _call(self, tool: str, arguments: Mapping[str, Any]) -> Call:
        raw = json.dumps(arguments, ensure_ascii=False)
        return Call(self._history.reader.new_id(), tool, tool, raw, dict(arguments))

    def _told(self, code: str, text: str) -> Notice:
        self._recorder.notice(code, text)
        return Notice(code, text)
