from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from pincite.corpus.document import Document

ReadBytes = Callable[..., Document]
Outline = Callable[[Document], list[tuple[int, str]]]
BodyOf = Callable[[Document, str], str]


def test_headings_of_both_kinds_make_the_tree(read_bytes: ReadBytes, outline: Outline) -> None:
    document = read_bytes("Top\n===\n\na\n\n## One\n\nb\n\n#### Deep ####\n\nc\n\nTwo\n---\n\nd\n", "a.md")
    # The title of the whole document stands beside what it would enclose.
    assert outline(document) == [(1, "Top"), (1, "One"), (2, "Deep"), (1, "Two")]


def test_hash_lines_inside_code_are_no_headings(
    read_bytes: ReadBytes, outline: Outline, body_of: BodyOf
) -> None:
    document = read_bytes(
        "# A\n\n```sh\n# one\n  two\n```\n\n    # three\n\n# B\n\n- x\n\n  ~~~\n  # four\n  ~~~\n", "a.md"
    )
    assert outline(document) == [(1, "A"), (1, "B")]
    assert body_of(document, "A") == "# one\n  two\n\n# three"


def test_headings_inside_lists_and_quotations_are_text(read_bytes: ReadBytes, outline: Outline) -> None:
    document = read_bytes("# A\n\n> # quoted\n\n- # listed\n", "a.md")
    assert outline(document) == [(1, "A")]
    assert "quoted" in document.text
    assert "listed" in document.text


def test_inline_markup_goes_and_its_words_stay(read_bytes: ReadBytes) -> None:
    source = (
        'A **bold** _word_, a [link](http://x.example/p "t"), ![an image](i.png), `co*de`, ~~old~~ text,<br>'
        "a &amp; b, <span hidden>span</span>, \\*star\\*, <http://auto.example>"
    )
    assert read_bytes(source, "a.md").text == (
        "A bold word, a link, an image, co*de, old text,\na & b, span, *star*, http://auto.example"
    )


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("# <script>window.pwn=1</script> Kilowatt\n\nIt lasts.\n", "Kilowatt\n\nIt lasts."),
        ("Body <style>p{color:*red*}</style>here.\n", "Body here."),
        ("- item <SCRIPT src='x'>a\n  b</Script >c\n", "- item c"),
        ("a <template><b>no</b></template>b<noscript>n</noscript> c\n", "a b c"),
        ("a <script>x</style> *y* <b></script>z\n", "a z"),
        ("| a | b |\n|---|---|\n| <script>x</script>1 | 2 |\n", "a\tb\n1\t2"),
        ("[l <script>x</script>m](http://a.example)\n", "l m"),
        ("a <script> that is never closed\n", "a  that is never closed"),
        ("`<script>` is a tag and `</script>` its end\n", "<script> is a tag and </script> its end"),
    ],
)
def test_code_between_tags_is_no_text(read_bytes: ReadBytes, source: str, text: str) -> None:
    assert read_bytes(source, "a.md").text == text


def test_lists_keep_markers_numbers_and_a_small_indentation(read_bytes: ReadBytes) -> None:
    source = "Intro\n\n3. three\n4. four\n   - inner\n\n     more of inner\n5. five\n\n* a\n* b\n"
    assert read_bytes(source, "a.md").text == (
        "Intro\n\n3. three\n4. four\n  - inner\n\n    more of inner\n5. five\n\n- a\n- b"
    )


def test_a_table_is_its_header_and_rows_with_tabs(read_bytes: ReadBytes) -> None:
    document = read_bytes(
        "# Rates\n\n| Term | *Rate* |\n|---|--:|\n| 12 | 4.5 \\| 5 |\n| 24 | |\n\nAfter.\n", "a.md"
    )
    ((start, end),) = document.tables
    assert document.text[start:end] == "Term\tRate\n12\t4.5 | 5\n24"
    assert document.text.endswith("\n\nAfter.")
    assert [document.place(document.text.index(word)).line for word in ("Term", "12", "24", "After")] == [
        3,
        5,
        6,
        8,
    ]


def test_lines_are_those_of_the_file(read_bytes: ReadBytes) -> None:
    document = read_bytes("---\ntitle: T\n---\n\n# A\n\none\ntwo\n\n- x\n- y\n\n```\ncode\n```\n", "a.md")
    lines = {
        word: document.place(document.text.index(word)).line
        for word in ("A", "one", "two", "- x", "- y", "code")
    }
    assert lines == {"A": 5, "one": 7, "two": 8, "- x": 10, "- y": 11, "code": 14}


def test_footnotes_stand_in_the_section_that_refers_to_them(read_bytes: ReadBytes, body_of: BodyOf) -> None:
    document = read_bytes(
        "# A\n\nCapped[^cap] here.\n\n# B\n\nNothing.\n\n"
        "[^cap]: Except for *wilful* acts.\n\n    And so on.\n[^2]: Unused\n",
        "a.md",
    )
    assert body_of(document, "A") == "Capped here.\n\n[cap] Except for wilful acts.\n\n  And so on."
    assert body_of(document, "B") == "Nothing.\n\n[2] Unused"


def test_front_matter_is_metadata_and_no_text(read_bytes: ReadBytes) -> None:
    document = read_bytes(
        "---\ntitle: Fund policy\nversion: 2\neffective_from: 2026-01-31\neffective_to: '2026-12-31'\n"
        "status: draft\ntags: [a]\n# no heading\n---\n\n# Retention\n\nText.\n",
        "a.md",
    )
    meta = document.metadata
    assert (document.title, meta.title, meta.version_label, meta.status) == (
        "Fund policy",
        "Fund policy",
        "2",
        "draft",
    )
    assert (meta.effective_from, meta.effective_to) == (date(2026, 1, 31), date(2026, 12, 31))
    assert document.warnings == ()
    assert document.text == "Retention\n\nText."


def test_front_matter_never_grants_access(read_bytes: ReadBytes) -> None:
    document = read_bytes("---\ngroups: [board]\ntenant: other\ntitle: T\n---\nText.\n", "a.md")
    assert len(document.warnings) == 2
    assert all("access" in warning for warning in document.warnings)


@pytest.mark.parametrize(
    ("block", "warnings"),
    [
        ("effective_from: soon", 1),
        ("effective_from: [2026]", 1),
        ("title: {a: b}", 1),
        ("status: true", 1),
        ("effective_from: 2026-02-01\neffective_to: 2026-01-01", 1),
        ("title: a: b: c\n  - x", 1),
        ("a: &x [1]\nb: *x", 1),
        ("just words", 0),
    ],
)
def test_unusable_front_matter_is_a_warning_never_an_error(
    read_bytes: ReadBytes, block: str, warnings: int
) -> None:
    document = read_bytes(f"---\n{block}\n---\n\n# A\n\nText.\n", "a.md")
    assert "Text." in document.text
    assert len(document.warnings) == warnings
    assert document.metadata.effective_from is None
    assert document.metadata.status is None


def test_html_inside_markdown_is_read_as_html(read_bytes: ReadBytes, outline: Outline) -> None:
    document = read_bytes(
        "<h1 align='center'>Tool</h1>\n\n<!-- hidden -->\n\n"
        "<details>\n<p>More</p>\n</details>\n\n## Use\n\nx",
        "a.md",
    )
    assert outline(document) == [(1, "Tool"), (1, "Use")]
    assert document.text == "Tool\n\nMore\n\nUse\n\nx"


@pytest.mark.parametrize(
    "source",
    [
        "# L\n\n" + "".join("  " * i + f"- item {i}\n" for i in range(800)),
        "# L\n\n" + ">" * 5000 + " item 799\n",
        "# L\n\n" + "- " * 5000 + "item 799\n",
        "# L\n\n" + "[" * 20_000 + " item 799\n",
        "# L\n\n" + "![" * 20_000 + " item 799\n",
    ],
)
def test_deep_nesting_loses_nothing_and_does_not_recurse(read_bytes: ReadBytes, source: str) -> None:
    document = read_bytes(source, "a.md")
    assert [section.title for section in document.sections] == ["L"]
    assert "item 799" in document.text


def test_ligatures_and_odd_spaces_are_plain_in_the_text(read_bytes: ReadBytes) -> None:
    assert (
        read_bytes("The ﬁrst e\u0301 10\u00a0% co\u00adop\u200beration", "a.md").text
        == "The first é 10 % cooperation"
    )
