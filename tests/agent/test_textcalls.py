from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.agent.parse import read_arguments
from pincite.agent.textcalls import find_calls, normal_name

TOOLS = {
    "search": frozenset({"query", "queries", "limit", "document", "from"}),
    "table_of_contents": frozenset({"document", "section", "from"}),
    "read_section": frozenset({"document", "section", "from"}),
    "answer": frozenset({"statements", "unanswered", "status"}),
}
FEE = ("search", {"query": "annual fee"})


ANNUAL = '{"name": "search", "arguments": {"query": "annual fee"}}'
OTHER = '{"name": "search", "arguments": {"query": "b"}}'
B = ("search", {"query": "b"})
WRITTEN = {
    "hermes": ('<tool_call>{"name":"search","arguments":{"query":"annual fee"}}</tool_call>', [FEE]),
    "hermes behind words, not closed": (f"I will look.\n<tool_call>\n{ANNUAL}\n", [FEE]),
    "hermes twice": (f"<tool_call>{ANNUAL}</tool_call><tool_call>{OTHER}</tool_call>", [FEE, B]),
    "qwen coder": (
        "<tool_call>\n<function=search>\n<parameter=query>\nannual fee\n</parameter></function></tool_call>",
        [FEE],
    ),
    "glm": (
        "<tool_call>search\n<arg_key>query</arg_key>\n<arg_value>annual fee</arg_value></tool_call>",
        [FEE],
    ),
    "llama function": ('<function=search>{"query": "annual fee"}</function>', [FEE]),
    "llama function, not closed": ('<function=search>{"query": "annual fee"}', [FEE]),
    "mistral list": (f"[TOOL_CALLS] [{ANNUAL}]", [FEE]),
    "mistral name": ('[TOOL_CALLS]search{"query": "annual fee"}', [FEE]),
    "mistral arguments": (
        '[TOOL_CALLS]search[ARGS]{"query": "annual fee"}[TOOL_CALLS]search[ARGS]{"query":"b"}',
        [FEE, B],
    ),
    "llama python tag": (
        '<|python_tag|>{"name": "search", "parameters": {"query": "annual fee"}}<|eom_id|>',
        [FEE],
    ),
    "llama python call": ('<|python_tag|>search.call(query="annual fee")', [FEE]),
    "deepseek": (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n"
        '```json\n{"query": "annual fee"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
        [FEE],
    ),
    "fenced": (f"Here:\n```json\n{ANNUAL}\n```\nDone.", [FEE]),
    "bare": (ANNUAL, [FEE]),
    "parameters": ('{"name": "search", "parameters": {"query": "annual fee"}}', [FEE]),
    "flat": ('{"tool": "search", "query": "annual fee"}', [FEE]),
    "wire shape": (
        '{"type":"function","function":{"name":"search","arguments":"{\\"query\\":\\"annual fee\\"}"}}',
        [FEE],
    ),
    "list": (f"[{ANNUAL}]", [FEE]),
    "lines": (f"{ANNUAL}\n{OTHER}", [FEE, B]),
    "python": ('search(query="annual fee")', [FEE]),
    "python list": ('[search(query="annual fee"), search(query="b")]', [FEE, B]),
    "gemma": ('```tool_code\nsearch(query="annual fee")\n```', [FEE]),
    "code tags": ('Thought: look it up.\n<code>\nprint(search(query="annual fee"))\n</code>', [FEE]),
    "arguments alone": ('{"query": "annual fee"}', [FEE]),
    "behind a thought": ('<think>Perhaps {"name": "answer"}?</think>{"query": "annual fee"}', [FEE]),
    "an answer": (
        '```json\n{"status":"not_found","statements":[]}\n```',
        [("answer", {"status": "not_found", "statements": []})],
    ),
    "a tool that is not there": (
        '<tool_call>{"name":"web_search","arguments":{"q":"x"}}</tool_call>',
        [("web_search", {"q": "x"})],
    ),
}


DIALECTS = json.loads((Path(__file__).parent / "fixtures" / "dialects.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("one", DIALECTS.values(), ids=DIALECTS)
def test_other_dialects_are_read_too(one: dict[str, Any]) -> None:
    """In the fixture {A} and {B} stand for the two calls as JSON."""
    text = one["text"].replace("{A}", ANNUAL).replace("{B}", OTHER)
    found = [
        (normal_name(call.name, TOOLS), read_arguments(call.arguments)) for call in find_calls(text, TOOLS)
    ]
    assert found == [FEE, B][: one["calls"]]


@pytest.mark.parametrize(("text", "expected"), WRITTEN.values(), ids=WRITTEN)
def test_calls_written_as_text_are_found(text: str, expected: list[tuple[str, object]]) -> None:
    assert [(call.name, json.loads(call.arguments)) for call in find_calls(text, TOOLS)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The fee is 240 crowns.",
        "I would call search(query='annual fee') if I could.",
        '{"fee": 240}',
        '{"name": "Anna", "age": 7}',
        '{"document": "bylaws"}',
        "search('annual fee')",
        "search(query=__import__('os').getcwd())",
        "search(**{'query': 'x'})",
        "{" * 5000,
        "search(query=" + "(" * 5000,
        "<think>search(query='a')",
        '["annual fee"]',
        "print(1)",
        "x = 5",
        "<tool_call> is what I would write.",
        "Action: search\nfor the fee",
        'The object {"name": "search"} names a tool.',
        "The fee:\n[1] 240 crowns",
        'It holds:\n{"fee": {"amount": 240}}',
    ],
)
def test_other_text_holds_no_call(text: str) -> None:
    assert find_calls(text, TOOLS) == []


@pytest.mark.parametrize(
    ("name", "tool"),
    [
        ("search", "search"),
        ("Search", "search"),
        (" search ", "search"),
        ("functions.search", "search"),
        ("readSection", "read_section"),
        ("read-section", "read_section"),
        ("web_search", None),
        ("", None),
        ("...", None),
        ("searches", None),
    ],
)
def test_a_name_means_a_tool_whatever_its_case(name: str, tool: str | None) -> None:
    assert normal_name(name, TOOLS) == tool


_PIECES = (
    *("<tool_call>", "</tool_call>", "<function=", "search", ">", "{", "}", '"', "[TOOL_CALLS]", "(", ")"),
    *("[", "]", "<|python_tag|>", "```json\n", "```", '{"name":', '"arguments":', "query=", "'", "\\"),
    *("\ud83d", "<think>", "\n", ",", "\\d"),
)


@given(st.lists(st.sampled_from(_PIECES), max_size=25).map("".join))
def test_any_text_gives_calls_or_none(text: str) -> None:
    for call in find_calls(text, TOOLS):
        assert isinstance(call.name, str)
        assert isinstance(call.arguments, str)
