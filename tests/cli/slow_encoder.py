"""Runs `pincite` with an encoder that takes long to load: seconds, then the command's arguments."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.corpus.word_encoder import WordEncoder

from pincite.cli import chatting
from pincite.cli.app import run

SECONDS = float(sys.argv[1])


def load(_setting: str | None = None, *, progress: Callable[[str], None] | None = None) -> WordEncoder:
    time.sleep(SECONDS / 2)
    if progress is not None:
        progress("loading the encoder words")
    time.sleep(SECONDS / 2)
    return WordEncoder()


if __name__ == "__main__":
    chatting.load_encoder = load  # type: ignore[assignment,attr-defined]
    sys.exit(run(sys.argv[2:]))
