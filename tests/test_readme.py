"""What the README shows is what happens."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from pincite.cli.app import run
from pincite.cli.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def _blocks(language: str = "") -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_the_python_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    contracts = tmp_path / "contracts"
    contracts.mkdir()
    (contracts / "lease.md").write_text(
        "# Lease\n\n## Term\n\nThe tenant can end the lease with three months of notice.\n", encoding="utf-8"
    )
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    (code,) = _blocks("python")
    assert len(code.splitlines()) < 10
    exec(compile(code, "README.md", "exec"), {})
    out = capsys.readouterr().out
    assert "answered The tenant can end the lease with three months of notice." in out
    assert "contracts/lease.md Term 5 The tenant can end the lease" in out


def test_the_shown_answer_is_the_real_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (shown,) = (block for block in _blocks() if block.startswith("$ pincite ask"))
    command, _, output = shown.partition("\n")
    corpus = ROOT / "examples" / "corpus"
    monkeypatch.chdir(tmp_path)
    assert run(["sync", str(corpus), "--db", "kb"]) == 0
    capfd.readouterr()
    assert run(shlex.split(command)[2:]) == 0
    assert _lasting(capfd.readouterr().out) == _lasting(output)


def _lasting(output: str) -> list[str]:
    """The output without the time it took and the name of its session."""
    return [re.sub(r"[0-9.]+ s; session \S+", "", line) for line in output.splitlines()]


def test_every_setting_and_command_is_described() -> None:
    for name in Settings.model_fields:
        assert f"| `{name}` |" in README
    for command in ("sync", "ask", "search", "toc", "read", "list", "forget", "reindex", "show", "doctor"):
        assert f"`{command}" in README


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", README)
    assert all((ROOT / link).exists() for link in links)
    folders = re.findall(r"^\| `([a-z/]+/)` \|", README, re.MULTILINE)
    assert len(folders) >= 8
    assert all((ROOT / folder).is_dir() for folder in folders)
