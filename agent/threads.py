"""Threads that wait for work and are used again: starting one takes longer than a step of the loop."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue

Work = Callable[[], None]

_idle: list[SimpleQueue[Work]] = []
_lock = threading.Lock()


def run_in_thread(work: Work) -> None:
    """Do `work`, which must not raise, in a daemon thread: one that hangs keeps no process alive."""
    with _lock:
        inbox = _idle.pop() if _idle else None
    if inbox is None:
        inbox = SimpleQueue()
        threading.Thread(target=_serve, args=(inbox,), daemon=True, name="pincite-agent").start()
    inbox.put(work)


def _serve(inbox: SimpleQueue[Work]) -> None:
    while True:
        inbox.get()()
        with _lock:
            _idle.append(inbox)
