"""Who may see what: tokens, scopes that only narrow, tenants that share nothing, limits."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.server.conftest import ALDER, FILES, Running, make_site, token_file, write

from pincite.agent.extractive.model import ExtractiveModel
from pincite.corpus.sync import sync
from pincite.errors import UsageError
from pincite.server.access import Access, new_token, read_tokens
from pincite.server.address import require_safe
from pincite.server.limits import Rate, TooManyError
from pincite.server.token_faults import told_of
from pincite.server.web.running import Site

Start = Callable[[Site], Running]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    open_to_all = write(tmp_path / "texts", FILES)
    secret = write(
        tmp_path / "staff", {"pay.md": "# Pay scale\n\n## Grades\n\nGrade nine earns 4,200 crowns.\n"}
    )
    old = write(
        tmp_path / "old",
        {"fees.md": "---\neffective_to: 2020-12-31\n---\n# Fees\n\nThe mooring fee was 11 crowns.\n"},
    )
    sync([open_to_all, old], tmp_path / "kb", vectors=False)
    sync([secret], tmp_path / "kb", vectors=False, groups=["staff"])
    other = write(
        tmp_path / "other",
        {
            "alder.md": FILES["alder.md"].replace("3.00%", "8.88%"),
            "ours.md": "# Zanzibar plan\n\nSecret clove harvest.\n",
        },
    )
    sync([other], tmp_path / "kb", vectors=False, tenant="rival")
    return tmp_path / "kb"


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    return token_file(
        tmp_path / "tokens.toml",
        {"name": "public", "groups": []},
        {"name": "staff", "groups": ["staff"]},
        {"name": "one", "groups": ["staff"], "documents": ["texts/alder.md"]},
        {"name": "rival", "tenant": "rival", "everything": True},
        {"name": "boss", "everything": True, "any_date": True, "operator": True},
    )


PAY = "What does grade nine earn?"


def text(found: Running, token: str, question: str, **more: Any) -> str:
    return found.client(token).post("/api/ask", json={"question": question, **more}).text


def test_a_token_is_needed_and_kept_as_a_hash_only(start: Start, db: Path, tokens: Path) -> None:
    found = start(make_site(db, tokens))
    for path in ("/api/sessions", "/v1/models", "/metrics", "/api/contents"):
        for token in (None, "nobody", ""):
            response = found.client(token).get(path)
            assert response.status_code == 401
            assert response.headers["www-authenticate"] == "Bearer"
    assert found.client().get("/healthz").status_code == 200
    token, entry = new_token("anna")
    (db.parent / "one.toml").write_text(entry, encoding="utf-8")
    assert token not in entry
    caller = Access(db.parent / "one.toml").caller(token)
    assert caller is not None and caller.scope.groups == frozenset()


def test_groups_and_documents_of_the_token_hold(start: Start, db: Path, tokens: Path) -> None:
    found = start(make_site(db, tokens))
    assert "4,200" in text(found, "staff", PAY)
    for token in ("public", "one", "rival"):
        assert "4,200" not in text(found, token, PAY)
    listed = found.client("one").get("/api/contents").json()["documents"]
    assert [one["document"] for one in listed] == ["texts/alder.md"]


def test_a_request_can_only_narrow(start: Start, db: Path, tokens: Path) -> None:
    found = start(make_site(db, tokens))
    assert "4,200" not in text(found, "public", PAY, groups=["staff"])
    assert "4,200" not in text(found, "staff", PAY, groups=[])
    hidden = found.client("public").post("/api/ask", json={"question": PAY, "documents": ["staff/pay.md"]})
    missing = found.client("public").post("/api/ask", json={"question": PAY, "documents": ["staff/pays.md"]})
    assert hidden.status_code == missing.status_code == 404
    assert "staff/" not in json.dumps([hidden.json()["error"]["near"], missing.json()["error"]["near"]])
    fee = "What was the mooring fee?"
    assert (
        found.client("public").post("/api/ask", json={"question": fee, "as_of": "2020-06-01"}).status_code
        == 403
    )
    assert "11 crowns" in text(found, "boss", fee, as_of="2020-06-01")


def test_sessions_belong_to_the_one_who_began_them(start: Start, db: Path, tokens: Path) -> None:
    found = start(make_site(db, tokens))
    session = found.client("staff").post("/api/ask", json={"question": PAY}).json()["session"]
    for token in ("public", "rival", "boss"):
        client = found.client(token)
        assert session not in client.get("/api/sessions").text
        assert client.get(f"/api/sessions/{session}").status_code == 404
        assert client.get(f"/api/sessions/{session}/transcript").status_code == 404
        taken = client.post("/api/ask", json={"question": "what did I ask first?", "session": session})
        unknown = client.post("/api/ask", json={"question": "what did I ask first?", "session": "nobody"})
        assert taken.status_code == unknown.status_code == 404
        assert taken.text.replace(session, "nobody") == unknown.text
    assert found.client("staff").get(f"/api/sessions/{session}").status_code == 200


def test_a_token_that_loses_a_group_loses_what_was_shown(start: Start, db: Path, tokens: Path) -> None:
    found = start(make_site(db, tokens))
    client = found.client("staff")
    session = client.post("/api/ask", json={"question": PAY}).json()["session"]
    token_file(tokens, {"name": "staff", "groups": ["guests"]})
    again = client.post("/api/ask", json={"question": "what did you say?", "session": session})
    assert again.status_code == 200
    shown = [again.text, client.get(f"/api/sessions/{session}").text]
    shown.append(client.get(f"/api/sessions/{session}/transcript").text)
    assert not [one for one in shown if "4,200" in one]
    tokens.write_text("spoilt [", encoding="utf-8")
    assert client.get("/api/sessions").status_code == 401


def test_only_an_operator_sees_what_is_counted_for_all(start: Start, db: Path, tokens: Path) -> None:
    found = start(make_site(db, tokens))
    assert found.client("staff").get("/metrics").status_code == 403
    counted = found.client("boss").get("/metrics")
    assert counted.status_code == 200
    assert not [name for name in ("rival", "staff", "default") if name in counted.text]


def test_two_tenants_with_the_same_questions_learn_nothing_of_each_other(
    start: Start, db: Path, tokens: Path
) -> None:
    found = start(make_site(db, tokens, cached_answers=100))
    questions = [
        ALDER,
        "What is the Zanzibar plan?",
        "Where is the Birch Bond Fund?",
        "what did I ask first?",
    ]
    secrets = {
        "public": ["8.88%", "clove", "other/"],
        "rival": ["3.00%", "1.25%", "crowns", "texts/"],
    }
    said: dict[str, list[str]] = {"public": [], "rival": []}
    lock = threading.Lock()

    def hammer(token: str) -> None:
        client = found.client(token)
        session = None
        for _ in range(3):
            for question in questions:
                body = {"question": question} | ({"session": session} if session else {})
                answer = client.post("/api/ask", json=body).json()
                session = answer.get("session") or session
                alone = client.post("/api/ask", json={"question": question}).json()
                both = json.dumps([{**one, "retrieval": []} for one in (answer, alone)])
                with lock:
                    said[token].append(both)
        for path in ("/api/contents", "/api/sessions", f"/api/sessions/{session}"):
            with lock:
                said[token].append(client.get(path).text)
        near = client.get(
            "/api/read", params={"document": "ours.md" if token == "public" else "birch.md", "section": "1"}
        )
        with lock:
            said[token].append(near.text)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(hammer, ["public", "rival", "public", "rival"]))
    for token, words in secrets.items():
        leaked = [(word, line[:300]) for word in words for line in said[token] if word in line]
        assert not leaked
    assert any("3.00%" in line for line in said["public"]) and any("8.88%" in line for line in said["rival"])


def test_too_many_at_once_is_429_and_the_others_are_answered(start: Start, db: Path) -> None:
    begun, go_on = threading.Event(), threading.Event()

    class Slow(ExtractiveModel):
        def respond(self, request: Any) -> Any:
            begun.set()
            go_on.wait(20)
            return super().respond(request)

    found = start(make_site(db, model=lambda: Slow(None), questions_at_once=1))
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(lambda: found.client().post("/api/ask", json={"question": ALDER}))
        assert begun.wait(20)
        second = found.client().post("/api/ask", json={"question": ALDER})
        assert (second.status_code, second.json()["error"]["code"]) == (429, "too_many_at_once")
        assert int(second.headers["retry-after"]) >= 1
        assert found.client().get("/healthz").status_code == 200
        go_on.set()
        assert first.result(30).status_code == 200
    assert found.client().post("/api/ask", json={"question": ALDER}).status_code == 200


def test_a_rate_is_refilled_with_time_and_counts_callers_apart() -> None:
    now = [0.0]
    rate = Rate(6, lambda: now[0])
    for _ in range(6):
        rate.take("a")
    with pytest.raises(TooManyError) as caught:
        rate.take("a")
    assert caught.value.retry_after == 10
    rate.take("b")
    now[0] = 10.0
    rate.take("a")


def test_an_address_beyond_this_machine_needs_tokens(tokens: Path) -> None:
    for host in ("0.0.0.0", "192.168.1.5", "::", "example.org"):
        with pytest.raises(UsageError) as caught:
            require_safe(host, Access(None))
        assert caught.value.code == "tokens_needed"
        require_safe(host, Access(tokens))
    for host in ("127.0.0.1", "localhost", "::1", "127.0.0.53"):
        require_safe(host, Access(None))


@pytest.mark.parametrize(
    "entry",
    [
        {"name": "a", "groups": ["x"], "everything": True},
        {"name": "a"},
        {"name": "a b", "groups": []},
        {"name": "a", "groups": [], "sha256": "short"},
        {"name": "a", "groups": [], "tenant": "../x"},
        {"name": "a", "groups": [], "colour": "blue"},
    ],
)
def test_an_entry_that_is_not_clear_is_refused(tmp_path: Path, entry: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        read_tokens(token_file(tmp_path / "t.toml", entry))


def test_what_a_token_names_and_is_not_there_is_told(db: Path) -> None:
    entries: list[dict[str, Any]] = [
        {"name": "right", "groups": [], "documents": ["texts/alder.md", "old/fees.md"]},
        {"name": "bare", "groups": [], "documents": ["alder.md", "texts/birch.md"]},
        {"name": "hidden", "groups": [], "documents": ["staff/pay.md"]},
        {"name": "lost", "tenant": "nowhere", "everything": True},
        {"name": "lost2", "tenant": "nowhere", "everything": True},
    ]
    told = told_of(read_tokens(token_file(db.parent / "t.toml", *entries)), db)
    assert told[0].startswith("tokens: bare can see no document with the id alder.md (close: texts/alder.md")
    assert told[1].startswith("tokens: hidden can see no document with the id staff/pay.md")
    assert told[2] == "tokens: hidden can see no document at all"
    assert told[3].startswith("tokens: lost asks the tenant nowhere, which cannot be asked: ")
    assert len(told) == 4
    many = [{"name": f"t{n}", "groups": [], "documents": ["none"]} for n in range(15)]
    told = told_of(read_tokens(token_file(db.parent / "t.toml", *many)), db)
    assert (len(told), told[-1]) == (21, "tokens: 10 more of this kind")


def test_two_entries_for_one_token_are_refused_and_let_nobody_in(tmp_path: Path) -> None:
    same = {"sha256": hashlib.sha256(b"staff").hexdigest()}
    entries: list[dict[str, Any]] = [
        {"name": "staff", "groups": ["staff"]},
        {"name": "other", "groups": []},
        {"name": "boss", "everything": True, **same},
    ]
    file = token_file(tmp_path / "t.toml", *entries)
    with pytest.raises(UsageError) as caught:
        Access(file)
    assert "entries 1 (staff) and 3 (boss)" in str(caught.value)
    assert same["sha256"] not in str(caught.value)
    token_file(file, *entries[:2])
    access = Access(file)
    assert access.caller("staff") is not None
    token_file(file, *entries)
    assert access.caller("staff") is None and access.caller("other") is None


@pytest.mark.parametrize("key", ["groups", "documents"])
@pytest.mark.parametrize("name", ["", "  "])
def test_an_empty_name_is_refused_in_the_file_and_in_a_request(
    start: Start, db: Path, tokens: Path, key: str, name: str
) -> None:
    with pytest.raises(UsageError, match=f"{key}: a name is empty"):
        read_tokens(token_file(db.parent / "t.toml", {"name": "a", "groups": ["b"], key: ["b", name]}))
    client = start(make_site(db, tokens)).client("staff")
    for path, body in (("/api/ask", {"question": PAY}), ("/api/search", {"query": PAY})):
        refused = client.post(path, json={**body, key: [name]})
        assert (refused.status_code, refused.json()["error"]["code"]) == (422, "bad_arguments")
        assert refused.json()["error"]["message"] == f"{key}.0: a name is empty"
    message = {"role": "user", "content": PAY}
    completion = {"model": "pincite", "messages": [message], "pincite": {key: [name]}}
    assert client.post("/v1/chat/completions", json=completion).status_code == 400
