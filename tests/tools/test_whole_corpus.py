"""All that may be seen in one result."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.corpus.tokens import count_tokens
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import TOOL_NAMES, Toolbox


@pytest.fixture
def tools(tmp_path: Path) -> Toolbox:
    docs = tmp_path / "docs"
    docs.mkdir()
    long = " ".join(f"Sentence {n} is about the mill." for n in range(150))
    (docs / "b.md").write_text(f"# Mill\n\n## 1 Wheel\n\n{long}\n\n## 2 Race\n\n", encoding="utf-8")
    (docs / "a.md").write_text("# Gate\n\nThe gate opens ⟦at⟧ nine.\n", encoding="utf-8")
    sync([docs], tmp_path / "kb", vectors=False)
    index = Index.open(tmp_path / "kb")
    return Toolbox(index, Retriever(index, None), Scope(), seed="whole")


def test_every_section_with_text_is_one_passage_however_long(tools: Toolbox) -> None:
    result = tools.call("whole_corpus", {"tokens": 10_000})
    assert result.error is None
    assert [passage.heading_path for passage in result.passages] == ["Gate", "1 Wheel"]
    assert "Sentence 0 is" in result.passages[1].text
    assert "Sentence 149 is" in result.passages[1].text
    assert "P2 | docs/b.md | Mill > 1 Wheel | line 5" in result.text
    assert list(tools.ledger.passages) == ["P1", "P2"]


def test_what_fits_is_counted_as_a_request_is(tools: Toolbox) -> None:
    size = count_tokens(tools.call("whole_corpus", {"tokens": 10_000}).text)
    assert tools.call("whole_corpus", {"tokens": 0}).text == "All that may be seen was shown above."
    tools.ledger.compact(["P1", "P2"])
    assert tools.call("whole_corpus", {"tokens": size - 20}).error is not None
    assert tools.call("whole_corpus", {"tokens": size + 200}).error is None


def test_what_does_not_fit_shows_nothing(tools: Toolbox) -> None:
    result = tools.call("whole_corpus", {"tokens": 300})
    assert result.error is not None
    assert result.error.code == "does_not_fit"
    assert result.passages == ()
    assert not tools.ledger.passages


def test_a_later_search_names_what_was_given(tools: Toolbox) -> None:
    tools.call("whole_corpus", {"tokens": 10_000})
    found = tools.call("search", {"query": "gate opens"})
    assert found.passages == ()
    assert found.already_shown[0] == "P1"


def test_no_model_is_offered_it(tools: Toolbox) -> None:
    assert "whole_corpus" not in TOOL_NAMES
    assert "whole_corpus" not in {schema.name for schema in tools.schemas()}
    bad = tools.call("whole_corpus", {"tokens": "many"})
    assert bad.error is not None
    assert bad.error.code == "bad_arguments"
