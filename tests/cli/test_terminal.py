from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.cli.terminal import Page, one_line, place, safe, spelled, to_json

CONTROLS = {*map(chr, range(0x20)), *map(chr, range(0x7F, 0xA0)), "\u202e", "\u2066", "\u200f"} - {"\t", "\n"}


def test_escape_sequences_become_visible() -> None:
    shown = r"\x1b[2J\x1b]0;title\x07 \x9b31m red \x7f"
    assert safe("\x1b[2J\x1b]0;title\x07 \x9b31m red \x7f") == shown


def test_text_that_runs_backwards_is_shown_forwards() -> None:
    assert safe("invoice\u202efdp.exe") == r"invoice\u202efdp.exe"
    assert safe("a\U000e0041b\u2028c") == r"a\U000e0041b\u2028c"


def test_breaks_in_a_name_are_written_out() -> None:
    assert spelled("a\nb\tc\r\x85.md") == r"a\nb\tc\r\x85.md"


def test_ordinary_text_of_any_script_is_kept() -> None:
    text = "§ 4.2(b) – „naïve“ 条款\tالمادة\nनियम e\u0301"
    assert safe(text) == text


@given(st.text(st.characters()))
def test_no_control_character_survives(text: str) -> None:
    for shown in (safe(text), one_line(text), spelled(text), to_json({"text": text})):
        assert not CONTROLS & set(shown)
        shown.encode("utf-8")
    assert len(one_line(text).splitlines()) <= 1
    assert len(spelled(text).splitlines()) <= 1


@given(st.text())
def test_json_gives_back_what_was_put_in(text: str) -> None:
    assert json.loads(to_json([text])) == [text]


def test_a_cut_line_ends_in_an_ellipsis_within_the_limit() -> None:
    assert one_line("word " * 1000, 20) == "word word word word…"
    assert one_line("short", 20) == "short"


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ((4, 4, None), "page 4"),
        ((4, 6, 10), "pages 4 to 6"),
        ((4, None, None), "page 4"),
        ((None, None, 12), "line 12"),
        ((None, None, None), ""),
    ],
)
def test_places_are_said_in_words(where: tuple[int | None, int | None, int | None], said: str) -> None:
    assert place(*where) == said


def test_long_lines_stay_whole_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    Page().line("word " * 100 + "[red]end[/red] :smile:", indent=2)
    out = capsys.readouterr().out
    assert out == "  " + "word " * 100 + "[red]end[/red] :smile:\n"
