"""What the tests of the extractive mode share."""

from __future__ import annotations

import pytest

from pincite.corpus.index import Index
from pincite.corpus.sync import sync


@pytest.fixture(scope="module")
def index(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Index:
    """An index, without vectors, of the module's `FILES`: texts by file name."""
    files: dict[str, str] = request.module.FILES
    folder = tmp_path_factory.mktemp("texts")
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    db = tmp_path_factory.mktemp("db") / "kb"
    assert sync([folder], db, vectors=False).added == len(files)
    return Index.open(db)
