from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pincite.corpus.all_documents import all_documents
from pincite.corpus.index import Index
from pincite.corpus.manage import reindex
from pincite.corpus.pointer import read_pointer, tables_path
from pincite.corpus.scope import Scope
from pincite.corpus.store import needs_tidying, open_table
from pincite.corpus.sync import sync
from pincite.errors import NoIndexError

SCRIPT = Path(__file__).with_name("killed_sync.py")
POINTS = 12
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def text(name: str, edition: str, sections: int = 5) -> str:
    parts = (f"## Part {n}\n\nPart {n} of {name}, {edition} edition {n * 7}.\n" for n in range(sections))
    return f"# {name}\n\n" + "\n".join(parts)


def first_edition(docs: Path) -> None:
    docs.mkdir()
    for number in range(16):
        (docs / f"{number:02}.md").write_text(text(f"Paper {number}", "first"))


def second_edition(docs: Path) -> None:
    """Some stay, some change, some go, some come, one no longer reads."""
    for number in range(4, 10):
        (docs / f"{number:02}.md").write_text(text(f"Paper {number}", "second", 3 + number % 4))
    for number in (10, 11):
        (docs / f"{number:02}.md").unlink()
    (docs / "12.md").write_text("")
    for number in range(16, 22):
        (docs / f"{number:02}.md").write_text(text(f"Paper {number}", "second"))


def rows(kb: Path) -> list[dict[str, Any]]:
    """Every row but for what depends on the time."""
    folder = kb / "default"
    found = open_table(folder, read_pointer(folder).table).search().limit(None).to_list()
    for row in found:
        if row["stamp"] is not None:
            row["stamp"] = json.loads(row["stamp"]) | {"seen_ns": 0}
    return sorted(found, key=lambda row: row["key"])


def consistent(kb: Path) -> Counter[str]:
    """Documents by edition; each must be there as a whole, in one version."""
    index = Index.open(kb)
    editions: Counter[str] = Counter()
    for document in all_documents(kb):
        sections = index.sections(document.id, range(10_000), Scope())
        assert len(sections) == document.sections
        assert {section.version for section in sections} == {document.version}
        chunks = index.keyword("paper", Scope(documents=frozenset({document.id})), 1_000)
        assert {chunk.version for chunk in chunks} == {document.version}
        assert len(chunks) == document.chunks
        words = " ".join(section.text or "" for section in sections)
        assert ("first edition" in words) != ("second edition" in words)
        editions["first" if "first edition" in words else "second"] += 1
    return editions


def run(action: str, docs: Path, kb: Path, kill_after: float | None) -> tuple[bool, float]:
    """Whether it came to its end, and how many seconds it took after loading."""
    arguments = [sys.executable, str(SCRIPT), action, str(docs), str(kb)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        started = time.monotonic()
        if kill_after is not None:
            time.sleep(kill_after)
            process.kill()
        ended = process.stdout.read() == "done\n"
        return ended, time.monotonic() - started


@pytest.mark.parametrize("again", [False, True], ids=["first sync", "later sync"])
def test_a_sync_killed_at_any_moment_is_finished_by_the_next_one(
    tmp_path: Path, word_encoder: Any, again: bool
) -> None:
    docs, start, clean = tmp_path / "docs", tmp_path / "start", tmp_path / "clean"
    first_edition(docs)
    if again:
        sync([docs], start, encoder=word_encoder())
        second_edition(docs)
        shutil.copytree(start, clean)
    ended, seconds = run("sync", docs, clean, None)
    assert ended
    expected = rows(clean)
    seen: set[tuple[int, int]] = set()
    for point in range(POINTS):
        kb = tmp_path / f"kb{point}"
        if again:
            shutil.copytree(start, kb)
        run("sync", docs, kb, seconds * (point + 0.5) / POINTS)
        waiting = None
        try:
            editions = consistent(kb)
            waiting = Index.open(kb).counts().chunks_without_vector
            seen.add((editions["second" if again else "first"], waiting))
        except NoIndexError:
            editions = Counter()
        encoder = word_encoder()
        report = sync([docs], kb, encoder=encoder)
        assert rows(kb) == expected
        done = editions["second" if again else "first"]
        assert report.added + report.updated == (12 if again else 16) - done
        if report.added + report.updated == 0:
            assert len(encoder.encoded) == waiting
        folder = kb / "default"
        name = read_pointer(folder).table
        assert [path.name for path in tables_path(folder).iterdir()] == [f"{name}.lance"]
        assert not needs_tidying(open_table(folder, name), folder, name)
        shutil.rmtree(kb)
    assert len(seen) >= POINTS // 3  # the kills struck at different moments


def test_a_killed_reindex_leaves_the_old_index(tmp_path: Path, word_encoder: Any) -> None:
    docs, start = tmp_path / "docs", tmp_path / "start"
    first_edition(docs)
    old = word_encoder()
    sync([docs], start, encoder=old)
    before = rows(start)
    whole = tmp_path / "whole"
    shutil.copytree(start, whole)
    _, seconds = run("reindex", docs, whole, None)
    assert Index.open(whole).info.encoder != old.spec
    unfinished = 0
    for point in range(POINTS // 2):
        kb = tmp_path / f"kb{point}"
        shutil.copytree(start, kb)
        run("reindex", docs, kb, seconds * (point + 0.5) * 2 / POINTS)
        consistent(kb)
        if Index.open(kb).info.encoder == old.spec:
            unfinished += 1
            assert rows(kb) == before
            assert sync([docs], kb, encoder=old).unchanged == 16
            assert len(list(tables_path(kb / "default").iterdir())) == 1
        reindex(kb, word_encoder("other", dimension=48))
        assert rows(kb) == rows(whole)
        shutil.rmtree(kb)
    assert unfinished >= 2
