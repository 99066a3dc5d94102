from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.corpus import reading
from pincite.corpus.chunk import chunk_document
from pincite.corpus.index import Index
from pincite.corpus.manage import forget
from pincite.corpus.scope import Scope
from pincite.corpus.store import create_table
from pincite.corpus.sync import SyncProgress, SyncReport, sync
from pincite.errors import EncoderMismatchError, IndexLockedError, NothingUsableError, UsageError

EVERYTHING = Scope()
A, B, C = ({"a.md": "# A\n\nApples.\n"}, {"b.md": "# B\n\nBananas.\n"}, {"c/d.md": "# D\n\nDates.\n"})


class Kit:
    """A folder `docs`, an index `kb`, and a sync that can be repeated."""

    def __init__(self, folder: Path, write: Callable[..., Path], encoder: Any) -> None:
        self.docs = folder / "docs"
        self.kb = folder / "kb"
        self.encoder = encoder
        self._write = write

    def put(self, *files: dict[str, str]) -> None:
        for some in files:
            self._write(self.docs, some)

    def sync(self, *paths: Path, **options: Any) -> SyncReport:
        options.setdefault("encoder", self.encoder)
        return sync([*(paths or [self.docs])], self.kb, **options)

    @property
    def index(self) -> Index:
        return Index.open(self.kb)

    def ids(self, scope: Scope = EVERYTHING) -> list[str]:
        return [row.id for row in self.index.documents(scope)]

    def finds(self, word: str) -> list[str]:
        return [hit.document for hit in self.index.keyword(word, EVERYTHING, 9)]


@pytest.fixture
def kit(tmp_path: Path, write: Any, word_encoder: Any) -> Kit:
    return Kit(tmp_path, write, word_encoder())


def numbers(report: SyncReport) -> tuple[int, int, int, int]:
    return (report.added, report.updated, report.unchanged, report.removed)


def test_files_are_added_updated_and_removed(kit: Kit) -> None:
    kit.put(A, B, C)
    first = kit.sync()
    assert numbers(first) == (3, 0, 0, 0)
    assert first.failed == [] and first.documents == 3 and first.chunks == kit.index.counts().chunks > 0
    kit.put({"a.md": "# A\n\nApricots.\n"})
    (kit.docs / "b.md").unlink()
    assert numbers(kit.sync()) == (0, 1, 1, 1)
    assert kit.ids() == ["docs/a.md", "docs/c/d.md"]
    assert kit.finds("apricots") == ["docs/a.md"]
    assert kit.finds("apples") == kit.finds("bananas") == []
    assert numbers(kit.sync()) == (0, 0, 2, 0)


def test_nothing_changed_writes_nothing(kit: Kit) -> None:
    kit.put(A, B, C, {"bad.bin": "\0\1\2"})
    kit.sync()
    before = (kit.index.version, kit.index.fingerprint(), sorted(kit.kb.rglob("*")))
    encoded = len(kit.encoder.encoded)
    report = kit.sync(encoder=lambda: pytest.fail("no encoder is needed"))
    assert numbers(report) == (0, 0, 3, 0) and len(report.failed) == 1
    assert (kit.index.version, kit.index.fingerprint(), sorted(kit.kb.rglob("*"))) == before
    assert len(kit.encoder.encoded) == encoded


def test_a_touched_file_with_the_same_bytes_is_unchanged(kit: Kit) -> None:
    kit.put(A)
    kit.sync()
    os.utime(kit.docs / "a.md", (1, 1))
    assert numbers(kit.sync()) == (0, 0, 1, 0)


def test_an_edit_of_the_same_size_at_the_same_time_is_noticed(kit: Kit) -> None:
    kit.put({"a.md": "# A\n\nWord1.\n"})
    status = (kit.docs / "a.md").stat()
    kit.sync()
    kit.put({"a.md": "# A\n\nWord2.\n"})
    os.utime(kit.docs / "a.md", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert numbers(kit.sync()) == (0, 1, 0, 0)
    assert kit.finds("word2") == ["docs/a.md"]


def test_only_changed_chunks_are_encoded_again(kit: Kit) -> None:
    sections = "\n".join(f"## Part {n}\n\nText of part {n}.\n" for n in range(20))
    kit.put({"long.md": f"# Long\n\n{sections}"})
    kit.sync()
    kit.encoder.encoded.clear()
    kit.put({"long.md": f"# Long\n\n{sections.replace('Text of part 7', 'Other words')}"})
    kit.sync()
    assert len(kit.encoder.encoded) == 1 and "Other words" in kit.encoder.encoded[0]
    assert kit.index.counts().chunks_without_vector == 0
    kit.encoder.encoded.clear()
    (kit.docs / "long.md").rename(kit.docs / "renamed.md")
    assert numbers(kit.sync()) == (1, 0, 0, 1)
    assert kit.encoder.encoded == []


def test_keyword_search_comes_before_the_vectors(kit: Kit) -> None:
    kit.put(A, B)

    class Slow(type(kit.encoder)):  # type: ignore[misc]
        def encode_documents(self, texts: Any, *, progress: Any = None) -> Any:
            assert kit.finds("apples") == ["docs/a.md"]
            assert kit.index.counts().chunks_without_vector == 2
            return super().encode_documents(texts, progress=progress)

    slow = Slow()
    kit.sync(encoder=slow)
    assert len(slow.encoded) == 2


def test_vectors_can_be_added_later(kit: Kit) -> None:
    kit.put(A, B)
    report = kit.sync(vectors=False)
    assert report.warnings == [] and kit.index.info.encoder is None
    kit.put(C)
    assert numbers(kit.sync()) == (1, 0, 2, 0)
    assert kit.index.info.encoder == kit.encoder.spec
    assert kit.index.counts().chunks_without_vector == 0
    kit.put({"e.md": "# E\n\nElderberries.\n"})
    kit.sync(vectors=False)
    assert kit.index.counts().chunks_without_vector == 1
    assert kit.finds("elderberries") == ["docs/e.md"]


def test_without_an_encoder_the_report_says_keyword_only(kit: Kit) -> None:
    kit.put(A)
    assert any("keyword search only" in warning for warning in kit.sync(encoder=None).warnings)


def test_another_encoder_is_refused_with_the_way_out(kit: Kit, word_encoder: Any) -> None:
    kit.put(A)
    kit.sync()
    kit.put(B)
    for other in (word_encoder("other"), lambda: word_encoder("other")):
        with pytest.raises(EncoderMismatchError) as caught:
            kit.sync(encoder=other)
        assert "pincite reindex" in caught.value.hint
    renamed = word_encoder()
    renamed.spec = renamed.spec.model_copy(update={"name": "/models/words"})
    assert numbers(kit.sync(encoder=renamed)) == (1, 0, 1, 0)


def test_a_file_that_cannot_be_read_is_reported_and_the_others_go_on(kit: Kit) -> None:
    kit.put(A, B, {"empty.md": ""})
    (kit.docs / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    report = kit.sync()
    assert kit.ids() == ["docs/a.md", "docs/b.md"]
    assert [(failed.file, failed.code) for failed in report.failed] == [
        ("docs/broken.pdf", report.failed[0].code),
        ("docs/empty.md", "empty"),
    ]
    assert all("\n" not in failed.message for failed in report.failed)
    again = kit.sync()
    assert again.failed == report.failed
    kit.put({"empty.md": "# Now\n\nFilled.\n"})
    assert numbers(kit.sync()) == (1, 0, 2, 0)


def test_a_document_that_fails_later_keeps_its_last_version(kit: Kit) -> None:
    kit.put(A, B)
    kit.sync()
    kit.put({"a.md": ""})
    for _ in range(2):
        report = kit.sync()
        assert numbers(report) == (0, 0, 1, 0)
        assert report.failed[0].file == "docs/a.md" and "stays in the index" in report.failed[0].message
        assert kit.finds("apples") == ["docs/a.md"]
    kit.put(A)
    kit.sync()
    assert kit.sync().failed == [] and kit.finds("apples") == ["docs/a.md"]
    kit.put({"a.md": ""})
    kit.sync()
    (kit.docs / "a.md").unlink()
    assert numbers(kit.sync()) == (0, 0, 1, 1)
    assert kit.ids() == ["docs/b.md"]


def test_hidden_files_office_locks_and_the_index_itself_are_passed_over(kit: Kit) -> None:
    kit.kb = kit.docs / "kb"
    kit.put(A, {".hidden.md": "x", ".git/y.md": "x", "~$a.md": "x"})
    kit.sync()
    assert kit.sync().failed == []
    assert kit.ids() == ["docs/a.md"]


def test_links_do_not_lead_out_of_the_folder(kit: Kit, tmp_path: Path, write: Any) -> None:
    outside = write(tmp_path / "outside", {"secret.md": "# Secret\n\nSesame.\n"})
    kit.put(A)
    (kit.docs / "file.md").symlink_to(outside / "secret.md")
    (kit.docs / "folder").symlink_to(outside)
    (kit.docs / "loop").symlink_to(kit.docs)
    (kit.docs / "inside.md").symlink_to(kit.docs / "a.md")
    report = kit.sync()
    assert [(failed.file, failed.code) for failed in report.failed] == [("docs/file.md", "outside_root")]
    assert [w for w in report.warnings if "docs/folder" in w] and [
        w for w in report.warnings if "docs/loop" in w
    ]
    assert kit.ids() == ["docs/a.md", "docs/inside.md"] and kit.finds("sesame") == []


def test_what_is_no_file_is_reported_without_being_opened(kit: Kit) -> None:
    kit.put(A)
    os.mkfifo(kit.docs / "pipe.md")
    (kit.docs / "dangling.md").symlink_to("nowhere")
    (kit.docs / "loop.md").symlink_to("loop.md")
    codes = {failed.file: failed.code for failed in kit.sync().failed}
    assert codes == dict.fromkeys(("docs/dangling.md", "docs/loop.md", "docs/pipe.md"), "unreadable")


def test_a_name_that_is_no_utf8_is_still_indexed(kit: Kit) -> None:
    kit.put(A)
    try:
        Path(os.fsdecode(os.fsencode(kit.docs) + b"/caf\xe9.md")).write_text("# Caf\n\nCoffee.\n")
    except OSError:
        pytest.skip("this file system only takes UTF-8 names")
    kit.sync()
    assert kit.ids() == ["docs/a.md", "docs/caf\\xe9.md"]
    assert numbers(kit.sync()) == (0, 0, 2, 0)


@pytest.mark.parametrize("how", ["missing", "empty", "unsupported"])
def test_a_folder_that_lost_everything_is_an_error(kit: Kit, tmp_path: Path, how: str) -> None:
    kit.put(A, B)
    kit.sync()
    kit.docs.rename(tmp_path / "away")
    if how != "missing":
        kit.docs.mkdir()
    if how == "unsupported":
        (kit.docs / "lost+found.bin").write_bytes(b"\0\1\2\3" * 10)
    with pytest.raises(NothingUsableError) as caught:
        kit.sync()
    assert caught.value.code == ("missing_root" if how == "missing" else "empty_root")
    assert "--allow-empty" in caught.value.hint
    assert kit.ids() == ["docs/a.md", "docs/b.md"]
    assert kit.sync(allow_empty=True).removed == 2
    assert kit.ids() == []


def test_a_wrong_path_makes_no_index(kit: Kit, tmp_path: Path) -> None:
    for options in ({}, {"allow_empty": True}):
        with pytest.raises(NothingUsableError) as caught:
            kit.sync(tmp_path / "nowhere", **options)
        assert caught.value.code == "missing_root"
    assert not kit.kb.exists()
    with pytest.raises(UsageError):
        sync([], kit.kb, encoder=None)


def test_an_empty_folder_can_be_synced_the_first_time(kit: Kit) -> None:
    kit.docs.mkdir()
    assert numbers(kit.sync()) == (0, 0, 0, 0)
    kit.put(A)
    assert numbers(kit.sync()) == (1, 0, 0, 0)


def test_only_what_lies_below_the_paths_is_removed(kit: Kit, tmp_path: Path, write: Any) -> None:
    kit.put(A, C, {"c/e.md": "# E\n\nElderberries.\n"})
    other = write(tmp_path / "other", B)
    kit.sync(kit.docs, other)
    (kit.docs / "a.md").unlink()
    (kit.docs / "c/d.md").unlink()
    (other / "b.md").unlink()
    assert numbers(kit.sync(kit.docs / "c")) == (0, 0, 1, 1)
    assert kit.ids() == ["docs/a.md", "docs/c/e.md", "other/b.md"]


def test_folders_that_cannot_be_listed_lose_nothing(kit: Kit) -> None:
    kit.put(A, C)
    kit.sync()
    if os.geteuid() == 0:
        pytest.skip("the superuser may list every folder")
    (kit.docs / "c").chmod(0)
    try:
        report = kit.sync()
    finally:
        (kit.docs / "c").chmod(0o755)
    assert [(failed.file, failed.code) for failed in report.failed] == [("docs/c", "unreadable")]
    assert kit.ids() == ["docs/a.md", "docs/c/d.md"]


def test_two_folders_of_one_name_are_told_apart(kit: Kit, tmp_path: Path, write: Any) -> None:
    one, two = (write(tmp_path / where / "docs", A) for where in ("x", "y"))
    kit.sync(two, one)
    assert kit.ids() == ["docs-2/a.md", "docs/a.md"]
    sources = {row.id: row.source for row in kit.index.documents(EVERYTHING)}
    assert sources["docs/a.md"] == str(one / "a.md")
    assert numbers(kit.sync(two)) == (0, 0, 1, 0)


def test_a_file_has_one_id_however_it_is_named(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    kit.put(A, B, C)
    kit.sync(kit.docs / "a.md")
    assert kit.ids() == ["docs/a.md"]
    assert numbers(kit.sync()) == (2, 0, 1, 0)
    monkeypatch.chdir(kit.docs / "c")
    kit.put({"c/d.md": "# D\n\nDurian.\n"})
    assert numbers(kit.sync(Path("d.md"))) == (0, 1, 0, 0)
    assert numbers(kit.sync(Path(), Path("../c/d.md"))) == (0, 0, 1, 0)
    assert kit.ids() == ["docs/a.md", "docs/b.md", "docs/c/d.md"]
    assert [root.name for root in kit.index.info.roots] == ["docs"]


def test_a_file_by_itself_makes_no_folder_of_everything_beside_it(
    kit: Kit, tmp_path: Path, write: Any
) -> None:
    write(tmp_path, {"note.md": "# N\n\nNectarines.\n"})
    kit.put(A)
    kit.sync(tmp_path / "note.md")
    kit.sync(kit.docs)
    assert kit.ids() == ["docs/a.md", f"{tmp_path.name}/note.md"]


def test_a_folder_above_takes_the_documents_over(kit: Kit) -> None:
    kit.put(A, C, {"c/gone.md": "# G\n\nGrapes.\n"})
    kit.sync(kit.docs / "c")
    forget(kit.kb, "c/gone.md")
    kit.encoder.encoded.clear()
    report = kit.sync()
    assert (report.added, report.removed, report.forgotten) == (2, 1, 1)
    assert kit.ids() == ["docs/a.md", "docs/c/d.md"]
    assert len(kit.encoder.encoded) == 1
    assert [root.name for root in kit.index.info.roots] == ["docs"]


def test_groups_stay_until_they_are_changed(kit: Kit) -> None:
    outsider = Scope(groups=frozenset())
    kit.put(A, C)
    kit.sync(groups=("legal",))
    kit.put(B, {"a.md": "# A\n\nAvocados.\n"})
    assert numbers(kit.sync()) == (1, 1, 1, 0)
    assert kit.ids(outsider) == []
    assert numbers(kit.sync(kit.docs / "c", groups=("hr",))) == (0, 1, 0, 0)
    assert kit.ids(Scope(groups=frozenset({"legal"}))) == ["docs/a.md", "docs/b.md"]
    kit.encoder.encoded.clear()
    assert numbers(kit.sync(public=True)) == (0, 3, 0, 0)
    assert kit.ids(outsider) == ["docs/a.md", "docs/b.md", "docs/c/d.md"]
    assert kit.encoder.encoded == []


def test_a_second_writer_is_told_who_writes(kit: Kit, tmp_path: Path) -> None:
    kit.put(A)
    kit.sync()
    script = f"""
import sys, time
from pathlib import Path
from pincite.corpus.writing import open_for_writing
with open_for_writing(Path({str(kit.kb / "default")!r}), "sync"):
    print("held", flush=True)
    sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        started = time.monotonic()
        with pytest.raises(IndexLockedError) as caught:
            kit.sync()
        assert time.monotonic() - started < 1
        assert f"process {holder.pid}" in caught.value.message and caught.value.hint
        assert kit.finds("apples") == ["docs/a.md"]
        holder.kill()
    assert numbers(kit.sync()) == (0, 0, 1, 0)


def test_a_folder_that_is_no_index_is_left_alone(kit: Kit) -> None:
    kit.put(A)
    (kit.kb / "photos").mkdir(parents=True)
    (kit.kb / "photos" / "cat.jpg").write_bytes(b"x")
    with pytest.raises(NothingUsableError) as caught:
        kit.sync()
    assert caught.value.code == "foreign_folder"
    assert sorted(path.name for path in kit.kb.rglob("*")) == ["cat.jpg", "photos"]
    (kit.kb / "photos" / "cat.jpg").unlink()
    (kit.kb / "photos").rmdir()
    kit.kb.rmdir()
    kit.kb.write_text("a file")
    with pytest.raises(NothingUsableError) as caught:
        kit.sync()
    assert caught.value.code == "not_a_folder"


@pytest.mark.parametrize("left", [None, b"{", b"[]", b'{"format": 1}', b"\xff\x00"])
def test_an_index_without_its_pointer_is_not_begun_anew(kit: Kit, left: bytes | None) -> None:
    kit.put(A)
    kit.sync(groups=["staff"])
    pointer = kit.kb / "default" / "current.json"
    whole = pointer.read_bytes()
    if left is None:
        pointer.unlink()
    else:
        pointer.write_bytes(left)
    for attempt in (kit.sync, lambda: kit.index, lambda: forget(kit.kb, "docs/a.md")):
        with pytest.raises(NothingUsableError) as caught:
            attempt()
        assert caught.value.code == "index_damaged"
        assert "current.json" in caught.value.message and "--group" in caught.value.hint
    pointer.write_bytes(whole)
    assert kit.ids() == ["docs/a.md"] and kit.sync().unchanged == 1


def test_an_index_that_was_only_about_to_be_made_is_made(kit: Kit) -> None:
    kit.put(A)
    kit.sync()
    kit.kb.rename(kit.kb.with_name("old"))
    create_table(kit.kb / "default", "tabc", None)
    assert numbers(kit.sync()) == (1, 0, 0, 0)


def test_tenants_share_nothing(kit: Kit, word_encoder: Any) -> None:
    kit.put(A)
    kit.sync()
    kit.sync(tenant="other", encoder=word_encoder("another"))
    kit.put({"a.md": "# A\n\nAlmonds.\n"})
    kit.sync(tenant="other", encoder=word_encoder("another"))
    assert kit.finds("almonds") == []
    assert [h.document for h in Index.open(kit.kb, "other").keyword("almonds", EVERYTHING, 3)] == [
        "docs/a.md"
    ]


def test_progress_counts_up_to_the_end(kit: Kit) -> None:
    kit.put(A, B, C)
    told: list[SyncProgress] = []
    kit.sync(progress=told.append)
    phases = list(dict.fromkeys(item.phase for item in told))
    assert phases == ["reading", "embedding", "indexing"]
    for phase in phases:
        counts = [item.done for item in told if item.phase == phase]
        total = {item.total for item in told if item.phase == phase}
        assert counts == sorted(counts) and {counts[-1]} == total
    assert [item.current for item in told if item.phase == "reading"] == [
        "docs/a.md",
        "docs/b.md",
        "docs/c/d.md",
        None,
    ]
    told.clear()
    kit.sync(progress=told.append)
    assert {item.phase for item in told} <= {"reading", "indexing"}


def test_the_report_has_the_fields_of_the_contract(kit: Kit) -> None:
    kit.put(A, {"empty.md": ""})
    data = kit.sync().to_json()
    wanted = {"added", "updated", "unchanged", "removed", "failed", "documents", "chunks", "seconds"}
    assert wanted <= set(data)
    assert set(data["failed"][0]) == {"file", "code", "message"}


def test_a_file_that_breaks_its_reader_does_not_end_the_sync(
    kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit.put(A, B)
    whole = chunk_document

    def fragile(document: Any, *, budget: Any) -> Any:
        if document.title == "A":
            raise RecursionError("too deep\nfor words")
        return whole(document, budget=budget)

    monkeypatch.setattr(reading, "chunk_document", fragile)
    report = kit.sync()
    assert [(failed.file, failed.code) for failed in report.failed] == [("docs/a.md", "damaged")]
    assert kit.ids() == ["docs/b.md"]
    monkeypatch.undo()
    assert numbers(kit.sync()) == (1, 0, 1, 0)
