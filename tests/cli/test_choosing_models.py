"""Which encoder and reranker a command uses, and what doctor says about it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.corpus import encoder_load

Program = Callable[..., Any]

FINDINGS = {"settings", "index", "freshness", "encoder", "tokens", "reranker", "model"}


@pytest.fixture(autouse=True)
def no_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)


def test_without_weights_the_reranker_is_skipped_and_why_is_recorded(program: Program, db: Path) -> None:
    found = program("search", "boiler pressure", "--db", db, "--json").json
    (attempt,) = [one for one in found["attempts"] if one["leg"] == "reranked"]
    assert attempt["outcome"] == "skipped" and "is not on this machine" in attempt["reason"]
    assert found["used"] == "keyword" and found["passages"]
    answer = program("ask", "What is the working pressure of the boiler?", "--db", db, "--json").json
    assert "reranked" in {one["leg"] for tried in answer["retrieval"] for one in tried["attempts"]}
    off = program("search", "boiler pressure", "--reranker", "none", "--db", db, "--json").json
    assert "reranked" not in {one["leg"] for one in off["attempts"]}


@pytest.mark.parametrize("reranker", [[], ["--reranker", "none"], ["--reranker", "/no/such/folder"]])
def test_reranking_alone_without_a_reranker_is_one_line(
    program: Program, db: Path, reranker: list[str]
) -> None:
    outcome = program("search", "pressure", "--leg", "reranked", *reranker, "--db", db)
    assert (outcome.code, outcome.out) == (3, "")
    assert "reranker" in outcome.complaint and "--reranker" in outcome.complaint


def test_a_named_reranker_that_is_not_there_is_an_error(program: Program, db: Path) -> None:
    for command in (["search", "pressure"], ["ask", "What is the pressure?"]):
        outcome = program(*command, "--reranker", "no/such-model", "--db", db)
        assert (outcome.code, outcome.out) == (3, "")
        assert "no/such-model" in outcome.complaint


def test_an_index_without_vectors_loads_no_encoder(
    program: Program, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("the encoder was loaded")

    monkeypatch.setattr(encoder_load, "load_model", fail)
    monkeypatch.setattr("pincite.corpus.encoder.load_model", fail)
    answer = program("ask", "What is the working pressure of the boiler?", "--db", db, "--json")
    assert answer.json["status"] == "answered"
    reasons = {
        one["reason"]
        for tried in answer.json["retrieval"]
        for one in tried["attempts"]
        if one["leg"] == "vector"
    }
    assert reasons == {"this index has no vectors"}
    assert "loading the encoder" not in answer.err
    found = program("search", "boiler pressure", "--db", db, "--json")
    assert found.json["used"] == "keyword" and "loading" not in found.err


def test_doctor_ends_by_what_can_be_done(program: Program, db: Path, tmp_path: Path) -> None:
    fine = program("doctor", "--db", db, "--json")
    assert fine.code == 0
    assert {finding["what"] for finding in fine.json["findings"]} == FINDINGS
    for finding in fine.json["findings"]:
        assert set(finding) == {"what", "state", "detail", "hint", "usable"}
        assert finding["state"] in {"ok", "missing", "wrong"}
    nothing = program("doctor", "--db", "nowhere", "--json")
    assert nothing.code == 3
    states = {finding["what"]: finding["usable"] for finding in json.loads(nothing.out)["findings"]}
    assert not states["index"] and states["model"]
    (tmp_path / "void").mkdir()
    program("sync", tmp_path / "void", "--db", "empty", "--no-vectors")
    assert program("doctor", "--db", "empty").code == 3
    dead = ["--model", "m", "--base-url", "http://127.0.0.1:9/v1"]
    assert program("doctor", "--db", db, *dead).code == 4
    assert "reranker  none (" in program("doctor", "--db", db).out


def test_a_named_encoder_that_is_not_there_is_an_error(program: Program, db: Path, folder: Path) -> None:
    for command in (["search", "pressure"], ["sync", folder]):
        outcome = program(*command, "--encoder", "/no/such/folder", "--db", db)
        assert outcome.code in {3, 4} and outcome.out == ""
        assert "/no/such/folder" in outcome.complaint
    assert program("search", "pressure", "--leg", "keyword", "--encoder", "/no/such", "--db", db).code == 0
