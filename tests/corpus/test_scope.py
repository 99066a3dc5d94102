from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pincite.corpus.index import Index
from pincite.corpus.query import one_of, scope_predicate
from pincite.corpus.scope import Scope
from pincite.corpus.store import connect
from pincite.corpus.sync import sync

TODAY = date.today()
NASTY = [
    "it's",
    "''",
    "100%",
    "a_b",
    "back\\slash\\",
    'dq"',
    "new\nline",
    "日本",
    "`x`",
    "$1",
    "' OR 1=1 --",
    "nul\0",
]
texts = st.one_of(st.sampled_from(NASTY), st.text(max_size=12))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Rows of which only `document` and `groups` matter: one per text, and one without groups."""
    folder = tmp_path_factory.mktemp("sql")
    rows: list[dict[str, Any]] = [{"document": text, "groups": [text, "shared"]} for text in NASTY]
    rows.append({"document": "plain", "groups": None})
    columns = pa.schema(
        [
            ("document", pa.string()),
            ("groups", pa.list_(pa.string())),
            ("effective_from", pa.date32()),
            ("effective_to", pa.date32()),
        ]
    )
    yield connect(folder).create_table("t", pa.Table.from_pylist(rows, schema=columns))


def _documents(table: Any, where: str) -> set[str]:
    return {row["document"] for row in table.search().where(where).select(["document"]).limit(None).to_list()}


quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@quick
@given(wanted=st.lists(texts, max_size=4))
@example(wanted=["\ud800"])
def test_whatever_an_id_holds_it_selects_only_itself(table: Any, wanted: list[str]) -> None:
    assert _documents(table, one_of("document", wanted)) == set(wanted) & {*NASTY, "plain"}


@quick
@given(groups=st.lists(texts, max_size=3))
@example(groups=["\ud800"])
def test_whatever_a_group_is_called_it_opens_only_its_own(table: Any, groups: list[str]) -> None:
    seen = _documents(table, scope_predicate(Scope(groups=frozenset(groups))))
    assert seen == {"plain"} | (set(groups) & set(NASTY)) | (set(NASTY) if "shared" in groups else set())


def test_many_documents_fit_one_scope(table: Any) -> None:
    many = frozenset(f"doc/{number}" for number in range(20_000)) | {"plain"}
    assert _documents(table, scope_predicate(Scope(documents=many))) == {"plain"}


@pytest.fixture(scope="module")
def grouped(tmp_path_factory: pytest.TempPathFactory, word_encoder: Any) -> Index:
    """Three documents: `open` for everyone, `legal` and `hr` for a group each."""
    folder = tmp_path_factory.mktemp("grouped")
    for name, groups in (("open", ()), ("legal", ("legal",)), ("hr", ("hr", "board"))):
        (folder / name).mkdir()
        (folder / name / "x.md").write_text(f"# {name}\n\nThe word zebra stands in {name}.\n")
        sync([folder / name], folder / "kb", groups=groups, encoder=word_encoder())
    return Index.open(folder / "kb")


@pytest.mark.parametrize(
    ("groups", "seen"),
    [
        (None, {"open", "legal", "hr"}),
        (set(), {"open"}),
        ({"legal"}, {"open", "legal"}),
        ({"board", "other"}, {"open", "hr"}),
        ({"LEGAL"}, {"open"}),
    ],
)
def test_every_way_to_read_keeps_to_the_groups(
    grouped: Index, word_encoder: Any, groups: set[str] | None, seen: set[str]
) -> None:
    scope = Scope(groups=None if groups is None else frozenset(groups))
    _expect(grouped, word_encoder, scope, {f"{name}/x.md" for name in seen})


@pytest.mark.parametrize(
    "documents", [set(), {"legal/x.md"}, {"legal/x.md", "open/x.md"}, {"nowhere"}, {"legal"}, {"x.md"}]
)
def test_every_way_to_read_keeps_to_the_documents(
    grouped: Index, word_encoder: Any, documents: set[str]
) -> None:
    known = {"open/x.md", "legal/x.md", "hr/x.md"}
    _expect(grouped, word_encoder, Scope(documents=frozenset(documents)), documents & known)


def test_groups_and_documents_must_both_allow_it(grouped: Index, word_encoder: Any) -> None:
    scope = Scope(groups=frozenset({"hr"}), documents=frozenset({"legal/x.md", "hr/x.md"}))
    _expect(grouped, word_encoder, scope, {"hr/x.md"})


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory, word_encoder: Any) -> Index:
    folder = tmp_path_factory.mktemp("dated")
    (folder / "docs").mkdir()
    dates = {
        "always": {},
        "old": {"effective_to": TODAY - timedelta(days=1)},
        "now": {"effective_from": TODAY, "effective_to": TODAY},
        "soon": {"effective_from": TODAY + timedelta(days=1)},
    }
    lines = []
    for name, values in dates.items():
        (folder / "docs" / f"{name}.md").write_text(f"# {name}\n\nThe word zebra stands in {name}.\n")
        lines += [f'["{name}.md"]', *(f"{key} = {value.isoformat()}" for key, value in values.items())]
    (folder / "docs" / "documents.toml").write_text("\n".join(lines))
    sync([folder / "docs"], folder / "kb", encoder=word_encoder())
    return Index.open(folder / "kb")


@pytest.mark.parametrize(
    ("as_of", "seen"),
    [
        (None, {"always", "now"}),
        (TODAY, {"always", "now"}),
        (TODAY - timedelta(days=1), {"always", "old"}),
        (TODAY + timedelta(days=1), {"always", "soon"}),
        (date(1, 1, 1), {"always", "old"}),
        (date(9999, 12, 31), {"always", "soon"}),
    ],
)
def test_only_what_is_in_force_on_the_day_is_read(
    dated: Index, word_encoder: Any, as_of: date | None, seen: set[str]
) -> None:
    _expect(dated, word_encoder, Scope(as_of=as_of), {f"docs/{name}.md" for name in seen})


def _expect(index: Index, word_encoder: Any, scope: Scope, seen: set[str]) -> None:
    everything = Scope(as_of=None)
    keyword = index.keyword("zebra", scope, 50)
    vector = index.vector(word_encoder().encode_query("zebra"), scope, 50)
    assert {hit.document for hit in keyword} == seen
    assert {hit.document for hit in vector} == seen
    assert {row.id for row in index.documents(scope)} == seen
    for row in index.documents(everything):
        visible = row.id in seen
        assert (index.document(row.id, scope) is not None) == visible
        assert (index.document(row.title, scope) is not None) == visible
        assert bool(index.outline(row.id, scope)) == visible
        assert bool(index.sections(row.id, range(99), scope)) == visible
        key = (row.id, index.outline(row.id, everything)[0].id)
        assert bool(index.section_texts([key], scope)) == visible


def test_ids_with_awkward_names_are_read_back(make_index: Any, tmp_path: Path) -> None:
    names = ['it\'s 100% "fine".md', "back\\slash.md", "new\nline.md", "日本 é.md", "-- ; DROP.md"]
    index = make_index({name: f"# {number}\n\nZebra.\n" for number, name in enumerate(names)})
    assert sorted(row.path for row in index.documents(Scope())) == sorted(names)
    for name in names:
        only = Scope(documents=frozenset({f"docs/{name}"}))
        assert [hit.document for hit in index.keyword("zebra", only, 9)] == [f"docs/{name}"]
