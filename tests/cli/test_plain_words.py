"""Messages are ours: no text of a library, no path of the machine it was built on."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.corpus.reasons import in_words

Program = Callable[..., Any]

FOREIGN = re.compile(
    r"\.cargo|\.rs\b|LanceError|Errno|pattern|String should|site-packages|Traceback|\^|Exception"
)


def test_reasons_are_the_systems_words_or_ours() -> None:
    lance = RuntimeError(
        "lance error: LanceError(IO): No space left on device (os error 28), /root/.cargo/x.rs:1:2"
    )
    assert in_words(lance) == "No space left on device"
    assert (
        in_words(RuntimeError("lance error: Not found: /x/y.lance, /root/.cargo/x.rs:1"))
        == "a file of it is missing"
    )
    assert (
        in_words(RuntimeError("LanceError(Arrow): bad, /root/.cargo/x.rs"))
        == "its content is not what it should be"
    )
    assert in_words(PermissionError(13, "Permission denied", "/x")) == "Permission denied"


@pytest.mark.parametrize("spoil", ["rubbish", "gone", "short"])
def test_a_spoilt_index_is_described_without_its_engines_words(
    program: Program, tmp_path: Path, spoil: str
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A\n\nKiwi.\n")
    program("sync", "docs", "--db", "kb", "--no-vectors")
    for path in (tmp_path / "kb").rglob("*.lance/**/*"):
        if path.is_file():
            if spoil == "gone":
                path.unlink()
            else:
                path.write_bytes(b"rubbish" * 50 if spoil == "rubbish" else path.read_bytes()[:20])
    for command in (["list"], ["sync", "docs", "--no-vectors"], ["forget", "docs/a.md"]):
        outcome = program(*command, "--db", "kb")
        assert outcome.code == 3
        assert not FOREIGN.search(outcome.complaint), outcome.complaint


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--tenant", "../x"], "must be 1 to 64 of"),
        (["--tenant", ""], "must be 1 to 64 of"),
        (["--encoder", ""], "is empty"),
        (["--base-url", "ftp://x"], "begins with http://"),
    ],
)
def test_settings_are_explained(program: Program, arguments: list[str], said: str) -> None:
    outcome = program("doctor", *arguments)
    assert outcome.code == 2 and said in outcome.complaint
    assert not FOREIGN.search(outcome.complaint)


def test_files_that_cannot_be_read_are_described(program: Program, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.docx").write_bytes(b"PK\x03\x04 no archive")
    (docs / "b.docx").write_bytes(b"no archive")
    failed = program("sync", "docs", "--db", "kb", "--no-vectors", "--json").json["failed"]
    assert len(failed) == 2
    assert not [one for one in failed if FOREIGN.search(one["message"])]
