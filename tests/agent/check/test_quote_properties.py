"""Properties of the quote check on generated texts."""

import re
import time
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pincite.agent.check.closest import closest_words
from pincite.agent.check.normalise import fold
from pincite.agent.check.quotes import Match, find_quote, normalise

WORDS = st.text(alphabet="abcdefghijklmnopqrstuvwxyzäéß", min_size=2, max_size=9)
NUMBERS = st.integers(min_value=0, max_value=99_999).map(str)
PASSAGE = st.lists(st.one_of(WORDS, WORDS, NUMBERS), min_size=6, max_size=30)

NASTY = st.text(
    alphabet=st.one_of(
        st.characters(),
        st.sampled_from(
            "ab1 -\n\u00ad\u200b\u0301\u3099\ufb01\uff0d\uff41か三。，'\u2019\"\u2026.\u2013\u2212\u00a0²½٣"
        ),
    ),
    max_size=60,
)

DISGUISES = (
    lambda text: re.sub("(?<=[a-zäéß]) (?=[a-zäéß])", "\u00a0", text),
    lambda text: text.replace(" ", "\n  "),
    lambda text: text.replace(" ", "\u3000"),
    lambda text: unicodedata.normalize("NFD", text),
    "\u00ad".join,
    lambda text: "\u200b".join(text) + "\ufeff",
    lambda text: "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text),
    lambda text: text.replace("fi", "\ufb01").replace("st", "\ufb06").replace("s", "\u017f"),
    lambda text: re.sub("(?<=[a-zäéß])(?=[a-zäéß])", "-\n", text),
)


@st.composite
def passages_with_a_run(draw: st.DrawFn) -> tuple[str, str]:
    words = draw(PASSAGE)
    start = draw(st.integers(min_value=0, max_value=len(words) - 3))
    end = draw(st.integers(min_value=start + 3, max_value=len(words)))
    return " ".join(words), " ".join(words[start:end])


@settings(deadline=None)
@given(passages_with_a_run())
def test_three_whole_words_or_more_are_exact(case: tuple[str, str]) -> None:
    text, run = case
    assume(len(run) >= 10)
    found = find_quote(run, text)
    assert found.match is Match.exact
    assert text[found.start : found.end] == run


@settings(deadline=None)
@given(passages_with_a_run(), st.sampled_from(DISGUISES))
def test_a_disguised_source_still_holds_the_words(
    case: tuple[str, str], disguise: Callable[[str], str]
) -> None:
    text, run = case
    assume(len(run) >= 10)
    disguised = disguise(text)
    found = find_quote(run, disguised)
    assert found.match is not Match.not_found
    assert normalise(disguised[found.start : found.end]).replace("-", "") == normalise(run)


@settings(deadline=None)
@given(passages_with_a_run(), st.sampled_from(DISGUISES[:-1]))
def test_a_disguised_quote_is_still_found(case: tuple[str, str], disguise: Callable[[str], str]) -> None:
    text, run = case
    assume(len(run) >= 10)
    assert find_quote(disguise(run), text).match is not Match.not_found


@settings(deadline=None)
@given(
    passages_with_a_run(),
    st.sampled_from(["…", "...", '"', "“", "»", "」", " ", "\u200b"]),
    st.sampled_from([*".,;:。", ""]),
)
def test_marks_added_at_the_ends_do_no_harm(case: tuple[str, str], mark: str, final: str) -> None:
    text, run = case
    assume(len(run) >= 10)
    assert find_quote(mark + run + final + mark, text).match is not Match.not_found


@settings(deadline=None)
@given(passages_with_a_run(), st.data())
def test_a_changed_digit_never_passes(case: tuple[str, str], data: st.DataObject) -> None:
    text, run = case
    digits = [at for at, char in enumerate(run) if char.isdigit()]
    assume(digits)
    at = data.draw(st.sampled_from(digits))
    other = data.draw(st.sampled_from([digit for digit in "0123456789" if digit != run[at]]))
    changed = run[:at] + other + run[at + 1 :]
    assume(changed not in text)
    assert find_quote(changed, text).match is Match.not_found
    assert find_quote(f"“{changed}…”", text.replace(" ", "\u00a0")).match is Match.not_found


@settings(deadline=None)
@given(passages_with_a_run(), st.data())
def test_a_cut_word_never_passes(case: tuple[str, str], data: st.DataObject) -> None:
    text, run = case
    cut = (
        run[data.draw(st.integers(min_value=1, max_value=run.index(" ") - 1)) :] if run.index(" ") > 1 else ""
    )
    assume(cut and not re.search(rf"(?<!\S){re.escape(cut)}(?!\S)", text))
    assert find_quote(cut, text).match is Match.not_found


@settings(deadline=None)
@given(passages_with_a_run(), st.data())
def test_a_word_left_out_never_passes(case: tuple[str, str], data: st.DataObject) -> None:
    text, run = case
    words = run.split(" ")
    assume(len(words) >= 5)
    gone = data.draw(st.integers(min_value=1, max_value=len(words) - 2))
    shorter = " ".join(words[:gone] + words[gone + 1 :])
    assume(shorter not in text)
    assert find_quote(shorter, text).match is Match.not_found


@settings(deadline=None)
@given(NASTY)
def test_normalisation_is_idempotent(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once


@settings(deadline=None)
@given(NASTY)
def test_folded_text_is_composed_and_tied_to_the_original(text: str) -> None:
    folded = fold(text)
    assert unicodedata.is_normalized("NFC", folded.text)
    spans = [folded.span(at, at + 1) for at in range(len(folded.text))]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert spans == sorted(spans)


@settings(max_examples=300, deadline=None)
@given(NASTY, NASTY)
def test_nothing_raises_and_offsets_stay_inside(quote: str, text: str) -> None:
    for source in (text, text + quote + text, f"{text} {quote} {text}"):
        found = find_quote(quote, source)
        if found.match is Match.not_found:
            assert found.start is None and found.end is None
        else:
            assert found.start is not None and found.end is not None
            assert 0 <= found.start < found.end <= len(source)
        if found.match is Match.exact:
            assert source[found.start : found.end] == quote
        assert closest_words(quote, source) in source


@settings(max_examples=300, deadline=None)
@given(PASSAGE, NASTY)
def test_whatever_stands_between_words_is_found_as_it_is_and_normalised(
    words: list[str], between: str
) -> None:
    text = f"first {between} {' '.join(words)} last"
    assert find_quote(text, text).match is Match.exact
    assert find_quote(normalise(text), text).match is not Match.not_found
    assert find_quote(text, normalise(text)).match is not Match.not_found


LONG = 200_000
HARMLESS = " ".join(f"word{i} of the lease-\nhold {i}" for i in range(LONG // 30))
REPEATED = [
    "a ",
    "a-\n",
    "啊 ",
    "a",
    "\u00ad",
    " ",
    "- ",
    "\u0301\u0323",
    '"',
    ". ",
    "1.1 ",
    "-\n",
    "\u200b",
    "5 May 2021, ",
]


@pytest.mark.parametrize("unit", REPEATED, ids=[ascii(unit) for unit in REPEATED])
def test_no_text_makes_the_check_slow(unit: str) -> None:
    """A bound against running wild, far above what is measured (see the report of the benchmark)."""
    text = unit * (LONG // len(unit))
    quote = f"x y {unit * (1_000 // len(unit))} aa bb {unit}z"
    started = time.perf_counter()
    find_quote(quote, text)
    find_quote((unit * 1_000)[:2_000] + "aa", text)
    assert time.perf_counter() - started < 10


def test_a_long_passage_is_searched_at_once() -> None:
    quote = HARMLESS[LONG // 2 : LONG // 2 + 2_000].split(" ", 1)[1].rsplit(" ", 1)[0]
    started = time.perf_counter()
    assert find_quote(quote, HARMLESS).match is Match.exact
    assert find_quote(quote.replace("-\n", ""), HARMLESS).match is Match.normalized
    assert find_quote(quote.replace("lease-\nhold", "leasehold", 1) + " x", HARMLESS).match is Match.not_found
    assert time.perf_counter() - started < 5
