"""Following references, defined terms, versions and folders with the tools, on a real index."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.tools.contract import json_define, json_read, json_toc
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox

ACT = """# Regulation (EU) 2031/77 on lighthouses (Lighthouse Regulation)

Regulation (EU) 2031/77 on lighthouses (Lighthouse Regulation)

## Chapter I General

### Article 1 Terms

For the purposes of this Regulation:

(1) ‘keeper’ means a person who keeps a lamp;

(2) ‘lamp’ means a light.

### Article 2 Duties

1. A keeper lights the lamp on time.

2. Paragraph 1 does not apply by day. Article 3(2) stays, and Article 9 of Directive 2019/12/EU stays too.

### Article 3 Pay

1. Pay is monthly.

2. At night it is double. The first sentence is for keepers only.
"""
GUIDE = """# Guide

## 1 Who keeps

Under Article 1(1) of Regulation (EU) 2031/77 a keeper is a person.
See Article 2(2) of the Lighthouse Regulation.
"""
YESTERDAY = date.today() - timedelta(days=1)
LEASE = "# Lease\n\n## 1 Rent\n\nThe rent is {rent} crowns.\n\n## 2 End\n\nThree months' notice.\n"

Open = Callable[..., Toolbox]


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    def make(files: dict[str, str], scope: Scope | None = None) -> Toolbox:
        for name, text in files.items():
            path = tmp_path / "docs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        sync([tmp_path / "docs"], tmp_path / "kb", vectors=False)
        index = Index.open(tmp_path / "kb")
        return Toolbox(index, Retriever(index, None), scope or Scope(), seed="s")

    return make


def read(toolbox: Toolbox, document: str, section: str, **more: Any) -> Any:
    return toolbox.call("read_section", {"document": document, "section": section, **more})


def test_a_reading_names_its_references_and_they_can_be_followed(opened: Open) -> None:
    toolbox = opened({"act.md": ACT})
    result = read(toolbox, "act.md", "Article 2(2)")
    (passage,) = result.passages
    assert passage.text.startswith("2. Paragraph 1 does not apply")
    assert passage.number == "Article 2(2)"
    assert passage.references == ("Paragraph 1", "Article 3(2)", "Article 9 (Directive 2019/12/EU)")
    references = json_read(result).references
    assert [(one.text, one.status) for one in references] == [
        ("Paragraph 1", "found"),
        ("Article 3(2)", "found"),
        ("Article 9", "external"),
    ]
    assert references[0].targets[0].number == "Article 2(1)"
    assert "Refers to: Paragraph 1 = Article 2(1)" in result.text
    entries = json_toc(toolbox.call("table_of_contents", {"document": "act.md", "section": "Article 2"}))
    assert entries.sections[0].references == ("Article 2(1)", "Article 3(2)", "Directive 2019/12/EU")
    followed = read(toolbox, "act.md", "Paragraph 1", relative_to=passage.handle)
    assert followed.passages[0].text.startswith("1. A keeper lights")
    assert read(toolbox, "act.md", "paragraph 1", relative_to="Article 3(2)").passages[0].text == (
        "1. Pay is monthly."
    )
    assert read(toolbox, "act.md", "this Chapter", relative_to="Article 3").data["number"] == "Chapter I"


def test_parts_without_a_number_have_their_own_span(opened: Open) -> None:
    toolbox = opened({"act.md": ACT})
    result = read(toolbox, "act.md", "Article 3(2), second sentence")
    assert [passage.text for passage in result.passages] == ["The first sentence is for keepers only."]
    text = json_read(result)
    assert text.span is not None
    assert text.span[1] - text.span[0] == len("The first sentence is for keepers only.")
    assert read(toolbox, "act.md", "Article 3(2), third sentence").error.code == "no_such_section"


def test_references_lead_into_other_documents_of_the_scope_only(opened: Open) -> None:
    toolbox = opened({"act.md": ACT, "guide.md": GUIDE})
    references = json_read(read(toolbox, "guide.md", "1")).references
    assert [(one.status, one.targets[0].document, one.targets[0].number) for one in references] == [
        ("found", "docs/act.md", "Article 1(1)"),
        ("found", "docs/act.md", "Article 2(2)"),
    ]
    other = read(toolbox, "guide.md", "Article 2(2) of Regulation (EU) 2031/77")
    assert other.passages[0].document == "docs/act.md"
    narrow = opened({"act.md": ACT, "guide.md": GUIDE}, Scope(documents=frozenset({"docs/guide.md"})))
    hidden = json_read(read(narrow, "guide.md", "1")).references
    assert [(one.status, one.targets) for one in hidden] == [("external", ()), ("external", ())]


def test_a_section_that_is_a_file_of_its_own_is_found_beside_the_one_that_cites_it(opened: Open) -> None:
    toolbox = opened(
        {
            "code/s12.md": "# § 12 Boats\n\nBoats pay as § 40(a) says.\n",
            "code/s40.md": "# § 40 Fees\n\n(a) Three crowns.\n\n(b) Four crowns.\n",
            "other/s40.md": "# § 40 Cats\n\n(a) Cats sleep.\n",
        }
    )
    (reference,) = json_read(read(toolbox, "code/s12.md", "§ 12")).references
    assert [(one.document, one.number) for one in reference.targets] == [("docs/code/s40.md", "§ 40(a)")]


def test_defined_terms_are_looked_up_and_hinted_at(opened: Open) -> None:
    toolbox = opened({"act.md": ACT, "guide.md": GUIDE})
    result = toolbox.call("define", {"term": "Lamps"})
    assert [passage.text for passage in result.passages] == ["(2) ‘lamp’ means a light."]
    assert json_define(result).definitions[0].number == "Article 1(2)"
    assert 'Defined terms: "keeper" (Article 1(1)), "lamp" (Article 1(2))' in (
        read(toolbox, "act.md", "Article 2(1)").text
    )
    nothing = toolbox.call("define", {"term": "keepers of lamps"})
    assert nothing.error is not None
    assert (nothing.error.code, set(nothing.error.near)) == ("no_match", {"keeper", "lamp"})
    named = read(opened({"act.md": ACT}), "act.md", "definition of 'lamp'")
    assert [passage.number for passage in named.passages] == ["Article 1(2)"]


def toml(**versions: tuple[str, date | None, date | None]) -> str:
    lines = []
    for name, (label, begin, end) in versions.items():
        lines += [f'["{name}.md"]', 'title = "Lease"', f'version = "{label}"']
        lines += [f"effective_from = {begin}"] if begin else []
        lines += [f"effective_to = {end}"] if end else []
    return "\n".join(lines) + "\n"


def test_of_several_versions_the_one_in_force_is_read_and_named(opened: Open) -> None:
    files = {
        "old.md": LEASE.format(rent=100),
        "new.md": LEASE.format(rent=120),
        "next.md": LEASE.format(rent=150),
        "documents.toml": toml(
            old=("2020", date(2020, 1, 1), None),
            new=("2024", date(2024, 1, 1), None),
            next=("next", date.today() + timedelta(days=30), None),
        ),
    }
    toolbox = opened(files)
    result = read(toolbox, "Lease", "1")
    assert [passage.text for passage in result.passages] == ["The rent is 120 crowns."]
    assert result.passages[0].standing == "version 2024"
    assert "version 2024" in result.text
    assert json_toc(toolbox.call("table_of_contents", {"document": "Lease"})).standing == "version 2024"
    hits = opened(files).call("search", {"query": "rent crowns"}).passages
    assert [hit.document for hit in hits] == ["docs/new.md"]
    earlier = opened(files, Scope(as_of=date(2021, 5, 5)))
    old = read(earlier, "Lease", "1").passages[0]
    assert (old.text, old.current) == ("The rent is 100 crowns.", False)
    assert old.standing == "version 2020, in force until 2023-12-31"


def test_a_version_that_is_not_in_force_says_so(opened: Open) -> None:
    files = {
        "old.md": LEASE.format(rent=100),
        "gone.md": "---\ntitle: Rules\nstatus: repealed\n---\n\n# 1 Cats\n\nCats stay out.\n",
        "documents.toml": toml(old=("2020", date(2020, 1, 1), YESTERDAY)),
    }
    toolbox = opened(files, Scope(as_of=YESTERDAY))
    result = read(toolbox, "Lease", "1")
    assert result.passages[0].standing == f"version 2020, in force until {YESTERDAY.isoformat()}"
    assert read(opened(files), "gone.md", "1").passages[0].standing == "repealed"
    assert json_read(read(opened(files), "gone.md", "1")).standing == "repealed"


def test_many_documents_are_shown_by_folder_and_searched_by_name(opened: Open) -> None:
    files = {
        f"{kind}/{n:03}.md": f"# {kind} {n}\n\nText.\n" for kind in ("acts", "leases") for n in range(110)
    }
    toolbox = opened({**files, "readme.md": "# Read me\n\nWords.\n"})
    top = toolbox.call("table_of_contents", {})
    assert top.data["folders"] == [
        {"folder": "docs/acts/", "documents": 110},
        {"folder": "docs/leases/", "documents": 110},
    ]
    assert [one["document"] for one in top.data["documents"]] == ["docs/readme.md"]
    assert len(top.text) < 1_000
    inside = toolbox.call("table_of_contents", {"folder": "leases"})
    assert inside.data["documents"][0]["document"] == "docs/leases/000.md"
    assert inside.next is not None
    rest = toolbox.call("table_of_contents", {"folder": "leases", "from": inside.next})
    assert rest.data["documents"][0]["document"] > inside.data["documents"][-1]["document"]
    found = toolbox.call("table_of_contents", {"find": "acts 107"})
    assert [one["document"] for one in found.data["documents"]] == ["docs/acts/107.md"]
    assert toolbox.call("table_of_contents", {"folder": "nowhere"}).error is not None


def test_a_long_contents_is_as_deep_as_fits_and_opens_at_any_node(opened: Open) -> None:
    parts = "\n".join(
        f"## {part} Part {part}\n\n" + "\n".join(f"### {part}.{n} Row {n}\n\nWords.\n" for n in range(1, 41))
        for part in range(1, 31)
    )
    toolbox = opened({"manual.md": f"# Manual of rows\n\nIntroduction.\n\n{parts}"})
    top = toolbox.call("table_of_contents", {"document": "manual.md"})
    entries = json_toc(top).sections
    flat = [*entries, *(child for entry in entries for child in entry.children)]
    part = next(entry for entry in flat if entry.number == "1")
    assert (part.levels_below, part.sections_below, part.children) == (1, 40, ())
    assert "40 below in 1 level" in top.text
    node = json_toc(toolbox.call("table_of_contents", {"document": "manual.md", "section": "17"}))
    assert [child.number for child in node.sections[0].children][:2] == ["17.1", "17.2"]
    deep = toolbox.call("table_of_contents", {"document": "manual.md", "depth": 3})
    assert deep.next is not None
    assert "17.40" not in deep.text
