"""Which section or unit a reference means; what is near one that is not there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pincite.corpus.outline import Outline
from pincite.corpus.read import read
from pincite.corpus.records import Origin, document_records
from pincite.corpus.references_tree import number_of
from pincite.corpus.rows import SectionRow
from pincite.corpus.table import SECTION, section_row
from pincite.tools.naming import address
from pincite.tools.nearby import nearest
from pincite.tools.resolve import label, resolve

# (id, parent, number, title, units)
Entries = list[tuple[str, str | None, str | None, str, tuple[str, ...]]]
ACT: Entries = [
    ("c1", None, "Chapter I", "General", ()),
    ("a1", "c1", "Article 1", "Subject", ("(1)", "(2)")),
    ("a2", "c1", "Article 2", "Terms", ("(1)", "(1)(a)", "(1)(b)", "(2)")),
    ("c2", None, "Chapter II", "Duties", ()),
    ("x1", "c2", "Section 1", "Care", ()),
    ("a6", "x1", "Article 6", "Lawfulness", ("(1)", "(1)(a)", "(1)(f)", "(2)")),
    ("x2", "c2", "Section 2", "Records", ()),
    ("a7", "x2", "Article 7", "Consent", ()),
    ("c3", None, "Chapter III", "Rights", ()),
    ("y1", "c3", "Section 1", "Access", ()),
    ("a9", "y1", "Article 9", "Access", ("(1)", "(2)")),
]
LEASE: Entries = [
    ("t", None, None, "Lease | of the > boathouse", ()),
    ("4", "t", "4", "Rent", ()),
    ("41", "4", "4.1", "Amount", ()),
    ("42", "4", "4.2", "Payment", ("(a)", "(b)", "(b)(i)")),
    ("5", "t", "5.", "Ending", ("5.1", "5.2", "5.2(a)")),
    ("62", "t", "6.2", "Payment", ()),
    ("ann", None, "Annex B", "Keys", ()),
    ("sch", None, "Schedule 1.1(b)", "Boats", ()),
]


def rows(entries: Entries) -> list[SectionRow]:
    paths: dict[str | None, tuple[str, ...]] = {None: ()}
    found = []
    for position, (name, parent, number, title, units) in enumerate(entries):
        paths[name] = (*paths[parent], f"{number} {title}" if number else title)
        found.append(
            SectionRow(
                document="d",
                document_title="D",
                version="v",
                id=name,
                parent=parent,
                number=number,
                title=title,
                path=paths[name],
                level=len(paths[name]),
                position=position,
                tree_last=position,
                start=10 * position,
                end=10 * position + 9,
                page=None,
                page_end=None,
                line=None,
                tokens=3,
                has_heading=True,
                starts=((10 * position, None, None),),
                tables=(),
                units=tuple((unit, 10 * position + n, 10 * position + n + 1) for n, unit in enumerate(units)),
            )
        )
    return found


def opened(entries: Entries, reference: str) -> list[str]:
    found = resolve(rows(entries), reference)
    return [one.row.id + (one.unit[0] if one.unit else "") for one in found]


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("a6", "a6"),
        ("Article 6", "a6"),
        ("article 6.", "a6"),
        ("Art. 6", "a6"),
        ("Article 6 Lawfulness", "a6"),
        ("lawfulness", "a6"),
        ('"Lawfulness"', "a6"),
        ("Article 6(1)(f)", "a6(1)(f)"),
        ("Article 6 (1) (f)", "a6(1)(f)"),
        ("6(1)(f)", "a6(1)(f)"),
        ("Art. 2(1)(A)", "a2(1)(a)"),
        ("Chapter II", "c2"),
        ("Chapter 2", "c2"),
        ("Chapter II, Section 1", "x1"),
        ("Chapter III Rights > Section 1 Access", "y1"),
        ("Chapter III, Section 1, Article 9", "a9"),
    ],
)
def test_an_act_is_opened_by_what_people_write(reference: str, expected: str) -> None:
    assert opened(ACT, reference) == [expected]


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("4.2", "42"),
        ("Section 4.2", "42"),
        ("§ 4.2", "42"),
        ("§4.2", "42"),
        ("clause 4.2", "42"),
        ("4.2 payment", "42"),
        ("4.2(b)", "42(b)"),
        ("4.2 (b)(i)", "42(b)(i)"),
        ("paragraph 4.2(b)", "42(b)"),
        ("5", "5"),
        ("5.0", "5"),
        ("Section 5.2", "55.2"),
        ("5.2(a)", "55.2(a)"),
        ("Annex B", "ann"),
        ("Appendix B", "ann"),
        ("Schedule 1.1(b)", "sch"),
        ("Lease of the boathouse", ""),
        ("Lease ¦ of the › boathouse", "t"),
        ("ENDING", "5"),
    ],
)
def test_a_contract_is_opened_by_what_people_write(reference: str, expected: str) -> None:
    assert opened(LEASE, reference) == ([expected] if expected else [])


def test_a_name_or_number_of_several_is_not_chosen_from() -> None:
    assert opened(LEASE, "Payment") == ["42", "62"]
    assert opened(ACT, "Section 1") == ["x1", "y1"]
    assert opened(ACT, "Access") == ["y1", "a9"]


@pytest.mark.parametrize(
    ("entries", "reference", "near"),
    [
        (ACT, "Article 10", ("Article 7 Consent", "Article 9 Access")),
        (ACT, "Article 8", ("Article 6 Lawfulness", "Article 7 Consent", "Article 9 Access")),
        (ACT, "Article 6(1)(g)", ("Article 6(1)(a)", "Article 6(1)(f)")),
        (ACT, "Article 7(2)", ("Article 7 Consent",)),
        (LEASE, "4.3", ("4.1 Amount", "4.2 Payment")),
        (LEASE, "4.2(c)", ("4.2(a)", "4.2(b)")),
        (LEASE, "Paymint", ("4.2 Payment", "6.2 Payment")),
        (LEASE, "zzz", ("Lease | of the > boathouse", "Annex B Keys", "Schedule 1.1(b) Boats")),
    ],
)
def test_what_is_not_there_brings_its_neighbours(
    entries: Entries,
    reference: str,
    near: tuple[str, ...],
) -> None:
    assert opened(entries, reference) == []
    assert set(near) <= set(nearest(rows(entries), reference))
    assert len(nearest(rows(entries), reference)) <= 5


def test_an_entry_without_text_gives_way_to_one_with_text() -> None:
    listed = rows([*LEASE, ("toc", None, "4.2", "Payment 7", ())])
    listed = [row if row.id != "toc" else _empty(row) for row in listed]
    assert [one.row.id for one in resolve(listed, "4.2")] == ["42"]
    assert [one.row.id for one in resolve(listed, "Payment 7")] == ["toc"]


def _empty(row: SectionRow) -> SectionRow:
    return replace(row, end=row.start)


def test_every_address_opens_its_section() -> None:
    for entries in (ACT, LEASE):
        outline = Outline(rows(entries))
        for row in outline.rows:
            assert [one.row.id for one in resolve(outline, address(outline, row))] == [row.id]
    lease = Outline(rows(LEASE))
    assert address(lease, lease.by_id["42"]) == "4.2 Payment"


def test_titles_are_no_numbers() -> None:
    for title in ("Rent", "Definitions and terms", "2023 results of the club", "", "()", "§"):
        assert opened(LEASE, title) in ([], ["4"])
    assert number_of("Article IX(2)") == ("article", ("9", "2"))
    assert number_of("07.0") == (None, ("7",))
    assert number_of("Exhibit C") == ("exhibit", ("C",))
    assert label(rows(LEASE)[0]) == "Lease | of the > boathouse"


CODE = """# Title 2 Government

## § 2-1801.01 Terms

(1) "Board" means the board.

## § 2-1801.03 Powers

(a) The Board may:

(1) hear;

(2) decide.

(b) It sits on Mondays. It never sits on Sundays.

# Schedule 1 Boats

1. Red boat.

2. Blue boat, which is (i) old, or (ii) new.

# Schedule 2 Keys

1. Big key.
"""
LAW = """# Hafengesetz

## Abschnitt 1 Allgemeines

### § 5 Verfahren

(1) Der Antrag ist schriftlich zu stellen.

(2) Die Behörde prüft, ob

1. der Antrag vollständig ist,

2. die Gebühr bezahlt ist.

Sie entscheidet binnen eines Monats.

### § 5a Ausnahmen

Keine.
"""


def spoken(tmp_path: Path, text: str, reference: str) -> list[str]:
    path = tmp_path / "text.md"
    path.write_text(text, encoding="utf-8")
    document = read(path)
    origin = Origin("d", "r", "f", "s", (), "")
    listed = [
        section_row(record) for record in document_records(document, origin, ()) if record["kind"] == SECTION
    ]
    return [
        document.text[one.unit[1] : one.unit[2]] if one.unit else one.row.title
        for one in resolve(listed, reference)
    ]


@pytest.mark.parametrize(
    ("text", "reference", "opens"),
    [
        (CODE, "§ 2-1801.03(a)(1)", "(1) hear;"),
        (CODE, "D.C. Code § 2-1801.03(b), second sentence", "It never sits on Sundays."),
        (CODE, "sec. 2-1801.01(1)", '(1) "Board" means the board.'),
        (CODE, "definition of 'Board'", '(1) "Board" means the board.'),
        (CODE, "paragraph 1 of Schedule 2", "1. Big key."),
        (CODE, "Schedule 1, paragraph 2(ii)", "(ii) new."),
        (LAW, "§ 5 Abs. 2 Satz 1 Nr. 2", "2. die Gebühr bezahlt ist."),
        (LAW, "§ 5 Absatz 2 Satz 2", "Sie entscheidet binnen eines Monats."),
        (LAW, "§ 5 II Nr. 1 HafenG", "1. der Antrag vollständig ist,"),
        (LAW, "§5a", "Ausnahmen"),
    ],
)
def test_parts_of_a_text_are_opened_as_lawyers_cite_them(
    tmp_path: Path, text: str, reference: str, opens: str
) -> None:
    (said,) = spoken(tmp_path, text, reference)
    assert said.startswith(opens)


def test_a_section_of_another_act_is_not_opened_in_this_one(tmp_path: Path) -> None:
    assert spoken(tmp_path, LAW, "§ 5 of Regulation (EU) 2016/679") == []
    assert spoken(tmp_path, LAW, "§ 5 about cats and dogs") == []
