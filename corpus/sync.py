"""Bringing an index up to date with the folders it was made from.

First every changed file is read, cut and committed without vectors, so that keyword search has it at
once; then the chunks without a vector are embedded. A sync that is killed at any moment is finished by
the next one, which does only what is still missing. When `sync` returns, text that was replaced or
removed is gone from the disk.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from pincite.corpus.commit import Batch, read_rows, remove_documents
from pincite.corpus.embed import embed_missing, make_room, missing_vectors
from pincite.corpus.encoder_source import EncoderSource, FindTokenizer, LoadEncoder, SyncEncoder
from pincite.corpus.lock import engine_errors
from pincite.corpus.plan import Known, known_files
from pincite.corpus.pointer import DEFAULT_TENANT, Root, read_pointer, tenant_folder
from pincite.corpus.reading import Reading
from pincite.corpus.report import SyncProgress, SyncReport
from pincite.corpus.roots import Selected, below, select
from pincite.corpus.store import refresh_text_index
from pincite.corpus.table import CHUNK, DOCUMENT, FAILURE
from pincite.corpus.walk import FailedFile, SourceFile, walk
from pincite.corpus.writing import Writing, open_for_writing
from pincite.errors import NoIndexError, NothingUsableError, UsageError

__all__ = ["FailedFile", "SyncProgress", "SyncReport", "sync"]


def sync(
    paths: Sequence[Path],
    db: Path,
    *,
    tenant: str = DEFAULT_TENANT,
    groups: Sequence[str] = (),
    public: bool = False,
    vectors: bool = True,
    allow_empty: bool = False,
    encoder: SyncEncoder | LoadEncoder | None = None,
    tokenizer: FindTokenizer | None = None,
    progress: Callable[[SyncProgress], None] | None = None,
) -> SyncReport:
    """Add, update and remove documents until the index holds what is below `paths`, and no more.

    `groups`, when given, are from now on the only ones who see what is below `paths`; without them
    everything keeps its groups, and new files get those of their folder. `public` takes groups away.
    `encoder`, or a function that loads one, is asked when something has to be embedded; `tokenizer`, such
    as `find_encoder`, when something has to be cut, also without `vectors`. Files that cannot be read are
    reported and the others go on; a document whose file can no longer be read stays.

    Raises UsageError, IndexLockedError, EncoderMismatchError, and NothingUsableError with `missing_root`,
    or with `empty_root` when nothing is left below a path that had documents (unless `allow_empty`).
    """
    started = time.monotonic()
    if not paths:
        raise UsageError("name at least one folder or file to sync")
    folder = tenant_folder(db, tenant)
    tell = progress or _tell_nobody

    def selected(roots: Sequence[Root]) -> Selected:
        return select(paths, roots, groups=groups, public=public, allow_missing=allow_empty)

    selected(_known_roots(folder))  # a wrong path must not leave an empty index behind
    with open_for_writing(folder, "sync", create=True) as writing:
        report = SyncReport()
        source = EncoderSource(encoder if vectors else None, tokenizer, writing.pointer.encoder)
        run = _Run(
            writing,
            selected(writing.pointer.roots),
            db,
            allow_empty=allow_empty,
            report=report,
            tell=tell,
        )
        run.read(source)
        run.remove()
        if vectors:
            run.embed(source)
        run.finish()
    report.seconds = time.monotonic() - started
    return report


class _Run:
    """One sync, step by step, while the lock is held."""

    def __init__(
        self,
        writing: Writing,
        selected: Selected,
        db: Path,
        *,
        allow_empty: bool,
        report: SyncReport,
        tell: Callable[[SyncProgress], None],
    ) -> None:
        self._writing = writing
        self._selected = selected
        self._report = report
        self._tell = tell
        self._allow_empty = allow_empty
        self._forgotten = _forgotten(writing.pointer.forgotten, selected)
        writing.update(roots=selected.roots, forgotten=tuple(sorted(self._forgotten)))
        self._walk = walk(selected.selections, db)
        self._known = self._load_known()
        self._gone: list[str] = []

    def read(self, source: EncoderSource) -> None:
        """Read what has changed; find out which documents are gone."""
        files = self._files()
        found = {file.id for file in files}
        self._gone = self._missing(found)
        self._require_some(found)
        reading = Reading(self._walk, self._known, source, self._report, self._tell)
        self._report.failed += self._walk.failed
        self._report.warnings += self._walk.warnings
        table, folder = self._writing.table, self._writing.folder
        with engine_errors(folder):
            any_vectors = "vector" in table.schema.names and table.count_rows("vector IS NOT NULL") > 0
        reading.read(files, Batch(table, folder, keep_vectors=any_vectors))
        self._require_some(reading.present)

    def remove(self) -> None:
        """Take out the documents whose files are gone, and the roots that were taken over."""
        remove_documents(self._writing.table, self._writing.folder, self._gone)
        self._report.removed = sum(1 for name in self._gone if self._known[name].document is not None)
        absorbed = {root.name for root in self._selected.absorbed}
        self._writing.update(roots=tuple(r for r in self._writing.pointer.roots if r.name not in absorbed))
        with engine_errors(self._writing.folder):
            refresh_text_index(self._writing.table)

    def embed(self, source: EncoderSource) -> None:
        """Give a vector to every chunk that has none."""
        writing = self._writing
        with engine_errors(writing.folder):
            missing = writing.table.count_rows(missing_vectors(writing.table))
        if not missing:
            return
        encoder = source.encoder()
        if encoder is None:
            why = source.missing
            reason = f": {why.message}; {why.hint}" if why is not None else ""
            said = "1 chunk has no vector" if missing == 1 else f"{missing} chunks have no vector"
            self._report.warnings.append(f"{said}, keyword search only{reason}")
            return
        writing.pointer = make_room(writing.table, writing.folder, writing.pointer, encoder.spec)
        embed_missing(
            writing.table,
            writing.folder,
            encoder,
            lambda done, total: self._tell(SyncProgress("embedding", done, total, "chunk")),
        )

    def finish(self) -> None:
        """Clear away what was replaced and count what is there."""
        self._tell(SyncProgress("indexing", 0, 1, "step"))
        self._writing.tidy()
        self._tell(SyncProgress("indexing", 1, 1, "step"))
        with engine_errors(self._writing.folder):
            self._report.documents = self._writing.table.count_rows(f"kind = '{DOCUMENT}'")
            self._report.chunks = self._writing.table.count_rows(f"kind = '{CHUNK}'")

    def _load_known(self) -> dict[str, Known]:
        kinds = f"kind IN ('{DOCUMENT}', '{FAILURE}')"
        columns = ("kind", "document", "root", "file", "stamp")
        return known_files(read_rows(self._writing.table, self._writing.folder, kinds, columns))

    def _files(self) -> list[SourceFile]:
        """The files to look at: each id once, without what was forgotten."""
        files: dict[str, SourceFile] = {}
        for file in self._walk.files:
            if file.id in self._forgotten:
                self._report.forgotten += 1
            elif file.id in files:
                twin = "its name cannot be told from that of another file"
                self._report.failed.append(FailedFile(file.id, "unreadable", twin))
            else:
                files[file.id] = file
        return list(files.values())

    def _missing(self, found: set[str]) -> list[str]:
        """Documents and failures of the selections whose files are no longer there."""
        return [
            known.id
            for known in self._known.values()
            if known.id not in found and self._covers(known) and not self._walk.hides(known.root, known.file)
        ]

    def _covers(self, known: Known) -> bool:
        absorbed = {root.name for root in self._selected.absorbed}
        return known.root in absorbed or any(
            selection.holds(known.root, known.file) for selection in self._selected.selections
        )

    def _require_some(self, present: Iterable[str]) -> None:
        """Refuse to remove everything below a path that was named."""
        if self._allow_empty:
            return
        there = [self._known[n] for n in self._gone if self._known[n].document is not None]
        still = [name.partition("/") for name in present]
        for selection in self._selected.selections:
            lost = [
                k for k in there if selection.holds(k.root, k.file) or self._taken_over(k, selection.root)
            ]
            if lost and not any(selection.holds(root, file) for root, _, file in still):
                had = "1 document" if len(lost) == 1 else f"{len(lost)} documents"
                raise NothingUsableError(
                    f"nothing readable is left in {selection.path}, which gave {had}",
                    code="empty_root",
                    hint="check the folder; to remove its documents from the index, add --allow-empty",
                )

    def _taken_over(self, known: Known, by: Root) -> bool:
        return any(
            root.name == known.root and below(root.path, by.path) is not None
            for root in self._selected.absorbed
        )


def _known_roots(folder: Path) -> tuple[Root, ...]:
    try:
        return read_pointer(folder).roots
    except NoIndexError:
        return ()


def _forgotten(ids: Iterable[str], selected: Selected) -> frozenset[str]:
    """What stays forgotten, by the id it has now; not what is named by itself."""
    renamed = {name: _renamed(name, selected) for name in ids}
    named = {f"{s.root.name}/{s.below}" for s in selected.selections if s.is_file}
    return frozenset(name for name in renamed.values() if name not in named)


def _renamed(name: str, selected: Selected) -> str:
    root_name, _, file = name.partition("/")
    by_name: Mapping[str, Root] = {root.name: root for root in selected.absorbed}
    if root_name not in by_name:
        return name
    path = str(Path(by_name[root_name].path, file))
    for selection in selected.selections:
        relative = below(path, selection.root.path)
        if relative is not None:
            return f"{selection.root.name}/{relative}"
    return name


def _tell_nobody(progress: SyncProgress) -> None:
    pass
