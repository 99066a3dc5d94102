from __future__ import annotations

import random
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.corpus.windows import LEAST, MOST, window_spans, window_title


def _words(text: str) -> int:
    return len(text.split())


def _prose(seed: int, paragraphs: int) -> str:
    rnd = random.Random(seed)
    return "\n\n".join(
        " ".join(f"w{rnd.randrange(5000)}" for _ in range(rnd.randrange(20, 160))) + "."
        for _ in range(paragraphs)
    )


def test_windows_cover_the_text_within_their_bounds() -> None:
    text = _prose(1, 200)
    spans = window_spans(text, len(text), count=_words)
    assert len(spans) > 10
    assert all(LEAST <= _words(text[start:end]) <= MOST for start, end in spans[:-1])
    assert all(text[end : end + 2] == "\n\n" for _, end in spans[:-1])
    assert "\n\n".join(text[start:end] for start, end in spans) == text


def test_an_edit_moves_only_the_windows_near_it() -> None:
    text = _prose(2, 200)
    paragraphs = text.split("\n\n")
    edited = "\n\n".join([*paragraphs[:10], "A new paragraph. " * 30, *paragraphs[10:]])
    old = {text[start:end] for start, end in window_spans(text, len(text), count=_words)}
    new = {edited[start:end] for start, end in window_spans(edited, len(edited), count=_words)}
    assert len(old - new) <= 6
    assert text[window_spans(text, len(text), count=_words)[-1][0] :] in new


def test_a_text_too_short_for_two_is_one_window() -> None:
    text = "word " * MOST
    assert len(window_spans(text, len(text), count=_words)) == 1
    assert window_spans(" \n ", 3, count=_words) == []


def test_a_long_paragraph_is_cut_at_sentence_ends_and_a_long_sentence_at_spaces() -> None:
    sentences = " ".join(f"Sentence number {n} is here." for n in range(900))
    assert all(sentences[end - 1] == "." for _, end in window_spans(sentences, len(sentences), count=_words))
    one = "word " * 5000
    assert all(one[start:end].startswith("word") for start, end in window_spans(one, len(one), count=_words))


def test_a_text_without_any_place_to_cut_is_cut_all_the_same() -> None:
    text = "x" * 100_000
    spans = window_spans(text, len(text), count=lambda words: len(words) // 4)
    assert spans[0][0] == 0
    assert spans[-1][1] == len(text)
    assert all(before[1] == after[0] for before, after in pairwise(spans))
    assert all(LEAST <= (end - start) // 4 <= MOST for start, end in spans[:-1])


def test_the_title_is_the_first_words() -> None:
    assert (
        window_title("one two three four five six seven eight nine ten")
        == "one two three four five six seven eight…"
    )
    assert window_title("one two") == "one two"
    assert len(window_title("x" * 500)) == 81


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(["a ", "bb ", "end. ", "\n", "\n\n", "ccc" * 30, "。"]), max_size=400),
    st.integers(1, 40),
)
def test_every_visible_character_lies_in_exactly_one_window(parts: list[str], weight: int) -> None:
    text = "".join(parts)
    spans = window_spans(text, len(text), count=lambda words: weight * (1 + len(words) // 3))
    at = 0
    for start, end in spans:
        assert not text[at:start].strip()
        assert start < end
        assert text[start:end] == text[start:end].strip()
        at = end
    assert not text[at:].strip()
