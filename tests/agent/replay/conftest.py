from __future__ import annotations

import sys
from pathlib import Path

import pytest

_ROOT = str(Path(__file__).parents[3])
if _ROOT not in sys.path:
    sys.path.append(_ROOT)

from tests.agent.replay.house import DOCUMENTS, index_of, write  # noqa: E402

from pincite.corpus.index import Index  # noqa: E402


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "house", DOCUMENTS)
    return tmp_path / "house"


@pytest.fixture
def index(folder: Path, tmp_path: Path) -> Index:
    return index_of(folder, tmp_path / "kb")
