"""References in statutes, contracts and manuals: found, resolved inside, or marked as external."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pincite.corpus.document import Document
from pincite.corpus.outline import full_number
from pincite.corpus.read import read
from pincite.corpus.references import find_references
from pincite.corpus.references_grammar import find_citations

ACT = """# Regulation (EU) 2031/77 on lighthouses (Lighthouse Regulation)

Regulation (EU) 2031/77 of the Council on lighthouses (Lighthouse Regulation)

## Chapter I General

### Article 1 Subject

1. This Regulation lays down rules on lighthouses.

2. It applies without prejudice to Articles 3 to 5 and 7 and to Article 9 of Directive 2019/12/EU.

### Article 2 Terms

In this Chapter, and in Article 4(1), point (b), the words of Annex I count.
Article 5 of the Charter of Harbours
stays as it is. Articles 12 and 13 of that Directive apply.

### Article 3 Keepers

1. A keeper who meets the conditions of:

(a) point (b) of Article 4(1) or paragraph 2;

(b) the first subparagraph of paragraph 3,

may stay.

2. The preceding paragraph and paragraphs 1 and 3 of this Article apply to boats.

3. First words of it.

Second words: point (a) of paragraph 1 and Article 16 TFEU. See Article 99 and Article 3(9).

## Chapter II Lamps

### Article 4 Lamps

1. A lamp is:

(a) lit;

(b) not lit.

### Article 5 Oil

Oil is kept under this Chapter, Article 8 of Regulation (EU) No 44/2008, in
conjunction with Article 5 thereof, and
under Article 4 of this Regulation.

### Article 6 Amendments

Regulation (EC) No 5/2001 is amended as follows: in Article 4, paragraph 1 is deleted.

### Article 7 End

Article 2 of Regulation (EU) 2031/77 ends, and so does Article 3 of the Lighthouse Regulation.

# Annex I

Words.
"""


def found(document: Document) -> dict[str, list[tuple[str, str, list[str]]]]:
    """By section number: (words, status, numbers of the targets) of each reference."""
    names = {section.id: section for section in document.sections}
    result: dict[str, list[tuple[str, str, list[str]]]] = {}
    for section, references in zip(document.sections, find_references(document), strict=True):
        for one in references:
            numbers = [
                full_number(names[t.section].number, t.unit) if t.unit else names[t.section].number or ""
                for t in one.targets
            ]
            words = " ".join(document.text[one.start : one.end].split())
            result.setdefault(section.number or section.title, []).append((words, one.status, numbers))
    return result


def written(tmp_path: Path, name: str, text: str) -> Document:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read(path)


@pytest.fixture
def act(tmp_path: Path) -> dict[str, list[tuple[str, str, list[str]]]]:
    return found(written(tmp_path, "act.md", ACT))


def test_ranges_and_lists_lead_to_each_of_their_units(act: Any) -> None:
    assert act["Article 1"][0] == (
        "Articles 3 to 5 and 7",
        "found",
        ["Article 3", "Article 4", "Article 5", "Article 7"],
    )


def test_other_acts_are_external_and_this_one_is_not(act: Any) -> None:
    assert act["Article 1"][1][:2] == ("Article 9", "external")
    by_words = {words: (status, targets) for words, status, targets in act["Article 2"]}
    assert by_words["Article 5"][0] == "external"
    assert by_words["Articles 12 and 13"][0] == "external"
    assert [status for _, status, _ in act["Article 6"]] == ["external", "external"] or [
        status for _, status, _ in act["Article 6"]
    ] == ["external"]
    five = {words: (status, targets) for words, status, targets in act["Article 5"]}
    assert five["Article 8"][0] == five["Article 5"][0] == "external"
    assert five["Article 4"] == ("found", ["Article 4"])
    assert [entry[1:] for entry in act["Article 7"]] == [("found", ["Article 2"]), ("found", ["Article 3"])]


def test_relative_references_count_from_where_they_stand(act: Any) -> None:
    two = {words: targets for words, _, targets in act["Article 2"]}
    assert two["this Chapter"] == ["Chapter I"]
    assert two["Article 4(1), point (b)"] == ["Article 4(1)(b)"]
    three = {words: targets for words, _, targets in act["Article 3"]}
    assert three["point (b) of Article 4(1)"] == ["Article 4(1)(b)"]
    assert three["paragraph 2"] == ["Article 3(2)"]
    assert three["first subparagraph of paragraph 3"] == ["Article 3(3), first subparagraph"]
    assert three["preceding paragraph"] == ["Article 3(1)"]
    assert three["paragraphs 1 and 3 of this Article"] == ["Article 3(1)", "Article 3(3)"]
    assert three["point (a) of paragraph 1"] == ["Article 3(1)(a)"]
    five = {words: targets for words, _, targets in act["Article 5"]}
    assert five["this Chapter"] == ["Chapter II"]


def test_what_is_not_in_the_document_is_missing_not_guessed(act: Any) -> None:
    three = {words: (status, targets) for words, status, targets in act["Article 3"]}
    assert three["Article 99"] == ("missing", [])
    assert three["Article 3(9)"] == ("missing", [])
    assert three["Article 16"][0] == "external"


CONTRACT = """# Supply Agreement

## 1. Definitions

"Goods" means what is listed in Schedule 1 or in Section 3.2(b) below.

## 2. Term

Subject to Sections 3.1 and 3.2 and Exhibit B, this Agreement runs for two years. Section 4.1 of the Framework
Agreement and 12 U.S.C. § 34 do not apply. Clause 2 and 30 days' notice end it.

## 3. Delivery

### 3.1 Place

Goods go to the (a) main gate, or (b) back gate. In the case of clause (b) of this Section, Section 3.1(a) is
suspended.

### 3.2 Time

(a) by day;

(b) by night, paragraphs (a) and (c) notwithstanding;

(c) at dawn, under Section 3.2(a)-(b).

# Schedule 1

Pipes, valves.
"""


def test_a_contract_is_followed_into_its_clauses_and_schedules(tmp_path: Path) -> None:
    contract = found(written(tmp_path, "supply.md", CONTRACT))
    assert contract["1"] == [
        ("Schedule 1", "found", ["Schedule 1"]),
        ("Section 3.2(b)", "found", ["3.2(b)"]),
    ]
    term = {words: (status, targets) for words, status, targets in contract["2"]}
    assert term["Sections 3.1 and 3.2"] == ("found", ["3.1", "3.2"])
    assert term["Exhibit B"][0] == "missing"
    assert term["Section 4.1"][0] == "external"
    assert any("U.S.C." in words and status == "external" for words, (status, _) in term.items())
    assert term["Clause 2"] == ("found", ["2"])
    place = {words: targets for words, _, targets in contract["3.1"]}
    assert place["Section 3.1(a)"] == ["3.1(a)"]
    assert place["clause (b) of this Section"] == ["3.1(b)"]
    time = {words: targets for words, _, targets in contract["3.2"]}
    assert time["paragraphs (a) and (c)"] == ["3.2(a)", "3.2(c)"]
    assert time["Section 3.2(a)-(b)"] == ["3.2(a)", "3.2(b)"]


GERMAN = """# Leuchtfeuergesetz

## § 1 Zweck

(1) Dieses Gesetz gilt nach § 2 Abs. 2 Satz 1 Nr. 3.

(2) § 3 Absatz 1 Buchstaben a und c gilt; die §§ 2 und 3 bleiben unberührt. § 5 BGB gilt auch.

## § 2 Feuer

(1) Feuer brennt.

(2) Feuer ist, was in den Fällen des Absatzes 1

1. brennt,

2. glimmt,

3. glüht.

## § 3 Wärter

(1) Wärter ist, wer

a) wacht,

b) schläft,

c) beides nach Absatz 2 dieses Paragrafen tut.

(2) Der vorstehende Absatz gilt.
"""


def test_german_citations_go_from_the_large_to_the_small(tmp_path: Path) -> None:
    law = found(written(tmp_path, "gesetz.md", GERMAN))
    one = {words: (status, targets) for words, status, targets in law["§ 1"]}
    assert one["§ 3 Absatz 1 Buchstaben a und c"] == ("found", ["§ 3(1)(a)", "§ 3(1)(c)"])
    assert one["§§ 2 und 3"] == ("found", ["§ 2", "§ 3"])
    assert one["§ 5"][0] == "external"
    two = {words: targets for words, _, targets in law["§ 2"]}
    assert two["Absatzes 1"] == ["§ 2(1)"]
    three = {words: targets for words, _, targets in law["§ 3"]}
    assert three["vorstehende Absatz"] == ["§ 3(1)"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("artículo 6, apartado 1, letra f)", [("article", "6"), ("paragraph", "1"), ("point", "f")]),
        ("article 6, paragraphe 1, point f)", [("article", "6"), ("paragraph", "1"), ("point", "f")]),
        ("§ 2-1801.03(a)(1)", [("section", "2.1801.3.a.1")]),
        ("letras a) y c) del artículo 4", [("article", "4"), ("point", "a c")]),
        ("Item 7A", [("item", "7.A")]),
        ("Schedule 1.1(a)", [("schedule", "1.1.a")]),
        ("Art. 12.5 lit. b", [("article", "12.5"), ("point", "b")]),
        ("Annex IV, point 2(h)", [("annex", "4"), ("point", "2.h")]),
        ("paragraphs 5.2, 5.3, or 5.4", [("paragraph", "5.2 5.3 5.4")]),
        ("point (a) or (g) of Article 9(2)", [("article", "9.2"), ("point", "a g")]),
        ("Artikel 1 Nummer 1 Buchstabe b", [("article", "1"), ("point", "1"), ("point", "b")]),
    ],
)
def test_citations_are_read_in_four_languages(text: str, tokens: list[tuple[str, str]]) -> None:
    (citation,) = find_citations(text)
    got = [(step.kind, " ".join(".".join(v.tokens) for v in step.values)) for step in citation.steps]
    assert got == tokens


@pytest.mark.parametrize(
    "text",
    [
        "He made a point a child understands.",
        "In the following section of the coast there is no a priori rule.",
        "The item was sold in May.",
        "This part of the world is cold.",
        "They paid 12 to 14 crowns.",
    ],
)
def test_everyday_words_are_no_citations(text: str) -> None:
    assert find_citations(text) == []


def test_a_counted_number_is_not_taken_into_a_list() -> None:
    (citation,) = find_citations("under Section 4 and 30 days after it")
    assert [v.tokens for v in citation.steps[0].values] == [("4",)]
    (citation,) = find_citations("Articles 13 and 14 may be used")
    assert [v.tokens for v in citation.steps[0].values] == [("13",), ("14",)]


def test_an_item_of_a_sentence_is_no_part_of_the_number_before_it(tmp_path: Path) -> None:
    file = tmp_path / "use.md"
    file.write_text(
        "# Mill\n\n## Section 1 Rent\n\nForty crowns.\n\n## Section 2 Use\n\nWater is used under (a) "
        "Section 1 and (b) Exhibit A.\n\n## Exhibit A Gates\n\nOpen.\n",
        encoding="utf-8",
    )
    document = read(file)
    words = [document.text[one.start : one.end] for each in find_references(document) for one in each]
    assert words == ["Section 1", "Exhibit A"]
