"""A model that says what it was told to: for tests, examples and trying out prompts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from pincite.agent.clock import ManualClock
from pincite.agent.messages import ModelRequest, ModelTurn, ToolCall
from pincite.agent.model import ModelError

Step = ModelTurn | ModelError | Callable[[ModelRequest], ModelTurn]


def calls(*named: tuple[str, dict[str, Any] | str], content: str = "") -> ModelTurn:
    """A turn that calls tools by (name, arguments); ids are made up."""
    made = tuple(
        ToolCall(f"call_{number}", name, arguments if isinstance(arguments, str) else json.dumps(arguments))
        for number, (name, arguments) in enumerate(named, start=1)
    )
    return ModelTurn(content=content, tool_calls=made, finish_reason="tool_calls")


class ScriptedModel:
    """Plays its steps in order: a turn, an error to raise, or a function of the request.

    `requests` holds what it was asked. A call beyond the script is a `ModelError`. With a `clock`,
    `delays` (seconds, one for each step) pass on it before the step.
    """

    def __init__(
        self,
        steps: Iterable[Step],
        *,
        name: str = "scripted",
        clock: ManualClock | None = None,
        delays: Iterable[float] = (),
    ) -> None:
        self._steps = list(steps)
        self._name = name
        self._clock = clock
        self._delays = list(delays)
        self.requests: list[ModelRequest] = []

    @property
    def name(self) -> str:
        """The name given."""
        return self._name

    def respond(self, request: ModelRequest) -> ModelTurn:
        """The next step."""
        at = len(self.requests)
        self.requests.append(request)
        if at >= len(self._steps):
            raise ModelError(f"the script has only {len(self._steps)} steps", code="script_exhausted")
        if self._clock is not None and at < len(self._delays):
            self._clock.advance(self._delays[at])
        step = self._steps[at]
        if isinstance(step, ModelTurn):
            return step
        if isinstance(step, ModelError):
            raise step
        return step(request)

    def assert_exhausted(self) -> None:
        """Complain about steps that were never asked for."""
        unused = len(self._steps) - len(self.requests)
        if unused > 0:
            raise AssertionError(f"{unused} of {len(self._steps)} scripted turns were not used")
