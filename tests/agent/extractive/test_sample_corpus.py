"""The four questions of the demo over the sample documents, with the real encoder and the whole pipeline."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pincite.agent.answer import Answer
from pincite.agent.extractive.model import ExtractiveModel
from pincite.agent.session import open_session
from pincite.corpus.encoder import Encoder, EncoderUnavailableError, load_encoder
from pincite.corpus.index import Index
from pincite.corpus.sync import sync

CORPUS = Path(__file__).resolve().parents[3] / "examples" / "corpus"
Ask = Callable[[str], Answer]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    try:
        encoder = load_encoder()
    except EncoderUnavailableError as error:
        pytest.skip(error.message)
    db = tmp_path_factory.mktemp("sample") / "kb"
    report = sync([CORPUS], db, encoder=encoder)
    assert (report.added, list(report.failed)) == (12, [])

    def load() -> Encoder:
        return encoder

    index = Index.open(db)

    def answer(question: str) -> Answer:
        agent = open_session(index, ExtractiveModel(load), encoder=load)
        try:
            return agent.ask(question)
        finally:
            agent.close()

    yield answer


def cited(answer: Answer) -> dict[str, str]:
    return {
        citation.document: citation.quote
        for statement in answer.statements
        for citation in statement.citations
    }


def test_a_charge_comes_from_the_fund_that_is_asked_about(ask: Ask) -> None:
    answer = ask("What is the exit charge of the Aqueduct Infrastructure Fund?")
    assert answer.status == "answered"
    quotes = cited(answer)
    assert set(quotes) == {"corpus/factsheets/aqueduct-infrastructure-fund.pdf"}
    assert "1.50%" in " ".join(quotes.values())
    assert [c.page for s in answer.statements for c in s.citations] == [1] * len(answer.statements)


def test_the_second_part_is_found_in_a_second_document(ask: Ask) -> None:
    answer = ask(
        "Which liquidity class is the Brickfield Commercial Property Fund in, and how much notice does a "
        "large redemption from that class need?"
    )
    assert answer.status == "answered"
    quotes = cited(answer)
    assert "class D" in quotes["corpus/factsheets/brickfield-commercial-property-fund.md"]
    assert "45 business days" in quotes["corpus/policies/order-and-dealing-policy.md"]


def test_a_code_is_found_by_keyword(ask: Ask) -> None:
    answer = ask("What is the remedy for E17?")
    assert answer.status == "answered"
    assert "call the investor back" in answer.text
    assert answer.statements[0].citations[0].heading_path.endswith("E17")


@pytest.mark.parametrize(
    "question",
    ["What is the carbon footprint of the Polestar Global Equity Fund?", "What is the remedy for E19?"],
)
def test_what_the_documents_do_not_say_is_not_found(ask: Ask, question: str) -> None:
    answer = ask(question)
    assert (answer.status, answer.stop_reason) == ("not_found", "abstained")
    assert answer.statements == ()
    assert answer.nearest
    assert answer.retrieval


def test_the_same_question_gives_the_same_answer(ask: Ask) -> None:
    question = "How soon must a complaint be acknowledged in writing?"
    first, second = ask(question), ask(question)
    assert first.statements == second.statements
    assert "3 business days" in first.text
