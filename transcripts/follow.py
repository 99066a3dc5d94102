"""The events of a session while it is being written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep

from pincite.errors import NothingUsableError
from pincite.transcripts.events import Event, SessionEnd
from pincite.transcripts.reader import open_file, parse_line

_PAUSE_S = 0.2
_MOST_PENDING = 64 << 20


def follow(path: Path, *, pause: Callable[[float], None] = sleep) -> Iterator[Event | str]:
    """Each event once its line is whole, or what is wrong with the line; ends with the session's end.

    `pause` waits before the file is looked at again.
    """
    pending = b""
    offset = 0
    while True:
        try:
            with open_file(path) as file:
                size = os.fstat(file.fileno()).st_size
                if size < offset:
                    # A torn line was taken back.
                    offset, pending = size, b""
                file.seek(offset)
                data = file.read(_MOST_PENDING)
        except OSError as error:
            raise NothingUsableError(
                f"cannot read the transcript {path}: {error.strerror or error}", code="unreadable"
            ) from error
        offset += len(data)
        *whole, pending = (pending + data).split(b"\n")
        if len(pending) > _MOST_PENDING:
            yield "a line is too long to be an event"
            return
        for line in whole:
            if line.strip():
                taken = parse_line(line)
                yield taken
                if isinstance(taken, SessionEnd):
                    return
        if not data:
            pause(_PAUSE_S)
