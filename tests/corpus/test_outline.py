"""A stored outline says what the sections say; where it is missing or damaged, it is made of them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.corpus.index import Index
from pincite.corpus.outline import Outline, packed_rows
from pincite.corpus.outline_pack import pack, pieces
from pincite.corpus.outline_packed import Packed
from pincite.corpus.pointer import read_pointer
from pincite.corpus.references_tree import Node, Tree
from pincite.corpus.rows import SectionRow
from pincite.corpus.scope import Scope
from pincite.corpus.store import open_table
from pincite.corpus.sync import sync
from pincite.corpus.table import OUTLINE_COLUMNS, SECTION, section_row
from pincite.tools.naming import name_key

CODE = """# Harbour Code

# Chapter I General

## Article 1 Terms

"Berth" means a place for one boat. "Master" means the harbour master.

(1) Every berth is let by the master:

(a) for a day;

(b) for a season.

(2) Article 2(1) applies.

## Article 2 Fees

(1) The fee is paid in advance.

# Chapter II Order

## Article 3 Fees

i. No fires.

ii. No dogs.

# I. Annex

## Fees
"""
NAME = "docs/code.md"
EVERYTHING = Scope()


@pytest.fixture
def db(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "code.md").write_text(CODE, encoding="utf-8")
    sync([tmp_path / "docs"], tmp_path / "kb", vectors=False)
    return tmp_path / "kb"


def _sections(db: Path) -> list[SectionRow]:
    """The sections as their own rows say."""
    folder = db / "default"
    table = open_table(folder, read_pointer(folder).table)
    rows = table.search().where(f"kind = '{SECTION}'").select(list(OUTLINE_COLUMNS)).limit(None).to_list()
    return [section_row(row) for row in sorted(rows, key=lambda row: row["position"])]


def _change(db: Path, change: Callable[[bytes], bytes | None]) -> None:
    """Put something else where the outline is stored."""
    import pyarrow as pa

    folder = db / "default"
    table = open_table(folder, read_pointer(folder).table)
    found = table.search().where("outline_parts IS NOT NULL").limit(None).to_arrow()
    (data,) = map(b"".join, found["outline_parts"].to_pylist())
    changed_data = change(data)
    stored = None if changed_data is None else pieces(changed_data)
    at = found.schema.get_field_index("outline_parts")
    changed = found.set_column(at, found.schema.field(at), pa.array([stored], found.schema.field(at).type))
    table.merge_insert("key").when_matched_update_all().execute(changed)


def _place(node: Node) -> tuple[int, str | None, tuple[str, ...], tuple[str, ...], int, int]:
    return node.at, node.unit, node.key, node.own, node.order, node.last


def test_the_rows_are_those_of_the_sections(db: Path) -> None:
    assert Index.open(db).outline(NAME, EVERYTHING) == _sections(db)


def test_the_tree_is_the_one_that_is_built(db: Path) -> None:
    rows = _sections(db)
    built = Tree(rows, [row.units for row in rows])
    stored = Index.open(db).outline_of(NAME, EVERYTHING).tree
    assert [_place(node) for node in stored.nodes] == [_place(node) for node in built.nodes]
    assert any(node.unit for node in built.nodes)
    for mine, theirs in zip(stored.nodes, built.nodes, strict=True):
        assert [_place(child) for child in mine.children] == [_place(child) for child in theirs.children]
        assert [_place(node) for node in mine.above] == [_place(node) for node in theirs.above]
        for tokens in {*built.by_key, *built.by_own}:
            assert _all(stored.keyed(tokens)) == _all(built.keyed(tokens))
            assert _all(stored.folded(tokens)) == _all(built.folded(tokens))
            assert _all(stored.owned(tokens, mine)) == _all(built.owned(tokens, theirs))
            assert _all(stored.keyed(tokens, mine)) == _all(built.keyed(tokens, theirs))
    assert stored.kinds == built.kinds


def _all(nodes: list[Node]) -> list[tuple[object, ...]]:
    return [_place(node) for node in nodes]


def test_a_node_is_made_once(db: Path) -> None:
    tree = Index.open(db).outline_of(NAME, EVERYTHING).tree
    article = tree.numbered(("1",), "article")[0]
    assert tree.sections[article.at] is article
    assert all(child.parent is article for child in article.children)
    assert article.parent is not None
    assert article in article.parent.children


def test_names_are_compared_as_the_caller_compares_them(db: Path) -> None:
    outline = Index.open(db).outline_of(NAME, EVERYTHING)
    assert [row.number for row in outline.named("FEES", name_key)] == [None]
    assert [row.number for row in outline.named("article 2  fees", name_key)] == ["Article 2"]
    assert outline.named("", name_key) == outline.named("Nothing", name_key) == []
    fees = outline.named("Article 3 Fees", name_key)[0]
    assert outline.address(fees, name_key) == "Article 3 Fees"


def test_what_stands_around_a_section(db: Path) -> None:
    outline = Index.open(db).outline_of(NAME, EVERYTHING)
    rows = {row.number or row.title: row for row in outline.rows}
    chapter, first, second = rows["Chapter I"], rows["Article 1"], rows["Article 2"]
    assert outline.children(chapter) == [first, second]
    assert outline.before(second) == first
    assert outline.before(first) == chapter
    assert outline.before(outline.rows[0]) is None
    assert outline.size(chapter) == chapter.tokens + first.tokens + second.tokens
    assert outline.levels_below(chapter) == 1
    assert outline.by_id[first.id] == first
    assert "nothing" not in outline.by_id


def test_terms_are_found_with_their_endings(db: Path) -> None:
    outline = Index.open(db).outline_of(NAME, EVERYTHING)
    pattern = outline.terms_in(["All BERTHS are let by masters.", "No dogs."])
    assert pattern is not None
    assert pattern.findall("All BERTHS are let by masters.") == ["BERTHS", "masters"]
    assert outline.terms_in(["No dogs."]) is None
    dotless = outline.terms_in(["the harbour mıster"])
    assert dotless is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: None,
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: data[:20],
        lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:],
        lambda data: data.replace(b'"version":"', b'"version":"0'),
        lambda data: b"x" * len(data),
    ],
    ids=["missing", "empty", "half", "head only", "one bit", "another version", "something else"],
)
def test_a_damaged_outline_is_made_anew(db: Path, damage: Callable[[bytes], bytes | None]) -> None:
    whole = Index.open(db).outline(NAME, EVERYTHING)
    _change(db, damage)
    index = Index.open(db)
    assert index.outline(NAME, EVERYTHING) == whole
    outline = index.outline_of(NAME, EVERYTHING)
    assert [_place(node) for node in outline.tree.keyed(("1", "1", "a"))] != []


def test_damaged_bytes_are_told_from_whole_ones(db: Path) -> None:
    rows = _sections(db)
    data = pack(rows, Tree(rows, [row.units for row in rows]))
    assert len(Packed(data)) == len(rows)
    for cut in (0, 1, 15, 19, 40, len(data) - 1):
        with pytest.raises(ValueError, match=r"outline|head|version|written"):
            Packed(data[:cut])


def test_an_outline_in_use_stays_what_it_was_while_the_document_is_replaced(db: Path) -> None:
    index = Index.open(db)
    before = index.outline_of(NAME, EVERYTHING)
    source = db.parent / "docs" / "code.md"
    source.write_text(CODE.replace("## Article 2 Fees", "## Article 2 Prices\n\n## Article 2a Dues"))
    sync([db.parent / "docs"], db, vectors=False)
    assert [row.title for row in before.rows if row.number == "Article 2"] == ["Fees"]
    assert before.tree.keyed(("2", "1"))
    after = index.outline_of(NAME, EVERYTHING)
    assert [row.title for row in after.rows if (row.number or "").startswith("Article 2")] == [
        "Prices",
        "Dues",
    ]
    assert {row.version for row in after.rows}.isdisjoint(row.version for row in before.rows)


def test_readers_and_a_writer_at_the_same_time(db: Path) -> None:
    source = db.parent / "docs" / "code.md"
    stop = threading.Event()
    strange: list[object] = []

    def read() -> None:
        index = Index.open(db)
        while not stop.is_set():
            outline = index.outline_of(NAME, EVERYTHING)
            rows = list(outline.rows)
            if not (len({row.version for row in rows}) == 1 and outline.tree.keyed(("1", "1", "a"))):
                strange.append(rows)
            if [row.position for row in rows] != list(range(len(rows))):
                strange.append(rows)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for number in range(4):
        source.write_text(CODE + f"\n# Chapter {number + 3} More\n\nText {number}.\n", encoding="utf-8")
        sync([db.parent / "docs"], db, vectors=False)
    stop.set()
    for reader in readers:
        reader.join()
    assert not strange


def test_an_outline_of_nothing(db: Path) -> None:
    assert list(Index.open(db).outline_of("docs/nowhere.md", EVERYTHING).rows) == []
    assert len(packed_rows([])) == 0
    assert Outline([]).tree.keyed(("1",)) == []
