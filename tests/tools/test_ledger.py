"""Handles are dense, never change their meaning, and say what has to be sent."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import UsageError
from pincite.tools.ledger import Ledger, Shown
from pincite.tools.passage import Passage

TEXT = "".join(chr(ord("a") + n % 26) for n in range(400))


def candidate(
    start: int, end: int, section: str = "4.2", version: str = "v1", document: str = "lease"
) -> Passage:
    return Passage(
        handle="", document=document, document_title="Lease", version=version, section=section,
        start=start, end=end, text=TEXT[start:end],
    )  # fmt: skip


def shown(ledger: Ledger, one: Passage) -> Shown:
    result = ledger.show(one)
    assert result is not None
    return result


def told(ledger: Ledger, one: Passage) -> tuple[str, bool]:
    result = shown(ledger, one)
    return result.passage.handle, result.sent


def test_handles_are_dense_and_carry_the_text() -> None:
    ledger = Ledger()
    assert [told(ledger, candidate(n, n + 5)) for n in (0, 10, 20)] == [
        ("P1", True),
        ("P2", True),
        ("P3", True),
    ]
    assert ledger.passages["P2"].text == TEXT[10:15]
    assert ledger.standing == {"P1", "P2", "P3"}


def test_a_standing_span_and_a_span_inside_one_are_named() -> None:
    ledger = Ledger()
    ledger.show(candidate(10, 60))
    assert ledger.named(candidate(10, 60)) == "P1"
    assert told(ledger, candidate(10, 60)) == ("P1", False)
    assert told(ledger, candidate(20, 60)) == ("P1", False)
    assert told(ledger, candidate(10, 61)) == ("P2", True)
    assert told(ledger, candidate(0, 30)) == ("P3", True)
    assert list(ledger.passages) == ["P1", "P2", "P3"]


def test_another_version_section_or_document_is_another_place() -> None:
    ledger = Ledger()
    ledger.show(candidate(0, 50))
    assert told(ledger, candidate(0, 50, version="v2")) == ("P2", True)
    assert told(ledger, candidate(0, 50, section="4.3")) == ("P3", True)
    assert told(ledger, candidate(0, 50, document="annex")) == ("P4", True)


def test_a_receipt_is_sent_again_under_its_old_handle() -> None:
    ledger = Ledger()
    ledger.show(candidate(0, 50))
    ledger.show(candidate(50, 90))
    ledger.compact(["P1", "P77"])
    assert ledger.standing == {"P2"}
    assert ledger.named(candidate(0, 50)) is None
    assert told(ledger, candidate(0, 50)) == ("P1", True)
    assert told(ledger, candidate(0, 50)) == ("P1", False)


def test_a_span_inside_a_receipt_is_sent_and_one_inside_a_second_standing_span_is_named() -> None:
    ledger = Ledger()
    ledger.show(candidate(10, 20))
    ledger.show(candidate(0, 50))
    ledger.compact(["P2"])
    assert told(ledger, candidate(12, 18)) == ("P1", False)
    assert told(ledger, candidate(30, 40)) == ("P3", True)


def test_withdrawn_text_is_never_shown_again() -> None:
    ledger = Ledger()
    ledger.show(candidate(0, 50))
    ledger.show(candidate(60, 90))
    ledger.cite(["P1"])
    ledger.withdraw(["P1"])
    ledger.withdraw(["P1"])
    assert ledger.withdrawn == {"P1"}
    assert ledger.standing == {"P2"}
    for inside_or_over in (candidate(0, 50), candidate(10, 20), candidate(40, 55)):
        assert ledger.show(inside_or_over) is None
        assert ledger.named(inside_or_over) is None
    assert told(ledger, candidate(50, 55)) == ("P3", True)


def test_only_shown_handles_can_be_cited_or_withdrawn() -> None:
    ledger = Ledger()
    with pytest.raises(KeyError):
        ledger.cite(["P1"])
    with pytest.raises(KeyError):
        ledger.withdraw(["P1"])


def test_a_ledger_survives_json() -> None:
    ledger = Ledger()
    for start in (0, 50, 100):
        ledger.show(candidate(start, start + 50))
    ledger.show(candidate(0, 120))
    ledger.compact(["P4"])
    ledger.cite(["P2"])
    ledger.withdraw(["P3"])
    again = Ledger.from_json(json.loads(json.dumps(ledger.to_json())))
    assert again.to_json() == ledger.to_json()
    assert again.cited == {"P2"}
    for one in (candidate(0, 50), candidate(0, 120), candidate(5, 55), candidate(100, 150)):
        assert again.show(one) == ledger.show(one)


@pytest.mark.parametrize("key", ["standing", "cited", "withdrawn"])
def test_json_that_is_no_ledger_is_refused(key: str) -> None:
    ledger = Ledger()
    ledger.show(candidate(0, 5))
    data = ledger.to_json()
    with pytest.raises(UsageError):
        Ledger.from_json({**data, key: ["P2"]})
    with pytest.raises(UsageError):
        Ledger.from_json({**data, "passages": [{**data["passages"][0], "handle": "P2"}]})
    with pytest.raises(UsageError):
        Ledger.from_json({**data, "withdrawn": ["P1"]})
    with pytest.raises(UsageError):
        Ledger.from_json(None)


SPANS = st.tuples(st.integers(0, 12), st.integers(1, 8)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@given(st.lists(st.tuples(SPANS, st.sampled_from(["show", "compact", "withdraw"])), max_size=40))
def test_shown_and_standing_agree_with_a_plain_search_over_all_spans(
    steps: list[tuple[tuple[int, int], str]],
) -> None:
    ledger = Ledger()
    for (start, end), step in steps:
        one = candidate(start, end)
        spans = {(p.start, p.end): h for h, p in ledger.passages.items()}
        if step != "show":
            handles = [spans[start, end]] if (start, end) in spans else []
            ledger.compact(handles) if step == "compact" else ledger.withdraw(handles)
            continue
        standing = {s: h for s, h in spans.items() if h in ledger.standing}
        holders = {h for s, h in standing.items() if s[0] <= start and end <= s[1]}
        barred = any(s[0] < end and start < s[1] for s, h in spans.items() if h in ledger.withdrawn)
        result = ledger.show(one)
        if barred:
            assert result is None
        elif holders:
            assert result is not None
            assert not result.sent
            assert result.passage.handle in holders
        else:
            assert result is not None
            assert result.sent
            assert result.passage.handle == spans.get((start, end), f"P{len(spans) + 1}")
            assert (result.passage.start, result.passage.end) == (start, end)
