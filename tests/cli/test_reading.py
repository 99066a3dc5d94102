from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Program = Callable[..., Any]

BOILER = "house/manuals/boiler.md"


def test_search_shows_where_a_passage_stands(program: Program, db: Path) -> None:
    outcome = program("search", "F28", "--leg", "keyword", "--db", db)
    assert outcome.code == 0
    assert "Boiler manual > Faults > F28" in outcome.out
    assert "Open the gas valve and press the reset key once." in outcome.out


def test_search_json_is_the_contract(program: Program, db: Path) -> None:
    found = program("search", "working pressure", "--db", db, "--json").json
    assert set(found) == {"passages", "used", "attempts", "already_shown", "next", "error"}
    assert found["used"] == "keyword"
    assert found["error"] is None
    first = found["passages"][0]
    assert {"handle", "document", "section", "number", "heading_path", "page", "text", "score"} <= set(first)
    assert (first["handle"], first["document"]) == ("P1", BOILER)
    assert first["heading_path"] == "Pressure"
    assert "1.5 bar" in first["text"]


def test_one_leg_is_taken_without_a_fallback(program: Program, db: Path) -> None:
    legs = program("search", "pressure", "--leg", "keyword", "--db", db, "--json").json["attempts"]
    assert [attempt["leg"] for attempt in legs] == ["keyword"]
    vector = program("search", "pressure", "--leg", "vector", "--db", db, "--json")
    assert vector.code == 4
    assert vector.json["error"]["code"] == "search_unavailable"
    assert "pincite doctor" in vector.complaint


def test_a_search_that_finds_nothing_is_no_failure(program: Program, db: Path) -> None:
    outcome = program("search", "zeppelin", "--db", db, "--json")
    assert outcome.code == 0
    assert (outcome.json["passages"], outcome.json["error"]["code"]) == ([], "no_match")
    assert "Nothing in the documents matches" in program("search", "zeppelin", "--db", db).err


def test_search_goes_on_where_it_stopped(program: Program, db: Path) -> None:
    first = program("search", "the boiler", "--limit", "1", "--db", db, "--json").json
    second = program(
        "search", "the boiler", "--limit", "1", "--from", first["next"], "--db", db, "--json"
    ).json
    assert second["passages"][0]["text"] != first["passages"][0]["text"]


def test_the_contents_are_a_tree(program: Program, db: Path) -> None:
    outcome = program("toc", "Boiler manual", "--db", db)
    lines = outcome.out.splitlines()
    assert lines[0] == f"Boiler manual ({BOILER})"
    titles = [line.partition("  (")[0] if line.strip() else "" for line in (one[2:] for one in lines[1:])]
    assert [line.strip() for line in titles] == ["Boiler manual", "Pressure", "Faults", "F28"]
    depth = {line.strip(): len(line) - len(line.lstrip()) for line in titles}
    assert all(line.endswith(" tokens)") for line in lines[1:])
    assert depth["F28"] > depth["Faults"] == depth["Pressure"]
    contents = program("toc", "Boiler manual", "--db", db, "--json").json
    assert (contents["document"], contents["title"], contents["next"]) == (BOILER, "Boiler manual", None)
    below = program("toc", BOILER, "Faults", "--db", db, "--json").json
    assert [child["title"] for child in below["sections"][0]["children"]] == ["F28"]


def test_a_document_goes_by_id_path_or_title(program: Program, db: Path) -> None:
    texts = {
        program("read", name, "pressure", "--db", db).out
        for name in (BOILER, "manuals/boiler.md", "boiler MANUAL")
    }
    assert len(texts) == 1
    assert "Refill it when the pressure falls below 0.8 bar." in texts.pop()


def test_read_json_is_the_contract(program: Program, db: Path) -> None:
    section = program("read", BOILER, "Pressure", "--db", db, "--json").json
    wanted = {
        "document",
        "section",
        "number",
        "title",
        "heading_path",
        "page",
        "text",
        "previous",
        "next",
        "error",
    }
    assert wanted <= set(section)
    assert (section["document"], section["title"], section["error"]) == (BOILER, "Pressure", None)
    assert section["next"]["title"] == "Faults"


def test_documents_out_of_force_are_found_on_their_day_only(program: Program, db: Path) -> None:
    query = ["search", "visit", "--leg", "keyword", "--db", db, "--json"]
    assert not [p for p in program(*query).json["passages"] if "80 euros" in p["text"]]
    assert "80 euros" in program(*query, "--as-of", "2020-06-30").json["passages"][0]["text"]


def test_text_of_a_document_cannot_steer_the_terminal(program: Program, db: Path) -> None:
    for arguments in (["search", "password"], ["toc"], ["toc", "hostile.md"], ["list"]):
        for flags in ([], ["--json"]):
            outcome = program(*arguments, *flags, "--db", db)
            assert outcome.code == 0
            assert not {"\x1b", "\x07", "\u202e", "\x9b"} & set(outcome.out + outcome.err)
    assert "terces" in program("search", "password", "--db", db).out


@pytest.mark.parametrize("command", [["search", "rent", "--leg", "keyword"], ["toc"], ["list"], ["doctor"]])
def test_looking_things_up_loads_no_model_library(db: Path, command: list[str]) -> None:
    code = f"""
import sys
from pincite.cli.app import run
assert run({[*command, "--db", str(db)]!r}) == 0
print([name for name in ("torch", "openai", "sentence_transformers", "transformers") if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
