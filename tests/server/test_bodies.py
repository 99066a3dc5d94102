"""What is wrong with the body of a request is said in words that help to send the right one."""

from __future__ import annotations

import pytest
from tests.server.conftest import Running


@pytest.mark.parametrize(
    ("content", "kind", "said"),
    [
        (b'{"question": "hi"}', None, "send it with the header Content-Type: application/json"),
        (b'{"question": "hi"}', "text/plain", "send it with the header Content-Type: application/json"),
        (b"question=hi", "application/x-www-form-urlencoded", "send it with the header Content-Type"),
        (b"", "application/json", "the body is missing: send one JSON object"),
        (b"", None, "the body is missing: send one JSON object"),
        (b"[1]", "application/json", "the body must be one JSON object"),
        (b'"hi"', "application/json; charset=utf-8", "the body must be one JSON object"),
        (b"null", "application/json", "the body"),
        (b"{}", "application/json", ": Field required"),
    ],
)
def test_what_is_wrong_with_a_body_as_a_whole_is_said(
    served: Running, content: bytes, kind: str | None, said: str
) -> None:
    headers = {"content-type": kind} if kind else {}
    for path, status in (("/api/ask", 422), ("/v1/chat/completions", 400)):
        refused = served.client().post(path, content=content, headers=headers)
        assert (refused.status_code, refused.json()["error"]["code"]) == (status, "bad_arguments")
        assert said in refused.json()["error"]["message"]
