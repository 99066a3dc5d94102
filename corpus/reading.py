"""The first phase of a sync: changed files become rows, batch by batch, without vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pincite.corpus.chunk import ChunkBudget, chunk_document
from pincite.corpus.chunking import budget_for, chunking_of
from pincite.corpus.commit import Batch
from pincite.corpus.encoder_source import EncoderSource
from pincite.corpus.encoder_spec import EncoderSpec
from pincite.corpus.metadata import apply
from pincite.corpus.plan import LINKS_VERSION, Finding, Known, Recipe, Stamp, look, stamp_file, with_digest
from pincite.corpus.read import read
from pincite.corpus.records import Origin, Record, document_records
from pincite.corpus.report import SyncProgress, SyncReport
from pincite.corpus.roots import readable
from pincite.corpus.walk import FailedFile, SourceFile, Walk
from pincite.errors import ReadError


@dataclass(slots=True)
class _Task:
    """A file that may have to be read, and the stamp it would get."""

    file: SourceFile
    stamp: Stamp
    finding: Finding


class Reading:
    """Reads what has changed and tells the report about every file."""

    def __init__(
        self,
        walk: Walk,
        known: Mapping[str, Known],
        encoder: EncoderSource,
        report: SyncReport,
        progress: Callable[[SyncProgress], None],
    ) -> None:
        self._walk = walk
        self._known = known
        self._encoder = encoder
        self._report = report
        self._progress = progress
        self._budget: ChunkBudget | None = None
        self._chunking = ""
        self._spec: EncoderSpec | None = None
        self.present: set[str] = set()

    def read(self, files: Sequence[SourceFile], batch: Batch) -> None:
        """Read the files that changed. `present` then holds the documents that the index has of them."""
        self._spec = self._encoder.spec() if files else None
        tasks = [task for file in files if (task := self._task(file)) is not None]
        for done, task in enumerate(tasks):
            self._progress(SyncProgress("reading", done, len(tasks), "file", task.file.id))
            self._do(task, batch)
            if batch.full:
                batch.commit()
        batch.commit()
        if tasks:
            self._progress(SyncProgress("reading", len(tasks), len(tasks), "file"))

    def _task(self, file: SourceFile) -> _Task | None:
        """What is left to do about a file, None when the index holds it as it is."""
        known = self._known.get(file.id)
        latest = known.latest if known is not None else None
        entry, understood = self._walk.entry(file)
        if not understood and latest is not None:
            entry = latest.recipe.entry
        recipe = Recipe(groups=file.root.groups_of(file.file), entry=entry, links=LINKS_VERSION)
        finding = look(file, recipe, latest, self._spec)
        if finding is Finding.unchanged and latest is not None:
            self._leave(file, latest)
            return None
        return _Task(file, stamp_file(file, recipe), finding)

    def _do(self, task: _Task, batch: Batch) -> None:
        file, stamp, known = task.file, task.stamp, self._known.get(task.file.id)
        try:
            stamp = with_digest(stamp, file)
        except ReadError as error:
            self._fail(file, stamp.failed(error.code, error.message), batch)
            return
        latest = known.latest if known is not None and task.finding is Finding.compare else None
        if latest is not None and latest.digest == stamp.digest:
            self._leave(file, latest)
            return
        budget, chunking = self._cutting()
        try:
            records = self._records(file, stamp.model_copy(update={"chunking": chunking}), budget)
        except ReadError as error:
            self._fail(file, stamp.failed(error.code, error.message), batch)
            return
        except Exception as error:  # noqa: BLE001 - one strange file must not end the sync; it is reported
            what = f"its reader failed on it ({type(error).__name__})"
            self._tell_failure(file, stamp.failed("damaged", what))
            return
        batch.put_document(file.id, records)
        self.present.add(file.id)
        if known is not None and known.document is not None:
            self._report.updated += 1
        else:
            self._report.added += 1

    def _cutting(self) -> tuple[ChunkBudget, str]:
        """How to cut, and its name; finds the tokenizer the first time."""
        if self._budget is None:
            tokenizer = self._encoder.tokenizer()
            self._budget = budget_for(tokenizer)
            self._chunking = chunking_of(tokenizer.spec if tokenizer is not None else None)
        return self._budget, self._chunking

    def _records(self, file: SourceFile, stamp: Stamp, budget: ChunkBudget) -> list[Record]:
        document = apply(read(file.path, root=file.root_path), stamp.recipe.entry)
        self._report.warnings += (f"{file.id}: {warning}" for warning in document.warnings)
        origin = Origin(
            id=file.id,
            root=file.root.name,
            file=file.file,
            source=readable(str(file.path)),
            groups=stamp.recipe.groups,
            stamp=stamp.model_dump_json(),
        )
        return document_records(document, origin, chunk_document(document, budget=budget))

    def _leave(self, file: SourceFile, latest: Stamp) -> None:
        """The index already holds what this file gives, be it a document or a failure."""
        if latest.code is None:
            self._report.unchanged += 1
            self.present.add(file.id)
        else:
            self._tell_failure(file, latest)

    def _fail(self, file: SourceFile, stamp: Stamp, batch: Batch) -> None:
        known = self._known.get(file.id)
        if known is None or not stamp.same_failure(known.failure):
            batch.put_failure(file.id, file.root.name, file.file, stamp.model_dump_json())
        self._tell_failure(file, stamp)

    def _tell_failure(self, file: SourceFile, stamp: Stamp) -> None:
        message = stamp.message
        known = self._known.get(file.id)
        if known is not None and known.document is not None:
            message += " (the version read before stays in the index)"
            self.present.add(file.id)
        self._report.failed.append(FailedFile(file.id, stamp.code or "unreadable", message))
