from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.corpus.document import Section
from pincite.corpus.labels import Heading
from pincite.corpus.sections import build_sections


def _words(text: str) -> int:
    return len(text.split())


def _build(
    parts: Sequence[tuple[int, str, str]], before: str = "", title: str = "Title"
) -> tuple[str, tuple[Section, ...]]:
    """A text from (level, heading, body) and its sections."""
    text, headings = before, []
    for level, heading, body in parts:
        text += "\n\n" if text else ""
        headings.append(Heading(level, len(text), len(text) + len(heading)))
        text += f"{heading}\n\n{body}" if body else heading
    return text, build_sections(text, headings, title=title, count=_words)


BASE = [
    (1, "Article 1 Scope", "One."),
    (2, "Fees", "Two."),
    (2, "Term", "Three."),
    (1, "Article 2 Terms", "Four."),
]


def test_the_tree_follows_levels_and_gaps_mean_nothing() -> None:
    _, sections = _build(
        [(1, "One", "a"), (4, "Deep", "b"), (2, "Two", "c"), (6, "Deepest", "d"), (1, "Last", "e")]
    )
    assert [(section.level, section.title) for section in sections] == [
        (1, "One"),
        (2, "Deep"),
        (2, "Two"),
        (3, "Deepest"),
        (1, "Last"),
    ]
    by_id = {section.id: section for section in sections}
    parents = [by_id[section.parent].title if section.parent else None for section in sections]
    assert parents == [None, "One", "One", "Two", None]


def test_number_title_and_path() -> None:
    _, sections = _build([(1, "CHAPTER I", ""), (2, "Article 6 Lawfulness", "x"), (3, "4.2. Payment", "y")])
    assert [(section.number, section.title) for section in sections] == [
        ("CHAPTER I", ""),
        ("Article 6", "Lawfulness"),
        ("4.2", "Payment"),
    ]
    assert sections[2].path == ("CHAPTER I", "Article 6 Lawfulness", "4.2 Payment")


def test_spans_hold_bodies_and_trees() -> None:
    text, sections = _build(BASE, before="Preamble.")
    bodies = {section.title: text[section.start : section.end] for section in sections}
    assert bodies == {
        "Title": "Preamble.",
        "Scope": "One.",
        "Fees": "Two.",
        "Term": "Three.",
        "Terms": "Four.",
    }
    scope = sections[1]
    assert text[scope.heading_start : scope.tree_end].endswith("Three.")
    assert [section.has_heading for section in sections] == [False, True, True, True, True]


def test_a_heading_without_text_has_an_empty_body() -> None:
    text, sections = _build([(1, "Alpha", ""), (2, "Beta", ""), (1, "Omega", "")])
    assert all(section.start == section.end for section in sections)
    assert text[sections[0].heading_start : sections[0].tree_end].startswith("Alpha")


@pytest.mark.parametrize("changed", range(4))
def test_ids_stay_when_another_part_changes(changed: int) -> None:
    _, old = _build(BASE)
    edited = [*BASE]
    edited[changed] = (BASE[changed][0], BASE[changed][1], "Something else entirely.")
    _, new = _build([*edited, (1, "Article 3 New", "Five.")], before="A new preamble.")
    assert {section.id for section in old} <= {section.id for section in new}


def test_the_id_follows_the_number_not_the_title() -> None:
    _, old = _build([(1, "Article 1 Scope", "x"), (2, "Fees", "y")])
    _, new = _build([(1, "ARTICLE 1 – Scope of this Act", "x"), (2, "Fees", "y")])
    assert [section.id for section in old] == [section.id for section in new]


def test_the_same_name_under_another_parent_is_another_id() -> None:
    _, sections = _build([(1, "A", "x"), (2, "Fees", "y"), (1, "B", "x"), (2, "Fees", "y")])
    assert len({section.id for section in sections}) == 4


def test_an_id_is_never_given_to_another_section() -> None:
    twins = [(1, "Fees", f"Variant {n}.") for n in range(5)]
    old = {s.id: t[s.start : s.end] for t, sections in [_build(twins)] for s in sections}
    for gone in range(5):
        text, sections = _build([twin for at, twin in enumerate(twins) if at != gone])
        for section in sections:
            assert old.get(section.id) in (None, text[section.start : section.end])
    text, sections = _build([twins[3], twins[0], *twins])
    for section in sections:
        assert old.get(section.id) in (None, text[section.start : section.end])


def test_twins_without_text_are_told_apart_by_what_is_below_them() -> None:
    parts = [(1, "Part", ""), (2, "Fees", "a"), (1, "Part", ""), (2, "Term", "b")]
    _, sections = _build(parts)
    _, swapped = _build([*parts[2:], *parts[:2]])
    ids = {section.title: section.id for section in sections if section.level == 2}
    assert ids == {section.title: section.id for section in swapped if section.level == 2}


def test_the_title_of_the_document_stands_beside_what_it_would_enclose() -> None:
    _, sections = _build(
        [(1, "Fund policy", "Intro."), (2, "Fees", "a"), (3, "Entry", "b")], title="Fund Policy"
    )
    assert [(section.level, section.title) for section in sections] == [
        (1, "Fund policy"),
        (1, "Fees"),
        (2, "Entry"),
    ]
    assert sections[1].path == ("Fees",)


def test_a_text_without_headings_is_cut_into_windows() -> None:
    text = "\n\n".join(f"Paragraph {n} " + "word " * 100 for n in range(60))
    sections = build_sections(text, [], title="T", count=_words)
    assert len(sections) > 4
    assert not any(section.has_heading for section in sections)
    assert sections[0].title.startswith("Paragraph 0 word")
    assert all(section.path == (section.title,) for section in sections)


def test_a_long_preamble_is_cut_into_windows_too() -> None:
    _, sections = _build(BASE, before="\n\n".join("word " * 200 for _ in range(20)))
    assert sum(not section.has_heading for section in sections) > 2


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(1, 6),
            st.sampled_from(["Fees", "Term", "1. One", "Article 2", "§ 3", "(a) x", "Ünï", "4.2 Pay", "-"]),
            st.sampled_from(["", "Body.", "(a) one\n(b) two", "1. x\n\n  y\n\nz", "  \n"]),
        ),
        max_size=30,
    ),
    st.sampled_from(["", "Before.", "  \n", "one\n\ntwo"]),
)
def test_every_visible_character_lies_in_one_heading_or_one_body(
    parts: list[tuple[int, str, str]], before: str
) -> None:
    text, sections = _build(parts, before=before)
    assert len({section.id for section in sections}) == len(sections)
    ids = {section.id: section for section in sections}
    at = 0
    for section in sections:
        assert at <= section.heading_start <= section.start <= section.end <= section.tree_end <= len(text)
        assert not text[at : section.heading_start].strip()
        assert section.has_heading or section.heading_start == section.start
        assert section.level == len(section.path)
        if section.parent is not None:
            above = ids[section.parent]
            assert above.path == section.path[:-1]
            assert above.end <= section.heading_start
            assert section.tree_end <= above.tree_end
        at = section.end
    assert not text[at:].strip()
