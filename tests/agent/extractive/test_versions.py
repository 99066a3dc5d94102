"""Versions of a document, named in a question or a correction."""

from __future__ import annotations

import pytest

from pincite.agent.answer import Answer
from pincite.agent.extractive.editions import Edition, edition_of, revised, year_of
from pincite.agent.extractive.model import ExtractiveModel
from pincite.agent.loop import Agent
from pincite.corpus.index import Index
from pincite.corpus.scope import Scope
from pincite.tools.retrieve import Retriever
from pincite.tools.toolbox import Toolbox


@pytest.mark.parametrize(
    ("question", "mark", "nouns", "rest"),
    [
        ("What is the rent in the 2019 lease?", "2019", ("lease",), "What is the rent in the lease?"),
        ("What is the rent in the lease of 2019?", "2019", ("lease",), "What is the rent in the lease?"),
        ("What is the rent in the lease (2019)?", "2019", ("lease",), "What is the rent in the lease?"),
        ("What is the rent in the 2019 version", "2019", (), "What is the rent"),
        ("What is the rent in the version from 2019", "2019", (), "What is the rent"),
        ("What is the rent according to version 2.1", "2.1", (), "What is the rent"),
        ("the 2019 version of the lease, and who pays?", "2019", ("lease",), "the lease, and who pays?"),
        ("the 2019 version of the lease", "2019", ("lease",), "the lease"),
        ("the 2019 one", "2019", (), ""),
        ("die Fassung von 2019", "2019", (), ""),
        ("die 2019er Fassung", "2019", (), ""),
        ("Was sagt der Mietvertrag von 2019?", "2019", ("mietvertrag",), "Was sagt der Mietvertrag?"),
    ],
)
def test_a_version_is_told_from_the_question(
    question: str, mark: str, nouns: tuple[str, ...], rest: str
) -> None:
    found = edition_of(question)
    assert found is not None
    assert (found.mark, found.nouns, found.left_out(question)) == (mark, nouns, rest)


@pytest.mark.parametrize(
    "question", ["What did the fund return in 2023?", "What is due in 2019 and 2020?", "Who pays the rent?"]
)
def test_a_year_alone_is_no_version_of_a_document(question: str) -> None:
    assert edition_of(question) is None


def test_only_a_single_year_may_stand_for_a_version() -> None:
    assert year_of("What is due in 2019 and 2020?") is None
    assert year_of("What was the rent in 2019?") == Edition("2019", (), "in 2019")


@pytest.mark.parametrize(
    ("question", "fragment", "text"),
    [
        ("What is the rent?", "the 2019 version", "What is the rent in the 2019 version"),
        ("What is the rent?", "2019", "What is the rent in the 2019 version"),
        ("What is the rent?", "from 2019", "What is the rent in the 2019 version"),
        ("What is the rent?", "version 2", "What is the rent in version 2"),
        ("What is the rent?", "What does the 2019 version say?", "What is the rent in the 2019 version"),
        ("What is the rent?", "What does the 2019 version say about pets?", None),
        ("What is the rent in version 1?", "version 2", "What is the rent in version 2"),
        ("What is the rent in the 2019 lease?", "the 2023 version", "What is the rent in the 2023 lease"),
        ("What was the rent in 2021?", "2019", None),
        ("What is the rent?", "the landlord", None),
    ],
)
def test_a_version_is_put_into_the_question_before(question: str, fragment: str, text: str | None) -> None:
    assert revised(question, fragment) == text


def test_a_label_a_year_in_the_name_and_a_numbered_version_are_known() -> None:
    year, second = Edition("2019", (), ""), Edition("v2", (), "")
    assert year.is_of("version 2019, superseded", "Lease", "lease.md")
    assert year.is_of("", "Lease", "lease_2019.pdf")
    assert year.is_of("", "Lease 2019", "a.pdf")
    assert not year.is_of("version 2023", "Lease", "lease.md")
    assert second.is_of("version 2", "Lease", "lease.md")
    assert second.is_of("", "Lease", "lease-v2.md")
    assert not second.is_of("", "Lease", "lease-2.md")


def _lease(rent: str, deposit: str, version: str = "", title: str = "Residential Lease") -> str:
    front = f'---\nversion: "{version}"\n---\n' if version else ""
    return (
        f"{front}# {title}\n\n## 1 Rent\n\nThe monthly rent is {rent} euros, payable by the tenant.\n\n"
        f"## 2 Deposit\n\nThe deposit is {deposit} euros. It is returned within six weeks.\n"
    )


FILES = {
    "home-old.md": _lease("900", "1,800", "2019"),
    "home-new.md": _lease("1,150", "2,300", "2023"),
    "garage-2019.md": _lease("80", "160", title="Garage Contract"),
    "garage-2023.md": _lease("95", "190", title="Garage Contract"),
    "fund.md": "# Elm Property Fund\n\nThe fund returned 1.2% in 2023 and 5.7% in 2019, including rents.\n",
    "note.md": "# Staff handbook\n\nParental leave lasts sixteen weeks.\n",
}


def chat(index: Index, *questions: str) -> list[str]:
    agent = Agent(ExtractiveModel(None), Toolbox(index, Retriever(index, None), Scope(), seed="s"))
    return [_told(agent.ask(question)) for question in questions]


def _told(answer: Answer) -> str:
    files = {one.document.rpartition("/")[2] for said in answer.statements for one in said.citations}
    return f"{' '.join(sorted(files))}: {answer.text}"


@pytest.mark.parametrize(
    "correction",
    [
        "no, the 2023 version",
        "No, version 2023",
        "sorry, the one from 2023",
        "no, 2023",
        "nein, die Fassung von 2023",
        "the 2023 version",
        "and what does the 2023 version say?",
    ],
)
def test_a_correction_goes_to_the_version_and_stays_there(index: Index, correction: str) -> None:
    _, right, then, deposit = chat(
        index,
        "What is the monthly rent in the residential lease?",
        correction,
        "when is the deposit returned?",
        "and the deposit?",
    )
    assert "home-new.md: " in right and "1,150" in right
    assert then.startswith("home-new.md: ") and "six weeks" in then
    assert deposit.startswith("home-new.md: ") and "2,300" in deposit


def test_the_version_may_be_in_the_first_question_and_change_after_it(index: Index) -> None:
    first, second, third = chat(
        index,
        "What is the monthly rent in the 2019 lease?",
        "no, the 2023 version",
        "and in the 2019 version?",
    )
    assert [first.startswith("home-old.md: "), "900" in first] == [True, True]
    assert [second.startswith("home-new.md: "), "1,150" in second] == [True, True]
    assert [third.startswith("home-old.md: "), "900" in third] == [True, True]


def test_a_year_in_the_file_name_names_the_version_too(index: Index) -> None:
    first, second = chat(index, "What is the deposit in the 2023 garage contract?", "no, the 2019 one")
    assert first.startswith("garage-2023.md: ") and "190" in first
    assert second.startswith("garage-2019.md: ") and "160" in second


def test_a_section_is_read_in_the_version_that_is_named(index: Index) -> None:
    first, second = chat(index, "What does section 2 of the 2023 lease say?", "no, the 2019 version")
    assert first.startswith("home-new.md: ") and "2,300" in first
    assert second.startswith("home-old.md: ") and "1,800" in second


def test_a_version_that_is_not_there_and_a_year_in_the_text_are_no_versions(index: Index) -> None:
    assert "not answer" in chat(index, "What is the monthly rent in the 2011 lease?")[0]
    assert "gave up" not in chat(index, "the 2019 version")[0]
    assert chat(index, "What is the residential monthly rent in 2023?")[0].startswith("home-new.md: ")
    assert "not answer" in chat(index, "What happened in the 2019 election?")[0]
    assert chat(index, "What did the Elm Property Fund return in 2019?")[0].startswith("fund.md: ")
    assert chat(index, "What was the monthly rent of the residential lease in 2023?")[0].startswith(
        "home-new.md: "
    )


def test_another_subject_leaves_the_version(index: Index) -> None:
    said = chat(index, "What is the monthly rent in the 2019 lease?", "How long is the parental leave?")
    assert "sixteen weeks" in said[1]
