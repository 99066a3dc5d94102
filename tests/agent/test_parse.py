from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.agent.parse import BadArgumentsError, canonical, clean_text, fit, read_arguments

SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "queries": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
        "limit": {"type": "integer"},
        "from": {"type": ["string", "null"]},
    },
    "required": ["query"],
}


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ('{"query": "a"}', {"query": "a"}),
        ("", {}),
        ("  \n", {}),
        ("{}", {}),
        ("{'query': 'a'}", {"query": "a"}),
        ("{'query': \"it's\", 'deep': [True, None,],}", {"query": "it's", "deep": [True, None]}),
        ("{'query': 'a', 'deep': [true, false, null],}", {"query": "a", "deep": [True, False, None]}),
        ("{query: 'a', limit: 3}", {"query": "a", "limit": 3}),
        ("{\u201cquery\u201d: \u201ca\u201d}", {"query": "a"}),
        ('"{\\"query\\": \\"a\\"}"', {"query": "a"}),
        ('```json\n{"query": "a"}\n```', {"query": "a"}),
        ('{"query": "a"}}', {"query": "a"}),
        ('{"query": "a"}</tool_call>', {"query": "a"}),
        ('{"query": "a"}<|im_end|>', {"query": "a"}),
        ('{"query": "two\nlines"}', {"query": "two\nlines"}),
        ('{"query": "fee \\ud83d due"}', {"query": "fee \ufffd due"}),
        ('{"query": "\\ud83d\\ude00"}', {"query": "\U0001f600"}),
        ("{'query': '\\ud83d\\ude00'}", {"query": "\U0001f600"}),
        ('{"query": "a\\u0000b"}', {"query": "a\ufffdb"}),
    ],
)
def test_what_is_plain_is_read(raw: str, expected: dict[str, Any]) -> None:
    assert read_arguments(raw) == expected


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ('["annual fee"]', "a JSON list"),
        ('"annual fee"', "a JSON string"),
        ("null", "null"),
        ("true", "a JSON boolean"),
        ("7", "a JSON number"),
        ('{"query":"a"}{"query":"b"}', "more behind the first JSON value, from character 13"),
        ('{"query":"a"} {"query":"b"}', "more behind the first JSON value"),
        ('{"query": NaN}', "NaN is no JSON value"),
        ('{"query": 1' + "0" * 5000 + "}", "digits"),
        ('{"query": a}', "not JSON: Expecting value at character 10"),
        ("annual fee", "not JSON"),
        ("{'limit': 0x" + "f" * 9000 + "}", "too large"),
        ("{'query': b'bytes'}", "no JSON value"),
        ("{'query': {1, 2}}", "no JSON value"),
        ('{"query": 1e999}', "inf is no JSON value"),
        ("__import__('os').getcwd()", "not JSON"),
        ('{"query":' + "[" * 60_000 + "]" * 60_000 + "}", "nested more than 64 levels"),
        ("(" * 60_000, "nested more than 64 levels"),
        ("{" + " " * 1_000_001 + "}", "longer than 1,000,000 characters"),
    ],
)
def test_what_could_mean_several_things_is_refused_with_the_reason(raw: str, problem: str) -> None:
    with pytest.raises(BadArgumentsError, match=problem) as caught:
        read_arguments(raw)
    assert not caught.value.cut


@pytest.mark.parametrize(
    "raw",
    [
        '{"query":"annual fee of the cl',
        '{"query":"annual fee"',
        '{"statements":[{"text":"a","citations":[{"passage":"P1","quote":"Members pay an ann',
        "{'query': 'it",
        '{"query":',
        "{",
    ],
)
@pytest.mark.parametrize("cut", [True, False])
def test_what_is_cut_off_is_never_completed(raw: str, cut: bool) -> None:
    with pytest.raises(BadArgumentsError, match="cut off") as caught:
        read_arguments(raw, cut=cut)
    assert caught.value.cut


def test_a_broken_end_at_the_output_limit_counts_as_cut() -> None:
    with pytest.raises(BadArgumentsError) as caught:
        read_arguments("{'query': 'complete by chance', x}", cut=True)
    assert caught.value.cut


def test_arguments_are_fitted_to_the_schema() -> None:
    sent = {"query": "5", "limit": "5", "queries": '["a", "b"]', "from": None, "tenant": "other"}
    fitted = {"query": "5", "limit": 5, "queries": ["a", "b"]}
    assert fit(sent, SCHEMA) == fitted | {"tenant": "other"}


def test_what_does_not_fit_is_left_for_the_tool_to_refuse() -> None:
    sent = {"query": None, "limit": "many", "queries": "[broken"}
    assert fit(sent, SCHEMA) == {"query": None, "limit": "many", "queries": "[broken"}


def test_equal_arguments_are_equal_in_any_order() -> None:
    assert canonical({"a": 1, "b": [2]}) == canonical({"b": [2], "a": 1})
    assert canonical({"a": 1}) != canonical({"a": "1"})


@given(st.text(max_size=60) | st.text(alphabet="{}[]\"':,\\ntrue1 ", max_size=60), st.booleans())
def test_any_text_is_read_or_refused(raw: str, cut: bool) -> None:
    try:
        arguments = read_arguments(raw, cut=cut)
    except BadArgumentsError as error:
        assert str(error)
    else:
        canonical(arguments).encode()
        json.dumps(arguments, ensure_ascii=False, default=str).encode()


@given(st.text(alphabet=st.characters() | st.sampled_from("\ud800\udfff\ud83d\ude00\x00")))
def test_cleaned_text_can_always_be_encoded(text: str) -> None:
    cleaned = clean_text(text)
    cleaned.encode()
    assert "\x00" not in cleaned
