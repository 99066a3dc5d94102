"""A citation carries the address that its source gives to the place, and what is printed on its page."""

from __future__ import annotations

from pathlib import Path

import pincite


def test_a_citation_has_the_anchor_of_the_words(tmp_path: Path) -> None:
    page = (
        "<html><body><h1>Terms</h1><h2 id=fees>Fees</h2><p>Fees are due monthly.</p>"
        "<ol><li id=late>A late payment costs 15 crowns.</li></ol></body></html>"
    )
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "terms.html").write_text(page, encoding="utf-8")
    pincite.sync(tmp_path / "docs", db=tmp_path / "kb", vectors=False)
    answer = pincite.ask("What does a late payment cost?", db=tmp_path / "kb")
    (citation,) = (one for statement in answer.statements for one in statement.citations)
    assert citation.anchor == "late"
    assert "page_label" not in citation.model_dump()
