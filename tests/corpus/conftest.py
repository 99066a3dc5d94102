"""What the tests of the index share."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from pincite.corpus.index import Index
from pincite.corpus.sync import sync

Make = Callable[..., Index]


def _word_encoder() -> Any:
    source = Path(__file__).with_name("word_encoder.py")
    spec = importlib.util.spec_from_file_location("word_encoder", source)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.WordEncoder


@pytest.fixture(scope="session")
def word_encoder() -> Any:
    """The class `WordEncoder`."""
    return _word_encoder()


@pytest.fixture
def write() -> Callable[[Path, Mapping[str, str]], Path]:
    """Writes files, by path below a folder, and gives the folder."""

    def write_files(folder: Path, files: Mapping[str, str]) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return folder

    return write_files


@pytest.fixture
def make_index(tmp_path: Path, write: Any, word_encoder: Any) -> Make:
    """An index over files that are given as text, made by a sync of the folder `docs`."""

    def make(files: Mapping[str, str], **options: Any) -> Index:
        write(tmp_path / "docs", files)
        options.setdefault("encoder", word_encoder())
        sync([tmp_path / "docs"], tmp_path / "kb", **options)
        return Index.open(tmp_path / "kb")

    return make
