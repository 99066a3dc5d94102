"""Contents and sections as a model meets them, on a real index."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from tests.tools.results import LEASE, around, code, flat

from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.tools.context import ToolLimits
from pincite.tools.contract import json_read
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox


def test_contents_without_a_document_list_the_documents_in_pages(index: Index, retriever: Retriever) -> None:
    toolbox = Toolbox(index, retriever, Scope(), limits=ToolLimits(call_tokens=215), seed="s")
    first = toolbox.call("table_of_contents", {})
    names = [entry["document"] for entry in first.data["documents"]]
    assert names == ["club/handbook.md", "club/lease.md"]
    assert around(first).startswith("2 documents")
    second = toolbox.call("table_of_contents", {"from": first.next})
    assert [entry["document"] for entry in second.data["documents"]] == ["club/payroll/wages.md"]
    assert second.next is None


def test_contents_of_a_document_are_an_indented_outline(toolbox: Toolbox) -> None:
    result = toolbox.call("table_of_contents", LEASE)
    rent = re.search(r"^( *)4 Rent \(line 5, 70 tokens\)$", result.text, re.MULTILINE)
    payment = re.search(r"^( *)4\.2 Payment \(line 11, 54 tokens\)$", result.text, re.MULTILINE)
    assert rent is not None
    assert payment is not None
    assert payment[1] == rent[1] + "  "
    entries = {entry["number"]: entry for entry in flat(result.data["sections"])}
    assert [child["number"] for child in entries["4"]["children"]] == ["4.1", "4.2"]
    below = toolbox.call("table_of_contents", {**LEASE, "section": "4"})
    assert [child["number"] for child in below.data["sections"][0]["children"]] == ["4.1", "4.2"]
    assert "\n4 Rent" in below.text
    assert "\n  4.1 Amount" in below.text


def test_contents_continue_within_the_cap(index: Index, retriever: Retriever) -> None:
    toolbox = Toolbox(index, retriever, Scope(), limits=ToolLimits(call_tokens=230), seed="s")
    first = toolbox.call("table_of_contents", LEASE)
    second = toolbox.call("table_of_contents", {**LEASE, "from": first.next})
    text = json.dumps([first.data["sections"], second.data["sections"]])
    assert first.next is not None
    assert all(
        text.count(f'"title": "{title}"') == 1 for title in ("Rent", "Amount", "Ending the lease", "Keys")
    )


@pytest.mark.parametrize("section", ["4.2", "Section 4.2", "§ 4.2", "4.2 Payment", "Rent > 4.2"])
def test_a_section_is_read_by_number_or_name(toolbox: Toolbox, section: str) -> None:
    result = toolbox.call("read_section", {**LEASE, "section": section})
    assert [passage.number for passage in result.passages] == ["4.2"]
    assert (result.data["previous"]["number"], result.data["next"]["number"]) == ("4.1", "5")
    assert "Previous: 4.1 Amount" in result.text
    assert "Previous" not in around(result)


def test_a_unit_is_read_with_its_own_span(toolbox: Toolbox) -> None:
    result = toolbox.call("read_section", {**LEASE, "section": "4.2(b)"})
    assert [passage.text for passage in result.passages] == [
        "(b) A late payment costs 15 crowns for each week begun."
    ]
    assert result.passages[0].line == 17
    assert json_read(result).number == "4.2(b)"


def test_a_heading_without_text_lists_its_sections_and_reads_them(toolbox: Toolbox) -> None:
    result = toolbox.call("read_section", {**LEASE, "section": "4"})
    assert around(result).startswith("This section is a heading with 2 sections below it. 2 passages.")
    assert "\n  4.1 Amount\n  4.2 Payment\n" in result.text
    assert [passage.number for passage in result.passages] == ["4.1", "4.2"]
    assert [child["number"] for child in result.data["children"]] == ["4.1", "4.2"]
    assert json_read(result).text == (
        "4.1 Amount\n\nThe rent is 1,250 crowns a month, including water.\n\n4.2 Payment\n\n"
        "Rent is due on the first working day of the month.\n\n(a) The tenant pays by bank transfer.\n\n"
        "(b) A late payment costs 15 crowns for each week begun.\n\n(c) Cheques are not accepted."
    )


def test_a_long_section_is_read_to_its_end_and_nothing_is_lost(toolbox: Toolbox, index: Index) -> None:
    call: dict[str, Any] = {"document": "handbook.md", "section": "Night watch"}
    texts: list[str] = []
    following = None
    for _ in range(10):
        result = toolbox.call("read_section", {**call, "from": following} if following else call)
        assert result.error is None
        texts += [passage.text for passage in result.passages]
        following = result.next
        if following is None:
            break
    row = next(row for row in index.outline("club/handbook.md", Scope()) if row.title == "Night watch")
    whole = index.sections("club/handbook.md", [row.id], Scope())[0].text or ""
    assert "".join("".join(texts).split()) == "".join(whole.split())


def test_tables_are_read_with_their_header_on_every_piece(toolbox: Toolbox) -> None:
    result = toolbox.call("read_section", {"document": "handbook.md", "section": "Berths"})
    assert len(result.passages) > 2
    assert all(passage.text.startswith("Berth\tLength\tFee\n") for passage in result.passages)


def test_what_does_not_exist_brings_near_names(toolbox: Toolbox) -> None:
    section = toolbox.call("read_section", {**LEASE, "section": "4.3"})
    assert code(section) == "no_such_section"
    assert section.error is not None
    assert section.error.near == ("4.1 Amount", "4.2 Payment")
    document = toolbox.call("search", {"query": "fee", "document": "club/leese.md"})
    assert code(document) == "no_such_document"
    assert document.error is not None
    assert document.error.near[0] == "club/lease.md"
    twice = toolbox.call("read_section", {**LEASE, "section": "Payment"})
    assert code(twice) == "ambiguous"
    assert twice.error is not None
    for name in twice.error.near:
        assert toolbox.call("read_section", {**LEASE, "section": name}).error is None
