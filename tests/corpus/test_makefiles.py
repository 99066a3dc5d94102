"""Every awkward file of the shared cases is read or refused as stated there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from pincite.corpus.document import Document
from pincite.corpus.read import read
from pincite.errors import READ_CODES, ReadError

MAKER = Path(__file__).parents[2].parent / "shared" / "cases" / "makefiles.py"


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _bare(text: str) -> str:
    return "".join(unicodedata.normalize("NFC", text).split())


def _faults(path: Path, expect: dict[str, Any], root: Path) -> list[str]:
    """What differs from the expectation."""
    start = time.monotonic()
    document: Document | None
    code: str | None
    try:
        document = read(path, root=root)
    except ReadError as error:
        assert error.code in READ_CODES
        assert "\n" not in error.message
        ok, code, document = False, error.code, None
    else:
        ok, code = True, None
    faults = []
    if ok not in _listed(expect["ok"]) or code not in _listed(expect["error"]):
        faults.append(f"{'read' if ok else code}")
    if time.monotonic() - start > expect.get("max_seconds", float("inf")):
        faults.append(f"took {time.monotonic() - start:.1f} s")
    if document is None:
        return faults
    headed = sum(section.has_heading for section in document.sections)
    if expect["sections"] is not None and headed not in _listed(expect["sections"]):
        faults.append(f"{headed} sections")
    text = _bare(document.text)
    faults += [f"lacks {words!r}" for words in expect["text_contains"] if _bare(words) not in text]
    faults += [f"holds {words!r}" for words in expect["text_lacks"] if _bare(words) in text]
    return faults


@pytest.mark.slow
@pytest.mark.skipif(not MAKER.exists(), reason="the shared cases are not here")
def test_every_awkward_file_gives_what_is_stated(tmp_path: Path) -> None:
    subprocess.run([sys.executable, str(MAKER), str(tmp_path)], check=True, capture_output=True)
    cases = [json.loads(line) for line in (tmp_path / "expectations.jsonl").read_text().splitlines()]
    if os.geteuid() == 0:
        cases = [case for case in cases if not case.get("skip_if_root")]
    root = tmp_path / "files"
    faults = {case["file"]: _faults(root / case["file"], case["expect"], root) for case in cases}
    assert len(cases) >= 61
    assert {name: found for name, found in faults.items() if found} == {}
