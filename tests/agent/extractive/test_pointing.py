"""Places named by number, alone or told from the place before."""

from __future__ import annotations

import pytest

from pincite.agent.answer import Answer
from pincite.agent.extractive.model import ExtractiveModel
from pincite.agent.extractive.pointing import pointed
from pincite.agent.loop import Agent
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox

SAYS = "What does Article 17 say?"


@pytest.mark.parametrize(
    ("said", "question", "cited", "place"),
    [
        ("Article 20", SAYS, "Article 17", "Article 20"),
        ("Recital 20", SAYS, "Article 17", "Recital 20"),
        ("the clause 7", "Who pays?", "4.2", "clause 7"),
        ("Rule 3", "Who pays?", None, "Rule 3"),
        ("§ 7", "Was regelt § 5 Abs. 2?", None, "§ 7"),
        ("20", SAYS, "Article 17", "Article 20"),
        ("4.3", "What does section 4.2 say?", None, "section 4.3"),
        ("4.3", "Who pays?", "4.2", "section 4.3"),
        ("paragraph 3", SAYS, None, "Article 17(3)"),
        ("paragraph 3", "When is notice given?", "Article 33", "Article 33(3)"),
        ("what does paragraph 3 say?", "Article 33(2)(a)", None, "Article 33(3)"),
        ("paragraph 3", "Who pays?", None, "paragraph 3"),
        ("subsection (4)", "Who pays?", "12(3)(b)", "section 12(4)"),
        ("Absatz 3", "Was regelt § 5 Abs. 2?", None, "§ 5(3)"),
        ("lit. c", "Was sagt Artikel 6 Absatz 1?", None, "Artikel 6(1)(c)"),
        ("(c)", "What does paragraph 3 of Article 33 say?", None, "Article 33(3)(c)"),
        ("(c)", "Who pays?", "4.2(b)", "section 4.2(c)"),
        ("(2)", "Who pays?", "Article 33", "Article 33(2)"),
        ("(ii)", "Who pays?", "4.2(b)", "section 4.2(b)(ii)"),
        ("(iii)", "section 4.2(b)(ii)", None, "section 4.2(b)(iii)"),
        ("(i)", "Who pays?", "4(h)", "section 4(i)"),
        ("point (d)", "Who pays?", "Article 6(1)(c)", "Article 6(1)(d)"),
    ],
)
def test_the_word_used_is_kept_and_a_unit_is_of_the_place_before(
    said: str, question: str, cited: str | None, place: str
) -> None:
    assert pointed(said, question, cited) == place


@pytest.mark.parametrize(
    "said", ["20", "the rent", "Article 20 of the lease", "(c) and (d) of what?", "page"]
)
def test_what_is_no_place_by_itself_is_none(said: str) -> None:
    assert pointed(said, "Who pays?", "Article 17") is None


ACT = """# Act on Ferries

## Article 1

1. A ferry carries a bell.

2. The bell is rung:

(a) in fog;

(b) at departure.

## Article 2

1. A crossing takes one hour.

2. A delay is announced.
"""
RULES = """# House Rules

## Section 1 Bells

No bells after ten.

## Section 2 Doors

Doors are shut at eleven.

## Section 3 Bicycles

Bicycles stay outside. Lamp 11 is broken.
"""


FILES = {"act.md": ACT, "rules.md": RULES}


def chat(index: Index, *questions: str) -> list[Answer]:
    agent = Agent(ExtractiveModel(None), Toolbox(index, Retriever(index, None), Scope(), seed="s"))
    return [agent.ask(question) for question in questions]


def test_a_chain_of_places_stays_in_the_document_and_section_cited_last(index: Index) -> None:
    said = chat(
        index,
        "What does Article 2 of the Act on Ferries say?",
        "and Article 1?",
        "paragraph 2?",
        "and (b)?",
        "(a)?",
        "no, paragraph 1",
        "and Article 2?",
    )
    wanted = ["one hour", "carries a bell", "rung", "at departure", "in fog", "carries a bell", "announced"]
    assert [words in answer.text for words, answer in zip(wanted, said, strict=True)] == [True] * 7
    assert all(one.document.endswith("act.md") for a in said for s in a.statements for one in s.citations)
    assert "departure" not in said[4].text and "bell is rung" not in said[5].text


def test_another_section_is_read_where_the_answer_stood(index: Index) -> None:
    said = chat(index, "When are the doors shut?", "and Section 1?", "section 3?")
    assert ["ten" in said[1].text, "outside" in said[2].text] == [True, True]


def test_a_place_that_is_not_there_is_not_found_though_another_has_its_number(index: Index) -> None:
    said = chat(index, "What does Article 2 of the Act on Ferries say?", "and Article 11?", "annex 2?")
    assert [one.status for one in said] == ["answered", "not_found", "not_found"]
