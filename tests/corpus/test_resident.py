"""Chunks in memory: the same hits as from the table, for every scope, and never those of an older version."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pincite.corpus.index import Index
from pincite.corpus.manage import forget
from pincite.corpus.pointer import tenant_folder
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync

WORDS = "pump valve gasket filter motor water oil seal bearing shaft lever spring".split()  # noqa: SIM905
EVERYTHING = Scope()


def texts(number: int) -> dict[str, str]:
    """Documents of random sections; every fifth is the same as another, so that scores tie."""
    chance = random.Random(7)
    made = {}
    for at in range(number):
        sections = [f"## {' '.join(chance.sample(WORDS, 2))}\n\n{' '.join(chance.choices(WORDS, k=30))}."] * (
            2 if at % 5 == 0 else 1
        )
        dated = f"---\neffective_from: {2020 + at % 3}-01-01\n---\n" if at % 4 == 0 else ""
        made[f"{at:02}.md"] = f"{dated}# Sheet {at}\n\n" + "\n\n".join(sections) + "\n"
    return made


def both(tmp_path: Path) -> tuple[Index, Index]:
    """The index on disk alone, and with its chunks in memory."""
    folder = tenant_folder(tmp_path / "kb", "default")
    resident = Index(folder)
    for _ in range(3):
        resident.keyword("pump", EVERYTHING, 1)
    assert resident.in_memory()
    return Index(folder, memory=0), resident


SCOPES: Mapping[str, Scope] = {
    "everything": EVERYTHING,
    "some documents": Scope(documents=frozenset({"docs/01.md", "docs/05.md", "docs/08.md"})),
    "an earlier day": Scope(as_of=date(2020, 6, 1)),
    "any day": Scope(any_day=True),
    "a group without documents": Scope(groups=frozenset({"staff"}), documents=frozenset()),
}


@pytest.mark.parametrize("scope", SCOPES.values(), ids=SCOPES)
@pytest.mark.parametrize("k", [1, 4, 30, 500])
def test_memory_and_disk_give_the_same_hits(
    tmp_path: Path, make_index: Any, word_encoder: Any, scope: Scope, k: int
) -> None:
    make_index(texts(40))
    on_disk, resident = both(tmp_path)
    for query in ("pump", "oil seal", "which valve has a gasket and a filter", "unheard of"):
        vector = word_encoder().encode_query(query)
        assert resident.keyword(query, scope, k) == on_disk.keyword(query, scope, k)
        found = resident.vector(vector, scope, k)
        assert found == on_disk.vector(vector, scope, k)
        assert found or scope.documents == frozenset()
    assert resident.in_memory() and not on_disk.in_memory()


def test_what_is_synced_or_forgotten_shows_at_once(
    tmp_path: Path, make_index: Any, word_encoder: Any, write: Any
) -> None:
    make_index(texts(10))
    _, resident = both(tmp_path)
    vector = word_encoder().encode_query("a brand new flywheel")
    write(tmp_path / "docs", {"new.md": "# New\n\nA brand new flywheel.\n"})
    sync([tmp_path / "docs"], tmp_path / "kb", encoder=word_encoder())
    for _ in range(5):
        assert resident.keyword("flywheel", EVERYTHING, 3)[0].document == "docs/new.md"
        assert resident.vector(vector, EVERYTHING, 3)[0].document == "docs/new.md"
    assert resident.in_memory()
    forget(tmp_path / "kb", "docs/new.md")
    for _ in range(5):
        assert resident.keyword("flywheel", EVERYTHING, 3) == []
        assert "docs/new.md" not in {hit.document for hit in resident.vector(vector, EVERYTHING, 50)}


def test_memory_holds_to_groups(tmp_path: Path, write: Any, word_encoder: Any) -> None:
    write(tmp_path / "open", {"a.md": "# Open\n\nThe pump is blue.\n"})
    write(tmp_path / "closed", {"b.md": "# Closed\n\nThe pump is blue too.\n"})
    encoder = word_encoder()
    sync([tmp_path / "open"], tmp_path / "kb", encoder=encoder)
    sync([tmp_path / "closed"], tmp_path / "kb", encoder=encoder, groups=("board",))
    _, resident = both(tmp_path)
    vector = encoder.encode_query("blue pump")
    for groups, seen in ((["board"], {"open/a.md", "closed/b.md"}), (["staff"], {"open/a.md"})):
        scope = Scope(groups=frozenset(groups))
        for _ in range(2):
            assert {hit.document for hit in resident.keyword("pump", scope, 9)} == seen
            assert {hit.document for hit in resident.vector(vector, scope, 9)} == seen
    assert resident.in_memory()


def test_an_index_without_vectors_is_kept_in_memory_too(tmp_path: Path, make_index: Any) -> None:
    make_index(texts(10), vectors=False)
    on_disk, resident = both(tmp_path)
    assert resident.keyword("oil seal", EVERYTHING, 9) == on_disk.keyword("oil seal", EVERYTHING, 9) != []


def test_too_large_an_index_is_searched_on_disk(tmp_path: Path, make_index: Any) -> None:
    make_index(texts(10))
    index = Index(tenant_folder(tmp_path / "kb", "default"), memory=20_000)
    assert all(index.keyword("pump", EVERYTHING, 3) for _ in range(5))
    assert not index.in_memory()


def test_a_single_question_copies_nothing(tmp_path: Path, make_index: Any, word_encoder: Any) -> None:
    index = make_index(texts(10))
    index.keyword("pump", EVERYTHING, 3)
    index.vector(word_encoder().encode_query("pump"), EVERYTHING, 3)
    assert not index.in_memory()
