"""The limits of one question and of a session, and what of them is spent."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from math import inf

from pydantic import BaseModel, ConfigDict, Field

from pincite.agent.clock import Clock
from pincite.agent.messages import Usage
from pincite.agent.model import ChatModel
from pincite.agent.outcome import StopReason
from pincite.errors import UsageError

# A turn that may write less than this can hold no call.
LEAST_OUTPUT = 16


class Limits(BaseModel):
    """Upper limits, None for no limit. `cost` is in the currency of the price table.

    Tokens and money are looked at before each call: one whose request alone does not fit any more is not
    made, and what it may write is cut to the rest. So a budget is overrun only by what cannot be known
    before: the difference between our count of one request and the server's, a server that ignores
    max_tokens, and what it charges for responses that broke off or that it counts in no usage.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    model_calls: int | None = Field(default=None, ge=1)
    tool_calls: int | None = Field(default=None, ge=0)
    searches: int | None = Field(default=None, ge=0)
    input_tokens: int | None = Field(default=None, ge=1)
    output_tokens: int | None = Field(default=None, ge=1)
    tokens: int | None = Field(default=None, ge=1)
    seconds: float | None = Field(default=None, gt=0)
    cost: float | None = Field(default=None, gt=0)


class Budgets(Limits):
    """The budgets of one question, with the defaults.

    `request_tokens` caps one request, its tool schemas included. `stalled_turns` is how many turns in a
    row may bring nothing new. `repairs` is how often a rejected answer goes back to the model.
    """

    model_calls: int | None = Field(default=12, ge=1)
    tool_calls: int | None = Field(default=24, ge=0)
    searches: int | None = Field(default=10, ge=0)
    seconds: float | None = Field(default=120.0, gt=0)
    request_tokens: int = Field(default=24_000, ge=1_000)
    stalled_turns: int = Field(default=3, ge=1)
    repairs: int = Field(default=1, ge=0)


class Price(BaseModel):
    """What a million tokens cost; `cached` defaults to the price of any other input."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    input: float = Field(ge=0)
    output: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)

    def of(self, usage: Usage) -> float:
        """The price of one call."""
        cached = min(usage.cached, usage.input_tokens)
        at_cached = self.input if self.cached is None else self.cached
        total = (
            (usage.input_tokens - cached) * self.input
            + cached * at_cached
            + usage.output_tokens * self.output
        )
        return total / 1_000_000

    def buys(self, money: float) -> float:
        """How many tokens of output that much money buys; -1 for less than none."""
        if money < 0:
            return -1
        return inf if self.output == 0 else 1_000_000 * money // self.output


def price_for(model: ChatModel, prices: Mapping[str, Price], *limits: Limits) -> Price | None:
    """The model's price; a `UsageError` when money is limited and the table does not know the model."""
    price = prices.get(model.name)
    if price is None and not uses_tokens(model):
        return Price(input=0, output=0)
    if price is None and any(limit.cost is not None for limit in limits):
        raise UsageError(
            f"a money budget is set, but the price table does not know the model {model.name!r}",
            code="no_price",
            hint="add its price per million tokens (prices in pincite.toml), or leave out the money budget",
            near=tuple(sorted(prices))[:5],
        )
    return price


def uses_tokens(model: ChatModel) -> bool:
    """Whether a call of this model is counted in tokens; the built-in one makes none."""
    return bool(getattr(model, "uses_tokens", True))


# With fewer model calls than this, each one but the last is needed for searching and reading.
_ROOM_FOR_CLOSING = 5


class Phase(Enum):
    """How near the end is: tools are offered, only `answer` is left, or `answer` is forced."""

    open = 0
    closing = 1
    last = 2


class Meter:
    """What has been spent against some limits since it was made. All spending goes through here."""

    def __init__(self, limits: Limits, clock: Clock, price: Price | None = None) -> None:
        self.limits = limits
        self.price = price
        self.model_calls = self.tool_calls = self.searches = 0
        self.input_tokens = self.output_tokens = self.cached = 0
        self._clock = clock
        self._started = clock.monotonic()
        self._last = Usage(0, 0)

    def spend_call(self, usage: Usage | None) -> None:
        """Count one model call; `usage` is None for a call that gave no turn."""
        self.model_calls += 1
        if usage is not None:
            self.input_tokens += usage.input_tokens
            self.output_tokens += usage.output_tokens
            self.cached += usage.cached
            self._last = usage

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return self._clock.monotonic() - self._started

    @property
    def cost(self) -> float | None:
        """Money spent; None when the model's price is not known."""
        if self.price is None:
            return None
        return self.price.of(Usage(self.input_tokens, self.output_tokens, self.cached))

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the deadline, at least 0; None without one."""
        return None if self.limits.seconds is None else max(0.0, self.limits.seconds - self.seconds)

    @property
    def late(self) -> bool:
        """Whether the deadline has passed."""
        return self.seconds_left == 0.0

    def left(self, name: str) -> int | None:
        """How many model_calls, tool_calls or searches are left; None without a limit."""
        limit: int | None = getattr(self.limits, name)
        return None if limit is None else max(0, limit - int(getattr(self, name)))

    def allows(self, request_tokens: int) -> tuple[StopReason | None, int | None]:
        """(why a request of so many tokens may not be made any more, how many tokens it may write)."""
        limits = self.limits
        if limits.input_tokens is not None and self.input_tokens + request_tokens > limits.input_tokens:
            return StopReason.budget_tokens, None
        rooms: list[tuple[float, StopReason]] = []
        if limits.output_tokens is not None:
            rooms.append((limits.output_tokens - self.output_tokens, StopReason.budget_tokens))
        if limits.tokens is not None:
            used = self.input_tokens + self.output_tokens + request_tokens
            rooms.append((limits.tokens - used, StopReason.budget_tokens))
        if limits.cost is not None and self.price is not None and self.cost is not None:
            # What a server has in its cache may cost less, which is not known before.
            left = limits.cost - self.cost - self.price.of(Usage(request_tokens, 0))
            rooms.append((self.price.buys(left), StopReason.budget_cost))
        room, reason = min(rooms, key=lambda one: one[0], default=(inf, None))
        if room < LEAST_OUTPUT:
            return reason, None
        return None, None if room == inf else int(room)

    def spent(self) -> StopReason | None:
        """The budget that forbids another model call, if one does."""
        if self.late:
            return StopReason.budget_time
        if any(used >= limit for used, _, limit in self._tokens()):
            return StopReason.budget_tokens
        if self.limits.cost is not None and (self.cost or 0.0) >= self.limits.cost:
            return StopReason.budget_cost
        if self.left("model_calls") == 0:
            return StopReason.budget_model_calls
        return None

    def phase(self) -> Phase:
        """How near the end the scarcest budget is."""
        limits = self.limits
        calls = self.left("model_calls")
        if calls == 1:
            return Phase.last
        phases = [_phase(self.seconds_left, limits.seconds, 0.1, 0.2)]
        phases.append(_phase(self.affordable_calls, 1.0, 1.2, 2.4))
        few = calls == 2 and (limits.model_calls or 0) >= _ROOM_FOR_CLOSING
        if few or self.left("tool_calls") == 0:
            phases.append(Phase.closing)
        return max(phases, key=lambda phase: phase.value)

    @property
    def affordable_calls(self) -> float:
        """How many calls like the last one the rest of the tokens and the money is enough for."""
        if not self.model_calls:
            return inf
        rests = [(limit - used) / max(1, last) for used, last, limit in self._tokens()]
        if self.limits.cost is not None and self.cost is not None:
            rests.append((self.limits.cost - self.cost) / max(1e-12, self.cost / self.model_calls))
        return max(0.0, min(rests, default=inf))

    def amounts_left(self) -> dict[str, int | float]:
        """What is left of the tokens (of the scarcest of their budgets) and of the money, where limited."""
        left: dict[str, int | float] = {}
        if tokens := [limit - used for used, _, limit in self._tokens()]:
            left["tokens"] = max(0, min(tokens))
        if self.limits.cost is not None and self.cost is not None:
            left["cost"] = max(0.0, round(self.limits.cost - self.cost, 6))
        return left

    def _tokens(self) -> list[tuple[int, int, int]]:
        """(used, used by the last call, limit) of each token budget that is set."""
        last, limits = self._last, self.limits
        rows = (
            (self.input_tokens, last.input_tokens, limits.input_tokens),
            (self.output_tokens, last.output_tokens, limits.output_tokens),
            (self.input_tokens + self.output_tokens, last.input_tokens + last.output_tokens, limits.tokens),
        )
        return [(used, by_last, limit) for used, by_last, limit in rows if limit is not None]


def _phase(left: float | None, whole: float | None, last: float, closing: float) -> Phase:
    """The phase for what is left, as shares of `whole`."""
    if left is None or whole is None or left > closing * whole:
        return Phase.open
    return Phase.last if left <= last * whole else Phase.closing
