"""The main job on the sample documents, in one process: sync a folder, ask four questions.

Run it with `make demo`.
"""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

from pincite.agent.models import EXTRACTIVE, resolve_model
from pincite.agent.session import open_session
from pincite.cli.answers import print_answer
from pincite.cli.progress import watch_sync
from pincite.cli.syncing import print_report
from pincite.cli.terminal import Page, complain, note
from pincite.corpus.encoder import load_encoder
from pincite.corpus.index import Index
from pincite.corpus.sync import sync
from pincite.errors import PinciteError

ROOT = Path(__file__).resolve().parent.parent
CORPUS = ROOT / "examples" / "corpus"
INDEX = ROOT / "build" / "demo-index"

QUESTIONS = (
    ("A fact in one document", "What is the ongoing charge of the Tidewater Corporate Bond Fund?"),
    (
        "Needs two documents",
        "What is the cut-off time of the Quayside Money Market Fund, and what happens to an order that "
        "arrives after the cut-off time?",
    ),
    ("An exact code", "What is the remedy for E17?"),
    ("Not in the documents", "What is the carbon footprint of the Polestar Global Equity Fund?"),
)


def main() -> int:
    """Sync, ask, print."""
    page = Page()
    page.line(f"Syncing {CORPUS.relative_to(ROOT)} into {INDEX.relative_to(ROOT)}", style="bold")
    with watch_sync() as watcher:
        load = partial(load_encoder, progress=watcher.say)
        report = sync([CORPUS], INDEX, encoder=load, progress=watcher.moved)
    print_report(report)

    load = partial(load_encoder, progress=note)
    page.line()
    page.line(f"Answering in the {EXTRACTIVE} mode: no model, sentences of the documents.")
    index = Index.open(INDEX)
    for kind, question in QUESTIONS:
        page.line()
        page.line(f"{kind}: {question}", style="bold cyan")
        page.line()
        agent = open_session(index, resolve_model(EXTRACTIVE, encoder=load), encoder=load)
        try:
            print_answer(page, agent.ask(question))
        finally:
            agent.close()

    page.line()
    page.line("Ask your own: .venv/bin/pincite sync FOLDER --db kb; .venv/bin/pincite ask QUESTION --db kb")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except PinciteError as error:
        complain(error)
        sys.exit(error.exit_code)
