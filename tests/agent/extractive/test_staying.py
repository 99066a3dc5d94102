"""After other questions: staying with the document that was cited, and leaving it."""

from __future__ import annotations

import pytest
from tests.agent.extractive.passages import passage

from pincite.agent.answer import Answer
from pincite.agent.extractive.cues import may_reply
from pincite.agent.extractive.followup import Kind, Place, Turn, meant
from pincite.agent.extractive.model import ExtractiveModel
from pincite.agent.extractive.question import Asked
from pincite.agent.extractive.staying import unsaid
from pincite.agent.loop import Agent
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox

FILES = {
    "alder.md": "# Alder Growth Fund\n\n## Risk\n\nThe fund is in risk class 4.\n\n## Costs\n\n"
    "The performance fee is 10% of the return above 6% a year. Transaction costs of 0.09% have to be added. "
    "Orders must arrive by the time of 11:00. The exit charge is 0.30%.\n",
    "birch.md": "# Birch Bond Fund\n\n## Risk\n\nThe fund is in risk class 2.\n\n## Costs\n\n"
    "The performance fee is 5% of the return. "
    "The cut-off time for orders is noon. Transaction costs came to 0.11%. The exit charge is 0.20%.\n",
    "zoo.md": "# Animals\n\nThe yak fee is 41 euros. The stable closes at night.\n",
    "handbook.md": "# Staff Handbook\n\n## Sick pay\n\n"
    "Sick pay is paid by the employer for the first six weeks.\n\n"
    "## Parking\n\nParking costs 40 euros a month. "
    "Parking is free for electric cars because the company wants to reduce emissions.\n",
    "complaints.md": "# Complaints Policy\n\n## Reply\n\n"
    "The final response says in plain words what was found and why."
    " A complaint is acknowledged within 3 business days.\n\n## Records\n\n"
    "How long they are kept is laid down in the retention schedule.\n",
    "lease.md": "# Lease\n\n## Rent\n\nThe monthly rent is 900 euros. "
    "The tenant pays it on the third working day of each month.\n",
}
RISK = "What risk class has the Alder Growth Fund?"
ELECTRIC = "Is parking free for electric cars?"


def chat(index: Index, *questions: str) -> list[Answer]:
    agent = Agent(ExtractiveModel(None), Toolbox(index, Retriever(index, None), Scope(), seed="s"))
    return [agent.ask(question) for question in questions]


def cited(answer: Answer) -> set[str]:
    return {c.document.rpartition("/")[2] for one in answer.statements for c in one.citations}


@pytest.mark.parametrize(
    ("question", "said", "document"),
    [
        ("What is the yak fee?", "41 euros", "zoo.md"),
        ("And what is the yak fee?", "41 euros", "zoo.md"),
        ("How much does parking cost?", "40 euros a month", "handbook.md"),
        ("What is the monthly rent?", "900 euros", "lease.md"),
    ],
)
def test_a_word_that_the_document_does_not_have_leads_to_the_one_that_has_it(
    index: Index, question: str, said: str, document: str
) -> None:
    answer = chat(index, RISK, question)[-1]
    assert (answer.status, cited(answer)) == ("answered", {document})
    assert said in answer.text


@pytest.mark.parametrize("question", ["What is the lion fee?", "And what is the lion fee?"])
def test_what_no_document_says_is_not_found_after_another_question_either(
    index: Index, question: str
) -> None:
    assert [answer.status for answer in chat(index, RISK, question)] == ["answered", "not_found"]


@pytest.mark.parametrize("question", ["What is the exit charge?", "And what is the exit charge?"])
def test_what_the_document_has_stays_with_it(index: Index, question: str) -> None:
    for answer in (chat(index, RISK, question)[-1], chat(index, RISK, "What is the lion fee?", question)[-1]):
        assert cited(answer) == {"alder.md"}
        assert "0.30%" in answer.text


def test_another_document_of_the_same_kind_has_to_be_named(index: Index) -> None:
    stays, named = (
        chat(index, RISK, question)[-1]
        for question in ("When is the cut-off time for orders?", "What is the exit charge for birch?")
    )
    assert cited(stays) == {"alder.md"} and "11:00" in stays.text
    assert cited(named) == {"birch.md"} and "0.20%" in named.text


@pytest.mark.parametrize(
    ("before", "question", "said"),
    [
        ((ELECTRIC,), "why?", "because the company wants to reduce emissions"),
        ((ELECTRIC,), "and why?", "because the company wants to reduce emissions"),
        (("Who pays sick pay?",), "for how long?", "the first six weeks"),
        (("What is the monthly rent?", "who pays it?"), "and when?", "the third working day"),
    ],
)
def test_a_question_word_alone_asks_about_what_was_asked_last(
    index: Index, before: tuple[str, ...], question: str, said: str
) -> None:
    chain = ("How soon is a complaint acknowledged?", RISK, *before, question)
    *_, last, answer = chat(index, *chain)
    assert (answer.status, cited(answer)) == ("answered", cited(last))
    assert said in answer.text


def test_why_is_not_answered_without_a_reason(index: Index) -> None:
    assert chat(index, "What is the yak fee?", "why?")[-1].status == "not_found"


@pytest.mark.parametrize(
    ("question", "sentence", "may"),
    [
        ("why?", "It is free because of the law.", True),
        ("and why?", "It is free.", False),
        ("Warum?", "Es ist frei, weil es so ist.", True),
        ("why is it free?", "It is free.", True),
        ("what?", "It is free.", True),
    ],
)
def test_only_why_alone_asks_for_words_of_reason(question: str, sentence: str, may: bool) -> None:
    assert may_reply(question, sentence) is may


def test_words_of_topics_long_past_are_not_carried_along() -> None:
    def turn(text: str, answer: str, title: str) -> Turn:
        return Turn(text, (Place(f"{title}.md", title, "s", None),), answer)

    rent = turn("What is the monthly rent?", "The monthly rent is 900 euros.", "Residential Lease")
    found = meant("Is parking free?", [turn(RISK, "Risk class 4.", "Alder Growth Fund"), rent])
    assert (found.kind, found.document) == (Kind.open, "Residential Lease.md")
    assert found.topic == "monthly rent 900 euros Residential Lease"


def test_a_word_counts_as_said_in_any_passage_heading_or_title_of_the_document() -> None:
    shown = [passage("The fee is 2%.", title="Alder Fund", path=("Costs",)), passage("A yak.", title="Zoo")]
    asked = Asked("What is the cost of a yak and the fee of the fund?")
    assert unsaid(asked, shown, "Alder Fund") == ("yak",)
    assert unsaid(Asked("Which fee is used, and how is a cow fed?"), shown, "Alder Fund") == ("cow", "fed")
