"""The MCP server's tools take what those of the loop take; its resources come in pages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import write

pytest.importorskip("mcp", reason="the extra mcp is not installed")

import jsonschema
from jsonschema_specifications import REGISTRY as SPECIFICATIONS  # type: ignore[import-untyped]
from mcp import Client, MCPError
from mcp_types import TextResourceContents
from tests.server.mcp_client import in_memory, quoting

from pincite.agent.answer_tool import answer_schema
from pincite.corpus.sync import sync
from pincite.tools.toolbox import own_schemas, tool_schemas

LEASE = """# Lease

## 1 Definitions

"Quarter Day" means the first day of January, April, July or October.

"Service Charge" means the share of ⟦heating⟧ that the tenant pays.

## 2 Ending

### 2.1 Notice

The tenant ends the lease by notice before a Quarter Day.

### 2.2 Form

A notice under Section 2.1 is in writing.
"""
LONG = "# Log\n\n## Entries\n\n" + "\n\n".join(
    f"Entry {number}: the pump ran for {number % 24} hours and used {number} litres of oil."
    for number in range(1, 1_500)
)


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("large")
    write(root / "texts", {"lease.md": LEASE, "log.md": LONG})
    for year in (2019, 2020, 2021):
        files = {f"memo-{n:03}.md": f"# Memo {year}-{n:03}\n\nRoom {n} was painted.\n" for n in range(80)}
        write(root / "texts" / str(year), files)
    sync([root / "texts"], root / "kb", vectors=False)
    return root / "kb"


async def call(client: Client, tool: str, **given: Any) -> dict[str, Any]:
    found = (await client.call_tool(tool, given)).structured_content
    assert isinstance(found, dict)
    return found


async def text_of(client: Client, uri: str) -> str:
    found = (await client.read_resource(uri)).contents[0]
    assert isinstance(found, TextResourceContents)
    return found.text


def test_they_are_announced_as_in_the_loop_with_a_session_beside(db: Path) -> None:
    async def use(client: Client) -> None:
        offered = {tool.name: tool for tool in (await client.list_tools()).tools}
        for schema in tool_schemas():
            tool = offered[schema.name]
            properties = dict(tool.input_schema["properties"])
            assert properties.pop("session")["type"] == "string"
            assert {**tool.input_schema, "properties": properties} == schema.parameters
            assert tool.description == schema.description

    in_memory(db, use)


def keywords(schema: Any) -> set[str]:
    """What a schema says, down to its leaves; names of properties and definitions are no keywords."""
    if isinstance(schema, list):
        return {word for one in schema for word in keywords(one)}
    if not isinstance(schema, dict):
        return set()
    found = set(schema)
    for key, value in schema.items():
        if key in {"properties", "$defs"}:
            found |= {word for one in value.values() for word in keywords(one)}
        elif key not in {"default", "const", "enum", "examples"}:
            found |= keywords(value)
    return found


def test_every_schema_holds_keywords_of_json_schema_only(db: Path) -> None:
    known = keywords_of_the_standard()

    async def use(client: Client) -> None:
        for tool in (await client.list_tools()).tools:
            for schema in (tool.input_schema, tool.output_schema):
                assert schema is not None
                jsonschema.Draft202012Validator.check_schema(schema)
                assert keywords(schema) <= known, tool.name
            if tool.name == "table_of_contents":
                depth = tool.input_schema["properties"]["depth"]
                assert (depth["type"], depth["minimum"], depth["maximum"]) == ("integer", 1, 20)

    in_memory(db, use)
    for own in [*tool_schemas(), *own_schemas()]:
        assert keywords(own.parameters) <= known, own.name
    for chat in (True, False):
        assert keywords(answer_schema(chat=chat).parameters) <= known


def keywords_of_the_standard() -> set[str]:
    whole = jsonschema.Draft202012Validator.META_SCHEMA
    base = "https://json-schema.org/draft/2020-12/"
    parts = [whole, *(SPECIFICATIONS.contents(base + one["$ref"]) for one in whole["allOf"])]
    return {name for part in parts for name in part.get("properties", {})}


@pytest.mark.parametrize(
    ("tool", "given", "words"),
    [
        ("search", {"query": "Quarter Day", "queries": ["form of the notice"]}, "in writing"),
        ("search", {"query": ["Quarter Day", "form of the notice"], "limit": "5"}, "in writing"),
        ("search", {"queries": '["form of a notice"]', "document": ["lease.md"], "from": ""}, "in writing"),
        ("table_of_contents", {"folder": "2020", "find": "memo-07"}, "Memo 2020-079"),
        ("table_of_contents", {"document": "Lease", "section": "2", "depth": 2.0}, "Notice"),
        (
            "read_section",
            {"document": "lease.md", "section": "Section 2.1", "relative_to": "2.2"},
            "by notice",
        ),
        ("define", {"term": '"quarter day"', "document": "lease.md"}, "first day of January"),
        ("define", {"term": "Quarter Days"}, "first day of January"),
    ],
)
def test_they_read_their_arguments_as_in_the_loop(
    db: Path, tool: str, given: dict[str, Any], words: str
) -> None:
    async def use(client: Client) -> None:
        schema = next(one for one in (await client.list_tools()).tools if one.name == tool).output_schema
        result = await client.call_tool(tool, given)
        assert not result.is_error
        assert words in json.dumps(result.structured_content)
        assert schema is not None
        jsonschema.validate(result.structured_content, schema)

    in_memory(db, use)


@pytest.mark.parametrize(
    ("tool", "given", "code", "words"),
    [
        ("search", {}, "bad_arguments", '"query"'),
        ("search", {"query": "x", "limit": 1000}, "bad_arguments", '"limit": must be at most 50'),
        ("search", {"query": "?!"}, "bad_arguments", "holds no letter"),
        ("read_section", {"document": "lease.md"}, "bad_arguments", '"section": is missing'),
        ("define", {"term": "Quarter Month"}, "no_match", "Quarter Day"),
        ("define", {"term": "Quarter Day", "document": "leese.md"}, "no_such_document", "lease.md"),
        ("check_answer", {}, "bad_arguments", '"statements"'),
        ("check_answer", {"statements": [7]}, "bad_arguments", "statements"),
        ("check_answer", {"statements": [{"text": "a"}], "question": 7}, "bad_arguments", '"question"'),
        ("search", {"query": "notice", "bogus": 1}, "bad_arguments", '"bogus": there is no such argument'),
        ("search", {"query": "notice", "documnet": "lease.md"}, "bad_arguments", 'Nearest: "document"'),
        ("check_answer", {"statements": [], "quesiton": "a"}, "bad_arguments", 'Nearest: "question"'),
        ("search", {"query": "notice", "session": 7}, "no_such_session", "Call without it"),
    ],
)
def test_what_is_wrong_is_said_in_plain_words(
    db: Path, tool: str, given: dict[str, Any], code: str, words: str
) -> None:
    async def use(client: Client) -> None:
        result = await client.call_tool(tool, given)
        assert isinstance(result.structured_content, dict)
        assert result.structured_content["error"]["code"] == code
        assert result.is_error is (code != "no_match")
        text = getattr(result.content[0], "text", "")
        assert words in text
        assert "pydantic" not in text and "validation error" not in text

    in_memory(db, use)


def test_an_unknown_tool_is_an_error_that_names_the_others(db: Path) -> None:
    async def use(client: Client) -> None:
        result = await client.call_tool("delete_everything", {})
        assert result.is_error
        assert "search" in getattr(result.content[0], "text", "")

    in_memory(db, use)


def test_a_definition_is_shown_under_a_handle_that_can_be_cited(db: Path) -> None:
    async def use(client: Client) -> None:
        found = await call(client, "define", term="Service Charge")
        (handle,) = found["handles"]
        assert found["definitions"][0]["section"] and "heating" in found["definitions"][0]["text"]
        said = "The share of heating that the tenant pays."
        # A model copies from the text that it reads, in which the signs of the delimiters are escaped.
        for quote in ("the share of ⟦heating⟧ that the tenant", "the share of ⟦·heating⟧ that the tenant"):
            checked = await call(client, "check_answer", statements=quoting(handle, quote, said))
            assert checked["passed"], checked
        as_text = json.dumps(quoting(handle, "that the tenant pays", "The tenant pays it."))
        assert (await call(client, "check_answer", statements=as_text))["passed"]
        assert (await call(client, "define", term="service charge"))["already_shown"] == [handle]

    in_memory(db, use)


def test_documents_are_listed_in_pages_and_opened_by_their_addresses(db: Path) -> None:
    async def use(client: Client) -> None:
        cursor, seen = None, []
        for _ in range(10):
            page = await client.list_resources(cursor=cursor)
            seen += [str(one.uri) for one in page.resources]
            cursor = page.next_cursor
            if cursor is None:
                break
        assert len(seen) == len(set(seen)) == 1 + 242
        assert seen[0] == "pincite://documents"
        assert "Memo 2021-003" in await text_of(client, next(uri for uri in seen if "2021%2Fmemo-003" in uri))
        with pytest.raises(MCPError):
            await client.list_resources(cursor="-5")
        assert len((await client.list_resource_templates()).resource_templates) == 3
        assert (await client.list_prompts()).prompts == [] if client.server_capabilities.prompts else True

    in_memory(db, use)


def test_many_documents_are_resources_by_folder(db: Path) -> None:
    async def use(client: Client) -> None:
        top = json.loads(await text_of(client, "pincite://documents"))
        assert {row["folder"]: row["documents"] for row in top["folders"]} == {
            "texts/2019/": 80, "texts/2020/": 80, "texts/2021/": 80
        }  # fmt: skip
        lease = next(row for row in top["documents"] if row["document"] == "texts/lease.md")
        contents = json.loads(await text_of(client, lease["contents"]))
        assert contents["title"] == "Lease"
        text = await text_of(client, f"{lease['contents']}/sections/2.2")
        assert "in writing" in text
        address, rows = top["folders"][1]["documents_in_it"], []
        while address:
            page = json.loads(await text_of(client, address))
            rows += [row["document"] for row in page["documents"]]
            address = page.get("next_address")
        assert rows == [f"texts/2020/memo-{n:03}.md" for n in range(80)]

    in_memory(db, use)


def test_a_long_section_goes_on_at_the_address_on_its_last_line(db: Path) -> None:
    async def use(client: Client) -> None:
        address, whole = "pincite://documents/texts%2Flog.md/sections/Entries", ""
        for _ in range(100):
            text = await text_of(client, address)
            body, mark, rest = text.rpartition("[goes on at ")
            whole += body if mark else text
            if not mark:
                break
            address = rest.rstrip("]")
        missing = [n for n in range(1, 1_500) if f"Entry {n}:" not in whole]
        assert not missing

    in_memory(db, use)


@pytest.mark.parametrize(
    ("uri", "words"),
    [
        ("pincite://documents/..%2F..%2Fetc%2Fpasswd", "no_such_document"),
        ("pincite://documents/texts%2Fleese.md", "no_such_document"),
        ("pincite://documents/texts%2Flease.md/sections/9", "no_such_section"),
        ("pincite://documents/texts%2Flease.md?from=x", "bad_arguments"),
        ("pincite://documents/texts%2Flease.md?sectoin=2", "bad_arguments"),
        ("pincite://secrets", "not_found"),
        ("file:///etc/passwd", "not_found"),
    ],
)
def test_an_address_of_nothing_is_a_plain_error(db: Path, uri: str, words: str) -> None:
    async def use(client: Client) -> None:
        with pytest.raises(MCPError) as caught:
            await client.read_resource(uri)
        assert caught.value.message.startswith(words)

    in_memory(db, use)
