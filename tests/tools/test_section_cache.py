"""Sections are remembered for one version of an index, and never shown to one who may not see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pincite.corpus.index import Index
from pincite.corpus.rows import SectionRow
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.tools.retrieve import Retriever
from pincite.tools.section_cache import SectionCache
from pincite.tools.sources import SectionKey


class Counting(Index):
    """A real index that counts how many sections it is asked for."""

    asked = 0

    def section_texts(self, keys: Any, scope: Scope) -> dict[SectionKey, SectionRow]:
        keys = list(keys)
        self.asked += len(keys)
        return super().section_texts(keys, scope)


def test_a_section_is_read_once_while_the_index_stays_as_it_is(db: Path, encoder: Any) -> None:
    index = Counting(db / "default")
    retriever = Retriever(index, lambda: encoder)
    first = retriever.retrieve("when is the rent due", Scope(), k=4)
    asked = index.asked
    again = retriever.retrieve("when is the rent due", Scope(), k=4)
    assert (again.hits, again.sections) == (first.hits, first.sections)
    assert index.asked == asked
    assert retriever.retrieve("when is the rent due", Scope(documents=frozenset()), k=4).hits == ()


def test_a_change_of_the_index_is_seen_at_once(encoder: Any, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "gate.md").write_text("# Gate\n\nThe gate is locked at ten.\n", encoding="utf-8")
    (docs / "key.md").write_text("# Key\n\nThe key to the gate hangs in the office.\n", encoding="utf-8")
    sync([docs], tmp_path / "db", encoder=encoder)
    retriever = Retriever(Index.open(tmp_path / "db"), lambda: encoder)

    def texts() -> set[str | None]:
        return {row.text for row in retriever.retrieve("gate", Scope(), k=5).sections.values()}

    assert texts() == {"The gate is locked at ten.", "The key to the gate hangs in the office."}
    (docs / "gate.md").write_text("# Gate\n\nThe gate is locked at nine.\n", encoding="utf-8")
    (docs / "key.md").unlink()
    sync([docs], tmp_path / "db", encoder=encoder)
    assert texts() == {"The gate is locked at nine."}


def test_the_cache_keeps_the_latest_within_its_size_and_one_version(index: Index) -> None:
    rows = {
        (row.document, row.id): row
        for row in index.sections("club/lease.md", range(100), Scope())
        if row.text and len(row.text) < 100
    }
    asked: list[SectionKey] = []

    def fetch(missing: Sequence[SectionKey]) -> Mapping[SectionKey, SectionRow]:
        asked.extend(missing)
        return {key: rows[key] for key in missing}

    keys = list(rows)[:3]
    wanted = [{key: rows[key].version} for key in keys]
    cache = SectionCache(kept=sum(len(rows[key].text or "") for key in keys[1:]))
    for one in wanted:
        cache.sections(one, 1, fetch)
    assert cache.sections({**wanted[1], **wanted[2]}, 1, fetch) == {key: rows[key] for key in keys[1:]}
    assert asked == keys
    cache.sections(wanted[0], 1, fetch)
    assert asked == [*keys, keys[0]]
    cache.sections({keys[0]: "another version"}, 1, fetch)
    cache.sections(wanted[0], 2, fetch)
    assert asked == [*keys, keys[0], keys[0], keys[0]]
