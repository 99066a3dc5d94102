"""What is typed or pasted as a question: nothing that cannot be seen changes it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.corpus.typed import typed


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (
            "What\u200b is the ongoing\u00a0charge of the Tide\u00adwater Fund\ufeff?",
            "What is the ongoing charge of the Tidewater Fund?",
        ),
        ("What\x00 is\x1b[31m the fee\x1b[0m\u202e?", "What is the fee?"),
        ("\x1b]8;;https://example.org\x1b\\fee\x1b]8;;\x07", "fee"),
        ("\x9b1mfee\x9b0m \x1bcdue", "fee due"),
        ("rent\u2028and\x85deposit\tdue", "rent\nand\ndeposit\tdue"),
        ("f\ufe0fee\U000e0041s \u2067now\u2069", "fees now"),
        ("Gebühr\u3000für\u2003Mieter", "Gebühr für Mieter"),
        # Persian and Hindi spell words with joiners, Arabic has a visible sign of that class.
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष", "क्\u200dष"),
        ("\u0601\u0663", "\u0601\u0663"),
        ("fee\u200d due", "fee due"),
        ("What is [31m in §4?", "What is [31m in §4?"),
    ],
)
def test_a_text_is_what_can_be_seen_of_it(text: str, seen: str) -> None:
    assert typed(text) == seen


_HIDDEN = st.sampled_from("\x1b\x9b[]m\x07\\\x00\u200b\u200c\u200d\u00ad\u202e\u2028\ufe0f\u00a0یa1 \n")


@given(st.text(alphabet=st.one_of(_HIDDEN, st.characters())))
def test_once_is_enough_and_no_control_is_left(text: str) -> None:
    once = typed(text)
    assert typed(once) == once
    assert not [sign for sign in once if unicodedata.category(sign) == "Cc" and sign not in "\t\n"]
