"""`pincite golden`: recordings kept as tests, replayed strictly and made again on purpose."""

from __future__ import annotations

import shutil
import tempfile
from functools import partial
from pathlib import Path

import click

from pincite.agent.named_encoder import require_named_encoder
from pincite.agent.replay.divergence import DIVERGED
from pincite.agent.replay.golden import Recipe, record
from pincite.agent.replay.strict import replay
from pincite.cli.forking import live_model
from pincite.cli.options import Setup, command, reranker_option
from pincite.cli.replays import print_report
from pincite.cli.showing import print_line
from pincite.cli.terminal import Page, note, print_json
from pincite.corpus.encoder import load_encoder
from pincite.errors import NothingUsableError, UsageError
from pincite.tools.reranker import chosen_reranker
from pincite.transcripts.compare import compare
from pincite.transcripts.comparing import comparison_lines
from pincite.transcripts.reader import Recording, read

_FOLDER = Path("transcripts/golden")


@click.group("golden", context_settings={"help_option_names": ["-h", "--help"]})
def golden() -> None:
    """Keep recorded sessions as tests."""


@command("check")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path))
def check(setup: Setup, paths: tuple[Path, ...]) -> int:
    """Replay recordings (default: transcripts/golden) strictly."""
    reports = [(file, replay(read(file))) for file in _files(paths)]
    if setup.as_json:
        print_json({str(file): report.model_dump(mode="json") for file, report in reports})
    else:
        for _, report in reports:
            print_report(Page(), report)
    return DIVERGED if any(report.diverged for _, report in reports) else 0


@command("add")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("questions", nargs=-1, required=True)
@click.option("--model", help="A model's name, or extractive (default: extractive).")
@click.option("--base-url", help="The model's OpenAI-compatible endpoint.")
@click.option("--encoder", help="Folder or name of the encoder.")
@reranker_option
def add(setup: Setup, file: Path, questions: tuple[str, ...]) -> None:
    """Ask QUESTIONS in one session and keep it in FILE as a test."""
    if file.suffix != ".jsonl":
        raise UsageError(f"{file} must end in .jsonl")
    if file.exists():
        raise UsageError(f"{file} exists", hint="pincite golden refresh records it again")
    made = _record(setup, file, Recipe(questions), Recording(None))
    _print(setup, {"recorded": str(file), "events": len(made.events)}, f"{file}: {len(made.events)} events")


@command("refresh")
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--dry-run", is_flag=True, help="Show what would change and write nothing.")
@click.option("--model", help="The model to record with; that of a recording is never taken unasked.")
@click.option("--base-url", help="The model's OpenAI-compatible endpoint.")
@click.option("--encoder", help="Folder or name of the encoder.")
@reranker_option
def refresh(setup: Setup, paths: tuple[Path, ...], dry_run: bool) -> None:
    """Record again (default: transcripts/golden) on the index of --db, and show what that changed."""
    changes = {}
    page = Page()
    for file in _files(paths):
        before = read(file)
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / file.name
            after = _record(setup, made, Recipe.of(before), before)
            same = made.read_bytes() == file.read_bytes()
            found = compare(before, after)
            changes[str(file)] = None if same else found.to_json()
            if not setup.as_json:
                page.line(f"{file}: {'the same' if same else 'changed'}", style="bold")
                for line in () if same else comparison_lines(found):
                    print_line(page, line)
            if not same and not dry_run:
                shutil.move(made, file)
    if setup.as_json:
        print_json({"changed": {name: change for name, change in changes.items() if change is not None}})


golden.add_command(check)
golden.add_command(add)
golden.add_command(refresh)


def _record(setup: Setup, file: Path, recipe: Recipe, before: Recording) -> Recording:
    load = partial(load_encoder, setup.settings.encoder, progress=note)
    # Only one that was named: whether the default is there differs from machine to machine.
    named = setup.settings.reranker
    reranker = chosen_reranker(named, progress=note) if named else None
    index = setup.open_index()
    require_named_encoder(setup.settings.encoder, index)
    return record(
        file,
        recipe,
        # As ask does: an index without vectors was made to do without the encoder.
        live_model(setup, before, None, vectors=index.info.encoder is not None),
        index,
        encoder=load,
        reranker=reranker,
        redact=setup.settings.redact,
    )


def _files(paths: tuple[Path, ...]) -> list[Path]:
    found: list[Path] = []
    for path in paths or (_FOLDER,):
        found += sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not found:
        raise NothingUsableError("there are no recordings there", code="no_such_session")
    return found


def _print(setup: Setup, data: dict[str, object], text: str) -> None:
    if setup.as_json:
        print_json(data)
    else:
        Page().line(text)
