"""Run by test_kill.py: one sync in small steps, which the test kills while it runs."""

from __future__ import annotations

import sys
from pathlib import Path

from word_encoder import WordEncoder

import pincite.corpus.commit
import pincite.corpus.embed
from pincite.corpus import manage
from pincite.corpus.store import connect
from pincite.corpus.sync import sync


def main(action: str, docs: Path, kb: Path) -> None:
    pincite.corpus.commit.BATCH_ROWS = 24
    pincite.corpus.embed.BLOCK = 16
    connect(docs.parent / "warm")  # loads the engine before the clock starts
    encoder = WordEncoder(delay=0.002)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    if action == "sync":
        sync([docs], kb, encoder=encoder)
    else:
        manage.reindex(kb, WordEncoder("other", dimension=48, delay=0.002))
    sys.stdout.write("done\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
