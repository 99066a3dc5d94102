"""What a question may begin with: all documents at once, or a first search that a model worded."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from tests.agent.replay.house import QUESTION, SEARCH, answer, index_of, record, turn, write
from tests.agent.scripted_server import Reply, ScriptedServer, call, completion

from pincite.agent.beginning import Beginning, FirstSearch
from pincite.agent.budget import Budgets
from pincite.agent.chat import Ground, open_chat, resume_chat
from pincite.agent.extractive.model import ExtractiveModel
from pincite.agent.messages import ModelTurn
from pincite.agent.model import ModelError
from pincite.agent.openai_model import OpenAIModel
from pincite.agent.queries import read_queries
from pincite.agent.replay.live_tools import replay_live_tools
from pincite.agent.replay.strict import replay
from pincite.agent.resuming import resume_session
from pincite.agent.scripted import ScriptedModel
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.tools.retrieve import Retriever
from pincite.transcripts.events import (
    AnswerEvent,
    ModelRequestEvent,
    NoticeEvent,
    ToolCallEvent,
    ToolResultEvent,
    UserMessage,
)
from pincite.transcripts.reader import read

WHOLE = Beginning(whole_corpus=True)
# The rent is in the second passage: documents come in the order of their ids.
CITED = answer("a1", passage="P2")


def events(path: Path, kind: type[Any]) -> list[Any]:
    return [event for event in read(path).events if isinstance(event, kind)]


def last_answer(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = events(path, AnswerEvent)[-1].answer
    return found


def notices(path: Path, code: str) -> list[str]:
    return [event.message for event in events(path, NoticeEvent) if event.code == code]


def test_the_whole_corpus_stands_in_the_first_request_and_is_cited_and_checked(index: Index) -> None:
    model = ScriptedModel([answer("a1", text="The rent is 900 crowns.", passage="P2"), CITED])
    path = record(index, model=model, beginning=WHOLE)
    first = model.requests[0]
    shown = next(message for message in first.messages if message.role == "tool")
    assert shown.content.startswith("All that may be seen: 3 documents, 5 passages.")
    assert "Bicycles stand in the yard" in shown.content
    assert "answer" in {tool.name for tool in first.tools}
    assert "whole_corpus" not in {tool.name for tool in first.tools}
    found = last_answer(path)
    assert found["status"] == "answered"
    assert found["statements"][0]["citations"][0]["document"].endswith("lease.md")
    assert [one["tool"] for one in found["retrieval"]] == ["whole_corpus"]
    assert (found["usage"]["tool_calls"], found["usage"]["searches"]) == (1, 0)
    assert not replay(read(path)).diverged
    assert not replay_live_tools(read(path), index).diverged


def test_what_does_not_fit_is_searched_and_the_transcript_says_why(tmp_path: Path) -> None:
    words = " ".join(f"clause{number}" for number in range(1500))
    write(tmp_path / "docs", {"lease.md": "# Lease\n\nThe rent is 840 crowns a month.\n"})
    write(tmp_path / "docs", {"long.md": f"# Long\n\n{words}\n"})
    index = index_of(tmp_path / "docs", tmp_path / "kb")
    model = ScriptedModel([SEARCH, answer("c2")])
    path = record(index, model=model, beginning=WHOLE, budgets=Budgets(request_tokens=8_000))
    (why,) = notices(path, "whole_corpus")
    assert why.startswith("not all documents are given at once: with their labels the documents take about")
    assert "there is room for" in why
    assert [message.role for message in model.requests[0].messages] == ["system", "user"]
    failed = next(e for e in events(path, ToolResultEvent) if e.name == "whole_corpus")
    assert failed.result["error"]["code"] == "does_not_fit"
    assert failed.result["passages"] == []
    assert last_answer(path)["status"] == "answered"
    assert last_answer(path)["usage"]["tool_calls"] == 1
    assert not replay(read(path)).diverged


def test_the_whole_corpus_is_what_the_caller_may_see_on_that_day(tmp_path: Path) -> None:
    write(tmp_path / "all", {"open.md": "# Open\n\nThe gate opens at nine.\n"})
    old = "---\neffective_to: 2020-12-31\n---\n# Old\n\nThe gate opened at seven.\n"
    write(tmp_path / "all", {"old.md": old})
    write(tmp_path / "board", {"secret.md": "# Secret\n\nThe code of the gate is 4711.\n"})
    sync([tmp_path / "all"], tmp_path / "kb", vectors=False)
    sync([tmp_path / "board"], tmp_path / "kb", vectors=False, groups=("board",))
    index = Index.open(tmp_path / "kb")

    def given(scope: Scope) -> str:
        model = ScriptedModel([turn(("n", "answer", '{"status": "not_found", "statements": []}'))])
        path = record(index, model=model, scope=scope, beginning=WHOLE)
        assert last_answer(path)["status"] == "not_found"
        return model.requests[0].messages[-1].content

    assert "4711" in given(Scope())
    staff = given(Scope(groups=frozenset({"staff"})))
    assert "nine" in staff
    assert "4711" not in staff
    assert "seven" not in staff
    assert "seven" in given(Scope(as_of=date(2019, 5, 1)))


def test_tokens_or_money_that_are_not_enough_for_two_such_requests_leave_it_to_searching(
    index: Index,
) -> None:
    model = ScriptedModel([SEARCH, answer("c2")])
    path = record(index, model=model, beginning=WHOLE, budgets=Budgets(tokens=7_000))
    assert len(notices(path, "whole_corpus")) == 1
    assert last_answer(path)["status"] == "answered"


def test_a_conversation_is_given_only_what_is_new(folder: Path, index: Index) -> None:
    model = ScriptedModel(
        [CITED, CITED, answer("a9", text="The attic is locked.", passage="P6", quote="The attic is locked")]
    )
    ground = Ground(index, Retriever(index, None), model, beginning=WHOLE)
    chat = open_chat(ground)
    chat.ask(QUESTION)
    chat.ask("And once more?")
    again = model.requests[1].messages[-1]
    assert again.content == "All that may be seen was shown above."
    write(folder, {"attic.md": "# Attic\n\nThe attic is locked at night.\n"})
    sync([folder], index.info.folder.parent, vectors=False)
    found = chat.ask("Is the attic locked?")
    assert found.statements[0].citations[0].handle == "P6"
    assert "1 passage of it is new" in model.requests[2].messages[-1].content
    chat.close()
    assert not replay(read(Path(found.transcript or ""))).diverged


def test_the_extractive_mode_answers_from_the_whole_corpus_without_searching(index: Index) -> None:
    path = record(
        index, model=ExtractiveModel(), questions=(QUESTION, "Where do bicycles stand?"), beginning=WHOLE
    )
    assert last_answer(path)["text"] == "Bicycles stand in the yard and never in the stairwell."
    assert {event.name for event in events(path, ToolCallEvent)} == {"whole_corpus", "answer"}
    assert not replay(read(path)).diverged


@pytest.mark.parametrize(
    ("kind", "written", "queries"),
    [
        ("rewrite", 'Query: "monthly rent of the flat"\nThat is all.', ["monthly rent of the flat"]),
        (
            "decompose",
            "1. rent of the flat\n2) quiet hours\n\n- rent of the flat",
            ["rent of the flat", "quiet hours"],
        ),
        ("decompose", '```json\n["rent of the flat", "notice"]\n```', ["rent of the flat", "notice"]),
        (
            "hypothetical",
            "<think>hm</think>The rent is 1 crown.\nIt is due early.",
            ["The rent is 1 crown. It is due early."],
        ),
    ],
)
def test_what_a_model_words_is_searched_beside_the_question(
    index: Index, kind: FirstSearch, written: str, queries: list[str]
) -> None:
    model = ScriptedModel([ModelTurn(content=written), answer("c2")])
    path = record(index, model=model, beginning=Beginning(first_search=kind))
    assert model.requests[0].tools == ()
    assert model.requests[0].messages[-1].content == QUESTION
    searched = model.requests[1].messages[2].tool_calls[0]
    assert searched.name == "search"
    assert f'"query": "{QUESTION}"' in searched.arguments
    assert read_queries(kind, written, QUESTION) == queries
    assert all(query in searched.arguments for query in queries)
    assert len(events(path, ModelRequestEvent)) == 2
    assert last_answer(path)["status"] == "answered"
    assert last_answer(path)["usage"]["model_calls"] == 2
    assert not replay(read(path)).diverged
    assert not replay_live_tools(read(path), index).diverged


@pytest.mark.parametrize(
    ("step", "why"),
    [
        (ModelError("the server is down", code="connection"), "the server is down"),
        (ModelTurn(content="  "), "the model wrote nothing"),
        (ModelTurn(content=QUESTION), "the model wrote no query beside the question"),
    ],
)
def test_a_model_that_words_nothing_leaves_the_question_as_it_is(
    index: Index, step: ModelTurn | ModelError, why: str
) -> None:
    path = record(index, step, answer("c2"), beginning=Beginning(first_search="rewrite"))
    assert notices(path, "first_search") == [f"searching for the question as it is: {why}"]
    (searched,) = [event for event in events(path, ToolCallEvent) if event.name == "search"]
    assert searched.arguments == f'{{"query": "{QUESTION}"}}'
    assert last_answer(path)["status"] == "answered"
    assert not replay(read(path)).diverged


def test_the_question_itself_is_searched_without_asking_the_model(index: Index) -> None:
    model = ScriptedModel([answer("c2")])
    path = record(
        index, model=model, beginning=Beginning(first_search="question"), budgets=Budgets(tool_calls=1)
    )
    assert [tool.name for tool in model.requests[0].tools] == ["answer"]
    assert last_answer(path)["status"] == "answered"


def test_no_call_is_spent_on_words_that_the_answer_needs(index: Index) -> None:
    path = record(
        index, answer("c2"), beginning=Beginning(first_search="decompose"), budgets=Budgets(model_calls=1)
    )
    (why,) = notices(path, "first_search")
    assert why.endswith("there is no model call to spare")
    assert last_answer(path)["status"] == "answered"


def test_without_searches_there_is_no_first_one(index: Index) -> None:
    path = record(
        index,
        turn(("r", "read_section", '{"document": "lease.md", "section": "1"}')),
        answer("c2"),
        beginning=Beginning(first_search="question"),
        budgets=Budgets(searches=0),
    )
    assert notices(path, "first_search") == ["no first search: none is allowed"]
    assert last_answer(path)["status"] == "answered"


def test_the_extractive_mode_words_nothing_and_says_so(index: Index) -> None:
    path = record(index, model=ExtractiveModel(), beginning=Beginning(first_search="hypothetical"))
    (why,) = notices(path, "first_search")
    assert why == "searching for the question as it is: the extractive mode writes none itself"
    assert last_answer(path)["status"] == "answered"


def test_a_resumed_session_may_begin_otherwise_and_is_replayed(index: Index) -> None:
    path = record(index)
    model = ScriptedModel([ModelTurn(content="due date of the rent"), answer("d2")])
    agent = resume_session(path, index, model, beginning=Beginning(first_search="rewrite"))
    agent.ask("And when is it due?")
    agent.close()
    earlier = [message.content for message in model.requests[0].messages[1:]]
    assert earlier == [QUESTION, "The rent is 840 crowns.", "And when is it due?"]
    assert len(events(path, UserMessage)) == 2
    assert not replay(read(path)).diverged


def test_a_chat_that_is_resumed_is_given_all_again_under_the_same_handles(index: Index) -> None:
    ground = Ground(index, Retriever(index, None), ScriptedModel([CITED]), beginning=WHOLE)
    chat = open_chat(ground)
    chat.ask(QUESTION)
    chat.close()
    model = ScriptedModel([CITED])
    again = resume_chat(Ground(index, Retriever(index, None), model, beginning=WHOLE), chat.session)
    found = again.ask("And the rent again?")
    again.close()
    assert found.statements[0].citations[0].handle == "P2"
    assert "The rent is 840 crowns a month" in model.requests[0].messages[-1].content
    assert not replay(read(Path(found.transcript or ""))).diverged


@pytest.mark.parametrize("calling", ["tools", "json"])
def test_a_server_is_asked_for_words_in_plain_messages(index: Index, calling: Any) -> None:
    written = json.loads(answer("c2").tool_calls[0].arguments)
    replies = [
        Reply(body=completion({"content": "rent of the flat"})),
        Reply(body=completion({"content": None, "tool_calls": [call("answer", written)]}, "tool_calls")),
    ]
    with ScriptedServer(replies).running() as server:
        model = OpenAIModel("m-large", base_url=server.url, mode=calling)
        path = record(index, model=model, beginning=Beginning(first_search="rewrite"))
        model.close()
    body = server.requests[0]
    assert not {"tools", "tool_choice", "response_format"} & set(body)
    assert body["max_tokens"] == 300
    assert last_answer(path)["status"] == "answered"
