"""Messages about the conversation: what is replied to them, and what they leave as it was."""

from __future__ import annotations

import pytest

from pincite.agent.extractive.again import asks_again
from pincite.agent.extractive.followup import Place, Turn, meant
from pincite.agent.extractive.planning import subject_of
from pincite.agent.extractive.smalltalk import small_talk

RENT = Turn(
    "What is the monthly rent?", (Place("lease.md", "Residential Lease", "s1", "1"),), "It is 900 euros."
)
POPULATION = Turn("What is the population of France?")


@pytest.mark.parametrize(
    "message",
    [
        "What did you just say?",
        "what was your last answer?",
        "Can you repeat your answer?",
        "could you say that again please?",
        "Sorry, what did you say?",
        "repeat that",
        "pardon?",
        "where does it say that?",
        "Where is that written?",
        "in which section is that?",
        "which page says that?",
        "how do you know that?",
        "show me the source",
        "Was hast du gerade gesagt?",
        "Wie bitte?",
        "Kannst du das bitte wiederholen?",
        "Wiederhole deine Antwort",
        "Was war deine letzte Antwort?",
        "Wo steht das genau?",
        "Auf welcher Seite steht das?",
        "woher weißt du das?",
        "can you say that in other words?",
        "are you sure?",
        "tell me what you said before",
        "what did you mean by that?",
        "Kannst du das mit anderen Worten sagen?",
        "Bist du sicher?",
    ],
)
def test_the_last_answer_is_given_anew_and_one_that_was_none_is_told(message: str) -> None:
    assert meant(message, [RENT]).text == RENT.text
    assert small_talk(message, [RENT]) == ()
    assert "population of France" in small_talk(message, [RENT, POPULATION])[0]
    assert "Nothing" in small_talk(message, [])[0]


@pytest.mark.parametrize(
    "question",
    [
        "where does the tenant pay?",
        "Where is it?",
        "Where does it come from?",
        "where can I find the form?",
        "in which section is the deposit?",
        "where does it say that tenants may leave?",
        "how do you know that a fund is closed?",
        "What does it say?",
        "repeat prescription rules",
        "Was sagt das Gesetz?",
        "yes, the tenant",
        "no, section 7",
        "right of withdrawal",
        "good faith",
        "summarise the lease",
    ],
)
def test_a_question_about_the_documents_is_none_about_the_conversation(question: str) -> None:
    assert not asks_again(question)
    assert small_talk(question, [RENT]) == ()


@pytest.mark.parametrize(
    "message",
    [
        "summarise what you told me",
        "Summarize our conversation so far",
        "can you sum up everything you've said?",
        "give me a short summary of our chat",
        "What have we talked about?",
        "Worüber haben wir gesprochen?",
        "Fasse das Gespräch zusammen",
        "Fass zusammen, was du mir bisher gesagt hast",
    ],
)
def test_a_summary_tells_what_was_asked_and_where_the_answer_was_found(message: str) -> None:
    told = small_talk(message, [Turn("hello"), RENT, Turn("thanks"), POPULATION])[0]
    assert "1. What is the monthly rent? (answered from Residential Lease)" in told
    assert "2. What is the population of France? (no answer found)" in told
    assert "hello" not in told


@pytest.mark.parametrize(
    ("message", "reply"),
    [
        ("what did I ask first?", RENT.text),
        ("Was habe ich zuerst gefragt?", RENT.text),
        ("Was war meine erste Frage?", RENT.text),
        ("was habe ich gerade gefragt?", POPULATION.text),
        ("what was my last question?", POPULATION.text),
        ("Welche Fragen habe ich dir bisher gestellt?", "1. What is the monthly rent?"),
        ("Wie viele Fragen habe ich gestellt?", "2. What is the population"),
        ("woher hast du das?", "Residential Lease"),
        ("where is that from?", "Residential Lease"),
    ],
)
def test_what_was_asked_and_used_is_told(message: str, reply: str) -> None:
    assert reply in small_talk(message, [RENT, POPULATION])[0]


@pytest.mark.parametrize(
    "message", ["OK", "ok.", "Yes", "no", "ja", "Nein!", "alles klar", "sure, got it!", "I see"]
)
def test_a_word_of_agreement_alone_is_no_question(message: str) -> None:
    assert small_talk(message, [RENT])
    found = subject_of("and the deposit?", [RENT, Turn(message, (), small_talk(message, ())[0])])
    assert found == subject_of("and the deposit?", [RENT])


def test_a_yes_to_what_was_asked_back_is_read_with_what_came_before() -> None:
    asked_back = Turn("Yes", (), "Then a month's rent is due as a deposit.")
    assert "deposit" in subject_of("until when?", [RENT, asked_back]).topic


def test_messages_about_the_conversation_do_not_become_the_subject() -> None:
    told = [Turn("summarise what you told me"), Turn("where does it say that?", RENT.places, RENT.answer)]
    assert subject_of("and the deposit?", [RENT, *told]) == subject_of("and the deposit?", [RENT])


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        ("what was the first thing I asked you?", RENT.text),
        ("what was the question before last?", RENT.text),
        ("Was war meine vorletzte Frage?", RENT.text),
        ("what was it that I asked you before?", POPULATION.text),
        ("which was the last question I asked?", POPULATION.text),
    ],
)
def test_a_question_that_was_asked_is_told_however_it_is_asked_for(message: str, asked: str) -> None:
    assert asked in small_talk(message, [RENT, POPULATION])[0]


@pytest.mark.parametrize(
    "question",
    [
        "What is a question?",
        "What does the answer say?",
        "When do you have to answer a notice?",
        "Which questions may the landlord ask me?",
        "What did the tenant tell you?",
        "Who is asked first?",
        "What is the last word?",
    ],
)
def test_a_question_with_a_word_of_its_own_is_about_the_documents(question: str) -> None:
    assert small_talk(question, [RENT]) == ()
    assert not asks_again(question)
