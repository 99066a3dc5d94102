from __future__ import annotations

import random
import string
import threading
from pathlib import Path
from typing import Any

import pytest

from pincite.corpus.index import Index
from pincite.corpus.manage import forget, reindex
from pincite.corpus.pointer import read_pointer, tables_path
from pincite.corpus.scope import Scope
from pincite.corpus.store import open_table
from pincite.corpus.sync import sync

EVERYTHING = Scope()


def secret(seed: int) -> str:
    """Words that nothing else holds and that do not compress."""
    dice = random.Random(seed)
    return " ".join("".join(dice.choices(string.ascii_letters + string.digits, k=30)) for _ in range(6))


def traces(kb: Path, words: str) -> list[str]:
    """Files that hold one of the words in any case of letters, whole or in large part."""
    parts = {part.encode() for word in words.split() for part in (word[:14], word[14:28])}
    parts |= {part.lower() for part in parts}
    return [
        str(path.relative_to(kb))
        for path in kb.rglob("*")
        if path.is_file() and any(part in path.read_bytes() for part in parts)
    ]


def kept_versions(kb: Path) -> tuple[int, int, int, int]:
    """Versions of the table, deletion files, data files that no fragment needs, indices on disk."""
    folder = kb / "default"
    name = read_pointer(folder).table
    table, data = open_table(folder, name), tables_path(folder) / f"{name}.lance"
    rows = table.search().with_row_id(True).select(["key"]).limit(None).to_list()
    fragments = {row["_rowid"] >> 32 for row in rows}
    deletions = list((data / "_deletions").iterdir()) if (data / "_deletions").exists() else []
    files = list((data / "data").iterdir())
    indices = list((data / "_indices").iterdir())
    return len(table.list_versions()), len(deletions), len(files) - len(fragments), len(indices)


CLEAN = (1, 0, 0, 2)


@pytest.fixture
def docs(tmp_path: Path, write: Any) -> Path:
    made: Path = write(
        tmp_path / "docs", {f"{n}.md": f"# Paper {n}\n\nOrdinary words, part {n}.\n" for n in range(8)}
    )
    return made


@pytest.mark.parametrize("way", ["forget", "remove", "replace", "empty"])
def test_text_is_gone_from_the_disk_when_the_command_returns(
    tmp_path: Path, docs: Path, word_encoder: Any, way: str
) -> None:
    kb, words = tmp_path / "kb", secret(1)
    path = docs / "secret.md"
    path.write_text(f"# Secret\n\n{words}\n")
    sync([docs], kb, encoder=word_encoder())
    assert traces(kb, words), "the search must be able to find it"
    if way == "forget":
        assert forget(kb, "secret.md") == "docs/secret.md"
    elif way == "remove":
        path.unlink()
        sync([docs], kb, encoder=word_encoder())
    elif way == "replace":
        path.write_text("# Secret\n\nNothing to see.\n")
        sync([docs], kb, encoder=word_encoder())
    else:
        for other in docs.iterdir():
            other.unlink()
        sync([docs], kb, encoder=word_encoder(), allow_empty=True)
    assert traces(kb, words) == []
    assert kept_versions(kb)[:3] == CLEAN[:3]
    assert Index.open(kb).keyword(words, EVERYTHING, 5) == []


def test_a_small_part_of_a_large_table_is_gone_too(tmp_path: Path, docs: Path, write: Any) -> None:
    kb = tmp_path / "kb"
    dice = random.Random(2)
    vocabulary = ["".join(dice.choices(string.ascii_lowercase, k=7)) for _ in range(400)]
    for number in range(60):
        parts = "\n".join(f"## Part {n}\n\n{' '.join(dice.choices(vocabulary, k=80))}.\n" for n in range(12))
        write(docs, {f"long{number}.md": f"# Long {number}\n\n{parts}"})
    write(docs, {"secret.md": f"# Secret\n\n{secret(3)}\n"})
    sync([docs], kb, encoder=None, vectors=False)
    sync([docs], kb, encoder=None, vectors=False, groups=("g",))
    forget(kb, "secret.md")
    assert kept_versions(kb) == CLEAN
    assert traces(kb, secret(3)) == []
    (docs / "secret.md").write_text(f"# Secret\n\n{secret(4)}\n")
    sync([docs / "secret.md"], kb, encoder=None, vectors=False)
    (docs / "secret.md").write_text(f"# Secret\n\n{secret(5)}\n")
    sync([docs], kb, encoder=None, vectors=False)
    assert kept_versions(kb) == CLEAN
    assert traces(kb, secret(4)) == []


def test_what_a_failed_commit_left_behind_is_cleared_away(
    tmp_path: Path, docs: Path, word_encoder: Any
) -> None:
    kb = tmp_path / "kb"
    sync([docs], kb, encoder=word_encoder())
    leftover = tables_path(kb / "default") / "t0123456789ab.lance"
    (leftover / "data").mkdir(parents=True)
    (leftover / "data" / "x.lance").write_text(secret(6))
    forget(kb, "0.md")
    assert not leftover.exists()


@pytest.mark.slow
def test_readers_see_one_version_while_documents_are_replaced(
    tmp_path: Path, docs: Path, word_encoder: Any
) -> None:
    kb = tmp_path / "kb"
    editions = 50

    def edition(number: int) -> None:
        parts = "\n".join(f"## Part {n}\n\nEdition{number} turns zebra {n}.\n" for n in range(4))
        (docs / "x.md").write_text(f"# X\n\n{parts}")

    edition(0)
    sync([docs], kb, encoder=word_encoder())
    only = Scope(documents=frozenset({"docs/x.md"}))
    ended = threading.Event()
    wrong: list[str] = []
    looks: list[int] = []

    def watch(look: str) -> None:
        index = Index.open(kb)
        vector = word_encoder().encode_query("zebra")
        while not ended.is_set():
            try:
                if look == "keyword":
                    found = [hit.text for hit in index.keyword("zebra", only, 50)]
                elif look == "vector":
                    found = [h.text for h in index.vector(vector, only, 50) if "zebra" in h.text]
                else:
                    found = [s.text or "" for s in index.sections("docs/x.md", range(99), EVERYTHING)][1:]
            except Exception as error:  # noqa: BLE001 - any error at all is what this test is about
                wrong.append(f"{look}: {error!r}")
                return
            numbers = {text.split()[0] for text in found}
            waiting = look == "vector" and not found  # between the words and their vectors
            if not waiting and (len(found) != 4 or len(numbers) != 1):
                wrong.append(f"{look}: {found}")
            looks.append(len(found))

    watchers = [threading.Thread(target=watch, args=(look,)) for look in ("keyword", "sections", "vector")]
    for watcher in watchers:
        watcher.start()
    try:
        for number in range(1, editions + 1):
            edition(number)
            sync([docs], kb, encoder=word_encoder())
            if number % 20 == 0:
                reindex(kb, word_encoder())
    finally:
        ended.set()
        for watcher in watchers:
            watcher.join()
    assert wrong == []
    assert len(looks) > editions
    assert kept_versions(kb) == CLEAN
