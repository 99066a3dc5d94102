"""Anchors of pages and chapters as addresses, and links as references, from files to tools and commands."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.cli.app import run
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.tools.contract import ReadJson, json_read, json_toc
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox

TERMS = """<!doctype html><html><head><title>Terms</title>
<link rel="canonical" href="https://club.example/terms"></head><body>
<nav id="menu"><a href="#fees">Fees</a></nav>
<main><h1>Terms of the club</h1>
<p id="intro">See <a href="#termination">how it ends</a>,
<a href="house/privacy.html#kept">what we keep</a>,
<a href="https://club.example/terms#late">the clause on delay</a>,
<a href="https://other.example/#x">elsewhere</a>
<a href="#n1"><sup>1</sup></a> and <a href="lost.html#x">a lost page</a>.</p>
<a name="fees"></a>
<h2>2. Fees <a href="#fees">¶</a></h2>
<p>Fees are due monthly.</p>
<ol><li id="late">Delay costs 5 crowns.</li><li><a id="refund"></a>Refunds take a week.</li></ol>
<section id="termination"><h2>3. The end</h2><p>Notice is given in writing, as in
<a href="#fees">Section 9</a> or <a href="#gone">Annex Z</a>.</p>
<p id="survival">Clause 2 survives.</p></section>
<table id="plans"><tr><th>Plan</th><th>Price</th></tr><tr id="gold"><td>Gold</td><td>10</td></tr></table>
</main></body></html>"""
PRIVACY = """<html><body><h1>Privacy</h1><h2 id="kept">What is kept</h2>
<p>Names, for a year: see <a href="../terms.html#survival">survival</a>.</p></body></html>"""

Opened = Callable[..., Toolbox]


@pytest.fixture
def toolbox(tmp_path: Path) -> Opened:
    def make(files: dict[str, str | bytes], scope: Scope | None = None) -> Toolbox:
        for name, content in files.items():
            path = tmp_path / "docs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        sync([tmp_path / "docs"], tmp_path / "kb", vectors=False)
        index = Index.open(tmp_path / "kb")
        return Toolbox(index, Retriever(index, None), scope or Scope(), seed="s")

    return make


def read(toolbox: Toolbox, section: str, document: str = "docs/terms.html") -> ReadJson:
    return json_read(toolbox.call("read_section", {"document": document, "section": section}))


@pytest.mark.parametrize(
    ("address", "number", "text"),
    [
        ("#termination", "3", "Notice is given in writing"),
        ("#fees", "2", "Fees are due monthly."),
        ("#late", "2(1)", "1. Delay costs 5 crowns."),
        ("#refund", "2(2)", "2. Refunds take a week."),
        ("#survival", "3, #survival", "Clause 2 survives."),
        ("terms.html#survival", "3, #survival", "Clause 2 survives."),
        ("survival", "3, #survival", "Clause 2 survives."),
        ("#Survival", "3, #survival", "Clause 2 survives."),
        ("#gold", "3, #gold", "Gold\t10"),
    ],
)
def test_an_anchor_opens_the_section_or_the_part_that_carries_it(
    toolbox: Opened, address: str, number: str, text: str
) -> None:
    found = read(toolbox({"terms.html": TERMS, "house/privacy.html": PRIVACY}), address)
    assert (found.error, found.number) == (None, number)
    assert (found.text or "").startswith(text)
    assert found.anchor == address.rpartition("#")[2].lower()


def test_an_anchor_that_is_not_there_is_no_section(toolbox: Opened) -> None:
    tools = toolbox({"terms.html": TERMS})
    for address in ("#gone", "#menu", "#", "other.html#late"):
        error = read(tools, address).error
        assert error is not None and error.code == "no_such_section"


def test_links_are_references_to_where_they_lead(toolbox: Opened) -> None:
    tools = toolbox({"terms.html": TERMS, "house/privacy.html": PRIVACY})
    found = {one.text: one for one in read(tools, "#intro").references}
    leads = {text: [(at.document, at.number, at.title) for at in one.targets] for text, one in found.items()}
    assert leads == {
        "how it ends": [("docs/terms.html", "3", "The end")],
        "what we keep": [("docs/house/privacy.html", None, "What is kept")],
        "the clause on delay": [("docs/terms.html", "2(1)", "Fees")],
    }
    assert found["what we keep"].href == "house/privacy.html#kept"
    # What the author linked wins over the words; a link that leads nowhere does not.
    ends = {one.text: one for one in read(tools, "#termination").references}
    assert [at.number for at in ends["Section 9"].targets] == ["2"]
    assert ends["Annex Z"].status == "missing"


def test_a_link_leads_into_documents_that_the_caller_may_see_only(toolbox: Opened) -> None:
    files: dict[str, str | bytes] = {"terms.html": TERMS, "house/privacy.html": PRIVACY}
    tools = toolbox(files, Scope(documents=frozenset({"docs/terms.html"})))
    assert "what we keep" not in {one.text for one in read(tools, "#intro").references}
    error = read(tools, "house/privacy.html#kept").error
    assert error is not None and error.code == "no_such_section"
    assert read(toolbox(files), "house/privacy.html#kept").document == "docs/house/privacy.html"
    back = read(toolbox(files), "#kept", "docs/house/privacy.html").references
    assert [at.number for one in back for at in one.targets] == ["3, #survival"]


def test_contents_and_passages_show_the_anchor(toolbox: Opened) -> None:
    tools = toolbox({"terms.html": TERMS})
    entries = json_toc(tools.call("table_of_contents", {"document": "docs/terms.html"})).sections
    flat = [entry for top in entries for entry in (top, *top.children)]
    assert [entry.anchor for entry in flat] == [None, "fees", "termination"]
    (passage,) = tools.call("search", {"query": "survives"}).passages
    at = passage.start + passage.text.index("Clause 2 survives")
    assert (passage.anchor, passage.anchor_at(at)) == ("termination", "survival")


def test_a_name_that_is_used_twice_and_names_that_are_none(toolbox: Opened) -> None:
    page = (
        '<body><h1>T</h1><p id="a">First.</p><p id="a">Second.</p><p id="b c">Third.</p>'
        f'<p id="{"x" * 999}">Fourth \ufdd00\ufdd1 \ufdd0a.</p><p id="last"></p></body>'
    )
    tools = toolbox({"terms.html": page})
    assert read(tools, "#a").text == "First."
    assert "Fourth 0 a." in (read(tools, "T").text or "")
    assert read(tools, "#b c").error is not None
    assert read(tools, "#last").error is not None


def test_chapters_of_a_book_are_linked_by_their_files(toolbox: Opened) -> None:
    chapters = {
        "one.xhtml": '<html><body><h1>One</h1><p>See <a href="two.xhtml#storm">the storm</a> and '
        '<a href="two.xhtml">chapter two</a>.</p><p id="storm">No storm here.</p></body></html>',
        "two.xhtml": '<html><body><h1>Two</h1><p id="calm">Calm.</p><p id="storm">A storm. '
        '<a href="#calm">Before it</a>.</p></body></html>',
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr(
            "META-INF/container.xml", '<c><rootfiles><rootfile full-path="OPS/b.opf"/></rootfiles></c>'
        )
        items = "".join(
            f'<item id="i{at}" href="{name}" media-type="application/xhtml+xml"/>'
            for at, name in enumerate(chapters)
        )
        book.writestr(
            "OPS/b.opf",
            f"<package><metadata><title>Weather</title></metadata><manifest>{items}</manifest>"
            '<spine><itemref idref="i0"/><itemref idref="i1"/></spine></package>',
        )
        for name, page in chapters.items():
            book.writestr(f"OPS/{name}", page)
    tools = toolbox({"weather.epub": buffer.getvalue()})
    first = read(tools, "One", "docs/weather.epub")
    assert [(one.text, one.targets[0].title, one.targets[0].number) for one in first.references] == [
        ("the storm", "Two", "#storm"),
        ("chapter two", "Two", None),
    ]
    assert [one.targets[0].number for one in read(tools, "Two", "docs/weather.epub").references] == ["#calm"]
    assert (read(tools, "OPS/two.xhtml#storm", "docs/weather.epub").text or "").startswith("A storm")
    assert read(tools, "#calm", "docs/weather.epub").text == "Calm."
    both = read(tools, "#storm", "docs/weather.epub").error
    assert both is not None and both.code == "ambiguous"


def test_the_command_line_takes_a_document_with_its_anchor(
    tmp_path: Path, toolbox: Opened, capfd: pytest.CaptureFixture[str]
) -> None:
    toolbox({"terms.html": TERMS})
    db = ["--db", str(tmp_path / "kb")]
    assert run(["read", "terms.html#late", "--json", *db]) == 0
    found = json.loads(capfd.readouterr().out)
    assert (found["number"], found["anchor"]) == ("2(1)", "late")
    assert run(["read", "terms.html", *db]) == 2
    assert "the section is missing" in capfd.readouterr().err
    assert run(["toc", "terms.html", *db]) == 0
    assert "#termination" in capfd.readouterr().out
