from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from tests.agent.scripted_server import Json, Reply, ScriptedServer, call, completion
from tests.agent.stub_tools import StubTools
from tests.agent.worlds import ARREARS, FEE, FEE_STATEMENT, QUESTION

from pincite.agent import modes
from pincite.agent.events import Done, Notice
from pincite.agent.loop import Agent
from pincite.agent.openai_model import OpenAIModel
from pincite.agent.outcome import Status, StopReason
from pincite.transcripts.writer import MemoryTranscript

TEXT = Reply(body=completion({"content": "The fee is 240 crowns."}))
GOOD = {"statements": [FEE_STATEMENT], "status": "answered"}


def action(tool: str, arguments: Json) -> Reply:
    return Reply(body=completion({"content": json.dumps({"tool": tool, "arguments": arguments})}))


class Setup:
    def __init__(self, server: ScriptedServer, **options: Any) -> None:
        self.server = server
        self.options = options
        self.model = self.again()

    def again(self) -> OpenAIModel:
        return OpenAIModel("tiny", base_url=self.server.url, **self.options)

    def ask(self) -> Any:
        return self.told()[-1].answer

    def told(self) -> list[Any]:
        tools = StubTools({"*": [FEE, ARREARS]}, {}, ["bylaws"])
        return list(Agent(self.model, tools, transcript=MemoryTranscript()).events(QUESTION))


@pytest.fixture
def served() -> Iterator[Any]:
    running = []

    def start(*replies: Reply, **options: Any) -> Setup:
        context = ScriptedServer(list(replies)).running()
        one = Setup(context.__enter__(), **options)
        running.append((one, context))
        return one

    yield start
    for one, context in running:
        one.model.close()
        context.__exit__(None, None, None)


def test_actions_are_run_and_an_answer_is_checked_as_ever(served: Any) -> None:
    one = served(action("search", {"query": "fee"}), action("answer", GOOD), mode="json")
    assert one.ask().status is Status.answered
    first, second = one.server.requests
    assert "tools" not in first
    assert "tool_choice" not in first
    assert [message["role"] for message in second["messages"]] == ["system", "user", "assistant", "user"]
    assert json.loads(second["messages"][2]["content"]) == {"tool": "search", "arguments": {"query": "fee"}}
    assert second["messages"][3]["content"].startswith("Result of search:\n")
    assert "240 crowns" in second["messages"][3]["content"]
    assert first["max_tokens"] == 1_024


def test_the_schema_holds_exactly_the_tools_on_offer(served: Any) -> None:
    one = served(action("search", {"query": "fee"}), action("answer", GOOD), mode="json")
    one.ask()
    schemas = [request["response_format"]["json_schema"]["schema"] for request in one.server.requests]
    names = [[part["properties"]["tool"]["const"] for part in schema["anyOf"]] for schema in schemas]
    assert names == [
        ["search", "table_of_contents", "read_section", "define"],
        ["search", "table_of_contents", "read_section", "define", "answer"],
    ]
    described = one.server.requests[0]["messages"][0]["content"]
    assert "- search:" in described
    assert "- answer:" not in described


def test_the_schema_allows_only_handles_that_were_shown(served: Any) -> None:
    one = served(action("search", {"query": "fee"}), action("answer", GOOD), mode="json")
    one.ask()
    schema = one.server.requests[1]["response_format"]["json_schema"]["schema"]["anyOf"][-1]
    statements = schema["properties"]["arguments"]["properties"]["statements"]
    citation = statements["items"]["properties"]["citations"]["items"]
    assert citation["properties"]["passage"] == {"type": "string", "enum": ["P1", "P2"]}
    assert citation["properties"]["quote"]["maxLength"] == 400
    assert '"from":' not in json.dumps(one.server.requests[1]["response_format"])


def test_without_a_passage_the_schema_allows_no_statement(served: Any) -> None:
    one = served(action("search", {"query": "x", "document": "none"}), action("answer", GOOD), mode="json")
    one.ask()
    schema = one.server.requests[1]["response_format"]["json_schema"]["schema"]["anyOf"][-1]
    assert schema["properties"]["arguments"]["properties"]["statements"]["maxItems"] == 0


@pytest.mark.parametrize(
    "said",
    ["tools is not supported", "registry/tiny does not support tools", "tools param requires --jinja flag"],
)
def test_a_server_without_tools_is_asked_for_json_at_once_and_remembered(served: Any, said: str) -> None:
    one = served(
        Reply(status=400, body={"error": {"message": said}}),
        action("search", {"query": "fee"}),
        action("answer", GOOD),
    )
    told = one.told()
    assert told[-1].answer.status is Status.answered
    assert [event.code for event in told if isinstance(event, Notice)] == ["json_mode"]
    assert one.again().mode == "json"


def test_a_model_that_never_calls_is_asked_for_json_after_two_turns(served: Any) -> None:
    one = served(TEXT, TEXT, action("search", {"query": "fee"}), action("answer", GOOD))
    told = one.told()
    assert told[-1].answer.status is Status.answered
    assert ["tools" in request for request in one.server.requests] == [True, True, False, False]
    assert one.again().mode == "json"


def test_two_turns_of_text_alone_are_not_remembered_for_ever(served: Any) -> None:
    one = served(TEXT)
    assert one.ask().stop_reason is StopReason.stalled
    assert one.again().mode == "tools"


def test_a_model_with_tools_stays_with_them(served: Any) -> None:
    written = Reply(
        body=completion({"content": '<tool_call>{"name":"search","arguments":{"query":"a"}}</tool_call>'})
    )
    one = served(written, TEXT, TEXT, TEXT)
    one.ask()
    assert all("tools" in request for request in one.server.requests)


def test_the_mode_set_by_hand_is_kept(served: Any) -> None:
    one = served(Reply(status=400, body={"error": {"message": "does not support tools"}}), mode="tools")
    assert one.ask().stop_reason is StopReason.model_error
    assert one.model.mode == "tools"


def test_a_server_without_schemas_is_asked_for_less(served: Any) -> None:
    refused = Reply(status=400, body={"error": {"message": "response_format json_schema is not supported"}})
    one = served(refused, refused, action("search", {"query": "fee"}), action("answer", GOOD), mode="json")
    assert one.ask().status is Status.answered
    formats = [request.get("response_format", {}).get("type") for request in one.server.requests]
    assert formats == ["json_schema", "json_object", None, None]


def test_text_instead_of_an_action_is_answered_with_the_form_that_is_wanted(served: Any) -> None:
    one = served(TEXT, action("search", {"query": "fee"}), action("answer", GOOD), mode="json")
    assert one.ask().status is Status.answered
    assert "not one JSON object" in one.server.requests[1]["messages"][-1]["content"]


def test_an_action_cut_off_at_the_limit_is_not_completed(served: Any) -> None:
    cut = Reply(body=completion({"content": '{"tool": "search", "arguments": {"query": "fe'}, "length"))
    one = served(cut, action("search", {"query": "fee"}), action("answer", GOOD), mode="json")
    answer = one.ask()
    assert answer.status is Status.answered
    assert answer.usage.tool_calls == 1


def test_messages_alternate_whatever_happened(served: Any) -> None:
    replies = [TEXT, action("web", {}), action("search", {"query": "fee"}), action("answer", {"status": "x"})]
    one = served(*replies, action("answer", GOOD), mode="json")
    told = one.told()
    assert isinstance(told[-1], Done)
    for request in one.server.requests:
        roles = [message["role"] for message in request["messages"]]
        assert roles[0] == "system"
        assert all(left != right for left, right in pairwise(roles))
        assert roles[-1] == "user"


def test_a_damaged_memory_is_no_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    folder = tmp_path / "pincite"
    folder.mkdir()
    (folder / "model-modes.json").write_text("[broken")
    assert modes.recall("host", "other") is None
    modes.remember("host", "other", "json")
    assert json.loads((folder / "model-modes.json").read_text()) == {"host other": "json"}
    modes.remember("host", "other", "tools")
    assert json.loads((folder / "model-modes.json").read_text()) == {"host other": "tools"}


NATIVE = Reply(body=completion({"tool_calls": [call("search", {"query": "fee"})]}, "tool_calls"))
NO_TOOLS = Reply(status=400, body={"error": {"message": "tiny does not support tools"}})


@pytest.mark.parametrize(
    ("replies", "mode"), [((NATIVE,), "tools"), ((NO_TOOLS, action("search", {"query": "fee"})), "json")]
)
def test_what_was_found_out_is_remembered_in_another_process(served: Any, replies: Any, mode: str) -> None:
    one = served(*replies)
    one.ask()
    modes._known.clear()
    assert modes.recall(one.model.address, "tiny") == mode
    assert one.again().mode == mode
