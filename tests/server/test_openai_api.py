"""The OpenAI-compatible API, called by the official client."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import openai
import pytest
from tests.server.conftest import ALDER, Running, make_site, token_file

from pincite.agent.model import ChatModel, ModelError
from pincite.agent.scripted import ScriptedModel
from pincite.server.web.running import Site

Start = Callable[[Site], Running]


@pytest.fixture(scope="module")
def client(served: Running) -> Iterator[Any]:
    with openai.OpenAI(base_url=f"{served.url}/v1", api_key="none", max_retries=0) as found:
        yield found


def asked(text: str) -> Any:
    return [{"role": "user", "content": text}]


def test_models_are_listed(client: Any) -> None:
    assert [model.id for model in client.models.list()] == ["pincite"]
    assert client.models.retrieve("pincite").owned_by == "pincite"


def test_an_answer_has_markers_and_annotations_that_say_where_they_stand(client: Any) -> None:
    done = client.chat.completions.create(model="pincite", messages=asked(ALDER))
    message = done.choices[0].message
    assert message.content is not None and "3.00%" in message.content
    assert message.annotations
    for annotation in message.annotations:
        place = annotation.url_citation
        assert message.content[place.start_index : place.end_index] in {"[1]", "[2]"}
        assert "Alder Growth Fund" in place.title
        assert annotation.pincite["document"] == "texts/alder.md"
        assert annotation.pincite["quote"]
    assert done.choices[0].finish_reason == "stop"
    assert done.usage is not None and done.usage.total_tokens == (
        done.usage.prompt_tokens + done.usage.completion_tokens
    )
    assert done.usage.prompt_tokens > 0 and done.usage.completion_tokens > 0


def test_a_stream_says_the_same_and_ends_with_usage(client: Any) -> None:
    whole = client.chat.completions.create(model="pincite", messages=asked(ALDER))
    chunks = list(
        client.chat.completions.create(
            model="pincite", messages=asked(ALDER), stream=True, stream_options={"include_usage": True}
        )
    )
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert text == whole.choices[0].message.content
    assert chunks[-1].usage is not None and chunks[-1].usage.total_tokens > 0
    last = [chunk for chunk in chunks if chunk.choices][-1]
    assert last.choices[0].finish_reason == "stop"
    assert last.choices[0].delta.annotations
    assert last.pincite["status"] == "answered"


def test_progress_comes_as_comments_and_text_only_after_the_check(served: Running) -> None:
    body = {"model": "pincite", "stream": True, "messages": asked(ALDER)}
    with served.client().stream("POST", "/v1/chat/completions", json=body) as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        lines = [line for line in response.iter_lines() if line]
    checked = lines.index(next(line for line in lines if line.startswith(": checking")))
    assert any(line.startswith(": searching") for line in lines[:checked])
    assert all(line.startswith(":") for line in lines[: checked + 1])
    assert lines[-1] == "data: [DONE]"


def test_a_conversation_sent_in_full_goes_on_in_its_session(client: Any, served: Running) -> None:
    messages = asked(ALDER)
    first = client.chat.completions.create(model="pincite", messages=messages)
    messages += [{"role": "assistant", "content": first.choices[0].message.content or ""}]
    messages += asked("and for the bond fund?")
    second = client.chat.completions.create(model="pincite", messages=messages)
    assert second.pincite["session"] == first.pincite["session"]
    assert "1.25%" in (second.choices[0].message.content or "")
    changed = [*messages[:1], {"role": "assistant", "content": "Something else."}, *messages[2:]]
    other = client.chat.completions.create(model="pincite", messages=changed)
    assert other.pincite["session"] != first.pincite["session"]
    assert "1.25%" in (other.choices[0].message.content or "")


def test_a_session_can_be_named_and_the_documents_narrowed(client: Any) -> None:
    first = client.chat.completions.create(model="pincite", messages=asked(ALDER))
    narrowed = {"session": first.pincite["session"], "documents": ["Birch Bond Fund"]}
    second = client.chat.completions.create(
        model="pincite", messages=asked("What is the exit charge?"), extra_body={"pincite": narrowed}
    )
    assert {c["document"] for s in second.pincite["statements"] for c in s["citations"]} == {"texts/birch.md"}


def test_what_is_not_from_the_documents_says_so(client: Any) -> None:
    done = client.chat.completions.create(model="pincite", messages=asked("hello"))
    assert (done.choices[0].message.content or "").startswith("(not from your documents)")


def test_parts_of_a_message_are_read(client: Any) -> None:
    parts = [{"type": "text", "text": ALDER}]
    done = client.chat.completions.create(
        model="pincite",
        temperature=0.2,
        n=1,
        stop=None,
        logprobs=False,
        max_tokens=500,
        response_format={"type": "text"},
        messages=[{"role": "system", "content": "Be brief."}, {"role": "user", "content": parts}],
    )
    assert "3.00%" in (done.choices[0].message.content or "")


@pytest.mark.parametrize(
    ("body", "kind", "code"),
    [
        ({"model": "gpt-9", "messages": asked("x y")}, openai.NotFoundError, "model_not_found"),
        ({"model": "pincite", "messages": []}, openai.BadRequestError, "bad_arguments"),
        ({"model": "pincite", "messages": asked("?!")}, openai.BadRequestError, "bad_arguments"),
        *(
            ({"model": "pincite", "messages": asked("a b"), name: value}, openai.BadRequestError, code)
            for name, value, code in [
                ("n", 2, "unsupported"),
                ("n", 0, "bad_arguments"),
                ("max_tokens", -1, "bad_arguments"),
                ("max_completion_tokens", 0, "bad_arguments"),
                ("temperature", 99, "bad_arguments"),
                ("top_p", 1.5, "bad_arguments"),
                ("logprobs", True, "unsupported"),
                ("stop", ["%"], "unsupported"),
                ("stop", "%", "unsupported"),
                ("response_format", {"type": "json_object"}, "unsupported"),
                ("modalities", ["text", "audio"], "unsupported"),
                ("functions", [{"name": "f"}], "unsupported"),
            ]
        ),
        (
            {"model": "pincite", "messages": asked("a b"), "extra_body": {"pincite": {"session": "no"}}},
            openai.NotFoundError,
            "no_such_session",
        ),
        (
            {"model": "pincite", "messages": asked("a b"), "extra_body": {"pincite": {"documents": ["no"]}}},
            openai.NotFoundError,
            "no_such_document",
        ),
        (
            {
                "model": "pincite",
                "messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}],
            },
            openai.BadRequestError,
            "unsupported",
        ),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_errors_have_openais_shape(
    client: Any, body: dict[str, object], kind: type[openai.APIStatusError], code: str, stream: bool
) -> None:
    with pytest.raises(kind) as caught:
        client.chat.completions.create(**body, stream=stream)
    error = caught.value.body
    assert isinstance(error, dict)
    assert error["code"] == code
    assert set(error) == {"message", "type", "param", "code"}


def test_what_no_parser_takes_and_what_is_too_long_has_openais_shape(start: Start, db: Path) -> None:
    found = start(make_site(db, body_bytes=200_000))
    client = found.client()
    for content, status in ((b"{", 400), (b"[" * 100_000, 400), (b"[" * 300_000, 413)):
        sent = {"content-type": "application/json"}
        refused = client.post("/v1/chat/completions", content=content, headers=sent)
        assert refused.status_code == status
        assert set(refused.json()["error"]) == {"message", "type", "param", "code"}
    for path in ("..%2f", "", "nothing"):
        missing = client.get(f"/v1/models/{path}", follow_redirects=False)
        assert (missing.status_code, set(missing.json()["error"])) == (
            404,
            {"message", "type", "param", "code"},
        )


def test_tokens_are_asked_for_and_limits_are_429(start: Start, db: Path, tmp_path: Path) -> None:
    tokens = token_file(tmp_path / "tokens.toml", {"name": "anna", "groups": []})
    found = start(make_site(db, tokens, questions_per_minute=1))
    with openai.OpenAI(base_url=f"{found.url}/v1", api_key="wrong", max_retries=0) as client:
        with pytest.raises(openai.AuthenticationError):
            client.models.list()
        client.api_key = "anna"
        client.chat.completions.create(model="pincite", messages=asked(ALDER))
        for stream in (False, True):
            with pytest.raises(openai.RateLimitError) as caught:
                client.chat.completions.create(model="pincite", messages=asked(ALDER), stream=stream)
            assert 1 <= int(caught.value.response.headers["retry-after"]) <= 60


def test_a_model_that_fails_is_an_error_and_no_answer(start: Start, db: Path) -> None:
    def broken() -> ChatModel:
        return ScriptedModel([ModelError("it is down", code="server_error")] * 9)

    found = start(make_site(db, model=broken))
    with openai.OpenAI(base_url=f"{found.url}/v1", api_key="x", max_retries=0) as client:
        with pytest.raises(openai.APIStatusError) as caught:
            client.chat.completions.create(model="pincite", messages=asked(ALDER))
        assert caught.value.status_code == 502
        assert "it is down" not in json.dumps(caught.value.body)
        with pytest.raises(openai.APIError):
            list(client.chat.completions.create(model="pincite", messages=asked(ALDER), stream=True))


def test_the_description_names_the_failures_and_their_shape(served: Running) -> None:
    described = served.client().get("/api/openapi.json").json()["paths"]
    own = {path: operations for path, operations in described.items() if path.startswith("/v1/")}
    assert len(own) == 3
    for operation in (one for operations in own.values() for one in operations.values()):
        said = set(operation["responses"])
        assert {"200", "400", "401", "404", "413", "429", "502"} <= said and "422" not in said
        shape = operation["responses"]["400"]["content"]["application/json"]["schema"]["$ref"]
        assert shape.endswith("/OpenAIErrorOut")
