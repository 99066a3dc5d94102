from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pincite.corpus.all_documents import all_documents
from pincite.corpus.document import Chunk, Document, Place, Section, Unit
from pincite.corpus.index import Index
from pincite.corpus.manage import forget, reindex
from pincite.corpus.pointer import read_pointer, tables_path
from pincite.corpus.read import read
from pincite.corpus.records import Origin, document_records, restore_document
from pincite.corpus.scope import Scope
from pincite.corpus.store import open_table
from pincite.corpus.sync import SyncProgress, sync
from pincite.errors import AmbiguousError, NoIndexError, NothingUsableError

EVERYTHING = Scope()
LONG = "".join(f"Sentence number {n} tells of pumps, valves and seals in turn. " for n in range(60))
FILES = {
    "a.md": "# A\n\nApples.\n",
    "b.md": f"# B\n\nIntro.\n\n## Deep\n\n{LONG}\n\n### Table\n\n| x | y |\n|---|---|\n| 1 | 2 |\n",
    "empty.md": "",
    "old.md": "---\ntitle: Old\neffective_to: 2001-01-01\n---\n# Old\n\nOranges.\n",
}


@pytest.fixture
def index(make_index: Any) -> Index:
    made: Index = make_index(FILES)
    return made


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    return tmp_path / "kb"


def test_all_documents_lists_those_no_longer_in_force_too(index: Index, kb: Path) -> None:
    assert [row.id for row in index.documents(EVERYTHING)] == ["docs/a.md", "docs/b.md"]
    assert [row.id for row in all_documents(kb)] == ["docs/a.md", "docs/b.md", "docs/old.md"]


@pytest.mark.parametrize("reference", ["docs/a.md", "a.md", "A"])
def test_a_forgotten_document_stays_away_until_its_file_is_named(
    index: Index, kb: Path, tmp_path: Path, word_encoder: Any, reference: str
) -> None:
    assert forget(kb, reference) == "docs/a.md"
    assert index.document("docs/a.md", EVERYTHING) is None
    assert index.keyword("apples", EVERYTHING, 3) == []
    assert list(index.info.forgotten) == ["docs/a.md"]
    (tmp_path / "docs" / "a.md").write_text("# A\n\nApples again.\n")
    report = sync([tmp_path / "docs"], kb, encoder=word_encoder())
    assert (report.added, report.forgotten) == (0, 1)
    assert index.keyword("apples", EVERYTHING, 3) == []
    report = sync([tmp_path / "docs" / "a.md"], kb, encoder=word_encoder())
    assert (report.added, report.forgotten) == (1, 0)
    assert [hit.document for hit in index.keyword("apples", EVERYTHING, 3)] == ["docs/a.md"]
    assert list(index.info.forgotten) == []
    assert sync([tmp_path / "docs"], kb, encoder=word_encoder()).unchanged == 3


def test_forgetting_what_is_not_there_names_what_is_close(index: Index, kb: Path) -> None:
    with pytest.raises(NothingUsableError) as caught:
        forget(kb, "docs/aa.md")
    assert caught.value.code == "no_such_document"
    assert "docs/a.md" in caught.value.near
    with pytest.raises(NoIndexError):
        forget(kb / "nowhere", "docs/a.md")
    assert not (kb / "nowhere").exists()


def test_an_ambiguous_name_forgets_nothing(make_index: Any, kb: Path) -> None:
    index = make_index({"x.md": "# Twin\n\nOne.\n", "y.md": "# Twin\n\nTwo.\n"})
    with pytest.raises(AmbiguousError):
        forget(kb, "Twin")
    assert len(index.documents(EVERYTHING)) == 2


def test_a_whole_folder_can_be_forgotten(
    index: Index, kb: Path, tmp_path: Path, write: Any, word_encoder: Any
) -> None:
    other = write(tmp_path / "other", {"z.md": "# Z\n\nZebras.\n"})
    sync([other], kb, encoder=word_encoder())
    assert forget(kb, "docs/") == "docs/"
    assert [row.id for row in all_documents(kb)] == ["other/z.md"]
    assert [root.name for root in index.info.roots] == ["other"]
    assert sync([tmp_path / "docs"], kb, encoder=word_encoder()).added == 3


def test_reindex_needs_no_source_file_and_gives_what_a_clean_sync_gives(
    index: Index, kb: Path, tmp_path: Path, word_encoder: Any
) -> None:
    other = word_encoder("other", dimension=48, length=96)
    (tmp_path / "docs").rename(tmp_path / "away")
    before = index.documents(EVERYTHING)
    told: list[SyncProgress] = []
    chunks = reindex(kb, other, progress=told.append)
    (tmp_path / "away").rename(tmp_path / "docs")
    assert index.info.encoder == other.spec
    assert index.counts().chunks == chunks > sum(row.chunks for row in before)
    assert index.counts().chunks_without_vector == 0
    assert {item.phase for item in told} == {"reading", "embedding"}
    assert all(
        other.count(f"{hit.label}\n{hit.text}") <= 96 for hit in index.keyword("valves", EVERYTHING, 99)
    )
    sync([tmp_path / "docs"], tmp_path / "clean", encoder=word_encoder("other", dimension=48, length=96))
    assert _rows(kb) == _rows(tmp_path / "clean")
    report = sync([tmp_path / "docs"], kb, encoder=other)
    assert (report.unchanged, report.updated, len(report.failed)) == (3, 0, 1)


def test_reindex_can_take_the_vectors_away(index: Index, kb: Path) -> None:
    reindex(kb, None)
    counts = index.counts()
    assert index.info.encoder is None and counts.chunks_without_vector == counts.chunks > 0
    assert index.keyword("apples", EVERYTHING, 3)


def test_after_a_reindex_only_the_new_table_is_left(index: Index, kb: Path, word_encoder: Any) -> None:
    old = read_pointer(kb / "default").table
    reindex(kb, word_encoder("other"))
    new = read_pointer(kb / "default").table
    assert new != old
    assert [path.name for path in tables_path(kb / "default").iterdir()] == [f"{new}.lance"]


@pytest.mark.parametrize("name", ["a.md", "b.md", "old.md"])
def test_a_document_comes_back_from_its_rows(make_index: Any, tmp_path: Path, name: str) -> None:
    make_index(FILES, vectors=False)
    document = read(tmp_path / "docs" / name)
    _expect_round_trip(document)


def test_pages_and_gaps_come_back_too() -> None:
    text = "preface 1 One body of one 1.1 Sub \tcell\trow rest 2 Two body of two tail"

    def at(words: str) -> int:
        return text.index(words)

    one = Section(
        id="one",
        parent=None,
        number="1",
        title="One",
        path=("1 One",),
        level=1,
        heading_start=at("1 One"),
        start=at("body of one"),
        end=at("1.1") - 1,
        tree_end=at("2 Two") - 1,
        units=(Unit("(a)", at("body of one"), at("of one")),),
    )
    sub = replace(
        one,
        id="sub",
        parent="one",
        number="1.1",
        title="Sub",
        path=("1 One", "1.1 Sub"),
        level=2,
        heading_start=at("1.1"),
        start=at("\tcell"),
        end=at("2 Two") - 1,
        units=(),
    )
    two = replace(
        one,
        id="two",
        number="2",
        title="Two",
        path=("2 Two",),
        heading_start=at("2 Two"),
        start=at("body of two"),
        end=at(" tail"),
        tree_end=at(" tail"),
        units=(),
    )
    places = tuple(Place(offset, page=1 + offset // 9, line=None) for offset in range(3, len(text), 4))
    table = (at("\tcell"), at(" rest"))
    _expect_round_trip(Document("Title", text, (one, sub, two), places, (table,)))


def _expect_round_trip(document: Document) -> None:
    chunks = [
        Chunk(section.id, section.start, section.end, document.text[section.start : section.end], "label")
        for section in document.sections
    ]
    origin = Origin("r/x", "r", "x", "/r/x", (), "{}")
    records = document_records(document, origin, chunks)
    head, *sections = records[: 1 + len(document.sections)]
    restored = restore_document(head, [{**row} for row in sections])
    assert restored.text == document.text
    assert restored.sections == document.sections
    assert restored.tables == document.tables
    for section in document.sections:
        for offset in range(section.heading_start, section.end):
            then, now = document.place(offset), restored.place(offset)
            assert (now.page, now.line) == (then.page, then.line)


def _rows(kb: Path) -> list[dict[str, Any]]:
    folder = kb / "default"
    rows = open_table(folder, read_pointer(folder).table).search().limit(None).to_list()
    return sorted(({**row, "stamp": None} for row in rows), key=lambda row: row["key"])
