"""`pincite sync`: bring the index up to date with folders."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from pincite.cli.options import Setup, command, group_option
from pincite.cli.progress import watch_sync
from pincite.cli.syncing_watch import keep_syncing
from pincite.cli.terminal import Page, counted, note, print_json, spelled
from pincite.corpus.encoder import find_encoder, load_encoder
from pincite.corpus.sync import FailedFile, SyncReport
from pincite.corpus.sync import sync as sync_folders
from pincite.errors import NothingUsableError

_SHOWN_FAILURES = 20


@command("sync")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--no-vectors", is_flag=True, help="Keyword search only: do not load the encoder.")
@group_option(
    "Only members of this group, and the owner, see what is below the paths (repeatable). Whoever searches "
    "without --group is the owner."
)
@click.option("--public", is_flag=True, help="Everybody sees what is below the paths again.")
@click.option("--allow-empty", is_flag=True, help="A missing or empty path removes its documents.")
@click.option(
    "--watch", "watching", is_flag=True, help="Sync again whenever something changes, until Ctrl-C."
)
@click.option("--encoder", help="Folder or name of the encoder.")
def sync(
    setup: Setup,
    *,
    paths: tuple[Path, ...],
    no_vectors: bool,
    groups: tuple[str, ...],
    public: bool,
    allow_empty: bool,
    watching: bool,
) -> int:
    """Add, update and remove documents, so that the index holds what is below PATHS."""
    if setup.settings.encoder is not None and not no_vectors:
        # An encoder that was named is used, or its absence is an error; without a name words will do.
        find_encoder(setup.settings.encoder)
    folders = [path.expanduser() for path in paths]

    def once() -> SyncReport:
        with watch_sync() as watcher:
            return sync_folders(
                folders,
                setup.settings.db,
                tenant=setup.settings.tenant,
                groups=groups,
                public=public,
                vectors=not no_vectors,
                allow_empty=allow_empty,
                encoder=partial(load_encoder, setup.settings.encoder, progress=watcher.say),
                progress=watcher.moved,
            )

    if watching:
        return keep_syncing(setup, folders, once)
    return _tell(setup, once())


def _tell(setup: Setup, report: SyncReport) -> int:
    """Print the report; the exit code."""
    for warning in report.warnings:
        note(f"warning: {warning}")
    if setup.as_json:
        print_json(report.to_json())
    else:
        print_report(report)
    used = report.added + report.updated + report.unchanged + report.removed
    nothing = report.failed and not (used and report.documents)
    return NothingUsableError.exit_code if nothing else 0


def print_report(report: SyncReport) -> None:
    """The summary of a sync, failed files grouped by what is wrong with them."""
    page = Page()
    page.line(
        f"{report.added} added, {report.updated} updated, {report.unchanged} unchanged, "
        f"{report.removed} removed in {report.seconds:.1f} s; "
        f"the index holds {counted(report.documents, 'document')} in {counted(report.chunks, 'chunk')}"
    )
    if report.forgotten:
        page.line(f"{report.forgotten} passed over because they were forgotten; name a file to sync it again")
    for code, files in _by_code(report.failed).items():
        page.line(f"{len(files)} could not be read ({code}):", style="bold")
        for failed in files[:_SHOWN_FAILURES]:
            page.line(f"{spelled(failed.file)}: {spelled(failed.message)}", indent=2)
        if len(files) > _SHOWN_FAILURES:
            page.line(f"and {len(files) - _SHOWN_FAILURES} more; --json names them all", indent=2)


def _by_code(failed: list[FailedFile]) -> dict[str, list[FailedFile]]:
    groups: dict[str, list[FailedFile]] = {}
    for file in failed:
        groups.setdefault(file.code, []).append(file)
    return dict(sorted(groups.items()))
