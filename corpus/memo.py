"""Answers of an index that are remembered for as long as it does not change."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

T = TypeVar("T")


class Memo:
    """The last answers of one version of an index. Safe to use from several threads.

    Together they weigh `kept` at most, the latest is kept whatever it weighs; by default each weighs 1.
    """

    def __init__(self, kept: int, weigh: Callable[[Any], int] = lambda answer: 1) -> None:
        self._kept = kept
        self._weigh = weigh
        self._weight = 0
        self._version = -1
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, version: int, ask: Callable[[], T]) -> T:
        """The answer to `key` in this version; `ask` is called when it is not at hand."""
        with self._lock:
            if version != self._version:
                self._answers.clear()
                self._version, self._weight = version, 0
            if key in self._answers:
                self._answers.move_to_end(key)
                known: T = self._answers[key]
                return known
        answer = ask()
        with self._lock:
            if version == self._version:
                if key in self._answers:
                    self._weight -= self._weigh(self._answers.pop(key))
                self._answers[key] = answer
                self._weight += self._weigh(answer)
                while self._weight > self._kept and len(self._answers) > 1:
                    self._weight -= self._weigh(self._answers.popitem(last=False)[1])
        return answer
