"""Which sentences answer, what they are made into, and when nothing does."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.agent.extractive.passages import passage

from pincite.agent.check.quotes import Match, find_quote
from pincite.agent.extractive.choosing import Finding, choose
from pincite.agent.extractive.question import Asked
from pincite.tools.passage import Passage

COSTS = "The entry fee is {entry} of the amount. The exit fee is {exit} within a year. Fees lower returns."
FUNDS = {"Alder Growth Fund": ("3.00%", "0.40%"), "Birch Income Fund": ("4.50%", "1.10%")}


def funds() -> list[Passage]:
    return [
        passage(COSTS.format(entry=entry, exit=leave), title=title, path=("Costs",), number=number)
        for number, (title, (entry, leave)) in enumerate(FUNDS.items(), 1)
    ]


def ask(question: str, passages: list[Passage], most: int = 3) -> Finding:
    finding = choose(Asked(question), passages, None, most=most)
    by_handle = {shown.handle: shown.text for shown in passages}
    for statement in finding.statements:
        assert statement.quotes
        for quote in statement.quotes:
            assert find_quote(quote, by_handle[statement.handle]).match is not Match.not_found
    return finding


def texts(finding: Finding) -> list[str]:
    return [statement.text for statement in finding.statements]


@pytest.mark.parametrize("title", FUNDS)
def test_the_document_that_is_named_answers_and_no_other(title: str) -> None:
    finding = ask(f"What is the exit fee of the {title}?", funds())
    assert texts(finding) == [f"The exit fee is {FUNDS[title][1]} within a year."]


def test_a_name_in_small_letters_names_the_document_too() -> None:
    assert texts(ask("exit fee of the birch income fund", funds())) == [
        "The exit fee is 1.10% within a year."
    ]


def test_what_only_another_document_says_is_not_found() -> None:
    passages = [*funds(), passage("The yearly bonus is 2% of the amount.", title="Cedar Bond Fund", number=3)]
    assert not ask("What is the yearly bonus of the Alder Growth Fund?", passages).answered


def test_what_no_document_says_is_not_found() -> None:
    assert not ask("What is the carbon footprint of the Alder Growth Fund?", funds()).answered


def test_nothing_comes_of_no_passages() -> None:
    finding = ask("What is the fee?", [])
    assert (finding.answered, finding.odds, finding.cut) == (False, None, None)


def test_a_row_is_said_with_its_header() -> None:
    table = "Step\tLimit\tResponsible\nWritten reply\t3 days\tOfficer\nFinal report\t9 days\tHead of office"
    finding = ask("What is the limit for a final report?", [passage(table, path=("Limits",))], most=1)
    assert texts(finding) == ["Step: Final report; Limit: 9 days; Responsible: Head of office"]
    assert finding.statements[0].quotes == ("Final report\t9 days\tHead of office",)


def test_a_list_is_said_with_the_line_that_introduces_it() -> None:
    text = (
        "Claims need receipts.\n\nThese costs of a journey are refunded:\n\n- rail tickets\n- taxis after ten"
    )
    finding = ask("Which costs of a journey are refunded?", [passage(text)], most=1)
    assert texts(finding) == ["These costs of a journey are refunded: rail tickets; taxis after ten."]


def test_a_sentence_that_points_back_is_said_with_the_one_before() -> None:
    text = "The lift in the north wing was built in 1990. It carries at most six people."
    finding = ask("How many people does the lift in the north wing carry?", [passage(text)], most=1)
    assert texts(finding) == [text]


def test_a_heading_is_never_an_answer() -> None:
    text = (
        "Notice Period\n\nThe notice period for a flat is three months.\n\nOther Rules\n\nPets are welcome."
    )
    finding = ask("What is the notice period?", [passage(text)])
    assert texts(finding) == ["The notice period for a flat is three months."]


def test_a_question_in_the_text_is_no_answer_but_what_follows_is() -> None:
    text = "How long are files kept? Files are kept for six years after they were closed."
    finding = ask("How long are files kept?", [passage(text)])
    assert texts(finding) == ["Files are kept for six years after they were closed."]


def test_the_same_sentence_is_said_once() -> None:
    text = "The notice period for a flat is three months."
    passages = [passage(text, title="Lease"), passage(text, title="Copy of the lease", number=2)]
    assert texts(ask("What is the notice period for a flat?", passages)) == [text]


def test_a_cut_sentence_gives_way_to_the_whole_one() -> None:
    whole = "The deposit for a flat is nine hundred euros, due on the day on which the keys are handed over."
    cut = Passage(**passage(whole).model_dump() | {"text": whole[:52], "end": 52})
    full = Passage(**passage(whole).model_dump() | {"handle": "P2"})
    finding = ask("How much is the deposit for a flat?", [cut, full])
    assert [(statement.text, statement.handle) for statement in finding.statements] == [(whole, "P2")]


def test_a_sentence_that_is_only_there_in_part_says_so() -> None:
    text = "The deposit for a flat is nine hundred euros, due on the day on which the"
    finding = ask("How much is the deposit for a flat?", [passage(text)])
    assert finding.cut is not None
    assert texts(finding) == [f"{text} …"]


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        (
            "Wie lang ist die Kündigungsfrist für eine Wohnung?",
            "Die Miete ist monatlich fällig. Die Kündigungsfrist für eine Wohnung beträgt drei Monate.",
            "Die Kündigungsfrist für eine Wohnung beträgt drei Monate.",
        ),
        (
            "押金是多少？",
            "租金每月支付。押金是九百欧元，在交付钥匙时支付。宠物不受限制。",
            "押金是九百欧元，在交付钥匙时支付。",
        ),
        (
            "ما هي مدة الإشعار للشقة؟",
            "يدفع الإيجار كل شهر. مدة الإشعار للشقة ثلاثة أشهر من يوم التسليم. الحيوانات مسموح بها.",
            "مدة الإشعار للشقة ثلاثة أشهر من يوم التسليم.",
        ),
        (
            "Quel est le dépôt de garantie pour l’appartement ?",
            "Le loyer est dû chaque mois. Le dépôt de garantie pour l’appartement est de neuf cents euros.",
            "Le dépôt de garantie pour l’appartement est de neuf cents euros.",
        ),
    ],
)
def test_other_languages(question: str, text: str, answer: str) -> None:
    assert texts(ask(question, [passage(text)], most=1)) == [answer]


def test_a_row_of_another_document_beside_the_name_is_no_answer() -> None:
    mixed = passage(
        "Some money is held through the Alder Growth Fund.\n\nAsset\tWeight\nCash\t7.5%\nShares\t92.5%",
        title="Dogwood Mixed Fund",
        path=("Holdings",),
        number=3,
    )
    question = "What is the weight of cash in the Alder Growth Fund?"
    assert not any("7.5%" in text for text in texts(ask(question, [mixed, *funds()])))
    own = passage(
        "Issuer\tRating\tWeight\nHarbour plc\tAA\t40.1%\nCash\t–\t1.5%", title="Alder Growth Fund", number=4
    )
    assert texts(ask(question, [mixed, *funds(), own])) == ["Issuer: Cash; Rating: –; Weight: 1.5%"]


def test_a_question_when_is_answered_by_the_sentence_that_names_a_time() -> None:
    late = "Bills that come in late get paid only if the head of finance agrees."
    days = "The office has bills paid on the 5th and the 20th of each month."
    advance = "An advance may be paid for bills of more than five guests."

    def near(question: str, shown: Sequence[str]) -> list[float]:
        return [0.8 if days in text else 0.5 for text in shown]

    finding = choose(Asked("When do bills get paid?"), [passage(f"{late} {days} {advance}")], near, most=3)
    assert texts(finding) == [days]


def test_since_when_is_not_answered_without_a_time() -> None:
    text = "The dress code applies to all staff and to visitors."
    assert not ask("Since when does the dress code apply to staff?", [passage(text)]).answered
    dated = "The dress code applies to all staff since 3 May 2019."
    assert texts(ask("Since when does the dress code apply to staff?", [passage(dated)])) == [dated]


def test_a_sentence_without_the_kind_of_answer_is_not_added() -> None:
    text = (
        "The head gardener of the park is Anton Berg.\n\n"
        "At the end of June the park had 52 gardeners and one head office."
    )
    assert texts(ask("Who is the head gardener of the park?", [passage(text)])) == [
        "The head gardener of the park is Anton Berg."
    ]


def test_documents_that_say_it_with_other_numbers_all_answer() -> None:
    finding = ask("What is the exit fee?", funds())
    assert texts(finding) == [f"The exit fee is {leave} within a year." for _, leave in FUNDS.values()]
    assert len({statement.handle for statement in finding.statements}) == 2


def test_what_would_have_to_be_compared_over_documents_is_not_found() -> None:
    risk = passage("The fund is in the lowest risk class of all.", title="Cedar Bond Fund", number=3)
    question = "Which fund has the lowest exit fee?"
    assert not ask(question, [*funds(), risk]).answered
    said = passage("Of our funds Birch has the lowest exit fee.", title="Overview", number=4)
    assert texts(ask(question, [*funds(), risk, said])) == ["Of our funds Birch has the lowest exit fee."]


def test_a_superlative_within_one_document_is_answered() -> None:
    text = "The tower is the tallest house. The mill has the largest cellar of the village."
    assert texts(ask("Which house has the largest cellar?", [passage(text)], most=1)) == [
        "The mill has the largest cellar of the village."
    ]
