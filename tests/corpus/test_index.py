from __future__ import annotations

import json
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pincite.corpus.index import Index
from pincite.corpus.pointer import pointer_path, tables_path
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.errors import (
    AmbiguousError,
    EncoderMismatchError,
    NoIndexError,
    NothingUsableError,
    UsageError,
)

EVERYTHING = Scope()
MANUAL = """# Pump manual

Read all of it first.

## 1 Faults

Error E17 means that valve LU-0001-X is stuck; torque it with 12.3 newton metres.

## 2 Care

### 2.1 Cleaning

Rinse the pump with water. 阀门必须每年更换一次。

### 2.2 Storing

Keep the pump dry.
"""
NOTES = """# Notes

The pump was running when we left. "AND" is only a word here.
"""


@pytest.fixture
def index(make_index: Any) -> Index:
    made: Index = make_index({"manual.md": MANUAL, "sub/notes.md": NOTES})
    return made


@pytest.mark.parametrize(
    ("query", "section"),
    [
        ("E17", "1 Faults"),
        ("e17", "1 Faults"),
        ("LU-0001-X", "1 Faults"),
        ("12.3", "1 Faults"),
        ("更换", "2.1 Cleaning"),
        ("running", "Notes"),
    ],
)
def test_codes_numbers_and_chinese_are_found_by_keyword(index: Index, query: str, section: str) -> None:
    assert index.keyword(query, EVERYTHING, 5)[0].path[-1] == section


@pytest.mark.parametrize(
    "query",
    [
        'E17"',
        "+E17 -pump",
        "E17 AND (valve",
        "section:E17^2~ *",
        "[E17 TO ",
        "E17\\",
        '{"match": {"query": "E17"}}',
        "E17 \0 '; DROP TABLE x --",
        "E17 \ud800",
    ],
)
def test_query_syntax_is_plain_text(index: Index, query: str) -> None:
    assert index.keyword(query, EVERYTHING, 5)[0].path[-1] == "1 Faults"


def test_a_minus_sign_does_not_exclude(index: Index) -> None:
    assert {hit.document for hit in index.keyword("-pump", EVERYTHING, 20)} == {
        "docs/manual.md",
        "docs/sub/notes.md",
    }


@pytest.mark.parametrize("query", ["", "   ", "\n", "?!", "zzzz"])
def test_a_query_without_known_words_finds_nothing(index: Index, query: str) -> None:
    assert index.keyword(query, EVERYTHING, 5) == []


def test_a_very_long_query_still_finds_its_words(index: Index) -> None:
    assert index.keyword("E17 " * 30_000, EVERYTHING, 5)[0].path[-1] == "1 Faults"


def test_a_hit_carries_what_a_citation_needs(index: Index) -> None:
    hit = index.keyword("E17", EVERYTHING, 1)[0]
    document = index.document(hit.document, EVERYTHING)
    assert document is not None
    assert (hit.document, hit.document_title, hit.version) == (
        "docs/manual.md",
        "Pump manual",
        document.version,
    )
    assert (hit.number, hit.path[-1]) == ("1", "1 Faults")
    assert hit.text.startswith("Error E17 means")
    assert hit.label.startswith("Pump manual")
    assert hit.line == MANUAL.splitlines().index(hit.text) + 1
    assert hit.score > 0
    body = index.section_texts([(hit.document, hit.section)], EVERYTHING)[hit.document, hit.section]
    assert body.text is not None
    assert body.text[hit.start - body.start : hit.end - body.start] == hit.text


def test_the_vector_leg_ranks_by_cosine(index: Index, word_encoder: Any) -> None:
    encoder = word_encoder()
    wanted = index.keyword("dry", EVERYTHING, 1)[0]
    same = index.vector(encoder.encode_query(f"{wanted.label}\n{wanted.text}"), EVERYTHING, 3)
    assert same[0].key == wanted.key
    assert same[0].score == pytest.approx(1.0)
    vector = encoder.encode_query("pump")
    for hit in index.vector(vector, EVERYTHING, 50):
        expected = float(vector @ encoder.encode_query(f"{hit.label}\n{hit.text}"))
        assert hit.score == pytest.approx(expected, abs=1e-5)


def test_vectors_of_another_length_are_a_mismatch(index: Index) -> None:
    with pytest.raises(EncoderMismatchError) as caught:
        index.vector(np.zeros(7, dtype=np.float32), EVERYTHING, 3)
    assert "pincite reindex" in caught.value.hint


def test_an_index_without_vectors_says_so(make_index: Any) -> None:
    index = make_index({"a.md": NOTES}, vectors=False)
    with pytest.raises(EncoderMismatchError) as caught:
        index.vector(np.zeros(7, dtype=np.float32), EVERYTHING, 3)
    assert "pincite sync" in caught.value.hint
    assert index.counts().chunks_without_vector == index.counts().chunks > 0
    assert index.keyword("pump", EVERYTHING, 3)


def test_ties_are_always_broken_alike(make_index: Any, word_encoder: Any) -> None:
    same = {f"{number:02}.md": "# Same\n\nThe very same words.\n" for number in range(40)}
    index = make_index(same)
    vector = word_encoder().encode_query("very same words")
    for k in (1, 7, 39, 40, 41):
        expected = [f"docs/{number:02}.md" for number in range(min(k, 40))]
        assert [hit.document for hit in index.keyword("words", EVERYTHING, k)] == expected
        assert [hit.document for hit in index.vector(vector, EVERYTHING, k)] == expected
    assert index.keyword("words", EVERYTHING, 0) == []


def test_searching_warns_about_nothing(index: Index, word_encoder: Any, capfd: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        index.keyword("pump", EVERYTHING, 5)
        index.vector(word_encoder().encode_query("pump"), EVERYTHING, 5)
        index.documents(EVERYTHING)
    assert capfd.readouterr() == ("", "")


def test_an_open_index_sees_what_is_synced_later(index: Index, tmp_path: Path, make_index: Any) -> None:
    before = (index.version, index.fingerprint())
    make_index({"later.md": "# Later\n\nA gasket of type Q99.\n"})
    assert [hit.document for hit in index.keyword("Q99", EVERYTHING, 3)] == ["docs/later.md"]
    assert index.version > before[0]
    assert index.fingerprint() != before[1]


def test_the_fingerprint_depends_on_content_alone(tmp_path: Path, write: Any, word_encoder: Any) -> None:
    from pincite.corpus.sync import sync

    files = {"a.md": MANUAL, "b.md": NOTES}
    prints = []
    for number, names in enumerate((["a.md", "b.md"], ["b.md", "a.md"])):
        folder = tmp_path / str(number) / "docs"
        for name in names:
            write(folder, {name: files[name]})
            sync([folder], tmp_path / f"kb{number}", encoder=word_encoder())
        prints.append(Index.open(tmp_path / f"kb{number}").fingerprint())
    assert prints[0] == prints[1]


def test_the_outline_has_the_tree_and_no_text(index: Index) -> None:
    outline = index.outline("docs/manual.md", EVERYTHING)
    assert [row.position for row in outline] == list(range(len(outline)))
    assert all(row.text is None for row in outline)
    titles = [row.title for row in outline]
    assert titles[-4:] == ["Faults", "Care", "Cleaning", "Storing"]
    care = outline[-3]
    assert (care.number, care.tree_last) == ("2", len(outline) - 1)
    assert outline[-2].parent == outline[-1].parent == care.id
    assert [row.tree_last for row in outline[-2:]] == [row.position for row in outline[-2:]]
    assert index.outline("docs/nowhere.md", EVERYTHING) == []


def test_sections_come_by_position_or_id_in_document_order(index: Index) -> None:
    outline = index.outline("docs/manual.md", EVERYTHING)
    last = len(outline)
    by_position = index.sections("docs/manual.md", range(last - 2, last), EVERYTHING)
    by_id = index.sections("docs/manual.md", [outline[-1].id, outline[-2].id], EVERYTHING)
    assert by_position == by_id
    assert [row.text for row in by_id] == [
        "Rinse the pump with water. 阀门必须每年更换一次。",
        "Keep the pump dry.",
    ]
    assert index.sections("docs/manual.md", [], EVERYTHING) == []


def test_section_texts_gives_what_there_is(index: Index) -> None:
    first = index.outline("docs/manual.md", EVERYTHING)[0].id
    found = index.section_texts([("docs/manual.md", first), ("docs/manual.md", "none")], EVERYTHING)
    assert list(found) == [("docs/manual.md", first)]


@pytest.mark.parametrize(
    "reference",
    ["docs/sub/notes.md", "sub/notes.md", "Notes", "notes", " NOTES ", "DOCS/SUB/NOTES.MD"],
)
def test_a_document_is_found_by_id_path_or_title(index: Index, reference: str) -> None:
    found = index.document(reference, EVERYTHING)
    assert found is not None and found.id == "docs/sub/notes.md"


def test_an_unknown_document_is_none(index: Index) -> None:
    assert index.document("nothing like it", EVERYTHING) is None
    assert index.document("", EVERYTHING) is None


def test_a_title_that_two_documents_carry_is_ambiguous(make_index: Any) -> None:
    index = make_index({"a.md": "# Twin\n\nOne.\n", "b.md": "# Twin\n\nTwo.\n", "Twin2.md": "# X\n\nY.\n"})
    with pytest.raises(AmbiguousError) as caught:
        index.document("Twin", EVERYTHING)
    assert caught.value.near == ("docs/a.md", "docs/b.md")
    with pytest.raises(AmbiguousError):
        index.document("t w i n", EVERYTHING)


def test_documents_are_listed_by_id_in_pages(make_index: Any) -> None:
    index = make_index(
        {f"{n:02}.md": f"# Title {n}\n\nText.\n" for n in range(12)} | {"x.md": "# Ärger\n\nT.\n"}
    )
    ids = [row.id for row in index.documents(EVERYTHING)]
    assert ids == sorted(ids) and len(ids) == 13
    assert [row.id for row in index.documents(EVERYTHING, limit=5, offset=10)] == ids[10:]
    assert [row.id for row in index.documents(EVERYTHING, contains="ärGER")] == ["docs/x.md"]
    assert [row.id for row in index.documents(EVERYTHING, contains="docs/1")] == ids[10:12]
    assert index.documents(EVERYTHING, contains="%") == []


def test_a_document_row_says_what_is_known(index: Index, tmp_path: Path) -> None:
    row = index.documents(EVERYTHING)[0]
    assert (row.id, row.path, row.title) == ("docs/manual.md", "manual.md", "Pump manual")
    assert row.source == str(tmp_path / "docs" / "manual.md")
    assert row.sections == len(index.outline(row.id, EVERYTHING))
    assert row.tokens > 40 and row.pages is None and row.groups == ()
    counts = index.counts()
    assert counts.documents == 2 and counts.chunks_without_vector == 0
    assert counts.chunks == sum(document.chunks for document in index.documents(EVERYTHING))


def test_reading_loads_no_encoder_and_no_client(index: Index, tmp_path: Path) -> None:
    script = f"""
import json, sys
from pathlib import Path
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
hits = Index.open(Path({str(tmp_path / "kb")!r})).keyword("E17", Scope(), 3)
heavy = {{"torch", "openai", "sentence_transformers", "transformers", "tiktoken", "lxml", "pypdfium2"}}
print(json.dumps([len(hits), sorted(heavy & set(sys.modules))]))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [1, []]
    assert done.stderr == ""


def test_importing_the_index_loads_no_engine() -> None:
    script = (
        "import sys, pincite.corpus.index; print(sorted({'lancedb', 'pyarrow', 'torch'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_index_is_told_apart_from_other_tenants(index: Index, tmp_path: Path) -> None:
    with pytest.raises(NoIndexError) as caught:
        Index.open(tmp_path / "nowhere")
    assert "pincite sync" in caught.value.hint
    with pytest.raises(NoIndexError) as caught:
        Index.open(tmp_path / "kb", "other")
    assert caught.value.near == ("default",)
    with pytest.raises(NoIndexError):
        Index.open(tmp_path / "docs" / "manual.md")


@pytest.mark.parametrize("tenant", ["", "../x", "A", "a/b", "x" * 65, "a\n"])
def test_a_tenants_name_cannot_leave_the_folder(tmp_path: Path, tenant: str) -> None:
    with pytest.raises(UsageError):
        Index.open(tmp_path, tenant)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "index_damaged"),
        (b"{", "index_damaged"),
        (b"\xff\xfe", "index_damaged"),
        (b"[]", "index_damaged"),
        (b"{}", "index_damaged"),
        (b'{"format": 1, "table": "../../etc"}', "index_damaged"),
        (b'{"format": 1, "table": "gone"}', "index_damaged"),
        (b'{"format": 99, "anything": true}', "newer_format"),
        (b"[" * 100_000, "index_damaged"),
    ],
)
def test_a_pointer_that_makes_no_sense_is_one_plain_error(
    index: Index, tmp_path: Path, content: bytes, code: str
) -> None:
    pointer_path(tmp_path / "kb" / "default").write_bytes(content)
    for use in (lambda: Index.open(tmp_path / "kb"), index.counts, lambda: index.info):
        with pytest.raises(NothingUsableError) as caught:
            use()
        assert caught.value.code == code
        assert caught.value.hint and "\n" not in caught.value.message


@pytest.mark.parametrize("damage", ["_versions", "data", "all"])
def test_damaged_tables_are_one_plain_error(index: Index, tmp_path: Path, damage: str) -> None:
    for path in tables_path(tmp_path / "kb" / "default").rglob("*"):
        if path.is_file() and (damage == "all" or damage in path.parts):
            path.write_bytes(b"not lance" * 20)
    with pytest.raises(NothingUsableError) as caught:
        Index.open(tmp_path / "kb").keyword("pump", EVERYTHING, 3)
    assert caught.value.code == "index_damaged"
    assert "\n" not in caught.value.message


def test_a_missing_data_file_is_one_plain_error(index: Index, tmp_path: Path) -> None:
    for path in tables_path(tmp_path / "kb" / "default").rglob("*.lance"):
        if path.is_file() and "data" in path.parts:
            path.unlink()
    with pytest.raises(NothingUsableError) as caught:
        index.documents(EVERYTHING)
    assert caught.value.code == "index_damaged"


def test_misspelt_words_are_looked_for_only_where_hardly_anything_has_them(tmp_path: Path) -> None:
    docs = tmp_path / "pages"
    docs.mkdir()
    for number in range(4):
        (docs / f"{number}.md").write_text(f"# Page {number}\n\nComplaints are answered.\n", encoding="utf-8")
    (docs / "one.md").write_text("# Other\n\nRedemptions take nine days.\n", encoding="utf-8")
    sync([docs], tmp_path / "db", vectors=False)
    index = Index.open(tmp_path / "db")
    assert [hit.document for hit in index.keyword("redempton", Scope(), 5)] == ["pages/one.md"]
    mixed = index.keyword("nine complaintt", Scope(), 10)
    assert mixed[0].document == "pages/one.md"
    assert len(mixed) == 5
    assert [hit.score for hit in mixed] == sorted((hit.score for hit in mixed), reverse=True)
    assert len(index.keyword("complaints redempton", Scope(), 10)) == 4
    assert index.keyword("zzzzzz", Scope(), 5) == []
