"""Questions that name a section are answered by reading it, those that name a document by its contents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pincite
from pincite.agent.extractive.conversation import Looked
from pincite.agent.extractive.navigating import by_contents
from pincite.agent.extractive.pointing import named_place
from pincite.agent.tooling import CONTENTS, READ

CODE = """# Harbour Code

## Chapter I Berths

### Article 1 Berths

1. A berth is rented for a year.

2. The harbour master lists:

(a) every berth;

(b) every boat, under clause 7 of the lease.

## Chapter II Lamps

### Article 2 Lamps

Lamps are lit at dusk.
"""
LEASE = """# Lease of the boathouse

## 11 Keys

11.1 A lost key costs 40 crowns.

11.3 Keys are handed back on the last day.

## 12 Pets

Cats are welcome, dogs are not.
"""


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("navigation")
    (root / "docs").mkdir()
    (root / "docs" / "code.md").write_text(CODE, encoding="utf-8")
    (root / "docs" / "lease.md").write_text(LEASE, encoding="utf-8")
    pincite.sync(root / "docs", db=root / "kb", vectors=False)
    return root / "kb"


@pytest.mark.parametrize(
    ("question", "section", "document", "alone"),
    [
        ("What does Article 17(3) GDPR say?", "Article 17(3)", "GDPR", True),
        ("clause 11.3 of the lease", "clause 11.3", "lease", True),
        ("Was steht in § 5 Abs. 2 BGB?", "§ 5 Abs. 2", "BGB", True),
        ("Que dit l'article 6, paragraphe 1, point f) ?", "article 6, paragraphe 1, point f)", None, True),
        ("When may a berth be sold under Article 4?", "Article 4", None, False),
        ("How much is clause 3 of the lease worth in May?", "clause 3", "lease", False),
    ],
)
def test_a_section_is_recognised_in_a_question(
    question: str, section: str, document: str | None, alone: bool
) -> None:
    place = named_place(question)
    assert place is not None
    assert (place.section, place.document, place.alone) == (section, document, alone)


@pytest.mark.parametrize(
    "question", ["What is a berth?", "Compare Article 1 and Article 2.", "Who lit the lamps?"]
)
def test_other_questions_name_no_section(question: str) -> None:
    assert named_place(question) is None


def ask(kb: Path, question: str) -> Any:
    return pincite.ask(question, db=kb)


@pytest.mark.parametrize(
    ("question", "said", "number"),
    [
        ("What does clause 11.3 of the lease say?", "11.3 Keys are handed back on the last day.", "11.3"),
        ("What does Article 1(2)(a) of the Harbour Code say?", "(a) every berth;", "Article 1(2)(a)"),
        ("Show me Article 2 of the Harbour Code.", "Lamps are lit at dusk.", "Article 2"),
        ("What does Article 1(1) say?", "1. A berth is rented for a year.", None),
    ],
)
def test_a_question_for_a_section_gives_its_own_words(
    kb: Path, question: str, said: str, number: str | None
) -> None:
    answer = ask(kb, question)
    assert answer.status == "answered"
    assert answer.text == said
    if number is not None:
        assert answer.statements[0].citations[0].number == number


def test_a_section_that_is_not_there_is_not_answered_with_another(kb: Path) -> None:
    answer = ask(kb, "What does clause 14.9 of the lease say?")
    assert "40 crowns" not in answer.text
    assert answer.status != "answered" or not answer.statements


def test_a_question_about_a_named_document_opens_its_contents(kb: Path) -> None:
    answer = ask(kb, "Who bears the loss of keys under the Lease of the boathouse?")
    steps = [(step.tool, step.query) for step in answer.retrieval]
    opened = steps.index((CONTENTS, "docs/lease.md"))
    assert steps[opened + 1][0] == READ
    assert steps[opened + 1][1].startswith("docs/lease.md; ")


def test_the_section_whose_heading_holds_the_words_asked_for_is_read() -> None:
    going = by_contents(["pet", "boathouse"], "lease.md")
    assert next(going) == (CONTENTS, {"document": "lease.md"})
    headings = (("s1", "11 Keys"), ("s2", "12 Pets and other animals"), ("s3", "13 Pet"))
    assert going.send(Looked(sections=headings)) == (READ, {"document": "lease.md", "section": "s3"})
    going = by_contents(["insurance"], "lease.md")
    next(going)
    with pytest.raises(StopIteration) as ended:
        going.send(Looked(sections=headings))
    assert ended.value.value == ()


SHED = (
    "# Lease of the shed\n\n## Rent\n\nThe rent is 900 euros a month."
    "\n\n## Pets\n\nDogs may be kept in the yard.\n"
)
RULES = (
    "# House rules about pets in the lease\n\nThe lease says that pets in the shed lease must be registered."
    "\n\n## Fees\n\nA fee of 20 euros is charged for pets.\n"
)


@pytest.fixture(scope="module")
def shed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shed")
    docs = folder / "docs"
    docs.mkdir()
    (docs / "shed.md").write_text(SHED, encoding="utf-8")
    (docs / "rules.md").write_text(RULES, encoding="utf-8")
    pincite.sync(docs, db=folder / "kb", vectors=False)
    return folder / "kb"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What does the Lease of the shed say about pets?", "Dogs may be kept in the yard."),
        (
            "According to the lease of the shed, may pets be kept, dogs too?",
            "Dogs may be kept in the yard.",
        ),
        ("According to the Lease of the shed, how much is the rent?", "The rent is 900 euros a month."),
    ],
)
def test_what_a_document_says_is_told_in_its_own_words_only(shed: Path, question: str, said: str) -> None:
    answer = ask(shed, question)
    assert answer.text == said
    assert {one.document for s in answer.statements for one in s.citations} == {"docs/shed.md"}


def test_what_a_document_does_not_say_is_not_told_by_another(shed: Path) -> None:
    assert ask(shed, "What does the Lease of the shed say about a fee?").status == "not_found"
