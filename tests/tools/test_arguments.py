"""Arguments are read as they are meant where that is safe; what is wrong names its field and an example."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pincite.tools.arguments import (
    Arguments,
    ContentsArguments,
    DefineArguments,
    ReadArguments,
    SearchArguments,
    parse,
)
from pincite.tools.failures import ToolFailedError
from pincite.tools.schema import tool_schema

MODELS: tuple[type[Arguments], ...] = (SearchArguments, ContentsArguments, ReadArguments)


def nested(depth: int) -> Any:
    value: Any = "x"
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("arguments", "parts", "limit"),
    [
        ({"query": "annual fee"}, ["annual fee"], 6),
        ({"query": "annual fee", "limit": "5"}, ["annual fee"], 5),
        ({"query": "annual fee", "limit": 50.0}, ["annual fee"], 50),
        ({"query": "annual fee", "limit": None, "document": "", "from": " "}, ["annual fee"], 6),
        ({"query": ["annual fee", "due date"]}, ["annual fee", "due date"], 6),
        ({"queries": ["annual fee", "due date", "annual fee"]}, ["annual fee", "due date"], 6),
        ({"queries": '["annual fee", "due date"]'}, ["annual fee", "due date"], 6),
        ({"queries": "annual fee"}, ["annual fee"], 6),
        ({"query": "annual fee", "queries": ["due date"]}, ["annual fee", "due date"], 6),
        ({"query": 1999, "unheard": None}, ["1999"], 6),
        ({"query": "年費"}, ["年費"], 6),
        ({"query": "fee \ud83d due"}, ["fee ? due"], 6),
        (
            {"query": "an\u00adnual\u00a0fee\u200b", "queries": ["\x1b[1mdue\x1b[0m"]},
            ["annual fee", "due"],
            6,
        ),
    ],
)
def test_what_is_meant_is_understood(arguments: dict[str, Any], parts: list[str], limit: int) -> None:
    parsed = parse(SearchArguments, arguments)
    assert (parsed.parts, parsed.limit, parsed.document, parsed.start) == (parts, limit, None, None)


@pytest.mark.parametrize(
    ("model", "arguments", "field"),
    [
        (SearchArguments, {"query": '"*?!" -- ()'}, "query"),
        (SearchArguments, {"query": "a" * 2001}, "query"),
        (SearchArguments, {"query": {"text": "fee"}}, "query"),
        (SearchArguments, {"query": nested(60_000)}, "queries"),
        (SearchArguments, {"query": "fee", "limit": -3}, "limit"),
        (SearchArguments, {"query": "fee", "limit": 0}, "limit"),
        (SearchArguments, {"query": "fee", "limit": 1_000_000_000}, "limit"),
        (SearchArguments, {"query": "fee", "limit": "9" * 5000}, "limit"),
        (SearchArguments, {"query": "fee", "limit": 2.5}, "limit"),
        (SearchArguments, {"query": "fee", "limit": True}, "limit"),
        (SearchArguments, {"query": "fee", "limit": "six"}, "limit"),
        (SearchArguments, {"query": "fee", "document": ["a", "b"]}, "document"),
        (SearchArguments, {"query": "fee", "from": 7}, "from"),
        (SearchArguments, {"queries": ["fee", "!"]}, "queries"),
        (SearchArguments, {"queries": ["fee"] * 9}, "queries"),
        (ReadArguments, {"document": "a"}, "section"),
        (ReadArguments, {"section": "4"}, "document"),
        (ReadArguments, {"document": "a", "section": "x" * 1001}, "section"),
        (ContentsArguments, {"document": {}}, "document"),
        (SearchArguments, {"query": "fee", "bogus": 1}, "bogus"),
        (SearchArguments, {"query": "fee", 'x"\n': 1}, r"x\""),
        (SearchArguments, {"query": "fee", "a" * 5000: 1}, "a" * 39 + "…"),
        (ContentsArguments, ["lease.md"], "arguments"),
        (ContentsArguments, None, "arguments"),
        (ContentsArguments, "lease.md", "arguments"),
    ],
)
def test_what_is_wrong_names_the_field_and_shows_a_call_that_works(
    model: type[Arguments], arguments: object, field: str
) -> None:
    with pytest.raises(ToolFailedError) as caught:
        parse(model, arguments)
    error = caught.value.error
    assert error.code == "bad_arguments"
    assert error.message.startswith(f'"{field}": ')
    assert len(error.message) < 200
    assert model.example in error.hint


@pytest.mark.parametrize(
    ("model", "arguments", "near"),
    [
        (SearchArguments, {"query": "fee", "documnet": "lease.md"}, ("document",)),
        (SearchArguments, {"query": "fee", "start": "n1"}, ("from",)),
        (SearchArguments, {"query": "fee", "zzz": 1}, ()),
        (ContentsArguments, {"folders": "a/"}, ("folder",)),
        (ReadArguments, {"document": "a", "section": "1", "relativeTo": "2"}, ("relative_to",)),
    ],
)
def test_an_argument_that_there_is_not_is_refused_with_the_nearest_name(
    model: type[Arguments], arguments: dict[str, Any], near: tuple[str, ...]
) -> None:
    with pytest.raises(ToolFailedError) as caught:
        parse(model, arguments)
    assert caught.value.error.near == near
    assert "there is no such argument" in caught.value.error.message
    assert near or '"zzz"' in caught.value.error.message


def test_a_name_is_taken_as_it_is_written_and_what_is_looked_for_as_it_is_seen() -> None:
    document, words = "fees\u00a0\u200b.md", "an\u00adnual fee"
    contents = parse(ContentsArguments, {"document": document, "find": words})
    assert (contents.document, contents.find) == (document, "annual fee")
    assert parse(DefineArguments, {"term": words}).term == "annual fee"


def test_numbers_are_names_too() -> None:
    assert parse(ReadArguments, {"document": ["lease.md"], "section": 4.2}).section == "4.2"
    assert parse(ReadArguments, {"document": "lease.md", "section": 4}).section == "4"


@pytest.mark.parametrize("model", MODELS)
def test_schemas_are_plain_and_their_examples_pass(model: type[Arguments]) -> None:
    schema = tool_schema(model)
    assert schema.name == model.tool
    assert model.example in schema.description
    assert parse(model, json.loads(model.example))
    text = json.dumps(schema.openai())
    assert '"title"' not in text
    assert "anyOf" not in text
    assert '"null"' not in text
    assert schema.openai()["function"]["parameters"]["type"] == "object"
    assert all("description" in one for one in schema.parameters["properties"].values())


def test_the_schemas_hold_what_the_tools_take() -> None:
    taken = {model.tool: set(tool_schema(model).parameters["properties"]) for model in MODELS}
    assert taken == {
        "search": {"query", "queries", "limit", "document", "from"},
        "table_of_contents": {"document", "section", "from", "depth", "folder", "find"},
        "read_section": {"document", "section", "from", "relative_to"},
    }
    assert tool_schema(SearchArguments).parameters["required"] == ["query"]
    assert tool_schema(ReadArguments).parameters["required"] == ["document", "section"]
    limit = tool_schema(SearchArguments).parameters["properties"]["limit"]
    assert (limit["type"], limit["minimum"], limit["maximum"], limit["default"]) == ("integer", 1, 50, 6)
