"""`pincite doctor`: what would be used, and what is missing, in plain words."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Literal

import click

from pincite.agent.models import EXTRACTIVE
from pincite.agent.openai_model import DEFAULT_BASE_URL
from pincite.cli.endpoint import probe
from pincite.cli.options import Setup, command, reranker_option
from pincite.cli.settings import settings_file
from pincite.cli.terminal import Page, counted, print_json, spelled
from pincite.corpus.encoder import EncoderSpec, find_encoder
from pincite.corpus.encoder_spec import require_same_encoder
from pincite.corpus.tokens import using_estimate
from pincite.corpus.watching import read_lag
from pincite.errors import NothingUsableError, PinciteError, ServiceError
from pincite.tools.reranker import find_reranker, why_none

State = Literal["ok", "missing", "wrong"]
_MARKS = {"ok": "ok", "missing": "--", "wrong": "!!"}
_OFFLINE = "pip install 'pincite[offline]'"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: `detail` says what would be used or is missing, `hint` what to do.

    `usable`: whether it does its part as it is.
    """

    what: str
    state: State
    detail: str
    hint: str = ""
    usable: bool = True


@command("doctor")
@click.option("--model", help="The model that ask would be given.")
@click.option("--base-url", help="Its OpenAI-compatible endpoint.")
@click.option("--encoder", help="Folder or name of the encoder.")
@reranker_option
def doctor(setup: Setup) -> int:
    """Say which index, encoder, reranker and model would be used, and what is missing.

    Ends with 0 when questions can be answered, 3 when there is no index or nothing in it, and 4 when the
    model that was named cannot be used.
    """
    findings = [_careful(check, setup) for check in _CHECKS]
    if setup.as_json:
        print_json({"findings": [asdict(finding) for finding in findings]})
    else:
        page = Page()
        for finding in findings:
            hint = f" ({finding.hint})" if finding.hint else ""
            page.line(f"{_MARKS[finding.state]}  {finding.what:<9} {spelled(finding.detail + hint)}")
    return _exit_code(findings)


def _exit_code(findings: list[Finding]) -> int:
    states = {finding.what: finding for finding in findings}
    if not states["index"].usable:
        return NothingUsableError.exit_code
    return 0 if states["model"].usable else ServiceError.exit_code


def _careful(check: Callable[[Setup], Finding], setup: Setup) -> Finding:
    """What one check found; an error of it is a finding, and the other checks go on."""
    try:
        return check(setup)
    except PinciteError as error:
        return Finding(check.__name__.strip("_"), "wrong", error.message, error.hint, usable=False)


def _settings(setup: Setup) -> Finding:
    file = settings_file(setup.config, os.environ)
    return Finding("settings", "ok", f"from {file}" if file else "no settings file, which is fine")


def _index(setup: Setup) -> Finding:
    index = setup.open_index()
    counts, info = index.counts(), index.info
    made = f"encoder {info.encoder.name}" if info.encoder else "no vectors"
    detail = (
        f"{counted(counts.documents, 'document')}, {counted(counts.sections, 'section')}, "
        f"{counted(counts.chunks, 'chunk')} at {info.folder}, made with {made}"
    )
    if not counts.documents:
        return Finding(
            "index", "missing", f"empty, at {info.folder}", "add documents: pincite sync PATH", False
        )
    if counts.chunks_without_vector:
        hint = "pincite sync the same folder encodes the rest"
        return Finding("index", "missing", f"{detail}; {counts.chunks_without_vector} without vector", hint)
    return Finding("index", "ok", detail)


def _freshness(setup: Setup) -> Finding:
    setup.open_index()
    found = read_lag(setup.settings.db, setup.settings.tenant)
    if found is None:
        return Finding("freshness", "ok", "not watched: pincite sync --watch and serve --sync measure it")
    lag_s, at = found
    when = datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")
    return Finding("freshness", "ok", f"the last change was searchable after {lag_s:.1f} s ({when})")


def _encoder(setup: Setup) -> Finding:
    found = find_encoder(setup.settings.encoder)
    if found is None:
        return Finding("encoder", "missing", "none: search goes by words only", _OFFLINE)
    indexed = _indexed_encoder(setup)
    if found.folder is not None and indexed is not None:
        require_same_encoder(indexed, found.spec)
    return Finding("encoder", "ok", str(found))


def _indexed_encoder(setup: Setup) -> EncoderSpec | None:
    """The encoder of the index; without an index any encoder will do."""
    with suppress(NothingUsableError):
        return setup.open_index().info.encoder
    return None


def _tokens(_setup: Setup) -> Finding:
    if using_estimate():
        return Finding("tokens", "missing", "estimated, the tiktoken vocabulary is not here", _OFFLINE)
    return Finding("tokens", "ok", "counted with the tiktoken vocabulary cl100k_base")


def _reranker(setup: Setup) -> Finding:
    found = find_reranker(setup.settings.reranker)
    if found is not None:
        return Finding("reranker", "ok", str(found))
    why = why_none(setup.settings.reranker)
    return Finding("reranker", "missing", f"none ({why}): results keep the order of the merged searches")


def _model(setup: Setup) -> Finding:
    name = setup.settings.model
    if name is None or name == EXTRACTIVE:
        chosen = "set" if name else "none set"
        return Finding("model", "ok", f"{chosen}: answers are sentences of the documents ({EXTRACTIVE})")
    url = setup.settings.base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_BASE_URL
    problem = probe(url, name, os.environ.get("OPENAI_API_KEY"))
    if problem is None:
        return Finding("model", "ok", f"{name} at {url}")
    return Finding("model", "wrong", f"{name} at {url}: {problem.message}", problem.hint, False)


_CHECKS = (_settings, _index, _freshness, _encoder, _tokens, _reranker, _model)
