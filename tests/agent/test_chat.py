"""Chats: many turns over one ledger, resumed, with what may no longer be seen taken out of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincite.agent.chat import Chat, Ground, open_chat, recorded, resume_chat
from pincite.agent.events import Done, Notice
from pincite.agent.extractive.model import ExtractiveModel
from pincite.agent.messages import ModelTurn
from pincite.agent.outcome import Status
from pincite.agent.scripted import ScriptedModel, calls
from pincite.corpus.index import Index
from pincite.corpus.manage import forget
from pincite.corpus.scope import Scope
from pincite.corpus.sync import sync
from pincite.errors import NothingUsableError
from pincite.tools.retrieve import Retriever
from pincite.transcripts.events import UserMessage

FILES = {
    "alder.md": "# Alder Growth Fund\n\n## Costs\n\nThe entry charge is 3.00%. The exit charge is 0.30%.\n",
    "birch.md": "# Birch Bond Fund\n\n## Costs\n\nThe entry charge is 1.25%. The exit charge is 0.20%.\n",
}
ALDER = "What is the entry charge of the Alder Growth Fund?"
BIRCH = "What is the exit charge of the Birch Bond Fund?"


class Place:
    """An index that a test may change."""

    def __init__(self, folder: Path) -> None:
        self.texts, self.db = folder / "texts", folder / "kb"
        self.texts.mkdir()
        for name, text in FILES.items():
            (self.texts / name).write_text(text, encoding="utf-8")
        sync([self.texts], self.db, vectors=False)
        index = Index.open(self.db)
        self.ground = Ground(index, Retriever(index, None), ExtractiveModel(None))

    def sync(self, *names: str, groups: tuple[str, ...] = ()) -> None:
        sync([self.texts / name for name in names] or [self.texts], self.db, vectors=False, groups=groups)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_handles_keep_their_meaning_over_turns_and_a_resume(place: Place) -> None:
    chat = open_chat(place.ground)
    first = chat.ask(ALDER)
    held = {handle: passage.text for handle, passage in chat.ledger.passages.items()}
    chat.close()
    resumed = resume_chat(place.ground, chat.session)
    second = resumed.ask("and its exit charge?")
    resumed.close()
    assert (first.status, second.status) == (Status.answered, Status.answered)
    assert "0.30%" in second.text
    assert {handle: resumed.ledger.passages[handle].text for handle in held} == held
    assert second.statements[0].citations[0].handle in held


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("Hello!", "Hello"),
        ("thanks a lot", "welcome"),
        ("What did I ask first?", ALDER),
        ("Which documents did you use?", "Alder Growth Fund"),
        ("How many questions have I asked?", "1. What is the entry charge"),
        ("what can you do?", "your documents"),
    ],
)
def test_what_is_about_no_document_is_told_apart(place: Place, message: str, words: str) -> None:
    chat = open_chat(place.ground)
    chat.ask(ALDER)
    answer = chat.ask(message)
    chat.close()
    assert answer.status is Status.conversation
    assert answer.statements == ()
    assert words in answer.text
    assert answer.usage.searches == 0


def test_what_was_said_is_said_again_only_with_its_citations(place: Place) -> None:
    chat = open_chat(place.ground)
    chat.ask(ALDER)
    chat.ask("thanks")
    again = chat.ask("What did you say?")
    chat.close()
    assert again.status is Status.answered
    assert again.statements[0].citations[0].document == "texts/alder.md"


def test_a_correction_and_a_new_subject(place: Place) -> None:
    chat = open_chat(place.ground)
    said = [chat.ask(q).text for q in (ALDER, "no, the Birch Bond Fund", ALDER)]
    chat.close()
    assert ["3.00%" in said[0], "1.25%" in said[1], "3.00%" in said[2]] == [True] * 3
    assert "3.00%" not in said[1]


def test_a_document_that_goes_takes_its_passages_out_of_a_running_chat(place: Place) -> None:
    chat = open_chat(place.ground)
    handle = chat.ask(ALDER).statements[0].citations[0].handle
    forget(place.db, "texts/alder.md")
    events = list(chat.events("What is the exit charge of the Birch Bond Fund?"))
    again = chat.ask(ALDER)
    chat.close()
    assert handle in chat.ledger.withdrawn
    assert "withdrawn" in [event.code for event in events if isinstance(event, Notice)]
    assert isinstance(events[-1], Done) and "0.20%" in events[-1].answer.text
    assert "3.00%" not in again.text


def test_a_document_given_to_a_group_goes_for_everybody_else(place: Place) -> None:
    public = open_chat(place.ground, Scope(groups=frozenset()))
    staff = open_chat(place.ground, Scope(groups=frozenset({"staff"})))
    for chat in (public, staff):
        assert chat.ask(ALDER).status is Status.answered
    place.sync("alder.md", groups=("staff",))
    assert "3.00%" not in public.ask(ALDER).text
    assert "3.00%" in staff.ask(ALDER).text
    gone = {public.ledger.passages[handle].document for handle in public.ledger.withdrawn}
    assert (gone, staff.ledger.withdrawn) == ({"texts/alder.md"}, set())
    public.close()
    staff.close()


def test_a_cited_handle_of_a_gone_document_is_refused_and_its_words_are_not_sent_again(place: Place) -> None:
    def answer(handle: str) -> ModelTurn:
        quote = {"passage": handle, "quote": "The entry charge is 3.00%"}
        said = {"citations": [quote], "text": "The entry charge is 3.00%."}
        return calls(("answer", {"statements": [said], "status": "answered"}))

    find = calls(("search", {"query": "entry charge Alder"}))
    give_up = calls(("answer", {"statements": [], "status": "not_found"}))
    model = ScriptedModel([find, answer("P1"), answer("P1"), give_up])
    chat = open_chat(Ground(place.ground.index, place.ground.retriever, model))
    assert chat.ask(ALDER).status is Status.answered
    forget(place.db, "texts/alder.md")
    second = chat.ask("What did it cost again?")
    chat.close()
    assert second.status is not Status.answered
    sent = json.dumps([[m.text, [c.arguments for c in m.tool_calls]] for m in model.requests[2].messages])
    assert "3.00%" not in sent
    kinds = [e for e in recorded(place.ground.index, chat.session).events if e.kind == "check"]
    assert [problem["code"] for problem in kinds[1].problems] == ["withdrawn_passage"]


def test_a_resumed_chat_holds_no_words_of_a_document_that_went_meanwhile(place: Place) -> None:
    chat = open_chat(place.ground)
    chat.ask(ALDER)
    chat.close()
    forget(place.db, "texts/alder.md")
    model = ScriptedModel([calls(("answer", {"statements": [], "status": "not_found"}))] * 3)
    resumed = resume_chat(Ground(place.ground.index, place.ground.retriever, model), chat.session)
    resumed.ask("and now?")
    resumed.close()
    assert "3.00%" not in " ".join(message.text for message in model.requests[0].messages)
    gone = {h for h, passage in resumed.ledger.passages.items() if passage.document == "texts/alder.md"}
    assert gone and resumed.ledger.withdrawn == gone


def test_a_session_of_somebody_else_is_not_there(place: Place) -> None:
    chat = open_chat(place.ground, owner="anna")
    chat.ask(ALDER)
    chat.close()
    for session, owner in [(chat.session, "bert"), ("../kb/current", ""), ("nothing-here", "anna")]:
        with pytest.raises(NothingUsableError) as caught:
            resume_chat(place.ground, session, owner=owner)
        assert caught.value.code == "no_such_session"
    resume_chat(place.ground, chat.session, owner="anna").close()


def test_a_conversation_held_elsewhere_goes_on_here(place: Place) -> None:
    chat: Chat = open_chat(place.ground, earlier=[(ALDER, "I do not know.")])
    answer = chat.ask("and for the bond fund?")
    chat.close()
    assert "1.25%" in answer.text
    again = resume_chat(place.ground, chat.session)
    assert "0.20%" in again.ask("and its exit charge?").text
    again.close()


def test_what_nobody_sees_in_a_question_changes_nothing(place: Place) -> None:
    chat = open_chat(place.ground)
    plain = chat.ask(ALDER)
    hidden = chat.ask("What\u200b is\x1b[31m the entry\u00a0charge of the\x00 Al\u00adder Growth Fund\u202e?")
    chat.close()
    assert (hidden.text, hidden.status) == (plain.text, Status.answered)
    events = recorded(place.ground.index, chat.session).events
    asked = [event.text for event in events if isinstance(event, UserMessage)]
    assert asked == [ALDER, ALDER]
    follow_up = open_chat(
        place.ground, earlier=[("What is the entry\u200b charge of the Al\u00adder Growth Fund?", "3%")]
    )
    assert "0.30%" in follow_up.ask("and its exit charge?").text
    follow_up.close()
