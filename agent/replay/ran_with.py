"""What a recorded session ran with, from its start or from where it was gone on with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import ValidationError

from pincite.agent.beginning import Beginning, recorded_beginning
from pincite.agent.budget import Budgets, Limits, Price
from pincite.agent.facts import scope_from_json
from pincite.corpus.scope import Scope
from pincite.errors import NothingUsableError
from pincite.transcripts.events import SessionResume, SessionStart


@dataclass(frozen=True, slots=True)
class RanWith:
    """The model's name, the limits and prices, and the scope of one part of a session."""

    model: str
    config: Mapping[str, Any]
    scope: Mapping[str, Any]

    @classmethod
    def of(cls, start: SessionStart, resumed: SessionResume | None = None) -> RanWith:
        """That of the part that begins with `resumed`; what a recording does not say is as at the start."""
        if resumed is None:
            return cls(start.model, start.config, start.scope)
        return cls(
            start.model if resumed.model is None else resumed.model,
            start.config if resumed.config is None else resumed.config,
            start.scope if resumed.scope is None else resumed.scope,
        )

    @property
    def budgets(self) -> Budgets:
        """The limits of each question."""
        return settings(Budgets, self.config.get("budgets"))

    @property
    def session_limits(self) -> Limits:
        """The limits of all questions."""
        return settings(Limits, self.config.get("session"))

    @property
    def chat(self) -> bool:
        """Whether a question could be about the conversation itself."""
        return self.config.get("chat") is True

    @property
    def uses_tokens(self) -> bool:
        """Whether the model's calls are counted in tokens."""
        return self.config.get("uses_tokens", True) is not False

    @property
    def prices(self) -> dict[str, Price]:
        """The price of the model, by its name."""
        price = self.config.get("price")
        if not isinstance(price, dict):
            return {}
        try:
            return {self.model: Price.model_validate(price)}
        except ValidationError as error:
            raise NothingUsableError(
                "the transcript's price cannot be read", code="damaged_transcript"
            ) from error

    @property
    def beginning(self) -> Beginning:
        """What each question begins with."""
        return recorded_beginning(self.config)

    def in_scope(self) -> Scope:
        """What could be seen; NothingUsableError when it cannot be read."""
        try:
            return scope_from_json(dict(self.scope))
        except ValueError as error:
            raise NothingUsableError(
                f"the transcript's scope cannot be read: {error}", code="damaged_transcript"
            ) from error


L = TypeVar("L", bound=Limits)


def settings(kind: type[L], data: object) -> L:
    """Recorded limits, those that this version knows."""
    known = data if isinstance(data, dict) else {}
    try:
        return kind.model_validate(
            {name: value for name, value in known.items() if name in kind.model_fields}
        )
    except ValidationError as error:
        raise NothingUsableError(
            "the transcript's budgets cannot be read", code="damaged_transcript"
        ) from error
