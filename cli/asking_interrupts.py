"""Ctrl-C while a question is answered: the first ends it in order, the second quits."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_SAID = "stopping; Ctrl-C again quits at once"


@contextmanager
def first_ctrl_c_cancels(cancel: Callable[[], None], say: Callable[[str], None]) -> Iterator[None]:
    """Within it the first SIGINT calls `cancel`, and the next is a KeyboardInterrupt again."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def first(_number: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        cancel()
        say(_SAID)

    signal.signal(signal.SIGINT, first)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
