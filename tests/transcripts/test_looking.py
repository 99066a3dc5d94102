"""show, its page, and compare: what a person sees, and that nothing in a transcript can do anything."""

from __future__ import annotations

import json
import re
import threading
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.transcripts.recorded import RENT, RULES, answered, lines, passage, reread, result, session

from pincite.transcripts.compare import compare
from pincite.transcripts.comparing import comparison_lines, comparison_page
from pincite.transcripts.drift import drift
from pincite.transcripts.events import EVENT, ModelRequestEvent
from pincite.transcripts.evidence import Evidence
from pincite.transcripts.follow import follow
from pincite.transcripts.hashes import digest_json
from pincite.transcripts.page import session_page
from pincite.transcripts.reader import Recording, parse
from pincite.transcripts.route import route
from pincite.transcripts.show import detail, render
from pincite.transcripts.views import passages

EVIL = (
    "</pre></style><script>alert(1)</script><img src=x onerror=alert(1)> {{ 7*7 }} \x1b[2J \u202e "
    "javascript:x"
)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


def tags(page: str) -> Tags:
    found = Tags()
    found.feed(page)
    return found


def evil_session() -> Recording:
    shown = result(passage("P1", EVIL, document=EVIL, path=[EVIL]), used=EVIL)
    shown["attempts"] = [{"leg": EVIL, "outcome": EVIL, "reason": EVIL, "ms": 1e300}]
    answer = answered(EVIL, ("P1", "alert(1)"))
    return reread(session(EVIL, results=(shown,), answer=answer, query=EVIL))


def require_harmless(page: str) -> None:
    found = tags(page)
    assert not {"script", "img", "iframe", "object", "embed", "link", "base", "form"} & set(found.tags)
    assert not [name for name, _ in found.attributes if name.startswith("on") or name in {"src", "style"}]
    assert all(value and value.startswith("#") for name, value in found.attributes if name == "href")
    assert found.tags.count("style") == 1
    assert "default-src 'none'" in page
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", page)


def test_the_page_of_a_hostile_transcript_runs_nothing_and_reaches_nothing() -> None:
    page = session_page(evil_session())
    require_harmless(page)
    assert "{{ 7*7 }}" in page


def test_the_page_of_a_hostile_comparison_runs_nothing() -> None:
    require_harmless(comparison_page(compare(evil_session(), session())))


def test_the_terminal_gets_no_control_characters() -> None:
    recording = evil_session()
    shown = [*render(recording, full=True)]
    for event in recording.events:
        shown += [line.text for line in detail(recording, event.seq) or ()]
    shown += [line.text for line in comparison_lines(compare(recording, session()))]
    assert not [line for line in shown if re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]", line)]
    assert any("\\u001b[2J" in line for line in shown)


def test_the_page_has_the_steps_the_legs_and_the_cited_words_marked() -> None:
    page = session_page(session())
    assert page.startswith("<!doctype html>")
    assert "<mark>rent is 840</mark> crowns a month." in page
    assert page.count("<details") == len(session().events)
    assert "<td>keyword</td>" in page
    assert "9 + 3 tokens" in page
    assert "system" in page
    assert "Do." in page


def test_the_style_sheet_is_the_one_that_the_policy_names() -> None:
    import base64
    import hashlib

    page = session_page(session())
    style = page.partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in page


def test_cited_words_are_found_however_they_are_spaced() -> None:
    evidence = Evidence({"P1": ["rent  is\n840"]})
    (shown,) = passages({"passages": [passage("P1", RENT)]})
    assert evidence.parts(shown) == [("The ", False), ("rent is 840", True), (" crowns a month.", False)]


def test_marks_that_overlap_or_touch_are_one() -> None:
    quoted = Evidence({"P1": ["is 840 crowns", "The rent is", " a month."]})
    (shown,) = passages({"passages": [passage("P1", RENT)]})
    assert quoted.parts(shown) == [("The rent is 840 crowns", True), (" ", False), ("a month.", True)]


def test_a_page_holds_each_message_once() -> None:
    recording = session()
    stood = {"role": "user", "content": "It stood before."}
    shortened = ModelRequestEvent(
        model="m", call=2, messages=("h2", digest_json(RULES)), bodies={"h2": stood}, id="s1-2b", seq=9
    )
    again = ModelRequestEvent(model="m", call=3, messages=("h2", digest_json(RULES)), id="s1-2c", seq=10)
    recording.events[3:3] = [shortened, again]
    page = session_page(recording)
    assert page.count("It stood before.") == 1
    assert "1 messages" not in page
    assert "1 message that an earlier request held" in page
    assert "2 messages that an earlier request held" in page


def test_one_step_is_shown_with_all_it_holds() -> None:
    recording = session()
    at = next(event.seq for event in recording.events if isinstance(event, ModelRequestEvent))
    texts = [line.text for line in detail(recording, at) or ()]
    assert "system:" in texts
    assert "Do." in texts
    assert detail(recording, 99) is None


def test_two_runs_are_aligned_by_what_they_asked() -> None:
    one = session(results=(result(passage("P1", RENT)),))
    changed = passage("P1", "The rent is 860 crowns a month.")
    other = session("s2", results=(result(changed), result(passage("P2", "More.", section="s9"))))
    found = compare(one, other)
    (question,) = found.questions
    assert [(pair.one is None, pair.other is None) for pair in question.lookups] == [
        (False, False),
        (True, False),
    ]
    assert question.lookups[0].drift is not None
    assert question.lookups[0].drift["changed"][0]["live"] == "The rent is 860 crowns a month."
    assert json.loads(json.dumps(found.to_json()))["sessions"] == ["s1", "s2"]
    texts = [line.text for line in comparison_lines(found)]
    assert any("860" in text for text in texts)


def test_what_only_one_run_looked_up_is_told_with_its_passages() -> None:
    one = session()
    other = session(
        "s2", results=(result(passage("P1", RENT)), result(passage("P2", "More.", document="b.md")))
    )
    texts = [line.text for line in comparison_lines(compare(one, other))]
    at = texts.index('+ search {"query": "rent"} [fused]')
    assert texts[at + 1] == "+ b.md > Lease (rank 1)"
    page = comparison_page(compare(one, other))
    assert "<pre>+ search {" in page
    back = [line.text for line in comparison_lines(compare(other, one))]
    assert back[back.index('- search {"query": "rent"} [fused]') + 1] == "- b.md > Lease (rank 1)"


def test_a_question_that_only_one_run_has_was_not_asked_in_the_other() -> None:
    one, other = session(), session("s2")
    one.events[:] = one.events[:1]
    found = compare(one, other)
    assert found.questions[0].status == ("not asked", "answered (answered)")
    for text in ("\n".join(line.text for line in comparison_lines(found)), comparison_page(found)):
        assert "()" not in text
        assert "not asked" in text
    other.events[:] = [event for event in other.events if event.kind != "answer"]
    assert compare(other, other).questions[0].status == ("without an answer", "without an answer")


def test_what_a_recording_does_not_name_is_no_difference() -> None:
    """One that is kept as a test names neither the program's code nor most versions."""
    one, other = session(), session("s2")
    code = {"code": {"agent": "abc"}, "versions": {"pincite": "1", "python": "3"}}
    one.events[0] = one.events[0].model_copy(update=code)
    other.events[0] = other.events[0].model_copy(update={"versions": {"pincite": "2"}})
    assert [name for name, _, _ in compare(one, other).settings] == ["version of pincite"]


def test_a_text_that_changed_around_no_passage_is_told() -> None:
    old, new = ({"text": f"The documents: {name}", "passages": []} for name in ("a.md", "b.md"))
    found = drift(old, new, {})
    assert found is not None
    assert found["text"] == {"recorded": "The documents: a.md", "live": "The documents: b.md"}
    one, other = (session(name, results=(text,)) for name, text in (("s1", old), ("s2", new)))
    texts = [line.text for line in comparison_lines(compare(one, other))]
    at = texts.index("~ its text")
    assert ("a.md" in texts[at + 1], "b.md" in texts[at + 2]) == (True, True)


def test_a_run_compared_with_itself_has_no_difference() -> None:
    found = compare(session(), session())
    assert found.settings == ()
    assert all(pair.same for question in found.questions for pair in question.lookups)
    assert all(one == other for question in found.questions for one, other in question.statements)


def test_drift_tells_lost_gained_moved_and_changed_apart() -> None:
    old = result(*(passage(f"P{n}", f"text {n}", section=f"s{n}") for n in (1, 2, 3, 4)))
    new = result(
        *(passage("P", f"text {n}", section=f"s{n}") for n in (2, 1)),
        passage("P", "other", section="s3"),
        passage("P", "new", section="s9"),
        used="keyword",
    )
    found = drift(old, new, {"P3": ["text 3"], "P1": ["text"]})
    assert found is not None
    assert [one["handle"] for one in found["lost"]] == ["P4"]
    assert [one["text"] for one in found["gained"]] == ["new"]
    assert [(one["handle"], one["rank"], one["to"]) for one in found["moved"]] == [("P1", 1, 2), ("P2", 2, 1)]
    assert [(one["handle"], one["quotes_stand"]) for one in found["changed"]] == [("P3", False)]
    assert found["leg"] == {"recorded": "fused", "live": "keyword"}
    assert found["touches_cited"] == ["P3"]
    assert drift(old, old, {}) is None


def test_the_route_of_a_session_can_be_read() -> None:
    (one,) = route(session())
    assert (one.tool, one.used, one.handles, one.documents) == ("search", "fused", ("P1",), ("lease.md",))
    assert one.legs == (("keyword", "ok"), ("vector", "ok"))


def test_a_session_is_followed_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    data = lines(session())
    path.write_bytes(data[:700])
    rest = [data[700:900], data[900:]]

    def more(_: float) -> None:
        with path.open("ab") as file:
            file.write(rest.pop(0))

    got: list[Any] = []
    worker = threading.Thread(target=lambda: got.extend(follow(path, pause=more)), daemon=True)
    worker.start()
    worker.join(20)
    assert not worker.is_alive()
    assert [event.seq for event in got] == [event.seq for event in session().events]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KINDS = [entry["properties"]["kind"]["const"] for entry in EVENT.json_schema()["$defs"].values()]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_value_anywhere_takes_the_viewers_down(data: st.DataObject) -> None:
    """Any field of any event may hold anything JSON can say: it is read, or it is a bad line."""
    dumped = [json.loads(line) for line in lines(session()).splitlines()]
    for _ in range(data.draw(st.integers(1, 4))):
        event = dumped[data.draw(st.integers(0, len(dumped) - 1))]
        at: Any = event
        for _ in range(data.draw(st.integers(0, 5))):
            keys = list(at) if isinstance(at, dict) else list(range(len(at))) if isinstance(at, list) else []
            if not keys:
                break
            key = keys[data.draw(st.integers(0, len(keys) - 1))]
            if not isinstance(at[key], dict | list) or data.draw(st.booleans()):
                at[key] = data.draw(JSON)
                break
            at = at[key]
    recording = parse(b"".join(json.dumps(one).encode() + b"\n" for one in dumped))
    if not recording.events:
        return
    assert list(render(recording))
    require_harmless(session_page(recording))
    found = compare(recording, session())
    json.dumps(found.to_json())
    assert list(comparison_lines(found))
    require_harmless(comparison_page(found))
    for event in recording.events:
        assert detail(recording, event.seq)
    route(recording)


@pytest.mark.parametrize(
    "line",
    [
        b'{"kind":"notice","seq":0,"kind":"answer","seq":5}',
        b"[" * 100_000 + b"]" * 100_000,
        b'{"kind":"answer","pincite.question":1,"pincite.answer":'
        + b'{"a":' * 5000
        + b"1"
        + b"}" * 5000
        + b"}",
        b'{"kind":"notice","error.type":"x","pincite.message":' + b'"' + b"x" * 3_000_000 + b'"}',
        b'{"kind":"session_start","gen_ai.conversation.id":"'
        + b"\\ud800" * 3
        + b'","gen_ai.request.model":"m"}',
        b'{"kind":"notice","seq":1e400,"error.type":"x","pincite.message":"y"}',
        b"\xff\xfe\x00",
        b"null",
        b'"text"',
        b"123",
    ],
)
def test_a_hostile_line_is_an_event_or_a_bad_line(line: bytes) -> None:
    recording = parse(line + b"\n" + lines(session()))
    assert len(recording.events) + len(recording.bad) == len(session().events) + 1
    assert list(render(recording))
    require_harmless(session_page(recording))
