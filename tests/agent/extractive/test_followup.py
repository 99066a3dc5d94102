"""Follow-ups by rule: what a question means after the turns before it."""

from __future__ import annotations

import pytest

from pincite.agent.answer import Answer
from pincite.agent.extractive.followup import Kind, Meant, Place, Turn, meant
from pincite.agent.extractive.model import ExtractiveModel
from pincite.agent.loop import Agent
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox

LEASE = Place("texts/lease.md", "Lease", "s4", "4.2(b)")
END = "When can the tenant end the lease?"
FUND = "What is the ongoing charge of the Alder Growth Fund?"


def after(question: str, *earlier: str, place: Place = LEASE) -> Meant:
    return meant(question, [Turn(text, (place,)) for text in earlier])


@pytest.mark.parametrize(
    ("question", "earlier", "text"),
    [
        ("and for the bond fund?", [FUND], "What is the ongoing charge of the bond fund"),
        ("What about the Birch Income Fund?", [FUND], "What is the ongoing charge of the Birch Income Fund"),
        ("And its exit charge?", [FUND], "What is the exit charge of the Alder Growth Fund"),
        ("its exit charge?", [FUND], "What is the exit charge of the Alder Growth Fund"),
        ("Its minimum investment?", [FUND], "the minimum investment Alder Growth Fund"),
        ("Is its exit charge waived?", [FUND], "Is its exit charge waived?"),
        ("is that also true for the bond fund?", [FUND], "What is the ongoing charge of the bond fund"),
        ("is that also true for landlords?", [END], "When can the landlords end the lease"),
        ("Does that apply to the landlord too?", [END], "When can the landlord end the lease"),
        ("and the landlord?", [END], "When can the landlord end the lease"),
        ("and the landlord's?", ["When is the tenant's fee due?"], "When is the landlord's fee due"),
        ("what about employers?", ["What must an employee wear?"], "What must an employers wear"),
        ("und der Vermieter?", ["Wann kann der Mieter kündigen?"], "Wann kann der Vermieter kündigen"),
        ("gilt das auch für Vermieter?", ["Was zahlt der Mieter?"], "Was zahlt der Vermieter"),
        (
            "What about Snowmobile Dealer?",
            ["Which are the starter kit parts?"],
            "Which are the starter kit parts Snowmobile Dealer",
        ),
        ("and for students?", ["How much is the order fee?"], "How much is the order fee for students"),
        (
            "no, the Orchard Balanced Fund",
            [FUND, "and for the bond fund?", "its exit charge?"],
            "What is the exit charge of the Orchard Balanced Fund",
        ),
        (
            "and the exit charge?",
            [FUND, "and for the bond fund?"],
            "What is the exit charge of the bond fund",
        ),
        ("and the minimum investment?", [FUND], "the minimum investment Alder Growth Fund"),
        (
            "what about after six months?",
            ["What notice must a tenant give after three months?"],
            "What notice must a tenant give after six months",
        ),
        (
            "what about after six months?",
            ["What notice must a tenant give?"],
            "What notice must a tenant give after six months",
        ),
        ("And in Norway?", ["What is the deposit in Iceland?"], "What is the deposit in Norway"),
        ("what about E18?", ["What does code E17 mean?"], "What does code E18 mean"),
        ("and (c)?", ["What does the lease say about cheques?"], "section 4.2(c)"),
        ("section 6?", ["What does the lease say about cheques?"], "section 6"),
        (
            "und für den Birkenfonds?",
            ["Wie hoch ist die Gebühr des Erlenfonds?"],
            "Wie hoch ist die Gebühr des Birkenfonds",
        ),
    ],
)
def test_a_fragment_takes_the_place_of_what_it_replaces(question: str, earlier: list[str], text: str) -> None:
    assert after(question, *earlier).text == text


@pytest.mark.parametrize(
    ("question", "earlier", "text"),
    [
        (
            "no, the 2019 version",
            "What does the 2021 version say about rent?",
            "What does the 2019 version say about rent",
        ),
        ("sorry, I meant the Birch Income Fund", FUND, "What is the ongoing charge of the Birch Income Fund"),
    ],
)
def test_a_correction_is_put_into_the_question_and_leaves_the_document(
    question: str, earlier: str, text: str
) -> None:
    found = after(question, earlier)
    assert (found.text, found.document) == (text, None)


CUT_OFF = "What is the cut-off time of the Alder Growth Fund?"
NOTICE = "How much notice must the tenant give?"
EDITION = "What does the 2021 version say about rent?"


@pytest.mark.parametrize(
    ("question", "earlier", "text"),
    [
        ("not Alder, the Birch Income Fund", [FUND], "What is the ongoing charge of the Birch Income Fund"),
        (
            "not Alder, the Birch Income Fund",
            [CUT_OFF, "and its ongoing charge?"],
            "the ongoing charge Birch Income Fund",
        ),
        ("not Alder, the Saxon Income Fund", [FUND[8:-1]], "the ongoing charge of the Saxon Income Fund"),
        ("sorry, Birch, not Alder", [FUND], "What is the ongoing charge of the Birch Fund"),
        ("not the Alder fund, the Birch one", [FUND], "What is the ongoing charge of the Birch fund"),
        ("no, the Birch one", [FUND], "What is the ongoing charge of the Birch Fund"),
        (
            "not the bond fund, Birch",
            [FUND, "and for the bond fund?"],
            "What is the ongoing charge of the Birch",
        ),
        ("the exit charge, not the ongoing one", [FUND], "What is the exit charge of the Alder Growth Fund"),
        ("the 2019 version, not 2021", [EDITION], "What does the 2019 version say about rent"),
        ("not the 2021 version, 2019", [EDITION], "What does the 2019 version say about rent"),
        ("three months, not six", ["What is due after six months?"], "What is due after three months"),
        (
            "B, not A",
            ["What is the entry charge of Class A units?"],
            "What is the entry charge of Class B units",
        ),
        ("le bailleur, pas le locataire", ["Que paie le locataire ?"], "Que paie le bailleur"),
        ("no el inquilino, el propietario", ["¿Qué paga el inquilino?"], "¿Qué paga el propietario"),
    ],
)
def test_what_was_wrong_is_replaced_whole_in_the_question_that_is_corrected(
    question: str, earlier: list[str], text: str
) -> None:
    found = after(question, *earlier)
    assert (found.text, found.document) == (text, None)


@pytest.mark.parametrize(
    ("question", "earlier", "text"),
    [
        ("Not the tenant, the landlord", NOTICE, "How much notice must the landlord give"),
        ("sorry, the landlord", END, "When can the landlord end the lease"),
        ("no I meant the landlord, not the tenant", NOTICE, "How much notice must the landlord give"),
        ("the landlord rather than the tenant", NOTICE, "How much notice must the landlord give"),
        ("the landlord, not the tenant", "When is the tenant's fee due?", "When is the landlord's fee due"),
        ("nicht der Mieter, sondern der Vermieter", "Was zahlt der Mieter?", "Was zahlt der Vermieter"),
    ],
)
def test_another_person_is_asked_about_in_the_same_document(question: str, earlier: str, text: str) -> None:
    found = after(question, earlier)
    assert (found.text, found.document) == (text, LEASE.document)


@pytest.mark.parametrize("question", ["no, section 7", "not section 6, section 7"])
def test_another_section_is_looked_for_in_the_same_document(question: str) -> None:
    found = after(question, "section 6?")
    assert (found.text, found.document) == ("section 7", LEASE.document)


@pytest.mark.parametrize(
    "statement",
    [
        "I'm not the owner, my brother is",
        "Yes, but I'm not in Norway, the rental is in Sweden",
        "not yet, the letter",
    ],
)
def test_a_statement_with_not_in_it_corrects_nothing(statement: str) -> None:
    assert after(statement, "Can I renew my boat licence online?").text == statement


SAID = [
    Turn(FUND, (Place("texts/alder.md", "Alder Growth Fund", "s2", None),), "It is 0.82% a year."),
    Turn("and for the bond fund?", (Place("texts/birch.md", "Birch Bond Fund", "s2", None),), "It is 0.46%."),
    Turn("How long are complaints kept?", (LEASE,), "For six years."),
]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What did you say about the bond fund?", "What is the ongoing charge of the bond fund"),
        ("what did you tell me about the Alder Growth Fund", FUND),
        ("What was your answer on complaints?", "How long are complaints kept?"),
        ("What did you say?", "How long are complaints kept?"),
    ],
)
def test_what_was_said_about_something_is_the_turn_that_spoke_of_it(question: str, text: str) -> None:
    assert meant(question, SAID).text == text


def test_what_was_never_spoken_of_is_a_question_of_its_own() -> None:
    assert (
        meant("What did you say about the Cedar Trust?", SAID).text
        == "What did you say about the Cedar Trust?"
    )


def test_a_pronoun_takes_the_name_and_stays_with_the_document() -> None:
    found = after("Who is its depositary?", FUND)
    assert (found.query, found.document) == ("Who is its depositary? Alder Growth Fund", LEASE.document)


def test_a_new_name_is_a_new_subject() -> None:
    found = after("What is the entry charge of the Cedar Property Fund?", FUND)
    assert (found.kind, found.document) == (Kind.alone, None)


def test_a_question_that_names_nothing_may_be_either() -> None:
    found = after("How long is the parental leave?", FUND)
    assert (found.kind, found.text) == (Kind.open, "How long is the parental leave?")
    assert "Alder Growth Fund" in found.topic


def test_an_answer_to_a_question_put_back_is_read_with_what_came_before() -> None:
    found = after("Yes, it was in May", "Can I renew my boat licence online?")
    assert found.kind is Kind.follows
    assert "boat licence" in found.topic


def test_the_first_question_means_what_it_says() -> None:
    assert meant("and for the bond fund?", []) == Meant("and for the bond fund?", asks=True)


FILES = {
    "alder.md": "# Alder Growth Fund\n\n## Costs\n\nThe entry charge is 3.00%. The exit charge is 0.30%.\n",
    "birch.md": "# Birch Bond Fund\n\n## Costs\n\nThe entry charge is 1.25%. The exit charge is 0.20%.\n",
    "leave.md": "# Staff handbook\n\n## Parental leave\n\nParental leave lasts sixteen weeks.\n",
}


def chat(index: Index, *questions: str) -> list[Answer]:
    agent = Agent(ExtractiveModel(None), Toolbox(index, Retriever(index, None), Scope(), seed="s"))
    return [agent.ask(question) for question in questions]


def test_a_chain_of_follow_ups_keeps_to_its_subject_and_a_new_one_is_found(index: Index) -> None:
    answers = chat(
        index,
        "What is the entry charge of the Alder Growth Fund?",
        "and for the bond fund?",
        "and its exit charge?",
        "How long does parental leave last?",
    )
    said = [answer.text for answer in answers]
    assert "3.00%" in said[0]
    assert "1.25%" in said[1] and "3.00%" not in said[1]
    assert "0.20%" in said[2] and "0.30%" not in said[2]
    assert "sixteen weeks" in said[3]
    assert [answer.status for answer in answers] == ["answered"] * 4


def test_passages_shown_before_are_named_and_can_be_cited_again(index: Index) -> None:
    first, second = chat(
        index,
        "What is the entry charge of the Birch Bond Fund?",
        "What is the exit charge of the Birch Bond Fund?",
    )
    assert first.statements[0].citations[0].handle == second.statements[0].citations[0].handle
