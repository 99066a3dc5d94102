from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.corpus.addresses import units


def _spans(text: str) -> dict[str, str]:
    found = units(text, 0, len(text))
    assert len({unit.number for unit in found}) == len(found)
    return {unit.number: text[unit.start : unit.end] for unit in found}


def test_numbers_are_written_in_full_from_the_section_down() -> None:
    text = (
        "1. Lawful only if:\n\n(a) consent;\n\n(b) contract, or\n(i) steps before,\n(ii) steps after.\n\n"
        "2. States may:\n(a) keep;"
    )
    assert list(_spans(text)) == ["1", "1(a)", "1(b)", "1(b)(i)", "1(b)(ii)", "2", "2(a)"]


def test_a_unit_holds_what_stands_below_it() -> None:
    spans = _spans("(1) One:\n(a) alpha\n(b) beta\n(2) Two")
    assert spans == {
        "(1)": "(1) One:\n(a) alpha\n(b) beta",
        "(1)(a)": "(a) alpha",
        "(1)(b)": "(b) beta",
        "(2)": "(2) Two",
    }


def test_a_paragraph_behind_the_last_item_belongs_to_the_unit_above() -> None:
    spans = _spans("1. Lawful if:\n\n(a) consent;\n\n(f) interests.\n\nPoint (f) shall not apply.\n\n2. More")
    assert spans["1(f)"] == "(f) interests."
    assert spans["1"].endswith("Point (f) shall not apply.")


def test_an_item_with_a_heading_of_its_own_goes_on() -> None:
    spans = _spans("(a) In general\n\nExcept as provided, it applies.\n\n(b) Exception\n\nNot here.")
    assert spans["(a)"] == "(a) In general\n\nExcept as provided, it applies."


def test_indentation_tells_where_a_paragraph_belongs() -> None:
    text = (
        "(c) Standard\n\n    (1) The sum of-\n\n        (A) one, and\n\n        (B) two.\n\n"
        "    This is reduced.\n\nNot indented."
    )
    spans = _spans(text)
    assert spans["(c)(1)(B)"] == "(B) two."
    assert spans["(c)(1)"].endswith("This is reduced.")
    assert spans["(c)"].endswith("This is reduced.")


@pytest.mark.parametrize(
    ("marks", "numbers"),
    [
        ("(g) (h) (i) (j)", ["(g)", "(h)", "(i)", "(j)"]),
        ("(a) (i) (ii) (iii) (b)", ["(a)", "(a)(i)", "(a)(ii)", "(a)(iii)", "(b)"]),
        ("(k) (i) (ii) (l)", ["(k)", "(k)(i)", "(k)(ii)", "(l)"]),
        ("(u) (v) (w)", ["(u)", "(v)", "(w)"]),
        (
            "(a) (1) (A) (i) (B) (2) (b)",
            ["(a)", "(a)(1)", "(a)(1)(A)", "(a)(1)(A)(i)", "(a)(1)(B)", "(a)(2)", "(b)"],
        ),
        ("4.1 (a) (b) 4.2 (a)", ["4.1", "4.1(a)", "4.1(b)", "4.2", "4.2(a)"]),
        ("a) b) 1) 2) c)", ["(a)", "(b)", "(b)(1)", "(b)(2)", "(c)"]),
        ("(z) (aa) (bb)", ["(z)", "(aa)", "(bb)"]),
        ("(a) (c) (f)", ["(a)", "(c)", "(f)"]),
    ],
)
def test_letters_and_roman_numerals_are_told_apart(marks: str, numbers: list[str]) -> None:
    assert list(_spans("".join(f"{mark} x;\n" for mark in marks.split()))) == numbers


def test_a_reference_at_the_start_of_a_wrapped_line_is_no_unit() -> None:
    assert list(_spans("(a) as said in paragraph\n(c) above, and\n(b) more")) == ["(a)", "(b)"]
    assert list(_spans("It weighs about\n12. grams in all")) == []


@given(
    st.lists(
        st.sampled_from(
            ["(a)", "(b)", "(i)", "1.", "2.", "(1)", "4.2", " x", "\n", "\n\n", "    ", ".", ";", "- "]
        ),
        max_size=60,
    )
)
def test_units_nest_and_lie_inside_the_body(parts: list[str]) -> None:
    text = "".join(parts)
    found = units(text, 0, len(text))
    open_: list[int] = []
    before = -1
    for unit in found:
        assert before < unit.start < unit.end <= len(text)
        before = unit.start
        while open_ and open_[-1] <= unit.start:
            open_.pop()
        assert not open_ or unit.end <= open_[-1]
        open_.append(unit.end)


def test_items_inside_a_sentence_are_units() -> None:
    found = _spans("The buyer shall (i) pay the price, (ii) take the goods and (iii) return the crates.")
    assert found == {
        "(i)": "(i) pay the price,",
        "(ii)": "(ii) take the goods and",
        "(iii)": "(iii) return the crates.",
    }


def test_references_inside_a_sentence_are_none() -> None:
    assert _spans("Subject to clauses (a) and (b) and to Section 3(c), see paragraph (d), or (e).") == {}


def test_a_list_inside_an_item_does_not_count_on_from_its_letters() -> None:
    found = _spans("(a) find that the decisions to (a) sell and (b) deliver are fair;\n(b) order delivery.")
    assert [*found] == ["(a)", "(b)"]
    assert found["(b)"] == "(b) order delivery."


def test_lists_that_run_on_without_blanks() -> None:
    found = _spans("1. This applies to:(a)sellers of goods;(b)buyers of goods. 2. It does not apply to fish.")
    assert [*found] == ["1", "1(a)", "1(b)", "2"]


def test_the_ninth_letter_and_the_first_numeral() -> None:
    letters = "\n".join(f"({letter}) one thing;" for letter in "abcdefghij")
    assert [*_spans(letters)] == [f"({letter})" for letter in "abcdefghij"]
    nested = "\n".join(f"({letter}) one thing;" for letter in "abcdefgh") + "\n(i) first;\n(ii) second."
    assert [*_spans(nested)][-2:] == ["(h)(i)", "(h)(ii)"]


def test_numbered_paragraphs_that_print_their_word() -> None:
    found = _spans("Section 1.1 The fund pays.\n\nSection 1.2 The agent waits, as\nSection 1.1 Fees demands.")
    assert [*found] == ["1.1", "1.2"]
