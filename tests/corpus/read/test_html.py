from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from pincite.corpus.document import Document

ReadBytes = Callable[..., Document]
Outline = Callable[[Document], list[tuple[int, str]]]


def test_only_what_is_shown_is_read(read_bytes: ReadBytes) -> None:
    page = (
        "<head><style>.a{}</style><title>T</title></head><body><script>var x</script><nav>Home</nav>"
        "<!-- comment --><template><p>template</p></template><noscript>none</noscript><p hidden>hidden</p>"
        "<p style='Display : none'>none</p><div role='navigation'>menu</div><button>press</button>"
        "<i aria-hidden='true'>icon</i><svg><text>svg</text></svg><select><option>choice</select>"
        "<header>Site</header><p>Seen &amp; read.</p><footer>Imprint</footer></body>"
    )
    assert read_bytes(page, "a.html").text == "Seen & read."


def test_a_hidden_main_part_is_still_read(read_bytes: ReadBytes) -> None:
    page = "<div aria-hidden='true'><h1>Fees</h1><p>Twelve.</p></div><div role='dialog'>Cookies?</div>"
    assert read_bytes(page, "a.html").text == "Fees\n\nTwelve."


def test_the_header_of_an_article_belongs_to_it(read_bytes: ReadBytes, outline: Outline) -> None:
    page = (
        "<header>Site</header><article><header><h1>Fees</h1></header><p>Twelve.</p>"
        "<footer>Note.</footer></article>"
    )
    document = read_bytes(page, "a.html")
    assert outline(document) == [(1, "Fees")]
    assert document.text == "Fees\n\nTwelve.\n\nNote."


def test_the_main_element_stands_for_the_page_when_it_holds_most_of_it(read_bytes: ReadBytes) -> None:
    long = "<p>" + "The main text of the page. " * 20 + "</p>"
    assert "Advert" not in read_bytes(f"<div>Advert</div><main>{long}</main>", "a.html").text
    assert "main text" in read_bytes(f"<div>{long}</div><main>Short</main>", "a.html").text


def test_title_without_the_name_of_the_site(read_bytes: ReadBytes) -> None:
    assert read_bytes("<title>Duck - Encyclopedia</title><h1>Duck</h1><p>x</p>", "a.html").title == "Duck"
    assert read_bytes("<title>Duck pond</title><h1>Duck</h1><p>x</p>", "a.html").title == "Duck pond"
    assert read_bytes("<h1>Duck</h1><p>x</p>", "a.html").title == "Duck"
    assert read_bytes("<p>x</p>", "The name.html").title == "The name"


def test_lists_and_line_breaks(read_bytes: ReadBytes) -> None:
    page = "<p>One<br>two</p><ol start=3><li>a<ul><li>b<li>c</ul><li value=9>d<p>e</p></ol><pre>x\n  y</pre>"
    assert read_bytes(page, "a.html").text == "One\ntwo\n\n3. a\n  - b\n  - c\n9. d\n  e\n\nx\n  y"


def test_words_are_neither_glued_nor_split(read_bytes: ReadBytes) -> None:
    page = "<p>an <b>in</b>line<i> word</i></p><div>one</div><div>two</div><p>H<sub>2</sub>O\n and\n more</p>"
    assert read_bytes(page, "a.html").text == "an inline word\n\none\n\ntwo\n\nH2O and more"


def test_a_table_has_its_header_first_and_filled_row_spans(read_bytes: ReadBytes) -> None:
    page = (
        "<table><caption>Prices</caption><tr><th>Year<th>Half<th>Price</tr>"
        "<tr><th rowspan=2>2024<td>1<td>11</tr>"
        "<tr><td>2<td>12</tr><tr><td colspan=2>2025<td>10 <table><tr><td>in<td>side</table></tr></table>"
    )
    document = read_bytes(page, "a.html")
    ((start, end),) = document.tables
    assert document.text[:start] == "Prices\n\n"
    assert document.text[start:end] == "Year\tHalf\tPrice\n2024\t1\t11\n2024\t2\t12\n2025\t\t10 in side"


def test_a_table_for_the_layout_is_read_as_text(read_bytes: ReadBytes, outline: Outline) -> None:
    cell = "<h2>Fees</h2><p>Twelve.</p><h2>Term</h2><p>Two years.</p>"
    page = f"<table><tr><td>Menu</td><td>{cell}</td></tr></table>"
    document = read_bytes(page, "a.html")
    assert document.tables == ()
    assert outline(document)[1:] == [(1, "Fees"), (1, "Term")]


def test_long_lists_of_links_are_navigation(read_bytes: ReadBytes) -> None:
    links = "".join(f"<li><a href=#{n}>Language {n}</a></li>" for n in range(40))
    assert read_bytes(f"<ul>{links}</ul><p>Text.</p>", "a.html").text == "Text."
    assert "Language 3" in read_bytes(f"<ul>{links[:200]}</ul><p>Text.</p>", "a.html").text


def test_declared_and_old_character_sets(read_bytes: ReadBytes) -> None:
    page = '<meta charset="windows-1252"><p>Gebühren € 5</p>'
    assert read_bytes(page.encode("cp1252"), "a.html").text == "Gebühren € 5"


@pytest.mark.parametrize(
    "page",
    [
        "<div>" * 3000 + "word" + "</div>" * 3000,
        "<div>" * 200_000 + "word",
        "<table><tr><td>" * 3000 + "word",
        "<ul><li>" * 1900 + "word",
        "<b>" * 50_000 + "word",
    ],
)
def test_deep_nesting_is_read_without_recursion(read_bytes: ReadBytes, page: str) -> None:
    start = time.monotonic()
    assert "word" in read_bytes(page, "a.html").text
    assert time.monotonic() - start < 30


def test_what_stands_around_the_text_is_left_out_by_its_name(read_bytes: ReadBytes) -> None:
    document = read_bytes(
        '<body class="with-sidebar"><div class="cookie-banner"><p>We use cookies.</p></div>'
        '<div id="top-nav"><a href="/">Home</a> <a href="/b">Berths</a></div>'
        '<div class="page menu-open"><h1>Rules</h1><h2>Fees</h2>'
        '<p>Ten crowns a day, as <a href="/x">listed</a>.</p>'
        '<div class="related">'
        "<p>Related duties of the master are set out in part two of these rules.</p></div>"
        '</div><div class="footer"><a href="/i">Imprint</a></div></body>',
        "rules.html",
    )
    assert document.text == (
        "Rules\n\nFees\n\nTen crowns a day, as listed.\n\n"
        "Related duties of the master are set out in part two of these rules."
    )


CLAUSES = "".join(
    f"<div class=clause id=c{at}><h3>§ {at} Clause {word}</h3><p>The member pays the {word} fee on the first "
    f"day of each month and the club keeps the {word} boats in good repair for as long as the agreement "
    "lasts.</p></div>"
    for at, word in enumerate(("rowing", "sailing", "paddling", "fishing", "mooring"), start=1)
)
ASIDE = (
    "<div class=c7><ul><li><a href=/a>All about rowing this week</a></li>"
    "<li><a href=/b>Our shop is open</a></li><li><a href=/c>Sign in to your account</a></li></ul></div>"
)
REMARKS = (
    '<div id="comments"><div class="comment"><p>I never liked this club, said somebody who was there '
    "once.</p></div></div>"
)


def test_what_stands_around_a_text_is_told_by_the_extractor(read_bytes: ReadBytes, outline: Outline) -> None:
    table = "<table><tr><th>Boat</th><th>Fee</th></tr><tr><td>Skiff</td><td>10</td></tr></table>"
    page = (
        f"<body><div class=x1>{ASIDE}</div><div class=x2><h1>Rules of the club</h1>{CLAUSES}{table}</div>"
        f"{REMARKS}<div class=x3><p>Imprint: the club, Quay 1. <a href=/i>Imprint of this site, privacy and "
        "terms of use</a></p></div></body>"
    )
    document = read_bytes(page, "a.html")
    assert "shop" not in document.text and "somebody" not in document.text and "privacy" not in document.text
    assert [name for _, name in outline(document)][:3] == [
        "Rules of the club", "§ 1 Clause rowing", "§ 2 Clause sailing",
    ]  # fmt: skip
    assert "Boat\tFee\nSkiff\t10" in document.text
    assert [anchor.name for anchor in document.anchors] == ["c1", "c2", "c3", "c4", "c5"]


def test_the_extractor_alone_leaves_nothing_out(read_bytes: ReadBytes) -> None:
    # It takes no part of these: a form of many short fields, a list of names, a note in small print.
    parts = "".join(f"<div class=f><b>Field {at}</b> <span>{at}{at}</span></div>" for at in range(30))
    document = read_bytes(
        f"<body><h1>Entry</h1>{parts}<div class=g>Rates: 5 % and 7 %</div></body>", "a.html"
    )
    assert "Field 29 2929" in document.text and "Rates: 5 % and 7 %" in document.text


def test_a_page_that_the_extractor_cannot_read_is_read_whole(read_bytes: ReadBytes) -> None:
    document = read_bytes(f"<body>{'<table><tr><td>' * 300}{CLAUSES}", "a.html")
    assert "the mooring fee" in document.text


@pytest.mark.parametrize(
    "page", ["<body><p>Short.</p></body>", "<body><x-y>Odd</x-y><p></body>", "<html>Bare words"]
)
def test_pages_that_the_extractor_finds_odd_are_read_in_silence(
    read_bytes: ReadBytes, capfd: pytest.CaptureFixture[str], page: str
) -> None:
    assert read_bytes(page, "a.html").text
    assert capfd.readouterr() == ("", "")


def test_notes_that_are_set_aside_belong_to_the_text(read_bytes: ReadBytes) -> None:
    note = '<aside class="footnote" role="doc-footnote">1 Net of tax.</aside>'
    notes = f'<aside class="footnote-list">{note}</aside>'
    page = f"<body><h1>Rules of the club</h1>{CLAUSES}{notes}<aside>Our shop sells ropes.</aside></body>"
    text = read_bytes(page, "a.html").text
    assert "1 Net of tax." in text
